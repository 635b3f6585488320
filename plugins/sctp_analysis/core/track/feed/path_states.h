/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where an endpoint sends its new data, which HEARTBEATs are answered, and what that shows of its paths, as the
 * association's packets were first seen or at one of two taps. */
#ifndef SCTPA_FEED_PATH_STATES_H
#define SCTPA_FEED_PATH_STATES_H

#include "track/input.h"

typedef struct {
    sctpa_tracker_t *tracker;
    sctpa_tracked_t *tracked;
    sctpa_tap_data_t *tap; /* the tap of two that it passed; NULL: where it was first seen */
    const sctpa_input_t *input;
} sctpa_path_place_t;

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

/* Where the data that an end sent stands before a packet of it is taken. */
typedef struct {
    int64_t highest;
    uint32_t rtx, samples;
} sctpa_data_marks_t;
/* Takes note of where a packet's new data went and which timeouts its retransmissions showed; makes the events
 * primary_changed, path_failed, failover, path_recovered of the sending end. What they say, from what passed up to
 * then:
 *
 * primary_changed  TSNs higher than any before went to another path, in 4 packets and for at least 200 ms and two round
 *                  trips, none to the path before. The frame is that of the first of them. Every return to the old path
 *                  within 10 s doubles the time asked for, so that an end that uses several paths at once (CMT) changes
 *                  nothing. Retransmissions never count.
 * path_failed      New data left the path (as above; 2 packets do after a timeout, unless the end used several paths
 *                  just before) after a retransmission timeout on it, or two heartbeats in a row without answer, and no
 *                  answer since. An answer is the HEARTBEAT_ACK to a heartbeat sent there, or an ack of data last sent
 *                  there after the last timeout. Loss, a timeout or heartbeats without answer alone are no evidence,
 *                  nor is anything after new data had left. What HEARTBEATs show of a path without data: path_states.h.
 * failover         The first new data elsewhere, together with path_failed.
 * path_recovered   On a path that failed, or of which path_states.h made an event: a HEARTBEAT_ACK, or the ack of data
 *                  sent once, there, after it failed. New data alone is no evidence: it may be a try.
 *
 * Where two taps saw the association, each keeps all this for itself, of the packets that passed it, by its clock; the
 * association shows what the tap near the endpoint does. place: where the packet is taken. As packets were first seen,
 * nothing is kept then.
 *
 * before: marks of sent before the packet's chunks were taken. O(timeouts that the packet shows * its chunks), nearly
 * always O(1); 104 bytes and at most the double for a path, from the first timeout or move on. */
void sctpa_failover_data(const sctpa_path_place_t *place, sctpa_direction_t *sent, uint8_t from, uint16_t path,
                         const sctpa_data_marks_t *before);
/* Takes note of what the SACKs of a packet answered of the data of end: the records of its direction from first_acked
 * on. O(records). */
void sctpa_failover_answers(const sctpa_path_place_t *place, uint8_t end, uint32_t first_acked);
/* The paths of end begin to be followed at each of two taps: at tap with what was kept of them until now. */
void sctpa_failover_begin_at_tap(sctpa_tracked_t *tracked, sctpa_tap_data_t *tap, uint8_t end);
/* A packet was taken at one of two taps: the association shows what the tap does that is near, by now, the sender of
 * the data (sctpa_near_tap). O(1), but O(events) at most ASKED_OTHER_MOST times. */
void sctpa_failover_ask_taps(sctpa_tracked_t *tracked);
/* Two taps are followed no more: what the association shows stays, and is followed as packets are first seen. */
void sctpa_failover_leave_taps(sctpa_tracked_t *tracked, uint8_t end);
/* Gives back what is kept of how an end changed paths. */
void sctpa_failover_free(sctpa_tracked_t *tracked, uint8_t end);

/* Takes note of what a HEARTBEAT or HEARTBEAT_ACK means, of an endpoint (from), on a path of it. O(paths). */
void sctpa_heartbeat_chunk(const sctpa_path_place_t *place, uint8_t from, uint16_t path, const sctpa_tlv_t *chunk);

#endif
