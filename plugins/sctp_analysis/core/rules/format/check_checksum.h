/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rules of checksums have in common, in UDP and elsewhere. */
#ifndef SCTPA_RULES_CHECK_CHECKSUM_H
#define SCTPA_RULES_CHECK_CHECKSUM_H

#include "rules/rule_functions.h"

/* Is the checksum 0, of a sender that must compute it? Fills violation. */
bool sctpa_is_zero_checksum(const sctpa_context_t *c, sctpa_violation_t *violation);

#endif
