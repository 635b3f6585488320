/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of paths that carry no data, asked when a HEARTBEAT leaves: addresses that are never probed, associations that
 * nobody answers. */
#include "reference/requests/heartbeats_limits.h"
#include "reference/requests/paths.h"
#include "rules/rule_functions.h"
#include "wire/protocol_parameters.h"
#include "paths_limits.h"

G_STATIC_ASSERT(SCTPA_HEARTBEATS_DORMANT == SCTPA_ERRORS_PATH_INACTIVE);

static bool is_link_local(const sctpa_addr_t *addr)
{
    return addr->bytes == 4 ? (addr->data[0] == 169 && addr->data[1] == 254) || addr->data[0] == 127
                            : addr->data[0] == 0xFE && (addr->data[1] & 0xC0) == 0x80;
}

bool sctpa_PM_025_applies(const sctpa_context_t *c)
{
    return sctpa_heartbeats_tell_probed(c);
}

/* "an SCTP endpoint SHOULD monitor the reachability of the idle destination transport address(es) of its peer" */
bool sctpa_PM_025_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_end_t *peer = &c->assoc->ends[!c->from];
    for (unsigned i = 0; i < peer->n_addrs; i++) {
        const sctpa_known_addr_t *known = &peer->addrs[i];
        if (known->origin != SCTPA_ADDR_LISTED || known->addr.bytes != c->packet->destination.bytes ||
            is_link_local(&known->addr))
            continue;
        sctpa_violation_say(
            violation, SCTPA_WORDS("heartbeats to %s too, which the peer listed", sctpa_addr_words(&known->addr).text),
            SCTPA_WORDS("no packet in %d s", SCTPA_PROBED_BY_S));
        return true;
    }
    return false;
}

bool sctpa_PM_027_applies(const sctpa_context_t *c)
{
    unsigned n_paths = c->assoc->ends[c->from].n_paths;
    return n_paths >= 2 && n_paths <= SCTPA_PATHS_KEPT;
}

/* "all the destination addresses might become inactive while the endpoint still considers the peer endpoint reachable"
 */
bool sctpa_PM_027_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint16_t n_paths = c->assoc->ends[c->from].n_paths;
    uint32_t first = SCTPA_NO_PACKET_INDEX;
    for (uint16_t path = 0; path < n_paths; path++) {
        if (sctpa_path_state(c, c->from, path) != SCTPA_PATH_INACTIVE)
            return false;
        first = MIN(first, sctpa_heartbeats(c, c->from, path)->first_unanswered);
    }
    if (c->sent && c->sent->sacks.len > 0 && c->sent->last_sack_ns > sctpa_context_time_ns(c, first))
        return false;
    violation->related = first;
    sctpa_violation_say(violation, "the association given up when no path answers",
                        SCTPA_WORDS("%d or more HEARTBEATs in a row unanswered on each of %u paths, and still open",
                                    SCTPA_HEARTBEATS_DORMANT, n_paths));
    return true;
}
