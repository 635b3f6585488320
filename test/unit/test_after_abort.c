/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Was an ABORT taken? By its tag, and by who goes on after it. */
#include "track_feed.h"

static feeder_t feeder;

enum { NOBODYS = 0x51515151 };

static void pass_ms(int64_t ms)
{
    feeder.packet.time_ns += ms * 1000000;
}

static void set_up(void)
{
    feeder_init(&feeder);
    feed_setup(&feeder, TAG_A, TAG_Z);
    feed_data(&feeder, true, TAG_Z, TAG_A);
    feed_sack(&feeder, false, TAG_A, TAG_A);
}

/* Z aborts. */
static void abort_by_z(bool reflected)
{
    feed_plain(&feeder, false, reflected ? TAG_Z : TAG_A, SCTPA_CHUNK_ABORT, reflected);
}

static void shut_down(void)
{
    begin(&feeder, true, TAG_Z);
    put32(chunk(&feeder, SCTPA_CHUNK_SHUTDOWN, 0, 1), TAG_Z - 1);
    feed(&feeder);
    feed_plain(&feeder, false, TAG_A, SCTPA_CHUNK_SHUTDOWN_ACK, 0);
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_SHUTDOWN_COMPLETE, 0);
}

static const sctpa_assoc_t *first_assoc(void)
{
    return sctpa_assoc(feeder.sctpa, 0);
}

static unsigned events(sctpa_event_kind_t kind)
{
    unsigned n = 0;
    for (unsigned i = 0; i < first_assoc()->n_events; i++)
        n += first_assoc()->events[i].kind == kind;
    return n;
}

static const sctpa_event_t *not_taken(void)
{
    for (unsigned i = 0; i < first_assoc()->n_events; i++)
        if (first_assoc()->events[i].kind == SCTPA_EVENT_ABORT_NOT_TAKEN)
            return &first_assoc()->events[i];
    return NULL;
}

static void both_go_on_after_an_abort_that_was_not_taken(void)
{
    set_up();
    abort_by_z(true);
    const uint32_t frame = feeder.packet.frame;
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_ABORT);
    pass_ms(400);
    feed_data(&feeder, true, TAG_Z, TAG_A + 1);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_ABORT);
    feed_sack(&feeder, false, TAG_A, TAG_A + 1);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_OPEN);
    g_assert_cmpuint(outcome(&feeder, 0).end_by, ==, SCTPA_NO_END);
    g_assert_cmpuint(not_taken()->frame, ==, frame);
    g_assert_cmpuint(not_taken()->certain_frame, ==, feeder.packet.frame);
    g_assert_cmpuint(not_taken()->end, ==, 1);
    g_assert_cmpstr(not_taken()->detail, ==, "its receiver goes on in frame 8, and so does its sender in frame 9");
    g_assert_cmpuint(events(SCTPA_EVENT_ABORT), ==, 1);
    shut_down();
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_SHUTDOWN);
    g_assert_cmpuint(outcome(&feeder, 0).end_by, ==, 0);
    sctpa_free(feeder.sctpa);
}

static void an_abort_during_the_set_up_does_not_end_what_is_set_up_after_it(void)
{
    feeder_init(&feeder);
    feed_init(&feeder, true, TAG_A);
    feed_init_ack(&feeder, false, TAG_A, TAG_Z);
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_COOKIE_ECHO, 0);
    abort_by_z(true);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_REFUSED);
    pass_ms(500);
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_COOKIE_ECHO, 0);
    feed_plain(&feeder, false, TAG_A, SCTPA_CHUNK_COOKIE_ACK, 0);
    feed_data(&feeder, true, TAG_Z, TAG_A);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_OPEN);
    g_assert_cmpint(sctpa_assoc_setup_seen(first_assoc()), ==, SCTPA_SETUP_COMPLETE);
    sctpa_free(feeder.sctpa);
}

static void a_later_abort_ends_what_the_first_did_not(void)
{
    set_up();
    abort_by_z(false);
    pass_ms(400);
    feed_sack(&feeder, false, TAG_A, TAG_A);
    feed_data(&feeder, true, TAG_Z, TAG_A + 1);
    const uint32_t frame = feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_ABORT, 0).frame;
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_ABORT);
    g_assert_cmpuint(outcome(&feeder, 0).end_by, ==, 0);
    g_assert_cmpuint(first_assoc()->end_frame, ==, frame);
    sctpa_free(feeder.sctpa);
}

static void what_was_under_way_does_not_show_that_an_abort_was_not_taken(void)
{
    set_up();
    abort_by_z(false);
    feed_data(&feeder, true, TAG_Z, TAG_A + 1);
    feed_data(&feeder, true, TAG_Z, TAG_A + 2);
    feed_sack(&feeder, false, TAG_A, TAG_A);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_ABORT);
    g_assert_cmpuint(sctpa_after_abort(first_assoc())->going_on[0].packets, ==, 0);
    sctpa_free(feeder.sctpa);
}

