/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expert infos sctp.analysis.rule.<id>, one per rule, with the severity of its level. Where a finding may be less sure,
 * there is one more, sctp.analysis.rule.<id>.probable, of the severity below; where a profile or
 * an old capture may lower the level, or a finding be only possible, sctp.analysis.rule.<id>.note. */
#include "rule_experts.h"

#include <epan/expert.h>

static expert_field fields[SCTPA_RULES], probables[SCTPA_RULES], notes[SCTPA_RULES];

static int severity_of(sctpa_level_t level)
{
    static const int severities[SCTPA_LEVELS] = { PI_ERROR, PI_WARN, PI_NOTE };
    return severities[level];
}

/* Fields that no finding can have would cost every start. */
static bool may_be_probable(const sctpa_rule_info_t *info)
{
    return info->level != SCTPA_LEVEL_HEURISTIC &&
           (info->needs & SCTPA_NEED_COMPLETE || info->certainty == SCTPA_CERTAINTY_PROBABLE);
}

static bool may_be_note(const sctpa_rule_info_t *info)
{
    return info->level != SCTPA_LEVEL_HEURISTIC &&
           (sctpa_revision_asks(info) || info->certainty == SCTPA_CERTAINTY_POSSIBLE);
}

static void add_info(GArray *infos, expert_field *field, const sctpa_rule_info_t *info, const char *suffix,
                     int severity)
{
    char *id = g_ascii_strdown(info->id, -1);
    ei_register_info row = { field,
                             { .name = g_strconcat("sctp.analysis.rule.", id, suffix, NULL),
                               .group = PI_PROTOCOL,
                               .severity = severity,
                               .summary = info->title } };
    g_array_append_val(infos, row);
    g_free(id);
}

void sctpa_rule_experts_register(int sctp)
{
    GArray *infos = g_array_new(FALSE, TRUE, sizeof(ei_register_info));
    for (unsigned rule = 0; rule < SCTPA_RULES; rule++) {
        const sctpa_rule_info_t *info = sctpa_rule_info((sctpa_rule_t)rule);
        fields[rule] = probables[rule] = notes[rule] = (expert_field)EI_INIT;
        add_info(infos, &fields[rule], info, "", severity_of(info->level));
        if (may_be_probable(info))
            add_info(infos, &probables[rule], info, ".probable", severity_of(info->level + 1));
        if (may_be_note(info))
            add_info(infos, &notes[rule], info, ".note", PI_NOTE);
    }
    expert_register_field_array(expert_register_protocol(sctp), (ei_register_info *)(void *)infos->data,
                                (int)infos->len);
    g_array_free(infos, FALSE);
}

void sctpa_rule_experts_add(packet_info *pinfo, proto_item *item, const sctpa_finding_t *finding)
{
    const sctpa_rule_info_t *info = sctpa_rule_info(finding->rule);
    const char *saved = pinfo->current_proto;
    expert_field *field = &fields[finding->rule];
    const char *certainty = "";
    if (finding->level != info->level || (finding->certainty == SCTPA_CERTAINTY_POSSIBLE && may_be_note(info))) {
        field = &notes[finding->rule];
    } else if (finding->certainty == SCTPA_CERTAINTY_PROBABLE && may_be_probable(info)) {
        field = &probables[finding->rule];
        certainty = "probably ";
    }
    pinfo->current_proto = "SCTP";
    expert_add_info_format(pinfo, item, field, "%s %sby endpoint %u: %s (%s)", info->id, certainty, finding->accused,
                           info->title, info->clause);
    pinfo->current_proto = saved;
}
