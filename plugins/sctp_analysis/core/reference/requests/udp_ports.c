/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps UDP source ports. */
#include "udp_ports.h"

typedef struct {
    sctpa_udp_ports_t endpoints[2];
} udp_ports_t;

const sctpa_udp_ports_t *sctpa_udp_ports(const sctpa_context_t *c, uint8_t endpoint)
{
    static const sctpa_udp_ports_t none;
    return sctpa_context_part_of(c, SCTPA_PART_UDP_PORTS, endpoint, sizeof none, &none);
}

bool sctpa_udp_ports_has(const sctpa_udp_ports_t *ports, uint16_t port)
{
    for (unsigned i = 0; i < ports->n; i++)
        if (ports->ports[i] == port)
            return true;
    return false;
}

void sctpa_udp_ports_take(const sctpa_context_t *c)
{
    udp_ports_t *kept = sctpa_context_find_part(c, SCTPA_PART_UDP_PORTS);
    if (kept && c->packet->encapsulation == SCTPA_OVER_IP && kept->endpoints[c->from].plain_packet == 0)
        kept->endpoints[c->from].plain_packet = c->index + 1;
    if (c->packet->encapsulation != SCTPA_OVER_UDP)
        return;
    kept = sctpa_context_part(c, SCTPA_PART_UDP_PORTS, sizeof *kept);
    sctpa_udp_ports_t *own = &kept->endpoints[c->from];
    own->plain_packet = 0;
    if (own->n == 0 || own->last != c->packet->udp_source) {
        own->other_packet = own->n == 0 ? SCTPA_NO_PACKET_INDEX : own->last_packet;
        own->since_packet = c->index;
        own->last = c->packet->udp_source;
    }
    own->last_packet = c->index;
    if (own->n < SCTPA_UDP_PORTS && !sctpa_udp_ports_has(own, c->packet->udp_source))
        own->ports[own->n++] = c->packet->udp_source;
}
