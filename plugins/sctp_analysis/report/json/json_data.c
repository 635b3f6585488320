/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an association's endpoints sent, in JSON: per path, direction and stream. */
#include "../tables/path_counts.h"
#include "../text/address_labels.h"
#include "../text/protocol_names.h"
#include "json.h"

static const sctpa_sent_t nothing;

void sctpa_json_addr(json_dumper *json, const char *name, const sctpa_addr_t *addr)
{
    GString *text = g_string_new(NULL);
    if (addr)
        sctpa_addr_append(text, addr);
    sctpa_json_text(json, name, text->len ? text->str : NULL);
    g_string_free(text, TRUE);
}

static void write_pairs(json_dumper *json, const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end,
                        unsigned path)
{
    const sctpa_end_t *endpoint = &assoc->ends[end];

    sctpa_json_begin_array(json, "pairs");
    for (unsigned i = 0; i < endpoint->n_pairs; i++) {
        const sctpa_pair_t *pair = endpoint->pairs[i];
        const sctpa_counts_t *counts = pair->path == path ? sctpa_selection_pair(selection, assoc, end, i) : NULL;
        if (!counts || counts->packets == 0)
            continue;
        json_dumper_begin_object(json);
        sctpa_json_addr(json, "source", pair->source);
        sctpa_json_count(json, "packets", counts->packets);
        sctpa_json_count(json, "wire_bytes", counts->wire_bytes);
        json_dumper_end_object(json);
    }
    json_dumper_end_array(json);
}

static void write_rates(json_dumper *json, const sctpa_sent_t *sent, int64_t span_ns)
{
    sctpa_json_rate(json, "throughput_bps", sctpa_rate_bps(sent->data_wire_bytes, span_ns));
    sctpa_json_rate(json, "goodput_bps", sctpa_sent_goodput_bps(sent, span_ns));
}

static void write_transit(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                          unsigned path)
{
    sctpa_two_taps_result_t transit;
    if (!sctpa_two_taps_result(assoc, (uint8_t)end, (uint16_t)path, &transit)) {
        sctpa_json_null(json, "transit");
        return;
    }
    sctpa_json_begin_object(json, "transit");
    sctpa_json_count(json, "packets", transit.both);
    sctpa_json_count(json, "lost", transit.lost);
    sctpa_json_count(json, "far_only", transit.only_far);
    sctpa_json_told_ms(json, view, "min_ms", true, transit.min_ns);
    sctpa_json_told_ms(json, view, "mean_ms", true, transit.mean_ns);
    sctpa_json_told_ms(json, view, "max_ms", true, transit.max_ns);
    sctpa_json_told_ms(json, view, "clock_offset_ms", transit.offset_known, transit.offset_ns);
    json_dumper_end_object(json);
}

static void write_path(json_dumper *json, const sctpa_view_t *view, const sctpa_path_t *path,
                       const sctpa_probing_t *probed, const sctpa_counts_t *counts, const sctpa_sent_t *sent,
                       int64_t span_ns)
{
    sctpa_json_addr(json, "destination", path->destination);
    sctpa_json_count(json, "packets", counts->packets);
    sctpa_json_count(json, "wire_bytes", counts->wire_bytes);
    sctpa_json_count(json, "data_chunks", sctpa_counts_data_chunks(counts));
    sctpa_json_count(json, "user_bytes", sent->user_bytes);
    sctpa_json_count(json, "retransmissions", sctpa_sent_rtx(sent));
    sctpa_json_count(json, "retransmitted", sent->retransmitted);
    sctpa_json_count(json, "lost", sent->lost);
    sctpa_json_count(json, "heartbeats", sctpa_counts_chunks(counts, SCTPA_CHUNK_ROW_HEARTBEAT));
    sctpa_json_known(json, "heartbeats_acked", !view->tally, probed->heartbeats_acked);
    sctpa_json_known(json, "heartbeats_lost", !view->tally, probed->heartbeats_lost);
    sctpa_json_spread(json, view, "rtt_ms", &sent->rtt);
    sctpa_json_spread(json, view, "heartbeat_rtt_ms", &sent->heartbeat_rtt);
    write_rates(json, sent, span_ns);
}

