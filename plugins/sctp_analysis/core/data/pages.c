/* Records of TSNs, found by number: pages of a few neighbours, so that a lone TSN anywhere costs no more than one page. */
#include "internal.h"

static int64_t page_of(int64_t tsn)
{
    return tsn >> 3;            /* floor, for negative numbers too */
}

/* The hash table's keys are page numbers as pointers; G_DIRECT hashing spreads consecutive numbers evenly. */
static gpointer page_key(int64_t number)
{
    return GSIZE_TO_POINTER((gsize)number);
}

static sctpa_tsn_t *use_page(sctpa_direction_t *direction, int64_t number, sctpa_tsn_t *page)
{
    direction->page = page;
    direction->page_number = number;
    return page;
}

static sctpa_tsn_t *page_find(sctpa_direction_t *direction, int64_t number)
{
    if (direction->page && direction->page_number == number)
        return direction->page;
    sctpa_tsn_t *page = direction->pages ? g_hash_table_lookup(direction->pages, page_key(number)) : NULL;
    return page ? use_page(direction, number, page) : NULL;
}

static sctpa_tsn_t *page_new(sctpa_direction_t *direction, int64_t number)
{
    sctpa_tsn_t *page = g_new0(sctpa_tsn_t, SCTPA_PAGE_TSNS);
    for (unsigned i = 0; i < SCTPA_PAGE_TSNS; i++)
        page[i].first_packet = page[i].last_packet = page[i].gap_packet = page[i].ack_packet = SCTPA_NO_PACKET_INDEX;
    if (!direction->pages)
        direction->pages = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
    g_hash_table_insert(direction->pages, page_key(number), page);
    return use_page(direction, number, page);
}

static int number_order(gconstpointer a, gconstpointer b)
{
    const int64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static GArray *sorted_numbers(GHashTable *pages)
{
    GArray *numbers = g_array_sized_new(FALSE, FALSE, sizeof(int64_t), g_hash_table_size(pages));
    GHashTableIter iter;
    gpointer key;
    g_hash_table_iter_init(&iter, pages);
    while (g_hash_table_iter_next(&iter, &key, NULL)) {
        int64_t number = (int64_t)GPOINTER_TO_SIZE(key);
        g_array_append_val(numbers, number);
    }
    g_array_sort(numbers, number_order);
    return numbers;
}

void sctpa_direction_each(const sctpa_direction_t *direction, void (*visit)(void *user, int64_t number, const sctpa_tsn_t *tsn),
                          void *user)
{
    if (!direction->pages)
        return;
    GArray *numbers = sorted_numbers(direction->pages);
    for (unsigned i = 0; i < numbers->len; i++) {
        int64_t number = g_array_index(numbers, int64_t, i);
        const sctpa_tsn_t *page = g_hash_table_lookup(direction->pages, page_key(number));
        for (unsigned j = 0; j < SCTPA_PAGE_TSNS; j++)
            if (page[j].transmissions > 0)
                visit(user, number * SCTPA_PAGE_TSNS + j, &page[j]);
    }
    g_array_unref(numbers);
}

sctpa_tsn_t *sctpa_pages_get(sctpa_direction_t *direction, int64_t tsn)
{
    sctpa_tsn_t *page = page_find(direction, page_of(tsn));
    return (page ? page : page_new(direction, page_of(tsn))) + (tsn & (SCTPA_PAGE_TSNS - 1));
}

sctpa_tsn_t *sctpa_pages_find(sctpa_direction_t *direction, int64_t tsn)
{
    sctpa_tsn_t *page = page_find(direction, page_of(tsn));
    sctpa_tsn_t *found = page ? page + (tsn & (SCTPA_PAGE_TSNS - 1)) : NULL;
    return found && found->transmissions > 0 ? found : NULL;
}
