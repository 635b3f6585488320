/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an association's packets show of the capture. */
#include "association_tap.h"

#include "base/arena.h"
#include "data/observation.h"
#include "track/near_tap.h"
#include "track/tracker.h"

enum {
    NEAR_SHARE = 8,       /* an eighth of the way beyond the tap: what passes it then is as good as there */
    OUT_OF_ORDER_MAX = 64 /* packets that several processors and queues mix are nearer to each other */
};

/* Who looks at times near an endpoint allows for more than this: the shortest that it judges are SACK delays, of which
 * RFC 9260 6.2 wants 200 ms. */
static const int64_t stamps_near_ns = 10 * SCTPA_NS_PER_MS;

/* Packets that overtake each other on the way to the capture are nearer to each other. */
static const int64_t overtaken_ns = 100 * SCTPA_NS_PER_MS;

static int64_t time_ns(const sctpa_tracker_t *tracker, uint32_t packet)
{
    return g_array_index(tracker->store.stamps, sctpa_stamp_t, packet).time_ns;
}

static const sctpa_clocks_t agreeing;

void sctpa_asserted_begin(sctpa_asserted_t *asserted, const sctpa_assertions_t *assertions)
{
    static const sctpa_assertions_t none;
    *asserted = (sctpa_asserted_t){ assertions ? assertions : &none, assertions && sctpa_assertions_are_any(assertions),
                                    SCTPA_NO_PACKET_INDEX, SCTPA_NO_PACKET_INDEX };
}

void sctpa_tap_begin(sctpa_tap_t *tap, sctpa_asserted_t *asserted)
{
    *tap = (sctpa_tap_t){ .asserted = asserted, .refuted_packet = SCTPA_NO_PACKET_INDEX, .clocks = &agreeing };
}

void sctpa_tap_free(const sctpa_tap_t *tap, sctpa_arena_t *arena)
{
    sctpa_rare_free(tap->clocks, &agreeing, sizeof agreeing, arena);
}

/* What is kept of the clocks, to be changed. */
static sctpa_clocks_t *clocks_of(sctpa_tap_t *tap, sctpa_arena_t *arena)
{
    sctpa_clocks_t *clocks = sctpa_rare_own(tap->clocks, &agreeing, sizeof agreeing, arena);
    tap->clocks = clocks;
    return clocks;
}

/* An endpoint answered packet index before it was stamped. Where two taps saw it, the clocks of both are known to
 * differ (two_taps.h); where the user asserts the order of packets, the endpoint was wrong. */
static void take_early(sctpa_tap_t *tap, sctpa_arena_t *arena, const sctpa_tracked_t *tracked, uint8_t endpoint,
                       int64_t early_ns, uint32_t index, bool is_sure)
{
    if (early_ns > 0 && !tracked->rare->two_taps_data && !tap->asserted->assertions->complete)
        sctpa_clocks_take(clocks_of(tap, arena), endpoint, early_ns, sctpa_tap_rtt_of(tracked, !endpoint).most_ns,
                          index, is_sure);
}

/* Nothing tells where data is missing. */
static bool is_unplaced(const sctpa_direction_t *acked)
{
    return acked && (acked->truncated || !sctpa_direction_tells_reneging(acked));
}

static void widen(sctpa_hole_t *hole, uint32_t after, uint32_t before, unsigned by)
{
    hole->after = hole->before > 0 ? MIN(hole->after, after) : after;
    hole->before = MAX(hole->before, before);
    hole->by = (uint8_t)(hole->by | by);
}

/* Did what seemed to be missing come with packet index: are packets out of order, or is a clock wrong? Where the user
 * asserts their order, its receiver acknowledged what it had not got; unless the tap may be elsewhere, and it comes so
 * soon that packets may have overtaken each other on the way to the capture. */
static bool is_late(const sctpa_tap_t *tap, const sctpa_tracker_t *tracker, const sctpa_direction_t *sent,
                    uint32_t index)
{
    if (!sent || sent->rare->late_packet != index + 1)
        return false;
    return !tap->asserted->assertions->complete ||
           (!tap->taken_at[0] && !tap->taken_at[1] && time_ns(tracker, index) - sent->last_sack_ns <= overtaken_ns);
}

