/* Judges parameters and error causes: their frames, their lengths, how often and where they stand. Leaves their meaning
 * to the groups that own them. */
#include "check_format.h"

enum { IPV4_BYTES = 8, IPV6_BYTES = 20, HOST_NAME_TYPE = 11 };

static bool is_broken(const sctpa_tlv_t *tlv)
{
    return tlv->fault == SCTPA_FAULT_LENGTH_BELOW_HEADER || tlv->fault == SCTPA_FAULT_LENGTH_BEYOND_END;
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

/* What a parameter breaks when its frame does not fit its chunk; false: the chunk is read from the wrong place from
 * here on. */
static bool check_frame(sctpa_context_t *c, const sctpa_tlv_t *chunk, const sctpa_tlv_t *param)
{
    /* "a parameter with a zero-length Parameter Value field would have a Parameter Length field of 4" */
    if (sctpa_may_judge(c, SCTPA_RULE_FMT_028, c->from) && param->fault == SCTPA_FAULT_LENGTH_BELOW_HEADER)
        sctpa_format_accuse(
            c, SCTPA_RULE_FMT_028, "a Parameter Length of 4 or more",
            sctpa_words("parameter 0x%04x of length %u in %s", param->type, param->length, sctpa_format_word(chunk)));
    /* "The Parameter Length field contains the size of the parameter in bytes" */
    if (sctpa_may_judge(c, SCTPA_RULE_FMT_029, c->from) && param->fault == SCTPA_FAULT_LENGTH_BEYOND_END)
        sctpa_format_accuse(
            c, SCTPA_RULE_FMT_029, SCTPA_WORDS("at most %u bytes, all that is left", param->wire_bytes),
            sctpa_words("parameter 0x%04x of length %u in %s", param->type, param->length, sctpa_format_word(chunk)));
    return !is_broken(param);
}

/* The parameters fit their chunk only when they are not padded. */
static bool is_unpadded(const sctpa_tlv_t *chunk)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    bool fits = true;
    sctpa_params_begin(&iter, chunk);
    while (fits && sctpa_tlv_next(&iter, &param))
        fits = !is_broken(&param);
    return (!fits || iter.fault == SCTPA_FAULT_TRAILING_BYTES) && fits_unpadded(chunk);
}

