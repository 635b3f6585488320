/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,assocs: which associations there are, when they lived, how much they carried. */
#include "../reports.h"

#include "../findings_filter.h"
#include "../text/column_meanings.h"
#include "../text/outcome_text.h"
#include "../text/page.h"
#include "../window_table.h"

enum { ROWS_MAX = 50 };

/* Three tables for a terminal, one table for a window; each begins with the association's number. */
/* clang-format off */
#define NUMBER { "#", SCTPA_RIGHT, .meaning = SCTPA_MEANS_ASSOC }
#define WHO { "endpoint 0", SCTPA_LEFT, 12, .meaning = SCTPA_MEANS_ENDPOINT_0 }, \
    { "endpoint 1", SCTPA_LEFT, 12, .meaning = SCTPA_MEANS_ENDPOINT_1 }, \
    { "tag of 0", SCTPA_LEFT, .meaning = "verification tag that endpoint 0 chose: packets to it carry it" }, \
    { "tag of 1", SCTPA_LEFT, .meaning = "verification tag that endpoint 1 chose: packets to it carry it" }
#define WHEN { "set-up", .align = SCTPA_LEFT }, { "end", .align = SCTPA_LEFT }, { "by", .align = SCTPA_LEFT }, \
    { "first frame", .align = SCTPA_RIGHT }, { "last frame", .align = SCTPA_RIGHT }, \
    { "start s", SCTPA_RIGHT, .least_columns = 6 }, { "duration s", SCTPA_RIGHT, .least_columns = 6 }
#define WHAT { "packets 0→1", SCTPA_RIGHT, .meaning = "IP packets from endpoint 0" }, \
    { "packets 1→0", SCTPA_RIGHT, .meaning = "IP packets from endpoint 1" }, \
    { "bytes 0→1", SCTPA_RIGHT, .meaning = "of the IP packets from endpoint 0, headers included" }, \
    { "bytes 1→0", SCTPA_RIGHT, .meaning = "of the IP packets from endpoint 1, headers included" }
/* clang-format on */

static const sctpa_column_t who_columns[] = { NUMBER, WHO };
static const sctpa_column_t when_columns[] = { NUMBER, WHEN };
static const sctpa_column_t what_columns[] = { NUMBER, WHAT };
static const sctpa_column_t window_columns[] = {
    NUMBER,
    [SCTPA_ASSOCS_OUTCOME] = { "outcome", SCTPA_LEFT,
                               .meaning =
                                   "how the association ended, or that it was still open at the end of the capture" },
    { "retransmitted %", SCTPA_RIGHT,
      .meaning = "share of all transmissions of DATA that were retransmissions, of both endpoints, in percent" },
    { "timeouts", SCTPA_RIGHT,
      .meaning = "times that a retransmission timer (T3-rtx) expired, however many chunks were then retransmitted" },
    { "failed paths", SCTPA_RIGHT, .meaning = "times that new data left a path which had failed" },
    { "closed windows", SCTPA_RIGHT, .meaning = "times that a receiver announced no room for a chunk (a_rwnd)" },
    { "pauses", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PAUSES },
    [SCTPA_ASSOCS_FINDINGS] = { "findings", SCTPA_LEFT, .meaning = "rules that its endpoints violate, by level" },
    { "goodput bit/s", SCTPA_RIGHT,
      .meaning = "user data of the direction that carried more, " SCTPA_MEANS_GOODPUT_COUNTS },
    WHO,
    { "set-up", SCTPA_LEFT, .meaning = "how much of the four-way handshake the capture shows" },
    { "ended by", SCTPA_LEFT, .meaning = "number of the endpoint that ended it" },
    { "first frame", SCTPA_RIGHT, .meaning = "number of the first packet; a click selects it",
      .holds = SCTPA_HOLDS_FRAMES },
    { "last frame", SCTPA_RIGHT, .meaning = "number of the last packet; a click selects it",
      .holds = SCTPA_HOLDS_FRAMES },
    { "start s", SCTPA_RIGHT, 6, .meaning = SCTPA_MEANS_BEGAN_S, .holds = SCTPA_HOLDS_MOMENTS },
    { "duration s", SCTPA_RIGHT, 6, .meaning = "from its first packet to its last, in seconds" },
    WHAT,
};
typedef struct {
    const sctpa_view_t *view;
    const sctpa_selection_t *selection;
    sctpa_labels_t *labels;
    sctpa_table_t *who, *when, *what;
    uint64_t packets[2], bytes[2];
} assocs_t;

