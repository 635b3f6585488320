/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which sender of the family fits what an endpoint sent: the result. Leaves out the evidence (cwnd_fit.c). */
#ifndef SCTPA_CWND_SENDER_FIT_H
#define SCTPA_CWND_SENDER_FIT_H

#include "model/reference.h"
#include "cwnd.h"

/* The sender that fits endpoint best. False, nothing decides: more than half of the family fit, none does, the tap is
 * far from the endpoint, or the capture does not hold how the association began. O(family). */
bool sctpa_sender_fit_of(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked, uint8_t endpoint,
                         sctpa_sender_fit_t *fit);

#endif