/* The first of the packets right before packet index that are stamped later than it: it passed before them. */
static uint32_t passed_before(const sctpa_tracker_t *tracker, uint32_t index)
{
    uint32_t first = index;
    while (first > 0 && index - first < OUT_OF_ORDER_MAX && time_ns(tracker, first - 1) > time_ns(tracker, index))
        first--;
    return first;
}

/* Packet index came behind what it should have come before. Where its stamp is earlier than those right before it, that
 * is its place: as if it and they were missing. Where it has none though the user asserts the order of packets, what
 * those show that may be out of order with it goes. */
static void misplace(sctpa_tap_t *tap, const sctpa_tracker_t *tracker, uint32_t index, sctpa_hole_t *hole)
{
    uint32_t first = passed_before(tracker, index);
    if (first == index) {
        tap->is_unplaced = true;
        if (!tap->asserted->assertions->complete)
            return;
        while (first > 0 && index - first < OUT_OF_ORDER_MAX &&
               time_ns(tracker, index) - time_ns(tracker, first - 1) <= overtaken_ns)
            first--;
    }
    widen(hole, MAX(first, 1) - 1, index + 1, SCTPA_BY_EITHER);
    tap->missed_before[0] = tap->missed_before[1] = index + 1;
}

/* How far acks reach beyond what was seen. What was given up (FORWARD-TSN) need not have been sent. */
static uint32_t acked_beyond(const sctpa_direction_t *acked)
{
    const int64_t seen = MAX(acked->highest, acked->rare->abandoned_to);
    return acked->highest >= 0 && acked->highest_gap_end > seen ? (uint32_t)(acked->highest_gap_end - seen) : 0;
}

/* Does the user assert that the capture holds all of the association, which began in it, and does nothing refute it? */
static bool holds_all(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked)
{
    return sctpa_tap_asserted(tap, 0) & SCTPA_ASSERTED_COMPLETE &&
           tracked->assoc.setup.steps[SCTPA_STEP_INIT].count > 0;
}

/* Was what endpoint's peer acknowledged, and never passed, never sent after packet since, so that the peer cannot have
 * got it? In a capture that holds all, where nothing passes elsewhere: what is above all that was sent, unless an
 * identification is missing; and what the identifications of endpoint leave no room for. */
static bool is_only_claimed(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked, uint8_t endpoint, uint32_t since)
{
    const sctpa_direction_t *acked = tracked->sides[endpoint].sent;
    const sctpa_ip_ids_t *ids = &tap->ip_ids[endpoint];
    const int64_t sent_to = MAX(acked->highest, acked->rare->abandoned_to);
    const bool is_above =
        (int64_t)acked->rare->unseen_acked - tap->unseen[endpoint] <= MAX(acked->cum_tsn - sent_to, 0);
    if (!holds_all(tap, tracked) ||
        !(sctpa_assoc_is_single_homed(&tracked->assoc) || tap->taken_at[0] || tap->taken_at[1]))
        return false;
    return is_above ? !sctpa_ip_ids_lack(ids, since) : sctpa_ip_ids_hold_all(ids, since, ids->last_packet) == SCTPA_YES;
}

/* Data that endpoint sent was acked by packet index and never seen: it, or what was sent of it again, is missing
 * between the TSN below it and that; or the ack is wrong, which the next packet of endpoint may refute. */
static void find_unseen(sctpa_tap_t *tap, const sctpa_tracked_t *tracked, uint8_t endpoint, uint32_t index,
                        sctpa_hole_t *hole)
{
    const sctpa_direction_t *acked = tracked->sides[endpoint].sent;
    const uint32_t beyond = acked ? acked_beyond(acked) : 0;
    const uint32_t unseen = acked ? (uint32_t)acked->rare->unseen_acked : 0;
    const bool is_unseen = unseen != tap->unseen[endpoint],
               is_ahead = beyond > 0 && unseen + beyond > tap->unseen[endpoint] + tap->beyond[endpoint];
    const sctpa_tsn_t *highest = is_ahead ? sctpa_direction_tsn(acked, acked->highest) : NULL;
    const uint32_t since = is_unseen ? acked->rare->unseen_after : highest ? highest->first_packet : 0;
    if ((is_unseen || is_ahead) && holds_all(tap, tracked) && sctpa_tap_has_all_of(tap, tracked, !endpoint))
        tap->claimed[endpoint] = index + 1;
    if ((is_unseen || is_ahead) && is_only_claimed(tap, tracked, endpoint, since)) {
        tap->doubted[endpoint] = since + 1;
        tap->is_doubted[endpoint] = true;
    } else if (is_unseen || is_ahead) {
        widen(hole, since, index, SCTPA_BY(endpoint));
    }
    if (hole->before > 0)
        tap->missed_before[endpoint] = index;
    tap->unseen[endpoint] = unseen;
    tap->beyond[endpoint] = beyond;
}

