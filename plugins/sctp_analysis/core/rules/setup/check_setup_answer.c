/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of INIT ACK by the INITs that it can answer: streams, address, refusals, collision, restart. */
#include "reference/life/earlier_associations.h"
#include "reference/life/initialization.h"
#include "reference/life/initialization_limits.h"
#include "rules/rule_functions.h"

static const sctpa_announcement_t *answered_init(const sctpa_context_t *c)
{
    return c->has_announced ? c->answered : NULL;
}

/* Does each INIT that the INIT ACK may answer accept streams? One that accepts none (HS-028) limits nothing. */
bool sctpa_HS_007_applies(const sctpa_context_t *c)
{
    const sctpa_announcement_t *last = answered_init(c);
    for (const sctpa_announcement_t *init = last; init; init = sctpa_initialization_asked(init->before, &c->announced))
        if (init->inbound == 0)
            return false;
    return last != NULL;
}

/* "the value MUST NOT be greater than the MIS value sent in the INIT chunk" */
bool sctpa_HS_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint16_t most = 0;
    for (const sctpa_announcement_t *init = answered_init(c); init;
         init = sctpa_initialization_asked(init->before, &c->announced))
        most = MAX(most, init->inbound);
    if (c->announced.outbound <= most)
        return false;
    violation->related = answered_init(c)->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("at most %u outbound streams", most),
                        SCTPA_WORDS("%u", c->announced.outbound));
    return true;
}

static const sctpa_addr_t *source_of(const sctpa_context_t *c, const sctpa_announcement_t *init)
{
    return c->assoc->ends[!c->from].pairs[init->pair]->source;
}

bool sctpa_HS_010_applies(const sctpa_context_t *c)
{
    return answered_init(c) && !sctpa_context_has_two_taps(c);
}

/* "An endpoint MUST send the INIT ACK chunk to the IP address from which it received the INIT chunk." */
bool sctpa_HS_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_announcement_t *first = NULL;
    for (const sctpa_announcement_t *init = answered_init(c); init;
         init = sctpa_initialization_asked(init->before, &c->announced)) {
        const sctpa_addr_t *source = source_of(c, init);
        if (sctpa_addr_equal(source, &c->packet->destination))
            return false;
        first = init;
    }
    violation->path = c->path;
    violation->related = first->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("INIT ACK to %s", sctpa_addr_words(source_of(c, first)).text),
                        SCTPA_WORDS("to %s", sctpa_addr_words(&c->packet->destination).text));
    return true;
}

bool sctpa_HS_029_applies(const sctpa_context_t *c)
{
    return answered_init(c) != NULL;
}

/* "the receiver MUST silently discard the packet" */
bool sctpa_HS_029_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_announcement_t *init = answered_init(c);
    if (init->tag != 0)
        return false;
    violation->related = init->packet;
    sctpa_violation_say(violation, "no INIT ACK", "INIT ACK to an INIT with Initiate Tag 0");
    return true;
}

bool sctpa_HS_028_applies(const sctpa_context_t *c)
{
    return answered_init(c) != NULL;
}

/* "A receiver of an INIT chunk with the OS value set to 0 MUST discard the packet" */
bool sctpa_HS_028_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_announcement_t *last = answered_init(c);
    for (const sctpa_announcement_t *init = last; init; init = sctpa_initialization_asked(init->before, &c->announced))
        if (init->outbound > 0 && init->inbound > 0)
            return false;
    violation->related = last->packet;
    sctpa_violation_say(violation, "no INIT ACK",
                        SCTPA_WORDS("INIT ACK to an INIT with %s 0", last->outbound == 0 ? "OS" : "MIS"));
    return true;
}

bool sctpa_HS_031_applies(const sctpa_context_t *c)
{
    const sctpa_announcement_t *last = answered_init(c);
    for (const sctpa_announcement_t *init = last; init; init = sctpa_initialization_asked(init->before, &c->announced))
        if (!init->has_host_name)
            return false;
    return last != NULL;
}

/* "the endpoint MUST immediately send an ABORT chunk" */
bool sctpa_HS_031_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    violation->related = answered_init(c)->packet;
    sctpa_violation_say(violation, "ABORT", "INIT ACK to an INIT with a Host Name Address");
    return true;
}

bool sctpa_HS_038_applies(const sctpa_context_t *c)
{
    return sctpa_earlier_alive(c).assoc != NULL;
}

/* "the INIT ACK chunk MUST contain a new Initiate Tag" */
bool sctpa_HS_038_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_earlier_t old = sctpa_earlier_alive(c);
    if (old.assoc->ends[old.endpoint].vtag != c->announced.tag)
        return false;
    sctpa_violation_say(
        violation, "a new Initiate Tag",
        SCTPA_WORDS("0x%08x as in association %u, which is alive", c->announced.tag, old.assoc->number));
    return true;
}

bool sctpa_HS_039_applies(const sctpa_context_t *c)
{
    sctpa_earlier_t old = sctpa_earlier_alive(c);
    return old.assoc && old.assoc->known.end == SCTPA_ASSOC_OPEN && old.assoc->ends[!old.endpoint].init.whole;
}

/* "If new addresses are added to the association, the endpoint MUST respond with an ABORT chunk" */
bool sctpa_HS_039_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_earlier_t old = sctpa_earlier_alive(c);
    const sctpa_addr_t *added = sctpa_earlier_lacked(c, &old);
    if (!added)
        return false;
    violation->related = sctpa_context_packet_of(c, c->assoc->setup.steps[SCTPA_STEP_INIT].first_frame);
    violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(violation, "ABORT",
                        SCTPA_WORDS("INIT ACK, though the INIT adds %s to association %u, which is alive",
                                    sctpa_addr_words(added).text, old.assoc->number));
    return true;
}

