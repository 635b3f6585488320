/* Judges the cookie: that it comes back as it was given, to whom, and what is accepted. */
#include "check_setup.h"

#include <string.h>

/* The INIT ACKs that an end can have got. */
typedef struct {
    const sctpa_said_t *same; /* with this cookie, and this tag if there is one */
    bool is_tag_known;        /* one announced the tag that the COOKIE ECHO carries */
    bool is_tag_same;         /* same announced it */
    bool is_whole;            /* all were captured whole and have a cookie */
} given_t;

static given_t given(const sctpa_setup_state_t *state, uint8_t to, uint64_t cookie, uint32_t vtag)
{
    given_t g = { .is_whole = true };
    for (const sctpa_said_t *s = state->last; s; s = s->before) {
        if (s->from == to || !s->is_ack)
            continue;
        g.is_whole &= s->is_whole && s->has_cookie;
        g.is_tag_known |= s->tag == vtag;
        if (s->has_cookie && s->cookie == cookie && !g.is_tag_same) {
            g.same = s;
            g.is_tag_same = s->tag == vtag;
        }
    }
    return g;
}

/* RFC 9260 3.3.11: "This field MUST contain the exact cookie received in the State Cookie parameter from the previous
 * INIT ACK chunk." */
static void check_exact(sctpa_context_t *c, sctpa_setup_state_t *state, const given_t *g)
{
    sctpa_setup_end_t *end = &state->ends[c->from];
    if (!g->is_tag_known || !g->is_whole || state->is_overfull || state->ends[!c->from].acks < end->inits ||
        state->ends[!c->from].inits > 0 || !sctpa_may_judge(c, SCTPA_RULE_HS_012, c->from))
        return;
    end->has_wrong_cookie |= !g->same;
    if (!g->same)
        sctpa_accuse(c, SCTPA_RULE_HS_012, c->from, c->path, state->last->packet,
                     "the cookie of the INIT ACK, byte by byte", "a cookie that no INIT ACK gave");
}

/* RFC 9260 8.5.1: "the endpoint MUST use the value of the Initiate Tag received in the INIT ACK chunk" */
static void check_vtag(sctpa_context_t *c, const given_t *g)
{
    if (!g->same || !sctpa_may_judge(c, SCTPA_RULE_HS_013, c->from) || g->is_tag_same)
        return;
    sctpa_accuse(c, SCTPA_RULE_HS_013, c->from, c->path, g->same->packet,
                 SCTPA_WORDS("Verification Tag 0x%08x, announced with this cookie", g->same->tag),
                 SCTPA_WORDS("0x%08x", sctpa_context_vtag(c)));
}

/* RFC 9260 3.3.3: "it MUST destroy the TCB and SHOULD send an ABORT chunk with the T bit set" */
static void check_accepted(sctpa_context_t *c, const given_t *g)
{
    if (!g->same)
        return;
    if (sctpa_may_judge(c, SCTPA_RULE_HS_030, c->from) &&
        (g->same->tag == 0 || g->same->outbound == 0 || g->same->inbound == 0))
        sctpa_accuse(c, SCTPA_RULE_HS_030, c->from, SCTPA_NO_PATH, g->same->packet, "no COOKIE ECHO",
                     SCTPA_WORDS("COOKIE ECHO after an INIT ACK with %s 0", g->same->tag == 0        ? "Initiate Tag"
                                                                            : g->same->outbound == 0 ? "OS"
                                                                                                     : "MIS"));
}

/* RFC 9260 5.2.3: "the endpoint SHOULD discard the INIT ACK chunk" */
static void check_second(sctpa_context_t *c, const sctpa_setup_end_t *end, const given_t *g, uint64_t cookie)
{
    if (end->echo_packet == SCTPA_NO_PACKET_INDEX || end->is_asked_anew || !g->same ||
        g->same->packet < end->echo_packet || !sctpa_may_judge(c, SCTPA_RULE_HS_052, c->from) || cookie == end->cookie)
        return;
    sctpa_accuse(c, SCTPA_RULE_HS_052, c->from, c->path, g->same->packet, "the cookie echoed before",
                 "the cookie of an INIT ACK that came in COOKIE-ECHOED");
}

