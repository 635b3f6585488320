/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What happened to an association: addresses that ASCONF changed, streams that RE_CONFIG reset, ICMP errors,
 * heartbeats. */
#include "track_feed.h"

#include "../../plugins/sctp_analysis/core/track/counts.h"

static feeder_t feeder;

static void set_up(void)
{
    feeder_init(&feeder);
    feed_setup(&feeder, TAG_A, TAG_Z);
}

static void assert_last_event(sctpa_event_kind_t kind, uint8_t end, const char *detail)
{
    const sctpa_assoc_t *assoc = sctpa_assoc(feeder.sctpa, 0);
    const sctpa_event_t *event = &assoc->events[assoc->n_events - 1];
    g_assert_cmpint(event->kind, ==, kind);
    g_assert_cmpuint(event->end, ==, end);
    g_assert_cmpstr(event->detail, ==, detail);
}

static void feed_asconf(uint8_t serial, uint16_t type, uint32_t addr)
{
    begin(&feeder, true, TAG_Z);
    uint8_t *value = chunk(&feeder, SCTPA_CHUNK_ASCONF, 0, 7);
    value[3] = serial;
    put32(value + 4, 0x00050008);
    put32(value + 8, ADDR_A);
    put16(value + 12, type);
    put16(value + 14, 16);
    put32(value + 16, 7);
    put32(value + 20, 0x00050008);
    put32(value + 24, addr);
    feed(&feeder);
}

static void feed_asconf_ack(uint8_t serial, bool refused)
{
    begin(&feeder, false, TAG_A);
    uint8_t *value = chunk(&feeder, SCTPA_CHUNK_ASCONF_ACK, 0, refused ? 4 : 1);
    value[3] = serial;
    if (refused) {
        put32(value + 4, 0xC003000C);
        put32(value + 8, 7);
        put32(value + 12, 0x00A10004);
    }
    feed(&feeder);
}

static void address_is_added_when_acknowledged(void)
{
    set_up();
    feed_asconf(1, SCTPA_PARAM_ADD_IP, 0x0a090901);
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 0)->ends[0].n_addrs, ==, 1);
    feed_asconf_ack(1, false);
    assert_last_event(SCTPA_EVENT_ADDRESS_ADDED, 0, "10.9.9.1");
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 0)->ends[0].n_addrs, ==, 2);
    sctpa_free(feeder.sctpa);
}

static void address_is_not_added_when_refused(void)
{
    set_up();
    feed_asconf(1, SCTPA_PARAM_ADD_IP, 0x0a090901);
    feed_asconf_ack(1, true);
    assert_last_event(SCTPA_EVENT_SETUP, SCTPA_NO_END, NULL);
    sctpa_free(feeder.sctpa);
}

static void ack_of_another_request_changes_nothing(void)
{
    set_up();
    feed_asconf(1, SCTPA_PARAM_ADD_IP, 0x0a090901);
    feed_asconf_ack(2, false);
    assert_last_event(SCTPA_EVENT_SETUP, SCTPA_NO_END, NULL);
    feed_asconf_ack(1, false);
    assert_last_event(SCTPA_EVENT_ADDRESS_ADDED, 0, "10.9.9.1");
    feed_asconf_ack(1, false);
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 0)->n_events, ==, 2);
    sctpa_free(feeder.sctpa);
}

static void wildcard_deletes_all_but_the_source(void)
{
    set_up();
    feed_asconf(1, SCTPA_PARAM_ADD_IP, 0x0a090901);
    feed_asconf_ack(1, false);
    feed_asconf(2, SCTPA_PARAM_DELETE_IP, 0);
    feed_asconf_ack(2, false);
    assert_last_event(SCTPA_EVENT_ADDRESS_DELETED, 0, "all but 10.0.0.1");
    const sctpa_known_addr_t *addrs = sctpa_assoc(feeder.sctpa, 0)->ends[0].addrs;
    g_assert_false(addrs[0].origin & SCTPA_ADDR_DELETED);
    g_assert_true(addrs[1].origin & SCTPA_ADDR_DELETED);
    sctpa_free(feeder.sctpa);
}

