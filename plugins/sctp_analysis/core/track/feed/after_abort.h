/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What follows an ABORT, and whether it was taken: an association whose endpoints both go on was not ended by it.
 * Leaves out how associations end otherwise (teardown.h), and ABORTs whose tag nobody announced (strays.h). */
#ifndef SCTPA_TRACK_AFTER_ABORT_H
#define SCTPA_TRACK_AFTER_ABORT_H

#include "track/input.h"

/* What a packet shows of an ABORT before it, called before the packet is taken; of one with ABORT it keeps what the
 * next are compared with. tracked is_aborted, or the packet has ABORT. Where both endpoints go on the association
 * lives on: it is open again, and has the event ABORT_NOT_TAKEN at the ABORT. O(1). */
void sctpa_after_abort_packet(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from,
                              const sctpa_input_t *input);
/* May the receiver of an ABORT take it, by its tag (RFC 9260 8.5.1): its own, or with T bit its peer's? Also yes where
 * the capture does not show that tag. *is_known: the tag is one that the association has, or had in its set-up. O(1).
 */
bool sctpa_abort_may_be_taken(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t from,
                              const sctpa_input_t *input, bool *is_known);
/* What is known of the packets after the ABORT that ended an association; all 0 where nothing passed. O(1). */
const sctpa_after_abort_t *sctpa_after_abort_of(const sctpa_tracked_t *tracked);
/* Was the ABORT that ended the association neither of the one endpoint nor of the other: does the one go on with the
 * association that the sender of the ABORT does not know (T bit)? O(1). */
bool sctpa_after_abort_is_of_nobody(const sctpa_tracked_t *tracked);
/* Adds the event of an ABORT that its receiver discards by its tag: one that nobody announced in the set-up of the
 * association, or of its own sender, without T bit. O(1). */
void sctpa_abort_of_nobody(sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input);

#endif
