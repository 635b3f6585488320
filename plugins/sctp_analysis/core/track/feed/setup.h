/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the chunks of a set-up mean for the association. */
#ifndef SCTPA_TRACK_SETUP_H
#define SCTPA_TRACK_SETUP_H

#include "track/input.h"

/* Takes note of what each chunk means for the association. */
void sctpa_setup_chunk(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input,
                       const sctpa_observed_t *observed);
/* What passed shows that the association is up: COOKIE ACK, an acknowledgement of data, or data from the end that was
 * asked. */
void sctpa_setup_established(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from,
                             const sctpa_packet_t *packet);

#endif
