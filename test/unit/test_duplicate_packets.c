/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies of a packet in one capture, told apart from retransmissions and from duplicates that the network made. */
#include "track_feed.h"

static feeder_t feeder;

static bool is_copy(sctpa_packet_result_t result)
{
    return result.remarks & SCTPA_CAPTURE_DUPLICATE;
}

static void set_up(void)
{
    feeder_init(&feeder);
    feed_setup(&feeder, TAG_A, TAG_Z);
}

/* The packet just fed once more, later and elsewhere. */
static sctpa_packet_result_t repeat(int64_t later_ns, uint32_t interface, bool same_id)
{
    feeder.packet.time_ns += later_ns;
    feeder.packet.interface = interface;
    feeder.packet.frame++;
    feeder.packet.ip_id += !same_id;
    sctpa_packet_result_t result = feed(&feeder);
    feeder.packet.interface = 0;
    return result;
}

static void copy_on_another_interface_is_one_packet(void)
{
    set_up();
    feed_data(&feeder, true, TAG_Z, 1000);
    g_assert_true(is_copy(repeat(20000000, 1, true)));
    g_assert_cmpuint(chunks_of(&feeder, 0, 0, SCTPA_CHUNK_ROW_DATA), ==, 1);
    g_assert_cmpuint(sctpa_summary(feeder.sctpa)->quality[0].count, ==, 1);
    sctpa_free(feeder.sctpa);
}

static void new_identification_is_a_retransmission(void)
{
    set_up();
    feed_data(&feeder, true, TAG_Z, 1000);
    g_assert_false(is_copy(repeat(1000000000, 0, false)));
    g_assert_cmpuint(chunks_of(&feeder, 0, 0, SCTPA_CHUNK_ROW_DATA), ==, 2);
    sctpa_free(feeder.sctpa);
}

static void without_identification_the_same_place_is_a_retransmission(void)
{
    set_up();
    feeder.packet.ip_id = UINT16_MAX;
    feed_data(&feeder, true, TAG_Z, 1000);
    feeder.packet.ip_id = 0;
    g_assert_false(is_copy(repeat(300000000, 0, true)));
    sctpa_free(feeder.sctpa);
}

/* Two links of one host may share its addresses. */
static void without_identification_another_interface_later_is_a_retransmission(void)
{
    set_up();
    feeder.packet.ip_id = UINT16_MAX;
    feed_data(&feeder, true, TAG_Z, 1000);
    feeder.packet.ip_id = 0;
    g_assert_false(is_copy(repeat(1000000000, 1, true)));
    sctpa_free(feeder.sctpa);
}

static void the_second_copy_there_matches_the_retransmission_here(void)
{
    set_up();
    feeder.packet.ip_id = UINT16_MAX;
    feed_data(&feeder, true, TAG_Z, 1000);
    g_assert_false(is_copy(repeat(200000000, 0, true)));
    g_assert_true(is_copy(repeat(20000000, 1, true)));
    g_assert_true(is_copy(repeat(1000000, 1, true)));
    g_assert_false(is_copy(repeat(1000000, 1, true)));
    sctpa_free(feeder.sctpa);
}

static void a_rare_copy_at_the_same_place_was_made_by_the_network(void)
{
    set_up();
    for (uint32_t tsn = 1; tsn < 20; tsn++)
        feed_data(&feeder, true, TAG_Z, tsn);
    g_assert_false(is_copy(repeat(10000, 0, true)));
    g_assert_cmpuint(chunks_of(&feeder, 0, 0, SCTPA_CHUNK_ROW_DATA), ==, 20);
    sctpa_free(feeder.sctpa);
}

static void a_capture_that_holds_every_packet_twice_counts_each_once(void)
{
    feeder_init(&feeder);
    feed_init(&feeder, true, TAG_A);
    g_assert_true(is_copy(repeat(1000, 0, true)));
    feed_init_ack(&feeder, false, TAG_A, TAG_Z);
    g_assert_true(is_copy(repeat(1000, 0, true)));
    for (uint32_t tsn = 1; tsn < 20; tsn++) {
        feed_data(&feeder, true, TAG_Z, tsn);
        g_assert_true(is_copy(repeat(1000, 0, true)));
    }
    g_assert_cmpuint(packets_of(&feeder, 0, 0), ==, 20);
    sctpa_free(feeder.sctpa);
}

