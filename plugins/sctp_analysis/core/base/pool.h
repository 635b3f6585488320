/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects of one size, numbered 0, 1, ... in the order in which they were made; the number of one that was removed is
 * that of the next. An object never moves; a number of 4 bytes stands for it where a pointer would take 8. */
#ifndef SCTPA_BASE_POOL_H
#define SCTPA_BASE_POOL_H

#include <stddef.h>
#include <stdint.h>

enum { SCTPA_POOL_FIRST_BITS = 4, SCTPA_POOL_BLOCKS = 32 - SCTPA_POOL_FIRST_BITS };

typedef struct {
    uint32_t object_bytes;
    uint32_t count;                     /* numbers given out */
    uint32_t in_use;                    /* of them, not removed */
    uint32_t removed;                   /* 1 + number of the object removed last, 0 none */
    uint8_t *blocks[SCTPA_POOL_BLOCKS]; /* each twice the objects of the one before */
    void *allocated[SCTPA_POOL_BLOCKS]; /* the same as allocated, before alignment */
} sctpa_pool_t;

/* An empty pool; object_bytes >= 4. Objects of a multiple of 64 bytes begin at a cache line. */
void sctpa_pool_init(sctpa_pool_t *pool, uint32_t object_bytes);
/* Frees every object. O(log objects). */
void sctpa_pool_clear(sctpa_pool_t *pool);

/* A zeroed object and its number: that of one that was removed, or the next. O(1). */
void *sctpa_pool_add(sctpa_pool_t *pool, uint32_t *number);
/* Gives the number of an object free. O(1). */
void sctpa_pool_remove(sctpa_pool_t *pool, uint32_t number);

/* Calls visit for each object, in order of their numbers. O(count); memory: a bit for each while it runs. */
void sctpa_pool_each(const sctpa_pool_t *pool, void (*visit)(void *object));

/* Bytes of the objects that were not removed. O(1). */
static inline size_t sctpa_pool_bytes(const sctpa_pool_t *pool)
{
    return (size_t)pool->in_use * pool->object_bytes;
}

/* Object by number, below count and not removed. O(1). */
static inline void *sctpa_pool_at(const sctpa_pool_t *pool, uint32_t number)
{
    uint64_t place = (uint64_t)number + (1 << SCTPA_POOL_FIRST_BITS);
    unsigned bit = 63 - (unsigned)__builtin_clzll(place);
    return pool->blocks[bit - SCTPA_POOL_FIRST_BITS] + (place - ((uint64_t)1 << bit)) * pool->object_bytes;
}

#endif
