/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often a timer expired until an endpoint gave up: waits that double, up to RTO.Max, and what is late. */
#include "measure/endings/abort_reason.h"
#include "wire/types.h"

static sctpa_expiries_t after(double wait_s, bool alike, double took_s)
{
    const sctpa_last_errors_t errors = { .wait_ns = (int64_t)(wait_s * 1e9), .waits_are_alike = alike };
    return sctpa_expiries_of(&errors, (int64_t)(took_s * 1e9), SCTPA_RTO_MAX_NS);
}

static void the_next_wait_is_twice_as_long(void)
{
    const sctpa_expiries_t expiries = after(1, false, 2.01);
    g_assert_cmpuint(expiries.least, ==, 1);
    g_assert_cmpuint(expiries.most, ==, 1);
}

static void waits_that_are_alike_stay_so(void)
{
    const sctpa_expiries_t expiries = after(1, true, 1.01);
    g_assert_cmpuint(expiries.least, ==, 1);
    g_assert_cmpuint(expiries.most, ==, 1);
    g_assert_cmpuint(after(1, false, 1.01).most, ==, 0);
}

static void expiries_without_retransmission_are_found_up_to_rto_max(void)
{
    const sctpa_expiries_t expiries = after(16, false, 32 + 5 * 60 + 10);
    g_assert_cmpuint(expiries.least, ==, 6);
    g_assert_cmpuint(expiries.most, ==, 6);
}

static void many_short_waits_leave_a_range(void)
{
    const sctpa_expiries_t expiries = after(1, true, 20.5);
    g_assert_cmpuint(expiries.least, ==, 19);
    g_assert_cmpuint(expiries.most, >, expiries.least);
}

static void an_end_at_another_time_is_no_expiry(void)
{
    g_assert_cmpuint(after(1, false, 0.5).most, ==, 0);
    g_assert_cmpuint(after(1, false, 3.5).most, ==, 0);
    g_assert_cmpuint(after(0, false, 1).most, ==, 0);
}

static void the_longest_waits_do_not_overflow(void)
{
    const sctpa_last_errors_t errors = { .wait_ns = SCTPA_TIME_SPAN_NS, .waits_are_alike = true };
    g_assert_cmpuint(sctpa_expiries_of(&errors, SCTPA_TIME_SPAN_NS, SCTPA_RTO_MAX_NS).least, ==, 1);
    g_assert_cmpuint(sctpa_expiries_of(&errors, 1, SCTPA_RTO_MAX_NS).most, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/last_errors/doubles", the_next_wait_is_twice_as_long);
    g_test_add_func("/last_errors/alike", waits_that_are_alike_stay_so);
    g_test_add_func("/last_errors/uncaptured", expiries_without_retransmission_are_found_up_to_rto_max);
    g_test_add_func("/last_errors/range", many_short_waits_leave_a_range);
    g_test_add_func("/last_errors/other_time", an_end_at_another_time_is_no_expiry);
    g_test_add_func("/last_errors/overflow", the_longest_waits_do_not_overflow);
    return g_test_run();
}
