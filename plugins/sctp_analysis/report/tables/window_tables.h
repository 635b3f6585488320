/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of pages; window_tables.c has them in order. Each is defined beside the report that prints the same. */
#ifndef SCTPA_REPORT_WINDOW_TABLES_H
#define SCTPA_REPORT_WINDOW_TABLES_H

#include "../window_table.h"

#include <glib.h>

/* Puts found, an element of rows, behind those that are as long or longer, so that of those as long the earliest found
 * stays first; keeps the first most. ns_of: how long one is. O(most). */
void sctpa_longest_keep(GArray *rows, gconstpointer found, unsigned most, gint64 (*ns_of)(gconstpointer row));

extern const sctpa_window_table_t sctpa_window_table_association, sctpa_window_table_endpoints;
extern const sctpa_window_table_t sctpa_window_table_paths, sctpa_window_table_pairs, sctpa_window_table_path_data,
    sctpa_window_table_concurrent, sctpa_window_table_handovers, sctpa_window_table_tap_delay,
    sctpa_window_table_failovers, sctpa_window_table_outages, sctpa_window_table_transits, sctpa_window_table_theory;
extern const sctpa_window_table_t sctpa_window_table_streams, sctpa_window_table_waits, sctpa_window_table_delays,
    sctpa_window_table_deliveries;
extern const sctpa_window_table_t sctpa_window_table_chunks, sctpa_window_table_efficiency;
extern const sctpa_window_table_t sctpa_window_table_rtx_sums, sctpa_window_table_rtx_kinds,
    sctpa_window_table_rtx_paths, sctpa_window_table_resent;
extern const sctpa_window_table_t sctpa_window_table_pause_sums, sctpa_window_table_pauses, sctpa_window_table_owed;
extern const sctpa_window_table_t sctpa_window_table_messages, sctpa_window_table_application_events;
extern const sctpa_window_table_t sctpa_window_table_learned, sctpa_window_table_sender_fits;
extern const sctpa_window_table_t sctpa_window_table_events;
extern const sctpa_window_table_t sctpa_window_table_findings, sctpa_window_table_verdicts;

/* Appends what the column with this head, which the table has, means. label_columns: as sctpa_page_sentence.
 * O(columns). */
void sctpa_window_table_explain(const sctpa_window_table_t *table, const char *head, unsigned label_columns,
                                GString *out);

/* The columns of sctpa_window_table_findings. FRAMES holds those of the evidence, as "4, 7, 9". */
typedef enum {
    SCTPA_FINDING_LEVEL,
    SCTPA_FINDING_CERTAINTY,
    SCTPA_FINDING_RULE,
    SCTPA_FINDING_ASSOC,
    SCTPA_FINDING_END,
    SCTPA_FINDING_TIMES,
    SCTPA_FINDING_FRAME,
    SCTPA_FINDING_WHAT,
    SCTPA_FINDING_EXPECTED,
    SCTPA_FINDING_SEEN,
    SCTPA_FINDING_CLAUSE,
    SCTPA_FINDING_QUOTE,
    SCTPA_FINDING_WHY,
    SCTPA_FINDING_EVIDENCE,
    SCTPA_FINDING_DOUBT,
    SCTPA_FINDING_RESTS_ON,
    SCTPA_FINDING_FRAMES,
    SCTPA_FINDING_COLUMNS
} sctpa_finding_column_t;
/* A finding and its association. */
typedef struct {
    const sctpa_assoc_t *assoc;
    const sctpa_finding_t *finding;
} sctpa_assoc_finding_t;
/* The row of findings of one rule, of the same endpoint in several associations, or of one: how often in all, as bad
 * and sure as the worst, texts and frames of the first. n >= 1. sctpa_table_free. Cost as its texts. */
sctpa_table_t *sctpa_window_table_make_findings(sctpa_window_table_source_t *source,
                                                const sctpa_assoc_finding_t *findings, unsigned n);

#endif
