/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which streams one endpoint reset and its peer did not. */
#include "track_feed.h"

static feeder_t feeder;

static void set_up(void)
{
    feeder_init(&feeder);
    feed_setup(&feeder, TAG_A, TAG_Z);
    feed_data(&feeder, true, TAG_Z, TAG_A);
    feed_data(&feeder, false, TAG_A, TAG_Z);
}

/* A request to reset streams that neighbour one another. */
static void ask(bool from_a, uint32_t serial, uint16_t first, unsigned n)
{
    begin(&feeder, from_a, from_a ? TAG_Z : TAG_A);
    const uint32_t bytes = 16 + 2 * n;
    uint8_t *value = chunk(&feeder, SCTPA_CHUNK_RE_CONFIG, 0, (bytes + 3) / 4);
    put32(value, 0x000D0000 | bytes);
    put32(value + 4, serial);
    for (unsigned i = 0; i < n; i++)
        put16(value + 16 + 2 * i, first + i);
    feed(&feeder);
}

static uint32_t answer(bool from_a, uint32_t serial, uint32_t result)
{
    begin(&feeder, from_a, from_a ? TAG_Z : TAG_A);
    uint8_t *value = chunk(&feeder, SCTPA_CHUNK_RE_CONFIG, 0, 3);
    put32(value, 0x0010000C);
    put32(value + 4, serial);
    put32(value + 8, result);
    return feed(&feeder).frame;
}

/* How many were performed; the last of them. */
static uint32_t closed(sctpa_half_closed_t *last)
{
    uint32_t n, performed = 0;
    const sctpa_half_closed_t *all = sctpa_half_closed(sctpa_assoc(feeder.sctpa, 0), &n);
    for (uint32_t i = 0; i < n; i++)
        if (all[i].frame > 0) {
            performed++;
            *last = all[i];
        }
    return performed;
}

static void assert_closed(uint32_t n)
{
    sctpa_half_closed_t last;
    g_assert_cmpuint(closed(&last), ==, n);
    sctpa_free(feeder.sctpa);
}

static void a_stream_that_one_endpoint_reset_is_half_closed(void)
{
    for (unsigned by_a = 0; by_a < 2; by_a++) {
        sctpa_half_closed_t last;
        set_up();
        ask(by_a, 99, 3, 1);
        const uint32_t frame = answer(!by_a, 99, 1);
        g_assert_cmpuint(closed(&last), ==, 1);
        g_assert_cmpuint(last.stream, ==, 3);
        g_assert_cmpuint(last.by, ==, !by_a);
        g_assert_cmpuint(last.frame, ==, frame);
        g_assert_cmpint(last.time_ns, ==, feeder.packet.time_ns);
        sctpa_free(feeder.sctpa);
    }
}

static void of_several_streams_those_are_left_that_the_peer_does_not_reset(void)
{
    set_up();
    ask(true, 99, 2, 4);
    answer(false, 99, 1);
    ask(false, 77, 3, 2);
    answer(true, 77, 1);
    assert_closed(2);
}

static void a_stream_that_both_reset_is_closed(void)
{
    set_up();
    ask(true, 99, 1, 1);
    answer(false, 99, 1);
    ask(false, 77, 1, 1);
    assert_closed(0);
}

static void requests_that_cross_close_a_stream(void)
{
    set_up();
    ask(true, 99, 1, 1);
    ask(false, 77, 1, 1);
    answer(true, 77, 1);
    answer(false, 99, 1);
    assert_closed(0);
}

static void what_the_peer_does_not_perform_closes_nothing(void)
{
    set_up();
    ask(true, 99, 1, 1);
    answer(false, 99, 6);
    assert_closed(0);
}

static void a_request_for_more_streams_than_are_kept_leaves_all_unknown(void)
{
    set_up();
    ask(true, 99, 1, 1);
    answer(false, 99, 1);
    ask(true, 100, 2, SCTPA_HALF_CLOSED_MAX);
    answer(false, 100, 1);
    assert_closed(0);
}

