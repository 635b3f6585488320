/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,findings: which endpoint violated which rule, how sure that is, with the packets that show it; the verdict on
 * each endpoint, and what stayed undecided. */
#include "../reports.h"

#include <string.h>

#include "../findings_filter.h"
#include "../text/column_meanings.h"
#include "../text/outcome_text.h"
#include "../text/address_labels.h"
#include "../text/page.h"
#include "window_tables.h"
#include "../text/text.h"

#define FINDINGS "Findings, in order of their first packet"
#define VERDICTS "Verdicts (undecided: rules that applied but lacked evidence in this capture)"

enum { ROWS_MAX = 50, FRAMES_SHOWN = 8, INDENT = 6, NAME_COLUMNS = 100 };

static const sctpa_column_t finding_columns[] = {
    { "#", .align = SCTPA_RIGHT },        { "endpoint", SCTPA_LEFT, .least_columns = 8 },
    { "rule", .align = SCTPA_LEFT },      { "level", .align = SCTPA_LEFT },
    { "certainty", .align = SCTPA_LEFT }, { "times", .align = SCTPA_RIGHT },
    { "frame", .align = SCTPA_RIGHT },
};
static const sctpa_column_t verdict_columns[] = {
    { "#", SCTPA_RIGHT, .meaning = SCTPA_MEANS_ASSOC },
    { "endpoint", SCTPA_LEFT, 8, .meaning = SCTPA_MEANS_ENDPOINT },
    { "verdict", SCTPA_LEFT,
      .meaning = "deviates, unusual, suspicious, clean or not judged: by the worst that was found of the endpoint" },
    { "MUST", SCTPA_RIGHT, .meaning = "requirements that it violated, proven" },
    { "SHOULD", SCTPA_RIGHT, .meaning = "recommendations that it violated, proven" },
    { "probable", SCTPA_RIGHT, .meaning = "rules that it probably violated" },
    { "notes", SCTPA_RIGHT, .meaning = "notes (heuristic), which do not affect the verdict" },
    { "checked", SCTPA_RIGHT, .meaning = "rules that applied and could be evaluated" },
    { "undecided", SCTPA_RIGHT, .meaning = "rules that applied but lacked evidence in this capture" },
};
static const sctpa_column_t window_columns[SCTPA_FINDING_COLUMNS] = {
    [SCTPA_FINDING_LEVEL] = { "level", SCTPA_LEFT,
                              .meaning = "MUST: a requirement is violated; SHOULD: a recommendation is; heuristic: a "
                                         "note that "
                                         "does not affect the verdict" },
    [SCTPA_FINDING_CERTAINTY] = { "certainty", SCTPA_LEFT,
                                  .meaning = "proven: no conforming endpoint could have produced what was captured; "
                                             "else probable "
                                             "or possible" },
    [SCTPA_FINDING_RULE] = { "rule", SCTPA_LEFT,
                             .meaning = "identifier of the rule, as in rules.md and the filter sctp.analysis.finding" },
    [SCTPA_FINDING_ASSOC] = { "#", SCTPA_RIGHT, .meaning = SCTPA_MEANS_ASSOC },
    [SCTPA_FINDING_END] = { "endpoint", SCTPA_LEFT, .meaning = SCTPA_MEANS_ENDPOINT },
    [SCTPA_FINDING_TIMES] = { "times", SCTPA_RIGHT, .meaning = "how often the endpoint violated the rule" },
    [SCTPA_FINDING_FRAME] = { "frame", SCTPA_RIGHT,
                              .meaning = "number of the packet that completed the first violation; a click selects it",
                              .holds = SCTPA_HOLDS_FRAMES },
    [SCTPA_FINDING_WHAT] = { "what", SCTPA_LEFT, .meaning = "what is wrong, in one sentence" },
    [SCTPA_FINDING_EXPECTED] = { "expected", SCTPA_LEFT, .meaning = "what the clause expects" },
    [SCTPA_FINDING_SEEN] = { "seen", SCTPA_LEFT, .meaning = "what the packets show instead" },
    [SCTPA_FINDING_CLAUSE] = { "clause", SCTPA_LEFT, .meaning = "RFC and section", .is_detail = true },
    [SCTPA_FINDING_QUOTE] = { "the clause says", SCTPA_LEFT, .meaning = "the clause's decisive half sentence",
                              .is_detail = true },
    [SCTPA_FINDING_WHY] = { "why it matters", SCTPA_LEFT, .meaning = "what it leads to", .is_detail = true },
    [SCTPA_FINDING_EVIDENCE] = { "evidence", SCTPA_LEFT, .meaning = "what in the capture proves it",
                                 .is_detail = true },
    [SCTPA_FINDING_DOUBT] = { "possible false positive", SCTPA_LEFT,
                              .meaning = "what would have to be so for the finding to be wrong", .is_detail = true },
    [SCTPA_FINDING_RESTS_ON] = { "rests on what you asserted", SCTPA_LEFT,
                                 .meaning = "assertions without which there would be no finding", .is_detail = true },
    [SCTPA_FINDING_FRAMES] = { "frames of the evidence", SCTPA_LEFT, .meaning = "numbers of the packets that show it",
                               .is_detail = true },
};

