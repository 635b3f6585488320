/* Joining two halves of an association that were seen apart, and undoing a join that turned out wrong.
 * A half is an association of which only one end was seen to send. */
#include "tracker.h"

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
    SWAP(a->paths, b->paths);
    SWAP(a->pairs, b->pairs);
    SWAP(a->counts, b->counts);
    SWAP(a->unknown_chunks, b->unknown_chunks);
    SWAP(a->checksums, b->checksums);
    SWAP(a->auth_good, b->auth_good);
    SWAP(a->auth_bad, b->auth_bad);
    SWAP(a->auth_unverified, b->auth_unverified);
}

static void pairs_relabel(sctpa_end_t *end, uint32_t assoc, uint8_t from)
{
    for (unsigned i = 0; i < end->pairs->len; i++) {
        sctpa_pair_t *pair = g_ptr_array_index(end->pairs, i);
        pair->assoc = assoc;
        pair->from = from;
    }
}

static void addrs_copy(sctpa_end_t *into, const sctpa_end_t *from)
{
    for (unsigned i = 0; i < from->addrs->len; i++) {
        const sctpa_known_addr_t *known = &g_array_index(from->addrs, sctpa_known_addr_t, i);
        sctpa_end_add_addr(into, &known->addr, known->origin);
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
}

static void span_extend(sctpa_assoc_t *into, const sctpa_assoc_t *from)
{
    if (from->first_frame < into->first_frame) {
        into->first_frame = from->first_frame;
        into->first_ns = from->first_ns;
    }
    if (from->last_frame > into->last_frame) {
        into->last_frame = from->last_frame;
        into->last_ns = from->last_ns;
    }
}

static int event_order(gconstpointer a, gconstpointer b)
{
    const sctpa_event_t *x = a, *y = b;
    return x->frame < y->frame ? -1 : x->frame > y->frame;
}

static void events_take(sctpa_assoc_t *into, sctpa_assoc_t *from, bool swapped)
{
    if (!from->events)
        return;
    for (unsigned i = 0; i < from->events->len; i++) {
        sctpa_event_t *event = &g_array_index(from->events, sctpa_event_t, i);
        if (event->end < SCTPA_NO_END)
            event->end ^= swapped;
    }
    if (!into->events) {
        SWAP(into->events, from->events);
        return;
    }
    for (unsigned i = 0; i < from->events->len; i++) {
        sctpa_event_t *event = &g_array_index(from->events, sctpa_event_t, i);
        g_array_append_val(into->events, *event);
        event->detail = NULL;
    }
    g_array_sort(into->events, event_order);
}

static void outcome_take(sctpa_tracked_t *into, sctpa_tracked_t *from, bool swapped)
{
    if (from->assoc.end == SCTPA_ASSOC_OPEN)
        return;
    into->assoc.end = from->assoc.end;
    into->assoc.end_by = from->assoc.end_by < SCTPA_NO_END ? from->assoc.end_by ^ swapped : SCTPA_NO_END;
    into->assoc.end_frame = from->assoc.end_frame;
    into->assoc.end_cause = from->assoc.end_cause;
    SWAP(into->assoc.end_text, from->assoc.end_text);
}

void sctpa_tracked_merge(sctpa_tracker_t *tracker, sctpa_tracked_t *into, sctpa_tracked_t *half, bool swapped)
{
    for (uint8_t e = 0; e < 2; e++) {
        sctpa_end_t *from = &half->assoc.ends[e], *to = &into->assoc.ends[e ^ swapped];
        tag_take(to, from);
        addrs_copy(to, from);
        if (to->has_vtag)
            sctpa_owner_add(tracker, to->vtag, into, e ^ swapped);
        if (from->counts.packets > 0) {
            swap_sent(to, from);
            SWAP(into->sides[e ^ swapped], half->sides[e]);
            pairs_relabel(to, into->assoc.number, e ^ swapped);
        }
    }
    span_extend(&into->assoc, &half->assoc);
    events_take(&into->assoc, &half->assoc, swapped);
    outcome_take(into, half, swapped);
    half->assoc.merged_into = into->assoc.number;
    half->assoc.merged_swapped = swapped;
}

sctpa_tracked_t *sctpa_tracked_split(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint32_t index)
{
    uint8_t leaver = tracked->unproven_end;
    sctpa_end_t *end = &tracked->assoc.ends[leaver], *peer = &tracked->assoc.ends[!leaver];
    sctpa_pair_t *pair = g_ptr_array_index(end->pairs, 0);
    sctpa_packet_t first = { .frame = end->counts.first_frame, .time_ns = end->counts.first_ns, .source = pair->source,
                             .destination = pair->destination, .encapsulation = tracked->assoc.encapsulation };
    sctpa_input_t input = { .packet = &first, .source_port = end->port, .destination_port = peer->port };
    sctpa_input_hash(&input);
    sctpa_tracked_t *left = sctpa_tracked_new(tracker, &input);

    swap_sent(&left->assoc.ends[0], end);
    SWAP(left->sides[0], tracked->sides[leaver]);
    pairs_relabel(&left->assoc.ends[0], left->assoc.number, 0);
    addrs_copy(&left->assoc.ends[0], end);
    addrs_copy(&left->assoc.ends[1], peer);
    left->assoc.last_frame = left->assoc.ends[0].counts.last_frame;
    left->assoc.last_ns = left->assoc.ends[0].counts.last_ns;
    SWAP(left->assoc.ends[1].has_vtag, peer->has_vtag);
    SWAP(left->assoc.ends[1].vtag, peer->vtag);
    sctpa_owner_add(tracker, left->assoc.ends[1].vtag, left, 1);
    sctpa_neighbour_add(tracker, left, 0, &input);
    tracked->unproven = false;
    tracked->disproved = true;
    tracked->moved_to[leaver] = left->assoc.number;
    tracked->moved_before[leaver] = index;
    return left;
}

sctpa_tracked_t *sctpa_record_assoc(const sctpa_tracker_t *tracker, const sctpa_record_t *record, uint32_t index, uint8_t *from)
{
    sctpa_tracked_t *tracked = g_ptr_array_index(tracker->assocs, record->assoc);
    *from = record->from;
    if (tracked->moved_to[*from] != SCTPA_NO_ASSOC && index < tracked->moved_before[*from]) {
        tracked = g_ptr_array_index(tracker->assocs, tracked->moved_to[*from]);
        *from = 0;
    }
    if (tracked->assoc.merged_into != SCTPA_NO_ASSOC) {
        *from ^= tracked->assoc.merged_swapped;
        tracked = g_ptr_array_index(tracker->assocs, tracked->assoc.merged_into);
    }
    return tracked;
}
