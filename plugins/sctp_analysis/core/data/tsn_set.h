/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of TSNs kept as ranges: those that were seen, or that a receiver says it has, above the cum_tsn. Its usual form
 * is a single range that grows at its end. Leaves what is known of each TSN to pages.c. */
#ifndef SCTPA_DATA_TSN_SET_H
#define SCTPA_DATA_TSN_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/records.h"

/* TSNs first to last, both in it. */
typedef struct {
    int64_t first, last;
} sctpa_range_t;

/* 16 bytes a range and a quarter more to grow; a leaf that had 256 of them keeps its memory while one is left. */
typedef struct {
    sctpa_range_t top;      /* the highest range; last < first: the set is empty */
    sctpa_records_t *below; /* leaves of the other ranges in order, which do not touch; NULL none so far */
} sctpa_tsn_set_t;

void sctpa_tsn_set_init(sctpa_tsn_set_t *set);
/* Empties it and gives its memory back to the arena, which is the same in all calls for a set. */
void sctpa_tsn_set_clear(sctpa_tsn_set_t *set, sctpa_arena_t *arena);
/* Adds the TSNs of a range. O(1) at the end or above the highest range, else O(log ranges + ranges that become one with
 * it). */
void sctpa_tsn_set_add(sctpa_tsn_set_t *set, sctpa_arena_t *arena, sctpa_range_t range);
/* Removes all TSNs up to and with last. O(ranges removed). */
void sctpa_tsn_set_remove_to(sctpa_tsn_set_t *set, sctpa_arena_t *arena, int64_t last);
/* The first range, or part of one, that lies in from..to; false: none. O(log ranges). */
bool sctpa_tsn_set_next(const sctpa_tsn_set_t *set, int64_t from, int64_t to, sctpa_range_t *found);
/* How many of its TSNs from one on are not in the other set? O(log ranges + ranges of both above it). */
uint64_t sctpa_tsn_set_lacking(const sctpa_tsn_set_t *set, const sctpa_tsn_set_t *other, int64_t from);
/* Is the TSN in it? O(log ranges). */
bool sctpa_tsn_set_has(const sctpa_tsn_set_t *set, int64_t tsn);
/* Is there none? O(1). */
static inline bool sctpa_tsn_set_is_empty(const sctpa_tsn_set_t *set)
{
    return set->top.last < set->top.first;
}
/* Subtracts by from every TSN. O(ranges). */
void sctpa_tsn_set_shift(sctpa_tsn_set_t *set, int64_t by);

#endif
