/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows T3-rtx of each path as an interval. What surely happened moves both bounds, what may have happened widens
 * them. */
#include "t3_bounds.h"

#include "model/negotiated.h"
#include "owed_chunks.h"
#include "request_timers.h"
#include "wire/types.h"

static const int64_t known_ns = SCTPA_HOST_TAKES_MS * SCTPA_NS_PER_MS;

/* A sender with more paths is not followed. */
enum { PATHS_MAX = 4 };

/* What passes towards a sender and acknowledges nothing. A SHUTDOWN may, but opens no window, and reports no gap. */
static const uint64_t silent = SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(PAD) | SCTPA_DATA_ROWS;
/* What an endpoint repeats by a timer that doubles the RTO of a path. */
static const uint64_t requests =
    SCTPA_ROW(INIT) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(RE_CONFIG) | SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK);
static const uint64_t set_ups = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(COOKIE_ACK);

typedef struct {
    sctpa_t3_bounds_t paths[PATHS_MAX];
    int64_t rtt_least_ns, rtt_most_ns;     /* of round trips that it may have measured; 0 none */
    int64_t asked_first_ns, asked_last_ns; /* since when it waits for INIT ACK or COOKIE ACK, 0: not */
    int64_t initial_most_ns;               /* the RTO of a path that was not used before, at the most; 0: RTO.Initial */
    int64_t cum_tsn;                       /* that was acknowledged, relative */
    int64_t silent_tsn;                    /* the TSN that was retransmitted last ... */
    uint32_t silent_rtx;                   /* ... so often since anything came that may acknowledge something */
    uint32_t arrived_bytes;                /* the largest packet with data that arrived, of IP */
    uint32_t expiries;                     /* since then, on all paths */
    uint32_t expired;                      /* 1 + the packet that the last of them sent to the same path; 0 none */
    uint32_t retransmitted, heard, set_up; /* 1 + the last packet in which it retransmitted something, ...; 0 none */
    uint64_t asked;                        /* rows of requests that it sent */
    bool is_lost;                          /* it is followed no more: its addresses change, or there are too many */
} sender_t;

typedef struct {
    sender_t senders[2];
} t3_bounds_t;

/* --- the RTO ---------------------------------------------------------------------------------------------------------
 */

typedef struct {
    int64_t initial_ns, min_ns, max_ns;
} parameters_t;

static parameters_t parameters_of(const sctpa_context_t *c, uint8_t endpoint)
{
    const sctpa_tap_t *tap = &c->reference->tap;
    const parameters_t given = { sctpa_tap_parameter(tap, endpoint, SCTPA_PARAMETER_RTO_INITIAL, 0),
                                 sctpa_tap_parameter(tap, endpoint, SCTPA_PARAMETER_RTO_MIN, 0),
                                 sctpa_tap_parameter(tap, endpoint, SCTPA_PARAMETER_RTO_MAX, SCTPA_RTO_MAX_NS) };
    return given;
}

static bool is_followed(const sctpa_context_t *c, uint8_t endpoint)
{
    return sctpa_tap_is_asserted(&c->reference->tap, endpoint, SCTPA_T3_BOUNDS_REST_ON);
}

/* "RTO = SRTT + 4 * RTTVAR" of round trips between the two: SRTT lies between them, and RTTVAR is no more than half of
 * the first, or what they differ by (6.3.1 C2, C3, C6, C7). */
static int64_t measured_most_ns(const sender_t *sender, const parameters_t *given)
{
    const int64_t most_ns = sender->rtt_most_ns + SCTPA_TICK_NS,
                  spread_ns = MAX(most_ns / 2, most_ns - sender->rtt_least_ns);
    return MIN(MAX(sctpa_ns_sum(most_ns, sctpa_ns_times(spread_ns, 4)), given->min_ns), given->max_ns);
}

static int64_t measured_least_ns(const sender_t *sender, const parameters_t *given)
{
    return MIN(MAX(sender->rtt_least_ns, given->min_ns), given->max_ns);
}

