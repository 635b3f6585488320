/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,paths: what each endpoint sent to each address of its peer, and from which of its own; what became of the
 * data of each path: losses, retransmissions, round trips, rates; goodput against theoretical limits; two taps: packets
 * seen at both, at one, and their delay in between; several paths at once: what each carried, how far its TSNs arrived
 * behind those of others; failovers: the times from the first packet lost to new data on another path, measured and by
 * formula; handovers: what asked for them, how long delivery stood still, and what it cost; outages: paths that did not
 * answer, when they failed, and when they answered again. */

#include "../reports.h"
#include "../rows/rows.h"
#include "../text/address_labels.h"
#include "../text/column_meanings.h"
#include "../text/page.h"
#include "../text/table.h"
#include "../text/text.h"
#include "../view.h"
#include "window_tables.h"

/* Rows of a terminal. */
enum { ASSOCS_MAX = 50, PATHS_MAX = 20, PAIRS_MAX = 10 };

/* --- failovers --- */

#define FAILOVERS_TITLE "Failover time, measured and expected (RFC, FreeBSD, Solaris)"

static const sctpa_column_t failovers_columns[] = {
    { "from", SCTPA_LEFT, .meaning = SCTPA_MEANS_FROM },
    { "path", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PATH },
    { "to", SCTPA_RIGHT, .meaning = "number of the path that new data took instead" },
    { "frame", SCTPA_RIGHT, .meaning = SCTPA_MEANS_FRAME, .holds = SCTPA_HOLDS_FRAMES },
    { "timeouts", SCTPA_RIGHT, .meaning = "of the retransmission timer until then" },
    { "HB", SCTPA_RIGHT, .meaning = "HEARTBEATs lost until then" },
    { "RTO s", SCTPA_RIGHT, .meaning = "the RTO with which it began, in seconds" },
    { "took s", SCTPA_RIGHT, .meaning = "from the first packet lost to new data elsewhere, in seconds" },
    { "RFC s", SCTPA_RIGHT,
      .meaning = "failover time by RFC 9260, in seconds: PMR*HB + RTO_0 + ... + RTO_PMR, doubling" },
    { "FreeBSD", SCTPA_RIGHT, .meaning = SCTPA_MEANS_FREEBSD },
    { "Solaris", SCTPA_RIGHT, .meaning = SCTPA_MEANS_SOLARIS },
};

/* An empty table; sctpa_table_free. */
static sctpa_table_t *failovers_new(void)
{
    return sctpa_table_new(failovers_columns, G_N_ELEMENTS(failovers_columns));
}

static void add_seconds(sctpa_table_t *table, int64_t ns)
{
    char text[32];
    g_snprintf(text, sizeof text, "%.3f", (double)ns / 1e9);
    if (ns < 0)
        sctpa_table_text(table, "-");
    else
        sctpa_table_number(table, (double)ns / 1e9, text);
}

static void add_failover(sctpa_table_t *table, const sctpa_view_t *view, const sctpa_assoc_t *assoc, uint8_t end,
                         uint32_t at)
{
    const sctpa_failover_t *failover = &assoc->ends[end].rare->switching->failovers[at];
    const sctpa_trouble_t *trouble = &failover->trouble;
    int64_t rto_ns = trouble->timeouts > 0
                         ? sctpa_rto_before_ns(view->sctpa, assoc->number, end, failover->path, trouble->timeout_packet)
                         : 0;
    sctpa_detection_t detection = sctpa_detection_of(failover, assoc->ends[end].n_paths, rto_ns);

    sctpa_table_plain(table, end);
    sctpa_table_plain(table, failover->path);
    sctpa_table_plain(table, failover->to);
    sctpa_table_plain(table, failover->frame);
    sctpa_table_count(table, trouble->timeouts);
    sctpa_table_count(table, trouble->heartbeats);
    add_seconds(table, rto_ns > 0 ? rto_ns : -1);
    add_seconds(table, MAX(detection.took_ns, 0));
    add_seconds(table, detection.rfc_ns);
    add_seconds(table, detection.freebsd_ns);
    add_seconds(table, detection.solaris_ns);
}

