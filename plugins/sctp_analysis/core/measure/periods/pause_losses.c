/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a capture shows of the losses in a pause: which transmissions did not arrive, or their acks did not; receivers
 * that get packets and report none of them; SACKs with checksum zero that their receiver drops. Leaves rule RX-009 to
 * its chapter. */
#include "base/numbers.h"
#include "data/shared_limits.h"
#include "data/tap_rtt.h"
#include "measure/measure.h"
#include "pauses_parts.h"
#include "wire/types.h"

/* One alone may be the ack that was lost behind the tap. */
enum { AGAIN_LEAST = 2 };

/* The lowest TSN whose first ack has checksum zero. */
typedef struct {
    const sctpa_series_source_t *source;
    const sctpa_tsn_t *tsn;
    int64_t number;
    uint32_t acked;
} lowest_t;

static void take_tsn(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    lowest_t *lowest = user;
    const uint32_t acked = MIN(tsn->gap_packet, tsn->ack_packet);
    if (lowest->tsn || acked == SCTPA_NO_PACKET_INDEX || tsn->transmissions == 0 || acked <= tsn->first_packet ||
        !lowest->source->is_unchecked(lowest->source, acked))
        return;
    lowest->tsn = tsn;
    lowest->number = number;
    lowest->acked = acked;
}

static GArray *right_sacks(const sctpa_series_source_t *source)
{
    GArray *right = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    const sctpa_records_t *sacks = &source->direction->sacks;
    for (uint32_t i = 0; i < sacks->len; i++)
        if (!source->is_unchecked(source, SCTPA_RECORD(sacks, sctpa_sack_record_t, i).packet))
            g_array_append_val(right, i);
    return right;
}

/* Retransmissions of a TSN that left after the sender had the ack, up to the next that is right; and how many of them a
 * timer surely sent. */
static uint64_t count_again(const lowest_t *lowest, int64_t had_ns, uint32_t until, uint64_t *timed)
{
    const sctpa_direction_t *direction = lowest->source->direction;
    uint64_t again = 0;
    for (uint32_t at = lowest->tsn->more; at > 0; at = sctpa_direction_rtx(direction, at)->link.before) {
        const sctpa_rtx_t *rtx = sctpa_direction_rtx(direction, at);
        const bool is_after = rtx->packet < until && sctpa_direction_time_ns(direction, rtx->packet) > had_ns;
        again += is_after;
        *timed += is_after && rtx->kind == SCTPA_RTX_TIMEOUT;
    }
    return again;
}

static uint64_t count_expiries(const sctpa_direction_t *direction, int64_t had_ns, uint32_t until)
{
    uint64_t expiries = 0;
    for (uint32_t i = 0; i < direction->samples.len; i++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(&direction->samples, sctpa_sample_t, i);
        expiries += sample->kind == SCTPA_SAMPLE_BACKOFF && sample->packet < until &&
                    sctpa_direction_time_ns(direction, sample->packet) > had_ns;
    }
    return expiries;
}

sctpa_discarded_acks_t sctpa_discarded_acks(const sctpa_series_source_t *source)
{
    const sctpa_direction_t *direction = source->direction;
    lowest_t lowest = { .source = source };
    sctpa_discarded_acks_t discarded = { .packet = SCTPA_NO_PACKET_INDEX };
    if (!direction || !source->is_unchecked || source->data_only)
        return discarded;
    sctpa_direction_each(direction, take_tsn, &lowest);
    if (!lowest.tsn || lowest.tsn->more == 0)
        return discarded;
    discarded.right = right_sacks(source);
    const uint32_t until = sctpa_discarded_acks_next(&discarded, direction, lowest.number, lowest.acked);
    const int64_t had_ns =
        sctpa_direction_time_ns(direction, lowest.acked) + MAX(source->sender_tap_rtt.most_ns, 0) + SCTPA_TICK_NS;
    uint64_t timed = 0;
    const uint64_t again = count_again(&lowest, had_ns, until, &timed);
    discarded.packet = lowest.acked;
    if (again >= AGAIN_LEAST && count_expiries(direction, had_ns, until) <= timed)
        discarded.again = again;
    else
        sctpa_discarded_acks_clear(&discarded);
    return discarded;
}

