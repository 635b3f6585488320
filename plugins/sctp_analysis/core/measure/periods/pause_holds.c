/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sender kept back though it was allowed to send it: until an ack, or until its timer. */
#include "pauses_parts.h"

/* What the receiver's window had room for after a packet, with nothing outstanding. */
static uint32_t window_at(const sctpa_sweep_t *sweep, uint32_t packet)
{
    const sctpa_records_t *sacks = &sweep->source->direction->sacks;
    const uint32_t at = sctpa_records_from(sacks->data, sacks->len, sizeof(sctpa_sack_record_t), packet + 1);
    return at > 0 ? SCTPA_RECORD(sacks, sctpa_sack_record_t, at - 1).a_rwnd_bytes : sweep->source->window_bytes;
}

/* RFC 9260 9.2: who received SHUTDOWN takes no more from its user, so that what it sends later was there. It has the
 * SHUTDOWN that acked all when it does not retransmit for as long as its timer runs; one that it backs off is longer
 * each time. */
static sctpa_held_t held(const sctpa_sweep_t *sweep, uint32_t packet, const sctpa_sent_tsn_t *next)
{
    const uint32_t shutdown = sweep->source->shutdown_packet;
    const sctpa_stamp_t *stamp = sctpa_direction_stamp(sweep->source->direction, packet);
    if (!next || shutdown == SCTPA_NO_PACKET_INDEX || packet < shutdown || stamp->holds & SCTPA_STAMP_SACK)
        return (sctpa_held_t){ 0 };
    const int64_t ns = sctpa_sweep_ns(sweep, next->packet) - sctpa_sweep_ns(sweep, packet);
    const uint32_t window_bytes = window_at(sweep, packet);
    const int64_t timer_ns = sweep->held_before_ns > 0 ? 2 * sweep->held_before_ns : sweep->rto_ns;
    const bool is_timer = ns >= timer_ns - sctpa_tick_ns(timer_ns) || ns >= sweep->rto_ns;
    if (!is_timer || ns <= sctpa_sweep_at_once_ns(sweep, next->packet) || window_bytes < next->bytes ||
        sctpa_window_is_closed(window_bytes))
        return (sctpa_held_t){ 0 };
    return (sctpa_held_t){ .ns = ns, .packet = next->packet, .window_bytes = window_bytes };
}

bool sctpa_pause_take_held(sctpa_sweep_t *sweep, uint32_t packet, const sctpa_sent_tsn_t *next)
{
    const unsigned before = sweep->held.n;
    sweep->held_before_ns = sweep->held.ns;
    sweep->held = held(sweep, packet, next);
    const int64_t differs_ns = ABS(sweep->held.ns - 2 * sweep->held_before_ns);
    const bool is_backed_off = sweep->held_before_ns > 0 && differs_ns <= sctpa_tick_ns(sweep->held.ns);
    sweep->held.n = sweep->held.ns == 0 ? 0 : is_backed_off ? before + 1 : 1;
    return sweep->held.ns > 0;
}

bool sctpa_pause_is_hold(const sctpa_sweep_t *sweep, sctpa_wait_t *wait)
{
    sctpa_pause_t *pause = &wait->pause;
    if (wait->held.ns == 0 || wait->held.ns < pause->paused_ns / 2 || wait->packets != 1)
        return false;
    pause->shutdown = sweep->source->shutdown_packet;
    pause->sent = wait->held.packet;
    pause->waited_ns = wait->held.ns;
    pause->window_bytes = wait->held.window_bytes;
    pause->held = (uint8_t)MIN(wait->held.n, UINT8_MAX);
    return true;
}

/* Was nothing retransmitted up to the end of the wait? */
static bool is_first_cwnd(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait)
{
    return sweep->source->direction->rare->rtx.len == 0 || sctpa_sweep_rtx(sweep, 0)->packet > wait->pause.until;
}

bool sctpa_pause_is_cwnd_open(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait, const sctpa_sent_tsn_t *newest)
{
    const uint32_t full_bytes = sweep->full_bytes;
    return is_first_cwnd(sweep, wait) && sctpa_direction_stamp(sweep->source->direction, newest->packet)->flight_bytes <
                                             MIN(4 * full_bytes, MAX(2 * full_bytes, SCTPA_CWND_INITIAL_BYTES));
}

/* RFC 9260 7.2.1: the first cwnd is two packets at the least, and only a retransmission makes it smaller. */
bool sctpa_pause_is_held_back(const sctpa_sweep_t *sweep, sctpa_wait_t *wait, const sctpa_sent_tsn_t *newest)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    const sctpa_sent_tsn_t *next = newest + 1;
    const uint32_t left = sctpa_direction_stamp(direction, newest->packet)->peer_window_bytes;
    if (!is_first_cwnd(sweep, wait) || wait->packets != 1 || newest->flags & SCTPA_TSN_END ||
        next->flags & SCTPA_TSN_END || left == SCTPA_NO_PACKET_INDEX)
        return false;
    wait->pause.sent = newest->packet;
    wait->pause.window_bytes = left;
    return true;
}

bool sctpa_pause_is_nagle(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait, const sctpa_sent_tsn_t *newest)
{
    const uint8_t whole = SCTPA_TSN_BEGIN | SCTPA_TSN_END;
    const sctpa_sent_tsn_t *const end = (const sctpa_sent_tsn_t *)(const void *)sweep->sent->data + sweep->sent->len;
    uint32_t bytes = 0;
    if (wait->left > 0)
        return false;
    for (const sctpa_sent_tsn_t *at = newest + 1; at < end && at->packet == newest[1].packet; at++) {
        if ((at->flags & whole) != whole)
            return false;
        bytes += at->bytes;
    }
    return bytes < sweep->full_bytes;
}

uint32_t sctpa_pause_fullest_bytes(const GArray *sent)
{
    uint32_t most = SCTPA_FULL_LEAST_BYTES, bytes = 0;
    for (guint i = 0; i < sent->len; i++) {
        const sctpa_sent_tsn_t *tsn = &g_array_index(sent, sctpa_sent_tsn_t, i);
        const bool goes_on = i > 0 && g_array_index(sent, sctpa_sent_tsn_t, i - 1).packet == tsn->packet;
        bytes = (goes_on ? bytes : 0) + tsn->bytes;
        most = MAX(most, bytes);
    }
    return most;
}
