/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Joining two halves of an association that were seen apart, and undoing a join that turned out wrong.
 * A half is an association of which only one end was seen to send. */
#include "half_matching.h"
#include "identity_parts.h"
#include "track/endpoints.h"
#include "track/input.h"
#include "track/lookup.h"
#include "track/tracker.h"

static void swap_bytes(void *a, void *b, size_t size)
{
    uint8_t *x = a, *y = b;
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = x[i];
        x[i] = y[i];
        y[i] = byte;
    }
}
#define SWAP(a, b) swap_bytes(&(a), &(b), sizeof(a))

/* Exchanges what two ends sent; tags, ports and set-up stay. */
static void swap_sent(sctpa_end_t *a, sctpa_end_t *b)
{
    SWAP(a->n_paths, b->n_paths);
    SWAP(a->paths, b->paths);
    SWAP(a->n_pairs, b->n_pairs);
    SWAP(a->pairs, b->pairs);
    SWAP(a->settled, b->settled);
    SWAP(a->settled_checksums, b->settled_checksums);
    SWAP(a->rare, b->rare);
}

static void pairs_relabel(sctpa_end_t *end, uint32_t assoc, uint8_t from)
{
    for (unsigned i = 0; i < end->n_pairs; i++) {
        sctpa_pair_t *pair = end->pairs[i];
        pair->assoc = assoc;
        pair->from = from;
    }
}

static void addrs_copy(sctpa_tracked_t *into, uint8_t end, const sctpa_end_t *from)
{
    for (unsigned i = 0; i < from->n_addrs; i++) {
        const sctpa_known_addr_t *known = &from->addrs[i];
        sctpa_end_add_addr(into, end, &known->addr, known->origin);
    }
}

static void tag_take(sctpa_end_t *into, const sctpa_end_t *from)
{
    if (!into->has_vtag && from->has_vtag) {
        into->has_vtag = true;
        into->vtag = from->vtag;
    }
    if (!into->init.seen)
        into->init = from->init;
    into->sent_without_data |= from->sent_without_data;
}

static void span_extend(sctpa_assoc_t *into, const sctpa_assoc_t *from)
{
    if (from->first_frame < into->first_frame) {
        into->first_frame = from->first_frame;
        into->first_ns = from->first_ns;
    }
    if (from->known.last_frame > into->known.last_frame) {
        into->known.last_frame = from->known.last_frame;
        into->known.last_ns = from->known.last_ns;
    }
}

/* Both lists are in order of frame, and so is what they become; at the same frame those of into come first. The last of
 * them give way where there are more than an association keeps. O(events). */
static void events_take(sctpa_tracked_t *into, sctpa_assoc_t *from, bool swapped)
{
    sctpa_assoc_t *assoc = &into->assoc;
    uint32_t old = assoc->n_events, taken = from->n_events, kept = MIN(old + taken, SCTPA_EVENTS_MAX);
    assoc->events_dropped += old + taken - kept + from->events_dropped;
    for (; assoc->n_events < kept; assoc->n_events++)
        assoc->events = sctpa_arena_grow(into->arena, assoc->events, assoc->n_events, sizeof *assoc->events);
    for (uint32_t at = old + taken, left = taken; left > 0; at--) {
        bool is_old = old > 0 && assoc->events[old - 1].frame > from->events[left - 1].frame;
        sctpa_event_t event = is_old ? assoc->events[--old] : from->events[--left];
        if (!is_old && event.end < SCTPA_NO_END)
            event.end ^= swapped;
        if (at <= kept)
            assoc->events[at - 1] = event;
        else
            sctpa_arena_free_text(into->arena, event.detail);
    }
    sctpa_arena_free_grown(into->arena, from->events, taken, sizeof *from->events);
    from->events = NULL;
    from->n_events = from->events_dropped = 0;
}

static void outcome_take(sctpa_tracked_t *into, sctpa_tracked_t *from, bool swapped)
{
    memset(into->closing, 0, sizeof into->closing);
    if (from->assoc.known.end == SCTPA_ASSOC_OPEN)
        return;
    into->is_aborted = from->is_aborted;
    into->may_be_taken = from->may_be_taken;
    into->ip_id_before_abort = from->ip_id_before_abort;
    into->ttl_before_abort = from->ttl_before_abort;
    into->ip_id_of_abort = from->ip_id_of_abort;
    into->ttl_of_abort = from->ttl_of_abort;
    if (into->rare->after_abort)
        *into->rare->after_abort = (sctpa_after_abort_t){ .answers = 0 };
    into->assoc.known.end = from->assoc.known.end;
    into->assoc.known.end_by =
        from->assoc.known.end_by < SCTPA_NO_END ? from->assoc.known.end_by ^ swapped : SCTPA_NO_END;
    into->assoc.end_frame = from->assoc.end_frame;
    into->assoc.end_ns = from->assoc.end_ns;
    into->assoc.end_cause = from->assoc.end_cause;
    into->assoc.end_reflected = from->assoc.end_reflected;
    SWAP(into->assoc.end_text, from->assoc.end_text);
    SWAP(into->assoc.end_contents, from->assoc.end_contents);
}

/* What the half's SACKs said of data of the other, or the other's of the half's. */
static void data_take(sctpa_side_t *into, sctpa_side_t *from, bool data_only)
{
    if (!from->sent)
        return;
    if (into->sent)
        sctpa_direction_join(into->sent, from->sent, data_only);
    else {
        SWAP(into->sent, from->sent);
        into->peer_tap_rtt = from->peer_tap_rtt;
        into->sent->receiver_tap_rtt = &into->peer_tap_rtt;
    }
    into->sent->watched = true;
}

