/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each endpoint sends beside its user data, for -z sctp,chunks. */
#ifndef SCTPA_REPORT_EFFICIENCY_TABLE_H
#define SCTPA_REPORT_EFFICIENCY_TABLE_H

#include "../text/address_labels.h"
#include "../text/table.h"
#include "../view.h"

sctpa_table_t *sctpa_efficiency_new(void);
/* Adds the endpoints of an association that sent data, under a heading. Cost as sctpa_measure. */
void sctpa_efficiency_add(sctpa_table_t *table, const sctpa_selection_t *selection, sctpa_labels_t *labels,
                          const sctpa_assoc_t *assoc);
/* Appends the table with its heading, nothing without rows. */
void sctpa_efficiency_write(const sctpa_table_t *table, GString *out);

#endif
