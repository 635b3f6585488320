/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The retransmission timer of a path, T3-rtx (RFC 9260 6.3.1 to 6.3.3), as far as the tap shows: what starts it, what
 * the RTO is, and when it expires at the earliest and at the latest. Nobody else answers these. Leaves out round trips
 * (timing.c), which retransmission it sent (rtx_cause.c), and expiries in a row (timers.c of the model). */
#ifndef SCTPA_DATA_T3_H
#define SCTPA_DATA_T3_H

#include "direction.h"
#include "rto.h"

/* What starts the timer of a path, starts it anew, or may have done so. */
typedef enum {
    SCTPA_T3_DATA,   /* new data is sent there: starts it unless it runs (6.3.2 R1) */
    SCTPA_T3_ACK,    /* data that was last sent there is cum-acked (R3) */
    SCTPA_T3_EXPIRY, /* it expired, and a TSN of the path is retransmitted (6.3.3 E3) */
    SCTPA_T3_RTX,    /* a TSN is retransmitted from there or to there: it may have expired, or be restarted (7.2.4) */
    SCTPA_T3_MOVED,  /* a TSN of another path is retransmitted there: the same, and starts it unless it runs (R1) */
    SCTPA_T3_UNSEEN, /* by now the sender has had an ack that the capture lacks */
    SCTPA_T3_SETUP,  /* the COOKIE ACK for a COOKIE ECHO with data behind it: until now T1-cookie ran (5.1) */
    SCTPA_T3_SAMPLE  /* a round trip was measured: the RTO is backed off no more (6.3.1 C3) */
} sctpa_t3_event_t;

/* The timer of a path, as a packet finds it. */
typedef struct {
    int64_t started_ns;   /* when it surely started last; 0: it may have run for ever */
    int64_t rto_least_ns; /* whatever RTO.Min the sender has, and an eighth less, for its arithmetic; 0: no round trip
                             was measured */
    int64_t rto_most_ns;  /* with RTO.Min as the RFC has it, backed off where it may be */
    int64_t earliest_ns, latest_ns; /* when it expires, and what it sends passes the tap */
    uint32_t packet;                /* that started it last, SCTPA_NO_PACKET_INDEX none */
} sctpa_t3_t;

/* The RTO by the round trips of a path and the RTO.Min that timeouts showed so far, not backed off. */
static inline int64_t sctpa_t3_rto_ns(const sctpa_direction_t *direction, const sctpa_data_path_t *path)
{
    return sctpa_rto_bounded_ns(path->srtt_ns, path->rttvar_ns, direction->rare->rto_min_ns, SCTPA_RTO_MAX_NS);
}

/* The most that it is before it is backed off: who measured nothing takes RTO.Initial. */
static inline int64_t sctpa_t3_rto_usual_ns(const sctpa_data_path_t *path)
{
    return path->rto_ns > 0 ? MAX(path->rto_ns, SCTPA_RTO_MIN_NS) : SCTPA_RTO_INITIAL_4960_NS;
}

/* When the timer may have started last, as a packet at time_ns finds it: what passes at this very time starts it
 * afterwards. */
static inline int64_t sctpa_t3_may_start_ns(const sctpa_data_path_t *path, int64_t time_ns)
{
    return path->t3_start_ns == time_ns ? path->t3_before_ns : MAX(path->t3_start_ns, path->t3_before_ns);
}

/* When does the timer of a path expire? As a packet at time_ns finds it. tap_rtt: RTT from the tap to the sender of the
 * data; where it was not measured, round trips lack as much as it may be. since_ns: it was not started before, 0 not
 * known. O(1). */
static inline sctpa_t3_t sctpa_t3_of(const sctpa_data_path_t *path, int64_t time_ns, sctpa_tap_rtt_t tap_rtt,
                                     int64_t since_ns)
{
    int64_t unbounded_ns = sctpa_rto_unbounded_ns(path->srtt_ns, path->rttvar_ns),
            least_ns = unbounded_ns - unbounded_ns / 8, most_ns = MAX(sctpa_t3_rto_usual_ns(path), path->patience_ns),
            started_ns = MAX(path->t3_start_ns, since_ns),
            way_ns = MAX(tap_rtt.most_ns, 0) * (tap_rtt.is_measured ? 1 : 2);
    sctpa_t3_t t3 = { .started_ns = started_ns,
                      .rto_least_ns = least_ns,
                      .rto_most_ns = most_ns,
                      .earliest_ns = started_ns + least_ns,
                      .latest_ns = sctpa_t3_may_start_ns(path, time_ns) + most_ns + sctpa_tick_ns(most_ns) + way_ns,
                      .packet = path->t3_packet };
    return t3;
}

#endif
