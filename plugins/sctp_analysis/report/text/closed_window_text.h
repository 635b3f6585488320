/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a window was closed, in words. */
#ifndef SCTPA_REPORT_CLOSED_WINDOW_TEXT_H
#define SCTPA_REPORT_CLOSED_WINDOW_TEXT_H

#include "../view.h"

/* Appends what a receiver waited for while its window was closed: "waits for TSN 57, lost 2 times". closed->waiting_ns
 * is above 0. O(transmissions of the TSN). */
void sctpa_closed_append_wait(const sctpa_series_source_t *source, const sctpa_closed_t *closed, GString *text);
/* Appends all causes: "slow reader; waits for TSN 57; not decidable". Cost as above. */
void sctpa_closed_append_causes(const sctpa_series_source_t *source, const sctpa_closed_t *closed, GString *text);

#endif
