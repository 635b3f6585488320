/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Receivers that get packets and report none of them: what their SACKs show in a pause. Leaves rule RX-034 to the
 * rules, and SACKs that nobody needs to measure/sack_totals.c. */
#include "pauses_parts.h"

#include "base/serial.h"
#include "base/time.h"
#include "data/answer_limits.h"
#include "measure/measure.h"

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
