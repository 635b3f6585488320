/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Address reconfiguration (RFC 5061): what endpoints ask for by ASCONF, what the peer did about it, and the
 * parameters of address reconfiguration in other chunks. Rules about a chunk see what its packet said before it:
 * each chunk is read, asked about and taken before the next. Leaves out which addresses an endpoint has
 * (track/assoc.h), and how often they answer HEARTBEATs. */
#include "base/hash.h"
#include "base/slots.h"
#include "data/shared_limits.h"
#include "model/chapter.h"

#include "model/shared/obligations.h"
#include "model/shared/retransmissions.h"
#include "track/endpoints.h"
#include "wire/address.h"

/* ASCONF numbers that no capture of a conforming endpoint leaves unseen. */
#define ASCONF_FAR_NUMBERS 1048576

/* Requests of an ASCONF whose correlation ids are kept. */
#define ASCONF_IDS 8

/* What separates an ASCONF that was retransmitted from a packet that was overtaken. */
#define ASCONF_AGAIN_MS 100

/* What separates packets from an address after its deletion was asked for from packets that were under way. */
#define ASCONF_LATE_MS 100

/* What separates packets from an address, sent after its deletion was granted, from packets that were under way. */
#define ASCONF_LEFT_MS 1000

/* Leaves room for what was under way to an address that was deleted. */
#define ASCONF_GONE_S 10

/* Transmissions: what separates a receiver that does not answer from packets lost between tap and receiver. */
#define ASCONF_UNANSWERED 4

/* One ERROR may have been lost between tap and endpoint; so long after the last one the endpoint has it. */
#define ASCONF_REFUSALS 2
#define ASCONF_REFUSED_S 1

/* Chunks that a host without the association may send, or one that sets it up. */
#define STRAY_ROWS \
    (SCTPA_ROW(ABORT) | SCTPA_ROW(ERROR) | SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(INIT) | \
     SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(COOKIE_ACK))

enum { ASCONF_SOURCES = 4 };

/* The highest ASCONF of an endpoint. */
typedef struct {
    uint32_t serial;
    uint32_t packet;          /* of its first transmission */
    uint32_t packet_before;   /* of that of the ASCONF with the number before, SCTPA_NO_PACKET_INDEX: not known */
    uint64_t hash;            /* of the chunk */
    int64_t time_ns;          /* of its first transmission */
    uint32_t ids[ASCONF_IDS]; /* correlation ids */
    sctpa_addr_t sources[ASCONF_SOURCES]; /* of the packets that held it */
    sctpa_addr_t added, deleted;          /* the first address that it adds, deletes; bytes 0: none, or a wildcard */
    uint32_t illegal_id;                  /* correlation id of the request to delete the packet's source */
    uint8_t n_ids, n_sources;
    uint8_t transmissions;             /* without answer; saturates */
    bool ids_known, sources_known;     /* there were not more */
    bool alone;                        /* first sent in a packet without the one before it */
    bool answered, is_illegal, is_new; /* is_new: the added address was not in use before */
} asconf_t;

/* An endpoint that sends ASCONF. */
typedef struct {
    asconf_t asconf;
    bool asked, all_seen;  /* every ASCONF since the first one, whose number is the initial TSN, and the answers */
    uint32_t early_packet; /* from the added address before it was granted */
    uint32_t again_packet, early_packet_before_it; /* the last retransmission after an early packet, and that */
    uint32_t late_packet;                          /* from the deleted address after the request left */
    sctpa_addr_t unverified;                       /* added, and the peer has not probed it; bytes 0 none */
    sctpa_addr_t gone; /* deleted, which the peer granted at gone_ns in gone_packet; bytes 0 none */
    int64_t gone_ns;
    uint32_t gone_packet, unverified_packet;
    uint32_t refusals, refusal_packet; /* ERROR chunks of the peer: ASCONF is unknown */
    int64_t refusal_ns;
    uint32_t refused_serial;
} asker_t;

/* What an ASCONF is to those before it. */
typedef enum {
    ASCONF_UNREADABLE, /* its serial number was not captured */
    ASCONF_NEW,
    ASCONF_RETRANSMISSION, /* of the last one */
    ASCONF_OLDER
} asconf_is_t;

/* What a chunk holds of address reconfiguration, read once for all rules about it. */
typedef struct sctpa_asconf_chunk {
    const sctpa_param_list_t *params; /* sound only where the chunk holds parameters */
    /* Of ASCONF and ASCONF-ACK: */
    const asker_t *asker; /* the endpoint that asks, as before the chunk; NULL: it has not sent ASCONF */
    uint32_t serial;
    bool is_readable; /* the serial number was captured */
    /* Of ASCONF: */
    asconf_is_t is;
    bool all_seen;  /* it is new, and every ASCONF was seen from the first one, whose number is the initial
                       TSN, to it, and the answer to each before it */
    bool ids_known; /* the chunk was captured whole, and there are no ids but these */
    uint8_t n_ids;  /* correlation ids */
    uint32_t ids[ASCONF_IDS];
    uint32_t changed, deleted;    /* addresses that it adds or deletes, deletes */
    uint32_t made_primary;        /* that it makes primary, without wildcards */
    bool deletes_source;          /* an address that it deletes is its packet's source, no wildcard */
    uint32_t source_id;           /* correlation id of the last such request */
    sctpa_addr_t added, deletion; /* the first address that it adds, deletes, without wildcards; bytes 0 none */
    sctpa_addr_t group;           /* the first that is added or deleted and is no unicast address, bytes 0 none */
    sctpa_addr_t stranger;        /* the first that is made primary and is not of the association, bytes 0 none */
    /* Of ASCONF-ACK: */
    bool is_answer; /* it has the number of the asker's last ASCONF */
    bool grants;    /* ... which had no answer before, and it grants all of it, and was captured whole */
} asconf_chunk_t;

/* What a packet is to an address that the peer added and that its sender has not probed yet. */
typedef struct {
    bool is_there;     /* it goes to such an address */
    bool is_probe;     /* it holds a HEARTBEAT, or answers one that was not captured */
    bool is_forbidden; /* it holds chunks that may not be sent there before the address is verified */
} unverified_use_t;

enum { SURE_IDS = 2 };

/* An ASCONF-ACK that passed before an ASCONF of its number did. */
typedef struct {
    uint32_t serial, packet;
    bool is_there;
} answer_ahead_t;

typedef struct {
    asker_t *askers[2];
    answer_ahead_t ahead[2]; /* by the endpoint that asks */
    bool unsound[2];         /* INIT or INIT ACK was cut or malformed */
} askers_t;

/* An address that an ASCONF of the packet adds, and where it does first. */
typedef struct {
    sctpa_addr_t addr;
    const uint8_t *at;
} adding_t;

struct sctpa_asconf_packet {
    GArray *serials; /* uint32_t, ascending */
    /* Once something asked for them. */
    bool has_addings;
    GArray *addings; /* adding_t, each address once */
    sctpa_slots_t by_addr;
};

enum { IPV4_PARAM_BYTES = 8, IPV6_PARAM_BYTES = 20, ADDRS = 32 };

/* What an endpoint asked for before what is asked about, NULL: it has not sent ASCONF. O(1). */
static const asker_t *asconf_asker(const sctpa_context_t *c, uint8_t endpoint)
{
    const askers_t *kept = sctpa_context_find_part(c, SCTPA_PART_ADDRESSES);
    return kept ? kept->askers[endpoint] : NULL;
}

/* Was an INIT or INIT ACK of the endpoint cut, or malformed? O(1). */
static bool asconf_is_init_unsound(const sctpa_context_t *c, uint8_t endpoint)
{
    const askers_t *kept = sctpa_context_find_part(c, SCTPA_PART_ADDRESSES);
    return kept && kept->unsound[endpoint];
}

/* Hash of the chunk. O(bytes). */
static uint64_t asconf_hash(const sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    return sctpa_hash_bytes(c->tracker->store.seed, chunk->bytes, chunk->captured_bytes);
}

