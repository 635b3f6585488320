/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DATA and I_DATA as they pass: first sightings and transmissions after them, and FORWARD_TSN, by which a sender
 * gives TSNs up. Whether a TSN that passed behind higher ones was delayed, or what passed was a retransmission, the
 * identification of its IPv4 packet tells: a sender that counts its packets gave a packet that it sent before those
 * with higher TSNs a lower one. */
#include <string.h>

#include "base/hash.h"
#include "direction_internal.h"
#include "wire/types.h"

enum {
    NEIGHBOURS = 16, /* TSNs that are looked at on each side */
    SPAN = 32 /* identifications between neighbours: numbers drawn at random lie so near on both sides once in 2^22 */
};

static uint16_t id_of(const sctpa_direction_t *direction, uint32_t packet)
{
    return sctpa_stamp_ip_id(&g_array_index(direction->store->stamps, sctpa_stamp_t, packet));
}

/* Has before a lower identification than after, by SPAN at most? */
static bool is_next(uint16_t before, uint16_t after)
{
    const uint16_t step = (uint16_t)(after - before);
    return before != 0 && after != 0 && step > 0 && step <= SPAN;
}

/* The next TSN above number that passed before tsn, in its place: of those, it was the first to be sent. NULL: none
 * near. *number: which. */
static const sctpa_tsn_t *next_above(const sctpa_direction_t *direction, int64_t *number, const sctpa_tsn_t *tsn)
{
    const int64_t most = *number + NEIGHBOURS;
    while (++*number <= most) {
        const sctpa_tsn_t *above = sctpa_direction_tsn(direction, *number);
        if (above && above->transmissions > 0 && !(above->state & SCTPA_TSN_BEHIND) &&
            above->first_packet < tsn->first_packet)
            return above;
    }
    return NULL;
}

/* Was one of the TSNs below sent right before the packet with that identification? */
static bool follows_below(const sctpa_direction_t *direction, int64_t number, uint16_t id)
{
    for (int64_t at = number - 1; at >= number - NEIGHBOURS && at >= -1; at--) {
        const sctpa_tsn_t *below = sctpa_direction_tsn(direction, at);
        if (below && below->transmissions > 0 && is_next(id_of(direction, below->first_packet), id))
            return true;
    }
    return false;
}

/* Was one of the TSNs above, which passed in its place, sent right after the packet with that identification? */
static bool is_followed_above(const sctpa_direction_t *direction, int64_t number, const sctpa_tsn_t *tsn, uint16_t id)
{
    const sctpa_tsn_t *above = next_above(direction, &number, tsn);
    return above && is_next(id, id_of(direction, above->first_packet));
}

/* Does a TSN near show that identifications are counted: has its packet one near that of packet, and another? */
static bool is_counted_near(const sctpa_direction_t *direction, int64_t number, uint16_t id)
{
    for (int64_t at = MAX(number - NEIGHBOURS, 0); at <= number + NEIGHBOURS; at++) {
        const sctpa_tsn_t *near = sctpa_direction_tsn(direction, at);
        const uint16_t id_near = near && near->transmissions > 0 ? id_of(direction, near->first_packet) : 0;
        if (at < number ? is_next(id_near, id) : is_next(id, id_near))
            return true;
    }
    return false;
}

bool sctpa_rtx_is_doubled(const sctpa_direction_t *direction, int64_t number, const sctpa_rtx_t *rtx)
{
    const sctpa_stamp_t *stamp = sctpa_direction_stamp(direction, rtx->packet),
                        *before = sctpa_direction_stamp(direction, rtx->previous);
    const uint16_t id = sctpa_stamp_ip_id(stamp);
    return id != 0 && id == sctpa_stamp_ip_id(before) && !rtx->is_other_message && rtx->misses < SCTPA_MISSES_FAST &&
           sctpa_stamp_interface(stamp) == sctpa_stamp_interface(before) && stamp->wire_bytes == before->wire_bytes &&
           ABS(stamp->time_ns - before->time_ns) < SCTPA_RTO_MIN_NS && is_counted_near(direction, number, id);
}

