/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hands the chunks of a packet that are about data to the directions they concern. */
#ifndef SCTPA_TRACK_DISPATCH_H
#define SCTPA_TRACK_DISPATCH_H

#include "track/flow.h"
#include "track/packet_record.h"

/* The data that an end sent, made when new: with its first DATA, SACK of it, HEARTBEAT, RE_CONFIG, or whatever else
 * is remembered there. */
sctpa_direction_t *sctpa_side_sent(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t end);
/* Hands the chunks of a packet that is no duplicate to the directions they concern. True: it acknowledges data that the
 * capture missed. */
bool sctpa_dispatch_packet(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, sctpa_flow_t *flow,
                           const sctpa_input_t *input, sctpa_checksum_t checksum);
/* The hash of the HEARTBEAT of an end that passed a tap last on a path, made when new. Amortised O(1). */
uint64_t *sctpa_tap_data_heartbeat(sctpa_tap_data_t *tap, sctpa_arena_t *arena, uint8_t end, uint16_t path);
/* Hands them to what one of two taps shows, which saw the packet (record); has_begun: whose data is followed there. */
void sctpa_dispatch_at_tap(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, sctpa_tap_data_t *tap,
                           const bool has_begun[2], const sctpa_record_t *record, const sctpa_input_t *input);

#endif
