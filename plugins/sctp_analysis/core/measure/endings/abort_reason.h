/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why an endpoint aborted its association, and what of it was not answered any more at the end, as far as the capture
 * shows. Leaves out the cause that the ABORT names, which the association has (end_cause), and words. */
#ifndef SCTPA_MEASURE_ABORT_REASON_H
#define SCTPA_MEASURE_ABORT_REASON_H

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

/* In the order in which they are tried. */
typedef enum {
    SCTPA_ABORT_UNEXPLAINED,    /* also: the association did not end by ABORT */
    SCTPA_ABORT_NO_LISTENER,    /* without cause in answer to an INIT: what a host without listener does (8.4 (3)) */
    SCTPA_ABORT_NO_ASSOCIATION, /* T bit: the sender knows no such association (8.4 (8), 8.5.1) */
    SCTPA_ABORT_GAVE_UP,        /* errors in a row without answer: Association.Max.Retrans was exceeded (8.1) */
    SCTPA_ABORT_ANSWER,         /* a cause that answers what the peer sent (3.3.10) */
    SCTPA_ABORT_AFTER_SHUTDOWN, /* its SHUTDOWN, or its peer's, was on its way: T5-shutdown-guard (9.2), or a close
                                   that did not wait */
    SCTPA_ABORT_UNREAD_DATA,    /* its last a_rwnd left out data that was acked and not read: as a socket is closed */
    SCTPA_ABORT_APPLICATION,    /* User-Initiated Abort and nothing more is seen */
    SCTPA_ABORT_REASONS
} sctpa_abort_reason_t;

typedef enum { SCTPA_ABORT_PROVEN, SCTPA_ABORT_LIKELY, SCTPA_ABORT_POSSIBLE } sctpa_abort_doubt_t;

/* packet: index of the ABORT. by_packet: what shows the reason: the packet that it answers, the earliest that was lost
 * (GAVE_UP), the SHUTDOWN, the SACK with the window; SCTPA_NO_PACKET_INDEX none. answered_packet: the last packet of
 * the peer that had reached the endpoint by then and did so in the last tick before, which it may answer; as by_packet.
 * unread_bytes: of UNREAD_DATA, at the least. unacked_bytes: of each endpoint, never
 * acknowledged. answers_heartbeats: of GAVE_UP: data was not, but HEARTBEATs were acknowledged. by_application: it says
 * that its application asked for it (cause 12), and nothing shows that the endpoint gave up its peer, or answered a
 * packet, instead. */
typedef struct {
    sctpa_abort_reason_t reason;
    sctpa_abort_doubt_t doubt;
    uint32_t packet, by_packet, answered_packet;
    sctpa_last_errors_t errors;
    sctpa_expiries_t expiries;
    uint8_t shutdown_by;
    bool answers_heartbeats;
    bool by_application;
    uint32_t unread_bytes;
    uint64_t unacked_bytes[2];
} sctpa_abort_t;

/* sources: of the data of endpoints 0 and 1. O(samples + SACKs + HEARTBEATs + events), and at most
 * SCTPA_ABORT_SEARCHED packets before the ABORT. */
sctpa_abort_t sctpa_abort_reason_of(const sctpa_source_t sources[2], const sctpa_assoc_t *assoc);
enum { SCTPA_ABORT_SEARCHED = 1024 };

/* "gave_up", NULL for UNEXPLAINED; "proven". */
const char *sctpa_abort_reason_word(sctpa_abort_reason_t reason);
const char *sctpa_abort_doubt_word(sctpa_abort_doubt_t doubt);

#endif
