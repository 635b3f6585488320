/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of RE-CONFIG chunks as such: whether they may be sent, what they may hold, how their parameters look (RFC
 * 6525). Requests stand in check_reconfig_requests.c, responses in check_reconfig_responses.c, what they do to data in
 * check_reconfig_data.c. */
#include "reference/requests/reconfig_requests.h"
#include "rules/rule_functions.h"

enum { PARAMS_MAX = 2 };

/* Parameters of a RE-CONFIG: those of RFC 6525 as a set, and how many there are of any type. O(parameters). */
static unsigned held(const sctpa_param_list_t *list, unsigned *n)
{
    unsigned bits = 0;
    for (uint32_t i = 0; i < list->n; i++)
        bits |= sctpa_reconfig_bit(list->params[i].type);
    *n = list->n;
    return bits;
}

static bool is_whole(const sctpa_tlv_t *chunk)
{
    return chunk->captured_bytes >= chunk->wire_bytes;
}

static bool is_allowed(unsigned bits, unsigned n)
{
    static const unsigned two[] = {
        SCTPA_RECONFIG_BIT(OUTGOING_RESET) | SCTPA_RECONFIG_BIT(INCOMING_RESET),
        SCTPA_RECONFIG_BIT(ADD_OUTGOING) | SCTPA_RECONFIG_BIT(ADD_INCOMING),
        SCTPA_RECONFIG_BIT(RECONFIG_RESPONSE) | SCTPA_RECONFIG_BIT(OUTGOING_RESET),
        SCTPA_RECONFIG_BIT(RECONFIG_RESPONSE),
    };
    for (unsigned i = 0; n == PARAMS_MAX && i < G_N_ELEMENTS(two); i++)
        if (bits == two[i])
            return true;
    return n == 1 && bits != 0;
}

bool sctpa_RC_001_applies(const sctpa_context_t *c)
{
    unsigned n;
    return sctpa_offers(&c->assoc->ends[!c->from].init, SCTPA_EXTENSION_RE_CONFIG) != SCTPA_UNKNOWN &&
           is_whole(&c->chunk->tlv) && held(sctpa_context_params(c), &n) & ~SCTPA_RECONFIG_BIT(RECONFIG_RESPONSE);
}

/* "the sender MUST NOT send any re-configuration request to the peer" */
bool sctpa_RC_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_offers(&c->assoc->ends[!c->from].init, SCTPA_EXTENSION_RE_CONFIG) != SCTPA_NO)
        return false;
    sctpa_violation_say(violation, "no request: the peer did not list RE-CONFIG", "a re-configuration request");
    return true;
}

bool sctpa_RC_027_applies(const sctpa_context_t *c)
{
    return sctpa_offers(&c->assoc->ends[c->from].init, SCTPA_EXTENSION_RE_CONFIG) != SCTPA_UNKNOWN &&
           is_whole(&c->chunk->tlv);
}

/* "MUST include the chunk type of the RE-CONFIG chunk in the Supported Extensions Parameter" */
bool sctpa_RC_027_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_offers(&c->assoc->ends[c->from].init, SCTPA_EXTENSION_RE_CONFIG) != SCTPA_NO)
        return false;
    sctpa_violation_say(violation, "RE-CONFIG listed by its sender", "RE-CONFIG by an endpoint that did not list it");
    return true;
}

bool sctpa_RC_005_applies(const sctpa_context_t *c)
{
    return is_whole(&c->chunk->tlv);
}

/* "Only the following combinations are allowed" */
bool sctpa_RC_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    unsigned n, bits = held(sctpa_context_params(c), &n);
    if (is_allowed(bits, n))
        return false;
    sctpa_violation_say(violation, "one of the combinations of RFC 6525 3.1",
                        SCTPA_WORDS("%u parameters, types 0x%02x as bits from 13 on", n, bits));
    return true;
}

/* The parameters of all RE-CONFIGs of the packet that were captured whole. O(chunks + parameters). */
static unsigned held_by_packet(const sctpa_context_t *c, unsigned *n_chunks, unsigned *n)
{
    unsigned bits = 0, of_chunk;
    *n_chunks = *n = 0;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i].tlv;
        if (chunk->type != SCTPA_CHUNK_RE_CONFIG || !is_whole(chunk))
            continue;
        bits |= held(sctpa_context_params_of(c, &c->chunks[i]), &of_chunk);
        *n += of_chunk;
        ++*n_chunks;
    }
    return bits;
}

bool sctpa_RC_025_applies(const sctpa_context_t *c)
{
    unsigned n_chunks, n;
    return held_by_packet(c, &n_chunks, &n) & SCTPA_RECONFIG_BIT(RECONFIG_RESPONSE);
}

/* "If multiple parameters have to be returned, they MUST be put into one RE_CONFIG chunk" */
bool sctpa_RC_025_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    unsigned n_chunks, n, bits = held_by_packet(c, &n_chunks, &n);
    if (n_chunks < 2 || !is_allowed(bits, n))
        return false;
    sctpa_violation_say(violation, "one RE-CONFIG chunk", SCTPA_WORDS("%u with %u parameters", n_chunks, n));
    return true;
}

bool sctpa_RC_006_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "the value MUST be 16 + 2 * N" */
bool sctpa_RC_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_tlv_is_well_formed(c->param))
        return false;
    sctpa_violation_say(violation, "the length that the parameter has by definition",
                        SCTPA_WORDS("parameter %u of length %u", c->param->type, c->param->length));
    return true;
}

bool sctpa_RC_020_applies(const sctpa_context_t *c)
{
    return c->param->type == SCTPA_PARAM_ADD_OUTGOING || c->param->type == SCTPA_PARAM_ADD_INCOMING;
}

/* "It SHOULD be set to 0 by the sender" */
bool sctpa_RC_020_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t reserved = sctpa_tlv_u32(c->param, SCTPA_F_ADD_OUTGOING_RESERVED);
    if (reserved == 0)
        return false;
    sctpa_violation_say(violation, "0", SCTPA_WORDS("0x%04x", reserved));
    return true;
}

bool sctpa_RC_022_applies(const sctpa_context_t *c)
{
    return sctpa_context_params(c)->sound;
}

/* "This parameter MUST NOT appear in any other chunk type" */
bool sctpa_RC_022_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_param_list_t *list = sctpa_context_params(c);
    for (uint32_t i = 0; i < list->n; i++)
        if (sctpa_reconfig_bit(list->params[i].type)) {
            sctpa_violation_say(violation, "only in RE-CONFIG",
                                SCTPA_WORDS("parameter %u in %s", list->params[i].type, c->chunk->tlv.row->title));
            return true;
        }
    return false;
}
