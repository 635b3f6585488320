/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of an endpoint was not answered any more at the end of its association: errors as RFC 9260 8.1 counts them.
 * Leaves out retransmissions of SHUTDOWN, and what follows from the errors. */
#ifndef SCTPA_MEASURE_LAST_ERRORS_H
#define SCTPA_MEASURE_LAST_ERRORS_H

#include "measure/source.h"

/* Since the endpoint's data, or a HEARTBEAT, was last acknowledged. Packets are indices, SCTPA_NO_PACKET_INDEX none. */
typedef struct {
    uint32_t timeouts;       /* retransmissions by T3-rtx that were captured */
    uint32_t unknown;        /* retransmissions of unknown cause: timeouts perhaps */
    uint32_t heartbeats;     /* HEARTBEATs without an answer; of the first SCTPA_HEARTBEATS_MAX alone */
    uint32_t heartbeats_due; /* of them, followed by another to the same path: their RTO is over */
    bool knows_heartbeats;   /* there were not more of them than are kept */
    uint32_t answer_packet;  /* the last acknowledgement, or HEARTBEAT ACK */
    uint32_t lost_packet;    /* the earliest of what was lost: transmission or HEARTBEAT */
    uint32_t timeout_packet; /* the last of these retransmissions by T3-rtx */
    int64_t wait_ns;         /* between the transmissions of the last timeout, 0 none */
    bool waits_are_alike;    /* of the last two timeouts: RTO.Max is reached */
} sctpa_last_errors_t;

/* source: of the endpoint's data. data_alone: a HEARTBEAT ACK is no answer, as with Linux, which does not reset the
 * counter at it once SHUTDOWN is pending. O(samples + retransmissions + HEARTBEATs kept). */
sctpa_last_errors_t sctpa_last_errors(const sctpa_source_t *source, bool data_alone);

/* How often T3-rtx expired after timeout_packet until took_ns had passed, the last time then: the
 * fewest and the most that fit, where each wait is twice the one before (RFC 9260 6.3.3 E2), at most RTO.Max, and a
 * timer may be late as sctpa_tick_ns allows. More than once: retransmissions are not in the capture, as those that no
 * link layer address was known for. most 0: no number fits. */
typedef struct {
    uint32_t least, most;
} sctpa_expiries_t;
/* rto_max_ns: RTO.Max, which the waits themselves show where they are alike. O(expiries). */
sctpa_expiries_t sctpa_expiries_of(const sctpa_last_errors_t *errors, int64_t took_ns, int64_t rto_max_ns);

/* The first packet of a frame, SCTPA_NO_PACKET_INDEX none. O(log packets). */
uint32_t sctpa_frame_packet(const sctpa_source_t *source, uint32_t frame);
/* The packet with the ABORT that ended an association, of two taps as it passed that of source; SCTPA_NO_PACKET_INDEX
 * none. O(log packets). */
uint32_t sctpa_abort_packet(const sctpa_source_t *source, const sctpa_assoc_t *assoc);

#endif
