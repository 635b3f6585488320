/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,pauses: when directions had something to do and made no progress, why, and which frames show it. */
#include "../reports.h"

#include "../text/page.h"
#include "../text/pause_text.h"
#include "../text/table.h"
#include "../text/text.h"

enum { ROWS_MAX = 50, LONGEST_MAX = 20, INDENT = 4 };

static const sctpa_column_t sum_columns[] = {
    { "#", SCTPA_RIGHT, 0 },      { "data", SCTPA_LEFT, 0 },        { "pauses", SCTPA_RIGHT, 0 },
    { "lost s", SCTPA_RIGHT, 0 }, { "% time", SCTPA_RIGHT, 0 },     { "longest s", SCTPA_RIGHT, 0 },
    { "idle s", SCTPA_RIGHT, 0 }, { "late ack s", SCTPA_RIGHT, 0 },
};
static const sctpa_column_t longest_columns[] = {
    { "lost s", SCTPA_RIGHT, 0 }, { "#", SCTPA_RIGHT, 0 },     { "data", SCTPA_LEFT, 0 },
    { "from s", SCTPA_RIGHT, 0 }, { "frame", SCTPA_RIGHT, 0 }, { "to frame", SCTPA_RIGHT, 0 },
    { "cause", SCTPA_LEFT, 0 },
};

/* A direction of data; pauses.pauses is NULL. */
typedef struct {
    const sctpa_assoc_t *assoc;
    unsigned sender, n;
    sctpa_pauses_t pauses;
} row_t;

typedef struct {
    const sctpa_assoc_t *assoc;
    unsigned sender;
    sctpa_pause_t pause;
} pause_t;

typedef struct {
    const sctpa_view_t *view;
    sctpa_labels_t *legend;
    GArray *rows;    /* row_t, the worst first */
    GArray *longest; /* pause_t, the longest first, at most LONGEST_MAX */
    uint64_t n_pauses;
} report_t;

/* Of those as long the earliest found stays first. */
static void keep_longest(report_t *report, const pause_t *found)
{
    GArray *longest = report->longest;
    unsigned at = longest->len;
    while (at > 0 && g_array_index(longest, pause_t, at - 1).pause.paused_ns < found->pause.paused_ns)
        at--;
    report->n_pauses++;
    if (at == LONGEST_MAX)
        return;
    g_array_insert_val(longest, at, *found);
    if (longest->len > LONGEST_MAX)
        g_array_set_size(longest, LONGEST_MAX);
}

static void add_direction(report_t *report, const sctpa_assoc_t *assoc, unsigned sender)
{
    sctpa_series_source_t source =
        sctpa_series_source(report->view->sctpa, assoc->number, (uint8_t)sender, report->view->start_ns);
    if (!source.direction || source.direction->tsns == 0 || assoc->ends[!sender].settled->packets == 0)
        return;
    sctpa_pauses_t *pauses = sctpa_pauses_measure(&source, sctpa_view_outcome(report->view, assoc).last_ns);
    row_t row = { assoc, sender, pauses->pauses->len, *pauses };
    row.pauses.pauses = NULL;
    g_array_append_val(report->rows, row);
    for (unsigned i = 0; i < pauses->pauses->len; i++) {
        pause_t found = { assoc, sender, g_array_index(pauses->pauses, sctpa_pause_t, i) };
        keep_longest(report, &found);
    }
    sctpa_pauses_free(pauses);
}

static int worst_first(gconstpointer a, gconstpointer b)
{
    const row_t *x = a, *y = b;
    if (x->pauses.paused_ns != y->pauses.paused_ns)
        return x->pauses.paused_ns > y->pauses.paused_ns ? -1 : 1;
    if (x->assoc->number != y->assoc->number)
        return x->assoc->number < y->assoc->number ? -1 : 1;
    return (int)x->sender - (int)y->sender;
}

static void add_name(sctpa_table_t *table, const sctpa_assoc_t *assoc, unsigned sender)
{
    sctpa_table_plain(table, assoc->number);
    sctpa_table_text(table, sender == 0 ? "0→1" : "1→0");
}

