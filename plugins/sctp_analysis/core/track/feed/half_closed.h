/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Streams that one endpoint reset, and its peer did not: what a data channel is that one of them closed alone (RFC 8831
 * 6.7). Leaves out which streams are data channels, and how long a peer may take. */
#ifndef SCTPA_TRACK_HALF_CLOSED_H
#define SCTPA_TRACK_HALF_CLOSED_H

#include "track/input.h"

/* How many streams a request to reset streams lists, as far as captured, and one of them. O(1). */
uint32_t sctpa_reset_streams(const sctpa_tlv_t *param);
uint16_t sctpa_reset_stream(const sctpa_tlv_t *param, uint32_t nth);

/* An endpoint sent a RE_CONFIG: streams that it resets are no longer its peer's alone. O(SCTPA_HALF_CLOSED_MAX^2). */
void sctpa_half_closed_ask(sctpa_tracked_t *tracked, uint8_t asker, const sctpa_tlv_t *chunk);
/* Its peer has performed a reset of outgoing streams (param) in this packet. O(SCTPA_HALF_CLOSED_MAX^2). */
void sctpa_half_closed_grant(sctpa_tracked_t *tracked, uint8_t asker, const sctpa_packet_t *packet,
                             const sctpa_tlv_t *param);
/* Those of an association: *n of them, some not performed. None where its halves were joined, or where a request was
 * too long to follow. O(1). */
const sctpa_half_closed_t *sctpa_half_closed_of(const sctpa_tracked_t *tracked, uint32_t *n);
/* Before the association is forgotten. O(1). */
void sctpa_half_closed_free(sctpa_tracked_t *tracked);

#endif