/* Is the TSN below that of a DATA chunk acked, though it never passed? Then it was sent, and what acked it was right.
 */
static bool is_above_unseen(const sctpa_direction_t *sent, const sctpa_observed_t *observed)
{
    const int64_t below = observed->sent.number - 1;
    const bool is_acked = (sent->has_cum && below <= sent->cum_tsn) || sctpa_tsn_set_has(&sent->rare->gap_acked, below);
    return sctpa_observed_is_new(observed) && below >= 0 && below > sent->rare->abandoned_to && is_acked &&
           !sctpa_direction_tsn(sent, below);
}

/* Does the sender go on above what acks claimed (is_only_claimed), though its identifications do not show that it left
 * nothing out? Then the capture lacks that. O(chunks). */
static bool has_skipped(const sctpa_tap_t *tap, const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked,
                        uint8_t endpoint)
{
    const sctpa_observation_t *observation = &tracker->observation;
    const sctpa_direction_t *sent = tracked->sides[endpoint].sent;
    const uint32_t doubted = tap->doubted[endpoint];
    uint32_t i = 0;
    if (!sent || sent->restarted)
        return false;
    while (i < observation->n && !(observation->chunks[i].sent.tsn && is_above_unseen(sent, &observation->chunks[i])))
        i++;
    return i < observation->n && !(doubted > 0 && sctpa_tap_sent_all(tap, endpoint, doubted - 1,
                                                                     tap->ip_ids[endpoint].last_packet) == SCTPA_YES);
}

/* Does the packet hold a TSN that was acked before it passed here for the first time, below others that did? Where the
 * user asserts the order of packets it did not come late: it was sent again, and the first transmission is missing. */
static bool is_second_of_missed(const sctpa_tap_t *tap, const sctpa_tracker_t *tracker, const sctpa_direction_t *sent,
                                uint32_t index)
{
    const sctpa_observation_t *observation = &tracker->observation;
    const uint8_t behind = SCTPA_TSN_LATE | SCTPA_TSN_BEHIND;
    bool is_second = false;
    if (!tap->asserted->assertions->complete || !sent || sent->rare->late_packet != index + 1)
        return false;
    for (uint32_t i = 0; i < observation->n && !is_second; i++) {
        const sctpa_tsn_t *tsn = observation->chunks[i].sent.tsn;
        is_second = tsn && (tsn->state & behind) == behind && tsn->first_packet == index;
    }
    return is_second;
}

/* Does packet index of an endpoint show that what its peer acknowledged, and never passed, was sent? Its next one may
 * by its identification, others where they go on above it. The packet is the last in ip_ids. O(chunks). */
static void find_sent_unseen(sctpa_tap_t *tap, const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked,
                             uint8_t endpoint, uint64_t rows, uint32_t index, sctpa_hole_t *hole)
{
    const bool is_lacking =
        tap->is_doubted[endpoint] && sctpa_ip_ids_lack(&tap->ip_ids[endpoint], tap->doubted[endpoint] - 1);
    tap->is_doubted[endpoint] = false;
    if (!is_lacking && !is_second_of_missed(tap, tracker, tracked->sides[endpoint].sent, index) &&
        !(rows & SCTPA_DATA_ROWS && holds_all(tap, tracked) && has_skipped(tap, tracker, tracked, endpoint)))
        return;
    widen(hole, is_lacking ? tap->doubted[endpoint] - 1 : 0, index, SCTPA_BY(endpoint));
    tap->missed_before[endpoint] = index;
}

/* Was the INIT ACK that passed after the first COOKIE ECHO sent before it: does it announce the tag that this carries?
 */
static bool is_init_ack_late(const sctpa_tracked_t *tracked)
{
    const sctpa_setup_t *setup = &tracked->assoc.setup;
    return setup->steps[SCTPA_STEP_COOKIE_ECHO].count > 0 && setup->steps[SCTPA_STEP_INIT_ACK].count == 1 &&
           tracked->rare->n_tags == 0;
}

