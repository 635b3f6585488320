/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects what is said of data that stood still: only while something was outstanding, as long as nothing new was
 * acked. */
#include "measure/periods/stalls.h"

#include "data_feed.h"

#define MS(n) ((int64_t)(n)*1000000)

typedef struct {
    feeder_t feeder;
    int64_t start_ns;
} line_t;

static void line_begin(line_t *line)
{
    memset(line, 0, sizeof *line);
    feeder_init(&line->feeder);
    feed_setup(&line->feeder, TAG_A, TAG_Z);
    line->start_ns = line->feeder.packet.time_ns + MS(10);
}

static uint32_t data_at(line_t *line, int ms, uint32_t number)
{
    return feed_bytes(&line->feeder, line->start_ns + MS(ms), TAG_A + number, 25);
}

/* Acks all before number. */
static uint32_t ack_at(line_t *line, int ms, uint32_t number)
{
    return feed_window(&line->feeder, line->start_ns + MS(ms), TAG_A + number - 1, 65536);
}

static sctpa_stalls_t *stalls_of(line_t *line, int end_ms, int least_ms, uint32_t least_timeouts)
{
    sctpa_series_source_t source = sctpa_series_source(line->feeder.sctpa, 0, 0, line->start_ns);
    return sctpa_stalls_measure(&source, line->start_ns + MS(end_ms), MS(least_ms), least_timeouts);
}

static void finds_a_wait_between_two_acks(void)
{
    line_t line;
    line_begin(&line);
    data_at(&line, 0, 0);
    data_at(&line, 1, 1);
    uint32_t since = ack_at(&line, 20, 1);
    data_at(&line, 1100, 1);
    uint32_t until = ack_at(&line, 1520, 2);
    sctpa_stalls_t *found = stalls_of(&line, 2000, 1000, 2);
    g_assert_cmpuint(found->stalls->len, ==, 1);
    sctpa_stall_t stall = g_array_index(found->stalls, sctpa_stall_t, 0);
    g_assert_cmpuint(stall.since, ==, since);
    g_assert_cmpuint(stall.until, ==, until);
    g_assert_cmpint(stall.stalled_ns, ==, MS(1500));
    g_assert_cmpuint(stall.chunks, ==, 1);
    g_assert_cmpint(found->stalled_ns, ==, MS(1500));
    g_assert_cmpint(found->longest.stalled_ns, ==, MS(1500));
    sctpa_stalls_free(found);
    sctpa_free(line.feeder.sctpa);
}

static void is_none_where_the_sender_sends_nothing_again(void)
{
    line_t line;
    line_begin(&line);
    data_at(&line, 0, 0);
    ack_at(&line, 20, 1);
    data_at(&line, 100, 1);
    data_at(&line, 9000, 2);
    ack_at(&line, 9020, 3);
    sctpa_stalls_t *found = stalls_of(&line, 10000, 1000, 2);
    g_assert_cmpuint(found->stalls->len, ==, 0);
    g_assert_cmpint(found->longest.stalled_ns, ==, MS(20));
    sctpa_stalls_free(found);
    sctpa_free(line.feeder.sctpa);
}

static void is_none_by_a_fast_retransmission(void)
{
    line_t line;
    line_begin(&line);
    for (uint32_t number = 0; number < 6; number++)
        data_at(&line, 0, number);
    for (uint32_t end = 2; end <= 5; end++)
        feed_gap(&line.feeder, line.start_ns + MS(20 + end), TAG_A, 65536, 2u << 16 | end);
    data_at(&line, 26, 1);
    ack_at(&line, 9000, 6);
    sctpa_stalls_t *found = stalls_of(&line, 10000, 1000, 2);
    g_assert_cmpuint(found->stalls->len, ==, 0);
    sctpa_stalls_free(found);
    sctpa_free(line.feeder.sctpa);
}

