/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When the revisions of the protocol were published: what only a newer one requires, an older packet could not follow.
 */
#ifndef SCTPA_MODEL_REVISIONS_H
#define SCTPA_MODEL_REVISIONS_H

#include "rule.h"

/* Does only a revision of the protocol ask for what the rule does that was published after the packet, by its stamp?
 * No where that is before RFC 2960: such a clock was never set. O(1). */
bool sctpa_revision_is_newer(const sctpa_rule_info_t *info, int64_t time_ns);

/* Is it a revision of the protocol that asks for what the rule does, so that the level of a finding may be lower than
 * that of its rule? O(1). */
bool sctpa_revision_asks(const sctpa_rule_info_t *info);

#endif
