/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the chunks of a set-up mean for the association. */
#ifndef SCTPA_TRACK_SETUP_H
#define SCTPA_TRACK_SETUP_H

#include "track/input.h"

/* Takes note of what each chunk means for the association. */
void sctpa_setup_chunk(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input,
                       const sctpa_observed_t *observed);
/* An INIT ACK (chunk) of from whose peer echoed another cookie already, and discards it: it is in COOKIE-WAIT no more
 * (RFC 9260 5.2.3), unless a "Stale Cookie" made it ask again. By another clock it may pass after the set-up. O(1). */
bool sctpa_setup_is_discarded(const sctpa_tracked_t *tracked, uint8_t from, const sctpa_tlv_t *chunk);
/* What passed shows that the association is up: COOKIE ACK, an acknowledgement of data, or data from the end that was
 * asked. */
void sctpa_setup_established(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from,
                             const sctpa_packet_t *packet);

#endif
