/* Judges where data and its retransmissions go: the path of the first transmission or another, back and forth. */
#include "track/failure_detection.h"
#include "paths_state.h"

enum { SWINGS_NS_COUNT = 3, NEW_DATA_WITHIN = 64 };

/* The retransmission of the lowest TSN in the packet, NULL none. O(retransmissions in the packet). */
static const sctpa_rtx_t *first_rtx(const sctpa_context_t *c)
{
    const sctpa_rtx_t *first = NULL;
    for (uint32_t i = c->sent->rare->rtx.len; i > 0; i--) {
        const sctpa_rtx_t *rtx = &SCTPA_RECORD(&c->sent->rare->rtx, sctpa_rtx_t, i - 1);
        if (rtx->packet != c->index)
            break;
        first = rtx;
    }
    return first;
}

static const sctpa_data_path_t *data_path(const sctpa_context_t *c, uint16_t path)
{
    return path < c->sent->paths.len ? &SCTPA_RECORD(&c->sent->paths, sctpa_data_path_t, path) : NULL;
}

/* A fast retransmission that no timer explains, of data whose path was in order. */
static bool is_certainly_fast(const sctpa_context_t *c, const sctpa_rtx_t *rtx, uint16_t original)
{
    const sctpa_data_path_t *path = data_path(c, original);
    if (!path || rtx->kind != SCTPA_RTX_FAST || rtx->link.before != 0 || rtx->misses < SCTPA_MISSES_FAST ||
        path->left_ns != INT64_MIN)
        return false;
    int64_t least_ns = c->sent->rare->rto_min_ns, rto_ns = path->rto_ns > 0 ? MIN(least_ns, path->rto_ns) : least_ns;
    int64_t now_ns = c->packet->time_ns;
    return now_ns - sctpa_context_time_ns(c, rtx->previous) < rto_ns && now_ns - path->t3_start_ns < rto_ns &&
           path->timeout_packet == SCTPA_NO_PACKET_INDEX && path->unknown_packet == SCTPA_NO_PACKET_INDEX;
}

/* RFC 9260 6.4: "SHOULD send fast retransmissions to the same destination transport address to which the original data
 * was sent" */
static void check_fast(sctpa_context_t *c, const sctpa_rtx_t *rtx)
{
    uint16_t original = sctpa_record_at(c, rtx->previous)->path;
    sctpa_paths_t *state = sctpa_paths_state(c);
    if (!is_certainly_fast(c, rtx, original) || !c->sent->has_usual_path || c->sent->usual_path != original ||
        !sctpa_may_judge(c, SCTPA_RULE_PM_017, c->from) || rtx->path == original)
        return;
    state->has_stray[c->from] = true;
    state->stray_packet[c->from] = c->index;
    state->stray_original[c->from] = original;
    state->stray_path[c->from] = rtx->path;
}

/* New data shows whether the primary path had been changed. */
static void check_stray(sctpa_context_t *c)
{
    sctpa_paths_t *state = sctpa_paths_state(c);
    uint8_t end = c->from;
    if (!state->has_stray[end])
        return;
    state->has_stray[end] = false;
    if (c->path == state->stray_original[end] && c->index - state->stray_packet[end] <= NEW_DATA_WITHIN)
        sctpa_accuse(c, SCTPA_RULE_PM_017, end, state->stray_path[end], state->stray_packet[end],
                     SCTPA_WORDS("fast retransmission on path %u, as first sent", state->stray_original[end]),
                     SCTPA_WORDS("on path %u in frame %u, new data again on path %u here", state->stray_path[end],
                                 sctpa_context_frame(c, state->stray_packet[end]), state->stray_original[end]));
}

/* Did another path of the end answer its last heartbeat, and not long ago? */
static bool has_active_alternate(const sctpa_context_t *c, uint16_t path)
{
    for (uint16_t other = 0; other < SCTPA_PATHS_KEPT; other++) {
        const sctpa_heartbeats_t *sent = sctpa_heartbeats(c, c->from, other);
        if (other == path || !sent || sent->open ||
            c->packet->time_ns - sent->answered_ns >= SCTPA_PATH_ACTIVE_S * SCTPA_NS_PER_S)
            continue;
        const sctpa_addr_t *destination = c->assoc->ends[c->from].paths[other].destination;
        if (!(sctpa_end_addr_origin(&c->assoc->ends[!c->from], destination) & SCTPA_ADDR_DELETED))
            return true;
    }
    return false;
}

