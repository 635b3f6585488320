/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads which retransmissions are expiries of T3-rtx in a row. */
#include "t3_expiries.h"

#include "wire/protocol_parameters.h"
#include "t3_expiries_limits.h"

/* What one timeout sends takes less than same_expiry_ns. Nothing that passed towards the sender more than answered_ns
 * and ANSWERED_TAP_RTTS before is answered by it. */
static const int64_t same_expiry_ns = 5 * SCTPA_NS_PER_MS, answered_ns = 20 * SCTPA_NS_PER_MS;
/* What leaves T3-rtx alone: an answer to a HEARTBEAT, too. */
static const uint64_t undisturbing = SCTPA_DATA_ROWS | SCTPA_SACK_ROWS | SCTPA_ROW(HEARTBEAT_ACK);
/* What passes towards the sender and neither acknowledges data nor gives a round trip: T3-rtx and the RTO stay. */
static const uint64_t ignored_by_timer = SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(PAD);
/* Nor does the peer's data. */
static const uint64_t measures_nothing = SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(PAD) | SCTPA_DATA_ROWS;
enum {
    ANSWERED_TAP_RTTS = 4,
    PROBED_ROUND_TRIPS = 3 /* RACK waits two at most for what SACKs showed missing */
};

/* The timer of a sender. */
typedef struct {
    sctpa_t3_expiries_t *expiries; /* NULL before the first */
    uint32_t data, heard;          /* 1 + packet with which it last sent data, was last sent anything; 0 none */
    uint32_t measured[SCTPA_REMEASURED_MANY]; /* the last ones that may give it a round trip, newest first */
} sender_t;

typedef struct {
    sender_t senders[2];
    bool is_disturbed[2]; /* it has sent something else than data since, so that a retransmission may not be of T3 */
} state_t;

const sctpa_t3_expiries_t *sctpa_t3_expiries(const sctpa_context_t *c, uint8_t endpoint)
{
    const state_t *state = sctpa_context_find_part(c, SCTPA_PART_T3_EXPIRIES);
    const sctpa_t3_expiries_t *expiries = state ? state->senders[endpoint].expiries : NULL;
    return expiries && expiries->n > 0 ? expiries : NULL;
}

/* Time of packet - 1, 0 for 0. */
static int64_t when_ns(const sctpa_context_t *c, uint32_t packet)
{
    return packet > 0 ? sctpa_context_time_ns(c, packet - 1) : 0;
}

static bool is_lowest(const sctpa_direction_t *sent, int64_t number)
{
    sctpa_range_t range;
    return sent->has_cum && sctpa_tsn_set_next(&sent->seen, sent->cum_tsn + 1, number, &range) && range.first == number;
}

static bool may_be_timeout(const sctpa_rtx_t *rtx)
{
    return rtx->kind == SCTPA_RTX_TIMEOUT || rtx->kind == SCTPA_RTX_UNKNOWN;
}

/* Nothing was lost as far as the sender knows, and nothing but the timer retransmits the lowest TSN: a loss probe sends
 * the highest, and a lone one after two round trips and an ack delay of 200 ms. */
static bool is_of_timer(const sctpa_context_t *c, const sctpa_rtx_t *rtx, int64_t number, int64_t since_sent_ns)
{
    const sctpa_direction_t *sent = c->sent;
    return may_be_timeout(rtx) && rtx->misses == 0 && !sctpa_direction_has_gaps(sent) && sent->rare->abandoned_to < 0 &&
           !c->packet->fragmented && !c->tracked->rare->icmp_seen &&
           (sent->highest > number || since_sent_ns < SCTPA_SACK_DELAY_NS);
}

/* A loss probe sends the highest TSN: a lone one after two round trips and an ack delay, give or take half of that. */
static bool is_no_probe(const sctpa_context_t *c, const sctpa_rtx_t *rtx, int64_t number, int64_t srtt_ns,
                        int64_t quiet_ns)
{
    int64_t ack_delay_ns = c->sent->highest > number ? 0 : SCTPA_SACK_DELAY_NS * 3 / 2;
    return may_be_timeout(rtx) && rtx->misses < SCTPA_MISSES_FAST && srtt_ns > 0 &&
           quiet_ns > PROBED_ROUND_TRIPS * srtt_ns + ack_delay_ns && !c->packet->fragmented &&
           !c->tracked->rare->icmp_seen;
}

