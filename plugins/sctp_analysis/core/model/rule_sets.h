/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of rules, each kept once however many endpoints have the same. Endpoints that do the same come to the same sets
 * by the same steps. What a set is of is its owner's. */
#ifndef SCTPA_MODEL_RULE_SETS_H
#define SCTPA_MODEL_RULE_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"
#include "base/slots.h"
#include "rule.h"

/* Sets that are shared: where captures are made to have more, every owner gets one of its own. */
enum { SCTPA_RULE_SETS_SHARED = 1 << 16 };

typedef struct {
    sctpa_rule_bits_t rules;
    uint32_t hash; /* of rules: of each one, put together by exclusive or; of an own one, its number in the pool */
    bool is_own;   /* one owner has it: it changes in place */
} sctpa_rule_set_t;

typedef struct {
    uint32_t hashes[SCTPA_RULES]; /* of rules, by a number drawn at random */
    sctpa_pool_t sets;            /* sctpa_rule_set_t */
    sctpa_slots_t shared;         /* their numbers by what they hold */
    const sctpa_rule_set_t *none; /* the empty set */
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
void sctpa_rule_sets_remove(sctpa_rule_sets_t *sets, const sctpa_rule_set_t *set);
/* Bytes of the sets that have one owner each. O(1). */
static inline size_t sctpa_rule_sets_own_bytes(const sctpa_rule_sets_t *sets)
{
    return (sets->sets.in_use - sets->shared.used) * sizeof(sctpa_rule_set_t);
}

#endif
