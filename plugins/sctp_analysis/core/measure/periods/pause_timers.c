/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which pauses lasted longer than the retransmission timer of the sender can have run. */
#include "pauses_parts.h"

int64_t sctpa_pause_backed_off_ns(int64_t rto_ns, unsigned expiries, int64_t most_ns)
{
    for (; expiries > 0 && rto_ns < most_ns; expiries--)
        rto_ns = sctpa_ns_times(rto_ns, 2);
    return MIN(rto_ns, most_ns);
}

/* The RTO before an expiry, at most: RTO.Initial or what the round trips give, doubled by each expiry that the sender
 * had, since some stacks never compute it anew, up to RTO.Max. An eighth for its arithmetic. */
static int64_t rto_most_ns(const sctpa_sweep_t *sweep, const sctpa_sample_t *expiry, unsigned expiries)
{
    const sctpa_series_source_t *source = sweep->source;
    const int64_t unbounded_ns = sctpa_sample_unbounded_ns(expiry);
    return sctpa_pause_backed_off_ns(MAX(source->rto_initial_most_ns, unbounded_ns + unbounded_ns / 8),
                                     expiries + source->set_up_repeats, source->rto_max_ns);
}

bool sctpa_pause_is_late_timer(const sctpa_sweep_t *sweep, sctpa_wait_t *wait)
{
    const sctpa_series_source_t *source = sweep->source;
    if (wait->expiry == 0 || source->set_up_packet == SCTPA_NO_PACKET_INDEX)
        return false;
    const sctpa_sample_t *expiry = &SCTPA_RECORD(&source->direction->samples, sctpa_sample_t, wait->expiry - 1);
    if (expiry->started == expiry->packet || expiry->may_start_late ||
        !source->sent_all(source, expiry->started, expiry->packet))
        return false;
    const int64_t most_ns = rto_most_ns(sweep, expiry, wait->expiries);
    if (sctpa_direction_elapsed_ns(source->direction, expiry) <=
        most_ns + sctpa_tick_ns(most_ns) + MAX(source->tap_rtt_of(source, expiry->packet).most_ns, 0))
        return false;
    const int64_t sent_ns = sctpa_sweep_ns(sweep, expiry->packet);
    wait->pause.rto_most_ns = most_ns;
    wait->pause.heard =
        source->heard_before(source, expiry->packet, sent_ns - sctpa_sweep_at_once_ns(sweep, expiry->packet));
    return true;
}
