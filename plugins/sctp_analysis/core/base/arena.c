/* Memory for objects that live as long as their owner. */
#include "arena.h"

#include <glib.h>
#include <string.h>

enum { BLOCK_BYTES_FIRST = 1 << 12, BLOCK_BYTES_MAX = 1 << 23, ALIGNMENT = 8 };

typedef struct {
    void *before;
} block_t;

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
    sctpa_arena_init(arena);
}

static void add_block(sctpa_arena_t *arena, size_t bytes)
{
    size_t size = MAX(arena->block_bytes, bytes + sizeof(block_t));
    block_t *block = g_malloc0(size);
    block->before = arena->newest;
    arena->newest = block;
    arena->at = (uint8_t *)(block + 1);
    arena->left = size - sizeof *block;
    arena->block_bytes = MIN(2 * arena->block_bytes, BLOCK_BYTES_MAX);
}

void *sctpa_arena_alloc(sctpa_arena_t *arena, size_t bytes)
{
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes > arena->left)
        add_block(arena, bytes);
    void *object = arena->at;
    arena->at += bytes;
    arena->left -= bytes;
    return object;
}

void *sctpa_arena_grow(sctpa_arena_t *arena, void *array, uint32_t count, size_t object_bytes)
{
    if (count & (count - 1))
        return array;
    void *grown = sctpa_arena_alloc(arena, MAX(2 * (size_t)count, 1) * object_bytes);
    if (count > 0)
        memcpy(grown, array, count * object_bytes);
    return grown;
}

char *sctpa_arena_text(sctpa_arena_t *arena, const char *text)
{
    if (!text)
        return NULL;
    size_t bytes = strlen(text) + 1;
    return memcpy(sctpa_arena_alloc(arena, bytes), text, bytes);
}
