/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rules of several chapters ask of a request that is sent again: was its timer backed off? Leaves out data
 * (timers). */
#ifndef SCTPA_SHARED_BACKOFF_H
#define SCTPA_SHARED_BACKOFF_H

#include "retransmissions.h"
#include "model/violation.h"

/* Half intervals: one that was backed off is twice as long as the one before, one that was not is as long. */
#define SCTPA_BACKED_OFF_HALVES 3

/* The packet is the third transmission, or a later one, of a request whose timer had to be backed off, and came too
 * soon. Fills the violation then. O(1). */
bool sctpa_is_not_backed_off(const sctpa_context_t *c, sctpa_retransmitted_t request, sctpa_violation_t *violation);

#endif
