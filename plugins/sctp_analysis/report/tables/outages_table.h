/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of -z sctp,paths about paths that did not answer HEARTBEATs, and what they count as by then. */
#ifndef SCTPA_REPORT_OUTAGES_TABLE_H
#define SCTPA_REPORT_OUTAGES_TABLE_H

#include "../text/address_labels.h"
#include "../text/table.h"

/* An empty table; sctpa_table_free. */
sctpa_table_t *sctpa_outages_new(void);
/* Adds the outages of an association, at most SCTPA_OUTAGES_MAX of an end. O(outages). */
void sctpa_outages_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                       const sctpa_assoc_t *assoc);
/* Appends the table with its heading and what the columns mean; nothing when it has no rows. */
void sctpa_outages_write(const sctpa_table_t *table, GString *out);

#endif
