/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The round trips that a pause is measured by: the least and the longest of late, by path and of any. */
#include "pauses_parts.h"

#include "base/records.h"
#include "base/time.h"

/* What was before stays until there is something newer. */
static void pass_recent(sctpa_recent_rtt_t *recent, int64_t time_ns)
{
    if (time_ns - recent->since_ns < SCTPA_PAUSE_ROUND_TRIPS_S * SCTPA_NS_PER_S || recent->least_ns[0] == 0)
        return;
    recent->least_ns[1] = recent->least_ns[0];
    recent->most_ns[1] = recent->most_ns[0];
    recent->least_ns[0] = recent->most_ns[0] = 0;
}

/* is_sure: not of a retransmission, the ack of which may be one of an earlier transmission (Karn's algorithm, RFC 9260
 * 6.3.1 C5). */
static void note_recent(sctpa_recent_rtt_t *recent, int64_t time_ns, int64_t rtt_ns, bool is_sure)
{
    pass_recent(recent, time_ns);
    if (recent->least_ns[0] == 0)
        recent->since_ns = time_ns;
    if (recent->least_ns[0] == 0 || (is_sure && rtt_ns < recent->least_ns[0]))
        recent->least_ns[0] = rtt_ns;
    recent->most_ns[0] = MAX(recent->most_ns[0], rtt_ns);
}

static int64_t least_of(const sctpa_recent_rtt_t *recent)
{
    return recent->least_ns[0] == 0   ? recent->least_ns[1]
           : recent->least_ns[1] == 0 ? recent->least_ns[0]
                                      : MIN(recent->least_ns[0], recent->least_ns[1]);
}

static unsigned paths_of(const sctpa_sweep_t *sweep)
{
    return sweep->source->direction->paths.len;
}

/* What is known of the path that a packet took, or else of any. */
static sctpa_recent_rtt_t *recent_of(const sctpa_sweep_t *sweep, uint32_t packet)
{
    const unsigned n = paths_of(sweep);
    return &sweep->recent[n > 1 ? MIN(sweep->source->path(sweep->source, packet), n) : n];
}

/* No round trip takes longer but for a delayed SACK: one of more than twice the least may be one. */
static int64_t most_of(const sctpa_recent_rtt_t *recent)
{
    return MIN(MAX(recent->most_ns[0], recent->most_ns[1]), 2 * least_of(recent));
}

int64_t sctpa_sweep_rtt_ns(const sctpa_sweep_t *sweep, uint32_t packet)
{
    const sctpa_recent_rtt_t *recent = recent_of(sweep, packet);
    return least_of(recent) > 0 ? most_of(recent) + SCTPA_TICK_NS : INT64_MAX / 2;
}

/* Longer than a round trip, however late the stamps of its beginning and early those of its end are. */
static int64_t limit_of(const sctpa_sweep_t *sweep, int64_t rtt_ns)
{
    return MAX(rtt_ns + SCTPA_TICK_NS, SCTPA_PAUSE_LEAST_MS * SCTPA_NS_PER_MS) + sweep->source->stamp_unit_ns;
}

bool sctpa_wait_measure_recent(const sctpa_sweep_t *sweep, sctpa_wait_t *wait, uint32_t newest)
{
    sctpa_recent_rtt_t *recent = recent_of(sweep, newest), *any = &sweep->recent[paths_of(sweep)];
    pass_recent(recent, wait->since_ns);
    pass_recent(any, wait->since_ns);
    recent = least_of(recent) > 0 ? recent : any;
    wait->least_rtt_ns = least_of(recent);
    wait->limit_ns = limit_of(sweep, most_of(recent));
    return wait->least_rtt_ns > 0;
}

void sctpa_wait_measure_first(const sctpa_sweep_t *sweep, sctpa_wait_t *wait, uint32_t newest)
{
    const int64_t answer_ns = sweep->source->tap_rtt_to(sweep->source, newest).most_ns;
    if ((sctpa_wait_measure_recent(sweep, wait, newest) && wait->least_rtt_ns <= answer_ns) || answer_ns <= 0)
        return;
    wait->least_rtt_ns = answer_ns;
    wait->limit_ns = limit_of(sweep, answer_ns);
}

void sctpa_sweep_take_heartbeat(sctpa_sweep_t *sweep, const sctpa_sample_t *sample)
{
    const int64_t rtt_ns = MAX(sctpa_direction_elapsed_ns(sweep->source->direction, sample), 1);
    if (paths_of(sweep) > 1 && sample->path < paths_of(sweep))
        note_recent(&sweep->recent[sample->path], sctpa_sweep_ns(sweep, sample->packet), rtt_ns, true);
}

void sctpa_sweep_take_round_trips(sctpa_sweep_t *sweep, uint32_t until)
{
    const sctpa_records_t *all = &sweep->source->direction->acked;
    for (; sweep->ack < all->len; sweep->ack++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(all, sctpa_acked_t, sweep->ack);
        const int64_t now_ns = sctpa_sweep_ns(sweep, acked->packet);
        if (acked->packet > until)
            break;
        const int64_t rtt_ns = MAX(now_ns - sctpa_sweep_ns(sweep, acked->last_packet), 1);
        const bool is_sure = !sctpa_direction_resends(sweep->source->direction, acked->last_packet, acked->last_packet);
        note_recent(&sweep->recent[paths_of(sweep)], now_ns, rtt_ns, is_sure);
        if (paths_of(sweep) > 1)
            note_recent(recent_of(sweep, acked->last_packet), now_ns, rtt_ns, is_sure);
    }
}
