/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the AUTH chunks of packets are right. */
#ifndef SCTPA_TRACK_AUTH_VERIFY_H
#define SCTPA_TRACK_AUTH_VERIFY_H

#include "track/packet.h"
#include "track/packet_record.h"
#include "track/tracked.h"

/* Takes an AUTH chunk: verifies the first of a packet with the key that its identifier names, leaves others unverified,
 * counts the outcome for the sending end and sets auth of the record. O(bytes of the packet) for the first, O(1) for
 * others. */
void sctpa_auth_verify_chunk(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from,
                             const sctpa_packet_t *packet, const sctpa_tlv_t *chunk, sctpa_record_t *record);

#endif
