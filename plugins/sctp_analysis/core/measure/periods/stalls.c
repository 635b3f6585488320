/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stalls, by walking packets that sent, packets that acked and packets that sent again side by side; moves, by walking
 * the TSNs. */
#include "stalls.h"

#include "base/records.h"
#include "base/time.h"

typedef struct {
    GArray *sent, *acked; /* uint32_t: packet of each TSN's first transmission, of its first ack */
} packets_t;

typedef struct {
    const sctpa_series_source_t *source;
    sctpa_stalls_t *found;
    int64_t least_ns, end_ns;
    uint32_t least_timeouts;
    uint32_t sample, rtx; /* the next in the direction's samples, its retransmissions */
    int64_t rto_ns;       /* after the last sample */
} sweep_t;

/* What a stall's packets tell of the sender's timer. */
typedef struct {
    uint32_t timeouts; /* that are proven */
    uint32_t last;     /* retransmission that a timer may have sent, SCTPA_NO_PACKET_INDEX none */
    int64_t waited_ns; /* the longest that any of them waited since the transmission before it */
    int64_t rto_ns;    /* at the beginning */
} evidence_t;

static int64_t time_of(const sctpa_series_source_t *source, uint32_t packet)
{
    return sctpa_direction_time_ns(source->direction, packet);
}

static void take_tsn(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    packets_t *packets = user;
    uint32_t acked = MIN(tsn->gap_packet, tsn->ack_packet);
    (void)number;
    if (tsn->state & (SCTPA_TSN_ABANDONED | SCTPA_TSN_LATE) || acked <= tsn->first_packet)
        return;
    g_array_append_val(packets->sent, tsn->first_packet);
    if (acked != SCTPA_NO_PACKET_INDEX)
        g_array_append_val(packets->acked, acked);
}

/* Expiries of the timer after since and up to until; called with ascending packets. */
static void take_timeouts(sweep_t *sweep, uint32_t since, uint32_t until, evidence_t *evidence)
{
    const sctpa_records_t *samples = &sweep->source->direction->samples;
    for (; sweep->sample < samples->len; sweep->sample++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(samples, sctpa_sample_t, sweep->sample);
        if (sample->packet > until)
            break;
        if (sample->packet <= since)
            evidence->rto_ns = sctpa_direction_rto_ns(sweep->source->direction, sample);
        else
            evidence->timeouts += sample->kind == SCTPA_SAMPLE_BACKOFF;
        sweep->rto_ns = sctpa_direction_rto_ns(sweep->source->direction, sample);
    }
}

/* Was it sent again for lack of an ack: by the timer, or after as long a wait as the timer's is at least? */
static bool is_late(const sweep_t *sweep, const sctpa_rtx_t *rtx, int64_t waited_ns)
{
    if (rtx->kind == SCTPA_RTX_UNKNOWN)
        return waited_ns >= sweep->source->direction->rare->rto_min_ns;
    return rtx->kind == SCTPA_RTX_TIMEOUT || rtx->kind == SCTPA_RTX_PROBE;
}

/* Retransmissions in the same packets. */
static void take_rtx(sweep_t *sweep, uint32_t since, uint32_t until, evidence_t *evidence)
{
    const sctpa_records_t *all = &sweep->source->direction->rare->rtx;
    for (; sweep->rtx < all->len; sweep->rtx++) {
        const sctpa_rtx_t *rtx = &SCTPA_RECORD(all, sctpa_rtx_t, sweep->rtx);
        if (rtx->packet > until)
            return;
        int64_t waited_ns = time_of(sweep->source, rtx->packet) - time_of(sweep->source, rtx->previous);
        if (rtx->packet <= since || !is_late(sweep, rtx, waited_ns))
            continue;
        evidence->last = rtx->packet;
        evidence->waited_ns = MAX(evidence->waited_ns, waited_ns);
    }
}

/* A sender that lacks an ack sends again when its timer runs out, and then after twice that time at most (RFC
 * 9260 6.3.3 E2). What went on for longer after its last retransmission ended unseen: nothing was acked up to there, as
 * far as the capture proves. */
static void cut_unproven(const sweep_t *sweep, const evidence_t *evidence, sctpa_stall_t *stall)
{
    int64_t last_ns = time_of(sweep->source, evidence->last),
            patience_ns = 2 * MAX(evidence->waited_ns, evidence->rto_ns);
    int64_t since_ns = time_of(sweep->source, stall->since);
    if (since_ns + stall->stalled_ns - last_ns <= patience_ns + sctpa_tick_ns(patience_ns))
        return;
    stall->until = evidence->last;
    stall->ends_acked = false;
    stall->stalled_ns = MAX(last_ns - since_ns, 0);
}

/* Without a retransmission: is it no longer than a sender waits that lacks an ack? */
static bool is_within_rto(const evidence_t *evidence, const sctpa_stall_t *stall)
{
    return stall->stalled_ns <= evidence->rto_ns + sctpa_tick_ns(evidence->rto_ns);
}

