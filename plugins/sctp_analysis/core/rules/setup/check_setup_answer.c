/* Judges INIT ACK by the INITs that it can answer: streams, address, refusals, collision, restart. */
#include "check_setup.h"

/* INITs of the peer with the Initiate Tag that the INIT ACK carries: how many, the last one. */
static const sctpa_said_t *asked(const sctpa_setup_state_t *state, const sctpa_said_t *ack, unsigned *n)
{
    const sctpa_said_t *last = NULL;
    *n = 0;
    for (const sctpa_said_t *s = state->last; s; s = s->before)
        if (s->from != ack->from && !s->is_ack && s->tag == ack->vtag) {
            last = last ? last : s;
            ++*n;
        }
    return last;
}

static unsigned answered(const sctpa_setup_state_t *state, const sctpa_said_t *ack)
{
    unsigned n = 0;
    for (const sctpa_said_t *s = state->last; s; s = s->before)
        n += s->from == ack->from && s->is_ack && s->vtag == ack->vtag;
    return n;
}

/* RFC 9260 3.3.3: "the value MUST NOT be greater than the MIS value sent in the INIT chunk" */
static void check_streams(sctpa_context_t *c, const sctpa_setup_state_t *state, const sctpa_said_t *ack)
{
    uint16_t most = 0;
    bool is_unlimited = false;
    for (const sctpa_said_t *s = state->last; s; s = s->before)
        if (s->from != ack->from && !s->is_ack && s->tag == ack->vtag) {
            most = MAX(most, s->inbound);
            is_unlimited |= s->inbound == 0;
        }
    if (!is_unlimited && sctpa_may_judge(c, SCTPA_RULE_HS_007, c->from) && ack->outbound > most)
        sctpa_accuse(c, SCTPA_RULE_HS_007, c->from, SCTPA_NO_PATH, state->last->packet,
                     SCTPA_WORDS("at most %u outbound streams", most), SCTPA_WORDS("%u", ack->outbound));
}

/* RFC 9260 5.1: "An endpoint MUST send the INIT ACK chunk to the IP address from which it received the INIT chunk." */
static void check_destination(sctpa_context_t *c, const sctpa_setup_state_t *state, const sctpa_said_t *ack)
{
    const sctpa_end_t *peer = &c->assoc->ends[!c->from];
    const sctpa_said_t *last = NULL;
    if (c->tracker->two_taps || !sctpa_may_judge(c, SCTPA_RULE_HS_010, c->from))
        return;
    for (const sctpa_said_t *s = state->last; s; s = s->before)
        if (s->from != ack->from && !s->is_ack && s->tag == ack->vtag) {
            const sctpa_addr_t *source = peer->pairs[s->pair]->source;
            last = s;
            if (source->bytes == c->packet->destination.bytes &&
                memcmp(source->data, c->packet->destination.data, source->bytes) == 0)
                return;
        }
    char *to = sctpa_addr_text(&c->packet->destination), *of = sctpa_addr_text(peer->pairs[last->pair]->source);
    sctpa_accuse(c, SCTPA_RULE_HS_010, c->from, c->path, last->packet, SCTPA_WORDS("INIT ACK to %s", of),
                 SCTPA_WORDS("to %s", to));
    g_free(to);
    g_free(of);
}

/* RFC 9260 3.3.2: "A receiver of an INIT chunk with the OS value set to 0 MUST discard the packet" */
static void check_accepted(sctpa_context_t *c, const sctpa_setup_state_t *state, const sctpa_said_t *ack,
                           const sctpa_said_t *init)
{
    bool is_any_valid = false, is_any_without_name = false;
    for (const sctpa_said_t *s = state->last; s; s = s->before)
        if (s->from != ack->from && !s->is_ack && s->tag == ack->vtag) {
            is_any_valid |= s->outbound > 0 && s->inbound > 0;
            is_any_without_name |= !s->is_refused;
        }
    if (sctpa_may_judge(c, SCTPA_RULE_HS_028, c->from) && !is_any_valid)
        sctpa_accuse(c, SCTPA_RULE_HS_028, c->from, SCTPA_NO_PATH, init->packet, "no INIT ACK",
                     SCTPA_WORDS("INIT ACK to an INIT with %s 0", init->outbound == 0 ? "OS" : "MIS"));
    if (!is_any_without_name && sctpa_may_judge(c, SCTPA_RULE_HS_031, c->from))
        sctpa_accuse(c, SCTPA_RULE_HS_031, c->from, SCTPA_NO_PATH, init->packet, "ABORT",
                     "INIT ACK to an INIT with a Host Name Address");
}

/* RFC 9260 3.3.2: "the receiver MUST silently discard the packet" */
static void check_tag_zero(sctpa_context_t *c, const sctpa_said_t *init)
{
    if (sctpa_may_judge(c, SCTPA_RULE_HS_029, c->from) && init->tag == 0)
        sctpa_accuse(c, SCTPA_RULE_HS_029, c->from, SCTPA_NO_PATH, init->packet, "no INIT ACK",
                     "INIT ACK to an INIT with Initiate Tag 0");
}

/* Keeps what 5.2.1 would have it repeat. */
static void note_collision(sctpa_setup_state_t *state, const sctpa_said_t *ack)
{
    const sctpa_said_t *own = state->last;
    while (own && (own->from != ack->from || own->is_ack))
        own = own->before;
    if (own && own->tag != ack->tag && state->ends[ack->from].echo_packet == SCTPA_NO_PACKET_INDEX)
        state->ends[ack->from].odd_ack_packet = ack->packet;
}

/* RFC 9260 5.2.2: "the INIT ACK chunk MUST contain a new Initiate Tag" */
static void check_restart(sctpa_context_t *c, const sctpa_said_t *ack)
{
    const sctpa_tracked_t *old;
    if (c->tracked->rare->replaces == SCTPA_NO_ASSOC)
        return;
    old = sctpa_tracked_at(c->tracker, c->tracked->rare->replaces);
    if (old == c->tracked || !old->established || old->assoc.setup.steps[SCTPA_STEP_COOKIE_ACK].count == 0)
        return;
    for (unsigned end = 0; end < 2; end++)
        if (old->assoc.ends[end].port == c->assoc->ends[c->from].port &&
            old->assoc.ends[!end].port == c->assoc->ends[!c->from].port &&
            sctpa_end_addr_origin(&old->assoc.ends[end], &c->packet->source) &&
            sctpa_end_addr_origin(&old->assoc.ends[!end], &c->packet->destination)) {
            if (sctpa_may_judge(c, SCTPA_RULE_HS_038, c->from) && old->assoc.ends[end].vtag == ack->tag)
                sctpa_accuse(c, SCTPA_RULE_HS_038, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "a new Initiate Tag",
                             SCTPA_WORDS("0x%08x as in association %u, which lives", ack->tag, old->assoc.number));
            return;
        }
}

void sctpa_setup_check_answer(sctpa_context_t *c, sctpa_setup_state_t *state, const sctpa_said_t *said)
{
    unsigned n;
    if (!said->is_ack)
        return;
    check_restart(c, said);
    if (state->ends[c->from].inits > 0) {
        note_collision(state, said);
        return;
    }
    const sctpa_said_t *init = asked(state, said, &n);
    if (!init || state->is_overfull || answered(state, said) >= n)
        return;
    check_streams(c, state, said);
    check_destination(c, state, said);
    check_tag_zero(c, init);
    check_accepted(c, state, said, init);
}
