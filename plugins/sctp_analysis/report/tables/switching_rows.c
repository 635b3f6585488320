/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of what happened to paths. */
#include "switching_rows.h"

void sctpa_switching_rows_add(const sctpa_switching_rows_t *rows, sctpa_table_t *table, const sctpa_view_t *view,
                              sctpa_labels_t *labels, const sctpa_assoc_t *assoc)
{
    bool has_heading = labels == NULL;
    for (uint8_t e = 0; e < 2; e++) {
        const sctpa_switching_t *switching = assoc->ends[e].rare->switching;
        const uint32_t n = switching ? rows->count(switching) : 0;
        if (n > 0 && !has_heading)
            sctpa_labels_add_line(labels, assoc, table);
        has_heading |= n > 0;
        for (uint32_t i = 0; i < n; i++)
            rows->add(table, view, assoc, e, i);
    }
}
