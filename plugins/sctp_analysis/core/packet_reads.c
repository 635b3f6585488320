/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The public functions that say what one packet did: TSNs, acknowledgements, round trips, flight, events; and what
 * there was at one moment, without a walk over the records. */
#include "analysis.h"
#include "base/records.h"
#include "data/past.h"
#include "track/near_tap.h"
#include "track/tracker.h"

uint32_t sctpa_packet_frame(const sctpa_t *sctpa, uint32_t index)
{
    return index == SCTPA_NO_PACKET_INDEX ? 0 : g_array_index(sctpa->tracker->records, sctpa_record_t, index).frame;
}

uint8_t sctpa_packet_data_end(const sctpa_t *sctpa, uint32_t index)
{
    const GArray *records = sctpa->tracker->records;
    const sctpa_record_t *record = &g_array_index(records, sctpa_record_t, index);
    while (record->remarks & SCTPA_CAPTURE_DUPLICATE)
        record = &g_array_index(records, sctpa_record_t, record->rows);
    return !(record->rows & SCTPA_DATA_ROWS) && record->rows & SCTPA_SACK_ROWS ? !record->from : record->from;
}

int64_t sctpa_packet_time_ns(const sctpa_t *sctpa, uint32_t index)
{
    return g_array_index(sctpa->tracker->store.stamps, sctpa_stamp_t, index).time_ns;
}

