/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The public functions that say what one packet did: TSNs, acknowledgements, round trips, flight, events. */
#include "analysis.h"

#include "base/records.h"
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

bool sctpa_transmission_result(const sctpa_t *sctpa, const sctpa_direction_t *direction, const sctpa_tsn_t *tsn,
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
    sctpa_transmission_result(sctpa, direction, tsn, packet->index, result);
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
