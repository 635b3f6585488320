/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets whose port was changed on the way, and whose checksum was not. */
#ifndef SCTPA_TRACK_REWRITTEN_PORT_H
#define SCTPA_TRACK_REWRITTEN_PORT_H

#include "track/packet.h"
#include "track/tracked.h"

/* Takes a whole packet of an endpoint whose checksum is wrong: would it be right for another port (sctpa_rewritten_t)?
 * The first SCTPA_REWRITTEN_TRIED are looked at. O(length). */
void sctpa_rewritten_port_note(sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet);

#endif
