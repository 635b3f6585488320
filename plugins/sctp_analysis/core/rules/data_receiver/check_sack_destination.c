/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules about the address that SACKs go to, where the sender of the data has several. */
#include "reference/receiver/sack_answers.h"
#include "reference/requests/asconf.h"
#include "reference/requests/paths.h"
#include "rules/rule_functions.h"
#include "receiver_limits.h"

bool sctpa_RX_022_applies(const sctpa_context_t *c)
{
    return sctpa_sack_is(c, SCTPA_SACK_FOLLOWED | SCTPA_SACK_ALONE | SCTPA_SACK_FIRST_ONCE) &&
           c->answer.owed.packets == 1 && c->receivers[c->from]->wait.first_path != SCTPA_NO_PATH;
}

/* RFC 9260 6.7: "SHOULD always try to send the SACK chunk to the same destination address from which the last DATA
 * chunk was received" */
bool sctpa_RX_022_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint16_t avoided = c->receivers[c->from]->wait.first_path;
    if (avoided == c->path)
        return false;
    const sctpa_heartbeats_t *heartbeats = sctpa_heartbeats(c, c->from, avoided);
    violation->path = c->path;
    violation->related = c->answer.owed.since_packet;
    if (heartbeats && !heartbeats->is_open)
        violation->since = heartbeats->answered_packet;
    sctpa_violation_say(violation, "a SACK to the address from which the DATA came",
                        SCTPA_WORDS("to another one, %u times", SCTPA_SACKS_ASTRAY));
    return true;
}

/* Where the SACK before this one went. */
static uint16_t path_before(const sctpa_context_t *c)
{
    return sctpa_context_record(c, c->answer.before->packet)->path;
}

/* As long as nothing shows that an address failed or changed: data of the receiver's own that it retransmitted, ICMP
 * errors, ASCONF. */
bool sctpa_RX_023_applies(const sctpa_context_t *c)
{
    return c->receivers[c->from]->one_source_sacks >= 2 && c->answer.before && sctpa_sack_is_of_new_data(c) &&
           c->assoc->ends[!c->from].n_addrs > 1 && !(c->sent && c->sent->rare->rtx.len > 0) &&
           !c->tracked->rare->icmp_seen && !sctpa_asconf_asker(c, 0) && !sctpa_asconf_asker(c, 1);
}

/* Nothing speaks against the path, as far as the capture shows what its sender knows of it, and packets of the peer
 * from there pass the tap. */
static bool is_sound(const sctpa_context_t *c, uint16_t path)
{
    const sctpa_heartbeats_t *heartbeats = sctpa_heartbeats(c, c->from, path);
    const sctpa_end_t *own = &c->assoc->ends[c->from];
    const uint32_t wanted = SCTPA_ADDR_SOURCE, looked_at = wanted | SCTPA_ADDR_DELETED;
    return path < MIN(own->n_paths, SCTPA_PATHS_KEPT) &&
           !(heartbeats && (heartbeats->is_open || heartbeats->unanswered > 0)) &&
           sctpa_path_is_confirmed(c, c->from, path) != SCTPA_NO &&
           (sctpa_context_addr_origin(c, !c->from, own->paths[path].destination) & looked_at) == wanted;
}

/* RFC 9260 6.4: "an endpoint SHOULD NOT vary the destination transport address of a SACK chunk when it receives DATA
 * chunks coming from the same source address" */
bool sctpa_RX_023_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (path_before(c) == c->path || !is_sound(c, c->path) || !is_sound(c, path_before(c)))
        return false;
    violation->path = c->path;
    violation->related = c->answer.before->packet;
    sctpa_violation_say(
        violation, "SACKs to one address, while DATA comes from one address",
        SCTPA_WORDS("each of %u SACKs in a row to another address than the one before it", SCTPA_SACKS_VARIED));
    return true;
}
