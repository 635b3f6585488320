/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of user message interleaving (RFC 8260): I-DATA and I-FORWARD-TSN, whether they may be used, and how messages
 * lie in them. */
#include "rules/rule_functions.h"

#include "reference/sender/forward_tsns.h"
#include "reference/sender/message_order.h"
#include "reference/stream_counts.h"

enum { RESERVED_FLAGS = 0xF0, RESERVED_BITS = 0xFFFE };

static sctpa_known_t i_data_negotiated(const sctpa_context_t *c)
{
    return sctpa_negotiated(c->assoc, SCTPA_EXTENSION_I_DATA);
}

bool sctpa_ID_001_applies(const sctpa_context_t *c)
{
    return i_data_negotiated(c) == SCTPA_NO;
}

/* "DATA chunks MUST be used for all user messages and I-DATA chunks MUST NOT be used" */
bool sctpa_ID_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!(c->rows & SCTPA_ROW(I_DATA)))
        return false;
    sctpa_violation_say(violation, "DATA: I-DATA was not negotiated", "I-DATA");
    return true;
}

bool sctpa_ID_002_applies(const sctpa_context_t *c)
{
    return i_data_negotiated(c) == SCTPA_YES;
}

/* "I-DATA chunks MUST be used for all user messages and DATA chunks MUST NOT be used" */
bool sctpa_ID_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!(c->rows & SCTPA_ROW(DATA)))
        return false;
    sctpa_violation_say(violation, "I-DATA, which both endpoints listed", "DATA");
    return true;
}

bool sctpa_ID_003_applies(const sctpa_context_t *c)
{
    return i_data_negotiated(c) != SCTPA_UNKNOWN;
}

/* "The FORWARD-TSN chunk MUST be used in combination with the DATA chunk and MUST NOT be used in combination with the
 * I-DATA chunk" */
bool sctpa_ID_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    bool has_i_data = i_data_negotiated(c) == SCTPA_YES;
    if (!(c->rows & (has_i_data ? SCTPA_ROW(FORWARD_TSN) : SCTPA_ROW(I_FORWARD_TSN))))
        return false;
    sctpa_violation_say(violation, has_i_data ? "I-FORWARD-TSN, as with I-DATA" : "FORWARD-TSN, as with DATA",
                        has_i_data ? "FORWARD-TSN" : "I-FORWARD-TSN");
    return true;
}

/* The misplaced TSN is in the packet; NULL: none is of this kind. */
static const sctpa_tsn_t *find_misplaced(const sctpa_context_t *c, sctpa_misplaced_kind_t kind)
{
    return sctpa_is_misplaced(c, kind) ? sctpa_context_tsn(c->sent, c->reached.misplaced[kind].tsn) : NULL;
}

bool sctpa_ID_004_applies(const sctpa_context_t *c)
{
    return c->facts & SCTPA_FACT_I_MESSAGES;
}

/* "All of these counters are independent and initially 0. They are incremented by 1 for each user message" */
bool sctpa_ID_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = find_misplaced(c, SCTPA_MISPLACED_MID);
    if (!tsn || sctpa_has_reconfigured(c))
        return false;
    const sctpa_fragment_t *before = &c->reached.misplaced[SCTPA_MISPLACED_MID].before;
    if (before->is_known)
        sctpa_violation_say(violation, SCTPA_WORDS("MID %u", before->ssn + 1),
                            SCTPA_WORDS("MID %u after %u on stream %u", tsn->ssn, before->ssn, tsn->stream));
    else
        sctpa_violation_say(violation, "MID 0 in the first message of a stream",
                            SCTPA_WORDS("MID %u in the first one of stream %u", tsn->ssn, tsn->stream));
    return true;
}

bool sctpa_ID_005_applies(const sctpa_context_t *c)
{
    return sctpa_tlv_has(&c->chunk->tlv, SCTPA_F_I_DATA_FSN) && !sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_I_DATA_B);
}

/* The fragment of the message before c->chunk, where its TSN passed; NULL: it did not. */
static const sctpa_tsn_t *fragment_before(const sctpa_context_t *c)
{
    const uint8_t bits = SCTPA_TSN_UNORDERED | SCTPA_TSN_I_DATA;
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    int64_t number;
    if (!tsn || !c->sent || c->sent->restarted)
        return NULL;
    const sctpa_tsn_t *before = sctpa_stream_before(c->sent, c->chunk->sent.number, tsn->stream, false, &number);
    bool is_same = before && before->ssn == tsn->ssn && !((before->flags ^ tsn->flags) & bits);
    return is_same && !(before->flags & SCTPA_TSN_END) ? before : NULL;
}

