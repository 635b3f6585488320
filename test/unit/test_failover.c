/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where new data goes on a multihomed association, and when a path counts as failed: each rule of
 * track/feed/path_states.c can be silent. */
#include "data_feed.h"

#include "../../plugins/sctp_analysis/core/model/shared/failure_detection.h"

enum { SECOND_Z = 0x0a000201 };

static feeder_t feeder;
static uint32_t tsn;

static void set_up(void)
{
    feeder_init(&feeder);
    feed_setup(&feeder, TAG_A, TAG_Z);
    tsn = TAG_A;
}

static void after_ms(int64_t delay_ms)
{
    feeder.packet.time_ns += delay_ms * 1000000 - 10000000;
}

/* A sends DATA to path 0 or 1; times stand 10 ms apart unless after_ms says otherwise. */
static uint32_t send_data(uint32_t path, uint32_t number)
{
    begin(&feeder, true, TAG_Z);
    if (path)
        feeder.packet.destination = ip(SECOND_Z);
    uint8_t *value = chunk(&feeder, SCTPA_CHUNK_DATA, 3, 4);
    put32(value, number);
    put32(value + 12, number * 2654435761u);
    feed(&feeder);
    return feeder.packet.frame;
}

static uint32_t send_new(uint32_t path)
{
    return send_data(path, tsn++);
}

static void ack_all(void)
{
    feed_sack(&feeder, false, TAG_A, tsn - 1);
}

static void send_and_ack(uint32_t path, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        send_new(path);
        ack_all();
    }
}

static void heartbeat(bool from_a, uint32_t path, uint32_t info, uint8_t type)
{
    begin(&feeder, from_a, from_a ? TAG_Z : TAG_A);
    if (path && from_a)
        feeder.packet.destination = ip(SECOND_Z);
    else if (path)
        feeder.packet.source = ip(SECOND_Z);
    put32(chunk(&feeder, type, 0, 2) + 4, info);
    feed(&feeder);
}

/* The nth event of a kind of A, NULL: not so many. */
static const sctpa_event_t *event(sctpa_event_kind_t kind, unsigned nth)
{
    const sctpa_assoc_t *assoc = sctpa_assoc(feeder.sctpa, 0);
    for (uint32_t i = 0; i < assoc->n_events; i++)
        if (assoc->events[i].kind == kind && assoc->events[i].end == 0 && nth-- == 0)
            return &assoc->events[i];
    return NULL;
}

static void assert_silent(void)
{
    for (sctpa_event_kind_t kind = SCTPA_EVENT_PRIMARY_CHANGED; kind <= SCTPA_EVENT_FAILOVER; kind++)
        g_assert_null(event(kind, 0));
    sctpa_free(feeder.sctpa);
}

/* Data on path 0 is lost; the timer sends it again to path 1. */
static void time_out(void)
{
    send_and_ack(0, 10);
    uint32_t lost = tsn;
    send_new(0);
    after_ms(1100);
    send_data(1, lost);
}

static void new_data_that_stays_elsewhere_changes_the_primary(void)
{
    set_up();
    send_and_ack(0, 10);
    uint32_t first = send_new(1);
    ack_all();
    send_and_ack(1, 30);
    const sctpa_event_t *changed = event(SCTPA_EVENT_PRIMARY_CHANGED, 0);
    g_assert_nonnull(changed);
    g_assert_cmpuint(changed->frame, ==, first);
    g_assert_cmpuint(changed->path, ==, 1);
    g_assert_cmpstr(changed->detail, ==, "path 0 -> 1");
    g_assert_null(event(SCTPA_EVENT_PRIMARY_CHANGED, 1));
    g_assert_null(event(SCTPA_EVENT_PATH_FAILED, 0));
    sctpa_free(feeder.sctpa);
}

static void one_path_has_no_events(void)
{
    set_up();
    for (unsigned i = 0; i < 5; i++) {
        send_and_ack(0, 10);
        uint32_t lost = tsn;
        send_new(0);
        after_ms(1100);
        send_data(0, lost);
        ack_all();
    }
    assert_silent();
}

