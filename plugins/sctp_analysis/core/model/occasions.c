/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts occasions of rules by kinds of packets, and adds them up in the light of what the capture showed later. */
#include "occasions.h"

#include <string.h>

#include <glib.h>

#include "base/hash.h"
#include "engine.h"
#include "rule.h"

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
static const sctpa_rule_set_t *set_find_or_make(sctpa_rule_sets_t *sets, const sctpa_rule_set_t *wanted)
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

static sctpa_rule_set_step_t *step_of(sctpa_rule_sets_t *sets, const sctpa_rule_set_t *set,
                                      const sctpa_rule_bits_t *more)
{
    uint64_t hash = (uint64_t)(uintptr_t)set;
    for (unsigned word = 0; word < SCTPA_RULE_WORDS; word++)
        hash = (hash ^ more->words[word]) * 0x9e3779b97f4a7c15u;
    return &sets->steps[hash >> (64 - SCTPA_RULE_SET_STEPS_BITS)];
}

static const sctpa_rule_set_t *set_with(sctpa_rule_sets_t *sets, const sctpa_rule_set_t *set,
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
        return set_find_or_make(sets, &wanted);
    ((sctpa_rule_set_t *)set)->rules = wanted.rules;
    return set;
}

const sctpa_rule_set_t *sctpa_rule_sets_add(sctpa_rule_sets_t *sets, const sctpa_rule_set_t *set,
                                            const sctpa_rule_bits_t *more)
{
    if (set->is_own)
        return set_with(sets, set, more);
    sctpa_rule_set_step_t *step = step_of(sets, set, more);
    if (step->from == set && memcmp(&step->more, more, sizeof *more) == 0)
        return step->to;
    const sctpa_rule_set_t *to = set_with(sets, set, more);
    if (!to->is_own)
        *step = (sctpa_rule_set_step_t){ set, to, *more };
    return to;
}

G_STATIC_ASSERT(sizeof(sctpa_occasion_kind_t) == 4 * sizeof(sctpa_rule_bits_t) + 2 * sizeof(uint32_t));

void sctpa_occasion_kinds_init(sctpa_occasion_kinds_t *kinds)
{
    kinds->seed = sctpa_hash_seed();
    sctpa_pool_init(&kinds->kinds, sizeof(sctpa_occasion_kind_t));
    sctpa_slots_init(&kinds->by_hash);
}

void sctpa_occasion_kinds_clear(sctpa_occasion_kinds_t *kinds)
{
    sctpa_pool_clear(&kinds->kinds);
    sctpa_slots_clear(&kinds->by_hash);
}

static const sctpa_occasion_kind_t *kind_at(const sctpa_occasion_kinds_t *kinds, uint32_t number)
{
    return sctpa_pool_at(&kinds->kinds, number);
}

/* The number of a kind, made while there is room for it; else SCTPA_SLOT_NONE. */
static uint32_t find_or_make(sctpa_occasion_kinds_t *kinds, const sctpa_occasion_kind_t *kind)
{
    const uint32_t hash = (uint32_t)sctpa_hash_bytes(kinds->seed, (const uint8_t *)kind, sizeof *kind);
    uint32_t at, number = sctpa_slots_first(&kinds->by_hash, hash, &at);
    for (; number != SCTPA_SLOT_NONE; number = sctpa_slots_next(&kinds->by_hash, hash, &at))
        if (memcmp(kind_at(kinds, number), kind, sizeof *kind) == 0)
            return number;
    if (kinds->kinds.count >= SCTPA_OCCASION_KINDS_MAX)
        return SCTPA_SLOT_NONE;
    *(sctpa_occasion_kind_t *)sctpa_pool_add(&kinds->kinds, &number) = *kind;
    sctpa_slots_add(&kinds->by_hash, hash, number);
    return number;
}

/* Counts at a place, and brings it one nearer to the front: what comes often is found soon. */
static void count_at(sctpa_occasions_t *occasions, uint32_t at, uint32_t packets)
{
    sctpa_occasion_count_t counted = occasions->counts[at];
    counted.packets += packets;
    if (at > 0) {
        occasions->counts[at] = occasions->counts[at - 1];
        at--;
    }
    occasions->counts[at] = counted;
}

static void count_number(sctpa_arena_t *arena, sctpa_occasions_t *occasions, uint32_t number, uint32_t packets)
{
    uint32_t at = 0;
    while (at < occasions->n && occasions->counts[at].kind != number)
        at++;
    if (number == SCTPA_SLOT_NONE || at == SCTPA_OCCASION_KINDS_EACH) {
        occasions->uncounted += packets;
        return;
    }
    if (at == occasions->n) {
        occasions->counts = sctpa_arena_grow(arena, occasions->counts, occasions->n, sizeof *occasions->counts);
        occasions->counts[occasions->n++] = (sctpa_occasion_count_t){ number, 0 };
    }
    count_at(occasions, at, packets);
}

void sctpa_occasions_add(sctpa_occasion_kinds_t *kinds, sctpa_arena_t *arena, sctpa_occasions_t *occasions,
                         const sctpa_occasion_kind_t *kind, uint32_t packets)
{
    enum { COMPARED_FIRST = 4 }; /* before the hash is computed: nearly every packet is of one of these kinds */
    for (uint32_t at = 0; at < occasions->n && at < COMPARED_FIRST; at++)
        if (memcmp(kind_at(kinds, occasions->counts[at].kind), kind, sizeof *kind) == 0) {
            count_at(occasions, at, packets);
            return;
        }
    count_number(arena, occasions, find_or_make(kinds, kind), packets);
}

