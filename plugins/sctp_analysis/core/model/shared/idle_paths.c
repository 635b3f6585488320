/* SPDX-License-Identifier: GPL-2.0-or-later */
/* HEARTBEATs that are owed to paths, by the packets that go to them. */
#include "idle_paths.h"

#include "request_timers.h"
#include "t3_bounds.h"
#include "wire/types.h"

/* A path that is used in a period is not idle in it: the next one may end before a HEARTBEAT leaves (RFC 9260 8.3). */
enum { PERIODS_AFTER_USE = 2 };

/* Chunks that need not be acknowledged measure no round trip: a path that carries nothing else is idle. */
static const uint64_t answers = SCTPA_SACK_ROWS | SCTPA_ROW(HEARTBEAT_ACK) | SCTPA_ROW(ERROR) | SCTPA_ROW(ECNE) |
                                SCTPA_ROW(CWR) | SCTPA_ROW(AUTH) | SCTPA_ROW(PAD) | SCTPA_ROW(COOKIE_ACK) |
                                SCTPA_ROW(ASCONF_ACK);

static unsigned index_of(const sctpa_end_t *peer, const sctpa_addr_t *addr)
{
    unsigned i = 0;
    while (i < MIN(peer->n_addrs, SCTPA_IDLE_PATHS_KEPT) && !sctpa_addr_equal(&peer->addrs[i].addr, addr))
        i++;
    return i < MIN(peer->n_addrs, SCTPA_IDLE_PATHS_KEPT) ? i : SCTPA_IDLE_PATHS_KEPT;
}

unsigned sctpa_idle_path_of(const sctpa_context_t *c)
{
    return index_of(&c->assoc->ends[!c->from], &c->packet->destination);
}

/* Does the user assert that one error makes a path of the sender of the packet potentially failed? */
static bool is_failing_at_once(const sctpa_context_t *c)
{
    return sctpa_tap_parameter(&c->reference->tap, c->from, SCTPA_PARAMETER_PF_MAX_RETRANS, 1) == 0;
}

/* The path that the packet's data went to before T3-rtx expired, if it goes elsewhere now; the path of the packet: none
 * such. */
static uint16_t path_left(const sctpa_context_t *c)
{
    const sctpa_rtx_t *rtx =
        c->facts & SCTPA_FACT_RTX && c->first_data ? sctpa_observed_rtx(c->first_data, c->sent) : NULL;
    return rtx && rtx->kind == SCTPA_RTX_TIMEOUT ? sctpa_context_record(c, rtx->previous)->path : c->path;
}

/* Did a HEARTBEAT to the path leave that is not answered? It may be the one that is due. */
static bool is_probed(const sctpa_end_t *own, uint16_t path)
{
    const sctpa_probing_t *probing = own->paths[path].probing;
    return probing && probing->heartbeats > probing->heartbeats_acked;
}

unsigned sctpa_idle_path_failing(const sctpa_context_t *c)
{
    const uint16_t before = path_left(c);
    const sctpa_end_t *own = &c->assoc->ends[c->from];
    return before == c->path || before >= own->n_paths || !is_failing_at_once(c) || is_probed(own, before)
               ? SCTPA_IDLE_PATHS_KEPT
               : index_of(&c->assoc->ends[!c->from], own->paths[before].destination);
}

bool sctpa_idle_path_has_data(const sctpa_context_t *c, uint8_t endpoint, unsigned address)
{
    const sctpa_end_t *own = &c->assoc->ends[endpoint], *peer = &c->assoc->ends[!endpoint];
    const sctpa_direction_t *sent = c->tracked->sides[endpoint].sent;
    bool has = false;
    for (uint16_t path = 0; sent && address < peer->n_addrs && path < own->n_paths; path++) {
        const sctpa_data_path_t *known = sctpa_direction_known_path(sent, path);
        has |= known && known->flight_bytes > 0 &&
               sctpa_addr_equal(own->paths[path].destination, &peer->addrs[address].addr);
    }
    return has;
}

unsigned sctpa_idle_path_back(const sctpa_context_t *c)
{
    const uint32_t n = c->facts & SCTPA_FACT_NEWLY_ACKED && c->acked ? c->acked->acked.len : 0;
    const uint32_t oldest =
        n > 0 ? SCTPA_RECORD(&c->acked->acked, sctpa_acked_t, n - 1).oldest_packet : SCTPA_NO_PACKET_INDEX;
    if (oldest == SCTPA_NO_PACKET_INDEX)
        return SCTPA_IDLE_PATHS_KEPT;
    const sctpa_end_t *sender = &c->assoc->ends[!c->from];
    const uint16_t path = sctpa_context_record(c, oldest)->path;
    return path < sender->n_paths ? index_of(&c->assoc->ends[c->from], sender->paths[path].destination)
                                  : SCTPA_IDLE_PATHS_KEPT;
}

static bool is_link_local(const sctpa_addr_t *addr)
{
    return addr->bytes == 4 ? (addr->data[0] == 169 && addr->data[1] == 254) || addr->data[0] == 127
                            : addr->data[0] == 0xFE && (addr->data[1] & 0xC0) == 0x80;
}

