/* Objects of one size by number. */
#include "pool.h"

#include <glib.h>
#include <string.h>

enum { CACHE_LINE_BYTES = 64 };

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
    if (pool->removed) {
        *number = pool->removed - 1;
        uint8_t *object = sctpa_pool_at(pool, *number);
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
}