void sctpa_discarded_acks_clear(sctpa_discarded_acks_t *discarded)
{
    if (discarded->right)
        g_array_unref(discarded->right);
    discarded->right = NULL;
}

uint32_t sctpa_discarded_acks_next(const sctpa_discarded_acks_t *discarded, const sctpa_direction_t *direction,
                                   int64_t number, uint32_t packet)
{
    const uint32_t serial = sctpa_direction_serial(direction, number);
    unsigned from = 0, to = discarded->right->len;
    while (from < to) {
        const unsigned middle = (from + to) / 2;
        const sctpa_sack_record_t *sack =
            &SCTPA_RECORD(&direction->sacks, sctpa_sack_record_t, g_array_index(discarded->right, uint32_t, middle));
        if (sack->packet < packet || sctpa_serial_distance(serial, sack->cum_tsn) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    if (from == discarded->right->len)
        return SCTPA_NO_PACKET_INDEX;
    return SCTPA_RECORD(&direction->sacks, sctpa_sack_record_t, g_array_index(discarded->right, uint32_t, from)).packet;
}

/* From the newest packet that a SACK is the first to ack to the SACK, at most; retransmissions left out (RFC 9260 6.3.1
 * C5). */
static int64_t longest_rtt_ns(const sctpa_sweep_t *sweep)
{
    const sctpa_records_t *all = &sweep->source->direction->acked;
    int64_t longest_ns = -1;
    for (uint32_t i = 0; i < all->len; i++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(all, sctpa_acked_t, i);
        if (!sctpa_direction_resends(sweep->source->direction, acked->last_packet, acked->last_packet))
            longest_ns =
                MAX(longest_ns, sctpa_sweep_ns(sweep, acked->packet) - sctpa_sweep_ns(sweep, acked->last_packet));
    }
    return longest_ns >= 0 ? longest_ns + SCTPA_TICK_NS : INT64_MAX / 2;
}

/* Does the SACK say nothing new, though something asked for it? Nor may a retransmission have, of what had arrived,
 * which is answered at once (RFC 9260 6.2). */
static bool is_silent(const sctpa_sweep_t *sweep, const sctpa_sack_record_t *sack)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    const sctpa_records_t *all = &direction->rare->rtx;
    if (!sctpa_sack_is_silent(direction, sack - 1, sack))
        return false;
    const uint32_t at = sctpa_records_from(all->data, all->len, sizeof(sctpa_rtx_t), sack->packet);
    return at == 0 ||
           sctpa_sweep_ns(sweep, sack->packet) - sctpa_sweep_ns(sweep, sctpa_sweep_rtx(sweep, at - 1)->packet) >
               sweep->rtt_most_ns;
}

/* Packets with data behind the missing TSN of a SACK that passed before it, up to most: which it may answer. O(chunks
 * in so many). */
static uint32_t packets_behind(const sctpa_sweep_t *sweep, const sctpa_sack_record_t *sack, uint32_t most)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    int64_t number;
    const sctpa_tsn_t *missing = sctpa_direction_tsn_near(direction, sack->cum_tsn + 1, sack->packet, &number);
    uint32_t packets = 0, later = SCTPA_NO_PACKET_INDEX;
    for (uint32_t at = sctpa_array_from(sweep->sent, sack->packet); at > 0 && packets < most; at--) {
        const sctpa_sent_tsn_t *sent = &g_array_index(sweep->sent, sctpa_sent_tsn_t, at - 1);
        if (sctpa_serial_distance(sack->cum_tsn, sctpa_direction_serial(direction, sent->number)) < 2 ||
            (missing && sent->packet == missing->first_packet))
            break;
        packets += sent->packet != later;
        later = sent->packet;
    }
    return packets;
}

