/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reports of tshark's -z sctp,... */
#ifndef SCTPA_EPAN_STATS_H
#define SCTPA_EPAN_STATS_H

#include "report/report.h"

void sctpa_stats_register(void);

/* What reports are made from now: the open capture, with the packets that a filter selected (NULL: no filter). False:
 * no capture is open, or the plugin is off. O(associations). */
bool sctpa_stats_view(const sctpa_tally_t *tally, const char *filter, sctpa_view_t *view);
/* The same without the table of files that are one capture. O(1). */
bool sctpa_stats_view_without_files(const sctpa_tally_t *tally, const char *filter, sctpa_view_t *view);

/* May tshark start a report, "sctp,json", beside those that it has started? One that forgets associations stands alone.
 * False, after a message: no. name is kept. */
bool sctpa_stats_may_start(const char *name, bool forgets);
/* Did a tap of it register? error: what register_tap_listener returned, freed. False, after a message: no. */
bool sctpa_stats_has_started(const char *name, GString *error);

#endif
