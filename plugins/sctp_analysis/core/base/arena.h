/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory for the objects of one owner: arenas, whose objects are allocated one after the other and given back one by
 * one or all together; pools, whose objects are numbered; and members that few objects have of their own (rare).
 * Objects made one after the other lie side by side; none is moved. Whoever gives an object back says how large it
 * was, so that it has nothing in front of it. */
#ifndef SCTPA_BASE_ARENA_H
#define SCTPA_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sanitizer/asan_interface.h>

#ifdef __has_feature

#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)

#define __SANITIZE_ADDRESS__ 1

#endif

#endif

#ifdef __SANITIZE_ADDRESS__

#define SCTPA_DISOWN(at, bytes) __asan_poison_memory_region(at, bytes)

#define SCTPA_OWN(at, bytes) __asan_unpoison_memory_region(at, bytes)

#else

#define SCTPA_DISOWN(at, bytes) ((void)0)

#define SCTPA_OWN(at, bytes) ((void)0)

#endif

/* Larger objects have memory of their own. */
enum { SCTPA_ARENA_SMALL_BYTES = 1024, SCTPA_ARENA_UNIT_BYTES = 8 };

typedef struct {
    uint8_t *at;               /* next free byte of the newest block */
    size_t left;               /* bytes from there to its end */
    void *newest;              /* block; each leads to the one before */
    size_t block_bytes;        /* of the next block */
    size_t in_use_bytes;       /* of objects, and of records that moved out of the arena (records.h), not given back */
    struct sctpa_large *large; /* the large object made last */
    void *given_back[SCTPA_ARENA_SMALL_BYTES / SCTPA_ARENA_UNIT_BYTES + 1]; /* by units: the last of that size */
} sctpa_arena_t;

/* An empty arena; it takes no memory before the first object. */
void sctpa_arena_init(sctpa_arena_t *arena);
/* Frees every object. O(MiB + large objects). */
void sctpa_arena_clear(sctpa_arena_t *arena);

/* Units that so many bytes take. */
static inline size_t sctpa_arena_units(size_t bytes)
{
    return (bytes + SCTPA_ARENA_UNIT_BYTES - 1) / SCTPA_ARENA_UNIT_BYTES;
}
/* Memory for an object of so many units that the newest block has no room for, or that was given back. O(bytes). */
void *sctpa_arena_alloc_elsewhere(sctpa_arena_t *arena, size_t units);
/* bytes > 0 of zeroed memory, aligned for any 8-byte type. O(1), O(bytes) for what was given back; memory that no
 * object was given is not touched. */
static inline void *sctpa_arena_alloc(sctpa_arena_t *arena, size_t bytes)
{
    size_t units = sctpa_arena_units(bytes);
    bytes = units * SCTPA_ARENA_UNIT_BYTES;
    arena->in_use_bytes += bytes;
    if (bytes > SCTPA_ARENA_SMALL_BYTES || arena->given_back[units] || bytes > arena->left)
        return sctpa_arena_alloc_elsewhere(arena, units);
    void *object = arena->at;
    arena->at += bytes;
    arena->left -= bytes;
    return object;
}
/* Gives an object back, which was allocated with so many bytes; NULL is none. O(1). */
void sctpa_arena_free(sctpa_arena_t *arena, void *object, size_t bytes);

/* Twice the memory of an object: what it moved to. O(bytes). */
void *sctpa_arena_double(sctpa_arena_t *arena, void *object, size_t bytes);

/* Room for one more in an array of count objects that has only grown by this: array itself, or what it moved to. Its
 * room is count rounded up to a power of two. For the short, bounded arrays of results: there are many, most of one
 * object, and records (records.h) would take 8 bytes and room for a second more. Amortised O(1). */
static inline void *sctpa_arena_grow(sctpa_arena_t *arena, void *array, uint32_t count, size_t object_bytes)
{
    if (count & (count - 1))
        return array;
    return count == 0 ? sctpa_arena_alloc(arena, object_bytes) : sctpa_arena_double(arena, array, count * object_bytes);
}
/* Gives such an array back. O(1). */
static inline void sctpa_arena_free_grown(sctpa_arena_t *arena, void *array, uint32_t count, size_t object_bytes)
{
    size_t room = count < 2 ? count : (size_t)1 << (32 - __builtin_clz(count - 1));
    sctpa_arena_free(arena, array, room * object_bytes);
}

/* Text in the arena, up to its NUL; NULL for NULL. O(length). */
char *sctpa_arena_text(sctpa_arena_t *arena, const char *text);
/* Gives such a text back. O(length). */
static inline void sctpa_arena_free_text(sctpa_arena_t *arena, char *text)
{
    sctpa_arena_free(arena, text, text ? strlen(text) + 1 : 0);
}

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

/* What a member that leads to shared, of bytes, leads to from now on, to be changed: a copy of shared in the arena, or
 * the one that it leads to already. O(bytes) the first time, then O(1). */
static inline void *sctpa_rare_own(const void *member, const void *shared, size_t bytes, sctpa_arena_t *arena)
{
    return member == shared ? memcpy(sctpa_arena_alloc(arena, bytes), shared, bytes) : (void *)member;
}

/* Gives the copy back, where member does not lead to shared. O(1). */
static inline void sctpa_rare_free(const void *member, const void *shared, size_t bytes, sctpa_arena_t *arena)
{
    if (member != shared)
        sctpa_arena_free(arena, (void *)member, bytes);
}

#endif