/* Did a retransmission on the path after packet mark the TSN that was sent by then? Then it is retransmitted whenever
 * cwnd allows. */
static bool is_marked(const sctpa_context_t *c, const sctpa_data_path_t *path, uint32_t packet)
{
    const uint32_t marking[] = { path->timeout_packet, path->unknown_packet };
    for (unsigned i = 0; i < G_N_ELEMENTS(marking); i++)
        if (marking[i] != c->index && marking[i] != SCTPA_NO_PACKET_INDEX && marking[i] > packet)
            return true;
    return false;
}

/* Was the timer that packet started not backed off: is the path's last sample up to there a round trip, or none? */
static bool was_measured(const sctpa_direction_t *sent, const sctpa_data_path_t *path, uint32_t packet)
{
    unsigned searched = 0;
    uint32_t at = path->last_sample;
    for (; at > 0 && searched <= SCTPA_REMEASURED_MANY; searched++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(&sent->samples, sctpa_sample_t, at - 1);
        if (sample->packet <= packet)
            return sample->kind != SCTPA_SAMPLE_BACKOFF;
        at = sample->link.before;
    }
    return at == 0;
}

/* How many round trips may the sender have measured while the timer ran that packet started? That timer runs on as long
 * as before (6.3.1 C3, 8.3); the RTO that its expiry doubles is the new one (6.3.3 E2), far below one backed off. */
static uint8_t remeasured(const sctpa_context_t *c, const sender_t *sender, const sctpa_data_path_t *path,
                          uint32_t packet)
{
    uint8_t n = 0;
    const int64_t least_ns = sctpa_context_time_ns(c, packet) - sctpa_context_tap_rtt_ns(c, c->from);
    while (n < SCTPA_REMEASURED_MANY && sender->measured[n] > 0 && sender->measured[n] != packet + 1 &&
           when_ns(c, sender->measured[n]) > least_ns)
        n++;
    return n > 0 && !was_measured(c->sent, path, packet) ? SCTPA_REMEASURED_MANY : n;
}

static void note_measured(sender_t *sender, uint32_t packet)
{
    memmove(sender->measured + 1, sender->measured, sizeof sender->measured - sizeof sender->measured[0]);
    sender->measured[0] = packet + 1;
}

static void begin(const sctpa_context_t *c, sender_t *sender)
{
    const sctpa_transmission_t *data = &c->first_data->sent;
    const sctpa_rtx_t *rtx = sctpa_observed_rtx(c->first_data, c->sent);
    if (!is_lowest(c->sent, data->number) || rtx->kind == SCTPA_RTX_PROBE)
        return;
    if (!sender->expiries)
        sender->expiries = sctpa_arena_alloc(&c->store->arena, sizeof *sender->expiries);
    sctpa_t3_expiries_t *expiries = sender->expiries;
    const sctpa_data_path_t *path = &SCTPA_RECORD(&c->sent->paths, sctpa_data_path_t, data->tsn->path);
    int64_t now_ns = c->packet->time_ns, tap_rtt_ns = sctpa_context_tap_rtt_most_ns(c, c->from),
            round_trip_ns = sctpa_context_tap_rtt_ns(c, !c->from);
    int64_t sent_ns = sctpa_context_time_ns(c, rtx->previous), heard_ns = when_ns(c, sender->heard);
    int64_t started_ns = data->t3_packet == SCTPA_NO_PACKET_INDEX ? 0 : sctpa_context_time_ns(c, data->t3_packet);
    *expiries = (sctpa_t3_expiries_t){ .tsn = data->number,
                                       .n = 1,
                                       .at_ns = { now_ns },
                                       .last_ns = now_ns,
                                       .waited_ns = now_ns - MAX(sent_ns, started_ns),
                                       .quiet_ns = now_ns - MAX(when_ns(c, sender->data), heard_ns),
                                       .since_sent_ns = now_ns - sent_ns,
                                       .heard_ns = heard_ns,
                                       .first_ns = sent_ns,
                                       .sent_packet = rtx->previous,
                                       .started = sent_ns > started_ns ? rtx->previous : data->t3_packet,
                                       .first_packet = c->index,
                                       .last_packet = c->index };
    expiries->remeasured = remeasured(c, sender, path, expiries->started);
    expiries->is_of_first = data->tsn->transmissions == 2 && may_be_timeout(rtx) && rtx->misses == 0 &&
                            !c->packet->fragmented && !c->tracked->rare->icmp_seen;
    expiries->is_no_probe = is_no_probe(c, rtx, data->number, path->srtt_ns, expiries->quiet_ns);
    expiries->is_of_timer = data->tsn->transmissions == 2 &&
                            is_of_timer(c, rtx, data->number, expiries->since_sent_ns) &&
                            now_ns - heard_ns >= MAX(answered_ns, ANSWERED_TAP_RTTS * tap_rtt_ns);
    expiries->may_be_too_soon = expiries->is_of_timer && round_trip_ns > 0 &&
                                expiries->since_sent_ns > expiries->waited_ns &&
                                expiries->since_sent_ns >= round_trip_ns && !is_marked(c, path, rtx->previous);
}

