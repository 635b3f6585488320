/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes which packets of a path two interfaces showed, and which only one of them (sctpa_two_taps_t of assoc.h). */
#ifndef SCTPA_TRACK_TWO_TAPS_H
#define SCTPA_TRACK_TWO_TAPS_H

#include "track/packet.h"
#include "track/tracked.h"

/* The first packet was seen at two interfaces: takes all packets before it, each once in a capture. O(packets). */
void sctpa_two_taps_begin(const sctpa_tracker_t *tracker);
/* A packet (index) of a path was seen for the first time. Call when there are two_taps. O(1), amortised. */
void sctpa_two_taps_first(sctpa_tracked_t *tracked, uint8_t from, uint16_t path, uint32_t packet, uint32_t interface);
/* A packet that interface first showed was seen at second, as packet duplicate, later_ns after.
 * record  of the duplicate
 * O(log packets of the path); when it is the path's first one, O(its packets). */
void sctpa_two_taps_duplicate(const sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_record_t *record,
                              uint32_t duplicate, uint32_t first, uint32_t second, int64_t later_ns);
/* The packet indices at which the two interfaces of a path showed a packet that was first seen as this one,
 * SCTPA_NO_PACKET_INDEX not; taps may be NULL. NULL: it is not known. O(log packets of the path). */
const uint32_t *sctpa_two_taps_sightings(const sctpa_two_taps_t *taps, uint32_t packet);
/* Gives back what is kept of the sightings of packets; taps may be NULL. */
static inline void sctpa_two_taps_clear(sctpa_tracked_t *tracked, sctpa_two_taps_t *taps)
{
    if (taps && taps->sightings.room > 0)
        sctpa_records_clear(&taps->sightings, tracked->arena, sizeof(sctpa_sighting_t));
}

#endif