/* Each step of a set-up answers the one before it. Where the capture is asserted to be complete, a COOKIE ECHO without
 * INIT ACK alone does not refute that, since its sender may have been wrong: what follows does. */
static bool is_setup_out_of_order(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked, uint64_t rows)
{
    const sctpa_setup_t *setup = &tracked->assoc.setup;
    bool is_asserted = tap->asserted->assertions->complete && setup->steps[SCTPA_STEP_COOKIE_ACK].count == 0;
    if (is_asserted && rows & SCTPA_ROW(COOKIE_ECHO))
        return false;
    if (is_asserted && rows & SCTPA_ROW(INIT_ACK) && is_init_ack_late(tracked))
        return true;
    for (unsigned step = SCTPA_STEP_INIT_ACK; step < SCTPA_STEPS; step++)
        if (setup->steps[step].count > 0 && setup->steps[step - 1].count == 0 &&
            setup->steps[SCTPA_STEP_INIT].count > 0)
            return true;
    return false;
}

/* The first SACK with a cum_tsn that acknowledges a TSN, SCTPA_NO_PACKET_INDEX: none does so. O(log SACKs). */
static uint32_t acked_by(const sctpa_direction_t *sent, uint32_t tsn)
{
    uint32_t low = 0, high = sent->sacks.len;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(&sent->sacks, sctpa_sack_record_t, middle);
        if (sctpa_serial_distance(tsn, sack->cum_tsn) >= 0)
            high = middle;
        else
            low = middle + 1;
    }
    return low < sent->sacks.len ? SCTPA_RECORD(&sent->sacks, sctpa_sack_record_t, low).packet : SCTPA_NO_PACKET_INDEX;
}

/* Behind higher TSNs it may be a retransmission. */
static bool is_late_in_order(const sctpa_tsn_t *tsn)
{
    return tsn->state & SCTPA_TSN_LATE && !(tsn->state & SCTPA_TSN_BEHIND);
}

/* DATA passes behind the SACK that acknowledged it. */
static void time_late_data(sctpa_tap_t *tap, sctpa_arena_t *arena, const sctpa_tracker_t *tracker,
                           const sctpa_tracked_t *tracked, uint8_t from, uint32_t index)
{
    const sctpa_observation_t *observation = &tracker->observation;
    uint32_t i = 0;
    while (i < observation->n &&
           !(observation->chunks[i].sent.tsn && is_late_in_order(observation->chunks[i].sent.tsn)))
        i++;
    const uint32_t answer = i < observation->n ? acked_by(tracked->sides[from].sent,
                                                          sctpa_tlv_u32(&observation->chunks[i].tlv, SCTPA_F_DATA_TSN))
                                               : SCTPA_NO_PACKET_INDEX;
    if (answer != SCTPA_NO_PACKET_INDEX)
        take_early(tap, arena, tracked, !from, time_ns(tracker, index) - time_ns(tracker, answer), index, false);
}

/* A step of the set-up, of which one passed, stands behind the one that answers it, of which one did, too. */
static void time_setup(sctpa_tap_t *tap, sctpa_arena_t *arena, const sctpa_tracked_t *tracked, uint8_t from,
                       uint32_t index)
{
    const sctpa_setup_t *setup = &tracked->assoc.setup;
    const bool is_sure = setup->steps[SCTPA_STEP_INIT].count == 1 && !tracked->assoc.collision;
    for (unsigned step = 0; step + 1 < SCTPA_STEPS; step++)
        if (setup->steps[step].count == 1 && setup->steps[step + 1].count == 1 && setup->steps[step].by == from &&
            setup->steps[step + 1].by != from)
            take_early(tap, arena, tracked, !from, setup->steps[step].first_ns - setup->steps[step + 1].first_ns, index,
                       is_sure);
}

/* Is one of the packets from first on, before index, of the same sender as record? */
static bool holds_of(const sctpa_tracker_t *tracker, const sctpa_record_t *record, uint32_t first, uint32_t index)
{
    bool holds = false;
    for (uint32_t i = first; i < index && !holds; i++) {
        const sctpa_record_t *other = &g_array_index(tracker->records, sctpa_record_t, i);
        holds = other->assoc == record->assoc && other->from == record->from && !sctpa_record_is_gone(other);
    }
    return holds;
}

