/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strays: packets that an endpoint of an association sent with a Verification Tag that is not its peer's. Their tag
 * does not lead to the association, but addresses, ports and what else they carry do. Leaves out what they show of
 * their sender (tags.c of the model). */
#ifndef SCTPA_TRACK_STRAYS_H
#define SCTPA_TRACK_STRAYS_H

#include "track/input.h"

/* The association that a packet strayed from, and the end that sent it; tracked NULL: it is none, or nothing shows
 * whose. *pair: index of its addresses in those of the end. For packets whose tag leads nowhere, before they begin an
 * association. O(pairs), bounded. */
sctpa_sender_t sctpa_stray_find(const sctpa_tracker_t *tracker, const sctpa_input_t *input, uint32_t *pair);
/* The same of a lone ABORT with a tag that nobody is known to have used: it may well be that of another association of
 * the same ports, which its sender holds, or held; so nothing but addresses and ports need lead to this one, whose tags
 * INIT and INIT ACK announced, and an endpoint of it discards the ABORT (RFC 9260 8.5.1). */
sctpa_sender_t sctpa_stray_find_abort(const sctpa_tracker_t *tracker, const sctpa_input_t *input, uint32_t *pair);
/* Notes what the next stray of an endpoint is recognised by: of each packet of it, is_stray or not. O(1). */
void sctpa_stray_note(sctpa_side_t *side, const sctpa_packet_t *packet, bool is_stray);

#endif
