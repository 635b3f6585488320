/* SPDX-License-Identifier: GPL-2.0-or-later */
/* COOKIE ECHO and COOKIE ACK (RFC 9260 5.1.4, 5.2): that the cookie comes back as it was given, to whom, and what is
 * accepted. Leaves out INIT and INIT ACK (setup.c). */
#include "model/chapter.h"

#include "model/shared/earlier_associations.h"
#include "model/shared/initialization.h"
#include "shutdown.h"

/* What separates a peer that restarts again and again from one that did once. */
#define RESTARTS_REPORTED 2
#define RESTARTS_WITHIN_S 60

/* So long after its SHUTDOWN ACK an endpoint surely waits for the answer: RTO.Min, while it gives up after several
 * timeouts. */
#define SHUTDOWN_ACK_SENT_MS 1000

/* A COOKIE ECHO again so much sooner than the shortest RTO was sent by no timer, whatever the ticks of its clock. */
#define SOONER_THAN_TIMER 2

/* Valid.Cookie.Life is given in seconds (RFC 9260 16): what is asserted is this exact, and no life that is not is
 * shorter. */
#define COOKIE_LIFE_UNIT_S 1

/* A cookie that has been stale for so much longer than the capture shows it to exist was so at its birth: more than it
 * takes to the tap and back, and than clocks that count in seconds round. */
#define STALE_FOR_S 2

RULE(HS, 012,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = CHECKSUM | WHOLE | SETUP | BOTH | COMPLETE,
    .when = PACKET, .on = ROW(COOKIE_ECHO),
    .accused = "sender of the COOKIE ECHO",
    .clause = "RFC 9260 3.3.11",
    .title = "COOKIE ECHO with a cookie that no INIT ACK gave",
    .quote = "This field MUST contain the exact cookie received in the State Cookie parameter from the previous INIT "
        "ACK chunk.",
    .why = "The responder discards it silently: the set-up hangs until the initiator gives up.",
    .evidence = "The cookie equals that of none of the INIT ACKs, all captured whole, one of which announced the tag "
        "that the packet carries.",
    .doubt = "Not checked in collisions, when there are fewer INIT ACKs than INITs (the capture may have missed one), "
        "and when one was cut.");

static bool HS_012_applies(const sctpa_context_t *c)
{
    return c->has_echo && sctpa_initialization_is_cookie_due(c);
}

/* "This field MUST contain the exact cookie received in the State Cookie parameter from the previous INIT ACK chunk."
 */
static bool HS_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

RULE(HS, 013,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = CHECKSUM | WHOLE | SETUP | BOTH,
    .when = PACKET, .on = ROW(COOKIE_ECHO),
    .accused = "sender of the COOKIE ECHO",
    .clause = "RFC 9260 8.5.1",
    .title = "COOKIE ECHO with a tag that was not announced with its cookie",
    .quote = "the endpoint MUST use the value of the Initiate Tag received in the INIT ACK chunk",
    .why = "The responder discards it: the cookie belongs to another tag.",
    .evidence = "INIT ACKs announced several tags; the COOKIE ECHO has the cookie of one and the tag of another.",
    .doubt = "The same cookie given with both tags fits both. An INIT ACK that the capture missed explains nothing: a "
        "cookie holds the tag that it was given with (RFC 9260 5.1.3).");

static bool HS_013_applies(const sctpa_context_t *c)
{
    return given_by(c) != NULL;
}

/* "the endpoint MUST use the value of the Initiate Tag received in the INIT ACK chunk" */
static bool HS_013_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

RULE(HS, 030,
    .level = SHOULD, .since = 2960, .seeing = COULD, .needs = CHECKSUM | WHOLE | SETUP | BOTH,
    .when = PACKET, .on = ROW(COOKIE_ECHO),
    .accused = "sender of the COOKIE ECHO",
    .clause = "RFC 9260 3.3.3",
    .title = "INIT ACK without tag or streams accepted",
    .quote = "it MUST destroy the TCB and SHOULD send an ABORT chunk",
    .why = "An association without a tag or without streams in one direction comes up and fails later.",
    .evidence = "COOKIE ECHO carries the cookie of an INIT ACK whose Initiate Tag, OS or MIS is 0.",
    .doubt = "RFC 4960 only recommends it for OS and MIS: never more than SHOULD. The cookie names the INIT ACK, so "
        "that another one that the capture missed explains nothing.");

