/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Round trips and the retransmission timeout that follows from them (RFC 9260 6.3.1); its timer is t3.c's.
 * One TSN per path is timed at once, so one sample per round trip; one that is sent again measures nothing, and neither
 * does one whose ack came when its sender must have had another. */
#include "base/numbers.h"
#include "direction_internal.h"
#include "rto.h"
#include "wire/types.h"

void sctpa_timing_goes_on(sctpa_direction_t *direction, const sctpa_place_in_capture_t *place)
{
    sctpa_data_path_t *path = sctpa_direction_path(direction, place->path);
    if (path->flight_bytes == 0 || !sctpa_timing_is_overdue(path, place))
        return;
    sctpa_direction_rare(direction)->unseen_acks++;
    sctpa_direction_rare(direction)->unseen_ack_packet = place->packet;
    sctpa_t3_take(path, SCTPA_T3_UNSEEN, place->packet, place->time_ns);
    path->timed_packet = SCTPA_NO_PACKET_INDEX;
}

void sctpa_timing_sent(sctpa_direction_t *direction, int64_t number, const sctpa_place_in_capture_t *place)
{
    sctpa_data_path_t *path = sctpa_direction_path(direction, place->path);
    if (path->timed_packet != SCTPA_NO_PACKET_INDEX)
        return;
    path->timed_tsn = number;
    path->timed_packet = place->packet;
}

void sctpa_timing_cancel(sctpa_direction_t *direction, int64_t number, uint16_t path_number)
{
    sctpa_data_path_t *path = sctpa_direction_path(direction, path_number);
    if (path->timed_tsn == number)
        path->timed_packet = SCTPA_NO_PACKET_INDEX;
}

void sctpa_rtt_take(int64_t *srtt_ns, int64_t *rttvar_ns, int64_t rtt_ns)
{
    rtt_ns = MIN(rtt_ns, SCTPA_TIME_SPAN_NS);
    if (*srtt_ns == 0) {
        *srtt_ns = rtt_ns;
        *rttvar_ns = rtt_ns / 2;
    } else {
        *rttvar_ns = ((SCTPA_RFC_RTO_BETA_SHARE - 1) * *rttvar_ns + ABS(*srtt_ns - rtt_ns)) / SCTPA_RFC_RTO_BETA_SHARE;
        *srtt_ns = ((SCTPA_RFC_RTO_ALPHA_SHARE - 1) * *srtt_ns + rtt_ns) / SCTPA_RFC_RTO_ALPHA_SHARE;
    }
}

static uint32_t unbounded_us(const sctpa_data_path_t *path)
{
    if (path->srtt_ns == 0)
        return 0;
    return (uint32_t)CLAMP(sctpa_rto_unbounded_ns(path->srtt_ns, path->rttvar_ns) / 1000, 1, UINT32_MAX);
}

static uint8_t backoffs(const sctpa_direction_t *direction, const sctpa_data_path_t *path)
{
    uint32_t before =
        path->last_sample ? SCTPA_RECORD(&direction->samples, sctpa_sample_t, path->last_sample - 1).backoffs : 0;
    return (uint8_t)MIN(before + 1, UINT8_MAX);
}

static sctpa_sample_t *log_sample(sctpa_direction_t *direction, uint16_t number, uint32_t packet, uint32_t started,
                                  sctpa_sample_kind_t kind)
{
    sctpa_data_path_t *path = sctpa_direction_path(direction, number);
    sctpa_sample_t sample = { .packet = packet,
                              .started = started,
                              .unbounded_us = unbounded_us(path),
                              .link = sctpa_chain_link(SCTPA_CHAIN(&direction->samples, sctpa_sample_t, link),
                                                       path->last_sample),
                              .path = number,
                              .kind = (uint8_t)kind & 0x7F,
                              .backoffs = kind == SCTPA_SAMPLE_BACKOFF ? backoffs(direction, path) : 0 };
    sctpa_records_append(&direction->samples, &direction->store->arena, &sample, sizeof sample);
    path->last_sample = direction->samples.len;
    return &SCTPA_RECORD(&direction->samples, sctpa_sample_t, path->last_sample - 1);
}

static void sample(sctpa_direction_t *direction, uint16_t number, uint32_t started,
                   const sctpa_place_in_capture_t *place, sctpa_sample_kind_t kind)
{
    sctpa_data_path_t *path = sctpa_direction_path(direction, number);
    int64_t elapsed_ns = place->time_ns - sctpa_direction_time_ns(direction, started);
    if (elapsed_ns < 0)
        return; /* the clock stepped */
    sctpa_t3_take(path, SCTPA_T3_SAMPLE, place->packet, place->time_ns);
    /* the sender sees it longer than the tap does, by the way to it and back */
    sctpa_rtt_take(&path->srtt_ns, &path->rttvar_ns,
                   elapsed_ns + MAX(sctpa_tap_rtt_measured_ns(sctpa_place_tap_rtt(place)), 0));
    path->rto_ns = sctpa_t3_rto_ns(direction, path);
    log_sample(direction, number, place->packet, started, kind);
}