typedef struct {
    const sctpa_view_t *view;
    const sctpa_findings_filter_t *findings_filter;
    sctpa_labels_t *labels;
    sctpa_table_t *findings, *verdicts;
    uint64_t findings_left, verdicts_left;
} report_t;

/* Worse levels sort first. */
static void add_level(sctpa_table_t *table, sctpa_level_t level)
{
    sctpa_table_ranked(table, level, sctpa_level_word(level));
}

/* Appends "NAME:FRAME", the file that holds a frame of the capture, without its folder, and which of its frames it is;
 * nothing where no file of these holds it. O(log n). */
static void append_place(const sctpa_capture_file_t *files, uint32_t n, uint32_t frame, GString *out)
{
    uint32_t low = 0;
    uint32_t high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (files[middle].first_frame <= frame)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || frame - files[low - 1].first_frame >= files[low - 1].frames)
        return;
    const sctpa_capture_file_t *file = &files[low - 1];
    const char *slash = strrchr(file->name, G_DIR_SEPARATOR);
    sctpa_text_escape(out, slash != NULL ? slash + 1 : file->name, NAME_COLUMNS);
    g_string_append_printf(out, ":%u", frame - file->first_frame + 1);
}

/* Where the frames of a finding are, of a capture of several files. */
static void append_places(const sctpa_view_t *view, const sctpa_finding_t *finding, GString *text)
{
    for (unsigned i = 0; i < finding->n_packets && i < FRAMES_SHOWN; i++) {
        g_string_append(text, i == 0 ? "in the files: " : ", ");
        append_place(view->files, view->n_files, sctpa_packet_frame(view->sctpa, finding->packets[i]), text);
    }
}

static void add_finding(report_t *report, const sctpa_assoc_t *assoc, const sctpa_finding_t *finding)
{
    const sctpa_rule_info_t *info = sctpa_rule_info(finding->rule);
    sctpa_table_t *table = report->findings;
    GString *text = g_string_new(NULL);
    sctpa_table_plain(table, assoc->number);
    sctpa_labels_endpoint_cell(report->labels, assoc, finding->accused, table);
    sctpa_table_text(table, info->id);
    add_level(table, finding->level);
    sctpa_table_ranked(table, finding->certainty, sctpa_certainty_word(finding->certainty));
    sctpa_table_count(table, sctpa_findings_filter_count(report->findings_filter, finding));
    sctpa_table_plain(table, sctpa_findings_filter_frame(report->view, finding));
    g_string_append_printf(text, "%s: expected %s, saw %s", info->title, finding->expected, finding->seen);
    sctpa_table_sentence(table, INDENT, text->str);
    g_string_assign(text, info->clause);
    if (info->quote[0])
        g_string_append_printf(text, ": \"%s\"", info->quote);
    sctpa_table_sentence(table, INDENT, text->str);
    if (finding->rests_on) {
        g_string_assign(text, "rests on what you asserted: ");
        sctpa_findings_filter_asserted(finding->rests_on, text);
        sctpa_table_sentence(table, INDENT, text->str);
    }
    g_string_truncate(text, 0);
    sctpa_findings_filter_age(report->view, finding->rule, text);
    if (text->len > 0)
        sctpa_table_sentence(table, INDENT, text->str);
    if (finding->n_packets > 1) {
        g_string_assign(text, "frames ");
        sctpa_findings_filter_frames(report->view, finding, FRAMES_SHOWN, text);
        sctpa_table_sentence(table, INDENT, text->str);
    }
    if (report->view->n_files > 0) {
        g_string_truncate(text, 0);
        append_places(report->view, finding, text);
        sctpa_table_sentence(table, INDENT, text->str);
    }
    g_string_free(text, TRUE);
}

