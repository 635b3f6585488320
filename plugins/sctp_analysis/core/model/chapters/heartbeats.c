/* SPDX-License-Identifier: GPL-2.0-or-later */
/* HEARTBEATs (RFC 9260 5.4, 8.3): whether paths are verified and probed, what answers hold and where they go, and
 * what silence after a HEARTBEAT means: addresses that are never probed, associations that nobody answers. Also where
 * answers of the set-up go. Leaves out which paths data takes (path_choice.c). */
#include "heartbeats.h"

#include "base/hash.h"
#include "data/t3.h"
#include "model/chapter.h"
#include "model/shared/idle_paths.h"
#include "model/shared/obligations.h"
#include "shutdown.h"
#include "track/endpoints.h"
#include "track/identity/half_matching.h"
#include "wire/address.h"
#include "wire/types.h"

enum { PLAIN_BYTES = 300 }; /* of a HEARTBEAT that probes no PMTU, at most */

static const int64_t even_spread_ns = SCTPA_EVEN_INTERVAL_MS * SCTPA_NS_PER_MS;

/* Of all HEARTBEATs that an endpoint sent: three bits by the hash of the Heartbeat Info of each. What has a bit that is
 * not set here was in none of them; after some hundred with infos of their own that is seldom known. */
enum { INFO_BITS = 1024, INFO_BITS_LOG2 = 10, BITS_OF_AN_INFO = 3 };
enum { INFOS_KEPT = 16 };
typedef struct {
    uint64_t words[INFO_BITS / 64];
    bool is_unreadable; /* one was cut, or holds no Heartbeat Info */
    struct {
        uint64_t hash; /* 0 none */
        uint32_t packet;
    } kept[INFOS_KEPT]; /* the last infos, each with the first packet that had it; the oldest gives way */
    uint32_t n_kept;    /* how many were kept in all */
} infos_t;

typedef struct {
    sctpa_heartbeats_t *sent[2][SCTPA_PATHS_KEPT]; /* by endpoint and path; NULL none */
    infos_t *infos[2];                             /* by endpoint; NULL it sent none */
    bool has_told_probed[2];                       /* by endpoint: a HEARTBEAT of it told which addresses it probes */
    uint64_t ahead_hash[2]; /* by the endpoint that asks: of an answer to none of its HEARTBEATs so far, 0 none */
    uint32_t ahead_packet[2];
} state_t;

static sctpa_heartbeats_t *find(const sctpa_context_t *c, uint8_t endpoint, uint16_t path)
{
    const state_t *state = sctpa_context_find_part(c, SCTPA_PART_PATHS);
    return state && path < SCTPA_PATHS_KEPT ? state->sent[endpoint][path] : NULL;
}

const sctpa_heartbeats_t *sctpa_heartbeats(const sctpa_context_t *c, uint8_t endpoint, uint16_t path)
{
    return find(c, endpoint, path);
}

/* The same to the path of the packet, which holds a HEARTBEAT; NULL, too, where that one is not followed. O(chunks). */
static const sctpa_heartbeats_t *heartbeats_before(const sctpa_context_t *c)
{
    const sctpa_tlv_t *heartbeat = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_HEARTBEAT);
    bool is_followed = heartbeat && heartbeat->captured_bytes == heartbeat->wire_bytes;
    return is_followed ? find(c, c->from, c->path) : NULL;
}

/* Was the last of them answered with other contents, which are not those of the packet's HEARTBEAT, either? before:
 * heartbeats_before. O(bytes). */
static bool heartbeat_is_answered_otherwise(const sctpa_context_t *c, const sctpa_heartbeats_t *before)
{
    return before->is_open && before->other_hash != 0 &&
           before->other_hash != sctpa_heartbeat_hash(c->tracker, sctpa_context_chunk(c, SCTPA_CHUNK_ROW_HEARTBEAT));
}

/* The hash of the Heartbeat Info of a HEARTBEAT or its answer, without padding and other parameters, which no answer
 * need repeat; 0: it has none that was captured whole. O(bytes). */
static uint64_t info_hash(const sctpa_context_t *c, const sctpa_observed_t *chunk)
{
    const sctpa_tlv_t *info = sctpa_param_list_find(sctpa_context_params_of(c, chunk), SCTPA_PARAM_ROW_HEARTBEAT_INFO);
    if (!info || !sctpa_tlv_is_framed(info) || info->captured_bytes < info->length)
        return 0;
    return sctpa_hash_bytes(sctpa_hash_mix(c->tracker->store.seed, info->length), info->bytes + SCTPA_TLV_HEADER_BYTES,
                            info->length - SCTPA_TLV_HEADER_BYTES) |
           1;
}

static uint32_t info_bit(uint64_t hash, unsigned number)
{
    return (uint32_t)(hash >> (64 - (number + 1) * INFO_BITS_LOG2)) & (INFO_BITS - 1);
}

static const infos_t *infos_of(const sctpa_context_t *c, uint8_t endpoint)
{
    const state_t *state = sctpa_context_find_part(c, SCTPA_PART_PATHS);
    return state ? state->infos[endpoint] : NULL;
}

/* The packet that first had the Heartbeat Info with that hash, SCTPA_NO_PACKET_INDEX: it is not kept. O(1). */
static uint32_t kept_packet(const infos_t *infos, uint64_t hash)
{
    for (unsigned i = 0; i < MIN(infos->n_kept, INFOS_KEPT); i++)
        if (infos->kept[i].hash == hash)
            return infos->kept[i].packet;
    return SCTPA_NO_PACKET_INDEX;
}

/* May a HEARTBEAT of the endpoint have held the Heartbeat Info with that hash? No is sure for those that passed. O(1).
 */
static bool may_have_sent_info(const sctpa_context_t *c, uint8_t endpoint, uint64_t hash)
{
    const state_t *state = sctpa_context_find_part(c, SCTPA_PART_PATHS);
    const infos_t *infos = state ? state->infos[endpoint] : NULL;
    if (!infos)
        return false;
    for (unsigned n = 0; n < BITS_OF_AN_INFO; n++)
        if (!(infos->words[info_bit(hash, n) / 64] >> info_bit(hash, n) % 64 & 1))
            return infos->is_unreadable;
    return true;
}

/* Is the HEARTBEAT of the packet no probe of the PMTU? O(chunks). */
static bool heartbeat_is_plain(const sctpa_context_t *c, const sctpa_tlv_t *heartbeat)
{
    return !(c->rows & SCTPA_ROW(PAD)) && heartbeat->wire_bytes <= PLAIN_BYTES;
}

/* The next HEARTBEAT leaves with the packet: was the last one not answered? */
static bool is_missed(const sctpa_context_t *c, const sctpa_heartbeats_t *sent)
{
    return sent->is_open && sent->is_plain &&
           c->packet->time_ns - sent->sent_ns >= SCTPA_HEARTBEAT_UNANSWERED_S * SCTPA_NS_PER_S;
}

/* HEARTBEATs in a row without answer, with the one before that of the packet. O(chunks). */
static uint32_t heartbeats_unanswered(const sctpa_context_t *c, uint8_t endpoint, uint16_t path)
{
    const sctpa_heartbeats_t *sent = find(c, endpoint, path);
    if (!sent)
        return 0;
    return sent->unanswered + (endpoint == c->from && heartbeats_before(c) == sent && is_missed(c, sent));
}

/* Transmissions of data by the sender of the packet. */
static uint64_t transmissions(const sctpa_context_t *c)
{
    return c->sent ? (uint64_t)c->sent->tsns + c->sent->rare->rtx.len : 0;
}

/* From an answered HEARTBEAT to that of the packet, 0 where its sender sent data meanwhile. */
static int64_t idle_interval_ns(const sctpa_context_t *c, const sctpa_heartbeats_t *before)
{
    bool is_idle = !before->is_open && before->is_plain && before->transmissions == transmissions(c);
    return is_idle ? MAX(c->packet->time_ns - before->sent_ns, 0) : 0;
}

/* The even intervals to the HEARTBEAT of the packet; before: heartbeats_before. O(1). */
static sctpa_even_intervals_t heartbeats_even(const sctpa_context_t *c, const sctpa_heartbeats_t *before)
{
    sctpa_even_intervals_t even = before->even;
    int64_t interval_ns = idle_interval_ns(c, before);
    if (interval_ns <= 0)
        return (sctpa_even_intervals_t){ .n = 0 };
    even.least_ns = MIN(even.least_ns, interval_ns);
    even.most_ns = MAX(even.most_ns, interval_ns);
    bool is_even = even.n > 0 && sctpa_context_most_ns(c, even.most_ns - even.least_ns) <=
                                     MIN(even_spread_ns, even.least_ns * SCTPA_EVEN_INTERVAL_PERCENT / 100);
    return is_even ? (sctpa_even_intervals_t){ even.least_ns, even.most_ns, even.n + 1 }
                   : (sctpa_even_intervals_t){ interval_ns, interval_ns, 1 };
}

