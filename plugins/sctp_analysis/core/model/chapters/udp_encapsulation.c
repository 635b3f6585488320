/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SCTP in UDP (RFC 6951) and in DTLS (RFC 8261): ports, checksums and addresses. Keeps the UDP ports that endpoints
 * send from, and whether they send without UDP now: where their peers are to send to. Leaves out which address a
 * port belongs to. */
#include "model/chapter.h"

#include "model/chapters/checksum.h"
#include "wire/address.h"

/* UDP ports of an endpoint that are kept. */
#define UDP_PORTS 4

/* What separates answers that go elsewhere from one that did. */
#define UDP_ELSEWHERE 2

/* Of an endpoint, in order of first use; n UDP_PORTS: there may be more. */
typedef struct {
    uint16_t ports[UDP_PORTS];
    uint8_t n;
    uint16_t last;         /* the port of its last packet, ... */
    uint32_t since_packet; /* ... the first of those since which it sent from no other, ... */
    uint32_t other_packet; /* ... and the last before that, SCTPA_NO_PACKET_INDEX none */
    uint32_t last_packet;
    uint32_t plain_packet; /* 1 + the first of its packets without UDP since last_packet, 0 none */
} udp_ports_t;

typedef struct {
    udp_ports_t endpoints[2];
} both_udp_ports_t;

/* Those of an endpoint before the packet. O(1). */
static const udp_ports_t *udp_ports(const sctpa_context_t *c, uint8_t endpoint)
{
    static const udp_ports_t none;
    return sctpa_context_part_of(c, SCTPA_PART_UDP_PORTS, endpoint, sizeof none, &none);
}

/* Is port one of them? O(1). */
static bool udp_ports_has(const udp_ports_t *ports, uint16_t port)
{
    for (unsigned i = 0; i < ports->n; i++)
        if (ports->ports[i] == port)
            return true;
    return false;
}

/* Takes the port of the packet, after the rules. O(1). */
static void udp_ports_take(const sctpa_context_t *c)
{
    both_udp_ports_t *kept = sctpa_context_find_part(c, SCTPA_PART_UDP_PORTS);
    if (kept && c->packet->encapsulation == SCTPA_OVER_IP && kept->endpoints[c->from].plain_packet == 0)
        kept->endpoints[c->from].plain_packet = c->index + 1;
    if (c->packet->encapsulation != SCTPA_OVER_UDP)
        return;
    kept = sctpa_context_part(c, SCTPA_PART_UDP_PORTS, sizeof *kept);
    udp_ports_t *own = &kept->endpoints[c->from];
    own->plain_packet = 0;
    if (own->n == 0 || own->last != c->packet->udp_source) {
        own->other_packet = own->n == 0 ? SCTPA_NO_PACKET_INDEX : own->last_packet;
        own->since_packet = c->index;
        own->last = c->packet->udp_source;
    }
    own->last_packet = c->index;
    if (own->n < UDP_PORTS && !udp_ports_has(own, c->packet->udp_source))
        own->ports[own->n++] = c->packet->udp_source;
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
static bool is_last_port_known(const sctpa_context_t *c, const udp_ports_t *peers)
{
    return shows_arrival(c, peers->since_packet, peers->other_packet);
}

RULE(UE, 002,
    .level = MUST, .since = 6951, .seeing = COULD, .needs = SETUP | BOTH | COMPLETE | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = SCTPA_SACK_ROWS | ROW(COOKIE_ACK) | ROW(HEARTBEAT_ACK),
    .report = { .from = UDP_ELSEWHERE },
    .accused = "sender of the packet",
    .clause = "RFC 6951 5.4",
    .title = "Answers do not go to the peer's UDP port",
    .quote = "the UDP source port MUST be stored as the encapsulation port for the destination address the SCTP packet "
        "is received from",
    .why = "A NAT on the way drops the answers.",
    .evidence = SAY(UDP_ELSEWHERE) " packets or more that answer the peer go to a UDP port that no packet of the "
        "peer came from, or acknowledge data from its new port and go to an old one.",
    .doubt = "Checked only where each endpoint has one address. A port that the peer used before counts as right until "
        "it acknowledges data that was first sent from the new one, and no packet from another can be under way any "
        "more. Nothing is checked after " SAY(UDP_PORTS) " ports.");

/* The chunks of an answer show that something of the peer arrived; with one address at each endpoint its ports are
 * known. */
static bool UE_002_applies(const sctpa_context_t *c)
{
    if (c->packet->encapsulation != SCTPA_OVER_UDP)
        return false;
    unsigned n_ports = udp_ports(c, !c->from)->n;
    return n_ports > 0 && n_ports < UDP_PORTS && c->assoc->ends[0].n_paths == 1 && c->assoc->ends[1].n_paths == 1;
}

/* "the UDP source port MUST be stored as the encapsulation port for the destination address the SCTP packet is
 * received from" */
static bool UE_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const udp_ports_t *peers = udp_ports(c, !c->from);
    violation->is_certain = c->packet->udp_destination != peers->last && is_last_port_known(c, peers);
    if (!violation->is_certain && udp_ports_has(peers, c->packet->udp_destination))
        return false;
    violation->path = c->path;
    if (violation->is_certain)
        violation->related = peers->since_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("UDP port %u, which the peer sends from", peers->last),
                        SCTPA_WORDS("UDP port %u", c->packet->udp_destination));
    return true;
}

