/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The indices by which a packet finds its association when its way is new: who owns a verification tag (owners), and
 * who lives between two addresses (neighbours). Lists are bounded. */
#include "lookup.h"

#include "endpoints.h"
#include "tracker.h"
#include "wire/address.h"

/* --- lists of candidates --- */

enum { REF_LIST = 1u << 31 }; /* the rest is a number in lists; without it 1 + 2 * association + end */

static sctpa_candidates_ref_t ref_of(uint32_t assoc, uint8_t end)
{
    return 1 + 2 * assoc + end;
}

sctpa_candidates_t sctpa_candidates(const sctpa_tracker_t *tracker, sctpa_candidates_ref_t ref)
{
    if (ref & REF_LIST)
        return *(const sctpa_candidates_t *)sctpa_pool_at(&tracker->lists, ref & ~(uint32_t)REF_LIST);
    if (ref == 0)
        return (sctpa_candidates_t){ .n = 0 };
    return (sctpa_candidates_t){ .assocs = { (ref - 1) / 2 }, .ends = { (ref - 1) % 2 }, .n = 1 };
}

/* The list in memory that ref stands for from now on. */
static sctpa_candidates_t *list_of(sctpa_tracker_t *tracker, sctpa_candidates_ref_t *ref)
{
    uint32_t number;
    if (*ref & REF_LIST)
        return sctpa_pool_at(&tracker->lists, *ref & ~(uint32_t)REF_LIST);
    sctpa_candidates_t *list = sctpa_pool_add(&tracker->lists, &number);
    *list = sctpa_candidates(tracker, *ref);
    *ref = REF_LIST | number;
    return list;
}

/* Puts a candidate first in a list, where it was or is new; the last one gives way when the list is full. Returns what
 * stands for it. */
static sctpa_candidates_ref_t candidates_add(sctpa_tracker_t *tracker, sctpa_candidates_ref_t ref, uint32_t assoc,
                                             uint8_t end)
{
    unsigned at = 0;
    bool is_left = false;
    if (ref == 0 || ref == ref_of(assoc, end))
        return ref_of(assoc, end);
    sctpa_candidates_t *list = list_of(tracker, &ref);
    while (at < list->n && (list->assocs[at] != assoc || list->ends[at] != end))
        at++;
    if (at < list->n)
        is_left = list->is_left[at];
    else if (list->n < SCTPA_CANDIDATES_MAX)
        list->n++;
    else
        at = list->n - 1u;
    for (; at > 0; at--) {
        list->assocs[at] = list->assocs[at - 1];
        list->ends[at] = list->ends[at - 1];
        list->is_left[at] = list->is_left[at - 1];
    }
    list->assocs[0] = assoc;
    list->ends[0] = end;
    list->is_left[0] = is_left;
    return ref;
}

sctpa_candidates_ref_t sctpa_candidates_append(sctpa_tracker_t *tracker, sctpa_candidates_ref_t ref, uint32_t assoc,
                                               uint8_t end)
{
    if (ref == 0)
        return ref_of(assoc, end);
    sctpa_candidates_t *list = list_of(tracker, &ref);
    if (list->n < SCTPA_CANDIDATES_MAX) {
        list->assocs[list->n] = assoc;
        list->ends[list->n++] = end;
    }
    return ref;
}

sctpa_candidates_ref_t sctpa_candidates_remove(sctpa_tracker_t *tracker, sctpa_candidates_ref_t ref,
                                               const sctpa_tracked_t *tracked)
{
    if (!(ref & REF_LIST))
        return ref == 0 || sctpa_tracked_at(tracker, (ref - 1) / 2) == tracked ? 0 : ref;
    uint32_t number = ref & ~(uint32_t)REF_LIST;
    sctpa_candidates_t *list = sctpa_pool_at(&tracker->lists, number);
    uint8_t n = 0;
    for (unsigned i = 0; i < list->n; i++) {
        if (sctpa_tracked_at(tracker, list->assocs[i]) == tracked)
            continue;
        list->assocs[n] = list->assocs[i];
        list->ends[n] = list->ends[i];
        list->is_left[n++] = list->is_left[i];
    }
    list->n = n;
    if (n > 0)
        return ref;
    sctpa_pool_remove(&tracker->lists, number);
    return 0;
}

static bool is_listed(const sctpa_tracker_t *tracker, sctpa_candidates_ref_t ref, uint32_t assoc, uint8_t end)
{
    if (!(ref & REF_LIST))
        return ref == ref_of(assoc, end);
    const sctpa_candidates_t *list = sctpa_pool_at(&tracker->lists, ref & ~(uint32_t)REF_LIST);
    unsigned at = 0;
    while (at < list->n && (list->assocs[at] != assoc || list->ends[at] != end))
        at++;
    return at < list->n;
}

