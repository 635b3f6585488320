/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The way that packets take: source, destination, ports and tag lead to the address pair of an association in one
 * look-up. Plain packets are counted here alone, so that a packet of one association among many touches little memory.
 */
#include "flow.h"

#include <stddef.h>
#include <string.h>

#include "base/hash.h"
#include "base/numbers.h"
#include "lookup.h"
#include "tracker.h"
#include "wire/address.h"

typedef struct {
    sctpa_host_rtt_t rtt; /* first, so that it leads to the host */
    sctpa_addr_t addr;
    uint32_t interface;
    uint8_t ttl;
} host_t;

void sctpa_hosts_init(sctpa_hosts_t *hosts)
{
    sctpa_pool_init(&hosts->hosts, sizeof(host_t));
    sctpa_slots_init(&hosts->table);
    hosts->seed = sctpa_hash_seed();
    hosts->is_closed = false;
}

void sctpa_hosts_free(sctpa_hosts_t *hosts)
{
    sctpa_pool_clear(&hosts->hosts);
    sctpa_slots_clear(&hosts->table);
}

static bool sent(const host_t *host, const sctpa_packet_t *packet)
{
    return host->interface == packet->interface && host->ttl == packet->ttl &&
           sctpa_addr_equal(&host->addr, &packet->source);
}

sctpa_host_rtt_t *sctpa_host_of(sctpa_hosts_t *hosts, const sctpa_packet_t *packet)
{
    uint32_t at;
    const uint32_t hash = (uint32_t)sctpa_hash_mix(sctpa_addr_hash(hosts->seed, &packet->source),
                                                   (uint64_t)packet->interface << 8 | packet->ttl);
    if (hosts->is_closed)
        return NULL;
    for (uint32_t n = sctpa_slots_first(&hosts->table, hash, &at); n != SCTPA_SLOT_NONE;
         n = sctpa_slots_next(&hosts->table, hash, &at)) {
        host_t *host = sctpa_pool_at(&hosts->hosts, n);
        if (sent(host, packet))
            return &host->rtt;
    }
    if (hosts->hosts.count == SCTPA_HOSTS_MAX)
        return NULL;
    uint32_t number;
    host_t *host = sctpa_pool_add(&hosts->hosts, &number);
    *host = (host_t){ { .most_ns = -1 }, packet->source, packet->interface, packet->ttl };
    sctpa_slots_add(&hosts->table, hash, number);
    return &host->rtt;
}

void sctpa_hosts_close(sctpa_hosts_t *hosts)
{
    if (hosts->is_closed)
        return;
    hosts->is_closed = true;
    for (uint32_t n = 0; n < hosts->hosts.count; n++)
        ((host_t *)sctpa_pool_at(&hosts->hosts, n))->rtt.is_closed = true;
}

enum { CACHE_LINE_BYTES = 64, DIRECTION_LINES = 4, V4_BYTES = 4 };

static bool is_v4(const sctpa_packet_t *packet)
{
    return packet->source.bytes == V4_BYTES && packet->destination.bytes == V4_BYTES;
}

static bool has_addrs(const sctpa_flow_t *flow, const sctpa_packet_t *packet)
{
    if (flow->is_v4)
        return is_v4(packet) && memcmp(flow->addrs.v4[0], packet->source.data, V4_BYTES) == 0 &&
               memcmp(flow->addrs.v4[1], packet->destination.data, V4_BYTES) == 0;
    return sctpa_addr_equal(&flow->addrs.other[0], &packet->source) &&
           sctpa_addr_equal(&flow->addrs.other[1], &packet->destination);
}

static void set_addrs(sctpa_flow_t *flow, sctpa_arena_t *arena, const sctpa_packet_t *packet)
{
    flow->is_v4 = is_v4(packet);
    if (flow->is_v4) {
        memcpy(flow->addrs.v4[0], packet->source.data, V4_BYTES);
        memcpy(flow->addrs.v4[1], packet->destination.data, V4_BYTES);
        return;
    }
    sctpa_addr_t *addrs = sctpa_arena_alloc(arena, 2 * sizeof *addrs);
    addrs[0] = packet->source;
    addrs[1] = packet->destination;
    flow->addrs.other = addrs;
}

static bool is_way(const sctpa_flow_t *flow, const sctpa_input_t *input)
{
    return flow->tag == input->vtag && flow->reflected == input->reflected && flow->source_port == input->source_port &&
           flow->destination_port == input->destination_port && has_addrs(flow, input->packet);
}

