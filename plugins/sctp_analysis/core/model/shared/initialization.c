/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows the initialization of associations. */
#include "initialization.h"

#include "base/hash.h"

static const uint64_t of_setup = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(COOKIE_ACK);

/* Hash of the value of a parameter or chunk. O(bytes). */
static uint64_t hash_of(const sctpa_context_t *c, const sctpa_tlv_t *tlv)
{
    return sctpa_hash_bytes(sctpa_hash_mix(c->tracker->store.seed, tlv->length), tlv->bytes + SCTPA_TLV_HEADER_BYTES,
                            tlv->captured_bytes - SCTPA_TLV_HEADER_BYTES);
}

bool sctpa_initialization_is_over(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    bool announces =
        c->n_chunks > 0 && (c->chunks[0].tlv.type == SCTPA_CHUNK_INIT || c->chunks[0].tlv.type == SCTPA_CHUNK_INIT_ACK);
    return i ? !(c->rows & ~(uint64_t)i->settled[c->from]) : !announces;
}

/* The last INIT that ack answers, if it is an INIT ACK (c->answered). */
static const sctpa_announcement_t *answered_by(const sctpa_initialization_t *i, const sctpa_announcement_t *ack)
{
    unsigned asked = 0, answered = 0;
    if (!i || i->endpoints[ack->from].inits > 0 || i->is_overfull)
        return NULL;
    for (const sctpa_announcement_t *a = i->last; a; a = a->before) {
        asked += a->from != ack->from && !a->is_ack && a->tag == ack->vtag;
        answered += a->from == ack->from && a->is_ack && a->vtag == ack->vtag;
    }
    return answered < asked ? sctpa_initialization_asked(i->last, ack) : NULL;
}

static void observe_announcement(sctpa_context_t *c, const sctpa_observed_t *observed)
{
    const sctpa_tlv_t *chunk = &observed->tlv;
    const sctpa_param_list_t *params = sctpa_context_params_of(c, observed);
    const sctpa_tlv_t *cookie = sctpa_param_list_find(params, SCTPA_PARAM_ROW_STATE_COOKIE);
    sctpa_announcement_t *announced = &c->announced;
    *announced = (sctpa_announcement_t){ .vtag = sctpa_context_vtag(c),
                                         .tag = sctpa_tlv_u32(chunk, SCTPA_F_INIT_TAG),
                                         .initial_tsn = sctpa_tlv_u32(chunk, SCTPA_F_INIT_TSN),
                                         .packet = c->index,
                                         .outbound = (uint16_t)sctpa_tlv_u32(chunk, SCTPA_F_INIT_OUTBOUND_STREAMS),
                                         .inbound = (uint16_t)sctpa_tlv_u32(chunk, SCTPA_F_INIT_INBOUND_STREAMS),
                                         .pair = c->record->pair,
                                         .from = c->from,
                                         .is_ack = chunk->type == SCTPA_CHUNK_INIT_ACK,
                                         .is_whole = c->packet->captured_bytes >= c->packet->wire_bytes };
    announced->has_host_name = (params->rows & SCTPA_PARAM_BIT(HOST_NAME)) != 0;
    announced->has_cookie = cookie != NULL;
    announced->cookie = cookie ? hash_of(c, cookie) : 0;
    c->answered = answered_by(sctpa_initialization(c), announced);
    c->has_announced = true;
}

static void observe_echo(sctpa_context_t *c, const sctpa_initialization_t *i, const sctpa_tlv_t *chunk)
{
    uint32_t vtag = sctpa_context_vtag(c);
    sctpa_echo_t echo = { .cookie = hash_of(c, chunk),
                          .is_whole = chunk->captured_bytes == chunk->wire_bytes,
                          .are_acks_whole = true };
    for (const sctpa_announcement_t *a = i->last; a; a = a->before) {
        if (a->from == c->from || !a->is_ack)
            continue;
        echo.are_acks_whole &= a->is_whole && a->has_cookie;
        echo.is_tag_known |= a->tag == vtag;
        if (a->has_cookie && a->cookie == echo.cookie && !echo.is_tag_same) {
            echo.same = a;
            echo.is_tag_same = a->tag == vtag;
        }
    }
    c->echo = echo;
    c->has_echo = true;
}

