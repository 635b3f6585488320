/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long a capture and an association lasted, by one clock where interfaces have clocks that differ; and silences
 * in which no time passed: the clock of the capture stepped forward, or its host slept. Data was outstanding when
 * nothing passed for longer than its sender's T3-rtx can have run (RFC 9260 6.3.3), it was not retransmitted, and
 * nobody had acknowledged it: neither timer ran. Leaves out who sleeps alone: the timers of the other show that. */
#include "analysis.h"
#include "base/numbers.h"
#include "data/t3.h"
#include "track/near_tap.h"
#include "track/tracker.h"

/* By interface: by how much its clock is ahead of that of the first of those that packets passed as well. */
typedef struct {
    int64_t ahead_ns[SCTPA_INTERFACES_WATCHED];
    bool is_known[SCTPA_INTERFACES_WATCHED];
} clocks_t;

static void take_path(clocks_t *clocks, const sctpa_assoc_t *assoc, const sctpa_path_t *path)
{
    const sctpa_two_taps_t *taps = path->probing->two_taps;
    int64_t ahead_ns, within_ns;
    if (!taps || !sctpa_two_taps_ahead(&assoc->ends[1], taps, &ahead_ns, &within_ns))
        return;
    const unsigned low = taps->interfaces[0] % SCTPA_INTERFACES_WATCHED,
                   high = taps->interfaces[1] % SCTPA_INTERFACES_WATCHED;
    if (clocks->is_known[high] && !clocks->is_known[low])
        clocks->ahead_ns[low] = clocks->ahead_ns[high] - ahead_ns;
    else if (!clocks->is_known[high])
        clocks->ahead_ns[high] = clocks->ahead_ns[low] + ahead_ns;
    clocks->is_known[low] = clocks->is_known[high] = true;
}

bool sctpa_span_by_one_clock(const sctpa_t *sctpa, int64_t *first_ns, int64_t *last_ns)
{
    clocks_t clocks = { .ahead_ns = { 0 } };
    bool has_two = false;
    for (uint32_t number = 0; sctpa->tracker->two_taps && number < sctpa_assoc_count(sctpa); number++) {
        const sctpa_assoc_t *assoc = sctpa_assoc(sctpa, number);
        const bool is_two = assoc->merged_into == SCTPA_NO_ASSOC && sctpa_taps(sctpa, number) == SCTPA_TAPS_TWO;
        has_two |= is_two;
        for (unsigned path = 0; is_two && path < assoc->ends[0].n_paths; path++)
            take_path(&clocks, assoc, &assoc->ends[0].paths[path]);
    }
    *first_ns = INT64_MAX;
    *last_ns = INT64_MIN;
    for (unsigned i = 0; i < SCTPA_INTERFACES_WATCHED; i++)
        if (sctpa->latest_ns[i] != INT64_MIN) {
            *first_ns = MIN(*first_ns, sctpa->earliest_ns[i] - clocks.ahead_ns[i]);
            *last_ns = MAX(*last_ns, sctpa->latest_ns[i] - clocks.ahead_ns[i]);
        }
    return has_two;
}

/* What the tap near end 0 shows, if it shows the association from its INIT on; NULL: one tap, or not. */
static const sctpa_tap_data_t *whole_at_tap(const sctpa_t *sctpa, const sctpa_assoc_t *assoc)
{
    const sctpa_tap_data_t *tap = sctpa_near_tap(sctpa_tracked_find(sctpa->tracker, assoc->number), 0, 0);
    return tap && tap->setup.steps[SCTPA_STEP_INIT].count > 0 ? tap : NULL;
}

int64_t sctpa_assoc_span_ns(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, const sctpa_outcome_t *outcome)
{
    const sctpa_tap_data_t *tap = whole_at_tap(sctpa, assoc);
    if (tap)
        return tap->last_ns - tap->setup.steps[SCTPA_STEP_INIT].first_ns;
    return outcome->last_ns - assoc->first_ns;
}

/* When what ended the association passed a tap, or the other one sooner or alone, by the clock of the first. */
static int64_t end_at_tap(const sctpa_two_taps_data_t *data, unsigned tap, const sctpa_assoc_t *assoc)
{
    int64_t way_ns;
    const int64_t ahead_ns = sctpa_near_tap_ahead_ns(data, &way_ns);
    const sctpa_tap_data_t *here = &data->taps[tap], *there = &data->taps[!tap];
    if (here->end_frame != 0 && (there->end_frame == here->end_frame || there->end_frame == 0))
        return here->end_ns;
    const int64_t other_ns = there->end_frame != 0 ? there->end_ns : assoc->end_ns,
                  passed_ns = tap == 0 ? other_ns - ahead_ns : other_ns + ahead_ns;
    return here->end_frame != 0 ? MIN(here->end_ns, passed_ns) : passed_ns;
}

