/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A series at screen resolution is what looking at every point gives; and what it is made of: sorting, bins. */
#include <glib.h>
#include <math.h>

#include "../../plugins/sctp_analysis/core/measure/series/series_parts.h"
#include "../../plugins/sctp_analysis/core/measure/order.h"

enum { POINTS_MAX = 5000, COLUMNS_MAX = 300 };

static sctpa_series_t *empty_series(void)
{
    sctpa_series_t *series = g_new0(sctpa_series_t, 1);
    series->kind = SCTPA_SERIES_GAP;
    series->points = g_array_new(FALSE, FALSE, sizeof(sctpa_point_t));
    return series;
}

/* Times rise by steps of 0 to 3, and now and then fall by up to back. */
static sctpa_series_t *random_series(uint32_t n, int64_t back)
{
    sctpa_series_t *series = empty_series();
    int64_t time_ns = 1000;
    for (uint32_t i = 0; i < n; i++) {
        time_ns += g_test_rand_int_range(0, 4);
        if (back > 0 && g_test_rand_int_range(0, 50) == 0)
            time_ns -= g_test_rand_int_range(0, (gint32)back);
        sctpa_point_t point = {
            time_ns, g_test_rand_int_range(-1000, 1000), 7 * i, 0, { (uint16_t)g_test_rand_int_range(0, 500) }
        };
        g_array_append_val(series->points, point);
    }
    return series;
}

static sctpa_pixel_t by_brute_force(const sctpa_series_t *series, int64_t from_ns, int64_t to_ns)
{
    sctpa_pixel_t pixel = { .count = 0 };
    int64_t first_ns = 0, last_ns = 0;
    for (unsigned i = 0; i < series->points->len; i++) {
        const sctpa_point_t *point = &g_array_index(series->points, sctpa_point_t, i);
        if (point->time_ns < from_ns || point->time_ns >= to_ns)
            continue;
        bool is_any = pixel.count++ > 0;
        pixel.min = is_any ? MIN(pixel.min, point->value) : point->value;
        pixel.max = is_any ? MAX(pixel.max, point->value + point->extent) : point->value + point->extent;
        if (!is_any || point->time_ns < first_ns) {
            first_ns = point->time_ns;
            pixel.first = point->value;
            pixel.first_packet = point->packet;
        }
        if (!is_any || point->time_ns >= last_ns) {
            last_ns = point->time_ns;
            pixel.last = point->value;
            pixel.last_packet = point->packet;
        }
    }
    return pixel;
}

static const sctpa_point_t *of_packet(const sctpa_series_t *series, uint32_t packet)
{
    return &g_array_index(series->points, sctpa_point_t, packet / 7);
}

static void check_pixel(const sctpa_series_t *series, const sctpa_pixel_t *pixel, int64_t from_ns, int64_t to_ns)
{
    sctpa_pixel_t expected = by_brute_force(series, from_ns, to_ns);
    g_assert_cmpuint(pixel->count, ==, expected.count);
    if (pixel->count == 0)
        return;
    g_assert_cmpint(pixel->min, ==, expected.min);
    g_assert_cmpint(pixel->max, ==, expected.max);
    g_assert_cmpint(pixel->first, ==, expected.first);
    g_assert_cmpint(pixel->last, ==, expected.last);
    g_assert_cmpuint(pixel->first_packet, ==, expected.first_packet);
    g_assert_cmpuint(pixel->last_packet, ==, expected.last_packet);
    const sctpa_point_t *min = of_packet(series, pixel->min_packet), *max = of_packet(series, pixel->max_packet);
    g_assert_cmpint(min->value, ==, expected.min);
    g_assert_cmpint(max->value + max->extent, ==, expected.max);
    g_assert_true(min->time_ns >= from_ns && min->time_ns < to_ns && max->time_ns >= from_ns && max->time_ns < to_ns);
}

static void check_columns(sctpa_series_t *series, int64_t from_ns, int64_t to_ns, uint32_t n)
{
    sctpa_pixel_t pixels[COLUMNS_MAX];
    sctpa_series_at(series, from_ns, to_ns, n, pixels);
    int64_t width_ns = to_ns - from_ns;
    for (uint32_t i = 0; i < n; i++)
        check_pixel(series, &pixels[i], from_ns + width_ns * i / n, from_ns + width_ns * (i + 1) / n);
}

/* The position of a time is the number of points before it, and points stand in order of time. */
static void check_positions(sctpa_series_t *series, int64_t time_ns)
{
    uint32_t before = 0;
    for (unsigned i = 0; i < series->points->len; i++)
        before += g_array_index(series->points, sctpa_point_t, i).time_ns < time_ns;
    g_assert_cmpuint(sctpa_series_before(series, time_ns), ==, before);
    if (before > 0)
        g_assert_cmpint(sctpa_series_point(series, before - 1)->time_ns, <, time_ns);
    if (before < series->points->len)
        g_assert_cmpint(sctpa_series_point(series, before)->time_ns, >=, time_ns);
}

