/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which HEARTBEAT an answer belongs to, and how many went without. Leaves to failover.h what that shows of a path. */
#include "heartbeats.h"

#include "track/endpoints.h"
#include "track/identity/half_matching.h"
#include "track/tracker.h"
#include "failover.h"

enum {
    FIRST_HEARTBEATS = 2,       /* of a path: the time between them may be that of its confirmation */
    PLAIN_HEARTBEAT_BYTES = 300 /* of one that probes no PMTU, at most */
};

/* The path of an end whose last HEARTBEAT, or the one before, carried this info; SCTPA_NO_PATH none. */
static uint16_t asked_path(const sctpa_path_place_t *place, uint8_t asker, uint64_t info)
{
    const uint16_t n = place->tap ? (uint16_t)place->tap->n_probing[asker] : place->tracked->assoc.ends[asker].n_paths;
    for (uint16_t i = 0; info != 0 && i < n; i++) {
        const sctpa_probing_t *probing = sctpa_path_place_probing(place, asker, i);
        if (probing->heartbeat_hash == info || probing->heartbeat_before == info)
            return i;
    }
    return SCTPA_NO_PATH;
}

/* When the last HEARTBEAT to a path left that was not answered, -1 none. */
static int64_t asked_ns(const sctpa_direction_t *direction, uint16_t path)
{
    const sctpa_data_path_t *known = sctpa_direction_known_path(direction, path);
    uint32_t packet = known ? known->heartbeat_packet : SCTPA_NO_PACKET_INDEX;
    return packet == SCTPA_NO_PACKET_INDEX ? -1 : sctpa_direction_time_ns(direction, packet);
}

/* A HEARTBEAT that probes the PMTU may be too large for the path (RFC 8899, RFC 9260 8.3). */
static bool probes_pmtu(const sctpa_input_t *input, const sctpa_tlv_t *heartbeat)
{
    return input->observation->rows & SCTPA_ROW(PAD) || heartbeat->wire_bytes > PLAIN_HEARTBEAT_BYTES;
}

static void note_gap(sctpa_probing_t *probing, const sctpa_data_path_t *path, int64_t time_ns)
{
    const int64_t gap_ns = time_ns - probing->heartbeat_ns;
    const bool is_usual = probing->heartbeats > FIRST_HEARTBEATS && probing->heartbeat_before == 0 && path &&
                          !sctpa_data_path_is_used_since(path, probing->heartbeat_ns);
    if (is_usual && gap_ns > 0) {
        probing->least_gap_ns = probing->least_gap_ns == 0 ? gap_ns : MIN(probing->least_gap_ns, gap_ns);
        probing->most_gap_ns = MAX(probing->most_gap_ns, gap_ns);
    }
    probing->heartbeat_ns = time_ns;
}

static void on_heartbeat(const sctpa_path_place_t *place, uint8_t from, uint16_t number, const sctpa_tlv_t *chunk)
{
    sctpa_probing_t *probing = sctpa_path_place_own_probing(place, from, number);
    sctpa_direction_t *direction = sctpa_path_place_make_sent(place->tracker, place->tracked, place->tap, from);
    probing->heartbeats++;
    probing->heartbeats_lost += probing->heartbeat_hash != 0;
    probing->heartbeat_before = probing->heartbeat_hash;
    probing->heartbeat_hash = sctpa_heartbeat_hash(place->tracker, chunk);
    const bool was_probe = probing->probes_pmtu;
    probing->probes_pmtu = probes_pmtu(place->input, chunk);
    sctpa_failover_heartbeat(place, from, number, probing->heartbeat_before ? asked_ns(direction, number) : -1,
                             !was_probe && !probing->probes_pmtu);
    note_gap(probing, sctpa_direction_known_path(direction, number), place->input->packet->time_ns);
    sctpa_direction_heartbeat(direction, number, place->input->index);
}

static void note_unasked(const sctpa_path_place_t *place, uint8_t from, uint64_t info)
{
    if (info == 0 || place->tap)
        return;
    sctpa_end_rare(place->tracked, from)->unasked_frame = place->input->packet->frame;
    sctpa_end_rare(place->tracked, from)->unasked_ns = place->input->packet->time_ns;
}

/* The HEARTBEAT to a path of an endpoint that was not answered is, by the packet, where that comes from its address. */
static void note_rtt(const sctpa_path_place_t *place, uint8_t asker, uint16_t number)
{
    sctpa_path_t *path = &place->tracked->assoc.ends[asker].paths[number];
    const sctpa_direction_t *direction = sctpa_path_place_sent(place, asker);
    const int64_t ns = direction ? asked_ns(direction, number) : -1;
    if (ns >= 0 && sctpa_addr_equal(path->destination, &place->input->packet->source))
        sctpa_path_note_rtt(path, place->input->packet->time_ns - ns);
}

static void on_heartbeat_ack(const sctpa_path_place_t *place, uint8_t asker, const sctpa_tlv_t *chunk)
{
    sctpa_side_t *sides = place->tap ? place->tap->sides : place->tracked->sides;
    const uint64_t info = sctpa_heartbeat_hash(place->tracker, chunk);
    const uint16_t number = asked_path(place, asker, info);
    if (number == SCTPA_NO_PATH) {
        note_unasked(place, !asker, info);
        return;
    }
    sctpa_probing_t *probing = sctpa_path_place_own_probing(place, asker, number);
    probing->heartbeats_acked++;
    sctpa_failover_heartbeat_ack(place, asker, number);
    if (probing->heartbeat_hash != info) {
        probing->heartbeats_lost--;
        probing->heartbeat_before = 0;
        return;
    }
    probing->heartbeat_hash = 0;
    if (!place->tap)
        note_rtt(place, asker, number);
    sctpa_place_in_capture_t at = { .packet = place->input->index,
                                    .time_ns = place->input->packet->time_ns,
                                    .path = number,
                                    .data_only = !place->tracker->holds_more,
                                    .sender_tap_rtt = &sides[!asker].peer_tap_rtt };
    sctpa_direction_heartbeat_ack(sctpa_path_place_make_sent(place->tracker, place->tracked, place->tap, asker), number,
                                  &at);
}

void sctpa_heartbeat_chunk(const sctpa_path_place_t *place, uint8_t from, uint16_t path, const sctpa_tlv_t *chunk)
{
    if (chunk->type == SCTPA_CHUNK_HEARTBEAT)
        on_heartbeat(place, from, path, chunk);
    else if (chunk->type == SCTPA_CHUNK_HEARTBEAT_ACK)
        on_heartbeat_ack(place, !from, chunk);
}