void sctpa_initialization_observe(sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const sctpa_tlv_t *first = c->n_chunks > 0 ? &c->chunks[0].tlv : NULL;
    if (first && (first->type == SCTPA_CHUNK_INIT || first->type == SCTPA_CHUNK_INIT_ACK) &&
        sctpa_tlv_has(first, SCTPA_F_INIT_TSN))
        observe_announcement(c, &c->chunks[0]);
    const sctpa_tlv_t *echo = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_COOKIE_ECHO);
    if (i && echo)
        observe_echo(c, i, echo);
}

const sctpa_announcement_t *sctpa_initialization_of_sender(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const sctpa_end_t *own = &c->assoc->ends[c->from];
    const sctpa_announcement_t *a = i->last;
    while (a && (a->from != c->from || a->tag != own->vtag))
        a = a->before;
    return i->is_overfull || !own->has_vtag ? NULL : a;
}

const sctpa_announcement_t *sctpa_initialization_last_init(const sctpa_initialization_t *i, uint8_t endpoint)
{
    const sctpa_announcement_t *own = i->last;
    while (own && (own->from != endpoint || own->is_ack))
        own = own->before;
    return own;
}

const sctpa_announcement_t *sctpa_initialization_asked(const sctpa_announcement_t *from,
                                                       const sctpa_announcement_t *ack)
{
    while (from && (from->from == ack->from || from->is_ack || from->tag != ack->vtag))
        from = from->before;
    return from;
}

/* Between COOKIE ECHO and COOKIE ACK, when nothing came that stands for a COOKIE ACK. */
static bool is_between(const sctpa_context_t *c, const sctpa_initialization_t *i)
{
    const uint64_t allowed = SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(COOKIE_ACK) | SCTPA_ROW(HEARTBEAT_ACK) |
                             SCTPA_ROW(ABORT) | SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK);
    return sctpa_initialization_has(i->endpoints[c->from].echo_packet) && !i->endpoints[!c->from].is_heard &&
           !(c->rows & allowed);
}

static bool is_data_before_echo(const sctpa_context_t *c, const sctpa_initialization_t *i)
{
    const sctpa_initialization_end_t *own = &i->endpoints[c->from], *peer = &i->endpoints[!c->from];
    return own->inits > 0 && peer->inits == 0 && !sctpa_initialization_has(own->echo_packet) && !peer->is_heard &&
           c->rows & SCTPA_DATA_ROWS && (!(c->rows & SCTPA_ROW(COOKIE_ECHO)) || sctpa_tlv_is_data(&c->chunks[0].tlv));
}

static bool is_before_cookie_ack(const sctpa_context_t *c, const sctpa_initialization_t *i)
{
    const sctpa_initialization_end_t *own = &i->endpoints[c->from];
    const sctpa_tlv_t *first = &c->chunks[0].tlv;
    return own->inits == 0 && !sctpa_initialization_has(own->echo_packet) && !(c->rows & SCTPA_ROW(COOKIE_ECHO)) &&
           own->acks > 0 && own->cookie_acks == 0 && c->rows & (SCTPA_DATA_ROWS | SCTPA_SACK_ROWS) &&
           (!(c->rows & SCTPA_ROW(COOKIE_ACK)) || sctpa_tlv_is_data(first) || sctpa_tlv_is_sack(first));
}

bool sctpa_initialization_is_early(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    return i && c->n_chunks > 0 && (is_between(c, i) || is_data_before_echo(c, i) || is_before_cookie_ack(c, i));
}

uint8_t sctpa_initialization_echoes(const sctpa_context_t *c)
{
    const sctpa_initialization_end_t *own = &sctpa_initialization(c)->endpoints[c->from];
    bool is_first = !sctpa_initialization_has(own->echo_packet) || c->echo.cookie != own->cookie;
    return is_first ? 1 : (uint8_t)MIN(own->echoes + 1, UINT8_MAX);
}

bool sctpa_initialization_is_cookie_due(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const sctpa_initialization_end_t *own = &i->endpoints[c->from], *peer = &i->endpoints[!c->from];
    return c->has_echo && c->echo.is_whole && c->echo.is_tag_known && c->echo.are_acks_whole && !i->is_overfull &&
           peer->acks >= own->inits && peer->inits == 0;
}