static void check_random_series(int64_t back)
{
    for (unsigned round = 0; round < 60; round++) {
        sctpa_series_t *series = random_series((uint32_t)g_test_rand_int_range(0, round < 30 ? 40 : POINTS_MAX), back);
        int64_t first_ns = 1000, last_ns = 1000;
        sctpa_series_span(series, &first_ns, &last_ns);
        check_columns(series, first_ns, last_ns + 1, 1);
        for (unsigned look = 0; look < 8; look++) {
            int64_t from_ns = first_ns - 50 + g_test_rand_int_range(0, (gint32)(last_ns - first_ns + 100));
            int64_t to_ns = from_ns + g_test_rand_int_range(0, (gint32)(last_ns - first_ns + 100));
            check_columns(series, from_ns, to_ns, (uint32_t)g_test_rand_int_range(1, COLUMNS_MAX));
            check_positions(series, from_ns);
        }
        sctpa_series_free(series);
    }
}

static void columns_are_those_of_brute_force(void)
{
    check_random_series(0);
}

static void columns_go_by_time_where_packets_do_not(void)
{
    check_random_series(500);
}

static void columns_stand_extreme_times(void)
{
    sctpa_series_t *series = empty_series();
    const int64_t times[] = { INT64_MIN, -1, 0, INT64_MAX - 1 };
    for (unsigned i = 0; i < G_N_ELEMENTS(times); i++) {
        sctpa_point_t point = { times[i], i, 7 * i, 0, { 0 } };
        g_array_append_val(series->points, point);
    }
    sctpa_pixel_t pixels[3];
    sctpa_series_at(series, INT64_MIN, INT64_MAX, 3, pixels);
    g_assert_cmpuint(pixels[0].count, ==, 1);
    g_assert_cmpuint(pixels[1].count, ==, 2);
    g_assert_cmpuint(pixels[2].count, ==, 1);
    sctpa_series_free(series);
}

static int int_order(gconstpointer a, gconstpointer b, gpointer user)
{
    const int *x = a, *y = b;
    (void)user;
    return *x < *y ? -1 : *x > *y;
}

static void orders_what_is_nearly_in_order(void)
{
    for (unsigned round = 0; round < 500; round++) {
        GArray *numbers = g_array_new(FALSE, FALSE, sizeof(int));
        int n = g_test_rand_int_range(0, 200), disorder = g_test_rand_int_range(1, 30);
        for (int i = 0; i < n; i++) {
            int number = g_test_rand_int_range(0, disorder) == 0 ? g_test_rand_int_range(0, n) : i;
            g_array_append_val(numbers, number);
        }
        GArray *sorted = g_array_copy(numbers);
        g_array_sort_with_data(sorted, int_order, NULL);
        sctpa_order(numbers, int_order, NULL);
        g_assert_cmpmem(numbers->data, numbers->len * sizeof(int), sorted->data, sorted->len * sizeof(int));
        g_array_unref(numbers);
        g_array_unref(sorted);
    }
}

static void bins_are_one_two_or_five_and_a_few_hundred(void)
{
    for (unsigned round = 0; round < 2000; round++) {
        uint64_t duration_ns = (uint64_t)(1e6 * pow(10, g_test_rand_double_range(0, 12)));
        int64_t width_ns = sctpa_bin_width_ns(duration_ns), digit = width_ns;
        while (digit % 10 == 0)
            digit /= 10;
        g_assert_true(digit == 1 || digit == 2 || digit == 5);
        g_assert_cmpuint(duration_ns / (uint64_t)width_ns, <=, 400);
        g_assert_cmpuint(duration_ns / (uint64_t)width_ns, >=, 159);
    }
    g_assert_cmpint(sctpa_bin_width_ns(0), ==, 1000);
    g_assert_cmpint(sctpa_bin_width_ns(UINT64_MAX), >, 0);
}

static void bins_that_were_asked_for_are_bounded(void)
{
    g_assert_cmpint(sctpa_bin_width_for(12345, 1000000), ==, 12345);
    g_assert_cmpint(sctpa_bin_width_for(0, 1000000000), ==, sctpa_bin_width_ns(1000000000));
    g_assert_cmpint(sctpa_bin_width_for(-5, 1000000000), ==, sctpa_bin_width_ns(1000000000));
    g_assert_cmpuint(UINT64_MAX / (uint64_t)sctpa_bin_width_for(1, UINT64_MAX), <=, SCTPA_BINS_MAX);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/columns/brute_force", columns_are_those_of_brute_force);
    g_test_add_func("/columns/out_of_time_order", columns_go_by_time_where_packets_do_not);
    g_test_add_func("/columns/extreme_times", columns_stand_extreme_times);
    g_test_add_func("/columns/order", orders_what_is_nearly_in_order);
    g_test_add_func("/columns/bins", bins_are_one_two_or_five_and_a_few_hundred);
    g_test_add_func("/columns/bins_bounded", bins_that_were_asked_for_are_bounded);
    return g_test_run();
}