static void one_of_two_taps_that_holds_every_packet_twice_counts_each_once(void)
{
    feeder_init(&feeder);
    feed_init(&feeder, true, TAG_A);
    g_assert_true(is_copy(repeat(20000000, 1, true)));
    g_assert_true(is_copy(repeat(36000, 1, true)));
    feed_init_ack(&feeder, false, TAG_A, TAG_Z);
    for (uint32_t tsn = 1; tsn < 20; tsn++) {
        feed_data(&feeder, true, TAG_Z, tsn);
        g_assert_true(is_copy(repeat(20000000, 1, true)));
        g_assert_true(is_copy(repeat(36000, 1, true)));
    }
    g_assert_cmpuint(packets_of(&feeder, 0, 0), ==, 20);
    sctpa_free(feeder.sctpa);
}

static void what_the_network_doubled_in_front_of_one_of_two_taps_are_two_packets(void)
{
    set_up();
    for (uint32_t tsn = 1; tsn < 20; tsn++) {
        feed_data(&feeder, true, TAG_Z, tsn);
        g_assert_true(is_copy(repeat(20000000, 1, true)));
    }
    g_assert_false(is_copy(repeat(36000, 1, true)));
    g_assert_cmpuint(chunks_of(&feeder, 0, 0, SCTPA_CHUNK_ROW_DATA), ==, 20);
    sctpa_free(feeder.sctpa);
}

/* An endpoint that gives up what is on its way answers each SACK with the same FORWARD-TSN. */
static void without_identification_an_endpoint_sends_equal_control_packets(void)
{
    set_up();
    for (uint32_t tsn = 1; tsn < 10; tsn++) {
        feeder.packet.ip_id = UINT16_MAX;
        feed_data(&feeder, true, TAG_Z, tsn);
        for (unsigned i = 0; i < 6; i++) {
            feeder.packet.ip_id = UINT16_MAX;
            feeder.packet.time_ns -= 10000000 - 400000;
            feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_FORWARD_TSN, 0);
            feeder.packet.ip_id = UINT16_MAX;
            feeder.packet.time_ns -= 10000000 - 80000;
            feed_sack(&feeder, false, TAG_A, tsn);
        }
    }
    g_assert_cmpuint(chunks_of(&feeder, 0, 0, SCTPA_CHUNK_ROW_FORWARD_TSN), ==, 9 * 6);
    g_assert_cmpuint(chunks_of(&feeder, 0, 1, SCTPA_CHUNK_ROW_SACK), ==, 9 * 6);
    g_assert_cmpuint(sctpa_summary(feeder.sctpa)->quality[0].count, ==, 0);
    sctpa_free(feeder.sctpa);
}

static void without_identification_a_sack_is_sent_again_at_once(void)
{
    set_up();
    feeder.packet.ip_id = UINT16_MAX;
    feed_data(&feeder, true, TAG_Z, 1);
    feeder.packet.ip_id = UINT16_MAX;
    feed_sack(&feeder, false, TAG_A, 1);
    for (unsigned i = 0; i < 100; i++)
        g_assert_false(is_copy(repeat(3000, 0, true)));
    g_assert_cmpuint(chunks_of(&feeder, 0, 1, SCTPA_CHUNK_ROW_SACK), ==, 101);
    sctpa_free(feeder.sctpa);
}

static void without_identification_doubled_data_shows_that_sacks_are_doubled(void)
{
    feeder_init(&feeder);
    feeder.packet.ip_id = UINT16_MAX;
    feed_init(&feeder, true, TAG_A);
    g_assert_true(is_copy(repeat(1000, 0, true)));
    for (uint32_t tsn = 1; tsn < 20; tsn++) {
        feeder.packet.ip_id = UINT16_MAX;
        feed_data(&feeder, true, TAG_Z, tsn);
        g_assert_true(is_copy(repeat(300000, 0, true)));
        feeder.packet.ip_id = UINT16_MAX;
        feed_sack(&feeder, false, TAG_A, tsn);
        g_assert_true(is_copy(repeat(300000, 0, true)));
    }
    g_assert_cmpuint(chunks_of(&feeder, 0, 1, SCTPA_CHUNK_ROW_SACK), ==, 19);
    sctpa_free(feeder.sctpa);
}