static void note_source(const sctpa_context_t *c, asconf_t *asconf)
{
    for (unsigned i = 0; i < asconf->n_sources; i++)
        if (sctpa_addr_equal(&asconf->sources[i], &c->packet->source))
            return;
    if (asconf->n_sources == ASCONF_SOURCES)
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

static asker_t *asker_of(const sctpa_context_t *c)
{
    asker_t **asker = &askers_of(c)->askers[c->from];
    if (!*asker) {
        *asker = sctpa_arena_alloc(&c->store->arena, sizeof **asker);
        (*asker)->early_packet = (*asker)->late_packet = SCTPA_NO_PACKET_INDEX;
        (*asker)->again_packet = (*asker)->early_packet_before_it = SCTPA_NO_PACKET_INDEX;
    }
    return *asker;
}

/* Does the packet hold the ASCONF with that number? O(log chunks). */
static bool asconf_holds(const sctpa_context_t *c, uint32_t serial)
{
    const GArray *serials = c->store->asconfs->serials;
    uint32_t at = sctpa_array_from(serials, serial);
    return at < serials->len && g_array_index(serials, uint32_t, at) == serial;
}

static void begin(const sctpa_context_t *c, asker_t *asker)
{
    const asconf_chunk_t *chunk = c->asconf_chunk;
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
    asker->asconf = (asconf_t){ .serial = chunk->serial,
                                .packet = c->index,
                                .packet_before = packet_before,
                                .hash = asconf_hash(c, &c->chunk->tlv),
                                .time_ns = c->packet->time_ns,
                                .n_ids = chunk->n_ids,
                                .ids_known = chunk->ids_known,
                                .added = *added,
                                .deleted = chunk->deletion,
                                .is_illegal = chunk->deletes_source,
                                .illegal_id = chunk->source_id,
                                .transmissions = 1,
                                .alone = !asconf_holds(c, chunk->serial - 1),
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
    asker_t *asker = asker_of(c);
    asconf_t *asconf = &asker->asconf;
    if (c->asconf_chunk->is == ASCONF_NEW) {
        begin(c, asker);
    } else if (c->asconf_chunk->is == ASCONF_RETRANSMISSION) {
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
    asker_t *asker = (asker_t *)(uintptr_t)c->asconf_chunk->asker;
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
    asker_t *asker = kept ? kept->askers[!c->from] : NULL;
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

static asconf_is_t what_is(const asker_t *asker, uint32_t serial)
{
    if (!asker || !asker->asked || sctpa_serial_distance(asker->asconf.serial, serial) > 0)
        return ASCONF_NEW;
    return serial == asker->asconf.serial ? ASCONF_RETRANSMISSION : ASCONF_OLDER;
}

/* Of the asker, with this new one. */
static bool are_all_seen(const sctpa_context_t *c, const asker_t *asker, uint32_t serial)
{
    const sctpa_init_t *init = &c->assoc->ends[c->from].init;
    bool follows = asker && asker->asked
                       ? asker->all_seen && asker->asconf.answered && serial == asker->asconf.serial + 1
                       : init->seen && serial == init->initial_tsn;
    return follows && c->chunk->tlv.captured_bytes == c->chunk->tlv.wire_bytes;
}

static uint32_t hash_of(const sctpa_context_t *c, const sctpa_addr_t *addr)
{
    return (uint32_t)sctpa_addr_hash(c->tracker->store.seed, addr);
}

/* NULL: none adds it. */
static const adding_t *find(const struct sctpa_asconf_packet *asconfs, uint32_t hash, const sctpa_addr_t *addr)
{
    uint32_t at;
    for (uint32_t n = sctpa_slots_first(&asconfs->by_addr, hash, &at); n != SCTPA_SLOT_NONE;
         n = sctpa_slots_next(&asconfs->by_addr, hash, &at))
        if (sctpa_addr_equal(&g_array_index(asconfs->addings, adding_t, n).addr, addr))
            return &g_array_index(asconfs->addings, adding_t, n);
    return NULL;
}

static void add_addings(const sctpa_context_t *c, struct sctpa_asconf_packet *asconfs, const sctpa_tlv_t *asconf)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    sctpa_params_begin(&iter, asconf);
    while (sctpa_tlv_next(&iter, &param)) {
        adding_t adding = { .at = param.bytes };
        if (param.type != SCTPA_PARAM_ADD_IP || !sctpa_nested_addr(&param, &adding.addr))
            continue;
        uint32_t hash = hash_of(c, &adding.addr);
        if (find(asconfs, hash, &adding.addr))
            continue;
        sctpa_slots_add(&asconfs->by_addr, hash, asconfs->addings->len);
        g_array_append_val(asconfs->addings, adding);
    }
}

static void read_addings(const sctpa_context_t *c, struct sctpa_asconf_packet *asconfs)
{
    sctpa_slots_init(&asconfs->by_addr);
    asconfs->has_addings = true;
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (c->chunks[i].tlv.type == SCTPA_CHUNK_ASCONF)
            add_addings(c, asconfs, &c->chunks[i].tlv);
}

/* Does an ASCONF of the packet add wanted before the parameter? O(1); the first time O(parameters of the packet). */
static bool asconf_adds_before(const sctpa_context_t *c, const sctpa_tlv_t *param, const sctpa_addr_t *wanted)
{
    struct sctpa_asconf_packet *asconfs = c->store->asconfs;
    if (!asconfs->has_addings)
        read_addings(c, asconfs);
    const adding_t *adding = find(asconfs, hash_of(c, wanted), wanted);
    return adding && adding->at < param->bytes;
}

static void read_request(const sctpa_context_t *c, const sctpa_tlv_t *param, asconf_chunk_t *chunk)
{
    bool is_addition = param->type == SCTPA_PARAM_ADD_IP, is_deletion = param->type == SCTPA_PARAM_DELETE_IP;
    uint32_t id = sctpa_tlv_u32(param, SCTPA_F_ADD_IP_CORRELATION);
    sctpa_addr_t addr;
    if (chunk->n_ids == ASCONF_IDS)
        chunk->ids_known = false;
    else
        chunk->ids[chunk->n_ids++] = id;
    if (!(is_addition || is_deletion || param->type == SCTPA_PARAM_SET_PRIMARY) || !sctpa_nested_addr(param, &addr))
        return;
    bool is_wildcard = sctpa_addr_is_wildcard(&addr);
    if (!is_addition && !is_deletion) {
        chunk->made_primary += !is_wildcard;
        if (chunk->stranger.bytes == 0 && !is_wildcard && !has_addr(&c->assoc->ends[c->from], &addr) &&
            !asconf_adds_before(c, param, &addr))
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

static void read_asconf(const sctpa_context_t *c, asconf_chunk_t *chunk)
{
    const sctpa_tlv_t *tlv = &c->chunk->tlv;
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    chunk->asker = asconf_asker(c, c->from);
    chunk->ids_known = tlv->captured_bytes == tlv->wire_bytes;
    if (!sctpa_tlv_has(tlv, SCTPA_F_ASCONF_SERIAL))
        return;
    chunk->is_readable = true;
    chunk->serial = sctpa_tlv_u32(tlv, SCTPA_F_ASCONF_SERIAL);
    chunk->is = what_is(chunk->asker, chunk->serial);
    chunk->all_seen = chunk->is == ASCONF_NEW && are_all_seen(c, chunk->asker, chunk->serial);
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

static void read_answer(const sctpa_context_t *c, asconf_chunk_t *chunk)
{
    const sctpa_tlv_t *tlv = &c->chunk->tlv;
    chunk->asker = asconf_asker(c, !c->from);
    chunk->is_readable = sctpa_tlv_has(tlv, SCTPA_F_ASCONF_ACK_SERIAL);
    chunk->serial = sctpa_tlv_u32(tlv, SCTPA_F_ASCONF_ACK_SERIAL);
    chunk->is_answer =
        chunk->is_readable && chunk->asker && chunk->asker->asked && chunk->serial == chunk->asker->asconf.serial;
    chunk->grants = chunk->is_answer && !chunk->asker->asconf.answered && tlv->captured_bytes == tlv->wire_bytes &&
                    has_successes_only(tlv);
}

/* Reads c->chunk. O(parameters). */
static void asconf_read_chunk(const sctpa_context_t *c, asconf_chunk_t *chunk)
{
    const sctpa_tlv_t *tlv = &c->chunk->tlv;
    *chunk = (asconf_chunk_t){ .params = sctpa_context_params(c) };
    if (tlv->type == SCTPA_CHUNK_ASCONF)
        read_asconf(c, chunk);
    else if (tlv->type == SCTPA_CHUNK_ASCONF_ACK)
        read_answer(c, chunk);
}

/* Takes c->chunk, which was read: rules about a chunk see what was there before it. O(parameters). */
static void asconf_take_chunk(const sctpa_context_t *c)
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

/* O(1). is_probe: see there. */
static unverified_use_t asconf_unverified_use(const sctpa_context_t *c)
{
    const uint64_t allowed =
        SCTPA_ROW(ASCONF_ACK) | SCTPA_ROW(AUTH) | SCTPA_ROW(HEARTBEAT_ACK) | SCTPA_ROW(PAD) | STRAY_ROWS;
    const asker_t *peer = asconf_asker(c, !c->from);
    if (!peer || peer->unverified.bytes == 0 || !sctpa_addr_equal(&peer->unverified, &c->packet->destination))
        return (unverified_use_t){ false, false, false };
    return (unverified_use_t){ true, c->rows & SCTPA_ROW(HEARTBEAT) || sctpa_context_has_unmatched_ack(c),
                               (c->rows & ~allowed) != 0 };
}

/* Does the packet come from the address that its sender asks to add, and that was not granted yet? O(1). */
static bool asconf_is_early(const sctpa_context_t *c)
{
    const asker_t *asker = asconf_asker(c, c->from);
    return asker && asker->asked && asker->asconf.is_new && !asker->asconf.answered &&
           !(c->rows & (SCTPA_ROW(ASCONF) | STRAY_ROWS)) && sctpa_addr_equal(&asker->asconf.added, &c->packet->source);
}

/* Packets that the answer, or the same request again, will prove to be too early or too late. */
static void note_own(const sctpa_context_t *c, asker_t *asker)
{
    const asconf_t *asconf = &asker->asconf;
    if (!asker->asked || asconf->answered || c->rows & (SCTPA_ROW(ASCONF) | STRAY_ROWS))
        return;
    if (asker->early_packet == SCTPA_NO_PACKET_INDEX && asconf_is_early(c))
        asker->early_packet = c->index;
    if (asconf->deleted.bytes && asker->late_packet == SCTPA_NO_PACKET_INDEX &&
        c->packet->time_ns - asconf->time_ns > ASCONF_LATE_MS * SCTPA_NS_PER_MS &&
        sctpa_addr_equal(&asconf->deleted, &c->packet->source))
        asker->late_packet = c->index;
}

/* Takes the packet, after its chunks: addresses from and to which it goes. O(1). */
static void asconf_take_packet(const sctpa_context_t *c)
{
    askers_t *kept = sctpa_context_find_part(c, SCTPA_PART_ADDRESSES);
    if (!kept)
        return;
    if (kept->askers[c->from])
        note_own(c, kept->askers[c->from]);
    unverified_use_t use = asconf_unverified_use(c);
    if (use.is_there && (use.is_probe || use.is_forbidden))
        kept->askers[!c->from]->unverified.bytes = 0;
}

static void forget_addings(struct sctpa_asconf_packet *asconfs)
{
    if (asconfs->has_addings)
        sctpa_slots_clear(&asconfs->by_addr);
    g_array_set_size(asconfs->addings, 0);
    asconfs->has_addings = false;
}

static void free_asconfs(struct sctpa_asconf_packet *asconfs)
{
    forget_addings(asconfs);
    g_array_unref(asconfs->serials);
    g_array_unref(asconfs->addings);
    g_free(asconfs);
}

static struct sctpa_asconf_packet *new_asconfs(void)
{
    struct sctpa_asconf_packet *asconfs = g_new0(struct sctpa_asconf_packet, 1);
    asconfs->serials = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    asconfs->addings = g_array_new(FALSE, FALSE, sizeof(adding_t));
    return asconfs;
}

/* Reads what the ASCONFs of the packet hold together, for asconf_holds and asconf_adds_before. O(chunks *
 * log chunks), O(chunks) where their numbers ascend. */
static void asconf_observe(const sctpa_context_t *c)
{
    if (!c->store->asconfs) {
        c->store->asconfs = new_asconfs();
        c->store->asconfs_free = free_asconfs;
    }
    struct sctpa_asconf_packet *asconfs = c->store->asconfs;
    uint32_t before = 0;
    bool is_ascending = true;
    forget_addings(asconfs);
    g_array_set_size(asconfs->serials, 0);
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i].tlv;
        if (chunk->type != SCTPA_CHUNK_ASCONF)
            continue;
        uint32_t serial = sctpa_tlv_u32(chunk, SCTPA_F_ASCONF_SERIAL);
        is_ascending = is_ascending && before <= serial;
        g_array_append_val(asconfs->serials, serial);
        before = serial;
    }
    if (!is_ascending)
        g_array_sort(asconfs->serials, sctpa_records_order);
}

RULE(AS, 001,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(ASCONF) | ROW(ASCONF_ACK),
    .accused = "sender of the chunk",
    .clause = "RFC 5061 4.1.1, 4.1.2",
    .title = "ASCONF or ASCONF-ACK without AUTH",
    .quote = "This chunk MUST be sent in an authenticated way by using the mechanism defined in [RFC4895].",
    .why = "A peer that follows the RFC silently discards it; with one that does not, anyone who knows the "
        "verification tag can take over the association.",
    .evidence = "No AUTH chunk comes before the chunk in its packet.",
    .doubt = "Inside DTLS the chunk would not be visible; over DTLS the rule is not checked. Nor is it checked where "
        "the sender's INIT or INIT ACK already lists ASCONF without AUTH: AS-027 reports that cause.");

static bool AS_001_applies(const sctpa_context_t *c)
{
    return c->assoc->encapsulation != SCTPA_OVER_DTLS && !sctpa_offers_bare_asconf(&c->assoc->ends[c->from].init);
}

/* "This chunk MUST be sent in an authenticated way by using the mechanism defined in [RFC4895]." */
static bool AS_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_context_auth_covers(c, (unsigned)(c->chunk - c->chunks)))
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("AUTH before %s", c->chunk->tlv.row->title),
                        "none (on Linux: net.sctp.addip_noauth_enable)");
    return true;
}

RULE(AS, 002,
    .level = HEURISTIC, .since = 5061, .seeing = COULD, .needs = SETUP,
    .when = CHUNK, .on = ROW(ASCONF),
    .accused = "sender of the ASCONF",
    .clause = "RFC 5061 4.2.7",
    .title = "ASCONF to a peer that did not list it",
    .quote = "The sender MUST support both the sending and the receiving of any chunk types listed within the "
        "Supported Extensions Parameter.",
    .why = "The peer answers with an ERROR, and the change never happens.",
    .evidence = "ASCONF is not among the Supported Extensions of the peer's INIT or INIT ACK.",
    .doubt = "No clause forbids trying: a note. Not checked when an INIT or INIT ACK was cut.");

static bool AS_002_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->is_readable && !asconf_is_init_unsound(c, !c->from);
}

