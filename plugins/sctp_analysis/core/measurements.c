/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The public functions that draw numbers from the records of an association's directions, and give the ladder its
 * source. */
#include "analysis.h"
#include "measure/ladder/ladder.h"
#include "measure/ladder/ladder_parts.h"
#include "measure/learned/learned_parts.h"
#include "tap/association_tap.h"
#include "tap/unseen_rest.h"
#include "track/flow.h"
#include "track/near_tap.h"
#include "track/tracker.h"

/* RTT to the sender of data from the tap that shows the data as near as the capture does to an endpoint. */
static sctpa_tap_rtt_t sender_tap_rtt(const sctpa_t *sctpa, uint32_t assoc, uint8_t near, uint8_t end)
{
    const sctpa_tracked_t *tracked = (const sctpa_tracked_t *)sctpa_assoc(sctpa, assoc);
    const sctpa_tap_data_t *tap = sctpa_near_tap(tracked, near, end);
    return tap ? tap->sides[!end].peer_tap_rtt : sctpa_tap_rtt_of_host(sctpa_tap_rtt_of(tracked, end));
}

/* The set-up as an end saw it. A tap that lacks INITs of the end shows other times between them. */
static const sctpa_setup_t *setup_at(const sctpa_tap_data_t *tap, const sctpa_assoc_t *assoc, uint8_t end)
{
    static const sctpa_setup_t unknown;
    if (!tap)
        return &assoc->setup;
    bool is_whole = tap->setup.steps[SCTPA_STEP_INIT].count == assoc->setup.steps[SCTPA_STEP_INIT].count;
    return is_whole || assoc->setup.steps[SCTPA_STEP_INIT].by != end ? &tap->setup : &unknown;
}

sctpa_source_t sctpa_source_of(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, const sctpa_packets_t *selected)
{
    const sctpa_assoc_t *of = sctpa_assoc(sctpa, assoc);
    const sctpa_init_t *receiver = &of->ends[!end].init;
    const sctpa_tap_data_t *tap = sctpa_near_tap((const sctpa_tracked_t *)of, end, end);
    return (sctpa_source_t){ .direction = sctpa_direction(sctpa, assoc, end),
                             .at_receiver = sctpa_direction_at_receiver(sctpa, assoc, end),
                             .receiver_ahead_ns = sctpa_near_tap_receiver_ahead_ns((const sctpa_tracked_t *)of, end),
                             .setup = setup_at(tap, of, end),
                             .records = sctpa->tracker->records,
                             .stamps = sctpa->tracker->store.stamps,
                             .selected = selected,
                             .window_bytes = receiver->seen ? receiver->a_rwnd_bytes : 0,
                             .sender_tap_rtt = sctpa_tap_rtt(sctpa, assoc, end),
                             .clock_steps = &sctpa->tracker->clock_steps,
                             .data_only = sctpa_tap_lacks_acks(sctpa->tracker, of, end) };
}

sctpa_tap_rtt_t sctpa_tap_rtt(const sctpa_t *sctpa, uint32_t assoc, uint8_t end)
{
    return sender_tap_rtt(sctpa, assoc, end, end);
}

int64_t sctpa_tap_rtt_ns(const sctpa_t *sctpa, uint32_t assoc, uint8_t end)
{
    return sctpa_tap_rtt_measured_ns(sctpa_tap_rtt(sctpa, assoc, end));
}

sctpa_known_t sctpa_translated(const sctpa_t *sctpa, uint32_t assoc, uint8_t end)
{
    return sctpa_tap_is_translated((const sctpa_tracked_t *)sctpa_assoc(sctpa, assoc), end);
}

sctpa_unseen_rest_t sctpa_unseen_rest(const sctpa_t *sctpa, uint32_t assoc, uint8_t end)
{
    return sctpa_tap_unseen_rest(sctpa->tracker, sctpa_assoc(sctpa, assoc), end);
}

sctpa_measure_t *sctpa_measure(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, const sctpa_packets_t *selected)
{
    sctpa_source_t source = sctpa_source_of(sctpa, assoc, end, selected);
    return sctpa_measure_direction(&source);
}

