/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of INITs and COOKIE ECHOs that are sent again: their timers, and the answer that they wait for. Leaves out what
 * they hold (check_setup.c, check_cookie.c). */
#include "rules/backoff.h"
#include "rules/rule_functions.h"

/* COOKIE ECHOs of the peer that the COOKIE ACK of the packet is the first answer to. */
static const sctpa_transmissions_t *cookie_echoes(const sctpa_context_t *c)
{
    const sctpa_requester_t *peer = sctpa_retransmissions(c, !c->from);
    bool is_sure = peer && peer->heard_packet == c->index && sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
    const sctpa_transmissions_t *echoes = is_sure ? &peer->requests[SCTPA_RETRANSMITTED_COOKIE_ECHO] : NULL;
    return echoes && echoes->n > 0 && echoes->key == c->assoc->ends[c->from].vtag ? echoes : NULL;
}

bool sctpa_HS_016_applies(const sctpa_context_t *c)
{
    return cookie_echoes(c) != NULL;
}

/* "decides not to establish the new association due to missing mandatory parameters ... or lack of local resources, it
 * SHOULD respond with an ABORT chunk" */
bool sctpa_HS_016_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_transmissions_t *echoes = cookie_echoes(c);
    if (echoes->n <= SCTPA_COOKIE_ECHOES_UNANSWERED ||
        sctpa_context_least_ns(c, echoes->shortest_ns) < SCTPA_COOKIE_ECHO_WAITED_MS * SCTPA_NS_PER_MS)
        return false;
    violation->path = c->path;
    violation->related = echoes->first_packet;
    violation->rests_on = SCTPA_ASSERTED_ARRIVED;
    sctpa_violation_say(violation, "COOKIE ACK or ABORT to the first COOKIE ECHO",
                        SCTPA_WORDS("no answer to %u COOKIE ECHOs, COOKIE ACK to the next", echoes->n - 1));
    return true;
}

bool sctpa_HS_025_applies(const sctpa_context_t *c)
{
    return sctpa_retransmissions_backing_off(c, SCTPA_RETRANSMITTED_INIT) != NULL;
}

/* "When retransmitting the INIT chunk, the endpoint MUST follow the rules defined in Section 6.3" */
bool sctpa_HS_025_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return sctpa_is_not_backed_off(c, SCTPA_RETRANSMITTED_INIT, violation);
}

bool sctpa_HS_026_applies(const sctpa_context_t *c)
{
    return sctpa_retransmissions_backing_off(c, SCTPA_RETRANSMITTED_COOKIE_ECHO) != NULL;
}

/* "The T1-init timer and T1-cookie timer SHOULD follow the same rules given in Section 6.3." */
bool sctpa_HS_026_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return sctpa_is_not_backed_off(c, SCTPA_RETRANSMITTED_COOKIE_ECHO, violation);
}
