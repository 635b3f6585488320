/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the model found: results, read only. */
#ifndef SCTPA_MODEL_FINDING_H
#define SCTPA_MODEL_FINDING_H

#include "rule.h"

enum { SCTPA_FINDING_PACKETS = 32 };

/* An occurrence of a violation: the packet since which nothing may be missing for it to be one
 * (SCTPA_NO_PACKET_INDEX: whatever is missing), the packet that completed it, and whose packets may not be missing:
 * SCTPA_BY_ bits. */
typedef struct {
    uint32_t since, completed;
    uint8_t by;
} sctpa_occurrence_t;

/* Occurrences that no packet known to be missing explains: the first ones, the last of them for all later ones, unless
 * it is one whatever is missing. */
enum { SCTPA_OCCURRENCES_HELD = 3 };
typedef struct {
    sctpa_occurrence_t of[SCTPA_OCCURRENCES_HELD];
    uint8_t n;
} sctpa_occurrences_t;

/* One rule that one endpoint of one association violated, however often. */
typedef struct sctpa_finding {
    sctpa_rule_t rule;
    sctpa_level_t level; /* of the rule, lowered to a note where only a newer RFC asks for it: than the packet, or
                          * than most endpoints follow (sctpa_profile_t) */
    sctpa_certainty_t certainty; /* of the surest occurrence */
    uint32_t rests_on;           /* SCTPA_ASSERTED_ bits: without these it would be less sure, or no finding */
    uint8_t accused;             /* endpoint */
    bool is_early;     /* it happened more seldom than its rule says, and is reported because of what is asserted */
    uint8_t n_packets; /* evidence kept, at most SCTPA_FINDING_PACKETS */
    uint16_t path;     /* of the accused, SCTPA_NO_PATH: the rule is not about one; of the first occurrence */
    uint32_t count;
    uint32_t violating_packets;              /* that completed occurrences: one may complete several */
    uint32_t newest;                         /* of these */
    uint32_t last_mark;                      /* 1 + place of its newest mark, 0 none */
    uint32_t packets[SCTPA_FINDING_PACKETS]; /* indices: those concerned, the one that completes an occurrence last */
    uint32_t completed;                      /* packet that completed the first occurrence */
    sctpa_occurrences_t held;                /* what it stands on */
    bool is_shown;         /* it is proven because the capture shows that it lacks no packet around it */
    int64_t time_ns;       /* of that packet */
    char *expected, *seen; /* of the first occurrence; UTF-8, may hold text of the capture: escape before showing */
    struct sctpa_finding *next; /* of the association, in order of first occurrence */
} sctpa_finding_t;

/* Violations of a rule by an endpoint that stand in no finding: seen more seldom than the rule is reported from, or
 * explained by packets that may be missing, or found by another rule too, which is reported in its place. The rule is
 * not decided there, or violated by another name. */
enum { SCTPA_UNLISTED_PACKETS = 6 };
typedef struct sctpa_unlisted {
    struct sctpa_unlisted *next;              /* of the association, by rule and endpoint */
    uint32_t count;                           /* packets that completed one */
    uint32_t packets[SCTPA_UNLISTED_PACKETS]; /* indices: the first of them */
    uint16_t rule;                            /* sctpa_rule_t */
    uint16_t covered_by;                      /* 1 + the rule that is reported in place of each, 0: not of each */
    uint8_t accused, n_packets;
    uint8_t level; /* sctpa_level_t, as of a finding */
} sctpa_unlisted_t;

/* A packet that completed an occurrence of a finding: 16 bytes, for the first SCTPA_MARKS_MAX of a finding. */
typedef struct {
    uint32_t packet;
    uint32_t before;                /* 1 + place of the finding's mark before this one, 0 none */
    const sctpa_finding_t *finding; /* NULL: it was of an association that was forgotten */
} sctpa_mark_t;
enum { SCTPA_MARKS_MAX = 1 << 16 };

/* Which RFC endpoints are held to: what only RFC 9260 asks is a note (both), counts as it stands (9260) or is not
 * checked (4960). */
typedef enum { SCTPA_PROFILE_BOTH, SCTPA_PROFILE_9260, SCTPA_PROFILE_4960 } sctpa_profile_t;

typedef enum {
    SCTPA_VERDICT_NOT_JUDGED, /* no rule was checked */
    SCTPA_VERDICT_DEVIATES,   /* a MUST was violated: proven */
    SCTPA_VERDICT_UNUSUAL,    /* a SHOULD was not followed: proven */
    SCTPA_VERDICT_SUSPICIOUS, /* either is probable */
    SCTPA_VERDICT_CLEAN,      /* nothing of the kind in what was checked */
    SCTPA_VERDICTS
} sctpa_verdict_t;

/* Rules violated: the proven ones by level, and of the others how sure they are. */
typedef struct {
    uint32_t levels[SCTPA_LEVELS];      /* notes however sure */
    uint32_t unsure[SCTPA_CERTAINTIES]; /* MUST and SHOULD; of the proven 0 */
} sctpa_finding_counts_t;

static inline void sctpa_finding_counts_add(sctpa_finding_counts_t *counts, const sctpa_finding_t *finding)
{
    bool is_sure = finding->level == SCTPA_LEVEL_HEURISTIC || finding->certainty == SCTPA_CERTAINTY_PROVEN;
    ++*(is_sure ? &counts->levels[finding->level] : &counts->unsure[finding->certainty]);
}

/* What became of the rules at one endpoint. The verdict is the first that fits, in their order. */
typedef struct {
    sctpa_verdict_t verdict;
    sctpa_finding_counts_t findings;
    uint32_t judged;  /* rules that were checked: they had an occasion and what they need */
    uint32_t refused; /* rules that had an occasion but stayed undecided */
    uint32_t missing; /* SCTPA_NEED_ bits that these lacked */
    uint32_t too_few; /* of these, those seen too rarely to be reported */
} sctpa_judgement_t;

/* Packets at which a rule had an occasion at an endpoint. */
typedef struct {
    uint32_t judged, refused;
    uint32_t lacked[SCTPA_NEEDS]; /* by bit of the need, of the refused ones; one may have lacked several */
} sctpa_rule_occasions_t;

/* "not_judged", "deviates", "unusual", "suspicious", "clean". */
const char *sctpa_verdict_word(sctpa_verdict_t verdict);

#endif