/* RFC 9260 6.4: "SHOULD try to retransmit a chunk that timed out to an active destination transport address that is
 * different" */
static void check_timeout(sctpa_context_t *c, const sctpa_rtx_t *rtx)
{
    sctpa_paths_t *state = sctpa_paths_state(c);
    uint16_t before = sctpa_record_at(c, rtx->previous)->path;
    if (rtx->kind != SCTPA_RTX_TIMEOUT || !has_active_alternate(c, before) ||
        !sctpa_may_judge(c, SCTPA_RULE_PM_016, c->from) || rtx->path != before)
        return;
    if (++state->same[c->from] >= SCTPA_STAYS_ON_PATH) {
        sctpa_accuse(c, SCTPA_RULE_PM_016, c->from, rtx->path, state->same_packet[c->from],
                     "a retransmission after a timeout on another path, which answers heartbeats",
                     SCTPA_WORDS("on path %u again", rtx->path));
        state->same[c->from] = SCTPA_STAYS_ON_PATH;
    }
    state->same_packet[c->from] = c->index;
}

static sctpa_transmission_t lowest_sent(const sctpa_context_t *c)
{
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (sctpa_tlv_is_data(&c->chunks[i].tlv))
            return c->chunks[i].sent;
    return (sctpa_transmission_t){ .tsn = NULL };
}

/* RFC 9260 8.1: "This allows for handling the possible difference in reachability based on DATA chunks and HEARTBEAT
 * chunks." */
static void check_half_dead(sctpa_context_t *c)
{
    sctpa_transmission_t lowest = lowest_sent(c);
    const sctpa_tsn_t *tsn = lowest.tsn;
    const sctpa_heartbeats_t *sent = sctpa_heartbeats(c, c->from, c->path);
    if (!tsn || tsn->transmissions < SCTPA_TRANSMISSIONS_IN_VAIN || !sent ||
        sent->answered_before == SCTPA_NO_PACKET_INDEX || !sctpa_may_judge(c, SCTPA_RULE_PM_023, !c->from))
        return;
    bool is_answering = sent->answered_before > tsn->first_packet && !sent->open;
    bool is_lossy = ((uint64_t)c->sent->rare->rtx.len - (tsn->transmissions - 1u)) * SCTPA_LOSSY_SHARE > c->sent->tsns;
    if (is_answering && !is_lossy && c->sent->cum_tsn == lowest.number - 1 && c->sent->has_a_rwnd &&
        c->sent->a_rwnd_bytes >= (uint32_t)SCTPA_WINDOW_ROOM_BYTES + tsn->bytes)
        sctpa_accuse(c, SCTPA_RULE_PM_023, !c->from, SCTPA_NO_PATH, sent->answered_packet,
                     "data acknowledged where heartbeats are answered",
                     SCTPA_WORDS("%u transmissions of one TSN of %u bytes, window %u", tsn->transmissions, tsn->bytes,
                                 c->sent->a_rwnd_bytes));
}

/* Not of an RFC: the sender changes paths faster than they can recover. */
static void check_swings(sctpa_context_t *c)
{
    const sctpa_switching_t *switching = c->assoc->ends[c->from].rare->switching;
    if (!switching || switching->primary_changes == 0 || !sctpa_may_judge(c, SCTPA_RULE_PM_019, c->from))
        return;
    sctpa_paths_t *state = sctpa_paths_state(c);
    uint8_t end = c->from;
    if (switching->ping_pong == state->swings[end])
        return;
    state->swings[end] = switching->ping_pong;
    if (switching->ping_pong >= SWINGS_NS_COUNT &&
        c->packet->time_ns - state->swings_ns[end][0] < SCTPA_SWINGS_S * SCTPA_NS_PER_S)
        sctpa_accuse(
            c, SCTPA_RULE_PM_019, end, c->path, SCTPA_NO_PACKET_INDEX, "new data that stays on a path",
            SCTPA_WORDS("%u times back and forth, the last three within %d s", switching->ping_pong, SCTPA_SWINGS_S));
    state->swings_ns[end][0] = state->swings_ns[end][1];
    state->swings_ns[end][1] = c->packet->time_ns;
}