static void add_judgement(sctpa_table_t *table, sctpa_labels_t *labels, const sctpa_assoc_t *assoc, unsigned end,
                          const sctpa_judgement_t *judgement)
{
    GString *word = g_string_new(NULL);
    sctpa_table_plain(table, assoc->number);
    sctpa_labels_endpoint_cell(labels, assoc, end, table);
    sctpa_outcome_append_word(word, sctpa_verdict_word(judgement->verdict));
    sctpa_table_take(table, word);
    sctpa_table_count(table, judgement->findings.levels[SCTPA_LEVEL_MUST]);
    sctpa_table_count(table, judgement->findings.levels[SCTPA_LEVEL_SHOULD]);
    sctpa_table_count(table, judgement->findings.unsure[SCTPA_CERTAINTY_PROBABLE]);
    sctpa_table_count(table, judgement->findings.unsure[SCTPA_CERTAINTY_POSSIBLE] +
                                 judgement->findings.levels[SCTPA_LEVEL_HEURISTIC]);
    sctpa_table_count(table, judgement->judged);
    sctpa_table_count(table, judgement->refused);
}

static void add_verdict(report_t *report, const sctpa_assoc_t *assoc, unsigned end)
{
    sctpa_judgement_t judgement = sctpa_judgement(report->view->sctpa, assoc->number, (uint8_t)end);
    sctpa_stack_t stack = sctpa_stack(report->view->sctpa, assoc->number, (uint8_t)end);
    GString *said = g_string_new(NULL);
    add_judgement(report->verdicts, report->labels, assoc, end, &judgement);
    if (stack.name) {
        g_string_printf(said, "looks like %s: ", stack.name);
        sctpa_findings_filter_marks(report->view, &stack, said);
        sctpa_table_sentence(report->verdicts, INDENT, said->str);
        g_string_truncate(said, 0);
    }
    if (judgement.refused > 0 && judgement.missing) {
        g_string_append(said, "undecided for lack of: ");
        sctpa_findings_filter_needs(judgement.missing, said);
        sctpa_table_sentence(report->verdicts, INDENT, said->str);
        g_string_truncate(said, 0);
    }
    if (judgement.too_few > 0) {
        g_string_append_printf(said, "undecided because seen too rarely to be reported: %u", judgement.too_few);
        sctpa_table_sentence(report->verdicts, INDENT, said->str);
    }
    g_string_free(said, TRUE);
}

static void add_assoc(report_t *report, const sctpa_assoc_t *assoc)
{
    for (const sctpa_finding_t *f = sctpa_findings_filter_first(report->findings_filter, assoc); f;
         f = sctpa_findings_filter_next(report->findings_filter, assoc, f)) {
        if (sctpa_table_rows(report->findings) < ROWS_MAX)
            add_finding(report, assoc, f);
        else
            report->findings_left++;
    }
    for (unsigned end = 0; end < 2; end++) {
        if (sctpa_table_rows(report->verdicts) < ROWS_MAX)
            add_verdict(report, assoc, end);
        else
            report->verdicts_left++;
    }
}

