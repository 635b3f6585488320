/* Judges user message interleaving (RFC 8260): I-DATA and I-FORWARD-TSN, whether they may be used, and how messages lie
 * in them. */
#include "reference/stream_counts.h"
#include "rules/engine.h"

enum { RESERVED_FLAGS = 0xF0, LOOK_BACK_TSNS = 32, STREAM_BYTES = 8, RESERVED_BITS = 0xFFFE };

/* seen: sctpa_words_t. */
#define accuse(c, rule, expected, seen) \
    sctpa_accuse(c, rule, (c)->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, expected, (seen).text)

static void check_negotiated(sctpa_context_t *c)
{
    sctpa_known_t is_negotiated = sctpa_negotiated(c->assoc, SCTPA_EXTENSION_I_DATA);
    bool has_data = c->rows & SCTPA_ROW(DATA), has_i_data = c->rows & SCTPA_ROW(I_DATA);
    if (is_negotiated == SCTPA_UNKNOWN || (!has_data && !has_i_data))
        return;
    /* "DATA chunks MUST be used for all user messages and I-DATA chunks MUST NOT be used" */
    if (is_negotiated == SCTPA_NO && sctpa_may_judge(c, SCTPA_RULE_ID_001, c->from) && has_i_data)
        accuse(c, SCTPA_RULE_ID_001, "DATA: I-DATA was not negotiated", sctpa_words("I-DATA"));
    /* "I-DATA chunks MUST be used for all user messages and DATA chunks MUST NOT be used" */
    if (is_negotiated == SCTPA_YES && sctpa_may_judge(c, SCTPA_RULE_ID_002, c->from) && has_data)
        accuse(c, SCTPA_RULE_ID_002, "I-DATA, which both endpoints listed", sctpa_words("DATA"));
}

static void check_forward(sctpa_context_t *c)
{
    bool has_forward = c->rows & SCTPA_ROW(FORWARD_TSN), has_i_forward = c->rows & SCTPA_ROW(I_FORWARD_TSN);
    sctpa_known_t is_negotiated = sctpa_negotiated(c->assoc, SCTPA_EXTENSION_I_DATA);
    if (is_negotiated == SCTPA_UNKNOWN || (!has_forward && !has_i_forward))
        return;
    /* "The FORWARD-TSN chunk MUST be used in combination with the DATA chunk and MUST NOT be used in combination with
     * the I-DATA chunk" */
    if (sctpa_may_judge(c, SCTPA_RULE_ID_003, c->from) && (is_negotiated == SCTPA_YES ? has_forward : has_i_forward))
        accuse(c, SCTPA_RULE_ID_003,
               is_negotiated == SCTPA_YES ? "I-FORWARD-TSN, as with I-DATA" : "FORWARD-TSN, as with DATA",
               sctpa_words("%s", is_negotiated == SCTPA_YES ? "FORWARD-TSN" : "I-FORWARD-TSN"));
    /* "only if both endpoints indicated their support of user message interleaving and the I-FORWARD-TSN chunk" */
    sctpa_known_t is_forward_negotiated = sctpa_negotiated(c->assoc, SCTPA_EXTENSION_I_FORWARD_TSN);
    if (has_i_forward && is_forward_negotiated != SCTPA_UNKNOWN && sctpa_may_judge(c, SCTPA_RULE_ID_015, c->from) &&
        is_forward_negotiated == SCTPA_NO)
        accuse(c, SCTPA_RULE_ID_015, "no I-FORWARD-TSN: not both endpoints listed it", sctpa_words("I-FORWARD-TSN"));
}

static void check_announced(sctpa_context_t *c)
{
    const sctpa_init_t *init = &c->assoc->ends[c->from].init;
    if (!(c->rows & (SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK))) || c->tracked->established || !init->whole ||
        sctpa_offers(init, SCTPA_EXTENSION_I_DATA) != SCTPA_YES ||
        sctpa_offers(init, SCTPA_EXTENSION_PARTIAL_RELIABILITY) != SCTPA_YES ||
        !sctpa_may_judge(c, SCTPA_RULE_ID_012, c->from))
        return;
    /* "it is REQUIRED to implement the corresponding changes specified in Section 2.3" */
    if (sctpa_offers(init, SCTPA_EXTENSION_I_FORWARD_TSN) == SCTPA_NO)
        accuse(c, SCTPA_RULE_ID_012, "I-FORWARD-TSN listed with I-DATA and partial reliability",
               sctpa_words("I-DATA without I-FORWARD-TSN"));
}

static void check_reserved(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    if (!sctpa_may_judge(c, SCTPA_RULE_ID_006, c->from))
        return;
    uint32_t bits = chunk->flags, i_data = chunk->type == SCTPA_CHUNK_I_DATA;
    if (i_data)
        bits = (chunk->flags & RESERVED_FLAGS) | sctpa_tlv_u32(chunk, SCTPA_F_I_DATA_RESERVED);
    for (uint32_t at = chunk->row->fixed_bytes; !i_data && at + STREAM_BYTES <= chunk->captured_bytes;
         at += STREAM_BYTES)
        bits |= sctpa_be16(chunk->bytes + at + 2) & RESERVED_BITS;
    /* "They MUST be set to 0 by the sender" */
    if (bits)
        accuse(c, SCTPA_RULE_ID_006, "reserved bits 0", sctpa_words("0x%x", bits));
}

