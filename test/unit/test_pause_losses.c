/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects what decides why a direction paused where no timer is seen to: SACKs that leave a TSN out, the receiver that
 * is alive, the ABORT at the end; and that it stays undecided without such evidence. */
#include "measure/periods/pauses.h"

#include "timed_play.h"

static sctpa_pauses_t *measured(play_t *play, int end_ms, sctpa_series_source_t *source)
{
    return sctpa_pauses_measure(source, play_ns(play, end_ms));
}

/* The last pause, if any: paused_ns 0 none. Ends the play. */
static sctpa_pause_t pause_of(play_t *play, int end_ms)
{
    sctpa_series_source_t source = sctpa_series_source(play->feeder.sctpa, 0, 0, play->start_ns);
    sctpa_pauses_t *found = measured(play, end_ms, &source);
    sctpa_pause_t pause = { 0 };
    if (found->pauses->len > 0)
        pause = g_array_index(found->pauses, sctpa_pause_t, found->pauses->len - 1);
    sctpa_pauses_free(found);
    play_end(play);
    return pause;
}

/* How many pauses have the cause. Ends the play. */
static unsigned pauses_by(play_t *play, int end_ms, sctpa_pause_cause_t cause)
{
    sctpa_series_source_t source = sctpa_series_source(play->feeder.sctpa, 0, 0, play->start_ns);
    sctpa_pauses_t *found = measured(play, end_ms, &source);
    unsigned n = 0;
    for (guint i = 0; i < found->pauses->len; i++)
        n += g_array_index(found->pauses, sctpa_pause_t, i).cause == cause;
    sctpa_pauses_free(found);
    play_end(play);
    return n;
}

/* A round trip of 20 ms, which both know. */
static void begin_measured(play_t *play)
{
    play_begin(play);
    send(play, 0, 0);
    acked(play, 20, 0);
}

/* A packet of A or Z with one chunk without contents. */
static uint32_t say(play_t *play, double at_ms, bool from_a, uint8_t type)
{
    begin(&play->feeder, from_a, from_a ? TAG_Z : TAG_A);
    play->feeder.packet.time_ns = play_ns(play, at_ms);
    (void)chunk(&play->feeder, type, 0, type == SCTPA_CHUNK_HEARTBEAT ? 2 : 0);
    return again(&play->feeder);
}

static uint32_t aborted(play_t *play, double at_ms)
{
    return say(play, at_ms, true, SCTPA_CHUNK_ABORT);
}

/* --- a retransmission that a timer may not have sent --- */

static void is_a_tail_loss_when_a_sack_left_out_what_was_probed(void)
{
    play_t play;
    begin_measured(&play);
    const uint32_t lost = send(&play, 100, 1);
    send(&play, 100, 2);
    acked(&play, 230, 1);
    send(&play, 340, 2);
    acked(&play, 361, 2);
    const sctpa_pause_t pause = pause_of(&play, 1000);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_TAIL_LOSS);
    g_assert_cmpuint(pause.lost, ==, lost + 1);
    g_assert_cmpuint(pause.timeouts, ==, 0);
}

/* The newest of three; the SACK that leaves it out raises the window. */
static void is_a_repeated_loss_when_the_probe_was_left_out_before(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    send(&play, 200, 1);
    send(&play, 201, 2);
    feed_window(&play.feeder, play_ns(&play, 280), TAG_A, 70000);
    send(&play, 310, 1);
    acked(&play, 340, 2);
    g_assert_cmpuint(pause_of(&play, 1000).cause, ==, SCTPA_PAUSE_REPEATED_LOSS);
}

static void is_undecided_when_the_probe_may_repeat_what_had_arrived(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    send(&play, 320, 1);
    acked(&play, 360, 1);
    const sctpa_pause_t pause = pause_of(&play, 1000);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_UNDECIDED);
    g_assert_false(pause.is_reported);
}