static void write_paths_of(json_dumper *json, const sctpa_view_t *view, const sctpa_selection_t *selection,
                           const sctpa_assoc_t *assoc, unsigned end, const sctpa_measure_t *measure)
{
    unsigned n;
    sctpa_counts_t *counts = sctpa_paths_counts(selection, assoc, end, &n);

    for (unsigned path = 0; path < n; path++) {
        if (counts[path].packets == 0)
            continue;
        json_dumper_begin_object(json);
        sctpa_json_count(json, "index", path);
        sctpa_json_count(json, "from", end);
        write_path(json, view, &assoc->ends[end].paths[path], sctpa_path_probed(view->sctpa, assoc, end, path),
                   &counts[path],
                   path < measure->paths->len ? &g_array_index(measure->paths, sctpa_sent_t, path) : &nothing,
                   measure->span_ns);
        write_transit(json, view, assoc, end, path);
        sctpa_json_tap_delay(json, view, assoc, end, path);
        write_pairs(json, selection, assoc, end, path);
        json_dumper_end_object(json);
    }
    g_free(counts);
}

static uint32_t sack_count(const sctpa_counts_t *counts)
{
    return sctpa_counts_chunks(counts, SCTPA_CHUNK_ROW_SACK) + sctpa_counts_chunks(counts, SCTPA_CHUNK_ROW_NR_SACK);
}

static void write_retransmissions(json_dumper *json, const sctpa_view_t *view, const sctpa_measure_t *measure)
{
    const sctpa_sent_t *sent = &measure->all;

    sctpa_json_begin_object(json, "retransmissions");
    for (unsigned kind = 0; kind < SCTPA_RTX_KINDS; kind++)
        sctpa_json_count(json, sctpa_rtx_word((sctpa_rtx_kind_t)kind), sent->rtx[kind]);
    json_dumper_end_object(json);
    sctpa_json_count(json, "other_messages", sent->other_messages);
    sctpa_json_count(json, "doubled", sent->doubled);
    sctpa_json_count(json, "resent_unseen", sent->resent_unseen);
    sctpa_json_count(json, "resent_unproven", sent->resent_unproven);
    sctpa_json_count(json, "reordered", sent->reordered);
    sctpa_json_told_ms(json, view, "reordered_ms", sent->reordered > 0, sent->reordered_ns);
    sctpa_json_count(json, "spurious", sent->spurious);
    sctpa_json_count(json, "lost", sent->lost);
    sctpa_json_count(json, "abandoned_tsns", sent->abandoned_tsns);
    sctpa_json_count(json, "abandoned_acked_tsns",
                     sent->abandoned_tsns - MIN(measure->given_up_tsns, sent->abandoned_tsns));
}

static void write_theory(json_dumper *json, const sctpa_view_t *view, const sctpa_measure_t *measure)
{
    if (!measure->has_theory || !sctpa_view_tells(view, measure->theory.rtt_ns)) {
        sctpa_json_null(json, "theory_bps");
        return;
    }
    sctpa_json_begin_object(json, "theory_bps");
    sctpa_json_null(json, "ideal");
    sctpa_json_rate(json, "window", measure->theory.window_bps);
    sctpa_json_rate(json, "lossy", measure->theory.lossy_bps);
    sctpa_json_rate(json, "lossy_headers", measure->theory.lossy_headers_bps);
    json_dumper_end_object(json);
}

static void write_ratio(json_dumper *json, const char *name, double ratio)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    json_dumper_set_member_name(json, name);
    json_dumper_value_anyf(json, "%s", ratio < 0 ? "null" : g_ascii_formatd(text, sizeof text, "%.6f", ratio));
}