/* Adds the failovers of an association, at most SCTPA_FAILOVERS_MAX of an end; labels: under a line that names it,
 * NULL: without. O(failovers). */
static void failovers_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                          const sctpa_assoc_t *assoc)
{
    bool has_heading = labels == NULL;
    for (uint8_t e = 0; e < 2; e++) {
        const sctpa_switching_t *switching = assoc->ends[e].rare->switching;
        const uint32_t n = switching ? MIN(switching->n_failovers, SCTPA_FAILOVERS_MAX) : 0;
        if (n > 0 && !has_heading)
            sctpa_labels_add_line(labels, assoc, table);
        has_heading |= n > 0;
        for (uint32_t i = 0; i < n; i++)
            add_failover(table, view, assoc, e, i);
    }
}

static void failovers_add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc,
                                    sctpa_table_t *table)
{
    failovers_add(table, source->view, NULL, assoc);
}

const sctpa_window_table_t sctpa_window_table_failovers = {
    .name = "failovers",
    .title = FAILOVERS_TITLE,
    SCTPA_COLUMNS(failovers_columns),
    .add = failovers_add_to_window,
    .is_whole = true,
};

/* Appends the table with its heading and what the columns mean; nothing when it has no rows. */
static void failovers_write(const sctpa_table_t *table, GString *out)
{
    if (sctpa_table_rows(table) == 0)
        return;
    sctpa_page_section(out, FAILOVERS_TITLE);
    sctpa_table_write(table, out);
    sctpa_page_sentence(out, "took", 8, "from the first packet lost to new data elsewhere");
    sctpa_page_sentence(out, "RFC", 8, "PMR*HB + RTO_0 + ... + RTO_PMR, doubling (8.1)-(8.4)");
    sctpa_page_sentence(out, "FreeBSD", 8, "PMR*N*HB + RTO_0 + ... + 128 ms each, N paths (8.5)");
    sctpa_page_sentence(out, "Solaris", 8, "HB + RTO_0 + ... + RTO_PMR (8.6)");
    sctpa_page_sentence(out, "with", 8,
                        "PMR + 1 = timeouts and HEARTBEATs lost (HB) until then; HB = what the last lost HEARTBEAT "
                        "waited beyond the RTO, 0 when data alone showed the failure");
}

/* --- several paths at once --- */

#define CONCURRENT_TITLE "Several paths at once: what each carried, and how they kept each other waiting"

static const sctpa_column_t concurrent_columns[] = {
    { "from", SCTPA_LEFT, .meaning = SCTPA_MEANS_FROM },
    { "path", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PATH },
    { "% DATA", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PERCENT_DATA },
    { "% bytes", SCTPA_RIGHT, .meaning = "share of the bytes of data, in percent" },
    { "bit/s", SCTPA_RIGHT, .meaning = SCTPA_MEANS_BIT_S },
    { "RTT ms", SCTPA_RIGHT, .meaning = SCTPA_MEANS_RTT_MS },
    { "rtx to", SCTPA_RIGHT, .meaning = SCTPA_MEANS_RTX_TO },
    { "behind", SCTPA_RIGHT,
      .meaning = "TSNs sent once that arrived behind higher ones of another path, as SACKs show" },
    { "med", SCTPA_RIGHT, .meaning = "by how many TSNs they were behind: the median" },
    { "most", SCTPA_RIGHT, .meaning = "by how many TSNs they were behind: the most" },
    { "blocked", SCTPA_RIGHT,
      .meaning = "time (s) that new data waited for the peer's window, the path's cwnd open, while the receiver held "
                 "data above a "
                 "TSN missing from another path: at least" },
};

/* An empty table; sctpa_table_free. */
static sctpa_table_t *concurrent_new(void)
{
    return sctpa_table_new(concurrent_columns, G_N_ELEMENTS(concurrent_columns));
}

static void add_depth(sctpa_table_t *table, const sctpa_concurrent_path_t *path, uint32_t depth)
{
    if (path->behind > 0)
        sctpa_table_count(table, depth);
    else
        sctpa_table_text(table, "-");
}

