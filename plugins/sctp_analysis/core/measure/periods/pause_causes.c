/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a direction paused, from what passed meanwhile. */
#include "pauses_parts.h"

/* What an ack releases leaves as it arrives: no timer ticks, and a tap beside the sender sees it as soon as any answer
 * of a host. */
#define AT_ONCE_NS SCTPA_NEAR_NS

/* The retransmission of the same TSN before this one, NULL: it repeats the first transmission. */
static const sctpa_rtx_t *before(const sctpa_sweep_t *sweep, const sctpa_rtx_t *rtx)
{
    return rtx->link.before > 0 ? sctpa_sweep_rtx(sweep, rtx->link.before - 1) : NULL;
}

/* Was the path given up, and did it not answer a HEARTBEAT then? */
static bool is_left_dead(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait)
{
    const sctpa_records_t *all = &sweep->source->direction->rare->heartbeats;
    const uint16_t path = sweep->source->path(sweep->source, sctpa_sweep_rtx(sweep, wait->first)->previous);
    if (sctpa_sweep_rtx(sweep, wait->last)->path == path)
        return false;
    for (uint32_t i = sctpa_records_from(all->data, all->len, sizeof(sctpa_heartbeat_t), wait->pause.since);
         i < all->len; i++) {
        const sctpa_heartbeat_t *heartbeat = &SCTPA_RECORD(all, sctpa_heartbeat_t, i);
        if (heartbeat->path == path)
            return heartbeat->answer_packet == SCTPA_NO_PACKET_INDEX;
    }
    return false;
}

/* Was the path out, in one direction or both, for several timeouts of which this may be one? */
static bool is_out(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait)
{
    const sctpa_rtx_t *first = sctpa_sweep_rtx(sweep, wait->first);
    return sweep->source->is_out(sweep->source, sweep->source->path(sweep->source, first->previous), first->packet);
}

/* Was every one of several paths out when the last timeout of the wait came? O(paths). */
static bool are_all_out(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait)
{
    const uint32_t n = sweep->source->direction->paths.len;
    for (uint32_t path = 0; path < n; path++)
        if (!sweep->source->is_out(sweep->source, (uint16_t)path, sctpa_sweep_rtx(sweep, wait->last)->packet))
            return false;
    return n > 1;
}

/* Did the path answer a HEARTBEAT, and nothing that was retransmitted after that? */
static bool answers_heartbeats(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait)
{
    const sctpa_records_t *all = &sweep->source->direction->rare->heartbeats;
    const sctpa_rtx_t *last = sctpa_sweep_rtx(sweep, wait->last);
    for (uint32_t i = sctpa_records_from(all->data, all->len, sizeof(sctpa_heartbeat_t), wait->pause.since);
         i < all->len && !sctpa_wait_ends_acked(wait); i++) {
        const sctpa_heartbeat_t *heartbeat = &SCTPA_RECORD(all, sctpa_heartbeat_t, i);
        if (heartbeat->path == last->path && heartbeat->answer_packet < last->packet)
            return true;
    }
    return false;
}

/* Did so many answers not come? Of a sender that gave up, those to what it sent unseen, too: one less than expiries,
 * the last of which sent an ABORT. */
static bool is_unanswered(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait)
{
    const uint32_t unseen = wait->pause.ended == SCTPA_PAUSE_ENDS_GAVE_UP ? sweep->ending.expiries - 1 : 0;
    return (wait->packets + 1) / 2 + wait->pause.timeouts + unseen >= SCTPA_UNANSWERED_DEAD && wait->sacks == 0 &&
           !answers_heartbeats(sweep, wait);
}

/* Was the same TSN missing when the ack that ends the wait was sent, and when the SACK before it was? Then no SACK
 * waits: "If the endpoint detects a gap in the received DATA chunk sequence, it SHOULD send a SACK chunk with Gap Ack
 * Blocks immediately" (RFC 9260 6.7). What fills the gap may wait. */
