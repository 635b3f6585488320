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
    return g_test_run();
}
