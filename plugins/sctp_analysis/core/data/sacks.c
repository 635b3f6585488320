/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SACK, NR_SACK and the cum_tsn of SHUTDOWN as they pass: what they newly acknowledge, take back, and report as
 * duplicates. SACKs carry no number: one with a lower cum_tsn than known is old (RFC 9260 6.2.1), one with the same
 * adds to what is known, one with a higher is newer and replaces it. SACKs that were followed apart from their data
 * are brought together with it when associations turn out to belong together. */
#include "base/numbers.h"
#include "base/records.h"
#include "direction_internal.h"

enum {
    BLOCKS_ALL_FIT = 64,            /* with more, a receiver may have left blocks out */
    OLD_SACKS_MAX = 32,             /* so many old ones in a row: the one they are older than was wrong */
    FASTEST_LINK_BITS_PER_NS = 800, /* Ethernet of IEEE 802.3df-2024 */
    LEAST_CHUNK_BYTES = 20          /* DATA with a byte of user data, padded */
};

typedef struct {
    sctpa_direction_t *direction;
    const sctpa_place_in_capture_t *place;
    sctpa_acked_t acked;
    bool is_sack;        /* no SHUTDOWN */
    int64_t highest;     /* TSN newly acked */
    int64_t once;        /* highest of them that was sent once, INT64_MIN none */
    uint32_t gap_packet; /* DATA packet of the TSN gap-acked last */
    int64_t reported_to; /* end of the highest gap block, or the cum_tsn */
    int64_t sack_before_ns;
} taking_t;

/* Is this the ack that its only transmission brought about, as far as the capture shows? */
static bool is_answer(const taking_t *taking, const sctpa_tsn_t *tsn)
{
    return tsn->transmissions == 1 && !(tsn->state & SCTPA_TSN_ABANDONED) && !taking->place->data_only &&
           tsn->first_packet >= taking->direction->rare->unseen_ack_packet &&
           !sctpa_timing_is_overdue(sctpa_direction_path(taking->direction, tsn->path), taking->place);
}

static void note_newly_acked(taking_t *taking, int64_t number, const sctpa_tsn_t *tsn)
{
    sctpa_acked_t *acked = &taking->acked;
    uint32_t sent = tsn->last_packet < taking->place->packet ? tsn->last_packet : tsn->first_packet;
    acked->first_packet = MIN(acked->first_packet, sent);
    acked->last_packet = acked->chunks++ == 0 ? sent : MAX(acked->last_packet, sent);
    taking->highest = MAX(taking->highest, number);
    acked->bytes += tsn->bytes;
    if (is_answer(taking, tsn)) {
        acked->oldest_packet = MIN(acked->oldest_packet, tsn->first_packet);
        taking->once = MAX(taking->once, number);
    }
    if (taking->is_sack)
        sctpa_timing_acked(taking->direction, number, tsn->path, taking->place);
}

/* The receiver has TSN number: tell whether that is news. */
static void arrived(taking_t *taking, int64_t number, sctpa_tsn_t *tsn)
{
    if (tsn->state & SCTPA_TSN_LATE)
        return;
    if (sctpa_tsn_is_outstanding(tsn))
        sctpa_flight_remove(taking->direction, tsn);
    if (taking->place->packet < tsn->first_packet) { /* a SACK played again, of before the TSN was seen */
        tsn->state |= SCTPA_TSN_LATE;
        return;
    }
    if (tsn->gap_packet == SCTPA_NO_PACKET_INDEX && tsn->ack_packet == SCTPA_NO_PACKET_INDEX)
        note_newly_acked(taking, number, tsn);
}

/* A TSN that is acked though SACKs reported it missing when its last transmission must have been answered: the capture
 * missed another. */
