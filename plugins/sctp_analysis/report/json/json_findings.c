/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the model found, in JSON: findings and verdicts of an association, which rules were checked at each endpoint,
 * which rules need what. */
#include "json.h"

#include <stddef.h>
#include <string.h>

#include "../finding_fingerprint.h"
#include "../findings_filter.h"

static void write_frames(json_dumper *json, const sctpa_view_t *view, const sctpa_finding_t *finding)
{
    sctpa_json_begin_array(json, "frames");
    for (unsigned i = 0; i < finding->n_packets; i++)
        json_dumper_value_anyf(json, "%u", sctpa_packet_frame(view->sctpa, finding->packets[i]));
    json_dumper_end_array(json);
}

/* What of the user's assertions the finding rests on. */
static void write_rests_on(json_dumper *json, uint32_t rests_on)
{
    sctpa_json_begin_array(json, "rests_on");
    for (unsigned bit = 0; bit < SCTPA_ASSERTED_BITS; bit++)
        if (rests_on >> bit & 1)
            sctpa_json_text(json, NULL, sctpa_asserted_word(bit));
    json_dumper_end_array(json);
}

static void write_fingerprint(json_dumper *json, const sctpa_assoc_t *assoc, const sctpa_finding_t *finding)
{
    GString *fingerprint = g_string_new(NULL);
    sctpa_finding_fingerprint(assoc, finding, fingerprint);
    sctpa_json_text(json, "fingerprint", fingerprint->str);
    g_string_free(fingerprint, TRUE);
}

void sctpa_json_finding(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc,
                        const sctpa_finding_t *finding, uint32_t count)
{
    const sctpa_rule_info_t *info = sctpa_rule_info(finding->rule);
    json_dumper_begin_object(json);
    sctpa_json_text(json, "rule", info->id);
    write_fingerprint(json, assoc, finding);
    sctpa_json_text(json, "title", info->title);
    sctpa_json_text(json, "level", sctpa_level_word(finding->level));
    sctpa_json_text(json, "certainty", sctpa_certainty_word(finding->certainty));
    sctpa_json_text(json, "clause", info->clause);
    sctpa_json_count(json, "accused", finding->accused);
    sctpa_json_known(json, "path", finding->path != SCTPA_NO_PATH, finding->path);
    sctpa_json_count(json, "count", count);
    sctpa_json_count(json, "violating_packets", finding->violating_packets);
    write_frames(json, view, finding);
    sctpa_json_seconds(json, "time_s", sctpa_view_since_start(view, finding->time_ns));
    sctpa_json_text(json, "expected", finding->expected);
    sctpa_json_text(json, "seen", finding->seen);
    write_rests_on(json, finding->rests_on);
    json_dumper_set_member_name(json, "predates_rfc");
    json_dumper_value_anyf(json, sctpa_predates_rfc(view->sctpa, finding->rule) ? "true" : "false");
    json_dumper_end_object(json);
}

static void write_needs(json_dumper *json, const char *name, uint32_t needs)
{
    sctpa_json_begin_array(json, name);
    for (unsigned bit = 0; bit < SCTPA_NEEDS; bit++)
        if (needs >> bit & 1)
            sctpa_json_text(json, NULL, sctpa_need_word(bit));
    json_dumper_end_array(json);
}

void sctpa_json_stack(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end)
{
    sctpa_stack_t stack = sctpa_stack(view->sctpa, assoc->number, (uint8_t)end);
    GString *evidence = g_string_new(NULL);
    if (!stack.name) {
        sctpa_json_null(json, "stack");
    } else {
        sctpa_findings_filter_marks(view, &stack, evidence);
        sctpa_json_begin_object(json, "stack");
        sctpa_json_text(json, "name", stack.name);
        sctpa_json_text(json, "evidence", evidence->str);
        json_dumper_end_object(json);
    }
    g_string_free(evidence, TRUE);
}

/* Sets of rules that were written, each once: rule numbers, 16 bits each, in order -> 1 + number of the set. */
struct sctpa_json_sets {
    GHashTable *numbers;
    GPtrArray *sets; /* GBytes */
};

sctpa_json_sets_t *sctpa_json_sets_new(void)
{
    sctpa_json_sets_t *sets = g_new0(sctpa_json_sets_t, 1);
    sets->numbers = g_hash_table_new(g_bytes_hash, g_bytes_equal);
    sets->sets = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    return sets;
}

void sctpa_json_sets_free(sctpa_json_sets_t *sets)
{
    g_hash_table_unref(sets->numbers);
    g_ptr_array_unref(sets->sets);
    g_free(sets);
}

/* Rules of an endpoint, in their order. */
typedef struct {
    uint16_t rules[SCTPA_RULES];
    size_t n;
} rule_list_t;

static rule_list_t list_rules(const sctpa_t *sctpa, uint32_t assoc, uint8_t end,
                              bool (*has)(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_rule_t rule))
{
    rule_list_t list = { .n = 0 };
    for (unsigned rule = 0; rule < SCTPA_RULES; rule++)
        if (has(sctpa, assoc, end, (sctpa_rule_t)rule))
            list.rules[list.n++] = (uint16_t)rule;
    return list;
}