/* The growing intervals to the HEARTBEAT of the packet; before: heartbeats_before. O(1). */
static sctpa_growing_intervals_t heartbeats_growing(const sctpa_context_t *c, const sctpa_heartbeats_t *before)
{
    const sctpa_growing_intervals_t *growing = &before->growing;
    int64_t interval_ns = before->is_prompt ? idle_interval_ns(c, before) : 0;
    if (interval_ns <= 0)
        return (sctpa_growing_intervals_t){ .n = 0 };
    int64_t growth_ns = interval_ns - growing->last_ns;
    if (growing->n > 0 && growth_ns > 0 && growth_ns >= growing->growth_ns)
        return (sctpa_growing_intervals_t){ growing->first_ns, interval_ns, growth_ns, growing->n + 1,
                                            growing->packet };
    return (sctpa_growing_intervals_t){ interval_ns, interval_ns, 0, 1, before->packet };
}

/* The RTO of the packet's path for its sender, not backed off, with RTO.Min as the RFC has it: by round trips of data,
 * else RTO.Initial. O(1). */
static int64_t path_rto_usual_ns(const sctpa_context_t *c)
{
    const sctpa_data_path_t *path = c->sent ? sctpa_direction_known_path(c->sent, c->path) : NULL;
    return path ? sctpa_t3_rto_usual_ns(path) : SCTPA_RTO_INITIAL_4960_NS;
}

/* Does the packet, which holds a HEARTBEAT, tell which addresses of its peer the sender probes: it has several paths,
 * each address was due by then, and none of its HEARTBEATs told before? O(1). */
static bool heartbeats_tell_probed(const sctpa_context_t *c)
{
    const state_t *state = sctpa_context_find_part(c, SCTPA_PART_PATHS);
    return !(state && state->has_told_probed[c->from]) && c->assoc->ends[!c->from].n_addrs >= 3 &&
           c->assoc->ends[c->from].n_paths >= 2 &&
           sctpa_context_least_ns(c, c->packet->time_ns - c->assoc->first_ns) >= SCTPA_PROBED_BY_S * SCTPA_NS_PER_S;
}

/* Those of the peer whose last one has that hash. */
static sctpa_heartbeats_t *with_hash(const sctpa_context_t *c, uint64_t hash)
{
    for (uint16_t path = 0; hash != 0 && path < SCTPA_PATHS_KEPT; path++) {
        sctpa_heartbeats_t *sent = find(c, !c->from, path);
        if (sent && sent->hash == hash && sent->pair < c->assoc->ends[!c->from].n_pairs)
            return sent;
    }
    return NULL;
}

const sctpa_heartbeats_t *sctpa_heartbeats_answered(const sctpa_context_t *c, const sctpa_tlv_t *answer)
{
    bool is_any = sctpa_context_find_part(c, SCTPA_PART_PATHS) != NULL;
    return is_any ? with_hash(c, sctpa_heartbeat_hash(c->tracker, answer)) : NULL;
}

sctpa_known_t sctpa_path_is_confirmed(const sctpa_context_t *c, uint8_t endpoint, uint16_t path)
{
    const sctpa_setup_t *setup = &c->assoc->setup;
    const sctpa_end_t *end = &c->assoc->ends[endpoint];
    bool is_answering = setup->steps[SCTPA_STEP_INIT_ACK].count > 0 && setup->steps[SCTPA_STEP_INIT_ACK].by == endpoint;
    if (path >= end->n_paths)
        return SCTPA_UNKNOWN;
    if (end->paths[path].probing->heartbeats_acked > 0)
        return SCTPA_YES;
    if (!is_answering || c->assoc->collision || c->assoc->restart_of != SCTPA_NO_ASSOC)
        return SCTPA_UNKNOWN;
    for (unsigned i = 0; i < end->n_pairs; i++)
        if (end->pairs[i]->path == path && sctpa_counts_chunks(&end->pairs[i]->settled, SCTPA_CHUNK_ROW_INIT_ACK) > 0)
            return SCTPA_YES;
    return SCTPA_NO;
}

sctpa_path_state_t sctpa_path_state(const sctpa_context_t *c, uint8_t endpoint, uint16_t path)
{
    const sctpa_heartbeats_t *sent = find(c, endpoint, path);
    uint32_t errors = heartbeats_unanswered(c, endpoint, path);
    if (errors > SCTPA_RFC_PF_MAX_RETRANS)
        return errors < SCTPA_ERRORS_PATH_INACTIVE ? SCTPA_PATH_POTENTIALLY_FAILED : SCTPA_PATH_INACTIVE;
    if (!sent || sent->is_open || c->packet->time_ns - sent->sent_ns >= SCTPA_PATH_ACTIVE_S * SCTPA_NS_PER_S)
        return SCTPA_PATH_UNKNOWN;
    const sctpa_addr_t *destination = c->assoc->ends[endpoint].paths[path].destination;
    bool is_deleted = sctpa_end_addr_origin(&c->assoc->ends[!endpoint], destination) & SCTPA_ADDR_DELETED;
    return is_deleted ? SCTPA_PATH_UNKNOWN : SCTPA_PATH_ACTIVE;
}

static void take_early_answer(const sctpa_context_t *c, uint32_t answer)
{
    sctpa_tap_take_early_answer(&c->reference->tap, &c->store->arena, c->tracker, c->tracked, c->index, answer, true);
}

/* What its answer and the time until the next one say of the last HEARTBEAT. */
static void settle(const sctpa_context_t *c, sctpa_heartbeats_t *sent, uint64_t next_hash)
{
    sctpa_even_intervals_t even = heartbeats_even(c, sent);
    if (sent->is_open && sent->other_hash == next_hash) {
        take_early_answer(c, sent->other_packet);
        sent->others = 0;
    } else if (sent->is_open && sent->other_hash != 0 && sent->others < UINT8_MAX) {
        sent->others++;
    }
    if (is_missed(c, sent) && sent->unanswered++ == 0)
        sent->first_unanswered = sent->packet;
    if (even.n > 0)
        sent->even = even;
    sent->growing = heartbeats_growing(c, sent);
    if (sent->is_open)
        sent->answered_packet = sent->answered_before = SCTPA_NO_PACKET_INDEX;
}

static void free_heartbeats(sctpa_arena_t *arena, void *part)
{
    const state_t *state = part;
    for (unsigned endpoint = 0; endpoint < 2; endpoint++) {
        sctpa_arena_free(arena, state->infos[endpoint], sizeof *state->infos[endpoint]);
        for (unsigned path = 0; path < SCTPA_PATHS_KEPT; path++)
            sctpa_arena_free(arena, state->sent[endpoint][path], sizeof *state->sent[endpoint][path]);
    }
}

static state_t *begin(const sctpa_context_t *c)
{
    return sctpa_context_owning_part(c, SCTPA_PART_PATHS, sizeof(state_t), free_heartbeats);
}

static void take_info(const sctpa_context_t *c, const sctpa_observed_t *heartbeat)
{
    state_t *state = begin(c);
    uint64_t hash = info_hash(c, heartbeat);
    if (!state->infos[c->from])
        state->infos[c->from] = sctpa_arena_alloc(&c->store->arena, sizeof *state->infos[0]);
    infos_t *infos = state->infos[c->from];
    infos->is_unreadable |= hash == 0;
    for (unsigned n = 0; hash != 0 && n < BITS_OF_AN_INFO; n++)
        infos->words[info_bit(hash, n) / 64] |= UINT64_C(1) << info_bit(hash, n) % 64;
    if (hash == 0 || kept_packet(infos, hash) != SCTPA_NO_PACKET_INDEX)
        return;
    infos->kept[infos->n_kept % INFOS_KEPT].hash = hash;
    infos->kept[infos->n_kept++ % INFOS_KEPT].packet = c->index;
}

static void take_heartbeat(const sctpa_context_t *c, const sctpa_observed_t *observed)
{
    const sctpa_tlv_t *chunk = &observed->tlv;
    uint64_t hash = sctpa_heartbeat_hash(c->tracker, chunk);
    take_info(c, observed);
    if (hash == 0 || c->path >= SCTPA_PATHS_KEPT)
        return;
    state_t *state = begin(c);
    sctpa_heartbeats_t *sent = state->sent[c->from][c->path];
    if (state->ahead_hash[c->from] == hash && !(sent && sent->is_open && sent->other_hash == hash))
        take_early_answer(c, state->ahead_packet[c->from]);
    state->ahead_hash[c->from] = 0;
    if (sent) {
        settle(c, sent, hash);
    } else {
        sent = state->sent[c->from][c->path] = sctpa_arena_alloc(&c->store->arena, sizeof *sent);
        sent->answered_packet = sent->answered_before = SCTPA_NO_PACKET_INDEX;
    }
    sent->hash_before = sent->hash;
    sent->hash = hash;
    sent->other_hash = 0;
    sent->sent_ns = c->packet->time_ns;
    sent->transmissions = transmissions(c);
    sent->packet = c->index;
    sent->pair = c->record->pair;
    sent->is_open = true;
    sent->is_prompt = false;
    sent->is_plain = heartbeat_is_plain(c, chunk);
}

