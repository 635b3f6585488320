/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of the application's messages and events. The report that prints them is messages_report.c. */
#include "window_tables.h"

#include "../text/column_meanings.h"
static const sctpa_column_t columns[] = {
    { "from", SCTPA_LEFT, .meaning = SCTPA_MEANS_FROM },
    { "protocol", SCTPA_LEFT, .meaning = "protocol of the application, as Wireshark names it" },
    { "message", SCTPA_LEFT, .meaning = "kind of message, as Wireshark's dissector names it" },
    { "count", SCTPA_RIGHT, .meaning = "messages of this kind" },
    { "bytes", SCTPA_RIGHT, .meaning = "of user data" },
    { "repeats", SCTPA_RIGHT, .meaning = "of them, those that the application repeated" },
    { "apart s", SCTPA_RIGHT, .meaning = "time between repeats, in seconds" },
    { "open", SCTPA_RIGHT, .meaning = "requests without an answer" },
    { "answer ms", SCTPA_RIGHT, .meaning = "time from request to answer, median, in milliseconds" },
    { "slowest ms", SCTPA_RIGHT, .meaning = "longest time from request to answer, in milliseconds" },
    { "frame", SCTPA_RIGHT, .meaning = "number of the packet with the request of the slowest answer",
      .holds = SCTPA_HOLDS_FRAMES },
    { "ack ms", SCTPA_RIGHT, .meaning = "time from a message to its acknowledgement by SCTP, median, in milliseconds" },
    { "slowest ack", SCTPA_RIGHT, .meaning = "longest time from a message to its acknowledgement, in milliseconds" },
    { "ack frame", SCTPA_RIGHT, .meaning = "number of the packet with that message", .holds = SCTPA_HOLDS_FRAMES },
};
static const sctpa_column_t event_columns[] = {
    { "time s", SCTPA_RIGHT, .meaning = SCTPA_MEANS_TIME_S, .holds = SCTPA_HOLDS_MOMENTS },
    { "frame", SCTPA_RIGHT, .meaning = SCTPA_MEANS_FRAME, .holds = SCTPA_HOLDS_FRAMES },
    { "from", SCTPA_LEFT, .meaning = SCTPA_MEANS_FROM },
    { "event", SCTPA_LEFT, .meaning = "what the application did" },
};

static void add_frame(sctpa_table_t *table, const sctpa_message_times_t *times)
{
    if (times->spread.samples > 0)
        sctpa_table_plain(table, times->frame);
    else
        sctpa_table_skip(table, 1);
}

static void add_times(const sctpa_view_t *view, sctpa_table_t *table, const sctpa_message_times_t *times)
{
    sctpa_view_ms(view, table, times->spread.samples > 0, times->spread.median_ns);
    sctpa_view_ms(view, table, times->spread.samples > 0, times->spread.max_ns);
    add_frame(table, times);
}

static void add_line(const sctpa_view_t *view, sctpa_table_t *table, const sctpa_message_line_t *line)
{
    sctpa_table_plain(table, line->from);
    sctpa_table_text(table, line->name->protocol);
    sctpa_table_text(table, line->name->name);
    sctpa_table_count(table, line->sum.count);
    sctpa_table_count(table, line->sum.bytes);
    sctpa_table_count(table, line->sum.repeats);
    if (line->intervals.spread.samples > 0 && sctpa_view_tells(view, line->intervals.spread.median_ns))
        sctpa_table_seconds(table, line->intervals.spread.median_ns);
    else
        sctpa_table_skip(table, 1);
    sctpa_table_count(table, line->sum.unanswered);
    add_times(view, table, &line->answers);
    add_times(view, table, &line->delays);
}

static void add_messages(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    const sctpa_application_t *application = sctpa_window_table_application(source);
    unsigned n = 0;
    const sctpa_message_line_t *lines =
        application != NULL ? sctpa_application_lines(application, assoc->number, &n) : NULL;
    for (unsigned i = 0; i < n; i++)
        if (lines[i].sum.count > 0)
            add_line(source->view, table, &lines[i]);
}

static void add_events(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    const sctpa_application_t *application = sctpa_window_table_application(source);
    unsigned n = 0;
    const sctpa_application_event_t *events =
        application != NULL ? sctpa_application_events(application, assoc->number, &n) : NULL;
    for (unsigned i = 0; i < n; i++) {
        sctpa_view_moment(source->view, table, events[i].time_ns);
        sctpa_table_plain(table, events[i].frame);
        sctpa_table_plain(table, events[i].from);
        sctpa_table_long(table, events[i].text);
    }
}

const sctpa_window_table_t sctpa_window_table_messages = {
    .name = "messages",
    .title = "What each endpoint (from) sent (open: without an answer)",
    SCTPA_COLUMNS(columns),
    .add = add_messages,
    .is_whole = true,
};
const sctpa_window_table_t sctpa_window_table_application_events = {
    .name = "application_events",
    .title = "Events of the application",
    SCTPA_COLUMNS(event_columns),
    .add = add_events,
    .is_whole = true,
};