static void add_tag(sctpa_table_t *table, const sctpa_end_t *end)
{
    if (end->has_vtag)
        sctpa_table_printf(table, "0x%08x", end->vtag);
    else
        sctpa_table_text(table, "-");
}

static void add_who(sctpa_table_t *table, sctpa_labels_t *labels, const sctpa_assoc_t *assoc)
{
    for (unsigned e = 0; e < 2; e++)
        sctpa_labels_endpoint_cell(labels, assoc, e, table);
    add_tag(table, &assoc->ends[0]);
    add_tag(table, &assoc->ends[1]);
}

static void add_outcome(sctpa_table_t *table, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    GString *end = g_string_new(NULL);
    sctpa_outcome_append_end(end, view, assoc);
    sctpa_table_ranked(table, sctpa_outcome_severity(view, assoc), end->str);
    g_string_free(end, TRUE);
}

static void add_setup(sctpa_table_t *table, const sctpa_assoc_t *assoc)
{
    sctpa_setup_seen_t seen = sctpa_assoc_setup_seen(assoc);
    sctpa_table_ranked(table, seen, sctpa_setup_seen_word(seen));
}

/* Who ended it, frames, start, duration. */
static void add_life(sctpa_table_t *table, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    sctpa_outcome_t outcome = sctpa_view_outcome(view, assoc);
    sctpa_table_text(table, outcome.end_by == 0 ? "0" : outcome.end_by == 1 ? "1" : "-");
    sctpa_table_frame(table, assoc->first_frame);
    sctpa_table_frame(table, outcome.last_frame);
    sctpa_view_moment(view, table, assoc->first_ns);
    sctpa_table_seconds(table, sctpa_assoc_span_ns(view->sctpa, assoc, &outcome));
}

static void add_when(sctpa_table_t *table, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    add_setup(table, assoc);
    add_outcome(table, view, assoc);
    add_life(table, view, assoc);
}

static void add_what(sctpa_table_t *table, const sctpa_selection_t *selection, const sctpa_assoc_t *assoc)
{
    for (unsigned e = 0; e < 2; e++)
        sctpa_table_count(table, sctpa_selection_end(selection, assoc, e)->packets);
    for (unsigned e = 0; e < 2; e++)
        sctpa_table_count(table, sctpa_selection_end(selection, assoc, e)->wire_bytes);
}

static void add_findings_sum(sctpa_table_t *table, const sctpa_findings_filter_t *findings_filter,
                             const sctpa_assoc_t *assoc)
{
    GString *text = g_string_new(NULL);
    sctpa_findings_filter_sum(findings_filter, assoc, text);
    sctpa_table_ranked(table, sctpa_findings_filter_weight(findings_filter, assoc), text->len > 0 ? text->str : "-");
    g_string_free(text, TRUE);
}

/* Of both directions of data together. */
typedef struct {
    uint64_t transmissions, rtx, timeouts, closed, pauses;
    double goodput_bps; /* of the direction that carried more; negative: unknown */
} trouble_t;

static trouble_t trouble_of(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc)
{
    trouble_t trouble = { .goodput_bps = -1 };
    uint64_t most_bytes = 0;
    for (unsigned e = 0; e < 2; e++) {
        const sctpa_direction_t *direction = sctpa_direction(source->view->sctpa, assoc->number, (uint8_t)e);
        if (direction == NULL || direction->tsns == 0)
            continue;
        const sctpa_measure_t *measure = sctpa_window_table_measure(source, assoc, e);
        sctpa_pauses_t *pauses = sctpa_view_pauses(source->view, assoc, e);
        trouble.transmissions += measure->all.transmissions;
        trouble.rtx += sctpa_sent_rtx(&measure->all);
        trouble.timeouts += measure->timeouts;
        trouble.closed += measure->zero_windows;
        trouble.pauses += pauses ? pauses->pauses->len : 0;
        if (measure->all.user_bytes > most_bytes) {
            most_bytes = measure->all.user_bytes;
            trouble.goodput_bps = sctpa_sent_goodput_bps(&measure->all, measure->span_ns);
        }
        sctpa_pauses_free(pauses);
    }
    return trouble;
}

