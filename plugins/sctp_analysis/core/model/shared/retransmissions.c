/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows requests that are sent again. */
#include "retransmissions.h"

#include <string.h>

#include "wire/types.h"
#include "request_timers.h"

typedef struct {
    sctpa_requester_t requesters[2];
} retransmissions_t;

/* What is sent again sooner was not sent by a timer. */
static const int64_t by_timer_ns = 10 * SCTPA_NS_PER_MS;
static const uint64_t shutdowns = SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK);
static const uint64_t requests = SCTPA_ROW(INIT) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(SHUTDOWN) |
                                 SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(RE_CONFIG) | SCTPA_ROW(ASCONF);

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

/* Requests before a path has an RTO of its own: Linux doubles theirs once all addresses were tried. */
static bool is_of_set_up(sctpa_retransmitted_t request)
{
    return request == SCTPA_RETRANSMITTED_INIT || request == SCTPA_RETRANSMITTED_COOKIE_ECHO;
}

/* May something else that was not answered have doubled the RTO before (RFC 9260 6.3.3 E2, 8.3), perhaps to RTO.Max? */
static bool may_have_doubled_before(const sctpa_context_t *c, const sctpa_transmissions_t *sent)
{
    const sctpa_direction_t *data = c->tracked->sides[c->accused].sent;
    return sent->is_behind_others || (data && data->rare->rtx.len > 0) ||
           sctpa_context_chunks(c, c->accused, SCTPA_CHUNK_ROW_HEARTBEAT) >
               sctpa_context_chunks(c, !c->accused, SCTPA_CHUNK_ROW_HEARTBEAT_ACK);
}

/* Did the timer run alike from the first transmission on, SCTPA_INTERVALS_ALIKE times, for no longer than an
 * RTO.Initial that RFCs recommend, which RTO.Max is not below? Each address of the peer may have an RTO of its own. */
static bool is_alike(const sctpa_context_t *c, sctpa_retransmitted_t request, const sctpa_transmissions_t *sent)
{
    const int64_t longest_ns =
        request == SCTPA_RETRANSMITTED_INIT ? SCTPA_RTO_INITIAL_4960_NS : SCTPA_RFC_RTO_MIN * SCTPA_NS_PER_MS;
    const unsigned paths = MAX(c->assoc->ends[c->accused].n_paths, c->assoc->ends[!c->accused].n_addrs);
    return !may_have_doubled_before(c, sent) && sent->n_alike >= MAX(SCTPA_INTERVALS_ALIKE, paths + 1) &&
           sent->n_alike + 1 == sent->n && !sent->may_be_asked && !sent->is_resumed &&
           sent->first_interval_ns >= by_timer_ns && !c->tracked->rare->twice_at_once &&
           !sctpa_request_has_grown(longest_ns, sent->first_interval_ns);
}

/* Data that was under way when the first SHUTDOWN left asks for another one each (RFC 9260 9.2): near the endpoint that
 * data is known. */
static bool shows_what_asks(const sctpa_context_t *c, sctpa_retransmitted_t request)
{
    return (request != SCTPA_RETRANSMITTED_SHUTDOWN && request != SCTPA_RETRANSMITTED_SHUTDOWN_ACK) ||
           sctpa_context_is_near(c, c->accused) == SCTPA_YES;
}

const sctpa_transmissions_t *sctpa_retransmissions_backing_off(const sctpa_context_t *c, sctpa_retransmitted_t request)
{
    const sctpa_requester_t *requester = sctpa_retransmissions(c, c->accused);
    const sctpa_transmissions_t *sent = requester ? requester->requests[request] : NULL;
    if (!sent || c->tracked->rare->icmp_seen)
        return NULL;
    if (!sctpa_context_is_asserted(c, SCTPA_BACKING_OFF_RESTS_ON))
        return sent->last_packet == c->index && is_alike(c, request, sent) && shows_what_asks(c, request) ? sent : NULL;
    const bool may_grow = sent->before_ns >= by_timer_ns && sent->before_ns <= rto_max_ns(c, c->accused) / 2,
               is_ordered = !sent->may_be_asked || (sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED) &&
                                                    c->tracked->rare->twice_at_once == 0),
               has_tried_others = is_of_set_up(request) && c->assoc->ends[c->accused].n_paths > 1;
    return sent->last_packet == c->index && may_grow && is_ordered && !has_tried_others ? sent : NULL;
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
    case SCTPA_OWED_T4_ASCONF: return SCTPA_RETRANSMITTED_ASCONF;
    default: return SCTPA_RETRANSMITTED;
    }
}

