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
