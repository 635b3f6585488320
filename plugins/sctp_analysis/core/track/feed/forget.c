/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes an association out of all tables, then gives its memory back, which the next ones take. Leaves records and
 * stamps of packets to kept_packets.c, and out what else is kept of packets (frames of late events, the table of
 * duplicate packets): they lead to associations by number. */
#include "feed_parts.h"
#include "path_states.h"
#include "track/endpoints.h"
#include "track/flow.h"
#include "track/identity/half_matching.h"
#include "track/identity/two_taps.h"
#include "track/lookup.h"
#include "track/tracker.h"

/* Nothing leads any more to the association by member: itself, or a half merged into it. */
static void take_out(sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, sctpa_tracked_t *member)
{
    for (uint8_t e = 0; e < 2; e++) {
        for (unsigned i = 0; i < member->assoc.ends[e].n_pairs; i++)
            sctpa_flows_forget_pair(tracker, member->assoc.ends[e].pairs[i]);
        sctpa_half_match_forget(tracker, tracked, member, e);
    }
    sctpa_lookup_forget(tracker, tracked, member);
}

static void bytes_free(sctpa_arena_t *arena, const sctpa_bytes_t *bytes)
{
    sctpa_arena_free(arena, bytes->data, bytes->length);
}

static void end_free(sctpa_tracked_t *tracked, uint8_t e)
{
    sctpa_arena_t *arena = tracked->arena;
    const sctpa_end_t *end = &tracked->assoc.ends[e];
    const sctpa_side_t *side = &tracked->sides[e];
    sctpa_requests_t *requests = side->rare->requests;
    if (side->sent)
        sctpa_direction_free(side->sent);
    if (requests) {
        bytes_free(arena, &requests->asconf.params);
        bytes_free(arena, &requests->reconfig.params);
        sctpa_arena_free(arena, requests, sizeof *requests);
    }
    for (unsigned i = 0; i < end->n_paths; i++) {
        sctpa_two_taps_clear(tracked, end->paths[i].probing->two_taps);
        sctpa_arena_free(arena, end->paths[i].probing->two_taps, sizeof(sctpa_two_taps_t));
    }
    sctpa_failover_free(tracked, e);
    sctpa_arena_free_grown(arena, end->rare->address_requests, end->rare->n_address_requests,
                           sizeof *end->rare->address_requests);
    sctpa_arena_free(arena, end->rare->unknown_chunks, SCTPA_CHUNK_VALUES * sizeof *end->rare->unknown_chunks);
}

static void give_back(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked)
{
    sctpa_arena_t *arena = tracked->arena;
    const sctpa_assoc_t *assoc = &tracked->assoc;
    const sctpa_tracked_rare_t *rare = tracked->rare;
    sctpa_two_taps_data_free(tracked);
    sctpa_announcements_free(tracked);
    for (uint8_t e = 0; e < 2; e++)
        end_free(tracked, e);
    for (uint32_t i = 0; i < assoc->n_events; i++)
        sctpa_arena_free_text(arena, assoc->events[i].detail);
    sctpa_arena_free_grown(arena, assoc->events, assoc->n_events, sizeof *assoc->events);
    sctpa_arena_free_text(arena, assoc->end_text);
    sctpa_arena_free_text(arena, assoc->end_contents);
    sctpa_arena_free_grown(arena, rare->tags, rare->n_tags, sizeof *rare->tags);
    sctpa_arena_free_grown(arena, rare->neighbours, rare->n_neighbours, sizeof *rare->neighbours);
    sctpa_icmp_free(tracked);
    sctpa_half_closed_free(tracked);
    sctpa_arena_free(arena, rare->after_abort, sizeof *rare->after_abort);
    g_ptr_array_index(tracker->assocs, assoc->number) = (sctpa_tracked_t *)&sctpa_tracked_none;
    sctpa_tracked_free(tracked);
}

/* The half merged before another (1 + number each), NULL none. */
static sctpa_tracked_t *half_at(const sctpa_tracker_t *tracker, uint32_t link)
{
    return link ? g_ptr_array_index(tracker->assocs, link - 1) : NULL;
}

void sctpa_tracker_forget(sctpa_tracker_t *tracker, uint32_t number)
{
    sctpa_tracked_t *tracked = sctpa_tracked_at(tracker, number), *half;
    if (sctpa_tracked_is_none(tracked))
        return;
    const uint32_t halves = tracked->rare->last_half, packets = sctpa_flows_packets(tracker, &tracked->assoc);
    take_out(tracker, tracked, tracked);
    for (uint32_t link = halves; (half = half_at(tracker, link)) != NULL; link = half->rare->half_before)
        take_out(tracker, tracked, half);
    for (uint32_t link = halves; (half = half_at(tracker, link)) != NULL;) {
        link = half->rare->half_before;
        give_back(tracker, half);
    }
    give_back(tracker, tracked);
    tracker->untagged = (sctpa_flow_t){ .pair = NULL };
    sctpa_kept_packets_forget(tracker, packets);
}

static size_t table_bytes(const sctpa_slots_t *table)
{
    return table->used * sizeof(sctpa_slot_t);
}

size_t sctpa_tracker_held_bytes(const sctpa_tracker_t *tracker)
{
    const sctpa_store_t *store = &tracker->store;
    return tracker->arena.in_use_bytes + store->arena.in_use_bytes + sctpa_pool_bytes(&store->directions) +
           sctpa_pool_bytes(&store->tsns) + sctpa_pool_bytes(&store->pages) + table_bytes(&store->page_table) +
           sctpa_pool_bytes(&tracker->flows) + table_bytes(&tracker->flow_table) + sctpa_pool_bytes(&tracker->lists) +
           table_bytes(&tracker->owners) + sctpa_pool_bytes(&tracker->neighbours) +
           table_bytes(&tracker->neighbour_table) + sctpa_pool_bytes(&tracker->halves) +
           table_bytes(&tracker->half_table);
}
