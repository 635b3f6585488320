/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of explicit congestion notification (RFC 4960 appendix A): whether marks are echoed, and the chunks that do it.
 * Leaves out what the window does. */
#include "reference/receiver/ce_marks.h"
#include "rules/rule_functions.h"

bool sctpa_EC_002_applies(const sctpa_context_t *c)
{
    const sctpa_ce_mark_t *mark = sctpa_ce_mark(c);
    return mark && (c->rows & SCTPA_ROW(ECNE) || sctpa_ce_mark_is_due(c, mark));
}

/* "this same indication is made by including the ECNE chunk" */
bool sctpa_EC_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_ce_mark_t *mark = sctpa_ce_mark(c);
    if (c->rows & SCTPA_ROW(ECNE))
        return false;
    violation->related = mark->packet;
    sctpa_violation_say(violation, "ECNE after data marked with CE",
                        SCTPA_WORDS("%u SACKs without it", mark->sacks + 1));
    return true;
}

bool sctpa_EC_010_applies(const sctpa_context_t *c)
{
    return c->chunk->tlv.row != NULL;
}

/* "This chunk contains one data element" */
bool sctpa_EC_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    if (chunk->fault != SCTPA_FAULT_LENGTH_BELOW_MINIMUM && chunk->fault != SCTPA_FAULT_LENGTH_BODY)
        return false;
    sctpa_violation_say(violation, "length 8, or 12 for ECNE",
                        SCTPA_WORDS("%s of length %u", chunk->row->word, chunk->length));
    return true;
}
