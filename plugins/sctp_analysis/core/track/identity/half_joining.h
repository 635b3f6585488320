/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Joining two halves of an association and undoing a wrong join; where a stored packet belongs since. */
#ifndef SCTPA_TRACK_HALF_JOINING_H
#define SCTPA_TRACK_HALF_JOINING_H

#include "track/packet_record.h"
#include "track/tracked.h"

/* Joins two halves: the packets of half's only sender become those of into's silent end. swapped: half's end 0 is
 * into's end 1. */
void sctpa_tracked_merge(sctpa_tracker_t *tracker, sctpa_tracked_t *into, sctpa_tracked_t *half, bool swapped);
/* Undoes a join by address alone that a later packet (number index) disproved; returns the association of the end that
 * left. */
sctpa_tracked_t *sctpa_tracked_split(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint32_t index);
/* Association and end of a stored packet, after merges and splits. */
sctpa_tracked_t *sctpa_record_assoc(const sctpa_tracker_t *tracker, const sctpa_record_t *record, uint32_t index,
                                    uint8_t *from);

#endif
