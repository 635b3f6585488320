/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Windows: when they were closed and for how long, probes, and how much of them was used. */
#include "data_feed.h"

static const int64_t ms = 1000000;

static sctpa_windows_t *measured(const feeder_t *feeder)
{
    sctpa_series_source_t source = sctpa_series_source(feeder->sctpa, 0, 0, 0);
    return sctpa_windows_measure(&source);
}

static void set_up(feeder_t *feeder)
{
    feeder_init(feeder);
    feed_setup(feeder, TAG_A, TAG_Z);
}

static void a_window_is_closed_from_its_sack_to_the_next_that_opens_it(void)
{
    feeder_t feeder;
    set_up(&feeder);
    feed_bytes(&feeder, 100 * ms, TAG_A, 250);
    uint32_t closed = feed_window(&feeder, 110 * ms, TAG_A, 0);
    feed_window(&feeder, 120 * ms, TAG_A, 0);
    uint32_t opened = feed_window(&feeder, 150 * ms, TAG_A, 3000);
    feed_bytes(&feeder, 160 * ms, TAG_A + 1, 250);
    uint32_t closed_again = feed_window(&feeder, 170 * ms, TAG_A + 1, 0);
    feed_window(&feeder, 175 * ms, TAG_A + 1, 0);
    sctpa_windows_t *windows = measured(&feeder);
    g_assert_cmpuint(windows->closed->len, ==, 2);
    const sctpa_closed_t *found = (const sctpa_closed_t *)(const void *)windows->closed->data;
    g_assert_cmpuint(found[0].packet, ==, closed);
    g_assert_cmpuint(found[0].until, ==, opened);
    g_assert_cmpint(found[0].closed_ns, ==, 40 * ms);
    g_assert_cmpuint(found[1].packet, ==, closed_again);
    g_assert_cmpuint(found[1].until, ==, SCTPA_NO_PACKET_INDEX);
    g_assert_cmpint(found[1].closed_ns, ==, 5 * ms);
    g_assert_cmpint(windows->closed_ns, ==, 45 * ms);
    g_assert_cmpint(windows->longest_closed_ns, ==, 40 * ms);
    sctpa_windows_free(windows);
    sctpa_free(feeder.sctpa);
}

static void an_a_rwnd_of_1_closes_the_window(void)
{
    feeder_t feeder;
    set_up(&feeder);
    feed_bytes(&feeder, 100 * ms, TAG_A, 250);
    feed_window(&feeder, 110 * ms, TAG_A, 1);
    feed_window(&feeder, 120 * ms, TAG_A, 0);
    feed_window(&feeder, 130 * ms, TAG_A, 2);
    sctpa_windows_t *windows = measured(&feeder);
    g_assert_cmpuint(windows->closed->len, ==, 1);
    g_assert_cmpint(windows->closed_ns, ==, 20 * ms);
    g_assert_cmpuint(windows->min_open_bytes, ==, 2);
    sctpa_windows_free(windows);
    sctpa_measure_t *measure = sctpa_measure(feeder.sctpa, 0, 0, NULL);
    g_assert_cmpuint(measure->zero_windows, ==, 1);
    sctpa_measure_free(measure);
    sctpa_free(feeder.sctpa);
}

/* Five TSNs, of which the second is lost; what SACKs say of it then is the test's. */
static void lose_second(feeder_t *feeder)
{
    set_up(feeder);
    for (uint32_t number = 0; number < 5; number++)
        feed_bytes(feeder, (100 + number) * ms, TAG_A + number, 250);
}

enum { REST = 2u << 16 | 4 }; /* the gap block of the other three */

static sctpa_closed_t only_closed(sctpa_windows_t *windows)
{
    g_assert_cmpuint(windows->closed->len, ==, 1);
    return g_array_index(windows->closed, sctpa_closed_t, 0);
}