/* A SACK sooner than a round trip after a transmission may have been sent before that arrived. */
static void is_undecided_when_a_sack_was_too_early_to_have_it(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 95, 1);
    send(&play, 100, 2);
    acked(&play, 116, 1);
    send(&play, 320, 2);
    acked(&play, 360, 2);
    g_assert_cmpuint(pause_of(&play, 1000).cause, ==, SCTPA_PAUSE_UNDECIDED);
}

static void are_late_acks_when_the_probe_is_acked_sooner_than_it_can_be(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    send(&play, 320, 1);
    acked(&play, 325, 1);
    g_assert_cmpuint(pause_of(&play, 1000).cause, ==, SCTPA_PAUSE_ACKS_LOST);
}

/* --- SACKs that answer packets and say nothing --- */

/* Chunk 1 is not acked until its timer sends it again; n_packets follow, n_sacks of which a SACK answers, which repeats
 * chunk 0. */
static void let_sacks_be_silent(play_t *play, double at_ms, uint32_t number, unsigned n_packets, unsigned n_sacks)
{
    send(play, at_ms, number);
    for (unsigned i = 1; i <= n_packets; i++) {
        send(play, at_ms + 30 * i, number + i);
        if (i <= n_sacks)
            acked(play, at_ms + 30 * i + 20, number - 1);
    }
}

static void are_gaps_not_reported_when_many_sacks_answer_later_packets(void)
{
    play_t play;
    begin_measured(&play);
    let_sacks_be_silent(&play, 100, 1, 8, 7);
    const uint32_t again = send(&play, 1100, 1);
    acked(&play, 1120, 9);
    const sctpa_pause_t pause = pause_of(&play, 2000);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_UNREPORTED);
    g_assert_cmpuint(pause.silent, ==, 7);
    g_assert_cmpuint(pause.repeated, ==, again);
}

/* A receiver that has shown it hides the gap of a short pause as well, also of what was lost twice. */
static void are_gaps_not_reported_when_one_sack_of_such_a_receiver_is_silent(void)
{
    play_t play;
    begin_measured(&play);
    let_sacks_be_silent(&play, 100, 1, 8, 7);
    send(&play, 1100, 1);
    acked(&play, 1120, 9);
    let_sacks_be_silent(&play, 1200, 10, 1, 1);
    send(&play, 2230, 10);
    send(&play, 4230, 10);
    acked(&play, 4250, 11);
    const sctpa_pause_t pause = pause_of(&play, 5000);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_UNREPORTED);
    g_assert_cmpuint(pause.silent, ==, 1);
}

static void is_undecided_when_the_network_may_have_doubled_the_silent_sacks(void)
{
    play_t play;
    begin_measured(&play);
    let_sacks_be_silent(&play, 100, 1, 8, 5);
    send(&play, 1100, 1);
    acked(&play, 1120, 9);
    const sctpa_pause_t pause = pause_of(&play, 2000);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_UNDECIDED);
    g_assert_cmpuint(pause.silent, ==, 5);
}

/* More SACKs than packets: of a receiver that sends each of them many times. */
static void is_a_tail_loss_when_silent_sacks_outnumber_the_packets(void)
{
    play_t play;
    begin_measured(&play);
    for (uint32_t number = 1; number < 4; number++) {
        send(&play, 50 * number, number);
        for (unsigned i = 0; i < 4; i++)
            acked(&play, 50 * number + 20 + i, number);
    }
    let_sacks_be_silent(&play, 300, 4, 2, 0);
    for (unsigned i = 0; i < 3; i++)
        acked(&play, 390 + i, 3);
    send(&play, 1300, 4);
    acked(&play, 1320, 6);
    const sctpa_pause_t pause = pause_of(&play, 2000);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_TAIL_LOSS);
    g_assert_cmpuint(pause.silent, ==, 0);
}

