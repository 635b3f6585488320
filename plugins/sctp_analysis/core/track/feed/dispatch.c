/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hands every chunk that is about data to the directions of its association: DATA to the sender's, SACK to the
 * receiver's peer's. Leaves what they make of it to data/. */
#include "feed_parts.h"
#include "path_states.h"
#include "track/endpoints.h"
#include "track/identity/half_matching.h"
#include "track/tracker.h"

enum { QUOTED_AT = 16 }; /* of a PKTDROP: the dropped packet begins here (draft-stewart-sctp-pktdrprep 3) */

/* A packet whose chunks are being handed on, and what is noted of the directions before they change. */
typedef struct {
    sctpa_tracker_t *tracker;
    sctpa_tracked_t *tracked;
    sctpa_tap_data_t *tap; /* the tap of two for which they are; NULL: for the association */
    sctpa_flow_t *flow;
    sctpa_place_in_capture_t place;
    bool has_data, has_sack, has_shutdown;
    sctpa_data_marks_t sent_before;
    uint32_t acked_before;
    uint64_t missed_before;
} dispatch_t;

/* The side of the packet's sender, or of its peer. */
static sctpa_side_t *side_of(const dispatch_t *dispatch, bool of_peer)
{
    sctpa_side_t *sides = dispatch->tap ? dispatch->tap->sides : dispatch->tracked->sides;
    return &sides[dispatch->flow->from ^ of_peer];
}

/* The data that the packet's sender sends, or acknowledges; NULL none so far. */
static sctpa_direction_t *known(const dispatch_t *dispatch, bool acked)
{
    if (dispatch->tap)
        return side_of(dispatch, acked)->sent;
    sctpa_flow_t *flow = dispatch->flow;
    uint32_t *number = acked ? &flow->acked : &flow->sent;
    if (*number > 0)
        return sctpa_pool_at(&dispatch->tracker->store.directions, *number - 1);
    sctpa_direction_t *direction = dispatch->tracked->sides[flow->from ^ acked].sent;
    if (direction)
        *number = direction->serial + 1;
    return direction;
}

/* The same, made when new. */
static sctpa_direction_t *direction_of(const dispatch_t *dispatch, bool acked)
{
    sctpa_direction_t *direction = known(dispatch, acked);
    return direction ? direction
                     : sctpa_path_place_make_sent(dispatch->tracker, dispatch->tracked, dispatch->tap,
                                                  dispatch->flow->from ^ acked);
}

/* Where the RTT from the tap to the sender of the data is kept: the packet's sender, or of a SACK its peer. */
static const sctpa_tap_rtt_t *sender_tap_rtt(const dispatch_t *dispatch, bool of_peer)
{
    return &side_of(dispatch, of_peer)->peer_tap_rtt;
}

/* TSNs that were acknowledged and never seen, though the capture holds the sender's packets whole. */
static uint64_t missed(const sctpa_direction_t *acked)
{
    return acked && !acked->truncated ? acked->rare->unseen_acked : 0;
}

static void before_data(dispatch_t *dispatch, const sctpa_direction_t *sent)
{
    if (dispatch->has_data)
        return;
    dispatch->has_data = true;
    dispatch->sent_before = (sctpa_data_marks_t){ sent->highest, sent->rare->rtx.len, sent->samples.len };
    dispatch->place.sender_tap_rtt = sender_tap_rtt(dispatch, true);
}

static void before_sack(dispatch_t *dispatch, const sctpa_direction_t *acked)
{
    if (dispatch->has_sack || dispatch->has_shutdown)
        return;
    dispatch->acked_before = acked->acked.len;
    dispatch->missed_before = missed(acked);
}

static void take_quoted(sctpa_direction_t *direction, const sctpa_tlv_t *pktdrop)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk;
    if (pktdrop->captured_bytes <= QUOTED_AT)
        return;
    sctpa_chunks_begin(&iter, pktdrop->bytes + QUOTED_AT, pktdrop->captured_bytes - QUOTED_AT,
                       pktdrop->wire_bytes - QUOTED_AT);
    while (sctpa_tlv_next(&iter, &chunk))
        if (sctpa_tlv_is_data(&chunk))
            sctpa_direction_report(direction, &chunk);
}

/* Until COOKIE ACK, DATA that was bundled with COOKIE ECHO waits for T1-cookie and not for its own timer (RFC 9260 5.1
 * C). */
static void restart_timers(const dispatch_t *dispatch)
{
    for (unsigned acked = 0; acked < 2; acked++) {
        sctpa_direction_t *direction = known(dispatch, acked);
        if (direction)
            sctpa_direction_restart_timers(direction, dispatch->place.time_ns);
    }
}

