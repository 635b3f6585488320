/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The retransmission timeout of a sender that has measured round trips (RFC 9260 6.3.1). */
#ifndef SCTPA_DATA_RTO_H
#define SCTPA_DATA_RTO_H

#include <glib.h>

#include "wire/protocol_parameters.h"

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

#endif
