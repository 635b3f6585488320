/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of parameters and error causes by themselves: their frames, their lengths, how often and where they stand.
 * Leaves out what they mean. */
#include "rules/rule_functions.h"

#include "reference/life/initialization.h"

#include <string.h>

/* Does the chunk hold a list of parameters or causes that was captured whole, as its sender made it? */
static bool has_list(const sctpa_context_t *c, sctpa_body_t body)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    return chunk->row && chunk->row->body == body && sctpa_context_is_verified(c) && sctpa_tlv_is_framed(chunk) &&
           chunk->fault != SCTPA_FAULT_LENGTH_BELOW_MINIMUM && chunk->captured_bytes == chunk->wire_bytes;
}

/* Do known parameters fill the chunk when none is padded? */
static bool fits_unpadded(const sctpa_tlv_t *chunk)
{
    uint32_t at = chunk->row->fixed_bytes;
    while (at + SCTPA_TLV_HEADER_BYTES <= chunk->captured_bytes) {
        uint16_t length = sctpa_be16(chunk->bytes + at + 2);
        if (length < SCTPA_TLV_HEADER_BYTES || !sctpa_tlv_type(SCTPA_TLV_PARAM, sctpa_be16(chunk->bytes + at)))
            return false;
        at += length;
    }
    return at == chunk->captured_bytes;
}

/* Parameters that fit their chunk only when they are not padded cannot be read. */
bool sctpa_format_lists_params(const sctpa_context_t *c)
{
    const sctpa_param_list_t *list = sctpa_context_params(c);
    if (!has_list(c, SCTPA_BODY_PARAMS))
        return false;
    bool fits = !list->has_trailing_bytes && (list->n == 0 || sctpa_tlv_is_framed(&list->params[list->n - 1]));
    return fits || !fits_unpadded(&c->chunk->tlv);
}

bool sctpa_format_lists_causes(const sctpa_context_t *c)
{
    return has_list(c, SCTPA_BODY_CAUSES);
}

bool sctpa_FMT_030_applies(const sctpa_context_t *c)
{
    return has_list(c, SCTPA_BODY_PARAMS);
}

/* "The total length of a parameter (including Parameter Type, Parameter Length, and Parameter Value fields) MUST be a
 * multiple of 4 bytes" */
bool sctpa_FMT_030_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_format_lists_params(c))
        return false;
    sctpa_violation_say(
        violation, "parameters padded to multiples of 4 bytes",
        SCTPA_WORDS("%s with parameters that fit only without padding", sctpa_chunk_word(&c->chunk->tlv)));
    return true;
}

bool sctpa_FMT_028_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "a parameter with a zero-length Parameter Value field would have a Parameter Length field of 4" */
bool sctpa_FMT_028_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->param->fault != SCTPA_FAULT_LENGTH_BELOW_HEADER)
        return false;
    sctpa_violation_say(violation, "a Parameter Length of 4 or more",
                        SCTPA_WORDS("parameter 0x%04x of length %u in %s", c->param->type, c->param->length,
                                    sctpa_chunk_word(&c->chunk->tlv)));
    return true;
}

bool sctpa_FMT_029_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "The Parameter Length field contains the size of the parameter in bytes" */
bool sctpa_FMT_029_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->param->fault != SCTPA_FAULT_LENGTH_BEYOND_END)
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("at most %u bytes, all that is left", c->param->wire_bytes),
                        SCTPA_WORDS("parameter 0x%04x of length %u in %s", c->param->type, c->param->length,
                                    sctpa_chunk_word(&c->chunk->tlv)));
    return true;
}

static bool is_address(const sctpa_context_t *c)
{
    return sctpa_tlv_is_framed(c->param) && (c->param->type == SCTPA_PARAM_IPV4 || c->param->type == SCTPA_PARAM_IPV6);
}

bool sctpa_FMT_037_applies(const sctpa_context_t *c)
{
    return is_address(c);
}

/* "Contains an IPv4 address of the sending endpoint" */
bool sctpa_FMT_037_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->param->length == c->param->row->fixed_bytes)
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("length %u", c->param->row->fixed_bytes),
                        SCTPA_WORDS("length %u", c->param->length));
    return true;
}

bool sctpa_FMT_033_applies(const sctpa_context_t *c)
{
    return sctpa_tlv_is_framed(c->param) && c->param->type == SCTPA_PARAM_IPV6 &&
           c->param->captured_bytes >= c->param->row->fixed_bytes;
}

