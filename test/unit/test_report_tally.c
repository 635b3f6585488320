/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects what a filter reports: counters are of the selected packets, each once, under the association they finally
 * belong to. */
#include "report/view.h"

#include "../../plugins/sctp_analysis/core/track/counts.h"
#include "test_report_capture.h"

static const flow_t there = { 1, 2, 5000, 36412, 0x22222222 }, back = { 2, 1, 36412, 5000, 0x11111111 };

static void feed_setup(capture_t *capture, sctpa_tally_t *tally)
{
    flow_t first = there;
    first.vtag = 0;
    GByteArray *packet = begin_packet(&first);
    add_init(packet, SCTPA_CHUNK_INIT, back.vtag, 100);
    feed(capture, &first, packet, tally);
    packet = begin_packet(&back);
    add_init(packet, SCTPA_CHUNK_INIT_ACK, there.vtag, 200);
    feed(capture, &back, packet, tally);
    packet = begin_packet(&there);
    add_chunk(packet, SCTPA_CHUNK_COOKIE_ECHO, "cookie", 6);
    feed(capture, &there, packet, tally);
    packet = begin_packet(&back);
    add_chunk(packet, SCTPA_CHUNK_COOKIE_ACK, NULL, 0);
    feed(capture, &back, packet, tally);
}

static void feed_data(capture_t *capture, const flow_t *flow, uint32_t tsn, sctpa_tally_t *tally)
{
    GByteArray *packet = begin_packet(flow);
    add_data(packet, tsn, 100);
    feed(capture, flow, packet, tally);
}

static void counts_nothing_that_was_not_selected(void)
{
    capture_t capture = begin_capture();
    sctpa_tally_t *tally = sctpa_tally_new();
    feed_setup(&capture, NULL);
    feed_data(&capture, &there, 100, tally);
    feed_data(&capture, &there, 101, NULL);
    feed_data(&capture, &there, 102, tally);

    sctpa_view_t view = { .sctpa = capture.sctpa, .tally = tally };
    sctpa_selection_t *selection = sctpa_selection_new(&view);
    uint32_t number = 0;
    const sctpa_assoc_t *assoc = sctpa_selection_next(selection, &number);
    g_assert_nonnull(assoc);
    const sctpa_counts_t *counts = sctpa_selection_end(selection, assoc, 0);
    g_assert_cmpuint(counts->packets, ==, 2);
    g_assert_cmpuint(counts->data_bytes, ==, 200);
    g_assert_cmpuint(counts->wire_bytes, ==, 2 * (20 + 12 + 16 + 100));
    g_assert_cmpuint(counts->first_frame, ==, 5);
    g_assert_cmpuint(counts->last_frame, ==, 7);
    g_assert_cmpuint(sctpa_selection_pair(selection, assoc, 0, 0)->packets, ==, 2);
    sctpa_measure_t *measure = sctpa_selection_measure(selection, assoc, 0);
    g_assert_cmpuint(measure->all.tsns, ==, 2);
    g_assert_cmpuint(measure->all.user_bytes, ==, 200);
    g_assert_false(measure->has_theory);
    sctpa_measure_free(measure);
    g_assert_cmpuint(sctpa_selection_end(selection, assoc, 1)->packets, ==, 0);
    g_assert_null(sctpa_selection_next(selection, &number));
    sctpa_selection_free(selection);
    sctpa_tally_free(tally);
    sctpa_free(capture.sctpa);
}

static void assert_equal(const sctpa_counts_t *a, const sctpa_counts_t *b)
{
    g_assert_cmpmem(a, offsetof(sctpa_counts_t, chunks), b, offsetof(sctpa_counts_t, chunks));
    for (unsigned row = 0; row < SCTPA_CHUNK_ROWS; row++)
        g_assert_cmpuint(sctpa_counts_chunks(a, row), ==, sctpa_counts_chunks(b, row));
}