/* The HEARTBEATs of the peer without answer to the source of the packet, from its destination. */
static sctpa_heartbeats_t *open_on_way_back(const sctpa_context_t *c)
{
    const sctpa_end_t *asker = &c->assoc->ends[!c->from];
    sctpa_heartbeats_t *found = NULL;
    for (uint16_t path = 0; path < SCTPA_PATHS_KEPT; path++) {
        sctpa_heartbeats_t *sent = find(c, !c->from, path);
        const sctpa_pair_t *pair = sent && sent->pair < asker->n_pairs ? asker->pairs[sent->pair] : NULL;
        if (pair && sent->is_open && sctpa_addr_equal(pair->source, &c->packet->destination) &&
            sctpa_addr_equal(pair->destination, &c->packet->source))
            found = sent;
    }
    return found;
}

static void take_answer(const sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    uint64_t hash = sctpa_heartbeat_hash(c->tracker, chunk);
    sctpa_heartbeats_t *sent = with_hash(c, hash);
    if (sent) {
        sent->is_prompt =
            sent->is_open && c->packet->time_ns - sent->sent_ns <= SCTPA_PROMPT_ANSWER_MS * SCTPA_NS_PER_MS;
        sent->is_open = false;
        sent->others = 0;
        sent->unanswered = 0;
        if (sent->answered_packet != sent->packet) {
            sent->answered_before = sent->answered_packet;
            sent->answered_packet = sent->packet;
        }
        return;
    }
    state_t *state = begin(c);
    state->ahead_hash[!c->from] = hash;
    state->ahead_packet[!c->from] = c->index;
    sent = hash != 0 ? open_on_way_back(c) : NULL;
    if (sent && c->packet->time_ns - sent->sent_ns < SCTPA_WRONG_ECHO_S * SCTPA_NS_PER_S) {
        sent->other_hash = hash;
        sent->other_packet = c->index;
    }
}

/* Takes the HEARTBEATs of the packet and their answers, after the rules. O(bytes of them). */
static void paths_take(const sctpa_context_t *c)
{
    if (!(c->rows & (SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(HEARTBEAT_ACK))))
        return;
    if (c->rows & SCTPA_ROW(HEARTBEAT) && heartbeats_tell_probed(c))
        begin(c)->has_told_probed[c->from] = true;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        if (c->chunks[i].tlv.type == SCTPA_CHUNK_HEARTBEAT)
            take_heartbeat(c, &c->chunks[i]);
        else if (c->chunks[i].tlv.type == SCTPA_CHUNK_HEARTBEAT_ACK)
            take_answer(c, &c->chunks[i].tlv);
    }
}

/* An answer to a HEARTBEAT that was not captured looks wrong once, not in a row. */
#define WRONG_ECHOES 3

/* What separates HEARTBEATs without answer from one that was lost, and answers without HEARTBEAT from one that was
 * doubled or missed. */
#define HEARTBEATS_UNANSWERED 3
#define UNASKED_ACKS 3

/* A HEARTBEAT ACK that comes so long after a SACK for what was sent behind its HEARTBEAT: packets that take one way to
 * the same host do not overtake each other by as much. */
#define HEARTBEAT_ACK_LATE_MS 200
#define HEARTBEAT_ACKS_LATE 3

/* What separates heartbeats by a clock from chance. */
#define EVEN_INTERVALS 10

/* Intervals that grow, each by more than the one before: what separates a timer that is backed off from jitter, which
 * makes one run of five such in some 3000. */
#define GROWING_INTERVALS 5

/* Jitter spreads intervals by an RTO; RTO.Min may be set a little higher than the RFC has it. */
#define GROWN_RTOS 3

/* The coarsest clock that HEARTBEATs hold the time of. */
#define HEARTBEAT_TIME_UNIT_S 1

/* Errors in a row by which each path is inactive: one more than Path.Max.Retrans. */
#define HEARTBEATS_DORMANT 6

enum {
    NONCE_BYTES = 8,
    ACKED_LOOK_BACK = 16 /* SACKs */
};

/* Chunks that may go to an unconfirmed address (5.4), or belong to the set-up or the end. */
static const uint64_t to_unconfirmed = SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(HEARTBEAT_ACK) | SCTPA_ROW(AUTH) |
                                       SCTPA_ROW(PAD) | SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(ABORT) |
                                       SCTPA_ROW(ERROR) | SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(SHUTDOWN_COMPLETE) |
                                       SCTPA_ROW(ASCONF_ACK) | SCTPA_ROW(COOKIE_ACK);

RULE(PM, 007,
    .level = MUST, .since = 4960, .seeing = COULD, .needs = SETUP | BOTH | COMPLETE | NEAR | CHECKSUM | UNTRANSLATED,
    .when = PACKET, .of = OF_SENDER, .on = ANY,
    .accused = "receiver of the COOKIE ECHO",
    .clause = "RFC 9260 5.4",
    .title = "Packet to an unconfirmed address",
    .quote = "An endpoint MUST NOT send any chunks to an UNCONFIRMED address, with the following exceptions:",
    .why = "A peer that lists the address of a third host can direct a stream of data at that host.",
    .evidence = "A packet with more than HEARTBEAT, HEARTBEAT ACK, COOKIE ACK, ASCONF-ACK, ABORT or the like to an "
        "address that the INIT ACK did not go to, before the first HEARTBEAT to it, or before the first HEARTBEAT ACK, "
        "where the capture is asserted to be complete and taken at all addresses of the sender. Every HEARTBEAT ACK "
        "answers a captured HEARTBEAT.",
    .doubt = "Without these assertions nothing is checked from the first HEARTBEAT on, since the answer may not have "
        "been captured. The sender of the INIT may know the addresses from its user and is never checked; nor are "
        "collisions and restarts.");

/* Is the path of the packet not confirmed to its sender, which received the COOKIE ECHO and has not probed it yet, or
 * surely got no answer? */
static bool PM_007_applies(const sctpa_context_t *c)
{
    const sctpa_end_t *end = &c->assoc->ends[c->from];
    return end->n_paths >= 2 && c->path < end->n_paths &&
           (end->paths[c->path].probing->heartbeats == 0 || sctpa_context_has_all_of(c)) &&
           c->assoc->setup.steps[SCTPA_STEP_COOKIE_ECHO].count > 0 &&
           sctpa_path_is_confirmed(c, c->from, c->path) == SCTPA_NO &&
           !(sctpa_context_addr_origin(c, !c->from, &c->packet->destination) & (SCTPA_ADDR_ADDED | SCTPA_ADDR_DELETED));
}

/* "An endpoint MUST NOT send any chunks to an UNCONFIRMED address, with the following exceptions:" */
static bool PM_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!(c->rows & ~to_unconfirmed) || sctpa_context_has_unmatched_ack(c))
        return false;
    unsigned i = 0;
    while (i + 1 < c->n_chunks && to_unconfirmed >> c->chunks[i].row & 1)
        i++;
    violation->path = c->path;
    violation->rests_on = c->assoc->ends[c->from].paths[c->path].probing->heartbeats > 0 ? SCTPA_ASSERTED_ARRIVED : 0;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("a HEARTBEAT to %s first, and its answer", sctpa_addr_words(&c->packet->destination).text),
        sctpa_chunk_word(&c->chunks[i].tlv));
    return true;
}

/* The row of what the chunk answers. */
static unsigned request_row(const sctpa_context_t *c)
{
    return c->chunk->tlv.type == SCTPA_CHUNK_INIT_ACK ? SCTPA_CHUNK_ROW_INIT : SCTPA_CHUNK_ROW_COOKIE_ECHO;
}

RULE(PM, 022,
    .level = SHOULD, .since = 2960, .seeing = COULD, .needs = BOTH | COMPLETE | CHECKSUM | UNTRANSLATED,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(INIT_ACK) | ROW(COOKIE_ACK),
    .accused = "sender of the answer",
    .clause = "RFC 9260 6.4",
    .title = "INIT ACK or COOKIE ACK not sent to the source of the request",
    .quote = "An endpoint SHOULD transmit reply chunks (e.g., INIT ACK, COOKIE ACK, and HEARTBEAT ACK) in response to "
        "control chunks to the same destination transport address from which it received the control chunk to which it "
        "is replying.",
    .why = "A firewall, or a peer with one working path, does not see the answer.",
    .evidence = "No INIT (COOKIE ECHO) of the association came from the destination of the INIT ACK (COOKIE ACK).",
    .doubt = "All transmissions of the request count, and the answer may have any source address. Collisions are not "
        "checked. A COOKIE ACK may go where the INIT ACK went: only that address is confirmed then.");

static bool PM_022_applies(const sctpa_context_t *c)
{
    return !c->assoc->collision && sctpa_context_has_sent(c, !c->from, request_row(c), NULL, NULL);
}

