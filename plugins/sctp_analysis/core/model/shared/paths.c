/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what an endpoint may know of its paths. */
#include "paths.h"

#include "data/t3.h"
#include "track/endpoints.h"
#include "track/identity/half_matching.h"
#include "wire/address.h"
#include "wire/protocol_parameters.h"

enum { PLAIN_BYTES = 300 }; /* of a HEARTBEAT that probes no PMTU, at most */
static const int64_t even_spread_ns = SCTPA_EVEN_INTERVAL_MS * SCTPA_NS_PER_MS;

typedef struct {
    sctpa_heartbeats_t *sent[2][SCTPA_PATHS_KEPT]; /* by endpoint and path; NULL none */
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

const sctpa_heartbeats_t *sctpa_heartbeats_before(const sctpa_context_t *c)
{
    const sctpa_tlv_t *heartbeat = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_HEARTBEAT);
    bool is_followed = heartbeat && heartbeat->captured_bytes == heartbeat->wire_bytes;
    return is_followed ? find(c, c->from, c->path) : NULL;
}

bool sctpa_heartbeat_is_answered_otherwise(const sctpa_context_t *c, const sctpa_heartbeats_t *before)
{
    return before->is_open && before->other_hash != 0 &&
           before->other_hash != sctpa_heartbeat_hash(c->tracker, sctpa_context_chunk(c, SCTPA_CHUNK_ROW_HEARTBEAT));
}

bool sctpa_heartbeat_is_plain(const sctpa_context_t *c, const sctpa_tlv_t *heartbeat)
{
    return !(c->rows & SCTPA_ROW(PAD)) && heartbeat->wire_bytes <= PLAIN_BYTES;
}

/* The next HEARTBEAT leaves with the packet: was the last one not answered? */
static bool is_missed(const sctpa_context_t *c, const sctpa_heartbeats_t *sent)
{
    return sent->is_open && sent->is_plain &&
           c->packet->time_ns - sent->sent_ns >= SCTPA_HEARTBEAT_UNANSWERED_S * SCTPA_NS_PER_S;
}

uint32_t sctpa_heartbeats_unanswered(const sctpa_context_t *c, uint8_t endpoint, uint16_t path)
{
    const sctpa_heartbeats_t *sent = find(c, endpoint, path);
    if (!sent)
        return 0;
    return sent->unanswered + (endpoint == c->from && sctpa_heartbeats_before(c) == sent && is_missed(c, sent));
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

sctpa_even_intervals_t sctpa_heartbeats_even(const sctpa_context_t *c, const sctpa_heartbeats_t *before)
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

sctpa_growing_intervals_t sctpa_heartbeats_growing(const sctpa_context_t *c, const sctpa_heartbeats_t *before)
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

int64_t sctpa_path_rto_usual_ns(const sctpa_context_t *c)
{
    const sctpa_data_path_t *path = c->sent ? sctpa_direction_known_path(c->sent, c->path) : NULL;
    return path ? sctpa_t3_rto_usual_ns(path) : SCTPA_RTO_INITIAL_4960_NS;
}

bool sctpa_heartbeats_tell_probed(const sctpa_context_t *c)
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
    uint32_t errors = sctpa_heartbeats_unanswered(c, endpoint, path);
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
    sctpa_even_intervals_t even = sctpa_heartbeats_even(c, sent);
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
    sent->growing = sctpa_heartbeats_growing(c, sent);
    if (sent->is_open)
        sent->answered_packet = sent->answered_before = SCTPA_NO_PACKET_INDEX;
}

static void free_heartbeats(sctpa_arena_t *arena, void *part)
{
    const state_t *state = part;
    for (unsigned endpoint = 0; endpoint < 2; endpoint++)
        for (unsigned path = 0; path < SCTPA_PATHS_KEPT; path++)
            sctpa_arena_free(arena, state->sent[endpoint][path], sizeof *state->sent[endpoint][path]);
}

static state_t *begin(const sctpa_context_t *c)
{
    return sctpa_context_owning_part(c, SCTPA_PART_PATHS, sizeof(state_t), free_heartbeats);
}

static void take_heartbeat(const sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    uint64_t hash = sctpa_heartbeat_hash(c->tracker, chunk);
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
    sent->is_plain = sctpa_heartbeat_is_plain(c, chunk);
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

void sctpa_paths_take(const sctpa_context_t *c)
{
    if (!(c->rows & (SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(HEARTBEAT_ACK))))
        return;
    if (c->rows & SCTPA_ROW(HEARTBEAT) && sctpa_heartbeats_tell_probed(c))
        begin(c)->has_told_probed[c->from] = true;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        if (c->chunks[i].tlv.type == SCTPA_CHUNK_HEARTBEAT)
            take_heartbeat(c, &c->chunks[i].tlv);
        else if (c->chunks[i].tlv.type == SCTPA_CHUNK_HEARTBEAT_ACK)
            take_answer(c, &c->chunks[i].tlv);
    }
}
