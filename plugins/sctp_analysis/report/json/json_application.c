/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The member "application" of an association: what -z sctp,messages says of it. */
#include "json.h"

/* A spread of times in the member name, the frame of the longest in frame_name; both null without any. */
static void write_times(json_dumper *json, const sctpa_view_t *view, const char *name, const char *frame_name,
                        const sctpa_message_times_t *times)
{
    sctpa_json_spread(json, view, name, &times->spread);
    sctpa_json_known(json, frame_name, times->spread.samples > 0, times->frame);
}

static void write_holds(json_dumper *json, const sctpa_message_holds_t *holds)
{
    if (holds->messages == 0) {
        sctpa_json_null(json, "held");
        return;
    }
    sctpa_json_begin_object(json, "held");
    sctpa_json_count(json, "messages", holds->messages);
    sctpa_json_seconds(json, "longest_s", holds->longest_ns);
    sctpa_json_count(json, "frame", holds->frame);
    sctpa_json_count(json, "behind_tsn", holds->tsn);
    sctpa_json_count(json, "behind_frame", holds->tsn_frame);
    json_dumper_end_object(json);
}

static void write_line(json_dumper *json, const sctpa_view_t *view, const sctpa_message_line_t *line)
{
    json_dumper_begin_object(json);
    sctpa_json_count(json, "from", line->from);
    sctpa_json_text(json, "protocol", line->name->protocol);
    sctpa_json_text(json, "message", line->name->name);
    sctpa_json_text(json, "kind", sctpa_message_kind_word(line->name->kind));
    sctpa_json_count(json, "count", line->sum.count);
    sctpa_json_count(json, "bytes", line->sum.bytes);
    sctpa_json_count(json, "repeats", line->sum.repeats);
    sctpa_json_count(json, "answered", line->sum.answered);
    sctpa_json_count(json, "ambiguous", line->sum.ambiguous);
    sctpa_json_count(json, "unanswered", line->sum.unanswered);
    write_times(json, view, "repeat_interval_ms", "longest_interval_frame", &line->intervals);
    write_times(json, view, "answer_time_ms", "slowest_answer_frame", &line->answers);
    write_times(json, view, "ack_delay_ms", "slowest_ack_frame", &line->delays);
    write_holds(json, &line->holds);
    json_dumper_end_object(json);
}

static void write_event(json_dumper *json, const sctpa_view_t *view, const sctpa_application_event_t *event)
{
    json_dumper_begin_object(json);
    sctpa_json_seconds(json, "time_s", sctpa_view_since_start(view, event->time_ns));
    sctpa_json_count(json, "frame", event->frame);
    sctpa_json_count(json, "from", event->from);
    sctpa_json_text(json, "event", event->text);
    json_dumper_end_object(json);
}

void sctpa_json_application(json_dumper *json, const sctpa_view_t *view, const sctpa_application_t *application,
                            uint32_t assoc)
{
    if (application == NULL) {
        sctpa_json_null(json, "application");
        return;
    }
    unsigned n;
    sctpa_json_begin_object(json, "application");
    sctpa_json_begin_array(json, "messages");
    const sctpa_message_line_t *lines = sctpa_application_lines(application, assoc, &n);
    for (unsigned i = 0; i < n; i++)
        if (lines[i].sum.count > 0)
            write_line(json, view, &lines[i]);
    json_dumper_end_array(json);
    sctpa_json_begin_array(json, "events");
    const sctpa_application_event_t *events = sctpa_application_events(application, assoc, &n);
    for (unsigned i = 0; i < n; i++)
        write_event(json, view, &events[i]);
    json_dumper_end_array(json);
    json_dumper_end_object(json);
}