static bool HS_030_applies(const sctpa_context_t *c)
{
    return given_by(c) != NULL;
}

/* "it MUST destroy the TCB and SHOULD send an ABORT chunk" */
static bool HS_030_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

RULE(HS, 052,
    .level = SHOULD, .since = 2960, .seeing = COULD, .needs = CHECKSUM | WHOLE | SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .on = ROW(COOKIE_ECHO),
    .report = { .one_defect = true },
    .accused = "initiator",
    .clause = "RFC 9260 5.2.3",
    .title = "INIT ACK in COOKIE-ECHOED answered with another COOKIE ECHO",
    .quote = "the endpoint SHOULD discard the INIT ACK chunk",
    .why = "The responder may set up twice, with different tags.",
    .evidence = "Near the initiator: after a COOKIE ECHO it echoed the cookie of an INIT ACK that came later; or the "
        "same cookie again, when T1-cookie cannot have expired: where the user asserts RTO.Min and that the capture "
        "was taken at the initiator, in less than half of RTO.Min; elsewhere, most likely, to the same address in less "
        "than half of the time from the INIT, sent once, to the first INIT ACK, for which T1-init did not expire.",
    .doubt = "Not reported when the initiator sent INIT, or the peer ERROR or ABORT, between the two (stale cookie, "
        "new attempt), nor where one COOKIE ECHO may be in the capture twice.");

static uint16_t ip_id_of(const sctpa_context_t *c, uint32_t packet)
{
    return sctpa_stamp_ip_id(&g_array_index(c->tracker->store.stamps, sctpa_stamp_t, packet));
}

/* Is the packet surely another one than that with the COOKIE ECHO before, where both left their sender so soon after
 * each other: has it another identification of IPv4? */
static bool is_another(const sctpa_context_t *c, uint32_t before)
{
    return ip_id_of(c, before) != c->packet->ip_id;
}

/* RTO.Min of the sender, where that and the place of the capture are asserted; 0: they are not. */
static int64_t asserted_rto_min_ns(const sctpa_context_t *c)
{
    return sctpa_context_is_asserted(c, SCTPA_ASSERTED_TAKEN_AT)
               ? sctpa_tap_parameter(&c->reference->tap, c->from, SCTPA_PARAMETER_RTO_MIN, 0)
               : 0;
}

/* For how long T1-init of the sender ran for its only INIT until the first INIT ACK came, so that no RTO of it, RTO.Max
 * nor round trip is below; 0: that is not known. */
static int64_t init_waited_ns(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const sctpa_announcement_t *init = sctpa_initialization_last_init(i, c->from),
                               *first = sctpa_initialization_first(i, !c->from, true);
    const bool is_known =
        i->endpoints[c->from].inits == 1 && !i->is_overfull && init && first && first->packet > init->packet;
    return is_known ? sctpa_context_time_ns(c, first->packet) - sctpa_context_time_ns(c, init->packet) : 0;
}

/* No T1-cookie of the sender is so short. */
static int64_t t1_cookie_least_ns(const sctpa_context_t *c, uint32_t before)
{
    if (asserted_rto_min_ns(c) > 0)
        return asserted_rto_min_ns(c);
    return sctpa_context_record(c, before)->path == c->path && sctpa_context_is_of_one_tap(c, before)
               ? init_waited_ns(c)
               : 0;
}

static bool HS_052_applies(const sctpa_context_t *c)
{
    const sctpa_announcement_t *ack = given_by(c);
    if (!ack)
        return false;
    const sctpa_initialization_end_t *own = &sctpa_initialization(c)->endpoints[c->from];
    return sctpa_initialization_has(own->echo_packet) && !own->may_set_up_anew &&
           (ack->packet >= own->echo_packet ||
            (is_another(c, own->echo_packet) && t1_cookie_least_ns(c, own->echo_packet) > 0));
}

