/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a sender may at most grow cwnd, and by how little reduce it. */
#include "cwnd_limit.h"

#include <glib.h>

static void begin(sctpa_limit_t *limit, uint32_t unit)
{
    if (limit->cwnd == 0)
        *limit = (sctpa_limit_t){ 4 * (uint64_t)unit, UINT64_MAX };
}

/* No initial cwnd, and none after a loss or idling, is more than 4 PMTU, unless it was more before (7.2.1, 7.2.3). */
uint64_t sctpa_limit_bytes(const sctpa_limit_t *limit, uint32_t unit)
{
    return MAX(limit->cwnd, 4 * (uint64_t)unit);
}

/* 7.2.1: in slow start "increased by, at most, the lesser of" what was acknowledged and L * PMDCS, of which L is free;
 * 7.2.2: beyond ssthresh by a PMDCS for each cwnd that is acknowledged. Either only where cwnd is fully utilized, to
 * within a packet. A sender whose cwnd is less may still be in slow start. */
void sctpa_limit_acked(sctpa_limit_t *limit, uint32_t unit, uint64_t flight, uint64_t acked)
{
    begin(limit, unit);
    const uint64_t slow_start = MIN(limit->cwnd, limit->ssthresh) + acked,
                   avoidance = limit->cwnd + (acked * unit + limit->cwnd - 1) / limit->cwnd,
                   utilized = flight + unit + acked;
    limit->cwnd = MAX(limit->cwnd, MIN(MAX(slow_start, avoidance), utilized));
}

/* "ssthresh = max(cwnd / 2, 4 * PMDCS)", "cwnd = ssthresh", or a PMDCS */
void sctpa_limit_lost(sctpa_limit_t *limit, uint32_t unit)
{
    begin(limit, unit);
    limit->cwnd = limit->ssthresh = MAX(limit->cwnd / 2, 4 * (uint64_t)unit);
}

/* "adjusted to max(cwnd / 2, 4 * PMDCS) once per RTO", "Before the first cwnd adjustment, the ssthresh of the transport
 * address SHOULD be set to the cwnd." */
void sctpa_limit_idle(sctpa_limit_t *limit, uint32_t unit, sctpa_limit_kind_t kind, unsigned rtos)
{
    begin(limit, unit);
    limit->ssthresh = MAX(limit->ssthresh, limit->cwnd);
    if (kind == SCTPA_LIMIT_REDUCED_IDLE && rtos > 0)
        limit->cwnd = MAX(limit->cwnd >> MIN(rtos, 63), MIN(limit->cwnd, 4 * (uint64_t)unit));
}