static void stray_packets_change_nothing(void)
{
    set_up();
    send_and_ack(0, 10);
    for (unsigned i = 0; i < 3; i++)
        send_new(1);
    send_and_ack(0, 50);
    assert_silent();
}

static void several_paths_at_once_change_nothing(void)
{
    set_up();
    for (unsigned i = 0; i < 200; i++)
        send_and_ack(i % 2, i % 7 + 1);
    assert_silent();
}

static void retransmissions_elsewhere_change_nothing(void)
{
    set_up();
    for (unsigned i = 0; i < 20; i++) {
        send_and_ack(0, 3);
        uint32_t lost = tsn;
        send_new(0);
        after_ms(1100);
        send_data(1, lost);
        ack_all();
    }
    send_and_ack(0, 10);
    assert_silent();
}

static void data_that_the_network_delayed_is_no_return(void)
{
    set_up();
    send_and_ack(0, 10);
    uint32_t late = tsn++, first = send_new(1);
    send_new(1);
    send_data(0, late);
    send_and_ack(1, 30);
    g_assert_nonnull(event(SCTPA_EVENT_PRIMARY_CHANGED, 0));
    g_assert_cmpuint(event(SCTPA_EVENT_PRIMARY_CHANGED, 0)->frame, ==, first);
    sctpa_free(feeder.sctpa);
}

static void path_fails_when_new_data_leaves_it_after_a_timeout(void)
{
    set_up();
    time_out();
    uint32_t first = send_new(1);
    send_new(1);
    const sctpa_event_t *failed = event(SCTPA_EVENT_PATH_FAILED, 0), *over = event(SCTPA_EVENT_FAILOVER, 0);
    g_assert_nonnull(failed);
    g_assert_nonnull(over);
    g_assert_cmpuint(failed->frame, ==, first);
    g_assert_cmpuint(failed->path, ==, 0);
    g_assert_cmpstr(failed->detail, ==, "1 timeout (1.100 s), then new data left it");
    g_assert_cmpuint(over->frame, ==, first);
    g_assert_cmpuint(over->path, ==, 1);
    g_assert_cmpstr(over->detail, ==, "path 0 -> 1, 1.110 s after the first unacked packet, 1 timeout (1.100 s)");
    g_assert_nonnull(event(SCTPA_EVENT_PRIMARY_CHANGED, 0));
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 0)->ends[0].rare->switching->n_failovers, ==, 1);
    sctpa_free(feeder.sctpa);
}

static void path_that_still_acks_other_data_is_said_to(void)
{
    static const uint16_t other[] = { 2, 2 };
    set_up();
    send_and_ack(0, 10);
    uint32_t lost = tsn;
    send_new(0);
    send_new(0);
    after_ms(1100);
    send_data(1, lost);
    begin(&feeder, false, TAG_A);
    add_sack(&feeder, lost - 1, 65536, other, 1);
    feed(&feeder);
    send_new(1);
    send_new(1);
    const sctpa_event_t *failed = event(SCTPA_EVENT_PATH_FAILED, 0);
    g_assert_nonnull(failed);
    g_assert_cmpstr(failed->detail, ==, "1 timeout (1.110 s), then new data left it, though it still acked other data");
    sctpa_free(feeder.sctpa);
}

static void timeout_alone_is_no_failure(void)
{
    set_up();
    time_out();
    send_and_ack(0, 30);
    assert_silent();
}

static void path_that_answered_since_the_timeout_has_not_failed(void)
{
    set_up();
    time_out();
    ack_all();
    send_and_ack(0, 5);
    send_and_ack(1, 30);
    g_assert_null(event(SCTPA_EVENT_PATH_FAILED, 0));
    g_assert_nonnull(event(SCTPA_EVENT_PRIMARY_CHANGED, 0));
    sctpa_free(feeder.sctpa);
}