/* RFC 9260 4: "This MUST be repeated up to 'Max.Init.Retransmits' times." */
static void check_repeats(sctpa_context_t *c, const sctpa_setup_end_t *end)
{
    if (end->echoes > 1 && sctpa_may_judge(c, SCTPA_RULE_HS_024, c->from) && end->echoes > SCTPA_SETUP_ATTEMPTS)
        sctpa_accuse(c, SCTPA_RULE_HS_024, c->from, c->path, SCTPA_NO_PACKET_INDEX,
                     "at most 8 retransmissions of a COOKIE ECHO", SCTPA_WORDS("%u", end->echoes - 1));
}

/* An attempt that goes on with its own INIT was in COOKIE-WAIT when it answered the other. */
static void note_collision(sctpa_setup_state_t *state, uint8_t from)
{
    sctpa_setup_end_t *end = &state->ends[from];
    end->is_collision_due |= end->inits > 0 && state->ends[!from].inits > 0 && end->acks > 0;
}

/* RFC 9260 5.2.1: "using the same parameters it sent in its original INIT chunk (including its Initiate Tag,
 * unchanged)" */
void sctpa_setup_check_collision(sctpa_context_t *c, sctpa_setup_state_t *state, uint8_t accused)
{
    sctpa_setup_end_t *end = &state->ends[accused];
    const sctpa_said_t *own = state->last, *odd = state->last;
    if (!sctpa_may_judge(c, SCTPA_RULE_HS_037, accused))
        return;
    end->is_collision_due = false;
    while (own && (own->from != accused || own->is_ack))
        own = own->before;
    while (odd && odd->packet != end->odd_ack_packet)
        odd = odd->before;
    if (own && odd && !state->is_overfull && own->packet < odd->packet)
        sctpa_accuse(c, SCTPA_RULE_HS_037, accused, SCTPA_NO_PATH, odd->packet,
                     SCTPA_WORDS("INIT ACK with Initiate Tag 0x%08x", own->tag), SCTPA_WORDS("0x%08x", odd->tag));
}

void sctpa_setup_check_echo(sctpa_context_t *c, sctpa_setup_state_t *state, const sctpa_tlv_t *echo)
{
    sctpa_setup_end_t *end = &state->ends[c->from];
    bool is_whole = echo->captured_bytes == echo->wire_bytes;
    uint64_t cookie = sctpa_setup_hash(c, echo);
    given_t g = given(state, c->from, cookie, sctpa_context_vtag(c));
    end->has_right_cookie |= !is_whole || g.same || !g.is_whole;
    if (is_whole) {
        check_exact(c, state, &g);
        check_vtag(c, &g);
        check_accepted(c, &g);
        check_second(c, end, &g, cookie);
    }
    note_collision(state, c->from);
    bool is_first = end->echo_packet == SCTPA_NO_PACKET_INDEX || cookie != end->cookie;
    end->echoes = is_first ? 1 : (uint8_t)MIN(end->echoes + 1, UINT8_MAX);
    check_repeats(c, end);
    end->cookie = cookie;
    end->echo_packet = c->index;
    end->is_asked_anew = false;
}

/* RFC 9260 5.1.5: "If this comparison fails, the SCTP packet, including the COOKIE ECHO chunk and any DATA chunks, MUST
 * be silently discarded." */
static void check_accepted_cookie(sctpa_context_t *c, const sctpa_setup_state_t *state)
{
    const sctpa_setup_end_t *peer = &state->ends[!c->from];
    if (peer->echo_packet == SCTPA_NO_PACKET_INDEX || !sctpa_may_judge(c, SCTPA_RULE_HS_048, c->from) ||
        !peer->has_wrong_cookie || peer->has_right_cookie)
        return;
    sctpa_accuse(c, SCTPA_RULE_HS_048, c->from, SCTPA_NO_PATH, peer->echo_packet, "no COOKIE ACK",
                 "COOKIE ACK to a cookie that it never gave");
}

/* RFC 9260 5.4: "A COOKIE ACK chunk MAY be sent to an UNCONFIRMED address, but it MUST be bundled with a HEARTBEAT
 * chunk including a nonce." */
static void check_unconfirmed(sctpa_context_t *c, const sctpa_setup_state_t *state)
{
    const sctpa_end_t *own = &c->assoc->ends[c->from];
    if (state->ends[c->from].inits > 0 || state->ends[c->from].acks < state->ends[!c->from].inits ||
        state->is_overfull || c->tracker->two_taps || !sctpa_may_judge(c, SCTPA_RULE_HS_057, c->from))
        return;
    if (c->rows & SCTPA_ROW(HEARTBEAT))
        return;
    for (const sctpa_said_t *s = state->last; s; s = s->before)
        if (s->from == c->from && s->is_ack && own->pairs[s->pair]->path == c->path)
            return;
    if (own->paths[c->path].probing->heartbeats_acked > 0)
        return;
    char *to = sctpa_addr_text(&c->packet->destination);
    sctpa_accuse(c, SCTPA_RULE_HS_057, c->from, c->path, state->last->packet,
                 "COOKIE ACK to where the INIT ACK went, or with a HEARTBEAT",
                 SCTPA_WORDS("COOKIE ACK alone to %s", to));
    g_free(to);
}

