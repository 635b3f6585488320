/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sheets of the application's messages and events. The report that prints them is messages_report.c. */
#include "window_tables.h"

enum { ANSWER_FRAME = 10, ACK_FRAME = 13 };
static const sctpa_column_t columns[] = {
    { "from", SCTPA_LEFT, 0 },
    { "protocol", SCTPA_LEFT, 0 },
    { "message", SCTPA_LEFT, 0 },
    { "count", SCTPA_RIGHT, 0 },
    { "bytes", SCTPA_RIGHT, 0 },
    { "repeats", SCTPA_RIGHT, 0 },
    { "apart s", SCTPA_RIGHT, 0 },
    { "open", SCTPA_RIGHT, 0 },
    { "answer ms", SCTPA_RIGHT, 0 },
    { "slowest ms", SCTPA_RIGHT, 0 },
    [ANSWER_FRAME] = { "frame", SCTPA_RIGHT, 0 },
    { "ack ms", SCTPA_RIGHT, 0 },
    { "slowest ack", SCTPA_RIGHT, 0 },
    [ACK_FRAME] = { "ack frame", SCTPA_RIGHT, 0 },
};
enum { EVENT_TIME, EVENT_FRAME };
static const sctpa_column_t event_columns[] = {
    [EVENT_TIME] = { "time s", SCTPA_RIGHT, 0 },
    [EVENT_FRAME] = { "frame", SCTPA_RIGHT, 0 },
    { "from", SCTPA_LEFT, 0 },
    { "event", SCTPA_LEFT, 0 },
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

const sctpa_window_table_t sctpa_window_table_messages = { "messages",
                                                           "What each endpoint (from) sent (open: without an answer)",
                                                           columns,
                                                           G_N_ELEMENTS(columns),
                                                           1u << ANSWER_FRAME | 1u << ACK_FRAME,
                                                           0,
                                                           add_messages,
                                                           true,
                                                           0 };
const sctpa_window_table_t sctpa_window_table_application_events = { "application_events",
                                                                     "Events of the application",
                                                                     event_columns,
                                                                     G_N_ELEMENTS(event_columns),
                                                                     1u << EVENT_FRAME,
                                                                     1u << EVENT_TIME,
                                                                     add_events,
                                                                     true,
                                                                     0 };
