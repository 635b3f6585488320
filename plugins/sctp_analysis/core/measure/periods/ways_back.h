/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Round trips of the data of one path, apart by the address that the SACK came from: two ways back of different length
 * make two sets of times, not one that grows. */
#ifndef SCTPA_MEASURE_WAYS_BACK_H
#define SCTPA_MEASURE_WAYS_BACK_H

#include "measure/percentiles.h"
#include "measure/series/series.h"

typedef struct {
    uint16_t path; /* of the data's sender, to the address that the SACKs came from; SCTPA_SERIES_ANY_PATH: unknown */
    sctpa_percentiles_t rtt; /* as seen at the tap */
} sctpa_way_back_t;

/* The ways back of the data sent to a path, in order of path: sctpa_way_back_t; g_array_unref. O(n log n) for n samples
 * of the path; memory: 16 bytes each while it runs. */
GArray *sctpa_ways_back_measure(const sctpa_series_source_t *source, uint16_t path);

#endif