static void end_stall(sweep_t *sweep, uint32_t since, uint32_t until, uint32_t chunks)
{
    sctpa_stalls_t *found = sweep->found;
    int64_t until_ns = until == SCTPA_NO_PACKET_INDEX ? sweep->end_ns : time_of(sweep->source, until);
    evidence_t evidence = { .last = SCTPA_NO_PACKET_INDEX, .rto_ns = sweep->rto_ns };
    take_timeouts(sweep, since, until, &evidence);
    take_rtx(sweep, since, until, &evidence);
    sctpa_stall_t stall = { since,
                            until,
                            MAX(until_ns - time_of(sweep->source, since), 0),
                            evidence.timeouts,
                            chunks,
                            until != SCTPA_NO_PACKET_INDEX };
    bool is_proven = evidence.last != SCTPA_NO_PACKET_INDEX;
    if (is_proven)
        cut_unproven(sweep, &evidence, &stall);
    else if (!is_within_rto(&evidence, &stall))
        return;
    if (found->longest.since == SCTPA_NO_PACKET_INDEX || stall.stalled_ns > found->longest.stalled_ns)
        found->longest = stall;
    if (!is_proven || (stall.stalled_ns < sweep->least_ns && stall.timeouts < sweep->least_timeouts))
        return;
    g_array_append_val(found->stalls, stall);
    found->stalled_ns = sctpa_ns_sum(found->stalled_ns, stall.stalled_ns);
    found->most_timeouts = MAX(found->most_timeouts, stall.timeouts);
}

static void walk(sweep_t *sweep, const packets_t *packets)
{
    const uint32_t *sent = (const uint32_t *)(const void *)packets->sent->data;
    const uint32_t *acked = (const uint32_t *)(const void *)packets->acked->data;
    uint32_t since = SCTPA_NO_PACKET_INDEX, outstanding = 0, next_sent = 0, next_acked = 0;
    while (next_sent < packets->sent->len || next_acked < packets->acked->len) {
        if (next_acked == packets->acked->len ||
            (next_sent < packets->sent->len && sent[next_sent] < acked[next_acked])) {
            since = outstanding++ == 0 ? sent[next_sent] : since;
            next_sent++;
            continue;
        }
        uint32_t packet = acked[next_acked];
        end_stall(sweep, since, packet, outstanding);
        for (; next_acked < packets->acked->len && acked[next_acked] == packet; next_acked++)
            outstanding--;
        since = packet;
    }
    if (outstanding > 0)
        end_stall(sweep, since, SCTPA_NO_PACKET_INDEX, outstanding);
}

sctpa_stalls_t *sctpa_stalls_measure(const sctpa_series_source_t *source, int64_t end_ns, int64_t least_ns,
                                     uint32_t least_timeouts)
{
    sctpa_stalls_t *found = g_new0(sctpa_stalls_t, 1);
    sweep_t sweep = { source, found, least_ns, end_ns, least_timeouts, .rto_ns = SCTPA_RTO_INITIAL_4960_NS };
    found->stalls = g_array_new(FALSE, FALSE, sizeof(sctpa_stall_t));
    found->longest.since = SCTPA_NO_PACKET_INDEX;
    if (!source->direction || source->data_only)
        return found;
    packets_t packets = { g_array_new(FALSE, FALSE, sizeof(uint32_t)), g_array_new(FALSE, FALSE, sizeof(uint32_t)) };
    sctpa_direction_each(source->direction, take_tsn, &packets);
    g_array_sort(packets.sent, sctpa_records_order);
    g_array_sort(packets.acked, sctpa_records_order);
    walk(&sweep, &packets);
    g_array_unref(packets.sent);
    g_array_unref(packets.acked);
    return found;
}

void sctpa_stalls_free(sctpa_stalls_t *stalls)
{
    if (!stalls)
        return;
    g_array_unref(stalls->stalls);
    g_free(stalls);
}

typedef struct {
    const sctpa_series_source_t *source;
    sctpa_moves_t moves;
    uint16_t path; /* of the new data before, SCTPA_SERIES_ANY_PATH none */
} moving_t;

static void follow_tsn(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    moving_t *moving = user;
    uint16_t path = tsn->more ? moving->source->path(moving->source, tsn->first_packet) : tsn->path;
    (void)number;
    if (moving->path != SCTPA_SERIES_ANY_PATH && path != moving->path) {
        if (moving->moves.n < SCTPA_MOVES_KEPT)
            moving->moves.first[moving->moves.n] = (sctpa_move_t){ tsn->first_packet, moving->path, path };
        moving->moves.n++;
    }
    moving->path = path;
}

sctpa_moves_t sctpa_moves_measure(const sctpa_series_source_t *source)
{
    moving_t moving = { .source = source, .path = SCTPA_SERIES_ANY_PATH };
    if (source->direction)
        sctpa_direction_each(source->direction, follow_tsn, &moving);
    return moving.moves;
}
