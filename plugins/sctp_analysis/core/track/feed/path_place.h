/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a packet is taken that shows something of an endpoint's paths: as the association's packets were first seen, or
 * at one of two taps, by the clock and in the order of that one. What is kept of the paths is kept for each. */
#ifndef SCTPA_TRACK_PATH_PLACE_H
#define SCTPA_TRACK_PATH_PLACE_H

#include "track/input.h"

typedef struct {
    sctpa_tracker_t *tracker;
    sctpa_tracked_t *tracked;
    sctpa_tap_data_t *tap; /* the tap of two that it passed; NULL: where it was first seen */
    const sctpa_input_t *input;
} sctpa_path_place_t;

/* Are the paths of an endpoint followed elsewhere: at each of two taps, and not as packets were first seen? O(1). */
bool sctpa_path_place_is_void(const sctpa_path_place_t *place, uint8_t end);
/* The data that an endpoint sent, NULL none. O(1). */
static inline sctpa_direction_t *sctpa_path_place_sent(const sctpa_path_place_t *place, uint8_t end)
{
    return (place->tap ? place->tap->sides : place->tracked->sides)[end].sent;
}
/* The same, made when new: with its first DATA, SACK of it, HEARTBEAT, RE_CONFIG, or whatever else is remembered there.
 * tap: as of sctpa_path_place_t. */
sctpa_direction_t *sctpa_path_place_make_sent(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, sctpa_tap_data_t *tap,
                                              uint8_t end);
/* What HEARTBEATs of an endpoint that passed a tap showed of a path, made when new. Amortised O(1). */
sctpa_probing_t *sctpa_tap_data_probing(sctpa_tap_data_t *tap, sctpa_arena_t *arena, uint8_t end, uint16_t path);
/* What HEARTBEATs to a path of an endpoint showed. O(1). */
const sctpa_probing_t *sctpa_path_place_probing(const sctpa_path_place_t *place, uint8_t end, uint16_t path);
/* The same, to be changed. Amortised O(1). */
sctpa_probing_t *sctpa_path_place_own_probing(const sctpa_path_place_t *place, uint8_t end, uint16_t path);
/* How an endpoint changed paths, NULL none; and sets it. O(1). */
sctpa_switching_t *sctpa_path_place_switching(const sctpa_path_place_t *place, uint8_t end);
void sctpa_path_place_switch(const sctpa_path_place_t *place, uint8_t end, sctpa_switching_t *switching);
/* Does the association show what is kept here of an endpoint's paths? O(1). */
bool sctpa_path_place_is_shown(const sctpa_path_place_t *place, uint8_t end);
/* Did SHUTDOWN ACK, SHUTDOWN COMPLETE or ABORT pass? O(1). */
bool sctpa_path_place_is_ending(const sctpa_path_place_t *place);
/* When the last packet of an endpoint passed. O(pairs of the endpoint). */
int64_t sctpa_path_place_heard_ns(const sctpa_path_place_t *place, uint8_t end);
/* As sctpa_event_add and sctpa_event_put, for an event of a path that the packet makes certain. */
void sctpa_path_place_add(const sctpa_path_place_t *place, sctpa_event_kind_t kind, uint8_t end, uint16_t path,
                          char *detail);
void sctpa_path_place_put(const sctpa_path_place_t *place, uint32_t frame, int64_t time_ns, sctpa_event_kind_t kind,
                          uint8_t end, uint16_t path, char *detail);

#endif