static void timeout_after_new_data_had_left_is_no_failure(void)
{
    set_up();
    send_and_ack(0, 10);
    uint32_t lost = tsn;
    send_new(0);
    send_new(1);
    after_ms(1100);
    send_data(1, lost);
    for (unsigned i = 0; i < 30; i++)
        send_new(1);
    g_assert_null(event(SCTPA_EVENT_PATH_FAILED, 0));
    g_assert_nonnull(event(SCTPA_EVENT_PRIMARY_CHANGED, 0));
    sctpa_free(feeder.sctpa);
}

static void heartbeats_without_answer_fail_a_path_that_new_data_leaves(void)
{
    set_up();
    send_and_ack(0, 10);
    for (uint32_t i = 0; i < 3; i++) {
        after_ms(1000);
        heartbeat(true, 0, 0x11110000 + i, SCTPA_CHUNK_HEARTBEAT);
    }
    send_and_ack(1, 30);
    const sctpa_event_t *over = event(SCTPA_EVENT_FAILOVER, 0);
    g_assert_nonnull(over);
    g_assert_cmpstr(over->detail, ==,
                    "path 0 -> 1, 2.010 s after the first unanswered HEARTBEAT, 2 HEARTBEATs unanswered");
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 0)->ends[0].paths[0].probing->heartbeats_lost, ==, 2);
    sctpa_free(feeder.sctpa);
}

static void idle_path_fails_in_silence(void)
{
    set_up();
    heartbeat(true, 1, 0x22220000, SCTPA_CHUNK_HEARTBEAT);
    for (uint32_t i = 1; i < 10; i++) {
        heartbeat(true, 1, 0x22220000 + i, SCTPA_CHUNK_HEARTBEAT);
        send_and_ack(0, 10);
    }
    const sctpa_path_t *paths = sctpa_assoc(feeder.sctpa, 0)->ends[0].paths;
    g_assert_cmpuint(paths[1].probing->heartbeats_lost + paths[0].probing->heartbeats_lost, ==, 9);
    assert_silent();
}

static void late_heartbeat_ack_is_not_lost(void)
{
    set_up();
    heartbeat(true, 0, 0x33330001, SCTPA_CHUNK_HEARTBEAT);
    heartbeat(true, 0, 0x33330002, SCTPA_CHUNK_HEARTBEAT);
    heartbeat(false, 0, 0x33330001, SCTPA_CHUNK_HEARTBEAT_ACK);
    heartbeat(false, 0, 0x33330002, SCTPA_CHUNK_HEARTBEAT_ACK);
    const sctpa_path_t *path = &sctpa_assoc(feeder.sctpa, 0)->ends[0].paths[0];
    g_assert_cmpuint(path->probing->heartbeats_acked, ==, 2);
    g_assert_cmpuint(path->probing->heartbeats_lost, ==, 0);
    sctpa_free(feeder.sctpa);
}

static void fail_over(void)
{
    set_up();
    time_out();
    send_and_ack(1, 30);
    g_assert_nonnull(event(SCTPA_EVENT_PATH_FAILED, 0));
}

static void heartbeat_ack_recovers_a_failed_path(void)
{
    fail_over();
    heartbeat(true, 0, 0x44440001, SCTPA_CHUNK_HEARTBEAT);
    heartbeat(false, 0, 0x44440001, SCTPA_CHUNK_HEARTBEAT_ACK);
    const sctpa_event_t *recovered = event(SCTPA_EVENT_PATH_RECOVERED, 0);
    g_assert_nonnull(recovered);
    g_assert_cmpuint(recovered->frame, ==, feeder.packet.frame);
    g_assert_cmpuint(recovered->path, ==, 0);
    sctpa_free(feeder.sctpa);
}

