/* SPDX-License-Identifier: GPL-2.0-or-later */
/* HB.interval of an endpoint (RFC 9260 8.3), from its HEARTBEATs. */
#include "learned_parts.h"

#include "base/time.h"
#include "data/rto.h"

enum { INTERVALS_LEAST = 3 };
/* FreeBSD adds up to 255 ms to its intervals (Rüngeler, dissertation, equation 8.5). */
static const int64_t jitter_added_ns = 255000000;

/* What the intervals between HEARTBEATs on idle paths tell. */
typedef struct {
    uint32_t n, packet;
    int64_t sum_ns, min_ns, max_ns;
    int64_t rto_sum_ns; /* of the RTOs as 6.3.1 has them */
    int64_t srtt_ns;    /* last */
    int64_t low_ns;     /* HB.interval is at least this */
} beating_t;

static bool has_data_between(const GArray *sent, const sctpa_heartbeat_t *from, const sctpa_heartbeat_t *to)
{
    for (unsigned at = sctpa_sendings_after(sent, from->packet); at < sent->len; at++) {
        const sctpa_sending_t *sending = sctpa_sending(sent, at);
        if (sending->packet > to->packet)
            return false;
        if (sending->path == from->path)
            return true;
    }
    return false;
}

/* 8.3: "HB.interval + RTO +/- 50 % of the RTO". */
static void take_interval(const sctpa_learning_t *learning, beating_t *beating, const sctpa_heartbeat_t *to,
                          int64_t interval_ns, const sctpa_replayed_t *path)
{
    const sctpa_learned_value_t *rto_min = &learning->learned->values[SCTPA_PARAMETER_RTO_MIN];
    int64_t unclamped_ns = sctpa_rto_unbounded_ns(path->srtt_ns, path->rttvar_ns);
    int64_t rto_ns = MAX(unclamped_ns, rto_min->samples > 0 ? rto_min->high : SCTPA_RTO_MIN_NS);
    beating->min_ns = beating->n == 0 ? interval_ns : MIN(beating->min_ns, interval_ns);
    beating->max_ns = MAX(beating->max_ns, interval_ns);
    beating->sum_ns = sctpa_ns_sum(beating->sum_ns, interval_ns);
    beating->rto_sum_ns = sctpa_ns_sum(beating->rto_sum_ns, rto_ns);
    beating->low_ns =
        MAX(beating->low_ns, interval_ns - 3 * rto_ns / 2 - MAX(jitter_added_ns, sctpa_tick_ns(interval_ns)));
    beating->srtt_ns = path->srtt_ns;
    beating->packet = to->packet;
    beating->n++;
}

/* The first interval of a path may be of its confirmation (5.4), and is left out. */
static void take_path(const sctpa_learning_t *learning, uint16_t path, beating_t *beating)
{
    const sctpa_records_t *heartbeats = &learning->source->direction->rare->heartbeats;
    const sctpa_heartbeat_t *before = NULL;
    unsigned seen = 0;
    sctpa_replay_t replay;
    sctpa_replay_begin(&replay, learning->source);
    for (unsigned i = 0; i < heartbeats->len; i++) {
        const sctpa_heartbeat_t *heartbeat = &SCTPA_RECORD(heartbeats, sctpa_heartbeat_t, i);
        if (heartbeat->path != path)
            continue;
        sctpa_replay_to(&replay, heartbeat->packet);
        bool idle =
            before && before->answer_packet < heartbeat->packet && !has_data_between(learning->sent, before, heartbeat);
        if (idle && seen++ > 0)
            take_interval(learning, beating, heartbeat,
                          sctpa_source_time_ns(learning->source, heartbeat->packet) -
                              sctpa_source_time_ns(learning->source, before->packet),
                          sctpa_replay_path(&replay, path));
        before = heartbeat;
    }
    sctpa_replay_end(&replay);
}

/* Intervals that differ show that jitter is added: an RTO of at least their difference. Those that do not: neither,
 * perhaps. */
void sctpa_learn_heartbeats(sctpa_learning_t *learning)
{
    const sctpa_direction_t *direction = learning->source->direction;
    beating_t beating = { 0 };
    for (unsigned path = 0; path < direction->paths.len; path++)
        take_path(learning, (uint16_t)path, &beating);
    if (beating.n < INTERVALS_LEAST)
        return;
    int64_t spread_ns = beating.max_ns - beating.min_ns, rto_ns = beating.rto_sum_ns / beating.n;
    bool jitter = spread_ns > rto_ns / 4;
    int64_t high_ns = beating.min_ns - (jitter ? spread_ns / 2 : 0), low_ns = MAX(beating.low_ns, 0);
    int64_t value_ns = jitter ? beating.sum_ns / beating.n - rto_ns : beating.min_ns - beating.srtt_ns;
    if (spread_ns > rto_ns + jitter_added_ns || low_ns > high_ns || 2 * (high_ns - low_ns) > high_ns)
        return;
    learning->learned->values[SCTPA_PARAMETER_HB_INTERVAL] =
        (sctpa_learned_value_t){ .samples = beating.n,
                                 .has_high = true,
                                 .value = CLAMP(value_ns, low_ns, high_ns),
                                 .low = low_ns,
                                 .high = high_ns,
                                 .packet = beating.packet };
}
