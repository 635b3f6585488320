/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every SHUTDOWN is answered at once as soon as its receiver has no data left, every SHUTDOWN ACK always, by an
 * endpoint that has closed as well (RFC 9260 9.2, 8.4): what the timer repeats shows that its sender got no answer. */
#include "closing.h"

#include "wire/protocol_parameters.h"

enum {
    /* The first and three repetitions. One packet that was lost in each direction explains two of them; the third shows
     * that packets are lost one after another in one direction, or that nobody answers. */
    ASKS_LEAST = 4,
    ASKS_REPEATED = 2
};

static void count(uint8_t *counter)
{
    *counter = (uint8_t)MIN(*counter + 1u, UINT8_MAX);
}

static uint32_t ms_of(const sctpa_tracked_t *tracked, const sctpa_packet_t *packet)
{
    return (uint32_t)(MAX(packet->time_ns - tracked->assoc.first_ns, 0) / SCTPA_NS_PER_MS);
}

static uint32_t way_ms(const sctpa_tracked_t *tracked, uint8_t end)
{
    return (uint32_t)(sctpa_tap_under_way_ns(tracked->sides[end].peer_tap_rtt) / SCTPA_NS_PER_MS);
}

void sctpa_closing_packet(sctpa_tracked_t *tracked, uint8_t from, uint64_t rows)
{
    const uint64_t closing = SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(SHUTDOWN_COMPLETE);
    if (tracked->closing[!from].asks > 0 && (rows & ~closing || rows == 0))
        tracked->closing[!from] = (sctpa_closing_t){ .asks = 0 };
}

/* Was it the timer? Its RTO is longer than any packet is under way; what follows sooner answers DATA or a SHUTDOWN that
 * was under way. */
static void on_ask(sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet, bool is_ack)
{
    sctpa_closing_t *closing = &tracked->closing[from], *peer = &tracked->closing[!from];
    const uint32_t now_ms = ms_of(tracked, packet);

    if (peer->asks > 0)
        count(&peer->answers);
    if (closing->asks > 0 && closing->is_ack != is_ack)
        *closing = (sctpa_closing_t){ .asks = 0 };
    if (closing->asks > 0 && now_ms - closing->last_ms < way_ms(tracked, from))
        return;
    if (closing->asks == 0)
        closing->first_frame = packet->frame;
    if (peer->has_completed && now_ms - peer->last_ms >= way_ms(tracked, from))
        count(&closing->unheard);
    peer->has_completed = false;
    count(&closing->asks);
    closing->is_ack = is_ack;
    closing->last_frame = packet->frame;
    closing->last_ms = now_ms;
}

void sctpa_closing_chunk(sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet, uint32_t type)
{
    if (type != SCTPA_CHUNK_SHUTDOWN_COMPLETE) {
        on_ask(tracked, from, packet, type == SCTPA_CHUNK_SHUTDOWN_ACK);
        return;
    }
    tracked->closing[from].has_completed = true;
    tracked->closing[from].last_ms = ms_of(tracked, packet);
}

/* An endpoint whose SHUTDOWN is answered gets a SHUTDOWN ACK and sends SHUTDOWN COMPLETE. Where neither passed, and
 * longer than its timer may wait, it has given up. */
static bool has_given_up(const sctpa_tracked_t *tracked, uint8_t end, int64_t silence_ns)
{
    const sctpa_closing_t *closing = &tracked->closing[end];
    return closing->asks >= ASKS_REPEATED && !closing->is_ack && !tracked->shutdown_ack_seen &&
           silence_ns > SCTPA_RTO_MAX_NS;
}

static bool fails(const sctpa_tracked_t *tracked, uint8_t end, int64_t silence_ns)
{
    return tracked->assoc.ends[!end].settled->packets > 0 &&
           (tracked->closing[end].asks >= ASKS_LEAST || has_given_up(tracked, end, silence_ns));
}

/* Its SHUTDOWN is repeated though SHUTDOWN ACKs passed: what does not arrive are these. */
static bool is_asking_in_vain(const sctpa_tracked_t *tracked, uint8_t end)
{
    const sctpa_closing_t *closing = &tracked->closing[end];
    return closing->asks >= ASKS_REPEATED && !closing->is_ack && closing->answers > 0 && tracked->closing[!end].is_ack;
}

bool sctpa_closing_fails(const sctpa_tracked_t *tracked, int64_t silence_ns, sctpa_outcome_t *outcome)
{
    const bool fail[2] = { fails(tracked, 0, silence_ns), fails(tracked, 1, silence_ns) };
    uint8_t asking = fail[1];
    if (!fail[0] && !fail[1])
        return false;
    if (is_asking_in_vain(tracked, !asking))
        asking = !asking;
    const sctpa_closing_t *closing = &tracked->closing[asking];
    outcome->shutdowns = closing->asks;
    outcome->answers = closing->answers;
    outcome->asking = asking & 1;
    outcome->asks_ack = closing->is_ack;
    outcome->asks_over = silence_ns > SCTPA_RTO_MAX_NS;
    return true;
}
