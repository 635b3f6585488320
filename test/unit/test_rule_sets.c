/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of rules: the same rules are the same set, however it came to be; sets are bounded. */
#include <glib.h>

#include "model/occasions.h"

static const sctpa_rule_set_t *add(sctpa_rule_sets_t *sets, const sctpa_rule_set_t *set, sctpa_rule_t rule)
{
    sctpa_rule_bits_t more = { 0 };
    sctpa_rule_bits_put(&more, rule);
    return sctpa_rule_sets_add(sets, set, &more);
}

static const sctpa_rule_set_t *set_of(sctpa_rule_sets_t *sets, uint32_t bits)
{
    sctpa_rule_bits_t more = { { bits } };
    return sctpa_rule_sets_add(sets, sets->none, &more);
}

static void the_same_rules_are_the_same_set(void)
{
    sctpa_rule_sets_t sets;
    sctpa_rule_sets_init(&sets);
    const sctpa_rule_set_t *one = add(&sets, add(&sets, sets.none, 7), SCTPA_RULES - 1);
    const sctpa_rule_set_t *other = add(&sets, add(&sets, sets.none, SCTPA_RULES - 1), 7);
    g_assert_true(one == other);
    g_assert_true(add(&sets, one, 7) == one);
    for (unsigned rule = 0; rule < SCTPA_RULES; rule++) {
        g_assert_cmpint(sctpa_rule_set_has(one, rule), ==, rule == 7 || rule == SCTPA_RULES - 1);
        g_assert_false(sctpa_rule_set_has(sets.none, rule));
    }
    sctpa_rule_sets_clear(&sets);
}

static void all_rules_of_another_set(void)
{
    sctpa_rule_sets_t sets;
    sctpa_rule_sets_init(&sets);
    g_assert_true(sctpa_rule_sets_add(&sets, set_of(&sets, 0x0f0f), &set_of(&sets, 0x00ff)->rules) ==
                  set_of(&sets, 0x0fff));
    g_assert_true(sctpa_rule_sets_add(&sets, sets.none, &sets.none->rules) == sets.none);
    sctpa_rule_sets_clear(&sets);
}

static void beyond_the_bound_each_owner_has_its_own(void)
{
    const sctpa_rule_t rule = SCTPA_RULES - 2, next = SCTPA_RULES - 1;
    sctpa_rule_sets_t sets;
    sctpa_rule_sets_init(&sets);
    for (uint32_t bits = 0; bits < SCTPA_RULE_SETS_SHARED; bits++)
        set_of(&sets, bits);
    g_assert_cmpuint(sets.sets.count, ==, SCTPA_RULE_SETS_SHARED);
    const sctpa_rule_set_t *shared = set_of(&sets, 0x0a0a);
    const sctpa_rule_set_t *one = add(&sets, shared, rule);
    const sctpa_rule_set_t *other = add(&sets, shared, rule);
    g_assert_true(one != other);
    g_assert_true(add(&sets, one, next) == one);
    g_assert_true(sctpa_rule_set_has(one, rule) && sctpa_rule_set_has(one, next) && sctpa_rule_set_has(one, 1));
    g_assert_false(sctpa_rule_set_has(other, next));
    g_assert_false(sctpa_rule_set_has(shared, rule));
    g_assert_true(sctpa_rule_sets_add(&sets, other, &one->rules) == other);
    g_assert_true(sctpa_rule_set_has(other, next));
    g_assert_cmpuint(sets.sets.count, ==, SCTPA_RULE_SETS_SHARED + 2);
    g_assert_cmpuint(sctpa_rule_sets_own_bytes(&sets), ==, 2 * sizeof(sctpa_rule_set_t));
    sctpa_rule_sets_remove(&sets, one);
    sctpa_rule_sets_remove(&sets, shared);
    g_assert_true(add(&sets, shared, next) == one);
    sctpa_rule_sets_remove(&sets, one);
    sctpa_rule_sets_remove(&sets, other);
    g_assert_cmpuint(sctpa_rule_sets_own_bytes(&sets), ==, 0);
    sctpa_rule_sets_clear(&sets);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/rule_sets/same", the_same_rules_are_the_same_set);
    g_test_add_func("/rule_sets/all", all_rules_of_another_set);
    g_test_add_func("/rule_sets/bound", beyond_the_bound_each_owner_has_its_own);
    return g_test_run();
}
