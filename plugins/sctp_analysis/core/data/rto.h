/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The retransmission timeout of a path (RFC 9260 6.3.1, 6.3.3 E2). Leaves out what RTO.Initial, RTO.Min and RTO.Max
 * are. */
#ifndef SCTPA_DATA_RTO_H
#define SCTPA_DATA_RTO_H

#include <glib.h>

#include "base/numbers.h"
#include "wire/types.h"

/* Takes a round trip into SRTT and RTTVAR (C2, C3); *srtt_ns 0: it is the first. */
void sctpa_rtt_take(int64_t *srtt_ns, int64_t *rttvar_ns, int64_t rtt_ns);

/* "RTO = SRTT + 4 * RTTVAR" (C2, C3), before C6 and C7 bound it. */
static inline int64_t sctpa_rto_unbounded_ns(int64_t srtt_ns, int64_t rttvar_ns)
{
    return srtt_ns + 4 * rttvar_ns;
}

/* The RTO of a sender with that RTO.Min (C6) and RTO.Max (C7). */
static inline int64_t sctpa_rto_bounded_ns(int64_t srtt_ns, int64_t rttvar_ns, int64_t rto_min_ns, int64_t rto_max_ns)
{
    return CLAMP(sctpa_rto_unbounded_ns(srtt_ns, rttvar_ns), rto_min_ns, rto_max_ns);
}

/* RTO.Initial, RTO.Min, RTO.Max. */
typedef struct {
    int64_t initial_ns, min_ns, max_ns;
} sctpa_rto_bounds_t;

/* The RTO by these, where SRTT + 4 RTTVAR is unbounded_ns, 0: no round trip was measured (C1). backoffs: timeouts
 * since, each of which doubles it (6.3.3 E2), up to RTO.Max. O(1). */
static inline int64_t sctpa_rto_backed_off_ns(int64_t unbounded_ns, unsigned backoffs, const sctpa_rto_bounds_t *bounds)
{
    int64_t rto_ns = unbounded_ns > 0 ? MAX(unbounded_ns, bounds->min_ns) : bounds->initial_ns;
    for (; backoffs > 0 && rto_ns > 0 && rto_ns < bounds->max_ns; backoffs--)
        rto_ns = sctpa_ns_times(rto_ns, 2);
    return MIN(rto_ns, bounds->max_ns);
}

#endif
