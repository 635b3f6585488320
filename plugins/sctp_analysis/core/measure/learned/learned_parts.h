/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files that learn parameters share: the packets with DATA of a direction, times that are alike. */
#ifndef SCTPA_MEASURE_LEARNED_PARTS_H
#define SCTPA_MEASURE_LEARNED_PARTS_H

#include "base/records.h"
#include "data/rto.h"
#include "measure/source.h"
#include "track/assoc.h"
#include "learned.h"

/* A packet with DATA of a direction: 40 bytes. */
typedef struct {
    uint32_t packet;
    uint32_t ack_packet; /* SACK that cum-acked all of it, SCTPA_NO_PACKET_INDEX: none, or several did */
    int64_t first, last; /* lowest and highest TSN */
    uint32_t bytes;      /* user bytes */
    uint16_t chunks, path;
    bool resent;   /* holds a retransmission */
    bool plain;    /* all TSNs were sent once, in order, and acked by a cum_tsn only, I bit not set */
    bool fragment; /* holds a part of a message that goes on in the next TSN */
    bool acked;    /* all TSNs were acked and sent once */
} sctpa_sending_t;

/* What parameters of an endpoint are learned from. */
typedef struct {
    const sctpa_source_t *source; /* its data */
    const sctpa_source_t *peer;   /* its peer's data, which it acknowledges */
    const sctpa_assoc_t *assoc;
    uint8_t end;                   /* whose parameters */
    const GArray *sent, *received; /* sctpa_sending_t of both, in packet order */
    sctpa_learned_t *learned;
} sctpa_learning_t;

/* Fills learned. O(n log n) for n TSNs, transmissions and SACKs of both directions. Memory: 40 bytes per packet with
 * DATA meanwhile. */
void sctpa_learn(const sctpa_source_t *source, const sctpa_source_t *peer, const sctpa_assoc_t *assoc, uint8_t end,
                 sctpa_learned_t *learned);

/* RTO.Initial, RTO.Min and RTO.Max of an endpoint, and the least and the most they may be. */
typedef struct {
    sctpa_rto_bounds_t values, least, most;
    bool is_learned; /* as in sctpa_rtos_t */
} sctpa_rto_parameters_t;
/* What all packets show of them. O(samples), and where there are timeouts as sctpa_learn, for one direction. */
sctpa_rto_parameters_t sctpa_rto_parameters(const sctpa_source_t *source, const sctpa_assoc_t *assoc, uint8_t end);
/* What is known of them while the capture is read, without walking records: RTO.Initial, and whether timeouts came
 * sooner than the RFC's RTO.Min. O(log packets). */
sctpa_rto_parameters_t sctpa_rto_parameters_so_far(const sctpa_source_t *source, const sctpa_assoc_t *assoc,
                                                   uint8_t end);
/* The RTO of its path after a sample, NULL: before the first. O(1). */
sctpa_rtos_t sctpa_rtos_after(const sctpa_rto_parameters_t *parameters, const sctpa_sample_t *sample);

/* Families. */
void sctpa_learn_sacks(sctpa_learning_t *learning);
void sctpa_learn_window(sctpa_learning_t *learning);

/* A time and the packet that ended it. */
typedef struct {
    int64_t ns;
    uint32_t packet;
} sctpa_timed_t;
typedef struct {
    unsigned first, n;
} sctpa_alike_t;
/* Sorts times (sctpa_timed_t) and finds the most of them that are alike: none longer than the shortest by more than
 * 1/16 and two ticks; of as many the longest. O(n log n). */
sctpa_alike_t sctpa_times_alike(GArray *times);

static inline int64_t sctpa_source_time_ns(const sctpa_source_t *source, uint32_t packet)
{
    return sctpa_source_stamp(source, packet)->time_ns;
}
/* Index of the first of sendings after packet. O(log n). */
static inline unsigned sctpa_sendings_after(const GArray *sendings, uint32_t packet)
{
    return sctpa_array_from(sendings, packet + 1);
}
static inline const sctpa_sending_t *sctpa_sending(const GArray *sendings, unsigned at)
{
    return &g_array_index(sendings, sctpa_sending_t, at);
}

#endif
