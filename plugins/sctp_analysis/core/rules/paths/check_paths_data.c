/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of where data and its retransmissions go: to the path of the first transmission or another, back and forth. */
#include "reference/requests/failure_detection.h"
#include "reference/requests/paths.h"
#include "reference/sender/path_choice.h"
#include "rules/rule_functions.h"
#include "wire/protocol_parameters.h"
#include "paths_limits.h"

enum { NEW_DATA_WITHIN = 64 }; /* packets: longer ago, and the sender may have changed its primary path twice */

/* How the sender changed paths, NULL: it did not. */
static const sctpa_switching_t *switching_of(const sctpa_context_t *c)
{
    return sctpa_has_several_paths(c) ? c->assoc->ends[c->from].rare->switching : NULL;
}

bool sctpa_PM_015_applies(const sctpa_context_t *c)
{
    return sctpa_new_data(c).n == SCTPA_SPREAD_PACKETS;
}

/* "an endpoint SHOULD always transmit to the primary path, unless the SCTP user explicitly specifies the destination"
 */
bool sctpa_PM_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_new_data_t new_data = sctpa_new_data(c);
    if (new_data.turns <= SCTPA_SPREAD_TURNS)
        return false;
    violation->related = new_data.first_packet;
    sctpa_violation_say(violation, "new data on the primary path",
                        SCTPA_WORDS("%u packets with new data changed paths %u times, no retransmission in between",
                                    SCTPA_SPREAD_PACKETS, new_data.turns));
    return true;
}

bool sctpa_PM_016_applies(const sctpa_context_t *c)
{
    if (!sctpa_has_several_paths(c) || sctpa_first_rtx(c)->kind != SCTPA_RTX_TIMEOUT)
        return false;
    uint16_t before = sctpa_context_record(c, sctpa_first_rtx(c)->previous)->path;
    for (uint16_t other = 0; other < SCTPA_PATHS_KEPT; other++)
        if (other != before && sctpa_path_state(c, c->from, other) == SCTPA_PATH_ACTIVE)
            return true;
    return false;
}

/* "SHOULD try to retransmit a chunk that timed out to an active destination transport address that is different" */
bool sctpa_PM_016_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_rtx_t *rtx = sctpa_first_rtx(c);
    if (rtx->path != sctpa_context_record(c, rtx->previous)->path)
        return false;
    violation->path = rtx->path;
    violation->related = rtx->previous;
    sctpa_violation_say(violation, "a retransmission after a timeout on another path, which answers heartbeats",
                        SCTPA_WORDS("on path %u again", rtx->path));
    return true;
}

bool sctpa_PM_017_applies(const sctpa_context_t *c)
{
    uint16_t original;
    if (!sctpa_has_several_paths(c))
        return false;
    return c->facts & SCTPA_FACT_RTX ? sctpa_is_certainly_fast(c, &original) : sctpa_stray(c) != NULL;
}

/* "SHOULD send fast retransmissions to the same destination transport address to which the original data was sent": new
 * data shows whether the primary path had been changed. */
bool sctpa_PM_017_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_stray_t *stray = sctpa_stray(c);
    if (c->facts & SCTPA_FACT_RTX || c->path != stray->original || c->index - stray->packet > NEW_DATA_WITHIN)
        return false;
    violation->path = stray->path;
    violation->related = stray->packet;
    violation->since = stray->sent_packet;
    if (c->reference->tap.is_mixed[c->from])
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("fast retransmission on path %u, as the first transmission", stray->original),
                        SCTPA_WORDS("on path %u in frame %u, new data on path %u again here", stray->path,
                                    sctpa_context_frame(c, stray->packet), stray->original));
    return true;
}

bool sctpa_PM_019_applies(const sctpa_context_t *c)
{
    const sctpa_switching_t *switching = switching_of(c);
    return switching && switching->primary_changes > 0;
}

/* Not of an RFC: the sender changes paths faster than they can recover. */
bool sctpa_PM_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_switching_t *switching = switching_of(c);
    const uint32_t *packets = switching->ping_pong_packets;
    if (switching->ping_pong < SCTPA_PING_PONGS_KEPT || packets[0] != c->index ||
        sctpa_context_most_since_ns(c, packets[SCTPA_PING_PONGS_KEPT - 1]) >= SCTPA_SWINGS_S * SCTPA_NS_PER_S)
        return false;
    violation->path = c->path;
    sctpa_violation_say(
        violation, "new data that stays on a path",
        SCTPA_WORDS("%u times back and forth, the last three within %d s", switching->ping_pong, SCTPA_SWINGS_S));
    return true;
}

