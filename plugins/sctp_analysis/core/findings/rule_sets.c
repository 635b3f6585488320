/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of rules: finding the one that holds a rule more. */
#include "rule_sets.h"

#include <glib.h>
#include <string.h>

#include "base/hash.h"

static void put(sctpa_rule_set_t *set, sctpa_rule_t rule)
{
    set->rules[rule / 8] |= (uint8_t)(1u << rule % 8);
}

void sctpa_rule_sets_init(sctpa_rule_sets_t *sets)
{
    uint32_t number;
    sets->seed = sctpa_hash_seed();
    sctpa_pool_init(&sets->sets, sizeof(sctpa_rule_set_t));
    sctpa_slots_init(&sets->shared);
    sets->none = sctpa_pool_add(&sets->sets, &number);
    sctpa_slots_add(&sets->shared, sets->none->hash, number);
}

void sctpa_rule_sets_clear(sctpa_rule_sets_t *sets)
{
    sctpa_pool_clear(&sets->sets);
    sctpa_slots_clear(&sets->shared);
}

/* The shared set of the same rules, made while there is room for it; else one for its owner. */
static const sctpa_rule_set_t *find_or_make(sctpa_rule_sets_t *sets, const sctpa_rule_set_t *wanted)
{
    uint32_t at, number = sctpa_slots_first(&sets->shared, wanted->hash, &at);
    for (; number != SCTPA_SLOT_NONE; number = sctpa_slots_next(&sets->shared, wanted->hash, &at)) {
        const sctpa_rule_set_t *set = sctpa_pool_at(&sets->sets, number);
        if (memcmp(set->rules, wanted->rules, sizeof set->rules) == 0)
            return set;
    }
    sctpa_rule_set_t *made = sctpa_pool_add(&sets->sets, &number);
    *made = *wanted;
    made->is_own = sets->shared.used >= SCTPA_RULE_SETS_SHARED;
    if (made->is_own)
        made->hash = number;
    else
        sctpa_slots_add(&sets->shared, made->hash, number);
    return made;
}

const sctpa_rule_set_t *sctpa_rule_sets_add(sctpa_rule_sets_t *sets, const sctpa_rule_set_t *set, sctpa_rule_t rule)
{
    if (sctpa_rule_set_has(set, rule))
        return set;
    if (set->is_own) {
        put((sctpa_rule_set_t *)set, rule);
        return set;
    }
    sctpa_rule_set_step_t *step = &sets->steps[(set->hash ^ rule) % SCTPA_RULE_SET_STEPS];
    if (step->from == set && step->rule == rule)
        return step->to;
    sctpa_rule_set_t wanted = *set;
    put(&wanted, rule);
    wanted.hash ^= (uint32_t)sctpa_hash_mix(sets->seed, (uint64_t)rule);
    const sctpa_rule_set_t *found = find_or_make(sets, &wanted);
    if (!found->is_own)
        *step = (sctpa_rule_set_step_t){ set, found, rule };
    return found;
}

void sctpa_rule_sets_remove(sctpa_rule_sets_t *sets, const sctpa_rule_set_t *set)
{
    if (set->is_own)
        sctpa_pool_remove(&sets->sets, set->hash);
}

const sctpa_rule_set_t *sctpa_rule_sets_add_all(sctpa_rule_sets_t *sets, const sctpa_rule_set_t *set,
                                                const sctpa_rule_set_t *other)
{
    for (unsigned rule = 0; rule < SCTPA_RULES; rule++)
        if (sctpa_rule_set_has(other, (sctpa_rule_t)rule))
            set = sctpa_rule_sets_add(sets, set, (sctpa_rule_t)rule);
    return set;
}