static sctpa_occasion_kind_t swap(const sctpa_occasion_kind_t *kind)
{
    return (sctpa_occasion_kind_t){ .judged = { kind->judged[1], kind->judged[0] },
                                    .refused = { kind->refused[1], kind->refused[0] },
                                    .lacked = { kind->lacked[1], kind->lacked[0] } };
}

void sctpa_occasions_join(sctpa_occasion_kinds_t *kinds, sctpa_arena_t *arena, sctpa_occasions_t *into,
                          sctpa_occasions_t *from, bool swapped)
{
    for (uint32_t i = 0; i < from->n; i++) {
        const sctpa_occasion_kind_t kind = *kind_at(kinds, from->counts[i].kind);
        const sctpa_occasion_kind_t as_seen = swapped ? swap(&kind) : kind;
        sctpa_occasions_add(kinds, arena, into, &as_seen, from->counts[i].packets);
    }
    into->uncounted += from->uncounted;
    sctpa_occasions_free(arena, from);
    *from = (sctpa_occasions_t){ .n = 0 };
}

static void sum_refused(sctpa_rule_occasions_t *of_rule, uint32_t lacked, uint32_t packets)
{
    of_rule->refused += packets;
    for (; lacked; lacked &= lacked - 1)
        of_rule->lacked[__builtin_ctz(lacked)] += packets;
}

void sctpa_occasions_sum(const sctpa_occasion_kinds_t *kinds, const sctpa_occasions_t *occasions, uint8_t end,
                         const sctpa_rule_bits_t *rules, sctpa_rule_occasions_t *of_rules)
{
    for (uint32_t i = 0; i < occasions->n; i++) {
        const sctpa_occasion_kind_t *kind = kind_at(kinds, occasions->counts[i].kind);
        const uint32_t packets = occasions->counts[i].packets;
        for (unsigned word = 0; word < SCTPA_RULE_WORDS; word++) {
            uint64_t judged = kind->judged[end].words[word] & rules->words[word];
            uint64_t refused = kind->refused[end].words[word] & rules->words[word];
            for (; judged; judged &= judged - 1)
                of_rules[64 * word + (unsigned)__builtin_ctzll(judged)].judged += packets;
            for (; refused; refused &= refused - 1) {
                const unsigned rule = 64 * word + (unsigned)__builtin_ctzll(refused);
                sum_refused(&of_rules[rule], kind->lacked[end] & sctpa_rule_info((sctpa_rule_t)rule)->needs, packets);
            }
        }
    }
}

/* What had what it needs, as it seemed then, counts as refused where the rule stays undecided. */
static void withhold(const sctpa_judged_t *judged, const sctpa_tracked_t *tracked, uint8_t end, sctpa_rule_t rule,
                     sctpa_rule_occasions_t *of_rule)
{
    for (uint32_t needs = sctpa_judged_withheld_by(judged, tracked, end, rule); needs; needs &= needs - 1)
        of_rule->lacked[__builtin_ctz(needs)] += of_rule->judged;
    of_rule->refused += of_rule->judged;
    of_rule->judged = 0;
}

/* The next of the rules, which is taken out; SCTPA_RULES: there is none left. */
static sctpa_rule_t take_next(sctpa_rule_bits_t *rules)
{
    for (unsigned word = 0; word < SCTPA_RULE_WORDS; word++) {
        const uint64_t left = rules->words[word];
        rules->words[word] &= left - 1;
        if (left)
            return (sctpa_rule_t)(64 * word + (unsigned)__builtin_ctzll(left));
    }
    return SCTPA_RULES;
}

static sctpa_rule_bits_t rules_with_occasions(const sctpa_judged_t *judged, uint8_t end)
{
    sctpa_rule_bits_t rules = judged->judged[end]->rules;
    for (unsigned word = 0; word < SCTPA_RULE_WORDS; word++)
        rules.words[word] |= judged->refused[end]->rules.words[word];
    return rules;
}

uint32_t sctpa_model_occasions(const sctpa_model_t *model, const sctpa_tracked_t *tracked, uint8_t end,
                               sctpa_rule_occasions_t *of_rules)
{
    const sctpa_judged_t *judged = sctpa_judged_find(model, tracked);
    sctpa_rule_t rule;
    if (!judged)
        return 0;
    const sctpa_rule_bits_t rules = rules_with_occasions(judged, end);
    for (sctpa_rule_bits_t left = rules; (rule = take_next(&left)) < SCTPA_RULES;)
        of_rules[rule] = (sctpa_rule_occasions_t){ .judged = 0 };
    sctpa_occasions_sum(&model->occasion_kinds, &judged->occasions, end, &rules, of_rules);
    for (sctpa_rule_bits_t left = rules; (rule = take_next(&left)) < SCTPA_RULES;)
        if (of_rules[rule].judged > 0 && !sctpa_model_has_judged(model, tracked, end, rule))
            withhold(judged, tracked, end, rule, &of_rules[rule]);
    return judged->occasions.uncounted;
}
