/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows requests that are sent again. */
#include "retransmissions.h"

#include "wire/types.h"
#include "request_timers.h"

typedef struct {
    sctpa_requester_t requesters[2];
} retransmissions_t;

/* What is sent again sooner was not sent by a timer. */
static const int64_t by_timer_ns = 10 * SCTPA_NS_PER_MS;
static const uint64_t shutdowns = SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK);
static const uint64_t requests =
    SCTPA_ROW(INIT) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(RE_CONFIG);

const sctpa_requester_t *sctpa_retransmissions(const sctpa_context_t *c, uint8_t endpoint)
{
    const retransmissions_t *part = sctpa_context_find_part(c, SCTPA_PART_RETRANSMISSIONS);
    return part ? &part->requesters[endpoint] : NULL;
}

static int64_t rto_max_ns(const sctpa_context_t *c, uint8_t endpoint)
{
    return sctpa_tap_parameter(&c->reference->tap, endpoint, SCTPA_PARAMETER_RTO_MAX,
                               SCTPA_RFC_RTO_MAX * SCTPA_NS_PER_MS);
}

const sctpa_transmissions_t *sctpa_retransmissions_backing_off(const sctpa_context_t *c, sctpa_retransmitted_t request)
{
    const sctpa_requester_t *requester = sctpa_retransmissions(c, c->accused);
    if (!requester || !sctpa_context_is_asserted(c, SCTPA_BACKING_OFF_RESTS_ON) || c->tracked->rare->icmp_seen)
        return NULL;
    const sctpa_transmissions_t *sent = &requester->requests[request];
    bool may_grow = sent->before_ns >= by_timer_ns && sent->before_ns <= rto_max_ns(c, c->accused) / 2;
    return sent->n >= 3 && sent->last_packet == c->index && may_grow && c->assoc->ends[c->accused].n_paths == 1 ? sent
                                                                                                                : NULL;
}

/* Which request a chunk is, and which one of its type; SCTPA_RETRANSMITTED: none. */
static sctpa_retransmitted_t read_request(const sctpa_context_t *c, const sctpa_observed_t *chunk, uint64_t *key)
{
    switch (sctpa_request_timer_of(c, chunk, key)) {
    case SCTPA_OWED_T1_INIT: return SCTPA_RETRANSMITTED_INIT;
    case SCTPA_OWED_T1_COOKIE: return SCTPA_RETRANSMITTED_COOKIE_ECHO;
    case SCTPA_OWED_T2_SHUTDOWN: return SCTPA_RETRANSMITTED_SHUTDOWN;
    case SCTPA_OWED_T2_SHUTDOWN_ACK: return SCTPA_RETRANSMITTED_SHUTDOWN_ACK;
    case SCTPA_OWED_RE_CONFIG_TIMER: return SCTPA_RETRANSMITTED_RE_CONFIG;
    default: return SCTPA_RETRANSMITTED;
    }
}

static void take_transmission(const sctpa_context_t *c, sctpa_transmissions_t *sent, uint32_t key)
{
    int64_t now_ns = c->packet->time_ns, interval_ns = now_ns - sent->last_ns;
    if (sent->n > 0 && sent->last_packet == c->index)
        return;
    if (sent->n == 0 || sent->key != key || sent->path != c->path)
        *sent = (sctpa_transmissions_t){ .key = key, .first_packet = c->index, .path = c->path };
    if (sent->n > 0) {
        sent->before_ns = sent->n > 1 ? sent->interval_ns : 0;
        sent->interval_ns = interval_ns;
    }
    sent->n++;
    sent->last_packet = c->index;
    sent->last_ns = now_ns;
}

/* What leaves the timers of these alone, and gives no round trip. Data of the peer restarts T2-shutdown (RFC 9260 9.2).
 */
static const uint64_t answers_nothing = SCTPA_DATA_ROWS | SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(PAD);
static const bool runs_on[SCTPA_RETRANSMITTED] = {
    [SCTPA_RETRANSMITTED_COOKIE_ECHO] = true, [SCTPA_RETRANSMITTED_RE_CONFIG] = true
};

