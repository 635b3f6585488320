/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows what endpoints ask for by ASCONF. */
#include "asconf.h"

#include "base/hash.h"
#include "track/endpoints.h"

enum { SURE_IDS = 2 };

/* An ASCONF-ACK that passed before an ASCONF of its number did. */
typedef struct {
    uint32_t serial, packet;
    bool is_there;
} answer_ahead_t;

typedef struct {
    sctpa_asker_t *askers[2];
    answer_ahead_t ahead[2]; /* by the endpoint that asks */
    bool unsound[2];         /* INIT or INIT ACK was cut or malformed */
} askers_t;

const sctpa_asker_t *sctpa_asconf_asker(const sctpa_context_t *c, uint8_t endpoint)
{
    const askers_t *kept = sctpa_context_find_part(c, SCTPA_PART_ADDRESSES);
    return kept ? kept->askers[endpoint] : NULL;
}

bool sctpa_asconf_is_init_unsound(const sctpa_context_t *c, uint8_t endpoint)
{
    const askers_t *kept = sctpa_context_find_part(c, SCTPA_PART_ADDRESSES);
    return kept && kept->unsound[endpoint];
}

uint64_t sctpa_asconf_hash(const sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    return sctpa_hash_bytes(c->tracker->store.seed, chunk->bytes, chunk->captured_bytes);
}

static void note_source(const sctpa_context_t *c, sctpa_asconf_t *asconf)
{
    for (unsigned i = 0; i < asconf->n_sources; i++)
        if (sctpa_addr_equal(&asconf->sources[i], &c->packet->source))
            return;
    if (asconf->n_sources == SCTPA_ASCONF_SOURCES)
        asconf->sources_known = false;
    else
        asconf->sources[asconf->n_sources++] = c->packet->source;
}

static void free_askers(sctpa_arena_t *arena, void *part)
{
    const askers_t *kept = part;
    for (unsigned endpoint = 0; endpoint < 2; endpoint++)
        sctpa_arena_free(arena, kept->askers[endpoint], sizeof *kept->askers[endpoint]);
}

static askers_t *askers_of(const sctpa_context_t *c)
{
    return sctpa_context_owning_part(c, SCTPA_PART_ADDRESSES, sizeof(askers_t), free_askers);
}

static sctpa_asker_t *asker_of(const sctpa_context_t *c)
{
    sctpa_asker_t **asker = &askers_of(c)->askers[c->from];
    if (!*asker) {
        *asker = sctpa_arena_alloc(&c->store->arena, sizeof **asker);
        (*asker)->early_packet = (*asker)->late_packet = SCTPA_NO_PACKET_INDEX;
        (*asker)->again_packet = (*asker)->early_packet_before_it = SCTPA_NO_PACKET_INDEX;
    }
    return *asker;
}

static void begin(const sctpa_context_t *c, sctpa_asker_t *asker)
{
    const sctpa_asconf_chunk_t *chunk = c->asconf_chunk;
    const sctpa_addr_t *added = &chunk->added;
    bool is_next = asker->asked && chunk->serial == asker->asconf.serial + 1;
    uint32_t packet_before = is_next ? asker->asconf.packet : SCTPA_NO_PACKET_INDEX;
    answer_ahead_t *ahead = &askers_of(c)->ahead[c->from];
    if (ahead->is_there && ahead->serial == chunk->serial)
        sctpa_tap_take_early_answer(&c->reference->tap, &c->store->arena, c->tracker, c->tracked, c->index,
                                    ahead->packet, false);
    ahead->is_there = false;
    asker->all_seen = chunk->all_seen;
    asker->asked = true;
    asker->early_packet = asker->late_packet = SCTPA_NO_PACKET_INDEX;
    asker->asconf = (sctpa_asconf_t){ .serial = chunk->serial,
                                      .packet = c->index,
                                      .packet_before = packet_before,
                                      .hash = sctpa_asconf_hash(c, &c->chunk->tlv),
                                      .time_ns = c->packet->time_ns,
                                      .n_ids = chunk->n_ids,
                                      .ids_known = chunk->ids_known,
                                      .added = *added,
                                      .deleted = chunk->deletion,
                                      .is_illegal = chunk->deletes_source,
                                      .illegal_id = chunk->source_id,
                                      .transmissions = 1,
                                      .alone = !sctpa_asconf_holds(c, chunk->serial - 1),
                                      .sources_known = true };
    memcpy(asker->asconf.ids, chunk->ids, sizeof chunk->ids);
    if (added->bytes > 0 && sctpa_end_addr_origin(&c->assoc->ends[c->from], added) == 0 &&
        sctpa_end_find_path(&c->assoc->ends[!c->from], added) == SCTPA_NO_PATH) {
        asker->asconf.is_new = true;
        asker->unverified = *added;
        asker->unverified_packet = c->index;
    }
    asker->gone.bytes = 0;
}