void sctpa_timing_acked(sctpa_direction_t *direction, int64_t number, uint16_t path_number,
                        const sctpa_place_in_capture_t *place)
{
    sctpa_data_path_t *path = sctpa_direction_path(direction, path_number);
    if (path->timed_packet == SCTPA_NO_PACKET_INDEX || path->timed_tsn != number)
        return;
    uint32_t started = path->timed_packet;
    path->timed_packet = SCTPA_NO_PACKET_INDEX;
    if (place->data_only)
        return;
    if (sctpa_timing_is_overdue(path, place))
        sctpa_direction_rare(direction)->unseen_acks++;
    else
        sample(direction, path_number, started, place, SCTPA_SAMPLE_DATA);
}

/* What the timer of a path waited for was sent before it was started, or started it: a later start passed unseen. */
static uint32_t starting_packet(const sctpa_direction_t *direction, const sctpa_data_path_t *path, const sctpa_t3_t *t3,
                                uint32_t sent_packet)
{
    return t3->started_ns > path->t3_start_ns ? sent_packet
           : t3->packet != SCTPA_NO_PACKET_INDEX && sctpa_direction_time_ns(direction, t3->packet) == path->t3_start_ns
               ? t3->packet
               : SCTPA_NO_PACKET_INDEX;
}

void sctpa_timing_backoff(sctpa_direction_t *direction, uint16_t path_number, const sctpa_place_in_capture_t *place,
                          const sctpa_t3_t *t3, uint32_t sent_packet)
{
    sctpa_data_path_t *path = sctpa_direction_path(direction, path_number);
    const int64_t waited_ns = place->time_ns - t3->started_ns;
    const uint32_t started = starting_packet(direction, path, t3, sent_packet);
    const bool may_start_late = path->t3_before_ns > path->t3_start_ns || t3->started_ns > path->t3_start_ns;
    if (waited_ns < direction->rare->rto_min_ns)
        sctpa_direction_rare(direction)->rto_min_ns = waited_ns;
    path->rto_ns = MIN(sctpa_ns_times(path->rto_ns ? path->rto_ns : waited_ns, 2), SCTPA_RTO_MAX_NS);
    path->expired_ns = waited_ns;
    sctpa_t3_take(path, SCTPA_T3_EXPIRY, place->packet, place->time_ns);
    log_sample(direction, path_number, place->packet, started == SCTPA_NO_PACKET_INDEX ? place->packet : started,
               SCTPA_SAMPLE_BACKOFF)
        ->may_start_late = may_start_late;
}

static void log_heartbeat(sctpa_direction_t *direction, uint16_t number, uint32_t packet)
{
    sctpa_data_path_t *path = sctpa_direction_path(direction, number);
    sctpa_heartbeat_t heartbeat = { .packet = packet, .answer_packet = SCTPA_NO_PACKET_INDEX, .path = number };
    path->last_heartbeat = 0;
    if (direction->rare->heartbeats.len == SCTPA_HEARTBEATS_MAX)
        return;
    sctpa_records_append(&sctpa_direction_rare(direction)->heartbeats, &direction->store->arena, &heartbeat,
                         sizeof heartbeat);
    path->last_heartbeat = direction->rare->heartbeats.len;
}

void sctpa_direction_heartbeat(sctpa_direction_t *direction, uint16_t path, uint32_t packet)
{
    sctpa_direction_path(direction, path)->heartbeat_packet = packet;
    log_heartbeat(direction, path, packet);
}

void sctpa_direction_heartbeat_ack(sctpa_direction_t *direction, uint16_t path_number,
                                   const sctpa_place_in_capture_t *place)
{
    sctpa_data_path_t *path = sctpa_direction_path(direction, path_number);
    uint32_t started = path->heartbeat_packet;
    if (started == SCTPA_NO_PACKET_INDEX)
        return;
    path->heartbeat_packet = SCTPA_NO_PACKET_INDEX;
    if (path->last_heartbeat > 0)
        SCTPA_RECORD(&direction->rare->heartbeats, sctpa_heartbeat_t, path->last_heartbeat - 1).answer_packet =
            place->packet;
    if (place->data_only)
        return;
    sctpa_tap_rtt_note(direction->receiver_tap_rtt, place->time_ns - sctpa_direction_time_ns(direction, started), true);
    path->is_answered = true;
    sample(direction, path_number, started, place, SCTPA_SAMPLE_HEARTBEAT);
}
