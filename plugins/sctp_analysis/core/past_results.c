/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The public functions that look at one packet, one TSN or one moment of what was fed, without a walk of all: what a
 * person asks who points at it. */
#include "analysis.h"

#include "data/past.h"
#include "track/near_tap.h"
#include "track/tracker.h"

/* --- TSNs --- */

bool sctpa_packet_tsns(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, uint32_t packet, int64_t *first,
                       uint32_t *count)
{
    const sctpa_direction_t *direction = sctpa_direction(sctpa, assoc, end);
    sctpa_packet_result_t result;
    if (!direction || !sctpa_packet_result(sctpa, packet, &result) || result.from != end ||
        !(sctpa_packet_stamp(sctpa, packet)->holds & SCTPA_STAMP_DATA))
        return false;
    return sctpa_past_tsns_of(direction, packet, first, count);
}

bool sctpa_tsn_result(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, int64_t tsn, uint32_t packet,
                      sctpa_tsn_result_t *result)
{
    const sctpa_direction_t *direction = sctpa_direction(sctpa, assoc, end);
    const sctpa_tsn_t *found = direction ? sctpa_direction_tsn(direction, tsn) : NULL;
    *result = (sctpa_tsn_result_t){ .tsn = found, .arrival_packet = SCTPA_NO_PACKET_INDEX, .acked_after_ns = -1 };
    result->sent.tsn = tsn;
    if (!found || !sctpa_transmission_result(sctpa, direction, found, packet, &result->sent))
        return false;
    const int64_t first_ns = sctpa_packet_time_ns(sctpa, found->first_packet);
    result->is_needed =
        result->sent.is_retransmission && sctpa_rtx_shows_loss(result->sent.kind, result->sent.spurious);
    result->since_first_ns = sctpa_packet_time_ns(sctpa, packet) - first_ns;
    if (!(found->state & SCTPA_TSN_LATE) && !sctpa_direction_is_given_up(direction, tsn, found))
        result->arrival_packet = sctpa_tsn_arrival_ack(found);
    if (result->arrival_packet != SCTPA_NO_PACKET_INDEX)
        result->acked_after_ns = sctpa_packet_time_ns(sctpa, result->arrival_packet) - first_ns;
    return true;
}

bool sctpa_user_message_of(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, int64_t tsn,
                           sctpa_user_message_t *message)
{
    const sctpa_direction_t *at_sender = sctpa_direction(sctpa, assoc, end);
    const sctpa_direction_t *at_receiver = sctpa_direction_at_receiver(sctpa, assoc, end);
    if (!at_sender || !at_receiver || sctpa_assoc_is_data_only(sctpa_assoc(sctpa, assoc)))
        return false;
    return sctpa_user_message_with(at_sender, at_receiver,
                                   sctpa_near_tap_receiver_ahead_ns(sctpa_tracked_find(sctpa->tracker, assoc), end),
                                   tsn, message);
}

bool sctpa_packet_sack(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, uint32_t packet, sctpa_packet_sack_t *sack)
{
    const sctpa_direction_t *direction = sctpa_direction(sctpa, assoc, end);
    *sack = (sctpa_packet_sack_t){ 0 };
    return direction && sctpa_past_add_sack(direction, packet, sack);
}

/* --- moments --- */

enum { OTHERS_BETWEEN = 1 << 16 }; /* packets of others that are looked past */

