/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A SHUTDOWN or SHUTDOWN ACK that is repeated and never answered closes nothing; one whose answer alone was lost does.
 */
#include "track_feed.h"

static feeder_t feeder;

static void set_up(void)
{
    feeder_init(&feeder);
    feed_setup(&feeder, TAG_A, TAG_Z);
    feed_data(&feeder, true, TAG_Z, TAG_A);
    feed_sack(&feeder, false, TAG_A, TAG_A);
}

static void shutdown_of(bool from_a, uint32_t cum_tsn)
{
    begin(&feeder, from_a, from_a ? TAG_Z : TAG_A);
    put32(chunk(&feeder, SCTPA_CHUNK_SHUTDOWN, 0, 1), cum_tsn);
    feed(&feeder);
}

static void shutdown_ack_of(bool from_a)
{
    feed_plain(&feeder, from_a, from_a ? TAG_Z : TAG_A, SCTPA_CHUNK_SHUTDOWN_ACK, 0);
}

/* The timer of RFC 9260 6.3.3: each wait is twice the one before. */
static void repeat(unsigned times, void (*ask)(bool from_a), bool from_a)
{
    for (unsigned i = 0; i < times; i++) {
        feeder.packet.time_ns += INT64_C(1000000000) << i;
        ask(from_a);
    }
}

static void plain_shutdown_of(bool from_a)
{
    shutdown_of(from_a, TAG_A);
}

static void assert_not_closed(unsigned asking, unsigned asks, bool asks_ack)
{
    const sctpa_outcome_t end = outcome(&feeder, 0);
    g_assert_cmpint(end.end, ==, SCTPA_ASSOC_NOT_CLOSED);
    g_assert_cmpuint(end.end_by, ==, SCTPA_NO_END);
    g_assert_cmpuint(end.asking, ==, asking);
    g_assert_cmpuint(end.shutdowns, ==, asks);
    g_assert_cmpuint(end.asks_ack, ==, asks_ack);
    sctpa_free(feeder.sctpa);
}

static void assert_end(sctpa_assoc_end_t end)
{
    g_assert_cmpint(outcome(&feeder, 0).end, ==, end);
    sctpa_free(feeder.sctpa);
}

static void a_shutdown_ack_that_nobody_completes_closes_nothing(void)
{
    set_up();
    shutdown_of(true, TAG_Z - 1);
    shutdown_ack_of(false);
    repeat(6, shutdown_ack_of, false);
    assert_not_closed(1, 7, true);
}

static void a_shutdown_that_nobody_answers_closes_nothing(void)
{
    set_up();
    shutdown_of(false, TAG_A);
    repeat(4, plain_shutdown_of, false);
    assert_not_closed(1, 5, false);
}

static void the_initiator_may_be_the_one_that_asks(void)
{
    set_up();
    shutdown_of(false, TAG_A);
    shutdown_ack_of(true);
    repeat(3, shutdown_ack_of, true);
    assert_not_closed(0, 4, true);
}

static void a_shutdown_complete_that_was_lost_leaves_a_shutdown(void)
{
    for (unsigned repeats = 0; repeats <= 2; repeats++) {
        set_up();
        shutdown_of(true, TAG_Z - 1);
        shutdown_ack_of(false);
        repeat(repeats, shutdown_ack_of, false);
        assert_end(SCTPA_ASSOC_SHUTDOWN);
    }
}

static void a_late_shutdown_complete_closes(void)
{
    set_up();
    shutdown_of(true, TAG_Z - 1);
    shutdown_ack_of(false);
    repeat(5, shutdown_ack_of, false);
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_SHUTDOWN_COMPLETE, 0);
    assert_end(SCTPA_ASSOC_SHUTDOWN);
}

static void a_peer_that_still_sends_data_has_not_gone(void)
{
    set_up();
    shutdown_of(true, TAG_Z - 1);
    for (unsigned i = 0; i < 5; i++) {
        feeder.packet.time_ns += INT64_C(1000000000);
        feed_data(&feeder, false, TAG_A, TAG_Z + i);
        shutdown_of(true, TAG_Z + i);
    }
    assert_end(SCTPA_ASSOC_OPEN);
}

static void shutdowns_that_answer_a_burst_of_data_are_no_repetitions(void)
{
    set_up();
    for (unsigned i = 0; i < 12; i++)
        feed_data(&feeder, false, TAG_A, TAG_Z + i);
    for (unsigned i = 0; i < 6; i++)
        shutdown_of(true, TAG_Z + 2 * i);
    assert_end(SCTPA_ASSOC_OPEN);
}

static void where_one_direction_was_captured_no_answer_is_missed(void)
{
    feeder_init(&feeder);
    for (unsigned i = 0; i < 4; i++)
        feed_sack(&feeder, false, TAG_A, TAG_A + i);
    shutdown_ack_of(false);
    repeat(6, shutdown_ack_of, false);
    assert_end(SCTPA_ASSOC_SHUTDOWN);
}