/* It sends each SACK twice, also without anything outstanding: the second one answers no packet. */
static void is_undecided_when_the_receiver_sends_needless_sacks(void)
{
    play_t play;
    begin_measured(&play);
    for (uint32_t number = 1; number < 9; number++) {
        send(&play, 50 * number, number);
        acked(&play, 50 * number + 20, number);
        acked(&play, 50 * number + 21, number);
    }
    let_sacks_be_silent(&play, 600, 9, 8, 7);
    send(&play, 1600, 9);
    acked(&play, 1620, 17);
    g_assert_cmpuint(pause_of(&play, 2000).cause, ==, SCTPA_PAUSE_UNDECIDED);
}

/* Each retransmission asks for a SACK, which has nothing new to say. */
static void is_a_repeated_loss_when_silent_sacks_answer_retransmissions(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    send(&play, 100, 2);
    acked(&play, 120, 1);
    send(&play, 1100, 1);
    acked(&play, 1120, 1);
    send(&play, 1150, 2);
    send(&play, 3150, 2);
    acked(&play, 3170, 2);
    const sctpa_pause_t pause = pause_of(&play, 4000);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_REPEATED_LOSS);
    g_assert_cmpuint(pause.silent, ==, 0);
}

/* --- nothing retransmitted --- */

static void are_late_acks_when_one_sack_acks_four_packets(void)
{
    play_t play;
    begin_measured(&play);
    for (uint32_t number = 1; number <= 4; number++)
        send(&play, 100, number);
    acked(&play, 320, 4);
    send(&play, 320, 5);
    acked(&play, 340, 5);
    const sctpa_pause_t pause = pause_of(&play, 1000);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_ACKS_LOST);
    g_assert_cmpuint(pause.repeated, ==, SCTPA_NO_PACKET_INDEX);
}

static void is_a_delayed_sack_when_it_acks_two_packets(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    send(&play, 101, 2);
    acked(&play, 320, 2);
    send(&play, 320, 3);
    acked(&play, 340, 3);
    g_assert_cmpuint(pause_of(&play, 1000).cause, ==, SCTPA_PAUSE_DELAYED_SACK);
}

/* The retransmission comes before half of the pause is over; the SACK for it takes longest. */
static void is_a_delayed_sack_when_that_took_longest(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    send(&play, 290, 1);
    acked(&play, 510, 1);
    g_assert_cmpuint(pause_of(&play, 1000).cause, ==, SCTPA_PAUSE_DELAYED_SACK);
}

/* New data goes out and is acked, while the SACKs go on to report an older TSN. */
static void is_a_tail_loss_while_sacks_report_the_same_gap(void)
{
    play_t play;
    begin_measured(&play);
    const uint32_t lost = send(&play, 100, 1);
    send(&play, 100, 2);
    acked_beyond(&play, 120, 0, 2, 2);
    send(&play, 300, 3);
    acked_beyond(&play, 320, 0, 2, 3);
    acked(&play, 330, 3);
    const sctpa_pause_t pause = pause_of(&play, 1000);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_TAIL_LOSS);
    g_assert_cmpuint(pause.lost, ==, lost);
    g_assert_cmpint(pause.paused_ns, ==, 200 * ms);
}

static void is_none_while_new_data_goes_out_and_nothing_is_missing(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    send(&play, 300, 2);
    acked(&play, 320, 2);
    g_assert_cmpint(pause_of(&play, 1000).paused_ns, ==, 0);
}

/* Chunk 1 is lost and retransmitted by the timer in vain; chunk 2 is acked at 120 ms, chunk 3 at 1420 ms. */
static void begin_lost_again(play_t *play)
{
    begin_measured(play);
    send(play, 100, 1);
    send(play, 100, 2);
    acked_beyond(play, 120, 0, 2, 2);
    send(play, 1120, 1);
    send(play, 1400, 3);
    acked_beyond(play, 1420, 0, 2, 3);
}

