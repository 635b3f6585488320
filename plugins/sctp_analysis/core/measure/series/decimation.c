/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A series at screen resolution: minima and maxima of any stretch of time from a pyramid of those of fixed stretches.
 */
#include "measure/order.h"
#include "series_parts.h"

/* The point at a position in order of time. */
static const sctpa_point_t *point_at(const sctpa_series_t *series, uint32_t at)
{
    if (series->by_time)
        at = g_array_index(series->by_time, uint32_t, at);
    return &g_array_index(series->points, sctpa_point_t, at);
}

static int64_t top_of(const sctpa_series_t *series, const sctpa_point_t *point)
{
    return series->kind == SCTPA_SERIES_GAP ? point->value + point->extent : point->value;
}

static int time_order(gconstpointer a, gconstpointer b, gpointer user)
{
    const uint32_t *x = a, *y = b;
    const GArray *points = user;
    int64_t x_ns = g_array_index(points, sctpa_point_t, *x).time_ns,
            y_ns = g_array_index(points, sctpa_point_t, *y).time_ns;
    if (x_ns != y_ns)
        return x_ns < y_ns ? -1 : 1;
    return *x < *y ? -1 : *x > *y;
}

static bool is_in_time_order(const GArray *points)
{
    for (unsigned i = 1; i < points->len; i++)
        if (g_array_index(points, sctpa_point_t, i).time_ns < g_array_index(points, sctpa_point_t, i - 1).time_ns)
            return false;
    return true;
}

static GArray *order_by_time(GArray *points)
{
    GArray *by_time = g_array_sized_new(FALSE, FALSE, sizeof(uint32_t), points->len);
    for (uint32_t i = 0; i < points->len; i++)
        g_array_append_val(by_time, i);
    sctpa_order(by_time, time_order, points);
    return by_time;
}

static sctpa_extremes_t extremes_at(const sctpa_series_t *series, uint32_t at)
{
    const sctpa_point_t *point = point_at(series, at);
    return (sctpa_extremes_t){ point->value, top_of(series, point), at, at };
}

static void take(sctpa_extremes_t *extremes, const sctpa_extremes_t *more)
{
    if (more->min < extremes->min) {
        extremes->min = more->min;
        extremes->min_at = more->min_at;
    }
    if (more->max > extremes->max) {
        extremes->max = more->max;
        extremes->max_at = more->max_at;
    }
}

/* Takes what is at positions first to last, not in it, of a level, or of the points when that is NULL. */
static void take_stretch(const sctpa_series_t *series, const GArray *level, uint32_t first, uint32_t last,
                         sctpa_extremes_t *extremes)
{
    for (uint32_t at = first; at < last; at++) {
        sctpa_extremes_t more = level ? g_array_index(level, sctpa_extremes_t, at) : extremes_at(series, at);
        take(extremes, &more);
    }
}

/* The level above below, or above the points when that is NULL. Whole stretches only. */
static GArray *level_above(const sctpa_series_t *series, const GArray *below)
{
    uint32_t n = (below ? below->len : series->points->len) / SCTPA_STRETCH;
    GArray *level = g_array_sized_new(FALSE, FALSE, sizeof(sctpa_extremes_t), n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t first = i * SCTPA_STRETCH;
        sctpa_extremes_t extremes = below ? g_array_index(below, sctpa_extremes_t, first) : extremes_at(series, first);
        take_stretch(series, below, first + 1, first + SCTPA_STRETCH, &extremes);
        g_array_append_val(level, extremes);
    }
    return level;
}

static void free_level(gpointer level)
{
    g_array_unref(level);
}

static void look_at(sctpa_series_t *series)
{
    if (series->looked_at)
        return;
    series->looked_at = true;
    if (!is_in_time_order(series->points))
        series->by_time = order_by_time(series->points);
    series->levels = g_ptr_array_new_with_free_func(free_level);
    uint32_t n = series->points->len;
    for (const GArray *below = NULL; n >= SCTPA_STRETCH; n /= SCTPA_STRETCH) {
        GArray *level = level_above(series, below);
        g_ptr_array_add(series->levels, level);
        below = level;
    }
}

/* Extremes of points first to last, not in it: ends by points, what is between by ever higher levels, then down again.
 * first < last. */
static sctpa_extremes_t extremes_of(const sctpa_series_t *series, uint32_t first, uint32_t last)
{
    sctpa_extremes_t extremes = extremes_at(series, first);
    const GArray *level = NULL;
    for (unsigned up = 0;; up++) {
        uint32_t inner_first = (uint32_t)(((uint64_t)first + SCTPA_STRETCH - 1) / SCTPA_STRETCH),
                 inner_last = last / SCTPA_STRETCH;
        bool climbs = inner_first < inner_last && up < series->levels->len;
        uint32_t left_end = climbs ? inner_first * SCTPA_STRETCH : last,
                 right = climbs ? inner_last * SCTPA_STRETCH : last;
        take_stretch(series, level, first, left_end, &extremes);
        take_stretch(series, level, right, last, &extremes);
        if (!climbs)
            return extremes;
        level = g_ptr_array_index(series->levels, up);
        first = inner_first;
        last = inner_last;
    }
}

/* Position of the first point, from low on, at or after time_ns. */
static uint32_t first_from(const sctpa_series_t *series, uint32_t low, int64_t time_ns)
{
    uint32_t high = series->points->len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (point_at(series, middle)->time_ns < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* When column i of n begins; i == n: where the last ends. */
static int64_t column_start(int64_t from_ns, int64_t to_ns, uint32_t i, uint32_t n)
{
    uint64_t width_ns = (uint64_t)to_ns - (uint64_t)from_ns;
    return (int64_t)((uint64_t)from_ns + width_ns / n * i + width_ns % n * i / n);
}

static void describe(const sctpa_series_t *series, uint32_t first, uint32_t last, sctpa_pixel_t *pixel)
{
    sctpa_extremes_t extremes = extremes_of(series, first, last);
    const sctpa_point_t *begin = point_at(series, first), *end = point_at(series, last - 1);
    *pixel = (sctpa_pixel_t){ .min = extremes.min,
                              .max = extremes.max,
                              .first = begin->value,
                              .last = end->value,
                              .min_packet = point_at(series, extremes.min_at)->packet,
                              .max_packet = point_at(series, extremes.max_at)->packet,
                              .first_packet = begin->packet,
                              .last_packet = end->packet,
                              .count = last - first };
}

void sctpa_series_at(sctpa_series_t *series, int64_t from_ns, int64_t to_ns, uint32_t n, sctpa_pixel_t *out)
{
    look_at(series);
    uint32_t first = first_from(series, 0, from_ns);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t last = first_from(series, first, column_start(from_ns, to_ns, i + 1, n));
        out[i].count = 0;
        if (first < last)
            describe(series, first, last, &out[i]);
        first = last;
    }
}

uint32_t sctpa_series_before(sctpa_series_t *series, int64_t time_ns)
{
    look_at(series);
    return first_from(series, 0, time_ns);
}

const sctpa_point_t *sctpa_series_point(sctpa_series_t *series, uint32_t position)
{
    look_at(series);
    return point_at(series, position);
}

bool sctpa_series_span(sctpa_series_t *series, int64_t *first_ns, int64_t *last_ns)
{
    look_at(series);
    if (series->points->len == 0)
        return false;
    *first_ns = point_at(series, 0)->time_ns;
    *last_ns = point_at(series, series->points->len - 1)->time_ns;
    return true;
}
