/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranges of TSNs: the highest one inline, the others in order in leaves of a bounded size, so that one is found by
 * two searches and put in or taken out by moving the ranges of one leaf, and the list of leaves when one is made or
 * gone. Lists of ranges as SACKs state them are ascending, and their ranges do not touch. */
#include "tsn_set.h"

#include "direction_internal.h"

static int range_order(gconstpointer a, gconstpointer b)
{
    const sctpa_range_t *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Appends a range that begins at or after the last one's begin. */
static void append_joined(GArray *ranges, sctpa_range_t range)
{
    if (ranges->len > 0) {
        sctpa_range_t *last = &g_array_index(ranges, sctpa_range_t, ranges->len - 1);
        if (range.first <= last->last + 1) {
            last->last = MAX(last->last, range.last);
            return;
        }
    }
    g_array_append_val(ranges, range);
}

static void join_all(GArray *ranges)
{
    unsigned n = ranges->len;
    g_array_sort(ranges, range_order);
    ranges->len = 0;
    for (unsigned i = 0; i < n; i++)
        append_joined(ranges, ((const sctpa_range_t *)(const void *)ranges->data)[i]);
}

static void read_blocks(GArray *ranges, const uint8_t *blocks, uint32_t n, int64_t cum_tsn, bool *in_order)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t start = sctpa_be16(blocks + 4 * i), end = sctpa_be16(blocks + 4 * i + 2);
        if (start == 0 || end < start)
            continue;
        sctpa_range_t range = { cum_tsn + start, cum_tsn + end };
        if (ranges->len > 0 && range.first < g_array_index(ranges, sctpa_range_t, ranges->len - 1).first) {
            *in_order = false;
            g_array_append_val(ranges, range);
        } else {
            append_joined(ranges, range);
        }
    }
}

void sctpa_ranges_read(GArray *ranges, const sctpa_sack_t *sack, int64_t cum_tsn)
{
    bool in_order = true;
    g_array_set_size(ranges, 0);
    read_blocks(ranges, sack->gaps, sack->n_gaps, cum_tsn, &in_order);
    read_blocks(ranges, sack->nr_gaps, sack->n_nr_gaps, cum_tsn, &in_order);
    if (!in_order)
        join_all(ranges);
}

uint32_t sctpa_sack_missing(const sctpa_sack_t *sack)
{
    GArray *ranges = g_array_new(FALSE, FALSE, sizeof(sctpa_range_t));
    int64_t missing = 0, after = 0;
    sctpa_ranges_read(ranges, sack, 0);
    for (unsigned i = 0; i < ranges->len; i++) {
        const sctpa_range_t *range = &g_array_index(ranges, sctpa_range_t, i);
        missing += range->first - after - 1;
        after = range->last;
    }
    g_array_unref(ranges);
    return (uint32_t)missing;
}

enum { LEAF_RANGES = 256 };

/* Leaves are records, of which each is records of ranges, at least one. */
typedef sctpa_records_t leaf_t;

/* Where the leaves of a set lie. */
typedef struct {
    sctpa_records_t *leaves;
    sctpa_arena_t *arena;
} ranges_t;

/* Where a range lies; leaf == number of leaves: behind the last. */
typedef struct {
    uint32_t leaf, at;
} spot_t;

static leaf_t *leaf_at(const sctpa_records_t *leaves, uint32_t i)
{
    return &SCTPA_RECORD(leaves, leaf_t, i);
}

static sctpa_range_t *range_at(const sctpa_records_t *leaves, spot_t spot)
{
    return spot.leaf < leaves->len ? &SCTPA_RECORD(leaf_at(leaves, spot.leaf), sctpa_range_t, spot.at) : NULL;
}

/* The first range that ends at tsn or above it. */
static spot_t find(const sctpa_records_t *leaves, int64_t tsn)
{
    uint32_t low = 0, high = leaves->len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const leaf_t *leaf = leaf_at(leaves, middle);
        if (SCTPA_RECORD(leaf, sctpa_range_t, leaf->len - 1).last < tsn)
            low = middle + 1;
        else
            high = middle;
    }
    spot_t spot = { low, 0 };
    if (low == leaves->len)
        return spot;
    const leaf_t *leaf = leaf_at(leaves, low);
    for (high = leaf->len; spot.at < high;) {
        uint32_t middle = spot.at + (high - spot.at) / 2;
        if (SCTPA_RECORD(leaf, sctpa_range_t, middle).last < tsn)
            spot.at = middle + 1;
        else
            high = middle;
    }
    return spot;
}

static spot_t next_spot(const sctpa_records_t *leaves, spot_t spot)
{
    return ++spot.at < leaf_at(leaves, spot.leaf)->len ? spot : (spot_t){ spot.leaf + 1, 0 };
}