void sctpa_dispatch_announced(sctpa_tracked_t *tracked, uint8_t from, uint32_t initial_tsn, uint32_t a_rwnd_bytes)
{
    sctpa_side_t *own = &tracked->sides[from], *peer = &tracked->sides[!from];
    own->has_initial = peer->has_window = true;
    own->initial_tsn = initial_tsn;
    peer->window_bytes = a_rwnd_bytes;
    if (own->sent)
        sctpa_direction_announce(own->sent, own->initial_tsn);
    if (peer->sent)
        sctpa_direction_window(peer->sent, peer->window_bytes);
}

/* What INIT or INIT ACK announces of the data that each end sends is kept for when there is some. */
static void take_announcement(const dispatch_t *dispatch, const sctpa_tlv_t *chunk)
{
    if (!sctpa_tlv_has(chunk, SCTPA_F_INIT_TSN) || dispatch->tracked->established ||
        sctpa_setup_is_discarded(dispatch->tracked, dispatch->flow->from, chunk))
        return;
    sctpa_dispatch_announced(dispatch->tracked, dispatch->flow->from, sctpa_tlv_u32(chunk, SCTPA_F_INIT_TSN),
                             sctpa_tlv_u32(chunk, SCTPA_F_INIT_A_RWND));
}

static void take_data(dispatch_t *dispatch, sctpa_observed_t *observed)
{
    sctpa_direction_t *sent = direction_of(dispatch, false);
    before_data(dispatch, sent);
    observed->sent = sctpa_direction_data(sent, &observed->tlv, &dispatch->place);
    const sctpa_rtx_t *rtx = sctpa_observed_rtx(observed, sent);
    dispatch->tracker->has_reused_tsn |= rtx && rtx->is_other_message;
}

/* What is acknowledged was sent by the peer: back is what comes from here. */
static void take_sack(dispatch_t *dispatch, sctpa_observed_t *observed)
{
    sctpa_direction_t *acked = direction_of(dispatch, true);
    sctpa_place_in_capture_t place = dispatch->place;
    uint32_t sacks_before = acked->sacks.len;
    before_sack(dispatch, acked);
    dispatch->has_sack = true;
    place.sender_tap_rtt = sender_tap_rtt(dispatch, false);
    observed->acked = sctpa_direction_sack(acked, &observed->tlv, &place);
    observed->sack = acked->sacks.len > sacks_before ? acked->sacks.len : 0;
    dispatch->place.order++;
}

static void take_shutdown(dispatch_t *dispatch, const sctpa_tlv_t *chunk)
{
    const sctpa_side_t *peer = &dispatch->tracked->sides[!dispatch->flow->from];
    sctpa_place_in_capture_t place = dispatch->place;
    bool is_of_data = known(dispatch, true) ||
                      (peer->has_initial && sctpa_tlv_u32(chunk, SCTPA_F_SHUTDOWN_CUM_TSN) + 1 != peer->initial_tsn);
    if (!is_of_data || !sctpa_tlv_has(chunk, SCTPA_F_SHUTDOWN_CUM_TSN))
        return;
    sctpa_direction_t *acked = direction_of(dispatch, true);
    before_sack(dispatch, acked);
    dispatch->has_shutdown = true;
    place.sender_tap_rtt = sender_tap_rtt(dispatch, false);
    sctpa_direction_shutdown(acked, sctpa_tlv_u32(chunk, SCTPA_F_SHUTDOWN_CUM_TSN), &place);
}

/* RE_CONFIG speaks of TSNs, and may reset them, also those of an end that has sent no data. */
static void begin_numbers(const dispatch_t *dispatch)
{
    for (uint8_t end = 0; end < 2; end++)
        if (dispatch->tracked->sides[end].has_initial)
            sctpa_path_place_make_sent(dispatch->tracker, dispatch->tracked, NULL, end);
}

