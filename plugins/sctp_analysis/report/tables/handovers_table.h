/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of -z sctp,paths about handovers. */
#ifndef SCTPA_REPORT_HANDOVERS_TABLE_H
#define SCTPA_REPORT_HANDOVERS_TABLE_H

#include "../text/address_labels.h"
#include "../text/table.h"
#include "../view.h"

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

#endif
