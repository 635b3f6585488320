/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of an association's events. In text they stand in -z sctp,triage, in JSON whole. */
#include "window_tables.h"

#include "../rows/rows.h"
#include "../text/outcome_text.h"

static void add_word(sctpa_table_t *table, sctpa_event_kind_t kind)
{
    GString *word = g_string_new(NULL);
    sctpa_outcome_append_word(word, sctpa_event_word(kind));
    sctpa_table_take(table, word);
}

static void add_endpoint(sctpa_table_t *table, const sctpa_event_row_t *row)
{
    if (row->event->end < SCTPA_NO_END)
        sctpa_labels_endpoint_cell(row->labels, row->assoc, row->event->end, table);
    else
        sctpa_table_text(table, "-");
}
#define SCTPA_LOOK_EVENT SCTPA_LEFT
#define SCTPA_CELL_EVENT(is_known, kind) add_word(table, kind)
#define SCTPA_LOOK_ENDPOINT SCTPA_LEFT
#define SCTPA_CELL_ENDPOINT(is_known, row) add_endpoint(table, row)
#define SCTPA_LOOK_DETAIL SCTPA_WRAPPED, 8
#define SCTPA_CELL_DETAIL(is_known, text) sctpa_table_text(table, text)

#define SCTPA_OBJECTS "../rows/event_objects.def"
#include "../rows/columns.h"

static void add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    for (uint32_t i = 0; i < assoc->n_events; i++)
        if (sctpa_tally_has_moment(source->view->tally, assoc->events[i].time_ns))
            cells_event(table, source->view, &(sctpa_event_row_t){ assoc, source->labels, &assoc->events[i] });
}

const sctpa_window_table_t sctpa_window_table_events = {
    .name = "events",
    .title = "Events, each at the packet that completed it",
    SCTPA_COLUMNS(columns_event),
    .add = add_to_window,
};
