/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where an end sends its new data, and what that shows of its paths. */
#ifndef SCTPA_TRACK_FAILOVER_H
#define SCTPA_TRACK_FAILOVER_H

#include "track/input.h"

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
 *                  nor is anything after new data had left. What HEARTBEATs show of a path without data: idle_paths.h.
 * failover         The first new data elsewhere, together with path_failed.
 * path_recovered   On a path that failed, or of which idle_paths.h made an event: a HEARTBEAT_ACK, or the ack of data
 *                  sent once, there, after it failed. New data alone is no evidence: it may be a try.
 *
 * before: marks of sent before the packet's chunks were taken. O(timeouts that the packet shows * its chunks), nearly
 * always O(1); 104 bytes and at most the double for a path, from the first timeout or move on. */
void sctpa_failover_data(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, sctpa_direction_t *sent, uint8_t from,
                         uint16_t path, const sctpa_input_t *input, const sctpa_data_marks_t *before);
/* Takes note of what the SACKs of a packet answered of the data of end: the records of its direction from first_acked
 * on. O(records). */
void sctpa_failover_answers(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t end, const sctpa_input_t *input,
                            uint32_t first_acked);
/* A HEARTBEAT leaves to path; asked_ns is when the one before it left that was not answered, -1 none; is_error: its
 * loss may count as an error of the path (idle_paths.h). O(1). */
void sctpa_failover_heartbeat(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, uint16_t path,
                              const sctpa_input_t *input, int64_t asked_ns, bool is_error);
/* The HEARTBEAT_ACK to a heartbeat of from on path. O(1). */
void sctpa_failover_heartbeat_ack(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, uint16_t path,
                                  const sctpa_input_t *input);
/* Gives back what is kept of how an end changed paths. */
void sctpa_failover_free(sctpa_tracked_t *tracked, uint8_t end);

#endif
