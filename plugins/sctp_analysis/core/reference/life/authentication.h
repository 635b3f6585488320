/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the endpoints of an association announced of authentication (RFC 4895), which ASCONF came without AUTH, and
 * which AUTH did not verify though others with the same key did. Leaves out how HMACs are verified
 * (track/feed/auth_verify.c). */
#ifndef SCTPA_REFERENCE_AUTHENTICATION_H
#define SCTPA_REFERENCE_AUTHENTICATION_H

#include "reference/context.h"

/* Packets of an endpoint: what those do not have that neither authenticate nor try to. */
typedef struct {
    /* Its AUTH chunks that are verified with one key, the first of each packet: */
    uint16_t key_id, hmac_id;
    bool has_good : 1; /* one verified, the last before wrong_packet if there is one: with that key */
    bool has_wrong : 1;
    uint32_t good_packet,
        wrong_packet;             /* the last that verified; the first after it, with the same ids, that did not */
    uint32_t wrong_random_packet; /* of the last RANDOM of a wrong length */
    uint32_t bare_asconf_packet, bare_asconf_serial; /* the last ASCONF without AUTH before it */
} sctpa_auth_packets_t;

/* Of an endpoint, by its INITs and INIT ACKs so far. */
typedef struct {
    bool has_random : 1, has_hmac_algo : 1;                 /* any of them announced it */
    bool is_whole : 1;                                      /* one was captured whole */
    bool has_wrong_random : 1;                              /* one had a RANDOM of a wrong length */
    bool has_other_random : 1;                              /* one had none, a right one, or was not captured whole */
    bool has_bare_asconf : 1, has_authenticated_asconf : 1; /* ASCONFs without AUTH before them, with it */
} sctpa_authentication_t;

enum { SCTPA_RANDOM_BYTES = 32 }; /* RFC 4895 6.1 */

/* What the endpoint announced before this packet. O(1). */
const sctpa_authentication_t *sctpa_authentication(const sctpa_context_t *c, uint8_t endpoint);
/* Is the RANDOM of an INIT or INIT ACK with these parameters, if they are sound, not of 32 bytes? *has_random: there is
 * one; *bytes: of the random number. O(parameters). */
bool sctpa_authentication_is_random_wrong(const sctpa_param_list_t *params, bool *has_random, int *bytes);
/* Does an AUTH chunk stand before chunk number at of the packet? O(1). */
static inline bool sctpa_authentication_covers(const sctpa_context_t *c, unsigned at)
{
    return c->auth_at < at;
}
/* Its packets before this one. O(1). */
const sctpa_auth_packets_t *sctpa_authentication_packets(const sctpa_context_t *c, uint8_t endpoint);
/* Did the AUTH chunk, the first of the packet, verify with the key and algorithm of the last one of its sender that
 * did? O(1). */
bool sctpa_authentication_verifies_again(const sctpa_context_t *c, const sctpa_tlv_t *chunk);
/* How many AUTH chunks the packet has. O(chunks). */
unsigned sctpa_authentication_chunks(const sctpa_context_t *c);
/* Takes the packet. O(chunks). */
void sctpa_authentication_take(const sctpa_context_t *c);

#endif
