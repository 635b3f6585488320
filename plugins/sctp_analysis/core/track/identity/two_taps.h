/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes which packets of a path two interfaces showed, and which only one of them (sctpa_two_taps_t of assoc.h). */
#ifndef SCTPA_TRACK_TWO_TAPS_H
#define SCTPA_TRACK_TWO_TAPS_H

#include "track/tracked.h"

/* A packet of a path was seen for the first time, at an interface. Call when there are two_taps. O(1). */
void sctpa_two_taps_first(sctpa_tracked_t *tracked, uint8_t from, uint16_t path, uint32_t interface);
/* A packet (index) that interface first showed was seen at second, as packet duplicate, later_ns after. O(1). */
void sctpa_two_taps_duplicate(sctpa_tracked_t *tracked, uint8_t from, uint16_t path, uint32_t packet,
                              uint32_t duplicate, uint32_t first, uint32_t second, int64_t later_ns);
/* Gives back what is kept of the sightings of packets; taps may be NULL. */
void sctpa_two_taps_clear(sctpa_tracked_t *tracked, sctpa_two_taps_t *taps);

#endif