static void take_requests(const sctpa_context_t *c, sctpa_requester_t *requester)
{
    for (unsigned request = 0; request < SCTPA_RETRANSMITTED; request++)
        if (runs_on[request] ? requester->is_answered : requester->is_heard)
            requester->requests[request] = (sctpa_transmissions_t){ 0 };
    requester->is_heard = requester->is_answered = false;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        uint64_t key;
        sctpa_retransmitted_t request = read_request(c, &c->chunks[i], &key);
        if (request != SCTPA_RETRANSMITTED)
            take_transmission(c, &requester->requests[request], (uint32_t)key);
    }
}

/* An RTO before the first expiry, at most: as measured, or RTO.Initial of RFC 4960. */
static void begin_shutdown(const sctpa_context_t *c, sctpa_shutdown_wait_t *wait)
{
    int64_t measured_ns = c->sent ? sctpa_context_rto_ns(c->sent, c->path, c->index) : 0;
    int64_t rto_ns = MAX(measured_ns, SCTPA_RTO_INITIAL_4960_NS);
    *wait = (sctpa_shutdown_wait_t){ .packet = c->index, .rto_ns = rto_ns, .heard_ns = c->packet->time_ns };
}

/* The peer of wait sent something: T2-shutdown expired before that, or may have been restarted by it. */
static void hear_during_shutdown(const sctpa_context_t *c, sctpa_shutdown_wait_t *wait)
{
    const uint64_t answers = shutdowns | SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(ABORT) | SCTPA_ROW(INIT);
    if (wait->packet == SCTPA_NO_PACKET_INDEX)
        return;
    if (c->packet->time_ns - wait->heard_ns > wait->rto_ns) {
        wait->expiries++;
        wait->rto_ns = MIN(2 * wait->rto_ns, MAX(wait->rto_ns, rto_max_ns(c, !c->from)));
    }
    wait->heard_ns = c->packet->time_ns;
    if (c->rows & answers)
        wait->packet = SCTPA_NO_PACKET_INDEX;
}

void sctpa_retransmissions_take(const sctpa_context_t *c)
{
    retransmissions_t *part = sctpa_context_find_part(c, SCTPA_PART_RETRANSMISSIONS);
    if (!part && !(c->rows & requests))
        return;
    if (!part) {
        part = sctpa_context_part(c, SCTPA_PART_RETRANSMISSIONS, sizeof *part);
        for (unsigned endpoint = 0; endpoint < 2; endpoint++)
            part->requesters[endpoint] = (sctpa_requester_t){ .shutdown = { .packet = SCTPA_NO_PACKET_INDEX } };
    }
    sctpa_requester_t *sender = &part->requesters[c->from], *peer = &part->requesters[!c->from];
    peer->is_heard = true;
    peer->is_answered |= (c->rows & ~answers_nothing) != 0;
    hear_during_shutdown(c, &peer->shutdown);
    if (c->rows & requests)
        take_requests(c, sender);
    if (c->rows & shutdowns)
        begin_shutdown(c, &sender->shutdown);
    else if (c->rows & (SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(ABORT)))
        sender->shutdown.packet = SCTPA_NO_PACKET_INDEX;
}

bool sctpa_is_not_backed_off(const sctpa_context_t *c, sctpa_retransmitted_t request, sctpa_violation_t *violation)
{
    const sctpa_transmissions_t *sent = sctpa_retransmissions_backing_off(c, request);
    if (!sent || !sctpa_retransmissions_is_too_soon(c, sent))
        return false;
    violation->path = c->path;
    violation->related = violation->since = sent->first_packet;
    violation->rests_on = SCTPA_BACKING_OFF_RESTS_ON;
    sctpa_violation_say(violation, SCTPA_WORDS("%.3f s until it is repeated", 2e-9 * (double)sent->before_ns),
                        SCTPA_WORDS("%.3f s, after %.3f s before; transmission %u", 1e-9 * (double)sent->interval_ns,
                                    1e-9 * (double)sent->before_ns, sent->n));
    return true;
}