static void equals_the_whole_when_everything_is_selected(void)
{
    capture_t capture = begin_capture();
    sctpa_tally_t *tally = sctpa_tally_new();
    feed_setup(&capture, tally);
    for (uint32_t i = 0; i < 10; i++)
        feed_data(&capture, i % 2 ? &there : &back, (i % 2 ? 100 : 200) + i, tally);

    sctpa_view_t all = { .sctpa = capture.sctpa }, selected = { .sctpa = capture.sctpa, .tally = tally };
    sctpa_selection_t *a = sctpa_selection_new(&all), *b = sctpa_selection_new(&selected);
    const sctpa_assoc_t *assoc = sctpa_assoc(capture.sctpa, 0);
    for (unsigned e = 0; e < 2; e++) {
        assert_equal(sctpa_selection_end(a, assoc, e), sctpa_selection_end(b, assoc, e));
        assert_equal(sctpa_selection_pair(a, assoc, e, 0), sctpa_selection_pair(b, assoc, e, 0));
        g_assert_cmpmem(sctpa_selection_checksums(a, assoc, e), SCTPA_CHECKSUMS * sizeof(uint32_t),
                        sctpa_selection_checksums(b, assoc, e), SCTPA_CHECKSUMS * sizeof(uint32_t));
    }
    sctpa_selection_free(a);
    sctpa_selection_free(b);
    sctpa_tally_free(tally);
    sctpa_free(capture.sctpa);
}

static void counts_every_type_of_chunk(void)
{
    sctpa_arena_t arena;
    sctpa_counts_t counts = { .packets = 0 }, sum = { .packets = 0 };
    sctpa_arena_init(&arena);
    for (unsigned row = 0; row < SCTPA_CHUNK_ROWS; row++)
        sctpa_counts_add_chunks(&counts, &arena, row, row);
    counts.packets = 1;
    sctpa_counts_add_chunks(&sum, &arena, SCTPA_CHUNK_ROWS - 1, 1);
    sctpa_counts_merge(&sum, &arena, &counts);
    for (unsigned row = 0; row < SCTPA_CHUNK_ROWS; row++)
        g_assert_cmpuint(sctpa_counts_chunks(&counts, row), ==, row);
    for (unsigned row = 0; row < SCTPA_CHUNK_ROWS; row++)
        g_assert_cmpuint(sctpa_counts_chunks(&sum, row), ==, row + (row == SCTPA_CHUNK_ROWS - 1));
    sctpa_arena_clear(&arena);
}

static void counts_unknown_chunks_by_their_type(void)
{
    capture_t capture = begin_capture();
    sctpa_tally_t *tally = sctpa_tally_new();
    feed_setup(&capture, NULL);
    GByteArray *packet = begin_packet(&there);
    add_chunk(packet, 0x7e, "x", 1);
    add_chunk(packet, 0x7e, "y", 1);
    add_chunk(packet, 0xfe, "z", 1);
    feed(&capture, &there, packet, tally);

    sctpa_view_t view = { .sctpa = capture.sctpa, .tally = tally };
    sctpa_selection_t *selection = sctpa_selection_new(&view);
    const uint32_t *unknown = sctpa_selection_unknown(selection, sctpa_assoc(capture.sctpa, 0), 0);
    g_assert_nonnull(unknown);
    g_assert_cmpuint(unknown[0x7e], ==, 2);
    g_assert_cmpuint(unknown[0xfe], ==, 1);
    char *text = write_report("chunks", &view);
    g_assert_nonnull(strstr(text, "0x7E"));
    g_assert_nonnull(strstr(text, "0xFE"));
    g_free(text);
    sctpa_selection_free(selection);
    sctpa_tally_free(tally);
    sctpa_free(capture.sctpa);
}

static void counts_a_packet_captured_twice_once(void)
{
    capture_t capture = begin_capture();
    sctpa_tally_t *tally = sctpa_tally_new();
    feed_setup(&capture, NULL);
    GByteArray *bytes = begin_packet(&there);
    add_data(bytes, 100, 50);
    for (unsigned copy = 0; copy < 2; copy++) {
        sctpa_packet_t packet = { .frame = ++capture.frame,
                                  .time_ns = capture.time_ns += 1000,
                                  .interface = copy,
                                  .link_bytes = 34,
                                  .source = { 4, { 10, 0, 0, 1 } },
                                  .destination = { 4, { 10, 0, 0, 2 } },
                                  .ip_bytes = 98,
                                  .ip_id = 7,
                                  .ttl = 64,
                                  .bytes = bytes->data,
                                  .captured_bytes = bytes->len,
                                  .wire_bytes = bytes->len };
        sctpa_tally_add(tally, capture.sctpa, sctpa_feed(capture.sctpa, &packet), &packet);
    }
    g_byte_array_unref(bytes);

    sctpa_view_t view = { .sctpa = capture.sctpa, .tally = tally };
    sctpa_selection_t *selection = sctpa_selection_new(&view);
    g_assert_cmpuint(sctpa_selection_end(selection, sctpa_assoc(capture.sctpa, 0), 0)->packets, ==, 1);
    sctpa_selection_free(selection);
    sctpa_tally_free(tally);
    sctpa_free(capture.sctpa);
}