static void take_asconf(const sctpa_context_t *c)
{
    sctpa_asker_t *asker = asker_of(c);
    sctpa_asconf_t *asconf = &asker->asconf;
    if (c->asconf_chunk->is == SCTPA_ASCONF_NEW) {
        begin(c, asker);
    } else if (c->asconf_chunk->is == SCTPA_ASCONF_RETRANSMISSION) {
        asconf->transmissions += !asconf->answered && asconf->transmissions < UINT8_MAX;
        if (asker->early_packet != SCTPA_NO_PACKET_INDEX) {
            asker->again_packet = c->index;
            asker->early_packet_before_it = asker->early_packet;
        }
        asker->early_packet = SCTPA_NO_PACKET_INDEX;
        asconf->is_illegal = asconf->is_illegal && sctpa_addr_equal(&asconf->deleted, &c->packet->source);
    } else {
        return;
    }
    note_source(c, asconf);
}

static void take_answer(const sctpa_context_t *c)
{
    sctpa_asker_t *asker = (sctpa_asker_t *)(uintptr_t)c->asconf_chunk->asker;
    if (c->asconf_chunk->is_readable &&
        (!asker || !asker->asked || sctpa_serial_distance(asker->asconf.serial, c->asconf_chunk->serial) > 0))
        askers_of(c)->ahead[!c->from] = (answer_ahead_t){ c->asconf_chunk->serial, c->index, true };
    if (!c->asconf_chunk->is_answer)
        return;
    if (c->asconf_chunk->grants) {
        if (asker->asconf.n_ids <= SURE_IDS && !sctpa_addr_equal(&asker->asconf.deleted, &asker->asconf.added))
            asker->gone = asker->asconf.deleted;
        asker->gone_ns = c->packet->time_ns;
        asker->gone_packet = c->index;
    }
    asker->asconf.answered = true;
}

/* The peer does not know ASCONF; an ERROR that has to be authenticated may be discarded. */
static void take_error(const sctpa_context_t *c)
{
    askers_t *kept = sctpa_context_find_part(c, SCTPA_PART_ADDRESSES);
    sctpa_asker_t *asker = kept ? kept->askers[!c->from] : NULL;
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t cause;
    if (!asker || c->assoc->ends[c->from].init.auth_chunks & SCTPA_ROW(ERROR))
        return;
    sctpa_params_begin(&iter, &c->chunk->tlv);
    while (sctpa_tlv_next(&iter, &cause))
        if (sctpa_cause_unknown_chunk(&cause) == SCTPA_CHUNK_ASCONF) {
            asker->refusals++;
            asker->refusal_packet = c->index;
            asker->refusal_ns = c->packet->time_ns;
            asker->refused_serial = asker->asconf.serial;
        }
}

static bool is_group(const sctpa_addr_t *addr)
{
    static const uint8_t broadcast[4] = { 255, 255, 255, 255 };
    return addr->bytes == 4 ? (addr->data[0] & 0xF0) == 0xE0 || memcmp(addr->data, broadcast, 4) == 0
                            : addr->data[0] == 0xFF;
}

static bool has_addr(const sctpa_end_t *end, const sctpa_addr_t *addr)
{
    uint32_t origin = sctpa_end_addr_origin(end, addr);
    return origin != 0 && !(origin & SCTPA_ADDR_DELETED);
}

static sctpa_asconf_is_t what_is(const sctpa_asker_t *asker, uint32_t serial)
{
    if (!asker || !asker->asked || sctpa_serial_distance(asker->asconf.serial, serial) > 0)
        return SCTPA_ASCONF_NEW;
    return serial == asker->asconf.serial ? SCTPA_ASCONF_RETRANSMISSION : SCTPA_ASCONF_OLDER;
}

