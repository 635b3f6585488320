/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files that make and read series share. */
#ifndef SCTPA_MEASURE_SERIES_PARTS_H
#define SCTPA_MEASURE_SERIES_PARTS_H

#include "series.h"

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

/* Adds a point, of the path asked for; more: its extent or stream. Nothing when its series is not asked for. O(1). */
void sctpa_series_add(const sctpa_series_making_t *making, sctpa_series_kind_t kind, uint32_t packet, uint16_t path,
                      int64_t value, uint16_t more);
bool sctpa_series_is_wanted(const sctpa_series_making_t *making, sctpa_series_kind_t kind);
int64_t sctpa_series_time_ns(const sctpa_series_making_t *making, uint32_t packet);
const sctpa_stamp_t *sctpa_series_stamp(const sctpa_series_making_t *making, uint32_t packet);
/* Is it of the stream asked for? */
bool sctpa_series_takes_stream(const sctpa_series_making_t *making, uint16_t stream);

/* --- series_data.c: from TSNs --- */
/* Transmissions, and the packets that held them. */
void sctpa_series_make_sent(sctpa_series_making_t *making);
/* User bytes and packets by bins. After the packets are known. */
void sctpa_series_make_rates(sctpa_series_making_t *making);

/* --- series_cwnd.c --- */
void sctpa_series_make_cwnd(sctpa_series_making_t *making);

/* --- series_sack.c: from SACKs and samples --- */
void sctpa_series_make_sacks(sctpa_series_making_t *making);
void sctpa_series_make_samples(sctpa_series_making_t *making);
void sctpa_series_make_rtos(sctpa_series_making_t *making);
void sctpa_series_make_waits(sctpa_series_making_t *making);

/* SACKs in order; begins with { .near = -1 }. */
typedef struct {
    int64_t near;    /* relative cum_tsn of the last one read */
    int64_t cum_tsn; /* the highest so far */
    uint32_t old;    /* old ones in a row */
    bool any;
} sctpa_sack_reading_t;
/* Reads the next SACK: is it new, or older than one before (RFC 9260 6.2.1)? O(1). */
bool sctpa_sack_reading_is_new(sctpa_sack_reading_t *reading, const sctpa_direction_t *direction,
                               const sctpa_sack_record_t *sack);

/* --- series_bytes.c --- */
void sctpa_series_make_bytes(sctpa_series_making_t *making);

/* --- series_flow.c --- */
/* Flight and peer window. After the packets are known. */
void sctpa_series_make_flow(sctpa_series_making_t *making);

#endif
