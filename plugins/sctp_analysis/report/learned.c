/* -z sctp,learned: the parameters that endpoints show by what they do, each with its range and a frame to look at. */
#include "reports.h"

#include "legend.h"
#include "page.h"
#include "table.h"
#include "text.h"
#include "view.h"

enum { ROWS_MAX = 200 };

static const sctpa_column_t columns[] = {
    { "#", SCTPA_RIGHT, 0 },     { "endpoint", SCTPA_LEFT, 8 },  { "parameter", SCTPA_LEFT, 0 }, { "value", SCTPA_RIGHT, 0 },
    { "at least", SCTPA_RIGHT, 0 }, { "at most", SCTPA_RIGHT, 0 }, { "samples", SCTPA_RIGHT, 0 }, { "frame", SCTPA_RIGHT, 0 },
};

typedef struct {
    const sctpa_view_t *view;
    sctpa_legend_t *legend;
    sctpa_table_t *table;
    uint64_t left;              /* rows that found no room */
} report_t;

static void add_number(sctpa_table_t *table, sctpa_learned_unit_t unit, int64_t number)
{
    if (unit == SCTPA_LEARNED_IN_MS)
        sctpa_table_printf(table, "%.1f", (double)number / 1e6);
    else if (unit == SCTPA_LEARNED_IN_S)
        sctpa_table_printf(table, "%.2f", (double)number / 1e9);
    else if (unit == SCTPA_LEARNED_IN_TRUTH)
        sctpa_table_text(table, number ? "yes" : "no");
    else
        sctpa_table_count(table, (uint64_t)number);
}

static void add_value(report_t *report, const sctpa_assoc_t *assoc, unsigned end, sctpa_learned_kind_t kind,
                      const sctpa_learned_value_t *value)
{
    sctpa_learned_unit_t unit = sctpa_learned_unit(kind);
    GString *endpoint;
    if (sctpa_table_rows(report->table) == ROWS_MAX) {
        report->left++;
        return;
    }
    endpoint = g_string_new(NULL);
    sctpa_legend_end(report->legend, &assoc->ends[end], endpoint);
    sctpa_table_printf(report->table, "%u", assoc->number);
    sctpa_table_take(report->table, endpoint);
    sctpa_table_text(report->table, sctpa_learned_word(kind));
    add_number(report->table, unit, value->value);
    add_number(report->table, unit, value->low);
    if (value->has_high)
        add_number(report->table, unit, value->high);
    else
        sctpa_table_text(report->table, "-");
    sctpa_table_count(report->table, value->samples);
    sctpa_table_printf(report->table, "%u", sctpa_packet_frame(report->view->sctpa, value->packet));
}

static void add_endpoint(report_t *report, const sctpa_assoc_t *assoc, unsigned end)
{
    sctpa_learned_t learned;
    sctpa_learned(report->view->sctpa, assoc->number, (uint8_t)end, &learned);
    for (unsigned kind = 0; kind < SCTPA_LEARNED_KINDS; kind++)
        if (learned.values[kind].samples > 0)
            add_value(report, assoc, end, (sctpa_learned_kind_t)kind, &learned.values[kind]);
}

void sctpa_report_learned(const sctpa_view_t *view, GString *out)
{
    sctpa_selection_t *selection = sctpa_selection_new(view);
    report_t report = { .view = view, .legend = sctpa_legend_new(view), .table = sctpa_table_new(columns, G_N_ELEMENTS(columns)) };
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
        sctpa_page_section(out, "Parameters of endpoints, by what they did");
    sctpa_table_write(report.table, out);
    sctpa_page_more(out, report.left, "");
    sctpa_legend_write(report.legend, out);
    sctpa_legend_free(report.legend);
    sctpa_table_free(report.table);
    sctpa_selection_free(selection);
}
