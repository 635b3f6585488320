/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects what counts as arrived of that which was given up, what was acknowledged unseen, and what SACKs were good
 * for. Z answers 20 ms after what passes, as its set-up shows. */
#include "data_feed.h"

#include "core/measure/measure.h"

static const int64_t ms = 1000000;
enum { WINDOW_BYTES = 65536 };

static feeder_t feeder;
static int64_t sent_ns;

/* An association whose A sends chunks, all at sent_ns. */
static void send_chunks(unsigned chunks)
{
    begin_association(&feeder, 0);
    sent_ns = feeder.packet.time_ns + 100 * ms;
    for (unsigned i = 0; i < chunks; i++)
        feed_bytes(&feeder, sent_ns, TAG_A + i, 1);
}

/* A gives up all until a TSN, so long after sent_ns. */
static void give_up_after(int64_t after_ms, uint32_t new_cum_tsn)
{
    begin(&feeder, true, TAG_Z);
    feeder.packet.time_ns = sent_ns + after_ms * ms;
    put32(chunk(&feeder, SCTPA_CHUNK_FORWARD_TSN, 0, 1), new_cum_tsn);
    again(&feeder);
}

/* Z acknowledges, so long after sent_ns. */
static void ack_after(int64_t after_ms, uint32_t cum_tsn, uint32_t window_bytes)
{
    feed_window(&feeder, sent_ns + after_ms * ms, cum_tsn, window_bytes);
}

static void gap_ack_after(int64_t after_ms, uint32_t cum_tsn, uint32_t block)
{
    feed_gap(&feeder, sent_ns + after_ms * ms, cum_tsn, WINDOW_BYTES, block);
}

/* acked and given up, of abandoned chunks in all; on_way of them. The end of the association. */
static void assert_counts(uint64_t acked, uint64_t given_up, uint64_t abandoned, uint64_t on_way)
{
    sctpa_measure_t *measure = sctpa_measure(feeder.sctpa, 0, 0, NULL);
    g_assert_cmpuint(measure->acked_tsns, ==, acked);
    g_assert_cmpuint(measure->given_up_tsns, ==, given_up);
    g_assert_cmpuint(measure->all.abandoned_tsns, ==, abandoned);
    g_assert_cmpuint(measure->given_up_on_way_tsns, ==, on_way);
    sctpa_measure_free(measure);
    sctpa_free(feeder.sctpa);
}

static void counts_as_arrived_what_a_lower_cum_tsn_acks(void)
{
    send_chunks(4);
    give_up_after(5, TAG_A + 3);
    ack_after(300, TAG_A + 2, WINDOW_BYTES);
    assert_counts(3, 1, 4, 4);
}

static void counts_as_arrived_what_is_acked_sooner_than_any_answer_comes(void)
{
    send_chunks(2);
    give_up_after(15, TAG_A + 1);
    ack_after(21, TAG_A + 1, WINDOW_BYTES);
    assert_counts(2, 0, 2, 2);
}

static void counts_as_arrived_what_is_gap_acked(void)
{
    send_chunks(3);
    give_up_after(900, TAG_A + 2);
    gap_ack_after(901, TAG_A, 2 << 16 | 2);
    ack_after(930, TAG_A + 2, WINDOW_BYTES);
    assert_counts(2, 1, 3, 0);
}

static void says_nothing_of_what_the_forward_tsn_may_have_acked(void)
{
    send_chunks(1);
    give_up_after(1000, TAG_A);
    ack_after(1021, TAG_A, WINDOW_BYTES);
    assert_counts(0, 1, 1, 0);
}

static void says_nothing_of_what_nothing_acked(void)
{
    send_chunks(2);
    give_up_after(5, TAG_A + 1);
    assert_counts(0, 2, 2, 2);
}

static void takes_what_was_acked_before_for_arrived(void)
{
    send_chunks(2);
    ack_after(21, TAG_A + 1, WINDOW_BYTES);
    give_up_after(22, TAG_A + 1);
    assert_counts(2, 0, 0, 0);
}