/* --- owners: the hash of a tag tells it from every other, the number is a sctpa_candidates_ref_t --- */

static uint32_t mix32(uint32_t value)
{
    value = (value ^ value >> 16) * 0x7feb352du;
    value = (value ^ value >> 15) * 0x846ca68bu;
    return value ^ value >> 16;
}

static uint32_t tag_hash(const sctpa_tracker_t *tracker, uint32_t tag)
{
    uint64_t seed = tracker->store.seed;
    return mix32(mix32(tag ^ (uint32_t)seed) ^ (uint32_t)(seed >> 32));
}

/* A tag leads to the association that is the vtag of none of its endpoints. */
static void remember_tag(sctpa_tracked_t *tracked, uint32_t tag)
{
    sctpa_tracked_rare_t *rare = sctpa_tracked_rare(tracked);
    rare->tags = sctpa_arena_grow(tracked->arena, rare->tags, rare->n_tags, sizeof *rare->tags);
    rare->tags[rare->n_tags++] = tag;
}

void sctpa_end_set_tag(sctpa_tracked_t *tracked, uint8_t e, uint32_t tag)
{
    sctpa_end_t *end = &tracked->assoc.ends[e];
    if (end->has_vtag && end->vtag != tag)
        remember_tag(tracked, end->vtag);
    end->vtag = tag;
    end->has_vtag = tag != 0;
}

void sctpa_owner_add(sctpa_tracker_t *tracker, uint32_t tag, sctpa_tracked_t *tracked, uint8_t end)
{
    const sctpa_end_t *owner = &tracked->assoc.ends[end];
    uint32_t number = tracked->assoc.number, at, hash = tag_hash(tracker, tag),
             ref = sctpa_slots_first(&tracker->owners, hash, &at);
    if (!(owner->has_vtag && owner->vtag == tag) && (ref == SCTPA_SLOT_NONE || !is_listed(tracker, ref, number, end)))
        remember_tag(tracked, tag);
    if (ref == SCTPA_SLOT_NONE)
        sctpa_slots_add(&tracker->owners, hash, candidates_add(tracker, 0, number, end));
    else
        sctpa_slots_set(&tracker->owners, at, candidates_add(tracker, ref, number, end));
}

static void owner_forget(sctpa_tracker_t *tracker, uint32_t tag, const sctpa_tracked_t *tracked)
{
    uint32_t at, ref = sctpa_slots_first(&tracker->owners, tag_hash(tracker, tag), &at);
    if (ref == SCTPA_SLOT_NONE)
        return;
    ref = sctpa_candidates_remove(tracker, ref, tracked);
    if (ref)
        sctpa_slots_set(&tracker->owners, at, ref);
    else
        sctpa_slots_remove(&tracker->owners, at);
}

sctpa_candidates_t sctpa_owner_find(const sctpa_tracker_t *tracker, uint32_t tag)
{
    uint32_t at, ref = sctpa_slots_first(&tracker->owners, tag_hash(tracker, tag), &at);
    return sctpa_candidates(tracker, ref == SCTPA_SLOT_NONE ? 0 : ref);
}

/* NULL: tag has not several owners. */
static sctpa_candidates_t *owners_of(const sctpa_tracker_t *tracker, uint32_t tag)
{
    uint32_t at, ref = sctpa_slots_first(&tracker->owners, tag_hash(tracker, tag), &at);
    return ref != SCTPA_SLOT_NONE && ref & REF_LIST ? sctpa_pool_at(&tracker->lists, ref & ~(uint32_t)REF_LIST) : NULL;
}

static void set_left(const sctpa_tracker_t *tracker, uint32_t tag, uint32_t assoc, uint8_t end, bool is_left)
{
    sctpa_candidates_t *owners = owners_of(tracker, tag);
    for (unsigned i = 0; owners && i < owners->n; i++)
        if (owners->assocs[i] == assoc && owners->ends[i] == end)
            owners->is_left[i] = is_left;
}

void sctpa_owner_leave(sctpa_tracker_t *tracker, uint32_t tag, uint32_t assoc, uint8_t end)
{
    tracker->has_left_owners = true;
    set_left(tracker, tag, assoc, end, true);
}

void sctpa_owner_reach(sctpa_tracker_t *tracker, uint32_t tag, uint32_t assoc, uint8_t end)
{
    if (tracker->has_left_owners)
        set_left(tracker, tag, assoc, end, false);
}

