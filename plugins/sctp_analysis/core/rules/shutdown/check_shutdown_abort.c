/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of ABORT: its tag where it refuses, what it answers. Leaves out data after it (check_shutdown_after.c). */
#include "reference/life/endpoint_teardown.h"
#include "rules/rule_functions.h"
#include "shutdown_limits.h"

/* The packet's ABORT; NULL: a middlebox sent it. */
static const sctpa_tlv_t *find_abort(const sctpa_context_t *c)
{
    const sctpa_tlv_t *abort = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT);
    return sctpa_tlv_u32(abort, SCTPA_F_ABORT_M) ? NULL : abort;
}

bool sctpa_HS_033_applies(const sctpa_context_t *c)
{
    const sctpa_setup_t *setup = &c->assoc->setup;
    return find_abort(c) && setup->steps[SCTPA_STEP_INIT].count > 0 && setup->steps[SCTPA_STEP_INIT].by != c->from &&
           !c->assoc->collision && setup->steps[SCTPA_STEP_INIT_ACK].count == 0 &&
           setup->steps[SCTPA_STEP_COOKIE_ECHO].count == 0 && !c->tracked->established;
}

/* RFC 9260 8.4: "the Verification Tag of the packet containing the ABORT chunk MUST be the Initiate Tag of the received
 * INIT chunk" */
bool sctpa_HS_033_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    bool has_t = sctpa_tlv_u32(find_abort(c), SCTPA_F_ABORT_T);
    uint32_t vtag = sctpa_context_vtag(c);
    if (!has_t && vtag != 0)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, SCTPA_WORDS("T bit 0, Verification Tag 0x%08x", c->assoc->ends[!c->from].vtag),
                        SCTPA_WORDS("T bit %d, Verification Tag 0x%08x", has_t, vtag));
    return true;
}

bool sctpa_SM_011_applies(const sctpa_context_t *c)
{
    return find_abort(c) && sctpa_teardown_is_abort_reply(c);
}

/* RFC 9260 9.1: "An endpoint MUST NOT respond to any received packet that contains an ABORT chunk" */
bool sctpa_SM_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_endpoint_teardown_t *own = sctpa_teardown(c, c->from);
    if (own->abort_replies + 1 < SCTPA_ABORT_REPLIES)
        return false;
    violation->path = c->path;
    violation->related = own->last_abort;
    sctpa_violation_say(violation, "no answer to ABORT", "ABORT, although only ABORT came since its last one");
    return true;
}

/* It has no association: it reflects the tag of what it answers, its own. */
bool sctpa_SM_010_applies(const sctpa_context_t *c)
{
    const sctpa_tlv_t *abort = find_abort(c);
    return abort && sctpa_tlv_u32(abort, SCTPA_F_ABORT_T) && sctpa_teardown(c, c->from)->heard &&
           sctpa_context_vtag(c) == c->assoc->ends[c->from].vtag;
}

/* "If the packet contains a SHUTDOWN COMPLETE chunk, the receiver SHOULD silently discard the packet" */
bool sctpa_SM_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_endpoint_teardown_t *own = sctpa_teardown(c, c->from);
    if (own->heard & ~(SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(COOKIE_ACK)))
        return false;
    violation->path = c->path;
    violation->related = own->heard_packet;
    sctpa_violation_say(violation, "no answer", "ABORT with T bit 1");
    return true;
}
