/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Delays between two taps: what packets waited on the way, how much that varies, and what the clocks did. */
#include "tables.h"

#include "../text/column_meanings.h"
#include "../text/page.h"
#include "window_tables.h"

#define TITLE "Delay between two taps beyond the least of the path (ms)"

static const sctpa_column_t columns[] = {
    { "from", SCTPA_LEFT, .meaning = SCTPA_MEANS_FROM },
    { "path", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PATH },
    { "median", SCTPA_RIGHT, .meaning = SCTPA_MEANS_MEDIAN },
    { "p95", SCTPA_RIGHT, .meaning = SCTPA_MEANS_P95 },
    { "p99", SCTPA_RIGHT, .meaning = SCTPA_MEANS_P99 },
    { "most", SCTPA_RIGHT, .meaning = "the longest" },
    { "jitter", SCTPA_RIGHT, .meaning = "interarrival jitter of RFC 3550 6.4.1, after the last packet" },
    { "most j", SCTPA_RIGHT, .meaning = "the most that this jitter was" },
    { "both ways", SCTPA_RIGHT, .meaning = "the least there and the least back together, whatever the clocks" },
    { "drift", SCTPA_RIGHT,
      .meaning =
          "what the far clock gained on the near one from the first third of the time to the last, as both directions "
          "show: then the times above include it" },
};

sctpa_table_t *sctpa_tap_delay_new(void)
{
    return sctpa_table_new(columns, G_N_ELEMENTS(columns));
}

static void add_path(const sctpa_view_t *view, sctpa_table_t *table, uint8_t end, uint16_t path,
                     const sctpa_tap_delay_t *delay)
{
    sctpa_table_plain(table, end);
    sctpa_table_plain(table, path);
    sctpa_view_ms(view, table, true, delay->above_least.median_ns);
    sctpa_view_ms(view, table, true, delay->above_least.p95_ns);
    sctpa_view_ms(view, table, true, delay->above_least.p99_ns);
    sctpa_view_ms(view, table, true, delay->above_least.max_ns);
    sctpa_view_ms(view, table, true, delay->jitter_ns);
    sctpa_view_ms(view, table, true, delay->most_jitter_ns);
    sctpa_view_ms(view, table, delay->both_ways_ns >= 0, delay->both_ways_ns);
    sctpa_view_ms(view, table, delay->is_drift_known, delay->drift_ns);
}

/* labels NULL: no heading. */
static void add_assoc(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                      const sctpa_assoc_t *assoc, unsigned max_paths)
{
    bool has_heading = labels == NULL;
    for (uint8_t e = 0; e < 2; e++)
        for (uint16_t path = 0; path < MIN(assoc->ends[e].n_paths, max_paths); path++) {
            sctpa_tap_delay_t delay;
            if (!sctpa_tap_delay(view->sctpa, assoc->number, e, path, &delay))
                continue;
            if (!has_heading)
                sctpa_labels_add_line(labels, assoc, table);
            has_heading = true;
            add_path(view, table, e, path, &delay);
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
    SCTPA_COLUMNS(columns),
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
