/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of what happened to an association. */
#ifndef SCTPA_TRACK_EVENTS_H
#define SCTPA_TRACK_EVENTS_H

#include "assoc.h"
#include "tracked.h"

/* Adds an event; detail is copied and freed (g_free), may be NULL. Beyond SCTPA_EVENTS_MAX events are counted only.
 * O(1). */
void sctpa_event_add(sctpa_tracked_t *tracked, const sctpa_packet_t *packet, sctpa_event_kind_t kind, uint8_t end,
                     uint16_t path, char *detail);
/* The same, in a list of its own. */
void sctpa_event_list_add(sctpa_tracked_t *tracked, sctpa_event_list_t *list, const sctpa_packet_t *packet,
                          sctpa_event_kind_t kind, uint8_t end, uint16_t path, char *detail);
/* The same for something that was seen at frame and is certain only with packet; put in its place. O(events after
 * frame). */
void sctpa_event_put(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_packet_t *packet, uint32_t frame,
                     int64_t time_ns, sctpa_event_kind_t kind, uint8_t end, uint16_t path, char *detail);
/* The same, in a list of its own. */
void sctpa_event_list_put(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, sctpa_event_list_t *list,
                          const sctpa_packet_t *packet, uint32_t frame, int64_t time_ns, sctpa_event_kind_t kind,
                          uint8_t end, uint16_t path, char *detail);
/* Takes the events of an endpoint's paths out of the association's, to out, which is empty; and puts those of in there,
 * which is empty then. O(events). */
void sctpa_events_exchange(sctpa_tracked_t *tracked, uint8_t end, sctpa_event_list_t *out, sctpa_event_list_t *in);
/* Gives back a list. */
void sctpa_event_list_free(sctpa_tracked_t *tracked, sctpa_event_list_t *list);

#endif
