/* SPDX-License-Identifier: GPL-2.0-or-later */
/* User message interleaving (RFC 8260): I-DATA and I-FORWARD-TSN, whether they may be used, and how messages lie in
 * them. */
#include "model/chapter.h"

#include "model/shared/forward_tsns.h"
#include "model/shared/message_order.h"

enum { RESERVED_FLAGS = 0xF0, RESERVED_BITS = 0xFFFE };

static sctpa_known_t i_data_negotiated(const sctpa_context_t *c)
{
    return sctpa_negotiated(c->assoc, SCTPA_EXTENSION_I_DATA);
}

RULE(ID, 001,
    .level = MUST, .since = 8260, .seeing = NOTHING, .needs = SETUP | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS,
    .accused = "sender of the data",
    .clause = "RFC 8260 2.2.1",
    .title = "I-DATA without negotiation",
    .quote = "DATA chunks MUST be used for all user messages and I-DATA chunks MUST NOT be used",
    .why = "The receiver must abort the association.",
    .evidence = "I-DATA, although INIT and INIT ACK do not both list chunk type 0x40.",
    .doubt = "Both announcements must have been captured whole.");

static bool ID_001_applies(const sctpa_context_t *c)
{
    return i_data_negotiated(c) == SCTPA_NO;
}

/* "DATA chunks MUST be used for all user messages and I-DATA chunks MUST NOT be used" */
static bool ID_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!(c->rows & SCTPA_ROW(I_DATA)))
        return false;
    sctpa_violation_say(violation, "DATA: I-DATA was not negotiated", "I-DATA");
    return true;
}

RULE(ID, 002,
    .level = MUST, .since = 8260, .seeing = NOTHING, .needs = SETUP | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS,
    .accused = "sender of the data",
    .clause = "RFC 8260 2.2.1",
    .title = "DATA though I-DATA was negotiated",
    .quote = "I-DATA chunks MUST be used for all user messages and DATA chunks MUST NOT be used",
    .why = "The receiver must abort the association.",
    .evidence = "DATA, although both INIT and INIT ACK list chunk type 0x40.",
    .doubt = "Both announcements must have been captured whole.");

static bool ID_002_applies(const sctpa_context_t *c)
{
    return i_data_negotiated(c) == SCTPA_YES;
}

/* "I-DATA chunks MUST be used for all user messages and DATA chunks MUST NOT be used" */
static bool ID_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!(c->rows & SCTPA_ROW(DATA)))
        return false;
    sctpa_violation_say(violation, "I-DATA, which both endpoints listed", "DATA");
    return true;
}

RULE(ID, 003,
    .level = MUST, .since = 8260, .seeing = NOTHING, .needs = SETUP | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ROW(FORWARD_TSN) | ROW(I_FORWARD_TSN),
    .accused = "sender of the chunk",
    .clause = "RFC 8260 2.3.1",
    .title = "FORWARD-TSN with I-DATA, or I-FORWARD-TSN with DATA",
    .quote = "The FORWARD-TSN chunk MUST be used in combination with the DATA chunk and MUST NOT be used in "
        "combination with the I-DATA chunk.",
    .why = "The receiver must abort the association, or cannot know which messages were given up.",
    .evidence = "The chunk is not the one that goes with what was negotiated.",
    .doubt = "Both announcements must have been captured whole.");

static bool ID_003_applies(const sctpa_context_t *c)
{
    return i_data_negotiated(c) != SCTPA_UNKNOWN;
}

/* "The FORWARD-TSN chunk MUST be used in combination with the DATA chunk and MUST NOT be used in combination with the
 * I-DATA chunk" */
static bool ID_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

RULE(ID, 004,
    .level = MUST, .since = 8260, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ROW(I_DATA), .if_facts = I_MESSAGES,
    .report = { .one_defect = true },
    .accused = "sender of the data",
    .clause = "RFC 8260 2.1",
    .title = "MID does not follow the one before it",
    .quote = "They are incremented by 1 for each user message.",
    .why = "The receiver takes the message for a duplicate, or waits for the messages before it for ever.",
    .evidence = "In TSN order of one stream, a message is followed by the beginning of another whose MID is not that "
        "of the first plus 1, both ordered or both unordered; or the first message of a stream, of either kind, has "
        "another MID than 0.",
    .doubt = "Not checked after a RE-CONFIG, nor is MID 0 where both endpoints listed RE-CONFIG, since it follows a "
        "reset of the stream. Every TSN between the two, or from the initial one on, must have been seen, so that no "
        "message was given up between them: one without a TSN has no MID. Streams from 1024 on are not checked for "
        "their first message.");

