/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of the application's messages and events. The report that prints them is messages_report.c. */
#include "window_tables.h"

static void add_apart(sctpa_table_t *table, const sctpa_view_t *view, const sctpa_percentiles_t *spread)
{
    if (spread->samples > 0 && sctpa_view_tells(view, spread->median_ns))
        sctpa_table_seconds(table, spread->median_ns);
    else
        sctpa_table_skip(table, 1);
}

/* Nothing where there is none. */
static void add_frame(sctpa_table_t *table, bool is_known, uint32_t frame)
{
    if (is_known)
        sctpa_table_plain(table, frame);
    else
        sctpa_table_skip(table, 1);
}
#define SCTPA_LOOK_APART SCTPA_RIGHT
#define SCTPA_CELL_APART(is_known, spread) add_apart(table, view, spread)
#define SCTPA_LOOK_LONGEST_FRAME SCTPA_LOOK_FRAME
#define SCTPA_CELL_LONGEST_FRAME(is_known, frame) add_frame(table, is_known, frame)

#define SCTPA_OBJECTS "../rows/message_objects.def"
#include "../rows/columns.h"

static void add_messages(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    const sctpa_application_t *application = sctpa_window_table_application(source);
    unsigned n = 0;
    const sctpa_message_line_t *lines =
        application != NULL ? sctpa_application_lines(application, assoc->number, &n) : NULL;
    for (unsigned i = 0; i < n; i++)
        if (lines[i].sum.count > 0)
            cells_message(table, source->view, &lines[i]);
}

static void add_events(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    const sctpa_application_t *application = sctpa_window_table_application(source);
    unsigned n = 0;
    const sctpa_application_event_t *events =
        application != NULL ? sctpa_application_events(application, assoc->number, &n) : NULL;
    for (unsigned i = 0; i < n; i++)
        cells_application_event(table, source->view, &events[i]);
}

const sctpa_window_table_t sctpa_window_table_messages = {
    .name = "messages",
    .title = "What each endpoint (from) sent (open: without an answer)",
    SCTPA_COLUMNS(columns_message),
    .add = add_messages,
    .is_whole = true,
};
const sctpa_window_table_t sctpa_window_table_application_events = {
    .name = "application_events",
    .title = "Events of the application",
    SCTPA_COLUMNS(columns_application_event),
    .add = add_events,
    .is_whole = true,
};