/* Short: the table is as wide as a page. */
static void add_blocked(sctpa_table_t *table, bool is_known, int64_t blocked_ns)
{
    GString *text = g_string_new(NULL);
    if (is_known) {
        sctpa_text_seconds(text, blocked_ns, 3);
        sctpa_table_number(table, (double)blocked_ns / 1e9, text->str);
    } else {
        sctpa_table_text(table, "-");
    }
    g_string_free(text, TRUE);
}

static void concurrent_add_path(const sctpa_view_t *view, sctpa_table_t *table, unsigned end, unsigned path,
                                const sctpa_concurrent_t *concurrent, const sctpa_measure_t *measure)
{
    const sctpa_sent_t *sent = &g_array_index(measure->paths, sctpa_sent_t, path);
    const sctpa_concurrent_path_t *of_path = &g_array_index(concurrent->paths, sctpa_concurrent_path_t, path);
    sctpa_table_plain(table, end);
    sctpa_table_plain(table, path);
    sctpa_table_share(table, sent->transmissions, measure->all.transmissions);
    sctpa_table_share(table, sent->carried_bytes, measure->all.carried_bytes);
    sctpa_table_rate(table, sctpa_rate_bps(sent->data_wire_bytes, measure->span_ns));
    sctpa_view_ms(view, table, sent->rtt.samples > 0, sent->rtt.median_ns);
    sctpa_table_count(table, sctpa_sent_rtx(sent));
    sctpa_table_count(table, of_path->behind);
    add_depth(table, of_path, of_path->median);
    add_depth(table, of_path, of_path->most);
    add_blocked(table, concurrent->is_blocking_known, of_path->blocked_ns);
}

/* Adds the paths of an association's directions that used several at once, whatever the filter; paths with numbers
 * below max_paths; labels: under a line that names it, NULL: without. Cost as sctpa_concurrent_measure and, where they
 * did, sctpa_measure. */
static void concurrent_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                           const sctpa_assoc_t *assoc, unsigned max_paths)
{
    bool has_heading = labels == NULL;
    for (uint8_t e = 0; e < 2; e++) {
        sctpa_series_source_t source = sctpa_series_source(view->sctpa, assoc->number, e, view->start_ns);
        sctpa_concurrent_t *concurrent = sctpa_concurrent_measure(&source);
        if (!concurrent)
            continue;
        sctpa_measure_t *measure = sctpa_measure(view->sctpa, assoc->number, e, NULL);
        if (!has_heading)
            sctpa_labels_add_line(labels, assoc, table);
        has_heading = true;
        for (unsigned path = 0; path < MIN(MIN(concurrent->paths->len, measure->paths->len), max_paths); path++)
            if (g_array_index(measure->paths, sctpa_sent_t, path).transmissions > 0)
                concurrent_add_path(view, table, e, path, concurrent, measure);
        sctpa_measure_free(measure);
        sctpa_concurrent_free(concurrent);
    }
}

static void concurrent_add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc,
                                     sctpa_table_t *table)
{
    concurrent_add(table, source->view, NULL, assoc, UINT_MAX);
}

const sctpa_window_table_t sctpa_window_table_concurrent = {
    .name = "concurrent",
    .title = CONCURRENT_TITLE,
    SCTPA_COLUMNS(concurrent_columns),
    .add = concurrent_add_to_window,
    .is_whole = true,
};

/* Appends the table with its heading and what the columns mean; nothing when it has no rows. */
static void concurrent_write(const sctpa_table_t *table, GString *out)
{
    if (sctpa_table_rows(table) == 0)
        return;
    sctpa_page_section(out, CONCURRENT_TITLE);
    sctpa_table_write(table, out);
    sctpa_page_sentence(out, "behind", 8,
                        "TSNs sent once that arrived behind higher ones of another path, as SACKs show; by how many "
                        "TSNs: the median, the most");
    sctpa_window_table_explain(&sctpa_window_table_concurrent, "blocked", 8, out);
}

/* --- handovers --- */

#define HANDOVERS_TITLE "Handovers: new data that went another way and stayed there"