static void take_chunk(dispatch_t *dispatch, sctpa_observed_t *observed)
{
    const sctpa_tlv_t *chunk = &observed->tlv;
    switch (chunk->type) {
    case SCTPA_CHUNK_DATA:
    case SCTPA_CHUNK_I_DATA: take_data(dispatch, observed); break;
    case SCTPA_CHUNK_SACK:
    case SCTPA_CHUNK_NR_SACK: take_sack(dispatch, observed); break;
    case SCTPA_CHUNK_SHUTDOWN: take_shutdown(dispatch, chunk); break;
    case SCTPA_CHUNK_FORWARD_TSN:
    case SCTPA_CHUNK_I_FORWARD_TSN:
        if (sctpa_tlv_has(chunk, SCTPA_F_FORWARD_TSN_NEW_CUM))
            sctpa_direction_forward(direction_of(dispatch, false), sctpa_tlv_u32(chunk, SCTPA_F_FORWARD_TSN_NEW_CUM),
                                    dispatch->place.packet);
        break;
    case SCTPA_CHUNK_INIT:
    case SCTPA_CHUNK_INIT_ACK: take_announcement(dispatch, chunk); break;
    case SCTPA_CHUNK_COOKIE_ECHO:
    case SCTPA_CHUNK_COOKIE_ACK: restart_timers(dispatch); break;
    case SCTPA_CHUNK_RE_CONFIG: begin_numbers(dispatch); break;
    case SCTPA_CHUNK_PKTDROP: take_quoted(direction_of(dispatch, true), chunk); break;
    default: break;
    }
}

/* The path from the packet's destination to where it came from. */
static uint16_t back_path_of(const dispatch_t *dispatch, const sctpa_input_t *input)
{
    sctpa_flow_t *flow = dispatch->flow;
    if (flow->back_path == SCTPA_NO_PATH)
        flow->back_path = sctpa_end_find_path(&dispatch->tracked->assoc.ends[!flow->from], &input->packet->source);
    return flow->back_path;
}

/* What is outstanding after the packet: of the sender's data where it went, or of the data that it acknowledged. */
static void stamp(const dispatch_t *dispatch, const sctpa_input_t *input)
{
    const sctpa_direction_t *direction = known(dispatch, !dispatch->has_data);
    sctpa_stamp_t *stamp = &g_array_index(dispatch->tracker->store.stamps, sctpa_stamp_t, input->index);
    uint16_t path = dispatch->has_data ? dispatch->flow->path : back_path_of(dispatch, input);
    if (path < direction->paths.len)
        stamp->flight_bytes =
            (uint32_t)MIN(SCTPA_RECORD(&direction->paths, sctpa_data_path_t, path).flight_bytes, UINT32_MAX - 1);
    if (direction->has_a_rwnd)
        stamp->peer_window_bytes =
            direction->a_rwnd_bytes - (uint32_t)MIN(direction->flight_bytes, direction->a_rwnd_bytes);
}

/* A packet whose checksum is wrong was damaged on its way, when its sender is known to make right ones: nobody took it.
 */
static bool is_damaged(const dispatch_t *dispatch, sctpa_checksum_t checksum)
{
    sctpa_flow_t *flow = dispatch->flow;
    sctpa_side_t *side = &dispatch->tracked->sides[flow->from];
    if (!flow->good_checksums && (checksum == SCTPA_CHECKSUM_CRC32C || checksum == SCTPA_CHECKSUM_ADLER32))
        flow->good_checksums = side->good_checksums = true;
    return checksum == SCTPA_CHECKSUM_BAD && side->good_checksums;
}

/* Does the packet hold DATA, as far as it was captured? One that was cut between chunks, or in the head of one, may
 * hold some beyond. */
static bool may_hold_data(const sctpa_input_t *input)
{
    const sctpa_packet_t *packet = input->packet;
    return input->observation->rows & SCTPA_DATA_ROWS ||
           (packet->captured_bytes < packet->wire_bytes && input->observation->wire_left > 0);
}

/* A packet without DATA: the capture and its association hold such. Asked until the association is known to. */
static void note_without_data(const dispatch_t *dispatch, const sctpa_input_t *input)
{
    sctpa_flow_t *flow = dispatch->flow;
    sctpa_assoc_t *assoc = &dispatch->tracked->assoc;
    if (sctpa_assoc_is_data_only(assoc) && !may_hold_data(input))
        assoc->ends[flow->from].sent_without_data = dispatch->tracker->holds_more = true;
    flow->has_more = !sctpa_assoc_is_data_only(assoc);
}

static void note_truncated(sctpa_side_t *side)
{
    side->truncated = true;
    if (side->sent)
        side->sent->truncated = true;
}

/* What the chunks showed of the paths. */
static void follow_paths(const dispatch_t *dispatch, const sctpa_input_t *input)
{
    sctpa_flow_t *flow = dispatch->flow;
    const sctpa_direction_t *acked = dispatch->has_sack ? known(dispatch, true) : NULL;
    const sctpa_path_place_t place = { dispatch->tracker, dispatch->tracked, dispatch->tap, input };
    if (acked && acked->watched && acked->acked.len > dispatch->acked_before)
        sctpa_failover_answers(&place, !flow->from, dispatch->acked_before);
    if (dispatch->has_data)
        sctpa_failover_data(&place, known(dispatch, false), flow->from, flow->path, &dispatch->sent_before);
}

