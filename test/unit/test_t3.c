/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects when the retransmission timer of a path starts (RFC 9260 6.3.2, 6.3.3), and when it expires at the earliest
 * and the latest. */
#include "data/t3.h"

#include "timed_play.h"

/* The timer as a packet finds it then. */
static sctpa_t3_t timer(const play_t *play, int64_t at_ms)
{
    const sctpa_direction_t *direction = sctpa_direction(play->feeder.sctpa, 0, 0);
    return sctpa_t3_of(sctpa_direction_known_path(direction, 0), play_ns(play, (double)at_ms), sctpa_tap_rtt_none(NULL),
                       0);
}

static void assert_started(const play_t *play, int64_t at_ms, uint32_t packet)
{
    sctpa_t3_t t3 = timer(play, at_ms + 1);
    g_assert_cmpint(t3.started_ns, ==, play_ns(play, (double)at_ms));
    g_assert_cmpuint(t3.packet, ==, packet);
}

static void data_starts_it_only_when_nothing_is_outstanding(void)
{
    play_t play;
    play_begin(&play);
    uint32_t first = send(&play, 0, 0);
    send(&play, 10, 1);
    assert_started(&play, 0, first);
    acked(&play, 40, 1);
    uint32_t next = send(&play, 70, 2);
    assert_started(&play, 70, next);
    play_end(&play);
}

static void a_higher_cum_tsn_restarts_it_and_the_same_does_not(void)
{
    play_t play;
    play_begin(&play);
    send(&play, 0, 0);
    send(&play, 10, 1);
    uint32_t sack = acked(&play, 40, 0);
    acked(&play, 60, 0);
    assert_started(&play, 40, sack);
    play_end(&play);
}

static void a_timeout_restarts_it(void)
{
    play_t play;
    play_begin(&play);
    send(&play, 0, 0);
    acked(&play, 40, 0);
    send(&play, 50, 1);
    send(&play, 51, 2);
    uint32_t timeout = send(&play, 1051, 1);
    assert_started(&play, 1051, timeout);
    play_end(&play);
}

/* A round trip of 40 ms and 1 ms to the sender: SRTT + 4 * RTTVAR is 123 ms. */
static void it_expires_between_the_shortest_rto_and_the_longest(void)
{
    play_t play;
    play_begin(&play);
    send(&play, 0, 0);
    g_assert_cmpint(timer(&play, 1).rto_least_ns, ==, 0);
    g_assert_cmpint(timer(&play, 1).rto_most_ns, ==, 3000 * ms);
    acked(&play, 40, 0);
    send(&play, 50, 1);
    sctpa_t3_t t3 = timer(&play, 60);
    g_assert_cmpint(t3.rto_least_ns, ==, 123 * ms - 123 * ms / 8);
    g_assert_cmpint(t3.rto_most_ns, ==, 1000 * ms);
    g_assert_cmpint(t3.earliest_ns, ==, play.start_ns + 50 * ms + t3.rto_least_ns);
    g_assert_cmpint(t3.latest_ns, ==, play.start_ns + 1050 * ms + sctpa_tick_ns(1000 * ms));
    play_end(&play);
}

/* The packet that is retransmitted may be restarted or have expired: the latest moves, the earliest does not. */
static void an_unexplained_retransmission_may_have_started_it(void)
{
    play_t play;
    play_begin(&play);
    send(&play, 0, 0);
    acked(&play, 40, 0);
    uint32_t first = send(&play, 50, 1);
    send(&play, 51, 2);
    int64_t earliest_ns = timer(&play, 60).earliest_ns;
    send(&play, 80, 1);
    assert_started(&play, 50, first);
    g_assert_cmpint(timer(&play, 90).earliest_ns, ==, earliest_ns);
    g_assert_cmpint(timer(&play, 90).latest_ns, >, play.start_ns + 2000 * ms);
    play_end(&play);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/t3/" #name, name)
    TEST(data_starts_it_only_when_nothing_is_outstanding);
    TEST(a_higher_cum_tsn_restarts_it_and_the_same_does_not);
    TEST(a_timeout_restarts_it);
    TEST(it_expires_between_the_shortest_rto_and_the_longest);
    TEST(an_unexplained_retransmission_may_have_started_it);
    return g_test_run();
}