/* "The sender MUST support both the sending and the receiving of any chunk types listed" */
static bool AS_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->assoc->ends[!c->from].init.supported_chunks & SCTPA_ROW(ASCONF))
        return false;
    sctpa_violation_say(violation, "ASCONF among the Supported Extensions of the peer", "not listed");
    return true;
}

RULE(AS, 003,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = SETUP | CHECKSUM,
    .when = CHUNK, .on = ROW(ASCONF),
    .report = { .one_defect = true },
    .accused = "sender of the ASCONF",
    .clause = "RFC 5061 5.1 A2",
    .title = "First ASCONF number is not the initial TSN",
    .quote = "The Sequence Number MUST be initialized at the start of the association to the same value as the "
        "Initial Transmission Sequence Number (TSN)",
    .why = "The peer takes the ASCONF for a stale one or an attack and discards it.",
    .evidence = "A number below the initial TSN of the sender, or " SAY(ASCONF_FAR_NUMBERS) " or more above it. Where "
        "the capture is asserted to be complete, any other number in the first ASCONF.",
    .doubt = "Smaller distances may be ASCONFs that were not captured. Where an INIT or INIT ACK was retransmitted, "
        "or INITs collided, an endpoint may have announced two TSNs: not checked. Nor is it checked without data that "
        "fits the announced TSN, unless the capture is asserted to be complete.");

/* Is it the first ASCONF of its sender, as the user asserts, since no packet is missing? */
static bool is_surely_first(const sctpa_context_t *c)
{
    return sctpa_context_is_asserted(c, SCTPA_ASSERTED_COMPLETE) && !asconf_asker(c, c->from);
}

/* Is the initial TSN known? Of several INIT ACKs the one whose cookie was taken counts, and data that fits shows that
 * it was this one. */
static bool AS_003_applies(const sctpa_context_t *c)
{
    const sctpa_setup_t *setup = &c->assoc->setup;
    return c->asconf_chunk->is_readable && !c->assoc->collision && setup->steps[SCTPA_STEP_INIT].count <= 1 &&
           setup->steps[SCTPA_STEP_INIT_ACK].count <= 1 &&
           (is_surely_first(c) || (c->sent && c->sent->announced && c->sent->highest >= 0 &&
                                   (uint64_t)c->sent->highest < c->sent->tsns + ASCONF_FAR_NUMBERS));
}

/* "MUST be initialized at the start of the association to the same value as the Initial Transmission Sequence Number"
 */
static bool AS_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t initial_tsn = c->assoc->ends[c->from].init.initial_tsn;
    int32_t distance = sctpa_serial_distance(initial_tsn, c->asconf_chunk->serial);
    bool is_far = distance < 0 || distance >= ASCONF_FAR_NUMBERS;
    if (!is_far && (distance == 0 || !is_surely_first(c)))
        return false;
    violation->rests_on = is_far ? 0 : SCTPA_ASSERTED_COMPLETE;
    sctpa_violation_say(violation,
                        is_far ? SCTPA_WORDS("the initial TSN %u, or soon after it", initial_tsn)
                               : SCTPA_WORDS("the initial TSN %u", initial_tsn),
                        SCTPA_WORDS("%u", c->asconf_chunk->serial));
    return true;
}

/* Does the packet pass sooner after an ASCONF of its sender than any answer does, so that the capture lacks none? */
static bool is_before_any_answer(const sctpa_context_t *c, const asconf_t *asconf)
{
    return sctpa_context_most_ns(c, c->packet->time_ns - asconf->time_ns) < sctpa_context_least_answer_ns(c, !c->from);
}

/* A new ASCONF, after one whose answer has not passed. */
static bool is_second(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const asconf_t *first = &c->asconf_chunk->asker->asconf;
    if (first->answered)
        return false;
    violation->since = violation->related = first->packet;
    violation->is_certain = is_before_any_answer(c, first);
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("ASCONF %u only after ASCONF %u was acknowledged", c->asconf_chunk->serial, first->serial),
        SCTPA_WORDS("ASCONF %u before any ASCONF-ACK %u", c->asconf_chunk->serial, first->serial));
    return true;
}

RULE(AS, 005,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = BOTH | COMPLETE | NEAR | CHECKSUM,
    .when = CHUNK, .on = ROW(ASCONF),
    .accused = "sender of the ASCONF",
    .clause = "RFC 5061 5.1.1 C1",
    .title = "A second ASCONF before the first was acknowledged",
    .quote = "it MUST wait until the ASCONF-ACK Chunk returns from the previous ASCONF Chunk before sending a "
        "subsequent ASCONF",
    .why = "The peer may see them in the wrong order, and discards the later one.",
    .evidence = "ASCONF n + 1 passes alone before the ASCONF-ACK of n does; or " SAY(ASCONF_AGAIN_MS) " ms or "
        "more after it ASCONF n was retransmitted: it had not been acknowledged.",
    .doubt = "The next ASCONF may be bundled into a retransmission. An ASCONF-ACK that was not captured explains it: "
        "proven where the capture lacks no packet since ASCONF n, or where ASCONF n + 1 comes sooner after it than "
        SAY(SCTPA_ANSWER_QUARTERS) "/4 of the RTT from tap. A packet that passes the capture point before the "
        "answer does was sent before the answer arrived.");

static bool AS_005_applies(const sctpa_context_t *c)
{
    const asker_t *asker = c->asconf_chunk->asker;
    if (c->asconf_chunk->is == ASCONF_OLDER)
        return c->asconf_chunk->serial == asker->asconf.serial - 1 && !asconf_holds(c, asker->asconf.serial);
    return c->asconf_chunk->is == ASCONF_NEW && asker && asker->asked &&
           c->asconf_chunk->serial == asker->asconf.serial + 1 && !asconf_holds(c, asker->asconf.serial);
}

/* "it MUST wait until the ASCONF-ACK Chunk returns from the previous ASCONF Chunk" */
static bool AS_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const asconf_t *asconf = &c->asconf_chunk->asker->asconf;
    if (c->asconf_chunk->is == ASCONF_NEW)
        return is_second(c, violation);
    if (!asconf->alone ||
        sctpa_context_least_ns(c, c->packet->time_ns - asconf->time_ns) <= ASCONF_AGAIN_MS * SCTPA_NS_PER_MS)
        return false;
    violation->since = asconf->packet_before;
    violation->related = asconf->packet;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("ASCONF %u only after ASCONF %u was acknowledged", asconf->serial, c->asconf_chunk->serial),
        SCTPA_WORDS("ASCONF %u retransmitted after %u", c->asconf_chunk->serial, asconf->serial));
    return true;
}

RULE(AS, 010,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = NEAR | CHECKSUM,
    .when = CHUNK, .on = ROW(ASCONF) | ROW(ASCONF_ACK),
    .accused = "sender of the chunk",
    .clause = "RFC 5061 5.1.1 C4",
    .title = "ASCONF or ASCONF-ACK sent after SHUTDOWN ACK",
    .quote = "Both ASCONF and ASCONF-ACK Chunks MUST NOT be sent in any SCTP state except ESTABLISHED, "
        "SHUTDOWN-PENDING, SHUTDOWN-RECEIVED, and SHUTDOWN-SENT.",
    .why = "The peer may have closed the association and answers with ABORT.",
    .evidence = "A SHUTDOWN ACK of the same endpoint passed before it.",
    .doubt = "Other states are not checked. Near the sender, packets do not overtake each other on the way to the "
        "capture point.");

static bool AS_010_applies(const sctpa_context_t *c)
{
    return c->chunk->tlv.type == SCTPA_CHUNK_ASCONF_ACK || c->asconf_chunk->is_readable;
}

