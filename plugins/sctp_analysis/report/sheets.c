/* Makes sheets, and says which belong together. */
#include "sheets.h"

sctpa_sheet_source_t *sctpa_sheet_source_new(const sctpa_view_t *view)
{
    sctpa_sheet_source_t *source = g_new0(sctpa_sheet_source_t, 1);
    source->view = view;
    source->selection = sctpa_selection_new(view);
    source->legend = sctpa_legend_new_spelled_out(view);
    source->assoc = SCTPA_NO_ASSOC;
    return source;
}

static void forget_measures(sctpa_sheet_source_t *source)
{
    for (unsigned e = 0; e < 2; e++)
        g_clear_pointer(&source->measures[e], sctpa_measure_free);
    source->assoc = SCTPA_NO_ASSOC;
}

void sctpa_sheet_source_free(sctpa_sheet_source_t *source)
{
    forget_measures(source);
    sctpa_selection_free(source->selection);
    sctpa_legend_free(source->legend);
    g_free(source);
}

const sctpa_measure_t *sctpa_sheet_measure(sctpa_sheet_source_t *source, const sctpa_assoc_t *assoc, unsigned end)
{
    if (source->assoc != assoc->number)
        forget_measures(source);
    source->assoc = assoc->number;
    if (!source->measures[end])
        source->measures[end] = sctpa_selection_measure(source->selection, assoc, end);
    return source->measures[end];
}

sctpa_table_t *sctpa_sheet_make(const sctpa_sheet_t *sheet, sctpa_sheet_source_t *source, const sctpa_assoc_t *assoc)
{
    sctpa_table_t *table = sctpa_table_new(sheet->columns, sheet->n_columns);
    sheet->add(source, assoc, table);
    return table;
}

const sctpa_sheet_page_t *sctpa_sheet_pages(void)
{
    static const sctpa_sheet_page_t pages[] = {
        { "overview", "Overview", { &sctpa_sheet_endpoints, &sctpa_sheet_association } },
        { "findings", "Findings", { &sctpa_sheet_verdicts, &sctpa_sheet_findings } },
        { "paths",
          "Paths",
          { &sctpa_sheet_paths, &sctpa_sheet_path_data, &sctpa_sheet_failovers, &sctpa_sheet_pairs,
            &sctpa_sheet_transits, &sctpa_sheet_theory } },
        { "streams", "Streams", { &sctpa_sheet_streams, &sctpa_sheet_waits } },
        { "chunks", "Chunks", { &sctpa_sheet_chunks } },
        { "retransmissions",
          "Retransmissions",
          { &sctpa_sheet_rtx_sums, &sctpa_sheet_rtx_kinds, &sctpa_sheet_rtx_paths, &sctpa_sheet_resent } },
        { "parameters", "Parameters", { &sctpa_sheet_learned } },
        { "events", "Events", { &sctpa_sheet_events } },
        { NULL, NULL, { NULL } },
    };
    return pages;
}
