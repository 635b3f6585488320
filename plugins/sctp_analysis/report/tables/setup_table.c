/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,setup: every attempt to set up an association: how far it came, who stopped it and why, how long it took;
 * and what those that were completed agreed on. */
#include <string.h>

#include "../reports.h"
#include "../text/outcome_text.h"
#include "../text/page.h"
#include "../text/protocol_names.h"
#include "../text/table.h"
#include "../text/text.h"
#include "../triage/outcome_groups.h"

enum { NEGOTIATED_ROWS_MAX = 50, INDENT = 6 };

static const sctpa_column_t columns[] = {
    { "#", .align = SCTPA_RIGHT },          { "alike", .align = SCTPA_RIGHT },
    { "out 0", .align = SCTPA_RIGHT },      { "out 1", .align = SCTPA_RIGHT },
    { "a_rwnd 0 B", .align = SCTPA_RIGHT }, { "a_rwnd 1 B", .align = SCTPA_RIGHT },
    { "addrs 0/1", .align = SCTPA_RIGHT },  { "cookie B", .align = SCTPA_RIGHT },
};

/* Of ends 0 and 1; all zero where INIT or INIT ACK of that end was not captured. */
typedef struct {
    uint64_t chunks[2], params[2];
    uint32_t a_rwnd_bytes[2], streams[2], addrs[2], cookie_bytes;
} terms_t;

typedef struct {
    terms_t terms;
    uint32_t first, count;
} row_t;

/* What INIT and INIT ACK of completed set-ups agreed on. */
typedef struct {
    GArray *rows; /* row_t */
    uint32_t left_out;
} negotiated_t;

static negotiated_t *negotiated_new(void)
{
    negotiated_t *negotiated = g_new0(negotiated_t, 1);
    negotiated->rows = g_array_new(FALSE, FALSE, sizeof(row_t));
    return negotiated;
}

static void negotiated_free(negotiated_t *negotiated)
{
    g_array_free(negotiated->rows, TRUE);
    g_free(negotiated);
}

static void read_terms(terms_t *terms, const sctpa_assoc_t *assoc)
{
    memset(terms, 0, sizeof *terms);
    for (unsigned e = 0; e < 2; e++) {
        const sctpa_init_t *init = &assoc->ends[e].init, *peer = &assoc->ends[!e].init;
        if (!init->seen)
            continue;
        terms->chunks[e] = sctpa_extension_chunks(init->supported_chunks);
        terms->params[e] = sctpa_extension_params(init->params);
        terms->a_rwnd_bytes[e] = init->a_rwnd_bytes;
        terms->addrs[e] = MAX(sctpa_end_listed_addrs_count(&assoc->ends[e]), 1);
        terms->cookie_bytes = MAX(terms->cookie_bytes, init->cookie_bytes);
        /* What it asked for, at most what its peer takes (RFC 9260 5.1.1). */
        terms->streams[e] = peer->seen ? MIN(init->outbound_streams, peer->inbound_streams) : 0;
    }
}

/* Adds an association. O(its addresses); memory: bounded, at most 50 rows, later ones are only counted. */
static void negotiated_add(negotiated_t *negotiated, const sctpa_assoc_t *assoc)
{
    row_t row = { .first = assoc->number, .count = 1 };
    read_terms(&row.terms, assoc);
    for (unsigned i = 0; i < negotiated->rows->len; i++) {
        row_t *known = &g_array_index(negotiated->rows, row_t, i);
        if (memcmp(&known->terms, &row.terms, sizeof row.terms) == 0) {
            known->count++;
            return;
        }
    }
    if (negotiated->rows->len < NEGOTIATED_ROWS_MAX)
        g_array_append_val(negotiated->rows, row);
    else
        negotiated->left_out++;
}

static void append_word(void *user, const char *word)
{
    GString *text = user;
    g_string_append_printf(text, "%s%s", text->str[text->len - 1] == ' ' ? "" : ", ", word);
}

