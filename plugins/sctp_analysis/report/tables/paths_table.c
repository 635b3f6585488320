/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,paths: what each endpoint sent to each address of its peer, and from which of its own. */
#include "../reports.h"
#include "../text/column_meanings.h"
#include "../text/page.h"
#include "tables.h"
#include "window_tables.h"

enum { ASSOCS_MAX = 50, PATHS_MAX = 20, PAIRS_MAX = 10 };

#define TITLE "What each endpoint (from) sent to each address of its peer (path)"
/* clang-format off */
#define PATH { "from", SCTPA_LEFT, .meaning = SCTPA_MEANS_FROM }, { "path", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PATH }
#define DESTINATION { "destination", SCTPA_LEFT, 8, .meaning = "address that the packets went to" }
#define COUNTS { "packets", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PACKETS }, \
    { "bytes", SCTPA_RIGHT, .meaning = SCTPA_MEANS_BYTES }, \
    { "DATA", SCTPA_RIGHT, .meaning = SCTPA_MEANS_DATA_CHUNKS }, \
    { "% DATA", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PERCENT_DATA }, \
    { "HB", SCTPA_RIGHT, .meaning = "HEARTBEAT chunks sent" }
/* clang-format on */

static const sctpa_column_t columns[] = {
    PATH,
    DESTINATION,
    COUNTS,
    { "unanswered", SCTPA_RIGHT, .meaning = "HEARTBEATs that got no HEARTBEAT-ACK" },
};
static const sctpa_column_t pair_columns[] = {
    PATH,
    { "source", SCTPA_LEFT, 8, .meaning = "address that the packets came from" },
    DESTINATION,
    COUNTS,
};

sctpa_counts_t *sctpa_paths_counts(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end,
                                   unsigned *n)
{
    const sctpa_end_t *endpoint = &assoc->ends[end];
    sctpa_counts_t *counts;

    *n = endpoint->n_paths;
    counts = g_new0(sctpa_counts_t, MAX(*n, 1));
    for (unsigned i = 0; i < endpoint->n_pairs; i++) {
        const sctpa_pair_t *pair = endpoint->pairs[i];
        if (pair->path < *n)
            sctpa_counts_merge(&counts[pair->path], sctpa_selection_arena(selection),
                               sctpa_selection_pair(selection, assoc, end, i));
    }
    return counts;
}

/* Pairs of an end that belong to a path, with packets or not. O(pairs of the end). */
static unsigned path_pair_count(const sctpa_end_t *end, unsigned path)
{
    unsigned count = 0;
    for (unsigned i = 0; i < end->n_pairs; i++)
        count += end->pairs[i]->path == path;
    return count;
}

typedef struct {
    const sctpa_view_t *view;
    const sctpa_selection_t *selection;
    sctpa_labels_t *labels;
    sctpa_table_t *table;
    sctpa_path_data_t *data_tables;
    sctpa_table_t *tap_delay, *concurrent, *handovers, *failovers, *outages;
    uint64_t packets, bytes, data;
} paths_t;

/* What rows of the table are made from. */
typedef struct {
    const sctpa_t *sctpa;
    const sctpa_selection_t *selection;
    sctpa_labels_t *labels;
    const sctpa_assoc_t *assoc;
    unsigned end;
    uint32_t data_of_end;
    bool is_filtered, knows_chunks;
} rows_t;

static rows_t rows_of(const sctpa_view_t *view, const sctpa_selection_t *selection, sctpa_labels_t *labels,
                      const sctpa_assoc_t *assoc, unsigned end)
{
    return (rows_t){ view->sctpa,
                     selection,
                     labels,
                     assoc,
                     end,
                     sctpa_counts_data_chunks(sctpa_selection_end(selection, assoc, end)),
                     view->tally != NULL,
                     sctpa_tally_knows_chunks(view->tally) };
}

static void add_addr(const rows_t *rows, sctpa_table_t *table, const char *before, const sctpa_addr_t *addr)
{
    GString *text = g_string_new(before);
    sctpa_labels_addr(rows->labels, addr, text);
    sctpa_table_take(table, text);
}

