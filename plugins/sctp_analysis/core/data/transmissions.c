/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DATA and I_DATA as they pass: first sightings and transmissions after them, and FORWARD_TSN, by which a sender gives
 * TSNs up. */
#include "direction_internal.h"

#include <string.h>

#include "base/hash.h"

enum { FIELDS_BYTES = 16 }; /* up to what names the message; a PPID or FSN that the snap length cut is 0 */

/* Has the receiver said that it has this TSN, by what its SACKs said so far? */
static bool is_acked_already(const sctpa_direction_t *direction, int64_t number)
{
    if (direction->has_cum && number <= direction->cum_tsn)
        return true;
    return sctpa_tsn_set_has(&direction->rare->gap_acked, number);
}

/* Words are summed in four lanes by turns, so that a processor adds several at once. */
uint8_t sctpa_content_hash(const sctpa_tlv_t *chunk)
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
    tsn->content = sctpa_content_hash(chunk);
    tsn->bytes = (uint16_t)sctpa_chunk_payload_bytes(chunk);
    tsn->stream = (uint16_t)sctpa_tlv_u32(chunk, i_data ? SCTPA_F_I_DATA_SID : SCTPA_F_DATA_SID);
    tsn->ssn = sctpa_tlv_u32(chunk, i_data ? SCTPA_F_I_DATA_MID : SCTPA_F_DATA_SSN);
    tsn->ppid = sctpa_tlv_u32(chunk, i_data ? SCTPA_F_I_DATA_PPID : SCTPA_F_DATA_PPID);
}

bool sctpa_tsn_has_other_head(const sctpa_tsn_t *tsn, const sctpa_tlv_t *chunk)
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

bool sctpa_tsn_has_other_data(const sctpa_tsn_t *tsn, const sctpa_tlv_t *chunk)
{
    uint8_t content = tsn->content != 0 ? sctpa_content_hash(chunk) : 0;
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
    const sctpa_known_t is_late_original = sctpa_reordering_judge(direction, number, tsn, &is_retransmission);
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
    uint8_t misses;
    rtx.link = sctpa_chain_link(SCTPA_CHAIN(&direction->rare->rtx, sctpa_rtx_t, link), tsn->more);
    rtx.kind = (uint8_t)sctpa_rtx_classify(direction, number, tsn, place, &misses);
    rtx.misses = misses & 0x3F;
    rtx.has_other_head = sctpa_tsn_has_other_head(tsn, chunk);
    rtx.is_other_message = rtx.has_other_head || sctpa_tsn_has_other_data(tsn, chunk);
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
