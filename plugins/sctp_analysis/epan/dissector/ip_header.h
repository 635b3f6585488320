/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An IP header found in the bytes in front of its payload. */
#ifndef SCTPA_EPAN_IP_HEADER_H
#define SCTPA_EPAN_IP_HEADER_H

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

/* Finds the IPv4 or IPv6 header, extension headers included, that ends right before bytes[end] and announces protocol.
 * False when there is none. O(1). */
bool sctpa_ip_header_before(sctpa_ip_header_t *header, const uint8_t *bytes, uint32_t end, uint8_t protocol);

#endif
