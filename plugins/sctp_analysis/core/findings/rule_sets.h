/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of rules, each kept once however many endpoints have the same. Endpoints that do the same come to the same sets
 * by the same steps. What a set is of is its owner's. */
#ifndef SCTPA_FINDINGS_RULE_SETS_H
#define SCTPA_FINDINGS_RULE_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"
#include "base/slots.h"
#include "rules/rules.h"

/* Sets that are shared: where captures are made to have more, every owner gets one of its own. */
enum { SCTPA_RULE_SETS_SHARED = 1 << 16 };
/* Steps from one shared set to another that are remembered: some ten kinds of endpoints. */
enum { SCTPA_RULE_SET_STEPS = 1 << 10 };

typedef struct {
    uint32_t hash; /* of rules: of each one, put together by exclusive or; of an own one, its number in the pool */
    bool is_own;   /* one owner has it: it changes in place */
    uint8_t rules[(SCTPA_RULES + 7) / 8]; /* bit by rule */
} sctpa_rule_set_t;

/* What a set and a rule more make. */
typedef struct {
    const sctpa_rule_set_t *from, *to; /* shared; NULL not remembered */
    sctpa_rule_t rule;
} sctpa_rule_set_step_t;

typedef struct {
    uint64_t seed;                                     /* of the hashes of rules, drawn at random */
    sctpa_pool_t sets;                                 /* sctpa_rule_set_t */
    sctpa_slots_t shared;                              /* their numbers by what they hold */
    const sctpa_rule_set_t *none;                      /* the empty set */
    sctpa_rule_set_step_t steps[SCTPA_RULE_SET_STEPS]; /* the last ones, by hash */
} sctpa_rule_sets_t;

/* No sets but the empty one. */
void sctpa_rule_sets_init(sctpa_rule_sets_t *sets);
void sctpa_rule_sets_clear(sctpa_rule_sets_t *sets);

/* The set of what set holds and rule, in place of set, which its owner has no more. O(1). Memory: 70 bytes for each of
 * the first SCTPA_RULE_SETS_SHARED, then 40 per owner. */
const sctpa_rule_set_t *sctpa_rule_sets_add(sctpa_rule_sets_t *sets, const sctpa_rule_set_t *set, sctpa_rule_t rule);
/* The same with all rules of other. O(rules). */
const sctpa_rule_set_t *sctpa_rule_sets_add_all(sctpa_rule_sets_t *sets, const sctpa_rule_set_t *set,
                                                const sctpa_rule_set_t *other);

/* Its owner has the set no more. O(1). */
void sctpa_rule_sets_remove(sctpa_rule_sets_t *sets, const sctpa_rule_set_t *set);
/* Bytes of the sets that have one owner each. O(1). */
static inline size_t sctpa_rule_sets_own_bytes(const sctpa_rule_sets_t *sets)
{
    return (sets->sets.in_use - sets->shared.used) * sizeof(sctpa_rule_set_t);
}

static inline bool sctpa_rule_set_has(const sctpa_rule_set_t *set, sctpa_rule_t rule)
{
    return set->rules[rule / 8] >> rule % 8 & 1;
}

#endif
