/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a packet asks of its receiver, and what it answers, by its chunks alone. */
#include "owed_chunks.h"

#include "channel_messages.h"
#include "earlier_associations.h"
#include "endpoint_states.h"
#include "initialization.h"
#include "model/negotiated.h"
#include "wire/address.h"
#include "wire/auth.h"

enum {
    COOKIE_WAIT = 1 << SCTPA_STATE_COOKIE_WAIT,
    NOT_SETTING_UP = 1 << SCTPA_STATE_CLOSED | 1 << SCTPA_STATE_COOKIE_WAIT | 1 << SCTPA_STATE_ESTABLISHED |
                     1 << SCTPA_STATE_SHUTDOWN_PENDING | 1 << SCTPA_STATE_SHUTDOWN_SENT,
    ANSWERS_HEARTBEATS = 1 << SCTPA_STATE_COOKIE_ECHOED | 1 << SCTPA_STATE_ESTABLISHED |
                         1 << SCTPA_STATE_SHUTDOWN_PENDING | 1 << SCTPA_STATE_SHUTDOWN_RECEIVED
};

static bool is_unicast(const sctpa_addr_t *addr)
{
    const bool is_group = addr->bytes == 4 ? addr->data[0] >= 224 : addr->bytes == 16 && addr->data[0] == 0xFF;
    return !is_group && (addr->data[0] != 0 || !sctpa_addr_is_wildcard(addr));
}

bool sctpa_packet_is_receivable(const sctpa_context_t *c)
{
    return !c->is_stray && c->record->checksum != SCTPA_CHECKSUM_BAD && is_unicast(&c->packet->source) &&
           is_unicast(&c->packet->destination);
}

bool sctpa_packet_has_unlisted_hmac(const sctpa_context_t *c)
{
    const sctpa_tlv_t *auth = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_AUTH);
    const sctpa_bytes_t *vector = c->assoc->ends[!c->from].key_vector;
    return auth && vector && sctpa_tlv_has(auth, SCTPA_F_AUTH_HMAC_ID) &&
           sctpa_key_vector_lists((sctpa_key_vector_t){ vector->data, vector->length },
                                  sctpa_tlv_u32(auth, SCTPA_F_AUTH_HMAC_ID)) == SCTPA_NO;
}

unsigned sctpa_packet_processed(const sctpa_context_t *c)
{
    const bool is_discarded = c->record->auth == 1u + SCTPA_AUTH_BAD || sctpa_packet_has_unlisted_hmac(c);
    const unsigned most = is_discarded ? MIN(c->auth_at, c->n_chunks) : c->n_chunks;
    unsigned n = 0;
    while (n < most && sctpa_tlv_is_framed(&c->chunks[n].tlv) && sctpa_tlv_is_well_formed(&c->chunks[n].tlv) &&
           (c->chunks[n].row != SCTPA_CHUNK_ROW_OTHER || c->chunks[n].tlv.type & 0x80))
        n++;
    return n;
}

const sctpa_observed_t *sctpa_packet_find_processed(const sctpa_context_t *c, unsigned row)
{
    const unsigned n = c->rows >> row & 1 ? sctpa_packet_processed(c) : 0;
    for (unsigned i = 0; i < n; i++)
        if (c->chunks[i].row == row)
            return &c->chunks[i];
    return NULL;
}

bool sctpa_packet_may_be_init(const sctpa_context_t *c)
{
    const sctpa_tlv_t *init = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_INIT);
    bool is_cut = c->packet->captured_bytes < c->packet->wire_bytes;
    return init && is_unicast(&c->packet->source) &&
           (is_cut || (c->n_chunks == 1 && sctpa_context_vtag(c) == 0 && sctpa_tlv_is_framed(init) &&
                       sctpa_tlv_is_well_formed(init) && sctpa_tlv_u32(init, SCTPA_F_INIT_TAG) != 0));
}