static void free_announcements(sctpa_arena_t *arena, void *part)
{
    for (sctpa_announcement_t *a = ((sctpa_initialization_t *)part)->last, *before; a; a = before) {
        before = a->before;
        sctpa_arena_free(arena, a, sizeof *a);
    }
}

static sctpa_initialization_t *begin(const sctpa_context_t *c)
{
    sctpa_initialization_t *i = sctpa_context_find_part(c, SCTPA_PART_SETUP);
    if (i || !c->has_announced)
        return i;
    i = sctpa_context_owning_part(c, SCTPA_PART_SETUP, sizeof *i, free_announcements);
    for (unsigned endpoint = 0; endpoint < 2; endpoint++)
        i->endpoints[endpoint].echo_packet = i->endpoints[endpoint].early_packet =
            i->endpoints[endpoint].odd_ack_packet = SCTPA_NO_PACKET_INDEX;
    return i;
}

/* The bits of a parameter among those of an endpoint's INITs and INIT ACKs. O(bytes). */
static uint32_t param_bits(const uint8_t *bytes, uint16_t length)
{
    uint64_t hash = sctpa_hash_bytes(0, bytes, length);
    return UINT32_C(1) << (hash >> 59) | UINT32_C(1) << (hash >> 54 & 31);
}

static void take_params(const sctpa_context_t *c, sctpa_initialization_end_t *own)
{
    const sctpa_param_list_t *list = sctpa_context_params_of(c, &c->chunks[0]);
    if (!list->sound)
        own->params = UINT32_MAX;
    for (uint32_t n = 0; n < list->n; n++)
        if (sctpa_param_asks_for_report(&list->params[n]))
            own->params |= param_bits(list->params[n].bytes, list->params[n].length);
}

bool sctpa_initialization_may_have_param(const sctpa_context_t *c, uint8_t endpoint, const sctpa_tlv_t *param)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    if (!i || i->endpoints[endpoint].inits + i->endpoints[endpoint].acks == 0)
        return true;
    uint32_t bits = param_bits(param->bytes, param->length);
    return (i->endpoints[endpoint].params & bits) == bits;
}

static void take_announcement(const sctpa_context_t *c, sctpa_initialization_t *i)
{
    sctpa_initialization_end_t *own = &i->endpoints[c->from];
    if (c->announced.is_ack) {
        const sctpa_announcement_t *init = sctpa_initialization_last_init(i, c->from);
        if (init && init->tag != c->announced.tag && !sctpa_initialization_has(own->echo_packet))
            own->odd_ack_packet = c->index;
        own->acks += own->acks < UINT8_MAX;
    } else {
        own->inits += own->inits < UINT8_MAX;
        own->may_set_up_anew = true;
    }
    take_params(c, own);
    if (i->n_announcements == SCTPA_ANNOUNCEMENTS_MAX) {
        i->is_overfull = true;
        return;
    }
    sctpa_announcement_t *kept = sctpa_arena_alloc(&c->store->arena, sizeof *kept);
    *kept = c->announced;
    kept->before = i->last;
    i->last = kept;
    i->n_announcements++;
}

/* An attempt that goes on with its own INIT was in COOKIE-WAIT when it answered the other. */
static void take_echo(const sctpa_context_t *c, sctpa_initialization_t *i)
{
    sctpa_initialization_end_t *own = &i->endpoints[c->from];
    bool is_sound = sctpa_context_is_intact(c) && c->assoc->ends[0].init.seen && c->assoc->ends[1].init.seen;
    own->has_wrong_cookie |= is_sound && sctpa_initialization_is_cookie_due(c) && !c->echo.same;
    own->has_right_cookie |= !c->echo.is_whole || c->echo.same || !c->echo.are_acks_whole;
    own->goes_on_after_collision |= own->inits > 0 && i->endpoints[!c->from].inits > 0 && own->acks > 0;
    own->echoes = sctpa_initialization_echoes(c);
    own->cookie = c->echo.cookie;
    own->echo_packet = c->index;
    own->may_set_up_anew = false;
}

