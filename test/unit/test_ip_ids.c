/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects what identifications of IPv4 prove: that no packet of an endpoint is missing, or nothing. */
#include <glib.h>

#include "../../plugins/sctp_analysis/core/tap/ip_ids.h"
#include "../../plugins/sctp_analysis/core/track/feed/feed_parts.h"
#include "../../plugins/sctp_analysis/core/track/tracker.h"

static const int64_t ms = 1000000;

enum { N = 40, LAST = N - 1 };

/* Follows packets with these identifications, step_ns apart. */
static sctpa_ip_ids_t followed(const uint16_t *ids, unsigned n, int64_t step_ns)
{
    sctpa_ip_ids_t result = { 0 };
    sctpa_tracker_t *tracker = sctpa_tracker_new();
    for (unsigned i = 0; i < n; i++) {
        sctpa_stamp_t stamp = { .time_ns = (int64_t)(i + 1) * step_ns };
        sctpa_packet_t packet = { .time_ns = stamp.time_ns, .ip_id = ids[i] };
        g_array_append_val(tracker->store.stamps, stamp);
        sctpa_ip_ids_take(&result, tracker, &packet, i);
    }
    sctpa_tracker_free(tracker);
    return result;
}

static void fill(uint16_t *ids)
{
    for (unsigned i = 0; i < N; i++)
        ids[i] = (uint16_t)(1000 + i);
}

static sctpa_known_t hold(const uint16_t *ids, unsigned from, unsigned to)
{
    sctpa_ip_ids_t followed_ids = followed(ids, N, ms);
    return sctpa_ip_ids_hold_all(&followed_ids, from, to);
}

static void ids_in_a_row_hold_all(void)
{
    uint16_t ids[N];
    fill(ids);
    g_assert_cmpint(hold(ids, 0, LAST), ==, SCTPA_YES);
    g_assert_cmpint(hold(ids, 12, 20), ==, SCTPA_YES);
    g_assert_cmpint(hold(ids, 12, LAST + 1), ==, SCTPA_UNKNOWN);
}

static void few_packets_and_silences_prove_nothing(void)
{
    uint16_t ids[N];
    fill(ids);
    sctpa_ip_ids_t few = followed(ids, SCTPA_IP_IDS_LEAST, ms), enough = followed(ids, SCTPA_IP_IDS_LEAST + 1, ms),
                   silent = followed(ids, N, 70000 * ms);
    g_assert_cmpint(sctpa_ip_ids_hold_all(&few, 0, SCTPA_IP_IDS_LEAST - 1), ==, SCTPA_UNKNOWN);
    g_assert_cmpint(sctpa_ip_ids_hold_all(&enough, 0, SCTPA_IP_IDS_LEAST), ==, SCTPA_YES);
    g_assert_cmpint(sctpa_ip_ids_hold_all(&silent, LAST - 1, LAST), ==, SCTPA_UNKNOWN);
}

/* Whatever way the 20th packet is lost or changed, nothing is proven about the time in which it was sent. */
static void what_is_missing_ends_the_proof(void)
{
    uint16_t ids[N];
    fill(ids);
    for (unsigned i = 20; i < N; i++)
        ids[i]++;
    g_assert_cmpint(hold(ids, 19, 20), ==, SCTPA_UNKNOWN);
    g_assert_cmpint(hold(ids, 20, LAST), ==, SCTPA_YES);
    for (unsigned i = 20; i < N; i++)
        ids[i] = (uint16_t)(ids[i] + 100);
    g_assert_cmpint(hold(ids, 19, 20), ==, SCTPA_UNKNOWN);
    g_assert_cmpint(hold(ids, 20, LAST), ==, SCTPA_YES);
    fill(ids);
    ids[20] = 0;
    g_assert_cmpint(hold(ids, 19, 21), ==, SCTPA_UNKNOWN);
    ids[20] = ids[19];
    g_assert_cmpint(hold(ids, 19, 21), ==, SCTPA_UNKNOWN);
}

