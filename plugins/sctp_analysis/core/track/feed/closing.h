/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SHUTDOWNs and SHUTDOWN ACKs that an endpoint repeats (T2-shutdown, RFC 9260 9.2), and whether that shows that the
 * association was not closed. */
#ifndef SCTPA_TRACK_CLOSING_H
#define SCTPA_TRACK_CLOSING_H

#include "track/input.h"

/* A packet of endpoint from with these chunks (SCTPA_ROW): what answers its peer otherwise than by closing begins the
 * count of its peer anew. O(1). */
void sctpa_closing_packet(sctpa_tracked_t *tracked, uint8_t from, uint64_t rows);
/* A SHUTDOWN, SHUTDOWN ACK or SHUTDOWN COMPLETE of endpoint from. O(1). */
void sctpa_closing_chunk(sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet, uint32_t type);
/* Was the association not closed? Then outcome gets who repeats what. silence_ns: from its last packet to the
 * capture's. No SHUTDOWN COMPLETE and no ABORT ended it. O(1). */
bool sctpa_closing_fails(const sctpa_tracked_t *tracked, int64_t silence_ns, sctpa_outcome_t *outcome);

#endif
