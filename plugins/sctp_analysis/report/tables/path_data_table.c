/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of -z sctp,paths that are about data. */
#include "tables.h"

#include "../rows/rows.h"
#include "../text/column_meanings.h"
#include "../text/page.h"
#include "window_tables.h"

#define PATHS_TITLE "Losses, retransmissions, round trips at the capture (ms), rate of data by path"
#define TAP_DELAY_TITLE "Delay between two taps beyond the least of the path (ms)"
#define TRANSIT_TITLE "Between two taps: packets seen at both, at one, and the time from one to the other"
#define THEORY_TITLE "Goodput against theoretical limits (bit/s), and what they follow from"

static const sctpa_column_t path_columns[] = {
    { "from", SCTPA_LEFT, .meaning = SCTPA_MEANS_FROM },
    { "path", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PATH },
    { "rtx of", SCTPA_RIGHT, .meaning = SCTPA_MEANS_RTX_OF },
    { "lost", SCTPA_RIGHT, .meaning = SCTPA_MEANS_LOST },
    { "rtx to", SCTPA_RIGHT, .meaning = SCTPA_MEANS_RTX_TO },
    { "RTT least", SCTPA_RIGHT,
      .meaning = "shortest round trip of data or HEARTBEATs, as seen at the capture point, in milliseconds" },
    { "ack after", SCTPA_RIGHT,
      .meaning =
          "from data to its acknowledgement, as seen at the capture point, median, in milliseconds: where SACKs are "
          "delayed, mostly that delay" },
    { "p95 ms", SCTPA_RIGHT, .meaning = SCTPA_MEANS_P95_MS },
    { "HB RTT", SCTPA_RIGHT,
      .meaning = "round trip of HEARTBEATs, as seen at the capture point, median, in milliseconds" },
    { "bit/s", SCTPA_RIGHT, .meaning = SCTPA_MEANS_BIT_S },
};
static const sctpa_column_t theory_columns[] = {
    { "from", SCTPA_LEFT, .meaning = SCTPA_MEANS_FROM },
    { "goodput", SCTPA_RIGHT, .meaning = "user data, " SCTPA_MEANS_GOODPUT_COUNTS },
    { "window", SCTPA_RIGHT, .meaning = "what the peer's window allows: a_rwnd / RTT, in bits per second" },
    { "lossy", SCTPA_RIGHT,
      .meaning = "what the losses allow: sqrt(D MTU) sqrt(3/2) / (RTT sqrt(p)), in bits per second" },
    { "headers", SCTPA_RIGHT,
      .meaning = "what the losses allow a sender that counts chunk headers, in bits per second" },
    { "RTT ms", SCTPA_RIGHT, .meaning = SCTPA_MEANS_RTT_MS },
    { "p %", SCTPA_RIGHT, .meaning = "share of transmissions that were lost, in percent" },
    { "D", SCTPA_RIGHT, .meaning = "user bytes in a packet with data, mean" },
    { "MTU", SCTPA_RIGHT, .meaning = "largest IP packet with data, in bytes" },
    { "a_rwnd", SCTPA_RIGHT, .meaning = "largest window that the peer announced, in bytes" },
};

#define SCTPA_OBJECTS "../rows/path_objects.def"
#include "../rows/columns.h"

static const char paths_legend[] = "rtx of  transmissions to the path that were retransmitted, to whatever path\n"
                                   "lost    of them, those that no SACK shows to have arrived: at most\n"
                                   "rtx to  retransmissions sent to the path\n";

struct sctpa_path_data {
    sctpa_labels_t *labels;
    sctpa_table_t *paths, *theory, *transit, *tap_delay;
};

sctpa_path_data_t *sctpa_path_data_new(sctpa_labels_t *labels)
{
    sctpa_path_data_t *tables = g_new0(sctpa_path_data_t, 1);
    tables->labels = labels;
    tables->paths = sctpa_table_new(path_columns, G_N_ELEMENTS(path_columns));
    tables->theory = sctpa_table_new(theory_columns, G_N_ELEMENTS(theory_columns));
    tables->transit = sctpa_table_new(columns_transit, G_N_ELEMENTS(columns_transit));
    tables->tap_delay = sctpa_table_new(columns_tap_delay, G_N_ELEMENTS(columns_tap_delay));
    return tables;
}

