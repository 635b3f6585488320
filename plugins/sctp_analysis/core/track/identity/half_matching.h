/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What packets say about which direction belongs to which, where the set-up was not captured. */
#ifndef SCTPA_TRACK_HALF_MATCHING_H
#define SCTPA_TRACK_HALF_MATCHING_H

#include "track/input.h"

void sctpa_half_match_init(sctpa_tracker_t *tracker);
void sctpa_half_match_free(sctpa_tracker_t *tracker);

typedef enum {
    SCTPA_HALF_MATCH_NONE,
    SCTPA_HALF_MATCH_SENDER, /* fits what the same end sent before; says nothing of the peer */
    SCTPA_HALF_MATCH_FOR,    /* fits what the peer sent */
    SCTPA_HALF_MATCH_AGAINST
} sctpa_half_match_t;
/* Do the packet's TSNs and acknowledgements fit the association, if end from sent it? */
sctpa_half_match_t sctpa_half_match_of(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t from,
                                       const sctpa_input_t *input);
/* A half elsewhere (other addresses) whose silent end may have sent this packet, by TSNs or Heartbeat Info. */
sctpa_sender_t sctpa_half_match_find(const sctpa_tracker_t *tracker, const sctpa_input_t *input);
/* Files what a packet of a half shows, so that its other half is found by it. */
void sctpa_half_match_add(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input);
/* Nothing leads any more to the association by what end of member showed: itself, or a half merged into it. O(1). */
void sctpa_half_match_forget(sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, sctpa_tracked_t *member,
                             uint8_t end);
/* Hash of a whole HEARTBEAT or HEARTBEAT_ACK after its chunk header: the same when the info was echoed; 0 when cut. */
uint64_t sctpa_heartbeat_hash(const sctpa_tracker_t *tracker, const sctpa_tlv_t *chunk);
/* Has only one end of the association sent so far, with a tag? */
bool sctpa_tracked_is_half(const sctpa_tracked_t *tracked);

#endif
