/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of -z sctp,paths about delays between two taps. */
#ifndef SCTPA_REPORT_TAP_DELAY_TABLE_H
#define SCTPA_REPORT_TAP_DELAY_TABLE_H

#include "../text/address_labels.h"
#include "../text/table.h"
#include "../view.h"

/* An empty table; sctpa_table_free. */
sctpa_table_t *sctpa_tap_delay_new(void);
/* Adds the paths of an association that two taps saw, with numbers below max_paths, whatever the filter. Cost as
 * sctpa_tap_delay for each. */
void sctpa_tap_delay_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                         const sctpa_assoc_t *assoc, unsigned max_paths);
/* Appends the table with its heading and what the columns mean; nothing when it has no rows. */
void sctpa_tap_delay_write(const sctpa_table_t *table, GString *out);

#endif
