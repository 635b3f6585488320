/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making associations and what belongs to their ends: addresses, paths, address pairs.
 * Leaves finding them to lookup.c and joining halves to half_joining.c. */
#include "endpoints.h"

#include <string.h>

#include "base/arena.h"
#include "tracker.h"
#include "wire/address.h"

enum { CACHE_LINE_BYTES = 64 };

static const sctpa_tracked_rare_t nothing_of_tracked = { .replaces = SCTPA_NO_ASSOC,
                                                         .moved_to = { SCTPA_NO_ASSOC, SCTPA_NO_ASSOC } };
static const sctpa_end_rare_t nothing_of_end;
static const sctpa_side_rare_t nothing_of_side;
static const sctpa_probing_t nothing_probed;

#define NO_SIDE \
    { \
        .peer_tap_rtt.most_ns = -1, .rare = &nothing_of_side \
    }
#define NO_END \
    { \
        .settled = (sctpa_counts_t *)&sctpa_counts_none, .rare = &nothing_of_end \
    }

const sctpa_tracked_t sctpa_tracked_none = { .assoc = { .number = SCTPA_NO_ASSOC,
                                                        .merged_into = SCTPA_NO_ASSOC,
                                                        .restart_of = SCTPA_NO_ASSOC,
                                                        .known = { .end_by = SCTPA_NO_END },
                                                        .ends = { NO_END, NO_END } },
                                             .sides = { NO_SIDE, NO_SIDE },
                                             .rare = &nothing_of_tracked,
                                             .shutdown_by = SCTPA_NO_END };

sctpa_tracked_t *sctpa_tracked_new(sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    sctpa_tracked_t *tracked = sctpa_arena_alloc(&tracker->arena, sizeof *tracked);
    sctpa_assoc_t *assoc = &tracked->assoc;

    tracked->arena = &tracker->arena;
    assoc->number = tracker->assocs->len;
    assoc->merged_into = assoc->restart_of = SCTPA_NO_ASSOC;
    assoc->known.end_by = tracked->shutdown_by = SCTPA_NO_END;
    assoc->encapsulation = input->packet->encapsulation;
    assoc->first_frame = input->packet->frame;
    assoc->first_ns = input->packet->time_ns;
    tracked->rare = &nothing_of_tracked;
    tracked->sides[0].peer_tap_rtt = tracked->sides[1].peer_tap_rtt = sctpa_tap_rtt_none(NULL);
    tracked->sides[0].rare = tracked->sides[1].rare = &nothing_of_side;
    assoc->ends[0].rare = assoc->ends[1].rare = &nothing_of_end;
    assoc->ends[0].settled = assoc->ends[1].settled = (sctpa_counts_t *)&sctpa_counts_none;
    assoc->ends[0].port = input->source_port;
    assoc->ends[1].port = input->destination_port;
    g_ptr_array_add(tracker->assocs, tracked);
    return tracked;
}

sctpa_tracked_rare_t *sctpa_tracked_rare(sctpa_tracked_t *tracked)
{
    sctpa_tracked_rare_t *rare = sctpa_rare_own(tracked->rare, &nothing_of_tracked, sizeof *rare, tracked->arena);
    tracked->rare = rare;
    return rare;
}

sctpa_end_rare_t *sctpa_end_rare(sctpa_tracked_t *tracked, uint8_t e)
{
    sctpa_end_t *end = &tracked->assoc.ends[e];
    sctpa_end_rare_t *rare = sctpa_rare_own(end->rare, &nothing_of_end, sizeof *rare, tracked->arena);
    end->rare = rare;
    return rare;
}

sctpa_side_rare_t *sctpa_side_rare(sctpa_tracked_t *tracked, uint8_t end)
{
    sctpa_side_t *side = &tracked->sides[end];
    sctpa_side_rare_t *rare = sctpa_rare_own(side->rare, &nothing_of_side, sizeof *rare, tracked->arena);
    side->rare = rare;
    return rare;
}

sctpa_probing_t *sctpa_path_probing(sctpa_tracked_t *tracked, sctpa_path_t *path)
{
    sctpa_probing_t *probing = sctpa_rare_own(path->probing, &nothing_probed, sizeof *probing, tracked->arena);
    path->probing = probing;
    return probing;
}

void sctpa_path_note_rtt(sctpa_path_t *path, int64_t elapsed_ns)
{
    const int64_t before_ns = path->tap_rtt_ns, rtt_ns = MAX(elapsed_ns, 1);
    path->tap_rtt_ns = before_ns == 0 ? rtt_ns : MIN(before_ns, rtt_ns);
    if (before_ns == 0 || rtt_ns < before_ns - SCTPA_NEAR_NS)
        path->tap_rtts = 1;
    else if (rtt_ns <= before_ns + SCTPA_NEAR_NS)
        path->tap_rtts++;
}