void sctpa_path_data_free(sctpa_path_data_t *tables)
{
    sctpa_table_free(tables->paths);
    sctpa_table_free(tables->theory);
    sctpa_table_free(tables->transit);
    sctpa_table_free(tables->tap_delay);
    g_free(tables);
}

static void add_heading(const sctpa_path_data_t *tables, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    sctpa_labels_add_line(tables->labels, assoc, table);
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
    sctpa_table_rate(table, sctpa_sent_goodput_bps(&measure->all, measure->span_ns));
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
                cells_transit(table, view, &(sctpa_transit_row_t){ e, path, &transit });
            }
}

static void add_tap_delays(heading_t heading, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned max_paths,
                           sctpa_table_t *table)
{
    sctpa_tap_delay_row_t row;
    for (uint8_t e = 0; e < 2; e++)
        for (uint16_t path = 0; path < MIN(assoc->ends[e].n_paths, max_paths); path++)
            if (sctpa_tap_delay_row(view, assoc, e, path, &row)) {
                begin_row(&heading, assoc, table);
                cells_tap_delay(table, view, &row);
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
    add_tap_delays(heading, view, assoc, max_paths, tables->tap_delay);
}

static void add_paths_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    heading_t none = { NULL, NULL, false };
    for (unsigned e = 0; e < 2; e++)
        add_paths(&none, source->view, assoc, e, sctpa_window_table_measure(source, assoc, e), UINT_MAX, table);
}

static void add_theory_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    heading_t none = { NULL, NULL, false };
    for (unsigned e = 0; e < 2; e++)
        add_known_theory(&none, source->view, assoc, e, sctpa_window_table_measure(source, assoc, e), table);
}

static void add_transits_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc,
                                   sctpa_table_t *table)
{
    add_transits((heading_t){ NULL, NULL, false }, source->view, assoc, UINT_MAX, table);
}

static void add_tap_delays_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc,
                                     sctpa_table_t *table)
{
    add_tap_delays((heading_t){ NULL, NULL, false }, source->view, assoc, UINT_MAX, table);
}

const sctpa_window_table_t sctpa_window_table_path_data = {
    .name = "path_data",
    .title = PATHS_TITLE,
    SCTPA_COLUMNS(path_columns),
    .add = add_paths_to_window,
};
const sctpa_window_table_t sctpa_window_table_theory = {
    .name = "theory",
    .title = THEORY_TITLE,
    SCTPA_COLUMNS(theory_columns),
    .add = add_theory_to_window,
    .is_whole = true,
};
const sctpa_window_table_t sctpa_window_table_transits = {
    .name = "transits",
    .title = TRANSIT_TITLE,
    SCTPA_COLUMNS(columns_transit),
    .add = add_transits_to_window,
    .is_whole = true,
};
const sctpa_window_table_t sctpa_window_table_tap_delay = {
    .name = "tap_delay",
    .title = TAP_DELAY_TITLE,
    SCTPA_COLUMNS(columns_tap_delay),
    .add = add_tap_delays_to_window,
    .is_whole = true,
};

static void write_tap_delays(const sctpa_table_t *table, GString *out)
{
    if (sctpa_table_rows(table) == 0)
        return;
    sctpa_page_section(out, TAP_DELAY_TITLE);
    sctpa_table_write(table, out);
    sctpa_page_sentence(out, "jitter", 10, "RFC 3550 6.4.1, after the last packet; most j: the most it was");
    sctpa_window_table_explain(&sctpa_window_table_tap_delay, "both ways", 10, out);
    sctpa_window_table_explain(&sctpa_window_table_tap_delay, "drift", 10, out);
}

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
    write_tap_delays(tables->tap_delay, out);
}