/* What two sides exchanged has moved with them. */
static void sides_settle(sctpa_tracked_t *tracked)
{
    for (uint8_t e = 0; e < 2; e++)
        if (tracked->sides[e].sent)
            tracked->sides[e].sent->receiver_tap_rtt = &tracked->sides[e].peer_tap_rtt;
}

static void data_part(sctpa_side_t *side)
{
    if (side->sent)
        sctpa_direction_forget_acks(side->sent);
}

void sctpa_tracked_merge(sctpa_tracker_t *tracker, sctpa_tracked_t *into, sctpa_tracked_t *half, bool swapped)
{
    for (uint8_t e = 0; e < 2; e++) {
        sctpa_end_t *from = &half->assoc.ends[e], *to = &into->assoc.ends[e ^ swapped];
        tag_take(to, from);
        addrs_copy(into, e ^ swapped, from);
        if (to->has_vtag) {
            sctpa_owner_add(tracker, to->vtag, into, e ^ swapped);
            sctpa_owner_reach(tracker, to->vtag, into->assoc.number, e ^ swapped);
        }
        if (from->settled->packets > 0) {
            swap_sent(to, from);
            SWAP(into->sides[e ^ swapped], half->sides[e]);
            pairs_relabel(to, into->assoc.number, e ^ swapped);
        }
    }
    sides_settle(into);
    sides_settle(half);
    for (uint8_t e = 0; e < 2; e++)
        data_take(&into->sides[e ^ swapped], &half->sides[e], !tracker->holds_more);
    span_extend(&into->assoc, &half->assoc);
    events_take(into, &half->assoc, swapped);
    outcome_take(into, half, swapped);
    half->assoc.merged_into = into->assoc.number;
    half->assoc.merged_swapped = swapped;
    sctpa_tracked_rare(half)->half_before = into->rare->last_half;
    sctpa_tracked_rare(into)->last_half = half->assoc.number + 1;
    into->reshaped++;
}

sctpa_tracked_t *sctpa_tracked_split(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint32_t index)
{
    uint8_t leaver = tracked->unproven_end;
    sctpa_end_t *end = &tracked->assoc.ends[leaver], *peer = &tracked->assoc.ends[!leaver];
    sctpa_pair_t *pair = end->pairs[0];
    sctpa_packet_t first = { .frame = end->settled->first_frame,
                             .time_ns = end->settled->first_ns,
                             .source = *pair->source,
                             .destination = *pair->destination,
                             .encapsulation = tracked->assoc.encapsulation };
    sctpa_input_t input = { .packet = &first, .source_port = end->port, .destination_port = peer->port };
    sctpa_input_hash(tracker, &input);
    sctpa_tracked_t *left = sctpa_tracked_new(tracker, &input);

    for (unsigned i = 0; i < end->n_pairs; i++)
        sctpa_neighbour_stay(tracker, tracked, end->pairs[i]);
    sctpa_half_match_forget(tracker, tracked, tracked, leaver);
    swap_sent(&left->assoc.ends[0], end);
    left->assoc.ends[0].sent_without_data = end->sent_without_data;
    end->sent_without_data = false;
    SWAP(left->sides[0], tracked->sides[leaver]);
    sides_settle(left);
    sides_settle(tracked);
    data_part(&left->sides[0]);
    data_part(&tracked->sides[!leaver]);
    pairs_relabel(&left->assoc.ends[0], left->assoc.number, 0);
    addrs_copy(left, 0, end);
    addrs_copy(left, 1, peer);
    sctpa_end_own_addrs(left, 0);
    left->assoc.known.last_frame = left->assoc.ends[0].settled->last_frame;
    left->assoc.known.last_ns = left->assoc.ends[0].settled->last_ns;
    left->assoc.ends[1].has_vtag = peer->has_vtag;
    left->assoc.ends[1].vtag = peer->vtag;
    sctpa_end_set_tag(tracked, !leaver, 0);
    sctpa_owner_add(tracker, left->assoc.ends[1].vtag, left, 1);
    sctpa_neighbour_add_other(tracker, left, 0, &input);
    tracked->unproven = false;
    tracked->disproved = true;
    sctpa_tracked_rare_t *rare = sctpa_tracked_rare(tracked);
    rare->moved_to[leaver] = left->assoc.number;
    rare->moved_before[leaver] = index;
    tracked->reshaped++;
    return left;
}

sctpa_tracked_t *sctpa_record_assoc(const sctpa_tracker_t *tracker, const sctpa_record_t *record, uint32_t index,
                                    uint8_t *from)
{
    sctpa_tracked_t *tracked = g_ptr_array_index(tracker->assocs, record->assoc);
    *from = record->from;
    if (tracked->rare->moved_to[*from] != SCTPA_NO_ASSOC && index < tracked->rare->moved_before[*from]) {
        tracked = g_ptr_array_index(tracker->assocs, tracked->rare->moved_to[*from]);
        *from = 0;
    }
    if (tracked->assoc.merged_into != SCTPA_NO_ASSOC) {
        *from ^= tracked->assoc.merged_swapped;
        tracked = g_ptr_array_index(tracker->assocs, tracked->assoc.merged_into);
    }
    return tracked;
}
