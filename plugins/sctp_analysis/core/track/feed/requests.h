/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Streams that one endpoint alone reset, for those who judge them. Leaves out what else is known of requests. */
#ifndef SCTPA_TRACK_FEED_REQUESTS_H
#define SCTPA_TRACK_FEED_REQUESTS_H

#include "track/tracked.h"

/* Streams of an association that one endpoint alone reset: *n of them, some not performed. None where its halves were
 * joined, or where a request was too long to follow. O(1). */
const sctpa_half_closed_t *sctpa_half_closed_of(const sctpa_tracked_t *tracked, uint32_t *n);

#endif
