/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other associations that the capture holds of the same two endpoints, as far as what they used limits this one: the
 * one that its set-up meets alive, one that used its tag, and those that it restarts. Leaves out which of them a packet
 * belongs to (identity of track). */
#ifndef SCTPA_SHARED_EARLIER_ASSOCIATIONS_H
#define SCTPA_SHARED_EARLIER_ASSOCIATIONS_H

#include "model/context.h"

/* An association, and which endpoint of it the endpoint asked about is; assoc NULL: none. */
typedef struct {
    const sctpa_assoc_t *assoc;
    unsigned endpoint;
} sctpa_earlier_t;

/* The association that the set-up finds alive, when the sender of the packet's INIT ACK and its peer are at the same
 * addresses and ports there (RFC 9260 5.2.2). O(addresses), bounded. */
sctpa_earlier_t sctpa_earlier_alive(const sctpa_context_t *c);
/* The same for any packet of its sender in the set-up. */
sctpa_earlier_t sctpa_earlier_met(const sctpa_context_t *c);

/* An address of the peer of the packet's sender, by its INIT, that it did not have in that association; NULL: none.
 * O(addresses), bounded. */
const sctpa_addr_t *sctpa_earlier_lacked(const sctpa_context_t *c, const sctpa_earlier_t *old);

/* The association of the same two endpoints that the sender of a COOKIE ACK gives up with this packet (RFC 9260 5.2.4,
 * Action A), and its endpoint there. O(addresses), bounded. */
sctpa_earlier_t sctpa_earlier_restarted(const sctpa_context_t *c);

/* An association of the same two endpoints, by ports and by the addresses of the packet, that was set up, has ended,
 * and in which the endpoint had the Verification Tag that it has now, while its peer had another: it is no duplicate of
 * this one (RFC 9260 5.3.1). NULL: none. O(associations that used the tag), bounded. */
const sctpa_assoc_t *sctpa_earlier_of_same_tag(const sctpa_context_t *c, uint8_t endpoint);

/* Is the association the last that began between the packet's addresses and ports? O(associations there), bounded. */
bool sctpa_earlier_is_latest(const sctpa_context_t *c);
/* Does the set-up find an association that shuts down, or may have ended? O(1). */
static inline bool sctpa_earlier_is_ending(const sctpa_context_t *c)
{
    return c->tracked->rare->replaces != SCTPA_NO_ASSOC &&
           sctpa_tracked_is_ending(sctpa_tracked_at(c->tracker, c->tracked->rare->replaces));
}

/* How many restarts in a row the association is the last of, each association set up at most within_ns before the
 * packet; most: no more are counted. O(most). */
unsigned sctpa_earlier_restarts(const sctpa_context_t *c, unsigned most, int64_t within_ns);

#endif
