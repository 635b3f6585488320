/* Judges RE_CONFIG chunks as such: whether they may be sent, what they may hold, how their parameters look (RFC 6525).
 * Leaves requests, responses and what they do to data to the other parts of the group. */
#include "check_streams.h"

enum { OUTGOING = 0x01, INCOMING = 0x02, TSN = 0x04, RESPONSE = 0x08, ADD_OUTGOING = 0x10, ADD_INCOMING = 0x20 };
enum { PARAMS_MAX = 2 };

static unsigned bit_of(uint32_t type)
{
    switch (type) {
    case SCTPA_PARAM_OUTGOING_RESET: return OUTGOING;
    case SCTPA_PARAM_INCOMING_RESET: return INCOMING;
    case SCTPA_PARAM_TSN_RESET: return TSN;
    case SCTPA_PARAM_RECONFIG_RESPONSE: return RESPONSE;
    case SCTPA_PARAM_ADD_OUTGOING: return ADD_OUTGOING;
    case SCTPA_PARAM_ADD_INCOMING: return ADD_INCOMING;
    default: return 0;
    }
}

sctpa_stream_request_t *sctpa_streams_find(sctpa_stream_asker_t *asker, uint32_t seq)
{
    for (unsigned i = 0; i < MIN(asker->n_requests, SCTPA_STREAMS_REQUESTS); i++)
        if (asker->requests[i].seq == seq)
            return &asker->requests[i];
    return NULL;
}

uint32_t sctpa_streams_outbound(const sctpa_context_t *c, const sctpa_streams_t *state, uint8_t end)
{
    const sctpa_init_t *own = &c->assoc->ends[end].init, *peer = &c->assoc->ends[!end].init;
    return MIN(own->outbound_streams, peer->inbound_streams) + state->askers[end].added_streams;
}

static void check_support(sctpa_context_t *c, bool asks)
{
    sctpa_known_t own = sctpa_offers(&c->assoc->ends[c->from].init, SCTPA_EXTENSION_RE_CONFIG),
                  peer = sctpa_offers(&c->assoc->ends[!c->from].init, SCTPA_EXTENSION_RE_CONFIG);
    /* "the sender MUST NOT send any re-configuration request to the peer" */
    if (asks && peer != SCTPA_UNKNOWN && sctpa_may_judge(c, SCTPA_RULE_RC_001, c->from) && peer == SCTPA_NO)
        sctpa_accuse(c, SCTPA_RULE_RC_001, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     "no request: the peer did not list RE-CONFIG", "a re-configuration request");
    /* "MUST include the chunk type of the RE-CONFIG chunk in the Supported Extensions Parameter" */
    if (own != SCTPA_UNKNOWN && sctpa_may_judge(c, SCTPA_RULE_RC_027, c->from) && own == SCTPA_NO)
        sctpa_accuse(c, SCTPA_RULE_RC_027, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     "RE-CONFIG listed by its sender", "RE-CONFIG by an endpoint that did not list it");
}

static bool is_allowed(unsigned bits, unsigned n)
{
    static const unsigned one[] = { OUTGOING, INCOMING, TSN, ADD_OUTGOING, ADD_INCOMING, RESPONSE };
    static const unsigned two[] = { OUTGOING | INCOMING, ADD_OUTGOING | ADD_INCOMING, RESPONSE | OUTGOING, RESPONSE };
    for (unsigned i = 0; n == 1 && i < G_N_ELEMENTS(one); i++)
        if (bits == one[i])
            return true;
    for (unsigned i = 0; n == PARAMS_MAX && i < G_N_ELEMENTS(two); i++)
        if (bits == two[i])
            return true;
    return false;
}