static void begin_path(const sender_t *sender, const parameters_t *given, sctpa_t3_bounds_t *path)
{
    if (path->rto_most_ns > 0)
        return;
    path->rto_least_ns = MIN(given->initial_ns, given->max_ns);
    path->rto_most_ns = MIN(MAX(MAX(given->initial_ns, given->min_ns), sender->initial_most_ns), given->max_ns);
    if (sender->rtt_most_ns > 0) {
        path->rto_least_ns = MIN(path->rto_least_ns, measured_least_ns(sender, given));
        path->rto_most_ns = MAX(path->rto_most_ns, measured_most_ns(sender, given));
    }
}

/* It may have measured a round trip of so long at the least and at the most. */
static void widen(sender_t *sender, int64_t least_ns, int64_t most_ns)
{
    least_ns = MAX(least_ns, 1);
    sender->rtt_least_ns = sender->rtt_least_ns > 0 ? MIN(sender->rtt_least_ns, least_ns) : least_ns;
    sender->rtt_most_ns = MAX(sender->rtt_most_ns, most_ns);
}

static void may_double(sctpa_t3_bounds_t *path, const parameters_t *given)
{
    path->rto_most_ns = MIN(sctpa_ns_times(path->rto_most_ns, 2), given->max_ns);
}

/* --- the timer -------------------------------------------------------------------------------------------------------
 */

static void stop(sctpa_t3_bounds_t *path)
{
    path->may_run = path->must_run = false;
}

/* May a HEARTBEAT without answer be an error by now, as it is after an RTO (8.3)? */
static bool may_have_failed(const sctpa_context_t *c, const sctpa_t3_bounds_t *path, const parameters_t *given)
{
    return path->heartbeat_first_ns > 0 && c->packet->time_ns - path->heartbeat_first_ns >= given->min_ns / 2;
}

/* The RTO at the most, where a HEARTBEAT without answer may have doubled it (8.3). */
static int64_t most_now_ns(const sctpa_context_t *c, const sctpa_t3_bounds_t *path, const parameters_t *given)
{
    return may_have_failed(c, path, given) ? MIN(sctpa_ns_times(path->rto_most_ns, 2), given->max_ns)
                                           : path->rto_most_ns;
}

static void start(const sctpa_context_t *c, sctpa_t3_bounds_t *path, int64_t least_ns, int64_t most_ns)
{
    path->earliest_ns = sctpa_ns_sum(c->packet->time_ns, least_ns);
    path->latest_ns = sctpa_ns_sum(c->packet->time_ns, sctpa_timer_late_ns(most_ns));
    path->started_rto_ns = least_ns;
    path->last_start_ns = c->packet->time_ns;
    path->started = c->index;
    path->may_run = path->must_run = true;
}

/* It may have been started anew, or not. */
static void may_start(const sctpa_context_t *c, sctpa_t3_bounds_t *path, int64_t least_ns, int64_t most_ns)
{
    const sctpa_t3_bounds_t before = *path;
    start(c, path, least_ns, most_ns);
    path->must_run = before.must_run;
    if (before.must_run)
        path->latest_ns = MAX(path->latest_ns, before.latest_ns);
    if (before.may_run && before.earliest_ns <= path->earliest_ns) {
        path->earliest_ns = before.earliest_ns;
        path->started_rto_ns = before.started_rto_ns;
        path->started = before.started;
    }
}

/* Data was sent there: starts it unless it runs (6.3.2 R1). */
static void start_if_idle(const sctpa_context_t *c, sctpa_t3_bounds_t *path, int64_t least_ns, int64_t most_ns)
{
    if (path->must_run)
        return;
    const bool may_have_run = path->may_run;
    const int64_t latest_ns = path->latest_ns;
    may_start(c, path, least_ns, most_ns);
    path->must_run = true;
    if (may_have_run)
        path->latest_ns = MAX(path->latest_ns, latest_ns);
}

/* Whatever happened there, it may run since any time, and need not. */
static void leave_open(const sctpa_context_t *c, sctpa_t3_bounds_t *path)
{
    path->may_run = true;
    path->must_run = false;
    path->earliest_ns = path->latest_ns = c->packet->time_ns;
    path->started_rto_ns = 0;
    path->started = c->index;
}