static void doubt(sctpa_direction_t *direction, int64_t number, const sctpa_tsn_t *tsn,
                  const sctpa_place_in_capture_t *place)
{
    if (tsn->gap_packet != SCTPA_NO_PACKET_INDEX || number >= direction->highest_gap_end ||
        direction->highest_gap_end < 0)
        return;
    const sctpa_data_path_t *path = sctpa_direction_path(direction, tsn->path);
    int64_t answered_ns = sctpa_direction_time_ns(direction, tsn->last_packet) + path->srtt_ns +
                          MAX(path->srtt_ns / 4, 4 * path->rttvar_ns);
    if (path->srtt_ns > 0 && sctpa_miss_indications_of_path(direction, number, tsn->last_packet, answered_ns,
                                                            place->time_ns) >= SCTPA_MISSES_FAST)
        sctpa_direction_rare(direction)->doubtful_to = direction->highest;
}

static void cum_ack_one(taking_t *taking, int64_t number, sctpa_tsn_t *tsn)
{
    doubt(taking->direction, number, tsn, taking->place);
    arrived(taking, number, tsn);
    if (tsn->ack_packet == SCTPA_NO_PACKET_INDEX && !(tsn->state & SCTPA_TSN_LATE))
        tsn->ack_packet = taking->place->packet;
    tsn->state |= SCTPA_TSN_ACKED;
    sctpa_t3_take(sctpa_direction_path(taking->direction, tsn->path), SCTPA_T3_ACK, taking->place->packet,
                  taking->place->time_ns);
}

/* The first packet of the last TSN seen below the first that is missing above from: what is missing left after it. */
static uint32_t seen_before_missing(sctpa_direction_t *direction, int64_t from, int64_t cum_tsn)
{
    int64_t number, last = from;
    sctpa_tsn_walk_t walk = sctpa_walk_begin(direction, from + 1, cum_tsn);
    while (sctpa_walk_next(&walk, &number) && number == last + 1)
        last = number;
    const sctpa_tsn_t *tsn = sctpa_pages_find(direction, last);
    return tsn ? tsn->first_packet : 0;
}

/* Can the sender have sent so many TSNs that the capture lacks? What was outstanding when the SACK before left is
 * bounded by the window, a byte and more for each; what it sent since, by the fastest link there is. */
static bool can_be_unseen(const taking_t *taking, uint64_t tsns)
{
    int64_t passed_ns = taking->place->time_ns - taking->sack_before_ns;
    if (!taking->direction->has_cum || taking->direction->window_bits == 0 || passed_ns < 0)
        return true;
    double sent = (double)passed_ns * FASTEST_LINK_BITS_PER_NS / (8 * LEAST_CHUNK_BYTES);
    return (double)tsns <= (double)(UINT64_C(1) << taking->direction->window_bits) + sent;
}

static void cum_ack(taking_t *taking, int64_t cum_tsn)
{
    sctpa_direction_t *direction = taking->direction;
    int64_t from = direction->has_cum ? direction->cum_tsn + 1 : INT64_MIN / 2, number, covered = 0;
    int64_t explained_to = MAX(direction->has_cum ? direction->cum_tsn : -1, direction->rare->abandoned_to);
    sctpa_tsn_walk_t walk = sctpa_walk_begin(direction, from, cum_tsn);
    for (sctpa_tsn_t *tsn; (tsn = sctpa_walk_next(&walk, &number)) != NULL; covered += number > explained_to)
        cum_ack_one(taking, number, tsn);
    const uint64_t unseen = (uint64_t)MAX(cum_tsn - explained_to - covered, 0);
    const bool is_known = direction->has_cum || direction->announced;
    if (direction->announced && direction->tsns == 0 && unseen > 0) {
        sctpa_direction_rare(direction)->acked_before += can_be_unseen(taking, unseen) ? unseen : 0;
    } else if (is_known && unseen > 0 && direction->tsns > 0) {
        sctpa_direction_rare_t *rare = sctpa_direction_rare(direction);
        rare->unseen_acked += can_be_unseen(taking, unseen) ? unseen : 0;
        rare->unseen_after = seen_before_missing(direction, explained_to, cum_tsn);
        rare->doubtful_to = direction->highest;
    }
    sctpa_tsn_set_remove_to(&direction->seen, &direction->store->arena, cum_tsn);
    direction->cum_tsn = cum_tsn;
    direction->has_cum = true;
    direction->highest_gap_end = MAX(direction->highest_gap_end, cum_tsn);
}