/* Where packets are missing that the packet shows to be. */
static sctpa_hole_t find_hole(sctpa_tap_t *tap, sctpa_arena_t *arena, const sctpa_tracker_t *tracker,
                              const sctpa_tracked_t *tracked, const sctpa_record_t *record, uint64_t rows,
                              uint32_t index)
{
    const uint64_t answers = SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(COOKIE_ACK),
                   requests = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ECHO);
    const sctpa_direction_t *acked = tracked->sides[!record->from].sent;
    sctpa_hole_t hole = { 0 };
    if (record->remarks & (SCTPA_CAPTURE_CLOCK | SCTPA_CAPTURE_TIME) || is_unplaced(acked) ||
        (tracker->two_taps && sctpa_near_tap_is_misplaced(tracked)))
        tap->is_unplaced = true;
    if (is_late(tap, tracker, tracked->sides[record->from].sent, index)) {
        time_late_data(tap, arena, tracker, tracked, record->from, index);
        misplace(tap, tracker, index, &hole);
    }
    if (rows & requests)
        time_setup(tap, arena, tracked, record->from, index);
    if (tap->early_answer > 0)
        misplace(tap, tracker, tap->early_answer - 1, &hole);
    tap->early_answer = 0;
    if (record->remarks & SCTPA_CAPTURE_REORDERED) {
        hole.mixed = MAX(passed_before(tracker, index), 1);
        tap->is_mixed[record->from] |= holds_of(tracker, record, hole.mixed, index);
    }
    find_unseen(tap, tracked, !record->from, index, &hole);
    find_sent_unseen(tap, tracker, tracked, record->from, rows, index, &hole);
    if (rows & answers && tap->setup_before == 0 && is_setup_out_of_order(tap, tracked, rows)) {
        tap->setup_before = index;
        widen(&hole, 0, index, SCTPA_BY_EITHER);
    }
    return hole;
}

const sctpa_sack_record_t *sctpa_tap_sack_before(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked,
                                                 const sctpa_record_t *record, const sctpa_observed_t *observed)
{
    const sctpa_direction_t *acked = tracked->sides[!record->from].sent;
    const sctpa_sack_record_t *before = acked ? sctpa_observed_sack_before(observed, acked) : NULL;
    return before && g_array_index(tracker->records, sctpa_record_t, before->packet).path == record->path ? before
                                                                                                          : NULL;
}

/* Did packet before of the packet's sender leave after it, by their identifications? */
static bool has_left_after(const sctpa_tracker_t *tracker, const sctpa_packet_t *packet, uint32_t before)
{
    const uint16_t id = sctpa_stamp_ip_id(&g_array_index(tracker->store.stamps, sctpa_stamp_t, before));
    return id != 0 && packet->ip_id != 0 && (uint16_t)(id - packet->ip_id - 1) < OUT_OF_ORDER_MAX;
}

static bool is_same_way(const sctpa_tracker_t *tracker, const sctpa_record_t *record, uint32_t packet)
{
    return g_array_index(tracker->records, sctpa_record_t, packet).pair == record->pair;
}

/* The highest TSN that a SACK acknowledges. */
static uint32_t reach_of(const sctpa_direction_t *acked, const sctpa_sack_record_t *sack)
{
    uint32_t n;
    const uint32_t *blocks = sctpa_direction_gaps(acked, sack->gaps, &n);
    return sack->cum_tsn + (n > 0 ? blocks[n - 1] & 0xFFFF : 0);
}

/* Did the SACK before the last one, number of which is given, report less than the one before it and the one after it,
 * which came sooner than an answer to anything that was sent again for it? A receiver that takes data back gets it
 * again first. O(1). */
