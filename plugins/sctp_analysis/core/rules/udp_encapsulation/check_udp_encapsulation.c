/* Judges SCTP in UDP (RFC 6951) and in DTLS (RFC 8261): ports and addresses. Checksums are judged by CHECKSUM. */
#include "rules/context.h"

#include "track/address.h"

enum { PORTS = 4, ANSWERS_TO_OTHER_PORT = 2 };

/* UDP source ports that an end has sent from. */
typedef struct {
    struct {
        uint16_t ports[PORTS];
        uint8_t n_ports, elsewhere;
    } ends[2];
} encapsulation_t;

static void check_address(sctpa_context_t *c, const sctpa_tlv_t *chunk, const sctpa_tlv_t *param)
{
    bool is_address = param->type == SCTPA_PARAM_IPV4 || param->type == SCTPA_PARAM_IPV6;
    /* "The INIT and INIT-ACK chunk MUST NOT contain any IPv4 Address or IPv6 Address parameters" */
    if (sctpa_may_judge(c, SCTPA_RULE_UE_009, c->from) && is_address)
        sctpa_accuse(c, SCTPA_RULE_UE_009, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "no addresses over DTLS",
                     "an address parameter");
    /* "The INIT chunk MUST NOT contain the Supported Address Types parameter" */
    if (chunk->type == SCTPA_CHUNK_INIT && sctpa_may_judge(c, SCTPA_RULE_UE_010, c->from) &&
        param->type == SCTPA_PARAM_SUPPORTED_ADDRESS_TYPES)
        sctpa_accuse(c, SCTPA_RULE_UE_010, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     "no Supported Address Types over DTLS", "the parameter");
}

static void check_dtls(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    if (!chunk)
        return;
    sctpa_params_begin(&iter, chunk);
    while (sctpa_tlv_next(&iter, &param))
        check_address(c, chunk, &param);
}

/* Addresses in an ASCONF, and in what it asks for. */
static void check_asconf(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    sctpa_addr_t addr;
    if (!chunk || !sctpa_may_judge(c, SCTPA_RULE_UE_011, c->from))
        return;
    sctpa_params_begin(&iter, chunk);
    while (sctpa_tlv_next(&iter, &param)) {
        bool is_address = sctpa_param_addr(&param, &addr);
        bool is_request = param.type == SCTPA_PARAM_ADD_IP || param.type == SCTPA_PARAM_DELETE_IP ||
                          param.type == SCTPA_PARAM_SET_PRIMARY;
        /* "ASCONF chunks MUST use wildcard addresses only" */
        if ((is_address || (is_request && sctpa_nested_addr(&param, &addr))) && !sctpa_addr_is_wildcard(&addr))
            sctpa_accuse(c, SCTPA_RULE_UE_011, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                         "0.0.0.0 or ::", "another address");
    }
}

static bool has_port(const encapsulation_t *state, uint8_t end, uint16_t port)
{
    for (unsigned i = 0; i < state->ends[end].n_ports; i++)
        if (state->ends[end].ports[i] == port)
            return true;
    return false;
}

/* Chunks that show that something of the peer arrived. */
static bool is_answer(const sctpa_context_t *c)
{
    return c->rows & (SCTPA_SACK_ROWS | SCTPA_ROW(COOKIE_ACK) | SCTPA_ROW(HEARTBEAT_ACK));
}

static void check_ports(sctpa_context_t *c)
{
    encapsulation_t *state = sctpa_context_state(c, SCTPA_GROUP_ENCAPSULATION, sizeof *state);
    uint16_t source = c->packet->udp_source, destination = c->packet->udp_destination;
    uint8_t peer = !c->from;
    if (!has_port(state, c->from, source) && state->ends[c->from].n_ports < PORTS)
        state->ends[c->from].ports[state->ends[c->from].n_ports++] = source;
    bool is_one_path = c->assoc->ends[c->from].n_paths == 1 && c->assoc->ends[peer].n_paths == 1;
    if (!is_answer(c) || !is_one_path || state->ends[peer].n_ports == 0 || state->ends[peer].n_ports == PORTS ||
        !sctpa_may_judge(c, SCTPA_RULE_UE_002, c->from) || has_port(state, peer, destination))
        return;
    /* "the UDP source port MUST be stored as the encapsulation port for the destination address the SCTP packet is
     * received from" */
    if (++state->ends[c->from].elsewhere >= ANSWERS_TO_OTHER_PORT) {
        state->ends[c->from].elsewhere = ANSWERS_TO_OTHER_PORT;
        sctpa_accuse(c, SCTPA_RULE_UE_002, c->from, c->path, SCTPA_NO_PACKET_INDEX,
                     SCTPA_WORDS("UDP port %u, which the peer sends from", state->ends[peer].ports[0]),
                     SCTPA_WORDS("UDP port %u", destination));
    }
}

void sctpa_check_encapsulation(sctpa_context_t *c)
{
    if (c->packet->encapsulation == SCTPA_OVER_UDP) {
        check_ports(c);
    } else if (c->packet->encapsulation == SCTPA_OVER_DTLS) {
        check_dtls(c, sctpa_context_chunk(c, SCTPA_CHUNK_ROW_INIT));
        check_dtls(c, sctpa_context_chunk(c, SCTPA_CHUNK_ROW_INIT_ACK));
        check_asconf(c, sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ASCONF));
    }
}
