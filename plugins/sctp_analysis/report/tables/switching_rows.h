/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of what happened to paths of both endpoints: failovers, outages. */
#ifndef SCTPA_REPORT_SWITCHING_ROWS_H
#define SCTPA_REPORT_SWITCHING_ROWS_H

#include "../text/address_labels.h"
#include "../text/table.h"
#include "../view.h"

/* How many of them are kept, and what adds number at of an endpoint. */
typedef struct {
    uint32_t (*count)(const sctpa_switching_t *switching);
    void (*add)(sctpa_table_t *table, const sctpa_view_t *view, const sctpa_assoc_t *assoc, uint8_t end, uint32_t at);
} sctpa_switching_rows_t;

/* Adds all of an association; labels: under a line that names it, NULL: without. O(rows). */
void sctpa_switching_rows_add(const sctpa_switching_rows_t *rows, sctpa_table_t *table, const sctpa_view_t *view,
                              sctpa_labels_t *labels, const sctpa_assoc_t *assoc);

#endif
