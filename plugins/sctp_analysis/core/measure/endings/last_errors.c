/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors at the end of an association. */
#include "last_errors.h"

#include "track/tracked.h"

enum { EXPIRIES_MAX = 256 /* more than any Association.Max.Retrans in use; bounds the search */ };

static int64_t time_of(const sctpa_source_t *source, uint32_t packet)
{
    return sctpa_source_stamp(source, packet)->time_ns;
}

static uint32_t later(uint32_t a, uint32_t b)
{
    if (a == SCTPA_NO_PACKET_INDEX || b == SCTPA_NO_PACKET_INDEX)
        return MIN(a, b);
    return MAX(a, b);
}

static uint32_t last_answer(const sctpa_direction_t *direction, bool data_alone)
{
    const sctpa_records_t *acked = &direction->acked, *samples = &direction->samples;
    uint32_t packet =
        acked->len > 0 ? SCTPA_RECORD(acked, sctpa_acked_t, acked->len - 1).packet : SCTPA_NO_PACKET_INDEX;
    for (uint32_t i = samples->len; i > 0 && !data_alone; i--) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(samples, sctpa_sample_t, i - 1);
        if (sample->kind == SCTPA_SAMPLE_HEARTBEAT)
            return later(packet, sample->packet);
    }
    return packet;
}

static bool is_after(uint32_t packet, uint32_t answer_packet)
{
    return answer_packet == SCTPA_NO_PACKET_INDEX || packet > answer_packet;
}

/* A timer that fires late by a tick makes a wait longer, none shorter. */
static bool is_alike(int64_t wait_ns, int64_t before_ns)
{
    return ABS(wait_ns - before_ns) <= SCTPA_TICK_NS + MIN(wait_ns, before_ns) / 8;
}

/* The transmission that a timeout gave up: the previous one of the first TSN that its packet retransmits. *at: in the
 * retransmissions, as the packets go up. */
static uint32_t given_up(const sctpa_direction_t *direction, uint32_t packet, uint32_t *at)
{
    const sctpa_records_t *all = &direction->rare->rtx;
    while (*at < all->len && SCTPA_RECORD(all, sctpa_rtx_t, *at).packet < packet)
        (*at)++;
    const sctpa_rtx_t *rtx = *at < all->len ? &SCTPA_RECORD(all, sctpa_rtx_t, *at) : NULL;
    return rtx && rtx->packet == packet ? rtx->previous : packet;
}

static void take_timeouts(const sctpa_source_t *source, sctpa_last_errors_t *errors)
{
    const sctpa_records_t *samples = &source->direction->samples;
    uint32_t at = 0;
    for (uint32_t i = 0; i < samples->len; i++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(samples, sctpa_sample_t, i);
        if (sample->kind != SCTPA_SAMPLE_BACKOFF || !is_after(sample->packet, errors->answer_packet))
            continue;
        const uint32_t lost = given_up(source->direction, sample->packet, &at);
        const int64_t wait_ns = time_of(source, sample->packet) - time_of(source, lost);
        errors->waits_are_alike = errors->timeouts > 0 && is_alike(wait_ns, errors->wait_ns);
        errors->wait_ns = wait_ns;
        errors->timeouts++;
        errors->lost_packet = MIN(errors->lost_packet, lost);
        errors->timeout_packet = sample->packet;
    }
}

static void take_unknown(const sctpa_direction_t *direction, sctpa_last_errors_t *errors)
{
    uint32_t counted = SCTPA_NO_PACKET_INDEX;
    for (uint32_t i = direction->rare->rtx.len; i > 0; i--) {
        const sctpa_rtx_t *rtx = &SCTPA_RECORD(&direction->rare->rtx, sctpa_rtx_t, i - 1);
        if (!is_after(rtx->packet, errors->answer_packet))
            return;
        if (rtx->kind != SCTPA_RTX_UNKNOWN || rtx->packet == counted)
            continue;
        counted = rtx->packet;
        errors->unknown++;
    }
}