/* "MUST NOT be sent in any SCTP state except ESTABLISHED, SHUTDOWN-PENDING, SHUTDOWN-RECEIVED, and SHUTDOWN-SENT" */
static bool AS_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_context_chunks(c, c->from, SCTPA_CHUNK_ROW_SHUTDOWN_ACK) == 0 || c->rows & SCTPA_ROW(SHUTDOWN_ACK))
        return false;
    bool is_answer = c->chunk->tlv.type == SCTPA_CHUNK_ASCONF_ACK;
    sctpa_violation_say(violation, is_answer ? "no ASCONF-ACK after SHUTDOWN ACK" : "no ASCONF after SHUTDOWN ACK",
                        is_answer ? "ASCONF-ACK" : "ASCONF");
    return true;
}

RULE(AS, 011,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = SETUP | BOTH | COMPLETE | NEAR | CHECKSUM,
    .when = PACKET, .on = ANY,
    .accused = "sender of the packet",
    .clause = "RFC 5061 5.3 F1",
    .title = "Packet from a new address before the ASCONF-ACK",
    .quote = "the sender MUST NOT use the new IP address as a source for ANY SCTP packet except on carrying an ASCONF "
        "Chunk",
    .why = "The peer does not know the address yet and answers with ABORT.",
    .evidence = "A packet without ASCONF comes from the address before the ASCONF-ACK passes.",
    .doubt = "An ASCONF-ACK that was not captured explains it: proven where the capture lacks no packet since the "
        "ASCONF, where the packet comes sooner after it than " SAY(SCTPA_ANSWER_QUARTERS) "/4 of the RTT from tap, or "
        "where the ASCONF was retransmitted later: it had not been acknowledged. An address that was in "
        "use before is not new; ABORT and the like are "
        "not checked.");

static bool AS_011_applies(const sctpa_context_t *c)
{
    const asker_t *asker = asconf_asker(c, c->from);
    return asker && asker->asked && asker->asconf.is_new && !asker->asconf.answered && !(c->rows & STRAY_ROWS);
}

/* "the sender MUST NOT use the new IP address as a source for ANY SCTP packet except on carrying an ASCONF Chunk" */
static bool AS_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const asker_t *asker = asconf_asker(c, c->from);
    bool is_again = asker->again_packet == c->index;
    if (!is_again && !asconf_is_early(c))
        return false;
    violation->related = is_again ? asker->early_packet_before_it : asker->asconf.packet;
    violation->is_certain = asker->all_seen && (is_again || is_before_any_answer(c, &asker->asconf));
    if (asker->all_seen)
        violation->since = asker->asconf.packet;
    sctpa_violation_say(
        violation, SCTPA_WORDS("no packet from %s before the ASCONF-ACK", sctpa_addr_words(&asker->asconf.added).text),
        is_again ? SCTPA_WORDS("one in frame %u, and the ASCONF retransmitted after it",
                               sctpa_context_frame(c, asker->early_packet_before_it))
                 : sctpa_chunk_word(&c->chunks[0].tlv));
    return true;
}

RULE(AS, 018,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(ASCONF),
    .accused = "sender of the ASCONF",
    .clause = "RFC 5061 5.1 B4",
    .title = "ASCONF retransmitted with different contents",
    .quote = "An endpoint MUST NOT add new parameters to this chunk; it MUST be the same (including its Sequence "
        "Number) as the last ASCONF sent.",
    .why = "The peer may have processed the first one: the endpoints disagree about the addresses of the association.",
    .evidence = "The same number, but different bytes of the chunk.",
    .doubt = "What else the packet holds may differ; a restarted association counts separately.");

static bool AS_018_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->is == ASCONF_RETRANSMISSION;
}

/* "it MUST be the same (including its Sequence Number) as the last ASCONF sent" */
static bool AS_018_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const asconf_t *asconf = &c->asconf_chunk->asker->asconf;
    if (asconf_hash(c, &c->chunk->tlv) == asconf->hash)
        return false;
    violation->related = asconf->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("ASCONF %u as it was sent first", asconf->serial),
                        "different bytes under the same number");
    return true;
}

RULE(AS, 021,
    .level = HEURISTIC, .since = 5061, .seeing = COULD, .needs = BOTH | COMPLETE | CHECKSUM,
    .when = CHUNK, .on = ROW(ASCONF), .of = OF_PEER,
    .accused = "receiver of the ASCONF, or the path to it",
    .clause = "RFC 5061 4.1.1",
    .title = "ASCONF is not answered",
    .quote = "This chunk is used to communicate to the remote endpoint one of the configuration change requests that "
        "MUST be acknowledged.",
    .why = "The address change does not happen, and the association is closed after more attempts.",
    .evidence = SAY(ASCONF_UNANSWERED) " transmissions of one ASCONF without ASCONF-ACK, and a SACK of the "
        "receiver after the first.",
    .doubt = "The receiver silently discards what its keys do not verify, and packets may be lost between capture "
        "point and receiver: a note. Where the set-up was captured, only an ASCONF whose number is the "
        "next one counts: its receiver silently discards others (5.2 E5).");

static bool AS_021_applies(const sctpa_context_t *c)
{
    const asker_t *asker = c->asconf_chunk->asker;
    return c->asconf_chunk->is == ASCONF_RETRANSMISSION && !asker->asconf.answered &&
           (asker->all_seen || !c->assoc->ends[c->from].init.seen);
}

/* "one of the configuration change requests that MUST be acknowledged" */
static bool AS_021_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const asconf_t *asconf = &c->asconf_chunk->asker->asconf;
    if (asconf->transmissions + 1 != ASCONF_UNANSWERED || !c->sent || c->sent->acked.len == 0 ||
        c->sent->last_sack_ns <= asconf->time_ns)
        return false;
    violation->related = asconf->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("ASCONF-ACK %u", asconf->serial),
                        SCTPA_WORDS("none to %u transmissions, while data is acknowledged", ASCONF_UNANSWERED));
    return true;
}

RULE(AS, 029,
    .level = MUST, .since = 5061, .seeing = MUST_HAVE, .needs = BOTH | COMPLETE | NEAR | CHECKSUM,
    .when = CHUNK, .on = ROW(ASCONF),
    .accused = "sender of the ASCONF",
    .clause = "RFC 5061 5.1 A9",
    .title = "ASCONF sent after the peer reported it as unrecognized",
    .quote = "the sender of the ASCONF MUST NOT send any further ASCONF Chunks and MUST stop its T-4 timer",
    .why = "Every ASCONF costs an ERROR; in the end the association is closed because no answer comes.",
    .evidence = SAY(ASCONF_REFUSALS) " ERRORs with cause Unrecognized Chunk Type that quote ASCONF passed "
        "towards the endpoint; " SAY(ASCONF_REFUSED_S) " s or more later it sends a new ASCONF. Or, where "
        "the user asserts that the capture was taken at the endpoint, one such ERROR, and any ASCONF so much later.",
    .doubt = "One ERROR may have been lost between capture point and endpoint. Without that assertion "
        "retransmissions are not checked. An endpoint that wants ERROR authenticated never is.");

static bool AS_029_applies(const sctpa_context_t *c)
{
    const asker_t *asker = c->asconf_chunk->asker;
    unsigned refusals = sctpa_context_is_asserted(c, SCTPA_ASSERTED_TAKEN_AT) ? 1 : ASCONF_REFUSALS;
    return c->asconf_chunk->is_readable && asker && asker->refusals >= refusals;
}

/* "the sender of the ASCONF MUST NOT send any further ASCONF Chunks" */
static bool AS_029_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const asker_t *asker = c->asconf_chunk->asker;
    bool is_there = sctpa_context_is_asserted(c, SCTPA_ASSERTED_TAKEN_AT);
    if ((c->asconf_chunk->serial == asker->refused_serial && !is_there) ||
        sctpa_context_least_ns(c, c->packet->time_ns - asker->refusal_ns) < ASCONF_REFUSED_S * SCTPA_NS_PER_S)
        return false;
    violation->related = asker->refusal_packet;
    violation->is_certain = is_there;
    violation->rests_on = is_there ? SCTPA_ASSERTED_TAKEN_AT : 0;
    sctpa_violation_say(violation, "no further ASCONF after ERROR, Unrecognized Chunk Type",
                        SCTPA_WORDS("ASCONF %u", c->asconf_chunk->serial));
    return true;
}

/* Place of the next chunk of a type after the one at place at, n_chunks none. O(chunks). */
static unsigned next_of(const sctpa_context_t *c, unsigned at, uint32_t type)
{
    do
        at++;
    while (at < c->n_chunks && c->chunks[at].tlv.type != type);
    return at;
}

/* The first chunk of a type in the packet that stands out of order; *before: the one before it. n_chunks: none. *pairs:
 * how many follow another. O(chunks). */
static unsigned out_of_order(const sctpa_context_t *c, uint32_t type, unsigned *before, unsigned *pairs)
{
    sctpa_field_id_t serial = type == SCTPA_CHUNK_ASCONF ? SCTPA_F_ASCONF_SERIAL : SCTPA_F_ASCONF_ACK_SERIAL;
    *before = next_of(c, UINT_MAX, type);
    *pairs = 0;
    for (unsigned at = next_of(c, *before, type); at < c->n_chunks; at = next_of(c, at, type)) {
        ++*pairs;
        if (sctpa_serial_distance(sctpa_tlv_u32(&c->chunks[*before].tlv, serial),
                                  sctpa_tlv_u32(&c->chunks[at].tlv, serial)) <= 0 ||
            (type == SCTPA_CHUNK_ASCONF && at != *before + 1))
            return at;
        *before = at;
    }
    return c->n_chunks;
}

RULE(AS, 026,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PACKET, .on = ROW(ASCONF) | ROW(ASCONF_ACK),
    .accused = "sender of the packet",
    .clause = "RFC 5061 5.1.1 C2, C3, 5.5",
    .title = "ASCONFs or ASCONF-ACKs of a packet out of order",
    .quote = "If bundled with other ASCONF Chunks, the chunks MUST appear in sequential order with respect to their "
        "Sequence Number.",
    .why = "The receiver processes them in order and discards those that come too early.",
    .evidence = "A number that does not follow the one before it in the packet, or another chunk between two ASCONFs.",
    .doubt = "ASCONF-ACKs may leave out numbers and may have other chunks between them.");

