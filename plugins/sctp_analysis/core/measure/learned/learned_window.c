/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much an endpoint sends at once: its first window (RFC 9260 7.2.1) and Max.Burst (6.1 D). */
#include "learned_parts.h"

enum { BURST_MAX = 64, BURSTS_LEAST = 3, CHUNK_HEADER_BYTES = 20 };

/* Bytes of the largest packet with DATA. */
static uint32_t largest_bytes(const GArray *sent)
{
    uint32_t largest = 0;
    for (unsigned i = 0; i < sent->len; i++)
        largest = MAX(largest, sctpa_sending(sent, i)->bytes);
    return largest;
}

/* Does the packet follow the SACK as its answer? */
static bool answers(const sctpa_source_t *source, uint32_t sack, uint32_t packet)
{
    int64_t elapsed_ns = sctpa_source_time_ns(source, packet) - sctpa_source_time_ns(source, sack);
    return elapsed_ns >= 0 &&
           elapsed_ns <= MAX(sctpa_tap_rtt_measured_ns(source->sender_tap_rtt), 0) + 2 * SCTPA_NS_PER_MS;
}

/* --- initial window --- */

/* Packets before the first SACK; 0: something else than the window may have ended them. */
static unsigned first_flight(const sctpa_learning_t *learning, uint32_t sack)
{
    const GArray *sent = learning->sent;
    const sctpa_source_t *source = learning->source;
    unsigned n = sctpa_sendings_after(sent, sack);
    uint32_t largest = largest_bytes(sent);
    if (n < 2 || n >= sent->len || sctpa_sending(sent, 0)->first != 0)
        return 0;
    while (n > 2 && answers(source, sack, sctpa_sending(sent, n - 1)->packet))
        n--;
    for (unsigned i = 0; i <= n; i++) {
        const sctpa_sending_t *sending = sctpa_sending(sent, i);
        if (sending->resent || 2 * sending->bytes < largest ||
            (i > 0 && sending->first != sctpa_sending(sent, i - 1)->last + 1))
            return 0;
    }
    return n;
}

static bool stopped_and_went_on(const sctpa_learning_t *learning, unsigned n, uint32_t sack)
{
    const sctpa_source_t *source = learning->source;
    const GArray *sent = learning->sent;
    int64_t began_ns = sctpa_source_time_ns(source, sctpa_sending(sent, 0)->packet);
    int64_t ended_ns = sctpa_source_time_ns(source, sctpa_sending(sent, n - 1)->packet);
    int64_t sack_ns = sctpa_source_time_ns(source, sack), pause_ns = sack_ns - ended_ns;
    const sctpa_sending_t *next = sctpa_sending(sent, n);
    return n + 1 < sent->len && pause_ns > 3 * SCTPA_NS_PER_MS && pause_ns >= 4 * (ended_ns - began_ns) &&
           next->packet > sack && answers(source, sack, sctpa_sending(sent, n + 1)->packet) &&
           next->path == sctpa_sending(sent, 0)->path;
}

void sctpa_learn_initial_window(sctpa_learning_t *learning)
{
    const sctpa_direction_t *direction = learning->source->direction;
    const sctpa_records_t *acked = &direction->acked;
    const sctpa_setup_t *setup = learning->source->setup;
    if (acked->len == 0 || setup->steps[SCTPA_STEP_COOKIE_ACK].count == 0 || !direction->announced ||
        learning->sent->len == 0)
        return;
    uint32_t sack = SCTPA_RECORD(acked, sctpa_acked_t, 0).packet, bytes = 0, chunks = 0;
    const sctpa_sending_t *first = sctpa_sending(learning->sent, 0);
    if (sctpa_source_record(learning->source, first->packet)->frame <=
            setup->steps[SCTPA_STEP_COOKIE_ACK].first_frame ||
        !sctpa_is_near_sender(learning->source, sctpa_source_time_ns(learning->source, sack) -
                                                    sctpa_source_time_ns(learning->source, first->packet)))
        return;
    unsigned n = first_flight(learning, sack);
    if (n < 2 || !stopped_and_went_on(learning, n, sack))
        return;
    for (unsigned i = 0; i < n; i++) {
        bytes += sctpa_sending(learning->sent, i)->bytes;
        chunks += sctpa_sending(learning->sent, i)->chunks;
    }
    const sctpa_sending_t *last = sctpa_sending(learning->sent, n - 1), *next = sctpa_sending(learning->sent, n);
    if (learning->source->window_bytes < bytes + 2 * next->bytes)
        return;
    learning->learned->values[SCTPA_PARAMETER_INITIAL_CWND] =
        (sctpa_learned_value_t){ .samples = n,
                                 .has_high = true,
                                 .value = bytes,
                                 .low = (int64_t)bytes - last->bytes,
                                 .high = (int64_t)bytes + next->bytes + CHUNK_HEADER_BYTES * (chunks + next->chunks),
                                 .packet = last->packet };
}

