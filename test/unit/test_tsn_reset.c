/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects what a reset of TSNs (RFC 6525 5.2.4) does to the data before it, where the set-up was not captured. */
#include "track_feed.h"

enum { PARAM_RESPONSE = 16, PERFORMED = 1 };

/* Z performs what A asked for: A goes on with next_tsn. */
static void feed_reset(feeder_t *feeder, uint32_t next_tsn)
{
    begin(feeder, false, TAG_A);
    uint8_t *value = chunk(feeder, SCTPA_CHUNK_RE_CONFIG, 0, 5);
    put16(value, PARAM_RESPONSE);
    put16(value + 2, 20);
    put32(value + 4, 1);
    put32(value + 8, PERFORMED);
    put32(value + 12, 1);
    put32(value + 16, next_tsn);
    feed(feeder);
}

static const sctpa_direction_t *sent_by_a(const feeder_t *feeder)
{
    return sctpa_direction(feeder->sctpa, 0, 0);
}

static void begin_with_data(feeder_t *feeder)
{
    feeder_init(feeder);
    feed_data(feeder, true, TAG_Z, 5000);
    feed_data(feeder, true, TAG_Z, 4990);
    g_assert_cmpuint(sent_by_a(feeder)->flight_bytes, >, 0);
}

/* 4990 is below the first TSN seen. */
static void test_ends_all_that_is_outstanding(void)
{
    feeder_t feeder;
    begin_with_data(&feeder);
    feed_reset(&feeder, 9000);
    g_assert_cmpuint(sent_by_a(&feeder)->flight_bytes, ==, 0);
    g_assert_true(sctpa_direction_tsn(sent_by_a(&feeder), -10)->state & SCTPA_TSN_ABANDONED);
    sctpa_free(feeder.sctpa);
}

/* The next TSN is one that was sent already: 2^32 further on. */
static void test_never_takes_the_highest_back(void)
{
    feeder_t feeder;
    begin_with_data(&feeder);
    feed_reset(&feeder, 5000);
    g_assert_cmpint(sent_by_a(&feeder)->highest, ==, G_MAXUINT32);
    feed_data(&feeder, true, TAG_Z, 5000);
    g_assert_cmpint(sent_by_a(&feeder)->highest, ==, INT64_C(1) << 32);
    sctpa_free(feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/tsn_reset/ends_all_that_is_outstanding", test_ends_all_that_is_outstanding);
    g_test_add_func("/tsn_reset/never_takes_the_highest_back", test_never_takes_the_highest_back);
    return g_test_run();
}
