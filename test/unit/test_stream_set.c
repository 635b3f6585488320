/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of streams: the same as a set of flags, in whatever order streams come, within a bound of memory. */
#include <glib.h>
#include <string.h>

#include "model/shared/stream_set.h"

enum { STREAMS = 1 << 16 };

static void as_a_set_of_flags(void)
{
    sctpa_arena_t arena;
    bool *flags = g_new0(bool, STREAMS);
    sctpa_stream_set_t set = { .n = 0 };
    GRand *random = g_rand_new_with_seed(17);
    sctpa_arena_init(&arena);
    for (unsigned round = 0; round < 40; round++) {
        sctpa_stream_set_clear(&set);
        memset(flags, 0, STREAMS);
        for (unsigned i = 0; i < 600; i++) {
            uint16_t stream = (uint16_t)(g_rand_int_range(random, 0, 500) + (round % 2 ? STREAMS - 500 : 0));
            g_assert_true(sctpa_stream_set_add(&set, &arena, stream));
            flags[stream] = true;
        }
        for (uint32_t stream = 0; stream < STREAMS; stream++)
            g_assert_cmpint(sctpa_stream_set_has(&set, (uint16_t)stream), ==, flags[stream]);
        for (unsigned i = 1; i < set.n; i++)
            g_assert_cmpuint(set.ranges[i - 1].last + 1, <, set.ranges[i].first);
    }
    g_rand_free(random);
    g_free(flags);
    sctpa_arena_clear(&arena);
}

static void neighbours_are_one_range(void)
{
    sctpa_arena_t arena;
    sctpa_stream_set_t set = { .n = 0 };
    sctpa_arena_init(&arena);
    for (uint32_t stream = STREAMS; stream-- > 0;)
        g_assert_true(sctpa_stream_set_add(&set, &arena, (uint16_t)stream));
    g_assert_cmpuint(set.n, ==, 1);
    g_assert_true(set.ranges[0].first == 0 && set.ranges[0].last == STREAMS - 1);
    g_assert_true(sctpa_stream_set_add(&set, &arena, 0) && sctpa_stream_set_add(&set, &arena, STREAMS - 1));
    g_assert_cmpuint(set.n, ==, 1);
    sctpa_arena_clear(&arena);
}

static void too_many_ranges_are_refused(void)
{
    sctpa_arena_t arena;
    sctpa_stream_set_t set = { .n = 0 };
    sctpa_arena_init(&arena);
    for (unsigned i = 0; i < SCTPA_STREAM_RANGES_MAX; i++)
        g_assert_true(sctpa_stream_set_add(&set, &arena, (uint16_t)(60000 - 2 * i)));
    g_assert_false(sctpa_stream_set_add(&set, &arena, 100));
    g_assert_false(sctpa_stream_set_has(&set, 100));
    g_assert_true(sctpa_stream_set_add(&set, &arena, 59999) && sctpa_stream_set_has(&set, 59999));
    g_assert_cmpuint(set.n, ==, SCTPA_STREAM_RANGES_MAX - 1);
    sctpa_arena_clear(&arena);
}

static void its_memory_is_used_again(void)
{
    sctpa_arena_t arena;
    sctpa_stream_set_t set = { .n = 0 };
    sctpa_arena_init(&arena);
    for (unsigned i = 0; i < 200; i++)
        sctpa_stream_set_add(&set, &arena, (uint16_t)(2 * i));
    const sctpa_stream_range_t *ranges = set.ranges;
    for (unsigned round = 0; round < 1000; round++) {
        sctpa_stream_set_clear(&set);
        for (unsigned i = 0; i < 200; i++)
            sctpa_stream_set_add(&set, &arena, (uint16_t)(2 * i + 1));
        g_assert_true(set.ranges == ranges);
    }
    sctpa_arena_clear(&arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/stream_set/flags", as_a_set_of_flags);
    g_test_add_func("/stream_set/neighbours", neighbours_are_one_range);
    g_test_add_func("/stream_set/bound", too_many_ranges_are_refused);
    g_test_add_func("/stream_set/memory", its_memory_is_used_again);
    return g_test_run();
}
