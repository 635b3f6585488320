/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which implementation an endpoint of an association seems to be, and which congestion control that one has. */
#ifndef SCTPA_CWND_IMPLEMENTATION_H
#define SCTPA_CWND_IMPLEMENTATION_H

#include "model/fingerprint.h"
#include "model/context.h"
#include "model/reference.h"
#include "cwnd.h"

/* The sender that fits endpoint best. False, nothing decides: more than half of the family fit, none does, the tap is
 * far from the endpoint, or the capture does not hold how the association began. O(family). */
bool sctpa_sender_fit_of(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked, uint8_t endpoint,
                         sctpa_sender_fit_t *fit);

/* Takes the INIT or INIT ACK of a packet. O(parameters). */
void sctpa_implementation_take(const sctpa_context_t *c);
/* The implementation that an endpoint seems to be. O(1). */
sctpa_stack_t sctpa_implementation(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked,
                                   uint8_t endpoint);
/* SCTPA_MEMBER_ (sender_family.h): its congestion control as far as known, SCTPA_MEMBER_UNKNOWN not. O(1). */
uint8_t sctpa_implementation_sender(const sctpa_context_t *c, uint8_t endpoint);

#endif
