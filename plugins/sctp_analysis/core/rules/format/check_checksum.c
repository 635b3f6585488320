/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of the checksums that an endpoint makes (RFC 9260 6.8, RFC 6951 5.3, RFC 9653). A wrong one is damage or left
 * to the hardware, and no finding, unless all of an endpoint are and its peer takes none of its packets. */
#include "check_checksum.h"

#include "reference/life/initialization.h"
#include "format_limits.h"

bool sctpa_is_zero_checksum(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->record->checksum != SCTPA_CHECKSUM_ZERO)
        return false;
    sctpa_violation_say(violation, "CRC32c, as in its other packets",
                        SCTPA_WORDS("checksum 0 in %d packets or more", SCTPA_CHECKSUMS_WRONG));
    return true;
}

bool sctpa_ZC_001_applies(const sctpa_context_t *c)
{
    return c->packet->encapsulation != SCTPA_OVER_UDP && sctpa_context_must_compute_checksum(c);
}

/* "the endpoint MUST strengthen the data integrity of the transmission by including the CRC32c checksum value" */
bool sctpa_ZC_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return sctpa_is_zero_checksum(c, violation);
}

/* The peer makes right ones and takes no data. */
bool sctpa_FMT_003_applies(const sctpa_context_t *c)
{
    const sctpa_side_t *sides = c->tracked->sides;
    return !sides[c->from].good_checksums && sides[!c->from].good_checksums && c->sent && !c->sent->has_cum &&
           c->sent->rare->rtx.len >= SCTPA_RETRANSMISSIONS_IN_VAIN;
}

/* "the endpoint MUST strengthen the data integrity of the transmission by including the CRC32c checksum value" */
bool sctpa_FMT_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t packets[SCTPA_CHECKSUMS];
    sctpa_context_checksums(c, c->from, packets);
    if (packets[SCTPA_CHECKSUM_BAD] < SCTPA_PACKETS_ALL_WRONG || packets[SCTPA_CHECKSUM_ZERO] > 0)
        return false;
    sctpa_violation_say(violation, "CRC32c", SCTPA_WORDS("none right in %u packets", packets[SCTPA_CHECKSUM_BAD]));
    return true;
}

bool sctpa_FMT_004_applies(const sctpa_context_t *c)
{
    return c->n_chunks > 0;
}

/* "any references within [RFC2960] to Adler-32 MUST be treated as a reference to CRC-32c" */
bool sctpa_FMT_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->record->checksum != SCTPA_CHECKSUM_ADLER32)
        return false;
    sctpa_violation_say(violation, "CRC32c", SCTPA_WORDS("Adler-32 in %d packets or more", SCTPA_CHECKSUMS_WRONG));
    return true;
}

/* Two INITs of the sender that went the same way: one with checksum 0, one with a right one; NULL: there are not. */
static const sctpa_announcement_t *init_without_checksum(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const sctpa_announcement_t *zero = NULL;
    bool has_right = false;
    for (const sctpa_announcement_t *a = i ? i->last : NULL; a; a = a->before) {
        if (a->from != c->from || a->is_ack || a->pair != c->record->pair)
            continue;
        uint8_t checksum = sctpa_context_record(c, a->packet)->checksum;
        has_right |= checksum == SCTPA_CHECKSUM_CRC32C;
        if (checksum == SCTPA_CHECKSUM_ZERO)
            zero = a;
    }
    return has_right ? zero : NULL;
}

bool sctpa_ZC_002_applies(const sctpa_context_t *c)
{
    return c->record->checksum == SCTPA_CHECKSUM_CRC32C || c->record->checksum == SCTPA_CHECKSUM_ZERO;
}

/* "it MUST include a correct CRC32c checksum in the packet containing the INIT chunk" */
bool sctpa_ZC_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_announcement_t *zero = init_without_checksum(c);
    if (!zero)
        return false;
    violation->related = zero->packet;
    sctpa_violation_say(violation, "CRC32c, as in its other INIT", "INIT with checksum 0");
    return true;
}

bool sctpa_ZC_003_applies(const sctpa_context_t *c)
{
    return c->tracked->sides[c->from].good_checksums &&
           sctpa_context_has_sent(c, c->from, SCTPA_CHUNK_ROW_INIT, &c->packet->source, &c->packet->destination);
}

/* "it MUST include a correct CRC32c checksum in the packet containing the COOKIE ECHO chunk" */
bool sctpa_ZC_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->record->checksum != SCTPA_CHECKSUM_ZERO)
        return false;
    sctpa_violation_say(violation, "CRC32c, as in the INIT", "COOKIE ECHO with checksum 0");
    return true;
}

/* The T bit says that the sender has no association, and so nothing that was negotiated. */
bool sctpa_ZC_004_applies(const sctpa_context_t *c)
{
    enum { T_BIT = 1 };
    return c->chunk->tlv.flags & T_BIT && c->tracked->sides[c->from].good_checksums;
}

/* A restatement, which is why this is a note. */
bool sctpa_ZC_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

bool sctpa_ZC_005_applies(const sctpa_context_t *c)
{
    const sctpa_tlv_t *param = zero_checksum_param(c);
    return param && param->length == param->row->fixed_bytes && param->captured_bytes >= param->row->fixed_bytes;
}

/* A restatement, which is why this is a note. */
bool sctpa_ZC_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_be32(zero_checksum_param(c)->bytes + SCTPA_TLV_HEADER_BYTES) != 0)
        return false;
    sctpa_violation_say(violation, "a method of error detection", "method 0, which is reserved");
    return true;
}

bool sctpa_ZC_009_applies(const sctpa_context_t *c)
{
    return c->tracked->sides[c->from].good_checksums;
}

/* A restatement, which is why this is a note. */
bool sctpa_ZC_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->record->checksum != SCTPA_CHECKSUM_ZERO)
        return false;
    sctpa_violation_say(violation, "CRC32c, as in its other packets", "ASCONF with checksum 0");
    return true;
}

bool sctpa_ZC_007_applies(const sctpa_context_t *c)
{
    return zero_checksum_param(c) != NULL;
}

/* "MUST be 8" */
bool sctpa_ZC_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    enum { DRAFT_BYTES = 4 };
    const sctpa_tlv_t *param = zero_checksum_param(c);
    if (param->length == param->row->fixed_bytes || param->length == DRAFT_BYTES)
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("length %u", param->row->fixed_bytes),
                        SCTPA_WORDS("length %u", param->length));
    return true;
}
