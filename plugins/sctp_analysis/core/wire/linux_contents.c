/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads union sctp_addr of Linux where it lies in opaque contents. */
#include "linux_contents.h"

enum {
    SOCKADDR_BYTES = 28, /* union sctp_addr: as large as sockaddr_in6 */
    LINUX_INET = 2,      /* AF_INET, AF_INET6 of Linux */
    LINUX_INET6 = 10,
    COOKIE_TAGS_AT = 36,   /* in sctp_signed_cookie: signature of 32 bytes, padding; then own tag, peer's tag */
    COOKIE_ADDRESS_AT = 68 /* after 2 tie-tags, time of expiry, counts of streams, Initial TSN */
};

/* The kernel's own byte order. */
static bool is_host_u16(const uint8_t *bytes, uint16_t value)
{
    return bytes[0] + bytes[1] == value && (bytes[0] == 0 || bytes[1] == 0);
}

static bool is_host_u32(const uint8_t *bytes, uint32_t value)
{
    uint32_t read = sctpa_be32(bytes);
    return read == value || GUINT32_SWAP_LE_BE(read) == value;
}

static bool read_sockaddr(const uint8_t *bytes, sctpa_addr_t *address)
{
    static const uint8_t zero[20] = { 0 };
    *address = (sctpa_addr_t){ .bytes = 0 };
    if (is_host_u16(bytes, LINUX_INET) && memcmp(bytes + 8, zero, sizeof zero) == 0) {
        address->bytes = 4;
        memcpy(address->data, bytes + 4, 4);
    } else if (is_host_u16(bytes, LINUX_INET6)) {
        address->bytes = 16;
        memcpy(address->data, bytes + 8, 16);
    }
    return address->bytes > 0;
}

bool sctpa_linux_heartbeat_address(const sctpa_tlv_t *info, uint16_t port, sctpa_addr_t *address)
{
    const uint8_t *bytes = info->bytes + SCTPA_TLV_HEADER_BYTES;
    return info->captured_bytes >= SCTPA_TLV_HEADER_BYTES + SOCKADDR_BYTES && sctpa_be16(bytes + 2) == port &&
           read_sockaddr(bytes, address);
}

bool sctpa_linux_cookie_address(const sctpa_tlv_t *cookie, uint32_t own_tag, uint32_t peer_tag, sctpa_addr_t *address)
{
    const uint8_t *bytes = cookie->bytes + SCTPA_TLV_HEADER_BYTES;
    return cookie->captured_bytes >= SCTPA_TLV_HEADER_BYTES + COOKIE_ADDRESS_AT + SOCKADDR_BYTES &&
           is_host_u32(bytes + COOKIE_TAGS_AT, own_tag) && is_host_u32(bytes + COOKIE_TAGS_AT + 4, peer_tag) &&
           read_sockaddr(bytes + COOKIE_ADDRESS_AT, address);
}
