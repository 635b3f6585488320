/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one packet did for its data: results of a packet's chunks, for fields, taps and reports. Read them through
 * sctpa.h. */
#ifndef SCTPA_DATA_PACKET_RESULTS_H
#define SCTPA_DATA_PACKET_RESULTS_H

#include "direction.h"

/* A DATA or I_DATA chunk. Frames: 0 none. */
typedef struct {
    int64_t tsn;           /* relative to the initial, or first seen, TSN; negative: before the first seen */
    unsigned transmission; /* of this TSN at this tap: 1, 2, ... */
    uint32_t first_frame;
    bool is_other_message;  /* the TSN was used for another message before */
    bool is_retransmission; /* then, and only then: */
    sctpa_rtx_kind_t kind;
    int64_t since_last_ns;
    bool spurious;                 /* final: as far as is known */
    uint32_t gap_frame, ack_frame; /* first SACK that gap-acked, cum-acked it; final */
    uint32_t missing_bytes;        /* of a first transmission: user bytes, where sctpa_direction_is_missing; final */
} sctpa_data_result_t;

/* A SACK or NR_SACK chunk. */
typedef struct {
    uint32_t first_frame, last_frame; /* earliest and latest DATA that it newly acks; 0: none */
    uint32_t new_chunks, new_bytes, missing;
    int64_t delay_ns; /* since the oldest DATA packet that it is the first to ack, -1: none */
} sctpa_sack_result_t;

/* One transmission of a TSN, and what became of the TSN; of the whole capture. Packets: SCTPA_NO_PACKET_INDEX none. */
typedef struct {
    const sctpa_tsn_t *tsn; /* valid until the next packet */
    sctpa_data_result_t sent;
    bool is_needed;          /* a retransmission that shows that what it repeats was lost (sctpa_rtx_shows_loss) */
    int64_t since_first_ns;  /* after the first transmission */
    uint32_t arrival_packet; /* the ack that shows that it arrived */
    int64_t acked_after_ns;  /* from the first transmission to that, -1 none */
} sctpa_tsn_result_t;

/* What the SACKs of a packet say together. */
typedef struct {
    uint32_t cum_tsn, a_rwnd_bytes;     /* of the last one; cum_tsn: serial number */
    uint32_t first_packet, last_packet; /* earliest and latest DATA that they newly acknowledge */
    uint32_t chunks;                    /* newly acknowledged; 0: nothing, and no packets */
} sctpa_packet_sack_t;

enum { SCTPA_NO_BYTES = 0xFFFFFFFFu, SCTPA_PACKET_SAMPLES_MAX = 4 };

/* A packet with DATA or SACK, or a HEARTBEAT_ACK. */
typedef struct {
    uint32_t flight_bytes, peer_window_bytes; /* SCTPA_NO_BYTES unknown */
    unsigned n_rtts;                          /* samples that the packet ends */
    int64_t rtt_ns[SCTPA_PACKET_SAMPLES_MAX];
} sctpa_flow_result_t;

#endif
