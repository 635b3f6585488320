/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words it as the triage report does. */
#include "finding_sentence.h"

#include "../findings_filter.h"

void sctpa_finding_append(GString *out, const sctpa_view_t *view, const sctpa_finding_t *finding, uint32_t count)
{
    const sctpa_rule_info_t *info = sctpa_rule_info(finding->rule);
    const char *certainty = finding->certainty == SCTPA_CERTAINTY_PROVEN ? "" : "probably ";
    g_string_append_printf(out, "%s %s %sby endpoint %u at frame %u", info->id, sctpa_level_word(finding->level),
                           certainty, finding->accused, sctpa_findings_filter_frame(view, finding));
    if (count > 1)
        g_string_append_printf(out, " (%u times)", count);
    g_string_append_printf(out, ": %s; expected %s, saw %s (%s)", info->title, finding->expected, finding->seen,
                           info->clause);
    if (finding->rests_on) {
        g_string_append(out, "; rests on what you asserted: ");
        sctpa_findings_filter_asserted(finding->rests_on, out);
    }
    GString *age = g_string_new(NULL);
    sctpa_findings_filter_age(view, finding->rule, age);
    if (age->len > 0)
        g_string_append_printf(out, "; %s", age->str);
    g_string_free(age, TRUE);
}
