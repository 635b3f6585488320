/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects learned parameters that SACKs and windows show: what is learned from hand-made associations, and what must
 * stay unknown. */
#include "data_feed.h"

static const int64_t ms = 1000000;
enum { FULL = 350, FIRST = TAG_A }; /* words of a chunk of 1,400 bytes */

/* Packets in pairs 1 ms apart, a SACK for each every packets, 21 ms after the last. */
static void feed_bulk(feeder_t *feeder, unsigned packets, unsigned every)
{
    for (unsigned i = 0; i < packets; i++) {
        feed_bytes(feeder, 1000 * ms + i * 30 * ms / every, FIRST + i, 25);
        if (i % every == every - 1)
            feed_window(feeder, 1000 * ms + i * 30 * ms / every + 20 * ms / every, FIRST + i, 65536);
    }
}

static void the_number_of_packets_that_a_sack_acknowledges_is_learned(void)
{
    for (unsigned every = 1; every <= 4; every++) {
        feeder_t feeder;
        begin_association(&feeder, 10 * ms);
        feed_bulk(&feeder, 60, every);
        sctpa_learned_value_t value = learned(&feeder, 1, SCTPA_PARAMETER_SACK_EVERY);
        g_assert_cmpuint(value.samples, >=, 8);
        g_assert_cmpint(value.value, ==, every);
        g_assert_cmpint(value.low, ==, every);
        g_assert_cmpint(value.high, ==, every);
        g_assert_cmpuint(learned(&feeder, 0, SCTPA_PARAMETER_SACK_EVERY).samples, ==, 0);
        sctpa_free(feeder.sctpa);
    }
}

static void few_sacks_tell_no_number(void)
{
    feeder_t feeder;
    begin_association(&feeder, 10 * ms);
    feed_bulk(&feeder, 12, 2);
    g_assert_cmpuint(learned(&feeder, 1, SCTPA_PARAMETER_SACK_EVERY).samples, ==, 0);
    sctpa_free(feeder.sctpa);
}

/* Messages a second apart, each acked delay_ms after it passed. */
static void feed_lone(feeder_t *feeder, unsigned n, int64_t delay_ms)
{
    for (unsigned i = 0; i < n; i++) {
        feed_bytes(feeder, (2 + i) * 1000 * ms, FIRST + i, 25);
        feed_window(feeder, (2 + i) * 1000 * ms + delay_ms * ms + i * ms, FIRST + i, 65536);
    }
}

static void lone_packets_show_the_delay_less_the_way(void)
{
    feeder_t feeder;
    begin_association(&feeder, 10 * ms);
    feed_lone(&feeder, 6, 220);
    sctpa_learned_value_t value = learned(&feeder, 1, SCTPA_PARAMETER_SACK_DELAY);
    g_assert_cmpuint(value.samples, ==, 0); /* the way is not known: every SACK was late */
    feed_bytes(&feeder, 10000 * ms, FIRST + 6, 25);
    feed_bytes(&feeder, 10001 * ms, FIRST + 7, 25);
    feed_window(&feeder, 10021 * ms, FIRST + 7, 65536);
    value = learned(&feeder, 1, SCTPA_PARAMETER_SACK_DELAY);
    g_assert_cmpuint(value.samples, ==, 5);
    g_assert_cmpint(value.low, <=, 200 * ms);
    g_assert_cmpint(value.high, >=, 200 * ms);
    g_assert_cmpint(ABS(value.value - 203 * ms), <=, 2 * ms);
    sctpa_free(feeder.sctpa);
}

static void sacks_at_once_show_no_delay(void)
{
    feeder_t feeder;
    begin_association(&feeder, 10 * ms);
    feed_lone(&feeder, 12, 21);
    g_assert_cmpuint(learned(&feeder, 1, SCTPA_PARAMETER_SACK_DELAY).samples, ==, 0);
    sctpa_free(feeder.sctpa);
}

/* Four full packets, a SACK after 20 ms, two more at once. */
static void feed_first_flight(feeder_t *feeder, int64_t next_ms)
{
    for (unsigned i = 0; i < 4; i++)
        feed_bytes(feeder, 1000 * ms + i * ms / 10, FIRST + i, FULL);
    feed_window(feeder, 1020 * ms, FIRST + 1, 65536);
    for (unsigned i = 4; i < 7; i++)
        feed_bytes(feeder, (1020 + next_ms) * ms + i * ms / 100, FIRST + i, FULL);
}

