/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The UDP ports that endpoints of an association in UDP send from, and whether they send without UDP now: where their
 * peers are to send to (RFC 6951 5.4).
 * Leaves out which address a port belongs to. */
#ifndef SCTPA_REFERENCE_UDP_PORTS_H
#define SCTPA_REFERENCE_UDP_PORTS_H

#include "reference/context.h"
#include "udp_ports_limits.h"

/* Of an endpoint, in order of first use; n SCTPA_UDP_PORTS: there may be more. */
typedef struct {
    uint16_t ports[SCTPA_UDP_PORTS];
    uint8_t n;
    uint16_t last;         /* the port of its last packet, ... */
    uint32_t since_packet; /* ... the first of those since which it sent from no other, ... */
    uint32_t other_packet; /* ... and the last before that, SCTPA_NO_PACKET_INDEX none */
    uint32_t last_packet;
    uint32_t plain_packet; /* 1 + the first of its packets without UDP since last_packet, 0 none */
} sctpa_udp_ports_t;

/* Those of an endpoint before the packet. O(1). */
const sctpa_udp_ports_t *sctpa_udp_ports(const sctpa_context_t *c, uint8_t endpoint);
/* Is port one of them? O(1). */
bool sctpa_udp_ports_has(const sctpa_udp_ports_t *ports, uint16_t port);
/* Takes the port of the packet, after the rules. O(1). */
void sctpa_udp_ports_take(const sctpa_context_t *c);

#endif