/* --- neighbours --- */

typedef struct {
    sctpa_candidates_ref_t list;
    /* SCTP port, UDP port above it: behind a NAT or a server all may share one address and SCTP port */
    uint32_t ports[2];
    sctpa_addr_t addrs[2];
    uint16_t holders; /* pairs and associations that know its number; at most UINT16_MAX: then it stays */
} neighbours_t;

static uint32_t port_of(uint16_t udp_port, uint16_t port)
{
    return (uint32_t)udp_port << 16 | port;
}

/* The same whichever end sent. */
static uint32_t hash_between(uint64_t source_hash, uint32_t source_port, uint64_t destination_hash,
                             uint32_t destination_port)
{
    return (uint32_t)(sctpa_hash_mix(source_hash, source_port) + sctpa_hash_mix(destination_hash, destination_port));
}

static uint32_t neighbours_hash(const sctpa_input_t *input)
{
    const sctpa_packet_t *packet = input->packet;
    return hash_between(input->source_hash, port_of(packet->udp_source, input->source_port), input->destination_hash,
                        port_of(packet->udp_destination, input->destination_port));
}

/* Is the packet between these, sent from the one at index from? */
static bool is_between(const neighbours_t *neighbours, const sctpa_input_t *input, unsigned from)
{
    const sctpa_packet_t *packet = input->packet;
    return neighbours->ports[from] == port_of(packet->udp_source, input->source_port) &&
           neighbours->ports[!from] == port_of(packet->udp_destination, input->destination_port) &&
           sctpa_addr_equal(&neighbours->addrs[from], &packet->source) &&
           sctpa_addr_equal(&neighbours->addrs[!from], &packet->destination);
}

/* Number of those that the packet is between, SCTPA_SLOT_NONE none; *from: which of the two sent it. */
static uint32_t neighbours_find(const sctpa_tracker_t *tracker, const sctpa_input_t *input, unsigned *from)
{
    uint32_t at, hash = neighbours_hash(input);
    const sctpa_slots_t *table = &tracker->neighbour_table;
    for (uint32_t n = sctpa_slots_first(table, hash, &at); n != SCTPA_SLOT_NONE;
         n = sctpa_slots_next(table, hash, &at)) {
        const neighbours_t *neighbours = sctpa_pool_at(&tracker->neighbours, n);
        for (*from = 0; *from < 2; ++*from)
            if (is_between(neighbours, input, *from))
                return n;
    }
    *from = 0;
    return SCTPA_SLOT_NONE;
}

static uint32_t neighbours_new(sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    const sctpa_packet_t *packet = input->packet;
    uint32_t number;
    neighbours_t *neighbours = sctpa_pool_add(&tracker->neighbours, &number);
    neighbours->ports[0] = port_of(packet->udp_source, input->source_port);
    neighbours->ports[1] = port_of(packet->udp_destination, input->destination_port);
    neighbours->addrs[0] = packet->source;
    neighbours->addrs[1] = packet->destination;
    sctpa_slots_add(&tracker->neighbour_table, neighbours_hash(input), number);
    return number;
}

/* Those that the packet is between, of which end from of the association is one now; their number. */
static neighbours_t *settle_between(sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t from,
                                    const sctpa_input_t *input, uint32_t *number, bool *was_listed)
{
    unsigned sender;
    *number = neighbours_find(tracker, input, &sender);
    if (*number == SCTPA_SLOT_NONE)
        *number = neighbours_new(tracker, input);
    neighbours_t *neighbours = sctpa_pool_at(&tracker->neighbours, *number);
    from ^= (uint8_t)sender;
    *was_listed = is_listed(tracker, neighbours->list, tracked->assoc.number, from);
    neighbours->list = candidates_add(tracker, neighbours->list, tracked->assoc.number, from);
    return neighbours;
}

static void hold(neighbours_t *neighbours)
{
    neighbours->holders += neighbours->holders < UINT16_MAX;
}

/* The association is one of those that have that number, whatever becomes of its pairs. */
static void remember_neighbours(sctpa_tracked_t *tracked, neighbours_t *neighbours, uint32_t number)
{
    sctpa_tracked_rare_t *rare = sctpa_tracked_rare(tracked);
    rare->neighbours = sctpa_arena_grow(tracked->arena, rare->neighbours, rare->n_neighbours, sizeof *rare->neighbours);
    rare->neighbours[rare->n_neighbours++] = number;
    hold(neighbours);
}