static void complete_of(bool from_a)
{
    feed_plain(&feeder, from_a, from_a ? TAG_Z : TAG_A, SCTPA_CHUNK_SHUTDOWN_COMPLETE, 0);
}

/* Each SHUTDOWN is answered by a SHUTDOWN ACK that passes, and is repeated all the same. */
static void answer_in_vain(bool closer_is_a, unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        feeder.packet.time_ns += INT64_C(1000000000) << i;
        shutdown_of(closer_is_a, closer_is_a ? TAG_Z - 1 : TAG_A);
        shutdown_ack_of(!closer_is_a);
        shutdown_ack_of(!closer_is_a);
    }
}

static void shutdown_acks_that_do_not_arrive_close_nothing(void)
{
    for (unsigned closer = 0; closer < 2; closer++) {
        set_up();
        answer_in_vain(closer == 0, 5);
        const sctpa_outcome_t end = outcome(&feeder, 0);
        g_assert_cmpuint(end.answers, ==, 10);
        g_assert_false(end.asks_over);
        assert_not_closed(closer, 5, false);
    }
}

static void a_shutdown_ack_that_was_lost_once_leaves_a_shutdown(void)
{
    set_up();
    answer_in_vain(true, 2);
    complete_of(true);
    assert_end(SCTPA_ASSOC_SHUTDOWN);
}

static void a_shutdown_that_was_given_up_closes_nothing(void)
{
    set_up();
    shutdown_of(false, TAG_A);
    repeat(1, plain_shutdown_of, false);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_OPEN);
    feeder.packet.time_ns += INT64_C(61000000000);
    g_assert_true(outcome(&feeder, 0).asks_over);
    assert_not_closed(1, 2, false);
}

static void a_shutdown_ack_that_is_repeated_no_more_may_have_had_its_answer(void)
{
    set_up();
    shutdown_of(true, TAG_Z - 1);
    shutdown_ack_of(false);
    repeat(2, shutdown_ack_of, false);
    feeder.packet.time_ns += INT64_C(61000000000);
    assert_end(SCTPA_ASSOC_SHUTDOWN);
}

static const sctpa_closing_t *closing(uint8_t end)
{
    return sctpa_closing(sctpa_assoc(feeder.sctpa, 0), end);
}

static void shutdown_completes_that_do_not_arrive_are_counted_by_those_that_repeat(void)
{
    for (unsigned closer = 0; closer < 2; closer++) {
        set_up();
        shutdown_of(closer == 0, closer == 0 ? TAG_Z - 1 : TAG_A);
        for (unsigned i = 0; i < 4; i++) {
            shutdown_ack_of(closer == 1);
            complete_of(closer == 0);
            feeder.packet.time_ns += INT64_C(1000000000) << i;
        }
        g_assert_cmpuint(closing(!closer)->asks, ==, 4);
        g_assert_cmpuint(closing(!closer)->unheard, ==, 3);
        assert_end(SCTPA_ASSOC_SHUTDOWN);
    }
}

static void a_shutdown_ack_that_crosses_the_complete_has_not_missed_it(void)
{
    set_up();
    shutdown_of(true, TAG_Z - 1);
    shutdown_ack_of(false);
    complete_of(true);
    feeder.packet.time_ns += INT64_C(50000000);
    shutdown_ack_of(false);
    g_assert_cmpuint(closing(1)->unheard, ==, 0);
    assert_end(SCTPA_ASSOC_SHUTDOWN);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/not_closed/shutdown_ack", a_shutdown_ack_that_nobody_completes_closes_nothing);
    g_test_add_func("/not_closed/shutdown", a_shutdown_that_nobody_answers_closes_nothing);
    g_test_add_func("/not_closed/initiator", the_initiator_may_be_the_one_that_asks);
    g_test_add_func("/not_closed/complete_lost", a_shutdown_complete_that_was_lost_leaves_a_shutdown);
    g_test_add_func("/not_closed/late_complete", a_late_shutdown_complete_closes);
    g_test_add_func("/not_closed/peer_sends", a_peer_that_still_sends_data_has_not_gone);
    g_test_add_func("/not_closed/answers", shutdowns_that_answer_a_burst_of_data_are_no_repetitions);
    g_test_add_func("/not_closed/one_direction", where_one_direction_was_captured_no_answer_is_missed);
    g_test_add_func("/not_closed/acks_in_vain", shutdown_acks_that_do_not_arrive_close_nothing);
    g_test_add_func("/not_closed/ack_lost", a_shutdown_ack_that_was_lost_once_leaves_a_shutdown);
    g_test_add_func("/not_closed/given_up", a_shutdown_that_was_given_up_closes_nothing);
    g_test_add_func("/not_closed/answered_unseen", a_shutdown_ack_that_is_repeated_no_more_may_have_had_its_answer);
    g_test_add_func("/not_closed/completes", shutdown_completes_that_do_not_arrive_are_counted_by_those_that_repeat);
    g_test_add_func("/not_closed/crossing", a_shutdown_ack_that_crosses_the_complete_has_not_missed_it);
    return g_test_run();
}