static void feed_response(uint32_t serial, uint32_t result)
{
    begin(&feeder, false, TAG_A);
    uint8_t *value = chunk(&feeder, SCTPA_CHUNK_RE_CONFIG, 0, 3);
    put32(value, 0x0010000C);
    put32(value + 4, serial);
    put32(value + 8, result);
    feed(&feeder);
}

static void streams_are_reset_once_when_performed(void)
{
    set_up();
    begin(&feeder, true, TAG_Z);
    uint8_t *value = chunk(&feeder, SCTPA_CHUNK_RE_CONFIG, 0, 5);
    put32(value, 0x000D0014);
    put32(value + 4, 99);
    put32(value + 16, 0x00010005);
    feed(&feeder);
    feed_response(99, 6);
    assert_last_event(SCTPA_EVENT_SETUP, SCTPA_NO_END, NULL);
    feed_response(99, 1);
    assert_last_event(SCTPA_EVENT_STREAM_RESET, 0, "outgoing 1, 5");
    feed_response(99, 1);
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 0)->n_events, ==, 2);
    sctpa_free(feeder.sctpa);
}

static void icmp_error_is_an_event_and_no_packet(void)
{
    sctpa_icmp_t icmp = {
        .kind = SCTPA_ICMP_PACKET_TOO_BIG, .type = 3, .code = 4, .mtu_bytes = 1400, .reporter = ip(0x0a000063)
    };
    set_up();
    begin(&feeder, true, TAG_Z);
    icmp.quoted = feeder.packet;
    icmp.quoted.bytes = feeder.bytes;
    icmp.quoted.captured_bytes = icmp.quoted.wire_bytes = 8;
    sctpa_feed_icmp(feeder.sctpa, &icmp);
    assert_last_event(SCTPA_EVENT_PACKET_TOO_BIG, 0, "to 10.0.1.1, MTU 1400, from 10.0.0.99");
    g_assert_cmpuint(packets_of(&feeder, 0, 0), ==, 2);
    icmp.quoted.source = ip(0x01020304);
    feeder.bytes[5] ^= 0xFF;
    sctpa_feed_icmp(feeder.sctpa, &icmp);
    g_assert_cmpuint(sctpa_summary(feeder.sctpa)->icmp_unmatched, ==, 1);
    g_assert_cmpuint(sctpa_assoc_count(feeder.sctpa), ==, 1);
    sctpa_free(feeder.sctpa);
}

static sctpa_icmp_t icmp_error(void)
{
    sctpa_icmp_t icmp = { .kind = SCTPA_ICMP_UNREACHABLE, .type = 3, .code = 1, .reporter = ip(0x0a000063) };
    begin(&feeder, true, TAG_Z);
    icmp.quoted = feeder.packet;
    icmp.quoted.bytes = feeder.bytes;
    icmp.quoted.captured_bytes = icmp.quoted.wire_bytes = 8;
    return icmp;
}

static unsigned icmp_events(void)
{
    const sctpa_assoc_t *assoc = sctpa_assoc(feeder.sctpa, 0);
    unsigned n = 0;
    for (uint32_t i = 0; i < assoc->n_events; i++)
        n += assoc->events[i].kind == SCTPA_EVENT_ICMP_UNREACHABLE;
    return n;
}

static void icmp_error_captured_at_several_interfaces_is_one_event(void)
{
    set_up();
    sctpa_icmp_t icmp = icmp_error();
    for (uint32_t interface = 0; interface < 3; interface++) {
        icmp.quoted.interface = interface;
        sctpa_feed_icmp(feeder.sctpa, &icmp);
    }
    g_assert_cmpuint(icmp_events(), ==, 1);
    icmp.quoted.interface = 0;
    sctpa_feed_icmp(feeder.sctpa, &icmp);
    g_assert_cmpuint(icmp_events(), ==, 2);
    icmp.quoted.interface = 1;
    sctpa_feed_icmp(feeder.sctpa, &icmp);
    g_assert_cmpuint(icmp_events(), ==, 2);
    sctpa_free(feeder.sctpa);
}

