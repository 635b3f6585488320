/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of T2-shutdown: that it repeats SHUTDOWN and SHUTDOWN ACK, and that it is backed off. Leaves out what answers
 * them (check_shutdown_answer.c). */
#include "rules/backoff.h"
#include "rules/rule_functions.h"
#include "wire/protocol_parameters.h"

static bool is_backing_off(const sctpa_context_t *c, sctpa_retransmitted_t request)
{
    return sctpa_retransmissions_backing_off(c, request) != NULL;
}

bool sctpa_SD_010_applies(const sctpa_context_t *c)
{
    return is_backing_off(c, SCTPA_RETRANSMITTED_SHUTDOWN) || is_backing_off(c, SCTPA_RETRANSMITTED_SHUTDOWN_ACK);
}

/* "The rules in Section 6.3 MUST be followed to determine the proper timer value for T2-shutdown." */
bool sctpa_SD_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return sctpa_is_not_backed_off(c, SCTPA_RETRANSMITTED_SHUTDOWN, violation) ||
           sctpa_is_not_backed_off(c, SCTPA_RETRANSMITTED_SHUTDOWN_ACK, violation);
}

bool sctpa_SD_025_applies(const sctpa_context_t *c)
{
    const sctpa_requester_t *requester = sctpa_retransmissions(c, c->from);
    return requester && requester->shutdown.packet != SCTPA_NO_PACKET_INDEX && requester->shutdown.expiries > 0 &&
           sctpa_context_is_asserted(c, SCTPA_BACKING_OFF_RESTS_ON);
}

/* "If the timer expires, the endpoint MUST resend the SHUTDOWN chunk": "the endpoint MUST resend the SHUTDOWN ACK
 * chunk" */
bool sctpa_SD_025_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_shutdown_wait_t *wait = &sctpa_retransmissions(c, c->from)->shutdown;
    int64_t since_ns = c->packet->time_ns - sctpa_context_time_ns(c, wait->packet);
    int64_t rto_max_ns = sctpa_tap_parameter(&c->reference->tap, c->from, SCTPA_PARAMETER_RTO_MAX, 0);
    if (wait->expiries < SCTPA_SHUTDOWN_UNREPEATED_EXPIRIES ||
        sctpa_context_least_ns(c, since_ns) < MAX(SCTPA_SHUTDOWN_UNREPEATED_S * SCTPA_NS_PER_S, 3 * rto_max_ns))
        return false;
    violation->path = c->path;
    violation->related = violation->since = wait->packet;
    violation->rests_on = SCTPA_BACKING_OFF_RESTS_ON;
    sctpa_violation_say(violation, "the chunk again when T2-shutdown expires",
                        SCTPA_WORDS("no repeat for %.0f s, in which the timer expired %u times",
                                    1e-9 * (double)since_ns, wait->expiries));
    return true;
}
