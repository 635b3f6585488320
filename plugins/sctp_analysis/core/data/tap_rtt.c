/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shortest answers of endpoints and hosts. */
#include "tap_rtt.h"

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
    if (rtt->host && !rtt->host->is_closed)
        take(&rtt->host->most_ns, &rtt->host->is_measured, elapsed_ns, is_due);
}

sctpa_tap_rtt_t sctpa_tap_rtt_of_host(sctpa_tap_rtt_t rtt)
{
    if (rtt.host && !rtt.host->is_closed)
        take(&rtt.most_ns, &rtt.is_measured, rtt.host->most_ns, rtt.host->is_measured);
    return rtt;
}