/* "SHOULD transmit reply chunks [...] to the same destination transport address from which it received the control
 * chunk"
 */
static bool PM_022_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_addr_t *destination = &c->packet->destination;
    bool is_confirmed = c->chunk->tlv.type == SCTPA_CHUNK_COOKIE_ACK &&
                        sctpa_context_has_sent(c, c->from, SCTPA_CHUNK_ROW_INIT_ACK, NULL, destination);
    if (is_confirmed || sctpa_context_has_sent(c, !c->from, request_row(c), destination, NULL))
        return false;
    violation->path = c->path;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("%s to a source of %s", sctpa_chunk_word(&c->chunk->tlv), sctpa_chunk_row_word(request_row(c))),
        SCTPA_WORDS("to %s", sctpa_addr_words(destination).text));
    return true;
}

RULE(HS, 053,
    .level = SHOULD, .since = 2960, .seeing = COULD, .needs = SETUP | BOTH | COMPLETE | CHECKSUM | UNTRANSLATED,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS | SACK_ROWS | ROW(HEARTBEAT),
    .accused = "sender of the packet",
    .clause = "RFC 9260 5.1.2 C",
    .title = "Packet to an address that the peer never announced",
    .quote = "The receiver SHOULD use only these transport addresses as destination transport addresses when sending "
        "subsequent packets to its peer.",
    .why = "Another host gets the data, and answers with ABORT.",
    .evidence = "DATA, SACK or HEARTBEAT goes to an address that is not listed in INIT or INIT ACK of the peer, that "
        "it never sent from, and to which no INIT went.",
    .doubt = "Both INIT and INIT ACK must have been captured whole. Not checked where both endpoints support ASCONF, "
        "which changes the addresses, in collisions and restarts, and where a host name was given.");

/* Are the addresses of an endpoint known for good: those of its one INIT or INIT ACK, and what these came from? */
static bool knows_addresses(const sctpa_context_t *c, uint8_t endpoint)
{
    const sctpa_init_t *init = &c->assoc->ends[endpoint].init, *other = &c->assoc->ends[!endpoint].init;
    const uint64_t asconf = SCTPA_ROW(ASCONF) | SCTPA_ROW(ASCONF_ACK);
    const sctpa_setup_t *setup = &c->assoc->setup;
    return init->whole && other->whole && setup->steps[SCTPA_STEP_COOKIE_ACK].count > 0 &&
           setup->steps[SCTPA_STEP_INIT_ACK].count == 1 && !c->assoc->collision &&
           c->assoc->restart_of == SCTPA_NO_ASSOC && !(init->supported_chunks & other->supported_chunks & asconf) &&
           !(init->params & SCTPA_PARAM_BIT(HOST_NAME));
}

static bool HS_053_applies(const sctpa_context_t *c)
{
    return knows_addresses(c, !c->from);
}

/* "The receiver SHOULD use only these transport addresses as destination transport addresses" */
static bool HS_053_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_addr_t *to = &c->packet->destination;
    const uint32_t its_own = SCTPA_ADDR_LISTED | SCTPA_ADDR_SOURCE | SCTPA_ADDR_ADDED;
    if (sctpa_context_addr_origin(c, !c->from, to) & its_own ||
        sctpa_context_has_sent(c, c->from, SCTPA_CHUNK_ROW_INIT, NULL, to))
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, "an address that the peer listed or sent from",
                        SCTPA_WORDS("%s to %s", sctpa_chunk_word(&c->chunks[0].tlv), sctpa_addr_words(to).text));
    return true;
}

RULE(HS, 073,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = SETUP | BOTH | CHECKSUM | UNTRANSLATED,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS | SACK_ROWS | ROW(HEARTBEAT),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.2.1.1",
    .title = "Packet from an address that its sender never announced",
    .quote = "during the life time of this association, this IP address can appear in the source address field of an "
        "IP datagram sent from the sender of the INIT chunk",
    .why = "The peer does not know the sender by it: the packet is out of the blue, and is answered by ABORT or not at "
        "all.",
    .evidence = "DATA, SACK or HEARTBEAT comes from an address that the sender's INIT or INIT ACK does not list, and "
        "that neither came from.",
    .doubt = "No clause forbids it in so many words: a note. Both INIT and INIT ACK must have been captured whole. Not "
        "checked where both endpoints support ASCONF, which changes the addresses, in collisions and restarts, and "
        "where a host name was given.");

static bool HS_073_applies(const sctpa_context_t *c)
{
    return knows_addresses(c, c->from);
}

/* "this IP address can appear in the source address field of an IP datagram sent from the sender of the INIT chunk" */
static bool HS_073_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_addr_t *source = &c->packet->source;
    if (sctpa_context_addr_origin(c, c->from, source) & (SCTPA_ADDR_LISTED | SCTPA_ADDR_ADDED) ||
        sctpa_context_has_sent(c, c->from, SCTPA_CHUNK_ROW_INIT, source, NULL) ||
        sctpa_context_has_sent(c, c->from, SCTPA_CHUNK_ROW_INIT_ACK, source, NULL))
        return false;
    sctpa_violation_say(violation, "an address that its INIT or INIT ACK lists or came from",
                        SCTPA_WORDS("%s from %s", sctpa_chunk_word(&c->chunks[0].tlv), sctpa_addr_words(source).text));
    return true;
}

/* Can the answer with other contents be one to no other HEARTBEAT? All that its receiver sent since two to the path
 * were answered rightly passed the tap, and it is no answer to the last of these again. */
static bool is_answer_to_none(const sctpa_context_t *c, const sctpa_heartbeats_t *before)
{
    return before->answered_before != SCTPA_NO_PACKET_INDEX && before->other_hash != before->hash_before &&
           sctpa_tap_sent_all(&c->reference->tap, c->from, before->answered_before, c->index) == SCTPA_YES;
}

/* The first HEARTBEAT ACK of the packet with a Heartbeat Info that no HEARTBEAT of the association held, or none; NULL:
 * there is none. O(bytes). */
static const sctpa_observed_t *find_wrong_echo(const sctpa_context_t *c)
{
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_observed_t *chunk = &c->chunks[i];
        if (chunk->tlv.type == SCTPA_CHUNK_HEARTBEAT_ACK && sctpa_tlv_is_framed(&chunk->tlv) &&
            chunk->tlv.captured_bytes == chunk->tlv.wire_bytes && !may_have_sent_info(c, !c->from, info_hash(c, chunk)))
            return chunk;
    }
    return NULL;
}

/* Did packets of the peer pass the tap on the reverse of the packet's way, none of them cut? */
static bool shows_way_back(const sctpa_context_t *c)
{
    const sctpa_end_t *peer = &c->assoc->ends[!c->from];
    unsigned i = 0;
    while (i < peer->n_pairs && !(sctpa_addr_equal(peer->pairs[i]->source, &c->packet->destination) &&
                                  sctpa_addr_equal(peer->pairs[i]->destination, &c->packet->source)))
        i++;
    return i < peer->n_pairs && !c->tracked->sides[!c->from].truncated;
}

/* Did all HEARTBEATs of the association pass, as the user asserts? */
static bool has_all_heartbeats(const sctpa_context_t *c)
{
    return sctpa_context_is_asserted(c, SCTPA_ASSERTED_COMPLETE) && c->assoc->ends[0].init.seen &&
           c->assoc->ends[1].init.seen;
}

/* Does a HEARTBEAT wait for its answer that the packet's HEARTBEAT ACK must be? It passed on the reverse path, sooner
 * before than an endpoint sends another one, once per RTO at most. */
static bool waits_for_answer(const sctpa_context_t *c)
{
    const sctpa_heartbeats_t *open = open_on_way_back(c);
    return open && c->packet->time_ns - open->sent_ns < SCTPA_PROMPT_ANSWER_MS * SCTPA_NS_PER_MS;
}

RULE(PM, 001,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = BOTH | COMPLETE | WHOLE | CHECKSUM,
    .when = PACKET, .of = OF_EACH, .on = ROW(HEARTBEAT) | ROW(HEARTBEAT_ACK),
    .report = { .one_defect = true },
    .accused = "sender of the HEARTBEAT ACK",
    .clause = "RFC 9260 8.3, 3.3.6",
    .title = "HEARTBEAT ACK does not echo the Heartbeat Info",
    .quote = "This field MUST contain the Heartbeat Info parameter (as defined in Section 3.3.5) of the Heartbeat "
        "Request to which this Heartbeat Acknowledgement is responding.",
    .why = "The sender of the HEARTBEAT cannot match the answer and counts an error on a path that works.",
    .evidence = "A HEARTBEAT ACK whose Heartbeat Info no HEARTBEAT of the association held, where a HEARTBEAT of the "
        "last " SAY(SCTPA_PROMPT_ANSWER_MS) " ms on the reverse path waits for its answer, or the capture is asserted "
        "to be complete. Also " SAY(WRONG_ECHOES) " HEARTBEATs of a path in a row, each followed within "
        SAY(SCTPA_WRONG_ECHO_S) " s by a HEARTBEAT ACK on the reverse path with other contents, and none by the right "
        "one; or one, where the two before it were answered rightly, and IPv4 identifications show that the capture "
        "lacks no packet of its sender since these.",
    .doubt = "An answer to a HEARTBEAT that was not captured looks the same: a single one is probable unless the "
        "capture is known to be complete. Padding and other parameters of the HEARTBEAT need not be repeated. Nothing "
        "is checked when an answer passes before its HEARTBEAT, which shows that the clocks differ, after HEARTBEATs "
        "that were cut or hold no Heartbeat Info, and where nothing of the peer passed on the reverse path.");

