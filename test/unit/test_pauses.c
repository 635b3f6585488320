/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects what is said of pauses: only while something was outstanding, or a closed window kept the sender, as long as
 * nothing new was acked; and why. */
#include "measure/periods/pauses.h"

#include "timed_play.h"

static sctpa_pauses_t *pauses_of(play_t *play, int end_ms)
{
    sctpa_series_source_t source = sctpa_series_source(play->feeder.sctpa, 0, 0, play->start_ns);
    return sctpa_pauses_measure(&source, play_ns(play, end_ms));
}

static sctpa_pause_t only(const sctpa_pauses_t *found)
{
    g_assert_cmpuint(found->pauses->len, ==, 1);
    return g_array_index(found->pauses, sctpa_pause_t, 0);
}

/* A round trip of 20 ms, which both know. */
static void begin_measured(play_t *play)
{
    play_begin(play);
    send(play, 0, 0);
    acked(play, 20, 0);
}

static void is_the_wait_that_a_timeout_ends(void)
{
    play_t play;
    begin_measured(&play);
    uint32_t since = send(&play, 100, 1);
    uint32_t repeated = send(&play, 1200, 1);
    uint32_t until = acked(&play, 1220, 1);
    sctpa_pauses_t *found = pauses_of(&play, 2000);
    sctpa_pause_t pause = only(found);
    g_assert_cmpuint(pause.since, ==, since);
    g_assert_cmpuint(pause.until, ==, until);
    g_assert_cmpuint(pause.lost, ==, since);
    g_assert_cmpuint(pause.repeated, ==, repeated);
    g_assert_cmpint(pause.paused_ns, ==, 1120 * ms);
    g_assert_cmpint(pause.waited_ns, ==, 1100 * ms);
    g_assert_cmpuint(pause.chunks, ==, 1);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_TAIL_LOSS);
    g_assert_cmpint(found->paused_ns, ==, 1120 * ms);
    g_assert_cmpint(found->lost_ns[SCTPA_PAUSE_TAIL_LOSS], ==, 1120 * ms);
    g_assert_cmpint(found->idle_ns, ==, 80 * ms);
    sctpa_pauses_free(found);
    play_end(&play);
}

/* Three TSNs, of which the SACK of the first starts the timer; that sends the second alone, the third follows. */
static void names_the_packet_that_the_timer_sent_and_how_long_it_ran(void)
{
    play_t play;
    begin_measured(&play);
    for (uint32_t number = 1; number <= 3; number++)
        send(&play, 100 + number, number);
    const uint32_t sack = acked(&play, 125, 1);
    const uint32_t repeated = send(&play, 1325, 2);
    send(&play, 1332, 3);
    acked(&play, 1350, 3);
    sctpa_pauses_t *found = pauses_of(&play, 2000);
    const sctpa_pause_t pause = only(found);
    g_assert_cmpuint(pause.repeated, ==, repeated);
    g_assert_cmpuint(pause.started, ==, sack);
    g_assert_cmpint(pause.waited_ns, ==, 1200 * ms);
    g_assert_false(pause.may_start_late);
    sctpa_pauses_free(found);
    play_end(&play);
}

/* What is sent to another address starts the timer of that, and what expires next is that one. */
static void a_timer_of_another_path_starts_with_what_moved_there(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    const uint32_t moved = send_to(&play, 1200, 1, ADDR_Z + 1);
    const uint32_t repeated = send_to(&play, 4300, 1, ADDR_Z);
    acked(&play, 4320, 1);
    sctpa_pauses_t *found = pauses_of(&play, 5000);
    const sctpa_pause_t pause = only(found);
    g_assert_cmpuint(pause.timeouts, ==, 2);
    g_assert_cmpuint(pause.repeated, ==, repeated);
    g_assert_cmpuint(pause.started, ==, moved);
    g_assert_cmpint(pause.waited_ns, ==, 3100 * ms);
    sctpa_pauses_free(found);
    play_end(&play);
}

/* One that something unexplained may have started anew ran for so long at most. */
static void says_how_long_a_timer_ran_at_most(void)
{
    play_t play;
    begin_measured(&play);
    const uint32_t since = send(&play, 100, 1);
    send(&play, 101, 2);
    send(&play, 150, 1);
    send(&play, 1300, 1);
    acked(&play, 1320, 2);
    sctpa_pauses_t *found = pauses_of(&play, 2000);
    const sctpa_pause_t pause = only(found);
    g_assert_cmpuint(pause.started, ==, since);
    g_assert_cmpint(pause.waited_ns, ==, 1200 * ms);
    g_assert_true(pause.may_start_late);
    sctpa_pauses_free(found);
    play_end(&play);
}

/* What a timer of 150 ms sends, of a sender without loss probes, had arrived: its ack comes too soon after it. */
static sctpa_pauses_t *retransmitted_early(play_t *play, int ack_ms)
{
    ((sctpa_direction_t *)sctpa_direction(play->feeder.sctpa, 0, 0))->waits_for_t3 = true;
    send(play, 1000, 1);
    send(play, 1150, 1);
    acked(play, ack_ms, 1);
    return pauses_of(play, 3000);
}

