/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows the data at each of two taps on its own, where the capture holds what both saw: SACKs when they pass near the
 * sender of the data, data when it passes near its receiver. near_tap.h says which tap that is. */
#ifndef SCTPA_TRACK_TWO_TAPS_DATA_H
#define SCTPA_TRACK_TWO_TAPS_DATA_H

#include "track/input.h"
#include "track/packet_record.h"

/* A packet (record) was first seen at interface first, and later_ns after that at the one of input. The first time, the
 * data of its sender begins to be followed at both taps: where it was seen first, with all that was known of it. O(1);
 * the first time O(what is known of the data). */
void sctpa_two_taps_data_duplicate(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_record_t *record,
                                   const sctpa_input_t *input, uint32_t first, int64_t later_ns);
/* Takes a packet that passed the interface of input, for the first time or again. As sctpa_dispatch_packet. */
void sctpa_two_taps_data_take(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_record_t *record,
                              const sctpa_input_t *input);
/* The receiver gave up the address of a path of the endpoint, as the packet shows (sctpa_direction_leave); the other
 * tap saw that at another time. */
void sctpa_two_taps_data_leave(sctpa_tracked_t *tracked, uint8_t end, uint16_t path, const sctpa_packet_t *packet);
/* Gives back what is kept of two taps. O(what is held). */
void sctpa_two_taps_data_free(sctpa_tracked_t *tracked);

#endif
