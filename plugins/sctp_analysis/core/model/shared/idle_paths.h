/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When an endpoint owes a HEARTBEAT to an address of its peer: which packets use it, and until when it must be probed
 * while nothing does. Leaves out who keeps it (obligations.h). Sources: RFC 9260 5.4, 8.3. */
#ifndef SCTPA_SHARED_IDLE_PATHS_H
#define SCTPA_SHARED_IDLE_PATHS_H

#include "model/context.h"
#include "owed_results.h"

/* Addresses of a peer that are followed: the first in order of discovery. */
enum { SCTPA_IDLE_PATHS_KEPT = 8 };

/* How rules about them are read. */
/* clang-format off */
#define SCTPA_IDLE_PATH_DOUBT \
    "Whoever asserts HB.interval says that HEARTBEATs are sent, but the user of the endpoint may turn them off " \
    "for an address (RFC 9260 8.3 A), and its host may have no route to one: probable at best. Not checked once " \
    "ASCONF passed, nor after a SHUTDOWN."
/* clang-format on */

/* Is it a HEARTBEAT to a path? */
static inline bool sctpa_idle_path_is(unsigned what)
{
    return what == SCTPA_OWED_IDLE_PATH || what == SCTPA_OWED_UNCONFIRMED_PATH || what == SCTPA_OWED_FAILING_PATH;
}

/* Which address of its peer the packet goes to; SCTPA_IDLE_PATHS_KEPT: none that is followed. O(1). */
unsigned sctpa_idle_path_of(const sctpa_context_t *c);
/* The address that data of the packet went to before T3-rtx expired, if it goes elsewhere now, so that the first
 * timeout makes the path potentially failed (RFC 7829), as the user asserts of the sender, and no HEARTBEAT there waits
 * for an answer; SCTPA_IDLE_PATHS_KEPT none. O(1). */
unsigned sctpa_idle_path_failing(const sctpa_context_t *c);
/* Is data of an endpoint outstanding that it sent to the address? T3-rtx then tells as much as a HEARTBEAT to a path
 * that is potentially failed, which may be omitted (RFC 7829 3 (6)). O(paths), few. */
bool sctpa_idle_path_has_data(const sctpa_context_t *c, uint8_t endpoint, unsigned address);
/* The address to which its receiver sent the oldest data that the packet acknowledges of what was sent once: that path
 * is active. SCTPA_IDLE_PATHS_KEPT: none. O(1). */
unsigned sctpa_idle_path_back(const sctpa_context_t *c);
/* Is the address owed HEARTBEATs from now on, when the association comes up with the packet, which an endpoint sent or
 * got: is it one that its peer listed or sent from, of the family of the packet, and may it leave the link? O(1). */
bool sctpa_idle_path_is_listed(const sctpa_context_t *c, uint8_t endpoint, unsigned address);
/* Does the packet use the path that it goes to, so that this is not idle? So do retransmissions and any request. */
bool sctpa_idle_path_is_used(const sctpa_context_t *c);
/* Does the packet end what an endpoint owes: will it send no HEARTBEATs any more, or are addresses changed? O(1). */
bool sctpa_idle_path_is_over(const sctpa_context_t *c, uint8_t endpoint);
/* So long after the packet, which used the path (is_used), or by which the association came up, a HEARTBEAT has left at
 * the latest: 0 where HB.interval is not asserted. *rests_on: SCTPA_ASSERTED_ bits that this goes by. O(log samples).
 */
int64_t sctpa_idle_path_patience_ns(const sctpa_context_t *c, uint8_t endpoint, sctpa_obligation_t what, bool is_used,
                                    uint32_t *rests_on);

#endif