static bool has_gap(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait)
{
    const sctpa_records_t *all = &sweep->source->direction->sacks;
    const uint32_t at = sctpa_records_from(all->data, all->len, sizeof(sctpa_sack_record_t), wait->pause.until);
    if (at == 0 || at == all->len)
        return false;
    const sctpa_sack_record_t *before = &SCTPA_RECORD(all, sctpa_sack_record_t, at - 1), *ending = before + 1;
    return ending->packet == wait->pause.until && before->gaps > 0 && ending->gaps > 0 &&
           before->cum_tsn == ending->cum_tsn;
}

/* Did the receiver send data after it had the newest packet that the ack at the end is the first to acknowledge,
 * without an ack? "If any received DATA chunks have not been acknowledged (e.g., due to delayed ack), the sender SHOULD
 * create a SACK chunk and bundle it with the outbound DATA chunk" (RFC 9260 6.1): the packet, or its ack, was on the
 * way. */
static bool has_sent_data(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait, int64_t newest_ns)
{
    return sweep->source->leaves_ack_out(sweep->source, wait->pause.until, newest_ns + wait->least_rtt_ns);
}

/* Did the receiver hold its ack back for half of the pause or more, from the oldest packet that it is the first to ack
 * to the newest, or longer than the shortest round trip since that; or is the latter the longest part of the pause? Not
 * where another SACK passed meanwhile that would have acknowledged the newest, nor for longer than a SACK may be
 * delayed (RFC 9260 6.2), or its receiver showed: then the packet or the ack was on the way. */
static bool is_delayed_sack(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    const int64_t held_ns = MAX(sweep->habit.delay_ns, SCTPA_SACK_DELAY_MOST_NS),
                  longest_ns = held_ns + sctpa_tick_ns(held_ns);
    if (has_gap(sweep, wait))
        return false;
    for (uint16_t order = 0; order < 2; order++) {
        const sctpa_acked_t *acked = sctpa_direction_acked(direction, wait->pause.until, order);
        if (!acked)
            continue;
        const int64_t newest_ns = sctpa_sweep_ns(sweep, acked->last_packet),
                      spread_ns = newest_ns - MAX(sctpa_sweep_ns(sweep, acked->first_packet), wait->since_ns),
                      late_ns = sctpa_sweep_ns(sweep, wait->pause.until) - newest_ns - wait->least_rtt_ns;
        if (wait->least_rtt_ns == 0 || has_sent_data(sweep, wait, newest_ns) ||
            sctpa_pause_is_left_out(sweep, acked->last_packet, wait->pause.until) || late_ns > longest_ns)
            return false;
        return MAX(spread_ns, late_ns) >= wait->pause.paused_ns / 2 ||
               late_ns > MAX(newest_ns - wait->since_ns, wait->least_rtt_ns);
    }
    return false;
}

/* A SACK is due for every second packet, or as many as the receiver showed: so many at once had one before. */
static unsigned most_at_once(const sctpa_sweep_t *sweep)
{
    return MAX(sweep->habit.every, SCTPA_RFC_SACK_EVERY) + 1;
}

/* How many packets with data that the SACK at its end is the first to ack, up to one more than the receiver
 * acknowledges at once, and three at least; *oldest: the first of them. O(log TSNs + chunks of so many packets). */
static unsigned packets_acked(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait, uint32_t *oldest)
{
    const sctpa_acked_t *acked = sctpa_direction_acked(sweep->source->direction, wait->pause.until, 0);
    *oldest = acked ? acked->first_packet : SCTPA_NO_PACKET_INDEX;
    if (!acked)
        return 0;
    unsigned packets = 0;
    uint32_t last = SCTPA_NO_PACKET_INDEX, chunks = acked->chunks;
    for (uint32_t at = sctpa_array_from(sweep->sent, acked->last_packet + 1);
         at > 0 && chunks > 0 && packets < most_at_once(sweep); at--, chunks--) {
        const uint32_t packet = g_array_index(sweep->sent, sctpa_sent_tsn_t, at - 1).packet;
        if (packet < acked->first_packet)
            break;
        packets += packet != last;
        last = packet;
    }
    return packets;
}

