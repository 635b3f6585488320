/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the occurrences of findings among the selected packets, once for a report. */
#include "findings_filter.h"

struct sctpa_findings_filter {
    const sctpa_view_t *view;
    GHashTable *counts; /* finding -> occurrences selected; NULL: no filter */
};

sctpa_findings_filter_t *sctpa_findings_filter_new(const sctpa_view_t *view, const sctpa_packets_t *selected)
{
    sctpa_findings_filter_t *findings_filter = g_new0(sctpa_findings_filter_t, 1);
    uint32_t n;
    const sctpa_mark_t *marks = sctpa_marks(view->sctpa, &n);
    findings_filter->view = view;
    if (!selected)
        return findings_filter;
    findings_filter->counts = g_hash_table_new(NULL, NULL);
    for (uint32_t i = 0; i < n; i++) {
        gpointer key = (gpointer)(uintptr_t)marks[i].finding;
        if (sctpa_packets_has(selected, marks[i].packet))
            g_hash_table_insert(
                findings_filter->counts, key,
                GUINT_TO_POINTER(GPOINTER_TO_UINT(g_hash_table_lookup(findings_filter->counts, key)) + 1));
    }
    return findings_filter;
}

void sctpa_findings_filter_free(sctpa_findings_filter_t *findings_filter)
{
    if (findings_filter->counts)
        g_hash_table_unref(findings_filter->counts);
    g_free(findings_filter);
}

uint32_t sctpa_findings_filter_count(const sctpa_findings_filter_t *findings_filter, const sctpa_finding_t *finding)
{
    return findings_filter->counts ? GPOINTER_TO_UINT(g_hash_table_lookup(findings_filter->counts, finding))
                                   : finding->count;
}

static const sctpa_finding_t *skip(const sctpa_findings_filter_t *findings_filter, const sctpa_assoc_t *assoc,
                                   const sctpa_finding_t *finding)
{
    while (finding && sctpa_findings_filter_count(findings_filter, finding) == 0)
        finding = sctpa_finding_next(findings_filter->view->sctpa, assoc->number, finding);
    return finding;
}

const sctpa_finding_t *sctpa_findings_filter_first(const sctpa_findings_filter_t *findings_filter,
                                                   const sctpa_assoc_t *assoc)
{
    return skip(findings_filter, assoc, sctpa_finding_first(findings_filter->view->sctpa, assoc->number));
}

const sctpa_finding_t *sctpa_findings_filter_next(const sctpa_findings_filter_t *findings_filter,
                                                  const sctpa_assoc_t *assoc, const sctpa_finding_t *finding)
{
    return skip(findings_filter, assoc, sctpa_finding_next(findings_filter->view->sctpa, assoc->number, finding));
}

sctpa_finding_counts_t sctpa_findings_filter_of(const sctpa_findings_filter_t *findings_filter,
                                                const sctpa_assoc_t *assoc)
{
    sctpa_finding_counts_t counts = { 0 };
    for (const sctpa_finding_t *f = sctpa_findings_filter_first(findings_filter, assoc); f;
         f = sctpa_findings_filter_next(findings_filter, assoc, f))
        sctpa_finding_counts_add(&counts, f);
    return counts;
}

static void add_count(GString *out, size_t begin, uint32_t count, const char *word)
{
    if (count > 0)
        g_string_append_printf(out, "%s%u %s", out->len > begin ? ", " : "", count, word);
}

void sctpa_findings_filter_counts(const sctpa_finding_counts_t *counts, bool notes, GString *out)
{
    const size_t begin = out->len;
    for (unsigned level = 0; level < SCTPA_LEVEL_HEURISTIC; level++)
        add_count(out, begin, counts->levels[level], sctpa_level_word((sctpa_level_t)level));
    for (unsigned certainty = 0; certainty < (notes ? SCTPA_CERTAINTIES : SCTPA_CERTAINTY_POSSIBLE); certainty++)
        add_count(out, begin, counts->unsure[certainty], sctpa_certainty_word((sctpa_certainty_t)certainty));
    if (notes)
        add_count(out, begin, counts->levels[SCTPA_LEVEL_HEURISTIC], sctpa_level_word(SCTPA_LEVEL_HEURISTIC));
}

