/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state tables (every cell, what must hold of all of them), and the states kept of an association. */
#include "track_feed.h"

#include "../../plugins/sctp_analysis/core/analysis.h"
#include "../../plugins/sctp_analysis/core/model/shared/endpoint_states.h"

enum { CLOSED = 1, WAIT = 2, ECHOED = 4, UP = 8, PENDING = 16, SENT = 32, RECEIVED = 64, ACK_SENT = 128 };

static void every_cell_is_filled(void)
{
    for (unsigned row = 0; row < SCTPA_CHUNK_ROWS; row++) {
        g_assert_cmpuint(sctpa_states_may_send(row), !=, 0);
        for (unsigned state = 0; state < SCTPA_STATES; state++) {
            uint8_t only = (uint8_t)(1u << state);
            g_assert_true(sctpa_states_after_recv(only, UINT64_C(1) << row) & only);
            g_assert_cmpint(sctpa_states_after_send(only, row) != 0, ==, (sctpa_states_may_send(row) & only) != 0);
        }
    }
}

static void set_up_leads_from_closed_to_established(void)
{
    uint8_t one = sctpa_states_after_send(CLOSED, SCTPA_CHUNK_ROW_INIT);
    g_assert_cmpuint(one, ==, WAIT);
    one = sctpa_states_after_send(one, SCTPA_CHUNK_ROW_COOKIE_ECHO);
    g_assert_cmpuint(one, ==, ECHOED);
    g_assert_cmpuint(sctpa_states_after_recv(one, UINT64_C(1) << SCTPA_CHUNK_ROW_COOKIE_ACK), ==,
                     ECHOED | UP | PENDING);
    uint8_t other = sctpa_states_after_recv(CLOSED, UINT64_C(1) << SCTPA_CHUNK_ROW_COOKIE_ECHO);
    g_assert_cmpuint(other, ==, CLOSED | UP | PENDING);
    g_assert_cmpuint(sctpa_states_after_send(CLOSED, SCTPA_CHUNK_ROW_COOKIE_ACK), ==, UP);
}

static void shutdown_leads_to_closed(void)
{
    g_assert_cmpuint(sctpa_states_after_send(UP | PENDING, SCTPA_CHUNK_ROW_SHUTDOWN), ==, SENT);
    g_assert_cmpuint(sctpa_states_after_recv(UP, UINT64_C(1) << SCTPA_CHUNK_ROW_SHUTDOWN), ==, UP | PENDING | RECEIVED);
    g_assert_cmpuint(sctpa_states_after_send(UP | PENDING | RECEIVED, SCTPA_CHUNK_ROW_SHUTDOWN_ACK), ==, ACK_SENT);
    g_assert_cmpuint(sctpa_states_after_send(SENT, SCTPA_CHUNK_ROW_SHUTDOWN_ACK), ==, ACK_SENT);
    g_assert_cmpuint(sctpa_states_after_send(SENT, SCTPA_CHUNK_ROW_SHUTDOWN_COMPLETE), ==, CLOSED);
    g_assert_cmpuint(sctpa_states_after_recv(ACK_SENT, UINT64_C(1) << SCTPA_CHUNK_ROW_SHUTDOWN_COMPLETE), ==,
                     CLOSED | ACK_SENT);
}

static void data_is_sent_in_few_states(void)
{
    g_assert_cmpuint(sctpa_states_may_send(SCTPA_CHUNK_ROW_DATA), ==, ECHOED | UP | PENDING | RECEIVED);
    g_assert_cmpuint(sctpa_states_after_send(SENT | ACK_SENT, SCTPA_CHUNK_ROW_DATA), ==, 0);
}

static void a_chunk_is_allowed_surely_possibly_or_surely_not(void)
{
    g_assert_cmpint(sctpa_states_allow(UP | PENDING, SCTPA_CHUNK_ROW_DATA), ==, SCTPA_YES);
    g_assert_cmpint(sctpa_states_allow(UP | SENT, SCTPA_CHUNK_ROW_DATA), ==, SCTPA_UNKNOWN);
    g_assert_cmpint(sctpa_states_allow(SENT, SCTPA_CHUNK_ROW_DATA), ==, SCTPA_NO);
    g_assert_cmpint(sctpa_states_allow(SENT | ACK_SENT, SCTPA_CHUNK_ROW_I_DATA), ==, SCTPA_NO);
}