int64_t sctpa_sweep_at_once_ns(const sctpa_sweep_t *sweep, uint32_t packet)
{
    const int64_t reach_ns = MAX(sctpa_tap_rtt_measured_ns(sweep->source->tap_rtt_of(sweep->source, packet)), 0);
    return AT_ONCE_NS + reach_ns + reach_ns / 4;
}

bool sctpa_sweep_may_follow(const sctpa_sweep_t *sweep, uint32_t packet, int64_t after_ns)
{
    const int64_t at_once_ns = sctpa_sweep_at_once_ns(sweep, packet),
                  least_ns = sctpa_tap_least_answer_ns(sweep->source->tap_rtt_of(sweep->source, packet));
    return after_ns <= at_once_ns && after_ns >= (least_ns > AT_ONCE_NS ? least_ns : -at_once_ns);
}

/* Were TSNs sent between the two that the capture lacks? */
static bool lacks_between(const sctpa_sweep_t *sweep, const sctpa_sent_tsn_t *newest, const sctpa_sent_tsn_t *next)
{
    const sctpa_tsn_t *between = sctpa_direction_tsn(sweep->source->direction, newest->number + 1);
    return next->number > newest->number + 1 && (!between || between->transmissions == 0);
}

/* Did the sender send new data as soon as the ack reached it? Not where it sends at regular times, or a message of
 * another association passed after the ack, which it may pass on. Beside data of the receiver, which came with the ack
 * or about then, a new message may be the answer to that. newest: the last transmission before it, next: the first
 * after it. */
static bool is_followed(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait, const sctpa_sent_tsn_t *newest,
                        const sctpa_sent_tsn_t *next)
{
    const int64_t acked_ns = sctpa_sweep_ns(sweep, wait->pause.until),
                  at_once_ns = sctpa_sweep_at_once_ns(sweep, next->packet);
    return sctpa_wait_ends_acked(wait) &&
           sctpa_sweep_may_follow(sweep, next->packet, sctpa_sweep_ns(sweep, next->packet) - acked_ns) &&
           !lacks_between(sweep, newest, next) && !sctpa_sweep_is_regular(sweep, next) &&
           !sweep->source->may_pass_on(sweep->source, next->packet, acked_ns) &&
           (!(newest->flags & SCTPA_TSN_END) ||
            !sweep->source->is_asked(sweep->source, next->packet, acked_ns - at_once_ns));
}

/* The timer was too early, and nothing was lost: did anything wait for the ack? A receiver may start its delay anew
 * with each packet, so that it acknowledges the first one later. */
static sctpa_pause_cause_t of_early_timeout(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait,
                                            const sctpa_sent_tsn_t *newest)
{
    const sctpa_sent_tsn_t *end = (const sctpa_sent_tsn_t *)(const void *)sweep->sent->data + sweep->sent->len;
    const bool has_next = newest + 1 < end && is_followed(sweep, wait, newest, newest + 1);
    const sctpa_rtx_t *first = sctpa_sweep_rtx(sweep, wait->first);
    if (!has_next && wait->left == 0)
        return SCTPA_PAUSE_CAUSES;
    return sctpa_sweep_may_be_held(sweep, first->previous,
                                   sctpa_sweep_ns(sweep, first->packet) - sctpa_sweep_ns(sweep, first->previous))
               ? SCTPA_PAUSE_RTO_BELOW_SACK
               : SCTPA_PAUSE_DELAYED_SACK;
}

/* Is a retransmission among them that repeats one? Several packets may leave when a timer expires. */
static bool is_lost_again(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait)
{
    for (uint32_t at = wait->first; at <= wait->last; at++)
        if (before(sweep, sctpa_sweep_rtx(sweep, at)))
            return true;
    return false;
}

/* Had a copy arrived before the last retransmission of the wait? A duplicate report shows two copies, of which the last
 * one is one at most. And had something arrived that was sent once, before the first retransmission, so that an ack was
 * due, however long its receiver holds that back (RFC 9260 6.2)? Then acks were lost, or not sent, in all of the wait.
 */
