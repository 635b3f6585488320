/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of the checksums that an endpoint makes (RFC 9260 6.8, RFC 6951 5.3). A wrong one is damage or left to the
 * hardware, and no finding. */
#include "check_checksum.h"
#include "format_limits.h"

bool sctpa_is_zero_checksum(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->record->checksum != SCTPA_CHECKSUM_ZERO)
        return false;
    sctpa_violation_say(violation, "CRC32c, as in its other packets",
                        SCTPA_WORDS("checksum 0 in %d packets", SCTPA_CHECKSUMS_WRONG));
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

bool sctpa_FMT_004_applies(const sctpa_context_t *c)
{
    return c->n_chunks > 0;
}

/* "any references within [RFC2960] to Adler-32 MUST be treated as a reference to CRC-32c" */
bool sctpa_FMT_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->record->checksum != SCTPA_CHECKSUM_ADLER32)
        return false;
    sctpa_violation_say(violation, "CRC32c", SCTPA_WORDS("Adler-32 in %d packets", SCTPA_CHECKSUMS_WRONG));
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

bool sctpa_ZC_007_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_verified(c) && sctpa_context_params(c)->sound &&
           sctpa_context_params(c)->rows & SCTPA_PARAM_BIT(ZERO_CHECKSUM);
}

/* "MUST be 8" */
bool sctpa_ZC_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    enum { DRAFT_BYTES = 4 };
    const sctpa_tlv_t *param = sctpa_context_param(c, SCTPA_PARAM_ROW_ZERO_CHECKSUM);
    if (param->length == param->row->fixed_bytes || param->length == DRAFT_BYTES)
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("length %u", param->row->fixed_bytes),
                        SCTPA_WORDS("length %u", param->length));
    return true;
}
