/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sender gave up by FORWARD_TSN, and whether it arrived all the same; and what did not arrive. A FORWARD_TSN
 * moves the cum_tsn of its receiver to the New Cumulative TSN or beyond, and makes no gap blocks: a gap block, a lower
 * cum_tsn, and an ack that passes sooner than any answer, are of data that arrived. */

#include "base/numbers.h"
#include "direction_internal.h"
#include "wire/types.h"

/* The first FORWARD_TSN that passed a TSN, NULL none. */
static const sctpa_forward_t *forward_of(const sctpa_direction_t *direction, int64_t number)
{
    const sctpa_records_t *forwards = &direction->rare->forwards;
    uint32_t from = 0, to = forwards->len;
    while (from < to) {
        const uint32_t middle = from + (to - from) / 2;
        if (SCTPA_RECORD(forwards, sctpa_forward_t, middle).new_cum < number)
            from = middle + 1;
        else
            to = middle;
    }
    return from < forwards->len ? &SCTPA_RECORD(forwards, sctpa_forward_t, from) : NULL;
}

int64_t sctpa_direction_cum_of(const sctpa_direction_t *direction, uint32_t packet, int64_t near)
{
    const sctpa_records_t *sacks = &direction->sacks, *acked = &direction->acked;
    const uint32_t near_serial = sctpa_direction_serial(direction, near);
    int64_t cum_tsn = INT64_MIN;
    uint32_t at = sctpa_records_from(sacks->data, sacks->len, sizeof(sctpa_sack_record_t), packet);
    for (; at < sacks->len && SCTPA_RECORD(sacks, sctpa_sack_record_t, at).packet == packet; at++) {
        const uint32_t serial = SCTPA_RECORD(sacks, sctpa_sack_record_t, at).cum_tsn;
        cum_tsn = MAX(cum_tsn, near + sctpa_serial_distance(near_serial, serial));
    }
    at = sctpa_records_from(acked->data, acked->len, sizeof(sctpa_acked_t), packet);
    if (cum_tsn == INT64_MIN && at < acked->len && SCTPA_RECORD(acked, sctpa_acked_t, at).packet == packet)
        cum_tsn = near + sctpa_serial_distance(near_serial, SCTPA_RECORD(acked, sctpa_acked_t, at).reported_to);
    return cum_tsn;
}

/* May the FORWARD_TSN have brought about the ack of a TSN that it passed? */
static bool may_answer(const sctpa_direction_t *direction, const sctpa_forward_t *forward, int64_t number, uint32_t ack)
{
    const int64_t elapsed_ns =
        sctpa_direction_time_ns(direction, ack) - sctpa_direction_time_ns(direction, forward->packet);
    return forward->packet < ack && sctpa_direction_cum_of(direction, ack, number) >= forward->new_cum &&
           elapsed_ns >= sctpa_tap_least_answer_ns(*direction->receiver_tap_rtt);
}

static int64_t longest_rto_ns(const sctpa_direction_t *direction)
{
    int64_t rto_ns = SCTPA_RTO_MIN_NS;
    for (uint32_t i = 0; i < direction->paths.len; i++)
        rto_ns = MAX(rto_ns, SCTPA_RECORD(&direction->paths, sctpa_data_path_t, i).rto_ns);
    return rto_ns + sctpa_tick_ns(rto_ns);
}

bool sctpa_direction_forward_is_stuck(const sctpa_direction_t *direction, sctpa_stuck_forward_t *stuck)
{
    const sctpa_records_t *forwards = &direction->rare->forwards, *sacks = &direction->sacks;
    if (forwards->len == 0)
        return false;
    const sctpa_forward_t *last = &SCTPA_RECORD(forwards, sctpa_forward_t, forwards->len - 1);
    const int64_t since_ns = sctpa_direction_time_ns(direction, last->packet);
    if (direction->cum_tsn >= last->new_cum)
        return false;
    *stuck = (sctpa_stuck_forward_t){ .packet = last->packet };
    for (uint32_t at = sctpa_records_from(sacks->data, sacks->len, sizeof(sctpa_sack_record_t), last->packet + 1);
         at < sacks->len; at++) {
        stuck->last_packet = SCTPA_RECORD(sacks, sctpa_sack_record_t, at).packet;
        stuck->sacks++;
    }
    stuck->ns = stuck->sacks > 0 ? sctpa_direction_time_ns(direction, stuck->last_packet) - since_ns : 0;
    return stuck->ns > longest_rto_ns(direction);
}