static bool has_unacked_copy(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait)
{
    const sctpa_acked_t *acked = sctpa_direction_acked(sweep->source->direction, wait->pause.until, 0);
    const sctpa_rtx_t *first = sctpa_sweep_rtx(sweep, wait->first), *last = sctpa_sweep_rtx(sweep, wait->last);
    return sctpa_sweep_is_spurious(sweep, wait->last) && acked && acked->oldest_packet < first->packet &&
           sctpa_sweep_ns(sweep, last->packet) - sctpa_sweep_ns(sweep, acked->oldest_packet) >
               sctpa_ns_sum(SCTPA_SACK_DELAY_MOST_NS, sctpa_sweep_rtt_ns(sweep, acked->oldest_packet));
}

/* Did an ack that the sender discards pass before what its timer sent last? */
static bool has_discarded_ack(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait)
{
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(sweep->source->direction, sweep->tsns[wait->last]);
    const uint32_t acked = tsn ? MIN(tsn->gap_packet, tsn->ack_packet) : SCTPA_NO_PACKET_INDEX;
    return sweep->discarded.again > 0 && acked < sctpa_sweep_rtx(sweep, wait->last)->packet &&
           sweep->source->is_unchecked(sweep->source, acked);
}

/* Losses of the last TSNs sent bring too few miss indications for a fast retransmission. What a timer may not have sent
 * may be a probe, which repeats what arrived while its SACK is delayed, unless a SACK shows that it had not. */
sctpa_pause_cause_t sctpa_pause_of_timeout(const sctpa_sweep_t *sweep, sctpa_wait_t *wait,
                                           const sctpa_sent_tsn_t *newest)
{
    const sctpa_rtx_t *first = sctpa_sweep_rtx(sweep, wait->first), *earlier = before(sweep, first);
    if (has_discarded_ack(sweep, wait))
        return SCTPA_PAUSE_ACKS_DISCARDED;
    if (!wait->all_unknown && (is_unanswered(sweep, wait) || is_left_dead(sweep, wait) || is_out(sweep, wait))) {
        wait->pause.has_no_path = are_all_out(sweep, wait);
        return SCTPA_PAUSE_PATH_DEAD;
    }
    if (!sctpa_wait_ends_acked(wait))
        return sctpa_pause_of_no_ack(sweep, wait);
    if (sctpa_sweep_is_spurious(sweep, wait->first) && sctpa_sweep_is_spurious(sweep, wait->last))
        return sctpa_sweep_is_before_sack(sweep, wait->first) ? of_early_timeout(sweep, wait, newest)
                                                              : SCTPA_PAUSE_ACKS_LOST;
    if (has_unacked_copy(sweep, wait)) {
        wait->pause.is_some_copy = true;
        return SCTPA_PAUSE_ACKS_LOST;
    }
    const sctpa_pause_cause_t silent = sctpa_pause_of_silent(sweep, wait);
    if (wait->all_unknown &&
        (first->misses >= SCTPA_MISSES_FAST || !sctpa_pause_is_left_out(sweep, first->previous, first->packet)))
        return SCTPA_PAUSE_UNDECIDED;
    if (sctpa_pause_is_late_timer(sweep, wait))
        return SCTPA_PAUSE_LATE_TIMER;
    if (!earlier && first->misses >= SCTPA_MISSES_FAST)
        return SCTPA_PAUSE_LEFT_TO_TIMER;
    if (silent != SCTPA_PAUSE_CAUSES)
        return silent;
    return is_lost_again(sweep, wait) ? SCTPA_PAUSE_REPEATED_LOSS : SCTPA_PAUSE_TAIL_LOSS;
}

/* Had the peer's window too little room for the chunk that was sent next? newest: the last packet with new data. */
static bool lacks_window(const sctpa_sweep_t *sweep, const sctpa_sent_tsn_t *newest, const sctpa_sent_tsn_t *next)
{
    const uint32_t left = sctpa_direction_stamp(sweep->source->direction, newest->packet)->peer_window_bytes;
    return left != SCTPA_NO_PACKET_INDEX && left < next->bytes;
}

