/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rules of checksums have in common, in UDP and elsewhere. */
#ifndef SCTPA_RULES_CHECK_CHECKSUM_H
#define SCTPA_RULES_CHECK_CHECKSUM_H

#include "rules/rule_functions.h"

/* Must the sender of the packet compute its checksum: its peer did not accept zero, and it computes others? */
bool sctpa_must_not_be_zero(const sctpa_context_t *c);
/* Is the checksum 0 so often that it is no chance? Fills violation. */
bool sctpa_is_zero_again(const sctpa_context_t *c, sctpa_violation_t *violation);

#endif
