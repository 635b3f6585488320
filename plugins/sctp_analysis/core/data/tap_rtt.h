/* SPDX-License-Identifier: GPL-2.0-or-later */
/* RTT from the tap to an endpoint, by its answers. One that is due at once shows it, but for the time that hosts take;
 * one that may be delayed, as the SACK of a lone packet with DATA (RFC 9260 6.2), shows only that it is no longer.
 * Leaves out which answers are which: setup.c, teardown.c, timing.c and sacks.c. */
#ifndef SCTPA_DATA_TAP_RTT_H
#define SCTPA_DATA_TAP_RTT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A tap is near an end that answers within this time what passes it. */
#define SCTPA_NEAR_MS 2
enum { SCTPA_NEAR_NS = SCTPA_NEAR_MS * 1000000 };

/* The same of a host, by all of its associations (flow.h of track). */
typedef struct {
    int64_t most_ns;
    bool is_measured;
    bool is_closed; /* no more is known of it */
} sctpa_host_rtt_t;

typedef struct {
    int64_t most_ns;        /* the shortest time from a packet, as it passes, to its answer: it is no longer; -1 none */
    int64_t longest_ns;     /* the longest time of one that was due at once; -1 none */
    sctpa_host_rtt_t *host; /* of the endpoint, where its answers are noted as well; NULL none */
    bool is_measured;       /* one of the answers was due at once: it is about most_ns; else it may be any shorter */
    bool is_floor;          /* several that were due at once took about that long: none is sooner */
} sctpa_tap_rtt_t;

/* Nothing was answered. host: NULL none. O(1). */
static inline sctpa_tap_rtt_t sctpa_tap_rtt_none(sctpa_host_rtt_t *host)
{
    sctpa_tap_rtt_t none = { -1, -1, host, false, false };
    return none;
}

/* A packet towards the endpoint was answered after elapsed_ns. is_due: at once, by what the RFC says. O(1). */
void sctpa_tap_rtt_note(sctpa_tap_rtt_t *rtt, int64_t elapsed_ns, bool is_due);

/* The RTT as far as it was measured, -1: it was not, and is not above most_ns where that is known. O(1). */
static inline int64_t sctpa_tap_rtt_measured_ns(sctpa_tap_rtt_t rtt)
{
    return rtt.is_measured ? rtt.most_ns : -1;
}

/* A host near the tap, however busy, has taken what passed towards it so long ago, and what it sends then has passed:
 * it took no longer for any answer that was due at once. SCTPA_HOST_TAKES_MS where there was none. O(1). */
int64_t sctpa_tap_host_takes_ns(sctpa_tap_rtt_t rtt);

/* Is the tap beside the endpoint, so that what passes it towards the endpoint arrives there? O(1). */
static inline bool sctpa_tap_is_beside(sctpa_tap_rtt_t rtt)
{
    return rtt.most_ns >= 0 && rtt.most_ns <= SCTPA_NEAR_NS;
}

/* With what other associations of the same host show. O(1). */
sctpa_tap_rtt_t sctpa_tap_rtt_of_host(sctpa_tap_rtt_t rtt);

/* From the tap to the one endpoint and back, and to the other and back, as far as each was measured. O(1). */
static inline int64_t sctpa_tap_round_trip_ns(sctpa_tap_rtt_t one, sctpa_tap_rtt_t other)
{
    const int64_t one_ns = sctpa_tap_rtt_measured_ns(one), other_ns = sctpa_tap_rtt_measured_ns(other);
    return (one_ns > 0 ? one_ns : 0) + (other_ns > 0 ? other_ns : 0);
}

/* Longer than any packet is under way between the endpoint and the tap, there and back (shared_limits.h). O(1). */
int64_t sctpa_tap_under_way_ns(sctpa_tap_rtt_t rtt);

/* How long after a packet towards an endpoint its answer comes at the soonest, by the shortest one so far: another one
 * may take less by what hosts take, SCTPA_NEAR_NS, but not by more than a share of it (shared_limits.h). Not above 0:
 * unknown. O(1). */
int64_t sctpa_tap_soonest_answer_ns(sctpa_tap_rtt_t rtt);

/* What comes sooner after a packet towards an endpoint answers an earlier one: a share of its RTT from tap as measured
 * (shared_limits.h), all but SCTPA_NEAR_NS where that is the floor; not above 0 where it is unknown. O(1). */
int64_t sctpa_tap_least_answer_ns(sctpa_tap_rtt_t rtt);

#endif
