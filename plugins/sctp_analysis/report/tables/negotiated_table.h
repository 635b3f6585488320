/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What INIT and INIT ACK of completed set-ups agreed on, for the set-up report.
 * Associations that agreed on the same are one row. */
#ifndef SCTPA_REPORT_NEGOTIATED_TABLE_H
#define SCTPA_REPORT_NEGOTIATED_TABLE_H

#include "../view.h"

typedef struct sctpa_negotiated sctpa_negotiated_t;

sctpa_negotiated_t *sctpa_negotiated_new(void);
void sctpa_negotiated_free(sctpa_negotiated_t *negotiated);

/* Adds an association. O(its addresses); memory: bounded, at most 50 rows, later ones are only counted. */
void sctpa_negotiated_add(sctpa_negotiated_t *negotiated, const sctpa_assoc_t *assoc);

/* Appends the section: per row the numbers, then the extensions that both or one announced. */
void sctpa_negotiated_write(const sctpa_negotiated_t *negotiated, GString *out);

#endif
