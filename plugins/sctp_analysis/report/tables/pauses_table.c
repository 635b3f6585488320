/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,pauses: when directions had something to do and made no progress, why, and which frames show it. */
#include "../reports.h"

#include "../rows/rows.h"
#include "../text/column_meanings.h"
#include "../text/page.h"
#include "../text/pause_text.h"
#include "../text/table.h"
#include "../text/text.h"
#include "../triage/outcome_groups.h"
#include "window_tables.h"

#define SUMS_TITLE "Time lost by direction (longest: without ack progress; idle: nothing to do)"
#define SETUPS_TITLE "Set-ups that waited for a retransmitted step, the longest first"
#define PAUSES_TITLE "Pauses, the longest first"

enum { ROWS_MAX = 50, LONGEST_MAX = 20, INDENT = 4 };

static const sctpa_column_t sum_columns[] = {
    { "#", .align = SCTPA_RIGHT },      { "data", .align = SCTPA_LEFT },        { "pauses", .align = SCTPA_RIGHT },
    { "lost s", .align = SCTPA_RIGHT }, { "% time", .align = SCTPA_RIGHT },     { "longest s", .align = SCTPA_RIGHT },
    { "idle s", .align = SCTPA_RIGHT }, { "late ack s", .align = SCTPA_RIGHT },
};
static const sctpa_column_t longest_columns[] = {
    { "lost s", .align = SCTPA_RIGHT }, { "#", .align = SCTPA_RIGHT },     { "data", .align = SCTPA_LEFT },
    { "from s", .align = SCTPA_RIGHT }, { "frame", .align = SCTPA_RIGHT }, { "to frame", .align = SCTPA_RIGHT },
    { "cause", .align = SCTPA_LEFT },
};

static const sctpa_column_t setup_columns[] = {
    { "waited s", .align = SCTPA_RIGHT }, { "#", .align = SCTPA_RIGHT },
    { "from s", .align = SCTPA_RIGHT },   { "frame", .align = SCTPA_RIGHT },
    { "to frame", .align = SCTPA_RIGHT }, { "retransmitted", .align = SCTPA_LEFT },
    { "times", .align = SCTPA_RIGHT },
};

static const sctpa_column_t sum_window_columns[] = {
    { "data", SCTPA_LEFT, .meaning = SCTPA_MEANS_DATA },
    { "pauses", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PAUSES },
    { "lost s", SCTPA_RIGHT, .meaning = SCTPA_MEANS_LOST_S },
    { "% time", SCTPA_RIGHT,
      .meaning = "share of the time in which the endpoint had data to send or to be acknowledged" },
    { "longest s", SCTPA_RIGHT, .meaning = "longest time without ack progress, in seconds" },
    { "idle s", SCTPA_RIGHT, .meaning = "time in which nothing was outstanding and no window was closed, in seconds" },
    { "late ack s", SCTPA_RIGHT, .meaning = "waits for an ack on which nothing waited, in seconds" },
    { "causes", SCTPA_LEFT, .meaning = "how the time in pauses divides" },
};
static void add_until(sctpa_table_t *table, const sctpa_view_t *view, uint32_t packet)
{
    if (packet == SCTPA_NO_PACKET_INDEX)
        sctpa_table_text(table, "never");
    else
        sctpa_table_plain(table, sctpa_packet_frame(view->sctpa, packet));
}

static void add_why(sctpa_table_t *table, const sctpa_view_t *view, const sctpa_pause_row_t *row)
{
    GString *why = g_string_new(NULL);
    sctpa_pause_append_why(why, view, row->labels, row->assoc, row->sender, row->pause);
    sctpa_table_long(table, why->str);
    g_string_free(why, TRUE);
}
#define SCTPA_LOOK_START SCTPA_RIGHT, .holds = SCTPA_HOLDS_MOMENTS
#define SCTPA_CELL_START(is_known, time_ns) sctpa_table_seconds(table, sctpa_view_since_start(view, time_ns))
#define SCTPA_LOOK_UNTIL SCTPA_LOOK_FRAME
#define SCTPA_CELL_UNTIL(is_known, packet) add_until(table, view, packet)
#define SCTPA_LOOK_CAUSE_TEXT SCTPA_LEFT
#define SCTPA_CELL_CAUSE_TEXT(is_known, text) sctpa_table_text(table, text)
#define SCTPA_LOOK_WHY SCTPA_LEFT
#define SCTPA_CELL_WHY(is_known, row) add_why(table, view, row)