static void a_request_for_all_streams_leaves_all_unknown(void)
{
    set_up();
    ask(true, 99, 1, 1);
    answer(false, 99, 1);
    ask(false, 77, 0, 0);
    assert_closed(0);
}

#define TEST(name) g_test_add_func("/half_closed/" #name, name)

enum { IN_PROGRESS = 6, PERFORMED = 1 };

/* The same request once more, which waits for the TSNs up to last_tsn. */
static void ask_after(bool from_a, uint32_t serial, uint32_t last_tsn)
{
    begin(&feeder, from_a, from_a ? TAG_Z : TAG_A);
    uint8_t *value = chunk(&feeder, SCTPA_CHUNK_RE_CONFIG, 0, 5);
    put32(value, 0x000D0012);
    put32(value + 4, serial);
    put32(value + 12, last_tsn);
    put16(value + 16, 3);
    feed(&feeder);
}

static const sctpa_in_progress_t *in_progress(uint8_t asker)
{
    return sctpa_in_progress(sctpa_assoc(feeder.sctpa, 0), asker);
}

static void a_reset_that_stays_in_progress_is_counted_with_its_frames(void)
{
    for (unsigned from_a = 0; from_a < 2; from_a++) {
        const uint32_t tsn = from_a ? TAG_A : TAG_Z;
        uint32_t last = 0;
        set_up();
        feed_sack(&feeder, !from_a, from_a ? TAG_A : TAG_Z, tsn);
        for (unsigned i = 0; i < 4; i++) {
            ask_after(from_a, 99, tsn);
            last = answer(!from_a, 99, IN_PROGRESS);
        }
        g_assert_cmpuint(in_progress(!from_a)->answers, ==, 4);
        g_assert_cmpuint(in_progress(!from_a)->last_frame, ==, last);
        g_assert_cmpuint(in_progress(!from_a)->first_frame, ==, last - 6);
        g_assert_true(in_progress(!from_a)->has_all);
        g_assert_cmpuint(in_progress(from_a)->answers, ==, 0);
        sctpa_free(feeder.sctpa);
    }
}

static void a_reset_that_is_performed_at_last_is_in_progress_no_more(void)
{
    set_up();
    feed_sack(&feeder, false, TAG_A, TAG_A);
    for (unsigned i = 0; i < 3; i++) {
        ask_after(true, 99, TAG_A);
        answer(false, 99, i < 2 ? IN_PROGRESS : PERFORMED);
    }
    g_assert_cmpuint(in_progress(0)->answers, ==, 0);
    sctpa_free(feeder.sctpa);
}

static void a_reset_that_waits_for_data_is_rightly_in_progress(void)
{
    set_up();
    for (unsigned i = 0; i < 3; i++) {
        ask_after(true, 99, TAG_A + 5);
        answer(false, 99, IN_PROGRESS);
        feed_sack(&feeder, false, TAG_A, TAG_A);
    }
    g_assert_cmpuint(in_progress(0)->answers, ==, 3);
    g_assert_false(in_progress(0)->has_all);
    sctpa_free(feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    TEST(a_stream_that_one_endpoint_reset_is_half_closed);
    TEST(of_several_streams_those_are_left_that_the_peer_does_not_reset);
    TEST(a_stream_that_both_reset_is_closed);
    TEST(requests_that_cross_close_a_stream);
    TEST(what_the_peer_does_not_perform_closes_nothing);
    TEST(a_request_for_more_streams_than_are_kept_leaves_all_unknown);
    TEST(a_request_for_all_streams_leaves_all_unknown);
    g_test_add_func("/half_closed/in_progress", a_reset_that_stays_in_progress_is_counted_with_its_frames);
    g_test_add_func("/half_closed/in_progress_performed", a_reset_that_is_performed_at_last_is_in_progress_no_more);
    g_test_add_func("/half_closed/in_progress_waits", a_reset_that_waits_for_data_is_rightly_in_progress);
    return g_test_run();
}