static void gap_ack(taking_t *taking, const sctpa_range_t *added)
{
    sctpa_direction_t *direction = taking->direction;
    sctpa_tsn_walk_t walk = sctpa_walk_begin(direction, added->first, added->last);
    int64_t number;
    for (sctpa_tsn_t *tsn; (tsn = sctpa_walk_next(&walk, &number)) != NULL;) {
        if (tsn->last_packet != taking->gap_packet)
            taking->acked.gap_packets++;
        taking->gap_packet = tsn->last_packet;
        arrived(taking, number, tsn);
        if (tsn->gap_packet == SCTPA_NO_PACKET_INDEX && !(tsn->state & SCTPA_TSN_LATE))
            tsn->gap_packet = taking->place->packet;
        tsn->state |= SCTPA_TSN_GAP_ACKED;
    }
    direction->highest_gap_end = MAX(direction->highest_gap_end, added->last);
}

/* What was taken back without having come again, again and again, is not followed any more: see
 * SCTPA_TAKEN_BACK_ALWAYS. */
static bool tells_reneging(taking_t *taking)
{
    sctpa_direction_t *direction = taking->direction;
    uint64_t allowed =
        SCTPA_TAKEN_BACK_ALWAYS + (uint64_t)SCTPA_TAKEN_BACK_PER_DATA * (direction->tsns + direction->rare->rtx.len);
    if (sctpa_direction_tells_reneging(direction) && direction->rare->taken_back > allowed)
        sctpa_direction_rare(direction)->is_untold = true;
    return sctpa_direction_tells_reneging(direction);
}

static void renege(taking_t *taking, const sctpa_range_t *taken_back)
{
    sctpa_direction_t *direction = taking->direction;
    sctpa_tsn_walk_t walk = sctpa_walk_begin(direction, taken_back->first, taken_back->last);
    int64_t number;
    for (sctpa_tsn_t *tsn; (tsn = sctpa_walk_next(&walk, &number)) != NULL;) {
        sctpa_direction_rare(direction)->taken_back++;
        if (!(tsn->state & SCTPA_TSN_GAP_ACKED))
            continue;
        tsn->state = (uint8_t)((tsn->state | SCTPA_TSN_RENEGED) & ~SCTPA_TSN_GAP_ACKED);
        if (sctpa_tsn_is_outstanding(tsn))
            sctpa_flight_add(direction, tsn);
    }
}

/* The last TSN of the ranges; none when there is none. */
static int64_t end_of(const GArray *ranges, int64_t none)
{
    return ranges->len > 0 ? g_array_index(ranges, sctpa_range_t, ranges->len - 1).last : none;
}

/* The SACK gap-acks a range: what is new of it arrived. */
static void take_range(taking_t *taking, sctpa_tsn_set_t *gap_acked, const sctpa_range_t *range)
{
    sctpa_range_t known;
    int64_t from = range->first;
    for (; from <= range->last && sctpa_tsn_set_next(gap_acked, from, range->last, &known); from = known.last + 1)
        if (known.first > from)
            gap_ack(taking, &(sctpa_range_t){ from, known.first - 1 });
    if (from <= range->last)
        gap_ack(taking, &(sctpa_range_t){ from, range->last });
    else if (known.first == range->first && known.last == range->last)
        return; /* all of it was known: as a rule, SACK after SACK */
    sctpa_tsn_set_add(gap_acked, &taking->direction->store->arena, *range);
}

