/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What passed during a wait for an ack: expiries, retransmissions, SACKs, closed windows. */
#include "pauses_parts.h"

#include "base/time.h"

void sctpa_wait_take_samples(sctpa_sweep_t *sweep, uint32_t until, sctpa_wait_t *wait)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    for (; sweep->sample < direction->samples.len; sweep->sample++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(&direction->samples, sctpa_sample_t, sweep->sample);
        if (sample->packet > until)
            break;
        if (sample->packet > wait->pause.since && sample->kind == SCTPA_SAMPLE_BACKOFF) {
            wait->pause.timeouts++;
            wait->expiry = sweep->sample + 1;
            wait->expiries = sweep->expiries;
        }
        sweep->expiries += sample->kind == SCTPA_SAMPLE_BACKOFF;
        if (sample->kind == SCTPA_SAMPLE_HEARTBEAT)
            sctpa_sweep_take_heartbeat(sweep, sample);
        sweep->rto_ns = sctpa_direction_rto_ns(direction, sample);
        if (sample->packet <= wait->pause.since)
            wait->rto_ns = sweep->rto_ns;
    }
}

/* Was it sent again for lack of an ack: by a timer, or after a wait longer than a round trip? */
static bool is_late(const sctpa_wait_t *wait, const sctpa_rtx_t *rtx, int64_t waited_ns)
{
    if (rtx->kind == SCTPA_RTX_UNKNOWN)
        return waited_ns > wait->limit_ns;
    return rtx->kind == SCTPA_RTX_TIMEOUT || rtx->kind == SCTPA_RTX_PROBE;
}

/* Retransmissions in the same packets. */
static void take_rtx(sctpa_sweep_t *sweep, uint32_t until, sctpa_wait_t *wait)
{
    const uint32_t n = sweep->source->direction->rare->rtx.len;
    wait->first = wait->last = n;
    wait->all_unknown = true;
    for (; sweep->rtx < n && sctpa_sweep_rtx(sweep, sweep->rtx)->packet <= until; sweep->rtx++) {
        const sctpa_rtx_t *rtx = sctpa_sweep_rtx(sweep, sweep->rtx);
        const int64_t waited_ns = sctpa_sweep_ns(sweep, rtx->packet) - sctpa_sweep_ns(sweep, rtx->previous);
        if (sctpa_rtx_is_doubled(sweep->source->direction, sweep->tsns[sweep->rtx], rtx))
            continue;
        sweep->expiries += rtx->kind == SCTPA_RTX_UNKNOWN;
        if (rtx->packet <= wait->pause.since)
            continue;
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(sweep->source->direction, sweep->tsns[sweep->rtx]);
        wait->has_rtx |= !tsn || !sctpa_direction_is_spurious(sweep->source->direction, tsn, rtx);
        if (!is_late(wait, rtx, waited_ns))
            continue;
        wait->first = wait->first == n ? sweep->rtx : wait->first;
        wait->last = sweep->rtx;
        wait->all_unknown &= rtx->kind == SCTPA_RTX_UNKNOWN;
        wait->longest_wait_ns = MAX(wait->longest_wait_ns, waited_ns);
    }
}

/* SACKs in the same packets; that which ends the pause is none of them. */
static void take_sacks(sctpa_sweep_t *sweep, uint32_t until, sctpa_wait_t *wait)
{
    const sctpa_records_t *sacks = &sweep->source->direction->sacks;
    for (; sweep->sack < sacks->len; sweep->sack++) {
        const uint32_t packet = SCTPA_RECORD(sacks, sctpa_sack_record_t, sweep->sack).packet;
        if (packet >= until)
            break;
        wait->sacks += packet > wait->pause.since;
    }
}

/* Retransmissions in the same packets that are all that passed of their TSNs: the last one, which ended at least half
 * of the pause. */
static void take_unseen(sctpa_sweep_t *sweep, uint32_t until, sctpa_wait_t *wait)
{
    for (; sweep->next_unseen < sweep->unseen->len; sweep->next_unseen++) {
        const sctpa_unseen_t *unseen = &g_array_index(sweep->unseen, sctpa_unseen_t, sweep->next_unseen);
        if (unseen->packet > until)
            break;
        if (unseen->packet > wait->pause.since &&
            sctpa_sweep_ns(sweep, unseen->packet) - wait->since_ns >= wait->pause.paused_ns / 2)
            wait->unseen = unseen;
    }
}

/* How long the window was closed in the pause. */
static void take_windows(sctpa_sweep_t *sweep, sctpa_wait_t *wait)
{
    const unsigned n = sweep->windows ? sweep->windows->closed->len : 0;
    const int64_t until_ns = wait->since_ns + wait->pause.paused_ns;
    while (sweep->window < n &&
           g_array_index(sweep->windows->closed, sctpa_closed_t, sweep->window).until <= wait->pause.since)
        sweep->window++;
    for (unsigned i = sweep->window; i < n; i++) {
        const sctpa_closed_t *closed = &g_array_index(sweep->windows->closed, sctpa_closed_t, i);
        const int64_t from_ns = sctpa_sweep_ns(sweep, closed->packet);
        if (closed->packet >= wait->pause.until)
            break;
        wait->closed_ns += MAX(MIN(from_ns + closed->closed_ns, until_ns) - MAX(from_ns, wait->since_ns), 0);
    }
}

void sctpa_wait_take_packets(sctpa_sweep_t *sweep, uint32_t until, sctpa_wait_t *wait)
{
    take_rtx(sweep, until, wait);
    take_sacks(sweep, until, wait);
    take_unseen(sweep, until, wait);
    take_windows(sweep, wait);
}