void sctpa_tracked_prefetch(const sctpa_tracked_t *tracked)
{
    for (size_t at = 0; at < sizeof *tracked; at += CACHE_LINE_BYTES)
        __builtin_prefetch((const uint8_t *)tracked + at, 1);
}

/* --- addresses: up to LISTED_ADDRS one is compared with each, of more the places stand in an index behind the array's
 * room --- */

enum { LISTED_ADDRS = 16 };

typedef struct {
    uint64_t seed;     /* of the hashes, drawn at random */
    uint16_t places[]; /* 1 + index of an address, 0 free; twice as many as the array has room for */
} addr_index_t;

/* Room of an array of n > LISTED_ADDRS addresses. */
static uint32_t room_of(uint32_t n)
{
    return 1u << (32 - __builtin_clz(n - 1));
}

static size_t indexed_bytes(uint32_t room)
{
    return room * sizeof(sctpa_known_addr_t) + sizeof(addr_index_t) + 2 * room * sizeof(uint16_t);
}

static addr_index_t *index_of(const sctpa_known_addr_t *addrs, uint32_t room)
{
    return (addr_index_t *)(void *)(addrs + room);
}

/* The place of addr in the index of addrs, or the free one where it belongs. */
static uint16_t *place_of(const sctpa_known_addr_t *addrs, uint32_t room, const sctpa_addr_t *addr)
{
    addr_index_t *index = index_of(addrs, room);
    uint32_t mask = 2 * room - 1, at = (uint32_t)sctpa_addr_hash(index->seed, addr) & mask;
    while (index->places[at] != 0 && !sctpa_addr_equal(&addrs[index->places[at] - 1].addr, addr))
        at = (at + 1) & mask;
    return &index->places[at];
}

static sctpa_known_addr_t *known_addr(const sctpa_end_t *end, const sctpa_addr_t *addr)
{
    if (end->n_addrs > LISTED_ADDRS) {
        uint16_t place = *place_of(end->addrs, room_of(end->n_addrs), addr);
        return place ? &end->addrs[place - 1] : NULL;
    }
    for (unsigned i = 0; i < end->n_addrs; i++)
        if (sctpa_addr_equal(&end->addrs[i].addr, addr))
            return &end->addrs[i];
    return NULL;
}

/* Gives an array of n addresses back. */
static void addrs_free(sctpa_arena_t *arena, sctpa_known_addr_t *addrs, uint32_t n)
{
    if (n <= LISTED_ADDRS)
        sctpa_arena_free_grown(arena, addrs, n, sizeof *addrs);
    else
        sctpa_arena_free(arena, addrs, indexed_bytes(room_of(n)));
}

/* Twice the room of n addresses, a power of two, and an index that has them. */
static sctpa_known_addr_t *grow_indexed(sctpa_arena_t *arena, sctpa_known_addr_t *addrs, uint32_t n)
{
    uint32_t room = 2 * n;
    sctpa_known_addr_t *grown = sctpa_arena_alloc(arena, indexed_bytes(room));
    memcpy(grown, addrs, n * sizeof *grown);
    index_of(grown, room)->seed = sctpa_hash_seed();
    for (uint32_t i = 0; i < n; i++)
        *place_of(grown, room, &grown[i].addr) = (uint16_t)(i + 1);
    addrs_free(arena, addrs, n);
    return grown;
}

/* Where an address is that may have been among n addresses, which moved from one array to another. */
static const sctpa_addr_t *moved(const sctpa_addr_t *addr, uintptr_t from, const sctpa_known_addr_t *to, uint32_t n)
{
    size_t at = (uintptr_t)addr - from;
    return at < n * sizeof *to ? &to[at / sizeof *to].addr : addr;
}

/* The n addresses of an end moved from an array: pairs and paths follow. O(pairs + paths), bounded. */
static void lead_to_moved(sctpa_tracked_t *tracked, uint8_t e, uintptr_t from, uint32_t n)
{
    sctpa_end_t *end = &tracked->assoc.ends[e], *peer = &tracked->assoc.ends[!e];
    for (unsigned i = 0; i < end->n_pairs; i++)
        end->pairs[i]->source = moved(end->pairs[i]->source, from, end->addrs, n);
    for (unsigned i = 0; i < peer->n_pairs; i++)
        peer->pairs[i]->destination = moved(peer->pairs[i]->destination, from, end->addrs, n);
    for (unsigned i = 0; i < peer->n_paths; i++)
        peer->paths[i].destination = moved(peer->paths[i].destination, from, end->addrs, n);
}