static bool PM_001_applies(const sctpa_context_t *c)
{
    if (c->accused == c->from)
        return c->rows & SCTPA_ROW(HEARTBEAT_ACK) && shows_way_back(c) &&
               (has_all_heartbeats(c) || waits_for_answer(c));
    const sctpa_heartbeats_t *before = has_all_heartbeats(c) ? NULL : heartbeats_before(c);
    return before && (!before->is_open || heartbeat_is_answered_otherwise(c, before));
}

static bool is_echo_wrong(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_observed_t *echo = find_wrong_echo(c);
    if (!echo)
        return false;
    const sctpa_heartbeats_t *open = open_on_way_back(c);
    const sctpa_tlv_t *info = sctpa_param_list_find(sctpa_context_params_of(c, echo), SCTPA_PARAM_ROW_HEARTBEAT_INFO);
    violation->is_by_peer = true;
    violation->related = open ? open->packet : SCTPA_NO_PACKET_INDEX;
    sctpa_violation_say(violation,
                        open ? SCTPA_WORDS("the Heartbeat Info of frame %u", sctpa_context_frame(c, open->packet))
                             : "the Heartbeat Info of a HEARTBEAT",
                        info ? SCTPA_WORDS("%d bytes that no HEARTBEAT of the association held",
                                           (int)info->length - SCTPA_TLV_HEADER_BYTES)
                             : "no Heartbeat Info");
    return true;
}

/* "This field MUST contain the Heartbeat Info parameter [...] of the Heartbeat Request" */
static bool PM_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->accused == c->from)
        return is_echo_wrong(c, violation);
    const sctpa_heartbeats_t *before = heartbeats_before(c);
    bool is_certain = before->is_open && is_answer_to_none(c, before);
    if (!before->is_open || (!is_certain && before->others + 1 < WRONG_ECHOES))
        return false;
    violation->is_certain = is_certain;
    violation->related = before->other_packet;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("the Heartbeat Info of frame %u", sctpa_context_frame(c, before->packet)),
                        before->others > 0 ? SCTPA_WORDS("other bytes, %u times in a row", before->others + 1)
                                           : "other bytes, which no HEARTBEAT held");
    return true;
}

/* Did the peer get data from the path and answer to the last HEARTBEAT's source since then? */
static bool is_alive(const sctpa_context_t *c, const sctpa_heartbeats_t *before)
{
    const sctpa_end_t *own = &c->assoc->ends[c->from], *peer = &c->assoc->ends[!c->from];
    const sctpa_addr_t *source = own->pairs[before->pair]->source;
    for (uint32_t i = c->sent->acked.len, n = 0; i > 0 && n < ACKED_LOOK_BACK; i--, n++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(&c->sent->acked, sctpa_acked_t, i - 1);
        const sctpa_record_t *data = sctpa_context_record(c, acked->last_packet),
                             *answer = sctpa_context_record(c, acked->packet);
        if (acked->packet <= before->packet)
            return false;
        if (acked->first_packet > before->packet && data->from == c->from && data->path == c->path &&
            answer->from != c->from && answer->pair < peer->n_pairs &&
            sctpa_addr_equal(peer->pairs[answer->pair]->destination, source))
            return true;
    }
    return false;
}

RULE(PM, 002,
    .level = MUST, .since = 4960, .seeing = MUST_HAVE,
    .needs = SETUP | BOTH | COMPLETE | NEAR | CHECKSUM | UNTRANSLATED,
    .when = PACKET, .of = OF_PEER, .on = ROW(HEARTBEAT),
    .report = { .one_defect = true },
    .accused = "receiver of the HEARTBEAT",
    .clause = "RFC 9260 8.3",
    .title = "HEARTBEAT not answered",
    .quote = "A receiver of a HEARTBEAT chunk MUST respond to a HEARTBEAT chunk with a HEARTBEAT ACK chunk",
    .why = "The sender gives up a path that works, and in the end the association.",
    .evidence = SAY(HEARTBEATS_UNANSWERED) " or more HEARTBEATs in a row to a path were not answered, each for "
        SAY(SCTPA_HEARTBEAT_UNANSWERED_S) " s, while data sent there after the last one is acknowledged to the source "
        "of the HEARTBEATs. " SCTPA_COUNTED_EVIDENCE,
    .doubt = "The acknowledged data proves that packets of the path arrive and that answers return. Path MTU probes, "
        "HEARTBEATs that must be authenticated and endpoints that are shutting down are not checked. A firewall "
        "behind the tap may drop HEARTBEATs alone: probable, unless the capture is asserted to be taken at the "
        "endpoint. " SCTPA_OWED_DOUBT);

static bool PM_002_applies(const sctpa_context_t *c)
{
    const sctpa_end_t *peer = &c->assoc->ends[!c->from];
    const sctpa_heartbeats_t *before = heartbeats_before(c);
    bool is_closing = sctpa_context_chunks(c, !c->from, SCTPA_CHUNK_ROW_SHUTDOWN) ||
                      sctpa_context_chunks(c, !c->from, SCTPA_CHUNK_ROW_SHUTDOWN_ACK) ||
                      sctpa_context_chunks(c, !c->from, SCTPA_CHUNK_ROW_ABORT);
    return before && c->sent && !is_closing && !(peer->init.auth_chunks & SCTPA_ROW(HEARTBEAT)) &&
           heartbeat_is_plain(c, sctpa_context_chunk(c, SCTPA_CHUNK_ROW_HEARTBEAT));
}

/* "A receiver of a HEARTBEAT chunk MUST respond to a HEARTBEAT chunk with a HEARTBEAT ACK chunk" */
static bool PM_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_heartbeats_t *before = heartbeats_before(c);
    uint32_t unanswered = heartbeats_unanswered(c, c->from, c->path);
    if (unanswered < HEARTBEATS_UNANSWERED || !is_alive(c, before))
        return false;
    violation->related = violation->since = before->first_unanswered;
    violation->at_best =
        sctpa_context_is_asserted(c, SCTPA_ASSERTED_TAKEN_AT) ? SCTPA_CERTAINTY_PROVEN : SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(
        violation, "HEARTBEAT ACK",
        SCTPA_WORDS("%u HEARTBEATs in a row unanswered while data of the same path is acknowledged", unanswered));
    return true;
}

RULE(PM, 030,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = COMPLETE | NEAR | CHECKSUM | SETUP,
    .when = PACKET, .of = OF_SENDER, .on = ROW(HEARTBEAT_ACK),
    .report = { .from = UNASKED_ACKS, .at_once_if = IF_COMPLETE | IF_TAKEN_AT },
    .accused = "sender of the HEARTBEAT ACK",
    .clause = "RFC 9260 3.3.6, 8.3",
    .title = "HEARTBEAT ACK that no HEARTBEAT asked for",
    .quote = "An endpoint MUST send this chunk to its peer endpoint as a response to a HEARTBEAT chunk",
    .why = "It can confirm a path that nobody tried.",
    .evidence = SCTPA_ARRIVED_EVIDENCE "more HEARTBEAT ACKs than "
        "HEARTBEATs that reached it. Elsewhere, near the endpoint: probable at the " SAY(UNASKED_ACKS)
        "rd more than HEARTBEATs that passed.",
    .doubt = "HEARTBEATs with a wrong tag or checksum do not count. One that the capture lacks, or that was doubled "
        "behind the tap, explains one.");

static bool PM_030_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED) ||
           (c->tracked->rare->twice_at_once == 0 && sctpa_owed_has_heartbeats(c, c->from));
}

/* "An endpoint MUST send this chunk to its peer endpoint as a response to a HEARTBEAT chunk" */
static bool PM_030_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return sctpa_is_unasked(c, SCTPA_CHUNK_ROW_HEARTBEAT_ACK, "no HEARTBEAT ACK without a HEARTBEAT", violation);
}

/* The first SACK of the last ones for data that was sent once, behind the HEARTBEAT and to the same address;
 * SCTPA_NO_PACKET_INDEX none. O(ACKED_LOOK_BACK). */
