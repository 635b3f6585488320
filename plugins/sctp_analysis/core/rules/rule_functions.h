/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of the rules, two each: sctpa_X_nnn_applies and sctpa_X_nnn_violates.
 * applies: is this an occasion to check the rule? violates: does what the packet shows violate it? Both see the
 * association as the tracker left it and the reference endpoints as before the packet, and change nothing but the
 * violation, and that only where there is one. Leaves out who asks (findings/). */
#ifndef SCTPA_RULES_RULE_FUNCTIONS_H
#define SCTPA_RULES_RULE_FUNCTIONS_H

#include "violation.h"

#define SCTPA_RULE(group, number, ...) \
    bool sctpa_##group##_##number##_applies(const sctpa_context_t *c); \
    bool sctpa_##group##_##number##_violates(const sctpa_context_t *c, sctpa_violation_t *violation);
#include "rules.def"
/* Can the parameters, the causes of c->chunk be read, so that rules are asked about each? O(parameters). */
bool sctpa_format_lists_params(const sctpa_context_t *c);
bool sctpa_format_lists_causes(const sctpa_context_t *c);

#endif
