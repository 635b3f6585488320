/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data that went over several paths at once (concurrent multipath transfer, Iyengar et al. 2006): for how long, how
 * far one path's TSNs arrived behind those of another, and how long a path with room in its cwnd waited because the
 * receiver's window was full. What a path carried, its rates and round
 * trips are in sctpa_measure_t. */
#ifndef SCTPA_MEASURE_CONCURRENT_H
#define SCTPA_MEASURE_CONCURRENT_H

#include "measure/order.h"
#include "measure/series/series.h"
#include "measure/source.h"

/* A sender that left a path for a reason learns in no less than a round trip what became of that: one that comes back
 * sooner, and goes on so for several round trips of its slowest path, uses both. */
enum { SCTPA_CONCURRENT_ROUND_TRIPS = 3 };

typedef struct {
    uint64_t behind; /* TSNs sent once, here, that arrived behind higher ones that went elsewhere: at least */
    uint32_t median, p95, most; /* by how many TSNs they were behind the highest, by nearest rank; 0: none was */
    int64_t blocked_ns;         /* see sctpa_concurrent_t */
} sctpa_concurrent_path_t;

/* blocked: new data waited for the peer's window, though the path had room in its cwnd, while the receiver held data
 * above a TSN that was missing and had gone another way (receive buffer blocking, Dreibholz et al. 2011). Counted from
 * packet to packet: a_rwnd less what is outstanding has no room for the chunk that is sent next; what is outstanding on
 * the path is less than the least cwnd that a sender can have there (RFC 9260 6.1 B); the newest SACK reports the TSN
 * above its cum_tsn missing, of which the last transmission went to another path. It counts only where that chunk left
 * as soon as a SACK made room: then nothing else kept it. So it is the least that is certain. */
typedef struct {
    int64_t concurrent_ns;  /* times in which new data came back to a path within a round trip, their union */
    uint64_t returns;       /* times that it did */
    uint32_t first_packet;  /* the first of these */
    bool is_blocking_known; /* the capture shows the sender's cwnd, and is near it */
    int64_t blocked_ns;     /* of any path */
    GArray *paths;          /* sctpa_concurrent_path_t by path */
} sctpa_concurrent_t;

/* Measures; NULL: the data did not go over several paths at once, as far as it shows. Free with sctpa_concurrent_free.
 * Cost as sctpa_series_make with three series, and O(n log n) for n TSNs; memory: 16 bytes for each TSN while it
 * runs. For data on one path: O(TSNs). */
sctpa_concurrent_t *sctpa_concurrent_measure(const sctpa_series_source_t *source);
void sctpa_concurrent_free(sctpa_concurrent_t *concurrent);

/* The first transmission of a TSN. Memory: 16 bytes. */
typedef struct {
    uint32_t packet, acked; /* acked: the packet of its first ack, SCTPA_NO_PACKET_INDEX none */
    uint16_t bytes, path;
    uint16_t transmissions, spare;
} sctpa_sent_once_t;

static inline sctpa_concurrent_path_t *sctpa_concurrent_path(const sctpa_concurrent_t *concurrent, uint16_t path)
{
    return path < concurrent->paths->len ? &g_array_index(concurrent->paths, sctpa_concurrent_path_t, path) : NULL;
}

#endif
