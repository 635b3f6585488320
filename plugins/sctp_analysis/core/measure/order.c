/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes out what is lower than an element before it, sorts that, and merges it in from the end; percentiles of what
 * is in order. */
#include "order.h"

#include <stdbool.h>
#include <string.h>

static int time_order(gconstpointer a, gconstpointer b)
{
    const int64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Nearest rank: the smallest time that at least percent % of all times do not exceed; times ascending. */
static int64_t percentile(const GArray *times, unsigned percent)
{
    uint64_t rank = ((uint64_t)times->len * percent + 99) / 100;
    return g_array_index(times, int64_t, MAX(rank, 1) - 1);
}

sctpa_percentiles_t sctpa_percentiles_of(GArray *times)
{
    if (!times || times->len == 0)
        return (sctpa_percentiles_t){ 0 };
    g_array_sort(times, time_order);
    return (sctpa_percentiles_t){ times->len,
                                  g_array_index(times, int64_t, 0),
                                  percentile(times, 50),
                                  percentile(times, 95),
                                  percentile(times, 99),
                                  g_array_index(times, int64_t, times->len - 1) };
}

/* Moves the elements that rise to the front of the array and returns the others. */
static GArray *take_out(GArray *array, guint size, GCompareDataFunc compare, gpointer user)
{
    GArray *late = NULL;
    char *data = array->data;
    guint kept = MIN(array->len, 1);
    for (guint i = 1; i < array->len; i++) {
        char *at = data + (gsize)i * size;
        if (compare(at, data + (gsize)(kept - 1) * size, user) >= 0) {
            if (kept != i)
                memcpy(data + (gsize)kept * size, at, size);
            kept++;
            continue;
        }
        if (!late)
            late = g_array_new(FALSE, FALSE, size);
        g_array_append_vals(late, at, 1);
    }
    return late;
}

static void merge(GArray *array, const GArray *late, guint size, GCompareDataFunc compare, gpointer user)
{
    char *data = array->data;
    guint front = array->len - late->len, back = late->len;
    for (guint to = array->len; back > 0; to--) {
        const char *add = late->data + (gsize)(back - 1) * size;
        bool from_front = front > 0 && compare(data + (gsize)(front - 1) * size, add, user) > 0;
        memcpy(data + (gsize)(to - 1) * size, from_front ? data + (gsize)(front - 1) * size : add, size);
        front -= from_front;
        back -= !from_front;
    }
}

void sctpa_order(GArray *array, GCompareDataFunc compare, gpointer user)
{
    guint size = g_array_get_element_size(array);
    GArray *late = take_out(array, size, compare, user);
    if (!late)
        return;
    g_array_sort_with_data(late, compare, user);
    merge(array, late, size, compare, user);
    g_array_unref(late);
}