/* Of the asker, with this new one. */
static bool are_all_seen(const sctpa_context_t *c, const sctpa_asker_t *asker, uint32_t serial)
{
    const sctpa_init_t *init = &c->assoc->ends[c->from].init;
    bool follows = asker && asker->asked
                       ? asker->all_seen && asker->asconf.answered && serial == asker->asconf.serial + 1
                       : init->seen && serial == init->initial_tsn;
    return follows && c->chunk->tlv.captured_bytes == c->chunk->tlv.wire_bytes;
}

static void read_request(const sctpa_context_t *c, const sctpa_tlv_t *param, sctpa_asconf_chunk_t *chunk)
{
    bool is_addition = param->type == SCTPA_PARAM_ADD_IP, is_deletion = param->type == SCTPA_PARAM_DELETE_IP;
    uint32_t id = sctpa_tlv_u32(param, SCTPA_F_ADD_IP_CORRELATION);
    sctpa_addr_t addr;
    if (chunk->n_ids == SCTPA_ASCONF_IDS)
        chunk->ids_known = false;
    else
        chunk->ids[chunk->n_ids++] = id;
    if (!(is_addition || is_deletion || param->type == SCTPA_PARAM_SET_PRIMARY) || !sctpa_nested_addr(param, &addr))
        return;
    bool is_wildcard = sctpa_addr_is_wildcard(&addr);
    if (!is_addition && !is_deletion) {
        chunk->made_primary += !is_wildcard;
        if (chunk->stranger.bytes == 0 && !is_wildcard && !has_addr(&c->assoc->ends[c->from], &addr) &&
            !sctpa_asconf_adds_before(c, param, &addr))
            chunk->stranger = addr;
        return;
    }
    sctpa_addr_t *first = is_addition ? &chunk->added : &chunk->deletion;
    chunk->changed++;
    chunk->deleted += is_deletion;
    if (first->bytes == 0 && !is_wildcard)
        *first = addr;
    if (chunk->group.bytes == 0 && is_group(&addr))
        chunk->group = addr;
    if (is_deletion && !is_wildcard && sctpa_addr_equal(&addr, &c->packet->source)) {
        chunk->deletes_source = true;
        chunk->source_id = id;
    }
}

static void read_asconf(const sctpa_context_t *c, sctpa_asconf_chunk_t *chunk)
{
    const sctpa_tlv_t *tlv = &c->chunk->tlv;
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    chunk->asker = sctpa_asconf_asker(c, c->from);
    chunk->ids_known = tlv->captured_bytes == tlv->wire_bytes;
    if (!sctpa_tlv_has(tlv, SCTPA_F_ASCONF_SERIAL))
        return;
    chunk->is_readable = true;
    chunk->serial = sctpa_tlv_u32(tlv, SCTPA_F_ASCONF_SERIAL);
    chunk->is = what_is(chunk->asker, chunk->serial);
    chunk->all_seen = chunk->is == SCTPA_ASCONF_NEW && are_all_seen(c, chunk->asker, chunk->serial);
    sctpa_params_begin(&iter, tlv);
    while (sctpa_tlv_next(&iter, &param))
        if (param.type != SCTPA_PARAM_IPV4 && param.type != SCTPA_PARAM_IPV6 && param.captured_bytes >= 8)
            read_request(c, &param, chunk);
}

static bool has_successes_only(const sctpa_tlv_t *answer)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    sctpa_params_begin(&iter, answer);
    while (sctpa_tlv_next(&iter, &param))
        if (param.type != SCTPA_PARAM_SUCCESS_INDICATION)
            return false;
    return true;
}

static void read_answer(const sctpa_context_t *c, sctpa_asconf_chunk_t *chunk)
{
    const sctpa_tlv_t *tlv = &c->chunk->tlv;
    chunk->asker = sctpa_asconf_asker(c, !c->from);
    chunk->is_readable = sctpa_tlv_has(tlv, SCTPA_F_ASCONF_ACK_SERIAL);
    chunk->serial = sctpa_tlv_u32(tlv, SCTPA_F_ASCONF_ACK_SERIAL);
    chunk->is_answer =
        chunk->is_readable && chunk->asker && chunk->asker->asked && chunk->serial == chunk->asker->asconf.serial;
    chunk->grants = chunk->is_answer && !chunk->asker->asconf.answered && tlv->captured_bytes == tlv->wire_bytes &&
                    has_successes_only(tlv);
}