static uint32_t sack_of_later_data(const sctpa_context_t *c, const sctpa_heartbeats_t *sent)
{
    const uint16_t path = sctpa_context_record(c, sent->packet)->path;
    uint32_t found = SCTPA_NO_PACKET_INDEX;
    for (uint32_t i = c->acked->acked.len, n = 0; i > 0 && n < ACKED_LOOK_BACK; i--, n++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(&c->acked->acked, sctpa_acked_t, i - 1);
        if (acked->packet <= sent->packet)
            break;
        if (acked->oldest_packet != SCTPA_NO_PACKET_INDEX && acked->oldest_packet > sent->packet &&
            sctpa_context_record(c, acked->oldest_packet)->path == path)
            found = acked->packet;
    }
    return found;
}

RULE(PM, 003,
    .level = SHOULD, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(HEARTBEAT_ACK),
    .report = { .from = HEARTBEAT_ACKS_LATE },
    .accused = "receiver of the HEARTBEAT",
    .clause = "RFC 9260 8.3",
    .title = "HEARTBEAT ACK late",
    .quote = "The receiver of the HEARTBEAT chunk SHOULD immediately respond with a HEARTBEAT ACK chunk",
    .why = "The peer measures a long round trip, and counts an error where the answer comes after its timeout.",
    .evidence = "Data that was sent once, behind the HEARTBEAT and to the same address, is acknowledged more than "
        SAY(HEARTBEAT_ACK_LATE_MS) " ms before the HEARTBEAT ACK comes. Reported when it happened at least "
        SAY(HEARTBEAT_ACKS_LATE) " times.",
    .doubt = "The SACK shows when packets of that path arrived. The HEARTBEAT may have been overtaken, but not by so "
        "long, and again and again.");

static bool PM_003_applies(const sctpa_context_t *c)
{
    const sctpa_heartbeats_t *sent = sctpa_heartbeats_answered(c, &c->chunk->tlv);
    return sent && sent->is_open && c->acked;
}

/* "SHOULD immediately respond with a HEARTBEAT ACK chunk" */
static bool PM_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_heartbeats_t *sent = sctpa_heartbeats_answered(c, &c->chunk->tlv);
    uint32_t sack = sack_of_later_data(c, sent);
    int64_t late_ns = sack == SCTPA_NO_PACKET_INDEX ? 0 : sctpa_context_least_since_ns(c, sack);
    if (late_ns <= HEARTBEAT_ACK_LATE_MS * SCTPA_NS_PER_MS)
        return false;
    violation->path = c->path;
    violation->since = violation->related = sent->packet;
    sctpa_violation_say(violation, "HEARTBEAT ACK before the SACK for what was sent behind the HEARTBEAT",
                        SCTPA_WORDS("%.1f ms after it", (double)late_ns / 1e6));
    return true;
}

RULE(PM, 004,
    .level = SHOULD, .since = 2960, .seeing = COULD, .needs = BOTH | CHECKSUM | UNTRANSLATED,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(HEARTBEAT_ACK),
    .accused = "sender of the HEARTBEAT ACK",
    .clause = "RFC 9260 3.3.6, 6.4",
    .title = "HEARTBEAT ACK not sent to the source of the HEARTBEAT",
    .quote = "A packet containing the HEARTBEAT ACK chunk is always sent to the source IP address of the IP datagram "
        "containing the HEARTBEAT chunk to which this HEARTBEAT ACK chunk is responding.",
    .why = "The answer shows that another path works than the one that was probed.",
    .evidence = "The HEARTBEAT ACK echoes the last HEARTBEAT of a path, and no other, and goes to an address other "
        "than its source.",
    .doubt = "Both packets show their addresses as they are at the capture point. Address translation beyond it "
        "changes nothing. Not checked when addresses of the peer seem to be translated before it: the peer sends from "
        "one address and receives at another that it never announced.");

/* Does the Heartbeat Info tell apart the HEARTBEATs of the peer: is that of one that the HEARTBEAT ACK may answer not
 * also that of the one before it, or of another path's? */
static bool is_told_apart(const sctpa_context_t *c, const sctpa_heartbeats_t *answered)
{
    for (uint16_t path = 0; path < SCTPA_PATHS_KEPT; path++) {
        const sctpa_heartbeats_t *sent = find(c, !c->from, path);
        if (sent && (sent->hash_before == answered->hash || (sent != answered && sent->hash == answered->hash)))
            return false;
    }
    return true;
}

static bool PM_004_applies(const sctpa_context_t *c)
{
    return sctpa_heartbeats_answered(c, &c->chunk->tlv) != NULL;
}

/* "always sent to the source IP address of the IP datagram containing the HEARTBEAT chunk" */
static bool PM_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_heartbeats_t *sent = sctpa_heartbeats_answered(c, &c->chunk->tlv);
    const sctpa_addr_t *source = c->assoc->ends[!c->from].pairs[sent->pair]->source;
    if (sctpa_addr_equal(source, &c->packet->destination) || !is_told_apart(c, sent))
        return false;
    violation->path = c->path;
    violation->related = sent->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("HEARTBEAT ACK to %s", sctpa_addr_words(source).text),
                        SCTPA_WORDS("to %s", sctpa_addr_words(&c->packet->destination).text));
    return true;
}

RULE(PM, 005,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(HEARTBEAT),
    .accused = "sender of the HEARTBEAT",
    .clause = "RFC 9260 3.3.5",
    .title = "HEARTBEAT without Heartbeat Info",
    .quote = "Defined as a variable-length parameter using the format described in Section 3.2.1",
    .why = "A receiver may discard the chunk as malformed, and the sender counts an error on a path that works.",
    .evidence = "The chunk has no parameter of type 1, which table 9 makes mandatory.",
    .doubt = "An empty parameter is well formed.");

static bool PM_005_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* Table 9: "Heartbeat Info | Mandatory | 1" */
static bool PM_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_context_params(c)->rows & SCTPA_PARAM_BIT(HEARTBEAT_INFO))
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, "a Heartbeat Info parameter",
                        SCTPA_WORDS("none in a HEARTBEAT of %u bytes", c->chunk->tlv.wire_bytes));
    return true;
}

RULE(PM, 006,
    .level = MUST, .since = 4960, .seeing = NOTHING, .needs = SETUP | COMPLETE | WHOLE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(HEARTBEAT),
    .accused = "receiver of the COOKIE ECHO",
    .clause = "RFC 9260 3.3.5, 5.4",
    .title = "Path verified with a nonce shorter than 64 bits",
    .quote = "When a HEARTBEAT chunk is being used for path verification purposes, it MUST include a random nonce of "
        "length 64 bits or longer",
    .why = "An attacker can guess the answer and confirm an address that is not its own.",
    .evidence = "A HEARTBEAT with less than 8 bytes of information from the endpoint that received the COOKIE ECHO, to "
        "an address that the INIT ACK did not go to and that has not answered.",
    .doubt = "The other endpoint may know addresses from its user, which are confirmed without a probe: only this "
        "endpoint is checked. A confirmed address may be probed with any contents.");

static bool PM_006_applies(const sctpa_context_t *c)
{
    return sctpa_path_is_confirmed(c, c->from, c->path) == SCTPA_NO &&
           sctpa_context_params(c)->rows & SCTPA_PARAM_BIT(HEARTBEAT_INFO);
}

/* "it MUST include a random nonce of length 64 bits or longer" */
static bool PM_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *info = sctpa_context_param(c, SCTPA_PARAM_ROW_HEARTBEAT_INFO);
    if (info->length >= SCTPA_TLV_HEADER_BYTES + NONCE_BYTES)
        return false;
    violation->path = c->path;
    sctpa_violation_say(
        violation, "Heartbeat Info of 8 bytes or more",
        SCTPA_WORDS("%d bytes, to an address that is not confirmed", (int)info->length - SCTPA_TLV_HEADER_BYTES));
    return true;
}

RULE(PM, 009,
    .level = SHOULD, .since = 9260, .seeing = NOTHING, .needs = NEAR,
    .when = PACKET, .of = OF_SENDER, .on = ROW(HEARTBEAT),
    .accused = "sender of the HEARTBEATs",
    .clause = "RFC 9260 8.3",
    .title = "Heartbeats without jitter",
    .quote = "it is RECOMMENDED that a HEARTBEAT chunk is sent once per RTO of that destination address plus the "
        "protocol parameter 'HB.interval', with jittering of +/- 50% of the RTO value",
    .why = "Associations that began together probe their paths at the same time.",
    .evidence = SAY(EVEN_INTERVALS) " intervals between answered heartbeats of an idle path that differ by less "
        "than " SAY(SCTPA_EVEN_INTERVAL_MS) " ms and " SAY(SCTPA_EVEN_INTERVAL_PERCENT) " %.",
    .doubt = "Path MTU probes, intervals with data in between, and those after an unanswered heartbeat do not count. "
        "Jitter of an RTO of 10 ms would still spread them wider. Heartbeats that a user requests by a clock look the "
        "same. What the capture lacks at one place changes one interval of " SAY(EVEN_INTERVALS) ", and makes "
        "none even.");

