/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of rules: finding the one that holds more rules. */
#include "rule_sets.h"

#include <glib.h>
#include <string.h>

#include "base/hash.h"

void sctpa_rule_sets_init(sctpa_rule_sets_t *sets)
{
    const uint64_t seed = sctpa_hash_seed();
    uint32_t number;
    for (unsigned rule = 0; rule < SCTPA_RULES; rule++)
        sets->hashes[rule] = (uint32_t)sctpa_hash_mix(seed, rule);
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
        if (memcmp(&set->rules, &wanted->rules, sizeof set->rules) == 0)
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

const sctpa_rule_set_t *sctpa_rule_sets_add(sctpa_rule_sets_t *sets, const sctpa_rule_set_t *set,
                                            const sctpa_rule_bits_t *more)
{
    sctpa_rule_set_t wanted = *set;
    for (unsigned word = 0; word < SCTPA_RULE_WORDS; word++) {
        uint64_t added = more->words[word] & ~set->rules.words[word];
        wanted.rules.words[word] |= added;
        for (; added; added &= added - 1)
            wanted.hash ^= sets->hashes[64 * word + (unsigned)__builtin_ctzll(added)];
    }
    if (!set->is_own)
        return find_or_make(sets, &wanted);
    ((sctpa_rule_set_t *)set)->rules = wanted.rules;
    return set;
}

void sctpa_rule_sets_remove(sctpa_rule_sets_t *sets, const sctpa_rule_set_t *set)
{
    if (set->is_own)
        sctpa_pool_remove(&sets->sets, set->hash);
}
