/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of the table of senders that fit. */
#ifndef SCTPA_REPORT_SENDER_FITS_TABLE_H
#define SCTPA_REPORT_SENDER_FITS_TABLE_H

#include "../text/address_labels.h"
#include "../text/table.h"
#include "../view.h"

/* An empty table with its columns. */
sctpa_table_t *sctpa_sender_fits_new(void);
/* Adds the sender that fits end best and those that fit as well, a row each; none: nothing decides. O(family). */
void sctpa_sender_fits_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                           const sctpa_assoc_t *assoc, unsigned end);
/* The heading of the table. */
const char *sctpa_sender_fits_title(void);

#endif