static bool has_passed_between(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked,
                               const sctpa_record_t *record, const sctpa_direction_t *acked, uint32_t number)
{
    if (number < 3)
        return false;
    const sctpa_sack_record_t *first = &SCTPA_RECORD(&acked->sacks, sctpa_sack_record_t, number - 3),
                              *between = &SCTPA_RECORD(&acked->sacks, sctpa_sack_record_t, number - 2),
                              *last = &SCTPA_RECORD(&acked->sacks, sctpa_sack_record_t, number - 1);
    const uint32_t reach = reach_of(acked, between);
    const int64_t answer_ns = sctpa_tap_least_answer_ns(sctpa_tap_rtt_of(tracked, record->from));
    return first->cum_tsn == between->cum_tsn && sctpa_serial_distance(reach, reach_of(acked, first)) > 0 &&
           sctpa_serial_distance(reach_of(acked, first), reach_of(acked, last)) >= 0 &&
           is_same_way(tracker, record, first->packet) && is_same_way(tracker, record, between->packet) &&
           time_ns(tracker, last->packet) - time_ns(tracker, between->packet) < answer_ns;
}

/* Another way may be a shorter one: of two SACKs between the same addresses the later one has no lower cum_tsn. A reset
 * of the TSNs lowers them. Where the user asserts the order of packets, and that the tap is at the endpoint, that is
 * the order in which it sent them, unless identifications show another. */
static bool shows_overtaking(const sctpa_tap_t *tap, const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked,
                             const sctpa_record_t *record, const sctpa_packet_t *packet)
{
    const sctpa_observation_t *observation = &tracker->observation;
    const sctpa_direction_t *acked = tracked->sides[!record->from].sent;
    const bool is_asserted = tap->taken_at[record->from] && holds_all(tap, tracked);
    for (uint32_t i = 0; i < observation->n; i++) {
        const sctpa_observed_t *observed = &observation->chunks[i];
        const sctpa_sack_record_t *before = observed->sack > 1 ? sctpa_observed_sack_before(observed, acked) : NULL;
        if (before && !is_asserted && has_passed_between(tracker, tracked, record, acked, observed->sack))
            return true;
        if (before && sctpa_tap_goes_back(&observed->tlv, before) &&
            sctpa_tap_sack_before(tracker, tracked, record, observed))
            return (sctpa_assoc_is_single_homed(&tracked->assoc) || is_same_way(tracker, record, before->packet)) &&
                   !sctpa_tracked_is_ending(tracked) && !acked->restarted &&
                   (!is_asserted || has_left_after(tracker, packet, before->packet));
    }
    return false;
}

/* Was the capture taken at the addresses that the endpoint has by now, too? */
static void look_at_addresses(sctpa_tap_t *tap, const sctpa_tracked_t *tracked, uint8_t endpoint)
{
    const sctpa_end_t *end = &tracked->assoc.ends[endpoint];
    while (tap->n_addrs[endpoint] < end->n_addrs)
        tap->is_elsewhere[endpoint] |=
            !sctpa_assertions_taken_at(tap->asserted->assertions, &end->addrs[tap->n_addrs[endpoint]++].addr);
}

/* What is asserted of the addresses of the packet. */
static void take_addresses(sctpa_tap_t *tap, const sctpa_tracked_t *tracked, const sctpa_packet_t *packet, uint8_t from)
{
    const sctpa_assertions_t *assertions = tap->asserted->assertions;
    const sctpa_addr_t *of[2] = { &packet->source, &packet->destination };
    for (uint8_t i = 0; i < 2; i++) {
        uint8_t endpoint = from ^ i;
        unsigned values = tap->values[endpoint] > 0 ? 0 : sctpa_assertions_endpoint(assertions, of[i]);
        tap->taken_at[endpoint] |= assertions->n_taken_at > 0 && sctpa_assertions_taken_at(assertions, of[i]);
        if (values > 0)
            tap->values[endpoint] = (uint8_t)values;
        if (tap->taken_at[endpoint])
            look_at_addresses(tap, tracked, endpoint);
    }
}

/* An association that began before the capture lacks packets, and says nothing of others. */
static void refute_complete(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked, uint32_t index)
{
    bool has_begun_here = tracked->assoc.setup.steps[SCTPA_STEP_INIT].count > 0;
    if (!tap->asserted->assertions->complete || !has_begun_here)
        return;
    tap->asserted->complete_refuted = MIN(tap->asserted->complete_refuted, index);
}

