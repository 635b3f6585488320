/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checksums that an endpoint makes (RFC 9260 6.8, RFC 6951 5.3, RFC 9653). A wrong one is damage or left to the
 * hardware, and no finding, unless all of an endpoint are wrong and its peer takes none of its packets. */
#include "model/chapter.h"

#include "model/shared/initialization.h"
#include "checksum.h"

/* An endpoint all of whose packets are wrong: so many of them, and so many retransmissions while its peer acknowledged
 * nothing. Damage hits single packets, and who leaves checksums to the hardware is answered. */
#define PACKETS_ALL_WRONG 10
#define RETRANSMISSIONS_IN_VAIN 3

/* Is the checksum 0, of a sender that must compute it? Fills violation. */
bool sctpa_is_zero_checksum(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->record->checksum != SCTPA_CHECKSUM_ZERO)
        return false;
    sctpa_violation_say(violation, "CRC32c, as in its other packets",
                        SCTPA_WORDS("checksum 0 in %d packets or more", SCTPA_CHECKSUMS_WRONG));
    return true;
}

RULE(ZC, 001,
    .level = HEURISTIC, .since = 4960, .seeing = NOTHING, .needs = SETUP | WHOLE | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = SCTPA_ANY_CHUNK,
    .report = { .from = SCTPA_CHECKSUMS_WRONG },
    .accused = "sender of the packet",
    .clause = "RFC 9260 6.8",
    .title = "Zero checksum to a peer that did not accept it",
    .quote = "the endpoint MUST strengthen the data integrity of the transmission by including the CRC32c checksum "
        "value",
    .why = "The peer drops the packets.",
    .evidence = SAY(SCTPA_CHECKSUMS_WRONG) " packets or more have checksum 0, though their sender computes others; the "
        "peer's INIT or INIT ACK, captured whole, has no Zero Checksum Acceptable.",
    .doubt = "Checksums left to the hardware look the same where the sender's host, or a virtual link to it, was "
        "captured: a note.");

static bool ZC_001_applies(const sctpa_context_t *c)
{
    return c->packet->encapsulation != SCTPA_OVER_UDP && sctpa_context_must_compute_checksum(c);
}

/* "the endpoint MUST strengthen the data integrity of the transmission by including the CRC32c checksum value" */
static bool ZC_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return sctpa_is_zero_checksum(c, violation);
}

RULE(FMT, 003,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = WHOLE | BOTH, .certainty = SCTPA_CERTAINTY_PROBABLE,
    .when = PACKET, .of = OF_SENDER, .on = SCTPA_ANY_CHUNK,
    .report = { .one_defect = true },
    .accused = "sender of the packet",
    .clause = "RFC 9260 6.8",
    .title = "No packet has a right checksum",
    .quote = "the endpoint MUST strengthen the data integrity of the transmission by including the CRC32c checksum "
        "value",
    .why = "The peer drops every packet.",
    .evidence = SAY(PACKETS_ALL_WRONG) " packets or more, none with a right checksum, "
        SAY(RETRANSMISSIONS_IN_VAIN) " retransmissions or more, and the peer, whose checksums are right, "
        "acknowledged nothing. Or one, not 0, among packets with right ones, where the user asserts a complete "
        "capture that was taken at the endpoint.",
    .doubt = "Checksums left to the hardware look the same, but are right on the wire, so that the peer answers. "
        "Damaged packets among others are not checked where they may be damaged on the way to the tap.");

/* Is it a wrong checksum that nothing on a way can have damaged, of a sender that makes right ones? */
static bool is_wrong_at_its_sender(const sctpa_context_t *c)
{
    return c->record->checksum == SCTPA_CHECKSUM_BAD && c->tracked->sides[c->from].good_checksums &&
           sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
}

/* The peer makes right ones and takes no data; or this one alone is wrong. */
static bool FMT_003_applies(const sctpa_context_t *c)
{
    const sctpa_side_t *sides = c->tracked->sides;
    if (is_wrong_at_its_sender(c))
        return true;
    return !sides[c->from].good_checksums && sides[!c->from].good_checksums && c->sent && !c->sent->has_cum &&
           c->sent->rare->rtx.len >= RETRANSMISSIONS_IN_VAIN;
}

