/* Stalls, by walking packets that sent and packets that acked data side by side; moves, by walking the TSNs. */
#include "stalls.h"

#include "../base/records.h"

typedef struct {
    GArray *sent, *acked;       /* uint32_t: packet of each TSN's first transmission, of its first ack */
} packets_t;

typedef struct {
    const sctpa_series_source_t *source;
    sctpa_stalls_t *found;
    int64_t least_ns, end_ns;
    uint32_t least_timeouts;
    uint32_t sample;            /* the next in the direction's samples */
} sweep_t;

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
static uint32_t timeouts_between(sweep_t *sweep, uint32_t since, uint32_t until)
{
    const sctpa_records_t *samples = &sweep->source->direction->samples;
    uint32_t timeouts = 0;
    for (; sweep->sample < samples->len; sweep->sample++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(samples, sctpa_sample_t, sweep->sample);
        if (sample->packet > until)
            break;
        timeouts += sample->packet > since && sample->kind == SCTPA_SAMPLE_BACKOFF;
    }
    return timeouts;
}

static void end_stall(sweep_t *sweep, uint32_t since, uint32_t until, uint32_t chunks)
{
    sctpa_stalls_t *found = sweep->found;
    int64_t until_ns = until == SCTPA_NO_PACKET_INDEX ? sweep->end_ns : time_of(sweep->source, until);
    sctpa_stall_t stall = { since, until, MAX(until_ns - time_of(sweep->source, since), 0), timeouts_between(sweep, since, until),
                            chunks };
    if (found->longest.since == SCTPA_NO_PACKET_INDEX || stall.stalled_ns > found->longest.stalled_ns)
        found->longest = stall;
    if (stall.stalled_ns < sweep->least_ns && stall.timeouts < sweep->least_timeouts)
        return;
    g_array_append_val(found->stalls, stall);
    found->stalled_ns += stall.stalled_ns;
    found->most_timeouts = MAX(found->most_timeouts, stall.timeouts);
}

static void walk(sweep_t *sweep, const packets_t *packets)
{
    const uint32_t *sent = (const uint32_t *)(const void *)packets->sent->data;
    const uint32_t *acked = (const uint32_t *)(const void *)packets->acked->data;
    uint32_t since = SCTPA_NO_PACKET_INDEX, outstanding = 0, next_sent = 0, next_acked = 0;
    while (next_sent < packets->sent->len || next_acked < packets->acked->len) {
        if (next_acked == packets->acked->len || (next_sent < packets->sent->len && sent[next_sent] < acked[next_acked])) {
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

sctpa_stalls_t *sctpa_stalls_measure(const sctpa_series_source_t *source, int64_t end_ns, int64_t least_ns, uint32_t least_timeouts)
{
    sctpa_stalls_t *found = g_new0(sctpa_stalls_t, 1);
    sweep_t sweep = { source, found, least_ns, end_ns, least_timeouts, 0 };
    found->stalls = g_array_new(FALSE, FALSE, sizeof(sctpa_stall_t));
    found->longest.since = SCTPA_NO_PACKET_INDEX;
    if (!source->direction)
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
    uint16_t path;              /* of the new data before, SCTPA_SERIES_ANY_PATH none */
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