/* No RTO is shorter, as the user asserts; 0: not asserted. */
static int64_t rto_least_ns(const sctpa_context_t *c)
{
    const sctpa_tap_t *tap = &c->reference->tap;
    return MIN(sctpa_tap_parameter(tap, c->from, SCTPA_PARAMETER_RTO_INITIAL, 0),
               sctpa_tap_parameter(tap, c->from, SCTPA_PARAMETER_RTO_MIN, 0));
}

/* Chunks that did not pass make intervals of a timer that is backed off longer, and unlike: each is longer than all
 * before together. */
static void count_alike(sctpa_transmissions_t *sent, int64_t interval_ns)
{
    const int64_t of_first_ns = sent->first_interval_ns;
    const bool is_alike =
        !sctpa_request_has_grown(of_first_ns, interval_ns) && !sctpa_request_has_grown(interval_ns, of_first_ns);
    if (sent->n == 1)
        sent->first_interval_ns = interval_ns;
    sent->n_alike = sent->n == 1 ? 1 : is_alike ? sent->n_alike + 1 : 0;
}

/* Nothing but the timer can have sent it, after it ran for the path of the transmission before. What was measured
 * meanwhile gave that path another RTO, which the timer doubles now, and the others theirs. */
static void take_expiry(const sctpa_context_t *c, sctpa_transmissions_t *sent)
{
    const int64_t now_ns = c->packet->time_ns, least_ns = rto_least_ns(c);
    const uint16_t at = sent->path;
    int64_t waited_ns = now_ns - sent->last_ns;
    sent->before_ns = sent->interval_ns = 0;
    if (at < SCTPA_REQUEST_PATHS) {
        sent->before_ns = sent->waited_ns[at];
        sent->interval_ns = now_ns - sent->expired_ns;
        count_alike(sent, now_ns - sent->last_ns);
        waited_ns = MAX(waited_ns, sent->waited_ns[at]);
    }
    sent->was_measured = sent->is_measured;
    if (sent->is_measured) {
        memset(sent->waited_ns, 0, sizeof sent->waited_ns);
        sent->is_measured = false;
        waited_ns = 0;
    }
    sent->goes_by_least |= waited_ns < least_ns;
    if (at < SCTPA_REQUEST_PATHS)
        sent->waited_ns[at] = MAX(waited_ns, least_ns);
    sent->expired_ns = now_ns;
}

static bool has_begun(const sctpa_transmissions_t *sent)
{
    return sent && (sent->n > 0 || sent->is_resumed);
}

static sctpa_transmissions_t *request_of(const sctpa_context_t *c, sctpa_requester_t *requester,
                                         sctpa_retransmitted_t request)
{
    if (!requester->requests[request])
        requester->requests[request] = sctpa_arena_alloc(&c->store->arena, sizeof(sctpa_transmissions_t));
    return requester->requests[request];
}

static void free_requests(sctpa_arena_t *arena, void *part)
{
    retransmissions_t *kept = part;
    for (unsigned i = 0; i < 2 * SCTPA_RETRANSMITTED; i++) {
        sctpa_transmissions_t *request = kept->requesters[i % 2].requests[i / 2];
        if (request)
            sctpa_arena_free(arena, request, sizeof *request);
    }
}

static void begin(const sctpa_context_t *c, sctpa_transmissions_t *sent, uint32_t key, bool is_behind_others)
{
    *sent = (sctpa_transmissions_t){ .key = key,
                                     .asked = sent->asked,
                                     .first_packet = c->index,
                                     .expired_ns = c->packet->time_ns,
                                     .is_behind_others = is_behind_others,
                                     .is_resumed = has_begun(sent) };
}

