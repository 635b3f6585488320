/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Outages: paths that did not answer HEARTBEATs or data, when they became potentially failed and inactive, and when
 * they answered again. Leaves out paths that new data left (failovers_table.c). */
#include "tables.h"

#include "../text/column_meanings.h"
#include "../text/page.h"
#include "switching_rows.h"
#include "window_tables.h"

#define TITLE "Paths that stopped answering (seconds from the first frame)"
enum { INDENT = 4, TERMINAL_COLUMNS = 8 };

/* A terminal has room for the first ones. */
static const sctpa_column_t columns[] = {
    { "from", SCTPA_LEFT, .meaning = SCTPA_MEANS_FROM },
    { "path", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PATH },
    { "since s", SCTPA_RIGHT, .meaning = "when it stopped answering, in seconds from the first frame of the capture" },
    { "errors", SCTPA_RIGHT, .meaning = "HEARTBEATs without answer and timeouts in a row" },
    { "PF s", SCTPA_RIGHT, .meaning = "potentially failed between these times: probed once per RTO since (RFC 7829)" },
    { "inactive s (PMR)", SCTPA_RIGHT,
      .meaning = "inactive between these times, if Path.Max.Retrans is PMR (RFC 9260 8.2): 5 unless asserted" },
    { "frame", SCTPA_RIGHT, .meaning = SCTPA_MEANS_FRAME, .holds = SCTPA_HOLDS_FRAMES },
    { "answered", SCTPA_RIGHT, .meaning = "when it answered again, in seconds from the first frame of the capture" },
    { "RFC s", SCTPA_RIGHT, .meaning = "time to inactive by RFC 9260, in seconds: PMR*HB + RTO_0 + ... + RTO_PMR" },
    { "FreeBSD s", SCTPA_RIGHT,
      .meaning = "time to inactive by the formula of FreeBSD's stack, in seconds: PMR*N*HB + RTO_0 + ... + 128 ms "
                 "each, N paths" },
    { "Solaris s", SCTPA_RIGHT,
      .meaning = "time to inactive by the formula of Solaris' stack, in seconds: HB + RTO_0 + ... + RTO_PMR" },
};

sctpa_table_t *sctpa_outages_new(void)
{
    return sctpa_table_new(columns, TERMINAL_COLUMNS);
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

static uint32_t count(const sctpa_switching_t *switching)
{
    return MIN(switching->n_outages, SCTPA_OUTAGES_MAX);
}

static const sctpa_outage_t *outage_at(const sctpa_assoc_t *assoc, uint8_t end, uint32_t at)
{
    return &assoc->ends[end].rare->switching->outages[at];
}

static uint32_t frame_of(const sctpa_outage_t *outage)
{
    return outage->potentially_failed.frame > 0 ? outage->potentially_failed.frame
           : outage->left.frame > 0             ? outage->left.frame
           : outage->inactive.frame > 0         ? outage->inactive.frame
                                                : outage->frame;
}

static sctpa_detection_t expected(const sctpa_view_t *view, const sctpa_assoc_t *assoc, uint8_t end,
                                  const sctpa_outage_t *outage)
{
    const sctpa_end_t *endpoint = &assoc->ends[end];
    const uint32_t packet = sctpa_packet_find(view->sctpa, frame_of(outage), 0);
    const int64_t rto_ns = sctpa_rto_before_ns(view->sctpa, assoc->number, end, outage->path, packet);
    return sctpa_detection_of_idle(outage, sctpa_path_probed(view->sctpa, assoc, end, outage->path), endpoint->n_paths,
                                   rto_ns);
}

static void add_cells(sctpa_table_t *table, const sctpa_view_t *view, uint8_t end, const sctpa_outage_t *outage)
{
    sctpa_table_plain(table, end);
    sctpa_table_plain(table, outage->path);
    add_moment(table, view, true, outage->since_ns);
    sctpa_table_count(table, (uint64_t)outage->heartbeats + outage->timeouts);
    add_change(table, view, &outage->potentially_failed, -1);
    add_change(table, view, &outage->inactive, outage->max_retrans);
    sctpa_table_plain(table, frame_of(outage));
    add_moment(table, view, outage->answered_frame > 0, outage->answered_ns);
}

/* Under it: "by formula inactive after 12.00 s (RFC), ...". */
static void add_outage(sctpa_table_t *table, const sctpa_view_t *view, const sctpa_assoc_t *assoc, uint8_t end,
                       uint32_t at)
{
    const sctpa_outage_t *outage = outage_at(assoc, end, at);
    const sctpa_detection_t detection = expected(view, assoc, end, outage);
    add_cells(table, view, end, outage);
    if (detection.rfc_ns < 0)
        return;
    char text[160];
    g_snprintf(text, sizeof text, "by formula inactive after %.3f s (RFC), %.3f s (FreeBSD), %.3f s (Solaris)",
               (double)detection.rfc_ns / 1e9, (double)detection.freebsd_ns / 1e9, (double)detection.solaris_ns / 1e9);
    sctpa_table_sentence(table, INDENT, text);
}

static void add_seconds(sctpa_table_t *table, int64_t ns)
{
    if (ns < 0)
        sctpa_table_text(table, "-");
    else
        sctpa_table_seconds(table, ns);
}

static void add_window_outage(sctpa_table_t *table, const sctpa_view_t *view, const sctpa_assoc_t *assoc, uint8_t end,
                              uint32_t at)
{
    const sctpa_outage_t *outage = outage_at(assoc, end, at);
    const sctpa_detection_t detection = expected(view, assoc, end, outage);
    add_cells(table, view, end, outage);
    add_seconds(table, detection.rfc_ns);
    add_seconds(table, detection.freebsd_ns);
    add_seconds(table, detection.solaris_ns);
}

static const sctpa_switching_rows_t rows = { count, add_outage }, window_rows = { count, add_window_outage };

void sctpa_outages_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                       const sctpa_assoc_t *assoc)
{
    sctpa_switching_rows_add(&rows, table, view, labels, assoc);
}

static void add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    sctpa_switching_rows_add(&window_rows, table, source->view, NULL, assoc);
}

const sctpa_window_table_t sctpa_window_table_outages = {
    .name = "outages",
    .title = TITLE,
    SCTPA_COLUMNS(columns),
    .add = add_to_window,
    .is_whole = true,
};

void sctpa_outages_write(const sctpa_table_t *table, GString *out)
{
    if (sctpa_table_rows(table) == 0)
        return;
    sctpa_page_section(out, TITLE);
    sctpa_table_write(table, out);
    sctpa_window_table_explain(&sctpa_window_table_outages, "errors", 9, out);
    sctpa_window_table_explain(&sctpa_window_table_outages, "PF s", 9, out);
    sctpa_page_sentence(out, "inactive", 9,
                        "between these times, if Path.Max.Retrans is PMR (RFC 9260 8.2): 5 unless asserted");
    sctpa_page_sentence(
        out, "formula", 9,
        "PMR*HB + RTO_0 + ... + RTO_PMR (RFC); PMR*N*HB + RTO_0 + ... + 128 ms each, N paths (FreeBSD); "
        "HB + RTO_0 + ... + RTO_PMR (Solaris); HB is the mean interval of answered HEARTBEATs less the "
        "RTO");
}