static bool PM_009_applies(const sctpa_context_t *c)
{
    const sctpa_heartbeats_t *before = heartbeats_before(c);
    return before && heartbeats_even(c, before).n > 0;
}

/* "it is RECOMMENDED that a HEARTBEAT chunk is sent once per RTO of that destination address plus the protocol
 * parameter 'HB.interval', with jittering of +/- 50% of the RTO value" */
static bool PM_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_heartbeats_t *before = heartbeats_before(c);
    sctpa_even_intervals_t even = heartbeats_even(c, before);
    if (even.n != EVEN_INTERVALS)
        return false;
    violation->path = c->path;
    violation->related = before->packet;
    sctpa_violation_say(violation, "intervals that vary by half the RTO in either direction",
                        SCTPA_WORDS("%d intervals between %.4f and %.4f s", EVEN_INTERVALS,
                                    (double)even.least_ns / (double)SCTPA_NS_PER_S,
                                    (double)even.most_ns / (double)SCTPA_NS_PER_S));
    return true;
}

RULE(PM, 011,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = NEAR | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(HEARTBEAT),
    .accused = "sender of the HEARTBEAT",
    .clause = "RFC 9260 8.3",
    .title = "HEARTBEAT sent after SHUTDOWN or SHUTDOWN ACK",
    .quote = "is discontinued after sending either a SHUTDOWN chunk or SHUTDOWN ACK chunk",
    .why = "It is no longer answered, and counts as an error.",
    .evidence = "The endpoint sent a SHUTDOWN or SHUTDOWN ACK before its HEARTBEAT, which another, slower way did not "
        "hold up.",
    .doubt = "The clause has no keyword: a note. HEARTBEAT ACKs are allowed. Within some milliseconds a capture may "
        "hold packets in another order than they left: reported, as probable, where it is asserted to be taken at the "
        "endpoint and both went between the same addresses.");

static bool PM_011_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "is discontinued after sending either a SHUTDOWN chunk or SHUTDOWN ACK chunk" */
static bool PM_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    bool has_closed = sctpa_context_chunks(c, c->from, SCTPA_CHUNK_ROW_SHUTDOWN) > 0 ||
                      sctpa_context_chunks(c, c->from, SCTPA_CHUNK_ROW_SHUTDOWN_ACK) > 0;
    sctpa_certainty_t certainty;
    if (!has_closed || c->rows & (SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK)) ||
        !sctpa_teardown_was_begun(c, &certainty))
        return false;
    violation->path = c->path;
    violation->at_best = certainty;
    sctpa_violation_say(violation, "no HEARTBEAT after SHUTDOWN or SHUTDOWN ACK", "HEARTBEAT");
    return true;
}

RULE(PM, 029,
    .level = SHOULD, .since = 9260, .seeing = MUST_HAVE, .needs = BOTH | COMPLETE | NEAR | CHECKSUM,
    .certainty = SCTPA_CERTAINTY_PROBABLE,
    .when = PACKET, .of = OF_SENDER, .on = ROW(HEARTBEAT),
    .accused = "sender of the HEARTBEATs",
    .clause = "RFC 9260 8.3",
    .title = "HEARTBEATs leave ever later though answered",
    .quote = "with jittering of +/- 50% of the RTO value and exponential backoff of the RTO if the previous HEARTBEAT "
        "chunk is unanswered",
    .why = "A path that fails is noticed minutes later than it should be.",
    .evidence = SAY(GROWING_INTERVALS) " intervals in a row between HEARTBEATs of an idle path, each longer than "
        "the one before and growing by no less than that did; the last is longer than the first by more than "
        SAY(GROWN_RTOS) " RTOs. Each HEARTBEAT before was answered within " SAY(SCTPA_PROMPT_ANSWER_MS) " ms.",
    .doubt = "The user may change HB.interval or request HEARTBEATs, though hardly so regularly: probable at best. "
        "Jitter spreads the intervals by no more than an RTO, which is RTO.Min or follows from round trips; where "
        "none was measured, it is RTO.Initial. Probes of the path MTU, and intervals with data, do not count.");

static bool PM_029_applies(const sctpa_context_t *c)
{
    const sctpa_heartbeats_t *before = heartbeats_before(c);
    return before && heartbeats_growing(c, before).n > 0;
}

/* "with jittering of +/- 50% of the RTO value and exponential backoff of the RTO if the previous HEARTBEAT chunk is
 * unanswered" */
static bool PM_029_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_heartbeats_t *before = heartbeats_before(c);
    sctpa_growing_intervals_t growing = heartbeats_growing(c, before);
    if (growing.n < GROWING_INTERVALS ||
        sctpa_context_least_ns(c, growing.last_ns - growing.first_ns) <= GROWN_RTOS * path_rto_usual_ns(c))
        return false;
    violation->path = c->path;
    violation->related = before->packet;
    violation->since = growing.packet;
    sctpa_violation_say(violation, "intervals of HB.interval and an RTO, give or take half of it",
                        SCTPA_WORDS("%u intervals that grow from %.3f to %.3f s, each HEARTBEAT answered", growing.n,
                                    (double)growing.first_ns / (double)SCTPA_NS_PER_S,
                                    (double)growing.last_ns / (double)SCTPA_NS_PER_S));
    return true;
}

RULE(PM, 031,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ROW(HEARTBEAT),
    .accused = "sender of the COOKIE ECHO",
    .clause = "RFC 9260 8.3, 5.4",
    .title = "HEARTBEAT sent before the association is up",
    .quote = "The sending of HEARTBEAT chunks MAY begin upon reaching the ESTABLISHED state",
    .why = "The peer may have no association yet, and answer with ABORT.",
    .evidence = "A HEARTBEAT stands behind the COOKIE ECHO, which goes to an address that an INIT of its sender went "
        "to.",
    .doubt = "To an address that is not confirmed COOKIE ECHO has to be bundled with a HEARTBEAT: not reported. The "
        "clause has no MUST: a note.");

static bool PM_031_applies(const sctpa_context_t *c)
{
    return c->rows & SCTPA_ROW(COOKIE_ECHO) &&
           sctpa_context_has_sent(c, c->from, SCTPA_CHUNK_ROW_INIT, NULL, &c->packet->destination);
}

/* "The sending of HEARTBEAT chunks MAY begin upon reaching the ESTABLISHED state" */
static bool PM_031_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    violation->path = c->path;
    sctpa_violation_say(violation, "no HEARTBEAT before ESTABLISHED", "HEARTBEAT in the packet with the COOKIE ECHO");
    return true;
}

/* A HEARTBEAT of the sender of the packet with the same Heartbeat Info that went to another address, or so long before
 * that the time in it differs; SCTPA_NO_PACKET_INDEX none is kept. O(bytes). */
static uint32_t same_info_before(const sctpa_context_t *c)
{
    const infos_t *infos = infos_of(c, c->from);
    const uint64_t hash = info_hash(c, sctpa_context_observed(c, SCTPA_CHUNK_ROW_HEARTBEAT));
    const uint32_t before = hash != 0 ? kept_packet(infos, hash) : SCTPA_NO_PACKET_INDEX;
    if (before == SCTPA_NO_PACKET_INDEX)
        return SCTPA_NO_PACKET_INDEX;
    const sctpa_record_t *record = sctpa_context_record(c, before);
    const bool is_elsewhere = record->pair != c->record->pair && record->path != c->path;
    return is_elsewhere || sctpa_context_least_since_ns(c, before) > HEARTBEAT_TIME_UNIT_S * SCTPA_NS_PER_S
               ? before
               : SCTPA_NO_PACKET_INDEX;
}

RULE(PM, 032,
    .level = SHOULD, .since = 9260, .seeing = NOTHING, .needs = WHOLE | CHECKSUM | UNTRANSLATED,
    .when = PACKET, .of = OF_SENDER, .on = ROW(HEARTBEAT),
    .accused = "sender of the HEARTBEATs",
    .clause = "RFC 9260 3.3.5, 5.4",
    .title = "HEARTBEATs with the same Heartbeat Info",
    .quote = "SHOULD include information about the sender's current time when this HEARTBEAT chunk is sent and the "
        "destination transport address to which this HEARTBEAT chunk is sent",
    .why = "An answer to one HEARTBEAT stands for all: round trips are wrong, and whoever has seen one can confirm an "
        "address that is not its own.",
    .evidence = "The Heartbeat Info is that of one of the last HEARTBEATs to another address, or to the same one more "
        "than " SAY(HEARTBEAT_TIME_UNIT_S) " s before.",
    .doubt = "A clock of seconds gives the same time within one second. Not checked where two capture points show each "
        "packet twice.");

static bool PM_032_applies(const sctpa_context_t *c)
{
    return infos_of(c, c->from) && !sctpa_context_has_two_taps(c);
}

