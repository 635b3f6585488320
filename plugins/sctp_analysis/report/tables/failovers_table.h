/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of -z sctp,paths about failovers: how long they took, beside what theory says. */
#ifndef SCTPA_REPORT_FAILOVERS_TABLE_H
#define SCTPA_REPORT_FAILOVERS_TABLE_H

#include "../text/address_labels.h"
#include "../text/table.h"

/* An empty table; sctpa_table_free. */
sctpa_table_t *sctpa_failovers_new(void);
/* Adds the failovers of an association, at most SCTPA_FAILOVERS_MAX of an end. O(failovers). */
void sctpa_failovers_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                         const sctpa_assoc_t *assoc);
/* Appends the table with its heading and what the columns mean; nothing when it has no rows. */
void sctpa_failovers_write(const sctpa_table_t *table, GString *out);

#endif
