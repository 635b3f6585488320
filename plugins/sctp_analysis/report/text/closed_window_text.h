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
/* Appends how much of the window a SACK that closed it gap-acks: "9,000 of 16,000 bytes gap-acked".
 * window_bytes: announced at set-up, 0 unknown. O(TSNs in its gap blocks). */
void sctpa_closed_append_gap_acked(const sctpa_series_source_t *source, const sctpa_closed_t *closed,
                                   uint32_t window_bytes, GString *text);

#endif
