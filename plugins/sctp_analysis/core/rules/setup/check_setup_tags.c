/* Judges what an address announces over its associations: Initiate Tags and Initial TSNs that can be guessed from those
 * before. Keeps a bounded table of addresses, in which a newcomer takes the place of another. Leaves out tags used
 * twice with one peer (check_setup_cookie.c). */
#include "track/address.h"
#include "check_setup.h"

enum { ADDRESSES_KEPT = 256, MANY = 255 };

/* Values as they were announced: 16 bytes. */
typedef struct {
    uint32_t last, step;   /* the last one; from the one before it */
    uint32_t first_packet; /* COOKIE ACK of the first of those near each other or equally far apart */
    uint8_t values;        /* at most MANY */
    uint8_t equal, close;  /* in a row: the same step apart, near the one before */
} announced_t;

/* What an address announced: 64 bytes. */
typedef struct {
    sctpa_addr_t addr;
    uint32_t peer_tag; /* of the last association */
    bool is_used;
    announced_t tags, tsns;
} announcer_t;

struct sctpa_announcers {
    announcer_t slots[ADDRESSES_KEPT];
};

static announcer_t *announcer_of(const sctpa_context_t *c, const sctpa_addr_t *addr)
{
    if (!c->store->announcers)
        c->store->announcers = sctpa_arena_alloc(&c->store->arena, sizeof *c->store->announcers);
    announcer_t *announcer = &c->store->announcers->slots[sctpa_addr_hash(0, addr) % ADDRESSES_KEPT];
    if (!announcer->is_used || !sctpa_addr_equal(&announcer->addr, addr))
        *announcer = (announcer_t){ .addr = *addr, .is_used = true };
    return announcer;
}

static uint8_t one_more(uint8_t n)
{
    return (uint8_t)MIN(n + 1, MANY);
}

static void add(const sctpa_context_t *c, announced_t *announced, uint32_t value)
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

/* "each 0x00000001 above" the one before. */
static sctpa_words_t relation(const announced_t *announced)
{
    if (announced->equal < SCTPA_GUESSED_VALUES)
        return sctpa_words("each within %d of", SCTPA_GUESSED_NEAR);
    return announced->step == 0 ? sctpa_words("each the same as") : sctpa_words("each 0x%08x above", announced->step);
}

/* Random values do neither once in 2^90. */
static void check_run(sctpa_context_t *c, const announced_t *announced, sctpa_rule_t rule, uint8_t end)
{
    if (announced->values < SCTPA_GUESSED_VALUES || !sctpa_may_judge(c, rule, end) ||
        (announced->equal != SCTPA_GUESSED_VALUES && announced->close != SCTPA_GUESSED_VALUES))
        return;
    sctpa_accuse(c, rule, end, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "random values",
                 SCTPA_WORDS("%d in a row since frame %u, %s the one before; now 0x%08x", SCTPA_GUESSED_VALUES,
                             sctpa_context_frame(c, announced->first_packet), relation(announced).text,
                             announced->last));
}

/* RFC 9260 5.1: "Tag_A SHOULD be a random number in the range of 1 to 4294967295"
 * 3.3.2: "the Initial TSN SHOULD be set to a random value in that range" */
static void check_end(sctpa_context_t *c, uint8_t end)
{
    const sctpa_end_t *own = &c->assoc->ends[end], *peer = &c->assoc->ends[!end];
    if (!own->has_vtag || !peer->has_vtag || !own->init.seen)
        return;
    announcer_t *announcer = announcer_of(c, end == c->from ? &c->packet->source : &c->packet->destination);
    bool is_copy = announcer->tags.values > 0 && announcer->tags.last == own->vtag && announcer->peer_tag == peer->vtag;
    if (is_copy)
        return;
    announcer->peer_tag = peer->vtag;
    add(c, &announcer->tags, own->vtag);
    check_run(c, &announcer->tags, SCTPA_RULE_HS_044, end);
    if (own->init.initial_tsn == own->vtag)
        return;
    add(c, &announcer->tsns, own->init.initial_tsn);
    check_run(c, &announcer->tsns, SCTPA_RULE_HS_045, end);
}

void sctpa_setup_check_announced(sctpa_context_t *c)
{
    if (c->assoc->restart_of != SCTPA_NO_ASSOC)
        return;
    check_end(c, 0);
    check_end(c, 1);
}