/* "the endpoint MUST strengthen the data integrity of the transmission by including the CRC32c checksum value" */
static bool FMT_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t packets[SCTPA_CHECKSUMS];
    if (is_wrong_at_its_sender(c)) {
        violation->path = c->path;
        violation->rests_on = SCTPA_ASSERTED_ARRIVED;
        sctpa_violation_say(violation, "CRC32c", "another checksum, though others of its packets are right");
        return true;
    }
    sctpa_context_checksums(c, c->from, packets);
    if (packets[SCTPA_CHECKSUM_BAD] < PACKETS_ALL_WRONG || packets[SCTPA_CHECKSUM_ZERO] > 0)
        return false;
    sctpa_violation_say(violation, "CRC32c", SCTPA_WORDS("none right in %u packets", packets[SCTPA_CHECKSUM_BAD]));
    return true;
}

RULE(FMT, 004,
    .level = MUST, .since = 3309, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = SCTPA_ANY_CHUNK,
    .report = { .from = SCTPA_CHECKSUMS_WRONG },
    .accused = "sender of the packet",
    .clause = "RFC 3309 2",
    .title = "Adler-32 in place of CRC32c",
    .quote = "any references within [RFC2960] to Adler-32 MUST be treated as a reference to CRC-32c",
    .why = "Today's endpoints drop every packet.",
    .evidence = SAY(SCTPA_CHECKSUMS_WRONG) " packets or more whose checksum is the Adler-32 of RFC 2960 and not "
        "CRC32c.",
    .doubt = "A single match may be chance. Stacks older than RFC 3309 (2002) conform to the RFC of their time: "
        "in packets with timestamps before it, this is a note.");

static bool FMT_004_applies(const sctpa_context_t *c)
{
    return c->n_chunks > 0;
}

/* "any references within [RFC2960] to Adler-32 MUST be treated as a reference to CRC-32c" */
static bool FMT_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->record->checksum != SCTPA_CHECKSUM_ADLER32)
        return false;
    sctpa_violation_say(violation, "CRC32c", SCTPA_WORDS("Adler-32 in %d packets or more", SCTPA_CHECKSUMS_WRONG));
    return true;
}

static uint32_t interface_of(const sctpa_context_t *c, uint32_t packet)
{
    return sctpa_stamp_interface(&g_array_index(c->tracker->store.stamps, sctpa_stamp_t, packet));
}

/* Two INITs of the sender that went the same way and passed the same interface as the packet: one with checksum 0, one
 * with a right one; NULL: there are not. Where another interface shows them, it tells nothing of hardware here. */
static const sctpa_announcement_t *init_without_checksum(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const sctpa_announcement_t *zero = NULL;
    bool has_right = false;
    for (const sctpa_announcement_t *a = i ? i->last : NULL; a; a = a->before) {
        if (a->from != c->from || a->is_ack || a->pair != c->record->pair ||
            interface_of(c, a->packet) != c->packet->interface)
            continue;
        uint8_t checksum = sctpa_context_record(c, a->packet)->checksum;
        has_right |= checksum == SCTPA_CHECKSUM_CRC32C;
        if (checksum == SCTPA_CHECKSUM_ZERO)
            zero = a;
    }
    return has_right ? zero : NULL;
}

RULE(ZC, 002,
    .level = MUST, .since = 9653, .seeing = NOTHING, .needs = WHOLE,
    .when = PACKET, .of = OF_SENDER, .on = ROW(INIT),
    .accused = "sender of the INIT",
    .clause = "RFC 9653 5.2",
    .title = "INIT with checksum 0",
    .quote = "When a sender sends a packet containing an INIT chunk, it MUST include a correct CRC32c checksum in the "
        "packet containing the INIT chunk.",
    .why = "The receiver has no association yet that accepts checksum 0, and drops the packet.",
    .evidence = "The packet has checksum 0, and another INIT of the same sender between the same addresses has a right "
        "one, at the same interface.",
    .doubt = "Checksums left to the hardware are missing in every INIT. A right CRC32c of 0 is no violation.");