/* One that the peer asked for tells nothing of the timer, but may have restarted it. */
static void take_transmission(const sctpa_context_t *c, sctpa_transmissions_t *sent, uint32_t key, bool *has_expired)
{
    if (sent->n > 0 && sent->last_packet == c->index)
        return;
    const bool is_asked = sent->asked > 0,
               begins = sent->n == 0 || sent->key != key || (is_asked && sent->path != c->path);
    if (!begins && !is_asked && !sent->may_be_asked && c->packet->time_ns - sent->last_ns < by_timer_ns)
        return;
    if (begins)
        begin(c, sent, key, *has_expired);
    else if (!is_asked)
        take_expiry(c, sent);
    *has_expired |= !begins && !is_asked;
    if (is_asked) {
        sent->may_be_asked |= !begins;
        sent->before_ns = 0;
        sent->asked--;
    }
    sent->n++;
    sent->path = is_asked && sent->is_resumed ? UINT16_MAX : c->path;
    sent->last_packet = c->index;
    sent->last_ns = c->packet->time_ns;
}

/* What gives no round trip, and leaves the timer of each request alone, though a SHUTDOWN ACK answers some of it. Any
 * packet of the peer may restart T2-shutdown of a SHUTDOWN (RFC 9260 9.2). */
static const uint64_t answers_nothing = SCTPA_DATA_ROWS | SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(PAD);
/* What may give a round trip, but leaves a timer that runs alone, which nothing restarts. */
static const uint64_t measures = SCTPA_SACK_ROWS | SCTPA_ROW(HEARTBEAT_ACK);
/* What a SHUTDOWN ACK answers (9.2), without harm to its timer; a SHUTDOWN answers DATA. */
static const uint64_t asks_for_shutdown_ack = SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(INIT) | SCTPA_ROW(COOKIE_ECHO);
static const uint64_t runs_on[SCTPA_RETRANSMITTED] = {
    [SCTPA_RETRANSMITTED_COOKIE_ECHO] = answers_nothing,
    [SCTPA_RETRANSMITTED_SHUTDOWN_ACK] =
        answers_nothing | SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(INIT) | SCTPA_ROW(COOKIE_ECHO),
    [SCTPA_RETRANSMITTED_RE_CONFIG] = answers_nothing | measures,
    [SCTPA_RETRANSMITTED_ASCONF] = answers_nothing | measures,
};

static void take_requests(const sctpa_context_t *c, sctpa_requester_t *requester)
{
    for (unsigned request = 0; request < SCTPA_RETRANSMITTED; request++) {
        sctpa_transmissions_t *sent = requester->requests[request];
        if (!sent)
            continue;
        sent->is_measured |= (requester->heard & measures) != 0;
        if (requester->heard & ~runs_on[request])
            *sent = (sctpa_transmissions_t){ .asked = sent->asked, .is_resumed = has_begun(sent) };
    }
    requester->heard = 0;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        uint64_t key;
        const sctpa_retransmitted_t request = read_request(c, &c->chunks[i], &key);
        if (request != SCTPA_RETRANSMITTED)
            take_transmission(c, request_of(c, requester, request), (uint32_t)key, &requester->has_expired);
    }
}