static void add_words(sctpa_table_t *table, const char *label, uint64_t chunks, uint64_t params)
{
    GString *text = g_string_new(label);
    gsize length = text->len;
    sctpa_extensions_each(chunks, params, append_word, text);
    if (text->len > length)
        sctpa_table_sentence(table, INDENT, text->str);
    g_string_free(text, TRUE);
}

/* Nothing that a completed set-up announced is zero. */
static void add_known(sctpa_table_t *table, uint32_t count)
{
    if (count)
        sctpa_table_count(table, count);
    else
        sctpa_table_text(table, "-");
}

static void add_addrs(sctpa_table_t *table, const uint32_t addrs[2])
{
    GString *text = g_string_new(NULL);
    for (unsigned e = 0; e < 2; e++) {
        if (addrs[e])
            g_string_append_printf(text, "%u", addrs[e]);
        else
            g_string_append_c(text, '-');
        g_string_append(text, e == 0 ? "/" : "");
    }
    sctpa_table_take(table, text);
}

static void negotiated_add_row(sctpa_table_t *table, const row_t *row)
{
    const terms_t *terms = &row->terms;

    sctpa_table_plain(table, row->first);
    sctpa_table_count(table, row->count);
    for (unsigned e = 0; e < 2; e++)
        add_known(table, terms->streams[e]);
    for (unsigned e = 0; e < 2; e++)
        add_known(table, terms->a_rwnd_bytes[e]);
    add_addrs(table, terms->addrs);
    add_known(table, terms->cookie_bytes);
    add_words(table, "both: ", terms->chunks[0] & terms->chunks[1], terms->params[0] & terms->params[1]);
    add_words(table, "only 0: ", terms->chunks[0] & ~terms->chunks[1], terms->params[0] & ~terms->params[1]);
    add_words(table, "only 1: ", terms->chunks[1] & ~terms->chunks[0], terms->params[1] & ~terms->params[0]);
}

/* Appends the section: per row the numbers, then the extensions that both or one announced. */
static void negotiated_write(const negotiated_t *negotiated, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(columns, G_N_ELEMENTS(columns));

    for (unsigned i = 0; i < negotiated->rows->len; i++)
        negotiated_add_row(table, &g_array_index(negotiated->rows, row_t, i));
    sctpa_page_section(out, "Negotiated (out 0, out 1: streams that endpoint 0, 1 may send on)");
    sctpa_table_write(table, out);
    sctpa_page_more(out, negotiated->left_out, "");
    sctpa_table_free(table);
}

enum { ROWS_MAX = 50 };

/* Outcomes of an attempt, the worst first. UNKNOWN: the capture has only part of it. */
typedef enum { REFUSED, NO_ANSWER, FAILED, ABORTED, PENDING, UNKNOWN, COMPLETE, OUTCOMES } outcome_t;

static const char *const outcome_words[OUTCOMES] = {
    "refused", "no answer", "failed", "aborted", "not finished when the capture ended", "partly captured", "complete",
};

static const sctpa_column_t outcome_columns[] = {
    { "outcome", .align = SCTPA_LEFT },
    { "attempts", .align = SCTPA_RIGHT },
    { "%", .align = SCTPA_RIGHT },
};
static const sctpa_column_t complete_columns[] = {
    { "#", .align = SCTPA_RIGHT },
    { "endpoint 0", SCTPA_LEFT, .least_columns = 12 },
    { "endpoint 1", SCTPA_LEFT, .least_columns = 12 },
    { "frame", .align = SCTPA_RIGHT },
    { "start s", SCTPA_RIGHT, .least_columns = 6 },
    { "INITs", .align = SCTPA_RIGHT },
};
static const sctpa_column_t time_columns[] = {
    { "#", .align = SCTPA_RIGHT },
    { "to INIT_ACK ms", SCTPA_RIGHT, .least_columns = 6 },
    { "to COOKIE_ECHO ms", SCTPA_RIGHT, .least_columns = 6 },
    { "to COOKIE_ACK ms", SCTPA_RIGHT, .least_columns = 6 },
    { "total ms", SCTPA_RIGHT, .least_columns = 6 },
};

/* A completed attempt: from its first INIT to its first COOKIE_ACK. */
typedef struct {
    int64_t total_ns;
    const sctpa_assoc_t *assoc;
} completed_t;

