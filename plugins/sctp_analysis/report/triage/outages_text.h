/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What triage says of the outages of an endpoint's paths. */
#ifndef SCTPA_REPORT_OUTAGES_TEXT_H
#define SCTPA_REPORT_OUTAGES_TEXT_H

#include "triage.h"

/* Those that are kept. */
unsigned sctpa_outages_count(const sctpa_end_t *end);
/* Appends a sentence for each of the first of them, and one where no path answers any more; text may hold others
 * before.
 */
void sctpa_outages_append(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                          GString *text);

#endif
