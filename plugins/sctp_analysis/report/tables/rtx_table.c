/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,rtx: what was sent again, why, and whether that was needed; per association, direction and path. */
#include "../reports.h"

#include "../text/column_meanings.h"
#include "../text/page.h"
#include "window_tables.h"
#include "../text/text.h"

#define SUMS_TITLE "Directions of the associations with most retransmissions (spurious: at least)"
#define KINDS_TITLE "Retransmissions by cause"
#define PATHS_TITLE "DATA and retransmissions by path, where a direction has several"

enum { ASSOCS_MAX = 50, PATHS_MAX = 20 };

static const sctpa_column_t sum_columns[] = {
    { "#", SCTPA_RIGHT, .meaning = SCTPA_MEANS_ASSOC },
    { "sent", SCTPA_LEFT, .meaning = SCTPA_MEANS_DATA },
    { "DATA", SCTPA_RIGHT, .meaning = SCTPA_MEANS_DATA_CHUNKS },
    { "resent", SCTPA_RIGHT, .meaning = SCTPA_MEANS_RESENT },
    { "% DATA", SCTPA_RIGHT, .meaning = "retransmissions as share of the transmissions of DATA, in percent" },
    { "unseen", SCTPA_RIGHT, .meaning = SCTPA_MEANS_UNSEEN },
    { "spurious", SCTPA_RIGHT, .meaning = SCTPA_MEANS_SPURIOUS },
    { "abandoned", SCTPA_RIGHT, .meaning = SCTPA_MEANS_ABANDONED },
    { "duplicates", SCTPA_RIGHT, .meaning = SCTPA_MEANS_DUPLICATES },
};
static const sctpa_column_t kind_columns[] = {
    { "#", SCTPA_RIGHT, .meaning = SCTPA_MEANS_ASSOC },
    { "sent", SCTPA_LEFT, .meaning = SCTPA_MEANS_DATA },
    { "resent", SCTPA_RIGHT, .meaning = SCTPA_MEANS_RESENT },
    { "fast", SCTPA_RIGHT, .meaning = SCTPA_MEANS_FAST },
    { "early", SCTPA_RIGHT, .meaning = SCTPA_MEANS_EARLY },
    { "timeout", SCTPA_RIGHT, .meaning = SCTPA_MEANS_TIMEOUT },
    { "probe", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PROBE },
    { "handover", SCTPA_RIGHT, .meaning = SCTPA_MEANS_HANDOVER },
    { "report", SCTPA_RIGHT, .meaning = SCTPA_MEANS_REPORT },
    { "unknown", SCTPA_RIGHT, .meaning = SCTPA_MEANS_UNKNOWN },
};
static const sctpa_column_t path_columns[] = {
    { "#", SCTPA_RIGHT, .meaning = SCTPA_MEANS_ASSOC },
    { "from", SCTPA_LEFT, .meaning = SCTPA_MEANS_FROM },
    { "path", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PATH },
    { "to", SCTPA_LEFT, 8, .meaning = "the destination address that the path is" },
    { "DATA", SCTPA_RIGHT, .meaning = SCTPA_MEANS_DATA_CHUNKS },
    { "% DATA", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PERCENT_DATA },
    { "rtx of", SCTPA_RIGHT, .meaning = SCTPA_MEANS_RTX_OF },
    { "% of path", SCTPA_RIGHT, .meaning = "share of the path's transmissions that were retransmitted, in percent" },
    { "lost", SCTPA_RIGHT, .meaning = SCTPA_MEANS_LOST },
    { "rtx to", SCTPA_RIGHT, .meaning = SCTPA_MEANS_RTX_TO },
};

/* An association in the order of the report. */
typedef struct {
    uint32_t number;
    uint64_t trouble; /* retransmissions, and TSNs resent unseen */
} ranked_t;

/* What is added up of a direction. */
typedef struct {
    uint64_t data, duplicates;
    sctpa_sent_t sent; /* counters only */
} sum_t;

typedef struct {
    const sctpa_selection_t *selection;
    sctpa_labels_t *labels;
    sctpa_table_t *sums, *kinds, *paths;
    sum_t total;
    unsigned assocs, troubled;
} rtx_t;

static void sum_add(sum_t *sum, const sum_t *more)
{
    sum->data += more->data;
    sum->duplicates += more->duplicates;
    for (unsigned kind = 0; kind < SCTPA_RTX_KINDS; kind++)
        sum->sent.rtx[kind] += more->sent.rtx[kind];
    sum->sent.resent_unseen += more->sent.resent_unseen;
    sum->sent.spurious += more->sent.spurious;
    sum->sent.abandoned_tsns += more->sent.abandoned_tsns;
}

static sum_t sum_of(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end,
                    const sctpa_measure_t *measure)
{
    return (sum_t){ sctpa_counts_data_chunks(sctpa_selection_end(selection, assoc, end)),
                    sctpa_selection_duplicates(selection, assoc, !end), measure->all };
}

