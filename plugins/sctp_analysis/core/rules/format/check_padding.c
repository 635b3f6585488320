/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of PAD chunks and padding parameters (RFC 4820). */
#include <string.h>

#include "reference/life/init_padding.h"
#include "rules/rule_functions.h"

bool sctpa_PD_001_applies(const sctpa_context_t *c)
{
    return sctpa_context_params(c)->sound;
}

/* RFC 4820 4: "The PAD parameter MAY be included only in the INIT chunk. It MUST NOT be included in any other chunk."
 */
bool sctpa_PD_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    if (chunk->type == SCTPA_CHUNK_INIT || !(sctpa_context_params(c)->rows & SCTPA_PARAM_BIT(PADDING)))
        return false;
    sctpa_violation_say(violation, "PAD parameters in INIT only",
                        SCTPA_WORDS("PAD parameter in %s", chunk->row->title));
    return true;
}

bool sctpa_PD_002_applies(const sctpa_context_t *c)
{
    return sctpa_init_padding(c, !c->from) && sctpa_context_params(c)->rows & SCTPA_PARAM_BIT(STATE_COOKIE);
}

static bool holds(const sctpa_tlv_t *tlv, const uint8_t *part)
{
    for (uint32_t at = SCTPA_TLV_HEADER_BYTES; at + SCTPA_PAD_COMPARED_BYTES <= tlv->captured_bytes; at++)
        if (tlv->bytes[at] == part[0] && memcmp(tlv->bytes + at, part, SCTPA_PAD_COMPARED_BYTES) == 0)
            return true;
    return false;
}

/* RFC 4820 4: "A receiver of a PAD parameter MUST NOT include the PAD parameter within any State Cookie parameter it
 * generates." */
bool sctpa_PD_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_init_padding_t *padding = sctpa_init_padding(c, !c->from);
    const sctpa_tlv_t *cookie = sctpa_context_param(c, SCTPA_PARAM_ROW_STATE_COOKIE);
    if (!holds(cookie, padding->beginning))
        return false;
    violation->related = padding->packet;
    sctpa_violation_say(
        violation, "a State Cookie without the PAD parameter",
        SCTPA_WORDS("the PAD parameter of the INIT inside a State Cookie of %u bytes", cookie->wire_bytes));
    return true;
}

/* The chunk that an ERROR reports as unrecognized, of the type asked for; any: of whatever type. */
static bool reports_chunk(const sctpa_tlv_t *error, bool any, uint8_t type)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t cause;
    sctpa_params_begin(&iter, error);
    while (sctpa_tlv_next(&iter, &cause)) {
        int reported = sctpa_cause_unknown_chunk(&cause);
        if (reported >= 0 && (any || reported == type))
            return true;
    }
    return false;
}

bool sctpa_PD_003_applies(const sctpa_context_t *c)
{
    return reports_chunk(&c->chunk->tlv, true, 0);
}

/* RFC 4820 3: "The receiver of the PAD chunk MUST discard this chunk and continue processing the rest of the chunks in
 * the packet." */
bool sctpa_PD_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!reports_chunk(&c->chunk->tlv, false, SCTPA_CHUNK_PAD))
        return false;
    sctpa_violation_say(violation, "PAD discarded silently", "ERROR, cause Unrecognized Chunk Type: PAD");
    return true;
}

bool sctpa_PD_004_applies(const sctpa_context_t *c)
{
    return c->chunk->tlv.type == SCTPA_CHUNK_PAD;
}

/* RFC 4820 3: "This value SHOULD be set to zero on transmit and MUST be ignored on receipt." */
bool sctpa_PD_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->chunk->tlv.flags == 0)
        return false;
    sctpa_violation_say(violation, "flags 0", SCTPA_WORDS("flags 0x%02x", c->chunk->tlv.flags));
    return true;
}