void sctpa_neighbour_add(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, sctpa_pair_t *pair,
                         const sctpa_input_t *input)
{
    uint32_t number;
    bool was_listed;
    hold(settle_between(tracker, tracked, pair->from, input, &number, &was_listed));
    pair->neighbours = number + 1;
}

void sctpa_neighbour_add_other(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from,
                               const sctpa_input_t *input)
{
    uint32_t number;
    bool was_listed;
    neighbours_t *neighbours = settle_between(tracker, tracked, from, input, &number, &was_listed);
    if (!was_listed)
        remember_neighbours(tracked, neighbours, number);
}

void sctpa_neighbour_stay(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_pair_t *pair)
{
    if (pair->neighbours)
        remember_neighbours(tracked, sctpa_pool_at(&tracker->neighbours, pair->neighbours - 1), pair->neighbours - 1);
}

static void neighbours_forget(sctpa_tracker_t *tracker, uint32_t number, const sctpa_tracked_t *tracked)
{
    neighbours_t *neighbours = sctpa_pool_at(&tracker->neighbours, number);
    neighbours->list = sctpa_candidates_remove(tracker, neighbours->list, tracked);
    if (neighbours->holders == UINT16_MAX || --neighbours->holders > 0)
        return;
    uint64_t seed = tracker->store.seed;
    uint32_t hash = hash_between(sctpa_addr_hash(seed, &neighbours->addrs[0]), neighbours->ports[0],
                                 sctpa_addr_hash(seed, &neighbours->addrs[1]), neighbours->ports[1]);
    sctpa_slots_remove(&tracker->neighbour_table, sctpa_slots_place(&tracker->neighbour_table, hash, number));
    sctpa_pool_remove(&tracker->neighbours, number);
}

void sctpa_lookup_forget(sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, const sctpa_tracked_t *member)
{
    const sctpa_tracked_rare_t *rare = member->rare;
    for (unsigned e = 0; e < 2; e++) {
        const sctpa_end_t *end = &member->assoc.ends[e];
        if (end->has_vtag)
            owner_forget(tracker, end->vtag, tracked);
        for (unsigned i = 0; i < end->n_pairs; i++)
            if (end->pairs[i]->neighbours)
                neighbours_forget(tracker, end->pairs[i]->neighbours - 1, tracked);
    }
    for (uint32_t i = 0; i < rare->n_tags; i++)
        owner_forget(tracker, rare->tags[i], tracked);
    for (uint32_t i = 0; i < rare->n_neighbours; i++)
        neighbours_forget(tracker, rare->neighbours[i], tracked);
}

sctpa_candidates_t sctpa_neighbour_find(const sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    unsigned sender;
    uint32_t number = neighbours_find(tracker, input, &sender);
    const neighbours_t *neighbours = number != SCTPA_SLOT_NONE ? sctpa_pool_at(&tracker->neighbours, number) : NULL;
    sctpa_candidates_t senders = sctpa_candidates(tracker, neighbours ? neighbours->list : 0);
    for (unsigned i = 0; i < senders.n; i++)
        senders.ends[i] ^= (uint8_t)sender;
    return senders;
}

sctpa_sender_t sctpa_candidate(const sctpa_tracker_t *tracker, const sctpa_candidates_t *list, unsigned i)
{
    sctpa_tracked_t *filed = g_ptr_array_index(tracker->assocs, list->assocs[i]);
    sctpa_tracked_prefetch(filed);
    sctpa_tracked_t *tracked = sctpa_tracked_at(tracker, list->assocs[i]);
    return (sctpa_sender_t){ tracked, filed == tracked ? list->ends[i] : list->ends[i] ^ filed->assoc.merged_swapped };
}

void sctpa_lookup_prefetch(const sctpa_tracker_t *tracker, const sctpa_input_t *input, uint32_t tag)
{
    sctpa_slots_prefetch(&tracker->neighbour_table, neighbours_hash(input));
    sctpa_slots_prefetch(&tracker->owners, tag_hash(tracker, tag));
}

void sctpa_lookup_init(sctpa_tracker_t *tracker)
{
    sctpa_pool_init(&tracker->lists, sizeof(sctpa_candidates_t));
    sctpa_slots_init(&tracker->owners);
    sctpa_pool_init(&tracker->neighbours, sizeof(neighbours_t));
    sctpa_slots_init(&tracker->neighbour_table);
}

void sctpa_lookup_free(sctpa_tracker_t *tracker)
{
    sctpa_pool_clear(&tracker->lists);
    sctpa_slots_clear(&tracker->owners);
    sctpa_pool_clear(&tracker->neighbours);
    sctpa_slots_clear(&tracker->neighbour_table);
}
