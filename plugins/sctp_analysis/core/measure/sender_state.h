/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sender of data had before it at a moment of the capture, as the capture point shows it: results, read through
 * sctpa.h. */
#ifndef SCTPA_MEASURE_SENDER_STATE_H
#define SCTPA_MEASURE_SENDER_STATE_H

#include "data/direction.h"

/* Packets: SCTPA_NO_PACKET_INDEX none. */
typedef struct {
    uint32_t packet;                    /* the last of the association by then */
    uint32_t sack;                      /* the last SACK */
    int64_t cum_tsn;                    /* relative: all up to it was acked by then; where sack is */
    uint32_t a_rwnd_bytes;              /* of the last SACK, before that of INIT or INIT ACK; SCTPA_NO_BYTES unknown */
    uint32_t tsns;                      /* outstanding by then */
    int64_t oldest;                     /* relative TSN, where any is: the lowest, that it waits for */
    uint32_t oldest_first, oldest_last; /* its first and its last transmission by then */
    unsigned transmissions;             /* by then */
} sctpa_sender_state_t;

/* Of one path. */
typedef struct {
    uint32_t flight_bytes;                /* outstanding, SCTPA_NO_BYTES unknown */
    uint32_t cwnd, cwnd_least, cwnd_most; /* of the reference sender, has_cwnd; most SCTPA_CWND_UNKNOWN: no bound */
    bool has_cwnd;
    int64_t rto_ns;             /* 0 unknown */
    bool t3_is_running;         /* as far as is known; then: */
    int64_t t3_left_ns;         /* until RTO has passed since it was surely started last; below 0: it has */
    bool t3_may_have_restarted; /* since then: what is left is the least */
} sctpa_sender_path_t;

#endif