static bool ZC_002_applies(const sctpa_context_t *c)
{
    return c->record->checksum == SCTPA_CHECKSUM_CRC32C || c->record->checksum == SCTPA_CHECKSUM_ZERO;
}

/* "it MUST include a correct CRC32c checksum in the packet containing the INIT chunk" */
static bool ZC_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_announcement_t *zero = init_without_checksum(c);
    if (!zero)
        return false;
    violation->related = zero->packet;
    sctpa_violation_say(violation, "CRC32c, as in its other INIT", "INIT with checksum 0");
    return true;
}

RULE(ZC, 003,
    .level = MUST, .since = 9653, .seeing = NOTHING, .needs = WHOLE,
    .when = PACKET, .of = OF_SENDER, .on = ROW(COOKIE_ECHO),
    .accused = "sender of the COOKIE ECHO",
    .clause = "RFC 9653 5.2",
    .title = "COOKIE ECHO with checksum 0",
    .quote = "When an end point sends a packet containing a COOKIE ECHO chunk, it MUST include a correct CRC32c "
        "checksum in the packet containing the COOKIE ECHO chunk.",
    .why = "The receiver has no association yet that accepts checksum 0, and drops the packet.",
    .evidence = "The packet has checksum 0, and an INIT of the same sender between the same addresses had a right one.",
    .doubt = "Checksums left to the hardware are also missing in the INIT. A right CRC32c of 0 is no violation.");

static bool ZC_003_applies(const sctpa_context_t *c)
{
    return c->tracked->sides[c->from].good_checksums &&
           sctpa_context_has_sent(c, c->from, SCTPA_CHUNK_ROW_INIT, &c->packet->source, &c->packet->destination);
}

/* "it MUST include a correct CRC32c checksum in the packet containing the COOKIE ECHO chunk" */
static bool ZC_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->record->checksum != SCTPA_CHECKSUM_ZERO)
        return false;
    sctpa_violation_say(violation, "CRC32c, as in the INIT", "COOKIE ECHO with checksum 0");
    return true;
}

RULE(ZC, 004,
    .level = HEURISTIC, .since = 9653, .seeing = NOTHING, .needs = WHOLE,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(ABORT) | ROW(SHUTDOWN_COMPLETE),
    .accused = "sender of the packet",
    .clause = "RFC 9653 5.2",
    .title = "Answer to an out of the blue packet with checksum 0",
    .quote = "",
    .why = "The receiver need not accept checksum 0 from an endpoint without association, and drops the packet.",
    .evidence = "ABORT or SHUTDOWN COMPLETE with the T bit has checksum 0, though its sender computes others.",
    .doubt = "The clause is restated here, not quoted: a note.");

/* The T bit says that the sender has no association, and so nothing that was negotiated. */
static bool ZC_004_applies(const sctpa_context_t *c)
{
    enum { T_BIT = 1 };
    return c->chunk->tlv.flags & T_BIT && c->tracked->sides[c->from].good_checksums;
}

/* A restatement, which is why this is a note. */
static bool ZC_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->record->checksum != SCTPA_CHECKSUM_ZERO)
        return false;
    sctpa_violation_say(violation, "CRC32c, as in its other packets",
                        SCTPA_WORDS("%s with the T bit and checksum 0", sctpa_chunk_word(&c->chunk->tlv)));
    return true;
}

static const sctpa_tlv_t *zero_checksum_param(const sctpa_context_t *c)
{
    return sctpa_context_is_verified(c) && sctpa_context_params(c)->sound
               ? sctpa_context_param(c, SCTPA_PARAM_ROW_ZERO_CHECKSUM)
               : NULL;
}

RULE(ZC, 005,
    .level = HEURISTIC, .since = 9653, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of the packet",
    .clause = "RFC 9653 8",
    .title = "Zero Checksum Acceptable names no method",
    .quote = "",
    .why = "The peer cannot send checksum 0 by a method that does not exist.",
    .evidence = "The Error Detection Method Identifier is 0, which is reserved.",
    .doubt = "The clause is restated here, not quoted: a note. Other methods may have been "
        "registered and are not checked.");