static void is_none_where_nothing_waited_for_an_ack_that_was_not_due(void)
{
    play_t play;
    begin_measured(&play);
    sctpa_pauses_t *found = retransmitted_early(&play, 1152);
    g_assert_cmpuint(found->pauses->len, ==, 0);
    g_assert_cmpint(found->acking_ns, ==, 152 * ms);
    g_assert_cmpuint(found->early.chunks, ==, 1);
    g_assert_cmpint(found->early.rto_most_ns, ==, 150 * ms);
    g_assert_cmpint(found->early.sack_delay_ns, ==, 200 * ms);
    sctpa_pauses_free(found);
    play_end(&play);
}

static void is_of_an_rto_below_the_sack_delay_where_something_waited(void)
{
    play_t play;
    begin_measured(&play);
    ((sctpa_direction_t *)sctpa_direction(play.feeder.sctpa, 0, 0))->waits_for_t3 = true;
    send(&play, 1000, 1);
    send(&play, 1150, 1);
    acked(&play, 1152, 1);
    send(&play, 1153, 2);
    acked(&play, 1175, 2);
    sctpa_pauses_t *found = pauses_of(&play, 3000);
    g_assert_cmpuint(only(found).cause, ==, SCTPA_PAUSE_RTO_BELOW_SACK);
    g_assert_cmpuint(found->early.chunks, ==, 1);
    sctpa_pauses_free(found);
    play_end(&play);
}

/* A receiver that acknowledged each packet at once owes the SACK at once. */
static void is_an_ack_that_was_lost_where_the_receiver_acks_at_once(void)
{
    play_t play;
    begin_measured(&play);
    for (uint32_t number = 1; number <= 4; number++) {
        send(&play, 100 * number, number);
        acked(&play, 100 * number + 20, number);
    }
    send(&play, 1000, 5);
    send(&play, 2050, 5);
    acked(&play, 2052, 5);
    sctpa_pauses_t *found = pauses_of(&play, 3000);
    g_assert_cmpuint(only(found).cause, ==, SCTPA_PAUSE_ACKS_LOST);
    g_assert_cmpuint(found->early.chunks, ==, 0);
    sctpa_pauses_free(found);
    play_end(&play);
}

/* Numbers first to last in packets of their own, acknowledged together after_ms after the last. */
static void send_and_ack(play_t *play, int at_ms, uint32_t first, uint32_t last, int after_ms)
{
    for (uint32_t number = first; number <= last; number++)
        send(play, at_ms++, number);
    acked(play, at_ms - 1 + after_ms, last);
}

/* Three packets wait for the delay of a receiver that acknowledges every fourth at once, and of one that does not. */
static void is_a_delayed_sack_of_as_many_packets_as_the_receiver_waits_for(void)
{
    for (unsigned every = 2; every <= 4; every += 2) {
        play_t play;
        begin_measured(&play);
        send_and_ack(&play, 100, 1, every, 20);
        send_and_ack(&play, 200, every + 1, 2 * every, 20);
        send_and_ack(&play, 300, 2 * every + 1, 2 * every + 3, 500);
        send(&play, 803, 2 * every + 4);
        acked(&play, 823, 2 * every + 4);
        sctpa_pauses_t *found = pauses_of(&play, 3000);
        g_assert_cmpuint(only(found).cause, ==, every == 4 ? SCTPA_PAUSE_DELAYED_SACK : SCTPA_PAUSE_ACKS_LOST);
        sctpa_pauses_free(found);
        play_end(&play);
    }
}

static void is_none_where_the_sender_sends_nothing_again(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    send(&play, 9000, 2);
    acked(&play, 9020, 2);
    sctpa_pauses_t *found = pauses_of(&play, 10000);
    g_assert_cmpuint(found->pauses->len, ==, 0);
    g_assert_cmpint(found->longest_ns, ==, 20 * ms);
    sctpa_pauses_free(found);
    play_end(&play);
}

static void ends_where_the_next_retransmission_is_overdue(void)
{
    play_t play;
    begin_measured(&play);
    uint32_t since = send(&play, 100, 1);
    send(&play, 1200, 1);
    uint32_t last = send(&play, 3300, 1);
    acked(&play, 60000, 1);
    sctpa_pauses_t *found = pauses_of(&play, 60000);
    sctpa_pause_t pause = only(found);
    g_assert_cmpuint(pause.since, ==, since);
    g_assert_cmpuint(pause.until, ==, last);
    g_assert_cmpuint(pause.ended, ==, SCTPA_PAUSE_ENDS_UNSEEN);
    g_assert_cmpint(pause.most_ns, ==, 59900 * ms);
    g_assert_cmpint(pause.paused_ns, ==, 3200 * ms);
    sctpa_pauses_free(found);
    play_end(&play);
}

static void is_idle_while_nothing_is_outstanding(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 9000, 1);
    acked(&play, 9020, 1);
    sctpa_pauses_t *found = pauses_of(&play, 20000);
    g_assert_cmpuint(found->pauses->len, ==, 0);
    g_assert_cmpint(found->paused_ns, ==, 0);
    g_assert_cmpint(found->idle_ns, ==, 8980 * ms);
    g_assert_cmpint(found->span_ns, ==, 9020 * ms);
    sctpa_pauses_free(found);
    play_end(&play);
}