static void add_counts(const rows_t *rows, sctpa_table_t *table, const sctpa_counts_t *counts)
{
    sctpa_table_count(table, counts->packets);
    sctpa_table_count(table, counts->wire_bytes);
    sctpa_table_count(table, sctpa_counts_data_chunks(counts));
    sctpa_table_share(table, sctpa_counts_data_chunks(counts), rows->data_of_end);
    if (rows->knows_chunks)
        sctpa_table_count(table, sctpa_counts_chunks(counts, SCTPA_CHUNK_ROW_HEARTBEAT));
    else
        sctpa_table_text(table, "-");
}

/* The sources of a path, where there is more than one. */
static void add_pairs(const rows_t *rows, sctpa_table_t *table, unsigned path)
{
    const sctpa_end_t *endpoint = &rows->assoc->ends[rows->end];
    unsigned all = path_pair_count(endpoint, path), shown = 0;

    for (unsigned i = 0; all > 1 && i < endpoint->n_pairs && shown < PAIRS_MAX; i++) {
        const sctpa_pair_t *pair = endpoint->pairs[i];
        const sctpa_counts_t *counts = sctpa_selection_pair(rows->selection, rows->assoc, rows->end, i);
        if (pair->path != path || counts->packets == 0)
            continue;
        shown++;
        sctpa_table_skip(table, 2);
        add_addr(rows, table, "  from ", pair->source);
        add_counts(rows, table, counts);
        sctpa_table_skip(table, 0);
    }
}

/* A count that is not known of selected packets. */
static void add_known(const rows_t *rows, sctpa_table_t *table, uint32_t count)
{
    if (rows->is_filtered)
        sctpa_table_text(table, "-");
    else
        sctpa_table_count(table, count);
}

static void add_path(const rows_t *rows, sctpa_table_t *table, unsigned path, const sctpa_counts_t *counts)
{
    const sctpa_path_t *known = &rows->assoc->ends[rows->end].paths[path];

    sctpa_table_plain(table, rows->end);
    sctpa_table_plain(table, path);
    add_addr(rows, table, "", known->destination);
    add_counts(rows, table, counts);
    add_known(rows, table, sctpa_path_probed(rows->sctpa, rows->assoc, rows->end, path)->heartbeats_lost);
}

static void add_paths_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    for (unsigned e = 0; e < 2; e++) {
        rows_t rows = rows_of(source->view, source->selection, source->labels, assoc, e);
        unsigned n;
        sctpa_counts_t *counts = sctpa_paths_counts(source->selection, assoc, e, &n);
        for (unsigned path = 0; path < n; path++)
            if (counts[path].packets > 0)
                add_path(&rows, table, path, &counts[path]);
        g_free(counts);
    }
}

/* Every pair of addresses, where a path has more than one. */
static void add_pairs_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    for (unsigned e = 0; e < 2; e++) {
        rows_t rows = rows_of(source->view, source->selection, source->labels, assoc, e);
        for (unsigned i = 0; i < assoc->ends[e].n_pairs; i++) {
            const sctpa_pair_t *pair = assoc->ends[e].pairs[i];
            const sctpa_counts_t *counts = sctpa_selection_pair(source->selection, assoc, e, i);
            if (counts->packets == 0 || path_pair_count(&assoc->ends[e], pair->path) < 2)
                continue;
            sctpa_table_plain(table, e);
            sctpa_table_plain(table, pair->path);
            add_addr(&rows, table, "", pair->source);
            add_addr(&rows, table, "", pair->destination);
            add_counts(&rows, table, counts);
        }
    }
}

const sctpa_window_table_t sctpa_window_table_paths = {
    .name = "paths",
    .title = TITLE,
    SCTPA_COLUMNS(columns),
    .add = add_paths_to_window,
};
const sctpa_window_table_t sctpa_window_table_pairs = {
    .name = "pairs",
    .title = "The same by source address",
    SCTPA_COLUMNS(pair_columns),
    .add = add_pairs_to_window,
};

