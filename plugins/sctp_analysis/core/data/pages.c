/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of TSNs, found by direction and number. */
#include "direction_internal.h"

#include "base/hash.h"

static uint32_t page_hash(const sctpa_direction_t *direction, int64_t number)
{
    return (uint32_t)sctpa_hash_mix(direction->store->seed + (uint64_t)direction->serial * 0x9e3779b97f4a7c15u,
                                    (uint64_t)number);
}

/* Floor, for negative numbers too. */
static int64_t page_of(int64_t tsn)
{
    return tsn >> SCTPA_PAGE_BITS;
}

static sctpa_page_t *look_up(const sctpa_direction_t *direction, int64_t number)
{
    const sctpa_store_t *store = direction->store;
    uint32_t hash = page_hash(direction, number), at;
    for (uint32_t n = sctpa_slots_first(&store->page_table, hash, &at); n != SCTPA_SLOT_NONE;
         n = sctpa_slots_next(&store->page_table, hash, &at)) {
        sctpa_page_t *page = sctpa_pool_at(&store->pages, n);
        if (page->number == number && page->direction == direction->serial)
            return page;
    }
    return NULL;
}

/* The page of a TSN, NULL none: nearly always the one used last. */
static inline sctpa_page_t *page_find(const sctpa_direction_t *direction, int64_t tsn)
{
    int64_t number = page_of(tsn);
    return direction->page && direction->page->number == number ? direction->page : look_up(direction, number);
}

static sctpa_page_t *page_new(sctpa_direction_t *direction, int64_t number)
{
    uint32_t at;
    sctpa_page_t *page = sctpa_pool_add(&direction->store->pages, &at);
    page->number = number;
    page->direction = direction->serial;
    page->next = direction->pages;
    direction->pages = at;
    sctpa_slots_add(&direction->store->page_table, page_hash(direction, number), at);
    return page;
}

void sctpa_pages_free(sctpa_direction_t *direction)
{
    sctpa_store_t *store = direction->store;
    for (uint32_t number = direction->pages; number != SCTPA_NO_PAGE;) {
        const sctpa_page_t *page = sctpa_pool_at(&store->pages, number);
        uint32_t next = page->next, hash = page_hash(direction, page->number);
        for (unsigned i = 0; i < SCTPA_PAGE_TSNS; i++)
            if (page->tsns[i])
                sctpa_pool_remove(&store->tsns, page->tsns[i] - 1);
        sctpa_slots_remove(&store->page_table, sctpa_slots_place(&store->page_table, hash, number));
        sctpa_pool_remove(&store->pages, number);
        number = next;
    }
    direction->pages = SCTPA_NO_PAGE;
    direction->page = NULL;
}

static sctpa_tsn_t *tsn_new(sctpa_store_t *store, uint32_t *place)
{
    uint32_t at;
    sctpa_tsn_t *tsn = sctpa_pool_add(&store->tsns, &at);
    tsn->first_packet = tsn->last_packet = tsn->gap_packet = tsn->ack_packet = SCTPA_NO_PACKET_INDEX;
    *place = at + 1;
    return tsn;
}

/* The record at a place of a page, NULL none. */
static sctpa_tsn_t *tsn_at(const sctpa_store_t *store, uint32_t place)
{
    return place ? sctpa_pool_at(&store->tsns, place - 1) : NULL;
}

/* The page of a TSN, which is the one used last now. NULL: none. */
static sctpa_page_t *use_page(sctpa_direction_t *direction, int64_t tsn)
{
    sctpa_page_t *page = page_find(direction, tsn);
    if (page)
        direction->page = page;
    return page;
}

sctpa_tsn_t *sctpa_pages_get(sctpa_direction_t *direction, int64_t tsn)
{
    sctpa_page_t *page = use_page(direction, tsn);
    if (!page)
        page = direction->page = page_new(direction, page_of(tsn));
    uint32_t *place = &page->tsns[tsn & (SCTPA_PAGE_TSNS - 1)];
    return *place ? tsn_at(direction->store, *place) : tsn_new(direction->store, place);
}

sctpa_tsn_t *sctpa_pages_find(sctpa_direction_t *direction, int64_t tsn)
{
    const sctpa_page_t *page = use_page(direction, tsn);
    return page ? tsn_at(direction->store, page->tsns[tsn & (SCTPA_PAGE_TSNS - 1)]) : NULL;
}

const sctpa_tsn_t *sctpa_direction_tsn(const sctpa_direction_t *direction, int64_t tsn)
{
    const sctpa_page_t *page = page_find(direction, tsn);
    return page ? tsn_at(direction->store, page->tsns[tsn & (SCTPA_PAGE_TSNS - 1)]) : NULL;
}

sctpa_tsn_walk_t sctpa_walk_begin(sctpa_direction_t *direction, int64_t from, int64_t to)
{
    return (sctpa_tsn_walk_t){ direction, { from, from - 1 }, to };
}

sctpa_tsn_t *sctpa_walk_next(sctpa_tsn_walk_t *walk, int64_t *number)
{
    sctpa_range_t *left = &walk->left;
    if (left->first > left->last &&
        (left->first > walk->to || !sctpa_tsn_set_next(&walk->direction->seen, left->first, walk->to, left)))
        return NULL;
    *number = left->first++;
    return sctpa_pages_find(walk->direction, *number);
}

static gint page_order(gconstpointer a, gconstpointer b)
{
    const sctpa_page_t *x = *(const sctpa_page_t *const *)a, *y = *(const sctpa_page_t *const *)b;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* All pages of a direction in ascending order. */
static GPtrArray *pages_in_order(const sctpa_direction_t *direction)
{
    GPtrArray *pages = g_ptr_array_new();
    for (uint32_t at = direction->pages; at != SCTPA_NO_PAGE;) {
        sctpa_page_t *page = sctpa_pool_at(&direction->store->pages, at);
        g_ptr_array_add(pages, page);
        at = page->next;
    }
    g_ptr_array_sort(pages, page_order);
    return pages;
}

void sctpa_pages_each(const sctpa_direction_t *direction, void (*visit)(void *user, int64_t number, sctpa_tsn_t *tsn),
                      void *user)
{
    GPtrArray *pages = pages_in_order(direction);
    for (unsigned i = 0; i < pages->len; i++) {
        const sctpa_page_t *page = g_ptr_array_index(pages, i);
        for (unsigned j = 0; j < SCTPA_PAGE_TSNS; j++)
            if (page->tsns[j])
                visit(user, page->number * SCTPA_PAGE_TSNS + j, tsn_at(direction->store, page->tsns[j]));
    }
    g_ptr_array_unref(pages);
}

/* A visitor that may only read. */
typedef struct {
    void (*visit)(void *user, int64_t number, const sctpa_tsn_t *tsn);
    void *user;
} reader_t;

static void show(void *user, int64_t number, sctpa_tsn_t *tsn)
{
    const reader_t *reader = user;
    reader->visit(reader->user, number, tsn);
}

void sctpa_direction_each(const sctpa_direction_t *direction,
                          void (*visit)(void *user, int64_t number, const sctpa_tsn_t *tsn), void *user)
{
    sctpa_pages_each(direction, show, &(reader_t){ visit, user });
}
