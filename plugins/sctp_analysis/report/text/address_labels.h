/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How addresses and endpoints are shown: by name or number, long ones by a letter that a legend explains.
 * One legend per report. Also what only an address and a port need: their numeric text. */
#ifndef SCTPA_REPORT_ADDRESS_LABELS_H
#define SCTPA_REPORT_ADDRESS_LABELS_H

#include "../report.h"
#include "table.h"

enum { SCTPA_ADDR_COLUMNS = 15, SCTPA_ENDPOINT_COLUMNS = 21 };

typedef struct sctpa_labels sctpa_labels_t;

/* view is borrowed. Memory: what the long addresses shown take. */
sctpa_labels_t *sctpa_labels_new(const sctpa_view_t *view);
/* One that gives out no letters: addresses are shown whole. */
sctpa_labels_t *sctpa_labels_new_spelled_out(const sctpa_view_t *view);
void sctpa_labels_free(sctpa_labels_t *labels);

/* Appends addr, or its letter when longer than SCTPA_ADDR_COLUMNS; "?" without an address. O(1). */
void sctpa_labels_addr(sctpa_labels_t *labels, const sctpa_addr_t *addr, GString *out);

/* Appends address and port of an endpoint, at most SCTPA_ENDPOINT_COLUMNS columns: 10.0.0.1:36412, [2001:db8::1]:36412,
 * A:36412. The address is the first that the endpoint had. */
void sctpa_labels_end(sctpa_labels_t *labels, const sctpa_end_t *end, GString *out);

/* Appends the name of endpoint 0 or 1 of an association: as sctpa_labels_end, where the legend spells out with its
 * number behind it, 10.0.0.1:36412 (0). Every window, and every table that windows share with reports, calls endpoints
 * so. */
void sctpa_labels_endpoint(sctpa_labels_t *labels, const sctpa_assoc_t *assoc, unsigned end, GString *out);

/* The same as the next cell of a table. */
void sctpa_labels_endpoint_cell(sctpa_labels_t *labels, const sctpa_assoc_t *assoc, unsigned end, sctpa_table_t *table);

/* Appends both endpoints of an association: "#3: 0 = 10.0.0.1:36412, 1 = A:36412". */
void sctpa_labels_assoc(sctpa_labels_t *labels, const sctpa_assoc_t *assoc, GString *out);

/* Adds that as a line of a table. */
void sctpa_labels_add_line(sctpa_labels_t *labels, const sctpa_assoc_t *assoc, sctpa_table_t *table);

/* Appends the legend, nothing when no letter was given out. */
void sctpa_labels_write(const sctpa_labels_t *labels, GString *out);

/* The first address of an endpoint, NULL when none is known. How many it had in all, deleted ones too. */
static inline const sctpa_addr_t *sctpa_end_first_addr(const sctpa_end_t *end)
{
    return end->n_addrs > 0 ? &end->addrs[0].addr : NULL;
}

static inline unsigned sctpa_end_addr_count(const sctpa_end_t *end)
{
    return end->n_addrs;
}

/* Appends the numeric text of an address, nothing when it has none. */
void sctpa_addr_append(GString *out, const sctpa_addr_t *addr);

#endif