static sctpa_known_addr_t *append_addr(sctpa_tracked_t *tracked, uint8_t e, sctpa_known_addr_t known)
{
    sctpa_end_t *end = &tracked->assoc.ends[e];
    uint32_t n = end->n_addrs;
    uintptr_t before = (uintptr_t)end->addrs;
    if (n < LISTED_ADDRS)
        end->addrs = sctpa_arena_grow(tracked->arena, end->addrs, n, sizeof *end->addrs);
    else if ((n & (n - 1)) == 0)
        end->addrs = grow_indexed(tracked->arena, end->addrs, n);
    if (n > 0 && (uintptr_t)end->addrs != before)
        lead_to_moved(tracked, e, before, n);
    end->addrs[n] = known;
    end->n_addrs++;
    if (end->n_addrs > LISTED_ADDRS)
        *place_of(end->addrs, room_of(end->n_addrs), &known.addr) = (uint16_t)end->n_addrs;
    return &end->addrs[n];
}

const sctpa_addr_t *sctpa_end_add_addr(sctpa_tracked_t *tracked, uint8_t e, const sctpa_addr_t *addr, uint32_t origin)
{
    sctpa_end_t *end = &tracked->assoc.ends[e];
    sctpa_known_addr_t *known = known_addr(end, addr);
    if (!known && end->n_addrs == SCTPA_ADDRS_MAX)
        return NULL;
    if (!known)
        return &append_addr(tracked, e, (sctpa_known_addr_t){ *addr, origin })->addr;
    known->origin |= origin;
    if (origin & (SCTPA_ADDR_ADDED | SCTPA_ADDR_LISTED))
        known->origin &= ~(uint32_t)SCTPA_ADDR_DELETED;
    return &known->addr;
}

/* What pair->copied says. */
enum { COPIED_SOURCE = 1, COPIED_DESTINATION = 2 };

/* Where a pair finds its end's address: as it is known, or a copy of the pair's own (bit) when it is not. */
static const sctpa_addr_t *addr_of(sctpa_tracked_t *tracked, uint8_t end, const sctpa_addr_t *addr, uint32_t origin,
                                   sctpa_pair_t *pair, uint8_t bit)
{
    const sctpa_addr_t *known = sctpa_end_add_addr(tracked, end, addr, origin);
    if (known)
        return known;
    sctpa_addr_t *copy = sctpa_arena_alloc(tracked->arena, sizeof *copy);
    *copy = *addr;
    pair->copied |= bit;
    return copy;
}

void sctpa_end_own_addrs(sctpa_tracked_t *tracked, uint8_t e)
{
    sctpa_end_t *end = &tracked->assoc.ends[e];
    for (unsigned i = 0; i < end->n_pairs; i++) {
        sctpa_pair_t *pair = end->pairs[i];
        if (!(pair->copied & COPIED_SOURCE))
            pair->source = addr_of(tracked, e, pair->source, 0, pair, COPIED_SOURCE);
        if (!(pair->copied & COPIED_DESTINATION))
            pair->destination = addr_of(tracked, !e, pair->destination, 0, pair, COPIED_DESTINATION);
        sctpa_path_t *path = &end->paths[pair->path];
        if (sctpa_addr_equal(path->destination, pair->destination))
            path->destination = pair->destination;
    }
}

void sctpa_end_delete_addrs(sctpa_end_t *end, const sctpa_addr_t *addr, bool all_but)
{
    sctpa_known_addr_t *known = known_addr(end, addr);
    for (unsigned i = 0; all_but && i < end->n_addrs; i++)
        if (&end->addrs[i] != known)
            end->addrs[i].origin |= SCTPA_ADDR_DELETED;
    if (!all_but && known)
        known->origin |= SCTPA_ADDR_DELETED;
}

uint32_t sctpa_end_addr_origin(const sctpa_end_t *end, const sctpa_addr_t *addr)
{
    const sctpa_known_addr_t *known = known_addr(end, addr);
    return known ? known->origin : 0;
}

const sctpa_init_t *sctpa_end_announced(const sctpa_tracked_t *tracked, uint8_t e, uint32_t tag)
{
    const sctpa_end_t *end = &tracked->assoc.ends[e];
    for (uint32_t i = 0; end->vtag != tag && i < tracked->rare->n_announcements; i++)
        if (tracked->rare->announcements[i].end == e && tracked->rare->announcements[i].tag == tag)
            return &tracked->rare->announcements[i].init;
    return &end->init;
}

uint16_t sctpa_end_find_path(const sctpa_end_t *end, const sctpa_addr_t *destination)
{
    for (unsigned i = 0; i < end->n_paths; i++)
        if (sctpa_addr_equal(end->paths[i].destination, destination))
            return (uint16_t)i;
    return SCTPA_NO_PATH;
}

