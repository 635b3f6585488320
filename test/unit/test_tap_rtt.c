/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects what is said of the RTT from the tap: only an answer that is due at once measures it, any answer bounds it,
 * and one association of a host serves the others. */
#include "data_feed.h"

#include "../../plugins/sctp_analysis/core/track/flow.h"

static const int64_t ms = 1000000;

enum { OTHER_PORTS = 10 };

/* The RTT from the tap to an end of an association, by which Z answers, A has sent. */
static sctpa_tap_rtt_t rtt_of(const feeder_t *feeder, uint32_t assoc, uint8_t end)
{
    return sctpa_tap_rtt(feeder->sctpa, assoc, end);
}

/* A packet of an association whose set-up passed elsewhere; of another one where the ports differ. */
static void begin_other(feeder_t *feeder, bool from_a, uint32_t tag, uint32_t ports)
{
    begin(feeder, from_a, tag);
    put16(feeder->bytes, (from_a ? PORT_A : PORT_Z) + ports);
    put16(feeder->bytes + 2, (from_a ? PORT_Z : PORT_A) + ports);
}

static void data_of(feeder_t *feeder, int64_t later_ns, uint32_t tsn, uint8_t flags, uint32_t ports)
{
    const int64_t before_ns = feeder->packet.time_ns;
    begin_other(feeder, true, TAG_Z + ports, ports);
    feeder->packet.time_ns = before_ns + later_ns;
    put32(chunk(feeder, SCTPA_CHUNK_DATA, flags, 4), tsn);
    again(feeder);
}

static void sack_of(feeder_t *feeder, int64_t later_ns, uint32_t cum_tsn, uint32_t gap, uint32_t ports)
{
    const uint16_t gaps[2] = { (uint16_t)gap, (uint16_t)gap };
    const int64_t before_ns = feeder->packet.time_ns;
    begin_other(feeder, false, TAG_A + ports, ports);
    feeder->packet.time_ns = before_ns + later_ns;
    add_sack(feeder, cum_tsn, 65536, gaps, gap > 0);
    again(feeder);
}

/* Both directions of an association that goes on: each packet of A is acked alone, 200 ms later. */
static void begin_lone(feeder_t *feeder, uint32_t ports)
{
    for (uint32_t tsn = 1; tsn <= 3; tsn++) {
        data_of(feeder, 500 * ms, tsn, 3, ports);
        sack_of(feeder, 200 * ms, tsn, 0, ports);
    }
}

static uint8_t end_of_z(const feeder_t *feeder, uint32_t assoc)
{
    return sctpa_assoc(feeder->sctpa, assoc)->ends[0].port < sctpa_assoc(feeder->sctpa, assoc)->ends[1].port;
}

static void is_only_bounded_by_the_sack_of_a_lone_packet(void)
{
    feeder_t feeder;
    feeder_init(&feeder);
    begin_lone(&feeder, 0);
    const sctpa_tap_rtt_t rtt = rtt_of(&feeder, 0, end_of_z(&feeder, 0));
    g_assert_cmpint(rtt.most_ns, ==, 200 * ms);
    g_assert_false(rtt.is_measured);
    g_assert_cmpint(sctpa_tap_rtt_ns(feeder.sctpa, 0, end_of_z(&feeder, 0)), ==, -1);
    g_assert_cmpint(sctpa_tap_least_answer_ns(rtt), <=, 0);
    sctpa_free(feeder.sctpa);
}

static void is_measured_by_the_sack_of_a_second_packet(void)
{
    feeder_t feeder;
    feeder_init(&feeder);
    begin_lone(&feeder, 0);
    data_of(&feeder, 500 * ms, 4, 3, 0);
    data_of(&feeder, ms, 5, 3, 0);
    sack_of(&feeder, 30 * ms, 5, 0, 0);
    g_assert_cmpint(sctpa_tap_rtt_ns(feeder.sctpa, 0, end_of_z(&feeder, 0)), ==, 30 * ms);
    sctpa_free(feeder.sctpa);
}

static void is_measured_by_the_sack_of_a_packet_behind_a_gap(void)
{
    feeder_t feeder;
    feeder_init(&feeder);
    begin_lone(&feeder, 0);
    data_of(&feeder, 500 * ms, 4, 3, 0);
    data_of(&feeder, 300 * ms, 5, 3, 0);
    sack_of(&feeder, 40 * ms, 3, 2, 0);
    g_assert_cmpint(sctpa_tap_rtt_ns(feeder.sctpa, 0, end_of_z(&feeder, 0)), ==, 40 * ms);
    sctpa_free(feeder.sctpa);
}

static void is_measured_by_the_sack_that_its_sender_asked_for(void)
{
    feeder_t feeder;
    feeder_init(&feeder);
    begin_lone(&feeder, 0);
    data_of(&feeder, 500 * ms, 4, 3 | SCTPA_TSN_IMMEDIATE, 0);
    sack_of(&feeder, 50 * ms, 4, 0, 0);
    g_assert_cmpint(sctpa_tap_rtt_ns(feeder.sctpa, 0, end_of_z(&feeder, 0)), ==, 50 * ms);
    sctpa_free(feeder.sctpa);
}