/* What a newer SACK leaves out below its last block was taken back; above it the blocks may not have fitted. */
static void take_back(taking_t *taking, sctpa_tsn_set_t *gap_acked, const GArray *now, uint32_t n_blocks)
{
    bool all_fit = n_blocks < BLOCKS_ALL_FIT, is_any = false;
    int64_t from = taking->direction->cum_tsn + 1, judged_to = all_fit ? gap_acked->top.last : end_of(now, INT64_MIN);
    for (unsigned i = 0; i <= now->len; i++) {
        const sctpa_range_t *range = i < now->len ? &g_array_index(now, sctpa_range_t, i) : NULL;
        int64_t to = range ? range->first - 1 : judged_to;
        for (sctpa_range_t held; from <= to && sctpa_tsn_set_next(gap_acked, from, to, &held); from = held.last + 1) {
            renege(taking, &held);
            is_any = true;
        }
        from = range ? range->last + 1 : from;
    }
    if (!is_any)
        return;
    sctpa_tsn_set_remove_to(gap_acked, &taking->direction->store->arena, judged_to);
    for (unsigned i = 0; i < now->len; i++)
        sctpa_tsn_set_add(gap_acked, &taking->direction->store->arena, g_array_index(now, sctpa_range_t, i));
}

static void take_gaps(taking_t *taking, const sctpa_sack_t *sack, bool newer)
{
    sctpa_direction_t *direction = taking->direction;
    taking->reported_to = direction->cum_tsn;
    if (!sctpa_direction_has_gaps(direction) && sack->n_gaps + sack->n_nr_gaps == 0)
        return;
    sctpa_tsn_set_t *gap_acked = &sctpa_direction_rare(direction)->gap_acked;
    GArray *now = g_array_new(FALSE, FALSE, sizeof(sctpa_range_t));
    sctpa_ranges_read(now, sack, direction->cum_tsn);
    if (newer)
        sctpa_tsn_set_remove_to(gap_acked, &direction->store->arena, direction->cum_tsn);
    for (unsigned i = 0; i < now->len; i++)
        take_range(taking, gap_acked, &g_array_index(now, sctpa_range_t, i));
    if (newer && sack->complete && tells_reneging(taking))
        take_back(taking, gap_acked, now, sack->n_gaps + sack->n_nr_gaps);
    if (newer && sack->complete)
        taking->reported_to = end_of(now, direction->cum_tsn);
    else if (sctpa_direction_has_gaps(direction))
        taking->reported_to = gap_acked->top.last;
    g_array_unref(now);
}

static uint32_t block_at(const sctpa_sack_t *sack, uint32_t i)
{
    return i < sack->n_gaps ? sctpa_be32(sack->gaps + 4 * i) : sctpa_be32(sack->nr_gaps + 4 * (i - sack->n_gaps));
}

/* Is a list kept the gap blocks of the SACK? */
static bool is_same_list(const sctpa_direction_t *direction, uint32_t list, const sctpa_sack_t *sack)
{
    uint32_t n, i = 0;
    const uint32_t *blocks = sctpa_direction_gaps(direction, list, &n);
    if (n != sack->n_gaps + sack->n_nr_gaps)
        return false;
    while (i < n && blocks[i] == block_at(sack, i))
        i++;
    return i == n;
}

/* A list of the block 0 alone, which no SACK has: there may have been others. */
static uint32_t log_cut_off(sctpa_direction_t *direction)
{
    const uint32_t list[2] = { 1, 0 };
    sctpa_direction_rare_t *rare = sctpa_direction_rare(direction);
    sctpa_records_append(&rare->gaps, &direction->store->arena, &list[0], sizeof list[0]);
    uint32_t number = rare->gaps.len;
    sctpa_records_append(&rare->gaps, &direction->store->arena, &list[1], sizeof list[1]);
    return number;
}