static void ack_of_data_sent_before_it_failed_recovers_nothing(void)
{
    set_up();
    send_and_ack(0, 10);
    uint32_t lost = tsn;
    send_new(0);
    send_new(0);
    after_ms(1100);
    send_data(1, lost);
    send_new(1);
    send_new(1);
    ack_all();
    g_assert_nonnull(event(SCTPA_EVENT_PATH_FAILED, 0));
    g_assert_null(event(SCTPA_EVENT_PATH_RECOVERED, 0));
    send_new(0);
    g_assert_null(event(SCTPA_EVENT_PATH_RECOVERED, 0));
    ack_all();
    g_assert_nonnull(event(SCTPA_EVENT_PATH_RECOVERED, 0));
    sctpa_free(feeder.sctpa);
}

static void ping_pong_is_counted_when_new_data_goes_straight_back(void)
{
    set_up();
    for (unsigned i = 0; i < 5; i++)
        send_and_ack(i % 2, 30);
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 0)->ends[0].rare->switching->primary_changes, ==, 4);
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 0)->ends[0].rare->switching->ping_pong, ==, 3);
    after_ms(20000);
    send_and_ack(1, 30);
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 0)->ends[0].rare->switching->primary_changes, ==, 5);
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 0)->ends[0].rare->switching->ping_pong, ==, 3);
    sctpa_free(feeder.sctpa);
}

/* Those that stand at an earlier frame among them. */
static void assert_each_event_has_its_packet(const sctpa_assoc_t *assoc)
{
    sctpa_packet_result_t result;
    uint32_t found = 0;
    for (uint32_t index = 0; sctpa_packet_result(feeder.sctpa, index, &result); index++)
        for (uint32_t at = 0; sctpa_packet_event(feeder.sctpa, &result, &at) != NULL;)
            found++;
    g_assert_cmpuint(found, ==, assoc->n_events);
}

/* UBSan watches: a heartbeat that took nine years, then data that strays again and again. */
static void round_trip_of_years_is_compared_without_overflow(void)
{
    set_up();
    send_and_ack(0, 5);
    heartbeat(true, 1, 7, SCTPA_CHUNK_HEARTBEAT);
    feeder.packet.time_ns += SCTPA_TIME_SPAN_NS - 20 * SCTPA_NS_PER_S;
    heartbeat(false, 1, 7, SCTPA_CHUNK_HEARTBEAT_ACK);
    for (unsigned i = 0; i < 6; i++) {
        send_new(1);
        send_new(0);
    }
    for (unsigned i = 0; i < 4; i++)
        send_new(1);
    assert_silent();
}

static void events_stay_in_order_of_frames_and_bounded(void)
{
    set_up();
    for (unsigned i = 0; i < 700; i++) {
        send_and_ack(i % 2, 2);
        feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_ERROR, 0);
        send_and_ack(i % 2, 30);
    }
    const sctpa_assoc_t *assoc = sctpa_assoc(feeder.sctpa, 0);
    g_assert_cmpuint(assoc->n_events, ==, SCTPA_EVENTS_MAX);
    g_assert_cmpuint(assoc->events_dropped, >, 0);
    for (uint32_t i = 1; i < assoc->n_events; i++)
        g_assert_cmpuint(assoc->events[i - 1].frame, <=, assoc->events[i].frame);
    assert_each_event_has_its_packet(assoc);
    sctpa_free(feeder.sctpa);
}

static void errors_are_counted_by_the_time_they_take(void)
{
    const int64_t second_ns = SCTPA_NS_PER_S, most_ns = 60 * SCTPA_NS_PER_S;
    g_assert_cmpuint(sctpa_detection_errors(15 * second_ns, second_ns, most_ns, 2, 20), ==, 4);
    g_assert_cmpuint(sctpa_detection_errors(15 * second_ns, second_ns, 4 * second_ns, 2, 20), ==, 5);
    g_assert_cmpuint(sctpa_detection_errors(183 * second_ns, second_ns, most_ns, 2, 20), ==, 8);
    g_assert_cmpuint(sctpa_detection_errors(11 * second_ns, second_ns, most_ns, 2, 20), ==, 0);
    g_assert_cmpuint(sctpa_detection_errors(15 * second_ns, second_ns, most_ns, 5, 20), ==, 0);
    g_assert_cmpuint(sctpa_detection_errors(15 * second_ns, 0, most_ns, 2, 20), ==, 0);
}

