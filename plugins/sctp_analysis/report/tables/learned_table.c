/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,learned: the parameters that endpoints show by what they do, each with its range and a frame to look at;
 * and which sender of the reference model's family fits what each endpoint sent. */
#include "../reports.h"
#include "../text/column_meanings.h"
#include "../text/page.h"
#include "../text/text.h"
#include "window_tables.h"

#define FITS_TITLE "Reference senders that fit what endpoints sent"

static const sctpa_column_t fits_columns[] = {
    { "#", SCTPA_RIGHT, .meaning = SCTPA_MEANS_ASSOC },
    { "endpoint", SCTPA_LEFT, 8, .meaning = SCTPA_MEANS_ENDPOINT },
    { "fit", SCTPA_LEFT, .meaning = "best: this reference sender explains most; as well: it explains as much" },
    { "% explained", SCTPA_RIGHT, .meaning = "share of the occasions that the reference sender explains, in percent" },
    { "of", SCTPA_RIGHT, .meaning = "occasions: new data, and stops of a sender with more to send" },
    { "frame", SCTPA_RIGHT, .meaning = "number of a packet that the others do not explain; a click selects it",
      .holds = SCTPA_HOLDS_FRAMES },
    { "sender", SCTPA_WRAPPED, 24, .meaning = "what the reference sender does" },
};

/* An empty table with its columns. */
static sctpa_table_t *sender_fits_new(void)
{
    return sctpa_table_new(fits_columns, G_N_ELEMENTS(fits_columns));
}

/* The heading of the table. */
static const char *sender_fits_title(void)
{
    return FITS_TITLE;
}

static void add_row(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels, const sctpa_assoc_t *assoc,
                    unsigned end, const sctpa_sender_fit_t *fit, unsigned member)
{
    sctpa_table_plain(table, assoc->number);
    sctpa_labels_endpoint_cell(labels, assoc, end, table);
    sctpa_table_text(table, member == fit->best ? "best" : "as well");
    sctpa_table_share(table, fit->explained[member], fit->occasions);
    sctpa_table_count(table, fit->occasions);
    if (member == fit->best)
        sctpa_table_plain(table, sctpa_packet_frame(view->sctpa, fit->packet));
    else
        sctpa_table_skip(table, 1);
    sctpa_table_text(table, sctpa_sender_words(member));
}

/* Adds the sender that fits end best and those that fit as well, a row each; none: nothing decides. O(family). */
static void sender_fits_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                            const sctpa_assoc_t *assoc, unsigned end)
{
    sctpa_sender_fit_t fit;
    if (!sctpa_sender_fit(view->sctpa, assoc->number, (uint8_t)end, &fit))
        return;
    add_row(table, view, labels, assoc, end, &fit, fit.best);
    for (unsigned member = 0; member < SCTPA_SENDERS_MAX; member++)
        if (member != fit.best && fit.fitting >> member & 1)
            add_row(table, view, labels, assoc, end, &fit, member);
}

static void fits_add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    for (unsigned end = 0; end < 2; end++)
        sender_fits_add(table, source->view, source->labels, assoc, end);
}

const sctpa_window_table_t sctpa_window_table_sender_fits = {
    .name = "sender_fits",
    .title = FITS_TITLE,
    SCTPA_COLUMNS(fits_columns),
    .add = fits_add_to_window,
    .is_whole = true,
};

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
        sender_fits_add(report->senders, report->view, report->labels, assoc, end);
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
                        .senders = sender_fits_new() };
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
        sctpa_page_section(out, sender_fits_title());
    sctpa_table_write(report.senders, out);
    sctpa_page_more(out, report.senders_left, "endpoints ");
    sctpa_labels_write(report.labels, out);
    sctpa_labels_free(report.labels);
    sctpa_table_free(report.table);
    sctpa_table_free(report.senders);
    sctpa_selection_free(selection);
}
