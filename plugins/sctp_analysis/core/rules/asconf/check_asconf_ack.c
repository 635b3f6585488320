/* Judges answers to ASCONF: ASCONF-ACK, and ERROR that says that a chunk is unknown. */
#include "asconf_state.h"

enum { CAUSE_CHUNK_AT = SCTPA_TLV_HEADER_BYTES, SURE_IDS = 2 };

/* RFC 5061 4.1.2: "This value is copied from the received ASCONF Chunk" */
static void check_serial(sctpa_context_t *c, uint32_t serial, const sctpa_asconf_t *asconf)
{
    int32_t distance = sctpa_serial_distance(asconf->serial, serial);
    if (sctpa_may_judge(c, SCTPA_RULE_AS_006, c->from) &&
        (distance > SCTPA_ASCONF_FAR_NUMBERS || distance < -SCTPA_ASCONF_FAR_NUMBERS))
        sctpa_accuse(c, SCTPA_RULE_AS_006, c->from, SCTPA_NO_PATH, asconf->packet,
                     SCTPA_WORDS("the number of an ASCONF, the last is %u", asconf->serial), SCTPA_WORDS("%u", serial));
}

/* RFC 5061 5.2 V3: "All responses MUST copy the ASCONF-Request Correlation ID field received" */
static void check_ids(sctpa_context_t *c, const sctpa_tlv_t *answer, const sctpa_asconf_t *asconf)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    if (!asconf->ids_known)
        return;
    sctpa_params_begin(&iter, answer);
    while (sctpa_tlv_next(&iter, &param)) {
        unsigned i = 0;
        if ((param.type != SCTPA_PARAM_SUCCESS_INDICATION && param.type != SCTPA_PARAM_ERROR_CAUSE_INDICATION) ||
            param.captured_bytes < 8 || !sctpa_may_judge(c, SCTPA_RULE_AS_008, c->from))
            continue;
        uint32_t id = sctpa_tlv_u32(&param, param.type == SCTPA_PARAM_SUCCESS_INDICATION
                                                ? SCTPA_F_SUCCESS_INDICATION_CORRELATION
                                                : SCTPA_F_ERROR_CAUSE_INDICATION_CORRELATION);
        while (i < asconf->n_ids && asconf->ids[i] != id)
            i++;
        if (i == asconf->n_ids)
            sctpa_accuse(c, SCTPA_RULE_AS_008, c->from, SCTPA_NO_PATH, asconf->packet, "a correlation id of the ASCONF",
                         SCTPA_WORDS("0x%08x", id));
    }
}

/* RFC 5061 5.2 E6: "The destination address of the SCTP packet containing the ASCONF-ACK Chunks MUST be the source
 * address" */
static void check_destination(sctpa_context_t *c, sctpa_asker_t *asker)
{
    const sctpa_asconf_t *asconf = &asker->asconf;
    if (!asconf->sources_known || asconf->answered || !sctpa_may_judge(c, SCTPA_RULE_AS_007, c->from))
        return;
    for (unsigned i = 0; i < asconf->n_sources; i++)
        if (sctpa_addr_equal(&asconf->sources[i], &c->packet->destination))
            return;
    if (++asker->elsewhere >= SCTPA_ASCONF_ELSEWHERE)
        sctpa_accuse(
            c, SCTPA_RULE_AS_007, c->from, c->path, asker->elsewhere_packet,
            SCTPA_WORDS("ASCONF-ACK to %s", sctpa_addr_words(&asconf->sources[0]).text),
            SCTPA_WORDS("to %s, as %u before", sctpa_addr_words(&c->packet->destination).text, asker->elsewhere - 1));
    asker->elsewhere_packet = c->index;
}

/* Does answer refuse nothing? Whole answers only. */
static bool grants_all(const sctpa_tlv_t *answer)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    if (answer->captured_bytes < answer->wire_bytes)
        return false;
    sctpa_params_begin(&iter, answer);
    while (sctpa_tlv_next(&iter, &param))
        if (param.type != SCTPA_PARAM_SUCCESS_INDICATION)
            return false;
    return true;
}

/* RFC 5061 5.3 F8: "the receiver MUST reject this request" */
static void check_granted(sctpa_context_t *c, const sctpa_asconf_t *asconf, bool is_granted)
{
    if (asconf->is_illegal && sctpa_may_judge(c, SCTPA_RULE_AS_015, c->from) && is_granted)
        sctpa_accuse(c, SCTPA_RULE_AS_015, c->from, SCTPA_NO_PATH, asconf->packet,
                     SCTPA_WORDS("request 0x%08x refused, it deletes the source of its packet", asconf->illegal_id),
                     "granted");
}