/* The same cookie again, when no timer can have expired. */
static bool is_echoed_again(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const uint32_t before = sctpa_initialization(c)->endpoints[c->from].echo_packet;
    const int64_t since_ns = sctpa_context_most_since_ns(c, before);
    if (!is_another(c, before) || since_ns >= t1_cookie_least_ns(c, before) / SOONER_THAN_TIMER)
        return false;
    violation->path = c->path;
    violation->related = violation->since = before;
    if (asserted_rto_min_ns(c) > 0)
        violation->rests_on = SCTPA_ASSERTED_TAKEN_AT | SCTPA_ASSERTED(RTO_MIN);
    else
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(violation, "one COOKIE ECHO until T1-cookie expires",
                        SCTPA_WORDS("the same again after %.3f ms", (double)since_ns / 1e6));
    return true;
}

/* "the endpoint SHOULD discard the INIT ACK chunk" */
static bool HS_052_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_initialization_end_t *own = &sctpa_initialization(c)->endpoints[c->from];
    if (c->echo.cookie == own->cookie)
        return is_echoed_again(c, violation);
    if (c->echo.same->packet < own->echo_packet)
        return false;
    violation->path = c->path;
    violation->related = c->echo.same->packet;
    sctpa_violation_say(violation, "the cookie echoed before", "the cookie of an INIT ACK that came in COOKIE-ECHOED");
    return true;
}

RULE(HS, 024,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = ROW(COOKIE_ECHO),
    .accused = "initiator",
    .clause = "RFC 9260 4",
    .title = "COOKIE ECHO retransmitted more than 8 times",
    .quote = "This MUST be repeated up to 'Max.Init.Retransmits' times.",
    .why = "The cookie does not arrive or is not accepted.",
    .evidence = "The same cookie was echoed more than " SAY(SCTPA_SETUP_ATTEMPTS) " times.",
    .doubt = "Max.Init.Retransmits is a parameter, 8 is recommended: a note.");

static bool HS_024_applies(const sctpa_context_t *c)
{
    return c->has_echo && sctpa_initialization_echoes(c) > 1;
}

/* "This MUST be repeated up to 'Max.Init.Retransmits' times." */
static bool HS_024_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

RULE(HS, 048,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .on = ROW(COOKIE_ACK),
    .accused = "responder",
    .clause = "RFC 9260 5.1.5",
    .title = "COOKIE ACK for a cookie that the endpoint never issued",
    .quote = "If this comparison fails, the SCTP packet, including the COOKIE ECHO chunk and any DATA chunks, MUST be "
        "silently discarded.",
    .why = "Anyone can set up associations with forged cookies.",
    .evidence = "COOKIE ACK although every COOKIE ECHO so far had a cookie that no INIT ACK gave (as for HS-012).",
    .doubt = "A COOKIE ECHO that was cut, or an INIT ACK that was, may have had the right cookie: nothing is reported "
        "then.");

static bool HS_048_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = at_first_cookie_ack(c);
    return i && sctpa_initialization_has(i->endpoints[!c->from].echo_packet);
}

/* "If this comparison fails, the SCTP packet, including the COOKIE ECHO chunk and any DATA chunks, MUST be silently
 * discarded." */
static bool HS_048_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_initialization_end_t *peer = &sctpa_initialization(c)->endpoints[!c->from];
    if (!peer->has_wrong_cookie || peer->has_right_cookie)
        return false;
    violation->related = peer->echo_packet;
    sctpa_violation_say(violation, "no COOKIE ACK", "COOKIE ACK for a cookie that it never issued");
    return true;
}

/* The first INIT ACK of the sender of the packet with the cookie that its peer echoed last; NULL none is kept. */
static const sctpa_announcement_t *issued_first(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const sctpa_initialization_end_t *peer = i ? &i->endpoints[!c->from] : NULL;
    const sctpa_announcement_t *first = NULL;
    if (!peer || !sctpa_initialization_has(peer->echo_packet) || i->is_overfull)
        return NULL;
    for (const sctpa_announcement_t *a = i->last; a; a = a->before)
        if (a->from == c->from && a->is_ack && a->has_cookie && a->is_whole && a->cookie == peer->cookie)
            first = a;
    return first;
}

/* Valid.Cookie.Life of the sender of the packet, 0: it is not asserted. */
static int64_t asserted_life_ns(const sctpa_context_t *c)
{
    return sctpa_tap_parameter(&c->reference->tap, c->from, SCTPA_PARAMETER_VALID_COOKIE_LIFE, 0);
}

