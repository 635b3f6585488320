/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of SCTP in UDP (RFC 6951) and in DTLS (RFC 8261): ports, checksums, addresses, and empty messages
 * of WebRTC (RFC 8831). */
#include "rules/format/check_checksum.h"

#include "track/address.h"
#include "udp_encapsulation_limits.h"

/* UDP source ports that an endpoint has sent from, and how many of its answers went to none of its peer's. */
typedef struct {
    struct {
        uint16_t ports[SCTPA_UDP_PORTS];
        uint8_t n_ports, elsewhere;
    } ends[2];
} encapsulation_t;

static bool has_port(const encapsulation_t *state, uint8_t end, uint16_t port)
{
    for (unsigned i = 0; i < state->ends[end].n_ports; i++)
        if (state->ends[end].ports[i] == port)
            return true;
    return false;
}

/* The chunks of an answer show that something of the peer arrived; with one address at each end its ports are known. */
bool sctpa_UE_002_applies(const sctpa_context_t *c)
{
    const encapsulation_t *state = sctpa_context_find_part(c, SCTPA_PART_ENCAPSULATION);
    uint8_t peer = !c->from;
    return c->packet->encapsulation == SCTPA_OVER_UDP && state && state->ends[peer].n_ports > 0 &&
           state->ends[peer].n_ports < SCTPA_UDP_PORTS && c->assoc->ends[c->from].n_paths == 1 &&
           c->assoc->ends[peer].n_paths == 1;
}

/* "the UDP source port MUST be stored as the encapsulation port for the destination address the SCTP packet is
 * received from" */
bool sctpa_UE_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const encapsulation_t *state = sctpa_context_find_part(c, SCTPA_PART_ENCAPSULATION);
    if (has_port(state, !c->from, c->packet->udp_destination) ||
        state->ends[c->from].elsewhere + 1 < SCTPA_UDP_ELSEWHERE)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("UDP port %u, which the peer sends from", state->ends[!c->from].ports[0]),
                        SCTPA_WORDS("UDP port %u", c->packet->udp_destination));
    return true;
}

bool sctpa_UE_004_applies(const sctpa_context_t *c)
{
    return c->packet->encapsulation == SCTPA_OVER_UDP && sctpa_must_not_be_zero(c);
}

/* "The SCTP checksum MUST be computed for IPv4 and IPv6" */
bool sctpa_UE_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return sctpa_is_zero_again(c, violation);
}

static bool is_over_dtls(const sctpa_context_t *c)
{
    return c->packet->encapsulation == SCTPA_OVER_DTLS;
}

bool sctpa_UE_009_applies(const sctpa_context_t *c)
{
    return is_over_dtls(c);
}

/* "The INIT and INIT-ACK chunk MUST NOT contain any IPv4 Address or IPv6 Address parameters" */
bool sctpa_UE_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_tlv_t param;
    if (!sctpa_param_find(&c->chunk->tlv, SCTPA_PARAM_IPV4, &param) &&
        !sctpa_param_find(&c->chunk->tlv, SCTPA_PARAM_IPV6, &param))
        return false;
    sctpa_violation_say(violation, "no addresses over DTLS", "an address parameter");
    return true;
}

bool sctpa_UE_010_applies(const sctpa_context_t *c)
{
    return is_over_dtls(c);
}

/* "The INIT chunk MUST NOT contain the Supported Address Types parameter" */
bool sctpa_UE_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_tlv_t param;
    if (!sctpa_param_find(&c->chunk->tlv, SCTPA_PARAM_SUPPORTED_ADDRESS_TYPES, &param))
        return false;
    sctpa_violation_say(violation, "no Supported Address Types over DTLS", "the parameter");
    return true;
}

/* Does an ASCONF name an address that is no wildcard, itself or in what it asks for? */
static bool names_address(const sctpa_tlv_t *asconf)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    sctpa_addr_t addr;
    sctpa_params_begin(&iter, asconf);
    while (sctpa_tlv_next(&iter, &param)) {
        bool is_request = param.type == SCTPA_PARAM_ADD_IP || param.type == SCTPA_PARAM_DELETE_IP ||
                          param.type == SCTPA_PARAM_SET_PRIMARY;
        bool is_address = sctpa_param_addr(&param, &addr) || (is_request && sctpa_nested_addr(&param, &addr));
        if (is_address && !sctpa_addr_is_wildcard(&addr))
            return true;
    }
    return false;
}

bool sctpa_UE_011_applies(const sctpa_context_t *c)
{
    return is_over_dtls(c);
}

/* "ASCONF chunks MUST use wildcard addresses only" */
bool sctpa_UE_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!names_address(&c->chunk->tlv))
        return false;
    sctpa_violation_say(violation, "0.0.0.0 or ::", "another address");
    return true;
}

/* In I-DATA that begins no message the field is the FSN. */
bool sctpa_UE_014_applies(const sctpa_context_t *c)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    bool is_i_data = chunk->type == SCTPA_CHUNK_I_DATA;
    if (!is_over_dtls(c) || chunk->captured_bytes <= chunk->row->fixed_bytes ||
        (is_i_data && !(chunk->flags & SCTPA_TSN_BEGIN)))
        return false;
    uint32_t ppid = sctpa_tlv_u32(chunk, is_i_data ? SCTPA_F_I_DATA_PPID : SCTPA_F_DATA_PPID);
    return ppid == SCTPA_PPID_STRING_EMPTY || ppid == SCTPA_PPID_BINARY_EMPTY;
}

/* "the SCTP user message of one zero byte is sent" */
bool sctpa_UE_014_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    const uint8_t whole_message = SCTPA_TSN_BEGIN | SCTPA_TSN_END, first = chunk->bytes[chunk->row->fixed_bytes];
    const uint32_t user_bytes = chunk->wire_bytes - chunk->row->fixed_bytes;
    if ((chunk->flags & whole_message) == whole_message && user_bytes == 1 && first == 0)
        return false;
    sctpa_violation_say(violation, "a message of one zero byte",
                        SCTPA_WORDS("flags 0x%02x, %u bytes, the first 0x%02x", chunk->flags, user_bytes, first));
    return true;
}

static void note_answer(const sctpa_context_t *c, encapsulation_t *state)
{
    uint8_t *elsewhere = &state->ends[c->from].elsewhere;
    bool is_answer = c->rows & (SCTPA_SACK_ROWS | SCTPA_ROW(COOKIE_ACK) | SCTPA_ROW(HEARTBEAT_ACK));
    if (is_answer && *elsewhere < SCTPA_UDP_ELSEWHERE && sctpa_UE_002_applies(c) &&
        !has_port(state, !c->from, c->packet->udp_destination))
        ++*elsewhere;
}

void sctpa_update_encapsulation(sctpa_context_t *c)
{
    if (c->packet->encapsulation != SCTPA_OVER_UDP)
        return;
    encapsulation_t *state = sctpa_context_part(c, SCTPA_PART_ENCAPSULATION, sizeof *state);
    note_answer(c, state);
    if (!has_port(state, c->from, c->packet->udp_source) && state->ends[c->from].n_ports < SCTPA_UDP_PORTS)
        state->ends[c->from].ports[state->ends[c->from].n_ports++] = c->packet->udp_source;
}
