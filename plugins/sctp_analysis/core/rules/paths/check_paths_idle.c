/* Observations of paths that carry no data, made when a heartbeat leaves: addresses never probed, associations that
 * nobody answers. */
#include "paths_state.h"
#include "rules/limits.h"

static bool is_link_local(const sctpa_addr_t *addr)
{
    return addr->bytes == 4 ? (addr->data[0] == 169 && addr->data[1] == 254) || addr->data[0] == 127
                            : addr->data[0] == 0xFE && (addr->data[1] & 0xC0) == 0x80;
}

/* RFC 9260 8.3: "an SCTP endpoint SHOULD monitor the reachability of the idle destination transport address(es) of its
 * peer" */
static void check_lists(sctpa_context_t *c)
{
    const sctpa_end_t *peer = &c->assoc->ends[!c->from];
    sctpa_paths_t *state = sctpa_paths_state(c);
    if (state->lists_judged[c->from] || peer->n_addrs < 3 || c->assoc->ends[c->from].n_paths < 2 ||
        c->packet->time_ns - c->assoc->first_ns < SCTPA_PROBED_BY_S * SCTPA_NS_PER_S)
        return;
    state->lists_judged[c->from] = true;
    if (!sctpa_may_judge(c, SCTPA_RULE_PM_025, c->from))
        return;
    for (unsigned i = 0; i < peer->n_addrs; i++) {
        const sctpa_known_addr_t *known = &peer->addrs[i];
        if (known->origin != SCTPA_ADDR_LISTED || known->addr.bytes != c->packet->destination.bytes ||
            is_link_local(&known->addr))
            continue;
        char *text = sctpa_addr_text(&known->addr);
        sctpa_accuse(c, SCTPA_RULE_PM_025, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     SCTPA_WORDS("heartbeats to %s, too, which the peer listed", text),
                     "no packet in " SCTPA_LIMIT_TEXT(SCTPA_PROBED_BY_S) " s");
        g_free(text);
        return;
    }
}

/* RFC 9260 8.2: "all the destination addresses might become inactive while the endpoint still considers the peer
 * endpoint reachable" */
static void check_dormant(sctpa_context_t *c)
{
    const sctpa_end_t *end = &c->assoc->ends[c->from];
    uint32_t first = SCTPA_NO_PACKET_INDEX;
    if (end->n_paths < 2 || end->n_paths > SCTPA_PATHS_KEPT || !sctpa_may_judge(c, SCTPA_RULE_PM_027, c->from))
        return;
    for (uint16_t path = 0; path < end->n_paths; path++) {
        const sctpa_heartbeats_t *sent = sctpa_heartbeats(c, c->from, path);
        if (!sent || sent->unanswered < SCTPA_HEARTBEATS_DORMANT)
            return;
        first = MIN(first, sent->first_unanswered);
    }
    if (c->sent && c->sent->sacks.len > 0 && c->sent->last_sack_ns > sctpa_context_time_ns(c, first))
        return;
    sctpa_accuse(c, SCTPA_RULE_PM_027, c->from, SCTPA_NO_PATH, first, "the association given up when no path answers",
                 SCTPA_WORDS("%d or more HEARTBEATs in a row unanswered on each of %u paths, and still open",
                             SCTPA_HEARTBEATS_DORMANT, end->n_paths));
}

void sctpa_check_paths_idle(sctpa_context_t *c)
{
    check_lists(c);
    check_dormant(c);
}
