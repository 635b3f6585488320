/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory for the objects of one owner: allocated one after the other, given back one by one or all together.
 * Objects made one after the other lie side by side; none is moved. What is given back is the memory of the next object
 * of its size: whoever gives it back says how large it was, so that an object has nothing in front of it. */
#ifndef SCTPA_BASE_ARENA_H
#define SCTPA_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

#endif
