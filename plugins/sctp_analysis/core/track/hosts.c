/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of hosts. */
#include "hosts.h"

#include "base/hash.h"

typedef struct {
    sctpa_host_rtt_t rtt; /* first, so that it leads to the host */
    sctpa_addr_t addr;
    uint32_t interface;
    uint8_t ttl;
} host_t;

void sctpa_hosts_init(sctpa_hosts_t *hosts)
{
    sctpa_pool_init(&hosts->hosts, sizeof(host_t));
    sctpa_slots_init(&hosts->table);
    hosts->seed = sctpa_hash_seed();
    hosts->is_closed = false;
}

void sctpa_hosts_free(sctpa_hosts_t *hosts)
{
    sctpa_pool_clear(&hosts->hosts);
    sctpa_slots_clear(&hosts->table);
}

static bool sent(const host_t *host, const sctpa_packet_t *packet)
{
    return host->interface == packet->interface && host->ttl == packet->ttl &&
           sctpa_addr_equal(&host->addr, &packet->source);
}

sctpa_host_rtt_t *sctpa_host_of(sctpa_hosts_t *hosts, const sctpa_packet_t *packet)
{
    uint32_t at;
    const uint32_t hash = (uint32_t)sctpa_hash_mix(sctpa_addr_hash(hosts->seed, &packet->source),
                                                   (uint64_t)packet->interface << 8 | packet->ttl);
    if (hosts->is_closed)
        return NULL;
    for (uint32_t n = sctpa_slots_first(&hosts->table, hash, &at); n != SCTPA_SLOT_NONE;
         n = sctpa_slots_next(&hosts->table, hash, &at)) {
        host_t *host = sctpa_pool_at(&hosts->hosts, n);
        if (sent(host, packet))
            return &host->rtt;
    }
    if (hosts->hosts.count == SCTPA_HOSTS_MAX)
        return NULL;
    uint32_t number;
    host_t *host = sctpa_pool_add(&hosts->hosts, &number);
    *host = (host_t){ { .most_ns = -1 }, packet->source, packet->interface, packet->ttl };
    sctpa_slots_add(&hosts->table, hash, number);
    return &host->rtt;
}

void sctpa_hosts_close(sctpa_hosts_t *hosts)
{
    if (hosts->is_closed)
        return;
    hosts->is_closed = true;
    for (uint32_t n = 0; n < hosts->hosts.count; n++)
        ((host_t *)sctpa_pool_at(&hosts->hosts, n))->rtt.is_closed = true;
}
