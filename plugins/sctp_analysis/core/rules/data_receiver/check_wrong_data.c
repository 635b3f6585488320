/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules about DATA that a receiver must complain of. */
#include "reference/receiver/wrong_data.h"
#include "rules/rule_functions.h"

bool sctpa_RX_024_applies(const sctpa_context_t *c)
{
    return sctpa_wrong_data_stream(c, c->from) && sctpa_assoc_is_single_homed(c->assoc);
}

/* RFC 9260 6.5: "it SHOULD acknowledge the reception of the DATA chunk following the normal procedure, immediately send
 * an ERROR chunk" */
bool sctpa_RX_024_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_wrong_chunk_t *wrong = sctpa_wrong_data_stream(c, c->from);
    if (c->rows & (SCTPA_ROW(ERROR) | SCTPA_ROW(ABORT)) || sctpa_wrong_data_overdue_ns(c, wrong) < 0)
        return false;
    violation->related = wrong->packet;
    sctpa_violation_say(violation, "ERROR with cause 1, Invalid Stream Identifier",
                        SCTPA_WORDS("TSN %u of stream %u, which does not exist, was acknowledged and no ERROR came",
                                    wrong->tsn, wrong->stream));
    return true;
}

bool sctpa_RX_025_applies(const sctpa_context_t *c)
{
    return sctpa_wrong_data_empty(c, c->from) && sctpa_assoc_is_single_homed(c->assoc);
}

/* RFC 9260 6.2: "it SHOULD send an ABORT chunk with a "No User Data" error cause" */
bool sctpa_RX_025_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_wrong_chunk_t *wrong = sctpa_wrong_data_empty(c, c->from);
    if (c->rows & SCTPA_ROW(ABORT) || !wrong->is_acked)
        return false;
    violation->related = wrong->packet;
    sctpa_violation_say(
        violation, "ABORT with cause 9, No User Data",
        SCTPA_WORDS("TSN %u, a DATA chunk of 16 bytes, was acknowledged and the association goes on", wrong->tsn));
    return true;
}

bool sctpa_ID_009_applies(const sctpa_context_t *c)
{
    return sctpa_wrong_data_kind(c, c->from) && sctpa_assoc_is_single_homed(c->assoc);
}

/* RFC 8260 2.2.3: "the receiver of the DATA chunk MUST abort the association by sending an ABORT chunk" */
bool sctpa_ID_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_wrong_chunk_t *wrong = sctpa_wrong_data_kind(c, c->from);
    if (c->rows & SCTPA_ROW(ABORT) || !wrong->is_acked)
        return false;
    bool is_data = sctpa_negotiated(c->assoc, SCTPA_EXTENSION_I_DATA) == SCTPA_YES;
    violation->related = wrong->packet;
    sctpa_violation_say(violation, is_data ? "ABORT: I-DATA was negotiated" : "ABORT: I-DATA was not negotiated",
                        SCTPA_WORDS("TSN %u, in %s, was acknowledged and the association goes on", wrong->tsn,
                                    is_data ? "DATA" : "I-DATA"));
    return true;
}