static void a_receiver_that_goes_on_alone_ignores_the_abort(void)
{
    set_up();
    abort_by_z(false);
    for (unsigned i = 1; i <= 5; i++) {
        pass_ms(2000);
        feed_data(&feeder, true, TAG_Z, TAG_A + i);
        abort_by_z(true);
    }
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_ABORT);
    g_assert_cmpuint(outcome(&feeder, 0).end_by, ==, 1);
    g_assert_cmpuint(sctpa_after_abort(first_assoc())->going_on[0].packets, ==, 5);
    g_assert_cmpuint(sctpa_after_abort(first_assoc())->answers, ==, 5);
    g_assert_null(not_taken());
    sctpa_free(feeder.sctpa);
}

static void answers_of_an_endpoint_without_association_do_not_show_one(void)
{
    set_up();
    abort_by_z(false);
    pass_ms(1000);
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_SHUTDOWN_ACK, 0);
    feed_plain(&feeder, false, TAG_Z, SCTPA_CHUNK_SHUTDOWN_COMPLETE, 1);
    feed_plain(&feeder, false, TAG_A, SCTPA_CHUNK_ERROR, 0);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_ABORT);
    sctpa_free(feeder.sctpa);
}

static void an_abort_of_another_host_is_of_neither_endpoint(void)
{
    set_up();
    feeder.packet.ip_id += 30000;
    abort_by_z(true);
    feeder.packet.ip_id -= 30000;
    pass_ms(1000);
    feed_data(&feeder, false, TAG_A, TAG_Z);
    feed_plain(&feeder, true, TAG_A, SCTPA_CHUNK_ABORT, 1);
    pass_ms(1000);
    feed_data(&feeder, false, TAG_A, TAG_Z + 1);
    feed_plain(&feeder, true, TAG_A, SCTPA_CHUNK_ABORT, 1);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_ABORT);
    g_assert_cmpuint(outcome(&feeder, 0).end_by, ==, SCTPA_NO_END);
    g_assert_true(sctpa_after_abort(first_assoc())->is_receiver_gone);
    g_assert_true(sctpa_after_abort(first_assoc())->has_other_ids);
    g_assert_false(sctpa_after_abort(first_assoc())->has_other_ttl);
    sctpa_free(feeder.sctpa);
}

static void an_abort_not_taken_of_another_host_is_of_no_endpoint(void)
{
    set_up();
    feeder.packet.ip_id += 30000;
    abort_by_z(true);
    feeder.packet.ip_id -= 30000;
    feed_sack(&feeder, false, TAG_A, TAG_A);
    pass_ms(400);
    feed_data(&feeder, true, TAG_Z, TAG_A + 1);
    feed_sack(&feeder, false, TAG_A, TAG_A + 1);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_OPEN);
    g_assert_cmpuint(not_taken()->end, ==, SCTPA_NO_END);
    g_assert_nonnull(strstr(not_taken()->detail, "most likely of another host, by its IPv4 identification"));
    for (unsigned i = 0; i < first_assoc()->n_events; i++)
        g_assert_true(first_assoc()->events[i].kind != SCTPA_EVENT_ABORT ||
                      first_assoc()->events[i].end == SCTPA_NO_END);
    sctpa_free(feeder.sctpa);
}

static void an_abort_that_overtakes_its_own_host_is_still_its_own(void)
{
    set_up();
    feeder.packet.ip_id++;
    abort_by_z(true);
    feeder.packet.ip_id -= 2;
    feed_sack(&feeder, false, TAG_A, TAG_A);
    feeder.packet.ip_id += 2;
    pass_ms(400);
    feed_data(&feeder, true, TAG_Z, TAG_A + 1);
    feed_sack(&feeder, false, TAG_A, TAG_A + 1);
    g_assert_cmpuint(not_taken()->end, ==, 1);
    sctpa_free(feeder.sctpa);
}

static void a_stray_abort_with_another_ttl_is_of_no_endpoint(void)
{
    for (unsigned reflected = 0; reflected < 2; reflected++) {
        set_up();
        feeder.packet.ttl = 64;
        feed_sack(&feeder, false, TAG_A, TAG_A);
        feeder.packet.ttl = 255;
        feed_plain(&feeder, false, NOBODYS, SCTPA_CHUNK_ABORT, (uint8_t)reflected);
        g_assert_cmpuint(not_taken()->end, ==, SCTPA_NO_END);
        g_assert_true(g_str_has_suffix(not_taken()->detail, "most likely of another host, by its TTL"));
        sctpa_free(feeder.sctpa);
        feeder.packet.ttl = 0;
    }
}

