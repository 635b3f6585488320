/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pause of a direction in words: how long, from where to where, why, and the frames that show it; and why a window
 * was closed. */
#ifndef SCTPA_REPORT_PAUSE_TEXT_H
#define SCTPA_REPORT_PAUSE_TEXT_H

#include "../view.h"
#include "address_labels.h"

/* Appends what a receiver waited for while its window was closed: "waits for TSN 57, lost 2 times". closed->waiting_ns
 * is above 0. O(transmissions of the TSN). */
void sctpa_closed_append_wait(const sctpa_series_source_t *source, const sctpa_closed_t *closed, GString *text);

/* Appends all causes: "slow reader; waits for TSN 57; not decidable". Cost as above. */
void sctpa_closed_append_causes(const sctpa_series_source_t *source, const sctpa_closed_t *closed, GString *text);

/* Appends how much of the window a SACK that closed it gap-acks: "9,000 of 16,000 bytes gap-acked".
 * window_bytes: announced at set-up, 0 unknown. O(TSNs in its gap blocks). */
void sctpa_closed_append_gap_acked(const sctpa_series_source_t *source, const sctpa_closed_t *closed,
                                   uint32_t window_bytes, GString *text);

/* Appends "from frame 33 to 41", "from frame 33 to the end". Packets are packet indices. */
void sctpa_pause_append_frames(GString *out, const sctpa_view_t *view, uint32_t since, uint32_t until);
/* Appends why: "path to 10.1.1.1 dead, 2 timeouts in a row, ..."; sender: the endpoint whose data waits. */
void sctpa_pause_append_why(GString *out, const sctpa_view_t *view, sctpa_labels_t *labels, const sctpa_assoc_t *assoc,
                            unsigned sender, const sctpa_pause_t *pause);
/* Appends the time lost by cause, the largest first: "438.2 ms path without answer, 260.0 ms tail loss". */
void sctpa_pause_append_causes(GString *out, const sctpa_pauses_t *pauses);

#endif