/* Number and place in the table of the flow of input; NULL none. */
static sctpa_flow_t *find(const sctpa_tracker_t *tracker, const sctpa_input_t *input, uint32_t *number, uint32_t *at)
{
    const sctpa_slots_t *table = &tracker->flow_table;
    for (*number = sctpa_slots_first(table, input->way_hash, at); *number != SCTPA_SLOT_NONE;
         *number = sctpa_slots_next(table, input->way_hash, at)) {
        sctpa_flow_t *flow = sctpa_pool_at(&tracker->flows, *number);
        if (is_way(flow, input))
            return flow;
    }
    return NULL;
}

void sctpa_flows_init(sctpa_tracker_t *tracker)
{
    sctpa_pool_init(&tracker->flows, sizeof(sctpa_flow_t));
    sctpa_slots_init(&tracker->flow_table);
}

void sctpa_flows_free(sctpa_tracker_t *tracker)
{
    sctpa_pool_clear(&tracker->flows);
    sctpa_slots_clear(&tracker->flow_table);
}

static void prefetch_direction(const sctpa_tracker_t *tracker, uint32_t number)
{
    if (number == 0)
        return;
    const uint8_t *direction = sctpa_pool_at(&tracker->store.directions, number - 1);
    for (unsigned line = 0; line < DIRECTION_LINES; line++)
        __builtin_prefetch(direction + line * CACHE_LINE_BYTES, 1);
}

void sctpa_flow_prefetch(const sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    uint32_t at, number = sctpa_slots_first(&tracker->flow_table, input->way_hash, &at);
    if (number == SCTPA_SLOT_NONE) {
        const sctpa_tlv_t *first = input->vtag == 0 ? sctpa_input_first(input) : NULL;
        sctpa_lookup_prefetch(tracker, input, first ? sctpa_tlv_u32(first, SCTPA_F_INIT_TAG) : input->vtag);
        return;
    }
    const sctpa_flow_t *flow = sctpa_pool_at(&tracker->flows, number);
    if (flow->plain)
        prefetch_direction(tracker, input->observation->rows & SCTPA_DATA_ROWS ? flow->sent : flow->acked);
}

sctpa_flow_t *sctpa_flow_find(const sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    uint32_t number, at;
    return find(tracker, input, &number, &at);
}

/* What a flow collected. Its two rows are among the first few, so that no arena is needed. */
static sctpa_counts_t collected(const sctpa_flow_t *flow)
{
    sctpa_counts_t counts = { .packets = flow->packets,
                              .first_frame = flow->last_frame,
                              .last_frame = flow->last_frame,
                              .first_ns = flow->last_ns,
                              .last_ns = flow->last_ns,
                              .wire_bytes = flow->wire_bytes,
                              .data_bytes = flow->data_bytes };
    sctpa_counts_add_chunks(&counts, NULL, flow->i_data ? SCTPA_CHUNK_ROW_I_DATA : SCTPA_CHUNK_ROW_DATA,
                            flow->data_chunks);
    sctpa_counts_add_chunks(&counts, NULL, flow->nr_sack ? SCTPA_CHUNK_ROW_NR_SACK : SCTPA_CHUNK_ROW_SACK,
                            flow->sack_chunks);
    return counts;
}

static void settle(sctpa_tracker_t *tracker, sctpa_flow_t *flow)
{
    sctpa_assoc_t *assoc = &((sctpa_tracked_t *)g_ptr_array_index(tracker->assocs, flow->pair->assoc))->assoc;
    sctpa_end_t *end = &assoc->ends[flow->pair->from];
    sctpa_counts_t counts = collected(flow);
    sctpa_counts_merge(&flow->pair->settled, &tracker->arena, &counts);
    if (end->settled != &flow->pair->settled)
        sctpa_counts_merge(end->settled, &tracker->arena, &counts);
    end->settled_checksums[flow->checksum] += flow->packets;
    if (flow->last_frame > assoc->known.last_frame) {
        assoc->known.last_frame = flow->last_frame;
        assoc->known.last_ns = flow->last_ns;
    }
    memset(&flow->packets, 0, offsetof(sctpa_flow_t, filed) - offsetof(sctpa_flow_t, packets));
}

static sctpa_flow_t *flow_at(const sctpa_tracker_t *tracker, uint32_t link)
{
    return link ? sctpa_pool_at(&tracker->flows, link - 1) : NULL;
}

