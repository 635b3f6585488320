/* Judges ABORT: by its tag where it refuses, what it answers, what follows it. */
#include "check_shutdown.h"

/* RFC 9260 8.4: "the Verification Tag of the packet containing the ABORT chunk MUST be the Initiate Tag of the received
 * INIT chunk" */
static void check_refusal(sctpa_context_t *c, bool has_t)
{
    const sctpa_setup_t *setup = &c->assoc->setup;
    uint32_t vtag = sctpa_be32(c->packet->bytes + 4);
    bool is_refusal = setup->steps[SCTPA_STEP_INIT].count > 0 && setup->steps[SCTPA_STEP_INIT].by != c->from &&
                      !c->assoc->collision && setup->steps[SCTPA_STEP_INIT_ACK].count == 0 &&
                      setup->steps[SCTPA_STEP_COOKIE_ECHO].count == 0 && !c->tracked->established;
    if (!is_refusal || !sctpa_may_judge(c, SCTPA_RULE_HS_033, c->from) || (!has_t && vtag != 0))
        return;
    sctpa_accuse(c, SCTPA_RULE_HS_033, c->from, c->path, SCTPA_NO_PACKET_INDEX,
                 SCTPA_WORDS("T bit 0, Verification Tag 0x%08x", c->assoc->ends[!c->from].vtag),
                 SCTPA_WORDS("T bit %d, Verification Tag 0x%08x", has_t, vtag));
}

/* RFC 9260 9.1: "An endpoint MUST NOT respond to any received packet that contains an ABORT chunk" */
static void check_reply(sctpa_context_t *c, sctpa_closing_end_t *end)
{
    bool is_reply = end->aborts_heard > 0 && end->others_heard == 0 && sctpa_closing_has(end->last_abort_packet);
    end->replies = is_reply ? end->replies + 1 : 0;
    if (is_reply && sctpa_may_judge(c, SCTPA_RULE_SM_011, c->from) && end->replies >= SCTPA_ABORT_REPLIES)
        sctpa_accuse(c, SCTPA_RULE_SM_011, c->from, c->path, end->last_abort_packet, "no answer to ABORT",
                     "ABORT, where nothing but ABORT had come since its last one");
    end->aborts_heard = end->others_heard = 0;
    end->last_abort_packet = c->index;
}

/* RFC 9260 6: "Data transmission MUST only happen in the ESTABLISHED, SHUTDOWN-PENDING, and SHUTDOWN-RECEIVED states."
 */
static void check_after_abort(sctpa_context_t *c, const sctpa_closing_end_t *end)
{
    if (!sctpa_closing_has(end->abort_packet) || !(c->rows & SCTPA_DATA_ROWS) ||
        c->packet->time_ns - end->abort_ns < SCTPA_GOING_ON_MS * SCTPA_NS_PER_MS ||
        !sctpa_may_judge(c, SCTPA_RULE_SM_023, c->from) || c->packet->ttl != end->abort_ttl)
        return;
    sctpa_accuse(c, SCTPA_RULE_SM_023, c->from, c->path, end->abort_packet, "no DATA after its ABORT",
                 SCTPA_WORDS("DATA %.0f ms later", (double)(c->packet->time_ns - end->abort_ns) / 1e6));
}

void sctpa_closing_check_abort(sctpa_context_t *c, sctpa_closing_state_t *state)
{
    const sctpa_tlv_t *abort = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT);
    sctpa_closing_end_t *end = &state->ends[c->from], *peer = &state->ends[!c->from];
    check_after_abort(c, end);
    if (abort && !sctpa_tlv_u32(abort, SCTPA_F_ABORT_M)) {
        check_refusal(c, sctpa_tlv_u32(abort, SCTPA_F_ABORT_T));
        check_reply(c, end);
    }
    if (abort)
        peer->aborts_heard++;
    else
        peer->others_heard++;
}