static leaf_t *leaf_new(ranges_t ranges, uint32_t at)
{
    sctpa_records_insert(ranges.leaves, ranges.arena, at, &(leaf_t){ .data = NULL }, sizeof(leaf_t));
    return leaf_at(ranges.leaves, at);
}

/* A leaf is full: its upper half moves to a new one behind it. */
static spot_t split(ranges_t ranges, spot_t spot)
{
    leaf_t *upper = leaf_new(ranges, spot.leaf + 1), *lower = leaf_at(ranges.leaves, spot.leaf);
    uint32_t half = lower->len / 2;
    for (uint32_t i = half; i < lower->len; i++)
        sctpa_records_append(upper, ranges.arena, &SCTPA_RECORD(lower, sctpa_range_t, i), sizeof(sctpa_range_t));
    lower->len = half;
    return spot.at <= half ? spot : (spot_t){ spot.leaf + 1, spot.at - half };
}

/* Behind the last range: in the last leaf while it has room. */
static spot_t end_spot(ranges_t ranges)
{
    uint32_t n = ranges.leaves->len;
    if (n == 0 || leaf_at(ranges.leaves, n - 1)->len == LEAF_RANGES)
        leaf_new(ranges, n++);
    return (spot_t){ n - 1, leaf_at(ranges.leaves, n - 1)->len };
}

static void insert(ranges_t ranges, spot_t spot, sctpa_range_t range)
{
    if (spot.leaf == ranges.leaves->len)
        spot = end_spot(ranges);
    else if (leaf_at(ranges.leaves, spot.leaf)->len == LEAF_RANGES)
        spot = split(ranges, spot);
    sctpa_records_insert(leaf_at(ranges.leaves, spot.leaf), ranges.arena, spot.at, &range, sizeof range);
}

/* Takes out the ranges from one up to another, which stays. */
static void erase(ranges_t ranges, spot_t from, spot_t to)
{
    if (from.leaf == to.leaf) {
        if (from.leaf < ranges.leaves->len)
            sctpa_records_remove(leaf_at(ranges.leaves, from.leaf), from.at, to.at, sizeof(sctpa_range_t));
        return;
    }
    if (to.leaf < ranges.leaves->len)
        sctpa_records_remove(leaf_at(ranges.leaves, to.leaf), 0, to.at, sizeof(sctpa_range_t));
    leaf_at(ranges.leaves, from.leaf)->len = from.at;
    uint32_t first = from.leaf + (from.at > 0);
    for (uint32_t i = first; i < to.leaf; i++)
        sctpa_records_clear(leaf_at(ranges.leaves, i), ranges.arena, sizeof(sctpa_range_t));
    sctpa_records_remove(ranges.leaves, first, to.leaf, sizeof(leaf_t));
}

void sctpa_tsn_set_init(sctpa_tsn_set_t *set)
{
    set->top = (sctpa_range_t){ 0, -1 };
    set->below = NULL;
}

void sctpa_tsn_set_clear(sctpa_tsn_set_t *set, sctpa_arena_t *arena)
{
    for (uint32_t i = 0; set->below && i < set->below->len; i++)
        sctpa_records_clear(leaf_at(set->below, i), arena, sizeof(sctpa_range_t));
    if (set->below)
        sctpa_records_clear(set->below, arena, sizeof(leaf_t));
    sctpa_arena_free(arena, set->below, sizeof *set->below);
    sctpa_tsn_set_init(set);
}

/* Takes out the ranges below that touch range, and returns it with them. */
static sctpa_range_t absorb(ranges_t ranges, sctpa_range_t range)
{
    const sctpa_range_t *other;
    spot_t spot = find(ranges.leaves, range.first - 1), end = spot;
    for (; (other = range_at(ranges.leaves, end)) != NULL && other->first <= range.last + 1;
         end = next_spot(ranges.leaves, end)) {
        range.first = MIN(range.first, other->first);
        range.last = MAX(range.last, other->last);
    }
    erase(ranges, spot, end);
    return range;
}

static void add_below(ranges_t ranges, sctpa_range_t range)
{
    spot_t spot = find(ranges.leaves, range.first - 1);
    const sctpa_range_t *other = range_at(ranges.leaves, spot);
    if (other && other->first <= range.first && other->last >= range.last)
        return;
    if (other && other->first <= range.last + 1) {
        range = absorb(ranges, range);
        spot = find(ranges.leaves, range.first);
    }
    insert(ranges, spot, range);
}

