/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Series hold every transmission, SACK and sample once, in packet order, and add up to what was sent; over random
 * traffic with losses, retransmissions, gap blocks and clock steps. */
#include <stdlib.h>

#include "data_feed.h"

enum { FIRST_TSN = TAG_A, ROUNDS = 12, STEPS = 1500, WINDOW_TSNS = 60, STREAMS = 3 };

/* Random traffic from A to Z, and what was sent. */
typedef struct {
    feeder_t feeder;
    bool received[STEPS + 1];
    uint32_t next, cum; /* relative TSN that A sends next, that Z waits for */
    uint64_t user_bytes, wire_bytes, stream_bytes[STREAMS];
    uint32_t transmissions, packets, sacks, gap_blocks;
} traffic_t;

static void advance_clock(traffic_t *traffic, int64_t *time_ns)
{
    *time_ns += g_test_rand_int_range(1000, 2000000);
    if (g_test_rand_int_range(0, 200) == 0)
        *time_ns -= 5000000;
    traffic->feeder.packet.time_ns = *time_ns;
}

static void send_data(traffic_t *traffic, int64_t *time_ns)
{
    bool again_one = traffic->next > traffic->cum && g_test_rand_int_range(0, 5) == 0;
    uint32_t n = again_one ? 1 : (uint32_t)g_test_rand_int_range(1, 4);
    if (!again_one && traffic->next + n > MIN(traffic->cum + WINDOW_TSNS, STEPS))
        return;
    begin(&traffic->feeder, true, TAG_Z);
    advance_clock(traffic, time_ns);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t tsn =
            again_one ? (uint32_t)g_test_rand_int_range((gint32)traffic->cum, (gint32)traffic->next) : traffic->next++;
        uint32_t words = 1 + tsn % 50;
        add_data(&traffic->feeder, FIRST_TSN + tsn, words);
        put16(traffic->feeder.bytes + traffic->feeder.length - 4 * words - 8, tsn % STREAMS);
        traffic->user_bytes += again_one ? 0 : 4 * words;
        traffic->stream_bytes[tsn % STREAMS] += again_one ? 0 : 4 * words;
        traffic->received[tsn] |= g_test_rand_int_range(0, 8) > 0;
    }
    again(&traffic->feeder);
    traffic->transmissions += n;
    traffic->packets++;
    traffic->wire_bytes += traffic->feeder.packet.ip_bytes;
}

static void send_sack(traffic_t *traffic, int64_t *time_ns)
{
    uint16_t gaps[2 * WINDOW_TSNS];
    uint32_t n = 0;
    while (traffic->received[traffic->cum])
        traffic->cum++;
    for (uint32_t tsn = traffic->cum; tsn < traffic->next; tsn++) {
        if (!traffic->received[tsn])
            continue;
        gaps[2 * n] = (uint16_t)(tsn - traffic->cum + 1);
        while (tsn + 1 < traffic->next && traffic->received[tsn + 1])
            tsn++;
        gaps[2 * n++ + 1] = (uint16_t)(tsn - traffic->cum + 1);
    }
    begin(&traffic->feeder, false, TAG_A);
    advance_clock(traffic, time_ns);
    add_sack(&traffic->feeder, FIRST_TSN + traffic->cum - 1, (uint32_t)g_test_rand_int_range(0, 20000), gaps, n);
    again(&traffic->feeder);
    traffic->sacks++;
    traffic->gap_blocks += n;
}

static traffic_t *traffic_new(void)
{
    traffic_t *traffic = g_new0(traffic_t, 1);
    int64_t time_ns = 1000000000;
    feeder_init(&traffic->feeder);
    feed_setup(&traffic->feeder, TAG_A, TAG_Z);
    for (unsigned i = 0; i < STEPS; i++) {
        if (i == 0 || g_test_rand_int_range(0, 3) > 0)
            send_data(traffic, &time_ns);
        else
            send_sack(traffic, &time_ns);
    }
    return traffic;
}

static void traffic_free(traffic_t *traffic)
{
    sctpa_free(traffic->feeder.sctpa);
    g_free(traffic);
}