static void write_efficiency(json_dumper *json, const sctpa_view_t *view, const sctpa_counts_t *counts,
                             const sctpa_measure_t *measure)
{
    const sctpa_efficiency_t efficiency = sctpa_efficiency_of(counts, &measure->all);
    sctpa_json_begin_object(json, "efficiency");
    sctpa_json_count(json, "data_packets", efficiency.data_packets);
    sctpa_json_count(json, "other_packets", efficiency.other_packets);
    write_ratio(json, "other_per_data_packet", efficiency.other_per_data);
    write_ratio(json, "chunks_per_data_packet", efficiency.chunks_per_packet);
    write_ratio(json, "bundled_share", efficiency.bundled_share);
    write_ratio(json, "sack_share", efficiency.sack_share);
    write_ratio(json, "header_share", efficiency.header_share);
    write_ratio(json, "data_header_share", efficiency.data_header_share);
    sctpa_json_known_seconds(json, "sack_delay_sum_s",
                             measure->sack_delay.samples > 0 && sctpa_view_tells(view, measure->sack_delay.max_ns),
                             measure->sack_delay_sum_ns);
    json_dumper_end_object(json);
}

static void write_closed(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end)
{
    sctpa_series_source_t source = sctpa_series_source(view->sctpa, assoc->number, (uint8_t)end, view->start_ns);
    if (view->tally || source.data_only) {
        sctpa_json_null(json, "closed_windows");
        return;
    }
    sctpa_windows_t *windows = sctpa_windows_were_closed(source.direction) ? sctpa_windows_measure(&source) : NULL;
    sctpa_json_begin_object(json, "closed_windows");
    sctpa_json_count(json, "times", windows ? windows->closed->len : 0);
    sctpa_json_seconds(json, "total_s", windows ? windows->closed_ns : 0);
    sctpa_json_seconds(json, "slow_reader_s", windows ? windows->reader_ns : 0);
    sctpa_json_seconds(json, "waiting_for_tsn_s", windows ? windows->waiting_ns : 0);
    json_dumper_end_object(json);
    sctpa_windows_free(windows);
}

void sctpa_json_pause(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                      const sctpa_pause_t *pause)
{
    const sctpa_t *sctpa = view->sctpa;
    const sctpa_end_t *endpoint = &assoc->ends[end];
    const bool has_timeout = pause->lost != SCTPA_NO_PACKET_INDEX;
    json_dumper_begin_object(json);
    sctpa_json_count(json, "from_frame", sctpa_packet_frame(sctpa, pause->since));
    sctpa_json_packet(json, view, "to_frame", pause->until);
    sctpa_json_seconds(json, "start_s", sctpa_view_since_start(view, sctpa_packet_time_ns(sctpa, pause->since)));
    sctpa_json_seconds(json, "length_s", pause->paused_ns);
    sctpa_json_seconds(json, "length_most_s", pause->most_ns);
    sctpa_json_text(json, "ended_by", sctpa_pause_end_word((sctpa_pause_end_t)pause->ended));
    sctpa_json_text(json, "cause", sctpa_pause_word((sctpa_pause_cause_t)pause->cause));
    sctpa_json_packet(json, view, "lost_frame", pause->lost);
    sctpa_json_packet(json, view, "timeout_frame", has_timeout ? pause->repeated : SCTPA_NO_PACKET_INDEX);
    sctpa_json_packet(json, view, "timer_from_frame", pause->started);
    const bool has_timer = pause->started != SCTPA_NO_PACKET_INDEX;
    sctpa_json_known_seconds(json, "timer_s", has_timer && !pause->may_start_late, pause->waited_ns);
    sctpa_json_known_seconds(json, "timer_most_s", has_timer, pause->waited_ns);
    sctpa_json_addr(json, "destination",
                    pause->path < endpoint->n_paths ? endpoint->paths[pause->path].destination : NULL);
    sctpa_json_count(json, "timeouts", pause->timeouts);
    sctpa_json_count(json, "outstanding_chunks", pause->chunks);
    json_dumper_end_object(json);
}