/* "MUST NOT use an IPv4-mapped IPv6 address" */
bool sctpa_FMT_033_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    static const uint8_t prefix[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF };
    if (memcmp(c->param->bytes + SCTPA_TLV_HEADER_BYTES, prefix, sizeof prefix) != 0)
        return false;
    sctpa_violation_say(violation, "an IPv4 Address parameter", "an IPv4-mapped IPv6 address");
    return true;
}

/* Multicast, limited broadcast, unspecified; loopback to a peer elsewhere. */
static bool is_unusable(const sctpa_context_t *c, const sctpa_tlv_t *param)
{
    const uint8_t *addr = param->bytes + SCTPA_TLV_HEADER_BYTES;
    if (param->type == SCTPA_PARAM_IPV4) {
        bool is_peer_loopback = c->packet->destination.bytes != 4 || c->packet->destination.data[0] == 127;
        return addr[0] >= 224 || sctpa_be32(addr) == 0 || (addr[0] == 127 && !is_peer_loopback);
    }
    return addr[0] == 0xFF;
}

bool sctpa_FMT_036_applies(const sctpa_context_t *c)
{
    return is_address(c) && c->param->captured_bytes >= c->param->row->fixed_bytes;
}

/* "indicates a transport address the sender of the INIT chunk will support for the association being initiated" */
bool sctpa_FMT_036_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!is_unusable(c, c->param))
        return false;
    sctpa_violation_say(violation, "a unicast address that the peer can reach",
                        "multicast, broadcast, unspecified or loopback");
    return true;
}

bool sctpa_FMT_034_applies(const sctpa_context_t *c)
{
    return sctpa_tlv_is_framed(c->param);
}

/* "MUST NOT include this parameter" */
bool sctpa_FMT_034_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->param->type != SCTPA_PARAM_HOST_NAME)
        return false;
    sctpa_violation_say(violation, "no Host Name Address parameter", SCTPA_WORDS("one of length %u", c->param->length));
    return true;
}

bool sctpa_FMT_035_applies(const sctpa_context_t *c)
{
    return sctpa_tlv_is_framed(c->param) && c->param->type == SCTPA_PARAM_SUPPORTED_ADDRESS_TYPES;
}

/* "The value indicating the Host Name Address parameter MUST NOT be used when sending this parameter" */
bool sctpa_FMT_035_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    for (uint32_t at = SCTPA_TLV_HEADER_BYTES; at + 2 <= c->param->captured_bytes; at += 2)
        if (sctpa_be16(c->param->bytes + at) == SCTPA_PARAM_HOST_NAME) {
            sctpa_violation_say(violation, "no type 11", "type 11 among the Supported Address Types");
            return true;
        }
    return false;
}

static bool may_repeat(const sctpa_tlv_t *param)
{
    return !param->row || param->type == SCTPA_PARAM_IPV4 || param->type == SCTPA_PARAM_IPV6 ||
           param->type == SCTPA_PARAM_PADDING;
}

/* How many parameters of an INIT may not be repeated; *repeated: the type of the first that is, 0 none. O(parameters).
 */
static unsigned count_unique(const sctpa_param_list_t *list, uint32_t *repeated)
{
    unsigned n = 0;
    uint64_t seen = 0;
    *repeated = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        const sctpa_tlv_t *param = &list->params[i];
        uint64_t bit = UINT64_C(1) << sctpa_param_row(param->type);
        if (!sctpa_tlv_is_framed(param) || may_repeat(param))
            continue;
        if (*repeated == 0 && seen & bit)
            *repeated = param->type;
        seen |= bit;
        n++;
    }
    return n;
}

bool sctpa_FMT_031_applies(const sctpa_context_t *c)
{
    uint32_t repeated;
    return has_list(c, SCTPA_BODY_PARAMS) && count_unique(sctpa_context_params(c), &repeated) > 0;
}

/* "each parameter MUST only be included once in the INIT chunk" */
bool sctpa_FMT_031_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t repeated;
    count_unique(sctpa_context_params(c), &repeated);
    if (repeated == 0)
        return false;
    sctpa_violation_say(violation, "each parameter once", SCTPA_WORDS("parameter 0x%04x again", repeated));
    return true;
}

