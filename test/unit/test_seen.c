/* Sets of TSNs as ranges, against a bit per TSN. */
#include <glib.h>

#include "../../plugins/sctp_analysis/core/data/seen.h"

enum { TSNS = 300, STEPS = 4000 };

static void compare(const sctpa_seen_t *seen, const bool *has)
{
    int64_t at = -5;
    sctpa_range_t range;
    bool listed[TSNS] = { false };
    while (sctpa_seen_next(seen, at, TSNS + 5, &range)) {
        g_assert_cmpint(range.first, >=, at);
        g_assert_cmpint(range.last, >=, range.first);
        g_assert_false(range.first > 0 && listed[range.first - 1]);     /* ranges do not touch */
        for (int64_t i = range.first; i <= range.last; i++)
            listed[i] = true;
        at = range.last + 1;
    }
    for (unsigned i = 0; i < TSNS; i++)
        g_assert_cmpint(listed[i], ==, has[i]);
}

static void test_random(void)
{
    for (unsigned round = 0; round < 20; round++) {
        bool has[TSNS] = { false };
        sctpa_seen_t seen;
        int64_t floor = -1;
        sctpa_seen_init(&seen);
        for (unsigned step = 0; step < STEPS; step++) {
            int64_t tsn = g_test_rand_int_range(0, TSNS);
            if (step % 40 == 39) {
                floor = MAX(floor, MIN(tsn, (int64_t)(step * TSNS / STEPS)));
                sctpa_seen_remove_to(&seen, floor);
                for (int64_t i = 0; i <= floor; i++)
                    has[i] = false;
            } else if (tsn > floor) {
                sctpa_seen_add(&seen, tsn);
                has[tsn] = true;
            }
            if (step % 16 == 0)
                compare(&seen, has);
        }
        compare(&seen, has);
        sctpa_seen_clear(&seen);
    }
}

static void test_usual(void)
{
    sctpa_seen_t seen;
    sctpa_range_t range;
    sctpa_seen_init(&seen);
    for (int64_t i = 10; i < 1000000; i++)
        sctpa_seen_add(&seen, i);
    g_assert_null(seen.below);
    g_assert_true(sctpa_seen_next(&seen, 0, G_MAXINT64, &range));
    g_assert_cmpint(range.first, ==, 10);
    g_assert_cmpint(range.last, ==, 999999);
    sctpa_seen_remove_to(&seen, 2000000);
    g_assert_false(sctpa_seen_next(&seen, 0, G_MAXINT64, &range));
}

/* A block of 10,000 in reverse order, as a reordering network may deliver it. */
static void test_reversed(void)
{
    sctpa_seen_t seen;
    sctpa_range_t range;
    sctpa_seen_init(&seen);
    for (int64_t i = 0; i < 20000; i += 2)
        sctpa_seen_add(&seen, 20000 - i);
    for (int64_t i = 1; i < 20000; i += 2)
        sctpa_seen_add(&seen, i);
    g_assert_true(sctpa_seen_next(&seen, 0, G_MAXINT64, &range));
    g_assert_cmpint(range.first, ==, 1);
    g_assert_cmpint(range.last, ==, 20000);
    sctpa_seen_clear(&seen);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/seen/random", test_random);
    g_test_add_func("/seen/usual", test_usual);
    g_test_add_func("/seen/reversed", test_reversed);
    return g_test_run();
}
