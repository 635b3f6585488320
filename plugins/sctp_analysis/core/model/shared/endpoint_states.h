/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which states of RFC 9260 section 4 the endpoints of an association can be in: sets that are moved by what an endpoint
 * sent and by what passed towards it. Leaves out the state diagram (association_states.h).
 *
 * An endpoint that vanished without a packet shows only by what it sends next: until then it counts as being where it
 * was. */
#ifndef SCTPA_SHARED_ENDPOINT_STATES_H
#define SCTPA_SHARED_ENDPOINT_STATES_H

#include "model/context.h"
#include "association_states.h"

/* The states (bits) in which an endpoint can be after a packet, by index; all of them before its first one. O(log
 * changes). */
uint8_t sctpa_states_at(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked, uint8_t endpoint,
                        uint32_t packet);
/* Every change of them, in order of packet, *n; good until the next packet. O(1). */
const sctpa_states_change_t *sctpa_states_changes(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked,
                                                  uint32_t *n);
/* The states (bits) in which an endpoint can be before the packet; all of them before the first one of the association.
 * The same whether or not the packet was taken. With sctpa_states_allow: may the endpoint send this chunk? O(log
 * changes). */
uint8_t sctpa_states_before(const sctpa_context_t *c, uint8_t endpoint);
/* Does the packet hold only chunks that leave the states of both endpoints as they are, as nearly every packet of an
 * association that is up? O(1). */
bool sctpa_states_are_settled(const sctpa_context_t *c);
/* Moves the states on by a packet for which they are not settled. O(chunks); keeps 8 bytes when they change. */
void sctpa_states_take(const sctpa_context_t *c);

#endif