/* RFC 9260 6.4: "an endpoint SHOULD always transmit to the primary path, unless the SCTP user explicitly specifies the
 * destination" */
static void check_spread(sctpa_context_t *c)
{
    sctpa_paths_t *state = sctpa_paths_state(c);
    uint8_t end = c->from;
    if (state->spread[end] == 0 || c->sent->rare->rtx.len != state->spread_rtx[end]) {
        state->spread[end] = state->turns[end] = 0;
        state->spread_from[end] = c->index;
        state->spread_rtx[end] = c->sent->rare->rtx.len;
    } else
        state->turns[end] += state->new_path[end] != c->path;
    state->new_path[end] = c->path;
    if (++state->spread[end] < SCTPA_SPREAD_PACKETS)
        return;
    if (sctpa_may_judge(c, SCTPA_RULE_PM_015, end) && state->turns[end] > SCTPA_SPREAD_TURNS)
        sctpa_accuse(c, SCTPA_RULE_PM_015, end, SCTPA_NO_PATH, state->spread_from[end], "new data on the primary path",
                     SCTPA_WORDS("%u packets with new data changed paths %u times, nothing sent again between",
                                 SCTPA_SPREAD_PACKETS, state->turns[end]));
    state->spread[end] = 0;
}

/* RFC 9260 16: "Path.Max.Retrans: 5 attempts (per destination address)"; 8.2: inactive when the counter exceeds it. RFC
 * 7829 5.1 lets new data leave a path that is potentially failed, after the first. */
static void check_failover(sctpa_context_t *c)
{
    const sctpa_switching_t *switching = c->assoc->ends[c->from].rare->switching;
    sctpa_paths_t *state = sctpa_paths_state(c);
    if (!switching || switching->n_failovers == state->failovers[c->from] ||
        switching->n_failovers > SCTPA_FAILOVERS_MAX)
        return;
    state->failovers[c->from] = switching->n_failovers;
    const sctpa_failover_t *failover = &switching->failovers[switching->n_failovers - 1];
    const sctpa_trouble_t *trouble = &failover->trouble;
    uint64_t errors = sctpa_trouble_errors(trouble);
    if (errors < 2 || trouble->rto_ms == 0 || !sctpa_may_judge(c, SCTPA_RULE_PM_028, c->from))
        return;
    sctpa_detection_t detection = sctpa_detection_of(failover, c->assoc->ends[c->from].n_paths);
    sctpa_formula_t formula = sctpa_detection_fit(&detection);
    if (formula != SCTPA_FORMULA_RFC && trouble->heartbeats == 0) /* only jitter tells the formulas apart */
        formula = SCTPA_FORMULA_NONE;
    if (errors != SCTPA_ERRORS_PATH_INACTIVE || formula > SCTPA_FORMULA_RFC)
        sctpa_accuse(c, SCTPA_RULE_PM_028, c->from, failover->path, trouble->since_packet,
                     SCTPA_WORDS("%d errors in a row, or 1 (RFC 7829); %.1f s for %" G_GUINT64_FORMAT
                                 " by the RFC's formula",
                                 SCTPA_ERRORS_PATH_INACTIVE, (double)detection.rfc_ns / (double)SCTPA_NS_PER_S, errors),
                     SCTPA_WORDS("%u timeouts, %u heartbeats lost; %.1f s, as %s%s gives", trouble->timeouts,
                                 trouble->heartbeats, (double)detection.took_ns / (double)SCTPA_NS_PER_S,
                                 formula ? "the formula of " : "no formula", sctpa_formula_word(formula)));
}

void sctpa_check_paths_data(sctpa_context_t *c)
{
    const sctpa_rtx_t *rtx = first_rtx(c);
    if (rtx)
        check_half_dead(c);
    if (c->assoc->ends[c->from].n_paths < 2)
        return;
    check_failover(c);
    if (rtx) {
        check_fast(c, rtx);
        check_timeout(c, rtx);
    } else {
        check_stray(c);
        check_spread(c);
        check_swings(c);
    }
}