bool sctpa_direction_given_up(const sctpa_direction_t *direction, int64_t number, const sctpa_tsn_t *tsn,
                              int64_t *after_ns)
{
    *after_ns = -1;
    if (!(tsn->state & SCTPA_TSN_ABANDONED))
        return false;
    const sctpa_forward_t *forward = forward_of(direction, number);
    if (forward && tsn->last_packet <= forward->packet)
        *after_ns = MAX(sctpa_direction_time_ns(direction, forward->packet) -
                            sctpa_direction_time_ns(direction, tsn->last_packet),
                        0);
    if (tsn->gap_packet != SCTPA_NO_PACKET_INDEX)
        return false;
    return tsn->ack_packet == SCTPA_NO_PACKET_INDEX || forward == NULL ||
           may_answer(direction, forward, number, tsn->ack_packet);
}

bool sctpa_direction_is_given_up(const sctpa_direction_t *direction, int64_t number, const sctpa_tsn_t *tsn)
{
    int64_t after_ns;
    return sctpa_direction_given_up(direction, number, tsn, &after_ns);
}

static bool has_duplicate(const sctpa_direction_t *direction, uint32_t packet)
{
    const sctpa_records_t *all = &direction->rare->duplicate_tsns;
    return all->len > 0 && SCTPA_RECORD(all, sctpa_duplicate_t, all->len - 1).packet >= packet;
}

/* Is it the lowest TSN outstanding, of which the last SACK shows that its last transmission did not arrive? That passed
 * no sooner than an answer comes, and nothing else brought it about: it acks nothing new, and reports no duplicate. An
 * open window may be an update that left before, but for what the timer sends again. Of several paths the way may be a
 * longer one. */
static bool is_not_taken(const sctpa_direction_t *direction, int64_t number, const sctpa_tsn_t *tsn)
{
    const sctpa_records_t *sacks = &direction->sacks, *acked = &direction->acked;
    const sctpa_tap_rtt_t receiver = *direction->receiver_tap_rtt;
    if (number != direction->cum_tsn + 1 || MIN(tsn->ack_packet, tsn->gap_packet) != SCTPA_NO_PACKET_INDEX ||
        sacks->len == 0 || direction->paths.len > 1 || !receiver.is_measured)
        return false;
    const sctpa_sack_record_t *last = &SCTPA_RECORD(sacks, sctpa_sack_record_t, sacks->len - 1);
    if (last->packet < tsn->last_packet || has_duplicate(direction, last->packet) ||
        (acked->len > 0 && SCTPA_RECORD(acked, sctpa_acked_t, acked->len - 1).packet >= last->packet))
        return false;
    return (tsn->transmissions > 1 || last->a_rwnd_bytes < tsn->bytes) &&
           sctpa_direction_time_ns(direction, last->packet) - sctpa_direction_time_ns(direction, tsn->last_packet) >=
               sctpa_tap_soonest_answer_ns(receiver);
}

bool sctpa_direction_is_missing(const sctpa_direction_t *direction, int64_t number, const sctpa_tsn_t *tsn,
                                bool is_given_up)
{
    if (!(tsn->state & SCTPA_TSN_ABANDONED))
        return is_not_taken(direction, number, tsn);
    return is_given_up && sctpa_direction_misses(direction, number, tsn->last_packet, tsn->ack_packet) > 0;
}