/* --- Max.Burst --- */

typedef struct {
    sctpa_learning_t *learning;
    uint32_t largest;
    unsigned longest;
    uint32_t ended[BURST_MAX + 1]; /* bursts of n packets that nothing but a limit on bursts ended */
    uint32_t ended_packet[BURST_MAX + 1];
    uint32_t resent_packet; /* last retransmission */
    bool has_resent;
    sctpa_replay_t replay;
} bursting_t;

/* Packets that answer the SACK at once. */
static unsigned burst_after(const sctpa_learning_t *learning, uint32_t sack, uint32_t next_sack, unsigned from,
                            uint32_t *bytes, bool *resent)
{
    unsigned n = 0;
    *bytes = 0;
    *resent = false;
    for (; from + n < learning->sent->len; n++) {
        const sctpa_sending_t *sending = sctpa_sending(learning->sent, from + n);
        if (sending->packet > next_sack || !answers(learning->source, sack, sending->packet))
            break;
        *bytes += sending->bytes;
        *resent |= sending->resent;
    }
    return n;
}

/* Did something else than cwnd, the peer's window and the data at hand end the burst? No loss within four round trips
 * before it. */
static bool was_limited(bursting_t *bursting, const sctpa_acked_t *acked, unsigned from, unsigned n, uint32_t bytes)
{
    const sctpa_source_t *source = bursting->learning->source;
    const sctpa_sending_t *last = sctpa_sending(bursting->learning->sent, from + n - 1);
    const sctpa_stamp_t *stamp = sctpa_source_stamp(source, last->packet);
    sctpa_replay_to(&bursting->replay, acked->packet);
    int64_t srtt_ns = sctpa_replay_path(&bursting->replay, last->path)->srtt_ns;
    if (srtt_ns == 0 || !sctpa_is_near_sender(source, srtt_ns) || acked->gap_packets > 0)
        return false;
    if (bursting->has_resent &&
        sctpa_source_time_ns(source, acked->packet) - sctpa_source_time_ns(source, bursting->resent_packet) <
            4 * srtt_ns)
        return false;
    return acked->bytes >= bytes + bursting->largest && stamp->peer_window_bytes != SCTPA_NO_PACKET_INDEX &&
           stamp->peer_window_bytes >= 4 * bursting->largest;
}

static void take_burst(bursting_t *bursting, const sctpa_acked_t *acked, uint32_t next_sack)
{
    const GArray *sent = bursting->learning->sent;
    unsigned from = sctpa_sendings_after(sent, acked->packet);
    uint32_t bytes;
    bool resent;
    unsigned n = burst_after(bursting->learning, acked->packet, next_sack, from, &bytes, &resent);
    bool goes_on = from + n < sent->len && next_sack != SCTPA_NO_PACKET_INDEX &&
                   sctpa_sending(sent, from + n)->packet > next_sack &&
                   answers(bursting->learning->source, next_sack, sctpa_sending(sent, from + n)->packet);
    if (n == 0 || resent)
        return;
    bursting->longest = MAX(bursting->longest, MIN(n, BURST_MAX));
    if (n <= BURST_MAX && goes_on && was_limited(bursting, acked, from, n, bytes)) {
        bursting->ended[n]++;
        bursting->ended_packet[n] = sctpa_sending(sent, from + n - 1)->packet;
    }
}

void sctpa_learn_burst(sctpa_learning_t *learning)
{
    const sctpa_records_t *acked = &learning->source->direction->acked;
    bursting_t bursting = { .learning = learning, .largest = largest_bytes(learning->sent) };
    unsigned at = 0;
    sctpa_replay_begin(&bursting.replay, learning->source);
    for (unsigned i = 0; i < acked->len; i++) {
        const sctpa_acked_t *record = &SCTPA_RECORD(acked, sctpa_acked_t, i);
        for (; at < learning->sent->len && sctpa_sending(learning->sent, at)->packet < record->packet; at++)
            if (sctpa_sending(learning->sent, at)->resent) {
                bursting.has_resent = true;
                bursting.resent_packet = sctpa_sending(learning->sent, at)->packet;
            }
        take_burst(&bursting, record,
                   i + 1 < acked->len ? SCTPA_RECORD(acked, sctpa_acked_t, i + 1).packet : SCTPA_NO_PACKET_INDEX);
    }
    sctpa_replay_end(&bursting.replay);
    unsigned n = bursting.longest;
    if (n > 2 && bursting.ended[n] >= BURSTS_LEAST)
        learning->learned->values[SCTPA_PARAMETER_MAX_BURST] =
            (sctpa_learned_value_t){ .samples = bursting.ended[n],
                                     .has_high = true,
                                     .value = n,
                                     .low = n,
                                     .high = n,
                                     .packet = bursting.ended_packet[n] };
}
