/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tap "sctp_analysis": one call per analysed SCTP packet, in every pass, after its frame was dissected.
 * Quoted packets (ICMP) and packets that the analysis does not know make no call. Listen with
 * register_tap_listener("sctp_analysis", ...); data is a const sctpa_tap_packet_t *, valid during the call. */
#ifndef SCTPA_EPAN_TAP_SCTP_ANALYSIS_H
#define SCTPA_EPAN_TAP_SCTP_ANALYSIS_H

#include "sctpa.h"

typedef struct {
    const sctpa_t *analysis;        /* everything known so far; read it through sctpa.h */
    uint32_t index;                 /* of this packet in the analysis */
    const sctpa_packet_t *packet;   /* what was captured; chunks: sctpa_chunks_begin on its bytes */
    sctpa_packet_result_t result;   /* association, endpoint, path, ... of the packet */
    uint32_t first_event, n_events; /* range of the association's events that this packet's frame completed */
} sctpa_tap_packet_t;

#endif
