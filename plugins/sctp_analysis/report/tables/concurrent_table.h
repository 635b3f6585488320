/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of -z sctp,paths about data that went over several paths at once. */
#ifndef SCTPA_REPORT_CONCURRENT_TABLE_H
#define SCTPA_REPORT_CONCURRENT_TABLE_H

#include "../text/address_labels.h"
#include "../text/table.h"
#include "../view.h"

/* An empty table; sctpa_table_free. */
sctpa_table_t *sctpa_concurrent_new(void);
/* Adds the paths of an association's directions that used several at once, whatever the filter; paths with numbers
 * below max_paths. Cost as sctpa_concurrent_measure and, where they did, sctpa_measure. */
void sctpa_concurrent_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                          const sctpa_assoc_t *assoc, unsigned max_paths);
/* Appends the table with its heading and what the columns mean; nothing when it has no rows. */
void sctpa_concurrent_write(const sctpa_table_t *table, GString *out);

#endif