static void a_full_window_waits_for_the_tsn_that_was_missing_when_it_closed(void)
{
    feeder_t feeder;
    lose_second(&feeder);
    feed_gap(&feeder, 120 * ms, TAG_A, 0, REST);
    feed_bytes(&feeder, 1200 * ms, TAG_A + 1, 250);
    feed_gap(&feeder, 1300 * ms, TAG_A, 0, REST);
    feed_bytes(&feeder, 3300 * ms, TAG_A + 1, 250);
    feed_window(&feeder, 3320 * ms, TAG_A + 4, 5000);
    sctpa_windows_t *windows = measured(&feeder);
    sctpa_series_source_t source = sctpa_series_source(feeder.sctpa, 0, 0, 0);
    sctpa_closed_t closed = only_closed(windows);
    g_assert_cmpint(closed.waiting_ns, ==, 3200 * ms);
    g_assert_cmpint(closed.reader_ns, ==, 0);
    g_assert_cmpint(closed.tsn, ==, 1);
    g_assert_cmpuint(sctpa_closed_losses(&source, &closed), ==, 2);
    g_assert_cmpint(windows->waiting_ns, ==, 3200 * ms);
    sctpa_windows_free(windows);
    sctpa_free(feeder.sctpa);
}

static void a_window_that_stays_closed_when_the_tsn_arrived_has_a_slow_reader_from_then_on(void)
{
    feeder_t feeder;
    lose_second(&feeder);
    feed_gap(&feeder, 120 * ms, TAG_A, 0, REST);
    feed_bytes(&feeder, 1200 * ms, TAG_A + 1, 250);
    feed_window(&feeder, 1220 * ms, TAG_A + 4, 0);
    feed_window(&feeder, 3220 * ms, TAG_A + 4, 5000);
    sctpa_windows_t *windows = measured(&feeder);
    sctpa_closed_t closed = only_closed(windows);
    g_assert_cmpint(closed.waiting_ns, ==, 1100 * ms);
    g_assert_cmpint(closed.reader_ns, ==, 2000 * ms);
    g_assert_cmpint(closed.closed_ns, ==, 3100 * ms);
    sctpa_windows_free(windows);
    sctpa_free(feeder.sctpa);
}

static void a_tsn_that_went_missing_after_the_window_closed_decides_nothing(void)
{
    feeder_t feeder;
    lose_second(&feeder);
    feed_window(&feeder, 103 * ms + ms / 2, TAG_A, 0);
    feed_gap(&feeder, 200 * ms, TAG_A, 0, REST);
    feed_bytes(&feeder, 1200 * ms, TAG_A + 1, 250);
    feed_window(&feeder, 1220 * ms, TAG_A + 4, 5000);
    sctpa_windows_t *windows = measured(&feeder);
    sctpa_closed_t closed = only_closed(windows);
    g_assert_cmpint(closed.waiting_ns, ==, 0);
    g_assert_cmpint(closed.reader_ns, ==, 96 * ms + ms / 2);
    sctpa_windows_free(windows);
    sctpa_free(feeder.sctpa);
}

static void a_window_that_opens_while_the_tsn_is_missing_decides_nothing(void)
{
    feeder_t feeder;
    lose_second(&feeder);
    feed_gap(&feeder, 120 * ms, TAG_A, 0, REST);
    feed_gap(&feeder, 1200 * ms, TAG_A, 5000, REST);
    sctpa_windows_t *windows = measured(&feeder);
    sctpa_closed_t closed = only_closed(windows);
    g_assert_cmpint(closed.closed_ns, ==, 1080 * ms);
    g_assert_cmpint(closed.waiting_ns + closed.reader_ns, ==, 0);
    sctpa_windows_free(windows);
    sctpa_free(feeder.sctpa);
}

static void announced_windows_begin_with_that_of_the_setup(void)
{
    feeder_t feeder;
    set_up(&feeder);
    feed_bytes(&feeder, 100 * ms, TAG_A, 250);
    feed_window(&feeder, 110 * ms, TAG_A, 2000);
    feed_window(&feeder, 120 * ms, TAG_A, 0);
    feed_window(&feeder, 130 * ms, TAG_A, 500);
    sctpa_windows_t *windows = measured(&feeder);
    g_assert_cmpuint(windows->first_bytes, ==, 65536);
    g_assert_cmpuint(windows->min_bytes, ==, 0);
    g_assert_cmpuint(windows->min_open_bytes, ==, 500);
    g_assert_cmpuint(windows->max_bytes, ==, 2000);
    g_assert_cmpuint(windows->sacks, ==, 3);
    sctpa_windows_free(windows);
    sctpa_free(feeder.sctpa);
}

