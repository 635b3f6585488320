/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a ladder is made from, and what it is. */
#ifndef SCTPA_MEASURE_LADDER_PARTS_H
#define SCTPA_MEASURE_LADDER_PARTS_H

#include "track/tracker.h"
#include "ladder.h"

/* What a ladder is made from. sctpa_ladder (sctpa.h) fills it. */
typedef struct {
    const sctpa_tracker_t *tracker;
    const sctpa_tracked_t *tracked;
    const sctpa_direction_t *sent[2]; /* by sender, as near it as the capture shows; NULL none */
    uint32_t n_packets;               /* about so many, for the room that they take */
    uint32_t last_frame;              /* of the association */
    int64_t tap_rtt_ns[2];            /* RTT from tap to each endpoint, -1 unknown */
    bool is_unclear;                  /* SCTPA_TAPS_UNCLEAR */
} sctpa_ladder_source_t;

/* Makes the ladder of a source; sctpa_ladder of sctpa.h says how. */
sctpa_ladder_t *sctpa_ladder_make(const sctpa_ladder_source_t *source);

struct sctpa_ladder {
    sctpa_ladder_source_t source;
    sctpa_ladder_packet_t *packets; /* in order of packet */
    uint32_t n, room;               /* how many, how many have room */
    uint32_t *by_time;              /* positions in order of time; NULL: as they stand */
    GArray *sums; /* sctpa_ladder_count_t of all before each block of SCTPA_LADDER_BLOCK in order of time */
    sctpa_ladder_far_t far;
    bool is_aligned;
    int64_t shift_ns[2], reach_ns;
};

enum { SCTPA_LADDER_BLOCK = 64 };

#endif
