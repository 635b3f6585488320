/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules of conformance as a table: what each asks, of whom, by which clause, and what a capture must show before
 * it is checked; and which rules the user wants judged. Each row stands in its chapter, above its functions. Leaves out
 * how a rule is checked. */
#ifndef SCTPA_MODEL_RULE_H
#define SCTPA_MODEL_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "tap/assertions.h"

/* How much a finding weighs. MUST: no conforming endpoint does it. SHOULD: none that follows the clause. HEURISTIC: a
 * note, by recommended values or thresholds of ours, never part of a verdict. */
typedef enum { SCTPA_LEVEL_MUST, SCTPA_LEVEL_SHOULD, SCTPA_LEVEL_HEURISTIC, SCTPA_LEVELS } sctpa_level_t;

/* What the endpoint must have known: nothing beyond its own packets; or what it could have seen (it was early: every
 * packet that may have reached it counts for it); or what it must have seen (it was late or silent: only packets that
 * surely reached it count). */
typedef enum { SCTPA_SEEING_NOTHING, SCTPA_SEEING_COULD, SCTPA_SEEING_MUST, SCTPA_SEEINGS } sctpa_seeing_t;

/* What a rule needs before it is checked; where a need is missing, it is not. */
typedef enum {
    SCTPA_NEED_WHOLE_PACKET = 0x01,    /* the packet is captured to its last byte */
    SCTPA_NEED_CHECKSUM_GOOD = 0x02,   /* its checksum was verified, or is zero */
    SCTPA_NEED_SETUP_SEEN = 0x04,      /* INIT and INIT ACK of both endpoints were seen */
    SCTPA_NEED_BOTH_DIRECTIONS = 0x08, /* packets of both endpoints, surely of one association */
    /* nothing of the association seems to be missing from the capture or out of order in it */
    SCTPA_NEED_COMPLETE = 0x10,
    /* the tap is near the endpoint: little can pass between them unseen or late, no SACK overtakes another */
    SCTPA_NEED_NEAR = 0x20,
    SCTPA_NEED_RTT = 0x40,      /* round trips of the endpoint were measured */
    SCTPA_NEED_AUTH_KEY = 0x80, /* an HMAC of the endpoint was verified; only packets with AUTH meet it */
    /* no address of an endpoint may be translated between it and the tap */
    SCTPA_NEED_UNTRANSLATED = 0x100
} sctpa_need_t;
enum { SCTPA_NEEDS = 9 };

/* How sure a finding is. PROVEN: no conforming endpoint could have sent what passed here, however the capture may lack
 * packets. PROBABLE: there is an innocent explanation, which is named, and far-fetched. POSSIBLE: worth a look. */
typedef enum {
    SCTPA_CERTAINTY_PROVEN,
    SCTPA_CERTAINTY_PROBABLE,
    SCTPA_CERTAINTY_POSSIBLE,
    SCTPA_CERTAINTIES
} sctpa_certainty_t;

/* Where a packet that the capture lacks would explain a violation of a rule that needs a complete one: anywhere before
 * in the association, or only since the packet that belongs to the evidence. */
typedef enum { SCTPA_SPAN_ASSOCIATION, SCTPA_SPAN_EVIDENCE } sctpa_span_t;

/* When a rule is asked: once for a packet that holds chunks of .on, for each of these chunks, or for each of their
 * parameters or causes; or when a packet of the association discharges what is owed (shared/obligations.h), or passes
 * when that is overdue. */
typedef enum { SCTPA_WHEN_PACKET, SCTPA_WHEN_CHUNK, SCTPA_WHEN_PARAM, SCTPA_WHEN_DUE } sctpa_when_t;

/* Whom it is about: who sent the packet, its peer, or each of them; with SCTPA_WHEN_DUE: who owes. */
typedef enum { SCTPA_OF_SENDER, SCTPA_OF_PEER, SCTPA_OF_EACH, SCTPA_OF_DEBTOR } sctpa_of_t;

/* SCTPA_RULE_FMT_018, ... in the order of rules.def. */
typedef enum {
#define SCTPA_RULE(group, number, ...) SCTPA_RULE_##group##_##number,
#include "rules.def"
    SCTPA_RULES
} sctpa_rule_t;

enum { SCTPA_COVERS_MAX = 2 };

/* When the violations of a rule are reported, what few rows say. */
typedef struct {
    /* The occurrence from which on it is reported, 0 or 1: the first; and whether an occasion without a violation in
     * between makes those before not count. */
    uint32_t from;
    bool possible_before; /* those before are reported as possible ones */
    /* SCTPA_ASSERTED_ bits: where the user asserts all of these, nothing is left that could explain one occurrence
     * alone, and it is reported at the first; 0: whatever is asserted, from .from on */
    uint32_t at_once_if;
    uint32_t at_once_needs; /* SCTPA_NEED_ bits that it needs for that, beyond .needs */
    bool in_a_row;
    bool once; /* one occurrence stands for all: what shows it shows it again and again */
    /* There are several ways to show it, or values with names of their own in what is expected: all of one defect, so
     * that what is expected does not tell its findings apart */
    bool one_defect;
    /* 1 + rules that ask the same of the same endpoint: where this one is found violated by a packet, they are not also
     * found violated by it. 0: no more. */
    uint16_t covers[SCTPA_COVERS_MAX];
} sctpa_rule_report_t;

