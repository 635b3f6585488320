/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long the packets of a path took from one tap to the other, in a file that holds what two taps saw. What lies
 * between the taps' clocks does not matter: delays are counted from the least of their direction, and the least of both
 * directions together, in which the offset cancels. Leaves which packets only one tap saw to two_taps_result.h. */
#ifndef SCTPA_MEASURE_TAP_DELAY_H
#define SCTPA_MEASURE_TAP_DELAY_H

#include "measure/source.h"

typedef struct {
    sctpa_percentiles_t above_least; /* what packets took beyond the least of the path: waiting in queues */
    /* RFC 3550 6.4.1, of packets in the order in which they passed the tap near the sender: after the last one, and the
     * most. Retransmissions and acks count as any packet. */
    int64_t jitter_ns, most_jitter_ns;
    /* The least time there and the least time back by the same two interfaces, together: the round trip between the
     * taps without queues; -1: no packet of the peer was seen at both. */
    int64_t both_ways_ns;
    /* By how much the far tap's clock gained on the near one's, from the first third of the time to the last, as both
     * directions show: the least time there grew and the least time back shrank, or the other way round; the lesser
     * counts, at least so much. A queue that builds up one way shows in one of them only. */
    bool is_drift_known;
    int64_t drift_ns;
} sctpa_tap_delay_t;

/* Measures a path (index of ends[end].paths). False: one tap, or no packet at both. O(n log n) for n packets at both;
 * memory: 16 bytes for each while it runs. */
bool sctpa_tap_delay_measure(const sctpa_source_t *source, const sctpa_assoc_t *assoc, uint8_t end, uint16_t path,
                             sctpa_tap_delay_t *delay);

#endif