static void write_sums(const report_t *report, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(sum_columns, G_N_ELEMENTS(sum_columns));
    for (unsigned i = 0; i < MIN(report->rows->len, ROWS_MAX); i++) {
        const row_t *row = &g_array_index(report->rows, row_t, i);
        GString *causes = g_string_new(NULL);
        add_name(table, row->assoc, row->sender);
        sctpa_table_count(table, row->n);
        sctpa_table_seconds(table, row->pauses.paused_ns);
        sctpa_table_share(table, (uint64_t)row->pauses.paused_ns,
                          (uint64_t)MAX(row->pauses.span_ns, row->pauses.paused_ns));
        sctpa_table_seconds(table, row->pauses.longest_ns);
        sctpa_table_seconds(table, row->pauses.idle_ns);
        sctpa_table_seconds(table, row->pauses.acking_ns);
        sctpa_pause_append_causes(causes, &row->pauses);
        if (causes->len > 0)
            sctpa_table_sentence(table, INDENT, causes->str);
        g_string_free(causes, TRUE);
    }
    if (report->rows->len > 0)
        sctpa_page_section(out, "Time lost by direction (longest: without ack progress; idle: nothing to do)");
    sctpa_table_write(table, out);
    sctpa_page_more(out, report->rows->len > ROWS_MAX ? report->rows->len - ROWS_MAX : 0, "");
    sctpa_table_free(table);
}

static void write_longest(const report_t *report, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(longest_columns, G_N_ELEMENTS(longest_columns));
    const sctpa_view_t *view = report->view;
    for (unsigned i = 0; i < report->longest->len; i++) {
        const pause_t *found = &g_array_index(report->longest, pause_t, i);
        GString *why = g_string_new(NULL);
        sctpa_table_seconds(table, found->pause.paused_ns);
        add_name(table, found->assoc, found->sender);
        sctpa_table_seconds(table, sctpa_view_since_start(view, sctpa_packet_time_ns(view->sctpa, found->pause.since)));
        sctpa_table_plain(table, sctpa_packet_frame(view->sctpa, found->pause.since));
        if (found->pause.until == SCTPA_NO_PACKET_INDEX)
            sctpa_table_text(table, "never");
        else
            sctpa_table_plain(table, sctpa_packet_frame(view->sctpa, found->pause.until));
        sctpa_table_text(table, sctpa_pause_text((sctpa_pause_cause_t)found->pause.cause));
        sctpa_pause_append_why(why, view, report->legend, found->assoc, found->sender, &found->pause);
        sctpa_table_sentence(table, INDENT, why->str);
        g_string_free(why, TRUE);
    }
    if (report->longest->len > 0)
        sctpa_page_section(out, "Pauses, the longest first");
    sctpa_table_write(table, out);
    sctpa_page_more(out, report->n_pauses - report->longest->len, "");
    sctpa_table_free(table);
}

void sctpa_report_pauses(const sctpa_view_t *view, GString *out)
{
    sctpa_selection_t *selection = sctpa_selection_new(view);
    report_t report = { .view = view,
                        .legend = sctpa_labels_new(view),
                        .rows = g_array_new(FALSE, FALSE, sizeof(row_t)),
                        .longest = g_array_new(FALSE, FALSE, sizeof(pause_t)) };
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;

    while ((assoc = sctpa_selection_next(selection, &number)))
        for (unsigned sender = 0; sender < 2; sender++)
            add_direction(&report, assoc, sender);
    g_array_sort(report.rows, worst_first);
    sctpa_page_begin(view, "SCTP pauses", out);
    if (report.n_pauses == 0)
        sctpa_page_section(out, "No pauses");
    write_sums(&report, out);
    write_longest(&report, out);
    sctpa_labels_write(report.legend, out);
    g_array_unref(report.rows);
    g_array_unref(report.longest);
    sctpa_labels_free(report.legend);
    sctpa_selection_free(selection);
}
