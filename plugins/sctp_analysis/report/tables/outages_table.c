/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Outages: paths that did not answer HEARTBEATs, when they became potentially failed and inactive, and when they
 * answered again. Leaves out paths that new data left (failovers_table.c). */
#include "outages_table.h"

#include "../text/page.h"
#include "window_tables.h"

#define TITLE "Paths that stopped answering HEARTBEATs (seconds from the first frame)"
enum { FRAMES = 1 << 6 };

static const sctpa_column_t columns[] = {
    { "from", SCTPA_LEFT, 0 },    { "path", SCTPA_RIGHT, 0 },     { "since s", SCTPA_RIGHT, 0 },
    { "errors", SCTPA_RIGHT, 0 }, { "PF s", SCTPA_RIGHT, 0 },     { "inactive s (PMR)", SCTPA_RIGHT, 0 },
    { "frame", SCTPA_RIGHT, 0 },  { "answered", SCTPA_RIGHT, 0 },
};

sctpa_table_t *sctpa_outages_new(void)
{
    return sctpa_table_new(columns, G_N_ELEMENTS(columns));
}

static void add_moment(sctpa_table_t *table, const sctpa_view_t *view, bool is_known, int64_t time_ns)
{
    const double seconds = (double)sctpa_view_since_start(view, time_ns) / 1e9;
    char text[32];
    g_snprintf(text, sizeof text, "%.3f", seconds);
    if (is_known)
        sctpa_table_number(table, seconds, text);
    else
        sctpa_table_text(table, "-");
}

/* "60.84–61.84", and behind it max_retrans where it is not negative. */
static void add_change(sctpa_table_t *table, const sctpa_view_t *view, const sctpa_path_state_change_t *change,
                       int64_t max_retrans)
{
    const double from = (double)sctpa_view_since_start(view, change->earliest_ns) / 1e9,
                 to = (double)sctpa_view_since_start(view, change->latest_ns) / 1e9;
    const int decimals = to < 1000 ? 2 : 1;
    if (change->frame == 0)
        sctpa_table_text(table, "-");
    else if (max_retrans < 0)
        sctpa_table_printf(table, "%.*f–%.*f", decimals, from, decimals, to);
    else
        sctpa_table_printf(table, "%.*f–%.*f (%" G_GINT64_FORMAT ")", decimals, from, decimals, to, max_retrans);
}

static void add_outage(sctpa_table_t *table, const sctpa_view_t *view, uint8_t end, const sctpa_outage_t *outage)
{
    sctpa_table_plain(table, end);
    sctpa_table_plain(table, outage->path);
    add_moment(table, view, true, outage->since_ns);
    sctpa_table_count(table, (uint64_t)outage->heartbeats + outage->timeouts);
    add_change(table, view, &outage->potentially_failed, -1);
    add_change(table, view, &outage->inactive, outage->max_retrans);
    sctpa_table_plain(table,
                      outage->potentially_failed.frame > 0 ? outage->potentially_failed.frame : outage->inactive.frame);
    add_moment(table, view, outage->answered_frame > 0, outage->answered_ns);
}

void sctpa_outages_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *legend,
                       const sctpa_assoc_t *assoc)
{
    bool has_heading = false;
    for (unsigned e = 0; e < 2; e++) {
        const sctpa_switching_t *switching = assoc->ends[e].rare->switching;
        for (uint32_t i = 0; switching && i < MIN(switching->n_outages, SCTPA_OUTAGES_MAX); i++) {
            if (!has_heading)
                sctpa_labels_add_line(legend, assoc, table);
            has_heading = true;
            add_outage(table, view, (uint8_t)e, &switching->outages[i]);
        }
    }
}

static void add_to_sheet(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    for (unsigned e = 0; e < 2; e++) {
        const sctpa_switching_t *switching = assoc->ends[e].rare->switching;
        for (uint32_t i = 0; switching && i < MIN(switching->n_outages, SCTPA_OUTAGES_MAX); i++)
            add_outage(table, source->view, (uint8_t)e, &switching->outages[i]);
    }
}

const sctpa_window_table_t sctpa_window_table_outages = { "outages", TITLE, columns,      G_N_ELEMENTS(columns),
                                                          FRAMES,    0,     add_to_sheet, true,
                                                          0 };

void sctpa_outages_write(const sctpa_table_t *table, GString *out)
{
    if (sctpa_table_rows(table) == 0)
        return;
    sctpa_page_section(out, TITLE);
    sctpa_table_write(table, out);
    sctpa_page_sentence(out, "errors", 9, "HEARTBEATs without answer and timeouts in a row");
    sctpa_page_sentence(out, "PF", 9, "potentially failed between these times: probed once per RTO since (RFC 7829)");
    sctpa_page_sentence(out, "inactive", 9,
                        "between these times, if Path.Max.Retrans is PMR (RFC 9260 8.2): 5 unless asserted");
}