/* From the INIT ACK with the cookie to the COOKIE ECHO. */
static int64_t age_ns(const sctpa_context_t *c, const sctpa_announcement_t *ack)
{
    const uint32_t echo = sctpa_initialization(c)->endpoints[!c->from].echo_packet;
    return sctpa_context_time_ns(c, echo) - sctpa_context_time_ns(c, ack->packet);
}

RULE(HS, 070,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = CHECKSUM | SETUP | BOTH | NEAR,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(ERROR), .certainty = SCTPA_CERTAINTY_PROBABLE,
    .accused = "responder",
    .clause = "RFC 9260 5.1.5",
    .title = "Fresh cookie refused as stale",
    .quote = "If the elapsed time is longer than the lifespan carried in the State Cookie",
    .why = "The association never comes up, however often the initiator begins anew.",
    .evidence = "ERROR with Stale Cookie says that a cookie expired more than " SAY(STALE_FOR_S) " s before the "
        "endpoint issued it; or, where the user asserts Valid.Cookie.Life, it answers one that the endpoint issued "
        "less than that before.",
    .doubt = "The clock of its host may have been set in between: probable at best.");

/* For how long the cookie has been stale, as the ERROR says; 0: it does not. */
static int64_t staleness_ns(const sctpa_tlv_t *error)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t cause;
    sctpa_params_begin(&iter, error);
    while (sctpa_tlv_next(&iter, &cause))
        if (cause.type == SCTPA_CAUSE_STALE_COOKIE && sctpa_tlv_is_framed(&cause))
            return (int64_t)sctpa_tlv_u32(&cause, SCTPA_F_STALE_COOKIE_STALENESS) * 1000;
    return 0;
}

static bool HS_070_applies(const sctpa_context_t *c)
{
    return sctpa_tlv_has_cause(&c->chunk->tlv, SCTPA_CAUSE_STALE_COOKIE) &&
           (asserted_life_ns(c) > 0 || staleness_ns(&c->chunk->tlv) > 0) && issued_first(c) &&
           sctpa_context_is_of_one_tap(c, issued_first(c)->packet);
}

/* "If the elapsed time is longer than the lifespan carried in the State Cookie" */
static bool HS_070_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const int64_t age_most_ns = sctpa_context_most_ns(c, age_ns(c, issued_first(c))),
                  stale_ns = staleness_ns(&c->chunk->tlv);
    const bool is_too_young = age_most_ns < asserted_life_ns(c);
    if (!is_too_young && stale_ns - age_most_ns <= STALE_FOR_S * SCTPA_NS_PER_S)
        return false;
    violation->path = c->path;
    violation->related = sctpa_initialization(c)->endpoints[!c->from].echo_packet;
    violation->rests_on = is_too_young ? SCTPA_ASSERTED(VALID_COOKIE_LIFE) : 0;
    sctpa_violation_say(violation, "COOKIE ACK",
                        SCTPA_WORDS("ERROR with Stale Cookie, %.3f s after the INIT ACK%s", (double)age_most_ns / 1e9,
                                    is_too_young ? "" : ", though stale for longer"));
    return true;
}

RULE(HS, 071,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = ROW(COOKIE_ACK),
    .accused = "responder",
    .clause = "RFC 9260 5.1.5",
    .title = "Stale cookie accepted",
    .quote = "the endpoint MUST transmit an ERROR chunk with a \"Stale Cookie\" error cause to the peer endpoint",
    .why = "Cookies that somebody has kept set up associations for ever.",
    .evidence = "Where the user asserts a complete capture that was taken at the endpoint, and Valid.Cookie.Life: its "
        "first COOKIE ACK answers the only COOKIE ECHO, with a cookie that it issued longer before than that, by more "
        "than " SAY(COOKIE_LIFE_UNIT_S) " s.",
    .doubt = "Not checked where the INIT has a Cookie Preservative, which asks for a longer life.");

static bool HS_071_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = at_first_cookie_ack(c);
    return i && i->endpoints[!c->from].echoes == 1 && i->endpoints[c->from].inits == 0 && asserted_life_ns(c) > 0 &&
           sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED) && issued_first(c) &&
           !(c->assoc->ends[!c->from].init.params & SCTPA_PARAM_BIT(COOKIE_PRESERVATIVE));
}