int64_t sctpa_assoc_life_ns(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, const sctpa_outcome_t *outcome)
{
    const sctpa_tap_data_t *tap = whole_at_tap(sctpa, assoc);
    if (assoc->end_frame == 0)
        return sctpa_assoc_span_ns(sctpa, assoc, outcome);
    if (!tap)
        return assoc->end_ns - assoc->first_ns;
    const sctpa_two_taps_data_t *data = sctpa_tracked_find(sctpa->tracker, assoc->number)->rare->two_taps_data;
    return end_at_tap(data, tap != &data->taps[0], assoc) - tap->setup.steps[SCTPA_STEP_INIT].first_ns;
}

/* How soon after its pair of packets a SACK came, twice that, and so much for its host. */
#define AT_ONCE_NS SCTPA_NS_PER_MS

enum { TSNS_LOOKED_AT = 64 /* from the highest that a SACK acks downwards */ };

static int64_t time_ns(const sctpa_t *sctpa, uint32_t packet)
{
    return sctpa_packet_time_ns(sctpa, packet);
}

/* The most that the RTO of a path was when a packet left, with the parameters that are asserted of its sender. */
static int64_t rto_most_ns(const sctpa_direction_t *sent, uint16_t path, uint32_t packet, const sctpa_tap_t *tap,
                           uint8_t sender)
{
    const sctpa_data_path_t *known = sctpa_direction_known_path(sent, path);
    const sctpa_sample_t *sample = sctpa_direction_sample(sent, path, packet);
    if (!known)
        return SCTPA_RTO_MAX_NS;
    int64_t rto_ns = MAX(MAX(sctpa_t3_rto_usual_ns(known), sent->rare->rto_min_ns), known->patience_ns);
    rto_ns = MAX(rto_ns, sctpa_tap_parameter(tap, sender, SCTPA_PARAMETER_RTO_MIN, 0));
    rto_ns = MAX(rto_ns, known->rto_ns > 0 ? 0 : sctpa_tap_parameter(tap, sender, SCTPA_PARAMETER_RTO_INITIAL, 0));
    for (unsigned n = sample ? sample->backoffs : 0; n > 0 && rto_ns < SCTPA_RTO_MAX_NS; n--)
        rto_ns = sctpa_ns_times(rto_ns, 2);
    return MIN(rto_ns, MAX(SCTPA_RTO_MAX_NS, sctpa_tap_parameter(tap, sender, SCTPA_PARAMETER_RTO_MAX, 0)));
}

/* Does the SACK ack two packets, one from before the silence and the first behind it, as soon as the SACK before acked
 * its two? One that had acked the former already would hold its SACK for the latter back (RFC 9260 6.2). */
static bool is_pair(const sctpa_t *sctpa, const sctpa_direction_t *sent, const sctpa_acked_t *acked)
{
    const sctpa_acked_t *before = sent->acked.len > 1 ? acked - 1 : NULL;
    int64_t number;
    const sctpa_tsn_t *tsn = sctpa_direction_tsn_near(sent, acked->highest, acked->packet, &number);
    for (unsigned n = 0; tsn && tsn->first_packet == acked->last_packet && n < TSNS_LOOKED_AT; n++)
        tsn = sctpa_direction_tsn(sent, --number);
    if (!before || before->packet >= sctpa->silence.packet || before->first_packet == before->last_packet || !tsn ||
        tsn->transmissions == 0 || tsn->first_packet != acked->first_packet)
        return false;
    const int64_t before_ns = time_ns(sctpa, before->packet) - time_ns(sctpa, before->last_packet);
    return time_ns(sctpa, acked->packet) - time_ns(sctpa, acked->last_packet) <= 2 * before_ns + AT_ONCE_NS;
}

/* Does the SACK ack nothing that was sent behind the silence? Nothing asked for it but what left before. */
static bool is_of_before(const sctpa_t *sctpa, const sctpa_direction_t *sent, const sctpa_acked_t *acked)
{
    int64_t number;
    const sctpa_tsn_t *reported = sctpa_direction_tsn_near(sent, acked->reported_to, acked->packet, &number);
    return acked->last_packet < sctpa->silence.packet && reported && reported->transmissions > 0 &&
           reported->first_packet < sctpa->silence.packet;
}

/* Is the SACK alone in its packet, neither about duplicates nor about a larger window? */
static bool is_plain(const sctpa_direction_t *sent, const sctpa_acked_t *acked)
{
    const sctpa_records_t *duplicates = &sent->rare->duplicate_tsns, *sacks = &sent->sacks;
    const uint32_t n = duplicates->len;
    return !(sctpa_direction_stamp(sent, acked->packet)->holds & SCTPA_STAMP_DATA) && sacks->len > 1 &&
           SCTPA_RECORD(sacks, sctpa_sack_record_t, sacks->len - 1).a_rwnd_bytes <=
               SCTPA_RECORD(sacks, sctpa_sack_record_t, sacks->len - 2).a_rwnd_bytes &&
           (n == 0 || SCTPA_RECORD(duplicates, sctpa_duplicate_t, n - 1).packet != acked->packet);
}