/* Facts of the whole association: of a part of it they are not known. */
static void write_pauses(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end)
{
    sctpa_pauses_t *pauses =
        view->tally || sctpa_assoc_is_data_only(assoc) ? NULL : sctpa_view_pauses(view, assoc, end);
    if (!pauses) {
        sctpa_json_null(json, "pauses");
        return;
    }
    sctpa_json_begin_object(json, "pauses");
    sctpa_json_seconds(json, "total_s", pauses->paused_ns);
    sctpa_json_seconds(json, "idle_s", pauses->idle_ns);
    sctpa_json_seconds(json, "late_ack_s", pauses->acking_ns);
    sctpa_json_begin_object(json, "by_cause");
    for (unsigned cause = 0; cause < SCTPA_PAUSE_CAUSES; cause++) {
        if (pauses->lost_ns[cause] == 0)
            continue;
        char *name = g_strdup_printf("%s_s", sctpa_pause_word((sctpa_pause_cause_t)cause));
        sctpa_json_seconds(json, name, pauses->lost_ns[cause]);
        g_free(name);
    }
    json_dumper_end_object(json);
    const sctpa_early_timeouts_t *early = &pauses->early;
    sctpa_json_begin_object(json, "rto_below_sack_delay");
    sctpa_json_count(json, "chunks", early->chunks);
    sctpa_json_known_ms(json, "rto_least_ms", early->chunks > 0, early->rto_least_ns);
    sctpa_json_known_ms(json, "rto_most_ms", early->chunks > 0, early->rto_most_ns);
    sctpa_json_known_ms(json, "sack_delay_ms", early->chunks > 0, early->sack_delay_ns);
    json_dumper_end_object(json);
    sctpa_json_begin_array(json, "list");
    for (unsigned i = 0; i < pauses->pauses->len; i++) {
        sctpa_json_pause(json, view, assoc, end, &g_array_index(pauses->pauses, sctpa_pause_t, i));
        sctpa_json_offer(json);
    }
    json_dumper_end_array(json);
    json_dumper_end_object(json);
    sctpa_pauses_free(pauses);
}

/* The user data that end sent, and the SACKs that its peer sent for it. */
static void write_direction(json_dumper *json, const sctpa_view_t *view, const sctpa_selection_t *selection,
                            const sctpa_assoc_t *assoc, unsigned end, const sctpa_measure_t *measure,
                            const sctpa_message_delays_t *delays)
{
    const sctpa_switching_t *switching = assoc->ends[end].rare->switching;
    const sctpa_counts_t *sent = sctpa_selection_end(selection, assoc, end);

    json_dumper_begin_object(json);
    sctpa_json_count(json, "from", end);
    sctpa_json_count(json, "data_chunks", sctpa_counts_data_chunks(sent));
    sctpa_json_count(json, "tsns", measure->all.tsns);
    sctpa_json_count(json, "messages", measure->all.messages);
    sctpa_json_count(json, "user_bytes", measure->all.user_bytes);
    sctpa_json_count(json, "wire_bytes", sent->wire_bytes);
    write_retransmissions(json, view, measure);
    sctpa_json_count(json, "timeouts", measure->timeouts);
    sctpa_json_count(json, "sacks", sack_count(sctpa_selection_end(selection, assoc, !end)));
    sctpa_json_spread(json, view, "sack_delay_ms", &measure->sack_delay);
    write_efficiency(json, view, sent, measure);
    sctpa_json_count(json, "duplicates_reported", sctpa_selection_duplicates(selection, assoc, !end));
    sctpa_json_known(json, "reneged_tsns", measure->reneged_known, measure->all.reneged_tsns);
    sctpa_json_count(json, "zero_windows", measure->zero_windows);
    write_closed(json, view, assoc, end);
    write_pauses(json, view, assoc, end);
    sctpa_json_delays(json, view, delays);
    sctpa_json_known(json, "missed_by_capture", measure->missed_known, measure->missed);
    sctpa_json_spread(json, view, "rtt_ms", &measure->all.rtt);
    write_rates(json, &measure->all, measure->span_ns);
    write_theory(json, view, measure);
    sctpa_json_known(json, "primary_changes", !view->tally, switching ? switching->primary_changes : 0);
    sctpa_json_known(json, "ping_pong", !view->tally, switching ? switching->ping_pong : 0);
    sctpa_json_concurrent(json, view, assoc, end);
    sctpa_json_handovers(json, view, assoc, end);
    json_dumper_end_object(json);
}

