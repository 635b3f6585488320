/* Hands every chunk that is about data to the directions of its association: DATA to the sender's, SACK to the receiver's peer's.
 * Leaves what they make of it to data/. */
#include "tracker.h"

enum { QUOTED_AT = 16 };        /* of a PKTDROP: the dropped packet begins here (draft-stewart-sctp-pktdrprep 3) */

sctpa_direction_t *sctpa_side_sent(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t end)
{
    sctpa_side_t *side = &tracked->sides[end];
    if (!side->sent)
        side->sent = sctpa_direction_new(&tracker->store);
    return side->sent;
}

/* From the tap to an end and back, as far as its answers showed: -1 not known. */
static int64_t distance_ns(const sctpa_tracked_t *tracked, uint8_t end)
{
    const sctpa_direction_t *towards = tracked->sides[!end].sent;
    return towards ? towards->answer_min_ns : -1;
}

/* Where a chunk stands that is about the peer's data. */
static sctpa_place_in_capture_t place_for_peer(const sctpa_tracked_t *tracked, uint8_t from, const sctpa_place_in_capture_t *place)
{
    sctpa_place_in_capture_t answer = *place;
    answer.distance_ns = distance_ns(tracked, !from);
    return answer;
}

static void take_quoted(sctpa_direction_t *direction, const sctpa_tlv_t *pktdrop)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk;
    if (pktdrop->captured_bytes <= QUOTED_AT)
        return;
    sctpa_chunks_begin(&iter, pktdrop->bytes + QUOTED_AT, pktdrop->captured_bytes - QUOTED_AT, pktdrop->wire_bytes - QUOTED_AT);
    while (sctpa_tlv_next(&iter, &chunk))
        if (sctpa_tlv_is_data(&chunk))
            sctpa_direction_report(direction, &chunk);
}

static void take_announcement(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_tlv_t *chunk)
{
    if (!sctpa_tlv_has(chunk, SCTPA_F_INIT_TSN) || tracked->established)
        return;
    sctpa_direction_announce(sctpa_side_sent(tracker, tracked, from), sctpa_tlv_u32(chunk, SCTPA_F_INIT_TSN));
    sctpa_direction_window(sctpa_side_sent(tracker, tracked, !from), sctpa_tlv_u32(chunk, SCTPA_F_INIT_A_RWND));
}

static void take_chunk(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_tlv_t *chunk,
                       const sctpa_place_in_capture_t *place)
{
    sctpa_place_in_capture_t answer;
    switch (chunk->type) {
    case SCTPA_CHUNK_DATA:
    case SCTPA_CHUNK_I_DATA:
        sctpa_direction_data(sctpa_side_sent(tracker, tracked, from), chunk, place);
        break;
    case SCTPA_CHUNK_SACK:
    case SCTPA_CHUNK_NR_SACK:
        answer = place_for_peer(tracked, from, place);
        sctpa_direction_sack(sctpa_side_sent(tracker, tracked, !from), chunk, &answer);
        break;
    case SCTPA_CHUNK_SHUTDOWN:
        answer = place_for_peer(tracked, from, place);
        if (sctpa_tlv_has(chunk, SCTPA_F_SHUTDOWN_CUM_TSN) && tracked->sides[!from].sent)
            sctpa_direction_shutdown(tracked->sides[!from].sent, sctpa_tlv_u32(chunk, SCTPA_F_SHUTDOWN_CUM_TSN), &answer);
        break;
    case SCTPA_CHUNK_FORWARD_TSN:
    case SCTPA_CHUNK_I_FORWARD_TSN:
        if (sctpa_tlv_has(chunk, SCTPA_F_FORWARD_TSN_NEW_CUM))
            sctpa_direction_forward(sctpa_side_sent(tracker, tracked, from), sctpa_tlv_u32(chunk, SCTPA_F_FORWARD_TSN_NEW_CUM));
        break;
    case SCTPA_CHUNK_INIT:
    case SCTPA_CHUNK_INIT_ACK:
        take_announcement(tracker, tracked, from, chunk);
        break;
    case SCTPA_CHUNK_PKTDROP:
        take_quoted(sctpa_side_sent(tracker, tracked, !from), chunk);
        break;
    default:
        break;
    }
}

/* What is outstanding after the packet: of the sender's data where it went, or of the data that it acknowledged. */
static void stamp(sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t from, uint16_t path, const sctpa_input_t *input,
                  bool has_data)
{
    const sctpa_direction_t *direction = tracked->sides[has_data ? from : !from].sent;
    if (!direction)
        return;
    sctpa_stamp_t *stamp = &g_array_index(tracker->store.stamps, sctpa_stamp_t, input->index);
    if (!has_data)
        path = sctpa_end_find_path(&tracked->assoc.ends[!from], &input->packet->source);
    if (direction->paths && path < direction->paths->len)
        stamp->flight_bytes = (uint32_t)MIN(g_array_index(direction->paths, sctpa_data_path_t, path).flight_bytes, UINT32_MAX - 1);
    if (direction->has_a_rwnd)
        stamp->peer_window_bytes = direction->a_rwnd_bytes - (uint32_t)MIN(direction->flight_bytes, direction->a_rwnd_bytes);
}

/* A packet whose checksum is wrong was damaged on its way, when its sender is known to make right ones: nobody took it. */
static bool is_damaged(sctpa_side_t *side, sctpa_checksum_t checksum)
{
    if (checksum == SCTPA_CHECKSUM_CRC32C || checksum == SCTPA_CHECKSUM_ADLER32)
        side->good_checksums = true;
    return checksum == SCTPA_CHECKSUM_BAD && side->good_checksums;
}

/* TSNs of an end that were acknowledged and never seen, though the capture holds its packets whole. */
static uint64_t missed(const sctpa_side_t *side)
{
    return side->sent && !side->sent->truncated ? side->sent->unseen_acked : 0;
}

bool sctpa_carry_packet(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, uint16_t path, const sctpa_input_t *input,
                        sctpa_checksum_t checksum)
{
    sctpa_place_in_capture_t place = { .packet = input->index, .time_ns = input->packet->time_ns, .path = path,
                                       .distance_ns = distance_ns(tracked, from) };
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk;
    bool has_data = false, has_sack = false;
    sctpa_data_marks_t before = sctpa_data_marks(tracked, from);
    uint64_t missed_before = missed(&tracked->sides[!from]);
    if (is_damaged(&tracked->sides[from], checksum))
        return false;
    sctpa_chunks_begin(&iter, input->packet->bytes, input->packet->captured_bytes, input->packet->wire_bytes);
    while (sctpa_tlv_next(&iter, &chunk)) {
        take_chunk(tracker, tracked, from, &chunk, &place);
        place.order += sctpa_tlv_is_sack(&chunk);
        has_data |= sctpa_tlv_is_data(&chunk);
        has_sack |= sctpa_tlv_is_sack(&chunk);
    }
    g_array_index(tracker->store.stamps, sctpa_stamp_t, input->index).holds |=
        (has_data ? SCTPA_STAMP_DATA : 0) | (has_sack ? SCTPA_STAMP_SACK : 0) | (input->packet->fragmented ? SCTPA_STAMP_FRAGMENTED : 0);
    if (has_data || has_sack) {
        sctpa_failover_packet(tracker, tracked, from, path, input, before);
        stamp(tracker, tracked, from, path, input, has_data);
    }
    if (tracked->sides[from].sent && input->packet->captured_bytes < input->packet->wire_bytes)
        tracked->sides[from].sent->truncated = true;
    return missed(&tracked->sides[!from]) > missed_before;
}