/* Round trips of new data make the RTO 1 s again, while the timer of the missing TSN runs for longer. */
static void is_a_repeated_loss_while_sacks_report_the_same_gap_for_longer_than_the_rto(void)
{
    play_t play;
    begin_lost_again(&play);
    send(&play, 4000, 4);
    acked_beyond(&play, 4020, 0, 2, 4);
    send(&play, 4021, 1);
    acked(&play, 4041, 4);
    const sctpa_pause_t pause = pause_of(&play, 5000);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_REPEATED_LOSS);
    g_assert_cmpint(pause.paused_ns, ==, 2600 * ms);
}

static void is_none_for_longer_than_the_rto_when_the_ack_shows_that_another_is_missing(void)
{
    play_t play;
    begin_lost_again(&play);
    send(&play, 4000, 5);
    acked_beyond(&play, 4020, 3, 5, 5);
    g_assert_cmpint(pause_of(&play, 4020).paused_ns, !=, 2600 * ms);
}

/* The timer's retransmission comes early in the wait, and the SACK at its end leaves it out: more than the wait for an
 * ack. */
static void is_a_repeated_loss_when_a_sack_leaves_out_what_the_timer_sent_in_the_wait(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    send(&play, 100, 2);
    acked_beyond(&play, 120, 0, 2, 2);
    send(&play, 700, 3);
    acked_beyond(&play, 720, 0, 2, 3);
    const uint32_t again = send(&play, 1120, 1);
    send(&play, 1540, 4);
    acked_beyond(&play, 1560, 0, 2, 4);
    const sctpa_pause_t pause = pause_of(&play, 1560);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_REPEATED_LOSS);
    g_assert_cmpuint(pause.repeated, ==, again);
    g_assert_cmpint(pause.paused_ns, ==, 840 * ms);
}

/* Three acks 30 ms apart report chunk 1 missing, the last at 180 ms. */
static void begin_reported(play_t *play)
{
    begin_measured(play);
    for (uint32_t number = 1; number <= 4; number++)
        send(play, 100, number);
    for (uint32_t end = 2; end <= 4; end++)
        acked_beyond(play, 60 + 30 * (int)end, 0, 2, end);
}

static void is_a_repeated_loss_when_a_sack_leaves_out_the_fast_retransmission(void)
{
    play_t play;
    begin_reported(&play);
    const uint32_t again = send(&play, 180.1, 1);
    send(&play, 400, 5);
    acked_beyond(&play, 420, 0, 2, 5);
    const sctpa_pause_t pause = pause_of(&play, 420);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_REPEATED_LOSS);
    g_assert_cmpuint(pause.repeated, ==, again);
    g_assert_cmpint(pause.paused_ns, ==, 240 * ms);
}

static void is_none_when_the_fast_retransmission_arrives(void)
{
    play_t play;
    begin_reported(&play);
    send(&play, 180.1, 1);
    acked(&play, 200, 4);
    send(&play, 400, 5);
    acked(&play, 420, 5);
    g_assert_cmpint(pause_of(&play, 1000).paused_ns, ==, 0);
}

static void is_none_while_the_third_report_is_to_come(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    for (uint32_t number = 2; number <= 4; number++) {
        send(&play, 150 * (int)number, number);
        acked_beyond(&play, 150 * (int)number + 20, 0, 2, number);
    }
    send(&play, 620.1, 1);
    acked(&play, 640, 4);
    g_assert_cmpint(pause_of(&play, 1000).paused_ns, ==, 0);
}

static void is_left_to_the_timer_while_data_passes_after_three_reports(void)
{
    play_t play;
    begin_reported(&play);
    send(&play, 500, 5);
    acked_beyond(&play, 520, 0, 2, 5);
    send(&play, 1181, 1);
    acked(&play, 1201, 5);
    g_assert_cmpuint(pauses_by(&play, 1300, SCTPA_PAUSE_LEFT_TO_TIMER), ==, 2);
}