uint32_t sctpa_assoc_event_from(const sctpa_assoc_t *assoc, uint32_t frame)
{
    uint32_t low = 0, high = assoc->n_events;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (assoc->events[middle].frame < frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_late_event(const sctpa_t *sctpa, uint32_t frame)
{
    const GArray *frames = sctpa->tracker->late_events;
    uint32_t at = sctpa_array_from(frames, frame);
    return at < frames->len && g_array_index(frames, uint32_t, at) == frame;
}

const sctpa_event_t *sctpa_packet_event(const sctpa_t *sctpa, const sctpa_packet_result_t *packet, uint32_t *at)
{
    if (packet->assoc == SCTPA_NO_ASSOC)
        return NULL;
    const sctpa_assoc_t *assoc = sctpa_assoc(sctpa, packet->assoc);
    if (*at == 0 && !has_late_event(sctpa, packet->frame))
        *at = sctpa_assoc_event_from(assoc, packet->frame);
    while (*at < assoc->n_events && assoc->events[*at].frame <= packet->frame) {
        const sctpa_event_t *event = &assoc->events[(*at)++];
        if (event->certain_frame == packet->frame)
            return event;
    }
    return NULL;
}

const sctpa_stamp_t *sctpa_packet_stamp(const sctpa_t *sctpa, uint32_t index)
{
    return &g_array_index(sctpa->tracker->store.stamps, sctpa_stamp_t, index);
}

const sctpa_direction_t *sctpa_direction(const sctpa_t *sctpa, uint32_t assoc, uint8_t end)
{
    if (assoc == SCTPA_NO_ASSOC || end >= SCTPA_NO_END)
        return NULL;
    return sctpa_near_tap_sent(sctpa_tracked_find(sctpa->tracker, assoc), end, end);
}

const sctpa_direction_t *sctpa_direction_at_receiver(const sctpa_t *sctpa, uint32_t assoc, uint8_t end)
{
    if (assoc == SCTPA_NO_ASSOC || end >= SCTPA_NO_END)
        return NULL;
    return sctpa_near_tap_sent(sctpa_tracked_find(sctpa->tracker, assoc), !end, end);
}

static void fill_retransmission(const sctpa_t *sctpa, const sctpa_direction_t *direction, const sctpa_tsn_t *tsn,
                                const sctpa_rtx_t *rtx, sctpa_data_result_t *result)
{
    result->is_retransmission = true;
    result->kind = (sctpa_rtx_kind_t)rtx->kind;
    result->since_last_ns = sctpa_packet_time_ns(sctpa, rtx->packet) - sctpa_packet_time_ns(sctpa, rtx->previous);
    result->spurious = sctpa_direction_is_spurious(direction, tsn, rtx);
}

sctpa_taps_t sctpa_taps(const sctpa_t *sctpa, uint32_t assoc)
{
    const sctpa_tracked_t *tracked = sctpa_tracked_find(sctpa->tracker, assoc);
    if (!tracked->rare->two_taps_data)
        return SCTPA_TAPS_ONE;
    if (sctpa_near_tap(tracked, 0, 0) && sctpa_near_tap(tracked, 1, 1))
        return SCTPA_TAPS_TWO;
    return sctpa_near_tap_is_unknown(tracked) ? SCTPA_TAPS_UNCLEAR : SCTPA_TAPS_ONE;
}

bool sctpa_packet_shows(const sctpa_t *sctpa, const sctpa_packet_result_t *packet, uint8_t end)
{
    if (packet->assoc == SCTPA_NO_ASSOC || packet->remarks & SCTPA_CAPTURE_STRAY)
        return false;
    if (!(packet->remarks & SCTPA_CAPTURE_DUPLICATE))
        return true;
    const sctpa_stamp_t *stamp = sctpa_packet_stamp(sctpa, packet->index);
    const sctpa_tap_data_t *tap = sctpa_near_tap(sctpa_tracked_find(sctpa->tracker, packet->assoc), end, end);
    unsigned of_end = packet->from == end ? SCTPA_STAMP_DATA : SCTPA_STAMP_SACK;
    return tap && stamp->holds & of_end && sctpa_tap_data_has(tap, sctpa_stamp_interface(stamp));
}

bool sctpa_packet_is_near(const sctpa_t *sctpa, const sctpa_packet_result_t *packet, uint8_t end)
{
    if (packet->assoc == SCTPA_NO_ASSOC || packet->remarks & SCTPA_CAPTURE_STRAY)
        return false;
    const sctpa_tap_data_t *tap = sctpa_near_tap(sctpa_tracked_find(sctpa->tracker, packet->assoc), end, end);
    return tap ? sctpa_tap_data_has(tap, sctpa_stamp_interface(sctpa_packet_stamp(sctpa, packet->index)))
               : !(packet->remarks & SCTPA_CAPTURE_DUPLICATE);
}

/* What sctpa_packet_shows says, at once for nearly all packets: those that are no duplicates. */
static inline bool shows(const sctpa_t *sctpa, const sctpa_packet_result_t *packet, uint8_t end)
{
    return (packet->assoc != SCTPA_NO_ASSOC && !(packet->remarks & SCTPA_CAPTURE_UNCOUNTED)) ||
           sctpa_packet_shows(sctpa, packet, end);
}

/* The TSN of a chunk, and in *direction where: as the tap near its sender shows it, or near its receiver, where this
 * packet passed that alone. NULL: not tracked. */
static const sctpa_tsn_t *find_tsn(const sctpa_t *sctpa, const sctpa_packet_result_t *packet, const sctpa_tlv_t *chunk,
                                   const sctpa_direction_t **direction, int64_t *number)
{
    const uint32_t serial = sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN);
    const sctpa_direction_t *at_sender = sctpa_direction(sctpa, packet->assoc, packet->from);
    const sctpa_tsn_t *tsn = at_sender ? sctpa_direction_tsn_in(at_sender, serial, packet->index, number) : NULL;
    *direction = at_sender;
    if (tsn)
        return tsn;
    *direction = sctpa_direction_at_receiver(sctpa, packet->assoc, packet->from);
    return *direction && *direction != at_sender ? sctpa_direction_tsn_in(*direction, serial, packet->index, number)
                                                 : NULL;
}

/* Fills what sctpa_data_result says beside its tsn, which is given, of a TSN's transmission in packet. False: it was
 * not in it. O(log transmissions). */
static bool transmission_result(const sctpa_t *sctpa, const sctpa_direction_t *direction, const sctpa_tsn_t *tsn,
                                uint32_t packet, sctpa_data_result_t *result)
{
    const sctpa_rtx_t *rtx;
    result->transmission = sctpa_direction_transmission(direction, tsn, packet, &rtx);
    result->first_frame = sctpa_packet_frame(sctpa, tsn->first_packet);
    result->gap_frame = sctpa_packet_frame(sctpa, tsn->gap_packet);
    result->ack_frame = sctpa_packet_frame(sctpa, tsn->ack_packet);
    result->is_other_message = rtx && rtx->is_other_message;
    if (result->transmission == 1 &&
        sctpa_direction_is_missing(direction, result->tsn, tsn,
                                   sctpa_direction_is_given_up(direction, result->tsn, tsn)))
        result->missing_bytes = tsn->bytes;
    if (rtx && sctpa_rtx_counts(direction, result->tsn, rtx))
        fill_retransmission(sctpa, direction, tsn, rtx, result);
    return result->transmission > 0;
}

bool sctpa_data_result(const sctpa_t *sctpa, const sctpa_packet_result_t *packet, const sctpa_tlv_t *chunk,
                       sctpa_data_result_t *result)
{
    const sctpa_direction_t *direction;
    if (!sctpa_tlv_is_data(chunk) || !sctpa_tlv_has(chunk, SCTPA_F_DATA_TSN) || !shows(sctpa, packet, packet->from))
        return false;
    *result = (sctpa_data_result_t){ 0 };
    const sctpa_tsn_t *tsn = find_tsn(sctpa, packet, chunk, &direction, &result->tsn);
    if (!tsn)
        return false;
    transmission_result(sctpa, direction, tsn, packet->index, result);
    return true;
}

uint32_t sctpa_waits_since(const sctpa_t *sctpa, uint32_t assoc, uint8_t end)
{
    const sctpa_direction_t *sent = sctpa_direction(sctpa, assoc, end);
    if (!sent || sent->flight_bytes == 0 || sctpa_assoc_is_data_only(sctpa_assoc(sctpa, assoc)))
        return SCTPA_NO_PACKET_INDEX;
    const uint32_t n = sent->acked.len;
    const uint32_t ack = n > 0 ? SCTPA_RECORD(&sent->acked, sctpa_acked_t, n - 1).packet : SCTPA_NO_PACKET_INDEX;
    const sctpa_tsn_t *oldest = sctpa_direction_tsn(sent, sent->cum_tsn + 1);
    if (!oldest)
        return ack;
    return ack == SCTPA_NO_PACKET_INDEX ? oldest->first_packet : MAX(ack, oldest->first_packet);
}

bool sctpa_sack_result(const sctpa_t *sctpa, const sctpa_packet_result_t *packet, const sctpa_tlv_t *chunk,
                       uint16_t order, sctpa_sack_result_t *result)
{
    const sctpa_direction_t *direction = sctpa_direction(sctpa, packet->assoc, !packet->from);
    sctpa_sack_t sack;
    if (!direction || !shows(sctpa, packet, !packet->from) || !sctpa_sack_parse(chunk, &sack))
        return false;
    const sctpa_acked_t *acked = sctpa_direction_acked(direction, packet->index, order);
    if (!acked) { /* it had not arrived yet */
        const sctpa_direction_t *at_receiver = sctpa_direction_at_receiver(sctpa, packet->assoc, !packet->from);
        acked = at_receiver != direction ? sctpa_direction_acked(at_receiver, packet->index, order) : NULL;
    }
    *result = (sctpa_sack_result_t){ .missing = sctpa_sack_missing(&sack), .delay_ns = -1 };
    if (!acked)
        return true;
    result->first_frame = sctpa_packet_frame(sctpa, acked->first_packet);
    result->last_frame = sctpa_packet_frame(sctpa, acked->last_packet);
    result->new_chunks = acked->chunks;
    result->new_bytes = acked->bytes;
    if (acked->oldest_packet != SCTPA_NO_PACKET_INDEX)
        result->delay_ns =
            sctpa_packet_time_ns(sctpa, acked->packet) - sctpa_packet_time_ns(sctpa, acked->oldest_packet);
    return true;
}

static void take_samples(const sctpa_direction_t *direction, uint32_t index, sctpa_flow_result_t *result)
{
    uint32_t n, first;
    if (!direction)
        return;
    first = sctpa_direction_samples(direction, index, &n);
    for (uint32_t i = 0; i < n && result->n_rtts < SCTPA_PACKET_SAMPLES_MAX; i++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(&direction->samples, sctpa_sample_t, first + i);
        if (sample->kind != SCTPA_SAMPLE_BACKOFF)
            result->rtt_ns[result->n_rtts++] = sctpa_direction_elapsed_ns(direction, sample);
    }
}

bool sctpa_flow_result(const sctpa_t *sctpa, const sctpa_packet_result_t *packet, sctpa_flow_result_t *result)
{
    const sctpa_stamp_t *stamp = &g_array_index(sctpa->tracker->store.stamps, sctpa_stamp_t, packet->index);
    const uint8_t sender = stamp->holds & SCTPA_STAMP_DATA ? packet->from : !packet->from;
    const bool shows_flow = shows(sctpa, packet, sender);
    if (!shows_flow && !sctpa_packet_shows(sctpa, packet, !sender))
        return false;
    *result = shows_flow ? (sctpa_flow_result_t){ stamp->flight_bytes, stamp->peer_window_bytes, 0, { 0 } }
                         : (sctpa_flow_result_t){ SCTPA_NO_BYTES, SCTPA_NO_BYTES, 0, { 0 } };
    take_samples(sctpa_direction(sctpa, packet->assoc, !packet->from), packet->index, result);
    return true;
}

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
    if (!found || !transmission_result(sctpa, direction, found, packet, &result->sent))
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
