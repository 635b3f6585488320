/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,windows: the windows that receivers announced, when they were closed, and how much of them was in use. */
#include "../reports.h"
#include "../text/address_labels.h"
#include "../text/page.h"
#include "../text/pause_text.h"
#include "../text/table.h"
#include "../text/text.h"
#include "../view.h"
#include "window_tables.h"

enum { ROWS_MAX = 50, CLOSED_MAX = 20 };

static const sctpa_column_t closed_columns[] = {
    { "#", .align = SCTPA_RIGHT },        { "data", .align = SCTPA_LEFT },    { "closed", .align = SCTPA_RIGHT },
    { "total s", .align = SCTPA_RIGHT },  { "% time", .align = SCTPA_RIGHT }, { "longest s", .align = SCTPA_RIGHT },
    { "reader s", .align = SCTPA_RIGHT }, { "TSN s", .align = SCTPA_RIGHT },  { "probes", .align = SCTPA_RIGHT },
};
static const sctpa_column_t longest_columns[] = {
    { "closed s", .align = SCTPA_RIGHT },
    { "#", .align = SCTPA_RIGHT },
    { "data", .align = SCTPA_LEFT },
    { "from s", .align = SCTPA_RIGHT },
    { "frame", .align = SCTPA_RIGHT },
    { "to frame", .align = SCTPA_RIGHT },
    { "gap B", .align = SCTPA_RIGHT },
    { "opened by", .align = SCTPA_LEFT },
    { "cause", SCTPA_WRAPPED, .least_columns = 12 },
};
static const sctpa_column_t announced_columns[] = {
    { "#", .align = SCTPA_RIGHT },
    { "data", .align = SCTPA_LEFT },
    { "receiver", SCTPA_LEFT, .least_columns = 8 },
    { "first B", .align = SCTPA_RIGHT },
    { "least B", .align = SCTPA_RIGHT },
    { "open B", .align = SCTPA_RIGHT },
    { "most B", .align = SCTPA_RIGHT },
};
static const sctpa_column_t used_columns[] = {
    { "#", .align = SCTPA_RIGHT },       { "data", .align = SCTPA_LEFT },      { "flight B", .align = SCTPA_RIGHT },
    { "frame", .align = SCTPA_RIGHT },   { "% window", .align = SCTPA_RIGHT }, { "chunk B", .align = SCTPA_RIGHT },
    { "short s", .align = SCTPA_RIGHT }, { "% time", .align = SCTPA_RIGHT },
};

/* A direction of data. */
typedef struct {
    const sctpa_assoc_t *assoc;
    unsigned end;            /* the sender */
    sctpa_windows_t windows; /* without the list of closed ones */
    unsigned n_closed;
} row_t;

typedef struct {
    const sctpa_assoc_t *assoc;
    unsigned end;
    sctpa_closed_t closed;
} closed_t;

typedef struct {
    const sctpa_view_t *view;
    sctpa_labels_t *labels;
    GArray *rows;    /* row_t, the worst first */
    GArray *longest; /* closed_t, the longest first, at most CLOSED_MAX */
    uint64_t n_closed;
} report_t;

static gint64 closed_ns(gconstpointer row)
{
    return ((const closed_t *)row)->closed.closed_ns;
}

static sctpa_series_source_t source_of(const report_t *report, const sctpa_assoc_t *assoc, uint8_t end)
{
    int64_t start_ns = report->view->start_ns ? report->view->start_ns : sctpa_summary(report->view->sctpa)->first_ns;
    return sctpa_series_source(report->view->sctpa, assoc->number, end, start_ns);
}

static void add_direction(report_t *report, const sctpa_assoc_t *assoc, uint8_t end)
{
    sctpa_series_source_t source = source_of(report, assoc, end);
    if (!source.direction)
        return;
    sctpa_windows_t *windows = sctpa_windows_measure(&source);
    if (windows->sacks > 0 || windows->flight_packet != SCTPA_NO_PACKET_INDEX) {
        row_t row = { assoc, end, *windows, windows->closed->len };
        row.windows.closed = NULL;
        g_array_append_val(report->rows, row);
        for (unsigned i = 0; i < windows->closed->len; i++) {
            closed_t closed = { assoc, end, g_array_index(windows->closed, sctpa_closed_t, i) };
            sctpa_longest_keep(report->longest, &closed, CLOSED_MAX, closed_ns);
            report->n_closed++;
        }
    }
    sctpa_windows_free(windows);
}