/* However often it is retransmitted later. */
static void is_the_same_repeated_loss_before_many_more_retransmissions(void)
{
    enum { TURNS = 40 };
    play_t play;
    begin_lost_again(&play);
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        const int at_ms = 1420 + 300 * (int)turn;
        send(&play, at_ms + 1, 1);
        send(&play, at_ms + 280, 4 + turn);
        acked_beyond(&play, at_ms + 300, 0, 2, 4 + turn);
    }
    g_assert_cmpuint(pauses_by(&play, 1420 + 300 * TURNS, SCTPA_PAUSE_REPEATED_LOSS), ==, TURNS);
}

/* --- nothing acked any more --- */

static void is_a_tail_loss_that_an_abort_ends(void)
{
    play_t play;
    begin_measured(&play);
    const uint32_t lost = send(&play, 100, 1);
    send(&play, 100, 2);
    acked_beyond(&play, 120, 0, 2, 2);
    const uint32_t packet = aborted(&play, 700);
    const sctpa_pause_t pause = pause_of(&play, 9000);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_TAIL_LOSS);
    g_assert_cmpuint(pause.lost, ==, lost);
    g_assert_cmpuint(pause.until, ==, packet);
    g_assert_cmpuint(pause.ended, ==, SCTPA_PAUSE_ENDS_ABORT);
    g_assert_cmpint(pause.paused_ns, ==, 580 * ms);
    g_assert_cmpint(pause.most_ns, ==, 580 * ms);
}

static void is_a_repeated_loss_that_an_abort_ends(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    for (uint32_t number = 2; number <= 4; number++)
        send(&play, 100, number);
    for (uint32_t end = 2; end <= 4; end++)
        acked_beyond(&play, 118 + (int)end, 0, 2, end);
    const uint32_t again = send(&play, 122.1, 1);
    aborted(&play, 900);
    const sctpa_pause_t pause = pause_of(&play, 9000);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_REPEATED_LOSS);
    g_assert_cmpuint(pause.repeated, ==, again);
}

static void is_undecided_when_nothing_came_before_the_abort(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    aborted(&play, 700);
    const sctpa_pause_t pause = pause_of(&play, 9000);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_UNDECIDED);
    g_assert_cmpuint(pause.ended, ==, SCTPA_PAUSE_ENDS_ABORT);
}

/* Alive, and it had time to ack: a HEARTBEAT passes more than 500 ms and a round trip after the data. */
static void is_a_repeated_loss_when_the_receiver_is_heard(void)
{
    for (unsigned late = 0; late < 2; late++) {
        play_t play;
        begin_measured(&play);
        send(&play, 100, 1);
        send(&play, 1200, 1);
        say(&play, late ? 1300 : 600, false, SCTPA_CHUNK_HEARTBEAT);
        aborted(&play, 1500);
        g_assert_cmpuint(pause_of(&play, 9000).cause, ==, late ? SCTPA_PAUSE_REPEATED_LOSS : SCTPA_PAUSE_UNDECIDED);
    }
}

/* What is reported missing at the end says nothing of a pause before, whose end was not captured. */
static void is_undecided_when_its_end_was_not_captured(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    send(&play, 1200, 1);
    acked(&play, 60000, 1);
    send(&play, 60001, 2);
    send(&play, 60001, 3);
    acked_beyond(&play, 60021, 1, 3, 3);
    sctpa_series_source_t source = sctpa_series_source(play.feeder.sctpa, 0, 0, play.start_ns);
    sctpa_pauses_t *found = measured(&play, 60500, &source);
    g_assert_cmpuint(found->pauses->len, ==, 2);
    const sctpa_pause_t *pause = &g_array_index(found->pauses, sctpa_pause_t, 0);
    g_assert_cmpuint(pause->ended, ==, SCTPA_PAUSE_ENDS_UNSEEN);
    g_assert_cmpuint(pause->cause, ==, SCTPA_PAUSE_UNDECIDED);
    g_assert_cmpuint(pause[1].cause, ==, SCTPA_PAUSE_TAIL_LOSS);
    g_assert_cmpuint(pause[1].ended, ==, SCTPA_PAUSE_ENDS_OPEN);
    sctpa_pauses_free(found);
    play_end(&play);
}