bool sctpa_idle_path_is_listed(const sctpa_context_t *c, uint8_t endpoint, unsigned address)
{
    const sctpa_end_t *peer = &c->assoc->ends[!endpoint];
    if (address >= peer->n_addrs)
        return false;
    const sctpa_known_addr_t *known = &peer->addrs[address];
    return peer->init.whole && known->origin & (SCTPA_ADDR_LISTED | SCTPA_ADDR_SOURCE) &&
           !(known->origin & SCTPA_ADDR_DELETED) && known->addr.bytes == c->packet->destination.bytes &&
           !is_link_local(&known->addr);
}

bool sctpa_idle_path_is_used(const sctpa_context_t *c)
{
    return c->rows & ~answers;
}

bool sctpa_idle_path_is_over(const sctpa_context_t *c, uint8_t endpoint)
{
    const uint64_t ends = SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(SHUTDOWN_COMPLETE) |
                          SCTPA_ROW(ABORT) | SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(ASCONF);
    const uint64_t of_peer = SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(ERROR);
    return c->rows & ends || (c->from != endpoint && c->rows & of_peer);
}

/* Addresses that the peer of an endpoint has: where several are idle, one of them may be probed in each period. */
static int64_t addresses_of_peer(const sctpa_context_t *c, uint8_t endpoint)
{
    return MAX(1, c->assoc->ends[!endpoint].n_addrs);
}

/* The RTO of the path at most, and rests_on: RTO.Max where timeouts may have doubled it. */
static int64_t rto_most_ns(const sctpa_context_t *c, uint8_t endpoint, bool is_used, uint32_t *rests_on)
{
    const sctpa_tap_t *tap = &c->reference->tap;
    const int64_t initial_ns = sctpa_tap_parameter(tap, endpoint, SCTPA_PARAMETER_RTO_INITIAL, 0),
                  least_ns = sctpa_tap_parameter(tap, endpoint, SCTPA_PARAMETER_RTO_MIN, 0),
                  most_ns = sctpa_tap_parameter(tap, endpoint, SCTPA_PARAMETER_RTO_MAX, SCTPA_RTO_MAX_NS),
                  tap_rtt_ns = MAX(sctpa_context_tap_rtt_most_ns(c, !endpoint), 0);
    const sctpa_end_t *own = &c->assoc->ends[endpoint];
    const sctpa_probing_t *probing = is_used && c->path < own->n_paths ? own->paths[c->path].probing : NULL;
    const sctpa_direction_t *sent = c->tracked->sides[endpoint].sent;
    const uint32_t waiting = c->rows & SCTPA_ROW(HEARTBEAT) ? 1 : 0;
    const bool is_answered = !probing || probing->heartbeats <= probing->heartbeats_acked + waiting;
    if (initial_ns == 0 || !is_answered || (sent && sent->rare->rtx.len > 0))
        return most_ns;
    *rests_on |= SCTPA_ASSERTED(RTO_INITIAL);
    const int64_t measured_ns = is_used && sent ? sctpa_context_rto_ns(sent, c->path, c->index) : 0;
    const int64_t rto_ns = MAX(MAX(initial_ns, least_ns), MAX(measured_ns, 3 * tap_rtt_ns));
    /* doubled once where the HEARTBEAT of the packet itself is not answered */
    return MIN(most_ns, waiting ? 2 * rto_ns : rto_ns);
}

int64_t sctpa_idle_path_patience_ns(const sctpa_context_t *c, uint8_t endpoint, sctpa_obligation_t what, bool is_used,
                                    uint32_t *rests_on)
{
    const sctpa_tap_t *tap = &c->reference->tap;
    const int64_t interval_ns = sctpa_tap_parameter(tap, endpoint, SCTPA_PARAMETER_HB_INTERVAL, 0);
    if (interval_ns == 0)
        return 0;
    *rests_on = SCTPA_ASSERTED(HB_INTERVAL) | (what == SCTPA_OWED_FAILING_PATH ? SCTPA_ASSERTED(PF_MAX_RETRANS) : 0);
    if (sctpa_tap_asserted_values(tap, endpoint)->given >> SCTPA_PARAMETER_RTO_MAX & 1)
        *rests_on |= SCTPA_ASSERTED(RTO_MAX);
    const sctpa_t3_bounds_t *t3 = what == SCTPA_OWED_FAILING_PATH ? sctpa_t3_bounds(c, endpoint, path_left(c)) : NULL;
    const int64_t rto_ns = t3 ? t3->rto_most_ns : rto_most_ns(c, endpoint, is_used, rests_on),
                  period_ns = interval_ns + rto_ns + rto_ns / 2;
    *rests_on |= t3 ? SCTPA_T3_BOUNDS_REST_ON : 0;
    const int64_t periods = what == SCTPA_OWED_UNCONFIRMED_PATH ? 1 : PERIODS_AFTER_USE,
                  due_ns =
                      what == SCTPA_OWED_FAILING_PATH ? rto_ns : periods * addresses_of_peer(c, endpoint) * period_ns;
    return sctpa_timer_late_ns(due_ns);
}