/* The first packets of data, as long as each goes on where the one before ended. */
static void take_data(const sctpa_context_t *c, sctpa_initialization_t *i)
{
    sctpa_initialization_end_t *own = &i->endpoints[c->from];
    if (own->is_data_settled)
        return;
    for (unsigned n = 0; n < c->n_chunks; n++) {
        const sctpa_tlv_t *chunk = &c->chunks[n].tlv;
        uint32_t tsn = sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN);
        if (!sctpa_tlv_is_data(chunk) || !sctpa_tlv_has(chunk, SCTPA_F_DATA_TSN))
            continue;
        if (!own->has_data) {
            const sctpa_announcement_t *announced = sctpa_initialization_of_sender(c);
            own->has_data = true;
            own->data_packet = c->index;
            own->next_tsn = tsn;
            own->is_data_settled = !announced || announced->initial_tsn != tsn;
        }
        own->is_data_settled |= tsn != own->next_tsn;
        own->next_tsn = tsn + 1;
    }
    own->data_packets++;
    own->has_close_packets |=
        own->data_packets % 2 == 0 && c->packet->time_ns - sctpa_context_time_ns(c, own->last_data_packet) <
                                          SCTPA_FIRST_PACKETS_APART_MS * SCTPA_NS_PER_MS;
    own->is_data_settled |= own->data_packets > SCTPA_FIRST_DATA_PACKETS;
    own->last_data_packet = c->index;
}

static void take_sack(const sctpa_context_t *c, sctpa_initialization_t *i)
{
    sctpa_initialization_end_t *sender = &i->endpoints[!c->from];
    if (!sender->has_data || sender->is_data_settled || sctpa_context_tap_rtt_most_ns(c, c->from) < 0)
        return;
    sender->sacks_after |= (uint8_t)(1u << sender->data_packets);
    sender->is_data_settled = sender->data_packets == 1 || sender->data_packets == SCTPA_FIRST_DATA_PACKETS;
}

/* Data of an endpoint that is not followed any more, and SACKs of it, concern no initialization; at first they may be
 * early, though, or follow a collision. What sets up or resets makes it begin anew. */
static void settle(const sctpa_context_t *c, sctpa_initialization_t *i)
{
    const uint64_t anew = of_setup | SCTPA_ROW(ERROR) | SCTPA_ROW(ABORT);
    const sctpa_initialization_end_t *own = &i->endpoints[c->from], *peer = &i->endpoints[!c->from];
    if (own->is_data_settled && peer->is_data_settled) {
        i->settled[0] = i->settled[1] = (uint32_t) ~(of_setup | SCTPA_ROW(ABORT));
        return;
    }
    if (c->rows & anew)
        i->settled[0] = i->settled[1] = 0;
    else if (own->is_heard && peer->is_heard && !own->goes_on_after_collision && !peer->goes_on_after_collision)
        i->settled[c->from] |= (uint32_t)(c->rows & ((own->is_data_settled ? SCTPA_DATA_ROWS : 0) |
                                                     (peer->is_data_settled ? SCTPA_SACK_ROWS : 0)));
}

void sctpa_initialization_take(const sctpa_context_t *c)
{
    const uint64_t quiet = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(ABORT);
    sctpa_initialization_t *i = begin(c);
    if (!i)
        return;
    sctpa_initialization_end_t *own = &i->endpoints[c->from];
    if (c->has_announced)
        take_announcement(c, i);
    if (!sctpa_initialization_has(own->early_packet) && sctpa_initialization_is_early(c)) {
        own->early_packet = c->index;
        own->early_row = (uint8_t)c->chunks[0].row;
    }
    if (c->has_echo)
        take_echo(c, i);
    if (c->rows & SCTPA_ROW(COOKIE_ACK))
        own->cookie_acks += own->cookie_acks < UINT8_MAX;
    i->endpoints[!c->from].may_set_up_anew |= (c->rows & (SCTPA_ROW(ERROR) | SCTPA_ROW(ABORT))) != 0;
    own->is_heard |= (c->rows & ~quiet) != 0;
    if (c->rows & SCTPA_DATA_ROWS)
        take_data(c, i);
    if (c->rows & SCTPA_SACK_ROWS)
        take_sack(c, i);
    settle(c, i);
}
