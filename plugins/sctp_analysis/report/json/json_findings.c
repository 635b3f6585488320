/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the model found, in JSON: findings and verdicts of an association, which rules were checked at each endpoint,
 * which rules need what. */
#include "json.h"

#include <stddef.h>
#include <string.h>

#include "../text/finding_words.h"
#include "../findings_filter.h"

typedef struct {
    const sctpa_assoc_t *assoc;
    const sctpa_finding_t *finding;
    uint32_t count;
} finding_t;

/* Rules of an endpoint, in their order. */
typedef struct {
    uint16_t rules[SCTPA_RULES];
    size_t n;
} rule_list_t;

/* What was judged at an endpoint. */
typedef struct {
    const sctpa_json_end_t *of;
    const rule_list_t *checked, *undecided;
    const sctpa_rule_occasions_t *of_rules;
    uint64_t checked_set, undecided_set;
    uint32_t uncounted;
} judged_t;

#define SCTPA_OBJECTS "../rows/finding_objects.def"
#include "declared_objects.h"

static const sctpa_rule_info_t *info(const finding_t *row)
{
    return sctpa_rule_info(row->finding->rule);
}

static void write_frames(json_dumper *json, const sctpa_view_t *view, const finding_t *row)
{
    for (unsigned i = 0; i < row->finding->n_packets; i++)
        json_dumper_value_anyf(json, "%u", sctpa_packet_frame(view->sctpa, row->finding->packets[i]));
}

/* What of the user's assertions the finding rests on. */
static void write_rests_on(json_dumper *json, const sctpa_view_t *view, const finding_t *row)
{
    (void)view;
    for (unsigned bit = 0; bit < SCTPA_ASSERTED_BITS; bit++)
        if (row->finding->rests_on >> bit & 1)
            sctpa_json_text(json, NULL, sctpa_asserted_word(bit));
}

static char *fingerprint(const finding_t *row)
{
    GString *text = g_string_new(NULL);
    sctpa_finding_fingerprint(row->assoc, row->finding, text);
    return g_string_free(text, FALSE);
}

void sctpa_json_finding(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc,
                        const sctpa_finding_t *finding, uint32_t count)
{
    object_finding(json, view, NULL, &(finding_t){ assoc, finding, count });
}

