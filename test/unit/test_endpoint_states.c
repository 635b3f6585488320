/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In which states can the endpoints be, by what passed? */
#include "track_feed.h"

static feeder_t feeder;

enum {
    COOKIE_ECHOED = 1 << SCTPA_STATE_COOKIE_ECHOED,
    ESTABLISHED = 1 << SCTPA_STATE_ESTABLISHED,
    SHUTDOWN_PENDING = 1 << SCTPA_STATE_SHUTDOWN_PENDING
};

static uint16_t states_of(const sctpa_packet_result_t *packet, uint8_t end)
{
    return sctpa_states(feeder.sctpa, packet->assoc, end, packet->index);
}

static sctpa_packet_result_t feed_cookie_echo_with_data(void)
{
    begin(&feeder, true, TAG_Z);
    chunk(&feeder, SCTPA_CHUNK_COOKIE_ECHO, 0, 1);
    uint8_t *value = chunk(&feeder, SCTPA_CHUNK_DATA, 3, 4);
    put32(value, TAG_A);
    return feed(&feeder);
}

static sctpa_packet_result_t feed_heartbeat(bool from_a)
{
    begin(&feeder, from_a, from_a ? TAG_Z : TAG_A);
    put32(chunk(&feeder, SCTPA_CHUNK_HEARTBEAT, 0, 2), 0x00010008);
    return feed(&feeder);
}

static sctpa_packet_result_t feed_shutdown(bool from_a)
{
    begin(&feeder, from_a, from_a ? TAG_Z : TAG_A);
    put32(chunk(&feeder, SCTPA_CHUNK_SHUTDOWN, 0, 1), (from_a ? TAG_Z : TAG_A) - 1);
    return feed(&feeder);
}

static void begin_set_up(void)
{
    feeder_init(&feeder);
    feed_init(&feeder, true, TAG_A);
    feed_init_ack(&feeder, false, TAG_A, TAG_Z);
}

static void who_sends_a_second_packet_has_had_the_cookie_ack(void)
{
    begin_set_up();
    sctpa_packet_result_t packet = feed_cookie_echo_with_data();
    g_assert_cmphex(states_of(&packet, 0), ==, COOKIE_ECHOED);
    packet = feed_plain(&feeder, false, TAG_A, SCTPA_CHUNK_COOKIE_ACK, 0);
    g_assert_cmphex(states_of(&packet, 0) & (COOKIE_ECHOED | ESTABLISHED), ==, COOKIE_ECHOED | ESTABLISHED);
    packet = feed_data(&feeder, true, TAG_Z, TAG_A + 1);
    g_assert_cmphex(states_of(&packet, 0), ==, ESTABLISHED | SHUTDOWN_PENDING);
    packet = feed_sack(&feeder, false, TAG_A, TAG_A + 1);
    g_assert_cmphex(states_of(&packet, 0), ==, ESTABLISHED | SHUTDOWN_PENDING);
    sctpa_free(feeder.sctpa);

    begin_set_up();
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_COOKIE_ECHO, 0);
    feed_plain(&feeder, false, TAG_A, SCTPA_CHUNK_COOKIE_ACK, 0);
    packet = feed_heartbeat(true);
    g_assert_cmphex(states_of(&packet, 0), ==, ESTABLISHED | SHUTDOWN_PENDING);
    sctpa_free(feeder.sctpa);
}

static void data_in_the_packet_of_the_cookie_echo_shows_no_cookie_ack(void)
{
    begin_set_up();
    feed_cookie_echo_with_data();
    feed_plain(&feeder, false, TAG_A, SCTPA_CHUNK_COOKIE_ACK, 0);
    sctpa_packet_result_t packet = feed_cookie_echo_with_data();
    g_assert_cmphex(states_of(&packet, 0) & COOKIE_ECHOED, ==, COOKIE_ECHOED);
    sctpa_free(feeder.sctpa);
}

static void data_before_any_cookie_ack_leaves_the_state_of_its_sender(void)
{
    begin_set_up();
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_COOKIE_ECHO, 0);
    sctpa_packet_result_t packet = feed_data(&feeder, true, TAG_Z, TAG_A);
    g_assert_cmphex(states_of(&packet, 0), ==, COOKIE_ECHOED);
    sctpa_free(feeder.sctpa);
}

static void a_shutdown_does_not_complete_the_set_up(void)
{
    begin_set_up();
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_COOKIE_ECHO, 0);
    for (unsigned i = 0; i < 3; i++) {
        sctpa_packet_result_t packet = feed_shutdown(false);
        g_assert_cmphex(states_of(&packet, 0) & COOKIE_ECHOED, ==, COOKIE_ECHOED);
    }
    sctpa_free(feeder.sctpa);
}

#define TEST(name) g_test_add_func("/endpoint_states/" #name, name)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    TEST(who_sends_a_second_packet_has_had_the_cookie_ack);
    TEST(data_in_the_packet_of_the_cookie_echo_shows_no_cookie_ack);
    TEST(data_before_any_cookie_ack_leaves_the_state_of_its_sender);
    TEST(a_shutdown_does_not_complete_the_set_up);
    return g_test_run();
}
