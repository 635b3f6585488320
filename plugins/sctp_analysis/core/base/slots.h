/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds numbers by hash: one array of (hash, number), probed one after the other, so that a look-up touches one cache
 * line. Several numbers may have the same hash; comparing what they stand for is the caller's:
 *
 *     for (uint32_t n = sctpa_slots_first(table, hash, &at); n != SCTPA_SLOT_NONE;
 *          n = sctpa_slots_next(table, hash, &at)) */
#ifndef SCTPA_BASE_SLOTS_H
#define SCTPA_BASE_SLOTS_H

#include <stdint.h>

enum { SCTPA_SLOT_NONE = 0xFFFFFFFFu };

typedef struct {
    uint32_t hash, filled;
} sctpa_slot_t; /* filled: 1 + number, 0 free */

typedef struct {
    sctpa_slot_t *slots;
    uint32_t mask, used; /* number of slots - 1; slots in use */
    unsigned shift;      /* the highest bits of a hash are its place: growing then walks over memory in order */
} sctpa_slots_t;

/* An empty table. 2 KiB; grows to at most 22 bytes per entry. */
void sctpa_slots_init(sctpa_slots_t *table);
void sctpa_slots_clear(sctpa_slots_t *table);

/* Adds an entry beside those of the same hash; number < SCTPA_SLOT_NONE. All bits of hash should be mixed. Amortised
 * O(1). */
void sctpa_slots_add(sctpa_slots_t *table, uint32_t hash, uint32_t number);
/* Removes the entry at a place that first or next gave; ends their loop. O(1). */
void sctpa_slots_remove(sctpa_slots_t *table, uint32_t at);

/* Brings the memory of a look-up nearer. */
static inline void sctpa_slots_prefetch(const sctpa_slots_t *table, uint32_t hash)
{
    __builtin_prefetch(&table->slots[hash >> table->shift]);
}

/* The number at or after place *at that has this hash, or SCTPA_SLOT_NONE. */
static inline uint32_t sctpa_slots_probe(const sctpa_slots_t *table, uint32_t hash, uint32_t *at)
{
    while (table->slots[*at].filled && table->slots[*at].hash != hash)
        *at = (*at + 1) & table->mask;
    return table->slots[*at].filled - 1;
}

/* The first number with this hash, and its place; SCTPA_SLOT_NONE none. O(1). */
static inline uint32_t sctpa_slots_first(const sctpa_slots_t *table, uint32_t hash, uint32_t *at)
{
    *at = hash >> table->shift;
    return sctpa_slots_probe(table, hash, at);
}

/* The next one. O(1). */
static inline uint32_t sctpa_slots_next(const sctpa_slots_t *table, uint32_t hash, uint32_t *at)
{
    *at = (*at + 1) & table->mask;
    return sctpa_slots_probe(table, hash, at);
}

/* The place of a number that was added with this hash. O(1). */
static inline uint32_t sctpa_slots_place(const sctpa_slots_t *table, uint32_t hash, uint32_t number)
{
    uint32_t at, found = sctpa_slots_first(table, hash, &at);
    while (found != number)
        found = sctpa_slots_next(table, hash, &at);
    return at;
}

/* Replaces the number at a place that first or next gave. O(1). */
static inline void sctpa_slots_set(sctpa_slots_t *table, uint32_t at, uint32_t number)
{
    table->slots[at].filled = number + 1;
}

#endif
