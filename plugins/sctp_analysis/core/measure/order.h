/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts arrays that are in order but for a few elements, as everything is that a capture holds, and says how a set of
 * times is spread: smallest, median, 95th and 99th percentile, largest. Leaves arrays in any order to g_array_sort. */
#ifndef SCTPA_MEASURE_ORDER_H
#define SCTPA_MEASURE_ORDER_H

#include <glib.h>
#include <stdint.h>

/* samples 0: nothing was measured, the others mean nothing. */
typedef struct {
    uint64_t samples;
    int64_t min_ns, median_ns, p95_ns, p99_ns, max_ns;
} sctpa_percentiles_t;

/* Spread of times (int64_t, ns), percentiles by nearest rank; NULL: no samples. Sorts times. O(n log n). */
sctpa_percentiles_t sctpa_percentiles_of(GArray *times);

/* Sorts the array; equal elements keep their order. O(n + k log k) for k elements that are lower than one before them;
 * memory: those k while it sorts.
 */
void sctpa_order(GArray *array, GCompareDataFunc compare, gpointer user);

#endif
