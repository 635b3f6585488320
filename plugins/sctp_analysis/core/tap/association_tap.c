/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an association's packets show of the capture. */
#include "association_tap.h"

#include "data/observation.h"
#include "track/tracker.h"

/* An eighth of the way beyond the tap: what passes it then is as good as there. */
enum { NEAR_SHARE = 8 };

void sctpa_asserted_begin(sctpa_asserted_t *asserted, const sctpa_assertions_t *assertions)
{
    static const sctpa_assertions_t none;
    *asserted = (sctpa_asserted_t){
        assertions ? assertions : &none, SCTPA_NO_PACKET_INDEX, SCTPA_NO_PACKET_INDEX, { .sent = SCTPA_NO_PACKET_INDEX }
    };
}

void sctpa_tap_begin(sctpa_tap_t *tap, sctpa_asserted_t *asserted)
{
    *tap = (sctpa_tap_t){ .asserted = asserted, .refuted_packet = SCTPA_NO_PACKET_INDEX };
}

static bool is_unseen(const sctpa_direction_t *acked)
{
    return acked && (acked->rare->unseen_acked > 0 || acked->truncated || !sctpa_direction_tells_reneging(acked));
}

/* A TSN was acknowledged above all that passed, or were skipped by FORWARD-TSN. */
static bool is_acked_ahead(const sctpa_direction_t *acked)
{
    return acked && acked->highest >= 0 && acked->highest_gap_end > MAX(acked->highest, acked->rare->abandoned_to);
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

static bool shows_loss_or_disorder(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked, const sctpa_record_t *record,
                                   uint64_t rows)
{
    const uint64_t answers = SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(COOKIE_ACK);
    return record->remarks & (SCTPA_CAPTURE_MISSED | SCTPA_CAPTURE_CLOCK | SCTPA_CAPTURE_TIME) ||
           is_unseen(tracked->sides[!record->from].sent) || tap->disordered ||
           (rows & answers && is_setup_out_of_order(tap, tracked, rows));
}

const sctpa_sack_record_t *sctpa_tap_sack_before(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked,
                                                 const sctpa_record_t *record, const sctpa_observed_t *observed)
{
    const sctpa_direction_t *acked = tracked->sides[!record->from].sent;
    const sctpa_sack_record_t *before = acked ? sctpa_observed_sack_before(observed, acked) : NULL;
    return before && g_array_index(tracker->records, sctpa_record_t, before->packet).path == record->path ? before
                                                                                                          : NULL;
}

/* A second path may be a shorter one; a reset of the TSNs lowers them. */
static bool shows_overtaking(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked,
                             const sctpa_record_t *record)
{
    const sctpa_observation_t *observation = &tracker->observation;
    const sctpa_direction_t *acked = tracked->sides[!record->from].sent;
    for (uint32_t i = 0; i < observation->n; i++) {
        const sctpa_observed_t *observed = &observation->chunks[i];
        const sctpa_sack_record_t *before = observed->sack > 1 ? sctpa_observed_sack_before(observed, acked) : NULL;
        if (before && sctpa_tap_goes_back(&observed->tlv, before) &&
            sctpa_tap_sack_before(tracker, tracked, record, observed))
            return sctpa_assoc_is_single_homed(&tracked->assoc) && !sctpa_tracked_is_ending(tracked) &&
                   !acked->restarted;
    }
    return false;
}

/* What is asserted of the addresses of the packet. */
static void take_addresses(sctpa_tap_t *tap, const sctpa_packet_t *packet, uint8_t from)
{
    const sctpa_assertions_t *assertions = tap->asserted->assertions;
    const sctpa_addr_t *of[2] = { &packet->source, &packet->destination };
    for (uint8_t i = 0; i < 2; i++) {
        uint8_t endpoint = from ^ i;
        unsigned values = tap->values[endpoint] > 0 ? 0 : sctpa_assertions_endpoint(assertions, of[i]);
        tap->taken_at[endpoint] |= assertions->n_taken_at > 0 && sctpa_assertions_taken_at(assertions, of[i]);
        if (values > 0)
            tap->values[endpoint] = (uint8_t)values;
    }
}

/* An association that began before the capture lacks packets, and says nothing of others. */
static void refute_complete(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked, uint32_t index)
{
    bool has_begun_here = tracked->assoc.setup.steps[SCTPA_STEP_INIT].count > 0;
    if (!tap->asserted->assertions->complete || !has_begun_here)
        return;
    tap->asserted->complete_refuted = MIN(tap->asserted->complete_refuted, index);
    tap->asserted->ahead.is_open = false;
}

/* Does the packet, with data, show that a SACK acknowledged what had not been sent? Then it refutes nothing. */
static void take_sent_ahead(sctpa_tap_t *tap, const sctpa_tracked_t *tracked, const sctpa_record_t *record,
                            uint64_t rows, uint32_t index)
{
    sctpa_acked_ahead_t *ahead = &tap->asserted->ahead;
    const sctpa_direction_t *sent = tracked->sides[record->from].sent;
    const sctpa_tsn_t *tsn = ahead->assoc == record->assoc && sent && sent->highest >= ahead->to
                                 ? sctpa_direction_tsn(sent, ahead->to)
                                 : NULL;
    if (!tsn || tsn->first_packet != index || is_unseen(sent) || shows_loss_or_disorder(tap, tracked, record, rows))
        return;
    ahead->is_open = false;
    ahead->sent = index;
    tap->refuted_packet = tap->asserted->complete_refuted = SCTPA_NO_PACKET_INDEX;
}

void sctpa_tap_take(sctpa_tap_t *tap, const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked,
                    const sctpa_packet_t *packet, uint64_t rows, uint32_t index)
{
    const sctpa_record_t *record = &g_array_index(tracker->records, sctpa_record_t, index);
    if (tap->asserted->assertions->n_taken_at > 0 || tap->asserted->assertions->n_endpoints > 0)
        take_addresses(tap, packet, record->from);
    if (tap->asserted->ahead.is_open && rows & SCTPA_DATA_ROWS)
        take_sent_ahead(tap, tracked, record, rows, index);
    if (tap->refuted_packet == SCTPA_NO_PACKET_INDEX) {
        bool is_ahead = is_acked_ahead(tracked->sides[!record->from].sent);
        bool is_sure = shows_loss_or_disorder(tap, tracked, record, rows);
        if (is_ahead || is_sure) {
            tap->refuted_packet = index;
            refute_complete(tap, tracked, index);
        }
        if (is_ahead && !is_sure && tap->asserted->complete_refuted == index)
            tap->asserted->ahead = (sctpa_acked_ahead_t){ tracked->sides[!record->from].sent->highest_gap_end,
                                                          record->assoc, index, SCTPA_NO_PACKET_INDEX, true };
    }
    if (rows & SCTPA_SACK_ROWS && shows_overtaking(tracker, tracked, record)) {
        tap->overtaken[record->from] = true;
        if (tap->taken_at[record->from])
            tap->asserted->taken_at_refuted = MIN(tap->asserted->taken_at_refuted, index);
    }
    sctpa_ip_ids_take(&tap->ip_ids[record->from], tracker, packet, index);
}

void sctpa_tap_take_stray(sctpa_tap_t *tap, const sctpa_tracker_t *tracker, uint8_t from, const sctpa_packet_t *packet,
                          uint32_t index)
{
    sctpa_ip_ids_take(&tap->ip_ids[from], tracker, packet, index);
}

void sctpa_tap_take_early_answer(sctpa_tap_t *tap)
{
    tap->disordered = true;
}

void sctpa_tap_join(sctpa_tap_t *into, const sctpa_tap_t *half, bool swapped)
{
    for (uint8_t endpoint = 0; endpoint < 2; endpoint++) {
        into->overtaken[endpoint ^ swapped] |= half->overtaken[endpoint];
        into->taken_at[endpoint ^ swapped] |= half->taken_at[endpoint];
        if (half->values[endpoint] > 0)
            into->values[endpoint ^ swapped] = half->values[endpoint];
    }
}

void sctpa_tap_reshape(sctpa_tap_t *tap, uint32_t index)
{
    tap->refuted_packet = MIN(tap->refuted_packet, index);
    tap->ip_ids[0] = tap->ip_ids[1] = (sctpa_ip_ids_t){ 0 };
}

uint32_t sctpa_tap_asserted(const sctpa_tap_t *tap, uint8_t endpoint)
{
    const sctpa_asserted_t *asserted = tap->asserted;
    bool is_complete = asserted->assertions->complete && asserted->complete_refuted == SCTPA_NO_PACKET_INDEX &&
                       tap->refuted_packet == SCTPA_NO_PACKET_INDEX;
    bool is_taken_at = tap->taken_at[endpoint] && !tap->overtaken[endpoint];
    return (is_complete ? SCTPA_ASSERTED_COMPLETE : 0) | (is_taken_at ? SCTPA_ASSERTED_TAKEN_AT : 0) |
           sctpa_tap_asserted_values(tap, endpoint)->given << SCTPA_ASSERTED_PARAMETER_BIT;
}

static sctpa_known_t near_as_shown(const sctpa_tracked_t *tracked, uint8_t endpoint)
{
    const int64_t near_ns = sctpa_tap_rtt_of(tracked, endpoint), beyond_ns = sctpa_tap_rtt_of(tracked, !endpoint);
    if (near_ns < 0)
        return SCTPA_UNKNOWN;
    return near_ns <= SCTPA_NEAR_NS || near_ns <= beyond_ns / NEAR_SHARE ? SCTPA_YES : SCTPA_NO;
}

bool sctpa_tap_shows_near(const sctpa_tracked_t *tracked, uint8_t endpoint)
{
    return near_as_shown(tracked, endpoint) == SCTPA_YES;
}

sctpa_known_t sctpa_tap_is_near(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked, uint8_t endpoint)
{
    bool is_asserted = sctpa_tap_asserted(tap, endpoint) & SCTPA_ASSERTED_TAKEN_AT;
    return is_asserted ? SCTPA_YES : near_as_shown(tracked, endpoint);
}

bool sctpa_tap_has_both(const sctpa_tracked_t *tracked)
{
    const sctpa_end_t *ends = tracked->assoc.ends;
    return ends[0].n_pairs > 0 && ends[1].n_pairs > 0 && !tracked->unproven;
}

sctpa_known_t sctpa_tap_passed_all(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked)
{
    if (tap->refuted_packet != SCTPA_NO_PACKET_INDEX || sctpa_assoc_is_data_only(&tracked->assoc))
        return SCTPA_NO;
    return sctpa_tap_asserted(tap, 0) & SCTPA_ASSERTED_COMPLETE ? SCTPA_YES : SCTPA_UNKNOWN;
}
