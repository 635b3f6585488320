/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The member "message_delay" of a direction. */
#include "json.h"

static void write_times(json_dumper *json, const sctpa_view_t *view, const char *name, const sctpa_percentiles_t *times)
{
    if (times->samples == 0) {
        sctpa_json_null(json, name);
        return;
    }
    sctpa_json_begin_object(json, name);
    sctpa_json_count(json, "samples", times->samples);
    sctpa_json_told_ms(json, view, "median", true, times->median_ns);
    sctpa_json_told_ms(json, view, "p95", true, times->p95_ns);
    sctpa_json_told_ms(json, view, "p99", true, times->p99_ns);
    sctpa_json_told_ms(json, view, "max", true, times->max_ns);
    json_dumper_end_object(json);
}

static void write_sum(json_dumper *json, const sctpa_view_t *view, const sctpa_message_delay_t *sum)
{
    sctpa_json_count(json, "messages", sum->messages);
    sctpa_json_count(json, "not_acked", sum->outstanding);
    sctpa_json_count(json, "given_up", sum->given_up);
    sctpa_json_count(json, "partly_seen", sum->partly_seen);
    sctpa_json_count(json, "late", sum->late);
    write_times(json, view, "ack_ms", &sum->ack);
    sctpa_json_packet(json, view, "slowest_sent_frame", sum->slowest_sent);
    sctpa_json_packet(json, view, "slowest_ack_frame", sum->slowest_ack);
    write_times(json, view, "delivered_least_ms", &sum->delivered_least);
    write_times(json, view, "delivered_most_ms", &sum->delivered_most);
}

void sctpa_json_delays(json_dumper *json, const sctpa_view_t *view, const sctpa_message_delays_t *delays)
{
    if (delays == NULL || delays->all.messages == 0) {
        sctpa_json_null(json, "message_delay");
        return;
    }
    sctpa_json_begin_object(json, "message_delay");
    sctpa_json_ms(json, "budget_ms", delays->budget_ns);
    json_dumper_set_member_name(json, "at_least");
    json_dumper_value_anyf(json, delays->is_least ? "true" : "false");
    write_sum(json, view, &delays->all);
    sctpa_json_begin_array(json, "streams");
    for (unsigned i = 0; i < delays->streams->len; i++) {
        const sctpa_message_delay_t *sum = &g_array_index(delays->streams, sctpa_message_delay_t, i);
        json_dumper_begin_object(json);
        sctpa_json_count(json, "stream", sum->stream);
        sctpa_json_count(json, "ppid", sum->ppid);
        write_sum(json, view, sum);
        json_dumper_end_object(json);
        sctpa_json_offer(json);
    }
    json_dumper_end_array(json);
    json_dumper_end_object(json);
}
