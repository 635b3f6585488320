/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of -z sctp,paths that are about data. */
#include "path_data_table.h"

#include "../text/page.h"
#include "window_tables.h"

#define PATHS_TITLE "Losses, retransmissions, round trips at the capture (ms), rate of data by path"
#define TRANSIT_TITLE "Between two taps: packets seen at both, at one, and the time from one to the other"
#define THEORY_TITLE "Goodput against theoretical limits (bit/s), and what they follow from"

static const sctpa_column_t path_columns[] = {
    { "from", SCTPA_LEFT, 0 },       { "path", SCTPA_RIGHT, 0 },   { "rtx of", SCTPA_RIGHT, 0 },
    { "lost", SCTPA_RIGHT, 0 },      { "rtx to", SCTPA_RIGHT, 0 }, { "RTT least", SCTPA_RIGHT, 0 },
    { "ack after", SCTPA_RIGHT, 0 }, { "p95 ms", SCTPA_RIGHT, 0 }, { "HB RTT", SCTPA_RIGHT, 0 },
    { "bit/s", SCTPA_RIGHT, 0 },
};
static const sctpa_column_t theory_columns[] = {
    { "from", SCTPA_LEFT, 0 },    { "goodput", SCTPA_RIGHT, 0 }, { "window", SCTPA_RIGHT, 0 },
    { "lossy", SCTPA_RIGHT, 0 },  { "headers", SCTPA_RIGHT, 0 }, { "RTT ms", SCTPA_RIGHT, 0 },
    { "p %", SCTPA_RIGHT, 0 },    { "D", SCTPA_RIGHT, 0 },       { "MTU", SCTPA_RIGHT, 0 },
    { "a_rwnd", SCTPA_RIGHT, 0 },
};

static const sctpa_column_t transit_columns[] = {
    { "from", SCTPA_LEFT, 0 },  { "path", SCTPA_RIGHT, 0 },     { "at both", SCTPA_RIGHT, 0 },
    { "lost", SCTPA_RIGHT, 0 }, { "far only", SCTPA_RIGHT, 0 }, { "least ms", SCTPA_RIGHT, 0 },
    { "mean", SCTPA_RIGHT, 0 }, { "most", SCTPA_RIGHT, 0 },     { "clocks differ ms", SCTPA_RIGHT, 0 },
};

static const char paths_legend[] = "rtx of  transmissions to the path that were retransmitted, to whatever path\n"
                                   "lost    of them, those that no SACK shows to have arrived: at most\n"
                                   "rtx to  retransmissions sent to the path\n";

struct sctpa_path_data {
    sctpa_labels_t *legend;
    sctpa_table_t *paths, *theory, *transit;
};

sctpa_path_data_t *sctpa_path_data_new(sctpa_labels_t *legend)
{
    sctpa_path_data_t *tables = g_new0(sctpa_path_data_t, 1);
    tables->legend = legend;
    tables->paths = sctpa_table_new(path_columns, G_N_ELEMENTS(path_columns));
    tables->theory = sctpa_table_new(theory_columns, G_N_ELEMENTS(theory_columns));
    tables->transit = sctpa_table_new(transit_columns, G_N_ELEMENTS(transit_columns));
    return tables;
}

void sctpa_path_data_free(sctpa_path_data_t *tables)
{
    sctpa_table_free(tables->paths);
    sctpa_table_free(tables->theory);
    sctpa_table_free(tables->transit);
    g_free(tables);
}

static void add_heading(const sctpa_path_data_t *tables, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    sctpa_labels_add_line(tables->legend, assoc, table);
}

static bool is_shown(const sctpa_sent_t *sent)
{
    return sent->transmissions + sent->rtt.samples + sent->heartbeat_rtt.samples > 0;
}

static void add_path(const sctpa_view_t *view, sctpa_table_t *table, unsigned end, unsigned path,
                     const sctpa_measure_t *measure)
{
    const sctpa_sent_t *sent = &g_array_index(measure->paths, sctpa_sent_t, path);
    const sctpa_percentiles_t *rtt = &sent->rtt, *heartbeat = &sent->heartbeat_rtt;

    sctpa_table_plain(table, end);
    sctpa_table_plain(table, path);
    sctpa_table_count(table, sent->retransmitted);
    sctpa_table_count(table, sent->lost);
    sctpa_table_count(table, sctpa_sent_rtx(sent));
    sctpa_view_ms(view, table, rtt->samples > 0, rtt->min_ns);
    sctpa_view_ms(view, table, rtt->samples > 0, rtt->median_ns);
    sctpa_view_ms(view, table, rtt->samples > 0, rtt->p95_ns);
    sctpa_view_ms(view, table, heartbeat->samples > 0, heartbeat->median_ns);
    sctpa_table_rate(table, sent->data_packets ? sctpa_rate_bps(sent->data_wire_bytes, measure->span_ns) : -1);
}

static void add_bytes(sctpa_table_t *table, double bytes)
{
    if (bytes > 0)
        sctpa_table_count(table, (uint64_t)(bytes + 0.5));
    else
        sctpa_table_text(table, "-");
}

static void add_theory(const sctpa_view_t *view, sctpa_table_t *table, unsigned end, const sctpa_measure_t *measure)
{
    const sctpa_throughput_limits_t *theory = &measure->theory;

    sctpa_table_plain(table, end);
    sctpa_table_rate(table, sctpa_rate_bps(measure->all.user_bytes, measure->span_ns));
    sctpa_table_rate(table, theory->window_bps);
    sctpa_table_rate(table, theory->lossy_bps);
    sctpa_table_rate(table, theory->lossy_headers_bps);
    sctpa_view_ms(view, table, theory->rtt_ns > 0, theory->rtt_ns);
    sctpa_table_share(table, measure->all.lost + measure->all.resent_unseen,
                      measure->all.transmissions + measure->all.resent_unseen);
    add_bytes(table, theory->packet_user_bytes);
    add_bytes(table, theory->mtu_bytes);
    add_bytes(table, theory->window_bytes);
}

