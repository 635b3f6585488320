/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory for the objects of one owner, in arenas and pools. */
#include "arena.h"

#include <string.h>

#include <glib.h>

/* The first bytes of an object that was removed say which one was removed before it. */
enum { CACHE_LINE_BYTES = 64, LINK_BYTES = 8 };

void sctpa_pool_init(sctpa_pool_t *pool, uint32_t object_bytes)
{
    memset(pool, 0, sizeof *pool);
    pool->object_bytes = object_bytes;
}

void sctpa_pool_clear(sctpa_pool_t *pool)
{
    for (unsigned i = 0; i < SCTPA_POOL_BLOCKS; i++)
        g_free(pool->allocated[i]);
    sctpa_pool_init(pool, pool->object_bytes);
}

/* Larger blocks come as zeroed pages from the system: what is not used yet costs no memory. */
static void pool_add_block(sctpa_pool_t *pool, unsigned block)
{
    size_t bytes = (size_t)pool->object_bytes << (block + SCTPA_POOL_FIRST_BITS);
    pool->allocated[block] = g_malloc0(bytes + CACHE_LINE_BYTES - 1);
    uintptr_t past = (uintptr_t)pool->allocated[block] % CACHE_LINE_BYTES;
    pool->blocks[block] = (uint8_t *)pool->allocated[block] + (past ? CACHE_LINE_BYTES - past : 0);
}

void *sctpa_pool_add(sctpa_pool_t *pool, uint32_t *number)
{
    pool->in_use++;
    if (pool->removed) {
        *number = pool->removed - 1;
        uint8_t *object = sctpa_pool_at(pool, *number);
        SCTPA_OWN(object, pool->object_bytes);
        memcpy(&pool->removed, object, sizeof pool->removed);
        memset(object, 0, sizeof pool->removed);
        return object;
    }
    *number = pool->count++;
    unsigned bit = 63 - (unsigned)__builtin_clzll((uint64_t)*number + (1 << SCTPA_POOL_FIRST_BITS));
    if (!pool->blocks[bit - SCTPA_POOL_FIRST_BITS])
        pool_add_block(pool, bit - SCTPA_POOL_FIRST_BITS);
    return sctpa_pool_at(pool, *number);
}

void sctpa_pool_remove(sctpa_pool_t *pool, uint32_t number)
{
    uint8_t *object = sctpa_pool_at(pool, number);
    memset(object, 0, pool->object_bytes);
    memcpy(object, &pool->removed, sizeof pool->removed);
    pool->removed = number + 1;
    pool->in_use--;
    if (pool->object_bytes > LINK_BYTES)
        SCTPA_DISOWN(object + LINK_BYTES, pool->object_bytes - LINK_BYTES);
}

void sctpa_pool_each(const sctpa_pool_t *pool, void (*visit)(void *object))
{
    uint8_t *is_removed = g_malloc0(pool->count / 8 + 1);
    for (uint32_t removed = pool->removed; removed > 0;) {
        is_removed[(removed - 1) / 8] |= (uint8_t)(1 << (removed - 1) % 8);
        memcpy(&removed, sctpa_pool_at(pool, removed - 1), sizeof removed);
    }
    for (uint32_t i = 0; i < pool->count; i++)
        if (!(is_removed[i / 8] >> i % 8 & 1))
            visit(sctpa_pool_at(pool, i));
    g_free(is_removed);
}

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