static void new_data_into_a_closed_window_is_a_probe_when_nothing_is_outstanding(void)
{
    feeder_t feeder;
    set_up(&feeder);
    feed_bytes(&feeder, 100 * ms, TAG_A, 250);
    feed_window(&feeder, 110 * ms, TAG_A, 0);
    feed_bytes(&feeder, 120 * ms, TAG_A + 1, 250);
    feed_window(&feeder, 130 * ms, TAG_A, 0);
    feed_bytes(&feeder, 3000 * ms, TAG_A + 1, 250);
    sctpa_windows_t *windows = measured(&feeder);
    g_assert_cmpuint(windows->new_probes, ==, 1);
    g_assert_cmpuint(windows->probes, ==, 1);
    sctpa_windows_free(windows);
    sctpa_free(feeder.sctpa);
}

static void flight_and_the_time_without_room_go_by_the_window(void)
{
    feeder_t feeder;
    set_up(&feeder);
    feed_bytes(&feeder, 100 * ms, TAG_A, 250);
    feed_window(&feeder, 110 * ms, TAG_A, 2500);
    feed_bytes(&feeder, 120 * ms, TAG_A + 1, 250);
    uint32_t fullest = feed_bytes(&feeder, 130 * ms, TAG_A + 2, 250);
    feed_window(&feeder, 180 * ms, TAG_A + 2, 2500);
    sctpa_windows_t *windows = measured(&feeder);
    g_assert_cmpuint(windows->largest_chunk_bytes, ==, 1000);
    g_assert_cmpuint(windows->flight_bytes, ==, 2000);
    g_assert_cmpuint(windows->flight_packet, ==, fullest);
    g_assert_cmpuint(windows->flight_window_bytes, ==, 2500);
    g_assert_cmpint(windows->short_ns, ==, 50 * ms);
    g_assert_cmpint(windows->span_ns, ==, 80 * ms);
    sctpa_windows_free(windows);
    sctpa_free(feeder.sctpa);
}

static void a_direction_without_anything_is_empty(void)
{
    feeder_t feeder;
    set_up(&feeder);
    sctpa_series_source_t source = sctpa_series_source(feeder.sctpa, 0, 1, 0);
    source.direction = NULL;
    sctpa_windows_t *windows = sctpa_windows_measure(&source);
    g_assert_cmpuint(windows->sacks, ==, 0);
    g_assert_cmpuint(windows->flight_packet, ==, SCTPA_NO_PACKET_INDEX);
    g_assert_cmpint(windows->span_ns + windows->short_ns + windows->closed_ns, ==, 0);
    sctpa_windows_free(windows);
    sctpa_free(feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/windows/closed", a_window_is_closed_from_its_sack_to_the_next_that_opens_it);
    g_test_add_func("/windows/closed_by_1", an_a_rwnd_of_1_closes_the_window);
    g_test_add_func("/windows/waits", a_full_window_waits_for_the_tsn_that_was_missing_when_it_closed);
    g_test_add_func("/windows/waits_then_slow",
                    a_window_that_stays_closed_when_the_tsn_arrived_has_a_slow_reader_from_then_on);
    g_test_add_func("/windows/slow_then_missing", a_tsn_that_went_missing_after_the_window_closed_decides_nothing);
    g_test_add_func("/windows/opens_while_missing", a_window_that_opens_while_the_tsn_is_missing_decides_nothing);
    g_test_add_func("/windows/announced", announced_windows_begin_with_that_of_the_setup);
    g_test_add_func("/windows/new_probe", new_data_into_a_closed_window_is_a_probe_when_nothing_is_outstanding);
    g_test_add_func("/windows/used", flight_and_the_time_without_room_go_by_the_window);
    g_test_add_func("/windows/nothing", a_direction_without_anything_is_empty);
    return g_test_run();
}