/* "the endpoint MUST transmit an ERROR chunk with a "Stale Cookie" error cause to the peer endpoint" */
static bool HS_071_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const int64_t life_ns = asserted_life_ns(c) + COOKIE_LIFE_UNIT_S * SCTPA_NS_PER_S,
                  since_ns = sctpa_context_least_ns(c, age_ns(c, issued_first(c)));
    if (since_ns <= life_ns)
        return false;
    violation->path = c->path;
    violation->related = sctpa_initialization(c)->endpoints[!c->from].echo_packet;
    violation->rests_on = SCTPA_ASSERTED_ARRIVED | SCTPA_ASSERTED(VALID_COOKIE_LIFE);
    sctpa_violation_say(violation, "ERROR with Stale Cookie",
                        SCTPA_WORDS("COOKIE ACK for a cookie of %.3f s before", (double)since_ns / 1e9));
    return true;
}

RULE(HS, 057,
    .level = MUST, .since = 4960, .seeing = COULD, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | UNTRANSLATED,
    .when = PACKET, .on = ROW(COOKIE_ACK),
    .accused = "responder",
    .clause = "RFC 9260 5.4",
    .title = "COOKIE ACK without HEARTBEAT to an unconfirmed address",
    .quote = "A COOKIE ACK chunk MAY be sent to an UNCONFIRMED address, but it MUST be bundled with a HEARTBEAT chunk "
        "including a nonce.",
    .why = "Anyone who lists a victim's address can make the responder send there.",
    .evidence = "The COOKIE ACK, with no HEARTBEAT in its packet, went to an address to which neither an INIT ACK of "
        "the responder nor an answered HEARTBEAT had gone.",
    .doubt = "Not checked when there are fewer INIT ACKs than INITs (the capture may have missed one), in collisions "
        "and with two capture points.");

static bool HS_057_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = at_first_cookie_ack(c);
    return i && i->endpoints[c->from].inits == 0 && i->endpoints[c->from].acks >= i->endpoints[!c->from].inits &&
           !i->is_overfull && !sctpa_context_has_two_taps(c);
}

/* "A COOKIE ACK chunk MAY be sent to an UNCONFIRMED address, but it MUST be bundled with a HEARTBEAT chunk including a
 * nonce." */
static bool HS_057_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

RULE(HS, 043,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM | SETUP | BOTH,
    .when = PACKET, .on = ROW(COOKIE_ACK), .of = OF_EACH,
    .accused = "owner of the tag",
    .clause = "RFC 9260 5.3.1",
    .title = "Initiate Tag reused in the next association with the same peer",
    .quote = "A new Verification Tag value MUST be used each time the endpoint tears down and then reestablishes an "
        "association to the same peer.",
    .why = "Late packets of the old association are taken for those of the new one.",
    .evidence = "Two associations between the same addresses and ports, both with a COOKIE ACK, the first ended "
        "before the second: one endpoint has the same tag in both, the other does not.",
    .doubt = "When both tags are the same, the capture may hold the same packets twice: not checked, nor is a "
        "restart (HS-038). Random tags match once in 2^32.");

static bool HS_043_applies(const sctpa_context_t *c)
{
    return at_first_cookie_ack(c) && c->assoc->ends[c->accused].has_vtag;
}

/* "A new Verification Tag value MUST be used each time the endpoint tears down and then reestablishes an association to
 * the same peer." */
static bool HS_043_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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
    return sctpa_earlier_restarts(c, RESTARTS_REPORTED, RESTARTS_WITHIN_S * SCTPA_NS_PER_S);
}

RULE(SM, 021,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = 0,
    .when = PACKET, .on = ROW(COOKIE_ACK), .of = OF_PEER,
    .accused = "endpoint that restarts",
    .clause = "RFC 9260 5.2.4",
    .title = "The same peer restarts again and again",
    .quote = "the peer might have restarted",
    .why = "A peer that crashes, a supervisor that restarts it, or two hosts behind one address.",
    .evidence = SAY(RESTARTS_REPORTED) " restarts of associations between the same addresses and ports within "
        SAY(RESTARTS_WITHIN_S) " s.",
    .doubt = "A note; associations on other ports do not count.");

