/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Round trips of data by the path that it took and the address that the SACK came from: two ways of different length
 * make two sets of times, not one that grows. */
#ifndef SCTPA_MEASURE_WAYS_BACK_H
#define SCTPA_MEASURE_WAYS_BACK_H

#include "measure/measure.h"
#include "measure/order.h"
#include "measure/series/series.h"

typedef struct {
    uint16_t to;             /* path of the data's sender */
    uint16_t back;           /* the same, to the address that the SACKs came from; SCTPA_SERIES_ANY_PATH: unknown */
    sctpa_percentiles_t rtt; /* as seen at the tap: from the newest packet that a SACK is the first to ack to the SACK;
                              * not where one is a retransmission (RFC 9260 6.3.1 C5) */
    /* What of that came about while acks kept coming, as where a queue fills up: no single ack added more than half of
     * what 19 of 20 round trips have above the least. A delayed SACK, an outage, a longer way or a clock that steps add
     * all at once. */
    sctpa_percentiles_t grown;
    double acked_bps; /* user bits that acks came for while the round trips were those above the median, or at it;
                       * negative unknown */
} sctpa_way_back_t;

/* The ways of the data sent, in order of to and back: sctpa_way_back_t; g_array_unref. selected: SACKs; NULL all. O(n
 * log n) for n SACKs; memory: 32 bytes each while it runs. */
GArray *sctpa_ways_back_measure(const sctpa_series_source_t *source, const sctpa_packets_t *selected);

#endif
