/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What two taps showed of the paths of an association: results, read through sctpa.h. */
#ifndef SCTPA_TRACK_TWO_TAPS_RESULT_H
#define SCTPA_TRACK_TWO_TAPS_RESULT_H

#include "track/assoc.h"

/* Packets of a path as they went: from the tap nearer to their sender to the other. */
typedef struct {
    uint32_t near_interface, far_interface;
    /* Packets at both; only at the near tap, after one and before one that both saw, in that tap's order; only at the
     * far one, likewise. What only one saw before or after all that both did is in none: the other may not have
     * captured then. */
    uint32_t both, lost, only_far;
    bool offset_known; /* packets back were seen, too: the taps' clocks differ by half of what the two ways differ */
    int64_t offset_ns; /* of the clock of the higher interface against the other */
    int64_t min_ns, mean_ns, max_ns; /* from tap to tap, without the offset when it is known */
} sctpa_two_taps_result_t;

/* The path of an end that was compared most at the same two interfaces; NULL none. O(paths). */
const sctpa_two_taps_t *sctpa_two_taps_counterpart(const sctpa_end_t *end, const sctpa_two_taps_t *taps);
/* How much later the packets that both saw passed interfaces[1], mean; both > 0. */
static inline int64_t sctpa_two_taps_mean_ns(const sctpa_two_taps_t *taps)
{
    return taps->sum_ns / taps->both;
}

/* By how much the clock of the higher interface is ahead, as packets both ways show; *within_ns: to within this, the
 * time of the way. false: none passed one of the ways. O(paths). */
bool sctpa_two_taps_ahead(const sctpa_end_t *back, const sctpa_two_taps_t *taps, int64_t *ahead_ns, int64_t *within_ns);
/* What two taps showed of a path (index of ends[from].paths). False: one tap, or no packet at both. O(paths,
 * packets of the path). */
bool sctpa_two_taps_result(const sctpa_assoc_t *assoc, uint8_t from, uint16_t path, sctpa_two_taps_result_t *result);

#endif