/* May the receiver's SACKs say nothing of gaps for another reason: reported it any, or were chunks given up? */
static bool is_open(const sctpa_direction_t *direction)
{
    return direction->rare->gaps.len == 0 && direction->rare->abandoned_to < 0;
}

void sctpa_sweep_take_silent(sctpa_sweep_t *sweep)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    const sctpa_records_t *sacks = &direction->sacks;
    const uint32_t n = is_open(direction) ? sacks->len : 0;
    uint32_t silent = 0;
    unsigned at = 0;
    int64_t highest = -1;
    sweep->rtt_most_ns = direction->rare->rtx.len > 0 ? longest_rtt_ns(sweep) : 0;
    for (uint32_t i = 1; i < n; i++) {
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(sacks, sctpa_sack_record_t, i);
        if (!is_silent(sweep, sack))
            continue;
        for (; at < sweep->sent->len && g_array_index(sweep->sent, sctpa_sent_tsn_t, at).packet < sack->packet; at++)
            highest = MAX(highest, g_array_index(sweep->sent, sctpa_sent_tsn_t, at).number);
        if (sctpa_serial_distance(sack->cum_tsn, sctpa_direction_serial(direction, highest)) <= 0)
            return;
        silent++;
    }
    sweep->habit.hides_gaps = silent > SCTPA_SACKS_SILENT;
}

/* Silent SACKs of the wait; *last: the last of them. */
static uint32_t silent_sacks(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait, const sctpa_sack_record_t **last)
{
    const sctpa_records_t *sacks = &sweep->source->direction->sacks;
    uint32_t at = sctpa_records_from(sacks->data, sacks->len, sizeof(sctpa_sack_record_t), wait->pause.since + 1),
             silent = 0;
    for (at = MAX(at, 1); at < sacks->len; at++) {
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(sacks, sctpa_sack_record_t, at);
        if (sack->packet > wait->pause.until)
            break;
        if (!is_silent(sweep, sack))
            continue;
        silent++;
        *last = sack;
    }
    return silent;
}

sctpa_pause_cause_t sctpa_pause_of_silent(const sctpa_sweep_t *sweep, sctpa_wait_t *wait)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    const sctpa_sack_record_t *last = NULL;
    const uint32_t silent = silent_sacks(sweep, wait, &last);
    if (!last || direction->rare->abandoned_to >= 0)
        return SCTPA_PAUSE_CAUSES;
    const bool is_answer = is_open(direction) && packets_behind(sweep, last, silent) == silent;
    if (!is_answer && silent <= SCTPA_SACKS_SILENT)
        return SCTPA_PAUSE_CAUSES;
    wait->pause.silent = silent;
    return is_answer && sweep->habit.hides_gaps ? SCTPA_PAUSE_UNREPORTED : SCTPA_PAUSE_UNDECIDED;
}

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
    const bool is_missing = tsn && tsn->transmissions > 0 && !(tsn->state & SCTPA_TSN_ABANDONED) &&
                            MIN(tsn->gap_packet, tsn->ack_packet) > wait->pause.until;
    return is_missing && tsn->first_packet < wait->pause.since ? tsn : NULL;
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
    if (!next && sent != tsn->first_packet && MIN(tsn->gap_packet, tsn->ack_packet) != SCTPA_NO_PACKET_INDEX)
        return SCTPA_PAUSE_CAUSES; /* acknowledged without another transmission: its ack was late */
    wait->pause.lost = tsn->first_packet;
    if (sent == tsn->first_packet)
        return of_first_loss(sweep, wait, number, tsn, next);
    if (sent > wait->pause.since)
        wait->pause.repeated = sent;
    return SCTPA_PAUSE_REPEATED_LOSS;
}
