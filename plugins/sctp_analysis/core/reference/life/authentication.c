/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps what the endpoints announced of authentication. */
#include "authentication.h"

typedef struct {
    sctpa_authentication_t endpoints[2];
} authentications_t;

const sctpa_authentication_t *sctpa_authentication(const sctpa_context_t *c, uint8_t endpoint)
{
    static const sctpa_authentication_t nothing;
    return sctpa_context_part_of(c, SCTPA_PART_AUTH, endpoint, sizeof nothing, &nothing);
}

typedef struct {
    sctpa_auth_packets_t endpoints[2];
} auth_packets_t;

const sctpa_auth_packets_t *sctpa_authentication_packets(const sctpa_context_t *c, uint8_t endpoint)
{
    static const sctpa_auth_packets_t none;
    return sctpa_context_part_of(c, SCTPA_PART_AUTH_PACKETS, endpoint, sizeof none, &none);
}

static sctpa_auth_packets_t *own_packets(const sctpa_context_t *c)
{
    auth_packets_t *kept = sctpa_context_part(c, SCTPA_PART_AUTH_PACKETS, sizeof *kept);
    return &kept->endpoints[c->from];
}

unsigned sctpa_authentication_chunks(const sctpa_context_t *c)
{
    unsigned n = 0;
    for (unsigned i = c->auth_at; i < c->n_chunks; i++)
        n += c->chunks[i].tlv.type == SCTPA_CHUNK_AUTH;
    return n;
}

bool sctpa_authentication_is_random_wrong(const sctpa_param_list_t *params, bool *has_random, int *bytes)
{
    const sctpa_tlv_t *random = sctpa_param_list_find(params, SCTPA_PARAM_ROW_RANDOM);
    *has_random = random != NULL;
    *bytes = random ? (int)random->length - SCTPA_TLV_HEADER_BYTES : 0;
    return random && params->sound && *bytes != SCTPA_RANDOM_BYTES;
}

static void take_init(const sctpa_context_t *c, sctpa_authentication_t *own, const sctpa_observed_t *init)
{
    const sctpa_param_list_t *params = sctpa_context_params_of(c, init);
    bool has_random;
    int bytes;
    if (sctpa_authentication_is_random_wrong(params, &has_random, &bytes)) {
        own->has_wrong_random = true;
        own_packets(c)->wrong_random_packet = c->index;
    } else {
        own->has_other_random = true;
    }
    own->is_whole |= params->sound;
    own->has_random |= (params->rows & SCTPA_PARAM_BIT(RANDOM)) != 0;
    own->has_hmac_algo |= (params->rows & SCTPA_PARAM_BIT(HMAC_ALGO)) != 0;
}

static void take_asconf(const sctpa_context_t *c, sctpa_authentication_t *own, unsigned at)
{
    if (sctpa_authentication_covers(c, at)) {
        own->has_authenticated_asconf = true;
        return;
    }
    own->has_bare_asconf = true;
    own_packets(c)->bare_asconf_serial = sctpa_tlv_u32(&c->chunks[at].tlv, SCTPA_F_ASCONF_SERIAL);
    own_packets(c)->bare_asconf_packet = c->index;
}

static bool is_good(const sctpa_context_t *c)
{
    return c->record->auth == 1u + SCTPA_AUTH_GOOD;
}

static bool has_same_ids(const sctpa_auth_packets_t *packets, const sctpa_tlv_t *chunk)
{
    return sctpa_tlv_has(chunk, SCTPA_F_AUTH_HMAC_ID) && packets->key_id == sctpa_tlv_u32(chunk, SCTPA_F_AUTH_KEY_ID) &&
           packets->hmac_id == sctpa_tlv_u32(chunk, SCTPA_F_AUTH_HMAC_ID);
}

bool sctpa_authentication_verifies_again(const sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    const sctpa_auth_packets_t *packets = sctpa_authentication_packets(c, c->from);
    return is_good(c) && packets->has_good && has_same_ids(packets, chunk);
}

/* A packet that was changed on its way has a wrong checksum, too. */
static void take_auth(const sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    sctpa_auth_packets_t *packets = own_packets(c);
    const uint32_t fixed_bytes = chunk->row->fixed_bytes;
    bool is_whole = c->packet->captured_bytes >= c->packet->wire_bytes;
    if (is_good(c)) {
        packets->key_id = (uint16_t)sctpa_tlv_u32(chunk, SCTPA_F_AUTH_KEY_ID);
        packets->hmac_id = (uint16_t)sctpa_tlv_u32(chunk, SCTPA_F_AUTH_HMAC_ID);
        packets->has_good = true;
        packets->good_packet = c->index;
        packets->has_wrong = false;
    } else if (packets->has_good && !packets->has_wrong && is_whole && sctpa_authentication_chunks(c) == 1 &&
               has_same_ids(packets, chunk) && chunk->wire_bytes == fixed_bytes + sctpa_hmac_bytes(packets->hmac_id) &&
               c->record->checksum == SCTPA_CHECKSUM_CRC32C) {
        packets->has_wrong = true;
        packets->wrong_packet = c->index;
    }
}

void sctpa_authentication_take(const sctpa_context_t *c)
{
    if (c->auth_at < c->n_chunks)
        take_auth(c, &c->chunks[c->auth_at].tlv);
    if (!(c->rows & (SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(ASCONF))))
        return;
    authentications_t *kept = sctpa_context_part(c, SCTPA_PART_AUTH, sizeof *kept);
    sctpa_authentication_t *own = &kept->endpoints[c->from];
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i].tlv;
        if (chunk->type == SCTPA_CHUNK_INIT || chunk->type == SCTPA_CHUNK_INIT_ACK)
            take_init(c, own, &c->chunks[i]);
        else if (chunk->type == SCTPA_CHUNK_ASCONF)
            take_asconf(c, own, i);
    }
}