/* It is lost for good once 32 more have passed. */
static void one_that_does_not_come_is_given_up(void)
{
    uint16_t ids[2 * N];
    for (unsigned i = 0; i < 2 * N; i++)
        ids[i] = (uint16_t)(1000 + i + (i >= 5));
    sctpa_ip_ids_t before = followed(ids, 36, ms), after = followed(ids, 2 * N, ms);
    g_assert_cmpint(sctpa_ip_ids_hold_all(&before, 4, 35), ==, SCTPA_UNKNOWN);
    g_assert_cmpint(sctpa_ip_ids_hold_all(&before, 5, 35), ==, SCTPA_YES);
    g_assert_cmpint(sctpa_ip_ids_hold_all(&after, 4, 2 * N - 1), ==, SCTPA_UNKNOWN);
    g_assert_cmpint(sctpa_ip_ids_hold_all(&after, 5, 2 * N - 1), ==, SCTPA_YES);
}

static void packets_that_overtake_each_other_are_all_there(void)
{
    uint16_t ids[N];
    fill(ids);
    ids[20] = 1025;
    for (unsigned i = 21; i <= 25; i++)
        ids[i] = (uint16_t)(1000 + i - 1);
    g_assert_cmpint(hold(ids, 0, LAST), ==, SCTPA_YES);
    ids[23] = ids[24] = 1023; /* 1022 did not come, 1023 twice */
    g_assert_cmpint(hold(ids, 0, LAST), ==, SCTPA_UNKNOWN);
}

/* Two holes: the first is filled, the second is given up. */
static void a_hole_that_is_filled_uncovers_no_other(void)
{
    uint16_t ids[2 * N];
    for (unsigned i = 0; i < 2 * N; i++)
        ids[i] = (uint16_t)(1000 + i + (i >= 20));
    ids[10] = 1011;
    ids[11] = 1010;
    sctpa_ip_ids_t all = followed(ids, 2 * N, ms);
    g_assert_cmpint(sctpa_ip_ids_hold_all(&all, 19, 2 * N - 1), ==, SCTPA_UNKNOWN);
    g_assert_cmpint(sctpa_ip_ids_hold_all(&all, 20, 2 * N - 1), ==, SCTPA_YES);
}

static void numbers_drawn_at_random_and_shared_counters_prove_nothing(void)
{
    enum { MANY = 100000 };
    uint16_t *ids = g_new(uint16_t, MANY);
    for (unsigned i = 0; i < MANY; i++)
        ids[i] = (uint16_t)g_test_rand_int();
    sctpa_ip_ids_t random = followed(ids, MANY, ms);
    g_assert_cmpuint(sctpa_ip_ids_since(&random), ==, 0);
    for (unsigned i = 0; i < MANY; i++)
        ids[i] = (uint16_t)(3 * i);
    sctpa_ip_ids_t shared = followed(ids, MANY, ms);
    g_assert_cmpuint(sctpa_ip_ids_since(&shared), ==, 0);
    g_free(ids);
}

static void the_count_goes_on_beyond_65535_but_not_through_0(void)
{
    uint16_t ids[N];
    for (unsigned i = 0; i < N; i++)
        ids[i] = (uint16_t)(65520 + i + (i >= 16)); /* a host that leaves 0 out */
    g_assert_cmpint(hold(ids, 0, LAST), ==, SCTPA_UNKNOWN);
    for (unsigned i = 0; i < N; i++)
        ids[i] = (uint16_t)(65520 + i);
    g_assert_cmpint(hold(ids, 0, LAST), ==, SCTPA_UNKNOWN);
    g_assert_cmpint(hold(ids, 17, LAST), ==, SCTPA_YES);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ip_ids/in_a_row", ids_in_a_row_hold_all);
    g_test_add_func("/ip_ids/few", few_packets_and_silences_prove_nothing);
    g_test_add_func("/ip_ids/missing", what_is_missing_ends_the_proof);
    g_test_add_func("/ip_ids/given_up", one_that_does_not_come_is_given_up);
    g_test_add_func("/ip_ids/reordered", packets_that_overtake_each_other_are_all_there);
    g_test_add_func("/ip_ids/holes", a_hole_that_is_filled_uncovers_no_other);
    g_test_add_func("/ip_ids/random", numbers_drawn_at_random_and_shared_counters_prove_nothing);
    g_test_add_func("/ip_ids/wrap", the_count_goes_on_beyond_65535_but_not_through_0);
    return g_test_run();
}