static bool AS_026_applies(const sctpa_context_t *c)
{
    unsigned before, asconfs = 0, answers = 0;
    if (c->rows & SCTPA_ROW(ASCONF))
        out_of_order(c, SCTPA_CHUNK_ASCONF, &before, &asconfs);
    if (c->rows & SCTPA_ROW(ASCONF_ACK))
        out_of_order(c, SCTPA_CHUNK_ASCONF_ACK, &before, &answers);
    return asconfs + answers > 0;
}

/* "the chunks MUST appear in sequential order with respect to their Sequence Number"; 5.5: "All ASCONFs within the
 * packet MUST be adjacent to each other" */
static bool AS_026_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    unsigned before, pairs, at = c->n_chunks;
    uint32_t type = SCTPA_CHUNK_ASCONF;
    if (c->rows & SCTPA_ROW(ASCONF))
        at = out_of_order(c, type, &before, &pairs);
    if (at == c->n_chunks && c->rows & SCTPA_ROW(ASCONF_ACK)) {
        type = SCTPA_CHUNK_ASCONF_ACK;
        at = out_of_order(c, type, &before, &pairs);
    }
    if (at == c->n_chunks)
        return false;
    sctpa_field_id_t serial = type == SCTPA_CHUNK_ASCONF ? SCTPA_F_ASCONF_SERIAL : SCTPA_F_ASCONF_ACK_SERIAL;
    sctpa_violation_say(violation, type == SCTPA_CHUNK_ASCONF ? "ascending numbers, side by side" : "ascending numbers",
                        SCTPA_WORDS("%u after %u%s", sctpa_tlv_u32(&c->chunks[at].tlv, serial),
                                    sctpa_tlv_u32(&c->chunks[before].tlv, serial),
                                    at == before + 1 ? "" : ", other chunks between them"));
    return true;
}

RULE(AS, 016,
    .level = MUST, .since = 5061, .seeing = COULD, .needs = SETUP | BOTH | COMPLETE | NEAR | CHECKSUM,
    .when = PACKET, .on = ANY,
    .accused = "receiver of the ASCONF",
    .clause = "RFC 5061 5.3 F1",
    .title = "Packet to an added address before it was probed",
    .quote = "The receiver MUST NOT send packets to the new address except for the corresponding ASCONF-ACK Chunk or "
        "HEARTBEAT Chunks for path verification before the new path is verified.",
    .why = "An ASCONF can direct a stream of data at a third host.",
    .evidence = "The first packet to the address with more than ASCONF-ACK, AUTH or HEARTBEAT ACK holds no HEARTBEAT, "
        "and none was sent there before.",
    .doubt = "Proven where the capture lacks no packet since the ASCONF, and the numbers show that none before it is "
        "missing. Nothing is checked after the first HEARTBEAT, since the answer may not have been captured. Only "
        "addresses that neither the set-up nor earlier packets showed.");

static bool AS_016_applies(const sctpa_context_t *c)
{
    return asconf_unverified_use(c).is_there;
}

/* "MUST NOT send packets to the new address except for the corresponding ASCONF-ACK Chunk or HEARTBEAT Chunks" */
static bool AS_016_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    unverified_use_t use = asconf_unverified_use(c);
    const asker_t *peer = asconf_asker(c, !c->from);
    if (use.is_probe || !use.is_forbidden)
        return false;
    violation->path = c->path;
    violation->related = peer->unverified_packet;
    if (peer->all_seen)
        violation->since = peer->unverified_packet;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("a HEARTBEAT to %s before anything else", sctpa_addr_words(&peer->unverified).text),
                        sctpa_chunk_word(&c->chunks[0].tlv));
    return true;
}

/* The packet is from, or to, an address whose deletion was granted. */
static void say_gone(const sctpa_context_t *c, const asker_t *asker, const char *from_or_to,
                     sctpa_violation_t *violation)
{
    violation->since = violation->related = asker->gone_packet;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("no packet %s %s, whose deletion was granted", from_or_to, sctpa_addr_words(&asker->gone).text),
        SCTPA_WORDS("one %.1f s later", (double)(c->packet->time_ns - asker->gone_ns) / (double)SCTPA_NS_PER_S));
}

/* Its deletion was granted before. */
static bool comes_from_gone(const sctpa_context_t *c, const asker_t *asker, sctpa_violation_t *violation)
{
    if (!sctpa_addr_equal(&asker->gone, &c->packet->source))
        return false;
    say_gone(c, asker, "from", violation);
    return true;
}

RULE(AS, 012,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = SETUP | COMPLETE | NEAR | CHECKSUM | UNTRANSLATED,
    .when = PACKET, .on = ANY, .of = OF_EACH,
    .report = { .one_defect = true },
    .accused = "sender of the ASCONF",
    .clause = "RFC 5061 5.3 F4",
    .title = "Packet from an address after the request to delete it",
    .quote = "MUST NOT be used as a source address for any subsequent packets",
    .why = "After the deletion the peer treats such packets as out of the blue.",
    .evidence = "A packet left the address more than " SAY(ASCONF_LATE_MS) " ms after the ASCONF and before the "
        "ASCONF-ACK that granted all of it, or more than " SAY(ASCONF_LEFT_MS) " ms after that ASCONF-ACK.",
    .doubt = "Refused deletions do not count. ABORT and the like are not checked, nor packets after a later ASCONF. "
        "One that was not captured may have added the address again: proven where the capture lacks no packet since "
        "the ASCONF-ACK, or where the numbers show that no ASCONF before it is missing.");

static bool AS_012_applies(const sctpa_context_t *c)
{
    const asker_t *asker = asconf_asker(c, c->accused);
    if (!asker)
        return false;
    if (c->accused != c->from)
        return asker->gone_packet == c->index && asker->asconf.deleted.bytes > 0;
    return asker->gone.bytes > 0 && !(c->rows & (SCTPA_ROW(ASCONF) | STRAY_ROWS)) &&
           sctpa_context_least_ns(c, c->packet->time_ns - asker->gone_ns) > ASCONF_LEFT_MS * SCTPA_NS_PER_MS;
}

/* "MUST NOT be used as a source address for any subsequent packets" */
static bool AS_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const asker_t *asker = asconf_asker(c, c->accused);
    if (c->accused == c->from)
        return comes_from_gone(c, asker, violation);
    if (asker->late_packet == SCTPA_NO_PACKET_INDEX)
        return false;
    violation->is_certain = asker->all_seen;
    violation->related = asker->late_packet;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("no packet from %s after the request to delete it", sctpa_addr_words(&asker->asconf.deleted).text),
        SCTPA_WORDS("one in frame %u", sctpa_context_frame(c, asker->late_packet)));
    return true;
}

RULE(AS, 017,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = BOTH | COMPLETE | CHECKSUM | UNTRANSLATED,
    .when = PACKET, .on = ANY,
    .accused = "receiver of the ASCONF",
    .clause = "RFC 5061 5.3 F13",
    .title = "Packet to a deleted address",
    .quote = "It MUST NOT send SCTP packets for the association to that address",
    .why = "The host that has the address now answers with ABORT, and data is lost.",
    .evidence = "More than " SAY(ASCONF_GONE_S) " s after its ASCONF-ACK, which refused nothing, the endpoint "
        "sends to the address: " SAY(ASCONF_LEFT_MS) " ms after it, where the capture was taken near the endpoint.",
    .doubt = "Not checked after any later ASCONF; ABORT and the like are not checked; " SAY(ASCONF_GONE_S) " s "
        "leave time for what was under way, " SAY(ASCONF_LEFT_MS) " ms for what waited in the host.");

/* The answer passed so long ago that nothing is under way any more. */
static bool is_gone_since(const sctpa_context_t *c, const asker_t *peer, int64_t ns)
{
    return sctpa_context_least_ns(c, c->packet->time_ns - peer->gone_ns) > ns;
}

static bool AS_017_applies(const sctpa_context_t *c)
{
    const asker_t *peer = asconf_asker(c, !c->from);
    const bool is_near = sctpa_context_is_near(c, c->from) == SCTPA_YES;
    return peer && peer->gone.bytes > 0 && !(c->rows & STRAY_ROWS) &&
           is_gone_since(c, peer, is_near ? ASCONF_LEFT_MS * SCTPA_NS_PER_MS : ASCONF_GONE_S * SCTPA_NS_PER_S);
}

/* "It MUST NOT send SCTP packets for the association to that address" */
static bool AS_017_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const asker_t *peer = asconf_asker(c, !c->from);
    if (!sctpa_addr_equal(&peer->gone, &c->packet->destination))
        return false;
    violation->path = c->path;
    if (!is_gone_since(c, peer, ASCONF_GONE_S * SCTPA_NS_PER_S) &&
        !sctpa_tap_shows_near(&c->reference->tap, c->tracked, c->from))
        violation->rests_on = SCTPA_ASSERTED_TAKEN_AT;
    say_gone(c, peer, "to", violation);
    return true;
}

RULE(AS, 009,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(ASCONF),
    .accused = "sender of the ASCONF",
    .clause = "RFC 5061 4.1.1",
    .title = "ASCONF without an address parameter first",
    .quote = "This parameter MUST be present in every ASCONF message, i.e. it is a mandatory TLV parameter.",
    .why = "A receiver that does not know the source address cannot find the association.",
    .evidence = "The first parameter is neither IPv4 Address of length 8 nor IPv6 Address of length 20.",
    .doubt = "Any address is allowed, including a wildcard or one that is being deleted.");

static bool AS_009_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->is_readable;
}

/* "This parameter MUST be present in every ASCONF message"; "The host name address MUST NOT be sent" */
static bool AS_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_param_list_t *list = sctpa_context_params(c);
    const sctpa_tlv_t *first = list->n > 0 ? &list->params[0] : NULL;
    if (first && ((first->type == SCTPA_PARAM_IPV4 && first->length == IPV4_PARAM_BYTES) ||
                  (first->type == SCTPA_PARAM_IPV6 && first->length == IPV6_PARAM_BYTES)))
        return false;
    sctpa_violation_say(violation, "an IPv4 or IPv6 Address parameter first",
                        first ? SCTPA_WORDS("parameter 0x%04x, length %u", first->type, first->length)
                              : "no parameter");
    return true;
}

