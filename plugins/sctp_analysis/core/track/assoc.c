/* Making associations and what belongs to their ends: addresses, paths, address pairs.
 * Leaves finding them to lookup.c and joining halves to merge.c. */
#include "tracker.h"

#include "address.h"

static void end_init(sctpa_end_t *end, uint16_t port)
{
    end->port = port;
    end->addrs = g_array_sized_new(FALSE, FALSE, sizeof(sctpa_known_addr_t), 1);
    end->paths = g_array_sized_new(FALSE, TRUE, sizeof(sctpa_path_t), 1);
    end->pairs = g_ptr_array_new_full(1, g_free);
}

static void end_clear(sctpa_end_t *end)
{
    g_array_unref(end->addrs);
    g_array_unref(end->paths);
    g_ptr_array_unref(end->pairs);
    if (end->unknown_chunks)
        g_array_unref(end->unknown_chunks);
    if (end->key_vector)
        g_byte_array_unref(end->key_vector);
}

sctpa_tracked_t *sctpa_tracked_new(sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    sctpa_tracked_t *tracked = g_new0(sctpa_tracked_t, 1);
    sctpa_assoc_t *assoc = &tracked->assoc;

    assoc->number = tracker->assocs->len;
    assoc->merged_into = assoc->restart_of = SCTPA_NO_ASSOC;
    assoc->end_by = tracked->shutdown_by = SCTPA_NO_END;
    assoc->encapsulation = input->packet->encapsulation;
    assoc->first_frame = input->packet->frame;
    assoc->first_ns = input->packet->time_ns;
    tracked->replaces = tracked->moved_to[0] = tracked->moved_to[1] = SCTPA_NO_ASSOC;
    end_init(&assoc->ends[0], input->source_port);
    end_init(&assoc->ends[1], input->destination_port);
    g_ptr_array_add(tracker->assocs, tracked);
    return tracked;
}

static void request_clear(sctpa_request_t *request)
{
    if (request->params)
        g_byte_array_unref(request->params);
}

void sctpa_tracked_free(sctpa_tracked_t *tracked)
{
    sctpa_assoc_t *assoc = &tracked->assoc;
    for (unsigned e = 0; e < 2; e++) {
        end_clear(&assoc->ends[e]);
        request_clear(&tracked->sides[e].asconf);
        request_clear(&tracked->sides[e].reconfig);
        sctpa_direction_free(tracked->sides[e].sent);
    }
    if (assoc->events)
        g_array_unref(assoc->events);
    g_free(assoc->end_text);
    g_free(tracked);
}

sctpa_tracked_t *sctpa_tracked_at(const sctpa_tracker_t *tracker, uint32_t number)
{
    sctpa_tracked_t *tracked = g_ptr_array_index(tracker->assocs, number);
    return tracked->assoc.merged_into == SCTPA_NO_ASSOC
               ? tracked
               : g_ptr_array_index(tracker->assocs, tracked->assoc.merged_into);
}

void sctpa_end_add_addr(sctpa_end_t *end, const sctpa_addr_t *addr, uint32_t origin)
{
    for (unsigned i = 0; i < end->addrs->len; i++) {
        sctpa_known_addr_t *known = &g_array_index(end->addrs, sctpa_known_addr_t, i);
        if (sctpa_addr_equal(&known->addr, addr)) {
            known->origin |= origin;
            if (origin & (SCTPA_ADDR_ADDED | SCTPA_ADDR_LISTED))
                known->origin &= ~(uint32_t)SCTPA_ADDR_DELETED;
            return;
        }
    }
    if (end->addrs->len < SCTPA_ADDRS_MAX) {
        sctpa_known_addr_t known = { *addr, origin };
        g_array_append_val(end->addrs, known);
    }
}

void sctpa_end_delete_addrs(sctpa_end_t *end, const sctpa_addr_t *addr, bool all_but)
{
    for (unsigned i = 0; i < end->addrs->len; i++) {
        sctpa_known_addr_t *known = &g_array_index(end->addrs, sctpa_known_addr_t, i);
        if (sctpa_addr_equal(&known->addr, addr) != all_but)
            known->origin |= SCTPA_ADDR_DELETED;
    }
}

uint32_t sctpa_end_addr_origin(const sctpa_end_t *end, const sctpa_addr_t *addr)
{
    for (unsigned i = 0; i < end->addrs->len; i++) {
        const sctpa_known_addr_t *known = &g_array_index(end->addrs, sctpa_known_addr_t, i);
        if (sctpa_addr_equal(&known->addr, addr))
            return known->origin;
    }
    return 0;
}

uint16_t sctpa_end_find_path(const sctpa_end_t *end, const sctpa_addr_t *destination)
{
    for (unsigned i = 0; i < end->paths->len; i++)
        if (sctpa_addr_equal(&g_array_index(end->paths, sctpa_path_t, i).destination, destination))
            return (uint16_t)i;
    return SCTPA_NO_PATH;
}

uint16_t sctpa_end_path(sctpa_end_t *end, const sctpa_addr_t *destination)
{
    uint16_t known = sctpa_end_find_path(end, destination);
    if (known != SCTPA_NO_PATH)
        return known;
    if (end->paths->len < SCTPA_ADDRS_MAX) {
        sctpa_path_t path = { .destination = *destination };
        g_array_append_val(end->paths, path);
    }
    return (uint16_t)(end->paths->len - 1);
}

sctpa_pair_t *sctpa_end_pair(sctpa_tracked_t *tracked, uint8_t from, const sctpa_addr_t *source,
                             const sctpa_addr_t *destination, uint32_t *index)
{
    sctpa_end_t *end = &tracked->assoc.ends[from], *peer = &tracked->assoc.ends[!from];
    for (*index = 0; *index < end->pairs->len; ++*index) {
        sctpa_pair_t *pair = g_ptr_array_index(end->pairs, *index);
        if (sctpa_addr_equal(&pair->destination, destination) && sctpa_addr_equal(&pair->source, source))
            return pair;
    }
    sctpa_end_add_addr(end, source, SCTPA_ADDR_SOURCE);
    sctpa_end_add_addr(peer, destination, SCTPA_ADDR_DESTINATION);
    if (end->pairs->len == SCTPA_ADDRS_MAX)
        return g_ptr_array_index(end->pairs, --*index);

    sctpa_pair_t *pair = g_new0(sctpa_pair_t, 1);
    pair->assoc = tracked->assoc.number;
    pair->from = from;
    pair->path = sctpa_end_path(end, destination);
    pair->source = *source;
    pair->destination = *destination;
    g_ptr_array_add(end->pairs, pair);
    return pair;
}