/* Takes a flow out of the chain of its pair. */
static void chain_out(const sctpa_tracker_t *tracker, sctpa_flow_t *flow)
{
    sctpa_flow_t *before = flow_at(tracker, flow->before), *next = flow_at(tracker, flow->next);
    *(before ? &before->next : &flow->pair->flows) = flow->next;
    if (next)
        next->before = flow->before;
}

/* Puts a flow into the chain of its pair behind those that are plain. O(1): they are few. */
static void chain_in(const sctpa_tracker_t *tracker, sctpa_flow_t *flow, uint32_t number)
{
    sctpa_flow_t *before = NULL, *next;
    flow->before = 0;
    flow->next = flow->pair->flows;
    while ((next = flow_at(tracker, flow->next)) != NULL && next->plain) {
        before = next;
        flow->before = flow->next;
        flow->next = next->next;
    }
    *(before ? &before->next : &flow->pair->flows) = number + 1;
    if (next)
        next->before = number + 1;
}

/* The first flow of a pair that counts plain packets, and the next one; NULL none. */
static const sctpa_flow_t *plain_at(const sctpa_tracker_t *tracker, uint32_t link)
{
    const sctpa_flow_t *flow = flow_at(tracker, link);
    return flow && flow->plain ? flow : NULL;
}

static unsigned plain_flows(const sctpa_tracker_t *tracker, const sctpa_pair_t *pair)
{
    unsigned n = 0;
    for (const sctpa_flow_t *flow = plain_at(tracker, pair->flows); flow; flow = plain_at(tracker, flow->next))
        n++;
    return n;
}

void sctpa_flow_set_plain(sctpa_tracker_t *tracker, sctpa_flow_t *flow, const sctpa_input_t *input, bool is_plain)
{
    uint32_t number, at;
    if (is_plain == flow->plain || !find(tracker, input, &number, &at) ||
        (is_plain && plain_flows(tracker, flow->pair) == SCTPA_PLAIN_FLOWS_MAX))
        return;
    chain_out(tracker, flow);
    if (flow->packets > 0)
        settle(tracker, flow);
    flow->plain = false;
    chain_in(tracker, flow, number);
    flow->plain = is_plain;
}

/* The flow of a way, new or emptied, in the chain of no pair; its number. The one without a tag has none, and nobody
 * asks where it goes. */
static sctpa_flow_t *flow_of(sctpa_tracker_t *tracker, const sctpa_input_t *input, uint32_t *number)
{
    uint32_t at;
    sctpa_flow_t *flow = input->vtag != 0 ? find(tracker, input, number, &at) : &tracker->untagged;
    if (!flow) {
        flow = sctpa_pool_add(&tracker->flows, number);
        set_addrs(flow, &tracker->arena, input->packet);
        sctpa_slots_add(&tracker->flow_table, input->way_hash, *number);
        return flow;
    }
    if (input->vtag == 0) {
        *number = SCTPA_SLOT_NONE;
    } else {
        if (flow->packets > 0)
            settle(tracker, flow);
        chain_out(tracker, flow);
    }
    *flow = (sctpa_flow_t){ .addrs = flow->addrs, .is_v4 = flow->is_v4 };
    return flow;
}

sctpa_flow_t *sctpa_flow_add(sctpa_tracker_t *tracker, const sctpa_input_t *input, sctpa_pair_t *pair,
                             uint32_t pair_index)
{
    uint32_t number;
    sctpa_flow_t *flow = flow_of(tracker, input, &number);
    flow->source_port = input->source_port;
    flow->destination_port = input->destination_port;
    flow->tag = input->vtag;
    flow->reflected = input->reflected;
    flow->pair = pair;
    flow->pair_index = (uint8_t)pair_index;
    if (number != SCTPA_SLOT_NONE)
        chain_in(tracker, flow, number);
    sctpa_owner_reach(tracker, input->vtag, pair->assoc, !pair->from);
    return flow;
}

static void note(sctpa_tracker_t *tracker, sctpa_flow_t *flow, uint32_t serial, bool is_tsn)
{
    if ((uint32_t)sctpa_serial_distance(flow->filed, serial) < SCTPA_NOTE_TSNS)
        return;
    sctpa_tracked_t *tracked = g_ptr_array_index(tracker->assocs, flow->assoc);
    sctpa_side_t *side = &tracked->sides[flow->from];
    flow->filed = serial;
    if (is_tsn) {
        side->tsn = serial;
        side->has_tsn = true;
    } else {
        side->cum_tsn = serial;
        side->has_cum_tsn = true;
    }
}

