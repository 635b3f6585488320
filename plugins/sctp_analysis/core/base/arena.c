/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory for the objects of one owner. */
#include "arena.h"

#include <glib.h>
#include <string.h>

#include "unowned.h"

enum { BLOCK_BYTES_FIRST = 1 << 12, BLOCK_BYTES_MAX = 1 << 20 };

typedef struct {
    void *before;
} block_t;

/* In front of a large object. */
typedef struct sctpa_large {
    struct sctpa_large *before, *after;
} large_t;

void sctpa_arena_init(sctpa_arena_t *arena)
{
    *arena = (sctpa_arena_t){ .block_bytes = BLOCK_BYTES_FIRST };
}

void sctpa_arena_clear(sctpa_arena_t *arena)
{
    for (block_t *block = arena->newest; block;) {
        block_t *before = block->before;
        g_free(block);
        block = before;
    }
    for (large_t *large = arena->large; large;) {
        large_t *before = large->before;
        g_free(large);
        large = before;
    }
    sctpa_arena_init(arena);
}

static void add_block(sctpa_arena_t *arena)
{
    block_t *block = g_malloc0(arena->block_bytes);
    block->before = arena->newest;
    arena->newest = block;
    arena->at = (uint8_t *)(block + 1);
    arena->left = arena->block_bytes - sizeof *block;
    arena->block_bytes = MIN(2 * arena->block_bytes, BLOCK_BYTES_MAX);
}

static void *large_alloc(sctpa_arena_t *arena, size_t bytes)
{
    large_t *large = g_malloc0(sizeof *large + bytes);
    large->before = arena->large;
    if (large->before)
        large->before->after = large;
    arena->large = large;
    return large + 1;
}

static void large_free(sctpa_arena_t *arena, void *object)
{
    large_t *large = (large_t *)object - 1;
    if (large->before)
        large->before->after = large->after;
    *(large->after ? &large->after->before : &arena->large) = large->before;
    g_free(large);
}

/* The object of that size that was given back last: it begins with a pointer to the one before. */
static void *take_back(sctpa_arena_t *arena, size_t units)
{
    void *object = arena->given_back[units];
    SCTPA_OWN(object, units * SCTPA_ARENA_UNIT_BYTES);
    memcpy(&arena->given_back[units], object, sizeof(void *));
    return memset(object, 0, units * SCTPA_ARENA_UNIT_BYTES);
}

void *sctpa_arena_alloc_elsewhere(sctpa_arena_t *arena, size_t units)
{
    size_t bytes = units * SCTPA_ARENA_UNIT_BYTES;
    if (bytes > SCTPA_ARENA_SMALL_BYTES)
        return large_alloc(arena, bytes);
    if (arena->given_back[units])
        return take_back(arena, units);
    add_block(arena);
    void *object = arena->at;
    arena->at += bytes;
    arena->left -= bytes;
    return object;
}

void sctpa_arena_free(sctpa_arena_t *arena, void *object, size_t bytes)
{
    size_t units = sctpa_arena_units(bytes);
    if (!object)
        return;
    bytes = units * SCTPA_ARENA_UNIT_BYTES;
    arena->in_use_bytes -= bytes;
    if (bytes > SCTPA_ARENA_SMALL_BYTES) {
        large_free(arena, object);
        return;
    }
    memcpy(object, &arena->given_back[units], sizeof(void *));
    arena->given_back[units] = object;
    SCTPA_DISOWN(object, bytes);
}

void *sctpa_arena_double(sctpa_arena_t *arena, void *object, size_t bytes)
{
    void *moved = memcpy(sctpa_arena_alloc(arena, 2 * bytes), object, bytes);
    sctpa_arena_free(arena, object, bytes);
    return moved;
}

char *sctpa_arena_text(sctpa_arena_t *arena, const char *text)
{
    if (!text)
        return NULL;
    size_t bytes = strlen(text) + 1;
    return memcpy(sctpa_arena_alloc(arena, bytes), text, bytes);
}
