/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the data of a direction stood still: times in which something was outstanding, nothing of it was newly
 * acknowledged, and the sender showed that it lacked an ack: it sent again when its timer ran out. A sender that sends
 * nothing again for longer had an ack that the capture lacks (RFC 9260 6.3.3 E3). Also where new data moved from one
 * path to another. Leaves why to the reader: what passed meanwhile is in the packets. */
#ifndef SCTPA_MEASURE_STALLS_H
#define SCTPA_MEASURE_STALLS_H

#include "measure/series/series.h"

/* Packets are packet indices. */
typedef struct {
    uint32_t since; /* the SACK that acked something last, or the first data when nothing was outstanding then */
    uint32_t until; /* the SACK that acked something again, SCTPA_NO_PACKET_INDEX: none did; or the last retransmission
                     * that proves the stall, when the next one is overdue by then */
    int64_t stalled_ns; /* until then, or until the end asked for; 0 where the clock stepped back */
    uint32_t timeouts;  /* of the retransmission timer meanwhile, as far as they are proven: in a row */
    uint32_t chunks;    /* outstanding at its end */
    bool ends_acked;    /* until is a SACK */
} sctpa_stall_t;

typedef struct {
    GArray *stalls;         /* sctpa_stall_t in order, those asked for; memory: 32 bytes each */
    int64_t stalled_ns;     /* those together */
    uint32_t most_timeouts; /* in a row */
    sctpa_stall_t longest;  /* of all, however short, and of waits that no timer ended as long as the RTO; since
                               SCTPA_NO_PACKET_INDEX: none */
} sctpa_stalls_t;

/* Finds the stalls of a direction that lasted least_ns or longer, or saw least_timeouts or more; free with
 * sctpa_stalls_free. end_ns: of the association; what is outstanding then stands still until then. TSNs given up
 * (FORWARD_TSN) and those first seen after their ack are left out; what a receiver took back counts as acked. None
 * where acks may be missing (data_only of the source). O(n log n) for n TSNs and retransmissions; memory: 8 bytes per
 * TSN while it runs. */
sctpa_stalls_t *sctpa_stalls_measure(const sctpa_series_source_t *source, int64_t end_ns, int64_t least_ns,
                                     uint32_t least_timeouts);
void sctpa_stalls_free(sctpa_stalls_t *stalls);

enum { SCTPA_MOVES_KEPT = 4 };

/* New data that went elsewhere than the new data before it. */
typedef struct {
    uint32_t packet;
    uint16_t from, to;
} sctpa_move_t;
typedef struct {
    uint64_t n;
    sctpa_move_t first[SCTPA_MOVES_KEPT];
} sctpa_moves_t;

/* Moves of a direction in the order of its TSNs. O(n log n) for n TSNs. */
sctpa_moves_t sctpa_moves_measure(const sctpa_series_source_t *source);

#endif
