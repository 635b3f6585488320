/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data over several paths at once: when it counts as that, how far TSNs arrive behind others, and when a full window
 * keeps a path waiting that has room. */
#include "timed_play.h"

enum { SECOND_Z = 0x0a000201, RTT_MS = 40, ROUNDS = 20 };
static const uint32_t addresses[2] = { ADDR_Z, SECOND_Z };

/* Both paths have a cwnd of three packets of 1460 bytes from the first packet on. */
static void each_cwnd(const sctpa_series_source_t *source, sctpa_cwnd_visit_fn visit, void *user)
{
    (void)source;
    for (uint16_t path = 0; path < 2; path++) {
        const sctpa_cwnd_point_t point = { 0, 4380, 4380, 4380, SCTPA_UNKNOWN_BYTES, path };
        visit(user, &point);
    }
}

static sctpa_concurrent_t *measured(const play_t *play)
{
    sctpa_series_source_t source = sctpa_series_source(play->feeder.sctpa, 0, 0, play->start_ns);
    source.each_cwnd = each_cwnd;
    return sctpa_concurrent_measure(&source);
}

/* Pairs of TSNs, one to each path, every RTT_MS, each acked after a round trip. Returns how many TSNs. */
static uint32_t alternate(play_t *play)
{
    for (uint32_t round = 0; round <= ROUNDS; round++) {
        const double at_ms = round * RTT_MS;
        if (round > 0)
            acked(play, at_ms, 2 * round - 1);
        if (round == ROUNDS)
            break;
        send_to(play, at_ms + 0.1, 2 * round, addresses[0]);
        send_to(play, at_ms + 0.2, 2 * round + 1, addresses[1]);
    }
    return 2 * ROUNDS;
}

static const sctpa_concurrent_path_t *path_of(const sctpa_concurrent_t *found, unsigned path)
{
    g_assert_cmpuint(path, <, found->paths->len);
    return &g_array_index(found->paths, sctpa_concurrent_path_t, path);
}

static void returns_within_a_round_trip_are_several_paths_at_once(void)
{
    play_t play;
    play_begin(&play);
    alternate(&play);
    sctpa_concurrent_t *found = measured(&play);
    g_assert_nonnull(found);
    /* From the first packet of path 0 to the last of path 1. */
    g_assert_cmpuint(found->returns, ==, 2 * (ROUNDS - 1));
    g_assert_cmpint(found->concurrent_ns, ==, ((ROUNDS - 1) * RTT_MS * 10 + 1) * ms / 10);
    g_assert_cmpuint(path_of(found, 0)->behind + path_of(found, 1)->behind, ==, 0);
    g_assert_true(found->is_blocking_known);
    g_assert_cmpint(found->blocked_ns, ==, 0);
    sctpa_concurrent_free(found);
    play_end(&play);
}

static void moves_that_take_longer_than_a_round_trip_are_not(void)
{
    play_t play;
    play_begin(&play);
    uint32_t tsn = 0;
    for (uint32_t round = 0; round < 2 * ROUNDS; round++) {
        send_to(&play, round * RTT_MS, tsn, addresses[round / 2 % 2]);
        acked(&play, round * RTT_MS + RTT_MS - 1, tsn++);
    }
    g_assert_null(measured(&play));
    play_end(&play);
}

static void a_few_returns_are_not(void)
{
    play_t play;
    play_begin(&play);
    send_to(&play, 0, 0, addresses[0]);
    acked(&play, RTT_MS, 0);
    send_to(&play, RTT_MS + 1, 1, addresses[0]);
    send_to(&play, RTT_MS + 2, 2, addresses[1]);
    send_to(&play, RTT_MS + 30, 3, addresses[0]);
    acked(&play, 3 * RTT_MS, 3);
    g_assert_null(measured(&play));
    play_end(&play);
}

static void one_path_is_never(void)
{
    play_t play;
    play_begin(&play);
    for (uint32_t tsn = 0; tsn < ROUNDS; tsn++) {
        send(&play, tsn * RTT_MS, tsn);
        acked(&play, tsn * RTT_MS + RTT_MS - 1, tsn);
    }
    g_assert_null(measured(&play));
    play_end(&play);
}