bool sctpa_HS_037_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    return i && i->endpoints[c->accused].goes_on_after_collision;
}

/* "using the same parameters it sent in its original INIT chunk (including its Initiate Tag, unchanged)" */
bool sctpa_HS_037_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const sctpa_announcement_t *own = sctpa_initialization_last_init(i, c->accused), *odd = i->last;
    while (odd && odd->packet != i->endpoints[c->accused].odd_ack_packet)
        odd = odd->before;
    if (!own || !odd || i->is_overfull || own->packet >= odd->packet)
        return false;
    violation->related = odd->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("INIT ACK with Initiate Tag 0x%08x", own->tag),
                        SCTPA_WORDS("0x%08x", odd->tag));
    return true;
}

bool sctpa_HS_009_applies(const sctpa_context_t *c)
{
    return c->has_announced && !c->assoc->collision;
}

/* "MUST set the Verification Tag field to Tag_A" */
bool sctpa_HS_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_earlier_t old = sctpa_earlier_init_ack(c);
    if (!old.assoc || old.assoc->ends[!old.endpoint].vtag == c->assoc->ends[!c->from].vtag)
        return false;
    violation->path = c->path;
    violation->related = sctpa_context_packet_of(c, old.assoc->first_frame);
    sctpa_violation_say(violation, SCTPA_WORDS("Verification Tag 0x%08x", c->assoc->ends[!c->from].vtag),
                        SCTPA_WORDS("0x%08x in an INIT ACK before, in frame %u", old.assoc->ends[!old.endpoint].vtag,
                                    old.assoc->first_frame));
    return true;
}

bool sctpa_HS_061_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const sctpa_announcement_t *init = i ? sctpa_initialization_last_init(i, !c->from) : NULL;
    return init && init->packet + 1 == c->index && i->endpoints[!c->from].inits > 1 && c->tracked->established &&
           init->tag == c->assoc->ends[!c->from].vtag;
}

/* RFC 9260 5.2.2: "the endpoint MUST generate an INIT ACK chunk with a State Cookie" */
bool sctpa_HS_061_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!sctpa_context_has_cause(c, SCTPA_CAUSE_PROTOCOL_VIOLATION))
        return false;
    violation->related = sctpa_initialization_last_init(sctpa_initialization(c), !c->from)->packet;
    sctpa_violation_say(violation, "INIT ACK", "ABORT (Protocol Violation)");
    return true;
}

/* May the INIT of the peer neither be refused, nor its answer go where the user of the accused named no address? */
static bool must_be_answered(const sctpa_context_t *c, const sctpa_announcement_t *init,
                             const sctpa_announcement_t *own)
{
    const sctpa_end_t *accused = &c->assoc->ends[c->accused], *peer = &c->assoc->ends[!c->accused];
    return init->is_whole && init->tag != 0 && init->outbound > 0 && init->inbound > 0 && !init->has_host_name &&
           init->pair < peer->n_pairs && own->pair < accused->n_pairs &&
           sctpa_addr_equal(peer->pairs[init->pair]->source, accused->pairs[own->pair]->destination) &&
           sctpa_addr_equal(peer->pairs[init->pair]->destination, accused->pairs[own->pair]->source);
}

/* INITs of the peer that passed between the first INIT of the accused and its COOKIE ECHO, the first of them, and that
 * INIT. */
typedef struct {
    const sctpa_announcement_t *first, *own;
    unsigned n;
} colliding_t;

static colliding_t colliding(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    colliding_t found = { .n = 0 };
    for (const sctpa_announcement_t *a = i->last; a; a = a->before)
        if (a->from == c->accused && !a->is_ack)
            found.own = a;
    for (const sctpa_announcement_t *a = i->last; found.own && a && a != found.own; a = a->before)
        if (a->from != c->accused && !a->is_ack && a->packet < i->endpoints[c->accused].echo_packet &&
            must_be_answered(c, a, found.own)) {
            found.first = a;
            found.n++;
        }
    return found;
}

/* What the user asserts settles that one INIT arrived. */
static bool is_arrival_asserted(const sctpa_context_t *c)
{
    return sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
}

/* The accused got an INIT ACK of the peer in COOKIE-WAIT, after INITs of it. */
bool sctpa_HS_014_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    return i && !i->is_overfull && !sctpa_context_has_two_taps(c) &&
           sctpa_initialization_has(i->endpoints[c->accused].echo_packet) && i->endpoints[!c->accused].acks > 0 &&
           i->endpoints[!c->accused].inits > 0 &&
           colliding(c).n >= (is_arrival_asserted(c) ? 1 : SCTPA_COLLIDING_INITS);
}

/* "Upon receipt of an INIT chunk in the COOKIE-WAIT state, an endpoint MUST respond with an INIT ACK chunk" */
bool sctpa_HS_014_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_initialization(c)->endpoints[c->accused].acks > 0)
        return false;
    colliding_t found = colliding(c);
    violation->related = found.first->packet;
    violation->since = found.own->packet;
    violation->at_best = is_arrival_asserted(c) ? SCTPA_CERTAINTY_PROVEN : SCTPA_CERTAINTY_PROBABLE;
    violation->rests_on = is_arrival_asserted(c) ? SCTPA_ASSERTED_ARRIVED : 0;
    sctpa_violation_say(violation, SCTPA_WORDS("INIT ACK with Initiate Tag 0x%08x", found.own->tag),
                        SCTPA_WORDS("none, after INITs of the peer: %u, before the COOKIE ECHO", found.n));
    return true;
}
