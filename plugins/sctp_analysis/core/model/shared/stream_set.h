/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of stream identifiers, as ranges: what a request to reset streams lists. Leaves out who asked for that
 * (chapters/reconfig.c). */
#ifndef SCTPA_SHARED_STREAM_SET_H
#define SCTPA_SHARED_STREAM_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* 1 KiB: usrsctp lists at most 200 streams at once, and lists of neighbours are one range. */
enum { SCTPA_STREAM_RANGES_MAX = 256 };

typedef struct {
    uint16_t first, last;
} sctpa_stream_range_t;

/* All zero: no stream. */
typedef struct {
    sctpa_stream_range_t *ranges; /* ascending, apart */
    uint16_t n;
    uint16_t room; /* ranges that there is memory for */
} sctpa_stream_set_t;

/* Takes all streams out; the memory stays for others. O(1). */
static inline void sctpa_stream_set_clear(sctpa_stream_set_t *set)
{
    set->n = 0;
}
/* Gives the memory back; it holds no stream then. O(1). */
static inline void sctpa_stream_set_free(sctpa_stream_set_t *set, sctpa_arena_t *arena)
{
    sctpa_arena_free(arena, set->ranges, set->room * sizeof *set->ranges);
    *set = (sctpa_stream_set_t){ 0 };
}
/* Adds a stream; false, and the set as before, when that would make more than SCTPA_STREAM_RANGES_MAX ranges. O(1) for
 * the next stream in ascending order, else O(SCTPA_STREAM_RANGES_MAX). */
bool sctpa_stream_set_add(sctpa_stream_set_t *set, sctpa_arena_t *arena, uint16_t stream);
/* O(log ranges). */
bool sctpa_stream_set_has(const sctpa_stream_set_t *set, uint16_t stream);

#endif
