/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Delays between two taps, from the sightings of each packet. */
#include "tap_delay.h"

#include "concurrent.h"
#include "track/identity/two_taps_result.h"

/* A packet at the tap near its sender, and how much later at the far one, by their clocks. */
typedef struct {
    int64_t near_ns, passed_ns;
} passage_t;

static int near_order(gconstpointer a, gconstpointer b)
{
    const passage_t *x = a, *y = b;
    return x->near_ns < y->near_ns ? -1 : x->near_ns > y->near_ns;
}

/* passage_t in order of near_ns. near: the interface near the sender. */
static GArray *passages_of(const sctpa_source_t *source, const sctpa_two_taps_t *taps, uint32_t near)
{
    GArray *passages = g_array_new(FALSE, FALSE, sizeof(passage_t));
    for (uint32_t i = 0; i < taps->sightings.len; i++) {
        const uint32_t *at = SCTPA_RECORD(&taps->sightings, sctpa_sighting_t, i).at;
        if (at[0] == SCTPA_NO_PACKET_INDEX || at[1] == SCTPA_NO_PACKET_INDEX)
            continue;
        const unsigned place = taps->interfaces[1] == near;
        const int64_t near_ns = sctpa_source_stamp(source, at[place])->time_ns,
                      far_ns = sctpa_source_stamp(source, at[!place])->time_ns;
        passage_t passage = { near_ns, far_ns - near_ns };
        g_array_append_val(passages, passage);
    }
    g_array_sort(passages, near_order);
    return passages;
}

static const passage_t *passage_at(const GArray *passages, guint i)
{
    return &g_array_index(passages, passage_t, i);
}

/* The least of those that passed the near tap from from_ns up to to_ns; INT64_MAX none. */
static int64_t least_ns(const GArray *passages, int64_t from_ns, int64_t to_ns)
{
    int64_t least_ns = INT64_MAX;
    for (guint i = 0; i < passages->len; i++)
        if (passage_at(passages, i)->near_ns >= from_ns && passage_at(passages, i)->near_ns <= to_ns)
            least_ns = MIN(least_ns, passage_at(passages, i)->passed_ns);
    return least_ns;
}

/* By how much the least grew from the first third of the time to the last. False: not known. */
static bool growth(const GArray *passages, int64_t *growth_ns)
{
    const int64_t first_ns = passage_at(passages, 0)->near_ns,
                  last_ns = passage_at(passages, passages->len - 1)->near_ns, third_ns = (last_ns - first_ns) / 3;
    const int64_t before_ns = least_ns(passages, first_ns, first_ns + third_ns),
                  after_ns = least_ns(passages, last_ns - third_ns, last_ns);
    *growth_ns = after_ns - before_ns;
    return third_ns > 0;
}

/* The lesser of two changes in the same direction, 0: they are not. */
static int64_t in_both(int64_t one, int64_t other)
{
    if (one > 0 && other > 0)
        return MIN(one, other);
    return one < 0 && other < 0 ? MAX(one, other) : 0;
}

static void measure_jitter(const GArray *passages, sctpa_tap_delay_t *delay)
{
    enum { GAIN = 16 }; /* RFC 3550 6.4.1: J(i) = J(i-1) + (|D(i-1,i)| - J(i-1))/16 */
    for (guint i = 1; i < passages->len; i++) {
        const int64_t difference_ns = ABS(passage_at(passages, i)->passed_ns - passage_at(passages, i - 1)->passed_ns);
        delay->jitter_ns += (difference_ns - delay->jitter_ns) / GAIN;
        delay->most_jitter_ns = MAX(delay->most_jitter_ns, delay->jitter_ns);
    }
}

static void measure_above_least(const GArray *passages, int64_t least_ns, sctpa_tap_delay_t *delay)
{
    GArray *times = g_array_sized_new(FALSE, FALSE, sizeof(int64_t), passages->len);
    for (guint i = 0; i < passages->len; i++) {
        const int64_t above_ns = passage_at(passages, i)->passed_ns - least_ns;
        g_array_append_val(times, above_ns);
    }
    delay->above_least = sctpa_percentiles_of(times);
    g_array_unref(times);
}

/* What the packets of the peer add that were seen at the same two interfaces. */
static void measure_back(const sctpa_source_t *source, const sctpa_two_taps_t *back, uint32_t far,
                         const GArray *passages, int64_t least_there_ns, sctpa_tap_delay_t *delay)
{
    GArray *passages_back = passages_of(source, back, far);
    int64_t grown_ns, grown_back_ns;
    if (passages_back->len > 0) {
        delay->both_ways_ns = least_there_ns + least_ns(passages_back, INT64_MIN, INT64_MAX);
        delay->is_drift_known = growth(passages, &grown_ns) && growth(passages_back, &grown_back_ns);
        delay->drift_ns = delay->is_drift_known ? in_both(grown_ns, -grown_back_ns) : 0;
    }
    g_array_unref(passages_back);
}

bool sctpa_tap_delay_measure(const sctpa_source_t *source, const sctpa_assoc_t *assoc, uint8_t end, uint16_t path,
                             sctpa_tap_delay_t *delay)
{
    sctpa_two_taps_result_t result;
    *delay = (sctpa_tap_delay_t){ .both_ways_ns = -1 };
    if (!sctpa_two_taps_result(assoc, end, path, &result))
        return false;
    const sctpa_two_taps_t *taps = assoc->ends[end].paths[path].probing->two_taps;
    const sctpa_two_taps_t *back = sctpa_two_taps_counterpart(&assoc->ends[!end], taps);
    GArray *passages = passages_of(source, taps, result.near_interface);
    if (passages->len > 0) {
        const int64_t there_ns = least_ns(passages, INT64_MIN, INT64_MAX);
        measure_above_least(passages, there_ns, delay);
        measure_jitter(passages, delay);
        if (back)
            measure_back(source, back, result.far_interface, passages, there_ns, delay);
    }
    const bool has_any = passages->len > 0;
    g_array_unref(passages);
    return has_any;
}