static uint64_t failed_paths(const sctpa_assoc_t *assoc)
{
    uint64_t failed = 0;
    for (unsigned i = 0; i < assoc->n_events; i++)
        failed += assoc->events[i].kind == SCTPA_EVENT_PATH_FAILED;
    return failed;
}

static void add_trouble(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    const trouble_t trouble = trouble_of(source, assoc);
    add_outcome(table, source->view, assoc);
    sctpa_table_share(table, trouble.rtx, trouble.transmissions);
    sctpa_table_count(table, trouble.timeouts);
    sctpa_table_count(table, failed_paths(assoc));
    sctpa_table_count(table, trouble.closed);
    sctpa_table_count(table, trouble.pauses);
    add_findings_sum(table, sctpa_selection_findings(source->selection), assoc);
    sctpa_table_rate(table, trouble.goodput_bps);
}

static void add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    sctpa_table_plain(table, assoc->number);
    add_trouble(source, assoc, table);
    add_who(table, source->labels, assoc);
    add_setup(table, assoc);
    add_life(table, source->view, assoc);
    add_what(table, source->selection, assoc);
}

const sctpa_window_table_t sctpa_window_table_assocs = {
    .name = "associations",
    .title = "Associations",
    SCTPA_COLUMNS(window_columns),
    .add = add_to_window,
};

static void add_totals(assocs_t *report)
{
    sctpa_table_rule(report->what);
    sctpa_table_text(report->what, "total");
    for (unsigned e = 0; e < 2; e++)
        sctpa_table_count(report->what, report->packets[e]);
    for (unsigned e = 0; e < 2; e++)
        sctpa_table_count(report->what, report->bytes[e]);
}

static uint32_t add_rows(assocs_t *report)
{
    const sctpa_assoc_t *assoc;
    uint32_t number = 0, all = 0;

    while ((assoc = sctpa_selection_next(report->selection, &number))) {
        for (unsigned e = 0; e < 2; e++) {
            report->packets[e] += sctpa_selection_end(report->selection, assoc, e)->packets;
            report->bytes[e] += sctpa_selection_end(report->selection, assoc, e)->wire_bytes;
        }
        if (all++ >= ROWS_MAX)
            continue;
        sctpa_table_plain(report->who, assoc->number);
        add_who(report->who, report->labels, assoc);
        sctpa_table_plain(report->when, assoc->number);
        add_when(report->when, report->view, assoc);
        sctpa_table_plain(report->what, assoc->number);
        add_what(report->what, report->selection, assoc);
    }
    return all;
}

void sctpa_report_assocs(const sctpa_view_t *view, GString *out)
{
    sctpa_selection_t *selection = sctpa_selection_new(view);
    assocs_t report = { .view = view,
                        .selection = selection,
                        .labels = sctpa_labels_new(view),
                        .who = sctpa_table_new(who_columns, G_N_ELEMENTS(who_columns)),
                        .when = sctpa_table_new(when_columns, G_N_ELEMENTS(when_columns)),
                        .what = sctpa_table_new(what_columns, G_N_ELEMENTS(what_columns)) };
    uint32_t all = add_rows(&report), left = all > ROWS_MAX ? all - ROWS_MAX : 0;

    add_totals(&report);
    sctpa_page_begin(view, "SCTP associations", out);
    sctpa_page_section(out, "Endpoints");
    sctpa_table_write(report.who, out);
    sctpa_page_more(out, left, "");
    sctpa_labels_write(report.labels, out);
    sctpa_page_section(out, "Life (start in seconds from the first frame of the capture)");
    sctpa_table_write(report.when, out);
    sctpa_page_more(out, left, "");
    sctpa_page_section(out, "Traffic (bytes of IP packets; the total is of all associations)");
    sctpa_table_write(report.what, out);
    sctpa_page_more(out, left, "");
    sctpa_table_free(report.who);
    sctpa_table_free(report.when);
    sctpa_table_free(report.what);
    sctpa_labels_free(report.labels);
    sctpa_selection_free(selection);
}
