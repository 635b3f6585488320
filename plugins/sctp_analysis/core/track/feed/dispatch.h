/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hands the chunks of a packet that are about data to the directions they concern. */
#ifndef SCTPA_TRACK_DISPATCH_H
#define SCTPA_TRACK_DISPATCH_H

#include "track/flow.h"
#include "track/packet_record.h"

/* Hands the chunks of a packet that is no duplicate to the directions they concern. True: it acknowledges data that the
 * capture missed. */
bool sctpa_dispatch_packet(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, sctpa_flow_t *flow,
                           const sctpa_input_t *input, sctpa_checksum_t checksum);
/* Hands them to what one of two taps shows, which saw the packet (record); has_begun: whose data is followed there. */
void sctpa_dispatch_at_tap(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, sctpa_tap_data_t *tap,
                           const bool has_begun[2], const sctpa_record_t *record, const sctpa_input_t *input);

#endif
