/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When T3-rtx of each path of an endpoint may expire, and by when it must have expired, where the capture was taken at
 * the endpoint and the user asserts its RTO.Initial, RTO.Min and RTO.Max: by every round trip that it can have
 * measured, and every choice that RFC 9260 6.3.1 to 6.3.3 leaves it. The bounds are as before the packet, until it was
 * taken. Leaves out what a timer shows where less is asserted (t3.h, timers.c), and the timers of requests. */
#ifndef SCTPA_SHARED_T3_BOUNDS_H
#define SCTPA_SHARED_T3_BOUNDS_H

#include "model/context.h"

/* What all that is said here rests on. */
enum {
    SCTPA_T3_BOUNDS_REST_ON =
        SCTPA_ASSERTED_ARRIVED | SCTPA_ASSERTED(RTO_INITIAL) | SCTPA_ASSERTED(RTO_MIN) | SCTPA_ASSERTED(RTO_MAX)
};

/* A timer fires late, by a sixteenth and by what a busy host takes, and never early, but by a tick or a tenth, for what
 * passes between it and the packets that show it. */
#define SCTPA_T3_EARLY_SHARE 10

/* The timer of a path, with the RTO that it would be started with now. */
typedef struct {
    int64_t rto_least_ns, rto_most_ns; /* 0: nothing went there */
    /* when it expires at the earliest, or would have, where it runs no more; at the latest, where it must run */
    int64_t earliest_ns, latest_ns;
    int64_t started_rto_ns;                        /* that earliest_ns goes by, 0: it may expire at any time */
    int64_t last_start_ns;                         /* when it was started last, or may have been */
    int64_t heartbeat_first_ns, heartbeat_last_ns; /* HEARTBEATs without answer, 0 none */
    uint32_t started;                              /* packet that earliest_ns goes by */
    bool may_run, must_run;
} sctpa_t3_bounds_t;

/* The timer of a path of the endpoint, NULL: nothing is known of it. O(1). */
const sctpa_t3_bounds_t *sctpa_t3_bounds(const sctpa_context_t *c, uint8_t endpoint, uint16_t path);
/* Does the packet leave within a tick of a moment at which the timer expires: at the earliest, or by the least RTO, or
 * twice that, since it may have been started last? O(1). */
bool sctpa_t3_bounds_fits(const sctpa_context_t *c, const sctpa_t3_bounds_t *path);
/* By when the endpoint must have retransmitted something, however late its host is; INT64_MAX: nothing shows that it
 * must. O(1). */
int64_t sctpa_t3_bounds_deadline_ns(const sctpa_context_t *c, uint8_t endpoint);
/* Was the packet's retransmission sent because the timer of a path expired, *path? Yes: nothing else sends it. No: it
 * is none, or something else caused it. O(chunks). */
sctpa_known_t sctpa_t3_bounds_expiry(const sctpa_context_t *c, uint16_t *path);
/* Expiries of which sctpa_t3_bounds_expiry says yes, on all paths, since anything came from the peer that may have
 * acknowledged something; without the packet's. O(1). */
uint32_t sctpa_t3_bounds_expiries(const sctpa_context_t *c, uint8_t endpoint);
/* The packet that the timer of a path surely sent to that path, where nothing came from the peer for long before it,
 * nor since, and no other timer expired later; SCTPA_NO_PACKET_INDEX: none. O(1). */
uint32_t sctpa_t3_bounds_expired(const sctpa_context_t *c, uint8_t endpoint);
/* Takes the packet, after the rules. O(paths), few. */
void sctpa_t3_bounds_take(const sctpa_context_t *c);

#endif
