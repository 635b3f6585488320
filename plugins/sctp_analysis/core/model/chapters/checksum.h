/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rules of checksums have in common, in UDP and elsewhere. */
#ifndef SCTPA_CHAPTERS_CHECKSUM_H
#define SCTPA_CHAPTERS_CHECKSUM_H

#include "model/engine.h"

/* A single match may be chance. */
#define SCTPA_CHECKSUMS_WRONG 3

/* Is the checksum 0, of a sender that must compute it? Fills violation. O(1). */
bool sctpa_is_zero_checksum(const sctpa_context_t *c, sctpa_violation_t *violation);

#endif
