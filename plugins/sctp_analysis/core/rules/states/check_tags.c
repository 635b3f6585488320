/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of Verification Tags. Leaves out those of INIT and of packets that no association takes. */
#include "reference/life/wrong_tags.h"
#include "rules/rule_functions.h"

/* Its last packets had the wrong tag, and this one, which has the right one, shows that it sent them. */
bool sctpa_SM_001_applies(const sctpa_context_t *c)
{
    const sctpa_wrong_tags_t *wrong = sctpa_wrong_tags(c, c->from);
    return !c->is_stray && wrong && wrong->strays > 0 && sctpa_wrong_tags_are_own(c, wrong);
}

/* "the endpoint MUST fill in the Verification Tag field of the outbound packet with the tag value in the Initiate Tag
 * parameter of the INIT or INIT ACK chunk received from its peer" */
bool sctpa_SM_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_wrong_tags_t *wrong = sctpa_wrong_tags(c, c->from);
    violation->path = c->path;
    violation->related = wrong->last_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("Verification Tag 0x%08x", c->assoc->ends[!c->from].vtag),
                        SCTPA_WORDS("0x%08x in packets: %u", wrong->last_tag, wrong->strays));
    return true;
}

/* The accused answered a stray of the sender, whose next packet shows whether one was missed that held the same. */
bool sctpa_SM_003_applies(const sctpa_context_t *c)
{
    const sctpa_wrong_tags_t *wrong = sctpa_wrong_tags(c, c->from);
    return !c->is_stray && wrong && wrong->is_answered;
}

/* "the receiver MUST silently discard the packet and MUST NOT process it any further" */
bool sctpa_SM_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_wrong_tags_t *wrong = sctpa_wrong_tags(c, c->from);
    bool is_only = sctpa_tap_sent_all(&c->reference->tap, c->from, wrong->heartbeat_before, c->index) == SCTPA_YES;
    bool is_asserted = !is_only && sctpa_context_is_asserted(c, SCTPA_ASSERTED_COMPLETE);
    violation->related = wrong->answer_packet;
    violation->at_best = is_only || is_asserted ? SCTPA_CERTAINTY_PROVEN : SCTPA_CERTAINTY_PROBABLE;
    violation->rests_on = is_asserted ? SCTPA_ASSERTED_COMPLETE : 0;
    sctpa_violation_say(violation, "no answer to a packet with a wrong Verification Tag",
                        SCTPA_WORDS("HEARTBEAT ACK for the HEARTBEAT of frame %u with tag 0x%08x",
                                    sctpa_context_frame(c, wrong->heartbeat_packet), wrong->heartbeat_tag));
    return true;
}

/* May only one of the two tags stand in a packet of its sender, by its T bit? */
static bool tells_tags_apart(const sctpa_context_t *c)
{
    const sctpa_end_t *ends = c->assoc->ends;
    return !c->assoc->collision && ends[0].vtag != ends[1].vtag;
}

/* The right tag for a T bit, and the one that the packet has. */
static void say_tag(const sctpa_context_t *c, sctpa_violation_t *violation, bool has_t)
{
    violation->path = c->path;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("T bit %d with tag 0x%08x", has_t, c->assoc->ends[c->from ^ !has_t].vtag),
                        SCTPA_WORDS("T bit %d with tag 0x%08x", has_t, sctpa_context_vtag(c)));
}

/* Not that of a middlebox. */
bool sctpa_SM_004_applies(const sctpa_context_t *c)
{
    const sctpa_tlv_t *abort = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT);
    return !sctpa_tlv_u32(abort, SCTPA_F_ABORT_M) && tells_tags_apart(c);
}

/* "The T bit is set to 0 if the sender filled in the Verification Tag expected by the peer. If the Verification Tag is
 * reflected, the T bit MUST be set to 1." */
bool sctpa_SM_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    bool has_t = sctpa_tlv_u32(sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT), SCTPA_F_ABORT_T);
    if (sctpa_context_vtag(c) != c->assoc->ends[c->from ^ has_t].vtag || (has_t && sctpa_wrong_tags(c, !c->from)))
        return false;
    say_tag(c, violation, has_t);
    return true;
}

bool sctpa_SM_006_applies(const sctpa_context_t *c)
{
    return tells_tags_apart(c);
}

/* "the destination endpoint's tag MUST be used and the T bit MUST NOT be set" */
bool sctpa_SM_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    bool has_t = sctpa_tlv_u32(sctpa_context_chunk(c, SCTPA_CHUNK_ROW_SHUTDOWN_COMPLETE), SCTPA_F_SHUTDOWN_COMPLETE_T);
    if (sctpa_context_vtag(c) != c->assoc->ends[c->from ^ has_t].vtag)
        return false;
    say_tag(c, violation, has_t);
    return true;
}
