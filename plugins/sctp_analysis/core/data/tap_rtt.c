/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shortest and the longest answers of endpoints and hosts. */
#include "tap_rtt.h"

#include <glib.h>

#include "base/numbers.h"
#include "shared_limits.h"

/* Takes the shorter of two; -1 is none. */
static void take(int64_t *most_ns, bool *is_measured, int64_t elapsed_ns, bool is_due)
{
    if (elapsed_ns < 0)
        return;
    *most_ns = *most_ns < 0 ? elapsed_ns : MIN(*most_ns, elapsed_ns);
    *is_measured |= is_due;
}

void sctpa_tap_rtt_note(sctpa_tap_rtt_t *rtt, int64_t elapsed_ns, bool is_due)
{
    take(&rtt->most_ns, &rtt->is_measured, elapsed_ns, is_due);
    if (is_due)
        rtt->longest_ns = MAX(rtt->longest_ns, elapsed_ns);
    if (rtt->host && !rtt->host->is_closed)
        take(&rtt->host->most_ns, &rtt->host->is_measured, elapsed_ns, is_due);
}

sctpa_tap_rtt_t sctpa_tap_rtt_of_host(sctpa_tap_rtt_t rtt)
{
    if (rtt.host && !rtt.host->is_closed)
        take(&rtt.most_ns, &rtt.is_measured, rtt.host->most_ns, rtt.host->is_measured);
    return rtt;
}

int64_t sctpa_tap_host_takes_ns(sctpa_tap_rtt_t rtt)
{
    return rtt.longest_ns < 0 ? SCTPA_HOST_TAKES_MS * SCTPA_NS_PER_MS : rtt.longest_ns;
}

int64_t sctpa_tap_under_way_ns(sctpa_tap_rtt_t rtt)
{
    return MAX(SCTPA_UNDER_WAY_MS * SCTPA_NS_PER_MS, SCTPA_UNDER_WAY_ROUND_TRIPS * MAX(rtt.most_ns, 0));
}

int64_t sctpa_tap_soonest_answer_ns(sctpa_tap_rtt_t rtt)
{
    return MAX(rtt.most_ns * SCTPA_ANSWER_QUARTERS / 4, rtt.most_ns - SCTPA_NEAR_NS);
}

int64_t sctpa_tap_least_answer_ns(sctpa_tap_rtt_t rtt)
{
    return rtt.is_measured && rtt.is_floor ? sctpa_tap_soonest_answer_ns(rtt)
                                           : sctpa_tap_rtt_measured_ns(rtt) * SCTPA_ANSWER_QUARTERS / 4;
}