static void add_transit(const sctpa_view_t *view, sctpa_table_t *table, unsigned end, unsigned path,
                        const sctpa_two_taps_result_t *transit)
{
    sctpa_table_plain(table, end);
    sctpa_table_plain(table, path);
    sctpa_table_count(table, transit->both);
    sctpa_table_count(table, transit->lost);
    sctpa_table_count(table, transit->only_far);
    sctpa_view_ms(view, table, true, transit->min_ns);
    sctpa_view_ms(view, table, true, transit->mean_ns);
    sctpa_view_ms(view, table, true, transit->max_ns);
    sctpa_view_ms(view, table, transit->offset_known, transit->offset_ns);
}

/* A call before the first row of an association, for its heading; NULL none. */
typedef struct {
    void (*begin)(const sctpa_path_data_t *tables, const sctpa_assoc_t *assoc, sctpa_table_t *table);
    const sctpa_path_data_t *tables;
    bool has_begun;
} heading_t;

static void begin_row(heading_t *heading, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    if (heading->begin && !heading->has_begun)
        heading->begin(heading->tables, assoc, table);
    heading->has_begun = true;
}

static void add_transits(heading_t heading, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned max_paths,
                         sctpa_table_t *table)
{
    sctpa_two_taps_result_t transit;
    for (uint8_t e = 0; e < 2; e++)
        for (uint16_t path = 0; path < MIN(assoc->ends[e].n_paths, max_paths); path++)
            if (sctpa_two_taps_result(assoc, e, path, &transit)) {
                begin_row(&heading, assoc, table);
                add_transit(view, table, e, path, &transit);
            }
}

static void add_paths(heading_t *heading, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                      const sctpa_measure_t *measure, unsigned max_paths, sctpa_table_t *table)
{
    for (unsigned path = 0; path < MIN(measure->paths->len, max_paths); path++)
        if (is_shown(&g_array_index(measure->paths, sctpa_sent_t, path))) {
            begin_row(heading, assoc, table);
            add_path(view, table, end, path, measure);
        }
}

static void add_known_theory(heading_t *heading, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                             const sctpa_measure_t *measure, sctpa_table_t *table)
{
    if (!measure->has_theory || measure->theory.rtt_ns <= 0 || !sctpa_view_tells(view, measure->theory.rtt_ns))
        return;
    begin_row(heading, assoc, table);
    add_theory(view, table, end, measure);
}

void sctpa_path_data_add(sctpa_path_data_t *tables, const sctpa_selection_t *selection, const sctpa_assoc_t *assoc,
                         unsigned max_paths)
{
    const heading_t heading = { add_heading, tables, false };
    heading_t of_paths = heading, of_theory = heading;
    const sctpa_view_t *view = sctpa_selection_view(selection);
    add_transits(heading, view, assoc, max_paths, tables->transit);
    for (unsigned e = 0; e < 2; e++) {
        sctpa_measure_t *measure = sctpa_selection_measure(selection, assoc, e);
        add_paths(&of_paths, view, assoc, e, measure, max_paths, tables->paths);
        add_known_theory(&of_theory, view, assoc, e, measure, tables->theory);
        sctpa_measure_free(measure);
    }
}

static void add_paths_to_sheet(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    heading_t none = { NULL, NULL, false };
    for (unsigned e = 0; e < 2; e++)
        add_paths(&none, source->view, assoc, e, sctpa_window_table_measure(source, assoc, e), UINT_MAX, table);
}

static void add_theory_to_sheet(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    heading_t none = { NULL, NULL, false };
    for (unsigned e = 0; e < 2; e++)
        add_known_theory(&none, source->view, assoc, e, sctpa_window_table_measure(source, assoc, e), table);
}

static void add_transits_to_sheet(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    add_transits((heading_t){ NULL, NULL, false }, source->view, assoc, UINT_MAX, table);
}

const sctpa_window_table_t sctpa_window_table_path_data = {
    "path_data", PATHS_TITLE, path_columns, G_N_ELEMENTS(path_columns), 0, 0, add_paths_to_sheet, false, 0
};
const sctpa_window_table_t sctpa_window_table_theory = {
    "theory", THEORY_TITLE, theory_columns, G_N_ELEMENTS(theory_columns), 0, 0, add_theory_to_sheet, true, 0
};
const sctpa_window_table_t sctpa_window_table_transits = {
    "transits", TRANSIT_TITLE, transit_columns, G_N_ELEMENTS(transit_columns), 0, 0, add_transits_to_sheet, true, 0
};

void sctpa_path_data_write(const sctpa_path_data_t *tables, GString *out)
{
    if (sctpa_table_rows(tables->paths) > 0) {
        sctpa_page_section(out, PATHS_TITLE);
        sctpa_table_write(tables->paths, out);
        g_string_append(out, paths_legend);
    }
    if (sctpa_table_rows(tables->transit) > 0) {
        sctpa_page_section(out, TRANSIT_TITLE);
        sctpa_table_write(tables->transit, out);
    }
    if (sctpa_table_rows(tables->theory) > 0) {
        sctpa_page_section(out, THEORY_TITLE);
        sctpa_table_write(tables->theory, out);
    }
}