static int worst_first(gconstpointer a, gconstpointer b)
{
    const row_t *x = a, *y = b;
    if (x->windows.closed_ns != y->windows.closed_ns)
        return x->windows.closed_ns > y->windows.closed_ns ? -1 : 1;
    if (x->n_closed != y->n_closed)
        return x->n_closed > y->n_closed ? -1 : 1;
    if (x->windows.short_ns != y->windows.short_ns)
        return x->windows.short_ns > y->windows.short_ns ? -1 : 1;
    if (x->assoc->number != y->assoc->number)
        return x->assoc->number < y->assoc->number ? -1 : 1;
    return (int)x->end - (int)y->end;
}

static void add_name(sctpa_table_t *table, const sctpa_assoc_t *assoc, unsigned end)
{
    sctpa_table_plain(table, assoc->number);
    sctpa_table_direction(table, end);
}

static void add_bytes(sctpa_table_t *table, bool known, uint64_t bytes)
{
    if (known)
        sctpa_table_count(table, bytes);
    else
        sctpa_table_text(table, "-");
}

static void write_rows(const report_t *report, const char *heading, const sctpa_column_t *columns, unsigned n,
                       bool (*has_row)(const row_t *row),
                       void (*add)(const report_t *report, const row_t *row, sctpa_table_t *table), GString *out)
{
    sctpa_table_t *table = sctpa_table_new(columns, n);
    unsigned left = 0;
    for (unsigned i = 0; i < report->rows->len; i++) {
        const row_t *row = &g_array_index(report->rows, row_t, i);
        if (!has_row(row))
            continue;
        if (sctpa_table_rows(table) == ROWS_MAX) {
            left++;
            continue;
        }
        add_name(table, row->assoc, row->end);
        add(report, row, table);
    }
    if (sctpa_table_rows(table) > 0)
        sctpa_page_section(out, heading);
    sctpa_table_write(table, out);
    if (left > 0)
        g_string_append_printf(out, "… and %u more\n", left);
    sctpa_table_free(table);
}

static bool was_closed(const row_t *row)
{
    return row->n_closed > 0 || row->windows.probes + row->windows.new_probes > 0;
}

static void add_closed(const report_t *report, const row_t *row, sctpa_table_t *table)
{
    (void)report;
    sctpa_table_count(table, row->n_closed);
    sctpa_table_seconds(table, row->windows.closed_ns);
    sctpa_table_share(table, (uint64_t)row->windows.closed_ns, (uint64_t)row->windows.span_ns);
    sctpa_table_seconds(table, row->windows.longest_closed_ns);
    sctpa_table_seconds(table, row->windows.reader_ns);
    sctpa_table_seconds(table, row->windows.waiting_ns);
    sctpa_table_count(table, (uint64_t)row->windows.probes + row->windows.new_probes);
}

static bool has_window(const row_t *row)
{
    return row->windows.sacks > 0 || row->windows.first_bytes > 0;
}

static void add_announced(const report_t *report, const row_t *row, sctpa_table_t *table)
{
    const sctpa_windows_t *windows = &row->windows;
    sctpa_labels_endpoint_cell(report->labels, row->assoc, !row->end, table);
    add_bytes(table, windows->first_bytes > 0 || windows->sacks > 0, windows->first_bytes);
    add_bytes(table, windows->sacks > 0, windows->min_bytes);
    add_bytes(table, windows->min_open_bytes > 0, windows->min_open_bytes);
    add_bytes(table, windows->sacks > 0, windows->max_bytes);
}

static bool has_data(const row_t *row)
{
    return row->windows.largest_chunk_bytes > 0 && row->windows.flight_packet != SCTPA_NO_PACKET_INDEX;
}

