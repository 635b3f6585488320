/* Ranges of TSNs: the highest one inline, the others in order in leaves of a bounded size, so that one is found by two
 * searches and put in or taken out by moving the ranges of one leaf, and the list of leaves when one is made or gone.
 */
#include "tsn_set.h"

#include <string.h>

enum { LEAF_RANGES = 256, LEAF_RANGES_FIRST = 4 };

typedef struct {
    sctpa_range_t *ranges;
    uint32_t n, room; /* n > 0 */
} leaf_t;

typedef struct sctpa_ranges {
    leaf_t *leaves;
    uint32_t n, room;
} ranges_t;

/* Where a range lies; leaf == n: behind the last. */
typedef struct {
    uint32_t leaf, at;
} spot_t;

static uint32_t more_room(uint32_t room, uint32_t first)
{
    return MAX(2 * room, first);
}

static const sctpa_range_t *range_at(const ranges_t *ranges, spot_t spot)
{
    return spot.leaf < ranges->n ? &ranges->leaves[spot.leaf].ranges[spot.at] : NULL;
}

/* The first range that ends at tsn or above it. */
static spot_t find(const ranges_t *ranges, int64_t tsn)
{
    uint32_t low = 0, high = ranges->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const leaf_t *leaf = &ranges->leaves[middle];
        if (leaf->ranges[leaf->n - 1].last < tsn)
            low = middle + 1;
        else
            high = middle;
    }
    spot_t spot = { low, 0 };
    if (low == ranges->n)
        return spot;
    for (high = ranges->leaves[low].n; spot.at < high;) {
        uint32_t middle = spot.at + (high - spot.at) / 2;
        if (ranges->leaves[low].ranges[middle].last < tsn)
            spot.at = middle + 1;
        else
            high = middle;
    }
    return spot;
}

static spot_t next_spot(const ranges_t *ranges, spot_t spot)
{
    return ++spot.at < ranges->leaves[spot.leaf].n ? spot : (spot_t){ spot.leaf + 1, 0 };
}

static leaf_t *leaf_new(ranges_t *ranges, uint32_t at, uint32_t room)
{
    if (ranges->n == ranges->room) {
        ranges->room = more_room(ranges->room, 1);
        ranges->leaves = g_renew(leaf_t, ranges->leaves, ranges->room);
    }
    memmove(&ranges->leaves[at + 1], &ranges->leaves[at], (ranges->n++ - at) * sizeof *ranges->leaves);
    ranges->leaves[at] = (leaf_t){ g_new(sctpa_range_t, room), 0, room };
    return &ranges->leaves[at];
}

/* A leaf is full: its upper half moves to a new one behind it. */
static spot_t split(ranges_t *ranges, spot_t spot)
{
    leaf_t *upper = leaf_new(ranges, spot.leaf + 1, LEAF_RANGES), *lower = &ranges->leaves[spot.leaf];
    uint32_t half = lower->n / 2;
    upper->n = lower->n - half;
    memcpy(upper->ranges, lower->ranges + half, upper->n * sizeof *upper->ranges);
    lower->n = half;
    return spot.at <= half ? spot : (spot_t){ spot.leaf + 1, spot.at - half };
}

/* Behind the last range: in the last leaf while it has room. */
static spot_t end_spot(ranges_t *ranges)
{
    if (ranges->n == 0 || ranges->leaves[ranges->n - 1].n == LEAF_RANGES)
        leaf_new(ranges, ranges->n, LEAF_RANGES_FIRST);
    return (spot_t){ ranges->n - 1, ranges->leaves[ranges->n - 1].n };
}

static void insert(ranges_t *ranges, spot_t spot, sctpa_range_t range)
{
    if (spot.leaf == ranges->n)
        spot = end_spot(ranges);
    else if (ranges->leaves[spot.leaf].n == LEAF_RANGES)
        spot = split(ranges, spot);
    leaf_t *leaf = &ranges->leaves[spot.leaf];
    if (leaf->n == leaf->room) {
        leaf->room = MIN(more_room(leaf->room, LEAF_RANGES_FIRST), LEAF_RANGES);
        leaf->ranges = g_renew(sctpa_range_t, leaf->ranges, leaf->room);
    }
    memmove(&leaf->ranges[spot.at + 1], &leaf->ranges[spot.at], (leaf->n++ - spot.at) * sizeof range);
    leaf->ranges[spot.at] = range;
}