/* "0→1", one number where the path stays the same. */
static void add_way(sctpa_table_t *table, const sctpa_handover_t *handover)
{
    if (handover->from == handover->to)
        sctpa_table_plain(table, handover->to);
    else
        sctpa_table_printf(table, "%u→%u", handover->from, handover->to);
}
#define SCTPA_LOOK_WAY SCTPA_LEFT
#define SCTPA_CELL_WAY(is_known, handover) add_way(table, handover)

#define SCTPA_OBJECTS "../rows/multipath_objects.def"
#include "../rows/columns.h"

/* An empty table; sctpa_table_free. */
static sctpa_table_t *handovers_new(void)
{
    return sctpa_table_new(columns_handover, G_N_ELEMENTS(columns_handover));
}

/* labels NULL: no heading. */
static void handovers_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                          const sctpa_assoc_t *assoc)
{
    bool has_heading = labels == NULL;
    for (uint8_t e = 0; e < 2; e++) {
        GArray *handovers = sctpa_handovers(view->sctpa, assoc->number, e);
        for (guint i = 0; i < handovers->len; i++) {
            if (!has_heading)
                sctpa_labels_add_line(labels, assoc, table);
            has_heading = true;
            const sctpa_handover_row_t row = sctpa_handover_row(e, &g_array_index(handovers, sctpa_handover_t, i));
            cells_handover(table, view, &row);
        }
        g_array_unref(handovers);
    }
}

static void handovers_add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc,
                                    sctpa_table_t *table)
{
    handovers_add(table, source->view, NULL, assoc);
}

const sctpa_window_table_t sctpa_window_table_handovers = {
    .name = "handovers",
    .title = HANDOVERS_TITLE,
    SCTPA_COLUMNS(columns_handover),
    .add = handovers_add_to_window,
    .is_whole = true,
};

/* Appends the table with its heading and what the columns mean; nothing when it has no rows. */
static void handovers_write(const sctpa_table_t *table, GString *out)
{
    if (sctpa_table_rows(table) == 0)
        return;
    sctpa_page_section(out, HANDOVERS_TITLE);
    sctpa_table_write(table, out);
    sctpa_page_sentence(out, "by", 8,
                        "failover, or the last ASCONF before: it added the new address, set it primary, or deleted "
                        "the old one (asked), and its ASCONF-ACK (acked)");
    sctpa_window_table_explain(&sctpa_window_table_handovers, "ack ms", 8, out);
    sctpa_window_table_explain(&sctpa_window_table_handovers, "gap ms", 8, out);
    sctpa_page_sentence(out, "rtx", 8,
                        "retransmissions since then of what had gone the old way; spur: at least so many spurious");
    sctpa_window_table_explain(&sctpa_window_table_handovers, "old", 8, out);
}

/* --- outages --- */

#define OUTAGES_TITLE "Paths that stopped answering (seconds from the first frame)"
enum { FORMULA_INDENT = 4 };

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

#define SCTPA_LOOK_CHANGE SCTPA_RIGHT
#define SCTPA_CELL_CHANGE(is_known, change) add_change(table, view, change, -1)
#define SCTPA_LOOK_INACTIVE SCTPA_RIGHT
#define SCTPA_CELL_INACTIVE(is_known, outage) add_change(table, view, &(outage)->inactive, (outage)->max_retrans)
/* A terminal has no room for the last columns, one a formula: a sentence below the row says what they hold. */
enum { FORMULA_COLUMNS = 3 };
#define SCTPA_LOOK_FORMULA SCTPA_RIGHT
#define SCTPA_CELL_FORMULA(is_known, ns) \
    if (row->shows_formulas) \
    sctpa_cell_seconds(table, (ns) >= 0, ns)

#define SCTPA_OBJECTS "../rows/path_trouble_objects.def"
#include "../rows/columns.h"

/* An empty table; sctpa_table_free. */
static sctpa_table_t *outages_new(void)
{
    return sctpa_table_new(columns_outage, G_N_ELEMENTS(columns_outage) - FORMULA_COLUMNS);
}

typedef struct {
    sctpa_table_t *table;
    const sctpa_view_t *view;
    const sctpa_assoc_t *assoc;
    sctpa_labels_t *labels; /* NULL: no heading, or it is there */
} outages_filling_t;