/* RFC 5061 5.3 F4: "MUST NOT be used as a source address for any subsequent packets" */
static void check_late(sctpa_context_t *c, sctpa_asker_t *asker)
{
    if (asker->asconf.deleted.bytes == 0 || !sctpa_may_judge(c, SCTPA_RULE_AS_012, !c->from) ||
        asker->late_packet == SCTPA_NO_PACKET_INDEX)
        return;
    sctpa_accuse(c, SCTPA_RULE_AS_012, !c->from, SCTPA_NO_PATH, asker->late_packet,
                 SCTPA_WORDS("no packet from %s after its deletion was asked for",
                             sctpa_addr_words(&asker->asconf.deleted).text),
                 SCTPA_WORDS("one in frame %u", sctpa_context_frame(c, asker->late_packet)));
}

void sctpa_check_asconf_ack(sctpa_context_t *c, const sctpa_tlv_t *answer)
{
    sctpa_asker_t *asker = sctpa_asker(c, !c->from);
    uint32_t serial = sctpa_tlv_u32(answer, SCTPA_F_ASCONF_ACK_SERIAL);
    if (sctpa_may_judge(c, SCTPA_RULE_AS_010, c->from) && !(c->rows & SCTPA_ROW(SHUTDOWN_ACK)) &&
        sctpa_counts_chunks(c->assoc->ends[c->from].settled, SCTPA_CHUNK_ROW_SHUTDOWN_ACK) > 0)
        sctpa_accuse(c, SCTPA_RULE_AS_010, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     "no ASCONF-ACK after an own SHUTDOWN ACK", "ASCONF-ACK");
    if (!asker || !asker->asked || !sctpa_tlv_has(answer, SCTPA_F_ASCONF_ACK_SERIAL))
        return;
    sctpa_asconf_t *asconf = &asker->asconf;
    check_serial(c, serial, asconf);
    if (serial != asconf->serial)
        return;
    check_ids(c, answer, asconf);
    check_destination(c, asker);
    bool is_granted = grants_all(answer) && !asconf->answered;
    check_granted(c, asconf, is_granted);
    if (is_granted) {
        check_late(c, asker);
        if (asconf->n_ids <= SURE_IDS && !sctpa_addr_equal(&asconf->deleted, &asconf->added))
            asker->gone = asconf->deleted;
        asker->gone_ns = c->packet->time_ns;
        asker->gone_packet = c->index;
    }
    asconf->answered = true;
}

/* RFC 5061 4.2.7: "The sender MUST support both the sending and the receiving of any chunk types listed" */
static void check_supported(sctpa_context_t *c, const sctpa_tlv_t *cause)
{
    uint8_t type = cause->bytes[CAUSE_CHUNK_AT];
    unsigned row = sctpa_chunk_row(type);
    if (row == SCTPA_CHUNK_ROW_OTHER || !sctpa_may_judge(c, SCTPA_RULE_AS_024, c->from))
        return;
    if (c->assoc->ends[c->from].init.supported_chunks >> row & 1)
        sctpa_accuse(c, SCTPA_RULE_AS_024, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     SCTPA_WORDS("%s understood, it is among the own Supported Extensions", sctpa_chunk_row_word(row)),
                     "ERROR, cause Unrecognized Chunk Type");
}

static void note_refusal(sctpa_context_t *c, const sctpa_tlv_t *cause, sctpa_asker_t *asker)
{
    if (cause->bytes[CAUSE_CHUNK_AT] != SCTPA_CHUNK_ASCONF || !asker ||
        c->assoc->ends[c->from].init.auth_chunks & SCTPA_ROW(ERROR))
        return;
    asker->refusals++;
    asker->refusal_packet = c->index;
    asker->refusal_ns = c->packet->time_ns;
    asker->refused_serial = asker->asconf.serial;
}

void sctpa_check_asconf_error(sctpa_context_t *c, const sctpa_tlv_t *error)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t cause;
    sctpa_params_begin(&iter, error);
    while (sctpa_tlv_next(&iter, &cause))
        if (cause.type == SCTPA_CAUSE_UNRECOGNIZED_CHUNK && cause.captured_bytes > CAUSE_CHUNK_AT) {
            check_supported(c, &cause);
            note_refusal(c, &cause, sctpa_asker(c, !c->from));
        }
}