static uint64_t flight_bytes(const sctpa_direction_t *data, uint16_t path)
{
    const sctpa_data_path_t *known = sctpa_direction_known_path(data, path);
    return known ? known->flight_bytes : 0;
}

/* "Whenever all outstanding data sent to an address have been acknowledged, turn off the T3-rtx timer of that address."
 * Where data is outstanding and no timer is known to run, one was started unseen (6.3.2 R2, R4). */
static void settle(const sctpa_context_t *c, sender_t *sender, const sctpa_direction_t *data)
{
    for (uint16_t at = 0; at < PATHS_MAX; at++) {
        sctpa_t3_bounds_t *path = &sender->paths[at];
        if (flight_bytes(data, at) == 0)
            stop(path);
        else if (!path->may_run)
            leave_open(c, path);
    }
}

/* --- what caused a retransmission ------------------------------------------------------------------------------------
 */

static bool is_lowest(const sctpa_direction_t *sent, int64_t number)
{
    const int64_t from = sent->has_cum ? sent->cum_tsn + 1 : 0;
    sctpa_range_t range;
    return (sent->has_cum || sent->announced) && sctpa_tsn_set_next(&sent->seen, from, number, &range) &&
           range.first == number;
}

/* Did an expiry of the timer, or SACKs, mark the TSN, so that it waits for cwnd? Whatever marked it sent something
 * then.
 */
static bool may_be_marked(const sender_t *sender, uint32_t previous)
{
    return sender->retransmitted > previous + 1;
}

/* Was the TSN retransmitted before, and did nothing come since that may have made its sender do so? */
static bool is_second_in_vain(const sender_t *sender, int64_t number)
{
    return sender->silent_rtx > 0 && sender->silent_tsn == number;
}

/* A loss probe (RACK) sends the highest TSN, or a lone one after two round trips and an ack delay of 200 ms, and once
 * only. Half a round trip less, for a sender that measures shorter ones than the tap. */
static bool may_be_a_probe(const sctpa_context_t *c, const sender_t *sender, int64_t number, int64_t since_ns)
{
    return c->sent->highest <= number && since_ns >= SCTPA_SACK_DELAY_NS + 3 * sender->rtt_least_ns / 2;
}

/* Did nothing come since the TSN was sent last, or nothing that reports a loss? */
static bool is_unprovoked(const sctpa_context_t *c, const sender_t *sender, const sctpa_rtx_t *rtx)
{
    return sender->heard <= rtx->previous || (rtx->misses == 0 && !sctpa_direction_has_gaps(c->sent));
}

/* Has the TSN been acknowledged, and all others? And so long ago that its sender must have known? */
static bool is_acked(const sctpa_context_t *c, const sctpa_observed_t *chunk)
{
    return chunk->sent.number <= c->sent->cum_tsn && c->sent->cum_tsn >= c->sent->highest &&
           chunk->sent.tsn->ack_packet < c->index;
}

static bool is_known_acked(const sctpa_context_t *c, const sctpa_observed_t *chunk)
{
    return is_acked(c, chunk) && c->packet->time_ns - sctpa_context_time_ns(c, chunk->sent.tsn->ack_packet) >= known_ns;
}

/* Can a timer alone have sent it: was nothing of its path marked, by the timer or by SACKs, nor its address given up?
 * ICMP may tell sooner than in an RTO.Min that the packet was too big; then a timer takes it for lost. */
static bool is_by_timer(const sctpa_context_t *c, const sender_t *sender, const sctpa_observed_t *chunk, uint16_t path)
{
    const sctpa_rtx_t *rtx = sctpa_observed_rtx(chunk, c->sent);
    const int64_t number = chunk->sent.number;
    const sctpa_direction_t *sent = c->sent;
    const sctpa_data_path_t *known = sctpa_direction_known_path(sent, path);
    const int64_t since_ns = c->packet->time_ns - sctpa_context_time_ns(c, rtx->previous);
    const parameters_t given = parameters_of(c, c->from);
    const bool is_timeout = rtx->kind == SCTPA_RTX_TIMEOUT || rtx->kind == SCTPA_RTX_UNKNOWN,
               is_left = c->path != path && may_have_failed(c, &sender->paths[path], &given),
               is_perhaps_a_probe = may_be_a_probe(c, sender, number, since_ns) && !is_known_acked(c, chunk) &&
                                    !is_second_in_vain(sender, number);
    return known && is_timeout && known->left_ns == INT64_MIN && sent->rare->abandoned_to < 0 &&
           !c->packet->fragmented && !c->tracked->rare->icmp_seen && sender->set_up <= rtx->previous && !is_left &&
           sctpa_rtx_counts(sent, number, rtx) && is_unprovoked(c, sender, rtx) &&
           !may_be_marked(sender, rtx->previous) && !is_perhaps_a_probe &&
           (since_ns >= given.min_ns || !sctpa_packet_may_be_too_big(sent, rtx->previous, sender->arrived_bytes));
}

