/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects what counts as arrived of that which was given up, what was acknowledged unseen, and what SACKs were good
 * for. Z answers 20 ms after what passes, as its set-up shows. */
#include "data_feed.h"

#include "core/measure/measure.h"

static const int64_t ms = 1000000;
enum { WINDOW_BYTES = 65536 };

static void feed_forward(feeder_t *feeder, int64_t time_ns, uint32_t new_cum_tsn)
{
    begin(feeder, true, TAG_Z);
    feeder->packet.time_ns = time_ns;
    put32(chunk(feeder, SCTPA_CHUNK_FORWARD_TSN, 0, 1), new_cum_tsn);
    again(feeder);
}

/* An association whose A sends chunks now; *now_ns: when. */
static void begin_with_data(feeder_t *feeder, unsigned chunks, int64_t *now_ns)
{
    begin_association(feeder, 0);
    *now_ns = feeder->packet.time_ns + 100 * ms;
    for (unsigned i = 0; i < chunks; i++)
        feed_bytes(feeder, *now_ns, TAG_A + i, 1);
}

/* acked and given up, of abandoned chunks in all; on_way of them. */
static void assert_counts(const feeder_t *feeder, uint64_t acked, uint64_t given_up, uint64_t abandoned,
                          uint64_t on_way)
{
    sctpa_measure_t *measure = sctpa_measure(feeder->sctpa, 0, 0, NULL);
    g_assert_cmpuint(measure->acked_tsns, ==, acked);
    g_assert_cmpuint(measure->given_up_tsns, ==, given_up);
    g_assert_cmpuint(measure->all.abandoned_tsns, ==, abandoned);
    g_assert_cmpuint(measure->given_up_on_way_tsns, ==, on_way);
    sctpa_measure_free(measure);
}

static void counts_as_arrived_what_a_lower_cum_tsn_acks(void)
{
    feeder_t feeder;
    int64_t now_ns;
    begin_with_data(&feeder, 4, &now_ns);
    feed_forward(&feeder, now_ns + 5 * ms, TAG_A + 3);
    feed_window(&feeder, now_ns + 300 * ms, TAG_A + 2, WINDOW_BYTES);
    assert_counts(&feeder, 3, 1, 4, 4);
    sctpa_free(feeder.sctpa);
}

static void counts_as_arrived_what_is_acked_sooner_than_any_answer_comes(void)
{
    feeder_t feeder;
    int64_t now_ns;
    begin_with_data(&feeder, 2, &now_ns);
    feed_forward(&feeder, now_ns + 15 * ms, TAG_A + 1);
    feed_window(&feeder, now_ns + 21 * ms, TAG_A + 1, WINDOW_BYTES);
    assert_counts(&feeder, 2, 0, 2, 2);
    sctpa_free(feeder.sctpa);
}

static void counts_as_arrived_what_is_gap_acked(void)
{
    feeder_t feeder;
    int64_t now_ns;
    begin_with_data(&feeder, 3, &now_ns);
    feed_forward(&feeder, now_ns + 900 * ms, TAG_A + 2);
    feed_gap(&feeder, now_ns + 901 * ms, TAG_A, WINDOW_BYTES, 2 << 16 | 2);
    feed_window(&feeder, now_ns + 930 * ms, TAG_A + 2, WINDOW_BYTES);
    assert_counts(&feeder, 2, 1, 3, 0);
    sctpa_free(feeder.sctpa);
}

static void says_nothing_of_what_the_forward_tsn_may_have_acked(void)
{
    feeder_t feeder;
    int64_t now_ns;
    begin_with_data(&feeder, 1, &now_ns);
    feed_forward(&feeder, now_ns + 1000 * ms, TAG_A);
    feed_window(&feeder, now_ns + 1021 * ms, TAG_A, WINDOW_BYTES);
    assert_counts(&feeder, 0, 1, 1, 0);
    sctpa_free(feeder.sctpa);
}

static void says_nothing_of_what_nothing_acked(void)
{
    feeder_t feeder;
    int64_t now_ns;
    begin_with_data(&feeder, 2, &now_ns);
    feed_forward(&feeder, now_ns + 5 * ms, TAG_A + 1);
    assert_counts(&feeder, 0, 2, 2, 2);
    sctpa_free(feeder.sctpa);
}

static void takes_what_was_acked_before_for_arrived(void)
{
    feeder_t feeder;
    int64_t now_ns;
    begin_with_data(&feeder, 2, &now_ns);
    feed_window(&feeder, now_ns + 21 * ms, TAG_A + 1, WINDOW_BYTES);
    feed_forward(&feeder, now_ns + 22 * ms, TAG_A + 1);
    assert_counts(&feeder, 2, 0, 0, 0);
    sctpa_free(feeder.sctpa);
}

static void counts_gap_acked_chunks_that_never_passed(void)
{
    feeder_t feeder;
    int64_t now_ns;
    begin_with_data(&feeder, 1, &now_ns);
    const sctpa_direction_t *direction = sctpa_direction(feeder.sctpa, 0, 0);
    feed_gap(&feeder, now_ns + 21 * ms, TAG_A, WINDOW_BYTES, 3 << 16 | 7);
    g_assert_cmpuint(sctpa_direction_unseen_acked(direction), ==, 5);
    feed_window(&feeder, now_ns + 50 * ms, TAG_A + 7, WINDOW_BYTES);
    g_assert_cmpuint(sctpa_direction_unseen_acked(direction), ==, 7);
    sctpa_free(feeder.sctpa);
}

