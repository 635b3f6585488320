/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects the reader of a bad capture: reports of a flood stay short, hostile names and texts stay harmless, an empty
 * capture has reports too. */
#include "report/text/address_labels.h"

#include <string.h>

#include "test_report_capture.h"

static const char *const tables[] = { "triage", "setup", "assocs", "chunks", "paths" };

static void feed_init(capture_t *capture, uint16_t port, uint32_t tag)
{
    flow_t flow = { 1, 2, port, 36412, 0 };
    GByteArray *packet = begin_packet(&flow);
    add_init(packet, SCTPA_CHUNK_INIT, tag, tag);
    feed(capture, &flow, packet, NULL);
}

static void feed_abort(capture_t *capture, uint16_t port, uint32_t tag, const char *text)
{
    flow_t flow = { 2, 1, 36412, port, tag };
    GByteArray *packet = begin_packet(&flow), *cause = g_byte_array_new();
    put16(cause, SCTPA_CAUSE_USER_ABORT);
    put16(cause, 4 + (uint16_t)strlen(text));
    g_byte_array_append(cause, (const guint8 *)text, strlen(text));
    add_chunk(packet, SCTPA_CHUNK_ABORT, cause->data, cause->len);
    g_byte_array_unref(cause);
    feed(capture, &flow, packet, NULL);
}

static void counts_a_flood_of_refused_setups_together(void)
{
    capture_t capture = begin_capture();
    for (uint32_t i = 1; i <= 20000; i++) {
        feed_init(&capture, (uint16_t)(1024 + i), i);
        feed_abort(&capture, (uint16_t)(1024 + i), i, "full");
    }
    sctpa_view_t view = { .sctpa = capture.sctpa };
    char *text = write_report("setup", &view);
    g_assert_nonnull(strstr(text, "20,000  10.0.0.1    10.0.0.2:36412  refused  INIT\n"));
    g_assert_nonnull(strstr(text, "User-Initiated Abort"));
    g_assert_nonnull(strstr(text, "\"full\""));
    g_assert_cmpuint(count_lines(text), <, 30);
    g_free(text);
    for (unsigned i = 0; i < G_N_ELEMENTS(tables); i++) {
        text = write_report(tables[i], &view);
        g_assert_cmpuint(count_lines(text), <, 400);
        assert_is_printable(text);
        g_free(text);
    }
    text = write_report("triage", &view);
    g_assert_nonnull(strstr(text, "… and 19,997 more (all of them in -z sctp,json)\n"));
    g_free(text);
    sctpa_free(capture.sctpa);
}

static const char *hostile_addr(void *user, const sctpa_addr_t *addr)
{
    (void)user;
    return addr->data[3] == 1
               ? "\x1b[2J\xff\xe6\xbc\xa2 a name that is far too long for any column of any table in this report"
               : "tiny";
}

static const char *hostile_port(void *user, uint16_t port)
{
    (void)user;
    return port == 36412 ? "\x1b]0;x\x07" : "a-very-long-service-name-indeed";
}

static void shows_hostile_names_and_texts_harmlessly(void)
{
    capture_t capture = begin_capture();
    feed_init(&capture, 5000, 77);
    feed_abort(&capture, 5000, 77,
               "\x1b[31mred\r\n\xff bell\x07 and so on and so on and so on and so on and so on and so on");
    sctpa_view_t view = { .sctpa = capture.sctpa,
                          .file = "/tmp/\x1b[1m\xff.pcap",
                          .filter = "frame contains \"\x1b\"\n",
                          .addr_name = hostile_addr,
                          .port_name = hostile_port };
    for (unsigned i = 0; i < G_N_ELEMENTS(tables); i++) {
        char *text = write_report(tables[i], &view);
        assert_is_printable(text);
        g_free(text);
    }
    char *text = write_report("json", &view);
    for (const char *at = text; *at; at++)
        g_assert_true(*at == '\n' || (unsigned char)*at >= ' ');
    g_assert_true(g_utf8_validate(text, -1, NULL));
    g_free(text);
    sctpa_free(capture.sctpa);
}

static void reports_a_capture_without_sctp(void)
{
    capture_t capture = begin_capture();
    sctpa_view_t view = { .sctpa = capture.sctpa };
    for (const sctpa_report_t *report = sctpa_reports(); report->name; report++) {
        char *text = write_report(report->name, &view);
        g_assert_cmpstr(text, !=, "");
        if (strcmp(report->name, "rules") != 0 && strcmp(report->name, "ndjson") != 0) /* for programs */
            assert_is_printable(text);
        g_free(text);
    }
    sctpa_free(capture.sctpa);
}

static void gives_letters_beyond_z(void)
{
    sctpa_view_t view = { 0 };
    sctpa_labels_t *labels = sctpa_labels_new(&view);
    GString *out = g_string_new(NULL);
    for (unsigned i = 0; i < 28; i++) {
        sctpa_addr_t addr = { 16, { 0x20, 0x01, 0x0d, 0xb8, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, (uint8_t)i } };
        g_string_truncate(out, 0);
        sctpa_labels_addr(labels, &addr, out);
    }
    g_assert_cmpstr(out->str, ==, "AB");
    sctpa_addr_t first = { 16, { 0x20, 0x01, 0x0d, 0xb8, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 0 } };
    g_string_truncate(out, 0);
    sctpa_labels_addr(labels, &first, out);
    g_assert_cmpstr(out->str, ==, "A");
    sctpa_labels_write(labels, out);
    g_assert_nonnull(strstr(out->str, "\nA = 2001:db8:1:2:3:4:5:0\n"));
    g_assert_nonnull(strstr(out->str, "\nAB = 2001:db8:1:2:3:4:5:1b\n"));
    g_string_free(out, TRUE);
    sctpa_labels_free(labels);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/report/bounds/" #name, name)
    TEST(counts_a_flood_of_refused_setups_together);
    TEST(shows_hostile_names_and_texts_harmlessly);
    TEST(reports_a_capture_without_sctp);
    TEST(gives_letters_beyond_z);
    return g_test_run();
}
