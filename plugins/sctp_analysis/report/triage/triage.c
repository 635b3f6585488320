/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,triage: the first look at a capture. Can it be trusted, what failed, what else went wrong and why, then what
 * is in it and the figures. Facts are of whole associations, counters follow the filter. */
#include "../reports.h"

#include "../text/outcome_text.h"
#include "outcome_groups.h"
#include "../text/page.h"
#include "../text/refused_init_text.h"
#include "../text/text.h"
#include "triage.h"
#include "triage_files.h"

enum {
    FAILED_MAX = 20,
    ALIKE_MAX = 3,
    EACH_SHOWN_MAX = 3, /* so few associations are not counted by set-up and outcome: their table says it of each */
    LABEL_COLUMNS = 16,
    REMARK_INDENT = 4,
    NUMBER_COLUMNS = 9
};

typedef struct {
    const sctpa_view_t *view;
    const sctpa_selection_t *selection;
    sctpa_outcome_groups_t *failed;
    sctpa_triage_trouble_t trouble;
    sctpa_worst_t *worst;
    sctpa_same_ports_t *same;
    sctpa_doubts_t doubts;
    uint32_t all, ends[SCTPA_ASSOC_ENDS], setups[SCTPA_SETUP_MISSING + 1], over[SCTPA_OVER_OTHER + 1];
    uint32_t multihomed, collisions;
    uint64_t packets, data_chunks, wire_bytes;
} triage_t;

static void note_counters(triage_t *triage, const sctpa_assoc_t *assoc)
{
    for (unsigned e = 0; e < 2; e++) {
        const sctpa_counts_t *counts = sctpa_selection_end(triage->selection, assoc, e);
        triage->packets += counts->packets;
        triage->data_chunks += sctpa_counts_data_chunks(counts);
        triage->wire_bytes += counts->wire_bytes;
    }
}

/* A few of those that failed alike stand for all, so that a flood does not hide the others. */
static bool is_among_first(uint32_t count)
{
    return count > 0 && count <= ALIKE_MAX;
}

static void read_assocs(triage_t *triage)
{
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;

    while ((assoc = sctpa_selection_next(triage->selection, &number))) {
        triage->all++;
        triage->ends[sctpa_view_outcome(triage->view, assoc).end]++;
        triage->setups[sctpa_assoc_setup_seen(assoc)]++;
        triage->over[assoc->encapsulation]++;
        triage->multihomed += !sctpa_assoc_is_single_homed(assoc);
        triage->collisions += assoc->collision;
        note_counters(triage, assoc);
        sctpa_doubts_add(&triage->doubts, triage->view, assoc);
        sctpa_same_ports_add(triage->same, assoc);
        sctpa_rank_t rank = sctpa_trouble_add(&triage->trouble, assoc);
        if (!sctpa_outcome_has_failed(triage->view, assoc) ||
            is_among_first(sctpa_outcome_groups_add(triage->failed, assoc)))
            sctpa_worst_offer(triage->worst, assoc, rank);
    }
}

/* --- what is in it --- */

static void append_item(GString *text, uint64_t count, const char *word)
{
    if (count == 0)
        return;
    g_string_append(text, text->len ? ", " : "");
    sctpa_outcome_append_word(text, word);
    g_string_append_c(text, ' ');
    sctpa_text_count(text, count, NUMBER_COLUMNS);
}

static void write_time(const triage_t *triage, GString *text)
{
    const sctpa_summary_t *summary = sctpa_summary(triage->view->sctpa);
    int64_t start_ns = triage->view->start_ns ? triage->view->start_ns : summary->first_ns,
            duration_ns = sctpa_view_duration(triage->view), first_ns, last_ns;

    if (!triage->view->start_ns && summary->packets == 0)
        return;
    if (sctpa_span_by_one_clock(triage->view->sctpa, &first_ns, &last_ns)) {
        start_ns = first_ns;
        duration_ns = last_ns - first_ns;
    }
    sctpa_text_duration(text, duration_ns);
    g_string_append(text, " from ");
    sctpa_text_date(text, start_ns);
}

static void write_packets(const triage_t *triage, GString *text)
{
    uint64_t packets = sctpa_summary(triage->view->sctpa)->packets;
    sctpa_text_quantity(text, packets, "SCTP packet", NULL);
    if (triage->view->frames > packets) {
        g_string_append(text, " in a capture of ");
        sctpa_text_quantity(text, triage->view->frames, "frame", NULL);
    }
}