int64_t sctpa_direction_late_ns(const sctpa_direction_t *direction, int64_t number, const sctpa_tsn_t *tsn)
{
    const sctpa_tsn_t *above = next_above(direction, &number, tsn);
    return above ? sctpa_direction_time_ns(direction, tsn->first_packet) -
                       sctpa_direction_time_ns(direction, above->first_packet)
                 : 0;
}

/* Was the packet with that identification sent right after the one that was the newest by then, whose sender counts
 * its packets? */
static bool follows_newest(const sctpa_direction_t *direction, uint16_t id)
{
    const sctpa_tsn_t *newest = sctpa_direction_tsn(direction, direction->highest);
    const uint16_t id_newest = newest ? id_of(direction, newest->first_packet) : 0;
    return is_next(id_newest, id) && follows_below(direction, direction->highest, id_newest);
}

/* sctpa_tsn_is_late_original of a TSN that passes behind higher ones, by the packets so far. *is_retransmission: the
 * identifications alone show that what passes is one. O(1). */
static sctpa_known_t reordering_judge(const sctpa_direction_t *direction, int64_t number, const sctpa_tsn_t *tsn,
                                      bool *is_retransmission)
{
    int64_t at = number;
    const uint16_t id = id_of(direction, tsn->first_packet);
    const sctpa_tsn_t *above = id != 0 ? next_above(direction, &at, tsn) : NULL;
    *is_retransmission = false;
    if (!above)
        return SCTPA_UNKNOWN;
    const uint16_t id_above = id_of(direction, above->first_packet);
    if (is_next(id, id_above) &&
        (follows_below(direction, number, id) || is_followed_above(direction, at, tsn, id_above)))
        return SCTPA_YES;
    const bool is_after_above = is_next(id_above, id);
    *is_retransmission =
        follows_newest(direction, id) || (is_after_above && follows_below(direction, number, id_above));
    return *is_retransmission || is_after_above ? SCTPA_NO : SCTPA_UNKNOWN;
}

enum { FIELDS_BYTES = 16 }; /* up to what names the message; a PPID or FSN that the snap length cut is 0 */

/* Has the receiver said that it has this TSN, by what its SACKs said so far? */
static bool is_acked_already(const sctpa_direction_t *direction, int64_t number)
{
    if (direction->has_cum && number <= direction->cum_tsn)
        return true;
    return sctpa_tsn_set_has(&direction->rare->gap_acked, number);
}

/* Hash of the user data of a DATA or I_DATA chunk: 1 to 255, 0 where it was cut. Other data has the same once in 255
 * times. O(bytes). Words are summed in four lanes by turns, so that a processor adds several at once. */
static uint8_t content_hash(const sctpa_tlv_t *chunk)
{
    enum { LANES = 4 };
    uint32_t n = sctpa_chunk_payload_bytes(chunk);
    if (n == 0 || chunk->captured_bytes < chunk->row->fixed_bytes + n)
        return 0;
    const uint8_t *bytes = chunk->bytes + chunk->row->fixed_bytes;
    uint64_t word, sums[LANES] = { n }, sums_of_sums[LANES] = { 0 }, hash = 0;
    for (; n >= LANES * sizeof word; n -= LANES * (uint32_t)sizeof word)
#pragma GCC unroll 4
        for (unsigned lane = 0; lane < LANES; lane++, bytes += sizeof word) {
            memcpy(&word, bytes, sizeof word);
            sums_of_sums[lane] += sums[lane] += word;
        }
    for (; n >= sizeof word; n -= (uint32_t)sizeof word, bytes += sizeof word) {
        memcpy(&word, bytes, sizeof word);
        sums_of_sums[0] += sums[0] += word;
    }
    word = 0;
    memcpy(&word, bytes, n);
    sums[0] += word;
#pragma GCC unroll 4
    for (unsigned lane = 0; lane < LANES; lane++)
        hash = (hash ^ sums[lane]) * 0x9e3779b97f4a7c15u ^ sums_of_sums[lane];
    return (uint8_t)(1 + sctpa_hash_mix(hash, 0) % UINT8_MAX);
}