GArray *sctpa_streams(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, const sctpa_packets_t *selected)
{
    sctpa_source_t source = sctpa_source_of(sctpa, assoc, end, selected);
    return sctpa_measure_streams(&source, NULL, NULL);
}

void sctpa_each_user_message(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_user_message_fn each, void *user)
{
    sctpa_source_t source = sctpa_source_of(sctpa, assoc, end, NULL);
    if (source.direction != NULL && source.at_receiver != NULL && !source.data_only)
        sctpa_user_messages_each(source.direction, source.at_receiver, source.receiver_ahead_ns, each, user);
}

sctpa_message_delays_t *sctpa_message_delays(const sctpa_t *sctpa, uint32_t assoc, uint8_t end,
                                             const sctpa_packets_t *selected, int64_t budget_ns, GArray **streams)
{
    sctpa_source_t source = sctpa_source_of(sctpa, assoc, end, selected);
    if (source.direction != NULL && source.at_receiver != NULL && !source.data_only)
        return sctpa_message_delays_measure(&source, budget_ns, streams);
    if (streams != NULL)
        *streams = sctpa_measure_streams(&source, NULL, NULL);
    return NULL;
}

static void learn_counting(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_learned_value_t *value)
{
    sctpa_sender_fit_t fit;
    if (!sctpa_sender_fit(sctpa, assoc, end, &fit) || fit.counts_headers == SCTPA_UNKNOWN)
        return;
    const int64_t counts = fit.counts_headers == SCTPA_YES;
    *value = (sctpa_learned_value_t){ .samples = fit.header_occasions,
                                      .has_high = true,
                                      .value = counts,
                                      .low = counts,
                                      .high = counts,
                                      .packet = fit.header_packet };
}

GArray *sctpa_handovers(const sctpa_t *sctpa, uint32_t assoc, uint8_t end)
{
    sctpa_source_t source = sctpa_source_of(sctpa, assoc, end, NULL);
    return sctpa_handovers_measure(&source, sctpa_assoc(sctpa, assoc), end);
}

bool sctpa_tap_delay(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, uint16_t path, sctpa_tap_delay_t *delay)
{
    sctpa_source_t source = sctpa_source_of(sctpa, assoc, end, NULL);
    return sctpa_tap_delay_measure(&source, sctpa_assoc(sctpa, assoc), end, path, delay);
}

void sctpa_learned(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_learned_t *learned)
{
    sctpa_source_t source = sctpa_source_of(sctpa, assoc, end, NULL), peer = sctpa_source_of(sctpa, assoc, !end, NULL);
    peer.direction = peer.at_receiver;
    peer.sender_tap_rtt = sender_tap_rtt(sctpa, assoc, end, !end);
    sctpa_learn(&source, &peer, sctpa_assoc(sctpa, assoc), end, learned);
    learn_counting(sctpa, assoc, end, &learned->values[SCTPA_PARAMETER_COUNTS_HEADERS]);
}

sctpa_abort_t sctpa_abort_reason(const sctpa_t *sctpa, uint32_t assoc)
{
    const sctpa_source_t sources[2] = { sctpa_source_of(sctpa, assoc, 0, NULL),
                                        sctpa_source_of(sctpa, assoc, 1, NULL) };
    return sctpa_abort_reason_of(sources, sctpa_assoc(sctpa, assoc));
}

sctpa_ladder_t *sctpa_ladder(const sctpa_t *sctpa, uint32_t assoc)
{
    const sctpa_assoc_t *of = sctpa_assoc(sctpa, assoc);
    const sctpa_ladder_source_t source = {
        .tracker = sctpa->tracker,
        .tracked = (const sctpa_tracked_t *)of,
        .sent = { sctpa_direction(sctpa, assoc, 0), sctpa_direction(sctpa, assoc, 1) },
        .n_packets = sctpa_flows_packets(sctpa->tracker, of),
        .last_frame = sctpa_outcome(sctpa, of, 0).last_frame,
        .tap_rtt_ns = { sctpa_tap_rtt_ns(sctpa, assoc, 0), sctpa_tap_rtt_ns(sctpa, assoc, 1) },
        .is_unclear = sctpa_taps(sctpa, assoc) == SCTPA_TAPS_UNCLEAR,
    };
    return sctpa_ladder_make(&source);
}
