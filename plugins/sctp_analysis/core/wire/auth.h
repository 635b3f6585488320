/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AUTH (RFC 4895): the association key and the HMAC of an AUTH chunk, by GLib's GHmac.
 * Leaves collecting RANDOM, CHUNKS and HMAC-ALGO parameters to the caller. */
#ifndef SCTPA_WIRE_AUTH_H
#define SCTPA_WIRE_AUTH_H

#include "base/numbers.h"
#include "chunk.h"
#include <stddef.h>

typedef enum {
    SCTPA_AUTH_UNVERIFIED, /* key id not known, parameters not seen, HMAC id unknown, packet cut, or not the first in
                              its packet */
    SCTPA_AUTH_GOOD,
    SCTPA_AUTH_BAD
} sctpa_auth_t;

/* HMAC identifiers (RFC 4895 8.4). */
enum { SCTPA_HMAC_SHA1 = 1, SCTPA_HMAC_SHA256 = 3 };

/* Key vector of one endpoint (RFC 4895 6.1): its RANDOM, CHUNKS and HMAC-ALGO parameters with their headers, without
 * padding. */
typedef struct {
    const uint8_t *bytes;
    size_t length;
} sctpa_key_vector_t;

/* Appends the parameters of an INIT or INIT ACK that belong to the key vector, in the order RANDOM, CHUNKS, HMAC-ALGO.
 * out must hold capacity bytes. Returns the length, 0 when RANDOM or HMAC-ALGO is missing, cut, or capacity is too
 * small. */
size_t sctpa_key_vector_collect(const sctpa_tlv_t *init, uint8_t *out, size_t capacity);

/* Is an HMAC identifier in the HMAC-ALGO parameter of a key vector? Unknown: there is no list. O(bytes). */
sctpa_known_t sctpa_key_vector_lists(sctpa_key_vector_t vector, uint32_t hmac_id);

/* Bytes of an HMAC by its identifier, 0: not known. O(1). */
uint32_t sctpa_hmac_bytes(uint32_t hmac_id);

/* Verifies the HMAC of an AUTH chunk over the packet from that chunk to the end (HMAC field taken as zero).
 * a, b             key vectors of the two endpoints, in any order (the smaller first as RFC 4895 6.1 orders them)
 * shared_key       endpoint pair shared key for the chunk's key id; length 0: the empty key
 * packet_end       first byte after the whole packet
 * O(bytes of the packet). */
sctpa_auth_t sctpa_auth_verify(const sctpa_tlv_t *auth, const uint8_t *packet_end, sctpa_key_vector_t a,
                               sctpa_key_vector_t b, const uint8_t *shared_key, size_t shared_key_length);

#endif
