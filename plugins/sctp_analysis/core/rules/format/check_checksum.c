/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of the checksums that an endpoint makes (RFC 9260 6.8, RFC 6951 5.3). A wrong one is damage or left to the
 * hardware, and no finding. */
#include "check_checksum.h"
#include "format_limits.h"

typedef struct {
    uint32_t zero[2], adler[2]; /* packets of the endpoint with such a checksum */
} checksums_t;

bool sctpa_must_not_be_zero(const sctpa_context_t *c)
{
    const sctpa_init_t *peer = &c->assoc->ends[!c->from].init;
    return sctpa_offers(peer, SCTPA_EXTENSION_ZERO_CHECKSUM) == SCTPA_NO && c->tracked->sides[c->from].good_checksums;
}

bool sctpa_is_zero_again(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->record->checksum != SCTPA_CHECKSUM_ZERO)
        return false;
    const checksums_t *before = sctpa_context_find_part(c, SCTPA_PART_CHECKSUM);
    uint32_t packets = 1 + (before ? before->zero[c->from] : 0);
    if (packets < SCTPA_CHECKSUMS_WRONG)
        return false;
    sctpa_violation_say(violation, "CRC32c, as in its other packets", SCTPA_WORDS("checksum 0 in %u packets", packets));
    return true;
}

bool sctpa_ZC_001_applies(const sctpa_context_t *c)
{
    return c->packet->encapsulation != SCTPA_OVER_UDP && sctpa_must_not_be_zero(c);
}

/* "the endpoint MUST strengthen the data integrity of the transmission by including the CRC32c checksum value" */
bool sctpa_ZC_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return sctpa_is_zero_again(c, violation);
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
    const checksums_t *before = sctpa_context_find_part(c, SCTPA_PART_CHECKSUM);
    uint32_t packets = 1 + (before ? before->adler[c->from] : 0);
    if (packets < SCTPA_CHECKSUMS_WRONG)
        return false;
    sctpa_violation_say(violation, "CRC32c", SCTPA_WORDS("Adler-32 in %u packets", packets));
    return true;
}

void sctpa_update_checksum(sctpa_context_t *c)
{
    bool is_zero = c->record->checksum == SCTPA_CHECKSUM_ZERO && sctpa_must_not_be_zero(c);
    bool is_adler = c->record->checksum == SCTPA_CHECKSUM_ADLER32;
    if (!is_zero && !is_adler)
        return;
    checksums_t *state = sctpa_context_part(c, SCTPA_PART_CHECKSUM, sizeof *state);
    state->zero[c->from] += is_zero;
    state->adler[c->from] += is_adler;
}
