/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a direction's paths did together, in JSON: at once, and one after the other; and how long packets took between
 * two taps. */
#include "json.h"

#include "../tables/tables.h"

static void write_behind(json_dumper *json, const sctpa_concurrent_path_t *path)
{
    sctpa_json_begin_object(json, "behind_tsns");
    sctpa_json_count(json, "count", path->behind);
    sctpa_json_known(json, "median", path->behind > 0, path->median);
    sctpa_json_known(json, "p95", path->behind > 0, path->p95);
    sctpa_json_known(json, "max", path->behind > 0, path->most);
    json_dumper_end_object(json);
}

void sctpa_json_concurrent(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end)
{
    sctpa_series_source_t source = sctpa_series_source(view->sctpa, assoc->number, (uint8_t)end, view->start_ns);
    sctpa_concurrent_t *concurrent = view->tally ? NULL : sctpa_concurrent_measure(&source);
    if (!concurrent) {
        sctpa_json_null(json, "concurrent");
        return;
    }
    sctpa_json_begin_object(json, "concurrent");
    sctpa_json_seconds(json, "time_s", concurrent->concurrent_ns);
    sctpa_json_count(json, "returns", concurrent->returns);
    sctpa_json_count(json, "first_frame", sctpa_packet_frame(view->sctpa, concurrent->first_packet));
    sctpa_json_known_seconds(json, "blocked_s", concurrent->is_blocking_known, concurrent->blocked_ns);
    sctpa_json_begin_array(json, "paths");
    for (unsigned path = 0; path < concurrent->paths->len; path++) {
        const sctpa_concurrent_path_t *of_path = &g_array_index(concurrent->paths, sctpa_concurrent_path_t, path);
        json_dumper_begin_object(json);
        sctpa_json_count(json, "index", path);
        write_behind(json, of_path);
        sctpa_json_known_seconds(json, "blocked_s", concurrent->is_blocking_known, of_path->blocked_ns);
        json_dumper_end_object(json);
    }
    json_dumper_end_array(json);
    json_dumper_end_object(json);
    sctpa_concurrent_free(concurrent);
}

static void write_frame(json_dumper *json, const char *name, uint32_t frame)
{
    sctpa_json_known(json, name, frame > 0, frame);
}

static void write_handover(json_dumper *json, const sctpa_view_t *view, const sctpa_handover_t *handover)
{
    const sctpa_t *sctpa = view->sctpa;
    const sctpa_address_request_t *request = handover->request;
    const bool is_acked = handover->acked_packet != SCTPA_NO_PACKET_INDEX;
    json_dumper_begin_object(json);
    sctpa_json_count(json, "path", handover->from);
    sctpa_json_count(json, "to", handover->to);
    sctpa_json_addr(json, "source", handover->source_from);
    sctpa_json_addr(json, "to_source", handover->source_to);
    sctpa_json_count(json, "frame", handover->frame);
    sctpa_json_seconds(json, "start_s", sctpa_view_since_start(view, sctpa_packet_time_ns(sctpa, handover->packet)));
    sctpa_json_text(json, "by", sctpa_handover_word(handover));
    write_frame(json, "asked_frame", request ? request->asked_frame : 0);
    write_frame(json, "request_acked_frame", request ? request->acked_frame : 0);
    sctpa_json_packet(json, view, "acked_frame", handover->acked_packet);
    sctpa_json_known_seconds(json, "acked_after_s", is_acked, handover->acked_ns);
    sctpa_json_known_seconds(json, "gap_s", handover->gap_ns >= 0, handover->gap_ns);
    sctpa_json_packet(json, view, "from_frame", handover->gap_since);
    sctpa_json_packet(json, view, "to_frame", handover->gap_until);
    sctpa_json_count(json, "retransmissions", handover->retransmitted);
    sctpa_json_count(json, "spurious", handover->spurious);
    sctpa_json_packet(json, view, "answered_frame", handover->old_answered_packet);
    json_dumper_end_object(json);
}

void sctpa_json_handovers(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end)
{
    if (view->tally) {
        sctpa_json_null(json, "handovers");
        return;
    }
    GArray *handovers = sctpa_handovers(view->sctpa, assoc->number, (uint8_t)end);
    sctpa_json_begin_array(json, "handovers");
    for (guint i = 0; i < handovers->len; i++)
        write_handover(json, view, &g_array_index(handovers, sctpa_handover_t, i));
    json_dumper_end_array(json);
    g_array_unref(handovers);
}

void sctpa_json_tap_delay(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                          unsigned path)
{
    sctpa_tap_delay_t delay;
    if (view->tally || !sctpa_tap_delay(view->sctpa, assoc->number, (uint8_t)end, (uint16_t)path, &delay)) {
        sctpa_json_null(json, "tap_delay");
        return;
    }
    sctpa_json_begin_object(json, "tap_delay");
    sctpa_json_count(json, "packets", delay.above_least.samples);
    sctpa_json_told_ms(json, view, "median_ms", true, delay.above_least.median_ns);
    sctpa_json_told_ms(json, view, "p95_ms", true, delay.above_least.p95_ns);
    sctpa_json_told_ms(json, view, "p99_ms", true, delay.above_least.p99_ns);
    sctpa_json_told_ms(json, view, "max_ms", true, delay.above_least.max_ns);
    sctpa_json_told_ms(json, view, "jitter_ms", true, delay.jitter_ns);
    sctpa_json_told_ms(json, view, "max_jitter_ms", true, delay.most_jitter_ns);
    sctpa_json_told_ms(json, view, "both_ways_ms", delay.both_ways_ns >= 0, delay.both_ways_ns);
    sctpa_json_told_ms(json, view, "clock_drift_ms", delay.is_drift_known, delay.drift_ns);
    json_dumper_end_object(json);
}