/* 40, to path 1, arrives after 41 to 43, to path 0; 41 was sent twice. */
static void tsns_behind_those_of_another_path_count_by_how_far(void)
{
    play_t play;
    play_begin(&play);
    const uint32_t tsn = alternate(&play);
    const double at_ms = ROUNDS * RTT_MS;
    send_to(&play, at_ms + 1, tsn, addresses[1]);
    for (uint32_t i = 1; i <= 3; i++)
        send_to(&play, at_ms + 1 + i, tsn + i, addresses[0]);
    acked_beyond(&play, at_ms + RTT_MS, tsn - 1, tsn + 2, tsn + 3);
    send_to(&play, at_ms + RTT_MS + 1, tsn + 1, addresses[0]);
    acked(&play, at_ms + 2 * RTT_MS, tsn + 3);
    sctpa_concurrent_t *found = measured(&play);
    g_assert_nonnull(found);
    g_assert_cmpuint(path_of(found, 0)->behind, ==, 0);
    g_assert_cmpuint(path_of(found, 1)->behind, ==, 1);
    g_assert_cmpuint(path_of(found, 1)->median, ==, 3);
    g_assert_cmpuint(path_of(found, 1)->most, ==, 3);
    sctpa_concurrent_free(found);
    play_end(&play);
}

/* 40 to path 1 is lost, 41 and 42 to path 0 fill the window from 840 ms on; 40 arrives with its retransmission, by
 * 920 ms. The next new data leaves then to path 0, or later. */
static int64_t blocked_ns(double next_ms, int64_t of_path_ns[2])
{
    play_t play;
    play_begin(&play);
    const uint32_t tsn = alternate(&play);
    const double at_ms = ROUNDS * RTT_MS;
    send_to(&play, at_ms + 1, tsn, addresses[1]);
    send_to(&play, at_ms + 2, tsn + 1, addresses[0]);
    send_to(&play, at_ms + 3, tsn + 2, addresses[0]);
    feed_gap(&play.feeder, play_ns(&play, at_ms + 40), TAG_A + tsn - 1, 300, 2u << 16 | 3);
    send_to(&play, at_ms + 70, tsn, addresses[1]);
    acked(&play, at_ms + 120, tsn + 2);
    send_to(&play, at_ms + 120 + next_ms, tsn + 3, addresses[0]);
    acked(&play, at_ms + 200, tsn + 3);
    sctpa_concurrent_t *found = measured(&play);
    g_assert_nonnull(found);
    const int64_t blocked_ns = found->blocked_ns;
    for (unsigned path = 0; path < 2; path++)
        of_path_ns[path] = path_of(found, path)->blocked_ns;
    sctpa_concurrent_free(found);
    play_end(&play);
    return blocked_ns;
}

static void a_window_full_for_want_of_another_path_blocks_one_with_room(void)
{
    int64_t of_path_ns[2];
    g_assert_cmpint(blocked_ns(1, of_path_ns), ==, 80 * ms);
    g_assert_cmpint(of_path_ns[0], ==, 80 * ms);
    g_assert_cmpint(of_path_ns[1], ==, 0);
}

static void what_leaves_long_after_there_was_room_did_not_wait_for_it(void)
{
    int64_t of_path_ns[2];
    g_assert_cmpint(blocked_ns(30, of_path_ns), ==, 0);
    g_assert_cmpint(of_path_ns[0] + of_path_ns[1], ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/concurrent/" #name, name)
    TEST(returns_within_a_round_trip_are_several_paths_at_once);
    TEST(moves_that_take_longer_than_a_round_trip_are_not);
    TEST(a_few_returns_are_not);
    TEST(one_path_is_never);
    TEST(tsns_behind_those_of_another_path_count_by_how_far);
    TEST(a_window_full_for_want_of_another_path_blocks_one_with_room);
    TEST(what_leaves_long_after_there_was_room_did_not_wait_for_it);
    return g_test_run();
}
