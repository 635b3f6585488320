/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules as bits. Leaves sets that are shared to rule_sets.h. */
#ifndef SCTPA_MODEL_RULE_BITS_H
#define SCTPA_MODEL_RULE_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "rule.h"

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

#endif
