/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a set of times is spread: smallest, median, 95th and 99th percentile, largest. */
#ifndef SCTPA_MEASURE_PERCENTILES_H
#define SCTPA_MEASURE_PERCENTILES_H

#include <glib.h>
#include <stdint.h>

/* samples 0: nothing was measured, the others mean nothing. */
typedef struct {
    uint64_t samples;
    int64_t min_ns, median_ns, p95_ns, p99_ns, max_ns;
} sctpa_percentiles_t;

/* Spread of times (int64_t, ns), percentiles by nearest rank; NULL: no samples. Sorts times. O(n log n). */
sctpa_percentiles_t sctpa_percentiles_of(GArray *times);

#endif