/* Did the receiver send nothing in the silence that the capture lacks: by identifications of IPv4, or by what the SACK
 * acks? */
static bool is_first_answer(const sctpa_t *sctpa, const sctpa_direction_t *sent, const sctpa_acked_t *acked,
                            const sctpa_tap_t *tap, uint8_t receiver)
{
    if (sctpa_tap_sent_all(tap, receiver, sctpa->silence.packet - 1, acked->packet) == SCTPA_YES)
        return true;
    return sent->rare->unseen_acked == 0 && is_plain(sent, acked) &&
           (is_of_before(sctpa, sent, acked) || is_pair(sctpa, sent, acked));
}

/* Does the SACK ack data that was first seen behind the silence though higher TSNs passed before it? It was lost before
 * the capture point, and a timer retransmitted it. */
static bool acks_late_data(const sctpa_silence_t *silence, const sctpa_direction_t *sent, const sctpa_acked_t *acked)
{
    int64_t number;
    const sctpa_tsn_t *tsn = sctpa_direction_tsn_near(sent, acked->highest, acked->packet, &number);
    bool has_earlier = false;
    for (unsigned n = 0; tsn && n < TSNS_LOOKED_AT; n++) {
        const bool is_behind = tsn->transmissions > 0 && tsn->first_packet >= silence->packet;
        if (is_behind && has_earlier)
            return true;
        has_earlier |= tsn->transmissions > 0 && !is_behind;
        tsn = sctpa_direction_tsn(sent, --number);
    }
    return false;
}

/* Was data that it acks outstanding all through the silence, by the same clock, and neither retransmitted nor given up
 * since, and no other retransmitted? */
static bool spans_silence(const sctpa_silence_t *silence, const sctpa_direction_t *sent, const sctpa_acked_t *acked)
{
    const uint32_t oldest = acked->first_packet, n = sent->rare->forwards.len;
    return oldest < silence->packet && acked->packet >= silence->packet &&
           sctpa_stamp_interface(sctpa_direction_stamp(sent, oldest)) == silence->interface &&
           sctpa_stamp_interface(sctpa_direction_stamp(sent, acked->packet)) == silence->interface &&
           (n == 0 || SCTPA_RECORD(&sent->rare->forwards, sctpa_forward_t, n - 1).packet < oldest) &&
           !sctpa_direction_resends(sent, oldest, acked->packet) && !acks_late_data(silence, sent, acked);
}

/* How much longer the silence may seem than it was; of stamps near whole seconds so far, as if the clock had no others.
 */
static int64_t coarse_ns(const sctpa_t *sctpa)
{
    return 2 * (sctpa->ticks.is_refuted ? sctpa->tracker->stamp_unit_ns : SCTPA_NS_PER_S);
}

static void note(sctpa_t *sctpa)
{
    sctpa_clock_steps_t *steps = &sctpa->tracker->clock_steps;
    if (steps->count < SCTPA_CLOCK_STEPS_MAX)
        steps->steps[steps->count] = (sctpa_clock_step_t){ sctpa->silence.packet, sctpa->silence.ns };
    steps->count += steps->count < UINT32_MAX;
    sctpa->silence.ns = 0;
}

void sctpa_stopped_timers_take(sctpa_t *sctpa, const sctpa_record_t *record, uint32_t index)
{
    const sctpa_silence_t *silence = &sctpa->silence;
    if (silence->ns == 0 || record->assoc == SCTPA_NO_ASSOC || record->remarks & SCTPA_CAPTURE_UNCOUNTED)
        return;
    const sctpa_tracked_t *tracked = sctpa_tracked_at(sctpa->tracker, record->assoc);
    const sctpa_direction_t *sent = tracked->sides[!record->from].sent;
    const uint32_t n = sent ? sent->acked.len : 0;
    const sctpa_acked_t *acked = n > 0 ? &SCTPA_RECORD(&sent->acked, sctpa_acked_t, n - 1) : NULL;
    const sctpa_reference_t *reference = sctpa_reference_at(sctpa_model_reference(sctpa->model), tracked->assoc.number);
    if (!acked || acked->packet != index || !reference || sctpa_taps(sctpa, tracked->assoc.number) != SCTPA_TAPS_ONE ||
        !spans_silence(silence, sent, acked))
        return;
    const uint16_t path = g_array_index(sctpa->tracker->records, sctpa_record_t, acked->first_packet).path;
    const int64_t rto_ns = rto_most_ns(sent, path, silence->packet - 1, &reference->tap, !record->from),
                  way_ns = 2 * MAX(sctpa_tap_rtt_of(tracked, !record->from).most_ns, 0);
    if (silence->ns > rto_ns + sctpa_tick_ns(rto_ns) + way_ns + coarse_ns(sctpa) &&
        is_first_answer(sctpa, sent, acked, &reference->tap, record->from))
        note(sctpa);
}

const sctpa_clock_steps_t *sctpa_clock_steps(const sctpa_t *sctpa)
{
    return &sctpa->tracker->clock_steps;
}