static const sender_t *sender_of(const sctpa_context_t *c, uint8_t endpoint)
{
    const t3_bounds_t *bounds = sctpa_context_find_part(c, SCTPA_PART_T3_BOUNDS);
    return bounds && is_followed(c, endpoint) && !bounds->senders[endpoint].is_lost ? &bounds->senders[endpoint] : NULL;
}

sctpa_known_t sctpa_t3_bounds_expiry(const sctpa_context_t *c, uint16_t *path)
{
    const sender_t *sender = sender_of(c, c->from);
    if (!sender || !(c->facts & SCTPA_FACT_RTX) || !c->sent)
        return SCTPA_NO;
    unsigned i = 0;
    while (i < c->n_chunks && c->chunks[i].sent.rtx == 0)
        i++;
    const sctpa_observed_t *chunk = i < c->n_chunks ? &c->chunks[i] : NULL;
    const sctpa_rtx_t *rtx = chunk ? sctpa_observed_rtx(chunk, c->sent) : NULL;
    if (!rtx || rtx->kind == SCTPA_RTX_FAST)
        return SCTPA_NO;
    *path = sctpa_context_record(c, rtx->previous)->path;
    if (*path >= PATHS_MAX)
        return SCTPA_UNKNOWN;
    const bool may_be = is_lowest(c->sent, chunk->sent.number) || is_acked(c, chunk);
    return chunk == c->first_data && may_be && is_by_timer(c, sender, chunk, *path) ? SCTPA_YES : SCTPA_UNKNOWN;
}

/* --- taking packets --------------------------------------------------------------------------------------------------
 */

/* "acknowledges the DATA chunk with the earliest outstanding TSN for that address, restart the T3-rtx timer for that
 * address" (6.3.2 R3): surely that of the lowest TSN of all. */
static void restart(const sctpa_context_t *c, sender_t *sender, const parameters_t *given)
{
    const sctpa_direction_t *data = c->acked;
    const sctpa_tsn_t *lowest = data->cum_tsn > sender->cum_tsn ? sctpa_direction_tsn(data, sender->cum_tsn + 1) : NULL;
    const bool is_known = lowest && lowest->transmissions > 0;
    for (uint16_t at = 0; at < PATHS_MAX; at++) {
        sctpa_t3_bounds_t *path = &sender->paths[at];
        if (flight_bytes(data, at) == 0 || path->rto_most_ns == 0)
            continue;
        if (is_known && lowest->path == at && path->must_run)
            start(c, path, path->rto_least_ns, most_now_ns(c, path, given));
        else if (path->may_run)
            may_start(c, path, path->rto_least_ns, most_now_ns(c, path, given));
    }
}

/* Was a round trip surely measured: is the oldest of what is newly acknowledged, all by the Cumulative TSN Ack, a TSN
 * that was sent once, and was nothing retransmitted since (6.3.1 C4, C5)? Whatever its sender measured, that ends it.
 */
static bool has_surely_measured(const sctpa_context_t *c, const sender_t *sender, const sctpa_acked_t *acked)
{
    return acked->oldest_packet != SCTPA_NO_PACKET_INDEX && acked->oldest_packet >= sender->retransmitted &&
           sctpa_direction_serial(c->acked, c->acked->cum_tsn) == acked->highest;
}

