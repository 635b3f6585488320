/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is kept of an endpoint's paths, by where their packets are taken. */
#include "path_place.h"

#include "track/endpoints.h"
#include "track/events.h"
#include "track/flow.h"
#include "track/near_tap.h"
#include "track/tracker.h"

bool sctpa_path_place_is_void(const sctpa_path_place_t *place, uint8_t end)
{
    return !place->tap && sctpa_near_tap_of_paths(place->tracked, end);
}

sctpa_direction_t *sctpa_path_place_make_sent(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, sctpa_tap_data_t *tap,
                                              uint8_t end)
{
    const sctpa_side_t *announced = &tracked->sides[end];
    sctpa_side_t *side = tap ? &tap->sides[end] : &tracked->sides[end];
    if (!side->sent) {
        side->sent = sctpa_direction_new(&tracker->store, &side->peer_tap_rtt);
        side->sent->watched = (tap ? tap->switching[end] : tracked->assoc.ends[end].rare->switching) != NULL;
        side->sent->truncated = side->truncated;
        side->sent->waits_for_t3 = announced->waits_for_t3;
        if (announced->has_initial)
            sctpa_direction_announce(side->sent, announced->initial_tsn);
        if (announced->has_window)
            sctpa_direction_window(side->sent, announced->window_bytes);
    }
    return side->sent;
}

sctpa_probing_t *sctpa_tap_data_probing(sctpa_tap_data_t *tap, sctpa_arena_t *arena, uint8_t end, uint16_t path)
{
    while (tap->n_probing[end] <= path)
        tap->probing[end] =
            sctpa_arena_grow(arena, tap->probing[end], tap->n_probing[end]++, sizeof *tap->probing[end]);
    return &tap->probing[end][path];
}

const sctpa_probing_t *sctpa_path_place_probing(const sctpa_path_place_t *place, uint8_t end, uint16_t path)
{
    return place->tap ? sctpa_tap_data_probed(place->tap, end, path)
                      : place->tracked->assoc.ends[end].paths[path].probing;
}

sctpa_probing_t *sctpa_path_place_own_probing(const sctpa_path_place_t *place, uint8_t end, uint16_t path)
{
    sctpa_tracked_t *tracked = place->tracked;
    return place->tap ? sctpa_tap_data_probing(place->tap, tracked->arena, end, path)
                      : sctpa_path_probing(tracked, &tracked->assoc.ends[end].paths[path]);
}

sctpa_switching_t *sctpa_path_place_switching(const sctpa_path_place_t *place, uint8_t end)
{
    return place->tap ? place->tap->switching[end] : place->tracked->assoc.ends[end].rare->switching;
}

bool sctpa_path_place_is_shown(const sctpa_path_place_t *place, uint8_t end)
{
    return !place->tap || sctpa_near_tap_of_paths(place->tracked, end) == place->tap;
}

void sctpa_path_place_switch(const sctpa_path_place_t *place, uint8_t end, sctpa_switching_t *switching)
{
    if (place->tap)
        place->tap->switching[end] = switching;
    if (sctpa_path_place_is_shown(place, end))
        sctpa_end_rare(place->tracked, end)->switching = switching;
}

bool sctpa_path_place_is_ending(const sctpa_path_place_t *place)
{
    const sctpa_tap_data_t *tap = place->tap;
    if (!tap)
        return sctpa_tracked_is_ending(place->tracked);
    return tap->shutdown_acks > 0 ||
           (place->tracked->assoc.end_frame != 0 && tap->end_frame == place->tracked->assoc.end_frame);
}

int64_t sctpa_path_place_heard_ns(const sctpa_path_place_t *place, uint8_t end)
{
    sctpa_counts_copy_t heard;
    if (place->tap)
        return place->tap->heard_ns[end];
    sctpa_flows_end_counts(place->tracker, &place->tracked->assoc.ends[end], &heard);
    return heard.counts.last_ns;
}

void sctpa_path_place_add(const sctpa_path_place_t *place, sctpa_event_kind_t kind, uint8_t end, uint16_t path,
                          char *detail)
{
    if (sctpa_path_place_is_shown(place, end))
        sctpa_event_add(place->tracked, place->input->packet, kind, end, path, detail);
    else
        sctpa_event_list_add(place->tracked, &place->tap->events[end], place->input->packet, kind, end, path, detail);
}

void sctpa_path_place_put(const sctpa_path_place_t *place, uint32_t frame, int64_t time_ns, sctpa_event_kind_t kind,
                          uint8_t end, uint16_t path, char *detail)
{
    if (sctpa_path_place_is_shown(place, end))
        sctpa_event_put(place->tracker, place->tracked, place->input->packet, frame, time_ns, kind, end, path, detail);
    else
        sctpa_event_list_put(place->tracker, place->tracked, &place->tap->events[end], place->input->packet, frame,
                             time_ns, kind, end, path, detail);
}