static void leaf_erase(leaf_t *leaf, uint32_t from, uint32_t to)
{
    memmove(&leaf->ranges[from], &leaf->ranges[to], (leaf->n - to) * sizeof *leaf->ranges);
    leaf->n -= to - from;
}

/* Takes out the ranges from one up to another, which stays. */
static void erase(ranges_t *ranges, spot_t from, spot_t to)
{
    if (from.leaf == to.leaf) {
        if (from.leaf < ranges->n)
            leaf_erase(&ranges->leaves[from.leaf], from.at, to.at);
        return;
    }
    if (to.leaf < ranges->n)
        leaf_erase(&ranges->leaves[to.leaf], 0, to.at);
    ranges->leaves[from.leaf].n = from.at;
    uint32_t first = from.leaf + (from.at > 0);
    for (uint32_t i = first; i < to.leaf; i++)
        g_free(ranges->leaves[i].ranges);
    memmove(&ranges->leaves[first], &ranges->leaves[to.leaf], (ranges->n - to.leaf) * sizeof *ranges->leaves);
    ranges->n -= to.leaf - first;
}

void sctpa_tsn_set_init(sctpa_tsn_set_t *set)
{
    set->top = (sctpa_range_t){ 0, -1 };
    set->below = NULL;
}

void sctpa_tsn_set_clear(sctpa_tsn_set_t *set)
{
    for (uint32_t i = 0; set->below && i < set->below->n; i++)
        g_free(set->below->leaves[i].ranges);
    if (set->below)
        g_free(set->below->leaves);
    g_free(set->below);
    sctpa_tsn_set_init(set);
}

/* Takes out the ranges below that touch range, and returns it with them. */
static sctpa_range_t absorb(ranges_t *ranges, sctpa_range_t range)
{
    const sctpa_range_t *other;
    spot_t spot = find(ranges, range.first - 1), end = spot;
    for (; (other = range_at(ranges, end)) != NULL && other->first <= range.last + 1; end = next_spot(ranges, end)) {
        range.first = MIN(range.first, other->first);
        range.last = MAX(range.last, other->last);
    }
    erase(ranges, spot, end);
    return range;
}

static void add_below(ranges_t *ranges, sctpa_range_t range)
{
    spot_t spot = find(ranges, range.first - 1);
    const sctpa_range_t *other = range_at(ranges, spot);
    if (other && other->first <= range.first && other->last >= range.last)
        return;
    if (other && other->first <= range.last + 1) {
        range = absorb(ranges, range);
        spot = find(ranges, range.first);
    }
    insert(ranges, spot, range);
}

void sctpa_tsn_set_add(sctpa_tsn_set_t *set, sctpa_range_t range)
{
    sctpa_range_t *top = &set->top;
    if (sctpa_tsn_set_is_empty(set)) {
        *top = range;
    } else if (range.first > top->last + 1) {
        if (!set->below)
            set->below = g_new0(ranges_t, 1);
        insert(set->below, (spot_t){ .leaf = set->below->n }, *top);
        *top = range;
    } else if (range.first >= top->first) {
        top->last = MAX(top->last, range.last);
    } else if (range.last + 1 >= top->first) {
        range.last = MAX(top->last, range.last);
        *top = set->below ? absorb(set->below, range) : range;
    } else {
        if (!set->below)
            set->below = g_new0(ranges_t, 1);
        add_below(set->below, range);
    }
}

void sctpa_tsn_set_remove_to(sctpa_tsn_set_t *set, int64_t last)
{
    ranges_t *below = set->below;
    if (below && below->n > 0) {
        erase(below, (spot_t){ 0, 0 }, find(below, last + 1));
        if (below->n > 0)
            below->leaves[0].ranges[0].first = MAX(below->leaves[0].ranges[0].first, last + 1);
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

bool sctpa_tsn_set_has(const sctpa_tsn_set_t *set, int64_t tsn)
{
    sctpa_range_t found;
    return sctpa_tsn_set_next(set, tsn, tsn, &found);
}

void sctpa_tsn_set_shift(sctpa_tsn_set_t *set, int64_t by)
{
    set->top = (sctpa_range_t){ set->top.first - by, set->top.last - by };
    for (uint32_t i = 0; set->below && i < set->below->n; i++)
        for (uint32_t j = 0; j < set->below->leaves[i].n; j++) {
            sctpa_range_t *range = &set->below->leaves[i].ranges[j];
            *range = (sctpa_range_t){ range->first - by, range->last - by };
        }
}
