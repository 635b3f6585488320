/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of an association's events. In text they stand in -z sctp,triage, in JSON whole. */
#include "window_tables.h"

#include "../text/column_meanings.h"
#include "../text/outcome_text.h"

static const sctpa_column_t columns[] = {
    { "time s", SCTPA_RIGHT, .meaning = SCTPA_MEANS_TIME_S, .holds = SCTPA_HOLDS_MOMENTS },
    { "frame", SCTPA_RIGHT, .meaning = SCTPA_MEANS_FRAME, .holds = SCTPA_HOLDS_FRAMES },
    { "event", SCTPA_LEFT, .meaning = "what happened, as the field sctp.analysis.event has it" },
    { "endpoint", SCTPA_LEFT, .meaning = SCTPA_MEANS_ENDPOINT },
    { "path", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PATH },
    { "detail", SCTPA_WRAPPED, 8, .meaning = "what the packets say about it" },
};

static void add_known(sctpa_table_t *table, bool known, uint32_t number)
{
    if (known)
        sctpa_table_plain(table, number);
    else
        sctpa_table_text(table, "-");
}

static void add_endpoint(sctpa_labels_t *labels, const sctpa_assoc_t *assoc, unsigned end, sctpa_table_t *table)
{
    if (end < SCTPA_NO_END)
        sctpa_labels_endpoint_cell(labels, assoc, end, table);
    else
        sctpa_table_text(table, "-");
}

static void add_event(const sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, const sctpa_event_t *event,
                      sctpa_table_t *table)
{
    GString *word = g_string_new(NULL);
    sctpa_view_moment(source->view, table, event->time_ns);
    add_known(table, event->frame > 0, event->frame);
    sctpa_outcome_append_word(word, sctpa_event_word(event->kind));
    sctpa_table_take(table, word);
    add_endpoint(source->labels, assoc, event->end, table);
    add_known(table, event->path != SCTPA_NO_PATH, event->path);
    sctpa_table_text(table, event->detail);
}

static void add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    for (uint32_t i = 0; i < assoc->n_events; i++)
        if (sctpa_tally_has_moment(source->view->tally, assoc->events[i].time_ns))
            add_event(source, assoc, &assoc->events[i], table);
}

const sctpa_window_table_t sctpa_window_table_events = {
    .name = "events",
    .title = "Events, each at the packet that completed it",
    SCTPA_COLUMNS(columns),
    .add = add_to_window,
};
