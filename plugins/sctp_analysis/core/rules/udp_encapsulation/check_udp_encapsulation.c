/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of SCTP in UDP (RFC 6951) and in DTLS (RFC 8261): ports, checksums, addresses, and empty messages
 * of WebRTC (RFC 8831). */
#include "rules/format/check_checksum.h"

#include "reference/requests/udp_ports.h"
#include "reference/sender/data_channels.h"
#include "wire/address.h"
#include "udp_encapsulation_limits.h"

/* The chunks of an answer show that something of the peer arrived; with one address at each endpoint its ports are
 * known. */
bool sctpa_UE_002_applies(const sctpa_context_t *c)
{
    if (c->packet->encapsulation != SCTPA_OVER_UDP)
        return false;
    unsigned n_ports = sctpa_udp_ports(c, !c->from)->n;
    return n_ports > 0 && n_ports < SCTPA_UDP_PORTS && c->assoc->ends[0].n_paths == 1 && c->assoc->ends[1].n_paths == 1;
}

/* Does the packet acknowledge data that passed first in packet since or later, and does no packet from before it, of
 * which other was the last, arrive any more? */
static bool shows_arrival(const sctpa_context_t *c, uint32_t since, uint32_t other)
{
    if (!c->first_sack || !(c->facts & SCTPA_FACT_NEWLY_ACKED) || !c->acked || other == SCTPA_NO_PACKET_INDEX)
        return false;
    const sctpa_tsn_t *tsn = sctpa_context_tsn(c->acked, sctpa_context_unwrap(c->acked, c->sack.cum_tsn));
    return tsn && tsn->transmissions > 0 && tsn->first_packet >= since &&
           sctpa_context_least_since_ns(c, other) > sctpa_context_under_way_ns(c);
}

/* Does the endpoint know the port that the peer sends from now? */
static bool is_last_port_known(const sctpa_context_t *c, const sctpa_udp_ports_t *peers)
{
    return shows_arrival(c, peers->since_packet, peers->other_packet);
}

/* "the UDP source port MUST be stored as the encapsulation port for the destination address the SCTP packet is
 * received from" */
bool sctpa_UE_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_udp_ports_t *peers = sctpa_udp_ports(c, !c->from);
    violation->is_certain = c->packet->udp_destination != peers->last && is_last_port_known(c, peers);
    if (!violation->is_certain && sctpa_udp_ports_has(peers, c->packet->udp_destination))
        return false;
    violation->path = c->path;
    if (violation->is_certain)
        violation->related = peers->since_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("UDP port %u, which the peer sends from", peers->last),
                        SCTPA_WORDS("UDP port %u", c->packet->udp_destination));
    return true;
}

bool sctpa_UE_007_applies(const sctpa_context_t *c)
{
    const sctpa_udp_ports_t *peers = sctpa_udp_ports(c, !c->from);
    return peers->plain_packet > 0 && c->assoc->ends[0].n_paths == 1 && c->assoc->ends[1].n_paths == 1 &&
           shows_arrival(c, peers->plain_packet - 1, peers->last_packet);
}

/* "the encapsulation of outgoing packets belonging to the same association and the corresponding destination address
 * MUST be disabled" */
bool sctpa_UE_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_udp_ports_t *peers = sctpa_udp_ports(c, !c->from);
    if (c->packet->encapsulation != SCTPA_OVER_UDP)
        return false;
    violation->path = c->path;
    violation->since = peers->last_packet;
    violation->related = peers->plain_packet - 1;
    violation->is_by_peer = true;
    sctpa_violation_say(violation, "no UDP: the peer sends without it, and its data arrived",
                        SCTPA_WORDS("UDP port %u", c->packet->udp_destination));
    return true;
}

bool sctpa_UE_004_applies(const sctpa_context_t *c)
{
    return c->packet->encapsulation == SCTPA_OVER_UDP && sctpa_context_must_compute_checksum(c);
}

/* "The SCTP checksum MUST be computed for IPv4 and IPv6" */
bool sctpa_UE_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return sctpa_is_zero_checksum(c, violation);
}

