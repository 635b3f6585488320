/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Round trips of a path by the way back, from the samples of the direction. */
#include "ways_back.h"

typedef struct {
    int64_t elapsed_ns;
    uint16_t back;
} trip_t;

static int way_order(gconstpointer a, gconstpointer b)
{
    return (int)((const trip_t *)a)->back - (int)((const trip_t *)b)->back;
}

static GArray *trips_of(const sctpa_series_source_t *source, uint16_t path)
{
    const sctpa_direction_t *direction = source->direction;
    GArray *trips = g_array_new(FALSE, FALSE, sizeof(trip_t));
    const sctpa_data_path_t *known = direction ? sctpa_direction_known_path(direction, path) : NULL;
    for (uint32_t at = known ? known->last_sample : 0; at != 0;) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(&direction->samples, sctpa_sample_t, at - 1);
        trip_t trip = { sctpa_direction_elapsed_ns(direction, sample), source->path(source, sample->packet) };
        if (sample->kind == SCTPA_SAMPLE_DATA)
            g_array_append_val(trips, trip);
        at = sample->link.before;
    }
    g_array_sort(trips, way_order);
    return trips;
}

GArray *sctpa_ways_back_measure(const sctpa_series_source_t *source, uint16_t path)
{
    GArray *ways = g_array_new(FALSE, FALSE, sizeof(sctpa_way_back_t)), *trips = trips_of(source, path),
           *times = g_array_new(FALSE, FALSE, sizeof(int64_t));
    for (guint i = 0; i < trips->len; i++) {
        const trip_t *trip = &g_array_index(trips, trip_t, i);
        g_array_append_val(times, trip->elapsed_ns);
        if (i + 1 < trips->len && g_array_index(trips, trip_t, i + 1).back == trip->back)
            continue;
        sctpa_way_back_t way = { trip->back, sctpa_percentiles_of(times) };
        g_array_append_val(ways, way);
        g_array_set_size(times, 0);
    }
    g_array_unref(trips);
    g_array_unref(times);
    return ways;
}