static bool is_misplaced(const sctpa_tlv_t *chunk, uint32_t type)
{
    switch (type) {
    case SCTPA_PARAM_ADD_IP:
    case SCTPA_PARAM_DELETE_IP:
    case SCTPA_PARAM_ERROR_CAUSE_INDICATION:
    case SCTPA_PARAM_SUCCESS_INDICATION:
    case SCTPA_PARAM_HEARTBEAT_INFO: return true;
    case SCTPA_PARAM_STATE_COOKIE:
    case SCTPA_PARAM_UNRECOGNIZED_PARAM: return chunk->type == SCTPA_CHUNK_INIT;
    case SCTPA_PARAM_COOKIE_PRESERVATIVE:
    case SCTPA_PARAM_SUPPORTED_ADDRESS_TYPES: return chunk->type == SCTPA_CHUNK_INIT_ACK;
    default: return false;
    }
}

bool sctpa_FMT_032_applies(const sctpa_context_t *c)
{
    return sctpa_tlv_is_framed(c->param);
}

/* "any parameter that appears where it is not allowed" */
bool sctpa_FMT_032_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!is_misplaced(&c->chunk->tlv, c->param->type))
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("parameters of %s", sctpa_chunk_word(&c->chunk->tlv)),
                        SCTPA_WORDS("parameter 0x%04x", c->param->type));
    return true;
}

bool sctpa_FMT_038_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "Set to the size of the parameter in bytes, including the Cause Code, Cause Length, and Cause-Specific Information
 * fields" */
bool sctpa_FMT_038_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_tlv_is_framed(c->param))
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("a length from 4 to %u", c->param->wire_bytes),
                        SCTPA_WORDS("cause %u of length %u", c->param->type, c->param->length));
    return true;
}

bool sctpa_FMT_039_applies(const sctpa_context_t *c)
{
    static const uint32_t fixed = 1u << SCTPA_CAUSE_INVALID_SID | 1u << SCTPA_CAUSE_MISSING_PARAMS |
                                  1u << SCTPA_CAUSE_STALE_COOKIE | 1u << SCTPA_CAUSE_NO_USER_DATA |
                                  1u << SCTPA_CAUSE_COOKIE_WHILE_SHUTDOWN;
    return c->param->type < 32 && fixed >> c->param->type & 1;
}

/* "Cause Length = 8" */
bool sctpa_FMT_039_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_tlv_is_well_formed(c->param))
        return false;
    sctpa_violation_say(violation, "the length that the cause has by definition",
                        SCTPA_WORDS("cause %u of length %u", c->param->type, c->param->length));
    return true;
}

enum { REPORT_CHUNK = 0x40, REPORT_PARAM = 0x4000 }; /* the upper bits of a type that ask for a report */

bool sctpa_FMT_042_applies(const sctpa_context_t *c)
{
    return sctpa_cause_unknown_chunk(c->param) >= 0;
}

/* "if the receiver does not understand the chunk and the upper bits of the 'Chunk Type' are set to 01 or 11" */
bool sctpa_FMT_042_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint8_t type = (uint8_t)sctpa_cause_unknown_chunk(c->param);
    violation->is_certain = !(type & REPORT_CHUNK);
    if (!violation->is_certain && sctpa_context_may_have_sent(c, !c->from, type))
        return false;
    sctpa_violation_say(violation,
                        violation->is_certain ? "no report of this chunk type" : "a report of a chunk that was sent",
                        SCTPA_WORDS("chunk type 0x%02x reported", type));
    return true;
}

bool sctpa_FMT_043_applies(const sctpa_context_t *c)
{
    return sctpa_tlv_is_framed(c->param) && c->param->type == SCTPA_PARAM_UNRECOGNIZED_PARAM &&
           c->param->captured_bytes >= 2 * SCTPA_TLV_HEADER_BYTES;
}

/* "when the INIT chunk contains an unrecognized parameter that has a type that indicates it SHOULD be reported to the
 * sender" */
bool sctpa_FMT_043_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint16_t type = sctpa_be16(c->param->bytes + SCTPA_TLV_HEADER_BYTES);
    violation->is_certain = !(type & REPORT_PARAM);
    if (!violation->is_certain && sctpa_initialization_may_have_param(c, !c->from, c->param))
        return false;
    sctpa_violation_say(violation,
                        violation->is_certain ? "no report of this parameter type" : "a parameter as the INIT has it",
                        SCTPA_WORDS("parameter 0x%04x reported", type));
    return true;
}