static void make(const traffic_t *traffic, uint16_t path, int64_t bin_ns, sctpa_series_t *series[])
{
    sctpa_series_source_t source = sctpa_series_source(traffic->feeder.sctpa, 0, 0, 10000000);
    const sctpa_series_request_t request = { .kinds = SCTPA_SERIES_ALL, .path = path, .bin_ns = bin_ns };
    sctpa_series_make(&source, &request, series);
}

static void free_all(sctpa_series_t *series[])
{
    for (unsigned kind = 0; kind < SCTPA_SERIES_KINDS; kind++)
        sctpa_series_free(series[kind]);
}

static uint32_t count(sctpa_series_t *series[], sctpa_series_kind_t kind)
{
    uint32_t n;
    sctpa_series_points(series[kind], &n);
    return n;
}

static void check_order(const traffic_t *traffic, sctpa_series_t *series[])
{
    for (unsigned kind = 0; kind < SCTPA_SERIES_KINDS; kind++) {
        uint32_t n;
        const sctpa_point_t *points = sctpa_series_points(series[kind], &n);
        bool is_rate = sctpa_series_bin_ns(series[kind]) > 0;
        for (uint32_t i = 0; i < n; i++) {
            g_assert_true(i == 0 || points[i - 1].packet <= points[i].packet);
            if (!is_rate)
                g_assert_cmpint(points[i].time_ns, ==, sctpa_packet_time_ns(traffic->feeder.sctpa, points[i].packet));
        }
    }
}

/* A series of TSNs in packet order never falls. */
static void check_rises(sctpa_series_t *series[], sctpa_series_kind_t kind)
{
    uint32_t n;
    const sctpa_point_t *points = sctpa_series_points(series[kind], &n);
    for (uint32_t i = 1; i < n; i++)
        g_assert_cmpint(points[i - 1].value, <=, points[i].value);
}

static int64_t last(sctpa_series_t *series[], sctpa_series_kind_t kind)
{
    uint32_t n;
    const sctpa_point_t *points = sctpa_series_points(series[kind], &n);
    return n > 0 ? points[n - 1].value : 0;
}

static uint64_t sum(sctpa_series_t *series[], sctpa_series_kind_t kind)
{
    uint32_t n;
    const sctpa_point_t *points = sctpa_series_points(series[kind], &n);
    double bits = 0;
    for (uint32_t i = 0; i < n; i++)
        bits += (double)points[i].value * (double)sctpa_series_bin_ns(series[kind]) / 1e9;
    return (uint64_t)(bits / 8 + 0.5);
}

static void series_hold_everything_once_and_in_order(void)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        traffic_t *traffic = traffic_new();
        sctpa_series_t *series[SCTPA_SERIES_KINDS];
        make(traffic, SCTPA_SERIES_ANY_PATH, 1000000000, series);
        check_order(traffic, series);
        check_rises(series, SCTPA_SERIES_SENT);
        check_rises(series, SCTPA_SERIES_CUM_ACK);
        uint32_t again = 0;
        for (unsigned kind = SCTPA_SERIES_FAST; kind <= SCTPA_SERIES_UNKNOWN; kind++)
            again += count(series, kind);
        g_assert_cmpuint(count(series, SCTPA_SERIES_SENT), ==, traffic->next);
        g_assert_cmpuint(count(series, SCTPA_SERIES_SENT) + again, ==, traffic->transmissions);
        g_assert_cmpuint(again, >, 0);
        g_assert_cmpuint(count(series, SCTPA_SERIES_CUM_ACK), ==, traffic->sacks);
        g_assert_cmpuint(count(series, SCTPA_SERIES_A_RWND), ==, traffic->sacks);
        g_assert_cmpuint(count(series, SCTPA_SERIES_GAP), ==, traffic->gap_blocks);
        g_assert_cmpuint(count(series, SCTPA_SERIES_FLIGHT), ==, traffic->packets + traffic->sacks);
        g_assert_cmpint(last(series, SCTPA_SERIES_SENT_BYTES), ==, (int64_t)traffic->user_bytes);
        g_assert_cmpint(last(series, SCTPA_SERIES_ACKED_BYTES), <=, last(series, SCTPA_SERIES_SENT_BYTES));
        g_assert_cmpuint(count(series, SCTPA_SERIES_PEER_WINDOW), ==, traffic->packets + traffic->sacks);
        g_assert_cmpuint(sum(series, SCTPA_SERIES_GOODPUT), ==, traffic->user_bytes);
        g_assert_cmpuint(sum(series, SCTPA_SERIES_THROUGHPUT), ==, traffic->wire_bytes);
        free_all(series);
        traffic_free(traffic);
    }
}

