/* SPDX-License-Identifier: GPL-2.0-or-later */
/* FORWARD-TSN and I-FORWARD-TSN (RFC 3758, RFC 8260): the newest of each endpoint, and what one lists of the messages
 * that it skips. Leaves out which TSNs may have been given up unseen (sctpa_given_up). */
#ifndef SCTPA_SHARED_FORWARD_TSNS_H
#define SCTPA_SHARED_FORWARD_TSNS_H

#include "model/context.h"

#define SCTPA_FORWARD_TSN_ROWS (SCTPA_ROW(FORWARD_TSN) | SCTPA_ROW(I_FORWARD_TSN))

typedef struct {
    int64_t time_ns;
    uint32_t new_cum_tsn, packet;
    uint32_t ssn;           /* of the message of that TSN, where it is inside one */
    uint16_t stream, path;  /* stream: the same */
    uint8_t flags;          /* the same, SCTPA_TSN_ bits */
    bool is_inside;         /* the TSN was sent, is missing at the receiver, and does not end its message */
    bool is_surely_missing; /* ... whatever SACKs the capture missed */
    bool is_i;              /* I-FORWARD-TSN */
    bool is_known;
} sctpa_forward_tsn_t;

/* Compares what the packet's first one lists, and says in facts whether its DATA comes after another, before rules are
 * asked about it: fills skipped of c. O(streams listed). */
void sctpa_forward_tsns_compare(sctpa_context_t *c);
/* Takes those of a packet, after rules were asked about it. O(chunks). */
void sctpa_forward_tsns_take(const sctpa_context_t *c);

/* The one of the endpoint with the highest New Cumulative TSN before the packet, NULL none. O(1). */
const sctpa_forward_tsn_t *sctpa_newest_forward_tsn(const sctpa_context_t *c, uint8_t endpoint);

/* Is the length of such a chunk one that it may have, and was the New Cumulative TSN captured? */
static inline bool sctpa_forward_tsn_is_readable(const sctpa_tlv_t *chunk)
{
    return sctpa_tlv_is_well_formed(chunk) && chunk->captured_bytes >= chunk->row->fixed_bytes;
}
static inline uint32_t sctpa_forward_tsn_new_cum(const sctpa_tlv_t *chunk)
{
    return sctpa_tlv_u32(chunk, SCTPA_F_FORWARD_TSN_NEW_CUM);
}
/* SID of the stream listed at a byte of the chunk; in I-FORWARD-TSN with the U bit above it. */
static inline uint32_t sctpa_forward_tsn_stream(const sctpa_tlv_t *chunk, uint32_t at)
{
    bool is_i = chunk->type == SCTPA_CHUNK_I_FORWARD_TSN;
    return sctpa_be16(chunk->bytes + at) | (is_i ? (uint32_t)(chunk->bytes[at + 3] & 1) << 16 : 0);
}

#endif