static void measure(const sctpa_context_t *c, sender_t *sender, const parameters_t *given, const sctpa_acked_t *acked)
{
    if (acked->oldest_packet == SCTPA_NO_PACKET_INDEX)
        return;
    const bool is_sure = has_surely_measured(c, sender, acked);
    const int64_t rtt_ns = c->packet->time_ns - sctpa_context_time_ns(c, acked->oldest_packet),
                  newest_ns = c->packet->time_ns - sctpa_context_time_ns(c, acked->last_packet);
    widen(sender, MIN(rtt_ns, newest_ns), rtt_ns);
    sender->arrived_bytes = MAX(sender->arrived_bytes, sctpa_packet_arrived_bytes(c));
    for (uint16_t at = 0; at < PATHS_MAX; at++) {
        sctpa_t3_bounds_t *path = &sender->paths[at];
        const bool is_measured = is_sure && sctpa_context_record(c, acked->oldest_packet)->path == at;
        if (path->rto_most_ns == 0)
            continue;
        const int64_t least_ns = measured_least_ns(sender, given), most_ns = measured_most_ns(sender, given);
        path->rto_least_ns = is_measured ? least_ns : MIN(path->rto_least_ns, least_ns);
        path->rto_most_ns = is_measured ? most_ns : MAX(path->rto_most_ns, most_ns);
    }
}

static void hear_heartbeat_ack(const sctpa_context_t *c, sender_t *sender, const parameters_t *given)
{
    const uint16_t back = sctpa_context_back_path(c);
    const bool is_known = back < PATHS_MAX && sender->paths[back].heartbeat_first_ns > 0;
    for (uint16_t at = 0; at < PATHS_MAX; at++) {
        sctpa_t3_bounds_t *path = &sender->paths[at];
        if (path->heartbeat_first_ns == 0 || (is_known && at != back))
            continue;
        widen(sender, c->packet->time_ns - path->heartbeat_last_ns, c->packet->time_ns - path->heartbeat_first_ns);
        path->rto_most_ns = MAX(most_now_ns(c, path, given), measured_most_ns(sender, given));
        path->rto_least_ns = MIN(path->rto_least_ns, measured_least_ns(sender, given));
        path->heartbeat_first_ns = path->heartbeat_last_ns = 0;
    }
}

static void hear_set_up(const sctpa_context_t *c, sender_t *sender)
{
    sender->set_up = c->index + 1;
    if (c->rows & (SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ACK)) && sender->asked_first_ns > 0) {
        widen(sender, c->packet->time_ns - sender->asked_last_ns, c->packet->time_ns - sender->asked_first_ns);
        sender->asked_first_ns = sender->asked_last_ns = 0;
    }
    for (uint16_t at = 0; at < PATHS_MAX; at++)
        if (sender->paths[at].may_run)
            leave_open(c, &sender->paths[at]);
}

/* The packet reaches the sender. */
static void hear(const sctpa_context_t *c, sender_t *sender)
{
    const parameters_t given = parameters_of(c, !c->from);
    const sctpa_records_t *log = c->acked ? &c->acked->acked : NULL;
    const sctpa_acked_t *acked = log && log->len > 0 ? &SCTPA_RECORD(log, sctpa_acked_t, log->len - 1) : NULL;
    if (c->rows & set_ups)
        hear_set_up(c, sender);
    if (c->rows & SCTPA_ROW(HEARTBEAT_ACK))
        hear_heartbeat_ack(c, sender, &given);
    if (c->rows & ~silent) {
        sender->heard = c->index + 1;
        sender->expiries = sender->expired = 0;
    }
    if (c->rows & ~(silent | SCTPA_ROW(SHUTDOWN)) || c->facts & SCTPA_FACT_NEWLY_ACKED)
        sender->silent_rtx = 0;
    if (!c->acked)
        return;
    if (acked && acked->packet == c->index) {
        measure(c, sender, &given, acked);
        restart(c, sender, &given);
    }
    sender->cum_tsn = c->acked->cum_tsn;
    settle(c, sender, c->acked);
}

