/* Expands rules.def and the words of its columns. */
#include "rules.h"

#define MUST SCTPA_LEVEL_MUST
#define SHOULD SCTPA_LEVEL_SHOULD
#define HEURISTIC SCTPA_LEVEL_HEURISTIC
#define NOTHING SCTPA_SEEING_NOTHING
#define COULD SCTPA_SEEING_COULD
#define MUST_HAVE SCTPA_SEEING_MUST
#define WHOLE SCTPA_NEED_WHOLE_PACKET
#define CHECKSUM SCTPA_NEED_CHECKSUM_GOOD
#define SETUP SCTPA_NEED_SETUP_SEEN
#define BOTH SCTPA_NEED_BOTH_DIRECTIONS
#define COMPLETE SCTPA_NEED_COMPLETE
#define NEAR SCTPA_NEED_NEAR
#define RTT SCTPA_NEED_RTT
#define KEY SCTPA_NEED_AUTH_KEY

static const sctpa_rule_info_t infos[] = {
#define SCTPA_RULE(group, number, level, since, seeing, needs, accused, clause, title, quote, why, evidence, doubt) \
    { #group "-" #number, level, since, seeing, needs, accused, clause, title, quote, why, evidence, doubt },
#include "rules.def"
};

const sctpa_rule_info_t *sctpa_rule_info(sctpa_rule_t rule)
{
    return &infos[rule];
}

const char *sctpa_level_word(sctpa_level_t level)
{
    static const char *const words[SCTPA_LEVELS] = { "MUST", "SHOULD", "heuristic" };
    return words[level];
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
                                                    "learned-rtt",     "auth-key" };
    return words[bit];
}