static void check_param(sctpa_context_t *c, const sctpa_tlv_t *param)
{
    /* "the value MUST be 16 + 2 * N" */
    if (sctpa_may_judge(c, SCTPA_RULE_RC_006, c->from) &&
        (param->fault == SCTPA_FAULT_LENGTH_BELOW_MINIMUM || param->fault == SCTPA_FAULT_LENGTH_BODY))
        sctpa_accuse(c, SCTPA_RULE_RC_006, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     "the length that the parameter has by definition",
                     SCTPA_WORDS("parameter %u of length %u", param->type, param->length));
    if (param->type != SCTPA_PARAM_ADD_OUTGOING && param->type != SCTPA_PARAM_ADD_INCOMING)
        return;
    uint32_t reserved = sctpa_tlv_u32(param, SCTPA_F_ADD_OUTGOING_RESERVED);
    /* "It SHOULD be set to 0 by the sender" */
    if (sctpa_may_judge(c, SCTPA_RULE_RC_020, c->from) && reserved)
        sctpa_accuse(c, SCTPA_RULE_RC_020, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "0",
                     SCTPA_WORDS("0x%04x", reserved));
}

/* Takes a chunk's parameters; returns which there are. */
static unsigned take_params(sctpa_context_t *c, sctpa_streams_t *state, const sctpa_tlv_t *chunk, unsigned *n)
{
    unsigned bits = 0;
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    sctpa_params_begin(&iter, chunk);
    while (sctpa_tlv_next(&iter, &param)) {
        unsigned bit = bit_of(param.type);
        bits |= bit;
        ++*n;
        if (bit == 0 || param.fault == SCTPA_FAULT_LENGTH_BEYOND_END)
            continue;
        check_param(c, &param);
        if (param.captured_bytes < param.row->fixed_bytes)
            continue;
        if (bit == RESPONSE)
            sctpa_streams_response(c, state, &param);
        else
            sctpa_streams_request(c, state, &param);
    }
    return bits;
}

static void check_reconfig(sctpa_context_t *c, sctpa_streams_t *state)
{
    unsigned n_chunks = 0, n_params = 0, all = 0;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i].tlv;
        unsigned n = 0;
        if (chunk->type != SCTPA_CHUNK_RE_CONFIG || chunk->captured_bytes < chunk->wire_bytes)
            continue;
        unsigned bits = take_params(c, state, chunk, &n);
        check_support(c, bits & ~(unsigned)RESPONSE);
        /* "Only the following combinations are allowed" */
        if (sctpa_may_judge(c, SCTPA_RULE_RC_005, c->from) && !is_allowed(bits, n))
            sctpa_accuse(c, SCTPA_RULE_RC_005, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                         "one of the combinations of RFC 6525 3.1",
                         SCTPA_WORDS("%u parameters, types 0x%02x as bits from 13 on", n, bits));
        n_chunks++;
        n_params += n;
        all |= bits;
    }
    /* "If multiple parameters have to be returned, they MUST be put into one RE_CONFIG chunk" */
    if (all & RESPONSE && sctpa_may_judge(c, SCTPA_RULE_RC_025, c->from) && n_chunks > 1 && is_allowed(all, n_params))
        sctpa_accuse(c, SCTPA_RULE_RC_025, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "one RE-CONFIG chunk",
                     SCTPA_WORDS("%u with %u parameters", n_chunks, n_params));
}

static void check_misplaced(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    if (!chunk || !sctpa_may_judge(c, SCTPA_RULE_RC_022, c->from))
        return;
    sctpa_params_begin(&iter, chunk);
    while (sctpa_tlv_next(&iter, &param))
        /* "This parameter MUST NOT appear in any other chunk type" */
        if (bit_of(param.type))
            sctpa_accuse(c, SCTPA_RULE_RC_022, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "only in RE-CONFIG",
                         SCTPA_WORDS("parameter %u in INIT or INIT ACK", param.type));
}

void sctpa_check_streams(sctpa_context_t *c)
{
    check_misplaced(c, sctpa_context_chunk(c, SCTPA_CHUNK_ROW_INIT));
    check_misplaced(c, sctpa_context_chunk(c, SCTPA_CHUNK_ROW_INIT_ACK));
    if (c->rows & SCTPA_ROW(RE_CONFIG))
        check_reconfig(c, sctpa_context_part(c, SCTPA_PART_STREAMS, sizeof(sctpa_streams_t)));
    sctpa_streams_t *state = sctpa_context_find_part(c, SCTPA_PART_STREAMS);
    if (state && c->rows & SCTPA_DATA_ROWS)
        sctpa_streams_data(c, state);
}