static void write_set(json_dumper *json, const char *name, sctpa_json_sets_t *sets, const rule_list_t *list)
{
    GBytes *set = g_bytes_new(list->rules, list->n * sizeof *list->rules);
    uintptr_t number = (uintptr_t)g_hash_table_lookup(sets->numbers, set);
    if (number == 0) {
        g_ptr_array_add(sets->sets, g_bytes_ref(set));
        number = sets->sets->len;
        g_hash_table_insert(sets->numbers, g_ptr_array_index(sets->sets, number - 1), (gpointer)number);
    }
    sctpa_json_count(json, name, number - 1);
    g_bytes_unref(set);
}

/* Of each rule of a list, in its order: the count at this place of its occasions. On one line: there are hundreds. */
static void write_counts(json_dumper *json, const char *name, const rule_list_t *list,
                         const sctpa_rule_occasions_t *of_rules, size_t place)
{
    GString *counts = g_string_new("[");
    for (size_t i = 0; i < list->n; i++) {
        uint32_t count;
        memcpy(&count, (const char *)&of_rules[list->rules[i]] + place, sizeof count);
        g_string_append_printf(counts, i > 0 ? ",%u" : "%u", count);
    }
    json_dumper_set_member_name(json, name);
    json_dumper_value_anyf(json, "%s]", counts->str);
    g_string_free(counts, TRUE);
}

/* Needs that undecided rules lacked, each with how often. */
static void write_lacking(json_dumper *json, const rule_list_t *undecided, const sctpa_rule_occasions_t *of_rules)
{
    bool has_lacked[SCTPA_NEEDS] = { false };
    for (size_t i = 0; i < undecided->n; i++)
        for (unsigned bit = 0; bit < SCTPA_NEEDS; bit++)
            has_lacked[bit] |= of_rules[undecided->rules[i]].lacked[bit] > 0;
    sctpa_json_begin_object(json, "lacking");
    for (unsigned bit = 0; bit < SCTPA_NEEDS; bit++)
        if (has_lacked[bit])
            write_counts(json, sctpa_need_word(bit), undecided, of_rules,
                         offsetof(sctpa_rule_occasions_t, lacked) + bit * sizeof of_rules->lacked[0]);
    json_dumper_end_object(json);
}

void sctpa_json_judgement(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, uint8_t end,
                          const sctpa_judgement_t *judgement, sctpa_json_sets_t *sets)
{
    sctpa_rule_occasions_t of_rules[SCTPA_RULES];
    const uint32_t uncounted = sctpa_occasions(view->sctpa, assoc->number, end, of_rules);
    const rule_list_t checked = list_rules(view->sctpa, assoc->number, end, sctpa_has_judged);
    const rule_list_t undecided = list_rules(view->sctpa, assoc->number, end, sctpa_has_refused);
    sctpa_json_text(json, "verdict", sctpa_verdict_word(judgement->verdict));
    sctpa_json_count(json, "checked_rules", judgement->judged);
    sctpa_json_count(json, "undecided_rules", judgement->refused);
    sctpa_json_begin_object(json, "rules");
    write_set(json, "checked", sets, &checked);
    write_set(json, "undecided", sets, &undecided);
    write_counts(json, "occasions", &checked, of_rules, offsetof(sctpa_rule_occasions_t, judged));
    write_counts(json, "undecided_occasions", &undecided, of_rules, offsetof(sctpa_rule_occasions_t, refused));
    write_lacking(json, &undecided, of_rules);
    sctpa_json_count(json, "uncounted_packets", uncounted);
    json_dumper_end_object(json);
}

void sctpa_json_rule_sets(json_dumper *json, const sctpa_json_sets_t *sets)
{
    sctpa_json_begin_array(json, "rule_sets");
    for (unsigned i = 0; i < sets->sets->len; i++) {
        gsize bytes;
        const uint16_t *rules = g_bytes_get_data(g_ptr_array_index(sets->sets, i), &bytes);
        json_dumper_begin_array(json);
        for (size_t n = 0; n < bytes / sizeof *rules; n++)
            sctpa_json_text(json, NULL, sctpa_rule_info((sctpa_rule_t)rules[n])->id);
        json_dumper_end_array(json);
        sctpa_json_offer(json);
    }
    json_dumper_end_array(json);
}

void sctpa_json_findings(json_dumper *json, const sctpa_view_t *view, const sctpa_selection_t *selection,
                         const sctpa_assoc_t *assoc, uint32_t missing)
{
    const sctpa_findings_filter_t *findings_filter = sctpa_selection_findings(selection);
    sctpa_json_begin_array(json, "findings");
    for (const sctpa_finding_t *f = sctpa_findings_filter_first(findings_filter, assoc); f;
         f = sctpa_findings_filter_next(findings_filter, assoc, f))
        sctpa_json_finding(json, view, assoc, f, sctpa_findings_filter_count(findings_filter, f));
    json_dumper_end_array(json);
    write_needs(json, "missing_needs", missing);
}

void sctpa_json_rules(json_dumper *json)
{
    sctpa_json_begin_object(json, "rules_by_need");
    for (unsigned bit = 0; bit < SCTPA_NEEDS; bit++) {
        sctpa_json_begin_array(json, sctpa_need_word(bit));
        for (unsigned rule = 0; rule < SCTPA_RULES; rule++)
            if (sctpa_rule_info((sctpa_rule_t)rule)->needs >> bit & 1)
                sctpa_json_text(json, NULL, sctpa_rule_info((sctpa_rule_t)rule)->id);
        json_dumper_end_array(json);
    }
    json_dumper_end_object(json);
}
