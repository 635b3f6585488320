/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The troubles of the triage page in its order: can the capture be trusted, is the transport to blame, what failed,
 * what else went wrong. */
#include "summary.h"

#include "../text/outcome_text.h"
#include "../text/text.h"
#include "outcome_groups.h"
#include "triage.h"

enum { FAILED_MAX = 20 };

typedef struct {
    sctpa_triage_trouble_t trouble;
    sctpa_outcome_groups_t *failed;
    sctpa_doubts_t doubts;
    sctpa_summary_visit_fn visit;
    void *user;
} summary_t;

static void say(const summary_t *summary, sctpa_summary_kind_t kind, const char *label, const char *text)
{
    sctpa_summary_line_t line = { kind, label, text, SCTPA_NO_ASSOC, SCTPA_NO_END, { 0, 0 } };
    if (*text != '\0')
        summary->visit(summary->user, &line);
}

static void say_statement(void *user, const char *label, const char *text)
{
    say((const summary_t *)user, SCTPA_SUMMARY_STATEMENT, label, text);
}

static void say_quality(void *user, const char *label, const char *text)
{
    if (label == NULL)
        say(user, SCTPA_SUMMARY_REMARK, NULL, text);
    else if (text != NULL)
        say(user, SCTPA_SUMMARY_STATEMENT, label, text);
    else
        say(user, SCTPA_SUMMARY_HEADING, NULL, SCTPA_QUALITY_DOUBTFUL);
}

static void read_assocs(summary_t *summary, const sctpa_view_t *view, const sctpa_selection_t *selection)
{
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;
    while ((assoc = sctpa_selection_next(selection, &number))) {
        sctpa_doubts_add(&summary->doubts, view, assoc);
        sctpa_trouble_add(&summary->trouble, assoc);
        if (sctpa_outcome_has_failed(view, assoc))
            sctpa_outcome_groups_add(summary->failed, assoc);
    }
}

static void say_more(const summary_t *summary, uint32_t left)
{
    if (left == 0)
        return;
    GString *text = g_string_new("and ");
    sctpa_text_count(text, left, 20);
    g_string_append(text, " more");
    say(summary, SCTPA_SUMMARY_MORE, NULL, text->str);
    g_string_free(text, TRUE);
}

static void say_failed(void *user, const sctpa_assoc_t *first, const char *sentence)
{
    const summary_t *summary = (const summary_t *)user;
    sctpa_summary_line_t line = { SCTPA_SUMMARY_SENTENCE, NULL,         sentence,
                                  first->number,          SCTPA_NO_END, { first->end_frame, 0 } };
    if (line.frames[0] == 0)
        line.frames[0] = first->first_frame;
    summary->visit(summary->user, &line);
}

static void say_failures(summary_t *summary, const sctpa_view_t *view, uint32_t failed)
{
    unsigned kept;
    const uint32_t refused = sctpa_refused_inits_count(view, &kept);
    GString *text = g_string_new(NULL);
    sctpa_trouble_append_failures(&summary->trouble, failed, text);
    say(summary, SCTPA_SUMMARY_HEADING, NULL, text->str);
    sctpa_outcome_groups_each(summary->failed, summary->trouble.labels, FAILED_MAX, say_failed, summary);
    for (unsigned i = 0; i < kept; i++) {
        g_string_truncate(text, 0);
        sctpa_refused_init_append(text, summary->trouble.labels, &sctpa_summary(view->sctpa)->refused[i]);
        say(summary, SCTPA_SUMMARY_REMARK, NULL, text->str);
    }
    say_more(summary, refused - kept);
    g_string_free(text, TRUE);
}

static void say_topic(summary_t *summary, sctpa_paragraphs_kind_t kind)
{
    const uint32_t count = sctpa_paragraphs_count(summary->trouble.topics[kind]);
    GString *text = g_string_new(NULL);
    unsigned n = 0;
    const sctpa_paragraphs_row_t *rows = sctpa_paragraphs_rows(summary->trouble.topics[kind], &n);

    if (count > 0) {
        sctpa_trouble_append_heading(&summary->trouble, kind, text);
        say(summary, SCTPA_SUMMARY_HEADING, NULL, text->str);
    }
    for (unsigned i = 0; i < n; i++) {
        sctpa_summary_line_t line = { SCTPA_SUMMARY_SENTENCE, NULL,        rows[i].sentence->str,
                                      rows[i].assoc->number,  rows[i].end, { rows[i].frames[0], rows[i].frames[1] } };
        summary->visit(summary->user, &line);
    }
    say_more(summary, count - n);
    g_string_free(text, TRUE);
}

void sctpa_summary_each(const sctpa_view_t *view, sctpa_summary_visit_fn visit, void *user)
{
    sctpa_selection_t *selection = sctpa_selection_new(view);
    sctpa_labels_t *labels = sctpa_labels_new_spelled_out(view);
    summary_t summary = { .failed = sctpa_outcome_groups_new(view), .visit = visit, .user = user };
    GString *text = g_string_new(NULL);

    sctpa_trouble_begin(&summary.trouble, view, selection, labels);
    read_assocs(&summary, view, selection);
    const uint32_t failed = sctpa_outcome_groups_associations(summary.failed) + summary.trouble.refused;
    const bool is_doubtful = sctpa_quality_each(view, &summary.doubts, say_quality, &summary);
    sctpa_answer_each(&summary.trouble, failed, is_doubtful, say_statement, &summary);
    sctpa_pauses_explain(&summary.trouble);
    if (failed > 0)
        say_failures(&summary, view, failed);
    for (unsigned kind = 0; kind < SCTPA_TRIAGE_TOPICS; kind++)
        say_topic(&summary, (sctpa_paragraphs_kind_t)kind);
    sctpa_trouble_append_none(&summary.trouble, failed, text);
    if (summary.trouble.assocs > 0)
        say_statement(&summary, "Not found:", text->str);
    g_string_free(text, TRUE);
    sctpa_trouble_end(&summary.trouble);
    sctpa_outcome_groups_free(summary.failed);
    sctpa_labels_free(labels);
    sctpa_selection_free(selection);
}