/* A receiver that never acked may discard what it gets. */
static void is_undecided_when_the_receiver_never_acked(void)
{
    play_t play;
    play_begin(&play);
    send(&play, 100, 1);
    send(&play, 3200, 1);
    say(&play, 3900, false, SCTPA_CHUNK_HEARTBEAT);
    aborted(&play, 4500);
    g_assert_cmpuint(pause_of(&play, 9000).cause, ==, SCTPA_PAUSE_UNDECIDED);
}

/* Waits of 1, 2, 4 s; the ABORT comes when those of 8, 16 and 32 s are over, which the capture lacks. */
static void lasts_until_the_sender_gives_up(void)
{
    for (uint32_t sent = 1; sent <= 5; sent += 4) {
        play_t play;
        begin_measured(&play);
        for (uint32_t number = 1; number <= sent; number++)
            send(&play, 100, number);
        send(&play, 1100, 1);
        send(&play, 3100, 1);
        send(&play, 7100, 1);
        const uint32_t packet = aborted(&play, 63200);
        const sctpa_pause_t pause = pause_of(&play, 70000);
        g_assert_cmpuint(pause.ended, ==, SCTPA_PAUSE_ENDS_GAVE_UP);
        g_assert_cmpuint(pause.until, ==, packet);
        g_assert_cmpint(pause.paused_ns, ==, 63100 * ms);
        g_assert_cmpuint(pause.cause, ==, sent == 1 ? SCTPA_PAUSE_UNDECIDED : SCTPA_PAUSE_PATH_DEAD);
    }
}

/* At another time than an expiry the sender may have had an ack before. */
static void ends_unseen_when_the_abort_comes_at_another_time(void)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    send(&play, 1100, 1);
    const uint32_t last = send(&play, 3100, 1);
    aborted(&play, 50000);
    const sctpa_pause_t pause = pause_of(&play, 70000);
    g_assert_cmpuint(pause.ended, ==, SCTPA_PAUSE_ENDS_UNSEEN);
    g_assert_cmpuint(pause.until, ==, last);
    g_assert_cmpint(pause.paused_ns, ==, 3000 * ms);
    g_assert_cmpint(pause.most_ns, ==, 49900 * ms);
}

/* --- the set-up --- */

static sctpa_pause_t of_set_up(int cookie_ack_ms, uint32_t *cookie_ack)
{
    play_t play;
    begin_measured(&play);
    send(&play, 100, 1);
    *cookie_ack = say(&play, cookie_ack_ms, false, SCTPA_CHUNK_COOKIE_ACK);
    send(&play, 1200, 1);
    acked(&play, 1220, 1);
    sctpa_series_source_t source = sctpa_series_source(play.feeder.sctpa, 0, 0, play.start_ns);
    source.set_up_ns = play_ns(&play, cookie_ack_ms);
    source.set_up_packet = *cookie_ack;
    sctpa_pauses_t *found = measured(&play, 2000, &source);
    g_assert_cmpuint(found->pauses->len, ==, 1);
    const sctpa_pause_t pause = g_array_index(found->pauses, sctpa_pause_t, 0);
    sctpa_pauses_free(found);
    play_end(&play);
    return pause;
}

static void begins_when_the_set_up_is_complete(void)
{
    uint32_t cookie_ack;
    sctpa_pause_t pause = of_set_up(150, &cookie_ack);
    g_assert_cmpuint(pause.since, ==, cookie_ack);
    g_assert_cmpint(pause.paused_ns, ==, 1070 * ms);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_TAIL_LOSS);
    pause = of_set_up(1100, &cookie_ack);
    g_assert_cmpint(pause.paused_ns, ==, 1120 * ms);
    g_assert_cmpuint(pause.cause, ==, SCTPA_PAUSE_SET_UP);
}