/* How many packets stand before the first that is later than a moment. O(log packets). */
static uint32_t packets_until(const sctpa_t *sctpa, int64_t time_ns)
{
    uint32_t low = 0, high = sctpa->summary.packets;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (sctpa_packet_time_ns(sctpa, middle) <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The last packet of an association before number before; SCTPA_NO_PACKET_INDEX: none is near. */
static uint32_t packet_before(const sctpa_t *sctpa, uint32_t assoc, uint32_t before)
{
    sctpa_packet_result_t result;
    for (uint32_t at = before; at > 0 && before - at < OTHERS_BETWEEN; at--)
        if (sctpa_packet_result(sctpa, at - 1, &result) && result.assoc == assoc &&
            !(result.remarks & SCTPA_CAPTURE_UNCOUNTED))
            return at - 1;
    return SCTPA_NO_PACKET_INDEX;
}

typedef struct {
    const sctpa_direction_t *direction;
    sctpa_sender_state_t *state;
} looking_t;

/* The last transmission up to a packet, and how many there were. */
static void take_oldest(looking_t *looking, int64_t number, const sctpa_tsn_t *tsn)
{
    sctpa_sender_state_t *state = looking->state;
    const sctpa_rtx_t *rtx = sctpa_direction_rtx_until(looking->direction, tsn, state->packet);
    state->oldest = number;
    state->oldest_first = tsn->first_packet;
    state->oldest_last = rtx ? rtx->packet : tsn->first_packet;
    state->transmissions = rtx ? rtx->link.number + 1 : 1;
}

static bool count_outstanding(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    looking_t *looking = user;
    if (tsn->state & SCTPA_TSN_LATE || sctpa_tsn_arrival_ack(tsn) <= looking->state->packet)
        return true;
    if (looking->state->tsns++ == 0)
        take_oldest(looking, number, tsn);
    return true;
}

/* The last SACK up to a packet, and the window that counts. */
static void take_sack(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, looking_t *looking)
{
    const sctpa_records_t *sacks = &looking->direction->sacks;
    sctpa_sender_state_t *state = looking->state;
    const uint32_t n = sctpa_records_from(sacks->data, sacks->len, sizeof(sctpa_sack_record_t), state->packet + 1);
    const sctpa_init_t *receiver = &sctpa_assoc(sctpa, assoc)->ends[!end].init;
    state->a_rwnd_bytes = receiver->seen ? receiver->a_rwnd_bytes : SCTPA_NO_BYTES;
    if (n == 0)
        return;
    state->sack = SCTPA_RECORD(sacks, sctpa_sack_record_t, n - 1).packet;
    state->a_rwnd_bytes = SCTPA_RECORD(sacks, sctpa_sack_record_t, n - 1).a_rwnd_bytes;
    sctpa_past_cum_tsn(looking->direction, state->packet, &state->cum_tsn);
}

bool sctpa_sender_state(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, int64_t time_ns, sctpa_sender_state_t *state)
{
    const sctpa_direction_t *direction = sctpa_direction(sctpa, assoc, end);
    const uint32_t packet = packet_before(sctpa, assoc, packets_until(sctpa, time_ns));
    *state = (sctpa_sender_state_t){ .packet = packet,
                                     .sack = SCTPA_NO_PACKET_INDEX,
                                     .oldest_first = SCTPA_NO_PACKET_INDEX,
                                     .oldest_last = SCTPA_NO_PACKET_INDEX };
    if (!direction || packet == SCTPA_NO_PACKET_INDEX || sctpa_assoc_is_data_only(sctpa_assoc(sctpa, assoc)))
        return false;
    looking_t looking = { direction, state };
    take_sack(sctpa, assoc, end, &looking);
    return sctpa_past_each_sent(direction, packet, count_outstanding, &looking);
}

typedef struct {
    const sctpa_t *sctpa;
    uint8_t end;
} sender_t;

static uint16_t path_of(const void *user, uint32_t packet)
{
    const sender_t *sender = user;
    return sctpa_packet_path(sender->sctpa, sender->end, packet);
}

/* Of a sender with one path, as the last packet that changes it is stamped; SCTPA_NO_BYTES: it is not stamped for this
 * data, or there are several. */
static uint32_t stamped_flight(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, uint32_t packet)
{
    enum { PACKETS = 64 };
    sctpa_packet_result_t result;
    if (sctpa_direction(sctpa, assoc, end)->paths.len != 1)
        return SCTPA_NO_BYTES;
    for (unsigned i = 0; i < PACKETS && packet != SCTPA_NO_PACKET_INDEX; i++) {
        const sctpa_stamp_t *stamp = sctpa_packet_stamp(sctpa, packet);
        sctpa_packet_result(sctpa, packet, &result);
        if (result.from == end && stamp->holds & SCTPA_STAMP_DATA)
            return stamp->flight_bytes;
        if (result.from != end && stamp->holds & SCTPA_STAMP_SACK)
            return stamp->holds & SCTPA_STAMP_DATA ? SCTPA_NO_BYTES : stamp->flight_bytes;
        packet = packet_before(sctpa, assoc, packet);
    }
    return SCTPA_NO_BYTES;
}

static void take_cwnd(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, uint16_t path, uint32_t packet,
                      sctpa_sender_path_t *state)
{
    sctpa_congestion_t congestion;
    state->has_cwnd =
        sctpa_taps(sctpa, assoc) == SCTPA_TAPS_ONE && sctpa_congestion(sctpa, assoc, end, path, packet, &congestion);
    if (!state->has_cwnd)
        return;
    state->cwnd = congestion.cwnd;
    state->cwnd_least = congestion.cwnd_min;
    state->cwnd_most = congestion.cwnd_max;
}

void sctpa_sender_path(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, uint16_t path, uint32_t packet,
                       int64_t time_ns, bool with_rto, sctpa_sender_path_t *state)
{
    const sctpa_direction_t *direction = sctpa_direction(sctpa, assoc, end);
    const sender_t sender = { sctpa, end };
    sctpa_past_path_t past;
    *state = (sctpa_sender_path_t){ .flight_bytes = SCTPA_NO_BYTES };
    if (!direction || path >= direction->paths.len)
        return;
    take_cwnd(sctpa, assoc, end, path, packet, state);
    state->rto_ns = with_rto ? sctpa_rto_before_ns(sctpa, assoc, end, path, packet + 1) : 0;
    state->flight_bytes = stamped_flight(sctpa, assoc, end, packet);
    if (!sctpa_past_path(direction, path, packet, path_of, &sender, &past))
        return;
    if (state->flight_bytes == SCTPA_NO_BYTES)
        state->flight_bytes = (uint32_t)MIN(past.flight_bytes, SCTPA_NO_BYTES - 1);
    state->t3_is_running = past.t3_is_running && state->rto_ns > 0;
    if (!state->t3_is_running)
        return;
    state->t3_left_ns = sctpa_packet_time_ns(sctpa, past.t3_packet) + state->rto_ns - time_ns;
    state->t3_may_have_restarted = past.t3_may_have_restarted;
}