/* destination: to stay as it is. */
static uint16_t path_of(sctpa_tracked_t *tracked, uint8_t e, const sctpa_addr_t *destination)
{
    sctpa_end_t *end = &tracked->assoc.ends[e];
    uint16_t known = sctpa_end_find_path(end, destination);
    if (known != SCTPA_NO_PATH)
        return known;
    if (end->n_paths < SCTPA_ADDRS_MAX) {
        end->paths = sctpa_arena_grow(tracked->arena, end->paths, end->n_paths, sizeof *end->paths);
        end->paths[end->n_paths++] = (sctpa_path_t){ .destination = destination, .probing = &nothing_probed };
    }
    return (uint16_t)(end->n_paths - 1);
}

sctpa_pair_t *sctpa_end_pair(sctpa_tracked_t *tracked, uint8_t from, const sctpa_addr_t *source,
                             const sctpa_addr_t *destination, uint32_t *index)
{
    sctpa_end_t *end = &tracked->assoc.ends[from];
    for (*index = 0; *index < end->n_pairs; ++*index) {
        sctpa_pair_t *pair = end->pairs[*index];
        if (sctpa_addr_equal(pair->destination, destination) && sctpa_addr_equal(pair->source, source))
            return pair;
    }
    if (end->n_pairs == SCTPA_ADDRS_MAX) {
        sctpa_end_add_addr(tracked, from, source, SCTPA_ADDR_SOURCE);
        sctpa_end_add_addr(tracked, !from, destination, SCTPA_ADDR_DESTINATION);
        return end->pairs[--*index];
    }

    sctpa_pair_t *pair = sctpa_arena_alloc(tracked->arena, sizeof *pair);
    pair->assoc = tracked->assoc.number;
    pair->from = from;
    pair->source = addr_of(tracked, from, source, SCTPA_ADDR_SOURCE, pair, COPIED_SOURCE);
    pair->destination = addr_of(tracked, !from, destination, SCTPA_ADDR_DESTINATION, pair, COPIED_DESTINATION);
    pair->path = path_of(tracked, from, pair->destination);
    end->pairs = sctpa_arena_grow(tracked->arena, end->pairs, end->n_pairs, sizeof *end->pairs);
    if (end->n_pairs == 1)
        sctpa_counts_merge(end->settled = sctpa_arena_alloc(tracked->arena, sizeof *end->settled), tracked->arena,
                           &end->pairs[0]->settled);
    if (end->n_pairs == 0)
        end->settled = &pair->settled;
    end->pairs[end->n_pairs++] = pair;
    return pair;
}

void sctpa_bytes_set(sctpa_bytes_t *bytes, sctpa_arena_t *arena, const uint8_t *data, uint32_t length)
{
    if (length != bytes->length) {
        sctpa_arena_free(arena, bytes->data, bytes->length);
        bytes->data = length > 0 ? sctpa_arena_alloc(arena, length) : NULL;
        bytes->length = length;
    }
    if (length > 0)
        memcpy(bytes->data, data, length);
}

static void end_free(sctpa_tracked_t *tracked, uint8_t e)
{
    sctpa_arena_t *arena = tracked->arena;
    sctpa_end_t *end = &tracked->assoc.ends[e];
    if (end->n_pairs > 1) {
        sctpa_counts_free(end->settled, arena);
        sctpa_arena_free(arena, end->settled, sizeof *end->settled);
    }
    for (unsigned i = 0; i < end->n_pairs; i++) {
        sctpa_pair_t *pair = end->pairs[i];
        if (pair->copied & COPIED_SOURCE)
            sctpa_arena_free(arena, (sctpa_addr_t *)pair->source, sizeof *pair->source);
        if (pair->copied & COPIED_DESTINATION)
            sctpa_arena_free(arena, (sctpa_addr_t *)pair->destination, sizeof *pair->destination);
        sctpa_counts_free(&pair->settled, arena);
        sctpa_arena_free(arena, pair, sizeof *pair);
    }
    for (unsigned i = 0; i < end->n_paths; i++)
        sctpa_rare_free(end->paths[i].probing, &nothing_probed, sizeof *end->paths[i].probing, arena);
    sctpa_arena_free_grown(arena, end->pairs, end->n_pairs, sizeof(sctpa_pair_t *));
    sctpa_arena_free_grown(arena, end->paths, end->n_paths, sizeof *end->paths);
    addrs_free(arena, end->addrs, end->n_addrs);
    sctpa_rare_free(end->rare, &nothing_of_end, sizeof *end->rare, arena);
    sctpa_rare_free(tracked->sides[e].rare, &nothing_of_side, sizeof *tracked->sides[e].rare, arena);
}

void sctpa_tracked_free(sctpa_tracked_t *tracked)
{
    for (uint8_t e = 0; e < 2; e++)
        end_free(tracked, e);
    sctpa_rare_free(tracked->rare, &nothing_of_tracked, sizeof *tracked->rare, tracked->arena);
    sctpa_arena_free(tracked->arena, tracked, sizeof *tracked);
}