sctpa_hole_t sctpa_tap_take(sctpa_tap_t *tap, sctpa_arena_t *arena, const sctpa_tracker_t *tracker,
                            const sctpa_tracked_t *tracked, const sctpa_packet_t *packet, uint64_t rows, uint32_t index)
{
    const sctpa_record_t *record = &g_array_index(tracker->records, sctpa_record_t, index);
    if (tap->asserted->is_any)
        take_addresses(tap, tracked, packet, record->from);
    tap->stamp_unit_ns = tracker->stamp_unit_ns;
    sctpa_ip_ids_take(&tap->ip_ids[record->from], tracker, packet, index);
    const sctpa_hole_t hole = find_hole(tap, arena, tracker, tracked, record, rows, index);
    if (tap->refuted_packet == SCTPA_NO_PACKET_INDEX && (hole.before > 0 || tap->is_unplaced)) {
        tap->refuted_packet = index;
        refute_complete(tap, tracked, index);
    }
    if (rows & SCTPA_SACK_ROWS && shows_overtaking(tap, tracker, tracked, record, packet)) {
        tap->overtaken[record->from] = true;
        if (tap->taken_at[record->from])
            tap->asserted->taken_at_refuted = MIN(tap->asserted->taken_at_refuted, index);
    }
    return hole;
}

void sctpa_tap_take_stray(sctpa_tap_t *tap, const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked,
                          uint8_t from, const sctpa_packet_t *packet, uint32_t index)
{
    if (tap->asserted->is_any)
        take_addresses(tap, tracked, packet, from);
    sctpa_ip_ids_take(&tap->ip_ids[from], tracker, packet, index);
}

void sctpa_tap_take_early_answer(sctpa_tap_t *tap, sctpa_arena_t *arena, const sctpa_tracker_t *tracker,
                                 const sctpa_tracked_t *tracked, uint32_t index, uint32_t answer, bool is_sure)
{
    const uint8_t asker = g_array_index(tracker->records, sctpa_record_t, index).from;
    if (tap->asserted->assertions->complete && !is_sure)
        return;
    const int64_t early_ns = time_ns(tracker, index) - time_ns(tracker, answer);
    tap->early_answer = index + 1;
    take_early(tap, arena, tracked, !asker, early_ns, index, is_sure);
}

void sctpa_tap_join(sctpa_tap_t *into, sctpa_arena_t *arena, const sctpa_tap_t *half, bool swapped)
{
    for (uint8_t endpoint = 0; endpoint < 2; endpoint++) {
        into->overtaken[endpoint ^ swapped] |= half->overtaken[endpoint];
        into->taken_at[endpoint ^ swapped] |= half->taken_at[endpoint];
        into->is_elsewhere[endpoint ^ swapped] |= half->is_elsewhere[endpoint];
        if (half->clocks->of[endpoint].pairs > 0 && into->clocks->of[endpoint ^ swapped].pairs == 0)
            clocks_of(into, arena)->of[endpoint ^ swapped] = half->clocks->of[endpoint];
        if (half->values[endpoint] > 0)
            into->values[endpoint ^ swapped] = half->values[endpoint];
    }
}

void sctpa_tap_reshape(sctpa_tap_t *tap, uint32_t index)
{
    tap->refuted_packet = MIN(tap->refuted_packet, index);
    tap->is_unplaced = true;
    tap->ip_ids[0] = tap->ip_ids[1] = (sctpa_ip_ids_t){ 0 };
}

uint32_t sctpa_tap_asserted_any(const sctpa_tap_t *tap, uint8_t endpoint)
{
    const sctpa_asserted_t *asserted = tap->asserted;
    bool is_complete = asserted->assertions->complete && tap->refuted_packet == SCTPA_NO_PACKET_INDEX;
    bool is_taken_at = tap->taken_at[endpoint] && !tap->overtaken[endpoint];
    return (is_complete ? SCTPA_ASSERTED_COMPLETE : 0) | (is_taken_at ? SCTPA_ASSERTED_TAKEN_AT : 0) |
           sctpa_tap_asserted_values(tap, endpoint)->given << SCTPA_ASSERTED_PARAMETER_BIT;
}

/* A time between two coarse stamps may have been longer by less than what they are multiples of, and one between stamps
 * of clocks that differ by what these do. */
