/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Congestion marks (CE) on data that passed towards a receiver, until it echoes them (RFC 4960 appendix A). Only new
 * data of associations with ECN counts: no mark of it was echoed before. Leaves out what the sender makes of the echo.
 */
#ifndef SCTPA_REFERENCE_CE_MARKS_H
#define SCTPA_REFERENCE_CE_MARKS_H

#include "reference/context.h"

/* The first mark that a receiver has not echoed. */
typedef struct {
    int64_t time_ns;
    uint32_t packet; /* that it was on */
    uint32_t sacks;  /* packets with SACKs since then */
    bool is_waiting;
} sctpa_ce_mark_t;

/* That of the sender of the packet, before the packet; NULL none. O(1). */
const sctpa_ce_mark_t *sctpa_ce_mark(const sctpa_context_t *c);
/* Must the sender have echoed it by the packet, which holds a SACK? O(1). */
bool sctpa_ce_mark_is_due(const sctpa_context_t *c, const sctpa_ce_mark_t *mark);
/* Takes the packet, after the rules: its mark; its ECNE or SACK, with which a mark that is echoed or overdue is done
 * with. O(1). */
void sctpa_ce_marks_take(const sctpa_context_t *c);

#endif
