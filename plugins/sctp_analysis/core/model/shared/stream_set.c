/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of stream identifiers: adding and finding. */
#include "stream_set.h"

#include <string.h>

enum { FIRST_ROOM = 2 };

/* The first range that ends at stream or above; n: none. */
static unsigned place_of(const sctpa_stream_set_t *set, uint16_t stream)
{
    unsigned low = 0, high = set->n;
    if (high > 0 && set->ranges[high - 1].last < stream)
        return high;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (set->ranges[middle].last < stream)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool insert(sctpa_stream_set_t *set, sctpa_arena_t *arena, unsigned at, uint16_t stream)
{
    if (set->n == SCTPA_STREAM_RANGES_MAX)
        return false;
    if (set->n == set->room) {
        set->ranges = set->room ? sctpa_arena_double(arena, set->ranges, set->room * sizeof *set->ranges)
                                : sctpa_arena_alloc(arena, FIRST_ROOM * sizeof *set->ranges);
        set->room = (uint16_t)(set->room ? 2 * set->room : FIRST_ROOM);
    }
    memmove(set->ranges + at + 1, set->ranges + at, (set->n - at) * sizeof *set->ranges);
    set->ranges[at] = (sctpa_stream_range_t){ stream, stream };
    set->n++;
    return true;
}

/* Ranges at - 1 and at have come to touch. */
static void join(sctpa_stream_set_t *set, unsigned at)
{
    set->ranges[at - 1].last = set->ranges[at].last;
    set->n--;
    memmove(set->ranges + at, set->ranges + at + 1, (set->n - at) * sizeof *set->ranges);
}

bool sctpa_stream_set_add(sctpa_stream_set_t *set, sctpa_arena_t *arena, uint16_t stream)
{
    unsigned at = place_of(set, stream);
    bool has_next = at<set->n, follows = at> 0 && set->ranges[at - 1].last + 1 == stream;
    bool precedes = has_next && set->ranges[at].first == stream + 1;
    if (has_next && set->ranges[at].first <= stream)
        return true;
    if (!follows && !precedes)
        return insert(set, arena, at, stream);
    if (follows)
        set->ranges[at - 1].last = stream;
    else
        set->ranges[at].first = stream;
    if (follows && precedes)
        join(set, at);
    return true;
}

bool sctpa_stream_set_has(const sctpa_stream_set_t *set, uint16_t stream)
{
    unsigned at = place_of(set, stream);
    return at < set->n && set->ranges[at].first <= stream;
}
