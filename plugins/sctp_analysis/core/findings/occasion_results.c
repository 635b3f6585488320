/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often rules applied at an endpoint, in the light of what the capture showed later. */
#include "engine.h"

/* What had what it needs, as it seemed then, counts as refused where the rule stays undecided. */
static void withhold(const sctpa_judged_t *judged, const sctpa_tracked_t *tracked, uint8_t end, sctpa_rule_t rule,
                     sctpa_rule_occasions_t *of_rule)
{
    for (uint32_t needs = sctpa_judged_withheld_by(judged, tracked, end, rule); needs; needs &= needs - 1)
        of_rule->lacked[__builtin_ctz(needs)] += of_rule->judged;
    of_rule->refused += of_rule->judged;
    of_rule->judged = 0;
}

uint32_t sctpa_model_occasions(const sctpa_model_t *model, const sctpa_tracked_t *tracked, uint8_t end,
                               sctpa_rule_occasions_t *of_rules)
{
    const sctpa_judged_t *judged = sctpa_judged_find(model, tracked);
    memset(of_rules, 0, SCTPA_RULES * sizeof *of_rules);
    if (!judged)
        return 0;
    sctpa_occasions_sum(&model->occasion_kinds, &judged->occasions, end, of_rules);
    for (unsigned rule = 0; rule < SCTPA_RULES; rule++) {
        if (sctpa_rule_bits_has(&model->off, (sctpa_rule_t)rule))
            of_rules[rule] = (sctpa_rule_occasions_t){ .judged = 0 };
        else if (of_rules[rule].judged > 0 && !sctpa_model_has_judged(model, tracked, end, (sctpa_rule_t)rule))
            withhold(judged, tracked, end, (sctpa_rule_t)rule, &of_rules[rule]);
    }
    return judged->occasions.uncounted;
}
