/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects what is said of senders that hold back what they may send: until an ack, by Nagle's algorithm or not, and
 * after a SHUTDOWN until their timer; and that nothing is said where an application or the network explains it. */
#include "measure/periods/pauses.h"

#include "timed_play.h"

enum { WHOLE = SCTPA_TSN_BEGIN | SCTPA_TSN_END, FULL_WORDS = 360 };

static sctpa_pauses_t *pauses_of(play_t *play)
{
    sctpa_series_source_t source = sctpa_series_source(play->feeder.sctpa, 0, 0, play->start_ns);
    return sctpa_pauses_measure(&source, play->feeder.packet.time_ns);
}

static void send_part(play_t *play, double at_ms, uint32_t number, uint8_t flags, uint32_t words)
{
    begin(&play->feeder, true, TAG_Z);
    play->feeder.packet.time_ns = play_ns(play, at_ms);
    uint8_t *value = chunk(&play->feeder, SCTPA_CHUNK_DATA, flags, 3 + words);
    put32(value, TAG_A + number);
    again(&play->feeder);
}

/* Data of Z. */
static void ask(play_t *play, double at_ms, uint32_t number)
{
    begin(&play->feeder, false, TAG_A);
    play->feeder.packet.time_ns = play_ns(play, at_ms);
    add_data(&play->feeder, TAG_Z + number, 10);
    again(&play->feeder);
}

/* A SHUTDOWN of Z that acknowledges. */
static uint32_t shut(play_t *play, double at_ms, uint32_t cum_tsn)
{
    begin(&play->feeder, false, TAG_A);
    play->feeder.packet.time_ns = play_ns(play, at_ms);
    put32(chunk(&play->feeder, SCTPA_CHUNK_SHUTDOWN, 0, 1), TAG_A + cum_tsn);
    return again(&play->feeder);
}

static void begin_measured(play_t *play)
{
    play_begin(play);
    send(play, 0, 0);
    acked(play, 20, 0);
}

static void assert_only(play_t *play, sctpa_pause_cause_t cause, bool is_nagle)
{
    sctpa_pauses_t *found = pauses_of(play);
    g_assert_cmpuint(found->pauses->len, ==, 1);
    g_assert_cmpuint(g_array_index(found->pauses, sctpa_pause_t, 0).cause, ==, cause);
    g_assert_true(g_array_index(found->pauses, sctpa_pause_t, 0).is_nagle == is_nagle);
    sctpa_pauses_free(found);
    play_end(play);
}

static void assert_none(play_t *play)
{
    sctpa_pauses_t *found = pauses_of(play);
    g_assert_cmpuint(found->pauses->len, ==, 0);
    sctpa_pauses_free(found);
    play_end(play);
}

/* --- until an ack --- */

static void is_most_likely_nagle_where_a_small_message_follows_the_ack(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    acked(&play, 320, 1);
    send(&play, 320, 2);
    acked(&play, 340, 2);
    assert_only(&play, SCTPA_PAUSE_DELAYED_SACK, true);
}

static void is_not_nagle_where_a_full_packet_follows(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    acked(&play, 320, 1);
    send_part(&play, 320, 2, WHOLE, FULL_WORDS);
    acked(&play, 340, 2);
    assert_only(&play, SCTPA_PAUSE_DELAYED_SACK, false);
}

static void is_no_pause_where_the_peer_has_just_asked_for_what_follows(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    ask(&play, 318.4, 0);
    acked(&play, 319, 1);
    send(&play, 320, 2);
    acked(&play, 340, 2);
    assert_none(&play);
}

static void is_a_pause_where_the_peer_asked_long_before(void)
{
    play_t play;
    begin_measured(&play);
    ask(&play, 90, 0);
    send(&play, 100, 1);
    acked(&play, 320, 1);
    send(&play, 320, 2);
    acked(&play, 340, 2);
    assert_only(&play, SCTPA_PAUSE_DELAYED_SACK, true);
}

/* Its SACK would have come with the data (RFC 9260 6.1). */
static void is_no_delayed_sack_where_the_peer_sends_data_without_it(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    ask(&play, 150, 0);
    acked(&play, 320, 1);
    send(&play, 320, 2);
    acked(&play, 340, 2);
    assert_none(&play);
}

/* Of one message three fragments. */
static void is_held_back_where_a_message_goes_on_only_after_the_ack(void)
{
    play_t play;
    begin_measured(&play);
    send_part(&play, 100, 1, SCTPA_TSN_BEGIN, FULL_WORDS);
    acked(&play, 320, 1);
    send_part(&play, 320, 2, 0, FULL_WORDS);
    send_part(&play, 320.1, 3, SCTPA_TSN_END, 10);
    acked(&play, 340, 3);
    sctpa_pauses_t *found = pauses_of(&play);
    const sctpa_pause_t pause = g_array_index(found->pauses, sctpa_pause_t, 0);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_HELD_BACK);
    g_assert_cmpuint(pause.window_bytes, ==, 65536 - 4 * FULL_WORDS);
    sctpa_pauses_free(found);
    play_end(&play);
}