bool sctpa_UE_005_applies(const sctpa_context_t *c)
{
    return c->packet->encapsulation == SCTPA_OVER_UDP && c->packet->has_udp_checksum;
}

/* "the UDP checksum SHOULD be computed for IPv4 and IPv6" */
bool sctpa_UE_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->packet->udp_checksum != 0)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, "a UDP checksum", "UDP checksum 0");
    return true;
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
    if (!(sctpa_context_params(c)->rows & (SCTPA_PARAM_BIT(IPV4) | SCTPA_PARAM_BIT(IPV6))))
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
    if (!(sctpa_context_params(c)->rows & SCTPA_PARAM_BIT(SUPPORTED_ADDRESS_TYPES)))
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

bool sctpa_UE_016_applies(const sctpa_context_t *c)
{
    uint32_t stream;
    return sctpa_data_channels(c, !c->from) && sctpa_data_channel_is_opened(c, &stream);
}

/* RFC 8831 6.5: "the client picks even stream identifiers, and the server picks odd stream identifiers" */
bool sctpa_UE_016_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t stream = 0;
    const sctpa_data_channels_t *peer = sctpa_data_channels(c, !c->from);
    if (!sctpa_data_channel_is_opened(c, &stream) || peer->opened[stream % 2] == SCTPA_NO_PACKET_INDEX ||
        peer->opened[1 - stream % 2] != SCTPA_NO_PACKET_INDEX)
        return false;
    violation->related = peer->opened[stream % 2];
    sctpa_violation_say(violation, SCTPA_WORDS("an %s stream", stream % 2 ? "even" : "odd"),
                        SCTPA_WORDS("stream %u, while the peer takes such streams", stream));
    return true;
}

/* Its answer may be under way, or lost before the tap, as long as something of it is outstanding. */
bool sctpa_UE_017_applies(const sctpa_context_t *c)
{
    const sctpa_data_channels_t *peer = sctpa_data_channels(c, !c->from);
    return peer && peer->asked_packet > 0 && !(c->sent && c->sent->flight_bytes > 0);
}

/* A restatement, which is why this is a note. */
bool sctpa_UE_017_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_data_channels_t *peer = sctpa_data_channel_unanswered(c);
    if (!peer)
        return false;
    violation->since = violation->related = peer->asked_packet - 1;
    sctpa_violation_say(violation, SCTPA_WORDS("DATA_CHANNEL_ACK on stream %u", peer->asked_stream),
                        SCTPA_WORDS("none %.1f s after the request was acknowledged",
                                    (double)(c->packet->time_ns - peer->taken_ns) / (double)SCTPA_NS_PER_S));
    return true;
}

static int64_t allowed_retransmissions(const sctpa_context_t *c)
{
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    return tsn && c->chunk->sent.rtx > 0 ? sctpa_data_channel_retransmissions(c, tsn->stream) : -1;
}

bool sctpa_UE_018_applies(const sctpa_context_t *c)
{
    return allowed_retransmissions(c) >= 0;
}

/* A restatement, which is why this is a note. */
bool sctpa_UE_018_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    int64_t allowed = allowed_retransmissions(c);
    if ((int64_t)tsn->transmissions - 1 <= allowed || sctpa_data_channel_is_control(tsn))
        return false;
    violation->path = c->path;
    violation->related = tsn->first_packet;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("%u retransmissions at most on stream %u, as it was opened", (uint32_t)allowed, tsn->stream),
        SCTPA_WORDS("TSN %u retransmitted %u times", sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_DATA_TSN),
                    (uint32_t)tsn->transmissions - 1));
    return true;
}

bool sctpa_UE_019_applies(const sctpa_context_t *c)
{
    const sctpa_data_channels_t *own = sctpa_data_channels(c, c->from);
    return own && own->asked_packet > 0;
}

/* A restatement, which is why this is a note. */
bool sctpa_UE_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_data_channels_t *own = sctpa_data_channels(c, c->from);
    if (!sctpa_data_channel_is_given_up(c, c->from))
        return false;
    violation->since = violation->related = own->asked_packet - 1;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("DATA_CHANNEL_OPEN on stream %u sent until it is acknowledged", own->asked_stream),
                        "given up by FORWARD-TSN");
    return true;
}
