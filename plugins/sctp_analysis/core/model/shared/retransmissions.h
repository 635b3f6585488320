/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How an endpoint retransmits a request that is not answered, and whether its timer was backed off: when it sent
 * INIT, COOKIE ECHO, SHUTDOWN, SHUTDOWN ACK, RE-CONFIG and ASCONF again with nothing from the peer in between that may
 * have changed the timer, and whether it repeats a SHUTDOWN at all. Leaves out which chunk is which request
 * (request_timers.h), data (timers.c), and what the answers say. */
#ifndef SCTPA_SHARED_RETRANSMISSIONS_H
#define SCTPA_SHARED_RETRANSMISSIONS_H

#include "model/context.h"
#include "model/engine.h"

/* An interval that was backed off is twice the one before; where retransmissions between were lost before the capture
 * point, it is at least longer: of intervals of 1, 2, 4, 8 s the first four look like 15, then comes 16. */
#define SCTPA_REQUEST_GROWN_PERCENT 105

static inline bool sctpa_request_has_grown(int64_t before_ns, int64_t after_ns)
{
    return sctpa_ns_times(after_ns, 100) >= sctpa_ns_times(before_ns, SCTPA_REQUEST_GROWN_PERCENT);
}

/* So many intervals alike, from the first transmission on, are no timer that is backed off, whatever did not pass:
 * only one that already ran for RTO.Max. */
#define SCTPA_INTERVALS_ALIKE 3

/* How rules about it are read. */
/* clang-format off */
#define SCTPA_BACKING_OFF_EVIDENCE "Where the user asserts RTO.Max and a complete capture: the timer of a request " \
    "sent it again sooner than after " SAY(SCTPA_REQUEST_GROWN_PERCENT) " % of the time that it took after an " \
    "earlier transmission to the same address, which was RTO.Max / 2 at most, and nothing came from the peer that " \
    "may have restarted it. After a round trip that may have been measured meanwhile, RTO.Min counts as that time, " \
    "where it is asserted. Probable where the peer has several addresses, or a round trip may have been measured " \
    "while the timer ran. Elsewhere: probable where the first " SAY(SCTPA_INTERVALS_ALIKE) " intervals were alike, " \
    "no longer than 1 s (of INIT 3 s), which RTO.Min and RTO.Initial are by the RFCs, and nothing went unanswered " \
    "before: RTO.Max would have to be as short as the RTO."
#define SCTPA_BACKING_OFF_DOUBT "Chunks lost before the capture point make the next interval longer than the one " \
    "before too. Of several addresses one may be tried to which the host has no route, or lend its RTO to another."
/* clang-format on */

typedef enum {
    SCTPA_RETRANSMITTED_INIT,
    SCTPA_RETRANSMITTED_COOKIE_ECHO,
    SCTPA_RETRANSMITTED_SHUTDOWN,
    SCTPA_RETRANSMITTED_SHUTDOWN_ACK,
    SCTPA_RETRANSMITTED_RE_CONFIG,
    SCTPA_RETRANSMITTED_ASCONF,
    SCTPA_RETRANSMITTED
} sctpa_retransmitted_t;

/* Paths of a request whose waits are kept apart: each has an RTO of its own. */
enum { SCTPA_REQUEST_PATHS = 4 };

/* Transmissions of one request in a row, with nothing from the peer in between that may change its timer. */
typedef struct {
    uint32_t key;   /* tells requests of one type apart */
    uint32_t n;     /* transmissions */
    uint32_t asked; /* that the peer asked for, and that were not sent yet; saturates */
    uint32_t first_packet, last_packet;
    uint16_t path;    /* of the last one; UINT16_MAX: the timer may run for another */
    uint32_t n_alike; /* intervals as long as the first, from that one on; 0: not all are */
    int64_t first_interval_ns;
    bool is_behind_others; /* a timer expired before the first */
    bool may_be_asked;     /* one of them may answer what the peer sent, which may restart the timer */
    bool is_measured;      /* a round trip may have been measured since the last one, ... */
    bool was_measured;     /* ... between that and the one before */
    bool goes_by_least;    /* the timer may have run for less than any RTO that is asserted, which counts instead */
    bool is_resumed;       /* there were others, before something that may have changed the timer */
    int64_t last_ns, expired_ns; /* of the last one; of the first, or the last one that only the timer can have sent */
    int64_t waited_ns[SCTPA_REQUEST_PATHS]; /* how long, at the least, the timer ran after one to the path; 0 unknown */
    /* before the last one, if the timer sent it, at the most; on the same path before that, at the least; 0 unknown */
    int64_t interval_ns, before_ns;
} sctpa_transmissions_t;

/* The last SHUTDOWN or SHUTDOWN ACK, until the peer answers it. */
typedef struct {
    uint32_t packet;   /* SCTPA_NO_PACKET_INDEX none waits */
    uint32_t expiries; /* of T2-shutdown that must have been since, at most one in each silence of the peer */
    int64_t rto_ns;    /* the next expiry comes so long, at most, after the peer was heard */
    int64_t heard_ns;  /* or that chunk was sent */
} sctpa_shutdown_wait_t;

typedef struct {
    sctpa_transmissions_t *requests[SCTPA_RETRANSMITTED]; /* NULL: nothing is known of it */
    sctpa_shutdown_wait_t shutdown;
    uint64_t heard;   /* rows of chunks of the peer since its last request */
    bool has_expired; /* a timer of a request */
} sctpa_requester_t;

/* What is known of an endpoint with the packet, NULL nothing. O(1). */
const sctpa_requester_t *sctpa_retransmissions(const sctpa_context_t *c, uint8_t endpoint);
/* Is the packet a retransmission of a request of the accused, and had the timer to be backed off before it, by the
 * RTO.Max that is asserted? NULL: no. O(1). */
const sctpa_transmissions_t *sctpa_retransmissions_backing_off(const sctpa_context_t *c, sctpa_retransmitted_t request);
/* Was it not? */
static inline bool sctpa_retransmissions_is_too_soon(const sctpa_context_t *c, const sctpa_transmissions_t *sent)
{
    return !sctpa_request_has_grown(sctpa_context_least_ns(c, sent->before_ns),
                                    sctpa_context_most_ns(c, sent->interval_ns));
}
/* What both rest on: SCTPA_ASSERTED_ bits. */
enum { SCTPA_BACKING_OFF_RESTS_ON = SCTPA_ASSERTED_COMPLETE | SCTPA_ASSERTED(RTO_MAX) };
/* Takes the packet, before rules are asked about it. O(chunks) with requests, else O(1). */
void sctpa_retransmissions_take(const sctpa_context_t *c);

/* Half intervals: one that was backed off is twice as long as the one before, one that was not is as long. */
#define SCTPA_BACKED_OFF_HALVES 3

/* The packet retransmits a request whose timer had to be backed off, and came too soon. Fills the violation then: at
 * best probable where the peer has several addresses, since another one may have been tried, to which the host has no
 * route, or have lent its RTO (RFC 9260 6.3.3 E4, SHOULD); or where the timer may go by what is measured while it runs.
 * O(1). */
bool sctpa_is_not_backed_off(const sctpa_context_t *c, sctpa_retransmitted_t request, sctpa_violation_t *violation);

#endif
