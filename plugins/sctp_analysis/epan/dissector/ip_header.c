/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds IP headers backwards, from their payload: where Wireshark passes none (UDP) and in front of ICMP errors.
 * Knows only what is needed to be sure of a header's length. */
#include "ip_header.h"

#include <string.h>

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

bool sctpa_ip_header_before(sctpa_ip_header_t *header, const uint8_t *bytes, uint32_t end, uint8_t protocol)
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
