/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each endpoint of an association has sent to shut it down or abort it, what it was asked and has not answered,
 * and the data that it sends afterwards. Begins with the first SHUTDOWN, SHUTDOWN ACK, SHUTDOWN COMPLETE or ABORT.
 * Leaves out how the association ended (teardown.c of track). */
#ifndef SCTPA_REFERENCE_ENDPOINT_TEARDOWN_H
#define SCTPA_REFERENCE_ENDPOINT_TEARDOWN_H

#include "reference/context.h"

/* The chunks after which their sender may send no data: in SHUTDOWN-SENT, SHUTDOWN-ACK-SENT and CLOSED (RFC 9260 6).
 * ABORT and SHUTDOWN COMPLETE count without T bit, ABORT without M bit: whoever has no association reflects the tag. */
typedef enum {
    SCTPA_STOP_SHUTDOWN,
    SCTPA_STOP_SHUTDOWN_ACK,
    SCTPA_STOP_SHUTDOWN_COMPLETE,
    SCTPA_STOP_ABORT,
    SCTPA_STOPS
} sctpa_stop_t;

/* SHUTDOWN or SHUTDOWN ACK of an endpoint that its peer has not answered yet. */
typedef struct {
    uint32_t times;       /* SCTPA_SHUTDOWN_ASKED_APART_S or more after the one before; 0: none waits */
    uint32_t last_packet; /* of the last one that counts */
} sctpa_shutdown_request_t;

/* DATA that passed towards an endpoint in SHUTDOWN-SENT, until it is answered or that is overdue. */
typedef struct {
    uint32_t packet, tsn;
    bool is_waiting;
    bool is_sacked; /* it has arrived */
    bool is_told;   /* a SACK passed since */
} sctpa_shutdown_data_t;

typedef struct {
    uint32_t stops[SCTPA_STOPS]; /* packet of the first one sent, SCTPA_NO_PACKET_INDEX none */
    uint32_t tag;                /* that the last of these carried */
    uint32_t last_abort;         /* packet of the last ABORT without M bit, SCTPA_NO_PACKET_INDEX none */
    int64_t highest_tsns[SCTPA_STOP_SHUTDOWN_ACK + 1]; /* highest TSN sent by then (relative), -1 none */
    sctpa_shutdown_request_t shutdowns, acks;
    sctpa_shutdown_data_t data;
    uint32_t untold;               /* 1 + index of a packet with DATA above a gap that a SHUTDOWN answered
                                      without a SACK so far; 0 none */
    uint32_t repeats;              /* SHUTDOWN and SHUTDOWN ACK sent since the peer's last packet */
    uint32_t abort_replies;        /* ABORTs in a row that nothing but ABORT can have caused */
    uint8_t abort_ttl;             /* of the packet with its first ABORT */
    bool heard_abort, heard_other; /* since last_abort a packet with, without ABORT passed towards it */
    uint64_t heard;                /* rows of chunks that passed towards it since its last packet */
    uint32_t heard_packet;         /* the last that passed then */
} sctpa_endpoint_teardown_t;

/* How a packet follows a chunk that stopped the data of its sender. */
typedef struct {
    uint32_t stop_packet; /* with that chunk */
    int64_t since_ns;     /* the packet passed so much later */
    bool is_same_path;    /* both went to one address */
    int64_t new_tsn;      /* the highest TSN in the packet, if above stopped_at, else -1 (both relative) */
    int64_t stopped_at;   /* the highest TSN sent until that chunk, -1 none */
} sctpa_after_stop_t;

/* What an endpoint has sent and was asked before the packet, until it is taken. O(1). */
const sctpa_endpoint_teardown_t *sctpa_teardown(const sctpa_context_t *c, uint8_t endpoint);
/* The first SHUTDOWN ACK of an endpoint of another association, which waits for the answer: it is in SHUTDOWN-ACK-SENT
 * until it gives up. SCTPA_NO_PACKET_INDEX: it sent none, or nothing more is kept of it. O(1). */
uint32_t sctpa_teardown_ack_sent(const sctpa_context_t *c, const sctpa_assoc_t *other, uint8_t endpoint);
/* Has a teardown begun, or does it with the packet? O(1). */
bool sctpa_teardown_concerns(const sctpa_context_t *c);
/* Did the endpoint send that chunk in an earlier packet? The same whether or not the packet was taken. O(1). */
bool sctpa_teardown_has_sent(const sctpa_context_t *c, uint8_t endpoint, sctpa_stop_t stop);
/* Does the packet carry the tag of what its sender stopped with? One of another tag belongs to another association,
 * whose set-up the capture lacks. O(1). */
bool sctpa_teardown_is_same(const sctpa_context_t *c);
/* Did the sender of the packet, which is of the same association, send that chunk in an earlier one? Fills after.
 * new_tsn and stopped_at are known of SHUTDOWN and SHUTDOWN ACK. O(chunks with DATA). */
bool sctpa_teardown_is_after(const sctpa_context_t *c, sctpa_stop_t stop, sctpa_after_stop_t *after);
/* Does the IPv4 header of what the endpoint that aborted sent next show that another host sent the ABORT? O(1). */
bool sctpa_teardown_is_abort_of_other_host(const sctpa_context_t *c);
/* Does the ABORT of the packet answer nothing but ABORT? O(1). */
bool sctpa_teardown_is_abort_reply(const sctpa_context_t *c);
/* Is DATA that waits for a SHUTDOWN known to have arrived, and so long ago that the answer is not under way any more?
 * O(1). */
bool sctpa_teardown_is_data_overdue(const sctpa_context_t *c, const sctpa_shutdown_data_t *data);
/* The packet with DATA that the sender of the packet answered with a SHUTDOWN that cannot acknowledge all of it, so
 * long ago that a SACK is not under way any more; SCTPA_NO_PACKET_INDEX none. O(1). */
uint32_t sctpa_teardown_untold(const sctpa_context_t *c);
/* TSNs of a sender that are not acknowledged, *first and *last of them. At most the 64 above the cum_tsn are looked at.
 */
unsigned sctpa_teardown_outstanding(const sctpa_direction_t *sent, int64_t *first, int64_t *last);
/* Moves on by a packet that concerns the teardown. O(chunks). */
void sctpa_teardown_take(const sctpa_context_t *c);

#endif