/* "SHOULD include information about the sender's current time [...] and the destination transport address" */
static bool PM_032_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const uint32_t before = same_info_before(c);
    if (before == SCTPA_NO_PACKET_INDEX)
        return false;
    violation->path = c->path;
    violation->related = before;
    sctpa_violation_say(violation, "the time and the address in the Heartbeat Info, or a nonce",
                        SCTPA_WORDS("the Heartbeat Info of frame %u", sctpa_context_frame(c, before)));
    return true;
}

/* "it is RECOMMENDED that a HEARTBEAT chunk is sent once per RTO of that destination address plus the protocol
 * parameter 'HB.interval'" */
RULE(PM, 033,
    .level = SHOULD, .since = 2960, .seeing = COULD, .needs = COMPLETE | NEAR,
    .certainty = SCTPA_CERTAINTY_PROBABLE,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(HEARTBEAT),
    .accused = "endpoint that sends to the path",
    .clause = "RFC 9260 8.3",
    .title = "Idle path gets no HEARTBEAT",
    .quote = "an SCTP endpoint SHOULD monitor the reachability of the idle destination transport address(es) of its "
        "peer",
    .why = "Nobody notices that the path fails, or works again, before data needs it.",
    .evidence = "Where the user asserts a complete capture that was taken at the endpoint, and HB.interval: it sent no "
        "HEARTBEAT to an address of its peer, and nothing else that is acknowledged, in two periods, each HB.interval "
        "and one and a half RTOs, for each address of the peer, since one of those that are idle may be probed in each "
        "period; RTO.Max counts where timeouts may have doubled the RTO. A sixteenth and 550 ms more for a timer that "
        "is late.",
    .doubt = SCTPA_IDLE_PATH_DOUBT);

/* "These probing procedures are started when an association moves to the ESTABLISHED state" */
RULE(PM, 034,
    .level = SHOULD, .since = 4960, .seeing = COULD, .needs = COMPLETE | NEAR,
    .certainty = SCTPA_CERTAINTY_PROBABLE,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(HEARTBEAT),
    .accused = "receiver of the COOKIE ECHO",
    .clause = "RFC 9260 5.4, 8.3",
    .title = "Unconfirmed address is never probed",
    .quote = "These probing procedures are started when an association moves to the ESTABLISHED state",
    .why = "The address can carry no data when the others fail.",
    .evidence = "As for idle paths (PM-033), of an address that the INIT lists and the INIT ACK did not go to: none "
        "was sent there in one period for each address of the peer.",
    .doubt = SCTPA_IDLE_PATH_DOUBT);

/* "HEARTBEAT chunks SHOULD be sent to destination addresses in PF state" */
RULE(PM, 035,
    .level = SHOULD, .since = 7829, .seeing = COULD, .needs = COMPLETE | NEAR,
    .certainty = SCTPA_CERTAINTY_PROBABLE,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(HEARTBEAT),
    .accused = "endpoint that sends to the path",
    .clause = "RFC 7829 3",
    .title = "Potentially failed path gets no HEARTBEAT",
    .quote = "HEARTBEAT chunks SHOULD be sent to destination addresses in PF state",
    .why = "The path stays out of use although it works again.",
    .evidence = "Where the user asserts a complete capture that was taken at the endpoint, HB.interval, and a "
        "PotentiallyFailed.Max.Retrans of 0: data that T3-rtx retransmitted went to another address, and neither a "
        "HEARTBEAT nor anything else that is acknowledged to the first one within the RTO, which counts as RTO.Max, "
        "and a sixteenth and 550 ms more.",
    .doubt = "Not checked once the peer has acknowledged data that was sent once, which may have taken this path. "
        SCTPA_IDLE_PATH_DOUBT);

static bool is_link_local(const sctpa_addr_t *addr)
{
    return addr->bytes == 4 ? (addr->data[0] == 169 && addr->data[1] == 254) || addr->data[0] == 127
                            : addr->data[0] == 0xFE && (addr->data[1] & 0xC0) == 0x80;
}

RULE(PM, 025,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = SETUP | COMPLETE | NEAR | UNTRANSLATED,
    .when = PACKET, .of = OF_SENDER, .on = ROW(HEARTBEAT),
    .accused = "sender of the HEARTBEATs",
    .clause = "RFC 9260 8.3",
    .title = "Listed address is never probed",
    .quote = "an SCTP endpoint SHOULD monitor the reachability of the idle destination transport address(es) of its "
        "peer",
    .why = "It is unknown whether the path works when it is needed.",
    .evidence = SAY(SCTPA_PROBED_BY_S) " s or more after the first packet the endpoint sends a HEARTBEAT, but it has "
        "sent no packet at all to an address that INIT or INIT ACK listed.",
    .doubt = "Link-local addresses and those of another family than the HEARTBEAT's may be out of scope; endpoints "
        "without heartbeats are not checked. At least two paths must be in use: with one, the capture may cover only "
        "one of several interfaces.");

static bool PM_025_applies(const sctpa_context_t *c)
{
    return heartbeats_tell_probed(c);
}

/* "an SCTP endpoint SHOULD monitor the reachability of the idle destination transport address(es) of its peer" */
static bool PM_025_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_end_t *peer = &c->assoc->ends[!c->from];
    for (unsigned i = 0; i < peer->n_addrs; i++) {
        const sctpa_known_addr_t *known = &peer->addrs[i];
        if (known->origin != SCTPA_ADDR_LISTED || known->addr.bytes != c->packet->destination.bytes ||
            is_link_local(&known->addr))
            continue;
        sctpa_violation_say(
            violation, SCTPA_WORDS("heartbeats to %s too, which the peer listed", sctpa_addr_words(&known->addr).text),
            SCTPA_WORDS("no packet in %d s", SCTPA_PROBED_BY_S));
        return true;
    }
    return false;
}

RULE(PM, 027,
    .level = HEURISTIC, .since = 2960, .seeing = COULD, .needs = BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = ROW(HEARTBEAT),
    .accused = "sender of the HEARTBEATs",
    .clause = "RFC 9260 8.2",
    .title = "Dormant association: no path answers, and it stays open",
    .quote = "all the destination addresses might become inactive while the endpoint still considers the peer endpoint "
        "reachable",
    .why = "The user is not notified and waits. Association.Max.Retrans is larger than the sum of Path.Max.Retrans.",
    .evidence = SAY(HEARTBEATS_DORMANT) " or more HEARTBEATs in a row unanswered on each of two or more paths, "
        "no SACK since the first, and another HEARTBEAT is sent.",
    .doubt = "A capture that lacks the peer's packets is not near the sender, or not complete.");

static bool PM_027_applies(const sctpa_context_t *c)
{
    unsigned n_paths = c->assoc->ends[c->from].n_paths;
    return n_paths >= 2 && n_paths <= SCTPA_PATHS_KEPT;
}

/* "all the destination addresses might become inactive while the endpoint still considers the peer endpoint reachable"
 */
static bool PM_027_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint16_t n_paths = c->assoc->ends[c->from].n_paths;
    uint32_t first = SCTPA_NO_PACKET_INDEX;
    for (uint16_t path = 0; path < n_paths; path++) {
        if (sctpa_path_state(c, c->from, path) != SCTPA_PATH_INACTIVE)
            return false;
        first = MIN(first, sctpa_heartbeats(c, c->from, path)->first_unanswered);
    }
    if (c->sent && c->sent->sacks.len > 0 && c->sent->last_sack_ns > sctpa_context_time_ns(c, first))
        return false;
    violation->related = first;
    sctpa_violation_say(violation, "the association given up when no path answers",
                        SCTPA_WORDS("%d or more HEARTBEATs in a row unanswered on each of %u paths, and still open",
                                    HEARTBEATS_DORMANT, n_paths));
    return true;
}

G_STATIC_ASSERT(HEARTBEATS_DORMANT == SCTPA_ERRORS_PATH_INACTIVE);

/* Data and SACKs matter where there is a choice of addresses, and data that is lost again and again. */
void sctpa_check_heartbeats(sctpa_context_t *c)
{
    if (c->due) {
        ASK_DUE(PM, 002, HEARTBEAT);
        ASK_DUE(PM, 033, IDLE_PATH);
        ASK_DUE(PM, 034, UNCONFIRMED_PATH);
        ASK_DUE(PM, 035, FAILING_PATH);
        return;
    }
    if (!(c->facts & (SCTPA_FACT_CONTROL | SCTPA_FACT_RTX)) && c->assoc->ends[c->from].n_pairs < 2)
        return;
    ASK(PM, 001);
    ASK(PM, 002);
    ASK(PM, 003);
    ASK(PM, 004);
    ASK(PM, 005);
    ASK(PM, 006);
    ASK(PM, 007);
    ASK(PM, 009);
    ASK(PM, 011);
    ASK(PM, 022);
    ASK(HS, 053);
    ASK(HS, 073);
    ASK(PM, 025);
    ASK(PM, 027);
    ASK(PM, 029);
    ASK(PM, 030);
    ASK(PM, 031);
    ASK(PM, 032);
    paths_take(c);
}
