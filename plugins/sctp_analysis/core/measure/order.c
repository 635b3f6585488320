/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes out what is lower than an element before it, sorts that, and merges it in from the end. */
#include "order.h"

#include <stdbool.h>
#include <string.h>

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