static void another_icmp_error_at_another_interface_is_another_event(void)
{
    set_up();
    sctpa_icmp_t icmp = icmp_error();
    sctpa_feed_icmp(feeder.sctpa, &icmp);
    icmp.quoted.interface = 1;
    icmp.code = 2;
    sctpa_feed_icmp(feeder.sctpa, &icmp);
    icmp.quoted.ip_id++;
    icmp.quoted.interface = 2;
    sctpa_feed_icmp(feeder.sctpa, &icmp);
    icmp.quoted.interface = 3;
    icmp.quoted.time_ns += 2000000000;
    sctpa_feed_icmp(feeder.sctpa, &icmp);
    g_assert_cmpuint(icmp_events(), ==, 4);
    sctpa_free(feeder.sctpa);
}

static void heartbeat_is_acked_by_its_echo(void)
{
    set_up();
    for (uint32_t i = 0; i < 2; i++) {
        begin(&feeder, true, TAG_Z);
        put32(chunk(&feeder, SCTPA_CHUNK_HEARTBEAT, 0, 2) + 4, 0x11110000 + i);
        feed(&feeder);
    }
    begin(&feeder, false, TAG_A);
    put32(chunk(&feeder, SCTPA_CHUNK_HEARTBEAT_ACK, 0, 2) + 4, 0x11110001);
    feed(&feeder);
    const sctpa_path_t *path = &sctpa_assoc(feeder.sctpa, 0)->ends[0].paths[0];
    g_assert_cmpuint(path->probing->heartbeats, ==, 2);
    g_assert_cmpuint(path->probing->heartbeats_acked, ==, 1);
    sctpa_free(feeder.sctpa);
}

static void events_are_bounded(void)
{
    set_up();
    for (unsigned i = 0; i < SCTPA_EVENTS_MAX + 10; i++)
        feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_ERROR, 0);
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 0)->n_events, ==, SCTPA_EVENTS_MAX);
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 0)->events_dropped, ==, 11);
    sctpa_free(feeder.sctpa);
}

static void feed_errors(bool from_a, uint32_t vtag, unsigned n)
{
    begin(&feeder, from_a, vtag);
    for (unsigned i = 0; i < n; i++)
        chunk(&feeder, SCTPA_CHUNK_ERROR, 0, 0);
    feed(&feeder);
}

/* Two halves at different addresses, of which a SACK shows that they are one. */
static void events_of_halves_are_bounded_together(void)
{
    enum { HALF = SCTPA_EVENTS_MAX * 3 / 4, AT_ONCE = 256 };
    feeder_init(&feeder);
    feed_data(&feeder, true, TAG_Z, 1000);
    for (unsigned i = 0; i < HALF; i += AT_ONCE)
        feed_errors(true, TAG_Z, AT_ONCE);
    for (unsigned i = 0; i <= HALF; i += AT_ONCE) {
        begin(&feeder, false, TAG_A);
        feeder.packet.source = ip(ADDR_Z + 7);
        feeder.packet.destination = ip(ADDR_A + 7);
        for (unsigned k = 0; k < AT_ONCE && i < HALF; k++)
            chunk(&feeder, SCTPA_CHUNK_ERROR, 0, 0);
        if (i >= HALF)
            put32(chunk(&feeder, SCTPA_CHUNK_SACK, 0, 3), 1000);
        feed(&feeder);
    }
    const sctpa_assoc_t *assoc = sctpa_assoc(feeder.sctpa, 0);
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 1)->merged_into, ==, 0);
    g_assert_cmpuint(assoc->n_events, ==, SCTPA_EVENTS_MAX);
    g_assert_cmpuint(assoc->events_dropped, ==, 2 * HALF - SCTPA_EVENTS_MAX);
    for (unsigned i = 1; i < assoc->n_events; i++)
        g_assert_cmpuint(assoc->events[i - 1].frame, <=, assoc->events[i].frame);
    feed_errors(true, TAG_Z, AT_ONCE);
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 0)->n_events, ==, SCTPA_EVENTS_MAX);
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 0)->events_dropped, ==, 2 * HALF - SCTPA_EVENTS_MAX + AT_ONCE);
    sctpa_free(feeder.sctpa);
}