static void add_used(const report_t *report, const row_t *row, sctpa_table_t *table)
{
    const sctpa_windows_t *windows = &row->windows;
    sctpa_table_count(table, windows->flight_bytes);
    sctpa_table_plain(table, sctpa_packet_frame(report->view->sctpa, windows->flight_packet));
    sctpa_table_share(table, windows->flight_bytes, windows->flight_window_bytes);
    sctpa_table_count(table, windows->largest_chunk_bytes);
    if (!has_window(row)) {
        sctpa_table_skip(table, 0);
        return;
    }
    sctpa_table_seconds(table, windows->short_ns);
    sctpa_table_share(table, (uint64_t)windows->short_ns, (uint64_t)windows->span_ns);
}

static void add_causes(const report_t *report, const closed_t *found, sctpa_table_t *table)
{
    sctpa_series_source_t source = source_of(report, found->assoc, (uint8_t)found->end);
    const sctpa_closed_t *closed = &found->closed;
    GString *causes = g_string_new(NULL);
    sctpa_table_count(table, sctpa_closed_gap_acked_bytes(&source, closed));
    sctpa_table_text(table, closed->until == SCTPA_NO_PACKET_INDEX ? "-" : closed->is_opened_by_tsn ? "TSN" : "reader");
    sctpa_closed_append_causes(&source, closed, causes);
    sctpa_table_take(table, causes);
}

static void write_longest(const report_t *report, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(longest_columns, G_N_ELEMENTS(longest_columns));
    const sctpa_t *sctpa = report->view->sctpa;
    for (unsigned i = 0; i < report->longest->len; i++) {
        const closed_t *found = &g_array_index(report->longest, closed_t, i);
        sctpa_table_seconds(table, found->closed.closed_ns);
        add_name(table, found->assoc, found->end);
        sctpa_table_seconds(table,
                            sctpa_view_since_start(report->view, sctpa_packet_time_ns(sctpa, found->closed.packet)));
        sctpa_table_plain(table, sctpa_packet_frame(sctpa, found->closed.packet));
        if (found->closed.until == SCTPA_NO_PACKET_INDEX)
            sctpa_table_text(table, "never");
        else
            sctpa_table_plain(table, sctpa_packet_frame(sctpa, found->closed.until));
        add_causes(report, found, table);
    }
    if (report->longest->len > 0)
        sctpa_page_section(out, "The longest closed windows (frame: of the SACK that closed it; gap B: gap-acked)");
    sctpa_table_write(table, out);
    if (report->n_closed > report->longest->len)
        g_string_append_printf(out, "… and %" G_GUINT64_FORMAT " more\n",
                               (guint64)(report->n_closed - report->longest->len));
    sctpa_table_free(table);
}

static void write_tables(const report_t *report, GString *out)
{
    if (report->rows->len == 0)
        sctpa_page_section(out, "No data and no SACKs");
    else if (report->n_closed == 0)
        sctpa_page_section(out, "No window was closed");
    write_rows(report, "Closed windows (a_rwnd 0 or 1), the longest together first", closed_columns,
               G_N_ELEMENTS(closed_columns), was_closed, add_closed, out);
    write_longest(report, out);
    write_rows(report, "Windows announced (a_rwnd)", announced_columns, G_N_ELEMENTS(announced_columns), has_window,
               add_announced, out);
    write_rows(report, "Windows used (short: less left than the largest chunk needs)", used_columns,
               G_N_ELEMENTS(used_columns), has_data, add_used, out);
    sctpa_labels_write(report->labels, out);
}

void sctpa_report_windows(const sctpa_view_t *view, GString *out)
{
    sctpa_selection_t *selection = sctpa_selection_new(view);
    report_t report = { .view = view,
                        .labels = sctpa_labels_new(view),
                        .rows = g_array_new(FALSE, FALSE, sizeof(row_t)),
                        .longest = g_array_new(FALSE, FALSE, sizeof(closed_t)) };
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;
    while ((assoc = sctpa_selection_next(selection, &number))) {
        add_direction(&report, assoc, 0);
        add_direction(&report, assoc, 1);
    }
    g_array_sort(report.rows, worst_first);
    sctpa_page_begin(view, "SCTP windows", out);
    write_tables(&report, out);
    sctpa_labels_free(report.labels);
    g_array_unref(report.rows);
    g_array_unref(report.longest);
    sctpa_selection_free(selection);
}
