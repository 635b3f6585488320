/* The tables of -z sctp,paths that are about data. */
#include "path_data.h"

#include "page.h"
#include "table.h"

static const sctpa_column_t path_columns[] = {
    { "from", SCTPA_LEFT, 0 },     { "path", SCTPA_RIGHT, 0 },   { "resent", SCTPA_RIGHT, 0 },
    { "% resent", SCTPA_RIGHT, 0 }, { "RTT min", SCTPA_RIGHT, 0 }, { "median", SCTPA_RIGHT, 0 },
    { "p95 ms", SCTPA_RIGHT, 0 },  { "HB RTT", SCTPA_RIGHT, 0 }, { "bit/s", SCTPA_RIGHT, 0 },
};
static const sctpa_column_t theory_columns[] = {
    { "from", SCTPA_LEFT, 0 },    { "goodput", SCTPA_RIGHT, 0 }, { "window", SCTPA_RIGHT, 0 },
    { "lossy", SCTPA_RIGHT, 0 },  { "headers", SCTPA_RIGHT, 0 }, { "RTT ms", SCTPA_RIGHT, 0 },
    { "p %", SCTPA_RIGHT, 0 },    { "D", SCTPA_RIGHT, 0 },       { "MTU", SCTPA_RIGHT, 0 },
    { "a_rwnd", SCTPA_RIGHT, 0 },
};

static const sctpa_column_t transit_columns[] = {
    { "from", SCTPA_LEFT, 0 },      { "path", SCTPA_RIGHT, 0 },     { "at both", SCTPA_RIGHT, 0 },
    { "lost", SCTPA_RIGHT, 0 },     { "far only", SCTPA_RIGHT, 0 }, { "least ms", SCTPA_RIGHT, 0 },
    { "mean", SCTPA_RIGHT, 0 },     { "most", SCTPA_RIGHT, 0 },     { "clocks differ ms", SCTPA_RIGHT, 0 },
};

struct sctpa_path_data {
    sctpa_legend_t *legend;
    sctpa_table_t *paths, *theory, *transit;
};

sctpa_path_data_t *sctpa_path_data_new(sctpa_legend_t *legend)
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
    GString *text = g_string_new(NULL);
    sctpa_legend_assoc(tables->legend, assoc, text);
    sctpa_table_line(table, text->str);
    g_string_free(text, TRUE);
}

static bool is_shown(const sctpa_sent_t *sent)
{
    return sent->transmissions + sent->rtt.samples + sent->heartbeat_rtt.samples > 0;
}

static void add_path(const sctpa_path_data_t *tables, unsigned end, unsigned path, const sctpa_measure_t *measure)
{
    const sctpa_sent_t *sent = &g_array_index(measure->paths, sctpa_sent_t, path);
    const sctpa_spread_t *rtt = &sent->rtt, *heartbeat = &sent->heartbeat_rtt;

    sctpa_table_printf(tables->paths, "%u", end);
    sctpa_table_printf(tables->paths, "%u", path);
    sctpa_table_count(tables->paths, sctpa_sent_rtx(sent));
    sctpa_table_share(tables->paths, sctpa_sent_rtx(sent), sctpa_sent_rtx(&measure->all));
    sctpa_table_known_ms(tables->paths, rtt->samples > 0, rtt->min_ns);
    sctpa_table_known_ms(tables->paths, rtt->samples > 0, rtt->median_ns);
    sctpa_table_known_ms(tables->paths, rtt->samples > 0, rtt->p95_ns);
    sctpa_table_known_ms(tables->paths, heartbeat->samples > 0, heartbeat->median_ns);
    sctpa_table_rate(tables->paths, sent->data_packets ? sctpa_rate_bps(sent->data_wire_bytes, measure->span_ns) : -1);
}

static void add_bytes(sctpa_table_t *table, double bytes)
{
    if (bytes > 0)
        sctpa_table_count(table, (uint64_t)(bytes + 0.5));
    else
        sctpa_table_text(table, "-");
}