/* The ranges below the highest, made when new. */
static ranges_t below(sctpa_tsn_set_t *set, sctpa_arena_t *arena)
{
    if (!set->below)
        set->below = sctpa_arena_alloc(arena, sizeof *set->below);
    return (ranges_t){ set->below, arena };
}

void sctpa_tsn_set_add(sctpa_tsn_set_t *set, sctpa_arena_t *arena, sctpa_range_t range)
{
    sctpa_range_t *top = &set->top;
    if (sctpa_tsn_set_is_empty(set)) {
        *top = range;
    } else if (range.first > top->last + 1) {
        ranges_t ranges = below(set, arena);
        insert(ranges, (spot_t){ .leaf = ranges.leaves->len }, *top);
        *top = range;
    } else if (range.first >= top->first) {
        top->last = MAX(top->last, range.last);
    } else if (range.last + 1 >= top->first) {
        range.last = MAX(top->last, range.last);
        *top = set->below ? absorb((ranges_t){ set->below, arena }, range) : range;
    } else {
        add_below(below(set, arena), range);
    }
}

void sctpa_tsn_set_remove_to(sctpa_tsn_set_t *set, sctpa_arena_t *arena, int64_t last)
{
    if (set->below && set->below->len > 0) {
        erase((ranges_t){ set->below, arena }, (spot_t){ 0, 0 }, find(set->below, last + 1));
        sctpa_range_t *first = range_at(set->below, (spot_t){ 0, 0 });
        if (first)
            first->first = MAX(first->first, last + 1);
    }
    if (!sctpa_tsn_set_is_empty(set))
        set->top.first = MAX(set->top.first, last + 1);
}

bool sctpa_tsn_set_next(const sctpa_tsn_set_t *set, int64_t from, int64_t to, sctpa_range_t *found)
{
    const sctpa_range_t *range =
        set->below && from < set->top.first ? range_at(set->below, find(set->below, from)) : NULL;
    if (!range)
        range = &set->top;
    if (sctpa_tsn_set_is_empty(set) || range->last < from || range->first > to)
        return false;
    *found = (sctpa_range_t){ MAX(range->first, from), MIN(range->last, to) };
    return true;
}

/* The ranges of a set one after the other; range: the one at hand, NULL behind the last. */
typedef struct {
    const sctpa_tsn_set_t *set;
    const sctpa_range_t *range;
    spot_t spot;
} walk_t;

static walk_t walk_from(const sctpa_tsn_set_t *set, int64_t from)
{
    walk_t walk = { .set = set };
    if (sctpa_tsn_set_is_empty(set) || set->top.last < from)
        return walk;
    if (set->below && from < set->top.first) {
        walk.spot = find(set->below, from);
        walk.range = range_at(set->below, walk.spot);
    }
    if (!walk.range)
        walk.range = &set->top;
    return walk;
}

static void walk_on(walk_t *walk)
{
    if (walk->range == &walk->set->top) {
        walk->range = NULL;
        return;
    }
    walk->spot = next_spot(walk->set->below, walk->spot);
    walk->range = range_at(walk->set->below, walk->spot);
    if (!walk->range)
        walk->range = &walk->set->top;
}

uint64_t sctpa_tsn_set_lacking(const sctpa_tsn_set_t *set, const sctpa_tsn_set_t *other, int64_t from)
{
    walk_t own = walk_from(set, from), theirs = walk_from(other, from);
    uint64_t lacking = 0;
    while (own.range) {
        if (own.range->last < from) {
            walk_on(&own);
            continue;
        }
        const int64_t first = MAX(own.range->first, from);
        if (!theirs.range || theirs.range->first > own.range->last) {
            lacking += (uint64_t)(own.range->last - first + 1);
            from = own.range->last + 1;
        } else {
            lacking += (uint64_t)MAX(theirs.range->first - first, 0);
            from = MAX(theirs.range->last + 1, first);
        }
        if (theirs.range && theirs.range->last < from)
            walk_on(&theirs);
    }
    return lacking;
}

bool sctpa_tsn_set_has(const sctpa_tsn_set_t *set, int64_t tsn)
{
    sctpa_range_t found;
    return sctpa_tsn_set_next(set, tsn, tsn, &found);
}

void sctpa_tsn_set_shift(sctpa_tsn_set_t *set, int64_t by)
{
    set->top = (sctpa_range_t){ set->top.first - by, set->top.last - by };
    for (uint32_t i = 0; set->below && i < set->below->len; i++) {
        const leaf_t *leaf = leaf_at(set->below, i);
        for (uint32_t j = 0; j < leaf->len; j++) {
            sctpa_range_t *range = &SCTPA_RECORD(leaf, sctpa_range_t, j);
            *range = (sctpa_range_t){ range->first - by, range->last - by };
        }
    }
}