static void detection_times_follow_the_formulas(void)
{
    sctpa_failover_t failover = { .time_ns = INT64_C(7000000000),
                                  .trouble = { .unanswered_ns = INT64_C(1000000000), .timeouts = 3 } };
    sctpa_detection_t detection = sctpa_detection_of(&failover, 2, SCTPA_NS_PER_S);
    g_assert_cmpint(detection.took_ns, ==, INT64_C(6000000000));
    g_assert_cmpint(detection.rfc_ns, ==, INT64_C(7000000000));
    g_assert_cmpint(detection.freebsd_ns, ==, INT64_C(7384000000));
    g_assert_cmpint(detection.solaris_ns, ==, INT64_C(7000000000));
    failover.trouble = (sctpa_trouble_t){ .timeouts = 1, .heartbeats = 2, .heartbeat_gap_ms = 6000 };
    detection = sctpa_detection_of(&failover, 2, SCTPA_NS_PER_S);
    g_assert_cmpint(detection.rfc_ns, ==, INT64_C(17000000000));
    g_assert_cmpint(detection.freebsd_ns, ==, INT64_C(27384000000));
    g_assert_cmpint(detection.solaris_ns, ==, INT64_C(12000000000));
    g_assert_cmpint(sctpa_detection_fit(&detection), ==, SCTPA_FORMULA_NONE);
    detection.took_ns = INT64_C(17900000000);
    g_assert_cmpint(sctpa_detection_fit(&detection), ==, SCTPA_FORMULA_RFC);
    detection.took_ns = INT64_C(28000000000);
    g_assert_cmpint(sctpa_detection_fit(&detection), ==, SCTPA_FORMULA_FREEBSD);
    detection.took_ns = INT64_C(12500000000);
    g_assert_cmpint(sctpa_detection_fit(&detection), ==, SCTPA_FORMULA_SOLARIS);
    failover.trouble = (sctpa_trouble_t){ .timeouts = UINT32_MAX, .heartbeats = 0 };
    g_assert_cmpint(sctpa_detection_of(&failover, 2, SCTPA_NS_PER_S).rfc_ns, >, INT64_C(60000000000));
    failover.trouble = (sctpa_trouble_t){ .heartbeats = 2, .heartbeat_gap_ms = 6000 };
    g_assert_cmpint(sctpa_detection_of(&failover, 2, 0).rfc_ns, ==, -1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/failover/" #name, name)
    TEST(new_data_that_stays_elsewhere_changes_the_primary);
    TEST(one_path_has_no_events);
    TEST(stray_packets_change_nothing);
    TEST(several_paths_at_once_change_nothing);
    TEST(retransmissions_elsewhere_change_nothing);
    TEST(data_that_the_network_delayed_is_no_return);
    TEST(path_fails_when_new_data_leaves_it_after_a_timeout);
    TEST(path_that_still_acks_other_data_is_said_to);
    TEST(timeout_alone_is_no_failure);
    TEST(path_that_answered_since_the_timeout_has_not_failed);
    TEST(timeout_after_new_data_had_left_is_no_failure);
    TEST(heartbeats_without_answer_fail_a_path_that_new_data_leaves);
    TEST(idle_path_fails_in_silence);
    TEST(late_heartbeat_ack_is_not_lost);
    TEST(heartbeat_ack_recovers_a_failed_path);
    TEST(ack_of_data_sent_before_it_failed_recovers_nothing);
    TEST(ping_pong_is_counted_when_new_data_goes_straight_back);
    TEST(round_trip_of_years_is_compared_without_overflow);
    TEST(events_stay_in_order_of_frames_and_bounded);
    TEST(detection_times_follow_the_formulas);
    TEST(errors_are_counted_by_the_time_they_take);
    return g_test_run();
}
