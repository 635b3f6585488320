/* Sets of rules: finding the one that holds a rule more. */
#include "rule_sets.h"

#include <string.h>

enum { BYTES = (SCTPA_RULES + 7) / 8 };

typedef struct {
    uint32_t hash;              /* of rules: of each one, put together by exclusive or */
    bool is_own;                /* one owner has it: it changes in place */
    uint8_t rules[BYTES];       /* bit by rule */
} set_t;

static set_t *set_at(const sctpa_rule_sets_t *sets, uint32_t number)
{
    return sctpa_pool_at(&sets->sets, number);
}

/* The finaliser of MurmurHash3: rules stand close together, hashes must not. */
static uint32_t hash_of(sctpa_rule_t rule)
{
    uint32_t hash = (uint32_t)rule + 1;
    hash = (hash ^ hash >> 16) * 0x85ebca6bu;
    hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
    return hash ^ hash >> 16;
}

static bool holds(const set_t *set, sctpa_rule_t rule)
{
    return set->rules[rule / 8] >> rule % 8 & 1;
}

static void put(set_t *set, sctpa_rule_t rule)
{
    set->hash ^= hash_of(rule);
    set->rules[rule / 8] |= (uint8_t)(1u << rule % 8);
}

void sctpa_rule_sets_init(sctpa_rule_sets_t *sets)
{
    uint32_t empty;
    sctpa_pool_init(&sets->sets, sizeof(set_t));
    sctpa_slots_init(&sets->shared);
    sctpa_pool_add(&sets->sets, &empty);
    sctpa_slots_add(&sets->shared, 0, empty);
}

void sctpa_rule_sets_clear(sctpa_rule_sets_t *sets)
{
    sctpa_pool_clear(&sets->sets);
    sctpa_slots_clear(&sets->shared);
}

/* The shared set of the same rules, made while there is room for it; else one for its owner. */
static uint32_t find_or_make(sctpa_rule_sets_t *sets, const set_t *wanted)
{
    uint32_t at, number = sctpa_slots_first(&sets->shared, wanted->hash, &at);
    while (number != SCTPA_SLOT_NONE && memcmp(set_at(sets, number)->rules, wanted->rules, BYTES) != 0)
        number = sctpa_slots_next(&sets->shared, wanted->hash, &at);
    if (number != SCTPA_SLOT_NONE)
        return number;
    set_t *made = sctpa_pool_add(&sets->sets, &number);
    *made = *wanted;
    made->is_own = sets->shared.used >= SCTPA_RULE_SETS_SHARED;
    if (!made->is_own)
        sctpa_slots_add(&sets->shared, made->hash, number);
    return number;
}

uint32_t sctpa_rule_sets_with(sctpa_rule_sets_t *sets, uint32_t number, sctpa_rule_t rule)
{
    set_t *set = set_at(sets, number), wanted;
    if (holds(set, rule))
        return number;
    if (set->is_own) {
        put(set, rule);
        return number;
    }
    wanted = *set;
    put(&wanted, rule);
    return find_or_make(sets, &wanted);
}

uint32_t sctpa_rule_sets_with_all(sctpa_rule_sets_t *sets, uint32_t number, uint32_t other)
{
    for (unsigned rule = 0; rule < SCTPA_RULES; rule++)
        if (holds(set_at(sets, other), (sctpa_rule_t)rule))
            number = sctpa_rule_sets_with(sets, number, (sctpa_rule_t)rule);
    return number;
}

bool sctpa_rule_sets_has(const sctpa_rule_sets_t *sets, uint32_t number, sctpa_rule_t rule)
{
    return holds(set_at(sets, number), rule);
}
