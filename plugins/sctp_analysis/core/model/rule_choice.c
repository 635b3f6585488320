/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads which rules the user wants judged. */
#include "rule_choice.h"

#include <glib.h>

enum {
    MUST = 1 << SCTPA_LEVEL_MUST,
    SHOULD = MUST | 1 << SCTPA_LEVEL_SHOULD,
};

typedef struct {
    const char *word;
    unsigned levels;
} level_word_t;

static const level_word_t *level_word(const char *word)
{
    static const level_word_t words[] = {
        { "all", SCTPA_ALL_LEVELS }, { "should", SHOULD }, { "must", MUST }, { "off", 0 }
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(words); i++)
        if (g_ascii_strcasecmp(word, words[i].word) == 0)
            return &words[i];
    return NULL;
}

/* Puts the rules whose ids fit the pattern; false: none. */
static bool put_named(const char *pattern, sctpa_rule_bits_t *bits)
{
    bool found = false;
    char *upper = g_ascii_strup(pattern, -1);
    for (unsigned rule = 0; rule < SCTPA_RULES; rule++)
        if (g_pattern_match_simple(upper, sctpa_rule_info((sctpa_rule_t)rule)->id)) {
            sctpa_rule_bits_put(bits, (sctpa_rule_t)rule);
            found = true;
        }
    g_free(upper);
    return found;
}

static bool read_word(const char *word, sctpa_rule_choice_t *choice, bool *chooses)
{
    const level_word_t *level = level_word(word);
    if (*word == '!')
        return put_named(word + 1, &choice->excluded);
    *chooses = true;
    if (!level)
        return put_named(word, &choice->named);
    choice->levels |= level->levels;
    return true;
}

char *sctpa_rule_choice_read(const char *text, sctpa_rule_choice_t *choice)
{
    const sctpa_rule_choice_t all = { .levels = SCTPA_ALL_LEVELS };
    char **words = g_strsplit_set(text ? text : "", " ,", -1), *unknown = NULL;
    bool chooses = false;
    *choice = (sctpa_rule_choice_t){ .levels = 0 };
    for (char **word = words; *word && !unknown; word++)
        if (**word && !read_word(*word, choice, &chooses))
            unknown = g_strdup(*word);
    if (!chooses)
        choice->levels = SCTPA_ALL_LEVELS;
    if (unknown)
        *choice = all;
    g_strfreev(words);
    return unknown;
}