static void counts_gap_acked_chunks_that_never_passed(void)
{
    send_chunks(1);
    const sctpa_direction_t *direction = sctpa_direction(feeder.sctpa, 0, 0);
    gap_ack_after(21, TAG_A, 3 << 16 | 7);
    g_assert_cmpuint(sctpa_direction_unseen_acked(direction), ==, 5);
    ack_after(50, TAG_A + 7, WINDOW_BYTES);
    g_assert_cmpuint(sctpa_direction_unseen_acked(direction), ==, 7);
    sctpa_free(feeder.sctpa);
}

/* The capture lacks what A sent first, though not its SACKs. */
static void counts_what_was_acked_before_the_first_chunk_passed(void)
{
    const uint32_t first_seen[] = { 6, 9, 2 }, lacking[] = { 6, 7, 3 };
    for (unsigned i = 0; i < G_N_ELEMENTS(first_seen); i++) {
        feeder_t feeder;
        feeder_init(&feeder);
        feed_setup(&feeder, TAG_A, TAG_Z);
        const int64_t now_ns = feeder.packet.time_ns;
        feed_window(&feeder, now_ns + 10 * ms, TAG_A + 1, WINDOW_BYTES);
        feed_window(&feeder, now_ns + 20 * ms, TAG_A + 5, WINDOW_BYTES);
        g_assert_cmpuint(sctpa_direction_unseen_acked(sctpa_direction(feeder.sctpa, 0, 0)), ==, 0);
        feed_bytes(&feeder, now_ns + 30 * ms, TAG_A + first_seen[i], 1);
        feed_gap(&feeder, now_ns + 40 * ms, TAG_A + 5, WINDOW_BYTES, first_seen[i] > 6 ? 3 << 16 | 4 : 1 << 16 | 1);
        g_assert_cmpuint(sctpa_direction_unseen_acked(sctpa_direction(feeder.sctpa, 0, 0)), ==, lacking[i]);
        sctpa_free(feeder.sctpa);
    }
}

static void counts_nothing_before_the_first_chunk_of_a_capture_that_begins_late(void)
{
    feeder_t feeder;
    feeder_init(&feeder);
    feed_window(&feeder, 10 * ms, TAG_A + 5, WINDOW_BYTES);
    feed_bytes(&feeder, 20 * ms, TAG_A + 6, 1);
    feed_window(&feeder, 40 * ms, TAG_A + 6, WINDOW_BYTES);
    for (uint8_t end = 0; end < 2; end++)
        if (sctpa_direction(feeder.sctpa, 0, end))
            g_assert_cmpuint(sctpa_direction_unseen_acked(sctpa_direction(feeder.sctpa, 0, end)), ==, 0);
    sctpa_free(feeder.sctpa);
}

static void counts_no_gap_acked_chunk_that_passed(void)
{
    send_chunks(1);
    feed_bytes(&feeder, sent_ns, TAG_A + 2, 1);
    feed_bytes(&feeder, sent_ns, TAG_A + 4, 1);
    gap_ack_after(21, TAG_A, 2 << 16 | 4);
    g_assert_cmpuint(sctpa_direction_unseen_acked(sctpa_direction(feeder.sctpa, 0, 0)), ==, 1);
    sctpa_free(feeder.sctpa);
}

/* A has sent a chunk that the window of Z has no room for, at sent_ns; then it sends it again, so long after that each,
 * and Z answers each time without taking it. */
static void probe(unsigned chunks, const int64_t *again_ms, unsigned n, uint32_t window_bytes)
{
    send_chunks(chunks);
    ack_after(21, TAG_A + chunks - 2, window_bytes);
    for (unsigned i = 0; i < n; i++) {
        feed_bytes(&feeder, sent_ns + again_ms[i] * ms, TAG_A + chunks - 1, 1);
        ack_after(again_ms[i] + 20, TAG_A + chunks - 2, window_bytes);
    }
}