/* Bytes so far are those of the direction, of no path. */
static bool has_paths(unsigned kind)
{
    return kind != SCTPA_SERIES_SENT_BYTES && kind != SCTPA_SERIES_ACKED_BYTES;
}

static void a_path_that_was_not_used_has_no_points(void)
{
    traffic_t *traffic = traffic_new();
    sctpa_series_t *all[SCTPA_SERIES_KINDS], *used[SCTPA_SERIES_KINDS], *other[SCTPA_SERIES_KINDS];
    make(traffic, SCTPA_SERIES_ANY_PATH, 0, all);
    make(traffic, 0, 0, used);
    make(traffic, 1, 0, other);
    for (unsigned kind = 0; kind < SCTPA_SERIES_KINDS; kind++) {
        g_assert_cmpuint(count(used, kind), ==, has_paths(kind) ? count(all, kind) : 0);
        g_assert_true(sctpa_series_bin_ns(other[kind]) > 0 || count(other, kind) == 0);
    }
    g_assert_cmpuint(sum(used, SCTPA_SERIES_GOODPUT), ==, sum(all, SCTPA_SERIES_GOODPUT));
    g_assert_cmpuint(sum(other, SCTPA_SERIES_GOODPUT) + sum(other, SCTPA_SERIES_THROUGHPUT), ==, 0);
    free_all(all);
    free_all(used);
    free_all(other);
    traffic_free(traffic);
}

static void goodput_can_be_that_of_one_stream(void)
{
    traffic_t *traffic = traffic_new();
    sctpa_series_source_t source = sctpa_series_source(traffic->feeder.sctpa, 0, 0, 0);
    for (uint16_t stream = 0; stream <= STREAMS; stream++) {
        const sctpa_series_request_t request = { .kinds = 1u << SCTPA_SERIES_GOODPUT,
                                                 .path = SCTPA_SERIES_ANY_PATH,
                                                 .bin_ns = 1000000000,
                                                 .of_stream = true,
                                                 .stream = stream };
        sctpa_series_t *series[SCTPA_SERIES_KINDS];
        sctpa_series_make(&source, &request, series);
        g_assert_cmpuint(sum(series, SCTPA_SERIES_GOODPUT), ==, stream < STREAMS ? traffic->stream_bytes[stream] : 0);
        free_all(series);
    }
    traffic_free(traffic);
}

/* Bins begin at multiples of their width from the start, follow each other in time, and count 100 to 400 when nobody
 * asks for others. */
static void bins_are_even_and_aligned(void)
{
    traffic_t *traffic = traffic_new();
    sctpa_series_t *series[SCTPA_SERIES_KINDS];
    uint32_t n;
    make(traffic, SCTPA_SERIES_ANY_PATH, 0, series);
    int64_t width_ns = sctpa_series_bin_ns(series[SCTPA_SERIES_GOODPUT]), last_ns = INT64_MIN;
    const sctpa_point_t *points = sctpa_series_points(series[SCTPA_SERIES_GOODPUT], &n);
    g_assert_true(n >= 100 && n <= 401);
    GHashTable *starts = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (uint32_t i = 0; i < n; i++) {
        g_assert_cmpint((points[i].time_ns - 10000000) % width_ns, ==, 0);
        g_assert_true(g_hash_table_add(starts, g_memdup2(&points[i].time_ns, sizeof(int64_t))));
        last_ns = MAX(last_ns, points[i].time_ns);
    }
    sctpa_pixel_t pixel;
    sctpa_series_at(series[SCTPA_SERIES_GOODPUT], last_ns - (n - 1) * width_ns, last_ns + 1, 1, &pixel);
    g_assert_cmpuint(pixel.count, ==, n);
    g_hash_table_unref(starts);
    free_all(series);
    traffic_free(traffic);
}

