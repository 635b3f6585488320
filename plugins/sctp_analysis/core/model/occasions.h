/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often each rule applied at the endpoints of an association: in how many of its packets, with what it needs or
 * without. A packet counts once for a rule, however many of its chunks the rule applies to.
 * Most packets give the same rules an occasion as others did, of this association and of all: packets that do are of
 * one kind. Each kind is kept once; an association counts its packets of each. What a kind says of a rule is added up
 * when it is asked. */
#ifndef SCTPA_MODEL_OCCASIONS_H
#define SCTPA_MODEL_OCCASIONS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include "base/slots.h"
#include "finding.h"
#include "rule.h"

/* Sets that are shared: where captures are made to have more, every owner gets one of its own. */
enum { SCTPA_RULE_SETS_SHARED = 1 << 16 };

typedef struct {
    sctpa_rule_bits_t rules;
    uint32_t hash; /* of rules: of each one, put together by exclusive or; of an own one, its number in the pool */
    bool is_own;   /* one owner has it: it changes in place */
} sctpa_rule_set_t;

/* A shared set, and what became of it with more: most associations take the same steps. */
typedef struct {
    const sctpa_rule_set_t *from, *to; /* NULL none */
    sctpa_rule_bits_t more;
} sctpa_rule_set_step_t;
enum { SCTPA_RULE_SET_STEPS_BITS = 6 };

typedef struct {
    uint32_t hashes[SCTPA_RULES];                                /* of rules, by a number drawn at random */
    sctpa_pool_t sets;                                           /* sctpa_rule_set_t */
    sctpa_slots_t shared;                                        /* their numbers by what they hold */
    const sctpa_rule_set_t *none;                                /* the empty set */
    sctpa_rule_set_step_t steps[1 << SCTPA_RULE_SET_STEPS_BITS]; /* the last of each hash */
} sctpa_rule_sets_t;

static inline bool sctpa_rule_set_has(const sctpa_rule_set_t *set, sctpa_rule_t rule)
{
    return sctpa_rule_bits_has(&set->rules, rule);
}

/* Does it hold all of more? O(1). */
static inline bool sctpa_rule_set_holds(const sctpa_rule_set_t *set, const sctpa_rule_bits_t *more)
{
    uint64_t others = 0;
#pragma GCC unroll 8
    for (unsigned word = 0; word < SCTPA_RULE_WORDS; word++)
        others |= more->words[word] & ~set->rules.words[word];
    return !others;
}

/* No sets but the empty one. */
void sctpa_rule_sets_init(sctpa_rule_sets_t *sets);

void sctpa_rule_sets_clear(sctpa_rule_sets_t *sets);

/* The set of what set and more hold, in place of set, which its owner has no more; more may be that of a set. O(rules
 * that are new). Memory: 80 bytes for each of the first SCTPA_RULE_SETS_SHARED, then 48 per owner. */
const sctpa_rule_set_t *sctpa_rule_sets_add(sctpa_rule_sets_t *sets, const sctpa_rule_set_t *set,
                                            const sctpa_rule_bits_t *more);

/* Its owner has the set no more. O(1). */
static inline void sctpa_rule_sets_remove(sctpa_rule_sets_t *sets, const sctpa_rule_set_t *set)
{
    if (set->is_own)
        sctpa_pool_remove(&sets->sets, set->hash);
}

/* Bytes of the sets that have one owner each. O(1). */
static inline size_t sctpa_rule_sets_own_bytes(const sctpa_rule_sets_t *sets)
{
    return (sets->sets.in_use - sets->shared.used) * sizeof(sctpa_rule_set_t);
}

/* What a packet gave occasion to, by endpoint. Every byte of it counts: no padding. */
typedef struct {
    sctpa_rule_bits_t judged[2];  /* rules that had an occasion and what they need */
    sctpa_rule_bits_t refused[2]; /* that had an occasion, but lacked a need */
    uint32_t lacked[2];           /* SCTPA_NEED_ bits that these lacked; one that a rule needs it lacked */
} sctpa_occasion_kind_t;

enum {
    SCTPA_OCCASION_KINDS_MAX = 1 << 14, /* that are kept, by all associations together */
    SCTPA_OCCASION_KINDS_EACH = 256     /* of an association */
};

typedef struct {
    uint64_t seed;
    sctpa_pool_t kinds; /* sctpa_occasion_kind_t */
    sctpa_slots_t by_hash;
} sctpa_occasion_kinds_t;

typedef struct {
    uint32_t kind, packets;
} sctpa_occasion_count_t;

/* Of an association: empty is all zero. */
typedef struct {
    sctpa_occasion_count_t *counts; /* those counted most lately near the front */
    uint32_t n;
    uint32_t uncounted; /* packets of kinds beyond what is kept */
} sctpa_occasions_t;

void sctpa_occasion_kinds_init(sctpa_occasion_kinds_t *kinds);
void sctpa_occasion_kinds_clear(sctpa_occasion_kinds_t *kinds);

/* Counts packets of a kind. O(1): at most SCTPA_OCCASION_KINDS_EACH comparisons of numbers. Memory: 8 bytes for each
 * kind that the association has, 16 at most with room to grow; 190 for each that is kept, 3 MiB at most. */
void sctpa_occasions_add(sctpa_occasion_kinds_t *kinds, sctpa_arena_t *arena, sctpa_occasions_t *occasions,
                         const sctpa_occasion_kind_t *kind, uint32_t packets);
/* Takes over those of another association, which has none then; swapped: its endpoints are. O(its kinds). */
void sctpa_occasions_join(sctpa_occasion_kinds_t *kinds, sctpa_arena_t *arena, sctpa_occasions_t *into,
                          sctpa_occasions_t *from, bool swapped);
/* Gives back what is kept of an association. O(1). */
static inline void sctpa_occasions_free(sctpa_arena_t *arena, sctpa_occasions_t *occasions)
{
    sctpa_arena_free_grown(arena, occasions->counts, occasions->n, sizeof *occasions->counts);
}

/* Adds the occasions of each of the rules at an endpoint to of_rules, by rule; others are left alone. O(kinds of the
 * association * rules of each). */
void sctpa_occasions_sum(const sctpa_occasion_kinds_t *kinds, const sctpa_occasions_t *occasions, uint8_t end,
                         const sctpa_rule_bits_t *rules, sctpa_rule_occasions_t *of_rules);

#endif