bool sctpa_packet_is_sound_init(const sctpa_context_t *c)
{
    const sctpa_announcement_t *init = &c->announced;
    return sctpa_packet_may_be_init(c) && sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_INIT) && c->has_announced &&
           !init->is_ack && init->is_whole && init->outbound > 0 && init->inbound > 0 && !sctpa_earlier_is_ending(c) &&
           sctpa_tlv_u32(&c->chunks[0].tlv, SCTPA_F_INIT_A_RWND) >= SCTPA_A_RWND_LEAST_BYTES;
}

bool sctpa_packet_may_be_init_ack(const sctpa_context_t *c)
{
    const sctpa_announcement_t *ack = &c->announced;
    return c->rows & SCTPA_ROW(INIT_ACK) && sctpa_packet_is_receivable(c) &&
           (!c->has_announced || !ack->is_whole ||
            (c->n_chunks == 1 && ack->tag != 0 && ack->outbound > 0 && ack->inbound > 0 && ack->has_cookie &&
             !ack->has_host_name));
}

bool sctpa_packet_is_sound_init_ack(const sctpa_context_t *c)
{
    const uint8_t debtor = !c->from;
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const sctpa_announcement_t *own = i ? sctpa_initialization_last_init(i, debtor) : NULL;
    return sctpa_packet_may_be_init_ack(c) && sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_INIT_ACK) &&
           c->has_announced && c->announced.is_whole && own && i->endpoints[debtor].echoes == 0 &&
           own->tag == c->announced.vtag && sctpa_states_surely_in(sctpa_states_before(c, debtor), COOKIE_WAIT);
}

bool sctpa_packet_is_refused_init(const sctpa_context_t *c)
{
    const sctpa_announcement_t *init = &c->announced;
    return sctpa_packet_may_be_init(c) && sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_INIT) && c->has_announced &&
           !init->is_ack && init->is_whole && !sctpa_earlier_is_ending(c) &&
           (init->outbound == 0 || init->inbound == 0);
}

bool sctpa_packet_is_refused_init_ack(const sctpa_context_t *c)
{
    const uint8_t debtor = !c->from;
    const sctpa_announcement_t *ack = &c->announced;
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const sctpa_announcement_t *own = i ? sctpa_initialization_last_init(i, debtor) : NULL;
    return sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_INIT_ACK) && sctpa_packet_is_receivable(c) &&
           c->has_announced && ack->is_whole && c->n_chunks == 1 && own && i->endpoints[debtor].echoes == 0 &&
           own->tag == ack->vtag && ack->tag != 0 &&
           (ack->outbound == 0 || ack->inbound == 0 || !ack->has_cookie || ack->has_host_name) &&
           sctpa_states_surely_in(sctpa_states_before(c, debtor), COOKIE_WAIT);
}

bool sctpa_packet_may_hold_cookie(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const bool is_known_wrong =
        c->has_echo && c->echo.is_whole && c->echo.are_acks_whole && !c->echo.same && i && !i->is_overfull;
    return c->rows & SCTPA_ROW(COOKIE_ECHO) && sctpa_packet_is_receivable(c) && !is_known_wrong;
}

/* Was the cookie issued to that address, and so lately that it has not expired? A receiver that keeps its keys for a
 * limited time discards older ones silently (RFC 9260 5.1.5). */
static bool is_fresh_cookie(const sctpa_context_t *c, const sctpa_announcement_t *ack)
{
    const sctpa_pair_t *pair = c->assoc->ends[!c->from].pairs[ack->pair];
    return sctpa_addr_equal(pair->destination, &c->packet->source) &&
           sctpa_addr_equal(pair->source, &c->packet->destination) &&
           sctpa_context_most_since_ns(c, ack->packet) < SCTPA_RFC_VALID_COOKIE_LIFE * SCTPA_NS_PER_S;
}

bool sctpa_packet_holds_sound_cookie(const sctpa_context_t *c)
{
    const uint8_t debtor = !c->from;
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const sctpa_announcement_t *asker = i ? sctpa_initialization_last_init(i, c->from) : NULL;
    return sctpa_packet_may_hold_cookie(c) && asker && c->has_echo && c->echo.is_whole && c->echo.same &&
           c->echo.is_tag_same && i->endpoints[debtor].inits == 0 &&
           !(sctpa_states_before(c, debtor) & ~NOT_SETTING_UP) && c->assoc->ends[debtor].vtag == c->echo.same->tag &&
           asker->tag == c->echo.same->vtag && is_fresh_cookie(c, c->echo.same) &&
           c->chunks[0].row == SCTPA_CHUNK_ROW_COOKIE_ECHO;
}