static void counts_duplicates_where_their_sack_is_selected(void)
{
    capture_t capture = begin_capture();
    sctpa_tally_t *tally = sctpa_tally_new();
    feed_setup(&capture, NULL);
    feed_data(&capture, &there, 100, NULL);
    for (unsigned i = 0; i < 2; i++) {
        GByteArray *packet = begin_packet(&back), *sack = g_byte_array_new();
        put32(sack, 100);
        put32(sack, 65536);
        put32(sack, 1 + i);
        for (unsigned j = 0; j <= i; j++)
            put32(sack, 100);
        add_chunk(packet, SCTPA_CHUNK_SACK, sack->data, sack->len);
        g_byte_array_unref(sack);
        feed(&capture, &back, packet, i ? tally : NULL);
    }
    sctpa_view_t all = { .sctpa = capture.sctpa }, part = { .sctpa = capture.sctpa, .tally = tally };
    sctpa_selection_t *a = sctpa_selection_new(&all), *b = sctpa_selection_new(&part);
    g_assert_cmpuint(sctpa_selection_duplicates(a, sctpa_assoc(capture.sctpa, 0), 1), ==, 3);
    g_assert_cmpuint(sctpa_selection_duplicates(b, sctpa_assoc(capture.sctpa, 0), 1), ==, 2);
    g_assert_null(sctpa_selection_packets(a));
    sctpa_selection_free(a);
    sctpa_selection_free(b);
    sctpa_tally_free(tally);
    sctpa_free(capture.sctpa);
}

static void forgets_everything_when_reset(void)
{
    capture_t capture = begin_capture();
    sctpa_tally_t *tally = sctpa_tally_new();
    feed_setup(&capture, tally);
    sctpa_tally_reset(tally);
    sctpa_view_t view = { .sctpa = capture.sctpa, .tally = tally };
    sctpa_selection_t *selection = sctpa_selection_new(&view);
    uint32_t number = 0;
    g_assert_null(sctpa_selection_next(selection, &number));
    sctpa_selection_free(selection);
    sctpa_tally_free(tally);
    sctpa_free(capture.sctpa);
}

/* Two halves without set-up are joined only when the second speaks: what was selected before must follow. */
static void follows_packets_when_halves_are_joined(void)
{
    capture_t capture = begin_capture();
    sctpa_tally_t *tally = sctpa_tally_new();
    for (uint32_t i = 0; i < 4; i++)
        feed_data(&capture, &there, 100 + i, tally);
    GByteArray *packet = begin_packet(&back);
    GByteArray *sack = g_byte_array_new();
    put32(sack, 103);
    put32(sack, 65536);
    put32(sack, 0);
    add_chunk(packet, SCTPA_CHUNK_SACK, sack->data, sack->len);
    g_byte_array_unref(sack);
    feed(&capture, &back, packet, tally);

    sctpa_view_t view = { .sctpa = capture.sctpa, .tally = tally };
    sctpa_selection_t *selection = sctpa_selection_new(&view);
    const sctpa_assoc_t *assoc;
    uint32_t number = 0, packets = 0, associations = 0;
    while ((assoc = sctpa_selection_next(selection, &number))) {
        associations++;
        for (unsigned e = 0; e < 2; e++)
            packets += sctpa_selection_end(selection, assoc, e)->packets;
    }
    g_assert_cmpuint(packets, ==, 5);
    g_assert_cmpuint(associations, ==, 1);
    sctpa_selection_free(selection);
    sctpa_tally_free(tally);
    sctpa_free(capture.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/report/tally/" #name, name)
    TEST(counts_nothing_that_was_not_selected);
    TEST(equals_the_whole_when_everything_is_selected);
    TEST(counts_every_type_of_chunk);
    TEST(counts_unknown_chunks_by_their_type);
    TEST(counts_a_packet_captured_twice_once);
    TEST(counts_duplicates_where_their_sack_is_selected);
    TEST(forgets_everything_when_reset);
    TEST(follows_packets_when_halves_are_joined);
    return g_test_run();
}
