/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of what happened to an association. */
#include "events.h"

#include "tracker.h"

static sctpa_event_list_t list_of(const sctpa_assoc_t *assoc)
{
    return (sctpa_event_list_t){ assoc->events, assoc->n_events, assoc->events_dropped };
}

static void set_list(sctpa_assoc_t *assoc, const sctpa_event_list_t *list)
{
    assoc->events = list->events;
    assoc->n_events = list->n;
    assoc->events_dropped = list->dropped;
}

static void insert(sctpa_tracked_t *tracked, sctpa_event_list_t *list, const sctpa_event_t *event)
{
    if (list->n >= SCTPA_EVENTS_MAX) {
        sctpa_arena_free_text(tracked->arena, event->detail);
        list->dropped++;
        return;
    }
    list->events = sctpa_arena_grow(tracked->arena, list->events, list->n, sizeof *list->events);
    uint32_t at = list->n++;
    for (; at > 0 && list->events[at - 1].frame > event->frame; at--)
        list->events[at] = list->events[at - 1];
    list->events[at] = *event;
}

static void put(sctpa_tracked_t *tracked, sctpa_event_list_t *list, const sctpa_packet_t *packet, uint32_t frame,
                int64_t time_ns, sctpa_event_kind_t kind, uint8_t end, uint16_t path, char *detail)
{
    const sctpa_event_t event = { .time_ns = time_ns,
                                  .detail = sctpa_arena_text(tracked->arena, detail),
                                  .frame = frame,
                                  .certain_frame = packet->frame,
                                  .path = path,
                                  .kind = kind,
                                  .end = end };
    insert(tracked, list, &event);
    g_free(detail);
}

static void note_late(sctpa_tracker_t *tracker, const sctpa_packet_t *packet)
{
    GArray *frames = tracker->late_events;
    if (frames->len == 0 || g_array_index(frames, uint32_t, frames->len - 1) != packet->frame)
        g_array_append_val(frames, packet->frame);
}

void sctpa_event_list_put(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, sctpa_event_list_t *list,
                          const sctpa_packet_t *packet, uint32_t frame, int64_t time_ns, sctpa_event_kind_t kind,
                          uint8_t end, uint16_t path, char *detail)
{
    put(tracked, list, packet, frame, time_ns, kind, end, path, detail);
    note_late(tracker, packet);
}

void sctpa_event_put(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_packet_t *packet, uint32_t frame,
                     int64_t time_ns, sctpa_event_kind_t kind, uint8_t end, uint16_t path, char *detail)
{
    sctpa_event_list_t list = list_of(&tracked->assoc);
    sctpa_event_list_put(tracker, tracked, &list, packet, frame, time_ns, kind, end, path, detail);
    set_list(&tracked->assoc, &list);
}

void sctpa_event_list_add(sctpa_tracked_t *tracked, sctpa_event_list_t *list, const sctpa_packet_t *packet,
                          sctpa_event_kind_t kind, uint8_t end, uint16_t path, char *detail)
{
    put(tracked, list, packet, packet->frame, packet->time_ns, kind, end, path, detail);
}

void sctpa_event_add(sctpa_tracked_t *tracked, const sctpa_packet_t *packet, sctpa_event_kind_t kind, uint8_t end,
                     uint16_t path, char *detail)
{
    sctpa_event_list_t list = list_of(&tracked->assoc);
    sctpa_event_list_add(tracked, &list, packet, kind, end, path, detail);
    set_list(&tracked->assoc, &list);
}

void sctpa_events_exchange(sctpa_tracked_t *tracked, uint8_t end, sctpa_event_list_t *out, sctpa_event_list_t *in)
{
    const sctpa_event_list_t old = list_of(&tracked->assoc);
    sctpa_event_list_t now = { .dropped = old.dropped + in->dropped };
    for (uint32_t at_old = 0, at_in = 0; at_old < old.n || at_in < in->n;) {
        const bool is_old = at_in == in->n || (at_old < old.n && old.events[at_old].frame <= in->events[at_in].frame);
        const sctpa_event_t *event = is_old ? &old.events[at_old++] : &in->events[at_in++];
        insert(tracked, is_old && event->end == end && sctpa_event_is_of_path(event) ? out : &now, event);
    }
    sctpa_arena_free_grown(tracked->arena, old.events, old.n, sizeof *old.events);
    sctpa_arena_free_grown(tracked->arena, in->events, in->n, sizeof *in->events);
    *in = (sctpa_event_list_t){ .events = NULL };
    set_list(&tracked->assoc, &now);
}

void sctpa_event_list_free(sctpa_tracked_t *tracked, sctpa_event_list_t *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        sctpa_arena_free_text(tracked->arena, list->events[i].detail);
    sctpa_arena_free_grown(tracked->arena, list->events, list->n, sizeof *list->events);
    *list = (sctpa_event_list_t){ .events = NULL };
}
