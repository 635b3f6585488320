/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the packet's addresses with what Linux writes of its peer for itself alone: Heartbeat Info and State
 * Cookie (struct sctp_sender_hb_info and sctp_signed_cookie of the kernel's include/net/sctp/structs.h). No other
 * known stack's contents look like these. */
#include "feed_parts.h"
#include "track/endpoints.h"
#include "wire/address.h"

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

/* The destination that the sender of a HEARTBEAT gave it. info: its parameter HEARTBEAT_INFO; port: the packet's
 * destination port. False: it is not of Linux, or cut. O(1). */
static bool linux_heartbeat_address(const sctpa_tlv_t *info, uint16_t port, sctpa_addr_t *address)
{
    const uint8_t *bytes = info->bytes + SCTPA_TLV_HEADER_BYTES;
    return info->captured_bytes >= SCTPA_TLV_HEADER_BYTES + SOCKADDR_BYTES && sctpa_be16(bytes + 2) == port &&
           read_sockaddr(bytes, address);
}

/* Where the INIT came from that an INIT ACK answers, as the sender of the INIT ACK saw it. cookie: its parameter
 * STATE_COOKIE; own_tag, peer_tag: the Initiate Tags of the INIT ACK and of the INIT, by which it is recognised. False:
 * it is not of Linux, or cut. O(1). */
static bool linux_cookie_address(const sctpa_tlv_t *cookie, uint32_t own_tag, uint32_t peer_tag, sctpa_addr_t *address)
{
    const uint8_t *bytes = cookie->bytes + SCTPA_TLV_HEADER_BYTES;
    return cookie->captured_bytes >= SCTPA_TLV_HEADER_BYTES + COOKIE_ADDRESS_AT + SOCKADDR_BYTES &&
           is_host_u32(bytes + COOKIE_TAGS_AT, own_tag) && is_host_u32(bytes + COOKIE_TAGS_AT + 4, peer_tag) &&
           read_sockaddr(bytes + COOKIE_ADDRESS_AT, address);
}

void sctpa_named_address_note(sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input,
                              const sctpa_observed_t *observed)
{
    const sctpa_addr_t *destination = &input->packet->destination;
    const sctpa_param_list_t *params = sctpa_observed_params(input->observation, observed);
    bool is_heartbeat = observed->tlv.type == SCTPA_CHUNK_HEARTBEAT;
    const sctpa_tlv_t *contents =
        sctpa_param_list_find(params, is_heartbeat ? SCTPA_PARAM_ROW_HEARTBEAT_INFO : SCTPA_PARAM_ROW_STATE_COOKIE);
    sctpa_addr_t named;
    if (!contents || destination->bytes == 0)
        return;
    uint32_t own_tag = is_heartbeat ? 0 : sctpa_tlv_u32(&observed->tlv, SCTPA_F_INIT_TAG);
    bool is_named = is_heartbeat ? linux_heartbeat_address(contents, input->destination_port, &named)
                                 : linux_cookie_address(contents, own_tag, input->vtag, &named);
    /* Else the packet went elsewhere than its sender's stack says, as a fault of the sender may have it. */
    bool is_used = is_named && sctpa_end_addr_origin(&tracked->assoc.ends[!from], &named) &
                                   (SCTPA_ADDR_SOURCE | SCTPA_ADDR_DESTINATION);
    if (is_named && !is_used)
        sctpa_end_add_addr(tracked, !from, destination, SCTPA_ADDR_RENAMED);
}
