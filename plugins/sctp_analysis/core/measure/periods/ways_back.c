/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Round trips by the way there and back, from what each SACK is the first to ack. */
#include "ways_back.h"

#include "base/numbers.h"
#include "measure/measure.h"

typedef struct {
    int64_t acked_ns, rtt_ns;
    uint32_t packet, bytes; /* the SACK, what it newly acked */
    uint16_t to, back;
} trip_t;

static int trip_order(gconstpointer a, gconstpointer b)
{
    const trip_t *one = a, *other = b;
    if (one->to != other->to)
        return one->to < other->to ? -1 : 1;
    if (one->back != other->back)
        return one->back < other->back ? -1 : 1;
    return (one->packet > other->packet) - (one->packet < other->packet);
}

static bool is_same_way(const trip_t *one, const trip_t *other)
{
    return one->to == other->to && one->back == other->back;
}

/* By way, then by SACK, as they come where there is one way. */
static GArray *trips_of(const sctpa_series_source_t *source, const sctpa_packets_t *selected)
{
    const sctpa_direction_t *direction = source->direction;
    GArray *trips = g_array_new(FALSE, FALSE, sizeof(trip_t));
    const uint32_t n = direction && !source->data_only ? direction->acked.len : 0;
    bool has_several = false;
    for (uint32_t at = 0; at < n; at++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(&direction->acked, sctpa_acked_t, at);
        const int64_t acked_ns = sctpa_direction_time_ns(direction, acked->packet),
                      rtt_ns = acked_ns - sctpa_direction_time_ns(direction, acked->last_packet);
        if (rtt_ns < 0 || !sctpa_packets_has(selected, acked->packet) ||
            sctpa_direction_resends(direction, acked->first_packet, acked->last_packet))
            continue;
        const trip_t trip = { acked_ns,
                              rtt_ns,
                              acked->packet,
                              acked->bytes,
                              source->path(source, acked->last_packet),
                              source->path(source, acked->packet) };
        g_array_append_val(trips, trip);
        has_several |= !is_same_way(&g_array_index(trips, trip_t, 0), &trip);
    }
    if (has_several)
        g_array_sort(trips, trip_order);
    return trips;
}

/* How much of each round trip came in steps of at most so much, those of [trips, end). */
static sctpa_percentiles_t grown_of(const trip_t *trips, const trip_t *end, int64_t most_ns)
{
    GArray *times = g_array_new(FALSE, FALSE, sizeof(int64_t));
    int64_t grown_ns = 0;
    for (const trip_t *trip = trips; trip < end; trip++) {
        const int64_t step_ns = trip > trips ? trip->rtt_ns - trip[-1].rtt_ns : 0;
        if (step_ns <= most_ns)
            grown_ns = MAX(grown_ns + step_ns, 0);
        g_array_append_val(times, grown_ns);
    }
    const sctpa_percentiles_t grown = sctpa_percentiles_of(times);
    g_array_unref(times);
    return grown;
}

static double acked_bps(const trip_t *trips, const trip_t *end, int64_t least_ns)
{
    uint64_t bytes = 0;
    int64_t ns = 0;
    for (const trip_t *trip = trips + 1; trip < end; trip++) {
        if (trip->rtt_ns < least_ns)
            continue;
        bytes += trip->bytes;
        ns = sctpa_ns_sum(ns, MAX(trip->acked_ns - trip[-1].acked_ns, 0));
    }
    return sctpa_rate_bps(bytes, ns);
}

static sctpa_way_back_t way_of(const trip_t *trips, const trip_t *end)
{
    GArray *times = g_array_new(FALSE, FALSE, sizeof(int64_t));
    for (const trip_t *trip = trips; trip < end; trip++)
        g_array_append_val(times, trip->rtt_ns);
    sctpa_way_back_t way = { .to = trips->to, .back = trips->back, .rtt = sctpa_percentiles_of(times) };
    g_array_unref(times);
    way.grown = grown_of(trips, end, (way.rtt.p95_ns - way.rtt.min_ns) / 2);
    way.acked_bps = acked_bps(trips, end, way.rtt.median_ns);
    return way;
}

GArray *sctpa_ways_back_measure(const sctpa_series_source_t *source, const sctpa_packets_t *selected)
{
    GArray *ways = g_array_new(FALSE, FALSE, sizeof(sctpa_way_back_t)), *trips = trips_of(source, selected);
    const trip_t *trip = (const trip_t *)(const void *)trips->data, *end = trip + trips->len;
    while (trip < end) {
        const trip_t *next = trip;
        while (next < end && is_same_way(next, trip))
            next++;
        const sctpa_way_back_t way = way_of(trip, next);
        g_array_append_val(ways, way);
        trip = next;
    }
    g_array_unref(trips);
    return ways;
}
