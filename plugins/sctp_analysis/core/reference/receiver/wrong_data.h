/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DATA that a receiver must complain of (RFC 9260 6.2, 6.5, RFC 8260 2.2.3), and whether it took it. Leaves out what it
 * does instead.
 */
#ifndef SCTPA_REFERENCE_WRONG_DATA_H
#define SCTPA_REFERENCE_WRONG_DATA_H

#include "receiver.h"

/* A DATA chunk of which the receiver has not complained so far. */
typedef struct {
    int64_t acked_ns;     /* when the SACK passed that takes it */
    uint32_t tsn, packet; /* of it */
    uint16_t stream;
    bool is_waiting, is_acked;
} sctpa_wrong_chunk_t;

/* Of a receiver. */
typedef struct sctpa_wrong_data {
    sctpa_wrong_chunk_t empty;  /* a chunk without user data */
    sctpa_wrong_chunk_t stream; /* of a stream that does not exist */
    sctpa_wrong_chunk_t kind;   /* DATA though I-DATA was negotiated, or the reverse */
} sctpa_wrong_data_t;

/* The chunk without user data that endpoint has not complained of; the one of the wrong kind; that of a stream that
 * does not exist, as long as no RE-CONFIG may have added it; NULL none. O(1). */
const sctpa_wrong_chunk_t *sctpa_wrong_data_empty(const sctpa_context_t *c, uint8_t endpoint);
const sctpa_wrong_chunk_t *sctpa_wrong_data_kind(const sctpa_context_t *c, uint8_t endpoint);
const sctpa_wrong_chunk_t *sctpa_wrong_data_stream(const sctpa_context_t *c, uint8_t endpoint);
/* How long the receiver that sends the packet has had it without complaint, longer than its ERROR may be late; -1 not
 * so long. O(1). */
int64_t sctpa_wrong_data_overdue_ns(const sctpa_context_t *c, const sctpa_wrong_chunk_t *stream);

/* A new DATA chunk passes towards receiver. O(1). */
void sctpa_wrong_data_arrives(const sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_observed_t *observed);
/* Takes what receiver makes of it with a packet that it sends. O(1). */
void sctpa_wrong_data_take(const sctpa_context_t *c, sctpa_receiver_t *receiver);

#endif