static bool ID_004_applies(const sctpa_context_t *c)
{
    return c->facts & SCTPA_FACT_I_MESSAGES;
}

/* "All of these counters are independent and initially 0. They are incremented by 1 for each user message" */
static bool ID_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

RULE(ID, 005,
    .level = MUST, .since = 8260, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(I_DATA),
    .report = { .one_defect = true },
    .accused = "sender of the data",
    .clause = "RFC 8260 2.1",
    .title = "FSN does not follow the one before it",
    .quote = "The FSN is used to enumerate all fragments of a single user message, starting from 0 and incremented by "
        "1.",
    .why = "Two fragments have one number: the receiver cannot reassemble the message, or aborts.",
    .evidence = "I-DATA without the B bit and FSN 0, or another FSN than that of the fragment before it plus 1.",
    .doubt = "The fragment before it counts where its TSN, and every TSN between, was seen. With the B bit the field "
        "is the PPID and the FSN is 0 by definition. A message of more than 2^32 "
        "fragments is not considered.");

static bool ID_005_applies(const sctpa_context_t *c)
{
    return sctpa_tlv_has(&c->chunk->tlv, SCTPA_F_I_DATA_FSN) && !sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_I_DATA_B);
}

/* "used to enumerate all fragments of a single user message, starting from 0 and incremented by 1" */
static bool ID_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

RULE(ID, 006,
    .level = MUST, .since = 8260, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(I_DATA) | ROW(I_FORWARD_TSN),
    .accused = "sender of the chunk",
    .clause = "RFC 8260 2.1, 2.3.1",
    .title = "Reserved bits set",
    .quote = "They MUST be set to 0 by the sender and MUST be ignored by the receiver.",
    .why = "A later extension may give them a meaning.",
    .evidence = "Reserved flags or the reserved field of I-DATA, flags or reserved bits of I-FORWARD-TSN.",
    .doubt = "The I bit of I-DATA and the U bit of a listed stream are not reserved.");

static bool ID_006_applies(const sctpa_context_t *c)
{
    return c->chunk->tlv.type == SCTPA_CHUNK_I_FORWARD_TSN || sctpa_tlv_has(&c->chunk->tlv, SCTPA_F_I_DATA_FSN);
}

/* "They MUST be set to 0 by the sender" */
static bool ID_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

RULE(ID, 007,
    .level = MUST, .since = 8260, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ROW(I_DATA), .if_facts = I_MESSAGES,
    .accused = "sender of the data",
    .clause = "RFC 8260 2.2.2",
    .title = "Two messages of one stream interleaved",
    .quote = "The sender MUST NOT process (move user data into I-DATA chunks and assign a TSN to it) more than one "
        "user message in any given stream at any time.",
    .why = "The receiver may drop or mix fragments.",
    .evidence = "In TSN order, a fragment that begins no message follows one of another message of its stream.",
    .doubt = "The order of TSNs counts, not that of arrival; every TSN between the two must have been seen. A message "
        "given up halfway is not continued.");

static bool ID_007_applies(const sctpa_context_t *c)
{
    return c->facts & SCTPA_FACT_I_MESSAGES;
}

/* "MUST NOT process (move user data into I-DATA chunks and assign a TSN to it) more than one user message in any given
 * stream at any time" */
static bool ID_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = find_misplaced(c, SCTPA_MISPLACED_INTERLEAVED);
    if (!tsn)
        return false;
    sctpa_violation_say(violation, "the fragments of a message one after the other in their stream",
                        SCTPA_WORDS("stream %u: MID %u goes on after MID %u", tsn->stream, tsn->ssn,
                                    c->reached.misplaced[SCTPA_MISPLACED_INTERLEAVED].before.ssn));
    return true;
}

RULE(ID, 008,
    .level = MUST, .since = 8260, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ROW(I_DATA), .if_facts = I_MESSAGES,
    .accused = "sender of the data",
    .clause = "RFC 8260 2.2.2",
    .title = "B or E bit in the middle of a message",
    .quote = "All other fragments MUST NOT have the B or E bit set.",
    .why = "The receiver delivers a part of a message as a whole.",
    .evidence = "In TSN order of one stream, a fragment continues the MID of the one before it although that had the E "
        "bit; or a fragment with the B bit follows another part of the same message.",
    .doubt = "A last fragment that was never sent may have been given up and is not checked; every TSN between the two "
        "must have been seen.");