static void a_packet_has_the_events_that_it_made(void)
{
    sctpa_packet_result_t result;
    set_up();
    for (unsigned i = 0; i < 3; i++)
        feed_errors(true, TAG_Z, 2);
    for (uint32_t index = 0; sctpa_packet_result(feeder.sctpa, index, &result); index++) {
        uint32_t at = 0;
        unsigned errors = 0;
        for (const sctpa_event_t *event; (event = sctpa_packet_event(feeder.sctpa, &result, &at)) != NULL;) {
            g_assert_cmpuint(event->certain_frame, ==, result.frame);
            errors += event->kind == SCTPA_EVENT_ERROR;
        }
        g_assert_cmpuint(errors, ==, result.frame > 4 ? 2 : 0);
    }
    sctpa_free(feeder.sctpa);
}

static void counts_hold_plain_packets_and_go_on(void)
{
    set_up();
    for (uint32_t tsn = 1; tsn <= 10; tsn++)
        feed_data(&feeder, true, TAG_Z, tsn);
    g_assert_cmpuint(chunks_of(&feeder, 0, 0, SCTPA_CHUNK_ROW_DATA), ==, 10);
    feed_data(&feeder, true, TAG_Z, 11);
    feed_sack(&feeder, false, TAG_A, 11);
    const sctpa_assoc_t *assoc = sctpa_assoc(feeder.sctpa, 0);
    sctpa_counts_copy_t by_end, by_pair;
    sctpa_end_counts(feeder.sctpa, assoc, 0, &by_end);
    sctpa_pair_counts(feeder.sctpa, assoc->ends[0].pairs[0], &by_pair);
    for (unsigned i = 0; i < 2; i++) {
        const sctpa_counts_t *counts = i == 0 ? &by_end.counts : &by_pair.counts;
        g_assert_cmpuint(sctpa_counts_chunks(counts, SCTPA_CHUNK_ROW_DATA), ==, 11);
        g_assert_cmpuint(counts->data_bytes, ==, 44);
    }
    g_assert_cmpuint(chunks_of(&feeder, 0, 1, SCTPA_CHUNK_ROW_SACK), ==, 1);
    g_assert_cmpuint(outcome(&feeder, 0).last_frame, ==, 16);
    uint32_t checksums[SCTPA_CHECKSUMS];
    sctpa_end_checksums(feeder.sctpa, assoc, 0, checksums);
    g_assert_cmpuint(checksums[SCTPA_CHECKSUM_ZERO], ==, 13);
    sctpa_free(feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/events/" #name, name)
    TEST(address_is_added_when_acknowledged);
    TEST(address_is_not_added_when_refused);
    TEST(ack_of_another_request_changes_nothing);
    TEST(wildcard_deletes_all_but_the_source);
    TEST(streams_are_reset_once_when_performed);
    TEST(icmp_error_is_an_event_and_no_packet);
    TEST(icmp_error_captured_at_several_interfaces_is_one_event);
    TEST(another_icmp_error_at_another_interface_is_another_event);
    TEST(heartbeat_is_acked_by_its_echo);
    TEST(events_are_bounded);
    TEST(events_of_halves_are_bounded_together);
    TEST(a_packet_has_the_events_that_it_made);
    TEST(counts_hold_plain_packets_and_go_on);
    return g_test_run();
}