/* "used to enumerate all fragments of a single user message, starting from 0 and incremented by 1" */
bool sctpa_ID_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t fsn = sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_I_DATA_FSN);
    const sctpa_tsn_t *before = fragment_before(c);
    uint32_t expected = !before ? 0 : before->flags & SCTPA_TSN_BEGIN ? 1 : before->ppid + 1;
    if (fsn != 0 && (!before || fsn == expected))
        return false;
    sctpa_violation_say(violation, before ? SCTPA_WORDS("FSN %u", expected) : "FSN 1 or more: the first fragment has 0",
                        SCTPA_WORDS("FSN %u in TSN %u, which begins no message", fsn,
                                    sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_I_DATA_TSN)));
    return true;
}

bool sctpa_ID_006_applies(const sctpa_context_t *c)
{
    return c->chunk->tlv.type == SCTPA_CHUNK_I_FORWARD_TSN || sctpa_tlv_has(&c->chunk->tlv, SCTPA_F_I_DATA_FSN);
}

/* "They MUST be set to 0 by the sender" */
bool sctpa_ID_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    uint32_t bits = chunk->flags, unit = chunk->row->unit_bytes;
    bool is_i_data = chunk->type == SCTPA_CHUNK_I_DATA;
    if (is_i_data)
        bits = (chunk->flags & RESERVED_FLAGS) | sctpa_tlv_u32(chunk, SCTPA_F_I_DATA_RESERVED);
    for (uint32_t at = chunk->row->fixed_bytes; !is_i_data && at + unit <= chunk->captured_bytes; at += unit)
        bits |= sctpa_be16(chunk->bytes + at + 2) & RESERVED_BITS;
    if (bits == 0)
        return false;
    sctpa_violation_say(violation, "reserved bits 0", SCTPA_WORDS("0x%x", bits));
    return true;
}

bool sctpa_ID_007_applies(const sctpa_context_t *c)
{
    return c->facts & SCTPA_FACT_I_MESSAGES;
}

/* "MUST NOT process (move user data into I-DATA chunks and assign a TSN to it) more than one user message in any given
 * stream at any time" */
bool sctpa_ID_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = find_misplaced(c, SCTPA_MISPLACED_INTERLEAVED);
    if (!tsn)
        return false;
    sctpa_violation_say(violation, "the fragments of a message one after the other in their stream",
                        SCTPA_WORDS("stream %u: MID %u goes on after MID %u", tsn->stream, tsn->ssn,
                                    c->reached.misplaced[SCTPA_MISPLACED_INTERLEAVED].before.ssn));
    return true;
}

bool sctpa_ID_008_applies(const sctpa_context_t *c)
{
    return c->facts & SCTPA_FACT_I_MESSAGES;
}

/* "The first fragment MUST have the B bit set. The last fragment MUST have the E bit set. All other fragments MUST NOT
 * have the B or E bit set." */
bool sctpa_ID_008_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = find_misplaced(c, SCTPA_MISPLACED_BITS);
    if (!tsn)
        return false;
    bool begins = tsn->flags & SCTPA_TSN_BEGIN;
    sctpa_violation_say(violation, begins ? "B on the first fragment only" : "E on the last fragment only",
                        SCTPA_WORDS("stream %u, MID %u: %s", tsn->stream, tsn->ssn,
                                    begins ? "B on a later one" : "E on an earlier one"));
    return true;
}

bool sctpa_ID_010_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "Similar to the Length for FORWARD TSN chunks" */
bool sctpa_ID_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_tlv_is_well_formed(&c->chunk->tlv))
        return false;
    sctpa_violation_say(violation, "8 bytes, and 8 for each stream", SCTPA_WORDS("length %u", c->chunk->tlv.length));
    return true;
}

bool sctpa_ID_012_applies(const sctpa_context_t *c)
{
    const sctpa_init_t *init = &c->assoc->ends[c->from].init;
    return !c->tracked->established && init->whole && sctpa_offers(init, SCTPA_EXTENSION_I_DATA) == SCTPA_YES &&
           sctpa_offers(init, SCTPA_EXTENSION_PARTIAL_RELIABILITY) == SCTPA_YES;
}

/* "it is REQUIRED to implement the corresponding changes specified in Section 2.3" */
bool sctpa_ID_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_offers(&c->assoc->ends[c->from].init, SCTPA_EXTENSION_I_FORWARD_TSN) != SCTPA_NO)
        return false;
    sctpa_violation_say(violation, "I-FORWARD-TSN listed with I-DATA and partial reliability",
                        "I-DATA without I-FORWARD-TSN");
    return true;
}

bool sctpa_ID_015_applies(const sctpa_context_t *c)
{
    return i_data_negotiated(c) != SCTPA_UNKNOWN &&
           sctpa_negotiated(c->assoc, SCTPA_EXTENSION_I_FORWARD_TSN) != SCTPA_UNKNOWN;
}

/* "only if both endpoints indicated their support of user message interleaving and the I-FORWARD-TSN chunk" */
bool sctpa_ID_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_negotiated(c->assoc, SCTPA_EXTENSION_I_FORWARD_TSN) != SCTPA_NO)
        return false;
    sctpa_violation_say(violation, "no I-FORWARD-TSN: the endpoints did not both list it", "I-FORWARD-TSN");
    return true;
}