/* The list of the gap blocks of a SACK, made unless it is the last one. */
static uint32_t log_gaps(sctpa_direction_t *direction, const sctpa_sack_t *sack)
{
    uint32_t n = sack->n_gaps + sack->n_nr_gaps;
    if (n == 0)
        return sack->complete ? 0 : log_cut_off(direction);
    sctpa_direction_rare_t *rare = sctpa_direction_rare(direction);
    if (is_same_list(direction, rare->last_gaps, sack))
        return rare->last_gaps;
    sctpa_records_append(&rare->gaps, &direction->store->arena, &n, sizeof n);
    rare->last_gaps = rare->gaps.len;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t block = block_at(sack, i);
        sctpa_records_append(&rare->gaps, &direction->store->arena, &block, sizeof block);
    }
    return rare->last_gaps;
}

/* Takes a duplicate TSN that a SACK reported. A duplicate of a TSN that was sent once was made by the network, or the
 * capture missed a transmission. */
static void direction_take_duplicate(sctpa_direction_t *direction, sctpa_duplicate_t duplicate)
{
    sctpa_tsn_t *tsn = sctpa_pages_find(direction, sctpa_direction_unwrap(direction, duplicate.tsn));
    sctpa_records_append(&sctpa_direction_rare(direction)->duplicate_tsns, &direction->store->arena, &duplicate,
                         sizeof duplicate);
    if (!tsn)
        return;
    tsn->duplicates += tsn->duplicates < UINT8_MAX;
    sctpa_direction_rare(direction)->network_duplicates += tsn->duplicates >= tsn->transmissions;
}

/* Old SACKs again and again: the cum_tsn that they are older than cannot have been right. */
static bool is_old(sctpa_direction_t *direction, int64_t cum_tsn)
{
    if (!direction->has_cum || cum_tsn >= direction->cum_tsn) {
        if (direction->rare->old_sacks > 0)
            sctpa_direction_rare(direction)->old_sacks = 0;
        return false;
    }
    if (++sctpa_direction_rare(direction)->old_sacks < OLD_SACKS_MAX || direction->cum_tsn <= direction->highest)
        return true;
    sctpa_direction_rare(direction)->old_sacks = 0;
    direction->cum_tsn = cum_tsn - 1;
    return false;
}

/* Must the SACK that acks a TSN have left at once (RFC 9260 6.2)? It is of the newest packet, and that the second one,
 * or behind a gap, or marked so by its sender (4, 6.7). A SHUTDOWN may come on its own. */
static bool is_due(const taking_t *taking, const sctpa_tsn_t *tsn)
{
    const sctpa_acked_t *acked = &taking->acked;
    return taking->is_sack && tsn->first_packet == acked->last_packet &&
           (acked->first_packet != acked->last_packet || tsn->gap_packet == taking->place->packet ||
            tsn->flags & SCTPA_TSN_IMMEDIATE);
}

static void finish(taking_t *taking)
{
    sctpa_direction_t *direction = taking->direction;
    if (taking->acked.chunks == 0)
        return;
    if (taking->once != INT64_MIN) {
        const sctpa_tsn_t *tsn = sctpa_pages_find(direction, taking->once);
        const bool was_due = is_due(taking, tsn);
        sctpa_tap_rtt_note(direction->receiver_tap_rtt,
                           taking->place->time_ns - sctpa_direction_time_ns(direction, tsn->first_packet), was_due);
        sctpa_direction_path(direction, tsn->path)->is_answered |= was_due;
    }
    taking->acked.reported_to = sctpa_direction_serial(direction, taking->reported_to);
    taking->acked.highest = sctpa_direction_serial(direction, taking->highest);
    sctpa_records_append(&direction->acked, &direction->store->arena, &taking->acked, sizeof taking->acked);
}