static void write_traffic(const triage_t *triage, GString *text)
{
    sctpa_text_quantity(text, triage->packets, "packet", NULL);
    g_string_append(text, ", ");
    sctpa_text_quantity(text, triage->data_chunks, "DATA chunk", NULL);
    g_string_append(text, ", ");
    sctpa_text_quantity(text, triage->wire_bytes, "byte", NULL);
}

static void write_assoc_kinds(const triage_t *triage, GString *text)
{
    append_item(text, triage->multihomed, "multihomed");
    append_item(text, triage->over[SCTPA_OVER_UDP], "over UDP");
    append_item(text, triage->over[SCTPA_OVER_DTLS], "over DTLS");
    append_item(text, triage->over[SCTPA_OVER_OTHER], "over another layer");
    append_item(text, triage->collisions, "INIT collision");
}

/* In the words in which it is asserted. */
static void write_asserted(const triage_t *triage, GString *text)
{
    const sctpa_assertions_t *assertions = sctpa_asserted(triage->view->sctpa)->assertions;

    g_string_append(text, assertions->complete ? "; complete" : "");
    for (unsigned i = 0; i < assertions->n_taken_at; i++) {
        char *network = sctpa_network_text(&assertions->taken_at[i]);
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "; taken at ", network);
        g_free(network);
    }
    for (unsigned i = 0; i <= assertions->n_endpoints; i++) {
        char *values = sctpa_asserted_values_text(assertions, i);
        if (assertions->values[i].given)
            g_string_append_printf(text, "; %s", values);
        g_free(values);
    }
    g_string_erase(text, 0, MIN(text->len, strlen("; ")));
}

static void write_association_counts(const triage_t *triage, GString *text, GString *out)
{
    sctpa_text_count(text, triage->all, NUMBER_COLUMNS);
    g_string_append(text, ", with ");
    write_traffic(triage, text);
    sctpa_page_sentence(out, "  associations", LABEL_COLUMNS, text->str);
    g_string_truncate(text, 0);
    for (unsigned seen = 0; seen <= SCTPA_SETUP_MISSING; seen++)
        append_item(text, triage->setups[seen], sctpa_setup_seen_word(seen));
    sctpa_page_sentence(out, "  set-up", LABEL_COLUMNS, text->str);
    g_string_truncate(text, 0);
    for (unsigned end = 0; end < SCTPA_ASSOC_ENDS; end++)
        append_item(text, triage->ends[end], sctpa_assoc_end_word(end));
    sctpa_page_sentence(out, "  outcome", LABEL_COLUMNS, text->str);
    g_string_truncate(text, 0);
}

static void name_end_frame(void *user, const sctpa_assoc_t *first, const char *sentence)
{
    (void)sentence;
    if (first->end_frame > 0)
        g_array_append_val((GArray *)user, first->end_frame);
}

/* Of the worst that the page has named; to be freed. */
static GArray *named_frames(triage_t *triage)
{
    GArray *frames = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (unsigned kind = 0; kind < SCTPA_TRIAGE_TOPICS; kind++) {
        unsigned n;
        const sctpa_paragraphs_row_t *rows = sctpa_paragraphs_rows(triage->trouble.topics[kind], &n);
        for (unsigned i = 0; i < n; i++)
            g_array_append_vals(frames, rows[i].frames, G_N_ELEMENTS(rows[i].frames));
    }
    sctpa_outcome_groups_each(triage->failed, triage->trouble.labels, FAILED_MAX, name_end_frame, frames);
    return frames;
}

static void write_contents(triage_t *triage, GString *out)
{
    GString *text = g_string_new(NULL);

    write_packets(triage, text);
    g_string_append(text, text->len > 0 ? ", " : "");
    write_time(triage, text);
    sctpa_page_statement(out, &triage->trouble.statement_end, "Contents:", text->str);
    g_string_truncate(text, 0);
    if (triage->all > EACH_SHOWN_MAX)
        write_association_counts(triage, text, out);
    if (triage->view->messages == NULL && triage->data_chunks > 0)
        sctpa_page_sentence(out, "  messages", LABEL_COLUMNS, "of the application not read (sctp_analysis.messages)");
    if (triage->view->n_files > 0) {
        GArray *frames = named_frames(triage);
        sctpa_files_write(triage->view, frames, LABEL_COLUMNS, out);
        g_array_free(frames, TRUE);
    }
    write_assoc_kinds(triage, text);
    sctpa_page_sentence(out, "  kind", LABEL_COLUMNS, text->str);
    g_string_truncate(text, 0);
    write_asserted(triage, text);
    sctpa_page_sentence(out, "  asserted", LABEL_COLUMNS, text->str);
    g_string_free(text, TRUE);
}

