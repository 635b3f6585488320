/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The way of a packet through the tracker. */
#ifndef SCTPA_TRACK_FEED_H
#define SCTPA_TRACK_FEED_H

#include "track/packet.h"
#include "track/packet_record.h"
#include "track/tracked.h"

sctpa_tracker_t *sctpa_tracker_new(void);
void sctpa_tracker_free(sctpa_tracker_t *tracker);
/* Takes one packet: identifies it, counts it, follows what its chunks mean. Appends its record and returns it (valid
 * until the next). O(chunks + bytes for the checksum). */
sctpa_record_t *sctpa_track_packet(sctpa_tracker_t *tracker, const sctpa_packet_t *packet);

#endif
