/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which association an INIT belongs to. */
#ifndef SCTPA_TRACK_IDENTITY_INIT_H
#define SCTPA_TRACK_IDENTITY_INIT_H

#include "track/input.h"

/* The association and end that sent an INIT with tag 0, whose Initiate Tag is captured; made when new. */
sctpa_sender_t sctpa_identify_init(sctpa_tracker_t *tracker, const sctpa_input_t *input);
/* Does the INIT ACK answer an INIT that the capture lacks, of an association after that of its tag's owner: does it
 * come after the end of that one, in which its sender (from) had another tag? O(1). */
bool sctpa_answers_missed_init(const sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input);

#endif
