/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects what answers that are stamped before what they answer show of the clocks of two directions. */
#include <glib.h>

#include "../../plugins/sctp_analysis/core/tap/clocks.h"

static const int64_t ms = 1000000;

enum { NO_RTT = -1 };

/* Does it show after n answers of endpoint 1, each early by early_ns? */
static bool shows(unsigned n, int64_t early_ns, int64_t back_ns, bool is_sure)
{
    sctpa_clocks_t clocks = { 0 };
    sctpa_clock_difference_t difference;
    for (unsigned i = 0; i < n; i++)
        sctpa_clocks_take(&clocks, 1, early_ns, back_ns, 10 + i, is_sure);
    bool does = sctpa_clocks_differ(&clocks, (int64_t[2]){ back_ns, NO_RTT }, &difference);
    g_assert_cmpint(does, ==, sctpa_clocks_error_ns(&clocks) > 0);
    return does;
}

static void one_answer_to_what_is_not_sent_again_shows_it(void)
{
    g_assert_true(shows(1, 5 * ms, 40 * ms, true));
    g_assert_false(shows(1, 5 * ms, NO_RTT, true));
}

static void answers_to_what_may_be_sent_again_show_it_together(void)
{
    g_assert_false(shows(SCTPA_CLOCKS_PAIRS_LEAST - 1, 5 * ms, 40 * ms, false));
    g_assert_true(shows(SCTPA_CLOCKS_PAIRS_LEAST, 5 * ms, 40 * ms, false));
}

static void an_answer_that_is_no_earlier_or_too_early_shows_nothing(void)
{
    g_assert_false(shows(99, 0, 40 * ms, true));
    g_assert_false(shows(99, -ms, 40 * ms, true));
    g_assert_true(shows(99, 40 * ms, 40 * ms, false));
    g_assert_false(shows(99, 41 * ms, 40 * ms, false));
}

static void the_difference_lies_between_the_earliest_answer_and_the_shortest_of_the_peer(void)
{
    sctpa_clocks_t clocks = { 0 };
    sctpa_clock_difference_t difference;
    sctpa_clocks_take(&clocks, 0, 2 * ms, 40 * ms, 7, true);
    sctpa_clocks_take(&clocks, 0, 5 * ms, 40 * ms, 9, true);
    sctpa_clocks_take(&clocks, 0, 3 * ms, 40 * ms, 11, true);
    g_assert_true(sctpa_clocks_differ(&clocks, (int64_t[2]){ NO_RTT, 30 * ms }, &difference));
    g_assert_cmpint(difference.early, ==, 0);
    g_assert_cmpint(difference.least_ns, ==, 5 * ms);
    g_assert_cmpint(difference.most_ns, ==, 30 * ms);
    g_assert_cmpint(difference.first, ==, 7);
    g_assert_cmpint(difference.pairs, ==, 3);
}

static void where_the_peer_was_faster_before_the_difference_has_no_upper_bound(void)
{
    sctpa_clocks_t clocks = { 0 };
    sctpa_clock_difference_t difference;
    sctpa_clocks_take(&clocks, 0, 5 * ms, 40 * ms, 7, true);
    g_assert_true(sctpa_clocks_differ(&clocks, (int64_t[2]){ NO_RTT, 4 * ms }, &difference));
    g_assert_cmpint(difference.most_ns, ==, -1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/clocks/sure", one_answer_to_what_is_not_sent_again_shows_it);
    g_test_add_func("/clocks/together", answers_to_what_may_be_sent_again_show_it_together);
    g_test_add_func("/clocks/nothing", an_answer_that_is_no_earlier_or_too_early_shows_nothing);
    g_test_add_func("/clocks/bounds", the_difference_lies_between_the_earliest_answer_and_the_shortest_of_the_peer);
    g_test_add_func("/clocks/drift", where_the_peer_was_faster_before_the_difference_has_no_upper_bound);
    return g_test_run();
}