static void add_end(paths_t *report, const sctpa_assoc_t *assoc, unsigned end)
{
    unsigned n, shown = 0, left = 0;
    sctpa_counts_t *counts = sctpa_paths_counts(report->selection, assoc, end, &n);
    rows_t rows = rows_of(report->view, report->selection, report->labels, assoc, end);

    for (unsigned path = 0; path < n; path++) {
        if (counts[path].packets == 0)
            continue;
        if (shown == PATHS_MAX) {
            left++;
            continue;
        }
        add_path(&rows, report->table, path, &counts[path]);
        add_pairs(&rows, report->table, path);
        shown++;
    }
    if (left > 0) {
        GString *text = g_string_new(NULL);
        sctpa_page_more(text, left, "paths");
        g_string_truncate(text, text->len - 1);
        sctpa_table_line(report->table, text->str);
        g_string_free(text, TRUE);
    }
    g_free(counts);
}

static void add_totals(paths_t *report)
{
    sctpa_table_rule(report->table);
    sctpa_table_text(report->table, "all");
    sctpa_table_skip(report->table, 2);
    sctpa_table_count(report->table, report->packets);
    sctpa_table_count(report->table, report->bytes);
    sctpa_table_count(report->table, report->data);
    sctpa_table_skip(report->table, 0);
}

static uint32_t add_assocs(paths_t *report)
{
    const sctpa_assoc_t *assoc;
    uint32_t number = 0, all = 0;

    while ((assoc = sctpa_selection_next(report->selection, &number))) {
        for (unsigned e = 0; e < 2; e++) {
            const sctpa_counts_t *counts = sctpa_selection_end(report->selection, assoc, e);
            report->packets += counts->packets;
            report->bytes += counts->wire_bytes;
            report->data += sctpa_counts_data_chunks(counts);
        }
        if (all++ >= ASSOCS_MAX)
            continue;
        sctpa_labels_add_line(report->labels, assoc, report->table);
        add_end(report, assoc, 0);
        add_end(report, assoc, 1);
        sctpa_path_data_add(report->data_tables, report->selection, assoc, PATHS_MAX);
        sctpa_tap_delay_add(report->tap_delay, report->view, report->labels, assoc, PATHS_MAX);
        sctpa_concurrent_add(report->concurrent, report->view, report->labels, assoc, PATHS_MAX);
        sctpa_handovers_add(report->handovers, report->view, report->labels, assoc);
        sctpa_failovers_add(report->failovers, report->view, report->labels, assoc);
        sctpa_outages_add(report->outages, report->view, report->labels, assoc);
    }
    return all;
}

void sctpa_report_paths(const sctpa_view_t *view, GString *out)
{
    sctpa_selection_t *selection = sctpa_selection_new(view);
    paths_t report = { .view = view,
                       .selection = selection,
                       .labels = sctpa_labels_new(view),
                       .table = sctpa_table_new(columns, G_N_ELEMENTS(columns)) };
    report.data_tables = sctpa_path_data_new(report.labels);
    report.tap_delay = sctpa_tap_delay_new();
    report.concurrent = sctpa_concurrent_new();
    report.handovers = sctpa_handovers_new();
    report.failovers = sctpa_failovers_new();
    report.outages = sctpa_outages_new();
    uint32_t all = add_assocs(&report);

    add_totals(&report);
    sctpa_page_begin(view, "SCTP paths", out);
    sctpa_page_section(out, TITLE);
    sctpa_table_write(report.table, out);
    sctpa_page_more(out, all > ASSOCS_MAX ? all - ASSOCS_MAX : 0, "associations");
    sctpa_path_data_write(report.data_tables, out);
    sctpa_tap_delay_write(report.tap_delay, out);
    sctpa_concurrent_write(report.concurrent, out);
    sctpa_handovers_write(report.handovers, out);
    sctpa_failovers_write(report.failovers, out);
    sctpa_outages_write(report.outages, out);
    sctpa_labels_write(report.labels, out);
    sctpa_table_free(report.table);
    sctpa_path_data_free(report.data_tables);
    sctpa_table_free(report.tap_delay);
    sctpa_table_free(report.concurrent);
    sctpa_table_free(report.handovers);
    sctpa_table_free(report.failovers);
    sctpa_table_free(report.outages);
    sctpa_labels_free(report.labels);
    sctpa_selection_free(selection);
}
