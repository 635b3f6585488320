/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a capture shows of the losses in a pause: which transmissions did not arrive, or their acks did not. */
#include "pauses_parts.h"

#include "wire/protocol_parameters.h"

enum { LOOKED_BACK_AT = 256 /* retransmissions of a TSN */ };

bool sctpa_pause_is_left_out(const sctpa_sweep_t *sweep, uint32_t sent, uint32_t packet)
{
    const sctpa_records_t *sacks = &sweep->source->direction->sacks;
    const uint32_t at = sctpa_records_from(sacks->data, sacks->len, sizeof(sctpa_sack_record_t), packet);
    if (at == 0)
        return false;
    const uint32_t last = SCTPA_RECORD(sacks, sctpa_sack_record_t, at - 1).packet;
    return last > sent && sctpa_sweep_ns(sweep, last) - sctpa_sweep_ns(sweep, sent) > sctpa_sweep_rtt_ns(sweep, sent);
}

/* Is the receiver alive, after it had time to ack what arrived? One that never acked may not take what it gets. */
static bool is_alive(const sctpa_sweep_t *sweep, uint32_t sent)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    const int64_t due_ns = sctpa_ns_sum(SCTPA_SACK_DELAY_MOST_NS, sctpa_sweep_rtt_ns(sweep, sent));
    return direction->acked.len > 0 &&
           sweep->source->is_heard(sweep->source, sent, sctpa_ns_sum(sctpa_sweep_ns(sweep, sent), due_ns));
}

/* Was an ack due before the pause ended? Who aborts need not acknowledge any more. A round trip that is not known is
 * taken for one of RTO.Initial. */
static bool had_time(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait, uint32_t sent)
{
    return wait->pause.until == SCTPA_NO_PACKET_INDEX ||
           sctpa_sweep_ns(sweep, wait->pause.until) - sctpa_sweep_ns(sweep, sent) >
               sctpa_ns_sum(SCTPA_SACK_DELAY_MOST_NS, MIN(sctpa_sweep_rtt_ns(sweep, sent), SCTPA_RTO_INITIAL_NS));
}

static bool is_lost(const sctpa_sweep_t *sweep, int64_t number, const sctpa_tsn_t *tsn)
{
    return (sweep->source->direction->highest_gap_end > number && !(tsn->state & SCTPA_TSN_BEHIND)) ||
           sctpa_pause_is_left_out(sweep, tsn->first_packet, SCTPA_NO_PACKET_INDEX) ||
           is_alive(sweep, tsn->first_packet);
}

sctpa_pause_cause_t sctpa_pause_of_no_ack(const sctpa_sweep_t *sweep, sctpa_wait_t *wait)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    const int64_t number = sweep->oldest_unacked;
    const sctpa_tsn_t *tsn = number < INT64_MAX ? sctpa_direction_tsn(direction, number) : NULL;
    const sctpa_pause_cause_t silent = sctpa_pause_of_silent(sweep, wait);
    if (silent != SCTPA_PAUSE_CAUSES)
        return silent;
    if (wait->pause.ended == SCTPA_PAUSE_ENDS_ABORT && tsn && !wait->has_rtx &&
        !had_time(sweep, wait, tsn->first_packet))
        return SCTPA_PAUSE_CAUSES;
    if (!wait->is_last || !tsn || !had_time(sweep, wait, tsn->first_packet) || !is_lost(sweep, number, tsn) ||
        (tsn->more == 0 &&
         sctpa_direction_misses(direction, number, tsn->first_packet, SCTPA_NO_PACKET_INDEX) >= SCTPA_MISSES_FAST))
        return SCTPA_PAUSE_UNDECIDED;
    wait->pause.lost = tsn->first_packet;
    uint32_t more = tsn->more;
    while (more > 0 && sctpa_direction_rtx(direction, more)->packet > wait->pause.until)
        more = sctpa_direction_rtx(direction, more)->link.before;
    if (more == 0)
        return SCTPA_PAUSE_TAIL_LOSS;
    const sctpa_rtx_t *last = sctpa_direction_rtx(direction, more);
    wait->pause.repeated = last->packet;
    wait->pause.waited_ns = sctpa_sweep_ns(sweep, last->packet) - sctpa_sweep_ns(sweep, last->previous);
    return SCTPA_PAUSE_REPEATED_LOSS;
}