RULE(UE, 007,
    .level = MUST, .since = 6951, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = SCTPA_SACK_ROWS,
    .report = { .from = UDP_ELSEWHERE },
    .accused = "sender of the packet",
    .clause = "RFC 6951 5.4",
    .title = "Answers in UDP though the peer sends without it",
    .quote = "the encapsulation of outgoing packets belonging to the same association and the corresponding "
        "destination address MUST be disabled",
    .why = "The peer, or a firewall in front of it, drops the answers.",
    .evidence = SAY(UDP_ELSEWHERE) " packets or more go out in UDP and acknowledge data that was first sent "
        "without it, when no packet in UDP from the peer can be under way any more.",
    .doubt = "Checked only where each endpoint has one address. A packet of the peer in UDP that the capture lacks "
        "explains it.");

static bool UE_007_applies(const sctpa_context_t *c)
{
    const udp_ports_t *peers = udp_ports(c, !c->from);
    return peers->plain_packet > 0 && c->assoc->ends[0].n_paths == 1 && c->assoc->ends[1].n_paths == 1 &&
           shows_arrival(c, peers->plain_packet - 1, peers->last_packet);
}

/* "the encapsulation of outgoing packets belonging to the same association and the corresponding destination address
 * MUST be disabled" */
static bool UE_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const udp_ports_t *peers = udp_ports(c, !c->from);
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

RULE(UE, 004,
    .level = MUST, .since = 6951, .seeing = NOTHING, .needs = SETUP | WHOLE | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = SCTPA_ANY_CHUNK,
    .report = { .from = SCTPA_CHECKSUMS_WRONG },
    .accused = "sender of the packet",
    .clause = "RFC 6951 5.3",
    .title = "Checksum not computed in UDP",
    .quote = "The SCTP checksum MUST be computed for IPv4 and IPv6",
    .why = "The peer drops the packets.",
    .evidence = SAY(SCTPA_CHECKSUMS_WRONG) " packets or more in UDP have checksum 0, though their sender computes "
        "others; the peer's INIT or INIT ACK, captured whole, has no Zero Checksum Acceptable.",
    .doubt = "A wrong checksum other than 0 may be damage and is not checked. A host that computes other checksums "
        "does not leave those in UDP to the hardware.");

static bool UE_004_applies(const sctpa_context_t *c)
{
    return c->packet->encapsulation == SCTPA_OVER_UDP && sctpa_context_must_compute_checksum(c);
}

/* "The SCTP checksum MUST be computed for IPv4 and IPv6" */
static bool UE_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return sctpa_is_zero_checksum(c, violation);
}