RULE(AS, 020,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .on = ROW(ASCONF),
    .accused = "sender of the ASCONF",
    .clause = "RFC 5061 4.2.1, 4.2.2",
    .title = "Broadcast or multicast address added or deleted",
    .quote = "This parameter MUST NOT contain a broadcast or multicast address.",
    .why = "Packets to it would reach many hosts.",
    .evidence = "255.255.255.255, 224.0.0.0/4 or ff00::/8 in Add or Delete IP Address.",
    .doubt = "Broadcast addresses of subnets are not known; wildcards are allowed.");

static bool AS_020_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->changed > 0;
}

/* "This parameter MUST NOT contain a broadcast or multicast address." */
static bool AS_020_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->asconf_chunk->group.bytes == 0)
        return false;
    sctpa_violation_say(violation, "a unicast address", sctpa_addr_words(&c->asconf_chunk->group).text);
    return true;
}

RULE(AS, 014,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = WHOLE | CHECKSUM | UNTRANSLATED,
    .when = CHUNK, .on = ROW(ASCONF),
    .accused = "sender of the ASCONF",
    .clause = "RFC 5061 5.3 F6",
    .title = "ASCONF sent from the address that it deletes",
    .quote = "An endpoint MUST NOT set an IP header source address for an SCTP packet holding the ASCONF Chunk to be "
        "the same as an address being deleted by the ASCONF Chunk.",
    .why = "The answer would have to go to an address that is gone; the peer refuses the request.",
    .evidence = "The IP source equals an address in a Delete IP Address parameter.",
    .doubt = "The wildcard deletes all addresses but the source, and is allowed.");

static bool AS_014_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->deleted > 0;
}

/* "MUST NOT set an IP header source address for an SCTP packet holding the ASCONF Chunk to be the same as an address
 * being deleted" */
static bool AS_014_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!c->asconf_chunk->deletes_source)
        return false;
    sctpa_violation_say(violation, "ASCONF sent from another address than the one it deletes",
                        sctpa_addr_words(&c->packet->source).text);
    return true;
}

/* What is left of the sender's addresses when the requests of asconf are taken in order, at the least: *lowest of them.
 * The one that it sends from is one, even if the capture shows no answer to the request that added it again. False:
 * unknown. */
static bool count_left(const sctpa_context_t *c, const sctpa_tlv_t *asconf, unsigned *lowest)
{
    const sctpa_end_t *end = &c->assoc->ends[c->from];
    const sctpa_addr_t *left[ADDRS + 1] = { &c->packet->source };
    unsigned n = 1;
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    sctpa_addr_t addr;
    for (unsigned i = 0; i < end->n_addrs; i++)
        if (!(end->addrs[i].origin & SCTPA_ADDR_DELETED) &&
            !sctpa_addr_equal(&end->addrs[i].addr, &c->packet->source)) {
            if (n > ADDRS)
                return false;
            left[n++] = &end->addrs[i].addr;
        }
    *lowest = n;
    sctpa_params_begin(&iter, asconf);
    while (sctpa_tlv_next(&iter, &param)) {
        if ((param.type != SCTPA_PARAM_ADD_IP && param.type != SCTPA_PARAM_DELETE_IP) ||
            !sctpa_nested_addr(&param, &addr))
            continue;
        if (param.type == SCTPA_PARAM_ADD_IP || sctpa_addr_is_wildcard(&addr))
            return true;
        for (unsigned i = 0; i < n; i++)
            if (sctpa_addr_equal(left[i], &addr))
                left[i--] = left[--n];
        *lowest = n;
    }
    return true;
}

RULE(AS, 013,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = SETUP | BOTH | WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(ASCONF),
    .accused = "sender of the ASCONF",
    .clause = "RFC 5061 5.3 F5",
    .title = "Request to delete the last address",
    .quote = "An endpoint MUST NOT delete its last remaining IP address from an association.",
    .why = "The association would be out of reach; the peer refuses the request.",
    .evidence = "The requests, taken in order, delete every address that the set-up, earlier ASCONFs and packets "
        "showed, and none was added before.",
    .doubt = "Checked only when every ASCONF of the endpoint since its first was seen, and the answer to each before "
        "it: their numbers, from the initial TSN on without a gap, show it. Not checked after an ADD or a wildcard "
        "in the same ASCONF.");

static bool AS_013_applies(const sctpa_context_t *c)
{
    unsigned lowest;
    return c->asconf_chunk->all_seen && count_left(c, &c->chunk->tlv, &lowest);
}

/* "An endpoint MUST NOT delete its last remaining IP address from an association." */
static bool AS_013_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    unsigned lowest;
    if (!count_left(c, &c->chunk->tlv, &lowest) || lowest > 0)
        return false;
    sctpa_violation_say(violation, "at least one address is kept", "every known address is deleted, none added before");
    return true;
}

RULE(AS, 030,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = SETUP | BOTH | WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(ASCONF),
    .accused = "sender of the ASCONF",
    .clause = "RFC 5061 5.4",
    .title = "Set Primary for an address outside the association",
    .quote = "A sender MUST only send a set primary request to an address that is already considered part of the "
        "association.",
    .why = "The peer discards the request, and traffic stays where it was.",
    .evidence = "The address was neither in INIT or INIT ACK, nor the source of a packet, nor added and acknowledged, "
        "nor added earlier in the packet.",
    .doubt = "Checked only when every ASCONF of the endpoint since its first was seen, and the answer to each before "
        "it: their numbers, from the initial TSN on without a gap, show it, whatever else the capture lacks. Wildcards "
        "are not checked.");

static bool AS_030_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->all_seen && c->asconf_chunk->made_primary > 0;
}

/* "A sender MUST only send a set primary request to an address that is already considered part of the association." */
static bool AS_030_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->asconf_chunk->stranger.bytes == 0)
        return false;
    sctpa_violation_say(violation, "an address of the association", sctpa_addr_words(&c->asconf_chunk->stranger).text);
    return true;
}

static uint64_t row_of(const sctpa_context_t *c)
{
    return UINT64_C(1) << c->chunk->row;
}

static const uint64_t init_rows = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK);

RULE(AS, 023,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(INIT) | ROW(INIT_ACK) | ROW(ASCONF) | ROW(ASCONF_ACK) | ROW(HEARTBEAT) | ROW(RE_CONFIG),
    .accused = "sender of the chunk",
    .clause = "RFC 5061 4.2.7",
    .title = "Supported Extensions twice, or outside INIT and INIT ACK",
    .quote = "The sender MUST NOT include multiple Supported Extensions Parameter within any chunk.",
    .why = "The peer may read only one of them and miss extensions.",
    .evidence = "The parameter stands directly in another chunk, or twice in one.",
    .doubt = "Parameters quoted in Unrecognized Parameter, State Cookie or HEARTBEAT ACK are not checked, nor are "
        "malformed lists.");

static bool AS_023_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->params->sound;
}

/* "MUST NOT include multiple Supported Extensions Parameter within any chunk"; "This parameter MUST NOT appear in any
 * other chunk." */
static bool AS_023_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const uint64_t param = SCTPA_PARAM_BIT(SUPPORTED_EXTENSIONS);
    if (c->asconf_chunk->params->rows & param && !(row_of(c) & init_rows))
        sctpa_violation_say(violation, "Supported Extensions in INIT and INIT ACK only",
                            SCTPA_WORDS("one in %s", c->chunk->tlv.row->title));
    else if (c->asconf_chunk->params->repeated & param && row_of(c) & init_rows)
        sctpa_violation_say(violation, "one Supported Extensions parameter", "more than one");
    else
        return false;
    return true;
}

RULE(AS, 025,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(INIT) | ROW(INIT_ACK) | ROW(ASCONF) | ROW(ASCONF_ACK) | ROW(HEARTBEAT) | ROW(RE_CONFIG),
    .accused = "sender of the chunk",
    .clause = "RFC 5061 4.2.6",
    .title = "Adaptation Layer Indication outside INIT and INIT ACK",
    .quote = "This parameter MUST NOT be sent in any other chunks",
    .why = "The peer ignores it.",
    .evidence = "Parameter 0xC006 directly in another chunk.",
    .doubt = "Parameters quoted in error causes or HEARTBEAT ACK are not checked, nor are malformed lists.");

static bool AS_025_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->params->sound;
}

/* "MUST NOT be sent in any other chunks" */
static bool AS_025_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!(c->asconf_chunk->params->rows & SCTPA_PARAM_BIT(ADAPTATION)) || row_of(c) & init_rows)
        return false;
    sctpa_violation_say(violation, "Adaptation Layer Indication in INIT and INIT ACK only",
                        SCTPA_WORDS("one in %s", c->chunk->tlv.row->title));
    return true;
}

RULE(AS, 031,
    .level = HEURISTIC, .since = 5061, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(INIT) | ROW(INIT_ACK) | ROW(ASCONF) | ROW(ASCONF_ACK) | ROW(HEARTBEAT) | ROW(RE_CONFIG),
    .accused = "sender of the chunk",
    .clause = "RFC 5061 4.2.1 to 4.2.5",
    .title = "ASCONF parameter in a chunk where it has no meaning",
    .quote = "The Add IP Address parameter may only appear in the ASCONF Chunk type.",
    .why = "The receiver ignores it, or refuses the chunk.",
    .evidence = "Add or Delete IP Address outside ASCONF, Error Cause or Success Indication outside ASCONF-ACK, Set "
        "Primary outside ASCONF, INIT, INIT ACK.",
    .doubt = "The clause has no keyword: a note. Nested and quoted parameters are not checked.");

static bool AS_031_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->params->sound;
}

/* "may only appear in the ASCONF Chunk type" */
static bool AS_031_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    static const struct {
        uint64_t params, chunks;
        const char *expected;
    } places[] = {
        { SCTPA_PARAM_BIT(ADD_IP) | SCTPA_PARAM_BIT(DELETE_IP), SCTPA_ROW(ASCONF),
          "Add and Delete IP Address in ASCONF only" },
        { SCTPA_PARAM_BIT(ERROR_CAUSE_INDICATION) | SCTPA_PARAM_BIT(SUCCESS_INDICATION), SCTPA_ROW(ASCONF_ACK),
          "Error Cause and Success Indication in ASCONF-ACK only" },
        { SCTPA_PARAM_BIT(SET_PRIMARY), SCTPA_ROW(ASCONF) | SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK),
          "Set Primary Address in ASCONF, INIT and INIT ACK only" },
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(places); i++)
        if (c->asconf_chunk->params->rows & places[i].params && !(places[i].chunks & row_of(c))) {
            sctpa_violation_say(violation, places[i].expected, SCTPA_WORDS("one in %s", c->chunk->tlv.row->title));
            return true;
        }
    return false;
}

