/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the first data of an endpoint looks like: its I bits, and the PPIDs of its messages. */
#ifndef SCTPA_REFERENCE_FIRST_DATA_H
#define SCTPA_REFERENCE_FIRST_DATA_H

#include "reference/context.h"
#include "first_data_limits.h"

/* Takes the DATA of a packet, before rules are asked about it, and fills beginning of c. O(chunks) among the first
 * data, else O(1). */
void sctpa_first_data_take(sctpa_context_t *c);

/* The PPID that the service of one of the ports has, and that port: 0 no service has one. O(1). */
uint32_t sctpa_ppid_of_service(const sctpa_assoc_t *assoc, uint16_t *port);

#endif