sctpa_pause_cause_t sctpa_pause_of_unseen(const sctpa_sweep_t *sweep, sctpa_wait_t *wait)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    const sctpa_tsn_t *above = sctpa_direction_tsn(direction, wait->unseen->number + 1);
    if (!sctpa_wait_ends_acked(wait))
        return SCTPA_PAUSE_UNDECIDED;
    wait->pause.repeated = wait->unseen->packet;
    const sctpa_pause_cause_t silent = sctpa_pause_of_silent(sweep, wait);
    if (silent == SCTPA_PAUSE_UNREPORTED)
        return silent;
    return above && sctpa_direction_misses(direction, wait->unseen->number, above->first_packet, wait->unseen->packet) <
                        SCTPA_MISSES_FAST
               ? SCTPA_PAUSE_TAIL_LOSS
               : SCTPA_PAUSE_UNDECIDED;
}

/* The last SACK up to a packet, NULL none. */
static const sctpa_sack_record_t *sack_at(const sctpa_direction_t *direction, uint32_t packet)
{
    const sctpa_records_t *sacks = &direction->sacks;
    const uint32_t at = sctpa_records_from(sacks->data, sacks->len, sizeof(sctpa_sack_record_t), packet + 1);
    return at > 0 ? &SCTPA_RECORD(sacks, sctpa_sack_record_t, at - 1) : NULL;
}

/* The transmission of a TSN before a packet, by its retransmissions; *next: the one after it, NULL none. */
static uint32_t sent_before(const sctpa_direction_t *direction, const sctpa_tsn_t *tsn, uint32_t packet,
                            const sctpa_rtx_t **next)
{
    unsigned left = LOOKED_BACK_AT;
    *next = NULL;
    for (uint32_t at = tsn->more; at > 0 && left > 0; at = (*next)->link.before, left--) {
        const sctpa_rtx_t *rtx = sctpa_direction_rtx(direction, at);
        if (rtx->packet <= packet)
            return rtx->packet;
        *next = rtx;
    }
    return left > 0 ? tsn->first_packet : SCTPA_NO_PACKET_INDEX;
}

/* The TSN that the SACKs at the beginning and at the end of the wait both report missing, NULL none. */
static const sctpa_tsn_t *missing_throughout(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait, int64_t *number)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    if (!sctpa_wait_ends_acked(wait))
        return NULL;
    const sctpa_sack_record_t *first = sack_at(direction, wait->pause.since),
                              *last = sack_at(direction, wait->pause.until);
    if (!first || !last || first->gaps == 0 || last->gaps == 0 || first->cum_tsn != last->cum_tsn)
        return NULL;
    const sctpa_tsn_t *tsn = sctpa_direction_tsn_near(direction, first->cum_tsn + 1, first->packet, number);
    return tsn && tsn->transmissions > 0 && !(tsn->state & SCTPA_TSN_ABANDONED) && tsn->first_packet < wait->pause.since
               ? tsn
               : NULL;
}

/* What was sent once is missing. While fewer than three acks report that, a fast retransmission is not due (RFC
 * 9260 7.2.4). next: its retransmission after the wait, NULL none. */
static sctpa_pause_cause_t of_first_loss(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait, int64_t number,
                                         const sctpa_tsn_t *tsn, const sctpa_rtx_t *next)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    const uint32_t sent = tsn->first_packet;
    if ((next ? next->misses : sctpa_direction_misses(direction, number, sent, SCTPA_NO_PACKET_INDEX)) <
        SCTPA_MISSES_FAST)
        return SCTPA_PAUSE_TAIL_LOSS;
    return next && next->kind == SCTPA_RTX_TIMEOUT &&
                   sctpa_direction_misses(direction, number, sent, wait->pause.since + 1) >= SCTPA_MISSES_FAST
               ? SCTPA_PAUSE_LEFT_TO_TIMER
               : SCTPA_PAUSE_CAUSES;
}

sctpa_pause_cause_t sctpa_pause_of_gap(const sctpa_sweep_t *sweep, sctpa_wait_t *wait)
{
    int64_t number;
    const sctpa_rtx_t *next;
    const sctpa_tsn_t *tsn = missing_throughout(sweep, wait, &number);
    const uint32_t sent =
        tsn ? sent_before(sweep->source->direction, tsn, wait->pause.until, &next) : SCTPA_NO_PACKET_INDEX;
    if (sent == SCTPA_NO_PACKET_INDEX ||
        (sent > wait->pause.since && !sctpa_pause_is_left_out(sweep, sent, wait->pause.until + 1)))
        return SCTPA_PAUSE_CAUSES;
    wait->pause.lost = tsn->first_packet;
    if (sent == tsn->first_packet)
        return of_first_loss(sweep, wait, number, tsn, next);
    if (sent > wait->pause.since)
        wait->pause.repeated = sent;
    return SCTPA_PAUSE_REPEATED_LOSS;
}
