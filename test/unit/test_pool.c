/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects by number: they stay where they are, and numbers that were given free are used again. */
#include <glib.h>

#include "../../plugins/sctp_analysis/core/base/arena.h"

typedef struct {
    uint32_t number, zero[31];
} object_t;

static void objects_stay_where_they_are(void)
{
    sctpa_pool_t pool;
    object_t *objects[5000];
    sctpa_pool_init(&pool, sizeof(object_t));
    for (uint32_t i = 0, number; i < G_N_ELEMENTS(objects); i++) {
        objects[i] = sctpa_pool_add(&pool, &number);
        g_assert_cmpuint(number, ==, i);
        g_assert_cmpuint(objects[i]->number, ==, 0);
        objects[i]->number = i;
    }
    for (uint32_t i = 0; i < G_N_ELEMENTS(objects); i++) {
        g_assert_true(sctpa_pool_at(&pool, i) == objects[i]);
        g_assert_cmpuint(objects[i]->number, ==, i);
    }
    sctpa_pool_clear(&pool);
    g_assert_cmpuint(pool.count, ==, 0);
}

static void objects_of_whole_cache_lines_begin_at_one(void)
{
    sctpa_pool_t pool;
    sctpa_pool_init(&pool, sizeof(object_t));
    for (uint32_t i = 0, number; i < 100; i++)
        g_assert_cmpuint((uintptr_t)sctpa_pool_add(&pool, &number) % 64, ==, 0);
    sctpa_pool_clear(&pool);
}

static void a_removed_number_is_given_again_zeroed(void)
{
    sctpa_pool_t pool;
    uint32_t number;
    sctpa_pool_init(&pool, sizeof(object_t));
    for (unsigned i = 0; i < 40; i++)
        ((object_t *)sctpa_pool_add(&pool, &number))->zero[0] = 1;
    sctpa_pool_remove(&pool, 3);
    sctpa_pool_remove(&pool, 20);
    for (unsigned i = 0; i < 2; i++) {
        const object_t *object = sctpa_pool_add(&pool, &number);
        g_assert_cmpuint(number, ==, i ? 3 : 20);
        g_assert_cmpuint(object->number, ==, 0);
        g_assert_cmpuint(object->zero[0], ==, 0);
    }
    sctpa_pool_add(&pool, &number);
    g_assert_cmpuint(number, ==, 40);
    sctpa_pool_clear(&pool);
}

static unsigned visited;

static void visit(void *object)
{
    g_assert_cmpuint(((object_t *)object)->zero[0], ==, 1);
    visited++;
}

static void those_removed_are_not_visited(void)
{
    sctpa_pool_t pool;
    uint32_t number;
    sctpa_pool_init(&pool, sizeof(object_t));
    for (unsigned i = 0; i < 100; i++)
        ((object_t *)sctpa_pool_add(&pool, &number))->zero[0] = 1;
    for (unsigned i = 0; i < 100; i += 3)
        sctpa_pool_remove(&pool, i);
    sctpa_pool_each(&pool, visit);
    g_assert_cmpuint(visited, ==, 66);
    g_assert_cmpuint(pool.in_use, ==, 66);
    sctpa_pool_clear(&pool);
    sctpa_pool_each(&pool, visit);
    g_assert_cmpuint(visited, ==, 66);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/pool/objects_stay_where_they_are", objects_stay_where_they_are);
    g_test_add_func("/pool/objects_of_whole_cache_lines_begin_at_one", objects_of_whole_cache_lines_begin_at_one);
    g_test_add_func("/pool/a_removed_number_is_given_again_zeroed", a_removed_number_is_given_again_zeroed);
    g_test_add_func("/pool/those_removed_are_not_visited", those_removed_are_not_visited);
    return g_test_run();
}
