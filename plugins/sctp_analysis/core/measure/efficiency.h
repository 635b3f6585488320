/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much an endpoint sends beside its user data: packets, headers, acknowledgements. */
#ifndef SCTPA_MEASURE_EFFICIENCY_H
#define SCTPA_MEASURE_EFFICIENCY_H

#include "track/counts.h"
#include "measure.h"

/* Shares are of 1. Where a divisor is 0: negative.
 *
 * other_packets       packets of the endpoint without user data: set-up, SACKs, HEARTBEATs, shutdown
 * other_per_data      of them for each packet with data
 * chunks_per_packet   DATA and I-DATA chunks in a packet with data, mean; retransmissions are chunks, too
 * bundled_share       of the packets with data, those with more than one such chunk (RFC 9260 6.10)
 * sack_share          of the packets with data, those that carry a SACK, too
 * header_share        of all bytes that the endpoint sent (IP packets), those that are no user data: IP, SCTP and chunk
 *                     headers, parameters, padding, whole packets without data. A retransmission is user data, too
 * data_header_share   the same of the packets with data alone */
typedef struct {
    uint64_t data_packets, other_packets;
    double other_per_data, chunks_per_packet, bundled_share, sack_share, header_share, data_header_share;
} sctpa_efficiency_t;

/* counts: of all that the endpoint sent; sent: of its data; of the same packets. O(1). */
sctpa_efficiency_t sctpa_efficiency_of(const sctpa_counts_t *counts, const sctpa_sent_t *sent);

#endif