/* --- what failed --- */

/* Set-ups without an association, which fail all the same. */
static void write_refused(const triage_t *triage, GString *out)
{
    unsigned kept;
    const uint32_t refused = sctpa_refused_inits_count(triage->view, &kept);
    for (unsigned i = 0; i < kept; i++) {
        GString *text = g_string_new(NULL);
        sctpa_refused_init_append(text, triage->trouble.labels, &sctpa_summary(triage->view->sctpa)->refused[i]);
        sctpa_page_sentence(out, "  -", REMARK_INDENT, text->str);
        g_string_free(text, TRUE);
    }
    sctpa_page_more(out, refused - kept, "");
}

static void write_failed(triage_t *triage, uint32_t failed, GString *out)
{
    GString *text = g_string_new(NULL);

    sctpa_trouble_append_failures(&triage->trouble, failed, text);
    g_string_append(text, failed > 1 ? " (\"alike\" = similar failures)" : "");
    sctpa_page_section(out, text->str);
    if (sctpa_outcome_groups_associations(triage->failed) > 0)
        sctpa_outcome_groups_write(triage->failed, triage->trouble.labels, FAILED_MAX, out);
    write_refused(triage, out);
    g_string_free(text, TRUE);
}

/* Where statements of the head go. */
typedef struct {
    size_t *end;
    GString *out;
} head_t;

static void write_statement(void *user, const char *label, const char *text)
{
    const head_t *head = user;
    sctpa_page_statement(head->out, head->end, label, text);
}

static void write_quality(void *user, const char *label, const char *text)
{
    const head_t *head = user;
    if (label != NULL && text != NULL)
        write_statement(user, label, text);
    else if (label != NULL)
        sctpa_page_section(head->out, SCTPA_QUALITY_DOUBTFUL);
    else
        sctpa_page_sentence(head->out, "  -", REMARK_INDENT, text);
}

/* The view, with times from the first packet by one clock, where associations were captured by two. */
static sctpa_view_t by_one_clock(const sctpa_view_t *view)
{
    sctpa_view_t one = *view;
    int64_t first_ns, last_ns;
    if (sctpa_span_by_one_clock(view->sctpa, &first_ns, &last_ns))
        one.start_ns = first_ns;
    return one;
}

void sctpa_report_triage(const sctpa_view_t *of, GString *out)
{
    const sctpa_view_t one = by_one_clock(of), *view = &one;
    sctpa_selection_t *selection = sctpa_selection_new(view);
    sctpa_labels_t *labels = sctpa_labels_new(view);
    triage_t triage = {
        .view = view,
        .selection = selection,
        .failed = sctpa_outcome_groups_new(view),
        .worst = sctpa_worst_new(),
        .same = sctpa_same_ports_new(),
    };

    sctpa_trouble_begin(&triage.trouble, view, selection, labels);
    read_assocs(&triage);
    sctpa_told_add_capture(&triage.trouble, &triage.doubts);
    const uint32_t failed = sctpa_outcome_groups_associations(triage.failed) + triage.trouble.refused;
    sctpa_page_begin(view, "SCTP triage", out);
    head_t head = { &triage.trouble.statement_end, out };
    bool is_doubtful = sctpa_quality_each(view, &triage.doubts, write_quality, &head);
    sctpa_answer_each(&triage.trouble, failed, is_doubtful, write_statement, &head);
    if (failed > 0)
        write_failed(&triage, failed, out);
    sctpa_trouble_write(&triage.trouble, failed, out);
    write_contents(&triage, out);
    sctpa_worst_write(triage.worst, &triage.trouble, triage.same, triage.all, out);
    sctpa_labels_write(labels, out);
    sctpa_trouble_end(&triage.trouble);
    sctpa_worst_free(triage.worst);
    sctpa_same_ports_free(triage.same);
    sctpa_outcome_groups_free(triage.failed);
    sctpa_labels_free(labels);
    sctpa_selection_free(selection);
}
