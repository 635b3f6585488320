/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts what core and reports do with hostile loads: the basic blocks that they execute, and the most memory that the
 * core holds while it reads. Both are the same on a busy machine, where times are not. They are compiled for it with
 * -fsanitize-coverage=trace-pc, which calls
 * __sanitizer_cov_trace_pc at every block; what they hand to libraries counts by bytes. Leaves out judging the counts
 * (test_steps.py). */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../plugins/sctp_analysis/report/report.h"
#include "loads.h"

enum { BYTES_PER_STEP = 16, HMAC_BYTES_PER_STEP = 2, FORMAT_STEPS = 100, EQUAL_STEPS = 4 };

static uint64_t steps;

/* Called by core and reports. */
void __sanitizer_cov_trace_pc(void);
void *__real_memcpy(void *into, const void *from, size_t n);
void *__wrap_memcpy(void *into, const void *from, size_t n);
void *__real_memmove(void *into, const void *from, size_t n);
void *__wrap_memmove(void *into, const void *from, size_t n);
void *__real_memset(void *into, int byte, size_t n);
void *__wrap_memset(void *into, int byte, size_t n);
int __real_memcmp(const void *a, const void *b, size_t n);
int __wrap_memcmp(const void *a, const void *b, size_t n);
void __real_g_hmac_update(GHmac *hmac, const guchar *data, gssize length);
void __wrap_g_hmac_update(GHmac *hmac, const guchar *data, gssize length);
gchar *__wrap_g_strdup_printf(const gchar *format, ...);
void __wrap_g_string_append_printf(GString *string, const gchar *format, ...);
gboolean __real_g_str_equal(gconstpointer a, gconstpointer b);
gboolean __wrap_g_str_equal(gconstpointer a, gconstpointer b);
gboolean __real_g_int64_equal(gconstpointer a, gconstpointer b);
gboolean __wrap_g_int64_equal(gconstpointer a, gconstpointer b);

void __sanitizer_cov_trace_pc(void)
{
    steps++;
}

void *__wrap_memcpy(void *into, const void *from, size_t n)
{
    steps += n / BYTES_PER_STEP;
    return __real_memcpy(into, from, n);
}

void *__wrap_memmove(void *into, const void *from, size_t n)
{
    steps += n / BYTES_PER_STEP;
    return __real_memmove(into, from, n);
}

void *__wrap_memset(void *into, int byte, size_t n)
{
    steps += n / BYTES_PER_STEP;
    return __real_memset(into, byte, n);
}

int __wrap_memcmp(const void *a, const void *b, size_t n)
{
    steps += n / BYTES_PER_STEP;
    return __real_memcmp(a, b, n);
}

void __wrap_g_hmac_update(GHmac *hmac, const guchar *data, gssize length)
{
    steps += (uint64_t)length / HMAC_BYTES_PER_STEP;
    __real_g_hmac_update(hmac, data, length);
}

gchar *__wrap_g_strdup_printf(const gchar *format, ...)
{
    va_list arguments;
    steps += FORMAT_STEPS;
    va_start(arguments, format);
    gchar *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    return text;
}

void __wrap_g_string_append_printf(GString *string, const gchar *format, ...)
{
    va_list arguments;
    steps += FORMAT_STEPS;
    va_start(arguments, format);
    g_string_append_vprintf(string, format, arguments);
    va_end(arguments);
}

/* Called by tables of GLib. */
gboolean __wrap_g_str_equal(gconstpointer a, gconstpointer b)
{
    steps += EQUAL_STEPS;
    return __real_g_str_equal(a, b);
}

gboolean __wrap_g_int64_equal(gconstpointer a, gconstpointer b)
{
    steps += EQUAL_STEPS;
    return __real_g_int64_equal(a, b);
}

/* --- a load through the core --- */

typedef struct {
    sctpa_t *sctpa;
    uint32_t packets;
    uint64_t wire_bytes;
    size_t most_bytes; /* of memory in use after a packet */
} player_t;