bool sctpa_dispatch_packet(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, sctpa_flow_t *flow,
                           const sctpa_input_t *input, sctpa_checksum_t checksum)
{
    const sctpa_packet_t *packet = input->packet;
    dispatch_t dispatch = { tracker,
                            tracked,
                            NULL,
                            flow,
                            { .packet = input->index, .time_ns = packet->time_ns, .path = flow->path },
                            .has_data = false };
    if (is_damaged(&dispatch, checksum))
        return false;
    if (!flow->has_more)
        note_without_data(&dispatch, input);
    dispatch.place.data_only = !tracker->holds_more;
    for (uint32_t i = 0; i < input->observation->n; i++)
        take_chunk(&dispatch, &input->observation->chunks[i]);
    g_array_index(tracker->store.stamps, sctpa_stamp_t, input->index).holds |=
        (dispatch.has_data ? SCTPA_STAMP_DATA : 0) | (dispatch.has_sack ? SCTPA_STAMP_SACK : 0) |
        (packet->fragmented ? SCTPA_STAMP_FRAGMENTED : 0);
    if (dispatch.has_data || dispatch.has_sack) {
        follow_paths(&dispatch, input);
        if (!dispatch.place.data_only)
            stamp(&dispatch, input);
    }
    if (packet->captured_bytes < packet->wire_bytes)
        note_truncated(&tracked->sides[flow->from]);
    return (dispatch.has_sack || dispatch.has_shutdown) && missed(known(&dispatch, true)) > dispatch.missed_before;
}

/* What was announced is the association's; two_taps_data.c resets TSNs. */
static void take_chunk_at_tap(dispatch_t *dispatch, const bool has_begun[2], const sctpa_input_t *input,
                              const sctpa_tlv_t *chunk)
{
    const sctpa_path_place_t place = { dispatch->tracker, dispatch->tracked, dispatch->tap, input };
    sctpa_observed_t seen = { .tlv = *chunk };
    bool is_of_sender = sctpa_tlv_is_data(chunk) || chunk->type == SCTPA_CHUNK_HEARTBEAT ||
                        chunk->type == SCTPA_CHUNK_FORWARD_TSN || chunk->type == SCTPA_CHUNK_I_FORWARD_TSN;
    if (!has_begun[dispatch->flow->from ^ !is_of_sender])
        return;
    switch (chunk->type) {
    case SCTPA_CHUNK_INIT:
    case SCTPA_CHUNK_INIT_ACK:
    case SCTPA_CHUNK_RE_CONFIG: return;
    case SCTPA_CHUNK_HEARTBEAT:
    case SCTPA_CHUNK_HEARTBEAT_ACK:
        sctpa_heartbeat_chunk(&place, dispatch->flow->from, dispatch->flow->path, chunk);
        return;
    default: take_chunk(dispatch, &seen); return;
    }
}

void sctpa_dispatch_at_tap(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, sctpa_tap_data_t *tap,
                           const bool has_begun[2], const sctpa_record_t *record, const sctpa_input_t *input)
{
    const sctpa_packet_t *packet = input->packet;
    sctpa_flow_t flow = { .from = record->from, .path = record->path, .back_path = SCTPA_NO_PATH };
    dispatch_t dispatch = { tracker,
                            tracked,
                            tap,
                            &flow,
                            { .packet = input->index, .time_ns = packet->time_ns, .path = record->path },
                            .has_data = false };
    if (record->checksum == SCTPA_CHECKSUM_BAD && tracked->sides[record->from].good_checksums)
        return;
    dispatch.place.data_only = !tracker->holds_more;
    for (uint32_t i = 0; i < input->observation->n; i++)
        take_chunk_at_tap(&dispatch, has_begun, input, &input->observation->chunks[i].tlv);
    g_array_index(tracker->store.stamps, sctpa_stamp_t, input->index).holds |=
        (dispatch.has_data ? SCTPA_STAMP_DATA : 0) | (dispatch.has_sack ? SCTPA_STAMP_SACK : 0) |
        (packet->fragmented ? SCTPA_STAMP_FRAGMENTED : 0);
    if (dispatch.has_data || dispatch.has_sack) {
        follow_paths(&dispatch, input);
        if (!dispatch.place.data_only)
            stamp(&dispatch, input);
    }
    if (packet->captured_bytes < packet->wire_bytes)
        note_truncated(&tap->sides[record->from]);
}
