/* Sets of rules, each kept once however many endpoints have the same: a number of 4 bytes stands for a set. Endpoints that do the same come
 * to the same sets by the same steps. What a set is of is its owner's. */
#ifndef SCTPA_MODEL_RULE_SETS_H
#define SCTPA_MODEL_RULE_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/pool.h"
#include "../base/slots.h"
#include "rules.h"

/* Sets that are shared: where captures are made to have more, every owner gets one of its own. */
enum { SCTPA_RULE_SETS_SHARED = 1 << 16, SCTPA_NO_RULES = 0 };

typedef struct {
    sctpa_pool_t sets;
    sctpa_slots_t shared;       /* their numbers by what they hold */
} sctpa_rule_sets_t;

/* No sets but the empty one, SCTPA_NO_RULES. */
void sctpa_rule_sets_init(sctpa_rule_sets_t *sets);
void sctpa_rule_sets_clear(sctpa_rule_sets_t *sets);

/* The set of what set holds and rule; set itself when it does. In place of set, which its owner has no more. O(1). Memory: 70 bytes for
 * each of the first SCTPA_RULE_SETS_SHARED, then 40 per owner. */
uint32_t sctpa_rule_sets_with(sctpa_rule_sets_t *sets, uint32_t set, sctpa_rule_t rule);
/* The same with all rules of other. O(rules). */
uint32_t sctpa_rule_sets_with_all(sctpa_rule_sets_t *sets, uint32_t set, uint32_t other);
bool sctpa_rule_sets_has(const sctpa_rule_sets_t *sets, uint32_t set, sctpa_rule_t rule);

#endif
