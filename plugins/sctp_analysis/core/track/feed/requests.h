/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests and their answers: ASCONF, RE_CONFIG. */
#ifndef SCTPA_TRACK_REQUESTS_H
#define SCTPA_TRACK_REQUESTS_H

#include "track/input.h"

enum { SCTPA_REQUESTS_OF_CHUNK = 4 /* parameters of a RE_CONFIG that are followed; RFC 6525 3.1 allows two */ };

/* Reads the chunk whose bytes a request keeps; false: it keeps none. O(1). */
bool sctpa_request_stored_chunk(const sctpa_bytes_t *bytes, sctpa_tlv_t *chunk);

/* Takes note of what the chunk means: ASCONF, ASCONF_ACK, RE_CONFIG. */
void sctpa_request_chunk(sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet,
                         const sctpa_tlv_t *chunk);

#endif