typedef struct {
    const sctpa_view_t *view;
    sctpa_labels_t *labels;
    sctpa_outcome_groups_t *stopped;
    sctpa_table_t *complete, *times;
    negotiated_t *negotiated;
    uint32_t counts[OUTCOMES], all;
    GArray *completed; /* completed_t */
} setup_t;

static bool has_user_data(const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    sctpa_counts_copy_t sent[2];
    for (unsigned e = 0; e < 2; e++)
        sctpa_end_counts(view->sctpa, assoc, e, &sent[e]);
    return sctpa_counts_data_chunks(&sent[0].counts) + sctpa_counts_data_chunks(&sent[1].counts) > 0;
}

static outcome_t outcome_of(const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    const sctpa_setup_t *setup = &assoc->setup;
    sctpa_assoc_end_t end = sctpa_view_outcome(view, assoc).end;
    if (sctpa_assoc_setup_seen(assoc) == SCTPA_SETUP_COMPLETE)
        return COMPLETE;
    if (end == SCTPA_ASSOC_REFUSED)
        return REFUSED;
    if (end == SCTPA_ASSOC_NO_ANSWER)
        return NO_ANSWER;
    if (end == SCTPA_ASSOC_FAILED)
        return FAILED;
    if (setup->steps[SCTPA_STEP_INIT].count == 0 || setup->steps[SCTPA_STEP_COOKIE_ACK].count > 0 ||
        has_user_data(view, assoc))
        return UNKNOWN;
    return end == SCTPA_ASSOC_ABORT ? ABORTED : end == SCTPA_ASSOC_OPEN ? PENDING : UNKNOWN;
}

static void add_end(setup_t *report, const sctpa_end_t *end)
{
    GString *text = g_string_new(NULL);
    sctpa_labels_end(report->labels, end, text);
    sctpa_table_take(report->complete, text);
}

/* From the first packet of one step to the first of the next. */
static void add_step(setup_t *report, const sctpa_assoc_t *assoc, sctpa_step_t to)
{
    const sctpa_setup_t *setup = sctpa_assoc_setup(assoc);
    if (setup->steps[to - 1].count == 0 || setup->steps[to].count == 0)
        sctpa_table_text(report->times, "-");
    else
        sctpa_view_ms(report->view, report->times, true, setup->steps[to].first_ns - setup->steps[to - 1].first_ns);
}

static void add_row(setup_t *report, const completed_t *completed)
{
    const sctpa_assoc_t *assoc = completed->assoc;
    const sctpa_setup_t *setup = sctpa_assoc_setup(assoc);

    sctpa_table_plain(report->complete, assoc->number);
    add_end(report, &assoc->ends[0]);
    add_end(report, &assoc->ends[1]);
    sctpa_table_plain(report->complete, setup->steps[SCTPA_STEP_INIT].first_frame);
    sctpa_table_seconds(report->complete, sctpa_view_since_start(report->view, setup->steps[SCTPA_STEP_INIT].first_ns));
    sctpa_table_count(report->complete, setup->steps[SCTPA_STEP_INIT].count);
    sctpa_table_plain(report->times, assoc->number);
    for (sctpa_step_t to = SCTPA_STEP_INIT_ACK; to < SCTPA_STEPS; to++)
        add_step(report, assoc, to);
    sctpa_view_ms(report->view, report->times, true, completed->total_ns);
}

/* The slowest first, then in order of number. */
static int compare_completed(gconstpointer a, gconstpointer b)
{
    const completed_t *x = a, *y = b;
    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    return x->assoc->number < y->assoc->number ? -1 : 1;
}

static void add_attempts(setup_t *report)
{
    sctpa_selection_t *selection = sctpa_selection_new(report->view);
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;

    while ((assoc = sctpa_selection_next(selection, &number))) {
        if (sctpa_setup_last_step(assoc) < 0)
            continue;
        outcome_t outcome = outcome_of(report->view, assoc);
        report->all++;
        report->counts[outcome]++;
        if (outcome == COMPLETE) {
            completed_t completed = { sctpa_assoc_setup_ns(assoc), assoc };
            g_array_append_val(report->completed, completed);
            negotiated_add(report->negotiated, assoc);
        } else {
            sctpa_outcome_groups_add(report->stopped, assoc);
        }
    }
    g_array_sort(report->completed, compare_completed);
    sctpa_selection_free(selection);
}

