/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which association was set up again later between the same addresses and ports. */
#ifndef SCTPA_REPORT_SAME_PORTS_H
#define SCTPA_REPORT_SAME_PORTS_H

#include "../view.h"

typedef struct sctpa_same_ports sctpa_same_ports_t;

sctpa_same_ports_t *sctpa_same_ports_new(void);
void sctpa_same_ports_free(sctpa_same_ports_t *same);
/* Adds an association; in ascending order of number. O(1); memory: two entries of a hash table for each. */
void sctpa_same_ports_add(sctpa_same_ports_t *same, const sctpa_assoc_t *assoc);
/* The next association between the first addresses and the ports of this one, either endpoint being the first, once all
 * are added; SCTPA_NO_ASSOC: none, or it is its restart. O(1). */
uint32_t sctpa_same_ports_next(const sctpa_same_ports_t *same, const sctpa_assoc_t *assoc);

#endif