static void describe(sctpa_tsn_t *tsn, const sctpa_tlv_t *chunk)
{
    bool i_data = chunk->type == SCTPA_CHUNK_I_DATA;
    tsn->flags = (uint8_t)((chunk->flags & 0x0F) | (i_data ? SCTPA_TSN_I_DATA : 0));
    tsn->content = content_hash(chunk);
    tsn->bytes = (uint16_t)sctpa_chunk_payload_bytes(chunk);
    tsn->stream = (uint16_t)sctpa_tlv_u32(chunk, i_data ? SCTPA_F_I_DATA_SID : SCTPA_F_DATA_SID);
    tsn->ssn = sctpa_tlv_u32(chunk, i_data ? SCTPA_F_I_DATA_MID : SCTPA_F_DATA_SSN);
    tsn->ppid = sctpa_tlv_u32(chunk, i_data ? SCTPA_F_I_DATA_PPID : SCTPA_F_DATA_PPID);
}

/* Does a DATA or I_DATA chunk with the TSN of tsn belong to another message, or another part of one: has it other
 * flags, another stream, number, PPID, FSN or length, as far as neither was cut? SSNs of unordered data mean nothing;
 * chunks of the other type are not compared. O(1). */
static bool tsn_has_other_head(const sctpa_tsn_t *tsn, const sctpa_tlv_t *chunk)
{
    const uint8_t kept = SCTPA_TSN_BEGIN | SCTPA_TSN_END | SCTPA_TSN_UNORDERED;
    bool i_data = chunk->type == SCTPA_CHUNK_I_DATA;
    if (i_data != !!(tsn->flags & SCTPA_TSN_I_DATA))
        return false;
    bool is_counted = i_data || !(tsn->flags & SCTPA_TSN_UNORDERED);
    bool is_whole = chunk->captured_bytes >= chunk->row->fixed_bytes && (!i_data || tsn->content != 0);
    return ((tsn->flags ^ chunk->flags) & kept) ||
           tsn->stream != sctpa_tlv_u32(chunk, i_data ? SCTPA_F_I_DATA_SID : SCTPA_F_DATA_SID) ||
           (is_counted && tsn->ssn != sctpa_tlv_u32(chunk, i_data ? SCTPA_F_I_DATA_MID : SCTPA_F_DATA_SSN)) ||
           (is_whole && tsn->ppid != sctpa_tlv_u32(chunk, i_data ? SCTPA_F_I_DATA_PPID : SCTPA_F_DATA_PPID)) ||
           tsn->bytes != sctpa_chunk_payload_bytes(chunk);
}

/* Or other user data, by their hashes? O(bytes). */
static bool tsn_has_other_data(const sctpa_tsn_t *tsn, const sctpa_tlv_t *chunk)
{
    uint8_t content = tsn->content != 0 ? content_hash(chunk) : 0;
    return content != 0 && content != tsn->content;
}

/* A TSN that comes after higher ones was delayed, lost before the tap and sent again, or missed by the capture. A
 * packet that left behind those with the higher ones is a retransmission, and not one that left before them. Where
 * nothing shows when it left, three SACKs that reported it missing, so long ago that the sender can have answered them
 * here, speak for one. */
static void behind(sctpa_direction_t *direction, int64_t number, sctpa_tsn_t *tsn,
                   const sctpa_place_in_capture_t *place)
{
    bool is_retransmission;
    const sctpa_known_t is_late_original = reordering_judge(direction, number, tsn, &is_retransmission);
    tsn->state |= SCTPA_TSN_BEHIND;
    if (is_late_original != SCTPA_UNKNOWN)
        tsn->flags |= is_late_original == SCTPA_YES ? SCTPA_TSN_OVERTAKEN : SCTPA_TSN_SENT_AFTER;
    if (is_acked_already(direction, number))
        tsn->state |= SCTPA_TSN_LATE;
    else if (is_late_original == SCTPA_NO)
        tsn->state |= SCTPA_TSN_EARLIER_UNSEEN;
    else if (is_late_original == SCTPA_YES)
        return;
    else if (is_retransmission ||
             (sctpa_place_tap_rtt_most_ns(place) >= 0 &&
              sctpa_miss_indications_since(direction, number, 0, G_MININT64,
                                           place->time_ns - sctpa_tap_soonest_answer_ns(sctpa_place_tap_rtt(place)))
                      .n >= SCTPA_MISSES_FAST))
        tsn->state |= SCTPA_TSN_EARLIER_UNSEEN;
}

