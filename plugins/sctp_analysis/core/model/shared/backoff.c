/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the intervals between transmissions of a request. */
#include "backoff.h"

bool sctpa_is_not_backed_off(const sctpa_context_t *c, sctpa_retransmitted_t request, sctpa_violation_t *violation)
{
    const sctpa_transmissions_t *sent = sctpa_retransmissions_backing_off(c, request);
    if (!sent || !sctpa_retransmissions_is_too_soon(c, sent))
        return false;
    violation->path = c->path;
    violation->related = violation->since = sent->first_packet;
    violation->rests_on = SCTPA_BACKING_OFF_RESTS_ON;
    sctpa_violation_say(violation, SCTPA_WORDS("%.3f s until it is repeated", 2e-9 * (double)sent->before_ns),
                        SCTPA_WORDS("%.3f s, after %.3f s before; transmission %u", 1e-9 * (double)sent->interval_ns,
                                    1e-9 * (double)sent->before_ns, sent->n));
    return true;
}
