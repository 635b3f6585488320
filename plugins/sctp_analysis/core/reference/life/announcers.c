/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps what addresses announce over their associations. */
#include "announcers.h"

#include "wire/address.h"
#include "initialization.h"
#include "initialization_limits.h"

enum { ADDRESSES_KEPT = 256, MANY = 255 };

/* What an address announced: 64 bytes. */
typedef struct {
    sctpa_addr_t addr;
    uint32_t peer_tag; /* of the last association */
    bool is_used;
    sctpa_announced_values_t tags, tsns;
} announcer_t;

struct sctpa_announcers {
    announcer_t slots[ADDRESSES_KEPT];
};

static announcer_t *announcer_of(const sctpa_context_t *c, const sctpa_addr_t *addr)
{
    if (!c->store->announcers)
        c->store->announcers = g_new0(struct sctpa_announcers, 1);
    announcer_t *announcer = &c->store->announcers->slots[sctpa_addr_hash(0, addr) % ADDRESSES_KEPT];
    if (!announcer->is_used || !sctpa_addr_equal(&announcer->addr, addr))
        *announcer = (announcer_t){ .addr = *addr, .is_used = true };
    return announcer;
}

static uint8_t one_more(uint8_t n)
{
    return (uint8_t)MIN(n + 1, MANY);
}

static void add(const sctpa_context_t *c, sctpa_announced_values_t *announced, uint32_t value)
{
    uint32_t step = value - announced->last;
    bool is_close = step < SCTPA_GUESSED_NEAR || -step < SCTPA_GUESSED_NEAR;
    bool is_equal = announced->values > 1 && step == announced->step;
    if (announced->values == 0) {
        announced->equal = announced->close = 1;
        announced->first_packet = c->index;
    } else {
        announced->equal = is_equal ? one_more(announced->equal) : 2;
        announced->close = is_close ? one_more(announced->close) : 1;
        if (!is_equal && !is_close)
            announced->first_packet = c->index;
    }
    announced->values = one_more(announced->values);
    announced->step = step;
    announced->last = value;
}

static void observe(sctpa_context_t *c, uint8_t endpoint)
{
    const sctpa_end_t *own = &c->assoc->ends[endpoint], *peer = &c->assoc->ends[!endpoint];
    if (!own->has_vtag || !peer->has_vtag || !own->init.seen)
        return;
    announcer_t *announcer = announcer_of(c, endpoint == c->from ? &c->packet->source : &c->packet->destination);
    bool is_copy = announcer->tags.values > 0 && announcer->tags.last == own->vtag && announcer->peer_tag == peer->vtag;
    if (is_copy)
        return;
    announcer->peer_tag = peer->vtag;
    add(c, &announcer->tags, own->vtag);
    c->tags[endpoint] = &announcer->tags;
    if (own->init.initial_tsn == own->vtag)
        return;
    add(c, &announcer->tsns, own->init.initial_tsn);
    c->initial_tsns[endpoint] = &announcer->tsns;
}

void sctpa_announcers_observe(sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    if (!i || i->endpoints[c->from].cookie_acks > 0)
        return;
    c->has_values = true;
    c->tags[0] = c->tags[1] = c->initial_tsns[0] = c->initial_tsns[1] = NULL;
    if (c->assoc->restart_of != SCTPA_NO_ASSOC)
        return;
    observe(c, 0);
    observe(c, 1);
}