/* The last HEARTBEAT kept of its path: no other follows it. */
static bool is_last(const sctpa_direction_t *direction, uint32_t at)
{
    const uint16_t path = SCTPA_RECORD(&direction->rare->heartbeats, sctpa_heartbeat_t, at).path;
    return sctpa_direction_known_path(direction, path)->last_heartbeat == at + 1;
}

static void take_heartbeats(const sctpa_direction_t *direction, sctpa_last_errors_t *errors)
{
    const sctpa_records_t *heartbeats = &direction->rare->heartbeats;
    errors->knows_heartbeats = heartbeats->len < SCTPA_HEARTBEATS_MAX;
    for (uint32_t i = 0; i < heartbeats->len; i++) {
        const sctpa_heartbeat_t *heartbeat = &SCTPA_RECORD(heartbeats, sctpa_heartbeat_t, i);
        if (heartbeat->answer_packet != SCTPA_NO_PACKET_INDEX || !is_after(heartbeat->packet, errors->answer_packet))
            continue;
        errors->heartbeats++;
        errors->heartbeats_due += !is_last(direction, i);
        errors->lost_packet = MIN(errors->lost_packet, heartbeat->packet);
    }
}

sctpa_last_errors_t sctpa_last_errors(const sctpa_source_t *source, bool data_alone)
{
    sctpa_last_errors_t errors = { .answer_packet = SCTPA_NO_PACKET_INDEX,
                                   .lost_packet = SCTPA_NO_PACKET_INDEX,
                                   .timeout_packet = SCTPA_NO_PACKET_INDEX };
    if (!source->direction)
        return errors;
    errors.answer_packet = last_answer(source->direction, data_alone);
    take_timeouts(source, &errors);
    take_unknown(source->direction, &errors);
    take_heartbeats(source->direction, &errors);
    return errors;
}

sctpa_expiries_t sctpa_expiries_of(const sctpa_last_errors_t *errors, int64_t took_ns, int64_t rto_max_ns)
{
    sctpa_expiries_t expiries = { 0, 0 };
    int64_t limit_ns = errors->waits_are_alike ? errors->wait_ns : rto_max_ns, sum_ns = 0;
    int64_t rto_ns = MIN(sctpa_ns_times(errors->wait_ns, 2), limit_ns);
    if (errors->wait_ns <= 0)
        return expiries;
    for (uint32_t n = 1; n <= EXPIRIES_MAX; n++) {
        sum_ns = sctpa_ns_sum(sum_ns, rto_ns);
        rto_ns = MIN(sctpa_ns_times(rto_ns, 2), limit_ns);
        /* the wait before was late, too: so much shorter may this one be */
        if (sum_ns - sctpa_tick_ns(sum_ns) > took_ns)
            break;
        if (took_ns > sum_ns + sctpa_tick_ns(sum_ns))
            continue;
        expiries.most = n;
        if (expiries.least == 0)
            expiries.least = n;
    }
    return expiries;
}

uint32_t sctpa_frame_packet(const sctpa_source_t *source, uint32_t frame)
{
    const uint32_t at = sctpa_record_from(source->records, frame);
    return at < source->records->len && sctpa_source_record(source, at)->frame == frame ? at : SCTPA_NO_PACKET_INDEX;
}

uint32_t sctpa_abort_packet(const sctpa_source_t *source, const sctpa_assoc_t *assoc)
{
    const sctpa_two_taps_data_t *data = ((const sctpa_tracked_t *)assoc)->rare->two_taps_data;
    if (assoc->end_frame == 0)
        return SCTPA_NO_PACKET_INDEX;
    for (unsigned tap = 0; data && tap < 2; tap++)
        if (source->setup == &data->taps[tap].setup && data->taps[tap].end_frame == assoc->end_frame)
            return data->taps[tap].end_packet;
    return sctpa_frame_packet(source, assoc->end_frame);
}