/* A cwnd of one packet is right after a timeout. */
static void is_not_held_back_after_a_timeout(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 50, 1);
    send(&play, 1200, 1);
    acked(&play, 1220, 1);
    send_part(&play, 1300, 2, SCTPA_TSN_BEGIN, FULL_WORDS);
    acked(&play, 1520, 2);
    send_part(&play, 1520, 3, 0, FULL_WORDS);
    acked(&play, 1540, 3);
    sctpa_pauses_t *found = pauses_of(&play);
    g_assert_cmpuint(found->pauses->len, ==, 2);
    g_assert_cmpint(found->lost_ns[SCTPA_PAUSE_HELD_BACK], ==, 0);
    sctpa_pauses_free(found);
    play_end(&play);
}

/* --- after SHUTDOWN --- */

/* One packet for each timeout, which is backed off. */
static void takes_a_shutdown_for_a_closed_window(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    const uint32_t shutdown = shut(&play, 120, 1);
    send(&play, 1120, 2);
    shut(&play, 1140, 2);
    send(&play, 3140, 3);
    shut(&play, 3160, 3);
    send(&play, 7160, 4);
    shut(&play, 7180, 4);
    sctpa_pauses_t *found = pauses_of(&play);
    g_assert_cmpuint(found->pauses->len, ==, 3);
    g_assert_cmpint(found->idle_ns, ==, 80 * ms);
    for (unsigned i = 0; i < 3; i++) {
        const sctpa_pause_t *pause = &g_array_index(found->pauses, sctpa_pause_t, i);
        g_assert_cmpuint(pause->cause, ==, SCTPA_PAUSE_SHUTDOWN_AS_CLOSED);
        g_assert_cmpint(pause->waited_ns, ==, (1000 << i) * ms);
        g_assert_cmpint(pause->paused_ns, ==, (1000 << i) * ms + 20 * ms);
        g_assert_cmpuint(pause->held, ==, i + 1);
        g_assert_cmpuint(pause->shutdown, ==, shutdown);
        g_assert_cmpuint(pause->window_bytes, ==, 65536);
    }
    sctpa_pauses_free(found);
    play_end(&play);
}

static void goes_on_at_once_after_a_shutdown(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    shut(&play, 120, 1);
    for (uint32_t number = 2; number < 6; number++) {
        send(&play, 120.2 + 20.4 * (number - 2), number);
        shut(&play, 140.2 + 20.4 * (number - 2), number);
    }
    assert_none(&play);
}

/* The SHUTDOWN may be lost: the application sends when it likes. */
static void may_be_idle_for_less_than_a_timeout_after_a_shutdown(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    shut(&play, 120, 1);
    send(&play, 520, 2);
    shut(&play, 540, 2);
    assert_none(&play);
}

/* Several packets at once are no probe. */
static void may_be_stopped_and_go_on_with_all_it_has(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    shut(&play, 120, 1);
    send(&play, 1520, 2);
    send(&play, 1520.1, 3);
    shut(&play, 1540, 3);
    sctpa_pauses_t *found = pauses_of(&play);
    g_assert_cmpint(found->lost_ns[SCTPA_PAUSE_SHUTDOWN_AS_CLOSED], ==, 0);
    sctpa_pauses_free(found);
    play_end(&play);
}

static void waits_with_a_window_that_was_closed_before_the_shutdown(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    feed_window(&play.feeder, play_ns(&play, 110), TAG_A + 0, 0);
    shut(&play, 120, 1);
    send(&play, 1120, 2);
    shut(&play, 1140, 2);
    sctpa_pauses_t *found = pauses_of(&play);
    g_assert_cmpint(found->lost_ns[SCTPA_PAUSE_SHUTDOWN_AS_CLOSED], ==, 0);
    sctpa_pauses_free(found);
    play_end(&play);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/pause_holds/" #name, name)
    TEST(is_most_likely_nagle_where_a_small_message_follows_the_ack);
    TEST(is_not_nagle_where_a_full_packet_follows);
    TEST(is_no_pause_where_the_peer_has_just_asked_for_what_follows);
    TEST(is_a_pause_where_the_peer_asked_long_before);
    TEST(is_no_delayed_sack_where_the_peer_sends_data_without_it);
    TEST(is_held_back_where_a_message_goes_on_only_after_the_ack);
    TEST(is_not_held_back_after_a_timeout);
    TEST(takes_a_shutdown_for_a_closed_window);
    TEST(goes_on_at_once_after_a_shutdown);
    TEST(may_be_idle_for_less_than_a_timeout_after_a_shutdown);
    TEST(may_be_stopped_and_go_on_with_all_it_has);
    TEST(waits_with_a_window_that_was_closed_before_the_shutdown);
    return g_test_run();
}