static void what_was_not_asked_for_is_not_made(void)
{
    traffic_t *traffic = traffic_new();
    sctpa_series_source_t source = sctpa_series_source(traffic->feeder.sctpa, 0, 0, 0);
    const sctpa_series_request_t request = { .kinds = 1u << SCTPA_SERIES_RTO, .path = SCTPA_SERIES_ANY_PATH };
    sctpa_series_t *series[SCTPA_SERIES_KINDS];
    sctpa_series_make(&source, &request, series);
    for (unsigned kind = 0; kind < SCTPA_SERIES_KINDS; kind++)
        g_assert_true((series[kind] != NULL) == (kind == SCTPA_SERIES_RTO));
    free_all(series);
    traffic_free(traffic);
}

static void a_direction_without_data_has_empty_series(void)
{
    feeder_t feeder;
    sctpa_series_t *series[SCTPA_SERIES_KINDS];
    const sctpa_series_request_t request = { .kinds = SCTPA_SERIES_ALL, .path = SCTPA_SERIES_ANY_PATH };
    feeder_init(&feeder);
    feed_setup(&feeder, TAG_A, TAG_Z);
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_HEARTBEAT, 0);
    for (uint8_t end = 0; end < 2; end++) {
        sctpa_series_source_t source = sctpa_series_source(feeder.sctpa, 0, end, 0);
        sctpa_series_make(&source, &request, series);
        for (unsigned kind = 0; kind < SCTPA_SERIES_KINDS; kind++)
            g_assert_cmpuint(count(series, kind), ==, 0);
        free_all(series);
    }
    sctpa_free(feeder.sctpa);
}

/* Old SACKs (RFC 9260 6.2.1) do not pull the line of acks down; their gap blocks and windows are shown where they were.
 */
static void an_old_sack_is_no_point_of_the_cum_ack(void)
{
    feeder_t feeder;
    sctpa_series_t *series[SCTPA_SERIES_KINDS];
    const sctpa_series_request_t request = { .kinds = SCTPA_SERIES_ALL, .path = SCTPA_SERIES_ANY_PATH };
    uint32_t n;
    feeder_init(&feeder);
    feed_setup(&feeder, TAG_A, TAG_Z);
    for (uint32_t i = 0; i < 4; i++)
        feed_bytes(&feeder, 1000000 * (i + 100), TAG_A + i, 10);
    feed_window(&feeder, 200000000, TAG_A + 2, 5000);
    feed_window(&feeder, 200100000, TAG_A + 1, 6000);
    sctpa_series_source_t source = sctpa_series_source(feeder.sctpa, 0, 0, 0);
    sctpa_series_make(&source, &request, series);
    const sctpa_point_t *points = sctpa_series_points(series[SCTPA_SERIES_CUM_ACK], &n);
    g_assert_cmpuint(n, ==, 1);
    g_assert_cmpint(points[0].value, ==, 2);
    g_assert_cmpuint(count(series, SCTPA_SERIES_A_RWND), ==, 2);
    free_all(series);
    sctpa_free(feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/series/everything_once", series_hold_everything_once_and_in_order);
    g_test_add_func("/series/path", a_path_that_was_not_used_has_no_points);
    g_test_add_func("/series/stream", goodput_can_be_that_of_one_stream);
    g_test_add_func("/series/bins", bins_are_even_and_aligned);
    g_test_add_func("/series/asked_for", what_was_not_asked_for_is_not_made);
    g_test_add_func("/series/no_data", a_direction_without_data_has_empty_series);
    g_test_add_func("/series/old_sack", an_old_sack_is_no_point_of_the_cum_ack);
    return g_test_run();
}