static void write_all(const report_t *report, GString *out)
{
    if (sctpa_table_rows(report->findings) == 0)
        sctpa_page_section(out, "No violations found");
    else
        sctpa_page_section(out, FINDINGS);
    sctpa_table_write(report->findings, out);
    sctpa_page_more(out, report->findings_left, "");
    if (sctpa_table_rows(report->verdicts) > 0)
        sctpa_page_section(out, VERDICTS);
    sctpa_table_write(report->verdicts, out);
    sctpa_page_more(out, report->verdicts_left, "");
    sctpa_labels_write(report->labels, out);
}

void sctpa_report_findings(const sctpa_view_t *view, GString *out)
{
    sctpa_selection_t *selection = sctpa_selection_new(view);
    report_t report = { .view = view,
                        .findings_filter = sctpa_selection_findings(selection),
                        .labels = sctpa_labels_new(view),
                        .findings = sctpa_table_new(finding_columns, G_N_ELEMENTS(finding_columns)),
                        .verdicts = sctpa_table_new(verdict_columns, G_N_ELEMENTS(verdict_columns)) };
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;
    sctpa_page_begin(view, "SCTP findings", out);
    while ((assoc = sctpa_selection_next(selection, &number)))
        add_assoc(&report, assoc);
    write_all(&report, out);
    sctpa_labels_free(report.labels);
    sctpa_table_free(report.findings);
    sctpa_table_free(report.verdicts);
    sctpa_selection_free(selection);
}

/* What could make the finding wrong: also that its sender may not have known the RFC. */
static void add_doubt(sctpa_window_table_source_t *source, const sctpa_finding_t *finding, sctpa_table_t *table)
{
    GString *text = g_string_new(sctpa_rule_info(finding->rule)->doubt), *age = g_string_new(NULL);
    sctpa_findings_filter_age(source->view, finding->rule, age);
    if (age->len > 0)
        g_string_append_printf(text, " But %s.", age->str);
    sctpa_table_long(table, text->str);
    g_string_free(age, TRUE);
    g_string_free(text, TRUE);
}

/* What a row says of all its findings. */
typedef struct {
    sctpa_level_t level;
    sctpa_certainty_t certainty; /* of the worst level */
    uint32_t rests_on;
    uint64_t count;
    unsigned assocs;
    bool has_both_ends; /* the endpoint is not the same number in all of them */
    bool has_other_seen;
} findings_sum_t;

static findings_sum_t sum_of(const sctpa_window_table_source_t *source, const sctpa_assoc_finding_t *findings,
                             unsigned n)
{
    const sctpa_findings_filter_t *findings_filter = sctpa_selection_findings(source->selection);
    const sctpa_finding_t *first = findings[0].finding;
    findings_sum_t sum = { .level = first->level, .certainty = first->certainty };
    for (unsigned i = 0; i < n; i++) {
        const sctpa_finding_t *finding = findings[i].finding;
        if (finding->level < sum.level || (finding->level == sum.level && finding->certainty < sum.certainty)) {
            sum.level = finding->level;
            sum.certainty = finding->certainty;
        }
        sum.rests_on |= finding->rests_on;
        sum.count += sctpa_findings_filter_count(findings_filter, finding);
        sum.assocs += i == 0 || findings[i].assoc != findings[i - 1].assoc;
        sum.has_both_ends |= finding->accused != first->accused;
        sum.has_other_seen |= g_strcmp0(finding->seen, first->seen) != 0;
    }
    return sum;
}

/* Number of the association, or of how many; and the endpoint. */
static void add_who(const sctpa_window_table_source_t *source, const sctpa_assoc_finding_t *first,
                    const findings_sum_t *sum, sctpa_table_t *table)
{
    GString *text = g_string_new(NULL);
    if (sum->assocs == 1) {
        sctpa_table_plain(table, first->assoc->number);
    } else {
        g_string_printf(text, "%u associations", sum->assocs);
        sctpa_table_ranked(table, first->assoc->number, text->str);
        g_string_truncate(text, 0);
    }
    if (sum->has_both_ends)
        sctpa_labels_end(source->labels, &first->assoc->ends[first->finding->accused], text);
    else
        sctpa_labels_endpoint(source->labels, first->assoc, first->finding->accused, text);
    sctpa_table_take(table, text);
}