/* Under it: "by formula inactive after 12.00 s (RFC), ...". */
static void add_outage(void *user, const sctpa_outage_row_t *row)
{
    outages_filling_t *filling = user;
    const sctpa_detection_t *detection = &row->detection;
    char text[160];
    if (filling->labels)
        sctpa_labels_add_line(filling->labels, filling->assoc, filling->table);
    filling->labels = NULL;
    cells_outage(filling->table, filling->view, row);
    if (detection->rfc_ns < 0)
        return;
    g_snprintf(text, sizeof text, "by formula inactive after %.3f s (RFC), %.3f s (FreeBSD), %.3f s (Solaris)",
               (double)detection->rfc_ns / 1e9, (double)detection->freebsd_ns / 1e9,
               (double)detection->solaris_ns / 1e9);
    sctpa_table_sentence(filling->table, FORMULA_INDENT, text);
}

/* Adds the outages of an association, at most SCTPA_OUTAGES_MAX of an end. O(outages). */
static void outages_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                        const sctpa_assoc_t *assoc)
{
    outages_filling_t filling = { table, view, assoc, labels };
    for (unsigned e = 0; e < 2; e++)
        sctpa_outage_rows(view, assoc, e, true, add_outage, &filling);
}

static void add_whole_outage(void *user, const sctpa_outage_row_t *row)
{
    outages_filling_t *filling = user;
    sctpa_outage_row_t whole = *row;
    whole.shows_formulas = true;
    cells_outage(filling->table, filling->view, &whole);
}

static void outages_add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    outages_filling_t filling = { table, source->view, assoc, NULL };
    for (unsigned e = 0; e < 2; e++)
        sctpa_outage_rows(source->view, assoc, e, true, add_whole_outage, &filling);
}

const sctpa_window_table_t sctpa_window_table_outages = {
    .name = "outages",
    .title = OUTAGES_TITLE,
    SCTPA_COLUMNS(columns_outage),
    .add = outages_add_to_window,
    .is_whole = true,
};