static void the_first_flight_is_the_initial_window(void)
{
    feeder_t feeder;
    begin_association(&feeder, 10 * ms);
    feed_first_flight(&feeder, 0);
    sctpa_learned_value_t value = learned(&feeder, 0, SCTPA_PARAMETER_INITIAL_CWND);
    g_assert_cmpuint(value.samples, ==, 4);
    g_assert_cmpint(value.value, ==, 5600);
    g_assert_cmpint(value.low, ==, 4200);
    g_assert_cmpint(value.high, ==, 7100);
    sctpa_free(feeder.sctpa);
}

static void a_sender_that_had_nothing_more_to_send_shows_no_window(void)
{
    feeder_t feeder;
    begin_association(&feeder, 10 * ms);
    feed_first_flight(&feeder, 100);
    g_assert_cmpuint(learned(&feeder, 0, SCTPA_PARAMETER_INITIAL_CWND).samples, ==, 0);
    sctpa_free(feeder.sctpa);
}

/* Fragments of messages, the last of each shorter. */
static void feed_fragments(feeder_t *feeder, unsigned n, bool acked, bool joined)
{
    for (unsigned i = 0; i < n; i++) {
        begin(feeder, true, TAG_Z);
        add_data(feeder, FIRST + i, i % 3 == 2 ? 50 : 363);
        feeder->bytes[SCTPA_HEADER_BYTES + 1] = i % 3 == 0 ? 2 : i % 3 == 1 ? 0 : 1;
        feeder->packet.fragmented = joined;
        again(feeder);
        feeder->packet.fragmented = false;
        if (acked)
            feed_window(feeder, feeder->packet.time_ns + 20 * ms, FIRST + i, 65536);
    }
}

static void fragments_that_arrived_show_the_pmtu(void)
{
    feeder_t feeder;
    begin_association(&feeder, 10 * ms);
    feed_fragments(&feeder, 9, true, false);
    sctpa_learned_value_t value = learned(&feeder, 0, SCTPA_PARAMETER_PMTU);
    g_assert_cmpuint(value.samples, ==, 6);
    g_assert_cmpint(value.value, ==, 1500);
    sctpa_free(feeder.sctpa);
}

static void packets_that_were_lost_or_cut_up_by_ip_show_no_pmtu(void)
{
    for (int cut_up = 0; cut_up < 2; cut_up++) {
        feeder_t feeder;
        begin_association(&feeder, 10 * ms);
        feed_fragments(&feeder, 9, cut_up, cut_up);
        g_assert_cmpuint(learned(&feeder, 0, SCTPA_PARAMETER_PMTU).samples, ==, 0);
        sctpa_free(feeder.sctpa);
    }
}

static void nothing_is_learned_of_an_association_without_data(void)
{
    feeder_t feeder;
    begin_association(&feeder, 10 * ms);
    for (unsigned kind = 0; kind < SCTPA_PARAMETERS; kind++)
        g_assert_cmpuint(learned(&feeder, 0, (sctpa_parameter_t)kind).samples +
                             learned(&feeder, 1, (sctpa_parameter_t)kind).samples,
                         ==, 0);
    sctpa_free(feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/learned/sack_every", the_number_of_packets_that_a_sack_acknowledges_is_learned);
    g_test_add_func("/learned/sack_every/few", few_sacks_tell_no_number);
    g_test_add_func("/learned/sack_delay", lone_packets_show_the_delay_less_the_way);
    g_test_add_func("/learned/sack_delay/none", sacks_at_once_show_no_delay);
    g_test_add_func("/learned/initial_cwnd", the_first_flight_is_the_initial_window);
    g_test_add_func("/learned/initial_cwnd/no_data", a_sender_that_had_nothing_more_to_send_shows_no_window);
    g_test_add_func("/learned/pmtu", fragments_that_arrived_show_the_pmtu);
    g_test_add_func("/learned/pmtu/unknown", packets_that_were_lost_or_cut_up_by_ip_show_no_pmtu);
    g_test_add_func("/learned/nothing", nothing_is_learned_of_an_association_without_data);
    return g_test_run();
}