#define SCTPA_OBJECTS "../rows/pause_objects.def"
#include "../rows/columns.h"

/* A direction of data; pauses.pauses is NULL. */
typedef struct {
    const sctpa_assoc_t *assoc;
    unsigned sender, n;
    sctpa_pauses_t pauses;
} row_t;

typedef struct {
    const sctpa_assoc_t *assoc;
    unsigned sender;
    sctpa_pause_t pause;
} pause_t;

typedef struct {
    const sctpa_assoc_t *assoc;
    sctpa_setup_wait_t wait;
} setup_wait_t;

typedef struct {
    const sctpa_view_t *view;
    sctpa_labels_t *labels;
    GArray *setups; /* setup_wait_t, the longest first, at most LONGEST_MAX */
    uint64_t n_setups;
    GArray *rows;    /* row_t, the worst first */
    GArray *longest; /* pause_t, the longest first, at most LONGEST_MAX */
    uint64_t n_pauses;
    uint32_t unknown; /* directions with data whose acknowledgements are not captured */
} report_t;

static gint64 paused_ns(gconstpointer row)
{
    return ((const pause_t *)row)->pause.paused_ns;
}

static bool has_data(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned sender)
{
    const sctpa_direction_t *direction = sctpa_direction(view->sctpa, assoc->number, (uint8_t)sender);
    return direction && direction->tsns > 0;
}

/* The pauses of a direction, NULL: it has no data, or they are not known: nobody is seen to acknowledge it, or all
 * packets carry data, so that acknowledgements may be missing. */
static sctpa_pauses_t *pauses_of(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned sender)
{
    return has_data(view, assoc, sender) && !sctpa_assoc_is_data_only(assoc) ? sctpa_view_pauses(view, assoc, sender)
                                                                             : NULL;
}

static void add_direction(report_t *report, const sctpa_assoc_t *assoc, unsigned sender)
{
    sctpa_pauses_t *pauses = pauses_of(report->view, assoc, sender);
    report->unknown += !pauses && has_data(report->view, assoc, sender);
    if (!pauses)
        return;
    row_t row = { assoc, sender, pauses->pauses->len, *pauses };
    row.pauses.pauses = NULL;
    g_array_append_val(report->rows, row);
    for (unsigned i = 0; i < pauses->pauses->len; i++) {
        pause_t found = { assoc, sender, g_array_index(pauses->pauses, sctpa_pause_t, i) };
        sctpa_longest_keep(report->longest, &found, LONGEST_MAX, paused_ns);
        report->n_pauses++;
    }
    sctpa_pauses_free(pauses);
}

static int worst_first(gconstpointer a, gconstpointer b)
{
    const row_t *x = a, *y = b;
    if (x->pauses.paused_ns != y->pauses.paused_ns)
        return x->pauses.paused_ns > y->pauses.paused_ns ? -1 : 1;
    if (x->assoc->number != y->assoc->number)
        return x->assoc->number < y->assoc->number ? -1 : 1;
    return (int)x->sender - (int)y->sender;
}

static void add_name(sctpa_table_t *table, const sctpa_assoc_t *assoc, unsigned sender)
{
    sctpa_table_plain(table, assoc->number);
    sctpa_table_direction(table, sender);
}

