/* Finds numbers by hash: one array of (hash, number), probed one after the other, so that a look-up touches one cache line.
 * Several numbers may have the same hash; comparing what they stand for is the caller's:
 *
 *     for (uint32_t n = sctpa_table_first(table, hash, &at); n != SCTPA_TABLE_NONE; n = sctpa_table_next(table, hash, &at)) */
#ifndef SCTPA_BASE_TABLE_H
#define SCTPA_BASE_TABLE_H

#include <stdint.h>

enum { SCTPA_TABLE_NONE = 0xFFFFFFFFu };

typedef struct { uint32_t hash, filled; } sctpa_slot_t;  /* filled: 1 + number, 0 free */

typedef struct {
    sctpa_slot_t *slots;
    uint32_t mask, used;        /* number of slots - 1; slots in use */
    unsigned shift;             /* the highest bits of a hash are its place: growing then walks over memory in order */
} sctpa_table_t;

/* An empty table. 2 KiB; grows to at most 22 bytes per entry. */
void sctpa_table_init(sctpa_table_t *table);
void sctpa_table_clear(sctpa_table_t *table);

/* Adds an entry beside those of the same hash; number < SCTPA_TABLE_NONE. All bits of hash should be mixed. Amortised O(1). */
void sctpa_table_add(sctpa_table_t *table, uint32_t hash, uint32_t number);
/* Removes the entry at a place that first or next gave; ends their loop. O(1). */
void sctpa_table_remove(sctpa_table_t *table, uint32_t at);

/* Brings the memory of a look-up nearer. */
static inline void sctpa_table_prefetch(const sctpa_table_t *table, uint32_t hash)
{
    __builtin_prefetch(&table->slots[hash >> table->shift]);
}

/* The number at or after place *at that has this hash, or SCTPA_TABLE_NONE. */
static inline uint32_t sctpa_table_probe(const sctpa_table_t *table, uint32_t hash, uint32_t *at)
{
    while (table->slots[*at].filled && table->slots[*at].hash != hash)
        *at = (*at + 1) & table->mask;
    return table->slots[*at].filled - 1;
}

/* The first number with this hash, and its place; SCTPA_TABLE_NONE none. O(1). */
static inline uint32_t sctpa_table_first(const sctpa_table_t *table, uint32_t hash, uint32_t *at)
{
    *at = hash >> table->shift;
    return sctpa_table_probe(table, hash, at);
}

/* The next one. O(1). */
static inline uint32_t sctpa_table_next(const sctpa_table_t *table, uint32_t hash, uint32_t *at)
{
    *at = (*at + 1) & table->mask;
    return sctpa_table_probe(table, hash, at);
}

/* Replaces the number at a place that first or next gave. O(1). */
static inline void sctpa_table_set(sctpa_table_t *table, uint32_t at, uint32_t number)
{
    table->slots[at].filled = number + 1;
}

#endif
