/* Memory for objects that live as long as their owner: allocated one after the other, freed together.
 * Objects made one after the other lie side by side; none is freed or moved alone. */
#ifndef SCTPA_BASE_ARENA_H
#define SCTPA_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint8_t *at;        /* next free byte of the newest block */
    size_t left;        /* bytes from there to its end */
    void *newest;       /* block; each leads to the one before */
    size_t block_bytes; /* of the next block */
} sctpa_arena_t;

/* An empty arena; it takes no memory before the first object. */
void sctpa_arena_init(sctpa_arena_t *arena);
/* Frees every object. O(blocks), which is O(log bytes) up to some MiB. */
void sctpa_arena_clear(sctpa_arena_t *arena);

/* bytes > 0 of zeroed memory, aligned for any 8-byte type. O(1); memory that no object was given is not touched. */
void *sctpa_arena_alloc(sctpa_arena_t *arena, size_t bytes);

/* Room for one more in an array of count objects that has only grown by this: array itself, or a copy of twice the
 * size. Its room is count rounded up to a power of two. The old one stays where it is until the arena is cleared.
 * Amortised O(1); at most twice the memory of the largest array. */
void *sctpa_arena_grow(sctpa_arena_t *arena, void *array, uint32_t count, size_t object_bytes);

/* Text in the arena, up to its NUL; NULL for NULL. O(length). */
char *sctpa_arena_text(sctpa_arena_t *arena, const char *text);

#endif