bool sctpa_packet_is_from_known_address(const sctpa_context_t *c)
{
    const uint32_t known = SCTPA_ADDR_LISTED | SCTPA_ADDR_ADDED;
    return c->assoc->ends[c->from].n_addrs == 1 || sctpa_context_addr_origin(c, c->from, &c->packet->source) & known;
}

bool sctpa_packet_is_sound_heartbeat(const sctpa_context_t *c, const sctpa_observed_t *heartbeat, uint8_t states)
{
    return heartbeat->tlv.captured_bytes == heartbeat->tlv.wire_bytes &&
           heartbeat->tlv.length > SCTPA_TLV_HEADER_BYTES && sctpa_states_surely_in(states, ANSWERS_HEARTBEATS) &&
           !sctpa_packet_lacks_auth(c, SCTPA_CHUNK_ROW_HEARTBEAT) && sctpa_packet_is_from_known_address(c);
}

bool sctpa_packet_covers(const sctpa_context_t *c, uint32_t tsn)
{
    const sctpa_tlv_t *shutdown = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_SHUTDOWN);
    if (c->first_sack && sctpa_serial_distance(tsn, c->sack.cum_tsn) >= 0)
        return true;
    if (shutdown && sctpa_serial_distance(tsn, sctpa_tlv_u32(shutdown, SCTPA_F_SHUTDOWN_CUM_TSN)) >= 0)
        return true;
    return !(c->rows & (SCTPA_SACK_ROWS | SCTPA_ROW(SHUTDOWN)));
}

bool sctpa_packet_holds_tsn(const sctpa_context_t *c, int64_t number)
{
    unsigned i = 0;
    while (i < c->n_chunks && !(c->chunks[i].sent.tsn && c->chunks[i].sent.number == number))
        i++;
    return i < c->n_chunks;
}

bool sctpa_packet_answers_channel(const sctpa_context_t *c, uint16_t stream)
{
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_channel_message_t message = sctpa_channel_message(&c->chunks[i]);
        if ((message == SCTPA_CHANNEL_ACK || message == SCTPA_CHANNEL_CUT) && c->chunks[i].sent.tsn->stream == stream)
            return true;
    }
    return false;
}

bool sctpa_packet_resets_stream(const sctpa_context_t *c, uint16_t stream)
{
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_param_list_t *list = sctpa_context_params_of(c, &c->chunks[i]);
        if (c->chunks[i].row == SCTPA_CHUNK_ROW_RE_CONFIG && !list->sound)
            return true;
        for (uint32_t n = 0; c->chunks[i].row == SCTPA_CHUNK_ROW_RE_CONFIG && n < list->n; n++) {
            const sctpa_tlv_t *param = &list->params[n];
            if (param->type != SCTPA_PARAM_OUTGOING_RESET)
                continue;
            uint32_t at = param->row->fixed_bytes;
            bool has = at + 2 > param->captured_bytes;
            for (; !has && at + 2 <= param->captured_bytes; at += 2)
                has = sctpa_be16(param->bytes + at) == stream;
            if (has)
                return true;
        }
    }
    return false;
}

uint32_t sctpa_packet_arrived_bytes(const sctpa_context_t *c)
{
    const sctpa_records_t *log = c->acked && c->facts & SCTPA_FACT_NEWLY_ACKED ? &c->acked->acked : NULL;
    const sctpa_acked_t *acked = log && log->len > 0 ? &SCTPA_RECORD(log, sctpa_acked_t, log->len - 1) : NULL;
    return acked && acked->packet == c->index && acked->oldest_packet != SCTPA_NO_PACKET_INDEX
               ? sctpa_direction_stamp(c->acked, acked->oldest_packet)->wire_bytes
               : 0;
}