static void check_length(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    /* "Similar to the Length for FORWARD TSN chunks" */
    if (sctpa_may_judge(c, SCTPA_RULE_ID_010, c->from) &&
        (chunk->fault == SCTPA_FAULT_LENGTH_BELOW_MINIMUM || chunk->fault == SCTPA_FAULT_LENGTH_BODY))
        accuse(c, SCTPA_RULE_ID_010, "8 bytes, and 8 for each stream", sctpa_words("length %u", chunk->length));
}

/* The TSN before on the stream of number, when every TSN between was seen; NULL: not known. */
static const sctpa_tsn_t *fragment_before(const sctpa_direction_t *sent, int64_t number, uint16_t stream)
{
    for (int64_t at = number - 1; at >= 0 && at >= number - LOOK_BACK_TSNS; at--) {
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(sent, at);
        if (!tsn || tsn->transmissions == 0)
            return NULL;
        if (tsn->stream == stream)
            return tsn;
    }
    return NULL;
}

static void check_message(sctpa_context_t *c, const sctpa_tsn_t *tsn, int64_t number)
{
    const sctpa_tsn_t *before = fragment_before(c->sent, number, tsn->stream);
    bool begins = tsn->flags & SCTPA_TSN_BEGIN, ended = before && before->flags & SCTPA_TSN_END;
    if (!before || !(before->flags & SCTPA_TSN_I_DATA))
        return;
    bool is_same = before->ssn == tsn->ssn && !((before->flags ^ tsn->flags) & SCTPA_TSN_UNORDERED);
    /* "MUST NOT process (move user data into I-DATA chunks and assign a TSN to it) more than one user message in any
     * given stream at any time" */
    if (sctpa_may_judge(c, SCTPA_RULE_ID_007, c->from) && !is_same && !begins)
        accuse(c, SCTPA_RULE_ID_007, "the fragments of a message one after the other in their stream",
               sctpa_words("stream %u: MID %u goes on after MID %u", tsn->stream, tsn->ssn, before->ssn));
    /* "The first fragment MUST have the B bit set. The last fragment MUST have the E bit set. All other fragments MUST
     * NOT have the B or E bit set." */
    if (sctpa_may_judge(c, SCTPA_RULE_ID_008, c->from) && is_same && begins != ended)
        accuse(c, SCTPA_RULE_ID_008, begins ? "B on the first fragment only" : "E on the last fragment only",
               sctpa_words("stream %u, MID %u: %s", tsn->stream, tsn->ssn,
                           begins ? "B on a later one" : "E on an earlier one"));
    /* "They are incremented by 1 for each user message" */
    if (sctpa_may_judge(c, SCTPA_RULE_ID_004, c->from) && is_same && begins && ended && tsn->ssn != 0 &&
        !sctpa_has_reconfigured(c))
        accuse(c, SCTPA_RULE_ID_004, SCTPA_WORDS("MID %u", tsn->ssn + 1),
               sctpa_words("MID %u again on stream %u", tsn->ssn, tsn->stream));
}

static void check_fragment(sctpa_context_t *c, const sctpa_observed_t *observed)
{
    const sctpa_tlv_t *chunk = &observed->tlv;
    uint32_t fsn = sctpa_tlv_u32(chunk, SCTPA_F_I_DATA_FSN);
    if (!sctpa_tlv_has(chunk, SCTPA_F_I_DATA_FSN))
        return;
    check_reserved(c, chunk);
    /* "used to enumerate all fragments of a single user message, starting from 0 and incremented by 1" */
    if (!sctpa_tlv_u32(chunk, SCTPA_F_I_DATA_B) && sctpa_may_judge(c, SCTPA_RULE_ID_005, c->from) && fsn == 0)
        accuse(c, SCTPA_RULE_ID_005, "FSN 1 or more: the first fragment has 0",
               sctpa_words("FSN 0 in TSN %u, which begins no message", sctpa_tlv_u32(chunk, SCTPA_F_I_DATA_TSN)));
    if (sctpa_observed_is_new(observed) && !c->sent->restarted)
        check_message(c, observed->sent.tsn, observed->sent.number);
}

void sctpa_check_interleaving(sctpa_context_t *c)
{
    check_negotiated(c);
    check_forward(c);
    check_announced(c);
    if (!(c->rows & (SCTPA_ROW(I_DATA) | SCTPA_ROW(I_FORWARD_TSN))))
        return;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i].tlv;
        if (chunk->type == SCTPA_CHUNK_I_DATA) {
            check_fragment(c, &c->chunks[i]);
        } else if (chunk->type == SCTPA_CHUNK_I_FORWARD_TSN) {
            check_length(c, chunk);
            check_reserved(c, chunk);
        }
    }
}
