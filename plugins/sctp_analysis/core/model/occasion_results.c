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

/* The next of the rules, which is taken out; SCTPA_RULES: there is none left. */
static sctpa_rule_t take_next(sctpa_rule_bits_t *rules)
{
    for (unsigned word = 0; word < SCTPA_RULE_WORDS; word++) {
        const uint64_t left = rules->words[word];
        rules->words[word] &= left - 1;
        if (left)
            return (sctpa_rule_t)(64 * word + (unsigned)__builtin_ctzll(left));
    }
    return SCTPA_RULES;
}

static sctpa_rule_bits_t rules_with_occasions(const sctpa_judged_t *judged, uint8_t end)
{
    sctpa_rule_bits_t rules = judged->judged[end]->rules;
    for (unsigned word = 0; word < SCTPA_RULE_WORDS; word++)
        rules.words[word] |= judged->refused[end]->rules.words[word];
    return rules;
}

uint32_t sctpa_model_occasions(const sctpa_model_t *model, const sctpa_tracked_t *tracked, uint8_t end,
                               sctpa_rule_occasions_t *of_rules)
{
    const sctpa_judged_t *judged = sctpa_judged_find(model, tracked);
    sctpa_rule_t rule;
    if (!judged)
        return 0;
    const sctpa_rule_bits_t rules = rules_with_occasions(judged, end);
    for (sctpa_rule_bits_t left = rules; (rule = take_next(&left)) < SCTPA_RULES;)
        of_rules[rule] = (sctpa_rule_occasions_t){ .judged = 0 };
    sctpa_occasions_sum(&model->occasion_kinds, &judged->occasions, end, &rules, of_rules);
    for (sctpa_rule_bits_t left = rules; (rule = take_next(&left)) < SCTPA_RULES;)
        if (of_rules[rule].judged > 0 && !sctpa_model_has_judged(model, tracked, end, rule))
            withhold(judged, tracked, end, rule, &of_rules[rule]);
    return judged->occasions.uncounted;
}
