/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The identifications of an endpoint's IPv4 packets, as evidence that none of its packets is missing: a socket or a
 * host that counts its packets leaves no number out. Follows the packets of one association that passed the tap,
 * duplicates left out. Leaves out which other evidence there is (association_tap.h). */
#ifndef SCTPA_TAP_IP_IDS_H
#define SCTPA_TAP_IP_IDS_H

#include "base/numbers.h"
#include "track/packet.h"
#include "track/tracked.h"

/* So many steps by one, and more than half of all steps, show that the endpoint's packets are counted: identifications
 * drawn at random step by one once in 65,536 times. */
enum { SCTPA_IP_IDS_LEAST = 15 };

/* The identifications of an endpoint up to the last packet: 24 bytes. All zero: none. */
typedef struct {
    uint32_t since_packet;   /* 1 + index of the first from which on none is left out but those in missing, 0 none */
    uint32_t since_missing;  /* 1 + index of the first behind the last that was left out, 0 none */
    uint32_t last_packet;    /* index */
    uint32_t missing;        /* of the 32 before highest, bit 0 the one before it: those that did not pass yet */
    uint16_t highest;        /* identification */
    uint16_t counted, steps; /* steps by one, and all; halved when they are many */
} sctpa_ip_ids_t;

/* Takes the packet number index of the endpoint. A packet without an identification (IPv6; or 0, which stands in
 * packets that are not to be fragmented, RFC 6864 4.1), a number that leaves many out, one that passed before, and a
 * silence begin anew. O(1). */
void sctpa_ip_ids_take(sctpa_ip_ids_t *ids, const sctpa_tracker_t *tracker, const sctpa_packet_t *packet,
                       uint32_t index);

/* 1 + index of the packet from which on every packet that the endpoint sent passed the tap, up to its last one; 0:
 * nothing shows that. O(1). */
uint32_t sctpa_ip_ids_since(const sctpa_ip_ids_t *ids);
/* Is an identification missing after packet since (index), of an endpoint that counts its packets? Others may have
 * taken it. O(1). */
bool sctpa_ip_ids_lack(const sctpa_ip_ids_t *ids, uint32_t since);
/* Did every packet that the endpoint sent between two of its packets pass the tap? Yes, or unknown; never no, since
 * others may have taken the numbers that are missing. from, to: indices of packets of it. O(1). */
sctpa_known_t sctpa_ip_ids_hold_all(const sctpa_ip_ids_t *ids, uint32_t from, uint32_t to);

#endif
