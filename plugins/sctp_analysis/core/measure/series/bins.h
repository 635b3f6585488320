/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bins of equal width over time, for rates. */
#ifndef SCTPA_MEASURE_BINS_H
#define SCTPA_MEASURE_BINS_H

#include <stdint.h>

enum { SCTPA_BINS_MAX = 1000000 };

/* The smallest width of 1, 2 or 5 times a power of ten, at least a microsecond, that makes at most 400 bins of
 * duration_ns; so there are 160 or more when it lasts long enough. O(1). */
int64_t sctpa_bin_width_ns(uint64_t duration_ns);

/* A width that was asked for, or when it is not above 0 the one above; raised when duration_ns would have more than
 * SCTPA_BINS_MAX bins of it. O(1). */
int64_t sctpa_bin_width_for(int64_t wanted_ns, uint64_t duration_ns);

#endif
