/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks other associations up that the same two endpoints had. */
#include "earlier_associations.h"

#include "track/endpoints.h"
#include "track/lookup.h"

static const sctpa_earlier_t none = { .assoc = NULL };

/* Has the endpoint of old the ports and addresses that the endpoint has in the packet? */
static bool is_same_pair(const sctpa_context_t *c, const sctpa_assoc_t *old, unsigned old_endpoint, uint8_t endpoint)
{
    const sctpa_addr_t *here = endpoint == c->from ? &c->packet->source : &c->packet->destination;
    const sctpa_addr_t *there = endpoint == c->from ? &c->packet->destination : &c->packet->source;
    return old->ends[old_endpoint].port == c->assoc->ends[endpoint].port &&
           old->ends[!old_endpoint].port == c->assoc->ends[!endpoint].port &&
           sctpa_end_addr_origin(&old->ends[old_endpoint], here) &&
           sctpa_end_addr_origin(&old->ends[!old_endpoint], there);
}

static bool is_set_up(const sctpa_tracked_t *tracked)
{
    return tracked->established && tracked->assoc.setup.steps[SCTPA_STEP_COOKIE_ACK].count > 0;
}

/* Was the endpoint surely beyond COOKIE-ECHOED, in which it repeats its tag (RFC 9260 5.2.1)? */
static bool is_established(const sctpa_tracked_t *tracked, unsigned endpoint)
{
    return tracked->assoc.setup.steps[SCTPA_STEP_COOKIE_ACK].by == endpoint || tracked->sides[endpoint].has_cum_tsn;
}

sctpa_earlier_t sctpa_earlier_alive(const sctpa_context_t *c)
{
    return c->has_announced ? sctpa_earlier_met(c) : none;
}

sctpa_earlier_t sctpa_earlier_met(const sctpa_context_t *c)
{
    if (c->tracked->rare->replaces == SCTPA_NO_ASSOC)
        return none;
    const sctpa_tracked_t *old = sctpa_tracked_at(c->tracker, c->tracked->rare->replaces);
    if (old == c->tracked || !is_set_up(old))
        return none;
    for (unsigned end = 0; end < 2; end++)
        if (is_same_pair(c, &old->assoc, end, c->from) && is_established(old, end))
            return (sctpa_earlier_t){ .assoc = &old->assoc, .endpoint = end };
    return none;
}

bool sctpa_earlier_is_latest(const sctpa_context_t *c)
{
    const uint8_t *header = c->packet->bytes;
    sctpa_input_t input = { .packet = c->packet,
                            .index = c->index,
                            .source_port = sctpa_be16(header),
                            .destination_port = sctpa_be16(header + 2),
                            .vtag = sctpa_be32(header + 4) };
    sctpa_input_hash(c->tracker, &input);
    const sctpa_candidates_t list = sctpa_neighbour_find(c->tracker, &input);
    return list.n > 0 && sctpa_candidate(c->tracker, &list, 0).tracked == c->tracked;
}

const sctpa_addr_t *sctpa_earlier_lacked(const sctpa_context_t *c, const sctpa_earlier_t *old)
{
    const sctpa_end_t *peer = &c->assoc->ends[!c->from], *before = &old->assoc->ends[!old->endpoint];
    for (unsigned i = 0; i < peer->n_addrs; i++)
        if (peer->addrs[i].origin & (SCTPA_ADDR_LISTED | SCTPA_ADDR_SOURCE) &&
            !sctpa_end_addr_origin(before, &peer->addrs[i].addr))
            return &peer->addrs[i].addr;
    return NULL;
}

sctpa_earlier_t sctpa_earlier_restarted(const sctpa_context_t *c)
{
    if (c->assoc->restart_of == SCTPA_NO_ASSOC || c->tracked->rare->restart_known_frame != c->packet->frame)
        return none;
    const sctpa_assoc_t *old = &sctpa_tracked_at(c->tracker, c->assoc->restart_of)->assoc;
    for (unsigned end = 0; end < 2; end++)
        if (is_same_pair(c, old, end, c->from))
            return (sctpa_earlier_t){ .assoc = old, .endpoint = end };
    return none;
}

const sctpa_assoc_t *sctpa_earlier_of_same_tag(const sctpa_context_t *c, uint8_t endpoint)
{
    const sctpa_end_t *own = &c->assoc->ends[endpoint], *peer = &c->assoc->ends[!endpoint];
    const sctpa_candidates_t list = sctpa_owner_find(c->tracker, own->vtag);
    for (unsigned i = 0; i < list.n; i++) {
        sctpa_sender_t at = sctpa_candidate(c->tracker, &list, i);
        const sctpa_assoc_t *old = at.tracked ? &at.tracked->assoc : NULL;
        if (old && old != c->assoc && is_set_up(at.tracked) && is_established(at.tracked, at.from) &&
            old->known.end != SCTPA_ASSOC_OPEN && old->known.end != SCTPA_ASSOC_RESTARTED &&
            old->ends[at.from].vtag == own->vtag && old->ends[!at.from].vtag != peer->vtag &&
            is_same_pair(c, old, at.from, endpoint))
            return old;
    }
    return NULL;
}

unsigned sctpa_earlier_restarts(const sctpa_context_t *c, unsigned most, int64_t within_ns)
{
    const sctpa_assoc_t *assoc = c->assoc;
    unsigned n = 0;
    for (; n < most && assoc->restart_of != SCTPA_NO_ASSOC; n++) {
        const sctpa_assoc_t *old = &sctpa_tracked_at(c->tracker, assoc->restart_of)->assoc;
        if (old == assoc || c->packet->time_ns - old->first_ns > within_ns)
            break;
        assoc = old;
    }
    return n;
}
