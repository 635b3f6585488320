/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what the layers below say about an SCTP packet: time, interface, addresses, IP and UDP header.
 * Over UDP the dissector gets no IP header, so it is looked for in the bytes in front. Leaves ICMP to icmp_quote.c. */
#include "lower_layers.h"

#include <epan/dissectors/packet-ip.h>
#include <epan/to_str.h>
#include <wiretap/wtap.h>

#include "ip_header.h"

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
    if (!sctpa_ip_header_before(&header, tvb_get_ptr(source, 0, (int)packet->link_bytes), end, SCTPA_IP_PROTOCOL_UDP) ||
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