bool sctpa_PM_023_applies(const sctpa_context_t *c)
{
    const sctpa_tsn_t *tsn = c->first_data->sent.tsn;
    const sctpa_heartbeats_t *sent = sctpa_heartbeats(c, c->from, c->path);
    return tsn && tsn->transmissions >= SCTPA_TRANSMISSIONS_IN_VAIN && sent &&
           sent->answered_before != SCTPA_NO_PACKET_INDEX;
}

/* "This allows for handling the possible difference in reachability based on DATA chunks and HEARTBEAT chunks." */
bool sctpa_PM_023_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_transmission_t lowest = c->first_data->sent;
    const sctpa_tsn_t *tsn = lowest.tsn;
    const sctpa_heartbeats_t *sent = sctpa_heartbeats(c, c->from, c->path);
    bool is_answering = sent->answered_before > tsn->first_packet && !sent->is_open;
    bool is_lossy = ((uint64_t)c->sent->rare->rtx.len - (tsn->transmissions - 1u)) * SCTPA_LOSSY_SHARE > c->sent->tsns;
    if (!is_answering || is_lossy || c->sent->cum_tsn != lowest.number - 1 || !c->sent->has_a_rwnd ||
        c->sent->a_rwnd_bytes < (uint32_t)SCTPA_WINDOW_ROOM_BYTES + tsn->bytes)
        return false;
    violation->related = sent->answered_packet;
    sctpa_violation_say(violation, "data acknowledged where heartbeats are answered",
                        SCTPA_WORDS("%u transmissions of one TSN of %u bytes, a_rwnd %u", tsn->transmissions,
                                    tsn->bytes, c->sent->a_rwnd_bytes));
    return true;
}

/* The failover that the packet makes certain, NULL none. */
static const sctpa_failover_t *failover_of(const sctpa_context_t *c)
{
    const sctpa_switching_t *switching = switching_of(c);
    uint32_t n = switching ? switching->n_failovers : 0;
    const sctpa_failover_t *last = n > 0 && n <= SCTPA_FAILOVERS_MAX ? &switching->failovers[n - 1] : NULL;
    return last && last->certain_packet == c->index ? last : NULL;
}

bool sctpa_PM_028_applies(const sctpa_context_t *c)
{
    const sctpa_failover_t *failover = failover_of(c);
    return failover && sctpa_trouble_errors(&failover->trouble) >= 2 && failover->trouble.rto_ms > 0;
}

/* "Path.Max.Retrans: 5 attempts (per destination address)"; inactive when the counter exceeds it (8.2). RFC 7829 5.1
 * lets new data leave a path that is potentially failed, after the first. */
bool sctpa_PM_028_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_failover_t *failover = failover_of(c);
    const sctpa_trouble_t *trouble = &failover->trouble;
    uint64_t errors = sctpa_trouble_errors(trouble);
    sctpa_detection_t detection =
        sctpa_detection_of(failover, c->assoc->ends[c->from].n_paths, trouble->rto_ms * SCTPA_NS_PER_MS);
    sctpa_formula_t formula = sctpa_detection_fit(&detection);
    if (formula != SCTPA_FORMULA_RFC && trouble->heartbeats == 0) /* only jitter tells the formulas apart */
        formula = SCTPA_FORMULA_NONE;
    if (errors == SCTPA_ERRORS_PATH_INACTIVE && formula <= SCTPA_FORMULA_RFC)
        return false;
    violation->path = failover->path;
    violation->related = trouble->since_packet;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("%d errors in a row, or 1 (RFC 7829); %.1f s for %" G_GUINT64_FORMAT " by the RFC's formula",
                    SCTPA_ERRORS_PATH_INACTIVE, (double)detection.rfc_ns / (double)SCTPA_NS_PER_S, errors),
        SCTPA_WORDS("%u timeouts, %u heartbeats lost; %.1f s, as %s%s gives", trouble->timeouts, trouble->heartbeats,
                    (double)detection.took_ns / (double)SCTPA_NS_PER_S, formula ? "the formula of " : "no formula",
                    sctpa_formula_word(formula)));
    return true;
}