/* The peer sent something. What acknowledges new data may give a round trip. */
static void hear(const sctpa_context_t *c, sctpa_requester_t *requester)
{
    sctpa_transmissions_t *shutdown = requester->requests[SCTPA_RETRANSMITTED_SHUTDOWN],
                          *shutdown_ack = requester->requests[SCTPA_RETRANSMITTED_SHUTDOWN_ACK];
    requester->heard |=
        c->rows | (c->n_chunks == 0 ? SCTPA_ROW(OTHER) : 0) | (c->facts & SCTPA_FACT_NEWLY_ACKED ? SCTPA_ROW(SACK) : 0);
    if (c->rows & SCTPA_DATA_ROWS && has_begun(shutdown))
        shutdown->asked += shutdown->asked < UINT32_MAX;
    if (c->rows & SCTPA_ROW(SHUTDOWN))
        shutdown_ack = request_of(c, requester, SCTPA_RETRANSMITTED_SHUTDOWN_ACK);
    if (c->rows & SCTPA_ROW(SHUTDOWN) || (c->rows & asks_for_shutdown_ack && has_begun(shutdown_ack)))
        shutdown_ack->asked += shutdown_ack->asked < UINT32_MAX;
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

/* The INIT with which the association began counts now: nothing follows most of those in a flood. */
static retransmissions_t *begin_requests(const sctpa_context_t *c)
{
    retransmissions_t *part = sctpa_context_owning_part(c, SCTPA_PART_RETRANSMISSIONS, sizeof *part, free_requests);
    for (unsigned endpoint = 0; endpoint < 2; endpoint++)
        part->requesters[endpoint] = (sctpa_requester_t){ .shutdown = { .packet = SCTPA_NO_PACKET_INDEX } };
    const uint32_t init = c->rows & SCTPA_ROW(INIT) ? sctpa_context_init_before(c) : SCTPA_NO_PACKET_INDEX;
    if (init == SCTPA_NO_PACKET_INDEX)
        return part;
    const sctpa_record_t *record = sctpa_context_record(c, init);
    const int64_t sent_ns = sctpa_context_time_ns(c, init);
    *request_of(c, &part->requesters[record->from], SCTPA_RETRANSMITTED_INIT) =
        (sctpa_transmissions_t){ .key = c->assoc->ends[record->from].vtag,
                                 .n = 1,
                                 .first_packet = init,
                                 .last_packet = init,
                                 .path = record->path,
                                 .last_ns = sent_ns,
                                 .expired_ns = sent_ns };
    return part;
}

void sctpa_retransmissions_take(const sctpa_context_t *c)
{
    retransmissions_t *part = sctpa_context_find_part(c, SCTPA_PART_RETRANSMISSIONS);
    if (!part && (!(c->rows & requests) || sctpa_context_is_first_init(c)))
        return;
    if (!part)
        part = begin_requests(c);
    sctpa_requester_t *sender = &part->requesters[c->from], *peer = &part->requesters[!c->from];
    hear(c, peer);
    hear_during_shutdown(c, &peer->shutdown);
    if (c->rows & requests)
        take_requests(c, sender);
    if (c->rows & shutdowns)
        begin_shutdown(c, &sender->shutdown);
    else if (c->rows & (SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(ABORT)))
        sender->shutdown.packet = SCTPA_NO_PACKET_INDEX;
}

/* Has the peer another address, also one that nothing went to? Who sends an INIT knows more than one, if it does. */
static bool has_other_paths(const sctpa_context_t *c, sctpa_retransmitted_t request)
{
    return c->assoc->ends[c->accused].n_paths > 1 ||
           (request != SCTPA_RETRANSMITTED_INIT && c->assoc->ends[!c->accused].n_addrs > 1);
}

bool sctpa_is_not_backed_off(const sctpa_context_t *c, sctpa_retransmitted_t request, sctpa_violation_t *violation)
{
    const sctpa_transmissions_t *sent = sctpa_retransmissions_backing_off(c, request);
    const bool is_decided = sctpa_context_is_asserted(c, SCTPA_BACKING_OFF_RESTS_ON);
    if (!sent || (is_decided && !sctpa_retransmissions_is_too_soon(c, sent)))
        return false;
    violation->path = c->path;
    violation->related = violation->since = sent->first_packet;
    if (!is_decided) {
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
        sctpa_violation_say(
            violation, "intervals that double",
            SCTPA_WORDS("%u of %.3f s each from the first on", sent->n_alike, 1e-9 * (double)sent->first_interval_ns));
        return true;
    }
    violation->rests_on = SCTPA_BACKING_OFF_RESTS_ON | (sent->may_be_asked ? SCTPA_ASSERTED_ARRIVED : 0) |
                          (sent->goes_by_least ? SCTPA_ASSERTED(RTO_MIN) | SCTPA_ASSERTED(RTO_INITIAL) : 0);
    if (has_other_paths(c, request) || sent->was_measured)
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(violation, SCTPA_WORDS("%.3f s until it is repeated", 2e-9 * (double)sent->before_ns),
                        SCTPA_WORDS("%.3f s, after %.3f s before; transmission %u", 1e-9 * (double)sent->interval_ns,
                                    1e-9 * (double)sent->before_ns, sent->n));
    return true;
}
