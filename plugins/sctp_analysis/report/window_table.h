/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of associations for windows: the columns and cells of the text reports, but whole and with addresses spelled
 * out. Each stands beside the report that prints the same; window_tables.c has them in the order of the windows that
 * show them. */
#ifndef SCTPA_REPORT_WINDOW_TABLE_H
#define SCTPA_REPORT_WINDOW_TABLE_H

#include "messages/application.h"
#include "text/address_labels.h"
#include "text/table.h"
#include "view.h"

/* What tables are made from, and what they share while it does not change. */
typedef struct {
    const sctpa_view_t *view; /* borrowed */
    sctpa_selection_t *selection;
    sctpa_labels_t *labels;
    uint32_t assoc; /* of measures and delays, SCTPA_NO_ASSOC */
    sctpa_measure_t *measures[2];
    sctpa_message_delays_t *delays[2];
    sctpa_application_t *application; /* NULL: not looked at yet, or no messages were read */
} sctpa_window_table_source_t;

/* view is borrowed and must stay as it is: the source is for one look at the analysis. O(1) without a filter. */
sctpa_window_table_source_t *sctpa_window_table_source_new(const sctpa_view_t *view);
void sctpa_window_table_source_free(sctpa_window_table_source_t *source);
/* Borrowed until another association is measured. Cost as sctpa_measure the first time. */
const sctpa_measure_t *sctpa_window_table_measure(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc,
                                                  unsigned end);

/* The same of how long messages took; NULL as sctpa_message_delays. */
const sctpa_message_delays_t *sctpa_window_table_delays_of(sctpa_window_table_source_t *source,
                                                           const sctpa_assoc_t *assoc, unsigned end);
/* What the application did, borrowed; NULL: no messages were read. Cost as sctpa_application_new the first time. */
const sctpa_application_t *sctpa_window_table_application(sctpa_window_table_source_t *source);

/* A set of columns with what fills it. Texts are English; windows translate them. */
typedef struct {
    const char *name;  /* for settings and names of files: "paths" */
    const char *title; /* what its rows are; the heading of the text report */
    const sctpa_column_t *columns;
    unsigned n_columns;
    /* Adds the rows of an association. */
    void (*add)(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table);
    bool is_whole; /* says nothing of a part of the time: windows show it of the whole association, and say so */
} sctpa_window_table_t;

/* The rows of an association; sctpa_table_free. */
sctpa_table_t *sctpa_window_table_make(const sctpa_window_table_t *window_table, sctpa_window_table_source_t *source,
                                       const sctpa_assoc_t *assoc);

/* One row per association: what is wrong, then who, when, how much. A row costs O(findings + events) and, where there
 * is data, as sctpa_measure and sctpa_pauses_measure. */
extern const sctpa_window_table_t sctpa_window_table_assocs;
/* Of its columns those by which it is sorted at first. Findings sort as sctpa_findings_filter_weight says, outcomes by
 * sctpa_outcome_severity, 0 the worst. */
enum { SCTPA_ASSOCS_OUTCOME = 1, SCTPA_ASSOCS_FINDINGS = 7 };

/* What belongs together about one association: title, and tables until NULL. */
enum { SCTPA_PAGE_TABLES = 12 };
typedef struct {
    const char *name, *title;
    const char *answers;          /* the question that it answers, in words */
    const char *without_messages; /* why it is empty where no messages were read; NULL: it needs none */
    const char *when_empty;       /* what an empty page means else; NULL: there is nothing of its kind */
    const sctpa_window_table_t *window_tables[SCTPA_PAGE_TABLES];
} sctpa_window_table_page_t;

/* The pages in order, the last has no name. */
const sctpa_window_table_page_t *sctpa_window_table_pages(void);

#endif
