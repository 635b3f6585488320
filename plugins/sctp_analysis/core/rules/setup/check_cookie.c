/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of COOKIE ECHO and COOKIE ACK: that the cookie comes back as it was given, to whom, and what is accepted. */
#include "reference/life/earlier_associations.h"
#include "reference/life/endpoint_teardown.h"
#include "reference/life/initialization.h"
#include "reference/life/initialization_limits.h"
#include "reference/life/teardown_limits.h"
#include "rules/rule_functions.h"

bool sctpa_HS_012_applies(const sctpa_context_t *c)
{
    return c->has_echo && sctpa_initialization_is_cookie_due(c);
}

/* "This field MUST contain the exact cookie received in the State Cookie parameter from the previous INIT ACK chunk."
 */
bool sctpa_HS_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->echo.same)
        return false;
    violation->path = c->path;
    violation->related = sctpa_initialization(c)->last->packet;
    sctpa_violation_say(violation, "the cookie of the INIT ACK, byte by byte", "a cookie that no INIT ACK gave");
    return true;
}

/* The INIT ACK that gave the cookie of the packet, which was captured whole; NULL none. */
static const sctpa_announcement_t *given_by(const sctpa_context_t *c)
{
    return c->has_echo && c->echo.is_whole ? c->echo.same : NULL;
}

bool sctpa_HS_013_applies(const sctpa_context_t *c)
{
    return given_by(c) != NULL;
}

/* "the endpoint MUST use the value of the Initiate Tag received in the INIT ACK chunk" */
bool sctpa_HS_013_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->echo.is_tag_same)
        return false;
    violation->path = c->path;
    violation->related = c->echo.same->packet;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("Verification Tag 0x%08x, announced with this cookie", c->echo.same->tag),
                        SCTPA_WORDS("0x%08x", sctpa_context_vtag(c)));
    return true;
}

bool sctpa_HS_030_applies(const sctpa_context_t *c)
{
    return given_by(c) != NULL;
}

/* "it MUST destroy the TCB and SHOULD send an ABORT chunk" */
bool sctpa_HS_030_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_announcement_t *ack = given_by(c);
    if (ack->tag != 0 && ack->outbound != 0 && ack->inbound != 0)
        return false;
    violation->related = ack->packet;
    sctpa_violation_say(violation, "no COOKIE ECHO",
                        SCTPA_WORDS("COOKIE ECHO after an INIT ACK with %s 0", ack->tag == 0        ? "Initiate Tag"
                                                                               : ack->outbound == 0 ? "OS"
                                                                                                    : "MIS"));
    return true;
}

bool sctpa_HS_052_applies(const sctpa_context_t *c)
{
    const sctpa_announcement_t *ack = given_by(c);
    if (!ack)
        return false;
    const sctpa_initialization_end_t *own = &sctpa_initialization(c)->endpoints[c->from];
    return sctpa_initialization_has(own->echo_packet) && !own->may_set_up_anew && ack->packet >= own->echo_packet;
}

/* "the endpoint SHOULD discard the INIT ACK chunk" */
bool sctpa_HS_052_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->echo.cookie == sctpa_initialization(c)->endpoints[c->from].cookie)
        return false;
    violation->path = c->path;
    violation->related = c->echo.same->packet;
    sctpa_violation_say(violation, "the cookie echoed before", "the cookie of an INIT ACK that came in COOKIE-ECHOED");
    return true;
}

bool sctpa_HS_024_applies(const sctpa_context_t *c)
{
    return c->has_echo && sctpa_initialization_echoes(c) > 1;
}

/* "This MUST be repeated up to 'Max.Init.Retransmits' times." */
bool sctpa_HS_024_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    unsigned echoes = sctpa_initialization_echoes(c);
    if (echoes <= SCTPA_SETUP_ATTEMPTS)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, "at most 8 retransmissions of a COOKIE ECHO", SCTPA_WORDS("%u", echoes - 1));
    return true;
}

/* Is it the first COOKIE ACK of its sender? */
static const sctpa_initialization_t *at_first_cookie_ack(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    return i && i->endpoints[c->from].cookie_acks == 0 ? i : NULL;
}

bool sctpa_HS_048_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = at_first_cookie_ack(c);
    return i && sctpa_initialization_has(i->endpoints[!c->from].echo_packet);
}

/* "If this comparison fails, the SCTP packet, including the COOKIE ECHO chunk and any DATA chunks, MUST be silently
 * discarded." */
