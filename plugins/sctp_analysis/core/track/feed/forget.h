/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forgets an association: gives back all that belongs to it, and nothing leads to it any more. */
#ifndef SCTPA_TRACK_FORGET_H
#define SCTPA_TRACK_FORGET_H

#include "track/tracked.h"

/* Forgets the association that number stands for, with the halves that were merged into it; one that was forgotten
 * already stays so. Its number, and theirs, lead to sctpa_tracked_none. O(what is kept of it). */
void sctpa_tracker_forget(sctpa_tracker_t *tracker, uint32_t number);
/* Bytes that associations hold, with what leads to them: 0 once each was forgotten. O(1). */
size_t sctpa_tracker_held_bytes(const sctpa_tracker_t *tracker);

#endif