static int trouble_order(gconstpointer a, gconstpointer b)
{
    const ranked_t *x = a, *y = b;
    if (x->trouble != y->trouble)
        return x->trouble > y->trouble ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Adds up all associations with data; the result has them in the order of their trouble. */
static GArray *rank(rtx_t *report)
{
    GArray *ranked = g_array_new(FALSE, FALSE, sizeof(ranked_t));
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;

    while ((assoc = sctpa_selection_next(report->selection, &number))) {
        ranked_t at = { assoc->number, 0 };
        uint64_t data = 0;
        for (unsigned e = 0; e < 2; e++) {
            sctpa_measure_t *measure = sctpa_selection_measure(report->selection, assoc, e);
            sum_t sum = sum_of(report->selection, assoc, e, measure);
            sum_add(&report->total, &sum);
            at.trouble += sctpa_sent_rtx(&measure->all) + measure->all.resent_unseen;
            data += sum.data + sum.duplicates;
            sctpa_measure_free(measure);
        }
        report->assocs++;
        report->troubled += at.trouble > 0;
        if (data > 0)
            g_array_append_val(ranked, at);
    }
    g_array_sort(ranked, trouble_order);
    return ranked;
}

static void add_sums(sctpa_table_t *table, const sum_t *sum)
{
    sctpa_table_count(table, sum->data);
    sctpa_table_count(table, sctpa_sent_rtx(&sum->sent));
    sctpa_table_share(table, sctpa_sent_rtx(&sum->sent), sum->data);
    sctpa_table_count(table, sum->sent.resent_unseen);
    sctpa_table_count(table, sum->sent.spurious);
    sctpa_table_count(table, sum->sent.abandoned_tsns);
    sctpa_table_count(table, sum->duplicates);
}

static void add_place(sctpa_table_t *table, uint32_t number, unsigned end)
{
    sctpa_table_plain(table, number);
    sctpa_table_direction(table, end);
}

/* The rows of a direction, where it has any, in each table. */
static void add_sum(sctpa_table_t *table, const sctpa_assoc_t *assoc, unsigned end, const sum_t *sum)
{
    if (sum->data + sum->duplicates == 0)
        return;
    add_place(table, assoc->number, end);
    add_sums(table, sum);
}

static void add_kinds(sctpa_table_t *table, const sctpa_assoc_t *assoc, unsigned end, const sctpa_sent_t *sent)
{
    if (sctpa_sent_rtx(sent) == 0)
        return;
    add_place(table, assoc->number, end);
    sctpa_table_count(table, sctpa_sent_rtx(sent));
    for (unsigned kind = 0; kind < SCTPA_RTX_KINDS; kind++)
        sctpa_table_count(table, sent->rtx[kind]);
}

static void add_path(sctpa_table_t *table, sctpa_labels_t *labels, const sctpa_assoc_t *assoc, unsigned end,
                     unsigned path, const sctpa_measure_t *measure)
{
    const sctpa_sent_t *sent = &g_array_index(measure->paths, sctpa_sent_t, path);
    GString *destination = g_string_new(NULL);

    sctpa_table_plain(table, assoc->number);
    sctpa_table_plain(table, end);
    sctpa_table_plain(table, path);
    sctpa_labels_addr(labels, assoc->ends[end].paths[path].destination, destination);
    sctpa_table_take(table, destination);
    sctpa_table_count(table, sent->transmissions);
    sctpa_table_share(table, sent->transmissions, measure->all.transmissions);
    sctpa_table_count(table, sent->retransmitted);
    sctpa_table_share(table, sent->retransmitted, sent->transmissions);
    sctpa_table_count(table, sent->lost);
    sctpa_table_count(table, sctpa_sent_rtx(sent));
}

/* Paths of a direction that used several for its data. */
static void add_paths(sctpa_table_t *table, sctpa_labels_t *labels, const sctpa_assoc_t *assoc, unsigned end,
                      const sctpa_measure_t *measure, unsigned max_paths)
{
    unsigned known = MIN(assoc->ends[end].n_paths, measure->paths->len), used = 0;
    for (unsigned path = 0; path < known; path++)
        used += g_array_index(measure->paths, sctpa_sent_t, path).transmissions > 0;
    for (unsigned path = 0; used > 1 && path < MIN(known, max_paths); path++)
        if (g_array_index(measure->paths, sctpa_sent_t, path).transmissions > 0)
            add_path(table, labels, assoc, end, path, measure);
}

static void add_assoc(const rtx_t *report, const sctpa_assoc_t *assoc)
{
    for (unsigned e = 0; e < 2; e++) {
        sctpa_measure_t *measure = sctpa_selection_measure(report->selection, assoc, e);
        sum_t sum = sum_of(report->selection, assoc, e, measure);
        add_sum(report->sums, assoc, e, &sum);
        add_kinds(report->kinds, assoc, e, &measure->all);
        add_paths(report->paths, report->labels, assoc, e, measure, PATHS_MAX);
        sctpa_measure_free(measure);
    }
}

static void add_sums_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    for (unsigned e = 0; e < 2; e++) {
        sum_t sum = sum_of(source->selection, assoc, e, sctpa_window_table_measure(source, assoc, e));
        add_sum(table, assoc, e, &sum);
    }
}

