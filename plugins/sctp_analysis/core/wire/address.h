/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Network addresses: comparing and hashing them, their text, and those that parameters hold. */
#ifndef SCTPA_WIRE_ADDRESS_H
#define SCTPA_WIRE_ADDRESS_H

#include "base/hash.h"
#include "chunk.h"

/* A network address; bytes is 4 (IPv4), 16 (IPv6) or 0 (none, or a kind that SCTP does not know). Packets that a socket
 * logged have no addresses: SCTPA_ADDR_SOCKET_BYTES of the interface that stands for the socket, and whether the
 * address is that of the socket itself. */
typedef struct {
    uint8_t bytes;
    uint8_t data[16];
} sctpa_addr_t;

enum { SCTPA_ADDR_SOCKET_BYTES = 5 };

static inline bool sctpa_addr_is_socket(const sctpa_addr_t *addr)
{
    return addr->bytes == SCTPA_ADDR_SOCKET_BYTES;
}

/* The address of the socket that logged packets on an interface (is_local), or of its peer. */
sctpa_addr_t sctpa_addr_of_socket(uint32_t interface, bool is_local);

static inline bool sctpa_addr_equal(const sctpa_addr_t *a, const sctpa_addr_t *b)
{
    if (a->bytes != b->bytes)
        return false;
    return a->bytes == 4 ? memcmp(a->data, b->data, 4) == 0 : memcmp(a->data, b->data, a->bytes) == 0;
}

/* seed: as sctpa_hash_mix begins. O(1). */
static inline uint64_t sctpa_addr_hash(uint64_t seed, const sctpa_addr_t *addr)
{
    uint64_t high = 0, low = 0;
    if (addr->bytes == 4) {
        uint32_t word;
        memcpy(&word, addr->data, sizeof word);
        return sctpa_hash_mix(seed, word);
    }
    memcpy(&high, addr->data, sizeof high);
    memcpy(&low, addr->data + 8, sizeof low);
    return sctpa_hash_mix(sctpa_hash_mix(seed + addr->bytes, high), low);
}

/* 0.0.0.0 or ::, with which ASCONF means the packet's source address (RFC 5061 4.2.1). */
static inline bool sctpa_addr_is_wildcard(const sctpa_addr_t *addr)
{
    static const uint8_t zero[16] = { 0 };
    return memcmp(addr->data, zero, addr->bytes) == 0;
}

/* "203.0.113.1" or "2001:db8::1", of sockets "local@0" or "remote@0" with the interface, "?" without; g_free. */
char *sctpa_addr_text(const sctpa_addr_t *addr);
/* Reads an IPV4 or IPV6 parameter; false for others and cut ones. */
bool sctpa_param_addr(const sctpa_tlv_t *param, sctpa_addr_t *addr);
/* The first parameter or cause in bytes that holds an address. */
bool sctpa_nested_addr(const sctpa_tlv_t *owner, sctpa_addr_t *addr);

#endif