/* The capture lacks what A sent first, though not its SACKs. */
static void counts_what_was_acked_before_the_first_chunk_passed(void)
{
    const uint32_t first_seen[] = { 6, 9, 2 }, lacking[] = { 6, 7, 3 };
    for (unsigned i = 0; i < G_N_ELEMENTS(first_seen); i++) {
        feeder_t feeder;
        feeder_init(&feeder);
        feed_setup(&feeder, TAG_A, TAG_Z);
        const int64_t now_ns = feeder.packet.time_ns;
        feed_window(&feeder, now_ns + 10 * ms, TAG_A + 1, WINDOW_BYTES);
        feed_window(&feeder, now_ns + 20 * ms, TAG_A + 5, WINDOW_BYTES);
        g_assert_cmpuint(sctpa_direction_unseen_acked(sctpa_direction(feeder.sctpa, 0, 0)), ==, 0);
        feed_bytes(&feeder, now_ns + 30 * ms, TAG_A + first_seen[i], 1);
        feed_gap(&feeder, now_ns + 40 * ms, TAG_A + 5, WINDOW_BYTES, first_seen[i] > 6 ? 3 << 16 | 4 : 1 << 16 | 1);
        g_assert_cmpuint(sctpa_direction_unseen_acked(sctpa_direction(feeder.sctpa, 0, 0)), ==, lacking[i]);
        sctpa_free(feeder.sctpa);
    }
}

static void counts_nothing_before_the_first_chunk_of_a_capture_that_begins_late(void)
{
    feeder_t feeder;
    feeder_init(&feeder);
    feed_window(&feeder, 10 * ms, TAG_A + 5, WINDOW_BYTES);
    feed_bytes(&feeder, 20 * ms, TAG_A + 6, 1);
    feed_window(&feeder, 40 * ms, TAG_A + 6, WINDOW_BYTES);
    for (uint8_t end = 0; end < 2; end++)
        if (sctpa_direction(feeder.sctpa, 0, end))
            g_assert_cmpuint(sctpa_direction_unseen_acked(sctpa_direction(feeder.sctpa, 0, end)), ==, 0);
    sctpa_free(feeder.sctpa);
}

static void counts_no_gap_acked_chunk_that_passed(void)
{
    feeder_t feeder;
    int64_t now_ns;
    begin_with_data(&feeder, 1, &now_ns);
    feed_bytes(&feeder, now_ns, TAG_A + 2, 1);
    feed_bytes(&feeder, now_ns, TAG_A + 4, 1);
    feed_gap(&feeder, now_ns + 21 * ms, TAG_A, WINDOW_BYTES, 2 << 16 | 4);
    g_assert_cmpuint(sctpa_direction_unseen_acked(sctpa_direction(feeder.sctpa, 0, 0)), ==, 1);
    sctpa_free(feeder.sctpa);
}

static void tells_window_updates_from_other_sacks_without_news(void)
{
    feeder_t feeder;
    int64_t now_ns;
    begin_with_data(&feeder, 2, &now_ns);
    feed_window(&feeder, now_ns + 21 * ms, TAG_A + 1, 100);
    feed_window(&feeder, now_ns + 22 * ms, TAG_A + 1, 116);
    feed_window(&feeder, now_ns + 23 * ms, TAG_A + 1, 116);
    feed_window(&feeder, now_ns + 24 * ms, TAG_A + 1, 140);
    sctpa_measure_t *measure = sctpa_measure(feeder.sctpa, 0, 0, NULL);
    g_assert_cmpuint(measure->sacks.sacks, ==, 4);
    g_assert_cmpuint(measure->sacks.idle, ==, 3);
    g_assert_cmpuint(measure->sacks.updates, ==, 2);
    g_assert_cmpuint(measure->sacks.raised_bytes, ==, 40);
    g_assert_cmpuint(measure->sacks.largest_bytes, ==, 140);
    sctpa_measure_free(measure);
    sctpa_free(feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/data/given_up/" #name, name)
    TEST(counts_as_arrived_what_a_lower_cum_tsn_acks);
    TEST(counts_as_arrived_what_is_acked_sooner_than_any_answer_comes);
    TEST(counts_as_arrived_what_is_gap_acked);
    TEST(says_nothing_of_what_the_forward_tsn_may_have_acked);
    TEST(says_nothing_of_what_nothing_acked);
    TEST(takes_what_was_acked_before_for_arrived);
    TEST(counts_gap_acked_chunks_that_never_passed);
    TEST(counts_what_was_acked_before_the_first_chunk_passed);
    TEST(counts_nothing_before_the_first_chunk_of_a_capture_that_begins_late);
    TEST(counts_no_gap_acked_chunk_that_passed);
    TEST(tells_window_updates_from_other_sacks_without_news);
    return g_test_run();
}