static void what_was_missed_may_have_led_to_a_state_that_allows_it(void)
{
    g_assert_cmpint(sctpa_states_allow(WAIT, SCTPA_CHUNK_ROW_DATA), ==, SCTPA_UNKNOWN);
    g_assert_cmpint(sctpa_states_allow(UP, SCTPA_CHUNK_ROW_SHUTDOWN_ACK), ==, SCTPA_UNKNOWN);
    g_assert_cmpint(sctpa_states_allow(CLOSED, SCTPA_CHUNK_ROW_SACK), ==, SCTPA_UNKNOWN);
    g_assert_cmpint(sctpa_states_allow(UP, SCTPA_CHUNK_ROW_COOKIE_ECHO), ==, SCTPA_NO);
}

static void nothing_leads_back(void)
{
    g_assert_cmpuint(sctpa_states_reach(SENT), ==, SENT | ACK_SENT | CLOSED);
    g_assert_cmpuint(sctpa_states_reach(ACK_SENT), ==, ACK_SENT | CLOSED);
    g_assert_cmpuint(sctpa_states_reach(UP) & (WAIT | ECHOED), ==, 0);
}

static void assert_states(const feeder_t *feeder, uint32_t packet, uint16_t first, uint16_t second)
{
    const sctpa_tracked_t *tracked = (const sctpa_tracked_t *)sctpa_assoc(feeder->sctpa, 0);
    g_assert_cmpuint(sctpa_states_at(sctpa_model_reference(feeder->sctpa->model), tracked, 0, packet), ==, first);
    g_assert_cmpuint(sctpa_states_at(sctpa_model_reference(feeder->sctpa->model), tracked, 1, packet), ==, second);
}

static void states_follow_a_set_up(void)
{
    feeder_t feeder;
    feeder_init(&feeder);
    feed_setup(&feeder, TAG_A, TAG_Z);
    assert_states(&feeder, 0, WAIT, CLOSED | WAIT);
    assert_states(&feeder, 2, ECHOED, CLOSED | WAIT | UP | PENDING);
    assert_states(&feeder, 3, ECHOED | UP | PENDING, UP | PENDING);
    begin(&feeder, true, TAG_Z);
    chunk(&feeder, SCTPA_CHUNK_SHUTDOWN, 0, 1);
    feed(&feeder);
    assert_states(&feeder, 4, SENT, UP | PENDING | RECEIVED);
    assert_states(&feeder, 3, ECHOED | UP | PENDING, UP | PENDING);
    sctpa_free(feeder.sctpa);
}

static void without_set_up_all_are_possible(void)
{
    feeder_t feeder;
    feeder_init(&feeder);
    begin(&feeder, true, TAG_Z);
    chunk(&feeder, SCTPA_CHUNK_SACK, 0, 3);
    feed(&feeder);
    assert_states(&feeder, 0, UP | PENDING | SENT | RECEIVED | ACK_SENT, SCTPA_ALL_STATES);
    sctpa_free(feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/states/every_cell_is_filled", every_cell_is_filled);
    g_test_add_func("/states/set_up_leads_from_closed_to_established", set_up_leads_from_closed_to_established);
    g_test_add_func("/states/shutdown_leads_to_closed", shutdown_leads_to_closed);
    g_test_add_func("/states/data_is_sent_in_few_states", data_is_sent_in_few_states);
    g_test_add_func("/states/a_chunk_is_allowed_surely_possibly_or_surely_not",
                    a_chunk_is_allowed_surely_possibly_or_surely_not);
    g_test_add_func("/states/what_was_missed_may_have_led_to_a_state_that_allows_it",
                    what_was_missed_may_have_led_to_a_state_that_allows_it);
    g_test_add_func("/states/nothing_leads_back", nothing_leads_back);
    g_test_add_func("/states/states_follow_a_set_up", states_follow_a_set_up);
    g_test_add_func("/states/without_set_up_all_are_possible", without_set_up_all_are_possible);
    return g_test_run();
}
