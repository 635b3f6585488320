/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the model found, in JSON: findings and verdicts of an association, which rules need what. */
#include "json.h"

#include "../findings_filter.h"

static void write_frames(json_dumper *json, const sctpa_view_t *view, const sctpa_finding_t *finding)
{
    sctpa_json_begin_array(json, "frames");
    for (unsigned i = 0; i < finding->n_packets; i++)
        json_dumper_value_anyf(json, "%u", sctpa_packet_frame(view->sctpa, finding->packets[i]));
    json_dumper_end_array(json);
}

static void write_finding(json_dumper *json, const sctpa_view_t *view, const sctpa_finding_t *finding, uint32_t count)
{
    const sctpa_rule_info_t *info = sctpa_rule_info(finding->rule);
    json_dumper_begin_object(json);
    sctpa_json_text(json, "rule", info->id);
    sctpa_json_text(json, "title", info->title);
    sctpa_json_text(json, "level", sctpa_level_word(finding->level));
    sctpa_json_text(json, "clause", info->clause);
    sctpa_json_count(json, "accused", finding->accused);
    sctpa_json_known(json, "path", finding->path != SCTPA_NO_PATH, finding->path);
    sctpa_json_count(json, "count", count);
    write_frames(json, view, finding);
    sctpa_json_seconds(json, "time_s", sctpa_view_since_start(view, finding->time_ns));
    sctpa_json_text(json, "expected", finding->expected);
    sctpa_json_text(json, "seen", finding->seen);
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

void sctpa_json_judgement(json_dumper *json, const sctpa_judgement_t *judgement)
{
    sctpa_json_text(json, "verdict", sctpa_verdict_word(judgement->verdict));
    sctpa_json_count(json, "judged_rules", judgement->judged);
    sctpa_json_count(json, "unjudged_rules", judgement->refused);
}

void sctpa_json_findings(json_dumper *json, const sctpa_view_t *view, const sctpa_selection_t *selection,
                         const sctpa_assoc_t *assoc, uint32_t missing)
{
    const sctpa_findings_filter_t *broken = sctpa_selection_broken(selection);
    sctpa_json_begin_array(json, "findings");
    for (const sctpa_finding_t *f = sctpa_findings_filter_first(broken, assoc); f;
         f = sctpa_findings_filter_next(broken, assoc, f))
        write_finding(json, view, f, sctpa_findings_filter_count(broken, f));
    json_dumper_end_array(json);
    write_needs(json, "not_judged", missing);
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