static bool is_mapped(const uint8_t *addr)
{
    static const uint8_t prefix[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF };
    for (unsigned i = 0; i < sizeof prefix; i++)
        if (addr[i] != prefix[i])
            return false;
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

static void check_address(sctpa_context_t *c, const sctpa_tlv_t *param)
{
    uint16_t bytes = param->type == SCTPA_PARAM_IPV4 ? IPV4_BYTES : IPV6_BYTES;
    /* "Contains an IPv4 address of the sending endpoint" */
    if (sctpa_may_judge(c, SCTPA_RULE_FMT_037, c->from) && param->length != bytes)
        sctpa_format_accuse(c, SCTPA_RULE_FMT_037, SCTPA_WORDS("length %u", bytes),
                            sctpa_words("length %u", param->length));
    if (param->captured_bytes < bytes)
        return;
    /* "MUST NOT use an IPv4-mapped IPv6 address" */
    if (param->type == SCTPA_PARAM_IPV6 && sctpa_may_judge(c, SCTPA_RULE_FMT_033, c->from) &&
        is_mapped(param->bytes + SCTPA_TLV_HEADER_BYTES))
        sctpa_format_accuse(c, SCTPA_RULE_FMT_033, "an IPv4 Address parameter",
                            sctpa_words("an IPv4-mapped IPv6 address"));
    /* "indicates a transport address the sender of the INIT chunk will support for the association being initiated" */
    if (sctpa_may_judge(c, SCTPA_RULE_FMT_036, c->from) && is_unusable(c, param))
        sctpa_format_accuse(c, SCTPA_RULE_FMT_036, "a unicast address that the peer can reach",
                            sctpa_words("multicast, broadcast, unspecified or loopback"));
}

static void check_host_name(sctpa_context_t *c, const sctpa_tlv_t *param)
{
    /* "MUST NOT include this parameter" */
    if (sctpa_may_judge(c, SCTPA_RULE_FMT_034, c->from) && param->type == SCTPA_PARAM_HOST_NAME)
        sctpa_format_accuse(c, SCTPA_RULE_FMT_034, "no Host Name Address parameter",
                            sctpa_words("one of length %u", param->length));
    if (param->type != SCTPA_PARAM_SUPPORTED_ADDRESS_TYPES || !sctpa_may_judge(c, SCTPA_RULE_FMT_035, c->from))
        return;
    for (uint32_t at = SCTPA_TLV_HEADER_BYTES; at + 2 <= param->captured_bytes; at += 2)
        /* "The value indicating the Host Name Address parameter MUST NOT be used when sending this parameter" */
        if (sctpa_be16(param->bytes + at) == HOST_NAME_TYPE)
            sctpa_format_accuse(c, SCTPA_RULE_FMT_035, "no type 11",
                                sctpa_words("type 11 among the Supported Address Types"));
}

static bool may_repeat(const sctpa_tlv_t *param)
{
    return !param->row || param->type == SCTPA_PARAM_IPV4 || param->type == SCTPA_PARAM_IPV6 ||
           param->type == SCTPA_PARAM_PADDING;
}

static void check_once(sctpa_context_t *c, const sctpa_tlv_t *chunk, const sctpa_tlv_t *param, uint64_t *seen)
{
    uint64_t bit = UINT64_C(1) << sctpa_param_row(param->type);
    if (chunk->type != SCTPA_CHUNK_INIT || may_repeat(param) || !sctpa_may_judge(c, SCTPA_RULE_FMT_031, c->from))
        return;
    /* "each parameter MUST only be included once in the INIT chunk" */
    if (*seen & bit)
        sctpa_format_accuse(c, SCTPA_RULE_FMT_031, "each parameter once",
                            sctpa_words("parameter 0x%04x again", param->type));
    *seen |= bit;
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

static void check_announced(sctpa_context_t *c, const sctpa_tlv_t *chunk, const sctpa_tlv_t *param, uint64_t *seen)
{
    if (param->type == SCTPA_PARAM_IPV4 || param->type == SCTPA_PARAM_IPV6)
        check_address(c, param);
    check_host_name(c, param);
    check_once(c, chunk, param, seen);
    /* "any parameter that appears where it is not allowed" */
    if (sctpa_may_judge(c, SCTPA_RULE_FMT_032, c->from) && is_misplaced(chunk, param->type))
        sctpa_format_accuse(c, SCTPA_RULE_FMT_032, SCTPA_WORDS("parameters of %s", sctpa_format_word(chunk)),
                            sctpa_words("parameter 0x%04x", param->type));
}

void sctpa_format_params(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    bool is_announcement = chunk->type == SCTPA_CHUNK_INIT || chunk->type == SCTPA_CHUNK_INIT_ACK;
    uint64_t seen = 0;
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    /* "The total length of a parameter (including Parameter Type, Parameter Length, and Parameter Value fields) MUST be
     * a multiple of 4 bytes" */
    if (sctpa_may_judge(c, SCTPA_RULE_FMT_030, c->from) && is_unpadded(chunk)) {
        sctpa_format_accuse(c, SCTPA_RULE_FMT_030, "parameters padded to multiples of 4 bytes",
                            sctpa_words("%s with parameters that fit only without padding", sctpa_format_word(chunk)));
        return;
    }
    sctpa_params_begin(&iter, chunk);
    while (sctpa_tlv_next(&iter, &param))
        if (check_frame(c, chunk, &param) && is_announcement)
            check_announced(c, chunk, &param, &seen);
}

static bool has_fixed_length(uint32_t code)
{
    return code == SCTPA_CAUSE_INVALID_SID || code == SCTPA_CAUSE_MISSING_PARAMS || code == SCTPA_CAUSE_STALE_COOKIE ||
           code == SCTPA_CAUSE_NO_USER_DATA || code == SCTPA_CAUSE_COOKIE_WHILE_SHUTDOWN;
}

void sctpa_format_causes(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t cause;
    sctpa_params_begin(&iter, chunk);
    while (sctpa_tlv_next(&iter, &cause)) {
        bool is_wrong = cause.fault == SCTPA_FAULT_LENGTH_BELOW_MINIMUM || cause.fault == SCTPA_FAULT_LENGTH_BODY;
        /* "Set to the size of the parameter in bytes, including the Cause Code, Cause Length, and Cause-Specific
         * Information fields" */
        if (sctpa_may_judge(c, SCTPA_RULE_FMT_038, c->from) && is_broken(&cause))
            sctpa_format_accuse(c, SCTPA_RULE_FMT_038, SCTPA_WORDS("a length from 4 to %u", cause.wire_bytes),
                                sctpa_words("cause %u of length %u", cause.type, cause.length));
        /* "Cause Length = 8" */
        if (has_fixed_length(cause.type) && sctpa_may_judge(c, SCTPA_RULE_FMT_039, c->from) && is_wrong)
            sctpa_format_accuse(c, SCTPA_RULE_FMT_039, "the length that the cause has by definition",
                                sctpa_words("cause %u of length %u", cause.type, cause.length));
    }
}