static void a_translated_copy_at_once_is_taken_on_the_host_that_translates(void)
{
    set_up();
    feed_data(&feeder, true, TAG_Z, 1000);
    feeder.packet.time_ns += 1;
    feed_data(&feeder, true, TAG_Z, 1001);
    feeder.packet.source = ip(0x05050505);
    g_assert_true(is_copy(repeat(3000, 0, true)));
    feed_data(&feeder, true, TAG_Z, 1002);
    feeder.packet.source = ip(0x05050505);
    g_assert_false(is_copy(repeat(30000, 0, true)));
    sctpa_free(feeder.sctpa);
}

/* Two addresses in the INIT: it may send the same packet from either. */
static void set_up_from_two_addresses(void)
{
    feeder_init(&feeder);
    begin(&feeder, true, 0);
    uint8_t *value = chunk(&feeder, SCTPA_CHUNK_INIT, 0, 8);
    put32(value, TAG_A);
    put32(value + 4, 65536);
    put32(value + 8, 0x000a000a);
    put32(value + 12, TAG_A);
    for (unsigned i = 0; i < 2; i++) {
        put32(value + 16 + 8 * i, 0x00050008);
        put32(value + 20 + 8 * i, 0x05050505 + i);
    }
    feed(&feeder);
    feed_init_ack(&feeder, false, TAG_A, TAG_Z);
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_COOKIE_ECHO, 0);
    feed_plain(&feeder, false, TAG_A, SCTPA_CHUNK_COOKIE_ACK, 0);
}

static void a_translated_copy_without_identification_may_be_late(void)
{
    for (unsigned addresses = 1; addresses <= 2; addresses++) {
        if (addresses == 1)
            set_up();
        else
            set_up_from_two_addresses();
        feeder.packet.ip_id = UINT16_MAX;
        feed_data(&feeder, true, TAG_Z, 1000);
        feeder.packet.source = ip(0x05050505);
        feeder.packet.ttl--;
        g_assert_true(is_copy(repeat(400000000, 1, true)) == (addresses == 1));
        sctpa_free(feeder.sctpa);
    }
}

static void a_translated_copy_leads_to_the_same_association(void)
{
    set_up();
    feed_data(&feeder, true, TAG_Z, 1000);
    feeder.packet.source = ip(0x05050505);
    put16(feeder.bytes, 40000);
    feeder.packet.ttl--;
    sctpa_packet_result_t copy = repeat(50000, 1, true);
    g_assert_true(is_copy(copy));
    g_assert_cmpuint(copy.assoc, ==, 0);
    feed_data(&feeder, true, TAG_Z, 1001);
    feeder.packet.source = ip(0x05050505);
    put16(feeder.bytes, 40000);
    g_assert_cmpuint(feed(&feeder).assoc, ==, 0);
    g_assert_cmpuint(sctpa_assoc_count(feeder.sctpa), ==, 1);
    sctpa_free(feeder.sctpa);
}

static void the_same_bytes_between_other_ports_are_another_association(void)
{
    feeder_init(&feeder);
    feed_init(&feeder, true, TAG_A);
    put16(feeder.bytes, PORT_A + 1000);
    sctpa_packet_result_t other = repeat(1000, 0, true);
    g_assert_false(is_copy(other));
    g_assert_cmpuint(other.assoc, ==, 1);
    sctpa_free(feeder.sctpa);
}

static void remembers_thousands_of_packets(void)
{
    sctpa_packet_result_t copy;
    set_up();
    for (uint32_t tsn = 1; tsn <= 5000; tsn++)
        feed_data(&feeder, true, TAG_Z, tsn);
    feed_data(&feeder, true, TAG_Z, 6000);
    copy = repeat(1000000, 1, true);
    g_assert_true(is_copy(copy));
    sctpa_free(feeder.sctpa);
}

