/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why an endpoint aborted its association, as far as the capture shows. Leaves out the cause that the ABORT names,
 * which the association has (end_cause), and words. */
#ifndef SCTPA_MEASURE_ABORT_REASON_H
#define SCTPA_MEASURE_ABORT_REASON_H

#include "last_errors.h"

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
