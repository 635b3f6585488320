/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the row of a rule, which its chapter defines; words of the fields of rows; dates of the revisions of the
 * protocol. Extensions have none: who sends one follows a draft of it at least. */
#include "rule.h"

#include "base/time.h"

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
