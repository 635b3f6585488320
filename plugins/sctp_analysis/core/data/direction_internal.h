/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of data/ share: records of TSNs by page, flight, classification, round trips. */
#ifndef SCTPA_DATA_DIRECTION_INTERNAL_H
#define SCTPA_DATA_DIRECTION_INTERNAL_H

#include "store.h"
#include "t3.h"

/* --- pages.c --- */

/* Calls visit for every TSN seen, in ascending order. O(n log n). */
void sctpa_pages_each(const sctpa_direction_t *direction, void (*visit)(void *user, int64_t number, sctpa_tsn_t *tsn),
                      void *user);
/* Gives back all TSNs of a direction and what leads to them. O(TSNs). */
void sctpa_pages_free(sctpa_direction_t *direction);
/* The record of a TSN, made when new. Its first sighting has transmissions 0. O(1). */
sctpa_tsn_t *sctpa_pages_get(sctpa_direction_t *direction, int64_t tsn);
/* The record of a TSN, NULL when there is none. O(1). */
sctpa_tsn_t *sctpa_pages_find(sctpa_direction_t *direction, int64_t tsn);

/* The TSNs of from..to that were seen and not cum-acked, in ascending order: sctpa_walk_begin, then sctpa_walk_next
 * until NULL. What was seen must not change meanwhile. O(1) per TSN, O(log ranges) per range. */
typedef struct {
    sctpa_direction_t *direction;
    sctpa_range_t left; /* of the range being walked over */
    int64_t to;
} sctpa_tsn_walk_t;
sctpa_tsn_walk_t sctpa_walk_begin(sctpa_direction_t *direction, int64_t from, int64_t to);
sctpa_tsn_t *sctpa_walk_next(sctpa_tsn_walk_t *walk, int64_t *number);

/* --- tsn_set.c --- */

/* The gap blocks of a SACK as ranges: ascending, apart, above cum_tsn; blocks that make no sense are left out.
 * O(blocks) when they are in order, else O(blocks * log blocks). */
void sctpa_ranges_read(GArray *ranges, const sctpa_sack_t *sack, int64_t cum_tsn);

/* --- direction.c --- */

/* The relative TSN of a DATA chunk of packet. All TSNs of a packet are lifted near the TSNs that were seen before it,
 * so that sctpa_direction_tsn_in finds them again: no sender has 2^31 of them outstanding (RFC 9260 1.6). Amortised
 * O(1). */
int64_t sctpa_direction_lift(sctpa_direction_t *direction, uint32_t serial, uint32_t packet);

/* Makes what is kept of the paths up to one. O(paths that are new). */
void sctpa_direction_add_paths(sctpa_direction_t *direction, uint16_t path);
/* What is kept of a path, made when new; the next one that is new may move it. O(1), or O(paths that are new). */
static inline sctpa_data_path_t *sctpa_direction_path(sctpa_direction_t *direction, uint16_t path)
{
    if (direction->paths.len <= path)
        sctpa_direction_add_paths(direction, path);
    return &SCTPA_RECORD(&direction->paths, sctpa_data_path_t, path);
}
/* Is the TSN outstanding: sent, not acked, not given up? */
static inline bool sctpa_tsn_is_outstanding(const sctpa_tsn_t *tsn)
{
    return tsn->transmissions > 0 &&
           !(tsn->state & (SCTPA_TSN_ACKED | SCTPA_TSN_GAP_ACKED | SCTPA_TSN_ABANDONED | SCTPA_TSN_LATE));
}

void sctpa_flight_add(sctpa_direction_t *direction, const sctpa_tsn_t *tsn);
void sctpa_flight_remove(sctpa_direction_t *direction, const sctpa_tsn_t *tsn);

/* --- sacks.c --- */

/* Takes the window that the receiver announces. O(1). */
void sctpa_direction_take_window(sctpa_direction_t *direction, uint32_t a_rwnd_bytes);

