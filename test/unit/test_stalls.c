/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects what is said of data that stood still: only while something was outstanding, as long as nothing new was
 * acked. */
#include "measure/periods/stalls.h"

#include "timed_play.h"

static sctpa_stalls_t *stalls_of(play_t *play, int end_ms, int least_ms, uint32_t least_timeouts)
{
    sctpa_series_source_t source = sctpa_series_source(play->feeder.sctpa, 0, 0, play->start_ns);
    return sctpa_stalls_measure(&source, play_ns(play, end_ms), least_ms * ms, least_timeouts);
}

static void finds_a_wait_between_two_acks(void)
{
    play_t play;
    play_begin(&play);
    send(&play, 0, 0);
    send(&play, 1, 1);
    uint32_t since = acked(&play, 20, 0);
    send(&play, 1100, 1);
    uint32_t until = acked(&play, 1520, 1);
    sctpa_stalls_t *found = stalls_of(&play, 2000, 1000, 2);
    g_assert_cmpuint(found->stalls->len, ==, 1);
    sctpa_stall_t stall = g_array_index(found->stalls, sctpa_stall_t, 0);
    g_assert_cmpuint(stall.since, ==, since);
    g_assert_cmpuint(stall.until, ==, until);
    g_assert_cmpint(stall.stalled_ns, ==, 1500 * ms);
    g_assert_cmpuint(stall.chunks, ==, 1);
    g_assert_cmpint(found->stalled_ns, ==, 1500 * ms);
    g_assert_cmpint(found->longest.stalled_ns, ==, 1500 * ms);
    sctpa_stalls_free(found);
    play_end(&play);
}

static void is_none_where_the_sender_sends_nothing_again(void)
{
    play_t play;
    play_begin(&play);
    send(&play, 0, 0);
    acked(&play, 20, 0);
    send(&play, 100, 1);
    send(&play, 9000, 2);
    acked(&play, 9020, 2);
    sctpa_stalls_t *found = stalls_of(&play, 10000, 1000, 2);
    g_assert_cmpuint(found->stalls->len, ==, 0);
    g_assert_cmpint(found->longest.stalled_ns, ==, 20 * ms);
    sctpa_stalls_free(found);
    play_end(&play);
}

static void is_none_by_a_fast_retransmission(void)
{
    play_t play;
    play_begin(&play);
    for (uint32_t number = 0; number < 6; number++)
        send(&play, 0, number);
    for (uint32_t end = 2; end <= 5; end++)
        acked_beyond(&play, 20 + end, 0, 2, end);
    send(&play, 26, 1);
    acked(&play, 9000, 5);
    sctpa_stalls_t *found = stalls_of(&play, 10000, 1000, 2);
    g_assert_cmpuint(found->stalls->len, ==, 0);
    sctpa_stalls_free(found);
    play_end(&play);
}

static void ends_where_the_next_retransmission_is_overdue(void)
{
    play_t play;
    play_begin(&play);
    send(&play, 0, 0);
    acked(&play, 20, 0);
    uint32_t since = send(&play, 100, 1);
    send(&play, 1200, 1);
    uint32_t last = send(&play, 3300, 1);
    acked(&play, 60000, 1);
    sctpa_stalls_t *found = stalls_of(&play, 60000, 1000, 2);
    g_assert_cmpuint(found->stalls->len, ==, 1);
    sctpa_stall_t stall = g_array_index(found->stalls, sctpa_stall_t, 0);
    g_assert_cmpuint(stall.since, ==, since);
    g_assert_cmpuint(stall.until, ==, last);
    g_assert_false(stall.ends_acked);
    g_assert_cmpint(stall.stalled_ns, ==, 3200 * ms);
    sctpa_stalls_free(found);
    play_end(&play);
}

static void calls_idle_time_no_stall(void)
{
    play_t play;
    play_begin(&play);
    send(&play, 0, 0);
    acked(&play, 20, 0);
    send(&play, 9000, 1);
    acked(&play, 9020, 1);
    sctpa_stalls_t *found = stalls_of(&play, 20000, 1000, 2);
    g_assert_cmpuint(found->stalls->len, ==, 0);
    g_assert_cmpint(found->stalled_ns, ==, 0);
    g_assert_cmpint(found->longest.stalled_ns, ==, 20 * ms);
    sctpa_stalls_free(found);
    play_end(&play);
}

static void lasts_until_the_end_when_nothing_is_acked_any_more(void)
{
    play_t play;
    play_begin(&play);
    uint32_t since = send(&play, 0, 0);
    send(&play, 1000, 0);
    send(&play, 3000, 0);
    sctpa_stalls_t *found = stalls_of(&play, 5000, 1000, 2);
    g_assert_cmpuint(found->stalls->len, ==, 1);
    sctpa_stall_t stall = g_array_index(found->stalls, sctpa_stall_t, 0);
    g_assert_cmpuint(stall.since, ==, since);
    g_assert_cmpuint(stall.until, ==, SCTPA_NO_PACKET_INDEX);
    g_assert_cmpint(stall.stalled_ns, ==, 5000 * ms);
    g_assert_cmpuint(stall.timeouts, ==, 2);
    sctpa_stalls_free(found);
    play_end(&play);
}

static void takes_timeouts_in_a_row_for_a_stall_however_short(void)
{
    play_t play;
    play_begin(&play);
    send(&play, 0, 0);
    acked(&play, 20, 0);
    send(&play, 1000, 1);
    send(&play, 2000, 1);
    send(&play, 4000, 1);
    acked(&play, 4020, 1);
    sctpa_stalls_t *found = stalls_of(&play, 5000, 9000, 2);
    g_assert_cmpuint(found->stalls->len, ==, 1);
    g_assert_cmpuint(found->most_timeouts, ==, 2);
    g_assert_cmpint(found->stalled_ns, ==, 3020 * ms);
    sctpa_stalls_free(found);
    found = stalls_of(&play, 5000, 9000, 3);
    g_assert_cmpuint(found->stalls->len, ==, 0);
    sctpa_stalls_free(found);
    play_end(&play);
}

static void has_no_stall_without_data(void)
{
    play_t play;
    play_begin(&play);
    sctpa_stalls_t *found = stalls_of(&play, 1000, 0, 0);
    g_assert_cmpuint(found->stalls->len, ==, 0);
    g_assert_cmpuint(found->longest.since, ==, SCTPA_NO_PACKET_INDEX);
    sctpa_stalls_free(found);
    sctpa_stalls_free(NULL);
    sctpa_series_source_t source = sctpa_series_source(play.feeder.sctpa, 0, 0, play.start_ns);
    g_assert_cmpuint(sctpa_moves_measure(&source).n, ==, 0);
    play_end(&play);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/stalls/" #name, name)
    TEST(finds_a_wait_between_two_acks);
    TEST(is_none_where_the_sender_sends_nothing_again);
    TEST(is_none_by_a_fast_retransmission);
    TEST(ends_where_the_next_retransmission_is_overdue);
    TEST(calls_idle_time_no_stall);
    TEST(lasts_until_the_end_when_nothing_is_acked_any_more);
    TEST(takes_timeouts_in_a_row_for_a_stall_however_short);
    TEST(has_no_stall_without_data);
    return g_test_run();
}
