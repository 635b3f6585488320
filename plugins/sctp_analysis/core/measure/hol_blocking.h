/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Head-of-line delay: how long messages that had arrived whole waited for earlier ones of their stream. Leaves sums to
 * stream_totals.c and points over time to series_source.c. */
#ifndef SCTPA_MEASURE_HOL_BLOCKING_H
#define SCTPA_MEASURE_HOL_BLOCKING_H

#include "data/direction.h"

/* An ordered message that could be delivered. */
typedef struct {
    int64_t delay_ns; /* from when all of it had arrived, 0: nothing held it back */
    uint32_t ack;     /* packet of the acknowledgement that tells */
    uint16_t stream;
    int64_t number; /* relative TSN of its last fragment */
    int64_t behind; /* of the TSN that it waited for, when delay_ns is not 0 */
} sctpa_wait_t;
typedef void (*sctpa_hol_fn)(void *user, const sctpa_wait_t *wait);

/* Calls each with every message of the direction whose arrival is known, in order of its last TSN; never for unordered
 * ones. Those with a fragment that did not pass, and those behind a TSN that never arrived, are left out. O(TSNs +
 * transmissions); memory: O(streams) while it runs. */
void sctpa_hol_each(const sctpa_direction_t *direction, sctpa_hol_fn each, void *user);

#endif