static void add_theory(const sctpa_path_data_t *tables, unsigned end, const sctpa_measure_t *measure)
{
    const sctpa_theory_t *theory = &measure->theory;

    sctpa_table_printf(tables->theory, "%u", end);
    sctpa_table_rate(tables->theory, sctpa_rate_bps(measure->all.user_bytes, measure->span_ns));
    sctpa_table_rate(tables->theory, theory->window_bps);
    sctpa_table_rate(tables->theory, theory->lossy_bps);
    sctpa_table_rate(tables->theory, theory->lossy_headers_bps);
    sctpa_table_known_ms(tables->theory, theory->rtt_ns > 0, theory->rtt_ns);
    sctpa_table_share(tables->theory, measure->all.resent_tsns, measure->all.transmissions);
    add_bytes(tables->theory, theory->packet_user_bytes);
    add_bytes(tables->theory, theory->mtu_bytes);
    add_bytes(tables->theory, theory->window_bytes);
}

static void add_transits(const sctpa_path_data_t *tables, const sctpa_assoc_t *assoc, unsigned max_paths)
{
    sctpa_transit_result_t transit;
    bool has_transit = false;
    for (uint8_t e = 0; e < 2; e++)
        for (uint16_t path = 0; path < MIN(assoc->ends[e].n_paths, max_paths); path++) {
            if (!sctpa_transit_result(assoc, e, path, &transit))
                continue;
            if (!has_transit)
                add_heading(tables, assoc, tables->transit);
            has_transit = true;
            sctpa_table_printf(tables->transit, "%u", e);
            sctpa_table_printf(tables->transit, "%u", path);
            sctpa_table_count(tables->transit, transit.both);
            sctpa_table_count(tables->transit, transit.lost);
            sctpa_table_count(tables->transit, transit.only_far);
            sctpa_table_ms(tables->transit, transit.min_ns);
            sctpa_table_ms(tables->transit, transit.mean_ns);
            sctpa_table_ms(tables->transit, transit.max_ns);
            sctpa_table_known_ms(tables->transit, transit.offset_known, transit.offset_ns);
        }
}

void sctpa_path_data_add(sctpa_path_data_t *tables, const sctpa_selection_t *selection, const sctpa_assoc_t *assoc,
                         unsigned max_paths)
{
    bool has_paths = false, has_theory = false;
    add_transits(tables, assoc, max_paths);
    for (unsigned e = 0; e < 2; e++) {
        sctpa_measure_t *measure = sctpa_selection_measure(selection, assoc, e);
        for (unsigned path = 0; path < MIN(measure->paths->len, max_paths); path++) {
            if (!is_shown(&g_array_index(measure->paths, sctpa_sent_t, path)))
                continue;
            if (!has_paths)
                add_heading(tables, assoc, tables->paths);
            has_paths = true;
            add_path(tables, e, path, measure);
        }
        if (measure->has_theory && measure->theory.rtt_ns > 0) {
            if (!has_theory)
                add_heading(tables, assoc, tables->theory);
            has_theory = true;
            add_theory(tables, e, measure);
        }
        sctpa_measure_free(measure);
    }
}

void sctpa_path_data_write(const sctpa_path_data_t *tables, GString *out)
{
    if (sctpa_table_rows(tables->paths) > 0) {
        sctpa_page_section(out, "Retransmissions, round trips seen at the capture (ms), rate of data, per path");
        sctpa_table_write(tables->paths, out);
    }
    if (sctpa_table_rows(tables->transit) > 0) {
        sctpa_page_section(out, "Between two taps: packets seen at both, at one, and the time from one to the other");
        sctpa_table_write(tables->transit, out);
    }
    if (sctpa_table_rows(tables->theory) > 0) {
        sctpa_page_section(out, "Goodput beside what window and losses allow (bit/s), and what that follows from");
        sctpa_table_write(tables->theory, out);
    }
}