static bool ZC_005_applies(const sctpa_context_t *c)
{
    const sctpa_tlv_t *param = zero_checksum_param(c);
    return param && param->length == param->row->fixed_bytes && param->captured_bytes >= param->row->fixed_bytes;
}

/* A restatement, which is why this is a note. */
static bool ZC_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_be32(zero_checksum_param(c)->bytes + SCTPA_TLV_HEADER_BYTES) != 0)
        return false;
    sctpa_violation_say(violation, "a method of error detection", "method 0, which is reserved");
    return true;
}

RULE(ZC, 009,
    .level = HEURISTIC, .since = 9653, .seeing = NOTHING, .needs = WHOLE,
    .when = PACKET, .of = OF_SENDER, .on = ROW(ASCONF),
    .accused = "sender of the ASCONF",
    .clause = "RFC 9653 5.2",
    .title = "ASCONF with checksum 0",
    .quote = "",
    .why = "A receiver that finds the association by the ASCONF alone drops the packet.",
    .evidence = "A packet with ASCONF has checksum 0, though its sender computes others.",
    .doubt = "The clause is restated here, not quoted: a note. Checksums left to the "
        "hardware may look the same where some packets are not.");

static bool ZC_009_applies(const sctpa_context_t *c)
{
    return c->tracked->sides[c->from].good_checksums;
}

/* A restatement, which is why this is a note. */
static bool ZC_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->record->checksum != SCTPA_CHECKSUM_ZERO)
        return false;
    sctpa_violation_say(violation, "CRC32c, as in its other packets", "ASCONF with checksum 0");
    return true;
}

RULE(ZC, 007,
    .level = MUST, .since = 9653, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of the packet",
    .clause = "RFC 9653 4",
    .title = "Zero Checksum Acceptable of a wrong length",
    .quote = "MUST be 8",
    .why = "The peer cannot read which method of error detection is meant, and may abort.",
    .evidence = "The parameter is neither 8 bytes long nor 4.",
    .doubt = "Length 4 is that of early drafts, which old stacks follow. The CRC32c covers the whole packet and is "
        "right: the sender built the parameter this way.");

static bool ZC_007_applies(const sctpa_context_t *c)
{
    return zero_checksum_param(c) != NULL;
}

enum { DRAFT_BYTES = 4 };

/* "MUST be 8" */
static bool ZC_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *param = zero_checksum_param(c);
    if (param->length == param->row->fixed_bytes || param->length == DRAFT_BYTES)
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("length %u", param->row->fixed_bytes),
                        SCTPA_WORDS("length %u", param->length));
    return true;
}

RULE(ZC, 010,
    .level = HEURISTIC, .since = 9653, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of the packet",
    .clause = "RFC 9653 4",
    .title = "Zero Checksum Acceptable as in early drafts",
    .quote = "MUST be 8",
    .why = "A peer that follows the RFC cannot read which method of error detection is meant, and computes checksums.",
    .evidence = "The parameter is 4 bytes long: it has no Error Detection Method Identifier.",
    .doubt = "Length 4 is that of early drafts, which old stacks follow: a note.");

static bool ZC_010_applies(const sctpa_context_t *c)
{
    return zero_checksum_param(c) != NULL;
}

/* "MUST be 8" */
static bool ZC_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *param = zero_checksum_param(c);
    if (param->length != DRAFT_BYTES)
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("length %u", param->row->fixed_bytes),
                        SCTPA_WORDS("length %u, without a method", param->length));
    return true;
}

void sctpa_check_damaged(sctpa_context_t *c)
{
    ASK(FMT, 003);
}

void sctpa_check_checksum(sctpa_context_t *c)
{
    ASK(FMT, 003);
    ASK(FMT, 004);
    ASK(ZC, 001);
    ASK(ZC, 002);
    ASK(ZC, 003);
    ASK(ZC, 004);
    ASK(ZC, 005);
    ASK(ZC, 007);
    ASK(ZC, 009);
    ASK(ZC, 010);
}
