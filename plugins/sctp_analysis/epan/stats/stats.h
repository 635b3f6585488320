/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reports of tshark's -z sctp,... */
#ifndef SCTPA_EPAN_STATS_H
#define SCTPA_EPAN_STATS_H

#include "report/report.h"

void sctpa_stats_register(void);

/* What reports are made from now: the open capture, with the packets that a filter selected (NULL: no filter). False:
 * no capture is open, or the plugin is off. O(associations). */
bool sctpa_stats_view(const sctpa_tally_t *tally, const char *filter, sctpa_view_t *view);

#endif