void sctpa_json_needs(json_dumper *json, const sctpa_view_t *view, const uint32_t *needs)
{
    (void)view;
    for (unsigned bit = 0; bit < SCTPA_NEEDS; bit++)
        if (*needs >> bit & 1)
            sctpa_json_text(json, NULL, sctpa_need_word(bit));
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

static rule_list_t list_rules(const sctpa_t *sctpa, uint32_t assoc, uint8_t end,
                              bool (*has)(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_rule_t rule))
{
    rule_list_t list = { .n = 0 };
    for (unsigned rule = 0; rule < SCTPA_RULES; rule++)
        if (has(sctpa, assoc, end, (sctpa_rule_t)rule))
            list.rules[list.n++] = (uint16_t)rule;
    return list;
}

static uint64_t set_number(sctpa_json_sets_t *sets, const rule_list_t *list)
{
    GBytes *set = g_bytes_new(list->rules, list->n * sizeof *list->rules);
    uintptr_t number = (uintptr_t)g_hash_table_lookup(sets->numbers, set);
    if (number == 0) {
        g_ptr_array_add(sets->sets, g_bytes_ref(set));
        number = sets->sets->len;
        g_hash_table_insert(sets->numbers, g_ptr_array_index(sets->sets, number - 1), (gpointer)number);
    }
    g_bytes_unref(set);
    return number - 1;
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

static void write_unreported_frames(json_dumper *json, const sctpa_view_t *view, const sctpa_unlisted_t *row)
{
    for (unsigned i = 0; i < row->n_packets; i++)
        json_dumper_value_anyf(json, "%u", sctpa_packet_frame(view->sctpa, row->packets[i]));
}

static void write_occasions(json_dumper *json, const sctpa_view_t *view, const char *name, const judged_t *row)
{
    (void)view;
    write_counts(json, name, row->checked, row->of_rules, offsetof(sctpa_rule_occasions_t, judged));
}

static void write_undecided(json_dumper *json, const sctpa_view_t *view, const char *name, const judged_t *row)
{
    (void)view;
    write_counts(json, name, row->undecided, row->of_rules, offsetof(sctpa_rule_occasions_t, refused));
}

/* Needs that undecided rules lacked, each with how often. */
static void write_lacking(json_dumper *json, const sctpa_view_t *view, const char *name, const judged_t *row)
{
    bool has_lacked[SCTPA_NEEDS] = { false };
    (void)view;
    for (size_t i = 0; i < row->undecided->n; i++)
        for (unsigned bit = 0; bit < SCTPA_NEEDS; bit++)
            has_lacked[bit] |= row->of_rules[row->undecided->rules[i]].lacked[bit] > 0;
    sctpa_json_begin_object(json, name);
    for (unsigned bit = 0; bit < SCTPA_NEEDS; bit++)
        if (has_lacked[bit])
            write_counts(json, sctpa_need_word(bit), row->undecided, row->of_rules,
                         offsetof(sctpa_rule_occasions_t, lacked) + bit * sizeof row->of_rules->lacked[0]);
    json_dumper_end_object(json);
}

static void write_unreported(json_dumper *json, const sctpa_view_t *view, const judged_t *row)
{
    const uint32_t assoc = row->of->assoc->assoc->number;
    const uint8_t end = (uint8_t)row->of->end;
    const sctpa_unlisted_t *each = NULL;
    while ((each = sctpa_unlisted(view->sctpa, assoc, end, each)))
        object_unreported(json, view, NULL, each);
}

#define SCTPA_COUNTS_SCHEMA "\"type\":\"array\",\"items\":{\"type\":\"integer\",\"minimum\":0}"

void sctpa_json_rules(json_dumper *json, const sctpa_view_t *view, const char *name, const sctpa_json_end_t *of)
{
    const uint32_t assoc = of->assoc->assoc->number;
    const uint8_t end = (uint8_t)of->end;
    sctpa_rule_occasions_t of_rules[SCTPA_RULES];
    const uint32_t uncounted = sctpa_occasions(view->sctpa, assoc, end, of_rules);
    const rule_list_t checked = list_rules(view->sctpa, assoc, end, sctpa_has_judged);
    const rule_list_t undecided = list_rules(view->sctpa, assoc, end, sctpa_has_refused);
    judged_t row = { of, &checked, &undecided, of_rules, 0, 0, uncounted };
    row.checked_set = set_number(of->assoc->sets, &checked);
    row.undecided_set = set_number(of->assoc->sets, &undecided);
    object_rules(json, view, name, &row);
}

void sctpa_json_rule_sets(json_dumper *json, const sctpa_view_t *view, const char *name, const sctpa_json_sets_t *sets)
{
    (void)view;
    sctpa_json_begin_array(json, name);
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

void sctpa_json_findings(json_dumper *json, const sctpa_view_t *view, const sctpa_json_assoc_t *of)
{
    const sctpa_findings_filter_t *filter = sctpa_selection_findings(of->selection);
    for (const sctpa_finding_t *f = sctpa_findings_filter_first(filter, of->assoc); f;
         f = sctpa_findings_filter_next(filter, of->assoc, f))
        sctpa_json_finding(json, view, of->assoc, f, sctpa_findings_filter_count(filter, f));
}

void sctpa_json_rules_by_need(json_dumper *json, const sctpa_view_t *view, const char *name, const void *none)
{
    (void)view;
    (void)none;
    sctpa_json_begin_object(json, name);
    for (unsigned bit = 0; bit < SCTPA_NEEDS; bit++) {
        sctpa_json_begin_array(json, sctpa_need_word(bit));
        for (unsigned rule = 0; rule < SCTPA_RULES; rule++)
            if (sctpa_rule_info((sctpa_rule_t)rule)->needs >> bit & 1)
                sctpa_json_text(json, NULL, sctpa_rule_info((sctpa_rule_t)rule)->id);
        json_dumper_end_array(json);
    }
    json_dumper_end_object(json);
}

#define SCTPA_OBJECTS "../rows/finding_objects.def"
#include "objects.h"
