/* SPDX-License-Identifier: GPL-2.0-or-later */
/* HEARTBEATs (RFC 9260 8.3), which ask whether a path works, and their answers. */
#ifndef SCTPA_TRACK_HEARTBEATS_H
#define SCTPA_TRACK_HEARTBEATS_H

#include "path_place.h"

/* Takes note of what a HEARTBEAT or HEARTBEAT_ACK means, of an endpoint (from), on a path of it. O(paths). */
void sctpa_heartbeat_chunk(const sctpa_path_place_t *place, uint8_t from, uint16_t path, const sctpa_tlv_t *chunk);

#endif