/* Rows of the chunks that the INIT or INIT ACK lists, 0: no list that can be read. */
static uint64_t listed_rows(const sctpa_context_t *c)
{
    const sctpa_tlv_t *list = sctpa_context_param(c, SCTPA_PARAM_ROW_SUPPORTED_EXTENSIONS);
    uint64_t rows = 0;
    if (!c->asconf_chunk->params->sound || !list)
        return 0;
    for (uint32_t at = SCTPA_TLV_HEADER_BYTES; at < list->captured_bytes; at++)
        rows |= UINT64_C(1) << sctpa_chunk_row(list->bytes[at]);
    return rows;
}

RULE(AS, 027,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of the INIT or INIT ACK",
    .clause = "RFC 5061 4.2.7",
    .title = "ASCONF announced without ASCONF-ACK or AUTH",
    .quote = "An implementation supporting this extension MUST list the ASCONF,the ASCONF-ACK, and the AUTH chunks in "
        "its INIT and INIT-ACK parameters.",
    .why = "A peer that follows the RFC refuses the association.",
    .evidence = "Supported Extensions lists ASCONF or ASCONF-ACK, but not all three.",
    .doubt = "AUTH alone is allowed. Linux does this when net.sctp.addip_noauth_enable is set.");

static bool AS_027_applies(const sctpa_context_t *c)
{
    return listed_rows(c) & (SCTPA_ROW(ASCONF) | SCTPA_ROW(ASCONF_ACK));
}

/* "MUST list the ASCONF,the ASCONF-ACK, and the AUTH chunks in its INIT and INIT-ACK parameters" */
static bool AS_027_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const uint64_t all = SCTPA_ROW(ASCONF) | SCTPA_ROW(ASCONF_ACK) | SCTPA_ROW(AUTH);
    uint64_t rows = listed_rows(c);
    if ((rows & all) == all)
        return false;
    sctpa_violation_say(violation, "ASCONF, ASCONF-ACK and AUTH listed together",
                        SCTPA_WORDS("without %s%s",
                                    !(rows & SCTPA_ROW(AUTH))     ? "AUTH"
                                    : !(rows & SCTPA_ROW(ASCONF)) ? "ASCONF"
                                                                  : "ASCONF-ACK",
                                    !(rows & SCTPA_ROW(AUTH)) ? " (on Linux: net.sctp.addip_noauth_enable)" : ""));
    return true;
}

RULE(AS, 028,
    .level = MUST, .since = 5061, .seeing = COULD, .needs = BOTH | CHECKSUM,
    .when = CHUNK, .on = ROW(INIT_ACK),
    .report = { .covers = { COVERS(AS, 027) } },
    .accused = "sender of the INIT ACK",
    .clause = "RFC 5061 6",
    .title = "Set-up continued with a peer that offers ASCONF without AUTH",
    .quote = "under NO circumstance is an implementation allowed to proceed with the association setup by sending an "
        "INIT-ACK in response",
    .why = "Anyone who knows the verification tag can take over the association's addresses.",
    .evidence = "The INIT lists ASCONF and has neither AUTH in the list nor a RANDOM parameter; the INIT ACK lists "
        "ASCONF too.",
    .doubt = "The clause does not bind an endpoint that does not list ASCONF itself. Not checked when the INIT was "
        "cut. Linux does this when net.sctp.addip_noauth_enable is set.");

static bool AS_028_applies(const sctpa_context_t *c)
{
    const sctpa_init_t *asked = &c->assoc->ends[!c->from].init, *own = &c->assoc->ends[c->from].init;
    return asked->seen && asked->supported_chunks & SCTPA_ROW(ASCONF) && !asconf_is_init_unsound(c, !c->from) &&
           own->supported_chunks & SCTPA_ROW(ASCONF);
}

/* "under NO circumstance is an implementation allowed to proceed with the association setup by sending an INIT-ACK" */
static bool AS_028_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_init_t *asked = &c->assoc->ends[!c->from].init;
    if (asked->supported_chunks & SCTPA_ROW(AUTH) || asked->params & SCTPA_PARAM_BIT(RANDOM))
        return false;
    sctpa_violation_say(violation, "ABORT or a silent discard: the INIT offers ASCONF without AUTH",
                        "INIT ACK (on Linux: net.sctp.addip_noauth_enable)");
    return true;
}

RULE(AS, 006,
    .level = MUST, .since = 5061, .seeing = COULD, .needs = BOTH | COMPLETE | CHECKSUM,
    .when = CHUNK, .on = ROW(ASCONF_ACK),
    .accused = "sender of the ASCONF-ACK",
    .clause = "RFC 5061 4.1.2",
    .title = "ASCONF-ACK with a number that no ASCONF had",
    .quote = "This value is copied from the received ASCONF Chunk.",
    .why = "The peer waits for its answer, retransmits the ASCONF and finally closes the association, or aborts it "
        "(5.3 F0).",
    .evidence = "The number is above that of the last ASCONF of the peer, or " SAY(ASCONF_FAR_NUMBERS) " or more "
        "below it.",
    .doubt = "Up to " SAY(ASCONF_FAR_NUMBERS) " above it, the number may belong to an ASCONF that was not "
        "captured: proven where the capture lacks no packet since the last ASCONF. Lower numbers may be repeated "
        "answers.");

static bool AS_006_applies(const sctpa_context_t *c)
{
    const asker_t *asker = c->asconf_chunk->asker;
    return asker && asker->asked && c->asconf_chunk->is_readable;
}

/* "This value is copied from the received ASCONF Chunk" */
static bool AS_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const asconf_t *asconf = &c->asconf_chunk->asker->asconf;
    uint32_t serial = c->asconf_chunk->serial;
    int32_t distance = sctpa_serial_distance(asconf->serial, serial);
    if (distance <= 0 && distance >= -ASCONF_FAR_NUMBERS)
        return false;
    violation->is_certain = distance > ASCONF_FAR_NUMBERS || distance < 0;
    violation->since = violation->related = asconf->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("the number of an ASCONF, the last is %u", asconf->serial),
                        SCTPA_WORDS("%u", serial));
    return true;
}

/* How many responses the ASCONF-ACK holds; *wrong: correlation id of the first that its ASCONF does not have,
 * *has_wrong: there is one. O(parameters). */
static unsigned count_responses(const sctpa_tlv_t *answer, const asconf_t *asconf, uint32_t *wrong, bool *has_wrong)
{
    unsigned n = 0;
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    *has_wrong = false;
    sctpa_params_begin(&iter, answer);
    while (sctpa_tlv_next(&iter, &param)) {
        bool is_success = param.type == SCTPA_PARAM_SUCCESS_INDICATION;
        if ((!is_success && param.type != SCTPA_PARAM_ERROR_CAUSE_INDICATION) || param.captured_bytes < 8)
            continue;
        uint32_t id = sctpa_tlv_u32(&param, is_success ? SCTPA_F_SUCCESS_INDICATION_CORRELATION
                                                       : SCTPA_F_ERROR_CAUSE_INDICATION_CORRELATION);
        unsigned i = 0;
        while (i < asconf->n_ids && asconf->ids[i] != id)
            i++;
        if (i == asconf->n_ids && !*has_wrong) {
            *has_wrong = true;
            *wrong = id;
        }
        n++;
    }
    return n;
}

/* The correlation id that an ASCONF holds twice. */
static bool find_repeated(const uint32_t ids[ASCONF_IDS], unsigned n, uint32_t *repeated)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < i; k++)
            if (ids[i] == ids[k]) {
                *repeated = ids[i];
                return true;
            }
    return false;
}

RULE(AS, 008,
    .level = MUST, .since = 5061, .seeing = COULD, .needs = BOTH | WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(ASCONF) | ROW(ASCONF_ACK),
    .accused = "sender of the chunk",
    .clause = "RFC 5061 5.1 A1, 5.2 V3",
    .title = "Correlation id not echoed, or not unique in an ASCONF",
    .quote = "All responses MUST copy the ASCONF-Request Correlation ID field received in the ASCONF parameter from "
        "the TLV being responded to",
    .why = "The requester cannot tell which of its requests was refused.",
    .evidence = "A response holds an id that the ASCONF of that number does not; or an ASCONF holds an id twice.",
    .doubt = "The same id in every ASCONF is allowed; an ASCONF with more than " SAY(ASCONF_IDS) " requests, or "
        "one that was cut, is not checked.");

static bool AS_008_applies(const sctpa_context_t *c)
{
    const asconf_chunk_t *chunk = c->asconf_chunk;
    uint32_t wrong;
    bool has_wrong;
    if (c->chunk->tlv.type == SCTPA_CHUNK_ASCONF)
        return chunk->is == ASCONF_NEW && chunk->n_ids >= 2 && chunk->ids_known;
    return chunk->is_answer && chunk->asker->asconf.ids_known &&
           count_responses(&c->chunk->tlv, &chunk->asker->asconf, &wrong, &has_wrong) > 0;
}

/* 5.2 V3: "All responses MUST copy the ASCONF-Request Correlation ID field received"; 5.1 A1: "unique correlation
 * identities for each request" */
static bool AS_008_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t id;
    bool is_wrong;
    if (c->chunk->tlv.type == SCTPA_CHUNK_ASCONF) {
        if (!find_repeated(c->asconf_chunk->ids, c->asconf_chunk->n_ids, &id))
            return false;
        sctpa_violation_say(violation, "a correlation id for each request",
                            SCTPA_WORDS("0x%08x twice in one ASCONF", id));
        return true;
    }
    const asker_t *asker = c->asconf_chunk->asker;
    count_responses(&c->chunk->tlv, &asker->asconf, &id, &is_wrong);
    if (!is_wrong)
        return false;
    violation->related = asker->asconf.packet;
    sctpa_violation_say(violation, "a correlation id of the ASCONF", SCTPA_WORDS("0x%08x", id));
    return true;
}

