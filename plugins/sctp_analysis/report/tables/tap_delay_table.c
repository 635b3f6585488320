/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Delays between two taps: what packets waited on the way, how much that varies, and what the clocks did. */
#include "tables.h"

#include "../rows/rows.h"
#include "../text/page.h"
#include "window_tables.h"

#define TITLE "Delay between two taps beyond the least of the path (ms)"

#define SCTPA_SECTION tap_delay
#define SCTPA_ROW sctpa_tap_delay_row_t
#define SCTPA_MEMBERS "../rows/tap_delay_members.def"
#include "../rows/columns.h"

sctpa_table_t *sctpa_tap_delay_new(void)
{
    return sctpa_table_new(columns_tap_delay, G_N_ELEMENTS(columns_tap_delay));
}

/* labels NULL: no heading. */
static void add_assoc(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                      const sctpa_assoc_t *assoc, unsigned max_paths)
{
    bool has_heading = labels == NULL;
    for (uint8_t e = 0; e < 2; e++)
        for (uint16_t path = 0; path < MIN(assoc->ends[e].n_paths, max_paths); path++) {
            sctpa_tap_delay_row_t row;
            if (!sctpa_tap_delay_row(view, assoc, e, path, &row))
                continue;
            if (!has_heading)
                sctpa_labels_add_line(labels, assoc, table);
            has_heading = true;
            cells_tap_delay(table, view, &row);
        }
}

void sctpa_tap_delay_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                         const sctpa_assoc_t *assoc, unsigned max_paths)
{
    add_assoc(table, view, labels, assoc, max_paths);
}

static void add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    add_assoc(table, source->view, NULL, assoc, UINT_MAX);
}

const sctpa_window_table_t sctpa_window_table_tap_delay = {
    .name = "tap_delay",
    .title = TITLE,
    SCTPA_COLUMNS(columns_tap_delay),
    .add = add_to_window,
    .is_whole = true,
};

void sctpa_tap_delay_write(const sctpa_table_t *table, GString *out)
{
    if (sctpa_table_rows(table) == 0)
        return;
    sctpa_page_section(out, TITLE);
    sctpa_table_write(table, out);
    sctpa_page_sentence(out, "jitter", 10, "RFC 3550 6.4.1, after the last packet; most j: the most it was");
    sctpa_window_table_explain(&sctpa_window_table_tap_delay, "both ways", 10, out);
    sctpa_window_table_explain(&sctpa_window_table_tap_delay, "drift", 10, out);
}