static void write_delay(json_dumper *json, const sctpa_view_t *view, const char *name,
                        const sctpa_percentiles_t *spread)
{
    if (spread->samples == 0) {
        sctpa_json_null(json, name);
        return;
    }
    sctpa_json_begin_object(json, name);
    sctpa_json_told_ms(json, view, "median", true, spread->median_ns);
    sctpa_json_told_ms(json, view, "p95", true, spread->p95_ns);
    sctpa_json_told_ms(json, view, "max", true, spread->max_ns);
    json_dumper_end_object(json);
}

static void write_ppids(json_dumper *json, const sctpa_assoc_t *assoc, const GArray *ppids)
{
    GString *name = g_string_new(NULL);
    sctpa_json_begin_array(json, "ppids");
    for (unsigned i = 0; ppids && i < ppids->len; i++)
        json_dumper_value_anyf(json, "%u", g_array_index(ppids, uint32_t, i));
    json_dumper_end_array(json);
    sctpa_json_begin_array(json, "ppid_names");
    for (unsigned i = 0; ppids && i < ppids->len; i++) {
        g_string_truncate(name, 0);
        bool has_name = sctpa_ppid_text_name(name, assoc, g_array_index(ppids, uint32_t, i));
        if (has_name)
            json_dumper_value_string(json, name->str);
        else
            json_dumper_value_anyf(json, "null");
    }
    json_dumper_end_array(json);
    g_string_free(name, TRUE);
}

static void write_stream(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                         const sctpa_stream_t *stream)
{
    json_dumper_begin_object(json);
    sctpa_json_count(json, "from", end);
    sctpa_json_count(json, "id", stream->id);
    sctpa_json_count(json, "chunks", stream->chunks);
    sctpa_json_count(json, "messages", stream->messages);
    sctpa_json_count(json, "user_bytes", stream->user_bytes);
    sctpa_json_count(json, "unordered_messages", stream->unordered_messages);
    write_ppids(json, assoc, stream->ppids);
    write_delay(json, view, "hol_delay_ms", &stream->hol_delay);
    write_delay(json, view, "hol_delay_most_ms", &stream->hol_delay_most);
    json_dumper_end_object(json);
}

static void write_streams_of(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                             const GArray *streams)
{
    for (unsigned i = 0; i < streams->len; i++) {
        write_stream(json, view, assoc, end, &g_array_index(streams, sctpa_stream_t, i));
        sctpa_json_offer(json);
    }
}

void sctpa_json_data(json_dumper *json, const sctpa_view_t *view, const sctpa_selection_t *selection,
                     const sctpa_assoc_t *assoc)
{
    sctpa_measure_t *measures[2];
    GArray *streams[2];

    sctpa_json_begin_array(json, "paths");
    for (unsigned e = 0; e < 2; e++) {
        measures[e] = sctpa_selection_measure(selection, assoc, e);
        write_paths_of(json, view, selection, assoc, e, measures[e]);
    }
    json_dumper_end_array(json);
    sctpa_json_begin_array(json, "directions");
    for (unsigned e = 0; e < 2; e++) {
        sctpa_message_delays_t *delays = sctpa_selection_delays(selection, assoc, e, &streams[e]);
        write_direction(json, view, selection, assoc, e, measures[e], delays);
        sctpa_measure_free(measures[e]);
        sctpa_message_delays_free(delays);
    }
    json_dumper_end_array(json);
    sctpa_json_begin_array(json, "streams");
    for (unsigned e = 0; e < 2; e++) {
        write_streams_of(json, view, assoc, e, streams[e]);
        g_array_unref(streams[e]);
    }
    json_dumper_end_array(json);
}