bool sctpa_HS_048_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_initialization_end_t *peer = &sctpa_initialization(c)->endpoints[!c->from];
    if (!peer->has_wrong_cookie || peer->has_right_cookie)
        return false;
    violation->related = peer->echo_packet;
    sctpa_violation_say(violation, "no COOKIE ACK", "COOKIE ACK for a cookie that it never issued");
    return true;
}

bool sctpa_HS_057_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = at_first_cookie_ack(c);
    return i && i->endpoints[c->from].inits == 0 && i->endpoints[c->from].acks >= i->endpoints[!c->from].inits &&
           !i->is_overfull && !sctpa_context_has_two_taps(c);
}

/* "A COOKIE ACK chunk MAY be sent to an UNCONFIRMED address, but it MUST be bundled with a HEARTBEAT chunk including a
 * nonce." */
bool sctpa_HS_057_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const sctpa_end_t *own = &c->assoc->ends[c->from];
    if (c->rows & SCTPA_ROW(HEARTBEAT) || own->paths[c->path].probing->heartbeats_acked > 0)
        return false;
    for (const sctpa_announcement_t *a = i->last; a; a = a->before)
        if (a->from == c->from && a->is_ack && own->pairs[a->pair]->path == c->path)
            return false;
    violation->path = c->path;
    violation->related = i->last->packet;
    sctpa_violation_say(violation, "COOKIE ACK to where the INIT ACK went, or with a HEARTBEAT",
                        SCTPA_WORDS("COOKIE ACK alone to %s", sctpa_addr_words(&c->packet->destination).text));
    return true;
}

bool sctpa_HS_043_applies(const sctpa_context_t *c)
{
    return at_first_cookie_ack(c) && c->assoc->ends[c->accused].has_vtag;
}

/* "A new Verification Tag value MUST be used each time the endpoint tears down and then reestablishes an association to
 * the same peer." */
bool sctpa_HS_043_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_assoc_t *old = sctpa_earlier_of_same_tag(c, c->accused);
    if (!old)
        return false;
    sctpa_violation_say(
        violation, "a new Initiate Tag",
        SCTPA_WORDS("0x%08x, as in association %u, which has ended", c->assoc->ends[c->accused].vtag, old->number));
    return true;
}

static unsigned restarts(const sctpa_context_t *c)
{
    return sctpa_earlier_restarts(c, SCTPA_RESTARTS_REPORTED, SCTPA_RESTARTS_WITHIN_S * SCTPA_NS_PER_S);
}

bool sctpa_SM_021_applies(const sctpa_context_t *c)
{
    return at_first_cookie_ack(c) && restarts(c) > 0;
}

/* No clause: repeated restarts point to a peer that crashes, or two hosts behind one address. */
bool sctpa_SM_021_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (restarts(c) < SCTPA_RESTARTS_REPORTED)
        return false;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("fewer than %d restarts in %d s", SCTPA_RESTARTS_REPORTED, SCTPA_RESTARTS_WITHIN_S),
                        SCTPA_WORDS("restart of association %u, itself a restart", c->assoc->restart_of));
    return true;
}

bool sctpa_HS_059_applies(const sctpa_context_t *c)
{
    const sctpa_setup_t *setup = &c->assoc->setup;
    return setup->steps[SCTPA_STEP_INIT].count > 0 && setup->steps[SCTPA_STEP_INIT].by == c->from &&
           !c->assoc->collision;
}

/* "sends the State Cookie received in the INIT ACK chunk in a COOKIE ECHO chunk" */
bool sctpa_HS_059_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->assoc->setup.steps[SCTPA_STEP_INIT_ACK].count > 0)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, "COOKIE ECHO after the INIT ACK", "COOKIE ECHO before any INIT ACK");
    return true;
}

bool sctpa_SM_018_applies(const sctpa_context_t *c)
{
    return sctpa_earlier_restarted(c).assoc != NULL;
}

/* "it MUST NOT set up a new association but instead resend the SHUTDOWN ACK chunk" */
bool sctpa_SM_018_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_earlier_t old = sctpa_earlier_restarted(c);
    uint32_t ack = sctpa_teardown_ack_sent(c, old.assoc, (uint8_t)old.endpoint);
    if (ack == SCTPA_NO_PACKET_INDEX ||
        sctpa_context_most_since_ns(c, ack) > SCTPA_SHUTDOWN_ACK_SENT_MS * SCTPA_NS_PER_MS)
        return false;
    violation->path = c->path;
    violation->related = ack;
    sctpa_violation_say(violation, "SHUTDOWN ACK and ERROR with cause 10", "COOKIE ACK in SHUTDOWN-ACK-SENT");
    return true;
}
