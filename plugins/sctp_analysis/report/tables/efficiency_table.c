/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Efficiency of each endpoint: chunks in a packet, packets without data, headers, how long acknowledgements took. */
#include "tables.h"

#include "../text/column_meanings.h"
#include "../text/page.h"
#include "window_tables.h"

#define TITLE "Efficiency of the endpoints that sent data"

static const sctpa_column_t columns[] = {
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

sctpa_table_t *sctpa_efficiency_new(void)
{
    return sctpa_table_new(columns, G_N_ELEMENTS(columns));
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

void sctpa_efficiency_add(sctpa_table_t *table, const sctpa_selection_t *selection, sctpa_labels_t *labels,
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

static void add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
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
    SCTPA_COLUMNS(columns),
    .add = add_to_window,
};

void sctpa_efficiency_write(const sctpa_table_t *table, GString *out)
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
