/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,chunks: how many chunks of each type each endpoint sent, of all associations and of each, and how
 * efficiently: chunks in a packet, packets without data, headers, how long acknowledgements wait. */
#include "../reports.h"
#include "../text/column_meanings.h"
#include "../text/page.h"
#include "window_tables.h"

#define TITLE "Efficiency of the endpoints that sent data"

static const sctpa_column_t efficiency_columns[] = {
    { "data", SCTPA_LEFT, .meaning = SCTPA_MEANS_DATA },
    { "chunks", SCTPA_RIGHT, .meaning = "DATA chunks in a packet with data, mean" },
    { "bundled %", SCTPA_RIGHT, .meaning = "of the packets with data, those with more than one DATA chunk" },
    { "SACK %", SCTPA_RIGHT, .meaning = "of the packets with data, those that also carry a SACK" },
    { "others", SCTPA_RIGHT, .meaning = "packets without data for each packet with data" },
    { "headers %", SCTPA_RIGHT, .meaning = "of all bytes that the endpoint sent, those that are no user data" },
    { "in data %", SCTPA_RIGHT, .meaning = "of the bytes of its packets with data, those that are no user data" },
    { "acks s", SCTPA_RIGHT,
      .meaning = "from the oldest DATA packet that a SACK is the first to acknowledge to that SACK, as seen at the "
                 "capture point: "
                 "the sum of all" },
    { "ack ms", SCTPA_RIGHT,
      .meaning = "from the oldest DATA packet that a SACK is the first to acknowledge to that SACK: the median" },
};

/* What each endpoint sends beside its user data; an empty table; sctpa_table_free. */
static sctpa_table_t *efficiency_new(void)
{
    return sctpa_table_new(efficiency_columns, G_N_ELEMENTS(efficiency_columns));
}

static void add_known(sctpa_table_t *table, double number, int decimals)
{
    char text[32];
    g_snprintf(text, sizeof text, "%.*f", decimals, number);
    if (number < 0)
        sctpa_table_text(table, "-");
    else
        sctpa_table_number(table, number, text);
}

static void add_percent(sctpa_table_t *table, double share)
{
    add_known(table, share < 0 ? share : share * 100, 1);
}

static void add_end(const sctpa_view_t *view, sctpa_table_t *table, unsigned end, const sctpa_counts_t *counts,
                    const sctpa_measure_t *measure)
{
    const sctpa_efficiency_t efficiency = sctpa_efficiency_of(counts, &measure->all);
    const bool knows_acks = measure->sack_delay.samples > 0;
    const bool tells_sum = knows_acks && sctpa_view_tells(view, measure->sack_delay.max_ns);

    sctpa_table_direction(table, end);
    add_known(table, efficiency.chunks_per_packet, 2);
    add_percent(table, efficiency.bundled_share);
    add_percent(table, efficiency.sack_share);
    add_known(table, efficiency.other_per_data, 2);
    add_percent(table, efficiency.header_share);
    add_percent(table, efficiency.data_header_share);
    add_known(table, tells_sum ? (double)measure->sack_delay_sum_ns / 1e9 : -1, 3);
    sctpa_view_ms(view, table, knows_acks, measure->sack_delay.median_ns);
}

/* Adds the endpoints of an association that sent data, under a heading. Cost as sctpa_measure. */
static void efficiency_add(sctpa_table_t *table, const sctpa_selection_t *selection, sctpa_labels_t *labels,
                           const sctpa_assoc_t *assoc)
{
    bool has_heading = false;
    for (unsigned e = 0; e < 2; e++) {
        sctpa_measure_t *measure = sctpa_selection_measure(selection, assoc, e);
        if (measure->all.data_packets > 0 && !has_heading)
            sctpa_labels_add_line(labels, assoc, table);
        if (measure->all.data_packets > 0) {
            has_heading = true;
            add_end(sctpa_selection_view(selection), table, e, sctpa_selection_end(selection, assoc, e), measure);
        }
        sctpa_measure_free(measure);
    }
}

static void efficiency_add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc,
                                     sctpa_table_t *table)
{
    for (unsigned e = 0; e < 2; e++) {
        const sctpa_measure_t *measure = sctpa_window_table_measure(source, assoc, e);
        if (measure->all.data_packets > 0)
            add_end(source->view, table, e, sctpa_selection_end(source->selection, assoc, e), measure);
    }
}

const sctpa_window_table_t sctpa_window_table_efficiency = {
    .name = "efficiency",
    .title = TITLE,
    SCTPA_COLUMNS(efficiency_columns),
    .add = efficiency_add_to_window,
};

/* Appends the table with its heading, nothing without rows. */
static void efficiency_write(const sctpa_table_t *table, GString *out)
{
    enum { LABEL = 11 };
    if (sctpa_table_rows(table) == 0)
        return;
    sctpa_page_section(out, TITLE);
    sctpa_table_write(table, out);
    sctpa_window_table_explain(&sctpa_window_table_efficiency, "chunks", LABEL, out);
    sctpa_window_table_explain(&sctpa_window_table_efficiency, "bundled %", LABEL, out);
    sctpa_window_table_explain(&sctpa_window_table_efficiency, "SACK %", LABEL, out);
    sctpa_window_table_explain(&sctpa_window_table_efficiency, "others", LABEL, out);
    sctpa_page_sentence(out, "headers %", LABEL,
                        "of all bytes that the endpoint sent, those that are no user data; in data %: of its packets "
                        "with data alone");
    sctpa_page_sentence(out, "acks s", LABEL,
                        "from the oldest DATA packet that a SACK is the first to acknowledge to that SACK, as seen at "
                        "the capture point: the sum of all; ack ms: the median");
}

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
    sctpa_table_t *efficiency = efficiency_new();
    const sctpa_assoc_t *assoc;
    uint32_t number = 0, all, shown = 0;

    sctpa_page_begin(view, "SCTP chunks", out);
    write_total(selection, &all, out);
    while (shown < ASSOCS_MAX && (assoc = sctpa_selection_next(selection, &number))) {
        write_assoc(selection, labels, assoc, all == 1, out);
        efficiency_add(efficiency, selection, labels, assoc);
        shown++;
    }
    efficiency_write(efficiency, out);
    sctpa_table_free(efficiency);
    g_string_append(out, all > shown ? "\n" : "");
    sctpa_page_more(out, all - shown, "associations");
    sctpa_labels_write(labels, out);
    sctpa_labels_free(labels);
    sctpa_selection_free(selection);
}