void sctpa_findings_filter_sum(const sctpa_findings_filter_t *findings_filter, const sctpa_assoc_t *assoc, GString *out)
{
    const sctpa_finding_counts_t counts = sctpa_findings_filter_of(findings_filter, assoc);
    sctpa_findings_filter_counts(&counts, false, out);
}

double sctpa_findings_filter_weight(const sctpa_findings_filter_t *findings_filter, const sctpa_assoc_t *assoc)
{
    const double more_than_all = 2 * SCTPA_RULES + 1;
    const sctpa_finding_counts_t counts = sctpa_findings_filter_of(findings_filter, assoc);
    return (counts.levels[SCTPA_LEVEL_MUST] * more_than_all + counts.levels[SCTPA_LEVEL_SHOULD]) * more_than_all +
           counts.unsure[SCTPA_CERTAINTY_PROBABLE];
}

sctpa_findings_filter_judged_t sctpa_findings_filter_judged(const sctpa_view_t *view,
                                                            const sctpa_selection_t *selection)
{
    sctpa_findings_filter_judged_t all = { 0 };
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;
    while ((assoc = sctpa_selection_next(selection, &number)))
        for (uint8_t end = 0; end < 2; end++) {
            sctpa_judgement_t judgement = sctpa_judgement(view->sctpa, assoc->number, end);
            all.ends++;
            all.ends_judged += judgement.judged > 0;
            all.most = MAX(all.most, judgement.judged);
            all.missing |= judgement.refused > 0 ? judgement.missing : 0;
        }
    return all;
}

GArray *sctpa_findings_filter_occurrences(const sctpa_view_t *view, uint32_t assoc)
{
    GArray *found = g_array_new(FALSE, FALSE, sizeof(sctpa_mark_t));
    GHashTable *ours = g_hash_table_new(NULL, NULL);
    uint32_t n;
    const sctpa_mark_t *marks = sctpa_marks(view->sctpa, &n);
    for (const sctpa_finding_t *f = sctpa_finding_first(view->sctpa, assoc); f;
         f = sctpa_finding_next(view->sctpa, assoc, f))
        g_hash_table_add(ours, (gpointer)(uintptr_t)f);
    for (uint32_t i = 0; i < n && g_hash_table_size(ours) > 0; i++)
        if (g_hash_table_contains(ours, marks[i].finding))
            g_array_append_val(found, marks[i]);
    g_hash_table_unref(ours);
    return found;
}

void sctpa_findings_filter_frames(const sctpa_view_t *view, const sctpa_finding_t *finding, unsigned max, GString *out)
{
    for (unsigned i = 0; i < finding->n_packets && i < max; i++)
        g_string_append_printf(out, "%s%u", i ? ", " : "", sctpa_packet_frame(view->sctpa, finding->packets[i]));
    if (finding->n_packets > max || finding->count > finding->n_packets)
        g_string_append(out, ", ...");
}

typedef const char *word_of_bit_t(unsigned bit);

static void append_words(uint32_t bits, word_of_bit_t *word, GString *out)
{
    const char *comma = "";
    for (unsigned bit = 0; bits >> bit > 0; bit++)
        if (bits >> bit & 1) {
            g_string_append_printf(out, "%s%s", comma, word(bit));
            comma = ", ";
        }
}

void sctpa_findings_filter_needs(uint32_t needs, GString *out)
{
    append_words(needs, sctpa_need_word, out);
}

void sctpa_findings_filter_asserted(uint32_t asserted, GString *out)
{
    append_words(asserted, sctpa_asserted_word, out);
}

void sctpa_findings_filter_marks(const sctpa_view_t *view, const sctpa_stack_t *stack, GString *out)
{
    append_words(stack->marks, sctpa_mark_word, out);
    g_string_append_printf(out, " (frame %u)", sctpa_packet_frame(view->sctpa, stack->packet));
}

void sctpa_findings_filter_age(const sctpa_view_t *view, sctpa_rule_t rule, GString *out)
{
    const sctpa_rfc_t *rfc = sctpa_rfc_of(rule);
    if (sctpa_predates_rfc(view->sctpa, rule))
        g_string_append_printf(out, "the capture is older than RFC %u (%s)", rfc->number, rfc->month);
}
