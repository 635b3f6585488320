/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,learned: the parameters that endpoints show by what they do, each with its range and a frame to look at; the
 * senders that fit them stand in a table of their own. */
#include "../reports.h"

#include "../text/column_meanings.h"
#include "../text/page.h"
#include "tables.h"
#include "window_tables.h"
#include "../text/text.h"

#define TITLE "Parameters of endpoints, by what they did"

enum { ROWS_MAX = 200 };

static const sctpa_column_t columns[] = {
    { "#", SCTPA_RIGHT, .meaning = SCTPA_MEANS_ASSOC },
    { "endpoint", SCTPA_LEFT, 8, .meaning = SCTPA_MEANS_ENDPOINT },
    { "parameter", SCTPA_LEFT, .meaning = "its name in the RFC, with the unit" },
    { "value", SCTPA_RIGHT, .meaning = "what fits the endpoint's behaviour best" },
    { "at least", SCTPA_RIGHT, .meaning = "least value that fits" },
    { "at most", SCTPA_RIGHT, .meaning = "greatest value that fits; a dash where nothing bounds it" },
    { "samples", SCTPA_RIGHT, .meaning = "how often the endpoint showed it" },
    { "frame", SCTPA_RIGHT, .meaning = SCTPA_MEANS_FRAME, .holds = SCTPA_HOLDS_FRAMES },
};

typedef struct {
    const sctpa_view_t *view;
    sctpa_labels_t *labels;
    sctpa_table_t *table, *senders;
    uint64_t left, senders_left; /* rows, endpoints that found no room */
} report_t;

static void add_number(sctpa_table_t *table, sctpa_parameter_unit_t unit, int64_t number)
{
    const double in_unit = (double)number / (unit == SCTPA_IN_MS ? 1e6 : unit == SCTPA_IN_S ? 1e9 : 1);
    char text[32];
    if (unit == SCTPA_IN_TRUTH) {
        sctpa_table_ranked(table, (double)number, number ? "yes" : "no");
    } else if (unit == SCTPA_IN_MS || unit == SCTPA_IN_S) {
        g_snprintf(text, sizeof text, "%.*f", unit == SCTPA_IN_MS ? 1 : 2, in_unit);
        sctpa_table_number(table, in_unit, text);
    } else {
        sctpa_table_count(table, (uint64_t)number);
    }
}

/* "RTO.Min (ms)" */
static void add_rfc_name(sctpa_table_t *table, const sctpa_parameter_row_t *row)
{
    static const char *const units[] = {
        [SCTPA_IN_MS] = "ms",       [SCTPA_IN_S] = "s",           [SCTPA_IN_PACKETS] = "packets",
        [SCTPA_IN_BYTES] = "bytes", [SCTPA_IN_ERRORS] = "errors", [SCTPA_IN_TRUTH] = NULL,
        [SCTPA_IN_COUNT] = NULL,
    };
    if (units[row->unit] != NULL)
        sctpa_table_printf(table, "%s (%s)", row->rfc_name, units[row->unit]);
    else
        sctpa_table_text(table, row->rfc_name);
}

static void add_value(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                      const sctpa_assoc_t *assoc, unsigned end, sctpa_parameter_t kind,
                      const sctpa_learned_value_t *value, bool spells_out)
{
    const sctpa_parameter_row_t *row = sctpa_parameter_row(kind);
    sctpa_table_plain(table, assoc->number);
    sctpa_labels_endpoint_cell(labels, assoc, end, table);
    if (spells_out)
        add_rfc_name(table, row);
    else
        sctpa_table_text(table, row->word);
    add_number(table, row->unit, value->value);
    add_number(table, row->unit, value->low);
    if (value->has_high)
        add_number(table, row->unit, value->high);
    else
        sctpa_table_text(table, "-");
    sctpa_table_count(table, value->samples);
    sctpa_table_plain(table, sctpa_packet_frame(view->sctpa, value->packet));
}

static void add_endpoint(report_t *report, const sctpa_assoc_t *assoc, unsigned end)
{
    sctpa_learned_t learned;
    sctpa_learned(report->view->sctpa, assoc->number, (uint8_t)end, &learned);
    for (unsigned kind = 0; kind < SCTPA_PARAMETERS; kind++) {
        if (learned.values[kind].samples == 0)
            continue;
        if (sctpa_table_rows(report->table) == ROWS_MAX)
            report->left++;
        else
            add_value(report->table, report->view, report->labels, assoc, end, (sctpa_parameter_t)kind,
                      &learned.values[kind], false);
    }
    if (sctpa_table_rows(report->senders) < ROWS_MAX)
        sctpa_sender_fits_add(report->senders, report->view, report->labels, assoc, end);
    else
        report->senders_left++;
}

static void add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    sctpa_learned_t learned;
    for (unsigned e = 0; e < 2; e++) {
        sctpa_learned(source->view->sctpa, assoc->number, (uint8_t)e, &learned);
        for (unsigned kind = 0; kind < SCTPA_PARAMETERS; kind++)
            if (learned.values[kind].samples > 0)
                add_value(table, source->view, source->labels, assoc, e, (sctpa_parameter_t)kind, &learned.values[kind],
                          true);
    }
}

const sctpa_window_table_t sctpa_window_table_learned = {
    .name = "learned",
    .title = TITLE ", each with a frame that shows it",
    SCTPA_COLUMNS(columns),
    .add = add_to_window,
    .is_whole = true,
};

void sctpa_report_learned(const sctpa_view_t *view, GString *out)
{
    sctpa_selection_t *selection = sctpa_selection_new(view);
    report_t report = { .view = view,
                        .labels = sctpa_labels_new(view),
                        .table = sctpa_table_new(columns, G_N_ELEMENTS(columns)),
                        .senders = sctpa_sender_fits_new() };
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;
    sctpa_page_begin(view, "SCTP learned parameters", out);
    while ((assoc = sctpa_selection_next(selection, &number))) {
        add_endpoint(&report, assoc, 0);
        add_endpoint(&report, assoc, 1);
    }
    if (sctpa_table_rows(report.table) == 0)
        sctpa_page_section(out, "Nothing that the packets show without doubt");
    else
        sctpa_page_section(out, TITLE);
    sctpa_table_write(report.table, out);
    sctpa_page_more(out, report.left, "");
    if (sctpa_table_rows(report.senders) > 0)
        sctpa_page_section(out, sctpa_sender_fits_title());
    sctpa_table_write(report.senders, out);
    sctpa_page_more(out, report.senders_left, "endpoints ");
    sctpa_labels_write(report.labels, out);
    sctpa_labels_free(report.labels);
    sctpa_table_free(report.table);
    sctpa_table_free(report.senders);
    sctpa_selection_free(selection);
}
