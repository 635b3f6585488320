/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects memory: a report as long as the capture has associations, or an association has streams, is handed over
 * while it is made, and its pieces together are what the whole is. */
#include "test_report_capture.h"

/* The longest element of JSON that these captures hold, in bytes. */
enum { ELEMENT_BYTES_MAX = 8192, ASSOCS = 1200, STREAMS = 4000 };

typedef struct {
    GString *text;
    unsigned pieces;
    size_t longest_bytes;
} taken_t;

static void take(void *user, const GString *piece)
{
    taken_t *taken = (taken_t *)user;
    g_string_append_len(taken->text, piece->str, (gssize)piece->len);
    taken->pieces++;
    taken->longest_bytes = MAX(taken->longest_bytes, piece->len);
}

static void feed_init(capture_t *capture, uint16_t port)
{
    flow_t flow = { 1, 2, port, 36412, 0 };
    GByteArray *packet = begin_packet(&flow);
    add_init(packet, SCTPA_CHUNK_INIT, port, port);
    feed(capture, &flow, packet, NULL);
}

static void feed_stream(capture_t *capture, uint16_t stream)
{
    flow_t flow = { 1, 2, 5000, 5001, 77 };
    GByteArray *packet = begin_packet(&flow), *body = g_byte_array_new();
    put32(body, 1000u + stream);
    put16(body, stream);
    put16(body, 0);
    put32(body, 0);
    put32(body, 0);
    add_chunk(packet, SCTPA_CHUNK_DATA, body->data, body->len);
    g_byte_array_unref(body);
    feed(capture, &flow, packet, NULL);
}

static void assert_comes_in_pieces(const capture_t *capture, const char *last_words)
{
    sctpa_view_t view = { .sctpa = capture->sctpa };
    taken_t taken = { .text = g_string_new(NULL) };
    char *whole = write_report("json", &view);

    sctpa_report_write(sctpa_report_named("json"), &view, take, &taken);
    g_assert_cmpstr(taken.text->str, ==, whole);
    g_assert_nonnull(strstr(whole, last_words));
    g_assert_cmpuint(taken.longest_bytes, <, SCTPA_PIECE_BYTES + ELEMENT_BYTES_MAX);
    g_assert_cmpuint(taken.pieces, <=, taken.text->len / SCTPA_PIECE_BYTES + 1);
    g_assert_cmpuint(taken.pieces, >, 5);
    g_free(whole);
    g_string_free(taken.text, TRUE);
}

static void json_of_many_associations(void)
{
    capture_t capture = begin_capture();
    for (unsigned i = 0; i < ASSOCS; i++)
        feed_init(&capture, (uint16_t)(1024 + i));
    assert_comes_in_pieces(&capture, "\"index\":1199");
    sctpa_free(capture.sctpa);
}

static void json_of_an_association_with_many_streams(void)
{
    capture_t capture = begin_capture();
    for (unsigned i = 0; i < STREAMS; i++)
        feed_stream(&capture, (uint16_t)i);
    assert_comes_in_pieces(&capture, "\"id\": 3999");
    sctpa_free(capture.sctpa);
}

static void tables_are_one_piece(void)
{
    capture_t capture = begin_capture();
    for (unsigned i = 0; i < ASSOCS; i++)
        feed_init(&capture, (uint16_t)(1024 + i));
    sctpa_view_t view = { .sctpa = capture.sctpa };
    for (const sctpa_report_t *report = sctpa_reports(); report->name; report++) {
        taken_t taken = { .text = g_string_new(NULL) };
        if (report->write) {
            sctpa_report_write(report, &view, take, &taken);
            g_assert_cmpuint(taken.pieces, ==, 1);
            g_assert_cmpuint(taken.longest_bytes, <, SCTPA_PIECE_BYTES);
        }
        g_string_free(taken.text, TRUE);
    }
    sctpa_free(capture.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/report/pieces/" #name, name)
    TEST(json_of_many_associations);
    TEST(json_of_an_association_with_many_streams);
    TEST(tables_are_one_piece);
    return g_test_run();
}