/* False: it is old, and says nothing. */
static bool take(sctpa_direction_t *direction, const sctpa_sack_t *sack, const sctpa_place_in_capture_t *place,
                 bool is_sack)
{
    taking_t taking = { .direction = direction,
                        .place = place,
                        .is_sack = is_sack,
                        .highest = INT64_MIN,
                        .once = INT64_MIN,
                        .gap_packet = SCTPA_NO_PACKET_INDEX,
                        .acked = { .packet = place->packet,
                                   .order = (uint16_t)(2 * place->order + is_sack),
                                   .first_packet = SCTPA_NO_PACKET_INDEX,
                                   .oldest_packet = SCTPA_NO_PACKET_INDEX } };
    if (!direction->has_initial) {
        direction->initial_tsn = sack->cum_tsn + 1;
        direction->has_initial = true;
    }
    int64_t cum_tsn = sctpa_direction_unwrap(direction, sack->cum_tsn);
    taking.sack_before_ns = direction->last_sack_ns;
    direction->last_sack_ns = place->time_ns;
    if (is_old(direction, cum_tsn))
        return false;
    bool newer = !direction->has_cum || cum_tsn > direction->cum_tsn;
    taking.acked.advanced = newer && direction->rare->recovery.to > direction->cum_tsn;
    if (newer)
        cum_ack(&taking, cum_tsn);
    take_gaps(&taking, sack, newer);
    finish(&taking);
    return true;
}

/* Takes a SACK as parsed. */
static void direction_take_sack(sctpa_direction_t *direction, const sctpa_sack_t *sack,
                                const sctpa_place_in_capture_t *place)
{
    sctpa_sack_record_t record = { place->packet, sack->cum_tsn, sack->a_rwnd, log_gaps(direction, sack) };
    sctpa_records_append(&direction->sacks, &direction->store->arena, &record, sizeof record);
    if (take(direction, sack, place, true))
        sctpa_direction_take_window(direction, sack->a_rwnd);
    for (uint32_t i = 0; i < sack->n_duplicates; i++)
        direction_take_duplicate(direction, (sctpa_duplicate_t){ place->packet, sctpa_be32(sack->duplicates + 4 * i) });
}

uint32_t sctpa_direction_sack(sctpa_direction_t *direction, const sctpa_tlv_t *chunk,
                              const sctpa_place_in_capture_t *place)
{
    sctpa_sack_t sack;
    __builtin_prefetch(direction->page, 1);
    __builtin_prefetch(direction->paths.data, 1);
    sctpa_records_prefetch(&direction->sacks, sizeof(sctpa_sack_record_t));
    sctpa_records_prefetch(&direction->acked, sizeof(sctpa_acked_t));
    sctpa_records_prefetch(&direction->samples, sizeof(sctpa_sample_t));
    uint32_t before = direction->acked.len;
    if (sctpa_sack_parse(chunk, &sack))
        direction_take_sack(direction, &sack, place);
    return direction->acked.len > before ? direction->acked.len : 0;
}

void sctpa_direction_shutdown(sctpa_direction_t *direction, uint32_t cum_tsn, const sctpa_place_in_capture_t *place)
{
    take(direction, &(sctpa_sack_t){ .cum_tsn = cum_tsn }, place, false);
}