static void write_outcomes(const setup_t *report, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(outcome_columns, G_N_ELEMENTS(outcome_columns));
    for (unsigned i = 0; i < OUTCOMES; i++) {
        if (report->counts[i] == 0)
            continue;
        sctpa_table_text(table, outcome_words[i]);
        sctpa_table_count(table, report->counts[i]);
        sctpa_table_share(table, report->counts[i], report->all);
    }
    sctpa_table_rule(table);
    sctpa_table_text(table, "total");
    sctpa_table_count(table, report->all);
    sctpa_table_skip(table, 0);
    sctpa_page_section(out, "Outcomes of the attempts");
    sctpa_table_write(table, out);
    sctpa_table_free(table);
}

static void append_ms(const sctpa_view_t *view, GString *text, const char *word, int64_t ns)
{
    g_string_append(text, word);
    if (!sctpa_view_tells(view, ns)) {
        g_string_append_c(text, '-');
        return;
    }
    sctpa_text_ms(text, ns);
    g_string_append(text, " ms");
}

/* Minimum, median (nearest rank) and maximum from the first INIT to the first COOKIE_ACK. */
static void write_times(const setup_t *report, GString *out)
{
    GString *text = g_string_new(NULL);
    unsigned n = report->completed->len;

    if (n > 0) {
        append_ms(report->view, text, "min ", g_array_index(report->completed, completed_t, n - 1).total_ns);
        append_ms(report->view, text, ", median ", g_array_index(report->completed, completed_t, n / 2).total_ns);
        append_ms(report->view, text, ", max ", g_array_index(report->completed, completed_t, 0).total_ns);
        g_string_append(out, "\n");
        sctpa_page_sentence(out, "Set-up time:", 13, text->str);
    }
    g_string_free(text, TRUE);
}

static void write_attempts(setup_t *report, GString *out)
{
    unsigned n = report->completed->len, shown = MIN(n, ROWS_MAX);

    if (sctpa_outcome_groups_associations(report->stopped) > 0) {
        sctpa_page_section(out, "Not completed or not wholly captured (alike: attempts; at: last step seen)");
        sctpa_outcome_groups_write(report->stopped, report->labels, ROWS_MAX, out);
    }
    for (unsigned i = 0; i < shown; i++)
        add_row(report, &g_array_index(report->completed, completed_t, i));
    if (n > 0) {
        sctpa_page_section(out, "Completed, the slowest first");
        sctpa_table_write(report->complete, out);
        sctpa_page_more(out, n - shown, "");
        sctpa_page_section(out, "Their times, each since the step before");
        sctpa_table_write(report->times, out);
        sctpa_page_more(out, n - shown, "");
        negotiated_write(report->negotiated, out);
    }
    sctpa_labels_write(report->labels, out);
}

void sctpa_report_setup(const sctpa_view_t *view, GString *out)
{
    setup_t report = { .view = view,
                       .labels = sctpa_labels_new(view),
                       .stopped = sctpa_outcome_groups_new(view),
                       .complete = sctpa_table_new(complete_columns, G_N_ELEMENTS(complete_columns)),
                       .times = sctpa_table_new(time_columns, G_N_ELEMENTS(time_columns)),
                       .negotiated = negotiated_new(),
                       .completed = g_array_new(FALSE, FALSE, sizeof(completed_t)) };

    add_attempts(&report);
    sctpa_page_begin(view, "SCTP set-ups", out);
    write_outcomes(&report, out);
    write_times(&report, out);
    write_attempts(&report, out);
    g_array_free(report.completed, TRUE);
    negotiated_free(report.negotiated);
    sctpa_table_free(report.complete);
    sctpa_table_free(report.times);
    sctpa_outcome_groups_free(report.stopped);
    sctpa_labels_free(report.labels);
}