static void send_request(const sctpa_context_t *c, sender_t *sender, const parameters_t *given)
{
    const uint64_t asks = c->rows & requests;
    if (asks & (SCTPA_ROW(INIT) | SCTPA_ROW(COOKIE_ECHO))) {
        if (sender->asked_first_ns == 0)
            sender->asked_first_ns = c->packet->time_ns;
        sender->asked_last_ns = c->packet->time_ns;
    }
    if (asks & sender->asked) {
        sender->initial_most_ns =
            MIN(sctpa_ns_times(MAX(sender->initial_most_ns, given->initial_ns), 2), given->max_ns);
        for (uint16_t at = 0; at < PATHS_MAX; at++)
            may_double(&sender->paths[at], given);
    }
    sender->asked |= asks;
}

static void send_heartbeat(const sctpa_context_t *c, sender_t *sender, const parameters_t *given)
{
    sctpa_t3_bounds_t *path = &sender->paths[c->path];
    begin_path(sender, given, path);
    if (path->heartbeat_first_ns > 0)
        may_double(path, given);
    else
        path->heartbeat_first_ns = c->packet->time_ns;
    path->heartbeat_last_ns = c->packet->time_ns;
}

/* Did nothing come for so long that the sender had dealt with all of it? */
static bool is_long_silent(const sctpa_context_t *c, const sender_t *sender)
{
    return sender->heard == 0 || c->packet->time_ns - sctpa_context_time_ns(c, sender->heard - 1) >= known_ns;
}

/* What is retransmitted may show that the timer of a path expired, which doubles the RTO there (6.3.3 E2). Who
 * retransmits to another path then SHOULD take the RTO of that (E4), not of the one that it leaves. */
static void send_again(const sctpa_context_t *c, sender_t *sender, const parameters_t *given)
{
    uint16_t from = c->path;
    const sctpa_known_t has_expired = sctpa_t3_bounds_expiry(c, &from);
    sctpa_t3_bounds_t *path = &sender->paths[c->path], *left = &sender->paths[from < PATHS_MAX ? from : c->path];
    if (has_expired == SCTPA_YES && !is_acked(c, c->first_data)) {
        may_double(left, given);
        left->rto_least_ns = MIN(sctpa_ns_times(left->rto_least_ns, 2), given->max_ns);
        sender->expiries++;
        sender->expired = left == path && is_long_silent(c, sender) ? c->index + 1 : 0;
        stop(left);
    } else if (has_expired != SCTPA_NO && left->may_run &&
               c->packet->time_ns >= left->earliest_ns - left->started_rto_ns / SCTPA_T3_EARLY_SHARE) {
        may_double(left, given);
        left->must_run = false;
    }
    const int64_t least_ns = MIN(path->rto_least_ns, left->rto_least_ns),
                  most_ns = MAX(most_now_ns(c, path, given), left->rto_most_ns);
    if (path->may_run)
        may_start(c, path, least_ns, most_ns);
    start_if_idle(c, path, least_ns, most_ns);
    const int64_t number = c->first_data->sent.number;
    sender->silent_rtx = sender->silent_tsn == number ? sender->silent_rtx + 1 : 1;
    sender->silent_tsn = number;
    sender->retransmitted = c->index + 1;
}

static void send_data(const sctpa_context_t *c, sender_t *sender, const parameters_t *given)
{
    sctpa_t3_bounds_t *path = &sender->paths[c->path];
    begin_path(sender, given, path);
    if (c->rows & SCTPA_ROW(COOKIE_ECHO))
        leave_open(c, path);
    else if (c->facts & SCTPA_FACT_RTX && c->first_data->sent.tsn)
        send_again(c, sender, given);
    else
        start_if_idle(c, path, path->rto_least_ns, most_now_ns(c, path, given));
}

