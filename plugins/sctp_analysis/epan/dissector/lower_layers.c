/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what the layers below say about an SCTP packet, or about one that an ICMP error quotes: time, interface,
 * addresses, IP and UDP header. Dissectors pass no IP header on over UDP, and nothing of the error around a quoted
 * packet: these are looked for in the bytes in front, by what makes sure of a header's length. A quote inside
 * anything else that Wireshark marks as an error packet (an sFlow sample) is none. */
#include "lower_layers.h"

#include <string.h>

#include <epan/dissectors/packet-ip.h>
#include <epan/to_str.h>
#include <wiretap/wtap.h>

enum { ICMP_HEADER_BYTES = 8, TAG_END_BYTES = 8 };

enum { ICMP_UNREACHABLE = 3, ICMP_FRAGMENTATION_NEEDED = 4, ICMPV6_UNREACHABLE = 1, ICMPV6_TOO_BIG = 2 };

static void read_icmpv4(sctpa_icmp_t *icmp, const uint8_t *at)
{
    icmp->kind = icmp->type == ICMP_UNREACHABLE ? SCTPA_ICMP_UNREACHABLE : SCTPA_ICMP_OTHER;
    if (icmp->type == ICMP_UNREACHABLE && icmp->code == ICMP_FRAGMENTATION_NEEDED) {
        icmp->kind = SCTPA_ICMP_PACKET_TOO_BIG;
        icmp->mtu_bytes = (uint32_t)(at[6] << 8 | at[7]);
    }
}

static void read_icmpv6(sctpa_icmp_t *icmp, const uint8_t *at)
{
    icmp->kind = icmp->type == ICMPV6_UNREACHABLE ? SCTPA_ICMP_UNREACHABLE : SCTPA_ICMP_OTHER;
    if (icmp->type == ICMPV6_TOO_BIG) {
        icmp->kind = SCTPA_ICMP_PACKET_TOO_BIG;
        icmp->mtu_bytes = (uint32_t)at[4] << 24 | (uint32_t)at[5] << 16 | (uint32_t)at[6] << 8 | at[7];
    }
}

/* The quoted packet's own length and header, which the quote may have cut. */
static void read_quoted_header(sctpa_packet_t *quoted, const sctpa_ip_header_t *header, uint32_t header_bytes)
{
    quoted->source = header->source;
    quoted->destination = header->destination;
    quoted->ip_bytes = header->packet_bytes;
    quoted->ip_id = header->id;
    quoted->ttl = header->ttl;
    quoted->tos = header->tos;
    if (header->packet_bytes > header_bytes)
        quoted->wire_bytes = header->packet_bytes - header_bytes;
    quoted->captured_bytes = MIN(quoted->captured_bytes, quoted->wire_bytes);
}

enum { IPV4_LEAST_BYTES = 20, IPV4_MOST_BYTES = 60, IPV6_BYTES = 40, IPV6_EXTENSIONS_MOST_BYTES = 256 };

enum { HOP_BY_HOP = 0, ROUTING = 43, FRAGMENT = 44, DESTINATION_OPTIONS = 60 };