static void add_frames(const sctpa_window_table_source_t *source, const sctpa_assoc_finding_t *findings, unsigned n,
                       sctpa_table_t *table)
{
    GString *text = g_string_new(NULL);
    unsigned frames = 0;
    for (unsigned i = 0; i < n && frames < SCTPA_FINDING_PACKETS; i++) {
        g_string_append(text, i > 0 ? ", " : "");
        sctpa_findings_filter_frames(source->view, findings[i].finding, SCTPA_FINDING_PACKETS - frames, text);
        frames += findings[i].finding->n_packets;
    }
    sctpa_table_long(table, text->str);
    g_string_free(text, TRUE);
}

/* In the order of the columns. Of a level, what is surer is worse, then what happened more often. */
static void add_row(sctpa_window_table_source_t *source, const sctpa_assoc_finding_t *findings, unsigned n,
                    sctpa_table_t *table)
{
    const sctpa_finding_t *first = findings[0].finding;
    const sctpa_rule_info_t *info = sctpa_rule_info(first->rule);
    const findings_sum_t sum = sum_of(source, findings, n);
    GString *text = g_string_new(NULL);
    sctpa_table_ranked(table,
                       (double)(sum.level * SCTPA_CERTAINTIES + sum.certainty) * 4294967296.0 - (double)sum.count,
                       sctpa_level_word(sum.level));
    sctpa_table_ranked(table, sum.certainty, sctpa_certainty_word(sum.certainty));
    sctpa_table_text(table, info->id);
    add_who(source, &findings[0], &sum, table);
    sctpa_table_count(table, sum.count);
    sctpa_table_plain(table, sctpa_findings_filter_frame(source->view, first));
    sctpa_table_long(table, info->title);
    sctpa_table_long(table, first->expected);
    g_string_printf(text, sum.has_other_seen ? "first: %s" : "%s", first->seen ? first->seen : "");
    sctpa_table_long(table, text->str);
    sctpa_table_text(table, info->clause);
    sctpa_table_long(table, info->quote);
    sctpa_table_long(table, info->why);
    sctpa_table_long(table, info->evidence);
    add_doubt(source, first, table);
    g_string_truncate(text, 0);
    sctpa_findings_filter_asserted(sum.rests_on, text);
    sctpa_table_long(table, text->str);
    add_frames(source, findings, n, table);
    g_string_free(text, TRUE);
}

sctpa_table_t *sctpa_window_table_make_findings(sctpa_window_table_source_t *source,
                                                const sctpa_assoc_finding_t *findings, unsigned n)
{
    sctpa_table_t *table = sctpa_table_new(window_columns, SCTPA_FINDING_COLUMNS);
    add_row(source, findings, n, table);
    return table;
}

static void add_findings_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc,
                                   sctpa_table_t *table)
{
    const sctpa_findings_filter_t *findings_filter = sctpa_selection_findings(source->selection);
    for (const sctpa_finding_t *f = sctpa_findings_filter_first(findings_filter, assoc); f;
         f = sctpa_findings_filter_next(findings_filter, assoc, f)) {
        const sctpa_assoc_finding_t one = { assoc, f };
        add_row(source, &one, 1, table);
    }
}

static void add_verdicts_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc,
                                   sctpa_table_t *table)
{
    for (unsigned end = 0; end < 2; end++) {
        sctpa_judgement_t judgement = sctpa_judgement(source->view->sctpa, assoc->number, (uint8_t)end);
        add_judgement(table, source->labels, assoc, end, &judgement);
    }
}

const sctpa_window_table_t sctpa_window_table_findings = {
    .name = "findings",
    .title = "Findings",
    SCTPA_COLUMNS(window_columns),
    .add = add_findings_to_window,
};
const sctpa_window_table_t sctpa_window_table_verdicts = {
    .name = "verdicts",
    .title = VERDICTS,
    SCTPA_COLUMNS(verdict_columns),
    .add = add_verdicts_to_window,
    .is_whole = true,
};