static bool ID_008_applies(const sctpa_context_t *c)
{
    return c->facts & SCTPA_FACT_I_MESSAGES;
}

/* "The first fragment MUST have the B bit set. The last fragment MUST have the E bit set. All other fragments MUST NOT
 * have the B or E bit set." */
static bool ID_008_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

RULE(ID, 010,
    .level = MUST, .since = 8260, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(I_FORWARD_TSN),
    .accused = "sender of the chunk",
    .clause = "RFC 8260 2.3.1",
    .title = "I-FORWARD-TSN of a wrong length",
    .quote = "Similar to the Length for FORWARD TSN chunks",
    .why = "The receiver drops it, and the association stalls.",
    .evidence = "The length is not 8 plus 8 for each stream.",
    .doubt = "A chunk that lists no stream is allowed.");

static bool ID_010_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "Similar to the Length for FORWARD TSN chunks" */
static bool ID_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_tlv_is_well_formed(&c->chunk->tlv))
        return false;
    sctpa_violation_say(violation, "8 bytes, and 8 for each stream", SCTPA_WORDS("length %u", c->chunk->tlv.length));
    return true;
}

RULE(ID, 012,
    .level = MUST, .since = 8260, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of INIT or INIT ACK",
    .clause = "RFC 8260 2",
    .title = "I-DATA and partial reliability announced without I-FORWARD-TSN",
    .quote = "it is REQUIRED to implement the corresponding changes specified in Section 2.3",
    .why = "Peers refuse to give up messages, or to interleave them.",
    .evidence = "Chunk type 0x40 and FORWARD-TSN are announced, 0xC2 is not.",
    .doubt = "The announcement must have been captured whole; an INIT ACK without 0x40 is not checked.");

static bool ID_012_applies(const sctpa_context_t *c)
{
    const sctpa_init_t *init = &c->assoc->ends[c->from].init;
    return !c->tracked->established && init->whole && sctpa_offers(init, SCTPA_EXTENSION_I_DATA) == SCTPA_YES &&
           sctpa_offers(init, SCTPA_EXTENSION_PARTIAL_RELIABILITY) == SCTPA_YES;
}

/* "it is REQUIRED to implement the corresponding changes specified in Section 2.3" */
static bool ID_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_offers(&c->assoc->ends[c->from].init, SCTPA_EXTENSION_I_FORWARD_TSN) != SCTPA_NO)
        return false;
    sctpa_violation_say(violation, "I-FORWARD-TSN listed with I-DATA and partial reliability",
                        "I-DATA without I-FORWARD-TSN");
    return true;
}

RULE(ID, 015,
    .level = MUST, .since = 8260, .seeing = NOTHING, .needs = SETUP | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ROW(I_FORWARD_TSN),
    .accused = "sender of the chunk",
    .clause = "RFC 8260 2.3.1",
    .title = "I-FORWARD-TSN without negotiation",
    .quote = "only if both endpoints indicated their support of user message interleaving and the I-FORWARD-TSN chunk",
    .why = "A peer that does not know the chunk never moves on: the association stalls.",
    .evidence = "I-FORWARD-TSN, although INIT and INIT ACK do not both list chunk type 0xC2.",
    .doubt = "Both announcements must have been captured whole.");

static bool ID_015_applies(const sctpa_context_t *c)
{
    return i_data_negotiated(c) != SCTPA_UNKNOWN &&
           sctpa_negotiated(c->assoc, SCTPA_EXTENSION_I_FORWARD_TSN) != SCTPA_UNKNOWN;
}

/* "only if both endpoints indicated their support of user message interleaving and the I-FORWARD-TSN chunk" */
static bool ID_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_negotiated(c->assoc, SCTPA_EXTENSION_I_FORWARD_TSN) != SCTPA_NO)
        return false;
    sctpa_violation_say(violation, "no I-FORWARD-TSN: the endpoints did not both list it", "I-FORWARD-TSN");
    return true;
}

void sctpa_check_idata(sctpa_context_t *c)
{
    ASK(ID, 001);
    ASK(ID, 002);
    ASK(ID, 003);
    ASK(ID, 004);
    ASK(ID, 005);
    ASK(ID, 006);
    ASK(ID, 007);
    ASK(ID, 008);
    ASK(ID, 010);
    ASK(ID, 012);
    ASK(ID, 015);
}