static uint16_t be16(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

static sctpa_addr_t address_at(const uint8_t *at, uint8_t bytes)
{
    sctpa_addr_t addr = { .bytes = bytes };
    memcpy(addr.data, at, bytes);
    return addr;
}

static bool is_ipv4(const uint8_t *at, uint32_t bytes, uint8_t protocol)
{
    return at[0] == (0x40 | bytes / 4) && at[9] == protocol && be16(at + 2) >= bytes;
}

/* Follows the extension headers from the fixed header to where protocol must begin. */
static bool is_ipv6(const uint8_t *at, uint32_t bytes, uint8_t protocol)
{
    uint32_t offset = IPV6_BYTES;
    uint8_t next = at[6];
    if (at[0] >> 4 != 6)
        return false;
    while (offset < bytes &&
           (next == HOP_BY_HOP || next == ROUTING || next == FRAGMENT || next == DESTINATION_OPTIONS)) {
        uint32_t length = next == FRAGMENT ? 8 : 8 * (1 + (uint32_t)at[offset + 1]);
        next = at[offset];
        offset += length;
    }
    return offset == bytes && next == protocol;
}

static void read_ipv4(sctpa_ip_header_t *header, const uint8_t *at)
{
    header->source = address_at(at + 12, 4);
    header->destination = address_at(at + 16, 4);
    header->packet_bytes = be16(at + 2);
    header->id = be16(at + 4);
    header->ttl = at[8];
    header->tos = at[1];
}

static void read_ipv6(sctpa_ip_header_t *header, const uint8_t *at)
{
    header->source = address_at(at + 8, 16);
    header->destination = address_at(at + 24, 16);
    header->packet_bytes = (uint32_t)IPV6_BYTES + be16(at + 4);
    header->id = 0;
    header->ttl = at[7];
    header->tos = (uint8_t)(at[0] << 4 | at[1] >> 4);
}

/* Finds the IPv4 or IPv6 header, extension headers included, that ends right before bytes[end] and announces protocol.
 * False when there is none. O(1). */
static bool ip_header_before(sctpa_ip_header_t *header, const uint8_t *bytes, uint32_t end, uint8_t protocol)
{
    for (uint32_t length = IPV4_LEAST_BYTES; length <= IPV4_MOST_BYTES && length <= end; length += 4)
        if (is_ipv4(bytes + end - length, length, protocol)) {
            header->at = end - length;
            read_ipv4(header, bytes + header->at);
            return true;
        }
    for (uint32_t length = IPV6_BYTES; length <= IPV6_BYTES + IPV6_EXTENSIONS_MOST_BYTES && length <= end; length += 8)
        if (is_ipv6(bytes + end - length, length, protocol)) {
            header->at = end - length;
            read_ipv6(header, bytes + header->at);
            return true;
        }
    return false;
}

bool sctpa_lower_layers_read_icmp(sctpa_icmp_t *icmp, tvbuff_t *tvb, packet_info *pinfo,
                                  sctpa_encapsulation_t encapsulation, const void *data)
{
    sctpa_ip_header_t quoted, outer;
    bool over_udp = encapsulation == SCTPA_OVER_UDP;
    uint32_t udp_bytes = over_udp ? SCTPA_UDP_HEADER_BYTES : 0;
    memset(icmp, 0, sizeof *icmp);
    sctpa_lower_layers_read(&icmp->quoted, tvb, pinfo, encapsulation, data);
    uint32_t at = icmp->quoted.link_bytes;
    const uint8_t *bytes = tvb_get_ptr(tvb_get_ds_tvb(tvb), 0, (int)at);
    if (at < udp_bytes ||
        !ip_header_before(&quoted, bytes, at - udp_bytes, over_udp ? SCTPA_IP_PROTOCOL_UDP : SCTPA_IP_PROTOCOL_SCTP))
        return false;
    bool is_v6 = quoted.source.bytes == 16;
    if (quoted.at < ICMP_HEADER_BYTES || !ip_header_before(&outer, bytes, quoted.at - ICMP_HEADER_BYTES,
                                                           is_v6 ? SCTPA_IP_PROTOCOL_ICMPV6 : SCTPA_IP_PROTOCOL_ICMP))
        return false;
    const uint8_t *error = bytes + quoted.at - ICMP_HEADER_BYTES;
    icmp->reporter = outer.source;
    icmp->type = error[0];
    icmp->code = error[1];
    if (is_v6)
        read_icmpv6(icmp, error);
    else
        read_icmpv4(icmp, error);
    read_quoted_header(&icmp->quoted, &quoted, at - quoted.at);
    return icmp->quoted.captured_bytes >= TAG_END_BYTES;
}

enum {
    FIRST_FRAGMENT_BYTES = 65515
}; /* length of a packet of which only the first fragment is there: unknown, at most this */

static void read_address(sctpa_addr_t *to, const address *from)
{
    memset(to, 0, sizeof *to);
    if (from->type == AT_IPv4 || from->type == AT_IPv6) {
        to->bytes = from->type == AT_IPv4 ? 4 : 16;
        memcpy(to->data, from->data, to->bytes);
    }
}

/* A log of a socket (link type 248) has no addresses: the interface stands for the socket, and the direction that the
 * file has for the packet tells which of both sent it. */
static void read_socket(sctpa_packet_t *packet, const packet_info *pinfo)
{
    bool is_sent = packet->link_direction == SCTPA_LINK_SENT;
    if (packet->link_direction == SCTPA_LINK_UNKNOWN || pinfo->src.type != AT_NONE || pinfo->dst.type != AT_NONE)
        return;
    packet->source = sctpa_addr_of_socket(packet->interface, is_sent);
    packet->destination = sctpa_addr_of_socket(packet->interface, !is_sent);
}

static uint32_t read_interface(const packet_info *pinfo)
{
    if (pinfo->rec->rec_type != REC_TYPE_PACKET || !(pinfo->rec->presence_flags & WTAP_HAS_INTERFACE_ID))
        return 0;
    return pinfo->rec->rec_header.packet_header.interface_id % SCTPA_INTERFACES_MAX;
}

static void read_frame(sctpa_packet_t *packet, tvbuff_t *tvb, const packet_info *pinfo)
{
    packet->frame = pinfo->num;
    packet->time_ns = sctpa_ns_of(pinfo->abs_ts.secs, pinfo->abs_ts.nsecs);
    packet->interface = read_interface(pinfo);
    packet->link_direction = pinfo->p2p_dir == P2P_DIR_SENT   ? SCTPA_LINK_SENT
                             : pinfo->p2p_dir == P2P_DIR_RECV ? SCTPA_LINK_RECEIVED
                                                              : SCTPA_LINK_UNKNOWN;
    packet->link_bytes = (uint32_t)tvb_raw_offset(tvb);
    packet->captured_bytes = tvb_captured_length(tvb);
    packet->wire_bytes = MAX(tvb_reported_length(tvb), packet->captured_bytes);
    packet->bytes = tvb_get_ptr(tvb, 0, (int)packet->captured_bytes);
    if (pinfo->fragmented)
        packet->wire_bytes = MAX(packet->wire_bytes, FIRST_FRAGMENT_BYTES);
}

/* Do the bytes come from another buffer than the frame's? Only reassembly makes one below SCTP, apart from decryption.
 */
static bool is_reassembled(tvbuff_t *tvb, const packet_info *pinfo)
{
    const struct data_source *frame = (const struct data_source *)(pinfo->data_src ? pinfo->data_src->data : NULL);
    return frame != NULL && tvb_get_ds_tvb(tvb) != get_data_source_tvb(frame);
}

static void read_passed_header(sctpa_packet_t *packet, const void *data)
{
    const ws_ip4 *ip4 = data != NULL && *(const uint8_t *)data == 4 ? (const ws_ip4 *)data : NULL;
    const ws_ip6 *ip6 = data != NULL && *(const uint8_t *)data == 6 ? (const ws_ip6 *)data : NULL;
    if (ip4 != NULL) {
        packet->ip_bytes = packet->fragmented ? 20 + packet->wire_bytes : ip4->ip_len;
        packet->ip_id = ip4->ip_id;
        packet->ttl = ip4->ip_ttl;
        packet->tos = ip4->ip_tos;
    } else if (ip6 != NULL) {
        packet->ip_bytes = 40 + (packet->fragmented ? packet->wire_bytes : ip6->ip6_len);
        packet->ttl = ip6->ip6_hop;
        packet->tos = ip6->ip6_tc;
    }
}

static void read_header_in_front(sctpa_packet_t *packet, tvbuff_t *tvb)
{
    sctpa_ip_header_t header;
    tvbuff_t *source = tvb_get_ds_tvb(tvb);
    if (packet->link_bytes < SCTPA_UDP_HEADER_BYTES)
        return;
    uint32_t end = packet->link_bytes - SCTPA_UDP_HEADER_BYTES;
    if (!ip_header_before(&header, tvb_get_ptr(source, 0, (int)packet->link_bytes), end, SCTPA_IP_PROTOCOL_UDP) ||
        memcmp(&header.source, &packet->source, sizeof header.source) != 0)
        return;
    packet->ip_bytes = header.packet_bytes;
    packet->ip_id = header.id;
    packet->ttl = header.ttl;
    packet->tos = header.tos;
}

/* Reads the UDP header in front, of which the caller knows the ports. */
static void read_udp_header(sctpa_packet_t *packet, tvbuff_t *tvb)
{
    if (packet->link_bytes < SCTPA_UDP_HEADER_BYTES)
        return;
    const uint8_t *header =
        tvb_get_ptr(tvb_get_ds_tvb(tvb), (int)(packet->link_bytes - SCTPA_UDP_HEADER_BYTES), SCTPA_UDP_HEADER_BYTES);
    packet->has_udp_checksum =
        sctpa_be16(header) == packet->udp_source && sctpa_be16(header + 2) == packet->udp_destination;
    packet->udp_checksum = packet->has_udp_checksum ? sctpa_be16(header + 6) : 0;
}

void sctpa_lower_layers_read(sctpa_packet_t *packet, tvbuff_t *tvb, packet_info *pinfo,
                             sctpa_encapsulation_t encapsulation, const void *data)
{
    memset(packet, 0, sizeof *packet);
    read_frame(packet, tvb, pinfo);
    packet->encapsulation = encapsulation;
    read_address(&packet->source, &pinfo->src);
    read_address(&packet->destination, &pinfo->dst);
    read_socket(packet, pinfo);
    if (pinfo->ptype == PT_UDP && encapsulation != SCTPA_OVER_IP) {
        packet->udp_source = (uint16_t)pinfo->srcport;
        packet->udp_destination = (uint16_t)pinfo->destport;
    }
    packet->fragmented = pinfo->fragmented || (encapsulation != SCTPA_OVER_DTLS && is_reassembled(tvb, pinfo));
    if (encapsulation == SCTPA_OVER_IP) {
        read_passed_header(packet, data);
    } else if (encapsulation == SCTPA_OVER_UDP) {
        read_header_in_front(packet, tvb);
        read_udp_header(packet, tvb);
    }
}