/* Two packets, of which the older one was retransmitted last: its arrival made the SACK, not that of the newer one. */
static void is_not_measured_from_a_packet_before_a_retransmission(void)
{
    feeder_t feeder;
    feeder_init(&feeder);
    begin_lone(&feeder, 0);
    data_of(&feeder, 500 * ms, 4, 3, 0);
    data_of(&feeder, ms, 5, 3, 0);
    data_of(&feeder, 1100 * ms, 4, 3, 0);
    sack_of(&feeder, 30 * ms, 5, 0, 0);
    g_assert_cmpint(sctpa_tap_rtt_ns(feeder.sctpa, 0, end_of_z(&feeder, 0)), ==, -1);
    sctpa_free(feeder.sctpa);
}

static void is_that_of_the_host_in_another_association(void)
{
    feeder_t feeder;
    feeder_init(&feeder);
    begin_lone(&feeder, 0);
    begin_lone(&feeder, OTHER_PORTS);
    data_of(&feeder, 500 * ms, 4, 3, OTHER_PORTS);
    data_of(&feeder, ms, 5, 3, OTHER_PORTS);
    sack_of(&feeder, 3 * ms, 5, 0, OTHER_PORTS);
    g_assert_cmpint(sctpa_tap_rtt_ns(feeder.sctpa, 1, end_of_z(&feeder, 1)), ==, 3 * ms);
    g_assert_cmpint(sctpa_tap_rtt_ns(feeder.sctpa, 0, end_of_z(&feeder, 0)), ==, 3 * ms);
    sctpa_free(feeder.sctpa);
}

/* Another TTL: behind a translator the address may be that of several hosts. */
static void is_not_that_of_another_host_at_the_same_address(void)
{
    feeder_t feeder;
    feeder_init(&feeder);
    begin_lone(&feeder, 0);
    feeder.packet.ttl = 63;
    begin_lone(&feeder, OTHER_PORTS);
    data_of(&feeder, 500 * ms, 4, 3, OTHER_PORTS);
    data_of(&feeder, ms, 5, 3, OTHER_PORTS);
    sack_of(&feeder, 3 * ms, 5, 0, OTHER_PORTS);
    g_assert_cmpint(sctpa_tap_rtt_ns(feeder.sctpa, 0, end_of_z(&feeder, 0)), ==, -1);
    sctpa_free(feeder.sctpa);
}

static void is_measured_by_the_set_up(void)
{
    feeder_t feeder;
    begin_association(&feeder, 9 * ms);
    g_assert_cmpint(sctpa_tap_rtt_ns(feeder.sctpa, 0, 0), ==, ms);
    g_assert_cmpint(sctpa_tap_rtt_ns(feeder.sctpa, 0, 1), ==, 20 * ms);
    sctpa_free(feeder.sctpa);
}

static void is_measured_by_the_shutdown_complete(void)
{
    feeder_t feeder;
    feeder_init(&feeder);
    begin_lone(&feeder, 0);
    const uint8_t z = end_of_z(&feeder, 0);
    begin(&feeder, false, TAG_A);
    put32(chunk(&feeder, SCTPA_CHUNK_SHUTDOWN, 0, 1), 3);
    again(&feeder);
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_SHUTDOWN_ACK, 0);
    feeder.packet.time_ns += 5 * ms;
    feed_plain(&feeder, false, TAG_A, SCTPA_CHUNK_SHUTDOWN_COMPLETE, 0);
    g_assert_cmpint(sctpa_tap_rtt_ns(feeder.sctpa, 0, z), ==, 15 * ms);
    sctpa_free(feeder.sctpa);
}

/* However many hosts there are, the first keep what they showed. */
static void keeps_the_first_hosts_only(void)
{
    enum { HOSTS = SCTPA_HOSTS_MAX + 10 };
    sctpa_hosts_t hosts;
    sctpa_hosts_init(&hosts);
    sctpa_packet_t packet = { .ttl = 64 };
    for (uint32_t i = 0; i < HOSTS; i++) {
        packet.source = ip(i);
        g_assert_true((sctpa_host_of(&hosts, &packet) != NULL) == (i < SCTPA_HOSTS_MAX));
    }
    packet.source = ip(0);
    g_assert_nonnull(sctpa_host_of(&hosts, &packet));
    sctpa_hosts_close(&hosts);
    g_assert_null(sctpa_host_of(&hosts, &packet));
    sctpa_hosts_free(&hosts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/tap_rtt/" #name, name)
    TEST(is_only_bounded_by_the_sack_of_a_lone_packet);
    TEST(is_measured_by_the_sack_of_a_second_packet);
    TEST(is_measured_by_the_sack_of_a_packet_behind_a_gap);
    TEST(is_measured_by_the_sack_that_its_sender_asked_for);
    TEST(is_not_measured_from_a_packet_before_a_retransmission);
    TEST(is_that_of_the_host_in_another_association);
    TEST(is_not_that_of_another_host_at_the_same_address);
    TEST(is_measured_by_the_set_up);
    TEST(is_measured_by_the_shutdown_complete);
    TEST(keeps_the_first_hosts_only);
    return g_test_run();
}
