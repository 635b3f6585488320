/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pause of a direction in words: how long, from where to where, why, and the frames that show it. */
#ifndef SCTPA_REPORT_PAUSE_TEXT_H
#define SCTPA_REPORT_PAUSE_TEXT_H

#include "../view.h"
#include "address_labels.h"

/* Appends "from frame 33 to 41", "from frame 33 to the end". Packets are packet indices. */
void sctpa_pause_append_frames(GString *out, const sctpa_view_t *view, uint32_t since, uint32_t until);
/* Appends why: "path to 10.1.1.1 dead, 2 timeouts in a row, ..."; sender: the endpoint whose data waits. */
void sctpa_pause_append_why(GString *out, const sctpa_view_t *view, sctpa_labels_t *labels, const sctpa_assoc_t *assoc,
                            unsigned sender, const sctpa_pause_t *pause);
/* Appends the time lost by cause, the largest first: "438.2 ms path dead, 260.0 ms tail loss". */
void sctpa_pause_append_causes(GString *out, const sctpa_pauses_t *pauses);

#endif
