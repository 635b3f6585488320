/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A capture for the tests of the reports: packets written chunk by chunk and fed to the core. */
#ifndef SCTPA_TEST_REPORT_CAPTURE_H
#define SCTPA_TEST_REPORT_CAPTURE_H

#include <glib.h>
#include <string.h>

#include "report/report.h"

typedef struct {
    sctpa_t *sctpa;
    uint32_t frame;
    int64_t time_ns;
} capture_t;

/* Who talks: addresses 10.0.0.n, ports and tags. */
typedef struct {
    uint8_t source, destination;
    uint16_t source_port, destination_port;
    uint32_t vtag;
} flow_t;

static inline void put16(GByteArray *bytes, uint16_t value)
{
    guint8 out[2] = { value >> 8, value & 0xff };
    g_byte_array_append(bytes, out, sizeof out);
}

static inline void put32(GByteArray *bytes, uint32_t value)
{
    put16(bytes, value >> 16);
    put16(bytes, value & 0xffff);
}

static inline GByteArray *begin_packet(const flow_t *flow)
{
    GByteArray *bytes = g_byte_array_new();
    put16(bytes, flow->source_port);
    put16(bytes, flow->destination_port);
    put32(bytes, flow->vtag);
    put32(bytes, 0);
    return bytes;
}

/* A chunk of type with a body; NULL: zeros. */
static inline void add_chunk(GByteArray *bytes, uint8_t type, const void *body, uint16_t body_bytes)
{
    guint8 head[2] = { type, type == SCTPA_CHUNK_DATA ? 3 : 0 };
    g_byte_array_append(bytes, head, sizeof head);
    put16(bytes, 4 + body_bytes);
    guint old = bytes->len;
    g_byte_array_set_size(bytes, old + (body_bytes + 3u) / 4 * 4);
    memset(bytes->data + old, 0, bytes->len - old);
    if (body)
        memcpy(bytes->data + old, body, body_bytes);
}

static inline void add_init(GByteArray *bytes, uint8_t type, uint32_t tag, uint32_t tsn)
{
    GByteArray *body = g_byte_array_new();
    put32(body, tag);
    put32(body, 65536);
    put16(body, 10);
    put16(body, 5);
    put32(body, tsn);
    add_chunk(bytes, type, body->data, body->len);
    g_byte_array_unref(body);
}

static inline void add_data(GByteArray *bytes, uint32_t tsn, uint16_t user_bytes)
{
    GByteArray *body = g_byte_array_new();
    put32(body, tsn);
    put32(body, 0);
    put32(body, 0);
    g_byte_array_set_size(body, 12 + user_bytes);
    memset(body->data + 12, 'x', user_bytes);
    add_chunk(bytes, SCTPA_CHUNK_DATA, body->data, body->len);
    g_byte_array_unref(body);
}

/* Feeds the packet and frees it; 1 ms after the one before. With a tally it is selected. */
static inline uint32_t feed(capture_t *capture, const flow_t *flow, GByteArray *bytes, sctpa_tally_t *tally)
{
    sctpa_packet_t packet = { .frame = ++capture->frame,
                              .time_ns = capture->time_ns += 1000000,
                              .link_bytes = 34,
                              .source = { 4, { 10, 0, 0, flow->source } },
                              .destination = { 4, { 10, 0, 0, flow->destination } },
                              .ip_bytes = bytes->len + 20,
                              .ip_id = (uint16_t)capture->frame,
                              .ttl = 64,
                              .bytes = bytes->data,
                              .captured_bytes = bytes->len,
                              .wire_bytes = bytes->len };
    uint32_t index = sctpa_feed(capture->sctpa, &packet);
    if (tally)
        sctpa_tally_add(tally, capture->sctpa, index, &packet);
    g_byte_array_unref(bytes);
    return index;
}

static inline capture_t begin_capture(void)
{
    return (capture_t){ .sctpa = sctpa_new(NULL, 0), .time_ns = 1700000000000000000 };
}

static inline char *write_report(const char *name, const sctpa_view_t *view)
{
    GString *out = g_string_new(NULL);
    sctpa_report_append(sctpa_report_named(name), view, out);
    return g_string_free(out, FALSE);
}

static inline unsigned count_lines(const char *text)
{
    unsigned lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* Every line is valid UTF-8 of at most 80 columns without control characters. */
static inline void assert_is_printable(const char *text)
{
    char **lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        unsigned columns = 0;
        g_assert_true(g_utf8_validate(*line, -1, NULL));
        for (const char *at = *line; *at; at = g_utf8_next_char(at)) {
            gunichar c = g_utf8_get_char(at);
            g_assert_true(g_unichar_isprint(c) || g_unichar_ismark(c));
            columns += g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
        }
        g_assert_cmpuint(columns, <=, 80);
    }
    g_strfreev(lines);
}

#endif
