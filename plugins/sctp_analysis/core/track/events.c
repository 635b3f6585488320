/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of what happened to an association. */
#include "events.h"

#include "tracker.h"

static void put(sctpa_tracked_t *tracked, const sctpa_packet_t *packet, uint32_t frame, int64_t time_ns,
                sctpa_event_kind_t kind, uint8_t end, uint16_t path, char *detail)
{
    sctpa_assoc_t *assoc = &tracked->assoc;
    if (assoc->n_events >= SCTPA_EVENTS_MAX) {
        assoc->events_dropped++;
    } else {
        assoc->events = sctpa_arena_grow(tracked->arena, assoc->events, assoc->n_events, sizeof *assoc->events);
        uint32_t at = assoc->n_events++;
        for (; at > 0 && assoc->events[at - 1].frame > frame; at--)
            assoc->events[at] = assoc->events[at - 1];
        assoc->events[at] = (sctpa_event_t){ .time_ns = time_ns,
                                             .detail = sctpa_arena_text(tracked->arena, detail),
                                             .frame = frame,
                                             .certain_frame = packet->frame,
                                             .path = path,
                                             .kind = kind,
                                             .end = end };
    }
    g_free(detail);
}

void sctpa_event_put(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_packet_t *packet, uint32_t frame,
                     int64_t time_ns, sctpa_event_kind_t kind, uint8_t end, uint16_t path, char *detail)
{
    GArray *frames = tracker->late_events;
    put(tracked, packet, frame, time_ns, kind, end, path, detail);
    if (frames->len == 0 || g_array_index(frames, uint32_t, frames->len - 1) != packet->frame)
        g_array_append_val(frames, packet->frame);
}

void sctpa_event_add(sctpa_tracked_t *tracked, const sctpa_packet_t *packet, sctpa_event_kind_t kind, uint8_t end,
                     uint16_t path, char *detail)
{
    put(tracked, packet, packet->frame, packet->time_ns, kind, end, path, detail);
}
