/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several paths at once: what each carried, how far its TSNs arrived behind those of others, and how long it waited for
 * the receiver's window. */
#include "tables.h"

#include "../text/column_meanings.h"
#include "../text/page.h"
#include "../text/text.h"
#include "window_tables.h"

#define TITLE "Several paths at once: what each carried, and how they kept each other waiting"

static const sctpa_column_t columns[] = {
    { "from", SCTPA_LEFT, .meaning = SCTPA_MEANS_FROM },
    { "path", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PATH },
    { "% DATA", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PERCENT_DATA },
    { "% bytes", SCTPA_RIGHT, .meaning = "share of the bytes of data, in percent" },
    { "bit/s", SCTPA_RIGHT, .meaning = SCTPA_MEANS_BIT_S },
    { "RTT ms", SCTPA_RIGHT, .meaning = SCTPA_MEANS_RTT_MS },
    { "rtx to", SCTPA_RIGHT, .meaning = SCTPA_MEANS_RTX_TO },
    { "behind", SCTPA_RIGHT,
      .meaning = "TSNs sent once that arrived behind higher ones of another path, as SACKs show" },
    { "med", SCTPA_RIGHT, .meaning = "by how many TSNs they were behind: the median" },
    { "most", SCTPA_RIGHT, .meaning = "by how many TSNs they were behind: the most" },
    { "blocked", SCTPA_RIGHT,
      .meaning = "time (s) that new data waited for the peer's window, the path's cwnd open, while the receiver held "
                 "data above a "
                 "TSN missing from another path: at least" },
};

sctpa_table_t *sctpa_concurrent_new(void)
{
    return sctpa_table_new(columns, G_N_ELEMENTS(columns));
}

static void add_depth(sctpa_table_t *table, const sctpa_concurrent_path_t *path, uint32_t depth)
{
    if (path->behind > 0)
        sctpa_table_count(table, depth);
    else
        sctpa_table_text(table, "-");
}

/* Short: the table is as wide as a page. */
static void add_blocked(sctpa_table_t *table, bool is_known, int64_t blocked_ns)
{
    GString *text = g_string_new(NULL);
    if (is_known) {
        sctpa_text_seconds(text, blocked_ns, 3);
        sctpa_table_number(table, (double)blocked_ns / 1e9, text->str);
    } else {
        sctpa_table_text(table, "-");
    }
    g_string_free(text, TRUE);
}

static void add_path(const sctpa_view_t *view, sctpa_table_t *table, unsigned end, unsigned path,
                     const sctpa_concurrent_t *concurrent, const sctpa_measure_t *measure)
{
    const sctpa_sent_t *sent = &g_array_index(measure->paths, sctpa_sent_t, path);
    const sctpa_concurrent_path_t *of_path = &g_array_index(concurrent->paths, sctpa_concurrent_path_t, path);
    sctpa_table_plain(table, end);
    sctpa_table_plain(table, path);
    sctpa_table_share(table, sent->transmissions, measure->all.transmissions);
    sctpa_table_share(table, sent->carried_bytes, measure->all.carried_bytes);
    sctpa_table_rate(table, sctpa_rate_bps(sent->data_wire_bytes, measure->span_ns));
    sctpa_view_ms(view, table, sent->rtt.samples > 0, sent->rtt.median_ns);
    sctpa_table_count(table, sctpa_sent_rtx(sent));
    sctpa_table_count(table, of_path->behind);
    add_depth(table, of_path, of_path->median);
    add_depth(table, of_path, of_path->most);
    add_blocked(table, concurrent->is_blocking_known, of_path->blocked_ns);
}

/* labels NULL: no heading. */
static void add_assoc(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                      const sctpa_assoc_t *assoc, unsigned max_paths)
{
    bool has_heading = labels == NULL;
    for (uint8_t e = 0; e < 2; e++) {
        sctpa_series_source_t source = sctpa_series_source(view->sctpa, assoc->number, e, view->start_ns);
        sctpa_concurrent_t *concurrent = sctpa_concurrent_measure(&source);
        if (!concurrent)
            continue;
        sctpa_measure_t *measure = sctpa_measure(view->sctpa, assoc->number, e, NULL);
        if (!has_heading)
            sctpa_labels_add_line(labels, assoc, table);
        has_heading = true;
        for (unsigned path = 0; path < MIN(MIN(concurrent->paths->len, measure->paths->len), max_paths); path++)
            if (g_array_index(measure->paths, sctpa_sent_t, path).transmissions > 0)
                add_path(view, table, e, path, concurrent, measure);
        sctpa_measure_free(measure);
        sctpa_concurrent_free(concurrent);
    }
}

void sctpa_concurrent_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                          const sctpa_assoc_t *assoc, unsigned max_paths)
{
    add_assoc(table, view, labels, assoc, max_paths);
}

static void add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    add_assoc(table, source->view, NULL, assoc, UINT_MAX);
}

const sctpa_window_table_t sctpa_window_table_concurrent = {
    .name = "concurrent",
    .title = TITLE,
    SCTPA_COLUMNS(columns),
    .add = add_to_window,
    .is_whole = true,
};

void sctpa_concurrent_write(const sctpa_table_t *table, GString *out)
{
    if (sctpa_table_rows(table) == 0)
        return;
    sctpa_page_section(out, TITLE);
    sctpa_table_write(table, out);
    sctpa_page_sentence(out, "behind", 8,
                        "TSNs sent once that arrived behind higher ones of another path, as SACKs show; by how many "
                        "TSNs: the median, the most");
    sctpa_window_table_explain(&sctpa_window_table_concurrent, "blocked", 8, out);
}
