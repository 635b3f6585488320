/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How associations end: SHUTDOWN, ABORT, and what only the end of the capture shows. */
#ifndef SCTPA_TRACK_TEARDOWN_H
#define SCTPA_TRACK_TEARDOWN_H

#include "track/input.h"

/* Takes note of what the chunk means for the end of the association. */
void sctpa_teardown_chunk(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input,
                          const sctpa_tlv_t *chunk);
/* How the association ended if the capture ends at end_ns: no answer, failed. O(pairs), bounded. */
sctpa_outcome_t sctpa_teardown_outcome(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, int64_t end_ns);

#endif