static void ends_where_the_next_retransmission_is_overdue(void)
{
    line_t line;
    line_begin(&line);
    data_at(&line, 0, 0);
    ack_at(&line, 20, 1);
    uint32_t since = data_at(&line, 100, 1);
    data_at(&line, 1200, 1);
    uint32_t last = data_at(&line, 3300, 1);
    ack_at(&line, 60000, 2);
    sctpa_stalls_t *found = stalls_of(&line, 60000, 1000, 2);
    g_assert_cmpuint(found->stalls->len, ==, 1);
    sctpa_stall_t stall = g_array_index(found->stalls, sctpa_stall_t, 0);
    g_assert_cmpuint(stall.since, ==, since);
    g_assert_cmpuint(stall.until, ==, last);
    g_assert_false(stall.ends_acked);
    g_assert_cmpint(stall.stalled_ns, ==, MS(3200));
    sctpa_stalls_free(found);
    sctpa_free(line.feeder.sctpa);
}

static void calls_idle_time_no_stall(void)
{
    line_t line;
    line_begin(&line);
    data_at(&line, 0, 0);
    ack_at(&line, 20, 1);
    data_at(&line, 9000, 1);
    ack_at(&line, 9020, 2);
    sctpa_stalls_t *found = stalls_of(&line, 20000, 1000, 2);
    g_assert_cmpuint(found->stalls->len, ==, 0);
    g_assert_cmpint(found->stalled_ns, ==, 0);
    g_assert_cmpint(found->longest.stalled_ns, ==, MS(20));
    sctpa_stalls_free(found);
    sctpa_free(line.feeder.sctpa);
}

static void lasts_until_the_end_when_nothing_is_acked_any_more(void)
{
    line_t line;
    line_begin(&line);
    uint32_t since = data_at(&line, 0, 0);
    data_at(&line, 1000, 0);
    data_at(&line, 3000, 0);
    sctpa_stalls_t *found = stalls_of(&line, 5000, 1000, 2);
    g_assert_cmpuint(found->stalls->len, ==, 1);
    sctpa_stall_t stall = g_array_index(found->stalls, sctpa_stall_t, 0);
    g_assert_cmpuint(stall.since, ==, since);
    g_assert_cmpuint(stall.until, ==, SCTPA_NO_PACKET_INDEX);
    g_assert_cmpint(stall.stalled_ns, ==, MS(5000));
    g_assert_cmpuint(stall.timeouts, ==, 2);
    sctpa_stalls_free(found);
    sctpa_free(line.feeder.sctpa);
}

static void takes_timeouts_in_a_row_for_a_stall_however_short(void)
{
    line_t line;
    line_begin(&line);
    data_at(&line, 0, 0);
    ack_at(&line, 20, 1);
    data_at(&line, 1000, 1);
    data_at(&line, 2000, 1);
    data_at(&line, 4000, 1);
    ack_at(&line, 4020, 2);
    sctpa_stalls_t *found = stalls_of(&line, 5000, 9000, 2);
    g_assert_cmpuint(found->stalls->len, ==, 1);
    g_assert_cmpuint(found->most_timeouts, ==, 2);
    g_assert_cmpint(found->stalled_ns, ==, MS(3020));
    sctpa_stalls_free(found);
    found = stalls_of(&line, 5000, 9000, 3);
    g_assert_cmpuint(found->stalls->len, ==, 0);
    sctpa_stalls_free(found);
    sctpa_free(line.feeder.sctpa);
}

static void has_no_stall_without_data(void)
{
    line_t line;
    line_begin(&line);
    sctpa_stalls_t *found = stalls_of(&line, 1000, 0, 0);
    g_assert_cmpuint(found->stalls->len, ==, 0);
    g_assert_cmpuint(found->longest.since, ==, SCTPA_NO_PACKET_INDEX);
    sctpa_stalls_free(found);
    sctpa_stalls_free(NULL);
    sctpa_series_source_t source = sctpa_series_source(line.feeder.sctpa, 0, 0, line.start_ns);
    g_assert_cmpuint(sctpa_moves_measure(&source).n, ==, 0);
    sctpa_free(line.feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/stalls/" #name, name)
    TEST(finds_a_wait_between_two_acks);
    TEST(is_none_where_the_sender_sends_nothing_again);
    TEST(is_none_by_a_fast_retransmission);
    TEST(ends_where_the_next_retransmission_is_overdue);
    TEST(calls_idle_time_no_stall);
    TEST(lasts_until_the_end_when_nothing_is_acked_any_more);
    TEST(takes_timeouts_in_a_row_for_a_stall_however_short);
    TEST(has_no_stall_without_data);
    return g_test_run();
}