static void add_kinds_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    for (unsigned e = 0; e < 2; e++)
        add_kinds(table, assoc, e, &sctpa_window_table_measure(source, assoc, e)->all);
}

static void add_paths_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    for (unsigned e = 0; e < 2; e++)
        add_paths(table, source->labels, assoc, e, sctpa_window_table_measure(source, assoc, e), UINT_MAX);
}

const sctpa_window_table_t sctpa_window_table_rtx_sums = {
    .name = "resent_sums",
    .title = "Retransmissions by direction (spurious: at least)",
    SCTPA_COLUMNS(sum_columns),
    .add = add_sums_to_window,
};
const sctpa_window_table_t sctpa_window_table_rtx_kinds = {
    .name = "resent_kinds",
    .title = KINDS_TITLE,
    SCTPA_COLUMNS(kind_columns),
    .add = add_kinds_to_window,
};
const sctpa_window_table_t sctpa_window_table_rtx_paths = {
    .name = "resent_paths",
    .title = PATHS_TITLE,
    SCTPA_COLUMNS(path_columns),
    .add = add_paths_to_window,
};

/* "21 of 2,121 transmissions were retransmissions (1.0 %): fast 17, timeout 4", and in how many associations. */
static void append_finding(const rtx_t *report, GString *out)
{
    const sum_t *total = &report->total;
    const char *separator = ": ";

    sctpa_text_retransmissions(out, sctpa_sent_rtx(&total->sent), total->data);
    for (unsigned kind = 0; kind < SCTPA_RTX_KINDS; kind++) {
        if (total->sent.rtx[kind] == 0)
            continue;
        g_string_append_printf(out, "%s%s ", separator, sctpa_rtx_word((sctpa_rtx_kind_t)kind));
        sctpa_text_count(out, total->sent.rtx[kind], 20);
        separator = ", ";
    }
}

static void append_where(const rtx_t *report, GString *out)
{
    uint64_t unseen = report->total.sent.resent_unseen;
    if (report->troubled == 0)
        return;
    g_string_append(out, "in ");
    sctpa_text_count(out, report->troubled, 20);
    g_string_append(out, " of ");
    sctpa_text_quantity(out, report->assocs, "association", NULL);
    if (unseen == 0)
        return;
    g_string_append(out, "; ");
    sctpa_text_quantity(out, unseen, "TSN", NULL);
    g_string_append(out, " passed here as retransmission only: lost before");
}

static void write_sums(const rtx_t *report, uint64_t left, GString *out)
{
    GString *finding = g_string_new(NULL);
    append_finding(report, finding);
    g_string_append_c(out, '\n');
    sctpa_page_sentence(out, "", 0, finding->str);
    g_string_truncate(finding, 0);
    append_where(report, finding);
    sctpa_page_sentence(out, "", 0, finding->str);
    g_string_free(finding, TRUE);
    if (sctpa_table_rows(report->sums) == 0)
        return;
    sctpa_table_rule(report->sums);
    sctpa_table_text(report->sums, "all");
    sctpa_table_skip(report->sums, 1);
    add_sums(report->sums, &report->total);
    sctpa_page_section(out, SUMS_TITLE);
    sctpa_table_write(report->sums, out);
    sctpa_page_more(out, left, "associations");
}

static void write_section(const sctpa_table_t *table, const char *heading, GString *out)
{
    if (sctpa_table_rows(table) == 0)
        return;
    sctpa_page_section(out, heading);
    sctpa_table_write(table, out);
}

void sctpa_report_rtx(const sctpa_view_t *view, GString *out)
{
    sctpa_selection_t *selection = sctpa_selection_new(view);
    rtx_t report = { .selection = selection,
                     .labels = sctpa_labels_new(view),
                     .sums = sctpa_table_new(sum_columns, G_N_ELEMENTS(sum_columns)),
                     .kinds = sctpa_table_new(kind_columns, G_N_ELEMENTS(kind_columns)),
                     .paths = sctpa_table_new(path_columns, G_N_ELEMENTS(path_columns)) };
    GArray *ranked = rank(&report);

    for (unsigned i = 0; i < MIN(ranked->len, ASSOCS_MAX); i++)
        add_assoc(&report, sctpa_assoc(view->sctpa, g_array_index(ranked, ranked_t, i).number));
    sctpa_page_begin(view, "SCTP retransmissions", out);
    write_sums(&report, ranked->len > ASSOCS_MAX ? ranked->len - ASSOCS_MAX : 0, out);
    write_section(report.kinds, KINDS_TITLE, out);
    write_section(report.paths, PATHS_TITLE, out);
    sctpa_labels_write(report.labels, out);
    g_array_unref(ranked);
    sctpa_table_free(report.sums);
    sctpa_table_free(report.kinds);
    sctpa_table_free(report.paths);
    sctpa_labels_free(report.labels);
    sctpa_selection_free(selection);
}
