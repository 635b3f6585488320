/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables that reports are made of, each begun empty, filled association by association, and written. Leaves out
 * which report has which (reports.h). */
#ifndef SCTPA_REPORT_TABLES_H
#define SCTPA_REPORT_TABLES_H

#include "../text/address_labels.h"
#include "../text/table.h"
#include "../view.h"

/* Counters of each path of an end, *n of them; g_free the result. O(pairs of the end). */
sctpa_counts_t *sctpa_paths_counts(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end,
                                   unsigned *n);

/* What made new data go another way, for tables, JSON and triage: "failover", "add", "delete", "primary"; NULL: no
 * packet shows it. */
const char *sctpa_handover_word(const sctpa_handover_t *handover);

/* An empty table; sctpa_table_free. */
sctpa_table_t *sctpa_handovers_new(void);

/* Adds the handovers of an association, whatever the filter. Cost as sctpa_handovers. */
void sctpa_handovers_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                         const sctpa_assoc_t *assoc);

/* Appends the table with its heading and what the columns mean; nothing when it has no rows. */
void sctpa_handovers_write(const sctpa_table_t *table, GString *out);

/* An empty table; sctpa_table_free. */
sctpa_table_t *sctpa_outages_new(void);

/* Adds the outages of an association, at most SCTPA_OUTAGES_MAX of an end. O(outages). */
void sctpa_outages_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                       const sctpa_assoc_t *assoc);

/* Appends the table with its heading and what the columns mean; nothing when it has no rows. */
void sctpa_outages_write(const sctpa_table_t *table, GString *out);

/* The tables of -z sctp,paths that are about data. */
typedef struct sctpa_path_data sctpa_path_data_t;

/* labels is borrowed. */
sctpa_path_data_t *sctpa_path_data_new(sctpa_labels_t *labels);

void sctpa_path_data_free(sctpa_path_data_t *tables);

/* Adds the paths of an association that carried data or a timed heartbeat, and those that two taps saw, numbers below
 * max_paths. Cost as sctpa_measure, and for each path of two taps as sctpa_tap_delay. */
void sctpa_path_data_add(sctpa_path_data_t *tables, const sctpa_selection_t *selection, const sctpa_assoc_t *assoc,
                         unsigned max_paths);

/* Appends the tables that have rows, with their headings. */
void sctpa_path_data_write(const sctpa_path_data_t *tables, GString *out);

#endif
