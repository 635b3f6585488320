/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What hosts showed of their RTT from the tap: one that never answered at once in an association may have done so in
 * another. A host is an address whose packets pass the same interface with the same TTL: behind a translator others may
 * have the address. Leaves out endpoints with several addresses, whose paths differ in length. */
#ifndef SCTPA_TRACK_HOSTS_H
#define SCTPA_TRACK_HOSTS_H

#include "base/pool.h"
#include "base/slots.h"
#include "data/tap_rtt.h"
#include "packet.h"

enum { SCTPA_HOSTS_MAX = 4096 };

typedef struct {
    sctpa_pool_t hosts;  /* of the first SCTPA_HOSTS_MAX of them, 56 bytes each */
    sctpa_slots_t table; /* their numbers */
    uint64_t seed;
    bool is_closed; /* packets pass at two places, of which an answer may be measured from one to the other */
} sctpa_hosts_t;

void sctpa_hosts_init(sctpa_hosts_t *hosts);
void sctpa_hosts_free(sctpa_hosts_t *hosts);
/* The host that sent a packet, made when new; NULL: there are too many, or none is told apart. It stays. O(1). */
sctpa_host_rtt_t *sctpa_host_of(sctpa_hosts_t *hosts, const sctpa_packet_t *packet);
/* There are two taps: forgets what is known of hosts, for good. O(hosts) once. */
void sctpa_hosts_close(sctpa_hosts_t *hosts);

#endif
