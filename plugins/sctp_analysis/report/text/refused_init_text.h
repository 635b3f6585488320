/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Set-ups that the capture shows by ICMP errors alone: failures without an association. */
#ifndef SCTPA_REPORT_REFUSED_INIT_TEXT_H
#define SCTPA_REPORT_REFUSED_INIT_TEXT_H

#include "address_labels.h"
#include "../view.h"

/* How many of them a report counts as failures: none with a filter, which says of no ICMP error whether it matches.
 * *kept: how many of these sctpa_summary has. O(1). */
uint32_t sctpa_refused_inits_count(const sctpa_view_t *view, unsigned *kept);
/* Appends what refused it: "INIT refused by ICMP (port unreachable) from 10.1.1.1, 3 errors, the first in frame 7; the
 * capture lacks the INIT itself". O(1). */
void sctpa_refused_init_append_why(GString *out, sctpa_labels_t *labels, const sctpa_refused_init_t *refused);
/* Appends the same behind whose INIT it was: "10.1.0.1, port 5000, to 10.1.1.1, port 36412: ...". O(1). */
void sctpa_refused_init_append(GString *out, sctpa_labels_t *labels, const sctpa_refused_init_t *refused);

#endif