/* Z is 10 ms away from the tap, A too. */
static void what_passes_later_than_a_round_trip_counts_as_soon_as_its_sender_goes_on(void)
{
    set_up();
    abort_by_z(false);
    feed_data(&feeder, true, TAG_Z, TAG_A + 1);
    pass_ms(140);
    const uint32_t first = feed_data(&feeder, true, TAG_Z, TAG_A + 2).frame;
    g_assert_cmpuint(sctpa_after_abort(first_assoc())->going_on[0].packets, ==, 0);
    pass_ms(3000);
    feed_data(&feeder, true, TAG_Z, TAG_A + 3);
    g_assert_cmpuint(sctpa_after_abort(first_assoc())->going_on[0].packets, ==, 2);
    g_assert_cmpuint(sctpa_after_abort(first_assoc())->going_on[0].first_frame, ==, first);
    sctpa_free(feeder.sctpa);
}

static void an_abort_with_the_tag_of_nobody_ends_nothing(void)
{
    for (unsigned reflected = 0; reflected < 2; reflected++) {
        set_up();
        const sctpa_packet_result_t abort = feed_plain(&feeder, false, NOBODYS, SCTPA_CHUNK_ABORT, (uint8_t)reflected);
        g_assert_cmpuint(abort.assoc, ==, 0);
        g_assert_cmpuint(abort.remarks & SCTPA_CAPTURE_STRAY, !=, 0);
        g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_OPEN);
        g_assert_cmpstr(not_taken()->detail, ==, "tag 0x51515151, which nobody announced in this set-up");
        sctpa_free(feeder.sctpa);
    }
}

static void aborts_that_answer_each_cookie_echo_with_an_old_tag_are_of_another_association(void)
{
    feeder_init(&feeder);
    for (unsigned attempt = 0; attempt < 2; attempt++) {
        feed_init(&feeder, true, TAG_A + attempt);
        feed_init_ack(&feeder, false, TAG_A + attempt, TAG_Z + attempt);
        for (unsigned i = 0; i < 3; i++) {
            feed_plain(&feeder, true, TAG_Z + attempt, SCTPA_CHUNK_COOKIE_ECHO, 0);
            g_assert_cmpuint(feed_plain(&feeder, false, NOBODYS, SCTPA_CHUNK_ABORT, 0).assoc, ==, attempt);
            pass_ms(3000);
        }
    }
    g_assert_cmpuint(sctpa_assoc_count(feeder.sctpa), ==, 2);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_FAILED);
    g_assert_cmpint(outcome(&feeder, 1).end, ==, SCTPA_ASSOC_FAILED);
    g_assert_cmpuint(events(SCTPA_EVENT_ABORT_NOT_TAKEN), ==, 3);
    sctpa_free(feeder.sctpa);
}

static void an_abort_of_a_known_association_is_not_taken_for_one_of_nobody(void)
{
    set_up();
    feed_data(&feeder, false, NOBODYS, 77);
    feed_data(&feeder, false, NOBODYS, 78);
    const uint32_t other = feed_plain(&feeder, false, NOBODYS, SCTPA_CHUNK_ABORT, 0).assoc;
    g_assert_cmpuint(other, !=, 0);
    g_assert_cmpint(outcome(&feeder, other).end, ==, SCTPA_ASSOC_ABORT);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_OPEN);
    sctpa_free(feeder.sctpa);
}

#define TEST(name) g_test_add_func("/after_abort/" #name, name)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    TEST(both_go_on_after_an_abort_that_was_not_taken);
    TEST(an_abort_during_the_set_up_does_not_end_what_is_set_up_after_it);
    TEST(a_later_abort_ends_what_the_first_did_not);
    TEST(what_was_under_way_does_not_show_that_an_abort_was_not_taken);
    TEST(a_receiver_that_goes_on_alone_ignores_the_abort);
    TEST(answers_of_an_endpoint_without_association_do_not_show_one);
    TEST(an_abort_of_another_host_is_of_neither_endpoint);
    TEST(an_abort_not_taken_of_another_host_is_of_no_endpoint);
    TEST(an_abort_that_overtakes_its_own_host_is_still_its_own);
    TEST(a_stray_abort_with_another_ttl_is_of_no_endpoint);
    TEST(what_passes_later_than_a_round_trip_counts_as_soon_as_its_sender_goes_on);
    TEST(an_abort_with_the_tag_of_nobody_ends_nothing);
    TEST(aborts_that_answer_each_cookie_echo_with_an_old_tag_are_of_another_association);
    TEST(an_abort_of_a_known_association_is_not_taken_for_one_of_nobody);
    return g_test_run();
}