/* Before anything is measured 3 s, twice that after one retransmitted INIT or COOKIE ECHO. */
static void is_as_patient_as_the_timers_of_the_set_up_made_it(void)
{
    for (uint8_t repeats = 0; repeats < 2; repeats++) {
        play_t play;
        play_begin(&play);
        send(&play, 100, 0);
        for (uint32_t number = 1; number <= 3; number++)
            send(&play, 100, number);
        for (uint32_t end = 1; end <= 3; end++)
            acked_beyond(&play, 119 + (int)end, UINT32_MAX, 1, end);
        send(&play, 122.1, 0);
        aborted(&play, 5000);
        sctpa_series_source_t source = sctpa_series_source(play.feeder.sctpa, 0, 0, play.start_ns);
        source.set_up_repeats = repeats;
        sctpa_pauses_t *found = measured(&play, 9000, &source);
        g_assert_cmpuint(found->pauses->len, ==, repeats);
        sctpa_pauses_free(found);
        play_end(&play);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/pause_losses/" #name, name)
    TEST(is_a_tail_loss_when_a_sack_left_out_what_was_probed);
    TEST(is_a_repeated_loss_when_the_probe_was_left_out_before);
    TEST(is_undecided_when_the_probe_may_repeat_what_had_arrived);
    TEST(is_undecided_when_a_sack_was_too_early_to_have_it);
    TEST(are_late_acks_when_the_probe_is_acked_sooner_than_it_can_be);
    TEST(are_gaps_not_reported_when_many_sacks_answer_later_packets);
    TEST(are_gaps_not_reported_when_one_sack_of_such_a_receiver_is_silent);
    TEST(is_undecided_when_the_network_may_have_doubled_the_silent_sacks);
    TEST(is_a_tail_loss_when_silent_sacks_outnumber_the_packets);
    TEST(is_undecided_when_the_receiver_sends_needless_sacks);
    TEST(is_a_repeated_loss_when_silent_sacks_answer_retransmissions);
    TEST(are_late_acks_when_one_sack_acks_four_packets);
    TEST(is_a_delayed_sack_when_it_acks_two_packets);
    TEST(is_a_delayed_sack_when_that_took_longest);
    TEST(is_a_tail_loss_while_sacks_report_the_same_gap);
    TEST(is_a_repeated_loss_while_sacks_report_the_same_gap_for_longer_than_the_rto);
    TEST(is_none_for_longer_than_the_rto_when_the_ack_shows_that_another_is_missing);
    TEST(is_a_repeated_loss_when_a_sack_leaves_out_what_the_timer_sent_in_the_wait);
    TEST(is_a_repeated_loss_when_a_sack_leaves_out_the_fast_retransmission);
    TEST(is_none_when_the_fast_retransmission_arrives);
    TEST(is_none_while_the_third_report_is_to_come);
    TEST(is_left_to_the_timer_while_data_passes_after_three_reports);
    TEST(is_the_same_repeated_loss_before_many_more_retransmissions);
    TEST(is_none_while_new_data_goes_out_and_nothing_is_missing);
    TEST(is_a_tail_loss_that_an_abort_ends);
    TEST(is_a_repeated_loss_that_an_abort_ends);
    TEST(is_undecided_when_nothing_came_before_the_abort);
    TEST(is_a_repeated_loss_when_the_receiver_is_heard);
    TEST(is_undecided_when_its_end_was_not_captured);
    TEST(is_undecided_when_the_receiver_never_acked);
    TEST(lasts_until_the_sender_gives_up);
    TEST(ends_unseen_when_the_abort_comes_at_another_time);
    TEST(begins_when_the_set_up_is_complete);
    TEST(is_as_patient_as_the_timers_of_the_set_up_made_it);
    return g_test_run();
}