/* --- rtx_cause.c --- */

/* The miss indications of a TSN since a packet (RFC 9260 7.2.4): SACKs that newly acknowledged a higher TSN, and in
 * fast recovery those that advanced the cum_tsn and reported it missing. */
typedef struct {
    unsigned n;       /* at most SCTPA_MISSES_FAST */
    unsigned reports; /* SACKs that acknowledged something and reported the TSN missing, until the third miss */
    unsigned outside_recovery; /* of them, by a higher TSN newly acked */
    unsigned packets; /* DATA packets they newly acknowledged: the misses there would be had each its own SACK */
    uint32_t third;   /* packet of the third one, SCTPA_NO_PACKET_INDEX fewer */
} sctpa_miss_indications_t;
/* from_ns, seen_by_ns: only those that passed between count. Looks at the last 256 SACKs that acknowledged something.
 * O(1). */
sctpa_miss_indications_t sctpa_miss_indications_since(const sctpa_direction_t *direction, int64_t number,
                                                      uint32_t since_packet, int64_t from_ns, int64_t seen_by_ns);
/* How many miss indications of a TSN since a packet passed between from_ns and seen_by_ns, at most SCTPA_MISSES_FAST,
 * by TSNs of its own path: those of another say nothing of it when the sender uses several at once, whose delays
 * differ. O(1). */
unsigned sctpa_miss_indications_of_path(sctpa_direction_t *direction, int64_t number, uint32_t since_packet,
                                        int64_t from_ns, int64_t seen_by_ns);

/* Why a TSN is sent again now, the miss indications that speak for it, and whether a timer may have: fills these of
 * *rtx. */
void sctpa_rtx_classify(sctpa_direction_t *direction, int64_t number, const sctpa_tsn_t *tsn,
                        const sctpa_place_in_capture_t *place, sctpa_rtx_t *rtx);

/* --- t3.c --- */

/* What starts the timer of a path? event of packet at time_ns does, may have done, or says that it does not run on. Of
 * SCTPA_T3_DATA before the data counts as outstanding. O(1). */
void sctpa_t3_take(sctpa_data_path_t *path, sctpa_t3_event_t event, uint32_t packet, int64_t time_ns);

/* --- timing.c --- */

/* New data leaves to place->path: if the timer there must have run out, something outstanding would come first (6.3.3
 * E3, 6.1 C), unless the sender had an ack that was never seen. */
void sctpa_timing_goes_on(sctpa_direction_t *direction, const sctpa_place_in_capture_t *place);
/* Something is outstanding on the path: must its timer have run out by now, with nothing sent again? Then the sender
 * had an ack that the capture lacks (RFC 9260 6.3.3 E3). */
static inline bool sctpa_timing_is_overdue(const sctpa_data_path_t *path, const sctpa_place_in_capture_t *place)
{
    return place->time_ns > sctpa_t3_of(path, place->time_ns, sctpa_place_tap_rtt(place), 0).latest_ns;
}

/* A TSN was sent for the first time: perhaps its round trip is measured. */
void sctpa_timing_sent(sctpa_direction_t *direction, int64_t number, const sctpa_place_in_capture_t *place);
/* A TSN last sent to path was sent again or given up: it measures nothing any more (Karn's rule, RFC 9260 6.3.1 C5). */
void sctpa_timing_cancel(sctpa_direction_t *direction, int64_t number, uint16_t path);
/* A TSN last sent to path was acked for the first time by the packet at place. */
void sctpa_timing_acked(sctpa_direction_t *direction, int64_t number, uint16_t path,
                        const sctpa_place_in_capture_t *place);
/* The retransmission timer of the path expired as t3 has it. sent_packet: the transmission that it repeats. */
void sctpa_timing_backoff(sctpa_direction_t *direction, uint16_t path, const sctpa_place_in_capture_t *place,
                          const sctpa_t3_t *t3, uint32_t sent_packet);

#endif
