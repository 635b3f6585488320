/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests of RE_CONFIG that are answered by "In progress" and by nothing else (RFC 6525 5.2.2). */
#ifndef SCTPA_TRACK_IN_PROGRESS_H
#define SCTPA_TRACK_IN_PROGRESS_H

#include "track/input.h"

/* The peer of asker answered its request seq in this packet, by "In progress" or by what ends it. O(bytes of the
 * request). */
void sctpa_in_progress_note(sctpa_tracked_t *tracked, uint8_t asker, const sctpa_packet_t *packet, uint32_t seq,
                            bool is_in_progress);
/* What the last request of asker waits for; answers 0: nothing, or no request passed. Never NULL. O(1). */
const sctpa_in_progress_t *sctpa_in_progress_of(const sctpa_tracked_t *tracked, uint8_t asker);

#endif