static void every_one_of_more_packets_than_are_remembered_has_its_copy(void)
{
    const uint32_t n = 150000;
    set_up();
    for (uint32_t tsn = 1; tsn <= n; tsn++) {
        feed_data(&feeder, true, TAG_Z, tsn);
        g_assert_true(is_copy(repeat(1000000, 1, true)));
    }
    g_assert_cmpuint(chunks_of(&feeder, 0, 0, SCTPA_CHUNK_ROW_DATA), ==, n);
    sctpa_free(feeder.sctpa);
}

/* What two taps show by clocks that differ: the bytes of a packet, fed again later. */
typedef struct {
    sctpa_packet_t packet;
    uint8_t bytes[64];
    uint32_t length;
} kept_t;

static kept_t kept_now(void)
{
    kept_t kept = { .packet = feeder.packet, .length = feeder.length };
    g_assert_cmpuint(feeder.length, <=, sizeof kept.bytes);
    memcpy(kept.bytes, feeder.bytes, feeder.length);
    return kept;
}

static sctpa_packet_result_t feed_kept(const kept_t *kept, int64_t later_ns, uint32_t interface, uint8_t ttl)
{
    const uint32_t frame = feeder.packet.frame + 1;
    feeder.packet = kept->packet;
    feeder.packet.frame = frame;
    feeder.packet.time_ns += later_ns;
    feeder.packet.interface = interface;
    feeder.packet.ttl = ttl;
    memcpy(feeder.bytes, kept->bytes, kept->length);
    feeder.length = kept->length;
    return feed(&feeder);
}

static void without_id(void)
{
    feeder.packet.ip_id = UINT16_MAX;
}

/* Linux sends neither with an identification, and a SHUTDOWN COMPLETE with the T bit bears the tag of its receiver. */
static void a_cookie_ack_and_a_shutdown_complete_with_its_tag_are_two_packets_by_any_clock(void)
{
    for (int64_t later_ns = 3 * SCTPA_NS_PER_S; later_ns <= 16 * SCTPA_NS_PER_S; later_ns += 13 * SCTPA_NS_PER_S) {
        kept_t ack, complete;
        feeder_init(&feeder);
        feed_init(&feeder, true, TAG_A);
        feed_init_ack(&feeder, false, TAG_A, TAG_Z);
        feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_COOKIE_ECHO, 0);
        without_id();
        feed_plain(&feeder, false, TAG_A, SCTPA_CHUNK_COOKIE_ACK, 0);
        ack = kept_now();
        without_id();
        feed_plain(&feeder, true, TAG_A, SCTPA_CHUNK_SHUTDOWN_COMPLETE, 1);
        complete = kept_now();
        g_assert_true(is_copy(feed_kept(&ack, later_ns, 1, 62)));
        g_assert_true(is_copy(feed_kept(&complete, later_ns, 1, 62)));
        sctpa_free(feeder.sctpa);
    }
}

static void chunks_without_value_differ_by_their_type(void)
{
    feeder_init(&feeder);
    feed_init(&feeder, true, TAG_A);
    feed_init_ack(&feeder, false, TAG_A, TAG_Z);
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_COOKIE_ECHO, 0);
    without_id();
    feed_plain(&feeder, false, TAG_A, SCTPA_CHUNK_COOKIE_ACK, 0);
    feeder.packet.interface = 1;
    without_id();
    g_assert_false(is_copy(feed_plain(&feeder, false, TAG_A, SCTPA_CHUNK_SHUTDOWN_ACK, 0)));
    g_assert_cmpuint(chunks_of(&feeder, 0, 1, SCTPA_CHUNK_ROW_SHUTDOWN_ACK), ==, 1);
    sctpa_free(feeder.sctpa);
}

/* DATA without identification, and the same retransmitted on another path. */
static void feed_on_two_paths(kept_t packets[2])
{
    set_up();
    without_id();
    feed_data(&feeder, true, TAG_Z, 1000);
    packets[0] = kept_now();
    feeder.packet.time_ns += 300000000;
    feeder.packet.interface = 2;
    feeder.packet.source = ip(ADDR_A + 0x10000);
    feeder.packet.destination = ip(ADDR_Z + 0x10000);
    g_assert_false(is_copy(feed(&feeder)));
    packets[1] = kept_now();
}

