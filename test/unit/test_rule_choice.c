/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The choice of rules by level and name. */
#include <glib.h>

#include "model/rule.h"

static bool is_named(const char *text, sctpa_rule_t rule)
{
    sctpa_rule_choice_t choice;
    g_assert_null(sctpa_rule_choice_read(text, &choice));
    return sctpa_rule_bits_has(&choice.named, rule);
}

static unsigned levels(const char *text)
{
    sctpa_rule_choice_t choice;
    g_assert_null(sctpa_rule_choice_read(text, &choice));
    return choice.levels;
}

static void words_choose_levels(void)
{
    g_assert_cmpuint(levels(""), ==, SCTPA_ALL_LEVELS);
    g_assert_cmpuint(levels(NULL), ==, SCTPA_ALL_LEVELS);
    g_assert_cmpuint(levels("all"), ==, SCTPA_ALL_LEVELS);
    g_assert_cmpuint(levels("Must"), ==, 1 << SCTPA_LEVEL_MUST);
    g_assert_cmpuint(levels("should"), ==, 1 << SCTPA_LEVEL_MUST | 1 << SCTPA_LEVEL_SHOULD);
    g_assert_cmpuint(levels("off"), ==, 0);
    g_assert_cmpuint(levels("!CC-*"), ==, SCTPA_ALL_LEVELS);
    g_assert_cmpuint(levels("CC-*"), ==, 0);
}

static void names_choose_rules(void)
{
    g_assert_true(is_named("rx-*", SCTPA_RULE_RX_013));
    g_assert_false(is_named("rx-*", SCTPA_RULE_TM_009));
    g_assert_true(is_named("RX-013, TM-00?", SCTPA_RULE_TM_009));
}

static void a_word_that_names_nothing_is_an_error(void)
{
    static const char *const wrong[] = { "XX-1", "RX-013,RX-0134", "!XX-*", "none", "!" };
    for (unsigned i = 0; i < G_N_ELEMENTS(wrong); i++) {
        sctpa_rule_choice_t choice;
        char *unknown = sctpa_rule_choice_read(wrong[i], &choice);
        g_assert_nonnull(unknown);
        g_assert_cmpuint(choice.levels, ==, SCTPA_ALL_LEVELS);
        g_free(unknown);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/rule_choice/words_choose_levels", words_choose_levels);
    g_test_add_func("/rule_choice/names_choose_rules", names_choose_rules);
    g_test_add_func("/rule_choice/a_word_that_names_nothing_is_an_error", a_word_that_names_nothing_is_an_error);
    return g_test_run();
}
