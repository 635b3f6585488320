/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What enters the tracker, one SCTP packet, or one ICMP error that quotes one, as the capture holds it, and what is
 * kept of every packet fed. */
#ifndef SCTPA_TRACK_PACKET_H
#define SCTPA_TRACK_PACKET_H

#include "wire/address.h"
#include <stdint.h>

typedef enum { SCTPA_OVER_IP, SCTPA_OVER_UDP, SCTPA_OVER_DTLS, SCTPA_OVER_OTHER } sctpa_encapsulation_t;

typedef enum { SCTPA_LINK_UNKNOWN, SCTPA_LINK_RECEIVED, SCTPA_LINK_SENT } sctpa_link_direction_t;

typedef struct {
    uint32_t frame;     /* frame number in the capture, from 1; several packets may share one */
    int64_t time_ns;    /* since the epoch */
    uint32_t interface; /* capture interface below SCTPA_INTERFACES_MAX, 0 when the capture does not say */
    sctpa_link_direction_t link_direction;
    uint32_t link_bytes; /* bytes of the frame before the SCTP header: tells duplicates with and without VLAN apart */
    sctpa_encapsulation_t encapsulation;
    sctpa_addr_t source, destination;
    uint16_t udp_source, udp_destination; /* 0 when not over UDP */
    uint16_t udp_checksum;                /* as the UDP header has it */
    bool has_udp_checksum;                /* the UDP header in front of the packet was read */
    uint32_t ip_bytes;                    /* IP packet length with its header, 0 unknown */
    uint16_t ip_id;                       /* IPv4 identification, 0 unknown */
    uint8_t ttl;                          /* TTL or hop limit, 0 unknown */
    uint8_t tos;                          /* DSCP and ECN bits */
    bool fragmented;                      /* reassembled from IP fragments */
    const uint8_t *bytes;                 /* SCTP common header on; valid during the call */
    uint32_t captured_bytes, wire_bytes;  /* captured <= wire */
} sctpa_packet_t;

typedef enum { SCTPA_ICMP_UNREACHABLE, SCTPA_ICMP_PACKET_TOO_BIG, SCTPA_ICMP_OTHER } sctpa_icmp_kind_t;

/* An ICMP or ICMPv6 error. The quoted packet's fields are in quoted: at least ports and tag (8 bytes) must be captured.
 */
typedef struct {
    sctpa_packet_t quoted; /* source and destination as quoted; frame and time of the ICMP packet */
    sctpa_icmp_kind_t kind;
    uint8_t type, code;
    uint32_t mtu_bytes;    /* next-hop MTU of a packet too big, 0 unknown */
    sctpa_addr_t reporter; /* source of the ICMP packet */
} sctpa_icmp_t;

/* One packet as stored: 16 bytes. */
typedef struct {
    uint32_t frame, assoc;
    uint32_t rows;      /* SCTPA_CHUNK_ROW_ bits of its chunks; of a duplicate, the packet that it repeats, by index */
    uint8_t path, pair; /* below SCTPA_ADDRS_MAX; nothing where assoc is SCTPA_NO_ASSOC */
    uint8_t remarks;
    uint8_t from : 1;
    uint8_t checksum : 3;
    uint8_t auth : 2; /* 1 + sctpa_auth_t of all its AUTH chunks, 0 none */
} sctpa_record_t;

#endif
