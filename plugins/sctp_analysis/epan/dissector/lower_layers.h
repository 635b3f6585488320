/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the layers below SCTP say about a packet. */
#ifndef SCTPA_EPAN_LOWER_LAYERS_H
#define SCTPA_EPAN_LOWER_LAYERS_H

#include <epan/packet.h>

#include "sctpa.h"

enum {
    SCTPA_IP_PROTOCOL_ICMP = 1,
    SCTPA_IP_PROTOCOL_UDP = 17,
    SCTPA_IP_PROTOCOL_ICMPV6 = 58,
    SCTPA_IP_PROTOCOL_SCTP = 132,
    SCTPA_UDP_HEADER_BYTES = 8
};

typedef struct {
    uint32_t at; /* offset of its first byte */
    sctpa_addr_t source, destination;
    uint32_t packet_bytes; /* IP packet length with this header */
    uint16_t id;
    uint8_t ttl, tos;
} sctpa_ip_header_t;

/* Fills packet from the frame and the layers below SCTP. Call before the built-in dissector, which changes ports and
 * addresses. data     what the calling table passes: an IP header (ws_ip4 or ws_ip6) for SCTPA_OVER_IP, else not looked
 * at */
void sctpa_lower_layers_read(sctpa_packet_t *packet, tvbuff_t *tvb, packet_info *pinfo,
                             sctpa_encapsulation_t encapsulation, const void *data);

/* Fills icmp from an SCTP packet quoted by an ICMP or ICMPv6 error. False when what quotes it is no such error,
 * or fewer than 8 bytes of SCTP are captured. */
bool sctpa_lower_layers_read_icmp(sctpa_icmp_t *icmp, tvbuff_t *tvb, packet_info *pinfo,
                                  sctpa_encapsulation_t encapsulation, const void *data);

#endif
