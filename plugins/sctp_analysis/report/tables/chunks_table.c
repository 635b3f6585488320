/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,chunks: how many chunks of each type each endpoint sent, of all associations and of each, and how efficiently
 * (efficiency_table.c). */
#include "../reports.h"

#include "../text/page.h"
#include "tables.h"
#include "window_tables.h"

enum { ASSOCS_MAX = 50, CHUNK_VALUES = 256 };

static const sctpa_column_t columns[] = {
    { "chunk", SCTPA_LEFT, .meaning = "type of chunk" },
    { "0→1", SCTPA_RIGHT, .meaning = "chunks that endpoint 0 sent" },
    { "1→0", SCTPA_RIGHT, .meaning = "chunks that endpoint 1 sent" },
    { "total", SCTPA_RIGHT, .meaning = "chunks of both endpoints" },
};

/* Chunks by direction: types with a table row, and the others by value. */
typedef struct {
    uint64_t rows[SCTPA_CHUNK_ROWS][2];
    uint64_t unknown[CHUNK_VALUES][2];
} chunk_counts_t;

static void add_assoc(chunk_counts_t *counts, const sctpa_selection_t *selection, const sctpa_assoc_t *assoc)
{
    for (unsigned e = 0; e < 2; e++) {
        const sctpa_counts_t *end = sctpa_selection_end(selection, assoc, e);
        const uint32_t *unknown = sctpa_selection_unknown(selection, assoc, e);
        for (unsigned row = 0; row < SCTPA_CHUNK_ROWS; row++)
            counts->rows[row][e] += sctpa_counts_chunks(end, row);
        for (unsigned value = 0; unknown && value < CHUNK_VALUES; value++)
            counts->unknown[value][e] += unknown[value];
    }
}

static void add_numbers(sctpa_table_t *table, const uint64_t count[2])
{
    sctpa_table_count(table, count[0]);
    sctpa_table_count(table, count[1]);
    sctpa_table_count(table, count[0] + count[1]);
}

/* Rows of the types that occurred, then, where there is more than one, their sum. */
static void add_rows(sctpa_table_t *table, const chunk_counts_t *counts, bool with_total)
{
    uint64_t sum[2] = { 0, 0 };

    for (unsigned row = 0; row < SCTPA_CHUNK_ROWS; row++) {
        const uint64_t *count = counts->rows[row];
        sum[0] += count[0];
        sum[1] += count[1];
        if (row == SCTPA_CHUNK_ROW_OTHER || count[0] + count[1] == 0)
            continue;
        sctpa_table_text(table, sctpa_chunk_row_word(row));
        add_numbers(table, count);
    }
    for (unsigned value = 0; value < CHUNK_VALUES; value++) {
        if (counts->unknown[value][0] + counts->unknown[value][1] == 0)
            continue;
        sctpa_table_printf(table, "0x%02X", value);
        add_numbers(table, counts->unknown[value]);
    }
    if (!with_total)
        return;
    sctpa_table_rule(table);
    sctpa_table_text(table, "total");
    add_numbers(table, sum);
}

static void add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    chunk_counts_t *counts = g_new0(chunk_counts_t, 1);
    add_assoc(counts, source->selection, assoc);
    add_rows(table, counts, false);
    g_free(counts);
}

const sctpa_window_table_t sctpa_window_table_chunks = {
    .name = "chunks",
    .title = "Chunks that each endpoint sent",
    SCTPA_COLUMNS(columns),
    .add = add_to_window,
    .is_whole = true,
};

static void write_assoc(const sctpa_selection_t *selection, sctpa_labels_t *labels, const sctpa_assoc_t *assoc,
                        bool is_only, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(columns, G_N_ELEMENTS(columns));
    chunk_counts_t *counts = g_new0(chunk_counts_t, 1);
    GString *heading = g_string_new(NULL);

    sctpa_labels_assoc(labels, assoc, heading);
    sctpa_page_section(out, heading->str);
    add_assoc(counts, selection, assoc);
    add_rows(table, counts, is_only);
    sctpa_table_write(table, out);
    g_string_free(heading, TRUE);
    g_free(counts);
    sctpa_table_free(table);
}

/* The sum over all associations, left out when there is one only. */
static void write_total(const sctpa_selection_t *selection, uint32_t *all, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(columns, G_N_ELEMENTS(columns));
    chunk_counts_t *counts = g_new0(chunk_counts_t, 1);
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;

    for (*all = 0; (assoc = sctpa_selection_next(selection, &number)); ++*all)
        add_assoc(counts, selection, assoc);
    add_rows(table, counts, true);
    if (*all != 1) {
        sctpa_page_section(out, "All associations (0 and 1 are the endpoints of each)");
        sctpa_table_write(table, out);
    }
    g_free(counts);
    sctpa_table_free(table);
}

void sctpa_report_chunks(const sctpa_view_t *view, GString *out)
{
    sctpa_selection_t *selection = sctpa_selection_new(view);
    sctpa_labels_t *labels = sctpa_labels_new(view);
    sctpa_table_t *efficiency = sctpa_efficiency_new();
    const sctpa_assoc_t *assoc;
    uint32_t number = 0, all, shown = 0;

    sctpa_page_begin(view, "SCTP chunks", out);
    write_total(selection, &all, out);
    while (shown < ASSOCS_MAX && (assoc = sctpa_selection_next(selection, &number))) {
        write_assoc(selection, labels, assoc, all == 1, out);
        sctpa_efficiency_add(efficiency, selection, labels, assoc);
        shown++;
    }
    sctpa_efficiency_write(efficiency, out);
    sctpa_table_free(efficiency);
    g_string_append(out, all > shown ? "\n" : "");
    sctpa_page_more(out, all - shown, "associations");
    sctpa_labels_write(labels, out);
    sctpa_labels_free(labels);
    sctpa_selection_free(selection);
}
