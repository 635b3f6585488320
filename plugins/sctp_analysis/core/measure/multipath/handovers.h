/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moves of new data from one path to another, and handovers: moves that stayed, to another address of the peer or
 * from another of its own. What asked for it, how long delivery stood still, and what it cost. */
#ifndef SCTPA_MEASURE_HANDOVERS_H
#define SCTPA_MEASURE_HANDOVERS_H

#include "measure/source.h"
#include "measure/series/series.h"

enum { SCTPA_MOVES_KEPT = 4 };

/* New data that went elsewhere than the new data before it. */
typedef struct {
    uint32_t packet, before; /* before: the last with new data that went the old way */
    uint16_t from, to;
} sctpa_move_t;

typedef struct {
    uint64_t n;
    sctpa_move_t first[SCTPA_MOVES_KEPT];
} sctpa_moves_t;

/* Moves of a direction in the order of its TSNs. O(n log n) for n TSNs. */
sctpa_moves_t sctpa_moves_measure(const sctpa_series_source_t *source);

typedef struct {
    uint32_t packet, frame; /* the first new data on the new way */
    uint16_t from, to;      /* paths of the data's sender; the same where its own address changed */
    const sctpa_addr_t *source_from, *source_to; /* addresses of the sender, by the data before and that packet */
    const sctpa_failover_t *failover;            /* NULL: it was none */
    /* The last ASCONF before that names an address concerned: the peer's, or where its own address changed the
     * sender's. It adds the new address or sets it primary, or deletes the old one. NULL: none since the handover
     * before. */
    const sctpa_address_request_t *request;
    uint32_t acked_packet; /* that first acked data sent once, the new way; SCTPA_NO_PACKET_INDEX none */
    int64_t acked_ns;      /* from the first new data there */
    /* The longest time that data waited for an ack, since the one before or since the oldest that it acks was sent: of
     * those after the failover's first loss, the request to set primary or to delete, else the first new data, until
     * acked_packet; -1: there is none. */
    int64_t gap_ns;
    uint32_t gap_since, gap_until; /* the ack or transmission before it, the ack that ended it */
    uint32_t retransmitted;        /* retransmissions from then on of what had gone the old way */
    uint32_t spurious;             /* of them, of what had arrived: at least */
    uint32_t old_answered_packet;  /* that first acked data sent once the old way, or a HEARTBEAT there, after the first
                                      new data, before the next handover; SCTPA_NO_PACKET_INDEX none */
} sctpa_handover_t;

/* The handovers of a direction, in order: sctpa_handover_t; g_array_unref. They are the moves that stayed
 * (sctpa_switching_t), and moves of new data from one address of the sender to another that its ASCONFs had added, or
 * from one that they deleted, by then. At most SCTPA_MOVES_MAX and SCTPA_ADDRESS_REQUESTS_MAX. O(n log n) for n TSNs,
 * transmissions, acks and samples; O(1) where no path or address changed. */
GArray *sctpa_handovers_measure(const sctpa_source_t *source, const sctpa_assoc_t *assoc, uint8_t end);

#endif