RULE(UE, 005,
    .level = SHOULD, .since = 6951, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = SCTPA_ANY_CHUNK,
    .accused = "sender of the packet",
    .clause = "RFC 6951 5.3",
    .title = "UDP checksum not computed",
    .quote = "the UDP checksum SHOULD be computed for IPv4 and IPv6.",
    .why = "Middleboxes and receivers may drop the packets, over IPv6 most do.",
    .evidence = "The checksum of the UDP header in front of the packet is 0.",
    .doubt = "A checksum left to the hardware is that of the pseudo header, not 0. UDP sends a computed checksum of 0 "
        "as 0xFFFF. Dumps and exports without the UDP header are not checked.");

static bool UE_005_applies(const sctpa_context_t *c)
{
    return c->packet->encapsulation == SCTPA_OVER_UDP && c->packet->has_udp_checksum;
}

/* "the UDP checksum SHOULD be computed for IPv4 and IPv6" */
static bool UE_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->packet->udp_checksum != 0)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, "a UDP checksum", "UDP checksum 0");
    return true;
}

RULE(UE, 009,
    .level = MUST, .since = 8261, .seeing = NOTHING, .needs = WHOLE,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of the packet",
    .clause = "RFC 8261 6.1",
    .title = "Addresses listed in SCTP over DTLS",
    .quote = "The INIT and INIT-ACK chunk MUST NOT contain any IPv4 Address or IPv6 Address parameters.",
    .why = "The peer cannot use them, and they reveal addresses that should stay hidden.",
    .evidence = "An IPv4 or IPv6 Address parameter in INIT or INIT ACK, and the frame shows DTLS below SCTP.",
    .doubt = "Dumps and exports that hide the DTLS layer are not checked.");

static bool UE_009_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_over_dtls(c);
}

/* "The INIT and INIT-ACK chunk MUST NOT contain any IPv4 Address or IPv6 Address parameters" */
static bool UE_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!(sctpa_context_params(c)->rows & (SCTPA_PARAM_BIT(IPV4) | SCTPA_PARAM_BIT(IPV6))))
        return false;
    sctpa_violation_say(violation, "no addresses over DTLS", "an address parameter");
    return true;
}

RULE(UE, 010,
    .level = MUST, .since = 8261, .seeing = NOTHING, .needs = WHOLE,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(INIT),
    .accused = "sender of the packet",
    .clause = "RFC 8261 6.1",
    .title = "Supported Address Types in SCTP over DTLS",
    .quote = "The INIT chunk MUST NOT contain the Supported Address Types parameter.",
    .why = "There are no addresses to choose from.",
    .evidence = "The parameter in INIT, and the frame shows DTLS below SCTP.",
    .doubt = "Dumps and exports that hide the DTLS layer are not checked.");

static bool UE_010_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_over_dtls(c);
}

/* "The INIT chunk MUST NOT contain the Supported Address Types parameter" */
static bool UE_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

RULE(UE, 011,
    .level = MUST, .since = 8261, .seeing = NOTHING, .needs = WHOLE,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(ASCONF),
    .accused = "sender of the packet",
    .clause = "RFC 8261 6.3",
    .title = "Address in an ASCONF over DTLS",
    .quote = "ASCONF chunks MUST use wildcard addresses only",
    .why = "The peer has no addresses to change.",
    .evidence = "An address that is not the wildcard in ASCONF, and the frame shows DTLS below SCTP.",
    .doubt = "Dumps and exports that hide the DTLS layer are not checked.");

static bool UE_011_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_over_dtls(c);
}

/* "ASCONF chunks MUST use wildcard addresses only" */
static bool UE_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!names_address(&c->chunk->tlv))
        return false;
    sctpa_violation_say(violation, "0.0.0.0 or ::", "another address");
    return true;
}

/* Packets right in IP matter once their sender, or its peer, has sent in UDP. */
void sctpa_check_udp_encapsulation(sctpa_context_t *c)
{
    if (c->packet->encapsulation == SCTPA_OVER_IP && !sctpa_context_find_part(c, SCTPA_PART_UDP_PORTS))
        return;
    ASK(UE, 002);
    ASK(UE, 004);
    ASK(UE, 005);
    ASK(UE, 007);
    ASK(UE, 009);
    ASK(UE, 010);
    ASK(UE, 011);
    udp_ports_take(c);
}
