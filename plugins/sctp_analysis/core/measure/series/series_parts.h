/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files that make and read series share. */
#ifndef SCTPA_MEASURE_SERIES_PARTS_H
#define SCTPA_MEASURE_SERIES_PARTS_H

#include "series.h"

#include <stdint.h>

enum { SCTPA_BINS_MAX = 1000000 };

/* The smallest width of 1, 2 or 5 times a power of ten, at least a microsecond, that makes at most 400 bins of
 * duration_ns; so there are 160 or more when it lasts long enough. O(1). */
int64_t sctpa_bin_width_ns(uint64_t duration_ns);

/* A width that was asked for, or when it is not above 0 the one above; raised when duration_ns would have more than
 * SCTPA_BINS_MAX bins of it. O(1). */
int64_t sctpa_bin_width_for(int64_t wanted_ns, uint64_t duration_ns);

/* The least and the greatest value of a stretch of points, and the positions of the first points with them: 24 bytes.
 */
typedef struct {
    int64_t min, max;
    uint32_t min_at, max_at;
} sctpa_extremes_t;

struct sctpa_series {
    sctpa_series_kind_t kind;
    int64_t bin_ns;    /* 0: no rate */
    GArray *points;    /* sctpa_point_t in packet order */
    bool looked_at;    /* what follows was made */
    GArray *by_time;   /* uint32_t: positions in points in order of time; NULL: they stand in it */
    GPtrArray *levels; /* GArray of sctpa_extremes_t: of each SCTPA_STRETCH points, of as many of those, ... */
};

enum { SCTPA_STRETCH = 16 };

/* The series being made from a source. */
typedef struct {
    const sctpa_series_source_t *source;
    const sctpa_series_request_t *request;
    sctpa_series_t **series;   /* by kind, NULL not asked for */
    GArray *packets;           /* uint32_t: packets with DATA, ascending, NULL nobody asks */
    int64_t first_ns, last_ns; /* of them, by time; last < first: none */
} sctpa_series_making_t;

/* SACKs in order; begins with { .near = -1 }. */
typedef struct {
    int64_t near;    /* relative cum_tsn of the last one read */
    int64_t cum_tsn; /* the highest so far */
    uint32_t old;    /* old ones in a row */
    bool any;
} sctpa_sack_reading_t;

#endif