/* What was acked before the first TSN is seen, and lies below it, passed unseen. */
static void take_acked_before(sctpa_direction_t *direction, int64_t number)
{
    if (direction->rare->acked_before > 0)
        sctpa_direction_rare(direction)->unseen_acked += MIN(direction->rare->acked_before, (uint64_t)MAX(number, 0));
}

static void first_sighting(sctpa_direction_t *direction, int64_t number, sctpa_tsn_t *tsn, const sctpa_tlv_t *chunk,
                           const sctpa_place_in_capture_t *place)
{
    describe(tsn, chunk);
    tsn->transmissions = 1;
    tsn->first_packet = tsn->last_packet = place->packet;
    tsn->path = place->path;
    if (direction->tsns++ == 0)
        take_acked_before(direction, number);
    if (number < direction->highest)
        behind(direction, number, tsn, place);
    else if (is_acked_already(direction, number))
        tsn->state |= SCTPA_TSN_LATE;
    direction->highest = MAX(direction->highest, number);
    if (!direction->has_cum || number > direction->cum_tsn)
        sctpa_tsn_set_add(&direction->seen, &direction->store->arena, (sctpa_range_t){ number, number });
    if (tsn->state & SCTPA_TSN_LATE) {
        sctpa_direction_rare(direction)->late_packet = place->packet + 1;
        return;
    }
    if (!(tsn->state & SCTPA_TSN_BEHIND))
        sctpa_timing_goes_on(direction, place);
    sctpa_t3_take(sctpa_direction_path(direction, place->path), SCTPA_T3_DATA, place->packet, place->time_ns);
    sctpa_flight_add(direction, tsn);
    if (!(tsn->state & SCTPA_TSN_BEHIND))
        sctpa_timing_sent(direction, number, place);
}

static void again(sctpa_direction_t *direction, int64_t number, sctpa_tsn_t *tsn, const sctpa_tlv_t *chunk,
                  const sctpa_place_in_capture_t *place)
{
    sctpa_rtx_t rtx = { .packet = place->packet, .previous = tsn->last_packet, .path = place->path };
    rtx.link = sctpa_chain_link(SCTPA_CHAIN(&direction->rare->rtx, sctpa_rtx_t, link), tsn->more);
    sctpa_rtx_classify(direction, number, tsn, place, &rtx);
    rtx.has_other_head = tsn_has_other_head(tsn, chunk);
    rtx.is_other_message = rtx.has_other_head || tsn_has_other_data(tsn, chunk);
    sctpa_records_append(&sctpa_direction_rare(direction)->rtx, &direction->store->arena, &rtx, sizeof rtx);

    bool outstanding = sctpa_tsn_is_outstanding(tsn);
    sctpa_timing_cancel(direction, number, tsn->path);
    if (outstanding)
        sctpa_flight_remove(direction, tsn);
    sctpa_t3_take(sctpa_direction_path(direction, tsn->path), SCTPA_T3_RTX, place->packet, place->time_ns);
    sctpa_t3_take(sctpa_direction_path(direction, place->path),
                  tsn->path == place->path ? SCTPA_T3_RTX : SCTPA_T3_MOVED, place->packet, place->time_ns);
    tsn->path = place->path;
    if (outstanding)
        sctpa_flight_add(direction, tsn);
    tsn->more = direction->rare->rtx.len;
    tsn->last_packet = place->packet;
    tsn->transmissions += tsn->transmissions < UINT16_MAX;
    tsn->state &= (uint8_t)~SCTPA_TSN_REPORTED;
}

/* SACKs were seen before any DATA: what they said was relative to the first of them, and becomes relative to the first
 * DATA. */
static void rebase(sctpa_direction_t *direction, int64_t first)
{
    direction->cum_tsn -= first;
    direction->highest_gap_end -= first;
    if (sctpa_direction_has_gaps(direction))
        sctpa_tsn_set_shift(&sctpa_direction_rare(direction)->gap_acked, first);
}