/* The row of a rule: its fields. */
typedef struct {
    const char *id; /* "FMT-018" */
    sctpa_level_t level;
    uint16_t since; /* number of the RFC in which the clause first stood */
    /* since RFC 9260: RFC 4960 allowed what no endpoint is known to have done, so that it is no note, but a SHOULD */
    bool is_unheard_of;
    sctpa_seeing_t seeing;
    uint32_t needs;              /* SCTPA_NEED_ bits */
    sctpa_span_t span;           /* only with SCTPA_NEED_COMPLETE */
    sctpa_certainty_t certainty; /* of its findings, at best */
    /* When it is asked, of whom, and the SCTPA_ROW bits of the chunks concerned. */
    sctpa_when_t when;
    sctpa_of_t of;
    uint64_t on;
    uint32_t if_facts; /* only where the packet has one of these (SCTPA_FACT_ bits), 0: whatever it holds */
    sctpa_rule_report_t report;
    const char *accused; /* in words: "sender of the chunk" */
    const char *clause;  /* "RFC 9260 6.10" */
    const char *title;
    const char *quote;    /* the clause's decisive words, "": not quoted */
    const char *why;      /* why it matters */
    const char *evidence; /* how the evidence is read */
    const char *doubt;    /* what could make it wrong, and why that is not reported */
} sctpa_rule_info_t;

/* The row of a rule < SCTPA_RULES. O(1). */
const sctpa_rule_info_t *sctpa_rule_info(sctpa_rule_t rule);
/* When an RFC that a row names in .since was published. O(RFCs). */
typedef struct {
    uint16_t number;
    const char *month;   /* "June 2022" */
    int64_t published_s; /* its first second, UTC, since 1970 */
} sctpa_rfc_t;
const sctpa_rfc_t *sctpa_rfc_of(sctpa_rule_t rule);
/* "MUST", "SHOULD", "heuristic". */
const char *sctpa_level_word(sctpa_level_t level);
/* "proven", "probable", "possible". */
const char *sctpa_certainty_word(sctpa_certainty_t certainty);
/* "nothing", "could have seen", "must have seen". */
const char *sctpa_seeing_word(sctpa_seeing_t seeing);
/* The word of the need with bit number bit < SCTPA_NEEDS: "whole-packet". */
const char *sctpa_need_word(unsigned bit);

/* Does only a revision of the protocol ask for what the rule does that was published after the packet, by its stamp?
 * No where that is before RFC 2960: such a clock was never set. O(1). */
bool sctpa_revision_is_newer(const sctpa_rule_info_t *info, int64_t time_ns);

/* Is it a revision of the protocol that asks for what the rule does, so that the level of a finding may be lower than
 * that of its rule? O(1). */
bool sctpa_revision_asks(const sctpa_rule_info_t *info);

enum { SCTPA_RULE_WORDS = (SCTPA_RULES + 63) / 64 };

typedef struct {
    uint64_t words[SCTPA_RULE_WORDS];
} sctpa_rule_bits_t;

static inline void sctpa_rule_bits_put(sctpa_rule_bits_t *bits, sctpa_rule_t rule)
{
    bits->words[rule / 64] |= UINT64_C(1) << rule % 64;
}

static inline void sctpa_rule_bits_take_out(sctpa_rule_bits_t *bits, const sctpa_rule_bits_t *others)
{
    for (unsigned word = 0; word < SCTPA_RULE_WORDS; word++)
        bits->words[word] &= ~others->words[word];
}

static inline bool sctpa_rule_bits_has(const sctpa_rule_bits_t *bits, sctpa_rule_t rule)
{
    return bits->words[rule / 64] >> rule % 64 & 1;
}

enum { SCTPA_ALL_LEVELS = (1 << SCTPA_LEVELS) - 1 };

/* A rule is judged that is of one of the levels or named, and not excluded. */
typedef struct {
    unsigned levels; /* set of 1 << sctpa_level_t, after the profile */
    sctpa_rule_bits_t named, excluded;
} sctpa_rule_choice_t;

/* Reads words that blanks or commas separate: "all", "should" (MUST and SHOULD), "must" and "off" choose levels, others
 * name rules by their ids, in which * stands for any characters and ? for one, and those after ! exclude rules; upper
 * or lower case. Without a word that chooses or names, all levels. NULL and "": all levels. Returns NULL, or the first
 * word that names no rule, to be freed; then *choice is all levels. O(words * rules). */
char *sctpa_rule_choice_read(const char *text, sctpa_rule_choice_t *choice);

#endif