RULE(AS, 007,
    .level = MUST, .since = 5061, .seeing = COULD, .needs = BOTH | COMPLETE | CHECKSUM | UNTRANSLATED,
    .when = CHUNK, .on = ROW(ASCONF_ACK),
    .accused = "sender of the ASCONF-ACK",
    .clause = "RFC 5061 5.2 E6",
    .title = "ASCONF-ACK not sent to the source of the ASCONF",
    .quote = "The destination address of the SCTP packet containing the ASCONF-ACK Chunks MUST be the source address "
        "of the SCTP packet that held the ASCONF Chunks.",
    .why = "The answer goes to an address that its receiver may just have lost; the ASCONF is retransmitted until the "
        "association fails.",
    .evidence = "The ASCONF-ACK went to none of the addresses from which packets with that ASCONF came.",
    .doubt = "It may answer a transmission from another address that was not captured: proven at the second number, or "
        "where the capture lacks no packet since the ASCONF before.");

static bool AS_007_applies(const sctpa_context_t *c)
{
    const asker_t *asker = c->asconf_chunk->asker;
    return c->asconf_chunk->is_answer && asker->asconf.sources_known && !asker->asconf.answered;
}

/* "The destination address of the SCTP packet containing the ASCONF-ACK Chunks MUST be the source address" */
static bool AS_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const asconf_t *asconf = &c->asconf_chunk->asker->asconf;
    for (unsigned i = 0; i < asconf->n_sources; i++)
        if (sctpa_addr_equal(&asconf->sources[i], &c->packet->destination))
            return false;
    violation->path = c->path;
    violation->related = asconf->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("ASCONF-ACK to %s", sctpa_addr_words(&asconf->sources[0]).text),
                        SCTPA_WORDS("to %s", sctpa_addr_words(&c->packet->destination).text));
    return true;
}

RULE(AS, 015,
    .level = MUST, .since = 5061, .seeing = COULD, .needs = BOTH | COMPLETE | CHECKSUM,
    .when = CHUNK, .on = ROW(ASCONF_ACK),
    .accused = "receiver of the ASCONF",
    .clause = "RFC 5061 5.3 F8",
    .title = "Request to delete the source address was granted",
    .quote = "the receiver MUST reject this request",
    .why = "The endpoints disagree about the addresses of the association.",
    .evidence = "Every transmission of the ASCONF came from an address that it deletes, and the ASCONF-ACK refuses "
        "nothing.",
    .doubt = "Not reported when the answer holds any error indication.");

static bool AS_015_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->is_answer && c->asconf_chunk->asker->asconf.is_illegal;
}

/* "the receiver MUST reject this request" */
static bool AS_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const asconf_t *asconf = &c->asconf_chunk->asker->asconf;
    if (!c->asconf_chunk->grants)
        return false;
    violation->since = asconf->packet_before;
    violation->related = asconf->packet;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("request 0x%08x refused: it deletes the source of its packet", asconf->illegal_id),
                        "granted");
    return true;
}

/* How many chunk types that have a name the ERROR reports as unknown; *listed: row of the first that its sender listed
 * itself, SCTPA_CHUNK_ROW_OTHER none. O(causes). */
static unsigned count_unknown(const sctpa_context_t *c, unsigned *listed)
{
    unsigned n = 0;
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t cause;
    *listed = SCTPA_CHUNK_ROW_OTHER;
    sctpa_params_begin(&iter, &c->chunk->tlv);
    while (sctpa_tlv_next(&iter, &cause)) {
        int type = sctpa_cause_unknown_chunk(&cause);
        unsigned row = type < 0 ? SCTPA_CHUNK_ROW_OTHER : sctpa_chunk_row((uint8_t)type);
        if (row == SCTPA_CHUNK_ROW_OTHER)
            continue;
        if (*listed == SCTPA_CHUNK_ROW_OTHER && c->assoc->ends[c->from].init.supported_chunks >> row & 1 &&
            sctpa_chunk_is_negotiated(c->assoc, row) == SCTPA_YES)
            *listed = row;
        n++;
    }
    return n;
}

RULE(AS, 024,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = SETUP | CHECKSUM,
    .when = CHUNK, .on = ROW(ERROR),
    .accused = "sender of the ERROR",
    .clause = "RFC 5061 4.2.7",
    .title = "Listed chunk type reported as unrecognized",
    .quote = "The sender MUST support both the sending and the receiving of any chunk types listed within the "
        "Supported Extensions Parameter.",
    .why = "The peer used what was offered, and is refused.",
    .evidence = "ERROR with cause Unrecognized Chunk Type quotes a type that the sender's Supported Extensions list.",
    .doubt = "A type that was not listed does not count, nor one whose extension the peer did not announce as well: "
        "who refuses that is right. A host that restarted answers with ABORT.");

static bool AS_024_applies(const sctpa_context_t *c)
{
    unsigned listed;
    return count_unknown(c, &listed) > 0;
}

/* "The sender MUST support both the sending and the receiving of any chunk types listed" */
static bool AS_024_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    unsigned listed;
    count_unknown(c, &listed);
    if (listed == SCTPA_CHUNK_ROW_OTHER)
        return false;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("%s accepted: the endpoint listed it as supported", sctpa_chunk_row_word(listed)),
                        "ERROR, cause Unrecognized Chunk Type");
    return true;
}

RULE(AS, 019,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = BOTH | COMPLETE | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ROW(ASCONF),
    .accused = "sender of the ASCONF",
    .clause = "RFC 5061 5.1 B3",
    .title = "T-4 RTO not backed off",
    .quote = "Backoff the destination address RTO value to which the ASCONF chunk was sent",
    .why = "An endpoint that does not double its timeout gives its peer less time than it allows, and fills the path.",
    .evidence = SCTPA_BACKING_OFF_EVIDENCE " Data and HEARTBEATs of the peer may pass meanwhile.",
    .doubt = SCTPA_BACKING_OFF_DOUBT);

static bool AS_019_applies(const sctpa_context_t *c)
{
    return sctpa_retransmissions_backing_off(c, SCTPA_RETRANSMITTED_ASCONF) != NULL;
}

/* "Backoff the destination address RTO value to which the ASCONF chunk was sent" */
static bool AS_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return sctpa_is_not_backed_off(c, SCTPA_RETRANSMITTED_ASCONF, violation);
}

RULE(AS, 032,
    .level = MUST, .since = 5061, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR | CHECKSUM,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(ASCONF), .certainty = SCTPA_CERTAINTY_PROBABLE,
    .accused = "receiver of the ASCONF",
    .clause = "RFC 5061 4.1.1, 5.2",
    .title = "ASCONF not acknowledged",
    .quote = "one of the configuration change requests that MUST be acknowledged",
    .why = "The address change does not happen, and the association is closed after more attempts.",
    .evidence = SCTPA_COUNTED_EVIDENCE " Both endpoints list ASCONF and ASCONF-ACK; it is the first ASCONF, and AUTH "
        "stands before it.",
    .doubt = SCTPA_OWED_DOUBT " The receiver silently discards what its keys do not verify.");

/* "If the T-4 RTO timer expires the endpoint MUST do the following: ... Re-transmit the ASCONF Chunk last sent" */
RULE(AS, 033,
    .level = MUST, .since = 5061, .seeing = COULD, .needs = COMPLETE | NEAR,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(ASCONF),
    .accused = "sender of the ASCONF",
    .clause = "RFC 5061 5.1, 5.1.1",
    .title = "ASCONF not repeated when T-4 RTO expires",
    .quote = "Re-transmit the ASCONF Chunk last sent",
    .why = "One lost packet and the association waits until somebody else acts.",
    .evidence = SCTPA_TIMER_EVIDENCE,
    .doubt = SCTPA_TIMER_DOUBT);

/* Chunk by chunk: rules about a chunk see what its packet said before it. Other packets matter once an endpoint is
 * followed. */
void sctpa_check_asconf(sctpa_context_t *c)
{
    if (c->due) {
        ASK_DUE(AS, 032, ASCONF);
        ASK_DUE(AS, 033, T4_ASCONF);
        return;
    }
    const uint64_t concerned = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(ASCONF) | SCTPA_ROW(ASCONF_ACK) |
                               SCTPA_ROW(ERROR) | SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(RE_CONFIG);
    if (!(c->rows & concerned) && !sctpa_context_find_part(c, SCTPA_PART_ADDRESSES))
        return;
    if (c->rows & SCTPA_ROW(ASCONF))
        asconf_observe(c);
    for (unsigned i = 0; c->rows & concerned && i < c->n_chunks; i++) {
        asconf_chunk_t chunk;
        c->chunk = &c->chunks[i];
        if (!(concerned >> c->chunk->row & 1))
            continue;
        asconf_read_chunk(c, &chunk);
        c->asconf_chunk = &chunk;
        ASK_OF_CHUNK(AS, 001);
        ASK_OF_CHUNK(AS, 002);
        ASK_OF_CHUNK(AS, 003);
        ASK_OF_CHUNK(AS, 005);
        ASK_OF_CHUNK(AS, 006);
        ASK_OF_CHUNK(AS, 007);
        ASK_OF_CHUNK(AS, 008);
        ASK_OF_CHUNK(AS, 009);
        ASK_OF_CHUNK(AS, 010);
        ASK_OF_CHUNK(AS, 013);
        ASK_OF_CHUNK(AS, 014);
        ASK_OF_CHUNK(AS, 015);
        ASK_OF_CHUNK(AS, 018);
        ASK_OF_CHUNK(AS, 020);
        ASK_OF_CHUNK(AS, 021);
        ASK_OF_CHUNK(AS, 023);
        ASK_OF_CHUNK(AS, 024);
        ASK_OF_CHUNK(AS, 025);
        ASK_OF_CHUNK(AS, 027);
        ASK_OF_CHUNK(AS, 028);
        ASK_OF_CHUNK(AS, 029);
        ASK_OF_CHUNK(AS, 030);
        ASK_OF_CHUNK(AS, 031);
        asconf_take_chunk(c);
    }
    c->asconf_chunk = NULL;
    ASK_OF_PACKET(AS, 011);
    ASK_OF_PACKET(AS, 012);
    ASK_OF_PACKET(AS, 016);
    ASK_OF_PACKET(AS, 017);
    ASK_OF_PACKET(AS, 019);
    ASK_OF_PACKET(AS, 026);
    asconf_take_packet(c);
}