static size_t bytes_in_use(void)
{
    struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

static sctpa_addr_t ipv4(uint32_t addr)
{
    sctpa_addr_t result = { .bytes = 4 };
    put32(result.data, addr);
    return result;
}

static void feed(void *user, const load_packet_t *packet)
{
    player_t *player = user;
    player->wire_bytes += packet->n_bytes;
    sctpa_feed(player->sctpa, &(sctpa_packet_t){
                                  .frame = ++player->packets,
                                  .time_ns = packet->time_us * 1000,
                                  .link_bytes = 34,
                                  .source = ipv4(packet->source),
                                  .destination = ipv4(packet->destination),
                                  .ip_bytes = 20 + packet->n_bytes,
                                  .ttl = 64,
                                  .bytes = packet->bytes,
                                  .ip_id = (uint16_t)player->packets,
                                  .captured_bytes = packet->n_bytes,
                                  .wire_bytes = packet->n_bytes,
                              });
    player->most_bytes = MAX(player->most_bytes, bytes_in_use());
}

/* What the fields of a packet ask of the core. */
static void look(void *user, const load_packet_t *packet)
{
    player_t *player = user;
    sctpa_packet_result_t result;
    sctpa_data_result_t data;
    sctpa_sack_result_t sack;
    sctpa_flow_result_t flow;
    sctpa_congestion_t congestion;
    sctpa_rtos_t rtos;
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk;
    uint16_t sacks = 0;
    bool has_data = false;
    if (!sctpa_packet_result(player->sctpa, sctpa_packet_find(player->sctpa, ++player->packets, 0), &result))
        abort();
    sctpa_chunks_begin(&iter, packet->bytes, packet->n_bytes, packet->n_bytes);
    while (sctpa_tlv_next(&iter, &chunk)) {
        has_data |= sctpa_data_result(player->sctpa, &result, &chunk, &data);
        if (sctpa_tlv_is_sack(&chunk))
            sctpa_sack_result(player->sctpa, &result, &chunk, sacks++, &sack);
    }
    sctpa_flow_result(player->sctpa, &result, &flow);
    for (unsigned i = 0; i < 2; i++)
        sctpa_rto_at(player->sctpa, result.assoc, has_data ? result.from : !result.from,
                     has_data ? result.path : result.peer_path, result.index, i == 0, &rtos);
    for (uint32_t at = 0; sctpa_packet_event(player->sctpa, &result, &at);)
        ;
    for (unsigned nth = 0; sctpa_packet_finding(player->sctpa, result.index, nth); nth++)
        ;
    if (result.assoc == SCTPA_NO_ASSOC)
        return;
    for (uint8_t end = 0; end < 2; end++) {
        sctpa_congestion(player->sctpa, result.assoc, end, end == result.from ? result.path : result.peer_path,
                         result.index, &congestion);
        sctpa_states(player->sctpa, result.assoc, end, result.index);
    }
}

/* What is written counts by bytes. */
static void take_piece(void *user, const GString *piece)
{
    (void)user;
    steps += piece->len;
}

static uint64_t steps_of_feeding(const load_kind_t *kind, uint64_t n, bool is_hostile, load_t *load, load_taker_t take,
                                 player_t *player)
{
    steps = 0;
    player->packets = 0;
    load_begin(load, take, player);
    kind->make(load, n, is_hostile);
    return steps;
}

typedef struct {
    uint64_t triage, json, others;
} report_steps_t;

static report_steps_t steps_of_reports(const sctpa_t *sctpa)
{
    report_steps_t all = { 0 };
    for (const sctpa_report_t *report = sctpa_reports(); report->name; report++) {
        bool is_triage = strcmp(report->name, "triage") == 0, is_json = strcmp(report->name, "json") == 0;
        /* The same functions as of JSON, in the same order. */
        if (strcmp(report->name, "ndjson") == 0)
            continue;
        steps = 0;
        sctpa_report_write(report, &(sctpa_view_t){ .sctpa = sctpa }, take_piece, NULL);
        *(is_triage ? &all.triage : is_json ? &all.json : &all.others) += steps;
    }
    return all;
}

/* Prints steps of reading, of fields, of the triage, the JSON and the other reports, bytes held, wire bytes, packets,
 * chunks, associations. */
static void count(const load_kind_t *kind, uint64_t n, bool is_hostile)
{
    static load_t load;
    uint8_t key_bytes[] = "key";
    sctpa_auth_key_t key = { .key_id = 0, .key = g_bytes_new(key_bytes, 3) };
    size_t before_bytes = bytes_in_use();
    player_t player = { .sctpa = sctpa_new(&key, kind->look == LOOK_KEYS) };
    sctpa_count_occasions(player.sctpa);
    uint64_t read_steps = steps_of_feeding(kind, n, is_hostile, &load, feed, &player);
    uint64_t field_steps = steps_of_feeding(kind, n, is_hostile, &load, look, &player);
    report_steps_t reports = steps_of_reports(player.sctpa);
    const uint64_t numbers[] = { read_steps,        field_steps,    reports.triage,
                                 reports.json,      reports.others, player.most_bytes - before_bytes,
                                 player.wire_bytes, load.packets,   load.chunks,
                                 load.associations };
    for (unsigned i = 0; i < G_N_ELEMENTS(numbers); i++)
        printf("%" G_GUINT64_FORMAT "%c", (guint64)numbers[i], i + 1 < G_N_ELEMENTS(numbers) ? '\t' : '\n');
    sctpa_free(player.sctpa);
    g_bytes_unref(key.key);
}

int main(int argc, char **argv)
{
    const load_kind_t *kind = argc >= 3 ? load_kind_find(argv[1]) : NULL;
    if (!kind) {
        fprintf(stderr, "usage: hostile_steps KIND N [0: the harmless control]\n");
        return 2;
    }
    count(kind, strtoull(argv[2], NULL, 10), argc <= 3 || atoi(argv[3]) != 0);
    return 0;
}
