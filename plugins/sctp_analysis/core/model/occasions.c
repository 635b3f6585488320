/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts occasions of rules by kinds of packets. */
#include "occasions.h"

#include "base/hash.h"
#include "rule.h"

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

void sctpa_occasions_free(sctpa_arena_t *arena, sctpa_occasions_t *occasions)
{
    sctpa_arena_free_grown(arena, occasions->counts, occasions->n, sizeof *occasions->counts);
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
