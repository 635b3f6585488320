/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How an endpoint retransmits a request that is not answered, and whether its timer was backed off: when it sent
 * INIT, COOKIE ECHO, SHUTDOWN, SHUTDOWN ACK and RE-CONFIG again with nothing from the peer in between (COOKIE ECHO and
 * RE-CONFIG: nothing but data and HEARTBEATs), and whether it repeats a SHUTDOWN at all. Followed only where the user
 * asserts a complete capture: else a retransmission may be missing. Leaves out which chunk is which request
 * (request_timers.h), data (timers.c), ASCONFs (asconf.c), and what the answers say. */
#ifndef SCTPA_SHARED_RETRANSMISSIONS_H
#define SCTPA_SHARED_RETRANSMISSIONS_H

#include "model/context.h"
#include "model/engine.h"

/* An interval that was backed off is twice the one before; where retransmissions between were lost before the capture
 * point, it is at least longer: of intervals of 1, 2, 4, 8 s the first four look like 15, then comes 16. */
#define SCTPA_REQUEST_GROWN_PERCENT 105

typedef enum {
    SCTPA_RETRANSMITTED_INIT,
    SCTPA_RETRANSMITTED_COOKIE_ECHO,
    SCTPA_RETRANSMITTED_SHUTDOWN,
    SCTPA_RETRANSMITTED_SHUTDOWN_ACK,
    SCTPA_RETRANSMITTED_RE_CONFIG,
    SCTPA_RETRANSMITTED
} sctpa_retransmitted_t;

/* Transmissions of one request in a row, to one address, with nothing from the peer in between. */
typedef struct {
    uint32_t key; /* tells requests of one type apart */
    uint32_t n;   /* transmissions */
    uint32_t first_packet, last_packet;
    uint16_t path;
    int64_t last_ns;
    int64_t interval_ns, before_ns; /* before the last transmission, before the one before; from n = 2, 3 */
} sctpa_transmissions_t;

/* The last SHUTDOWN or SHUTDOWN ACK, until the peer answers it. */
typedef struct {
    uint32_t packet;   /* SCTPA_NO_PACKET_INDEX none waits */
    uint32_t expiries; /* of T2-shutdown that must have been since, at most one in each silence of the peer */
    int64_t rto_ns;    /* the next expiry comes so long, at most, after the peer was heard */
    int64_t heard_ns;  /* or that chunk was sent */
} sctpa_shutdown_wait_t;

typedef struct {
    sctpa_transmissions_t requests[SCTPA_RETRANSMITTED];
    sctpa_shutdown_wait_t shutdown;
    bool is_heard;    /* a packet of the peer passed since its last request */
    bool is_answered; /* one that may have changed the timer of a COOKIE ECHO or RE-CONFIG */
} sctpa_requester_t;

/* What is known of an endpoint with the packet, NULL nothing. O(1). */
const sctpa_requester_t *sctpa_retransmissions(const sctpa_context_t *c, uint8_t endpoint);
/* Is the packet the third transmission or a later one of a request of the accused, and had the timer to be backed off
 * before it, by the RTO.Max that is asserted? NULL: no. O(1). */
const sctpa_transmissions_t *sctpa_retransmissions_backing_off(const sctpa_context_t *c, sctpa_retransmitted_t request);
/* Was it not? */
static inline bool sctpa_retransmissions_is_too_soon(const sctpa_context_t *c, const sctpa_transmissions_t *sent)
{
    return sctpa_context_most_ns(c, sent->interval_ns) * 100 <
           sctpa_context_least_ns(c, sent->before_ns) * SCTPA_REQUEST_GROWN_PERCENT;
}
/* What both rest on: SCTPA_ASSERTED_ bits. */
enum { SCTPA_BACKING_OFF_RESTS_ON = SCTPA_ASSERTED_COMPLETE | SCTPA_ASSERTED(RTO_MAX) };
/* Takes the packet, before rules are asked about it. O(chunks) with requests, else O(1). */
void sctpa_retransmissions_take(const sctpa_context_t *c);

/* Half intervals: one that was backed off is twice as long as the one before, one that was not is as long. */
#define SCTPA_BACKED_OFF_HALVES 3

/* The packet is the third transmission, or a later one, of a request whose timer had to be backed off, and came too
 * soon. Fills the violation then. O(1). */
bool sctpa_is_not_backed_off(const sctpa_context_t *c, sctpa_retransmitted_t request, sctpa_violation_t *violation);

#endif
