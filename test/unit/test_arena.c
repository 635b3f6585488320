/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory of one owner: zeroed, aligned, never moved, used again once it is given back. */
#include <glib.h>
#include <string.h>

#include "../../plugins/sctp_analysis/core/base/arena.h"

static void gives_zeroed_memory_that_nobody_else_has(void)
{
    sctpa_arena_t arena;
    uint8_t *objects[2000];
    sctpa_arena_init(&arena);
    for (unsigned i = 0; i < G_N_ELEMENTS(objects); i++) {
        size_t bytes = 1 + i * 37 % 301;
        objects[i] = sctpa_arena_alloc(&arena, bytes);
        g_assert_cmpuint((uintptr_t)objects[i] % 8, ==, 0);
        for (size_t at = 0; at < bytes; at++)
            g_assert_cmpuint(objects[i][at], ==, 0);
        memset(objects[i], (int)(i % 255 + 1), bytes);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(objects); i++)
        for (size_t at = 0; at < 1 + i * 37 % 301; at++)
            g_assert_cmpuint(objects[i][at], ==, i % 255 + 1);
    sctpa_arena_clear(&arena);
}

static void takes_objects_larger_than_a_block(void)
{
    sctpa_arena_t arena;
    sctpa_arena_init(&arena);
    sctpa_arena_alloc(&arena, 8);
    uint8_t *large = sctpa_arena_alloc(&arena, 1 << 20);
    memset(large, 1, 1 << 20);
    uint8_t *after = sctpa_arena_alloc(&arena, 8);
    g_assert_cmpuint(*after, ==, 0);
    sctpa_arena_clear(&arena);
}

/* Sizes of objects: small ones, some of them alike, and large ones. */
static size_t bytes_of(unsigned object)
{
    return object % 7 == 0 ? 1000 + object : 1 + object % 61;
}

static void uses_again_what_was_given_back(void)
{
    enum { OBJECTS = 500 };
    sctpa_arena_t arena;
    uint8_t *objects[OBJECTS] = { NULL };
    sctpa_arena_init(&arena);
    for (unsigned step = 0; step < 20000; step++) {
        unsigned i = (unsigned)g_test_rand_int_range(0, OBJECTS);
        if (objects[i]) {
            for (size_t at = 0; at < bytes_of(i); at++)
                g_assert_cmpuint(objects[i][at], ==, i % 255 + 1);
            sctpa_arena_free(&arena, objects[i], bytes_of(i));
            objects[i] = NULL;
            continue;
        }
        objects[i] = sctpa_arena_alloc(&arena, bytes_of(i));
        g_assert_cmpuint((uintptr_t)objects[i] % 8, ==, 0);
        for (size_t at = 0; at < bytes_of(i); at++)
            g_assert_cmpuint(objects[i][at], ==, 0);
        memset(objects[i], (int)(i % 255 + 1), bytes_of(i));
    }
    g_assert_cmpuint(arena.block_bytes, <=, 1 << 16);
    for (unsigned i = 0; i < OBJECTS; i++)
        sctpa_arena_free(&arena, objects[i], bytes_of(i));
    g_assert_cmpuint(arena.in_use_bytes, ==, 0);
    sctpa_arena_clear(&arena);
}

static void keeps_what_an_array_held_as_it_grows(void)
{
    sctpa_arena_t arena;
    uint32_t *array = NULL, *before = NULL, moves = 0;
    sctpa_arena_init(&arena);
    for (uint32_t i = 0; i < 1000; i++) {
        array = sctpa_arena_grow(&arena, array, i, sizeof *array);
        array[i] = i;
        moves += array != before;
        before = array;
    }
    g_assert_cmpuint(moves, ==, 11);
    for (uint32_t i = 0; i < 1000; i++)
        g_assert_cmpuint(array[i], ==, i);
    g_assert_cmpuint(arena.in_use_bytes, ==, 1024 * sizeof *array);
    sctpa_arena_free_grown(&arena, array, 1000, sizeof *array);
    g_assert_cmpuint(arena.in_use_bytes, ==, 0);
    sctpa_arena_clear(&arena);
}

static void copies_text(void)
{
    sctpa_arena_t arena;
    char text[] = "text";
    sctpa_arena_init(&arena);
    char *copy = sctpa_arena_text(&arena, text);
    text[0] = 'n';
    g_assert_cmpstr(copy, ==, "text");
    g_assert_null(sctpa_arena_text(&arena, NULL));
    sctpa_arena_free_text(&arena, NULL);
    sctpa_arena_free_text(&arena, copy);
    g_assert_cmpuint(arena.in_use_bytes, ==, 0);
    sctpa_arena_clear(&arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/arena/gives_zeroed_memory_that_nobody_else_has", gives_zeroed_memory_that_nobody_else_has);
    g_test_add_func("/arena/takes_objects_larger_than_a_block", takes_objects_larger_than_a_block);
    g_test_add_func("/arena/uses_again_what_was_given_back", uses_again_what_was_given_back);
    g_test_add_func("/arena/keeps_what_an_array_held_as_it_grows", keeps_what_an_array_held_as_it_grows);
    g_test_add_func("/arena/copies_text", copies_text);
    return g_test_run();
}