/* What the chunks of one plain packet add. */
typedef struct {
    uint32_t data, i_data, sack, nr_sack, serial;
    uint64_t data_bytes;
    bool is_tsn;
} plain_t;

static bool plain_chunk(plain_t *plain, const sctpa_tlv_t *chunk)
{
    switch (chunk->type) {
    case SCTPA_CHUNK_DATA: plain->data++; break;
    case SCTPA_CHUNK_I_DATA: plain->i_data++; break;
    case SCTPA_CHUNK_SACK: plain->sack++; break;
    case SCTPA_CHUNK_NR_SACK: plain->nr_sack++; break;
    default: return false;
    }
    if (chunk->captured_bytes >= SCTPA_TLV_HEADER_BYTES + 4) {
        plain->serial = sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN);
        plain->is_tsn = chunk->type == SCTPA_CHUNK_DATA || chunk->type == SCTPA_CHUNK_I_DATA;
    }
    plain->data_bytes += sctpa_chunk_payload_bytes(chunk);
    return true;
}

/* Do the chunks fit what the flow counts? A flow that has counted none takes either kind. */
static bool kind_fits(sctpa_flow_t *flow, const plain_t *plain)
{
    bool i_data = plain->i_data > 0, nr_sack = plain->nr_sack > 0;
    if ((i_data && plain->data > 0) || (nr_sack && plain->sack > 0) ||
        (flow->data_chunks > 0 && plain->data + plain->i_data > 0 && flow->i_data != i_data) ||
        (flow->sack_chunks > 0 && plain->sack + plain->nr_sack > 0 && flow->nr_sack != nr_sack))
        return false;
    if (plain->data + plain->i_data > 0)
        flow->i_data = i_data;
    if (plain->sack + plain->nr_sack > 0)
        flow->nr_sack = nr_sack;
    return true;
}

bool sctpa_flow_take(sctpa_tracker_t *tracker, sctpa_flow_t *flow, const sctpa_input_t *input,
                     sctpa_checksum_t checksum)
{
    const sctpa_packet_t *packet = input->packet;
    plain_t plain = { .serial = flow->filed };
    for (uint32_t i = 0; i < input->observation->n; i++)
        if (!plain_chunk(&plain, &input->observation->chunks[i].tlv))
            return false;
    if ((flow->packets > 0 && flow->checksum != checksum) || !kind_fits(flow, &plain))
        return false;
    uint32_t wire_bytes = packet->ip_bytes ? packet->ip_bytes : packet->wire_bytes;
    if (wire_bytes > UINT32_MAX - flow->wire_bytes || plain.data_bytes > UINT32_MAX - flow->data_bytes)
        settle(tracker, flow);
    flow->packets++;
    flow->last_frame = packet->frame;
    flow->last_ns = packet->time_ns;
    flow->wire_bytes += wire_bytes;
    flow->data_bytes += (uint32_t)plain.data_bytes;
    flow->data_chunks += plain.data + plain.i_data;
    flow->sack_chunks += plain.sack + plain.nr_sack;
    flow->checksum = (uint8_t)checksum;
    note(tracker, flow, plain.serial, plain.is_tsn);
    return true;
}

static void add_collected(const sctpa_tracker_t *tracker, const sctpa_pair_t *pair, sctpa_counts_copy_t *copy)
{
    for (const sctpa_flow_t *flow = plain_at(tracker, pair->flows); flow; flow = plain_at(tracker, flow->next)) {
        sctpa_counts_t counts = collected(flow);
        sctpa_counts_merge(&copy->counts, NULL, &counts);
    }
}

void sctpa_flows_pair_counts(const sctpa_tracker_t *tracker, const sctpa_pair_t *pair, sctpa_counts_copy_t *copy)
{
    sctpa_counts_copy(copy, &pair->settled);
    add_collected(tracker, pair, copy);
}

void sctpa_flows_end_counts(const sctpa_tracker_t *tracker, const sctpa_end_t *end, sctpa_counts_copy_t *copy)
{
    sctpa_counts_copy(copy, end->settled);
    for (unsigned i = 0; i < end->n_pairs; i++)
        add_collected(tracker, end->pairs[i], copy);
}

uint32_t sctpa_flows_end_packets(const sctpa_tracker_t *tracker, const sctpa_end_t *end)
{
    uint32_t packets = end->settled->packets;
    for (unsigned i = 0; i < end->n_pairs; i++)
        for (const sctpa_flow_t *flow = plain_at(tracker, end->pairs[i]->flows); flow;
             flow = plain_at(tracker, flow->next))
            packets += flow->packets;
    return packets;
}