sctpa_transmission_t sctpa_direction_data(sctpa_direction_t *direction, const sctpa_tlv_t *chunk,
                                          const sctpa_place_in_capture_t *place)
{
    __builtin_prefetch(direction->paths.data, 1);
    if (chunk->captured_bytes < FIELDS_BYTES)
        return (sctpa_transmission_t){ .tsn = NULL };
    uint32_t serial = sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN);
    if (direction->tsns == 0 && !direction->announced) {
        if (direction->has_cum)
            rebase(direction, sctpa_direction_unwrap(direction, serial));
        direction->initial_tsn = serial;
        direction->has_initial = true;
    }
    int64_t number = sctpa_direction_lift(direction, serial, place->packet);
    sctpa_tsn_t *tsn = sctpa_pages_get(direction, number);
    uint32_t t3_packet = SCTPA_NO_PACKET_INDEX;
    if (tsn->transmissions == 0) {
        first_sighting(direction, number, tsn, chunk, place);
    } else if (tsn->last_packet != place->packet) {
        t3_packet = sctpa_direction_path(direction, tsn->path)->t3_packet;
        again(direction, number, tsn, chunk, place);
    }
    return (sctpa_transmission_t){ tsn, number, tsn->first_packet == place->packet ? 0 : tsn->more, t3_packet };
}

static void give_up(sctpa_direction_t *direction, int64_t from, int64_t to)
{
    int64_t number;
    sctpa_tsn_walk_t walk = sctpa_walk_begin(direction, from, to);
    for (sctpa_tsn_t *tsn; (tsn = sctpa_walk_next(&walk, &number)) != NULL;) {
        if (!sctpa_tsn_is_outstanding(tsn))
            continue;
        sctpa_flight_remove(direction, tsn);
        tsn->state |= SCTPA_TSN_ABANDONED;
        sctpa_timing_cancel(direction, number, tsn->path);
    }
    if (to > direction->rare->abandoned_to)
        sctpa_direction_rare(direction)->abandoned_to = to;
}

void sctpa_direction_forward(sctpa_direction_t *direction, uint32_t new_cum_tsn, uint32_t packet)
{
    const int64_t passed = MAX(direction->has_cum ? direction->cum_tsn : INT64_MIN / 2, direction->rare->abandoned_to);
    if (!direction->has_initial)
        return;
    const sctpa_forward_t forward = { packet, sctpa_direction_unwrap(direction, new_cum_tsn) };
    if (forward.new_cum > direction->rare->abandoned_to)
        sctpa_records_append(&sctpa_direction_rare(direction)->forwards, &direction->store->arena, &forward,
                             sizeof forward);
    give_up(direction, passed + 1, forward.new_cum);
}

void sctpa_direction_restart(sctpa_direction_t *direction, uint32_t next_tsn)
{
    if (!direction->has_initial || (direction->restarted && direction->rare->restart_tsn == next_tsn))
        return;
    direction->restarted = true;
    sctpa_direction_rare_t *rare = sctpa_direction_rare(direction);
    rare->restart_tsn = next_tsn;
    int64_t last = MAX(direction->highest, direction->cum_tsn);
    uint32_t skipped = next_tsn - sctpa_direction_serial(direction, last + 1);
    /* All that is outstanding, below the first TSN seen, too. */
    give_up(direction, direction->has_cum ? direction->cum_tsn + 1 : INT64_MIN / 2, direction->highest);
    sctpa_tsn_set_clear(&direction->seen, &direction->store->arena);
    sctpa_tsn_set_clear(&rare->gap_acked, &direction->store->arena);
    direction->cum_tsn = direction->highest = direction->highest_gap_end = last + skipped;
    direction->has_cum = true;
    rare->recovery.to = rare->doubtful_to = -1;
}

void sctpa_direction_report(sctpa_direction_t *direction, const sctpa_tlv_t *quoted)
{
    if (!direction->has_initial || !sctpa_tlv_has(quoted, SCTPA_F_DATA_TSN))
        return;
    sctpa_tsn_t *tsn =
        sctpa_pages_find(direction, sctpa_direction_unwrap(direction, sctpa_tlv_u32(quoted, SCTPA_F_DATA_TSN)));
    if (tsn)
        tsn->state |= SCTPA_TSN_REPORTED;
}