static void add_sums(sctpa_table_t *table, unsigned n, const sctpa_pauses_t *pauses)
{
    sctpa_table_count(table, n);
    sctpa_table_seconds(table, pauses->paused_ns);
    sctpa_table_share(table, (uint64_t)pauses->paused_ns, (uint64_t)MAX(pauses->span_ns, pauses->paused_ns));
    sctpa_table_seconds(table, pauses->longest_ns);
    sctpa_table_seconds(table, pauses->idle_ns);
    sctpa_table_seconds(table, pauses->acking_ns);
}

static void write_sums(const report_t *report, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(sum_columns, G_N_ELEMENTS(sum_columns));
    for (unsigned i = 0; i < MIN(report->rows->len, ROWS_MAX); i++) {
        const row_t *row = &g_array_index(report->rows, row_t, i);
        GString *causes = g_string_new(NULL);
        add_name(table, row->assoc, row->sender);
        add_sums(table, row->n, &row->pauses);
        sctpa_pause_append_causes(causes, &row->pauses);
        if (causes->len > 0)
            sctpa_table_sentence(table, INDENT, causes->str);
        g_string_free(causes, TRUE);
    }
    if (report->rows->len > 0)
        sctpa_page_section(out, SUMS_TITLE);
    sctpa_table_write(table, out);
    sctpa_page_more(out, report->rows->len > ROWS_MAX ? report->rows->len - ROWS_MAX : 0, "");
    sctpa_table_free(table);
}

/* When it began, its first and last frame, its cause. */
static void add_pause(const sctpa_view_t *view, sctpa_table_t *table, const sctpa_pause_t *pause)
{
    sctpa_table_seconds(table, sctpa_view_since_start(view, sctpa_packet_time_ns(view->sctpa, pause->since)));
    sctpa_table_plain(table, sctpa_packet_frame(view->sctpa, pause->since));
    add_until(table, view, pause->until);
    sctpa_table_text(table, sctpa_pause_text((sctpa_pause_cause_t)pause->cause));
}

static void write_longest(const report_t *report, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(longest_columns, G_N_ELEMENTS(longest_columns));
    const sctpa_view_t *view = report->view;
    for (unsigned i = 0; i < report->longest->len; i++) {
        const pause_t *found = &g_array_index(report->longest, pause_t, i);
        GString *why = g_string_new(NULL);
        sctpa_table_seconds(table, found->pause.paused_ns);
        add_name(table, found->assoc, found->sender);
        add_pause(view, table, &found->pause);
        sctpa_pause_append_why(why, view, report->labels, found->assoc, found->sender, &found->pause);
        sctpa_table_sentence(table, INDENT, why->str);
        g_string_free(why, TRUE);
    }
    if (report->longest->len > 0)
        sctpa_page_section(out, PAUSES_TITLE);
    sctpa_table_write(table, out);
    sctpa_page_more(out, report->n_pauses - report->longest->len, "");
    sctpa_table_free(table);
}

static gint64 waited_ns(gconstpointer found)
{
    return ((const setup_wait_t *)found)->wait.waited_ns;
}

static void add_setups(report_t *report, const sctpa_assoc_t *assoc)
{
    sctpa_setup_wait_t waits[SCTPA_SETUP_WAITS_MAX];
    unsigned n = sctpa_view_setup_waits(report->view, assoc, waits);
    report->n_setups += n;
    for (unsigned i = 0; i < n; i++) {
        setup_wait_t found = { assoc, waits[i] };
        sctpa_longest_keep(report->setups, &found, LONGEST_MAX, waited_ns);
    }
}