/* Appends the table with its heading and what the columns mean; nothing when it has no rows. */
static void outages_write(const sctpa_table_t *table, GString *out)
{
    if (sctpa_table_rows(table) == 0)
        return;
    sctpa_page_section(out, OUTAGES_TITLE);
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

/* --- paths that carried data --- */

#define PATH_DATA_TITLE "Losses, retransmissions, round trips at the capture (ms), rate of data by path"
#define TAP_DELAY_TITLE "Delay between two taps beyond the least of the path (ms)"
#define TRANSIT_TITLE "Between two taps: packets seen at both, at one, and the time from one to the other"
#define THEORY_TITLE "Goodput against theoretical limits (bit/s), and what they follow from"

static const sctpa_column_t path_data_columns[] = {
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

static const char path_data_legend[] = "rtx of  transmissions to the path that were retransmitted, to whatever path\n"
                                       "lost    of them, those that no SACK shows to have arrived: at most\n"
                                       "rtx to  retransmissions sent to the path\n";

/* The tables that are about data. */
typedef struct {
    sctpa_labels_t *labels;
    sctpa_table_t *paths, *theory, *transit, *tap_delay;
} path_data_t;

/* labels is borrowed. */
static path_data_t *path_data_new(sctpa_labels_t *labels)
{
    path_data_t *tables = g_new0(path_data_t, 1);
    tables->labels = labels;
    tables->paths = sctpa_table_new(path_data_columns, G_N_ELEMENTS(path_data_columns));
    tables->theory = sctpa_table_new(theory_columns, G_N_ELEMENTS(theory_columns));
    tables->transit = sctpa_table_new(columns_transit, G_N_ELEMENTS(columns_transit));
    tables->tap_delay = sctpa_table_new(columns_tap_delay, G_N_ELEMENTS(columns_tap_delay));
    return tables;
}

static void path_data_free(path_data_t *tables)
{
    sctpa_table_free(tables->paths);
    sctpa_table_free(tables->theory);
    sctpa_table_free(tables->transit);
    sctpa_table_free(tables->tap_delay);
    g_free(tables);
}

static void add_heading(const path_data_t *tables, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    sctpa_labels_add_line(tables->labels, assoc, table);
}

static bool is_shown(const sctpa_sent_t *sent)
{
    return sent->transmissions + sent->rtt.samples + sent->heartbeat_rtt.samples > 0;
}

static void data_add_path(const sctpa_view_t *view, sctpa_table_t *table, unsigned end, unsigned path,
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
    void (*begin)(const path_data_t *tables, const sctpa_assoc_t *assoc, sctpa_table_t *table);
    const path_data_t *tables;
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
            data_add_path(view, table, end, path, measure);
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

/* Adds the paths of an association that carried data or a timed heartbeat, and those that two taps saw, numbers below
 * max_paths. Cost as sctpa_measure, and for each path of two taps as sctpa_tap_delay. */
static void path_data_add(path_data_t *tables, const sctpa_selection_t *selection, const sctpa_assoc_t *assoc,
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

static void data_add_paths_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc,
                                     sctpa_table_t *table)
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
    .title = PATH_DATA_TITLE,
    SCTPA_COLUMNS(path_data_columns),
    .add = data_add_paths_to_window,
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

/* Appends the tables that have rows, with their headings. */
static void path_data_write(const path_data_t *tables, GString *out)
{
    if (sctpa_table_rows(tables->paths) > 0) {
        sctpa_page_section(out, PATH_DATA_TITLE);
        sctpa_table_write(tables->paths, out);
        g_string_append(out, path_data_legend);
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

/* --- what was sent to each address, and the report --- */

#define TITLE "What each endpoint (from) sent to each address of its peer (path)"
/* clang-format off */
#define PATH { "from", SCTPA_LEFT, .meaning = SCTPA_MEANS_FROM }, { "path", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PATH }
#define DESTINATION { "destination", SCTPA_LEFT, 8, .meaning = "address that the packets went to" }
#define COUNTS { "packets", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PACKETS }, \
    { "bytes", SCTPA_RIGHT, .meaning = SCTPA_MEANS_BYTES }, \
    { "DATA", SCTPA_RIGHT, .meaning = SCTPA_MEANS_DATA_CHUNKS }, \
    { "% DATA", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PERCENT_DATA }, \
    { "HB", SCTPA_RIGHT, .meaning = "HEARTBEAT chunks sent" }
/* clang-format on */

static const sctpa_column_t columns[] = {
    PATH,
    DESTINATION,
    COUNTS,
    { "unanswered", SCTPA_RIGHT, .meaning = "HEARTBEATs that got no HEARTBEAT-ACK" },
};
static const sctpa_column_t pair_columns[] = {
    PATH,
    { "source", SCTPA_LEFT, 8, .meaning = "address that the packets came from" },
    DESTINATION,
    COUNTS,
};

/* Pairs of an end that belong to a path, with packets or not. O(pairs of the end). */
static unsigned path_pair_count(const sctpa_end_t *end, unsigned path)
{
    unsigned count = 0;
    for (unsigned i = 0; i < end->n_pairs; i++)
        count += end->pairs[i]->path == path;
    return count;
}

typedef struct {
    const sctpa_view_t *view;
    const sctpa_selection_t *selection;
    sctpa_labels_t *labels;
    sctpa_table_t *table;
    path_data_t *data_tables;
    sctpa_table_t *concurrent, *handovers, *failovers, *outages;
    uint64_t packets, bytes, data;
} paths_t;

/* What rows of the table are made from. */
typedef struct {
    const sctpa_t *sctpa;
    const sctpa_selection_t *selection;
    sctpa_labels_t *labels;
    const sctpa_assoc_t *assoc;
    unsigned end;
    uint32_t data_of_end;
    bool is_filtered, knows_chunks;
} rows_t;

static rows_t rows_of(const sctpa_view_t *view, const sctpa_selection_t *selection, sctpa_labels_t *labels,
                      const sctpa_assoc_t *assoc, unsigned end)
{
    return (rows_t){ view->sctpa,
                     selection,
                     labels,
                     assoc,
                     end,
                     sctpa_counts_data_chunks(sctpa_selection_end(selection, assoc, end)),
                     view->tally != NULL,
                     sctpa_tally_knows_chunks(view->tally) };
}

static void add_addr(const rows_t *rows, sctpa_table_t *table, const char *before, const sctpa_addr_t *addr)
{
    GString *text = g_string_new(before);
    sctpa_labels_addr(rows->labels, addr, text);
    sctpa_table_take(table, text);
}

static void add_counts(const rows_t *rows, sctpa_table_t *table, const sctpa_counts_t *counts)
{
    sctpa_table_count(table, counts->packets);
    sctpa_table_count(table, counts->wire_bytes);
    sctpa_table_count(table, sctpa_counts_data_chunks(counts));
    sctpa_table_share(table, sctpa_counts_data_chunks(counts), rows->data_of_end);
    if (rows->knows_chunks)
        sctpa_table_count(table, sctpa_counts_chunks(counts, SCTPA_CHUNK_ROW_HEARTBEAT));
    else
        sctpa_table_text(table, "-");
}

/* The sources of a path, where there is more than one. */
static void add_pairs(const rows_t *rows, sctpa_table_t *table, unsigned path)
{
    const sctpa_end_t *endpoint = &rows->assoc->ends[rows->end];
    unsigned all = path_pair_count(endpoint, path), shown = 0;

    for (unsigned i = 0; all > 1 && i < endpoint->n_pairs && shown < PAIRS_MAX; i++) {
        const sctpa_pair_t *pair = endpoint->pairs[i];
        const sctpa_counts_t *counts = sctpa_selection_pair(rows->selection, rows->assoc, rows->end, i);
        if (pair->path != path || counts->packets == 0)
            continue;
        shown++;
        sctpa_table_skip(table, 2);
        add_addr(rows, table, "  from ", pair->source);
        add_counts(rows, table, counts);
        sctpa_table_skip(table, 0);
    }
}

/* A count that is not known of selected packets. */
static void add_known(const rows_t *rows, sctpa_table_t *table, uint32_t count)
{
    if (rows->is_filtered)
        sctpa_table_text(table, "-");
    else
        sctpa_table_count(table, count);
}

static void add_path(const rows_t *rows, sctpa_table_t *table, unsigned path, const sctpa_counts_t *counts)
{
    const sctpa_path_t *known = &rows->assoc->ends[rows->end].paths[path];

    sctpa_table_plain(table, rows->end);
    sctpa_table_plain(table, path);
    add_addr(rows, table, "", known->destination);
    add_counts(rows, table, counts);
    add_known(rows, table, sctpa_path_probed(rows->sctpa, rows->assoc, rows->end, path)->heartbeats_lost);
}

static void add_paths_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    for (unsigned e = 0; e < 2; e++) {
        rows_t rows = rows_of(source->view, source->selection, source->labels, assoc, e);
        unsigned n;
        sctpa_counts_t *counts = sctpa_paths_counts(source->selection, assoc, e, &n);
        for (unsigned path = 0; path < n; path++)
            if (counts[path].packets > 0)
                add_path(&rows, table, path, &counts[path]);
        g_free(counts);
    }
}

/* Every pair of addresses, where a path has more than one. */
static void add_pairs_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    for (unsigned e = 0; e < 2; e++) {
        rows_t rows = rows_of(source->view, source->selection, source->labels, assoc, e);
        for (unsigned i = 0; i < assoc->ends[e].n_pairs; i++) {
            const sctpa_pair_t *pair = assoc->ends[e].pairs[i];
            const sctpa_counts_t *counts = sctpa_selection_pair(source->selection, assoc, e, i);
            if (counts->packets == 0 || path_pair_count(&assoc->ends[e], pair->path) < 2)
                continue;
            sctpa_table_plain(table, e);
            sctpa_table_plain(table, pair->path);
            add_addr(&rows, table, "", pair->source);
            add_addr(&rows, table, "", pair->destination);
            add_counts(&rows, table, counts);
        }
    }
}

const sctpa_window_table_t sctpa_window_table_paths = {
    .name = "paths",
    .title = TITLE,
    SCTPA_COLUMNS(columns),
    .add = add_paths_to_window,
};
const sctpa_window_table_t sctpa_window_table_pairs = {
    .name = "pairs",
    .title = "The same by source address",
    SCTPA_COLUMNS(pair_columns),
    .add = add_pairs_to_window,
};

static void add_end(paths_t *report, const sctpa_assoc_t *assoc, unsigned end)
{
    unsigned n, shown = 0, left = 0;
    sctpa_counts_t *counts = sctpa_paths_counts(report->selection, assoc, end, &n);
    rows_t rows = rows_of(report->view, report->selection, report->labels, assoc, end);

    for (unsigned path = 0; path < n; path++) {
        if (counts[path].packets == 0)
            continue;
        if (shown == PATHS_MAX) {
            left++;
            continue;
        }
        add_path(&rows, report->table, path, &counts[path]);
        add_pairs(&rows, report->table, path);
        shown++;
    }
    if (left > 0) {
        GString *text = g_string_new(NULL);
        sctpa_page_more(text, left, "paths");
        g_string_truncate(text, text->len - 1);
        sctpa_table_line(report->table, text->str);
        g_string_free(text, TRUE);
    }
    g_free(counts);
}

static void add_totals(paths_t *report)
{
    sctpa_table_rule(report->table);
    sctpa_table_text(report->table, "all");
    sctpa_table_skip(report->table, 2);
    sctpa_table_count(report->table, report->packets);
    sctpa_table_count(report->table, report->bytes);
    sctpa_table_count(report->table, report->data);
    sctpa_table_skip(report->table, 0);
}

static uint32_t add_assocs(paths_t *report)
{
    const sctpa_assoc_t *assoc;
    uint32_t number = 0, all = 0;

    while ((assoc = sctpa_selection_next(report->selection, &number))) {
        for (unsigned e = 0; e < 2; e++) {
            const sctpa_counts_t *counts = sctpa_selection_end(report->selection, assoc, e);
            report->packets += counts->packets;
            report->bytes += counts->wire_bytes;
            report->data += sctpa_counts_data_chunks(counts);
        }
        if (all++ >= ASSOCS_MAX)
            continue;
        sctpa_labels_add_line(report->labels, assoc, report->table);
        add_end(report, assoc, 0);
        add_end(report, assoc, 1);
        path_data_add(report->data_tables, report->selection, assoc, PATHS_MAX);
        concurrent_add(report->concurrent, report->view, report->labels, assoc, PATHS_MAX);
        handovers_add(report->handovers, report->view, report->labels, assoc);
        failovers_add(report->failovers, report->view, report->labels, assoc);
        outages_add(report->outages, report->view, report->labels, assoc);
    }
    return all;
}

void sctpa_report_paths(const sctpa_view_t *view, GString *out)
{
    sctpa_selection_t *selection = sctpa_selection_new(view);
    paths_t report = { .view = view,
                       .selection = selection,
                       .labels = sctpa_labels_new(view),
                       .table = sctpa_table_new(columns, G_N_ELEMENTS(columns)) };
    report.data_tables = path_data_new(report.labels);
    report.concurrent = concurrent_new();
    report.handovers = handovers_new();
    report.failovers = failovers_new();
    report.outages = outages_new();
    uint32_t all = add_assocs(&report);

    add_totals(&report);
    sctpa_page_begin(view, "SCTP paths", out);
    sctpa_page_section(out, TITLE);
    sctpa_table_write(report.table, out);
    sctpa_page_more(out, all > ASSOCS_MAX ? all - ASSOCS_MAX : 0, "associations");
    path_data_write(report.data_tables, out);
    concurrent_write(report.concurrent, out);
    handovers_write(report.handovers, out);
    failovers_write(report.failovers, out);
    outages_write(report.outages, out);
    sctpa_labels_write(report.labels, out);
    sctpa_table_free(report.table);
    path_data_free(report.data_tables);
    sctpa_table_free(report.concurrent);
    sctpa_table_free(report.handovers);
    sctpa_table_free(report.failovers);
    sctpa_table_free(report.outages);
    sctpa_labels_free(report.labels);
    sctpa_selection_free(selection);
}
