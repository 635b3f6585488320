/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects of one size by number. */
#include "pool.h"

#include <glib.h>
#include <string.h>

#include "unowned.h"

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
static void add_block(sctpa_pool_t *pool, unsigned block)
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
        add_block(pool, bit - SCTPA_POOL_FIRST_BITS);
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