/* Two SACKs at most were due for three packets, and one for each of six timeouts. */
static void is_a_dead_path_when_so_many_answers_are_missing(void)
{
    play_t play;
    begin_measured(&play);
    for (uint32_t number = 1; number <= 3; number++)
        send(&play, 100, number);
    int at_ms = 100, rto_ms = 1000;
    for (unsigned i = 0; i < 6; i++, rto_ms *= 2)
        send(&play, at_ms += rto_ms, 1);
    sctpa_pauses_t *found = pauses_of(&play, at_ms + 1000);
    sctpa_pause_t pause = only(found);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_PATH_DEAD);
    g_assert_cmpuint(pause.timeouts, ==, 6);
    g_assert_cmpuint(pause.until, ==, SCTPA_NO_PACKET_INDEX);
    sctpa_pauses_free(found);
    play_end(&play);
}

static void is_a_repeated_loss_when_a_retransmission_was_lost(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 1000, 1);
    send(&play, 2000, 1);
    send(&play, 4000, 1);
    acked(&play, 4020, 1);
    sctpa_pauses_t *found = pauses_of(&play, 5000);
    g_assert_cmpuint(only(found).cause, ==, SCTPA_PAUSE_REPEATED_LOSS);
    g_assert_cmpuint(only(found).timeouts, ==, 2);
    sctpa_pauses_free(found);
    play_end(&play);
}

static void is_left_to_the_timer_after_three_misses(void)
{
    play_t play;
    begin_measured(&play);
    for (uint32_t number = 1; number <= 5; number++)
        send(&play, 100, number);
    for (uint32_t end = 2; end <= 5; end++)
        acked_beyond(&play, 119 + (int)end, 0, 2, end);
    send(&play, 1300, 1);
    acked(&play, 1320, 5);
    sctpa_pauses_t *found = pauses_of(&play, 2000);
    g_assert_cmpuint(only(found).cause, ==, SCTPA_PAUSE_LEFT_TO_TIMER);
    sctpa_pauses_free(found);
    play_end(&play);
}

/* The sender goes on with the ack that came 200 ms late. */
static void is_a_delayed_sack_that_the_sender_waited_for(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    acked(&play, 320, 1);
    send(&play, 320, 2);
    acked(&play, 340, 2);
    sctpa_pauses_t *found = pauses_of(&play, 1000);
    g_assert_cmpuint(only(found).cause, ==, SCTPA_PAUSE_DELAYED_SACK);
    g_assert_cmpint(found->acking_ns, ==, 0);
    sctpa_pauses_free(found);
    play_end(&play);
}

static void is_none_when_nothing_waited_for_the_delayed_sack(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    acked(&play, 320, 1);
    send(&play, 900, 2);
    acked(&play, 920, 2);
    sctpa_pauses_t *found = pauses_of(&play, 1000);
    g_assert_cmpuint(found->pauses->len, ==, 0);
    g_assert_cmpint(found->acking_ns, ==, 220 * ms);
    sctpa_pauses_free(found);
    play_end(&play);
}

static void has_none_without_data(void)
{
    play_t play;
    play_begin(&play);
    sctpa_pauses_t *found = pauses_of(&play, 1000);
    g_assert_cmpuint(found->pauses->len, ==, 0);
    g_assert_cmpuint(found->longest_since, ==, SCTPA_NO_PACKET_INDEX);
    sctpa_pauses_free(found);
    sctpa_pauses_free(NULL);
    sctpa_series_source_t source = sctpa_series_source(play.feeder.sctpa, 0, 0, play.start_ns);
    g_assert_cmpuint(sctpa_moves_measure(&source).n, ==, 0);
    play_end(&play);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/pauses/" #name, name)
    TEST(is_the_wait_that_a_timeout_ends);
    TEST(names_the_packet_that_the_timer_sent_and_how_long_it_ran);
    TEST(a_timer_of_another_path_starts_with_what_moved_there);
    TEST(says_how_long_a_timer_ran_at_most);
    TEST(is_none_where_nothing_waited_for_an_ack_that_was_not_due);
    TEST(is_of_an_rto_below_the_sack_delay_where_something_waited);
    TEST(is_an_ack_that_was_lost_where_the_receiver_acks_at_once);
    TEST(is_a_delayed_sack_of_as_many_packets_as_the_receiver_waits_for);
    TEST(is_none_where_the_sender_sends_nothing_again);
    TEST(ends_where_the_next_retransmission_is_overdue);
    TEST(is_idle_while_nothing_is_outstanding);
    TEST(is_a_dead_path_when_so_many_answers_are_missing);
    TEST(is_a_repeated_loss_when_a_retransmission_was_lost);
    TEST(is_left_to_the_timer_after_three_misses);
    TEST(is_a_delayed_sack_that_the_sender_waited_for);
    TEST(is_none_when_nothing_waited_for_the_delayed_sack);
    TEST(has_none_without_data);
    return g_test_run();
}