static bool SM_021_applies(const sctpa_context_t *c)
{
    return at_first_cookie_ack(c) && restarts(c) > 0;
}

/* No clause: repeated restarts point to a peer that crashes, or two hosts behind one address. */
static bool SM_021_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (restarts(c) < RESTARTS_REPORTED)
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("fewer than %d restarts in %d s", RESTARTS_REPORTED, RESTARTS_WITHIN_S),
                        SCTPA_WORDS("restart of association %u, itself a restart", c->assoc->restart_of));
    return true;
}

RULE(HS, 059,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = CHECKSUM | COMPLETE,
    .when = PACKET, .of = OF_SENDER, .on = ROW(COOKIE_ECHO),
    .accused = "initiator",
    .clause = "RFC 9260 5.1",
    .title = "COOKIE ECHO without INIT ACK",
    .quote = "sends the State Cookie received in the INIT ACK chunk in a COOKIE ECHO chunk",
    .why = "The responder discards it: it never issued that cookie.",
    .evidence = "INIT of the endpoint passed, then its COOKIE ECHO, and no INIT ACK before it.",
    .doubt = "The capture may lack the INIT ACK, or hold it too late: not checked unless the capture is asserted to "
        "be complete, nor where a COOKIE ACK follows.");

static bool HS_059_applies(const sctpa_context_t *c)
{
    const sctpa_setup_t *setup = &c->assoc->setup;
    return setup->steps[SCTPA_STEP_INIT].count > 0 && setup->steps[SCTPA_STEP_INIT].by == c->from &&
           !c->assoc->collision;
}

/* "sends the State Cookie received in the INIT ACK chunk in a COOKIE ECHO chunk" */
static bool HS_059_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->assoc->setup.steps[SCTPA_STEP_INIT_ACK].count > 0)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, "COOKIE ECHO after the INIT ACK", "COOKIE ECHO before any INIT ACK");
    return true;
}

RULE(SM, 018,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = ROW(COOKIE_ACK),
    .report = { .from = 2, .at_once_if = IF_COMPLETE },
    .accused = "endpoint that sent the SHUTDOWN ACK",
    .clause = "RFC 9260 5.2.4",
    .title = "COOKIE ECHO of a restarted peer accepted in SHUTDOWN-ACK-SENT",
    .quote = "it MUST NOT set up a new association but instead resend the SHUTDOWN ACK chunk",
    .why = "The old association is not taken down in order.",
    .evidence = "Near the endpoint: it answered with COOKIE ACK at most " SAY(SHUTDOWN_ACK_SENT_MS) " ms after "
        "its SHUTDOWN ACK of the association that this one replaces; no SHUTDOWN COMPLETE or ABORT came for that.",
    .doubt = "A SHUTDOWN COMPLETE that the capture missed would have ended it: reported where the capture is asserted "
        "to be complete.");

static bool SM_018_applies(const sctpa_context_t *c)
{
    return sctpa_earlier_restarted(c).assoc != NULL;
}

/* "it MUST NOT set up a new association but instead resend the SHUTDOWN ACK chunk" */
static bool SM_018_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_earlier_t old = sctpa_earlier_restarted(c);
    uint32_t ack = sctpa_teardown_ack_sent(c, old.assoc, (uint8_t)old.endpoint);
    if (ack == SCTPA_NO_PACKET_INDEX || sctpa_context_most_since_ns(c, ack) > SHUTDOWN_ACK_SENT_MS * SCTPA_NS_PER_MS)
        return false;
    violation->path = c->path;
    violation->related = ack;
    sctpa_violation_say(violation, "SHUTDOWN ACK and ERROR with cause 10", "COOKIE ACK in SHUTDOWN-ACK-SENT");
    return true;
}

/* After the rules of setup. */
void sctpa_check_cookie(sctpa_context_t *c)
{
    if (sctpa_initialization_is_over(c))
        return;
    ASK(HS, 012);
    ASK(HS, 013);
    ASK(HS, 024);
    ASK(HS, 030);
    ASK(HS, 048);
    ASK(HS, 052);
    ASK(HS, 070);
    ASK(HS, 071);
    ASK(HS, 057);
    ASK(SM, 021);
    ASK(HS, 059);
    ASK(SM, 018);
    ASK(HS, 043);
    sctpa_initialization_take(c);
}