/* Was the newest transmission lost, which the ack leaves out? Its timer starts anew with the ack (RFC 9260 6.3.2 R3).
 */
static bool leaves_loss_out(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait, const sctpa_sent_tsn_t *newest)
{
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(sweep->source->direction, newest->number);
    const uint32_t acked = tsn ? MIN(tsn->gap_packet, tsn->ack_packet) : SCTPA_NO_PACKET_INDEX;
    return wait->left > 0 && tsn && acked > wait->pause.until && (tsn->more > 0 || acked == SCTPA_NO_PACKET_INDEX);
}

/* May new data that follows the wait answer a message that came in its second half, so that it did not wait for most of
 * it? Not what goes on with a message. */
static bool may_answer(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait, const sctpa_sent_tsn_t *newest)
{
    return newest->flags & SCTPA_TSN_END &&
           sweep->source->is_asked(sweep->source, newest[1].packet, wait->since_ns + wait->pause.paused_ns / 2);
}

/* Is what the ack at the end acknowledges last a retransmission? It left with a cwnd that a loss made small. */
static bool ends_with_rtx(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait)
{
    const sctpa_acked_t *acked = sctpa_direction_acked(sweep->source->direction, wait->pause.until, 0);
    return acked && sctpa_direction_resends(sweep->source->direction, acked->last_packet, acked->last_packet);
}

/* A sender that sends new data in the second half was not kept from doing so: only a TSN that is missing waits. RFC
 * 9260 6.2: "an acknowledgement SHOULD be generated for at least every second packet": a SACK that acks more packets at
 * once is not the first. */
sctpa_pause_cause_t sctpa_pause_of_late_ack(const sctpa_sweep_t *sweep, sctpa_wait_t *wait,
                                            const sctpa_sent_tsn_t *newest)
{
    const sctpa_sent_tsn_t *sent = (const sctpa_sent_tsn_t *)(const void *)sweep->sent->data, *next = newest + 1;
    const bool has_next = next < sent + sweep->sent->len && is_followed(sweep, wait, newest, next);
    if (newest->packet > wait->pause.since &&
        sctpa_sweep_ns(sweep, newest->packet) - wait->since_ns >= wait->pause.paused_ns / 2)
        return sctpa_pause_of_gap(sweep, wait);
    if (!has_next && !wait->has_rtx && sctpa_wait_ends_acked(wait) && !leaves_loss_out(sweep, wait, newest))
        return SCTPA_PAUSE_CAUSES;
    if (!sctpa_wait_ends_acked(wait))
        return sctpa_pause_of_no_ack(sweep, wait);
    if (has_next && lacks_window(sweep, newest, next))
        return SCTPA_PAUSE_CLOSED_WINDOW;
    if (has_next && sctpa_pause_is_held_back(sweep, wait, newest))
        return SCTPA_PAUSE_HELD_BACK;
    if (is_delayed_sack(sweep, wait)) {
        uint32_t oldest;
        wait->pause.has_waiting = has_next;
        wait->pause.is_nagle = has_next && !may_answer(sweep, wait, newest) && !ends_with_rtx(sweep, wait) &&
                               sctpa_pause_is_nagle(sweep, wait, newest);
        if (packets_acked(sweep, wait, &oldest) < most_at_once(sweep))
            return SCTPA_PAUSE_DELAYED_SACK;
        wait->pause.lost = oldest;
        return SCTPA_PAUSE_ACKS_LOST;
    }
    if (!has_next || may_answer(sweep, wait, newest))
        return SCTPA_PAUSE_UNDECIDED;
    wait->pause.is_nagle = sctpa_pause_is_nagle(sweep, wait, newest);
    return sctpa_pause_is_cwnd_open(sweep, wait, newest) ? SCTPA_PAUSE_CAUSES : SCTPA_PAUSE_CWND;
}
