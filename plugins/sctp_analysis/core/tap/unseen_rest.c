/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares what an endpoint shows of its peer with the last packets of that. */
#include "unseen_rest.h"

#include "track/flow.h"
#include "track/packet.h"
#include "track/tracker.h"

static const sctpa_unseen_rest_t none = { SCTPA_UNSEEN_NONE, 0, 0 };

/* Of an endpoint all packets of which are of the set-up, up to its INIT ACK. */
static sctpa_unseen_rest_t after_init_ack(const sctpa_assoc_t *assoc, uint8_t endpoint, const sctpa_counts_t *sent)
{
    const sctpa_setup_t *setup = &assoc->setup;
    const bool is_shown = assoc->went_on_frame > 0 && setup->steps[SCTPA_STEP_COOKIE_ECHO].by != endpoint;
    return is_shown ? (sctpa_unseen_rest_t){ SCTPA_UNSEEN_SET_UP, sent->last_frame, assoc->went_on_frame } : none;
}

static uint32_t frame_of(const sctpa_tracker_t *tracker, uint32_t packet)
{
    return g_array_index(tracker->records, sctpa_record_t, packet).frame;
}

/* acked: what its peer sent. Who goes on after an ABORT has nobody that answers. */
static sctpa_unseen_rest_t after_last_sack(const sctpa_tracker_t *tracker, const sctpa_assoc_t *assoc,
                                           const sctpa_direction_t *acked)
{
    if (!acked || acked->rare->unseen_ack_packet == 0)
        return none;
    const uint32_t n = acked->sacks.len, shown = acked->rare->unseen_ack_packet,
                   last = n > 0 ? SCTPA_RECORD(&acked->sacks, sctpa_sack_record_t, n - 1).packet : 0;
    const bool is_ended = assoc->end_frame > 0 && frame_of(tracker, shown) > assoc->end_frame;
    return last < shown && !is_ended ? (sctpa_unseen_rest_t){ SCTPA_UNSEEN_SACKS, n > 0 ? frame_of(tracker, last) : 0,
                                                              frame_of(tracker, shown) }
                                     : none;
}

/* A HEARTBEAT ACK that answers no HEARTBEAT of the capture, later than the network doubles or delays one, where more
 * were answered than the capture holds. */
static sctpa_unseen_rest_t after_heartbeats(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked,
                                            uint8_t endpoint, const sctpa_counts_t *sent)
{
    const sctpa_end_rare_t *peer = tracked->assoc.ends[!endpoint].rare;
    sctpa_counts_copy_t answers;
    if (peer->unasked_frame == 0 ||
        peer->unasked_ns - sent->last_ns <= sctpa_tap_under_way_ns(tracked->sides[endpoint].peer_tap_rtt))
        return none;
    sctpa_flows_end_counts(tracker, &tracked->assoc.ends[!endpoint], &answers);
    const bool is_more = sctpa_counts_chunks(&answers.counts, SCTPA_CHUNK_ROW_HEARTBEAT_ACK) >
                         sctpa_counts_chunks(sent, SCTPA_CHUNK_ROW_HEARTBEAT);
    return is_more ? (sctpa_unseen_rest_t){ SCTPA_UNSEEN_HEARTBEATS, sent->last_frame, peer->unasked_frame } : none;
}

sctpa_unseen_rest_t sctpa_tap_unseen_rest(const sctpa_tracker_t *tracker, const sctpa_assoc_t *assoc, uint8_t endpoint)
{
    const sctpa_tracked_t *tracked = (const sctpa_tracked_t *)assoc;
    sctpa_counts_copy_t sent;
    if (assoc->merged_into != SCTPA_NO_ASSOC || assoc->ends[endpoint].n_pairs == 0 || sctpa_assoc_is_data_only(assoc))
        return none;
    sctpa_flows_end_counts(tracker, &assoc->ends[endpoint], &sent);
    const bool ends_in_set_up = sent.counts.packets <= sctpa_counts_chunks(&sent.counts, SCTPA_CHUNK_ROW_INIT) +
                                                           sctpa_counts_chunks(&sent.counts, SCTPA_CHUNK_ROW_INIT_ACK);
    if (ends_in_set_up)
        return after_init_ack(assoc, endpoint, &sent.counts);
    const sctpa_unseen_rest_t sacks = after_last_sack(tracker, assoc, tracked->sides[!endpoint].sent);
    return sacks.kind != SCTPA_UNSEEN_NONE ? sacks : after_heartbeats(tracker, tracked, endpoint, &sent.counts);
}

/* Did the peer of an endpoint send a SACK of its data, or packets between more addresses than it sent INITs and INIT
 * ACKs? O(1). */
static bool has_sent_more(const sctpa_assoc_t *assoc, uint8_t endpoint)
{
    const sctpa_direction_t *sent = ((const sctpa_tracked_t *)assoc)->sides[endpoint].sent;
    const sctpa_setup_t *setup = &assoc->setup;
    return (sent && sent->sacks.len > 0) ||
           assoc->ends[!endpoint].n_pairs >
               setup->steps[SCTPA_STEP_INIT].count + setup->steps[SCTPA_STEP_INIT_ACK].count;
}

bool sctpa_tap_lacks_acks(const sctpa_tracker_t *tracker, const sctpa_assoc_t *assoc, uint8_t endpoint)
{
    return sctpa_assoc_is_data_only(assoc) ||
           (assoc->went_on_frame > 0 && !has_sent_more(assoc, endpoint) &&
            sctpa_tap_unseen_rest(tracker, assoc, !endpoint).kind == SCTPA_UNSEEN_SET_UP);
}
