/* SACK, NR_SACK and the cum_tsn of SHUTDOWN as they pass: what they newly acknowledge, take back, and report as duplicates.
 * SACKs carry no number: one with a lower cum_tsn than known is old (RFC 9260 6.2.1), one with the same adds to what is known, one with
 * a higher is newer and replaces it. */
#include "internal.h"

#include "../base/serial.h"

enum {
    BLOCKS_ALL_FIT = 64,        /* with more, a receiver may have left blocks out */
    OLD_SACKS_MAX = 32          /* so many old ones in a row: the one they are older than was wrong */
};

typedef struct {
    sctpa_direction_t *direction;
    const sctpa_place_in_capture_t *place;
    sctpa_acked_t acked;
    bool is_sack;               /* no SHUTDOWN */
    int64_t highest;            /* TSN newly acked */
    int64_t once;               /* highest of them that was sent once, INT64_MIN none */
    uint32_t gap_packet;        /* DATA packet of the TSN gap-acked last */
} taking_t;

static void note_newly_acked(taking_t *taking, int64_t number, const sctpa_tsn_t *tsn)
{
    sctpa_acked_t *acked = &taking->acked;
    uint32_t sent = tsn->last_packet < taking->place->packet ? tsn->last_packet : tsn->first_packet;
    acked->first_packet = MIN(acked->first_packet, sent);
    acked->last_packet = acked->chunks++ == 0 ? sent : MAX(acked->last_packet, sent);
    taking->highest = MAX(taking->highest, number);
    acked->bytes += tsn->bytes;
    if (tsn->transmissions == 1 && !(tsn->state & SCTPA_TSN_ABANDONED)) {
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
    if (taking->place->packet < tsn->first_packet) {    /* a SACK played again, of before the TSN was seen */
        tsn->state |= SCTPA_TSN_LATE;
        return;
    }
    if (tsn->gap_packet == SCTPA_NO_PACKET_INDEX && tsn->ack_packet == SCTPA_NO_PACKET_INDEX)
        note_newly_acked(taking, number, tsn);
}

/* A TSN that is acked though SACKs reported it missing when its last transmission must have been answered: the capture missed
 * another. */
static void doubt(sctpa_direction_t *direction, int64_t number, const sctpa_tsn_t *tsn, const sctpa_place_in_capture_t *place)
{
    if (tsn->gap_packet != SCTPA_NO_PACKET_INDEX || number >= direction->highest_gap_end || direction->highest_gap_end < 0)
        return;
    const sctpa_data_path_t *path = sctpa_direction_path(direction, tsn->path);
    int64_t answered_ns = sctpa_direction_time_ns(direction, tsn->last_packet) + path->srtt_ns +
                          MAX(path->srtt_ns / 4, 4 * path->rttvar_ns);
    if (path->srtt_ns > 0 &&
        sctpa_misses_of_path(direction, number, tsn->last_packet, answered_ns, place->time_ns) >= SCTPA_MISSES_FAST)
        sctpa_direction_seldom(direction)->doubtful_to = direction->highest;
}

static void cum_ack_one(taking_t *taking, int64_t number, sctpa_tsn_t *tsn)
{
    doubt(taking->direction, number, tsn, taking->place);
    arrived(taking, number, tsn);
    if (tsn->ack_packet == SCTPA_NO_PACKET_INDEX && !(tsn->state & SCTPA_TSN_LATE))
        tsn->ack_packet = taking->place->packet;
    tsn->state |= SCTPA_TSN_ACKED;
    sctpa_direction_path(taking->direction, tsn->path)->t3_start_ns = taking->place->time_ns;
}

static void cum_ack(taking_t *taking, int64_t cum_tsn)
{
    sctpa_direction_t *direction = taking->direction;
    int64_t from = direction->has_cum ? direction->cum_tsn + 1 : INT64_MIN / 2, number, covered = 0;
    int64_t explained_to = MAX(direction->has_cum ? direction->cum_tsn : -1, direction->seldom->abandoned_to);
    sctpa_walk_t walk = sctpa_walk_begin(direction, from, cum_tsn);
    for (sctpa_tsn_t *tsn; (tsn = sctpa_walk_next(&walk, &number)) != NULL; covered += number > explained_to)
        cum_ack_one(taking, number, tsn);
    if ((direction->has_cum || direction->announced) && direction->tsns > 0 && cum_tsn - explained_to > covered) {
        sctpa_seldom_t *seldom = sctpa_direction_seldom(direction);
        seldom->unseen_acked += (uint64_t)(cum_tsn - explained_to - covered);
        seldom->doubtful_to = direction->highest;
    }
    sctpa_seen_remove_to(&direction->seen, cum_tsn);
    direction->cum_tsn = cum_tsn;
    direction->has_cum = true;
    direction->highest_gap_end = MAX(direction->highest_gap_end, cum_tsn);
}

static void gap_ack(taking_t *taking, const sctpa_range_t *added)
{
    sctpa_direction_t *direction = taking->direction;
    sctpa_walk_t walk = sctpa_walk_begin(direction, added->first, added->last);
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

static void renege(taking_t *taking, const sctpa_range_t *taken_back)
{
    sctpa_direction_t *direction = taking->direction;
    sctpa_walk_t walk = sctpa_walk_begin(direction, MAX(taken_back->first, direction->cum_tsn + 1), taken_back->last);
    int64_t number;
    for (sctpa_tsn_t *tsn; (tsn = sctpa_walk_next(&walk, &number)) != NULL;) {
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
    return ranges && ranges->len > 0 ? g_array_index(ranges, sctpa_range_t, ranges->len - 1).last : none;
}

/* What a newer SACK leaves out below its last block was taken back; above it the blocks may not have fitted. */
static void take_back(taking_t *taking, GArray *omitted, const GArray *now, uint32_t n_blocks)
{
    int64_t judged_to = n_blocks < BLOCKS_ALL_FIT ? INT64_MAX : end_of(now, INT64_MIN);
    for (unsigned i = 0; i < omitted->len; i++) {
        const sctpa_range_t *range = &g_array_index(omitted, sctpa_range_t, i);
        if (range->first <= judged_to)
            renege(taking, range);
    }
}

static void take_gaps(taking_t *taking, const sctpa_sack_t *sack, bool newer)
{
    sctpa_direction_t *direction = taking->direction;
    if (!sctpa_direction_has_gaps(direction) && sack->n_gaps + sack->n_nr_gaps == 0)
        return;
    if (!direction->seldom->gap_ranges)
        sctpa_direction_seldom(direction)->gap_ranges = g_array_new(FALSE, FALSE, sizeof(sctpa_range_t));
    GArray *now = g_array_new(FALSE, FALSE, sizeof(sctpa_range_t)), *change = g_array_new(FALSE, FALSE, sizeof(sctpa_range_t));
    sctpa_ranges_read(now, sack, direction->cum_tsn);
    if (newer)
        sctpa_ranges_trim(direction->seldom->gap_ranges, direction->cum_tsn);

    sctpa_ranges_subtract(change, now, direction->seldom->gap_ranges);
    for (unsigned i = 0; i < change->len; i++)
        gap_ack(taking, &g_array_index(change, sctpa_range_t, i));
    if (newer && sack->complete) {
        g_array_set_size(change, 0);
        sctpa_ranges_subtract(change, direction->seldom->gap_ranges, now);
        take_back(taking, change, now, sack->n_gaps + sack->n_nr_gaps);
        g_array_set_size(direction->seldom->gap_ranges, 0);
    }
    sctpa_ranges_unite(direction->seldom->gap_ranges, now);
    g_array_unref(now);
    g_array_unref(change);
}

static void log_gaps(sctpa_direction_t *direction, const uint8_t *blocks, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t block = sctpa_be32(blocks + 4 * i);
        sctpa_records_append(&sctpa_direction_seldom(direction)->gaps, &direction->store->arena, &block, sizeof block);
    }
}

static void log_sack(sctpa_direction_t *direction, const sctpa_sack_t *sack, uint32_t packet)
{
    sctpa_sack_record_t record = { packet, sack->cum_tsn, sack->a_rwnd, direction->seldom->gaps.len };
    sctpa_records_append(&direction->sacks, &direction->store->arena, &record, sizeof record);
    log_gaps(direction, sack->gaps, sack->n_gaps);
    log_gaps(direction, sack->nr_gaps, sack->n_nr_gaps);
}

/* A duplicate of a TSN that was sent once was made by the network, or the capture missed a transmission. */
void sctpa_direction_take_duplicate(sctpa_direction_t *direction, sctpa_duplicate_t duplicate)
{
    sctpa_tsn_t *tsn = sctpa_pages_find(direction, sctpa_direction_unwrap(direction, duplicate.tsn));
    sctpa_records_append(&sctpa_direction_seldom(direction)->duplicate_tsns, &direction->store->arena, &duplicate, sizeof duplicate);
    if (!tsn)
        return;
    tsn->duplicates += tsn->duplicates < UINT8_MAX;
    sctpa_direction_seldom(direction)->network_duplicates += tsn->duplicates >= tsn->transmissions;
}

/* Old SACKs again and again: the cum_tsn that they are older than cannot have been right. */
static bool is_old(sctpa_direction_t *direction, int64_t cum_tsn)
{
    if (!direction->has_cum || cum_tsn >= direction->cum_tsn) {
        if (direction->seldom->old_sacks > 0)
            sctpa_direction_seldom(direction)->old_sacks = 0;
        return false;
    }
    if (++sctpa_direction_seldom(direction)->old_sacks < OLD_SACKS_MAX || direction->cum_tsn <= direction->highest)
        return true;
    sctpa_direction_seldom(direction)->old_sacks = 0;
    direction->cum_tsn = cum_tsn - 1;
    return false;
}

static void finish(taking_t *taking)
{
    sctpa_direction_t *direction = taking->direction;
    if (taking->acked.chunks == 0)
        return;
    if (taking->once != INT64_MIN) {
        const sctpa_tsn_t *tsn = sctpa_pages_find(direction, taking->once);
        sctpa_answer_note(direction->answer_min_ns, taking->place->time_ns - sctpa_direction_time_ns(direction, tsn->first_packet));
    }
    taking->acked.reported_to = direction->initial_tsn + (uint32_t)end_of(direction->seldom->gap_ranges, direction->cum_tsn);
    taking->acked.highest = direction->initial_tsn + (uint32_t)taking->highest;
    sctpa_records_append(&direction->acked, &direction->store->arena, &taking->acked, sizeof taking->acked);
}

/* False: it is old, and says nothing. */
static bool take(sctpa_direction_t *direction, const sctpa_sack_t *sack, const sctpa_place_in_capture_t *place, bool is_sack)
{
    taking_t taking = { .direction = direction, .place = place, .is_sack = is_sack, .highest = INT64_MIN, .once = INT64_MIN,
                        .gap_packet = SCTPA_NO_PACKET_INDEX,
                        .acked = { .packet = place->packet, .order = place->order, .first_packet = SCTPA_NO_PACKET_INDEX,
                                   .oldest_packet = SCTPA_NO_PACKET_INDEX } };
    if (!direction->has_initial) {
        direction->initial_tsn = sack->cum_tsn + 1;
        direction->has_initial = true;
    }
    int64_t cum_tsn = sctpa_direction_unwrap(direction, sack->cum_tsn);
    direction->last_sack_ns = place->time_ns;
    if (is_old(direction, cum_tsn))
        return false;
    bool newer = !direction->has_cum || cum_tsn > direction->cum_tsn;
    taking.acked.advanced = newer && direction->seldom->recovery_to > direction->cum_tsn;
    if (newer)
        cum_ack(&taking, cum_tsn);
    take_gaps(&taking, sack, newer);
    finish(&taking);
    return true;
}

void sctpa_direction_take_sack(sctpa_direction_t *direction, const sctpa_sack_t *sack, const sctpa_place_in_capture_t *place)
{
    log_sack(direction, sack, place->packet);
    if (take(direction, sack, place, true)) {
        direction->a_rwnd_bytes = sack->a_rwnd;
        direction->has_a_rwnd = true;
    }
    for (uint32_t i = 0; i < sack->n_duplicates; i++)
        sctpa_direction_take_duplicate(direction, (sctpa_duplicate_t){ place->packet, sctpa_be32(sack->duplicates + 4 * i) });
}

void sctpa_direction_sack(sctpa_direction_t *direction, const sctpa_tlv_t *chunk, const sctpa_place_in_capture_t *place)
{
    sctpa_sack_t sack;
    __builtin_prefetch(direction->page, 1);
    __builtin_prefetch(direction->paths.data, 1);
    sctpa_records_prefetch(&direction->sacks, sizeof(sctpa_sack_record_t));
    sctpa_records_prefetch(&direction->acked, sizeof(sctpa_acked_t));
    sctpa_records_prefetch(&direction->samples, sizeof(sctpa_sample_t));
    if (sctpa_sack_parse(chunk, &sack))
        sctpa_direction_take_sack(direction, &sack, place);
}

void sctpa_direction_shutdown(sctpa_direction_t *direction, uint32_t cum_tsn, const sctpa_place_in_capture_t *place)
{
    sctpa_sack_t sack = { .cum_tsn = cum_tsn };
    sctpa_place_in_capture_t apart = *place;
    apart.order = SCTPA_ORDER_SHUTDOWN;
    take(direction, &sack, &apart, false);
}
