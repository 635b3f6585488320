/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The longest of many. */
#include "longest_rows.h"

void sctpa_longest_keep(GArray *rows, gconstpointer found, unsigned most, gint64 (*ns_of)(gconstpointer row))
{
    const gint64 ns = ns_of(found);
    unsigned at = rows->len;
    while (at > 0 && ns_of(rows->data + (gsize)(at - 1) * g_array_get_element_size(rows)) < ns)
        at--;
    if (at == most)
        return;
    g_array_insert_vals(rows, at, found, 1);
    if (rows->len > most)
        g_array_set_size(rows, most);
}
