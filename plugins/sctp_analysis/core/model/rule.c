/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the row of a rule, which its chapter defines; words of the fields of rows; dates of the revisions of the
 * protocol; reads which rules the user wants judged. Extensions have no dates: who sends one
 * follows a draft of it at least. */
#include "rule.h"

#include <glib.h>

#include "base/numbers.h"

/* When a revision of the protocol was published: the end of its month. 0: it is none. */
static int64_t published_s(uint32_t rfc)
{
    static const struct {
        uint32_t rfc;
        int64_t published_s;
    } revisions[] = { { 3309, 1033430400 }, { 4960, 1191196800 }, { 9260, 1656633600 } };
    for (unsigned i = 0; i < G_N_ELEMENTS(revisions); i++)
        if (revisions[i].rfc == rfc)
            return revisions[i].published_s;
    return 0;
}

bool sctpa_revision_is_newer(const sctpa_rule_info_t *info, int64_t time_ns)
{
    static const int64_t first_rfc_s = 970358400; /* October 2000 */
    return time_ns >= first_rfc_s * SCTPA_NS_PER_S && time_ns < published_s(info->since) * SCTPA_NS_PER_S;
}

bool sctpa_revision_asks(const sctpa_rule_info_t *info)
{
    return published_s(info->since) > 0;
}

#define SCTPA_RULE(group, number, ...) \
    extern const sctpa_rule_info_t sctpa_row_##group##_##number __attribute__((visibility("hidden")));
#include "rules.def"

static const sctpa_rule_info_t *const infos[] = {
#define SCTPA_RULE(group, number, ...) &sctpa_row_##group##_##number,
#include "rules.def"
};

const sctpa_rule_info_t *sctpa_rule_info(sctpa_rule_t rule)
{
    return infos[rule];
}

const sctpa_rfc_t *sctpa_rfc_of(sctpa_rule_t rule)
{
    static const sctpa_rfc_t rfcs[] = {
#define SCTPA_RFC(number, month, published_s) { number, month, published_s },
#include "rfcs.def"
    };
    const sctpa_rfc_t *rfc = rfcs;
    while (rfc->number != infos[rule]->since)
        rfc++;
    return rfc;
}

const char *sctpa_level_word(sctpa_level_t level)
{
    static const char *const words[SCTPA_LEVELS] = { "MUST", "SHOULD", "heuristic" };
    return words[level];
}

const char *sctpa_certainty_word(sctpa_certainty_t certainty)
{
    static const char *const words[SCTPA_CERTAINTIES] = { "proven", "probable", "possible" };
    return words[certainty];
}

const char *sctpa_seeing_word(sctpa_seeing_t seeing)
{
    static const char *const words[SCTPA_SEEINGS] = { "nothing", "could have seen", "must have seen" };
    return words[seeing];
}

const char *sctpa_need_word(unsigned bit)
{
    static const char *const words[SCTPA_NEEDS] = { "whole-packet",    "checksum-good",   "setup-seen",
                                                    "both-directions", "no-capture-loss", "near",
                                                    "learned-rtt",     "auth-key",        "untranslated" };
    return words[bit];
}

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