static void write_setups(const report_t *report, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(setup_columns, G_N_ELEMENTS(setup_columns));
    for (unsigned i = 0; i < report->setups->len; i++) {
        const setup_wait_t *found = &g_array_index(report->setups, setup_wait_t, i);
        sctpa_table_seconds(table, found->wait.waited_ns);
        sctpa_table_plain(table, found->assoc->number);
        sctpa_table_seconds(table, sctpa_view_since_start(report->view, found->wait.since_ns));
        sctpa_table_plain(table, found->wait.since_frame);
        if (found->wait.until_frame > 0)
            sctpa_table_plain(table, found->wait.until_frame);
        else
            sctpa_table_text(table, "never");
        sctpa_table_text(table, sctpa_setup_step_word((int)found->wait.step));
        sctpa_table_count(table, found->wait.sent);
    }
    if (report->setups->len > 0)
        sctpa_page_section(out, SETUPS_TITLE);
    sctpa_table_write(table, out);
    sctpa_page_more(out, report->n_setups - report->setups->len, "");
    sctpa_table_free(table);
}

static void add_sums_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    for (unsigned sender = 0; sender < 2; sender++) {
        sctpa_pauses_t *pauses = pauses_of(source->view, assoc, sender);
        if (!pauses)
            continue;
        GString *causes = g_string_new(NULL);
        sctpa_table_direction(table, sender);
        add_sums(table, pauses->pauses->len, pauses);
        sctpa_pause_append_causes(causes, pauses);
        sctpa_table_take(table, causes);
        sctpa_pauses_free(pauses);
    }
}

static void add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    for (unsigned sender = 0; sender < 2; sender++) {
        sctpa_pauses_t *pauses = pauses_of(source->view, assoc, sender);
        for (unsigned i = 0; pauses && i < pauses->pauses->len; i++) {
            const sctpa_pause_row_t row = { assoc, source->labels, sender,
                                            &g_array_index(pauses->pauses, sctpa_pause_t, i) };
            cells_pause(table, source->view, &row);
        }
        sctpa_pauses_free(pauses);
    }
}

const sctpa_window_table_t sctpa_window_table_pause_sums = {
    .name = "pause_sums",
    .title = SUMS_TITLE,
    SCTPA_COLUMNS(sum_window_columns),
    .add = add_sums_to_window,
    .is_whole = true,
};
const sctpa_window_table_t sctpa_window_table_pauses = {
    .name = "pauses",
    .title = "Pauses",
    SCTPA_COLUMNS(columns_pause),
    .add = add_to_window,
    .is_whole = true,
};

static void write_unknown(const report_t *report, GString *out)
{
    GString *text = g_string_new(NULL);
    if (report->unknown == 0) {
        g_string_free(text, TRUE);
        return;
    }
    sctpa_text_quantity(text, report->unknown, "direction", NULL);
    g_string_append(text, " with data left out: the capture does not have the acknowledgements");
    sctpa_page_sentence(out, "", 0, text->str);
    g_string_free(text, TRUE);
}

void sctpa_report_pauses(const sctpa_view_t *view, GString *out)
{
    sctpa_selection_t *selection = sctpa_selection_new(view);
    report_t report = { .view = view,
                        .labels = sctpa_labels_new(view),
                        .setups = g_array_new(FALSE, FALSE, sizeof(setup_wait_t)),
                        .rows = g_array_new(FALSE, FALSE, sizeof(row_t)),
                        .longest = g_array_new(FALSE, FALSE, sizeof(pause_t)) };
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;

    while ((assoc = sctpa_selection_next(selection, &number))) {
        add_setups(&report, assoc);
        for (unsigned sender = 0; sender < 2; sender++)
            add_direction(&report, assoc, sender);
    }
    g_array_sort(report.rows, worst_first);
    sctpa_page_begin(view, "SCTP pauses", out);
    if (report.n_pauses + report.setups->len == 0)
        sctpa_page_section(out, report.unknown > 0 && report.rows->len == 0 ? "Pauses are not known" : "No pauses");
    write_unknown(&report, out);
    write_sums(&report, out);
    write_longest(&report, out);
    write_setups(&report, out);
    sctpa_labels_write(report.labels, out);
    g_array_unref(report.setups);
    g_array_unref(report.rows);
    g_array_unref(report.longest);
    sctpa_labels_free(report.labels);
    sctpa_selection_free(selection);
}
