/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source of an association's series: its direction, and by which path of the data's sender each packet went. */
#include "analysis.h"

#include "track/near_tap.h"
#include "track/tracker.h"

static uint16_t path_of(const sctpa_series_source_t *source, uint32_t packet)
{
    sctpa_packet_result_t result;
    if (!sctpa_packet_result(source->analysis, packet, &result) || result.assoc == SCTPA_NO_ASSOC)
        return SCTPA_SERIES_ANY_PATH;
    return result.from == source->end ? result.path : result.peer_path;
}

typedef struct {
    sctpa_cwnd_visit_fn visit;
    void *user;
} visiting_t;

static void visit_cwnd(void *user, uint16_t path, uint32_t packet, const sctpa_congestion_t *congestion)
{
    const visiting_t *visiting = user;
    sctpa_cwnd_point_t point = {
        packet, congestion->cwnd, congestion->cwnd_min, congestion->cwnd_max, congestion->ssthresh, path
    };
    visiting->visit(visiting->user, &point);
}

static void each_cwnd(const sctpa_series_source_t *source, sctpa_cwnd_visit_fn visit, void *user)
{
    const sctpa_t *sctpa = source->analysis;
    visiting_t visiting = { visit, user };
    if (source->data_only || sctpa_taps(sctpa, source->assoc) != SCTPA_TAPS_ONE)
        return;
    sctpa_congestion_each(sctpa_model_reference(sctpa->model), sctpa_tracked_find(sctpa->tracker, source->assoc),
                          source->end, visit_cwnd, &visiting);
}

static void each_rto(const sctpa_series_source_t *source, sctpa_rto_visit_fn visit, void *user)
{
    sctpa_rtos(source->analysis, source->assoc, source->end, visit, user);
}

sctpa_series_source_t sctpa_series_source(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, int64_t start_ns)
{
    const sctpa_assoc_t *of = sctpa_assoc(sctpa, assoc);
    const sctpa_init_t *receiver = &of->ends[!end].init;
    const sctpa_tap_data_t *tap = sctpa_near_tap((const sctpa_tracked_t *)of, end, end);
    return (sctpa_series_source_t){ .direction = sctpa_direction(sctpa, assoc, end),
                                    .at_receiver = sctpa_direction_at_receiver(sctpa, assoc, end),
                                    .start_ns = start_ns,
                                    .path = path_of,
                                    .each_cwnd = each_cwnd,
                                    .each_rto = each_rto,
                                    .assoc = assoc,
                                    .analysis = sctpa,
                                    .end = end,
                                    .window_bytes = receiver->seen ? receiver->a_rwnd_bytes : 0,
                                    .sender_tap_rtt_ns = sctpa_tap_rtt_ns(sctpa, assoc, end),
                                    .set_up_ns =
                                        (tap ? &tap->setup : &of->setup)->steps[SCTPA_STEP_COOKIE_ACK].first_ns,
                                    .last_ns = tap ? tap->last_ns : INT64_MAX,
                                    .data_only = sctpa_assoc_is_data_only(of) };
}