static void a_retransmission_on_another_path_has_copies_of_its_own_by_any_clock(void)
{
    kept_t packets[2];
    feed_on_two_paths(packets);
    g_assert_true(is_copy(feed_kept(&packets[0], 3 * SCTPA_NS_PER_S, 1, 62)));
    g_assert_true(is_copy(feed_kept(&packets[1], 3 * SCTPA_NS_PER_S, 3, 62)));
    g_assert_cmpuint(chunks_of(&feeder, 0, 0, SCTPA_CHUNK_ROW_DATA), ==, 2);
    sctpa_free(feeder.sctpa);
}

static void a_retransmission_on_the_first_path_again_is_no_copy(void)
{
    kept_t packets[2];
    feed_on_two_paths(packets);
    g_assert_false(is_copy(feed_kept(&packets[0], 3 * SCTPA_NS_PER_S, 0, 64)));
    g_assert_false(is_copy(feed_kept(&packets[1], 3 * SCTPA_NS_PER_S, 2, 64)));
    g_assert_cmpuint(chunks_of(&feeder, 0, 0, SCTPA_CHUNK_ROW_DATA), ==, 4);
    sctpa_free(feeder.sctpa);
}

/* What else the sender sent meanwhile may have passed with the TTL of either tap. */
static void the_ttl_of_a_copy_differs_from_that_of_the_packet_itself(void)
{
    set_up();
    without_id();
    feeder.packet.ttl = 62;
    feed_data(&feeder, true, TAG_Z, 1000);
    const kept_t far = kept_now();
    feeder.packet.ttl = 64;
    feed_data(&feeder, true, TAG_Z, 1001);
    g_assert_true(is_copy(feed_kept(&far, 3 * SCTPA_NS_PER_S, 1, 64)));
    sctpa_free(feeder.sctpa);
}

/* One tap with two links of a host, one beyond a router. */
static void a_retransmission_over_another_link_of_the_host_is_no_copy_though_a_far_tap_shows_it(void)
{
    set_up();
    without_id();
    feed_data(&feeder, true, TAG_Z, 1000);
    const kept_t sent = kept_now();
    g_assert_true(is_copy(feed_kept(&sent, 20000000, 1, 62)));
    g_assert_false(is_copy(feed_kept(&sent, SCTPA_NS_PER_S, 2, 64)));
    sctpa_free(feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/duplicate_packets/" #name, name)
    TEST(copy_on_another_interface_is_one_packet);
    TEST(new_identification_is_a_retransmission);
    TEST(without_identification_the_same_place_is_a_retransmission);
    TEST(without_identification_another_interface_later_is_a_retransmission);
    TEST(the_second_copy_there_matches_the_retransmission_here);
    TEST(a_rare_copy_at_the_same_place_was_made_by_the_network);
    TEST(a_capture_that_holds_every_packet_twice_counts_each_once);
    TEST(one_of_two_taps_that_holds_every_packet_twice_counts_each_once);
    TEST(what_the_network_doubled_in_front_of_one_of_two_taps_are_two_packets);
    TEST(without_identification_an_endpoint_sends_equal_control_packets);
    TEST(without_identification_a_sack_is_sent_again_at_once);
    TEST(without_identification_doubled_data_shows_that_sacks_are_doubled);
    TEST(a_translated_copy_at_once_is_taken_on_the_host_that_translates);
    TEST(a_translated_copy_without_identification_may_be_late);
    TEST(a_translated_copy_leads_to_the_same_association);
    TEST(the_same_bytes_between_other_ports_are_another_association);
    TEST(remembers_thousands_of_packets);
    TEST(every_one_of_more_packets_than_are_remembered_has_its_copy);
    TEST(a_cookie_ack_and_a_shutdown_complete_with_its_tag_are_two_packets_by_any_clock);
    TEST(chunks_without_value_differ_by_their_type);
    TEST(a_retransmission_on_another_path_has_copies_of_its_own_by_any_clock);
    TEST(a_retransmission_on_the_first_path_again_is_no_copy);
    TEST(the_ttl_of_a_copy_differs_from_that_of_the_packet_itself);
    TEST(a_retransmission_over_another_link_of_the_host_is_no_copy_though_a_far_tap_shows_it);
    return g_test_run();
}