static void store_be32(uint8_t *bytes, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Plays a SACK again as it passed. */
static void replay(sctpa_direction_t *direction, const sctpa_direction_t *other, unsigned at, bool data_only,
                   GByteArray *bytes)
{
    const sctpa_sack_record_t *record = &SCTPA_RECORD(&other->sacks, sctpa_sack_record_t, at);
    uint32_t n;
    const uint32_t *blocks = sctpa_direction_gaps(other, record->gaps, &n);
    sctpa_place_in_capture_t place = { .packet = record->packet,
                                       .time_ns = sctpa_direction_time_ns(other, record->packet),
                                       .data_only = data_only };
    g_byte_array_set_size(bytes, 4 * n);
    for (uint32_t i = 0; i < n; i++)
        store_be32(bytes->data + 4 * i, blocks[i]);
    sctpa_sack_t sack = { .cum_tsn = record->cum_tsn,
                          .a_rwnd = record->a_rwnd_bytes,
                          .gaps = bytes->data,
                          .n_gaps = n,
                          .complete = n != 1 || blocks[0] != 0 };
    direction_take_sack(direction, &sack, &place);
}

static void sort_samples(sctpa_direction_t *direction)
{
    sctpa_records_sort(&direction->samples, sizeof(sctpa_sample_t));
    for (unsigned i = 0; i < direction->paths.len; i++)
        SCTPA_RECORD(&direction->paths, sctpa_data_path_t, i).last_sample = 0;
    for (unsigned i = 0; i < direction->samples.len; i++) {
        sctpa_sample_t *sample = &SCTPA_RECORD(&direction->samples, sctpa_sample_t, i);
        sctpa_data_path_t *path = sctpa_direction_path(direction, sample->path);
        sample->link = sctpa_chain_link(SCTPA_CHAIN(&direction->samples, sctpa_sample_t, link), path->last_sample);
        path->last_sample = i + 1;
    }
}

static void sort(sctpa_direction_t *direction)
{
    sctpa_records_sort(&direction->sacks, sizeof(sctpa_sack_record_t));
    sctpa_records_sort(&direction->acked, sizeof(sctpa_acked_t));
    sctpa_records_sort(&sctpa_direction_rare(direction)->duplicate_tsns, sizeof(sctpa_duplicate_t));
    sort_samples(direction);
}

static void forget_unseen_acks(sctpa_direction_t *direction)
{
    sctpa_direction_rare_t *rare = sctpa_direction_rare(direction);
    rare->unseen_acks = rare->unseen_ack_packet = 0;
}

void sctpa_direction_join(sctpa_direction_t *direction, const sctpa_direction_t *other, bool data_only)
{
    GByteArray *bytes = g_byte_array_new();
    if (other->sacks.len > 0) /* the acks that its sender must have had are these */
        forget_unseen_acks(direction);
    for (unsigned i = 0; i < other->sacks.len; i++)
        replay(direction, other, i, data_only, bytes);
    g_byte_array_unref(bytes);
    for (unsigned i = 0; i < other->rare->duplicate_tsns.len; i++)
        direction_take_duplicate(direction, SCTPA_RECORD(&other->rare->duplicate_tsns, sctpa_duplicate_t, i));
    sort(direction);
}

static void forget(void *user, int64_t number, sctpa_tsn_t *tsn)
{
    sctpa_direction_t *direction = user;
    tsn->gap_packet = tsn->ack_packet = SCTPA_NO_PACKET_INDEX;
    tsn->state &= SCTPA_TSN_BEHIND;
    tsn->duplicates = 0;
    sctpa_tsn_set_add(&direction->seen, &direction->store->arena, (sctpa_range_t){ number, number });
    sctpa_flight_add(direction, tsn);
}

void sctpa_direction_forget_acks(sctpa_direction_t *direction)
{
    sctpa_direction_rare_t *rare = sctpa_direction_rare(direction);
    sctpa_tsn_set_clear(&rare->gap_acked, &direction->store->arena);
    direction->sacks.len = rare->gaps.len = direction->acked.len = rare->duplicate_tsns.len = rare->forwards.len = 0;
    direction->has_cum = direction->has_a_rwnd = false;
    direction->cum_tsn = direction->highest_gap_end = rare->doubtful_to = rare->abandoned_to = rare->recovery.to = -1;
    rare->unseen_acked = rare->acked_before = direction->flight_bytes = 0;
    forget_unseen_acks(direction);
    rare->last_gaps = 0;
    rare->old_sacks = rare->network_duplicates = rare->taken_back = 0;
    rare->is_untold = false;
    *direction->receiver_tap_rtt = sctpa_tap_rtt_none(direction->receiver_tap_rtt->host);
    sctpa_tsn_set_clear(&direction->seen, &direction->store->arena);
    for (unsigned i = 0; i < direction->paths.len; i++) {
        sctpa_data_path_t *path = &SCTPA_RECORD(&direction->paths, sctpa_data_path_t, i);
        path->flight_bytes = path->flight_chunks = 0;
    }
    sctpa_pages_each(direction, forget, direction);
}