void sctpa_flows_end_checksums(const sctpa_tracker_t *tracker, const sctpa_end_t *end,
                               uint32_t checksums[SCTPA_CHECKSUMS])
{
    memcpy(checksums, end->settled_checksums, sizeof end->settled_checksums);
    for (unsigned i = 0; i < end->n_pairs; i++)
        for (const sctpa_flow_t *flow = plain_at(tracker, end->pairs[i]->flows); flow;
             flow = plain_at(tracker, flow->next))
            checksums[flow->checksum] += flow->packets;
}

void sctpa_flows_last(const sctpa_tracker_t *tracker, const sctpa_pair_t *pair, sctpa_outcome_t *outcome)
{
    for (const sctpa_flow_t *flow = plain_at(tracker, pair->flows); flow; flow = plain_at(tracker, flow->next))
        if (flow->packets > 0 && flow->last_frame > outcome->last_frame) {
            outcome->last_frame = flow->last_frame;
            outcome->last_ns = flow->last_ns;
        }
}

/* Gives a flow back, which stands at a place of the table. */
static void give_back(sctpa_tracker_t *tracker, sctpa_flow_t *flow, uint32_t number, uint32_t at)
{
    chain_out(tracker, flow);
    if (!flow->is_v4)
        sctpa_arena_free(&tracker->arena, (sctpa_addr_t *)flow->addrs.other, 2 * sizeof(sctpa_addr_t));
    sctpa_slots_remove(&tracker->flow_table, at);
    sctpa_pool_remove(&tracker->flows, number);
}

static void forget(sctpa_tracker_t *tracker, const sctpa_input_t *way, uint32_t assoc)
{
    uint32_t number, at;
    sctpa_flow_t *flow = find(tracker, way, &number, &at);
    if (!flow || flow->pair->assoc != assoc)
        return;
    if (flow->packets > 0)
        settle(tracker, flow);
    give_back(tracker, flow, number, at);
}

void sctpa_flows_forget(sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t from, uint32_t tag)
{
    const sctpa_end_t *end = &tracked->assoc.ends[from], *peer = &tracked->assoc.ends[!from];
    uint32_t at;
    for (unsigned i = 0; i < end->n_pairs; i++) {
        const sctpa_pair_t *pair = end->pairs[i];
        sctpa_packet_t packet = { .source = *pair->source, .destination = *pair->destination };
        sctpa_input_t way = {
            .packet = &packet, .source_port = end->port, .destination_port = peer->port, .vtag = tag
        };
        sctpa_input_hash(tracker, &way);
        if (sctpa_slots_first(&tracker->flow_table, way.way_hash, &at) == SCTPA_SLOT_NONE)
            continue;
        forget(tracker, &way, tracked->assoc.number);
        way.reflected = true;
        forget(tracker, &way, tracked->assoc.number);
    }
}

/* The way of a flow, as a packet takes it; in *packet are its addresses. */
static sctpa_input_t way_of(const sctpa_tracker_t *tracker, const sctpa_flow_t *flow, sctpa_packet_t *packet)
{
    sctpa_input_t way = { .packet = packet,
                          .source_port = flow->source_port,
                          .destination_port = flow->destination_port,
                          .vtag = flow->tag };
    *packet = (sctpa_packet_t){ .source = { .bytes = V4_BYTES }, .destination = { .bytes = V4_BYTES } };
    if (flow->is_v4) {
        memcpy(packet->source.data, flow->addrs.v4[0], V4_BYTES);
        memcpy(packet->destination.data, flow->addrs.v4[1], V4_BYTES);
    } else {
        packet->source = flow->addrs.other[0];
        packet->destination = flow->addrs.other[1];
    }
    sctpa_input_hash(tracker, &way);
    return way;
}

void sctpa_flows_forget_pair(sctpa_tracker_t *tracker, const sctpa_pair_t *pair)
{
    while (pair->flows > 0) {
        sctpa_packet_t packet;
        uint32_t number = pair->flows - 1;
        sctpa_flow_t *flow = sctpa_pool_at(&tracker->flows, number);
        sctpa_input_t way = way_of(tracker, flow, &packet);
        give_back(tracker, flow, number, sctpa_slots_place(&tracker->flow_table, way.way_hash, number));
    }
}
