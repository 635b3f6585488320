/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What endpoints sent with a Verification Tag that is not their peer's: strays (track/identity/strays.h), and what
 * shows that it was they. Leaves out packets of a set-up. */
#ifndef SCTPA_REFERENCE_WRONG_TAGS_H
#define SCTPA_REFERENCE_WRONG_TAGS_H

#include "reference/context.h"

/* Of an endpoint. */
typedef struct {
    uint32_t strays;        /* since its last packet with the right tag */
    uint32_t before_packet; /* its last packet before the first of them */
    uint32_t last_packet;   /* the last of them */
    uint32_t last_tag;      /* that it carried */
    bool has_fitting;       /* one of them holds a TSN, or a cum_tsn, that nobody else could know */
    uint64_t heartbeat;     /* hash of the last HEARTBEAT in a stray (sctpa_heartbeat_hash), 0 none */
    uint32_t heartbeat_packet, heartbeat_before; /* its packet, the last right one of the endpoint before */
    uint32_t heartbeat_tag;
    uint32_t answer_packet;
    bool is_answered; /* it is, by a HEARTBEAT ACK, since the last packet of the endpoint with the right tag */
} sctpa_wrong_tags_t;

/* Those of an endpoint before the packet, NULL none in the association. O(1). */
const sctpa_wrong_tags_t *sctpa_wrong_tags(const sctpa_context_t *c, uint8_t endpoint);
/* Did the endpoint itself send its strays? Asked at its next packet with the right tag: they carry TSNs that nobody
 * else could know, or stand between its other packets by their identifications of IPv4. O(1). */
bool sctpa_wrong_tags_are_own(const sctpa_context_t *c, const sctpa_wrong_tags_t *wrong);
/* Takes the packet, after the rules. O(chunks). */
void sctpa_wrong_tags_take(const sctpa_context_t *c);

#endif