void sctpa_asconf_read_chunk(const sctpa_context_t *c, sctpa_asconf_chunk_t *chunk)
{
    const sctpa_tlv_t *tlv = &c->chunk->tlv;
    *chunk = (sctpa_asconf_chunk_t){ .params = sctpa_context_params(c) };
    if (tlv->type == SCTPA_CHUNK_ASCONF)
        read_asconf(c, chunk);
    else if (tlv->type == SCTPA_CHUNK_ASCONF_ACK)
        read_answer(c, chunk);
}

void sctpa_asconf_take_chunk(const sctpa_context_t *c)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    if (chunk->type == SCTPA_CHUNK_ASCONF)
        take_asconf(c);
    else if (chunk->type == SCTPA_CHUNK_ASCONF_ACK)
        take_answer(c);
    else if (chunk->type == SCTPA_CHUNK_ERROR)
        take_error(c);
    else if ((chunk->type == SCTPA_CHUNK_INIT || chunk->type == SCTPA_CHUNK_INIT_ACK) &&
             !c->asconf_chunk->params->sound)
        askers_of(c)->unsound[c->from] = true;
}

sctpa_unverified_use_t sctpa_asconf_unverified_use(const sctpa_context_t *c)
{
    const uint64_t allowed =
        SCTPA_ROW(ASCONF_ACK) | SCTPA_ROW(AUTH) | SCTPA_ROW(HEARTBEAT_ACK) | SCTPA_ROW(PAD) | SCTPA_STRAY_ROWS;
    const sctpa_asker_t *peer = sctpa_asconf_asker(c, !c->from);
    if (!peer || peer->unverified.bytes == 0 || !sctpa_addr_equal(&peer->unverified, &c->packet->destination))
        return (sctpa_unverified_use_t){ false, false, false };
    return (sctpa_unverified_use_t){ true, c->rows & SCTPA_ROW(HEARTBEAT) || sctpa_context_has_unmatched_ack(c),
                                     (c->rows & ~allowed) != 0 };
}

bool sctpa_asconf_is_early(const sctpa_context_t *c)
{
    const sctpa_asker_t *asker = sctpa_asconf_asker(c, c->from);
    return asker && asker->asked && asker->asconf.is_new && !asker->asconf.answered &&
           !(c->rows & (SCTPA_ROW(ASCONF) | SCTPA_STRAY_ROWS)) &&
           sctpa_addr_equal(&asker->asconf.added, &c->packet->source);
}

/* Packets that the answer, or the same request again, will prove to be too early or too late. */
static void note_own(const sctpa_context_t *c, sctpa_asker_t *asker)
{
    const sctpa_asconf_t *asconf = &asker->asconf;
    if (!asker->asked || asconf->answered || c->rows & (SCTPA_ROW(ASCONF) | SCTPA_STRAY_ROWS))
        return;
    if (asker->early_packet == SCTPA_NO_PACKET_INDEX && sctpa_asconf_is_early(c))
        asker->early_packet = c->index;
    if (asconf->deleted.bytes && asker->late_packet == SCTPA_NO_PACKET_INDEX &&
        c->packet->time_ns - asconf->time_ns > SCTPA_ASCONF_LATE_MS * SCTPA_NS_PER_MS &&
        sctpa_addr_equal(&asconf->deleted, &c->packet->source))
        asker->late_packet = c->index;
}

void sctpa_asconf_take_packet(const sctpa_context_t *c)
{
    askers_t *kept = sctpa_context_find_part(c, SCTPA_PART_ADDRESSES);
    if (!kept)
        return;
    if (kept->askers[c->from])
        note_own(c, kept->askers[c->from]);
    sctpa_unverified_use_t use = sctpa_asconf_unverified_use(c);
    if (use.is_there && (use.is_probe || use.is_forbidden))
        kept->askers[!c->from]->unverified.bytes = 0;
}
