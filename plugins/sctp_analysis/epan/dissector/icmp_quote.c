/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the ICMP or ICMPv6 error around a quoted SCTP packet, from the bytes in front of it: those dissectors pass
 * nothing on. A quote inside anything else that Wireshark marks as an error packet (an sFlow sample) is none. */
#include "lower_layers.h"

#include "ip_header.h"

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
    if (at < udp_bytes || !sctpa_ip_header_before(&quoted, bytes, at - udp_bytes,
                                                  over_udp ? SCTPA_IP_PROTOCOL_UDP : SCTPA_IP_PROTOCOL_SCTP))
        return false;
    bool is_v6 = quoted.source.bytes == 16;
    if (quoted.at < ICMP_HEADER_BYTES ||
        !sctpa_ip_header_before(&outer, bytes, quoted.at - ICMP_HEADER_BYTES,
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