static void send(const sctpa_context_t *c, sender_t *sender)
{
    const uint64_t restarting = SCTPA_ROW(FORWARD_TSN) | SCTPA_ROW(I_FORWARD_TSN);
    const parameters_t given = parameters_of(c, c->from);
    if (c->rows & set_ups)
        sender->set_up = c->index + 1;
    if (c->rows & requests)
        send_request(c, sender, &given);
    const bool is_followed_path = c->path < PATHS_MAX || !(c->rows & (SCTPA_DATA_ROWS | SCTPA_ROW(HEARTBEAT)));
    sender->is_lost |= !is_followed_path || (c->sent && (c->sent->restarted || c->sent->truncated));
    if (sender->is_lost)
        return;
    if (c->rows & SCTPA_ROW(HEARTBEAT))
        send_heartbeat(c, sender, &given);
    if (c->rows & SCTPA_DATA_ROWS && c->first_data && c->sent)
        send_data(c, sender, &given);
    for (uint16_t at = 0; c->rows & restarting && at < PATHS_MAX; at++)
        if (sender->paths[at].may_run)
            leave_open(c, &sender->paths[at]);
    if (c->sent)
        settle(c, sender, c->sent);
}

/* Has it sent data, or a HEARTBEAT, in this association? */
static bool has_sent(const sender_t *sender)
{
    bool has = false;
    for (unsigned at = 0; at < PATHS_MAX; at++)
        has |= sender->paths[at].rto_most_ns > 0;
    return has;
}

void sctpa_t3_bounds_take(const sctpa_context_t *c)
{
    const uint64_t moving = SCTPA_ROW(ASCONF) | SCTPA_ROW(ASCONF_ACK);
    t3_bounds_t *bounds = sctpa_context_find_part(c, SCTPA_PART_T3_BOUNDS);
    if (c->is_stray || (!bounds && !is_followed(c, 0) && !is_followed(c, 1)))
        return;
    if (!bounds) {
        bounds = sctpa_context_part(c, SCTPA_PART_T3_BOUNDS, sizeof *bounds);
        bounds->senders[0].cum_tsn = bounds->senders[1].cum_tsn = -1;
    }
    for (unsigned end = 0; end < 2; end++)
        bounds->senders[end].is_lost |=
            c->rows & moving || (c->rows & SCTPA_ROW(INIT) && has_sent(&bounds->senders[end]));
    if (!bounds->senders[!c->from].is_lost && is_followed(c, !c->from) && c->record->checksum != SCTPA_CHECKSUM_BAD)
        hear(c, &bounds->senders[!c->from]);
    if (!bounds->senders[c->from].is_lost && is_followed(c, c->from))
        send(c, &bounds->senders[c->from]);
}

const sctpa_t3_bounds_t *sctpa_t3_bounds(const sctpa_context_t *c, uint8_t endpoint, uint16_t path)
{
    const sender_t *sender = sender_of(c, endpoint);
    return sender && path < PATHS_MAX && sender->paths[path].rto_most_ns > 0 ? &sender->paths[path] : NULL;
}

bool sctpa_t3_bounds_fits(const sctpa_context_t *c, const sctpa_t3_bounds_t *path)
{
    const int64_t now_ns = c->packet->time_ns, since_ns = now_ns - path->last_start_ns, rto_ns = path->rto_least_ns;
    return path->must_run && path->started_rto_ns > 0 &&
           (ABS(now_ns - path->earliest_ns) <= SCTPA_TICK_NS || ABS(since_ns - rto_ns) <= SCTPA_TICK_NS ||
            (2 * rto_ns <= path->rto_most_ns && ABS(since_ns - 2 * rto_ns) <= SCTPA_TICK_NS));
}

int64_t sctpa_t3_bounds_deadline_ns(const sctpa_context_t *c, uint8_t endpoint)
{
    const sender_t *sender = sender_of(c, endpoint);
    int64_t deadline_ns = INT64_MAX;
    for (uint16_t at = 0; sender && at < PATHS_MAX; at++)
        if (sender->paths[at].must_run)
            deadline_ns = MIN(deadline_ns, sender->paths[at].latest_ns);
    return deadline_ns;
}

uint32_t sctpa_t3_bounds_expiries(const sctpa_context_t *c, uint8_t endpoint)
{
    const sender_t *sender = sender_of(c, endpoint);
    return sender ? sender->expiries : 0;
}

uint32_t sctpa_t3_bounds_expired(const sctpa_context_t *c, uint8_t endpoint)
{
    const sender_t *sender = sender_of(c, endpoint);
    return sender && sender->expired > 0 ? sender->expired - 1 : SCTPA_NO_PACKET_INDEX;
}