static void go_on(const sctpa_context_t *c, sctpa_t3_expiries_t *expiries)
{
    int64_t now_ns = c->packet->time_ns, interval_ns = now_ns - expiries->last_ns, before_ns = expiries->interval_ns;
    bool is_alike = interval_ns > before_ns * (SCTPA_INTERVALS_EQUAL_SHARE - 1) / SCTPA_INTERVALS_EQUAL_SHARE &&
                    interval_ns < before_ns * (SCTPA_INTERVALS_EQUAL_SHARE + 1) / SCTPA_INTERVALS_EQUAL_SHARE;
    if (expiries->n < SCTPA_EXPIRIES_KEPT)
        expiries->at_ns[expiries->n] = now_ns;
    expiries->n++;
    expiries->alike = is_alike ? expiries->alike + 1 : 0;
    if (is_alike) {
        expiries->held_ns = interval_ns;
        expiries->held_n = expiries->n;
    }
    expiries->last_ns = now_ns;
    expiries->before_ns = before_ns;
    expiries->interval_ns = interval_ns;
    expiries->last_packet = c->index;
    expiries->may_be_too_soon = false;
}

void sctpa_t3_expiries_observe(const sctpa_context_t *c)
{
    state_t *state = sctpa_context_find_part(c, SCTPA_PART_T3_EXPIRIES);
    bool is_data_alone = !(c->rows & ~undisturbing);
    if (!state || !(c->facts & SCTPA_FACT_RTX) || !is_data_alone || c->first_data->sent.rtx == 0 ||
        c->assoc->ends[c->from].n_paths != 1)
        return;
    sender_t *sender = &state->senders[c->from];
    const bool has_expired = sender->expiries && sender->expiries->n > 0;
    if (!has_expired && !state->is_disturbed[c->from])
        begin(c, sender);
    else if (has_expired && sender->expiries->tsn == c->first_data->sent.number)
        go_on(c, sender->expiries);
}

static void end_expiries(sender_t *sender)
{
    if (sender->expiries)
        sender->expiries->n = 0;
}

static void free_expiries(sctpa_arena_t *arena, void *part)
{
    const state_t *state = part;
    for (unsigned endpoint = 0; endpoint < 2; endpoint++)
        sctpa_arena_free(arena, state->senders[endpoint].expiries, sizeof *state->senders[endpoint].expiries);
}

/* A first INIT, perhaps one of a flood, needs no state. */
static state_t *state_of(const sctpa_context_t *c)
{
    state_t *state = sctpa_context_find_part(c, SCTPA_PART_T3_EXPIRIES);
    return state || sctpa_context_is_first_init(c)
               ? state
               : sctpa_context_owning_part(c, SCTPA_PART_T3_EXPIRIES, sizeof *state, free_expiries);
}

void sctpa_t3_expiries_take(const sctpa_context_t *c)
{
    state_t *state = state_of(c);
    if (!state)
        return;
    sender_t *own = &state->senders[c->from], *peer = &state->senders[!c->from];
    if (c->rows & ~ignored_by_timer)
        end_expiries(peer);
    peer->heard = c->index + 1;
    if (c->rows & ~measures_nothing)
        note_measured(peer, c->index);
    state->is_disturbed[!c->from] = false;
    if (c->rows & ~undisturbing) {
        end_expiries(own);
        state->is_disturbed[c->from] = true;
    }
    if (!(c->rows & SCTPA_DATA_ROWS) || !c->sent)
        return;
    if (own->expiries && own->expiries->n > 0 && !sctpa_t3_has_expired(c, own->expiries) &&
        c->packet->time_ns - when_ns(c, own->data) > same_expiry_ns) {
        end_expiries(own);
        state->is_disturbed[c->from] = true;
    }
    own->data = c->index + 1;
}