/* How many bytes, of 4 per chunk, did not arrive; none of them was given up. The end of the association. */
static void assert_missing(uint64_t bytes)
{
    sctpa_measure_t *measure = sctpa_measure(feeder.sctpa, 0, 0, NULL);
    g_assert_cmpuint(measure->all.missing_bytes, ==, bytes);
    g_assert_cmpuint(measure->given_up_missing_tsns, ==, 0);
    sctpa_measure_free(measure);
    sctpa_free(feeder.sctpa);
}

static void counts_no_window_probe_that_sacks_answer_without_taking_it(void)
{
    static const int64_t again_ms[] = { 1000, 3000, 7000 };
    probe(3, again_ms, 3, 0);
    assert_missing(4);
    probe(7, again_ms, 1, 0);
    assert_missing(4);
}

static void counts_no_retransmission_that_sacks_answer_without_taking_it(void)
{
    static const int64_t again_ms[] = { 1000, 3000 };
    probe(4, again_ms, 2, WINDOW_BYTES);
    assert_missing(4);
}

static void counts_a_probe_that_is_taken_at_last(void)
{
    static const int64_t again_ms[] = { 1000, 3000 };
    probe(3, again_ms, 2, 0);
    ack_after(3100, TAG_A + 2, WINDOW_BYTES);
    assert_missing(0);
}

/* The SACK left before the probe reached its receiver. */
static void counts_a_probe_whose_answer_does_not_pass(void)
{
    static const int64_t again_ms[] = { 1000 };
    probe(3, again_ms, 1, 0);
    feed_bytes(&feeder, sent_ns + 3000 * ms, TAG_A + 2, 1);
    ack_after(3005, TAG_A + 1, 0);
    assert_missing(0);
}

/* The capture ends while the last chunk is under way, or its SACK is delayed. */
static void counts_the_last_chunk_though_the_sack_of_others_passes(void)
{
    send_chunks(4);
    ack_after(24, TAG_A + 2, WINDOW_BYTES);
    assert_missing(0);
    send_chunks(4);
    ack_after(21, TAG_A + 2, WINDOW_BYTES);
    ack_after(26, TAG_A + 2, WINDOW_BYTES + 16);
    assert_missing(0);
}

static void tells_window_updates_from_other_sacks_without_news(void)
{
    send_chunks(2);
    ack_after(21, TAG_A + 1, 100);
    ack_after(22, TAG_A + 1, 116);
    ack_after(23, TAG_A + 1, 116);
    ack_after(24, TAG_A + 1, 140);
    sctpa_measure_t *measure = sctpa_measure(feeder.sctpa, 0, 0, NULL);
    g_assert_cmpuint(measure->sacks.sacks, ==, 4);
    g_assert_cmpuint(measure->sacks.idle, ==, 3);
    g_assert_cmpuint(measure->sacks.updates, ==, 2);
    g_assert_cmpuint(measure->sacks.raised_bytes, ==, 40);
    g_assert_cmpuint(measure->sacks.largest_bytes, ==, 140);
    sctpa_measure_free(measure);
    sctpa_free(feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/data/given_up/" #name, name)
    TEST(counts_as_arrived_what_a_lower_cum_tsn_acks);
    TEST(counts_as_arrived_what_is_acked_sooner_than_any_answer_comes);
    TEST(counts_as_arrived_what_is_gap_acked);
    TEST(says_nothing_of_what_the_forward_tsn_may_have_acked);
    TEST(says_nothing_of_what_nothing_acked);
    TEST(takes_what_was_acked_before_for_arrived);
    TEST(counts_gap_acked_chunks_that_never_passed);
    TEST(counts_what_was_acked_before_the_first_chunk_passed);
    TEST(counts_nothing_before_the_first_chunk_of_a_capture_that_begins_late);
    TEST(counts_no_gap_acked_chunk_that_passed);
    TEST(counts_no_window_probe_that_sacks_answer_without_taking_it);
    TEST(counts_no_retransmission_that_sacks_answer_without_taking_it);
    TEST(counts_a_probe_that_is_taken_at_last);
    TEST(counts_a_probe_whose_answer_does_not_pass);
    TEST(counts_the_last_chunk_though_the_sack_of_others_passes);
    TEST(tells_window_updates_from_other_sacks_without_news);
    return g_test_run();
}
