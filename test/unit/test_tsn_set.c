/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of TSNs as ranges, against a bit per TSN, and what they cost when there are very many ranges. */
#include <glib.h>

#include "../../plugins/sctp_analysis/core/data/tsn_set.h"

enum { TSNS = 3000, STEPS = 4000 };

static void compare(const sctpa_tsn_set_t *set, const bool *has)
{
    int64_t at = -5;
    sctpa_range_t range;
    bool listed[TSNS] = { false };
    while (sctpa_tsn_set_next(set, at, TSNS + 5, &range)) {
        g_assert_cmpint(range.first, >=, at);
        g_assert_cmpint(range.last, >=, range.first);
        g_assert_false(range.first > 0 && listed[range.first - 1]); /* ranges do not touch */
        for (int64_t i = range.first; i <= range.last; i++)
            listed[i] = true;
        at = range.last + 1;
    }
    for (unsigned i = 0; i < TSNS; i++)
        g_assert_cmpint(listed[i], ==, has[i]);
}

/* Ranges of up to most TSNs; of one TSN there are as many ranges as fill several leaves. */
static void play(int64_t most)
{
    bool has[TSNS] = { false };
    sctpa_arena_t arena;
    sctpa_tsn_set_t set;
    int64_t floor = -1;
    sctpa_arena_init(&arena);
    sctpa_tsn_set_init(&set);
    for (unsigned step = 0; step < STEPS; step++) {
        int64_t first = g_test_rand_int_range(0, TSNS), last = first + g_test_rand_int_range(0, (gint32)most);
        last = MIN(last, TSNS - 1);
        if (step % 40 == 39) {
            floor = MAX(floor, MIN(first, (int64_t)(step * TSNS / STEPS / 2)));
            sctpa_tsn_set_remove_to(&set, &arena, floor);
            for (int64_t i = 0; i <= floor; i++)
                has[i] = false;
        } else if (first > floor) {
            sctpa_tsn_set_add(&set, &arena, (sctpa_range_t){ first, last });
            for (int64_t i = first; i <= last; i++)
                has[i] = true;
        }
        g_assert_cmpint(sctpa_tsn_set_has(&set, first), ==, has[first]);
        if (step % 64 == 0)
            compare(&set, has);
    }
    compare(&set, has);
    sctpa_tsn_set_clear(&set, &arena);
    g_assert_cmpuint(arena.in_use_bytes, ==, 0);
    sctpa_arena_clear(&arena);
    g_assert_true(sctpa_tsn_set_is_empty(&set));
}

static uint64_t lacking(const bool *has, const bool *other, int64_t from)
{
    uint64_t n = 0;
    for (int64_t i = from; i < TSNS; i++)
        n += has[i] && !other[i];
    return n;
}

/* Of two sets, one with a range for nearly every TSN, and one with few long ones or none. */
static void test_lacking(void)
{
    for (gint32 most = 2; most < TSNS; most *= 4) {
        bool has[2][TSNS] = { { false } };
        sctpa_arena_t arena;
        sctpa_tsn_set_t sets[2];
        sctpa_arena_init(&arena);
        for (unsigned of = 0; of < 2; of++) {
            sctpa_tsn_set_init(&sets[of]);
            for (unsigned step = 0; step < 600; step++) {
                const int64_t first = g_test_rand_int_range(0, TSNS);
                int64_t last = first + (of ? g_test_rand_int_range(0, most) : 0);
                last = MIN(last, TSNS - 1);
                if (of && step % 50)
                    continue;
                sctpa_tsn_set_add(&sets[of], &arena, (sctpa_range_t){ first, last });
                for (int64_t i = first; i <= last; i++)
                    has[of][i] = true;
            }
        }
        for (int64_t from = 0; from < TSNS; from += 37)
            for (unsigned of = 0; of < 2; of++)
                g_assert_cmpuint(sctpa_tsn_set_lacking(&sets[of], &sets[!of], from), ==,
                                 lacking(has[of], has[!of], from));
        sctpa_tsn_set_remove_to(&sets[1], &arena, TSNS);
        g_assert_cmpuint(sctpa_tsn_set_lacking(&sets[0], &sets[1], 0), ==,
                         lacking(has[0], (const bool[TSNS]){ false }, 0));
        for (unsigned of = 0; of < 2; of++)
            sctpa_tsn_set_clear(&sets[of], &arena);
        sctpa_arena_clear(&arena);
    }
}

static void test_random(void)
{
    for (unsigned round = 0; round < 8; round++) {
        play(2);
        play(2);
        play(5);
        play(TSNS / 4);
    }
}

static void test_usual(void)
{
    sctpa_arena_t arena;
    sctpa_tsn_set_t set;
    sctpa_range_t range;
    sctpa_arena_init(&arena);
    sctpa_tsn_set_init(&set);
    for (int64_t i = 10; i < 1000000; i++)
        sctpa_tsn_set_add(&set, &arena, (sctpa_range_t){ i, i });
    g_assert_null(set.below);
    g_assert_true(sctpa_tsn_set_next(&set, 0, G_MAXINT64, &range));
    g_assert_cmpint(range.first, ==, 10);
    g_assert_cmpint(range.last, ==, 999999);
    sctpa_tsn_set_remove_to(&set, &arena, 2000000);
    g_assert_false(sctpa_tsn_set_next(&set, 0, G_MAXINT64, &range));
}

/* In reverse order, and then what lies between: all ranges become one. */
static void test_reversed(void)
{
    enum { RANGES = 100000 };
    sctpa_arena_t arena;
    sctpa_tsn_set_t set;
    sctpa_range_t range;
    sctpa_arena_init(&arena);
    sctpa_tsn_set_init(&set);
    for (int64_t i = RANGES; i > 0; i--)
        sctpa_tsn_set_add(&set, &arena, (sctpa_range_t){ 2 * i, 2 * i });
    sctpa_tsn_set_shift(&set, 1);
    g_assert_true(sctpa_tsn_set_has(&set, 2 * RANGES - 1));
    g_assert_false(sctpa_tsn_set_has(&set, 2 * RANGES));
    for (int64_t i = 1; i < RANGES; i++)
        sctpa_tsn_set_add(&set, &arena, (sctpa_range_t){ 2 * i, 2 * i });
    g_assert_true(sctpa_tsn_set_next(&set, 0, G_MAXINT64, &range));
    g_assert_cmpint(range.first, ==, 1);
    g_assert_cmpint(range.last, ==, 2 * RANGES - 1);
    sctpa_tsn_set_add(&set, &arena, (sctpa_range_t){ 0, 4 * RANGES });
    sctpa_tsn_set_remove_to(&set, &arena, 4 * RANGES - 1);
    g_assert_true(sctpa_tsn_set_next(&set, 0, G_MAXINT64, &range));
    g_assert_cmpint(range.first, ==, 4 * RANGES);
    sctpa_tsn_set_clear(&set, &arena);
    g_assert_cmpuint(arena.in_use_bytes, ==, 0);
    sctpa_arena_clear(&arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/tsn_set/random", test_random);
    g_test_add_func("/tsn_set/lacking", test_lacking);
    g_test_add_func("/tsn_set/usual", test_usual);
    g_test_add_func("/tsn_set/reversed", test_reversed);
    return g_test_run();
}