/* An earlier association of the same two endpoints that used this tag for the same end; not a copy of this one. */
static const sctpa_tracked_t *find_reuse(const sctpa_context_t *c, uint8_t end)
{
    const sctpa_end_t *own = &c->assoc->ends[end], *peer = &c->assoc->ends[!end];
    const sctpa_candidates_t list = sctpa_owner_find(c->tracker, own->vtag);
    for (unsigned i = 0; i < list.n; i++) {
        sctpa_sender_t at = sctpa_candidate(c->tracker, &list, i);
        const sctpa_assoc_t *old = at.tracked ? &at.tracked->assoc : NULL;
        if (!old || old == c->assoc || !at.tracked->established || old->setup.steps[SCTPA_STEP_COOKIE_ACK].count == 0 ||
            old->known.end == SCTPA_ASSOC_OPEN || old->ends[at.from].vtag != own->vtag ||
            old->ends[!at.from].vtag == peer->vtag || old->ends[at.from].port != own->port ||
            old->ends[!at.from].port != peer->port)
            continue;
        const sctpa_addr_t *here = end == c->from ? &c->packet->source : &c->packet->destination;
        const sctpa_addr_t *there = end == c->from ? &c->packet->destination : &c->packet->source;
        if (sctpa_end_addr_origin(&old->ends[at.from], here) && sctpa_end_addr_origin(&old->ends[!at.from], there))
            return at.tracked;
    }
    return NULL;
}

/* RFC 9260 5.3.1: "A new Verification Tag value MUST be used each time the endpoint tears down and then reestablishes
 * an association to the same peer." */
static void check_reuse(sctpa_context_t *c)
{
    for (uint8_t end = 0; end < 2; end++) {
        if (!c->assoc->ends[end].has_vtag || !sctpa_may_judge(c, SCTPA_RULE_HS_043, end))
            continue;
        const sctpa_tracked_t *old = find_reuse(c, end);
        if (old)
            sctpa_accuse(c, SCTPA_RULE_HS_043, end, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "a new Initiate Tag",
                         SCTPA_WORDS("0x%08x, as in association %u, which has ended", c->assoc->ends[end].vtag,
                                     old->assoc.number));
    }
}

/* Restarts again and again point at a peer that crashes, or two hosts behind one address. */
static void check_restarts(sctpa_context_t *c)
{
    const sctpa_assoc_t *assoc = c->assoc;
    unsigned n = 0;
    while (n < SCTPA_RESTARTS_REPORTED && assoc->restart_of != SCTPA_NO_ASSOC) {
        const sctpa_assoc_t *old = &sctpa_tracked_at(c->tracker, assoc->restart_of)->assoc;
        if (old == assoc || c->packet->time_ns - old->first_ns > SCTPA_RESTARTS_WITHIN_S * SCTPA_NS_PER_S)
            break;
        assoc = old;
        n++;
    }
    if (n > 0 && sctpa_may_judge(c, SCTPA_RULE_SM_021, !c->from) && n == SCTPA_RESTARTS_REPORTED)
        sctpa_accuse(c, SCTPA_RULE_SM_021, !c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     SCTPA_WORDS("fewer than %d restarts in %d s", SCTPA_RESTARTS_REPORTED, SCTPA_RESTARTS_WITHIN_S),
                     SCTPA_WORDS("restart of association %u, itself a restart", c->assoc->restart_of));
}

void sctpa_setup_check_cookie_ack(sctpa_context_t *c, sctpa_setup_state_t *state)
{
    uint8_t *cookie_acks = &state->ends[c->from].cookie_acks;
    bool is_first = *cookie_acks == 0;
    *cookie_acks += *cookie_acks < UINT8_MAX;
    if (!is_first)
        return;
    check_accepted_cookie(c, state);
    check_unconfirmed(c, state);
    check_reuse(c);
    sctpa_setup_check_announced(c);
    check_restarts(c);
}
