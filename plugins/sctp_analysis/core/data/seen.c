/* Ranges of TSNs: one inline, the rest in a balanced tree. */
#include "seen.h"

static gint range_order(gconstpointer a, gconstpointer b, gpointer user)
{
    const sctpa_range_t *x = a, *y = b;
    (void)user;
    return x->first < y->first ? -1 : x->first > y->first;
}

void sctpa_seen_init(sctpa_seen_t *seen)
{
    seen->top = (sctpa_range_t){ 0, -1 };
    seen->below = NULL;
}

void sctpa_seen_clear(sctpa_seen_t *seen)
{
    if (seen->below)
        g_tree_unref(seen->below);
    sctpa_seen_init(seen);
}

static bool is_empty(const sctpa_range_t *range)
{
    return range->last < range->first;
}

static void push_below(sctpa_seen_t *seen, sctpa_range_t range)
{
    sctpa_range_t *kept = g_new(sctpa_range_t, 1);
    *kept = range;
    if (!seen->below)
        seen->below = g_tree_new_full(range_order, NULL, g_free, NULL);
    g_tree_insert(seen->below, kept, kept);
}

/* The range below with the highest first <= tsn, or NULL. */
static gint towards_floor(gconstpointer key, gconstpointer user)
{
    const sctpa_range_t *range = key;
    const sctpa_range_t **query = (const sctpa_range_t **)user;
    if (range->first <= query[0]->first) {
        query[1] = range;
        return 1;
    }
    return -1;
}

static sctpa_range_t *floor_of(const sctpa_seen_t *seen, int64_t tsn)
{
    sctpa_range_t at = { tsn, tsn };
    const sctpa_range_t *query[2] = { &at, NULL };
    if (seen->below)
        g_tree_search(seen->below, (GCompareFunc)towards_floor, query);
    return (sctpa_range_t *)query[1];
}

static sctpa_range_t *exactly_at(const sctpa_seen_t *seen, int64_t first)
{
    sctpa_range_t at = { first, first };
    return seen->below ? g_tree_lookup(seen->below, &at) : NULL;
}

/* The highest range below has reached the top: they become one. */
static void join_top(sctpa_seen_t *seen, sctpa_range_t *range)
{
    if (range->last + 1 != seen->top.first)
        return;
    seen->top.first = range->first;
    g_tree_remove(seen->below, range);
}

static void add_below(sctpa_seen_t *seen, int64_t tsn)
{
    sctpa_range_t *range = floor_of(seen, tsn);
    if (range && tsn <= range->last)
        return;
    if (range && tsn == range->last + 1) {
        sctpa_range_t *next = exactly_at(seen, tsn + 1);
        range->last = next ? next->last : tsn;
        if (next)
            g_tree_remove(seen->below, next);
        join_top(seen, range);
        return;
    }
    sctpa_range_t *next = exactly_at(seen, tsn + 1);
    if (next)
        next->first = tsn;      /* no other range lies between: the order stays */
    else
        push_below(seen, (sctpa_range_t){ tsn, tsn });
}

void sctpa_seen_add(sctpa_seen_t *seen, int64_t tsn)
{
    sctpa_range_t *top = &seen->top;
    if (is_empty(top)) {
        *top = (sctpa_range_t){ tsn, tsn };
    } else if (tsn == top->last + 1) {
        top->last = tsn;
    } else if (tsn > top->last) {
        push_below(seen, *top);
        *top = (sctpa_range_t){ tsn, tsn };
    } else if (tsn + 1 == top->first) {
        top->first = tsn;
        sctpa_range_t *range = floor_of(seen, tsn);
        if (range)
            join_top(seen, range);
    } else if (tsn < top->first) {
        add_below(seen, tsn);
    }
}

static gint any(gconstpointer key, gconstpointer user)
{
    const sctpa_range_t **found = (const sctpa_range_t **)user;
    found[0] = key;
    return -1;                  /* on to lower ones: the last is the lowest */
}

static sctpa_range_t *lowest(const sctpa_seen_t *seen)
{
    const sctpa_range_t *found = NULL;
    if (seen->below)
        g_tree_search(seen->below, (GCompareFunc)any, &found);
    return (sctpa_range_t *)found;
}

void sctpa_seen_remove_to(sctpa_seen_t *seen, int64_t last)
{
    sctpa_range_t *range;
    while ((range = lowest(seen)) != NULL && range->last <= last)
        g_tree_remove(seen->below, range);
    if (range && range->first <= last)
        range->first = last + 1;
    if (!is_empty(&seen->top) && seen->top.first <= last)
        seen->top.first = last + 1;
}

static gint towards_ceiling(gconstpointer key, gconstpointer user)
{
    const sctpa_range_t *range = key;
    const sctpa_range_t **query = (const sctpa_range_t **)user;
    if (range->last >= query[0]->first) {
        query[1] = range;
        return -1;
    }
    return 1;
}

bool sctpa_seen_next(const sctpa_seen_t *seen, int64_t from, int64_t to, sctpa_range_t *found)
{
    const sctpa_range_t *range = NULL;
    if (seen->below) {
        sctpa_range_t at = { from, from };
        const sctpa_range_t *query[2] = { &at, NULL };
        g_tree_search(seen->below, (GCompareFunc)towards_ceiling, query);
        range = query[1];
    }
    if (!range)
        range = &seen->top;
    if (is_empty(range) || range->last < from || range->first > to)
        return false;
    *found = (sctpa_range_t){ MAX(range->first, from), MIN(range->last, to) };
    return true;
}