static sctpa_known_t near_as_shown(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked, uint8_t endpoint)
{
    const sctpa_tap_rtt_t near = sctpa_tap_rtt_of(tracked, endpoint), beyond = sctpa_tap_rtt_of(tracked, !endpoint);
    const int64_t bound_ns = MAX(SCTPA_NEAR_NS, sctpa_tap_rtt_measured_ns(beyond) / NEAR_SHARE);
    const int64_t most_ns = MAX(SCTPA_NEAR_NS, beyond.most_ns / NEAR_SHARE);
    const int64_t unknown_ns =
        (tap->stamp_unit_ns > stamps_near_ns ? tap->stamp_unit_ns : 0) + sctpa_clocks_error_ns(tap->clocks);
    if (near.most_ns < 0 || sctpa_near_tap_is_misplaced(tracked))
        return SCTPA_UNKNOWN;
    if (near.is_measured && near.most_ns > most_ns)
        return SCTPA_NO;
    return near.most_ns + unknown_ns <= bound_ns ? SCTPA_YES : SCTPA_UNKNOWN;
}

bool sctpa_tap_shows_near(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked, uint8_t endpoint)
{
    return near_as_shown(tap, tracked, endpoint) == SCTPA_YES;
}

sctpa_known_t sctpa_tap_is_near(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked, uint8_t endpoint)
{
    bool is_asserted = sctpa_tap_asserted(tap, endpoint) & SCTPA_ASSERTED_TAKEN_AT;
    return is_asserted ? SCTPA_YES : near_as_shown(tap, tracked, endpoint);
}

sctpa_known_t sctpa_tap_is_near_by(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked, uint8_t endpoint,
                                   uint16_t path)
{
    const sctpa_known_t is_near = sctpa_tap_is_near(tap, tracked, endpoint);
    const sctpa_end_t *peer = &tracked->assoc.ends[!endpoint];
    const sctpa_tap_rtt_t beyond = sctpa_tap_rtt_of(tracked, !endpoint);
    if (is_near != SCTPA_YES || path >= peer->n_paths || sctpa_tap_asserted(tap, endpoint) & SCTPA_ASSERTED_TAKEN_AT)
        return is_near;
    return peer->paths[path].tap_rtt_ns > MAX(SCTPA_NEAR_NS, beyond.most_ns / NEAR_SHARE) ? SCTPA_NO : SCTPA_YES;
}

bool sctpa_tap_has_both(const sctpa_tracked_t *tracked)
{
    const sctpa_end_t *ends = tracked->assoc.ends;
    return ends[0].n_pairs > 0 && ends[1].n_pairs > 0 && !tracked->unproven;
}

/* Did the endpoint answer what was sent to it, as far as the set-up was captured? */
static bool has_answered(const sctpa_assoc_t *assoc, uint8_t endpoint)
{
    const sctpa_setup_t *setup = &assoc->setup;
    bool is_responder = setup->steps[SCTPA_STEP_INIT_ACK].count > 0 && setup->steps[SCTPA_STEP_INIT_ACK].by == endpoint;
    bool has_aborted = assoc->known.end == SCTPA_ASSOC_ABORT && assoc->known.end_by == endpoint;
    return is_responder || has_aborted || setup->steps[SCTPA_STEP_COOKIE_ECHO].count > 0 ||
           setup->steps[SCTPA_STEP_INIT].count == 0;
}

sctpa_known_t sctpa_tap_is_translated(const sctpa_tracked_t *tracked, uint8_t endpoint)
{
    const sctpa_end_t *end = &tracked->assoc.ends[endpoint];
    for (unsigned i = 0; i < end->n_addrs; i++)
        if (end->addrs[i].origin & SCTPA_ADDR_RENAMED)
            return SCTPA_YES;
    if (!sctpa_end_is_one_way(end) || !has_answered(&tracked->assoc, endpoint))
        return SCTPA_NO;
    return end->init.whole ? SCTPA_YES : SCTPA_UNKNOWN;
}

sctpa_known_t sctpa_tap_passed_all_since(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked, uint8_t by,
                                         uint32_t since)
{
    uint32_t before = tap->setup_before;
    for (unsigned endpoint = 0; endpoint < 2; endpoint++)
        if (by & SCTPA_BY(endpoint))
            before = MAX(before, tap->missed_before[endpoint]);
    if (tap->is_unplaced || since < before || sctpa_assoc_is_data_only(&tracked->assoc))
        return SCTPA_NO;
    return sctpa_tap_asserted(tap, 0) & SCTPA_ASSERTED_COMPLETE ? SCTPA_YES : SCTPA_UNKNOWN;
}
