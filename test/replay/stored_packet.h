/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets as extract.py takes them out of captures: how they are stored, and back to what the core is fed. */
#ifndef STORED_PACKET_H
#define STORED_PACKET_H

#include <glib.h>
#include <string.h>

#include "../../plugins/sctp_analysis/core/sctpa.h"

/* One packet, little-endian, then its bytes. */
typedef struct {
    int64_t time_ns;
    uint32_t frame, interface, header_bytes, captured_bytes, wire_bytes;
    uint16_t ip_id;
    uint8_t ttl, address_bytes;
    uint8_t source[16], destination[16];
    uint16_t udp_source, udp_destination; /* 0 not over UDP */
    uint8_t tos;
    uint8_t encapsulation; /* sctpa_encapsulation_t, 0: by the UDP ports */
    uint16_t udp_checksum;
    uint8_t has_udp_checksum;
    uint8_t fragmented;
    uint8_t spare[6];
} stored_packet_t;
G_STATIC_ASSERT(sizeof(stored_packet_t) == 80);

/* The packet that the core is fed; bytes: those after it. */
static inline sctpa_packet_t stored_packet(const stored_packet_t *stored, const uint8_t *bytes)
{
    sctpa_packet_t packet;
    memset(&packet, 0, sizeof packet);
    packet.frame = stored->frame;
    packet.time_ns = stored->time_ns;
    packet.interface = stored->interface;
    packet.link_bytes = stored->header_bytes;
    packet.ip_id = stored->ip_id;
    packet.ttl = stored->ttl;
    packet.tos = stored->tos;
    packet.encapsulation = stored->encapsulation ? (sctpa_encapsulation_t)stored->encapsulation
                           : stored->udp_source  ? SCTPA_OVER_UDP
                                                 : SCTPA_OVER_IP;
    packet.udp_source = stored->udp_source;
    packet.udp_destination = stored->udp_destination;
    packet.udp_checksum = stored->udp_checksum;
    packet.has_udp_checksum = stored->has_udp_checksum;
    packet.ip_bytes = stored->wire_bytes + (stored->udp_source ? 8 : 0) + (stored->address_bytes == 4 ? 20 : 40);
    packet.fragmented = stored->fragmented;
    packet.bytes = bytes;
    packet.captured_bytes = stored->captured_bytes;
    packet.wire_bytes = stored->wire_bytes;
    packet.source.bytes = packet.destination.bytes = stored->address_bytes;
    memcpy(packet.source.data, stored->source, sizeof stored->source);
    memcpy(packet.destination.data, stored->destination, sizeof stored->destination);
    return packet;
}

/* Feeds all packets of a file, whole, and takes the capture as ended. */
static inline void stored_feed(sctpa_t *sctpa, const char *bytes, gsize length)
{
    for (gsize at = 0; at + sizeof(stored_packet_t) <= length;) {
        stored_packet_t stored;
        memcpy(&stored, bytes + at, sizeof stored);
        at += sizeof stored;
        sctpa_packet_t packet = stored_packet(&stored, (const uint8_t *)(const void *)(bytes + at));
        sctpa_feed(sctpa, &packet);
        at += stored.captured_bytes;
    }
}

#endif
