/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source of an association's series: its direction, and by which path of the data's sender each packet went. */
#include "analysis.h"

#include "data/shared_limits.h"
#include "measure/endings/abort_reason.h"
#include "model/negotiated.h"
#include "tap/unseen_rest.h"
#include "track/endpoints.h"
#include "track/near_tap.h"
#include "track/tracker.h"

static uint16_t path_of(const sctpa_series_source_t *source, uint32_t packet)
{
    return sctpa_packet_path(source->analysis, source->end, packet);
}

typedef struct {
    sctpa_cwnd_visit_fn visit;
    void *user;
} visiting_t;

static void visit_cwnd(void *user, uint16_t path, uint32_t packet, const sctpa_congestion_t *congestion)
{
    const visiting_t *visiting = user;
    sctpa_cwnd_point_t point = {
        packet, congestion->cwnd, congestion->cwnd_min, congestion->cwnd_max, congestion->ssthresh, path
    };
    visiting->visit(visiting->user, &point);
}

static void each_cwnd(const sctpa_series_source_t *source, sctpa_cwnd_visit_fn visit, void *user)
{
    const sctpa_t *sctpa = source->analysis;
    visiting_t visiting = { visit, user };
    if (source->data_only || sctpa_taps(sctpa, source->assoc) != SCTPA_TAPS_ONE)
        return;
    sctpa_congestion_each(sctpa_model_reference(sctpa->model), sctpa_tracked_find(sctpa->tracker, source->assoc),
                          source->end, visit_cwnd, &visiting);
}

static void each_rto(const sctpa_series_source_t *source, sctpa_rto_visit_fn visit, void *user)
{
    sctpa_rtos(source->analysis, source->assoc, source->end, visit, user);
}

static sctpa_ending_t ending(const sctpa_series_source_t *source)
{
    const sctpa_assoc_t *assoc = sctpa_assoc(source->analysis, source->assoc);
    if (assoc->known.end != SCTPA_ASSOC_ABORT)
        return (sctpa_ending_t){ SCTPA_NO_PACKET_INDEX, 0 };
    const sctpa_abort_t abort = sctpa_abort_reason(source->analysis, source->assoc);
    const bool gave_up =
        assoc->known.end_by == source->end && abort.reason == SCTPA_ABORT_GAVE_UP && abort.doubt == SCTPA_ABORT_LIKELY;
    return (sctpa_ending_t){ abort.packet, gave_up ? abort.expiries.least : 0 };
}

static bool is_heard(const sctpa_series_source_t *source, uint32_t packet, int64_t time_ns)
{
    const sctpa_assoc_t *assoc = sctpa_assoc(source->analysis, source->assoc);
    sctpa_packet_result_t result;
    for (uint32_t at = packet; at - packet < SCTPA_HEARD_SEARCHED; at++) {
        if (!sctpa_packet_result(source->analysis, at + 1, &result))
            return false;
        if (result.assoc == source->assoc && result.from != source->end &&
            !(result.remarks & SCTPA_CAPTURE_UNCOUNTED) &&
            !(assoc->end_reflected && result.frame == assoc->end_frame) &&
            sctpa_direction_time_ns(source->direction, at + 1) > time_ns)
            return true;
    }
    return false;
}

/* Of two taps, does the one near the data's sender show a packet with the stamp? Clocks of the other say nothing here.
 */
static bool is_seen_near(const sctpa_tap_data_t *near, const sctpa_stamp_t *stamp)
{
    return !near || sctpa_tap_data_has(near, sctpa_stamp_interface(stamp));
}

/* Does a packet with user data of the data's receiver stand before packet, and after time_ns, of which holds says yes?
 * Unknown: none of those that were looked at. */
static sctpa_known_t find_message(const sctpa_series_source_t *source, uint32_t packet, int64_t time_ns,
                                  bool (*holds)(const sctpa_stamp_t *stamp, bool is_duplicate))
{
    const sctpa_tracked_t *tracked = sctpa_tracked_find(((const sctpa_t *)source->analysis)->tracker, source->assoc);
    const sctpa_tap_data_t *near = sctpa_near_tap(tracked, source->end, source->end);
    sctpa_packet_result_t result;
    for (uint32_t at = packet; at > 0 && packet - at < SCTPA_HEARD_SEARCHED; at--) {
        const sctpa_stamp_t *stamp = sctpa_direction_stamp(source->direction, at - 1);
        if (!is_seen_near(near, stamp))
            continue;
        if (stamp->time_ns <= time_ns)
            return SCTPA_NO;
        if (stamp->holds & SCTPA_STAMP_DATA && sctpa_packet_result(source->analysis, at - 1, &result) &&
            result.assoc == source->assoc && result.from != source->end && !(result.remarks & SCTPA_CAPTURE_STRAY) &&
            holds(stamp, !near && result.remarks & SCTPA_CAPTURE_DUPLICATE))
            return SCTPA_YES;
    }
    return packet >= SCTPA_HEARD_SEARCHED ? SCTPA_UNKNOWN : SCTPA_NO;
}

/* A duplicate as well, which may be nearer to the sender. */
static bool is_any(const sctpa_stamp_t *stamp, bool is_duplicate)
{
    (void)stamp, (void)is_duplicate;
    return true;
}

static bool is_without_sack(const sctpa_stamp_t *stamp, bool is_duplicate)
{
    return !is_duplicate && !(stamp->holds & SCTPA_STAMP_SACK);
}

static bool is_asked(const sctpa_series_source_t *source, uint32_t packet, int64_t time_ns)
{
    return find_message(source, packet, time_ns, is_any) != SCTPA_NO;
}

static bool leaves_ack_out(const sctpa_series_source_t *source, uint32_t packet, int64_t time_ns)
{
    return find_message(source, packet, time_ns, is_without_sack) == SCTPA_YES;
}

/* Of another association, with user data, within the times? */
static bool is_foreign_message(const sctpa_series_source_t *source, uint32_t at, int64_t after_ns, int64_t before_ns)
{
    const sctpa_stamp_t *stamp = sctpa_direction_stamp(source->direction, at);
    sctpa_packet_result_t result;
    return stamp->holds & SCTPA_STAMP_DATA && stamp->time_ns > after_ns && stamp->time_ns < before_ns &&
           sctpa_packet_result(source->analysis, at, &result) && result.assoc != SCTPA_NO_ASSOC &&
           result.assoc != source->assoc && !(result.remarks & SCTPA_CAPTURE_UNCOUNTED);
}

/* Packets of other interfaces may stand behind the packet that they passed before. */
static bool may_pass_on(const sctpa_series_source_t *source, uint32_t packet, int64_t time_ns)
{
    enum { BEHIND = 64 };
    const int64_t before_ns = sctpa_direction_time_ns(source->direction, packet);
    const uint32_t count = ((const sctpa_t *)source->analysis)->tracker->records->len;
    const uint32_t first = packet > SCTPA_HEARD_SEARCHED ? packet - SCTPA_HEARD_SEARCHED : 0;
    for (uint32_t at = MIN(packet + BEHIND, count); at > first; at--) {
        if (is_foreign_message(source, at - 1, time_ns, before_ns))
            return true;
        if (at <= packet && sctpa_direction_time_ns(source->direction, at - 1) < time_ns)
            return false;
    }
    return false;
}

static uint32_t heard_before(const sctpa_series_source_t *source, uint32_t packet, int64_t time_ns)
{
    sctpa_packet_result_t result;
    for (uint32_t at = packet; at > 0 && packet - at < SCTPA_HEARD_SEARCHED; at--) {
        if (sctpa_direction_time_ns(source->direction, at - 1) < time_ns)
            return SCTPA_NO_PACKET_INDEX;
        if (sctpa_packet_result(source->analysis, at - 1, &result) && result.assoc == source->assoc &&
            result.from != source->end && !(result.remarks & SCTPA_CAPTURE_UNCOUNTED))
            return at - 1;
    }
    return SCTPA_NO_PACKET_INDEX;
}

static const sctpa_reference_t *reference_of(const sctpa_t *sctpa, uint32_t assoc)
{
    return sctpa_reference_at(sctpa_model_reference(sctpa->model), assoc);
}

/* Where nothing counts the packets of the sender, a tap beside it most likely shows them all. */
static sctpa_known_t sent_all(const sctpa_series_source_t *source, uint32_t from, uint32_t to)
{
    const sctpa_t *sctpa = source->analysis;
    const sctpa_reference_t *reference = reference_of(sctpa, source->assoc);
    const sctpa_tracked_t *tracked = sctpa_tracked_find(sctpa->tracker, source->assoc);
    if (!reference || sctpa_taps(sctpa, source->assoc) != SCTPA_TAPS_ONE)
        return SCTPA_NO;
    const sctpa_known_t by_identifications = sctpa_tap_sent_all(&reference->tap, source->end, from, to);
    if (by_identifications != SCTPA_UNKNOWN)
        return by_identifications;
    if (sctpa_tap_passed_all_since(&reference->tap, tracked, SCTPA_BY(source->end), from) == SCTPA_NO)
        return SCTPA_NO;
    if (sctpa_tap_is_asserted(&reference->tap, source->end, SCTPA_ASSERTED_ARRIVED))
        return SCTPA_YES;
    return sctpa_tap_is_beside(source->sender_tap_rtt) ? SCTPA_UNKNOWN : SCTPA_NO;
}

/* A parameter as asserted of an end, else otherwise. */
static int64_t parameter(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_parameter_t name, int64_t otherwise)
{
    const sctpa_reference_t *reference = reference_of(sctpa, assoc);
    return reference ? sctpa_tap_parameter(&reference->tap, end, name, otherwise) : otherwise;
}

enum { FLOOR_LEAST = 2 /* answers as short as the shortest: one may have been held up on its way */ };

/* The RTT by a path of several of an endpoint, where it is known and one tap shows it; else otherwise. */
static sctpa_tap_rtt_t tap_rtt_by(const sctpa_series_source_t *source, uint8_t end, uint16_t path,
                                  sctpa_tap_rtt_t otherwise)
{
    const sctpa_tracked_t *tracked = sctpa_tracked_find(((const sctpa_t *)source->analysis)->tracker, source->assoc);
    const sctpa_end_t *at = &tracked->assoc.ends[end];
    if (at->n_paths < 2 || path >= at->n_paths || at->paths[path].tap_rtt_ns == 0 || tracked->rare->two_taps_data)
        return otherwise;
    return (sctpa_tap_rtt_t){ .most_ns = at->paths[path].tap_rtt_ns,
                              .is_measured = true,
                              .is_floor = at->paths[path].tap_rtts >= FLOOR_LEAST };
}

static sctpa_tap_rtt_t tap_rtt_of(const sctpa_series_source_t *source, uint32_t packet)
{
    const sctpa_t *sctpa = source->analysis;
    const sctpa_assoc_t *assoc = sctpa_assoc(sctpa, source->assoc);
    const sctpa_record_t *record = &g_array_index(sctpa->tracker->records, sctpa_record_t, packet);
    const sctpa_end_t *sender = &assoc->ends[source->end];
    if (assoc->ends[!source->end].n_paths < 2 || record->from != source->end || record->pair >= sender->n_pairs)
        return source->sender_tap_rtt;
    return tap_rtt_by(source, !source->end,
                      sctpa_end_find_path(&assoc->ends[!source->end], sender->pairs[record->pair]->source),
                      source->sender_tap_rtt);
}

static sctpa_tap_rtt_t tap_rtt_to(const sctpa_series_source_t *source, uint32_t packet)
{
    const bool is_only = sctpa_assoc(source->analysis, source->assoc)->ends[source->end].n_paths < 2;
    return tap_rtt_by(source, source->end, source->path(source, packet),
                      is_only ? *source->direction->receiver_tap_rtt : sctpa_tap_rtt_none(NULL));
}

static bool is_out(const sctpa_series_source_t *source, uint16_t path, uint32_t packet)
{
    const sctpa_switching_t *switching =
        sctpa_assoc(source->analysis, source->assoc)->ends[source->end].rare->switching;
    const int64_t time_ns = sctpa_direction_time_ns(source->direction, packet);
    for (uint32_t i = 0; switching && i < MIN(switching->n_outages, SCTPA_OUTAGES_MAX); i++) {
        const sctpa_outage_t *outage = &switching->outages[i];
        if (outage->path == path && outage->heartbeats + outage->timeouts >= SCTPA_OUTAGE_ERRORS &&
            time_ns >= outage->since_ns && (outage->answered_frame == 0 || time_ns < outage->answered_ns))
            return true;
    }
    return false;
}

static bool is_unchecked(const sctpa_series_source_t *source, uint32_t packet)
{
    const sctpa_t *sctpa = source->analysis;
    return g_array_index(sctpa->tracker->records, sctpa_record_t, packet).checksum == SCTPA_CHECKSUM_ZERO;
}

/* Must an end drop packets with checksum zero, of which its peer sent some (RFC 9653 5.3)? */
static bool must_drop_zero(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, uint8_t end)
{
    uint32_t checksums[SCTPA_CHECKSUMS];
    sctpa_end_checksums(sctpa, assoc, !end, checksums);
    return checksums[SCTPA_CHECKSUM_ZERO] > 0 && checksums[SCTPA_CHECKSUM_CRC32C] > 0 &&
           sctpa_offers(&assoc->ends[end].init, SCTPA_EXTENSION_ZERO_CHECKSUM) == SCTPA_NO;
}

/* The first SHUTDOWN of an end, SCTPA_NO_PACKET_INDEX none. */
static uint32_t shutdown_of(const sctpa_assoc_t *assoc, uint8_t end, const sctpa_source_t *records)
{
    for (unsigned i = assoc->n_events; i > 0; i--)
        if (assoc->events[i - 1].kind == SCTPA_EVENT_SHUTDOWN)
            return assoc->events[i - 1].end == end ? sctpa_frame_packet(records, assoc->events[i - 1].frame)
                                                   : SCTPA_NO_PACKET_INDEX;
    return SCTPA_NO_PACKET_INDEX;
}

/* Retransmissions of the step if the end sends it. */
static unsigned repeats_of(const sctpa_setup_t *setup, sctpa_step_t step, uint8_t end)
{
    const unsigned count = setup->steps[step].count;
    return count > 0 && setup->steps[step].by == end ? count - 1 : 0;
}

sctpa_series_source_t sctpa_series_source(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, int64_t start_ns)
{
    const sctpa_assoc_t *of = sctpa_assoc(sctpa, assoc);
    const sctpa_init_t *receiver = &of->ends[!end].init;
    const sctpa_tap_data_t *tap = sctpa_near_tap((const sctpa_tracked_t *)of, end, end);
    const sctpa_setup_t *setup = tap ? &tap->setup : &of->setup;
    const sctpa_source_t records = sctpa_source_of(sctpa, assoc, end, NULL);
    const uint32_t cookie_ack_frame = setup->steps[SCTPA_STEP_COOKIE_ACK].first_frame;
    return (sctpa_series_source_t){
        .direction = sctpa_direction(sctpa, assoc, end),
        .at_receiver = sctpa_direction_at_receiver(sctpa, assoc, end),
        .receiver_ahead_ns = sctpa_near_tap_receiver_ahead_ns(sctpa_tracked_find(sctpa->tracker, assoc), end),
        .start_ns = start_ns,
        .path = path_of,
        .each_cwnd = each_cwnd,
        .each_rto = each_rto,
        .assoc = assoc,
        .analysis = sctpa,
        .end = end,
        .window_bytes = receiver->seen ? receiver->a_rwnd_bytes : 0,
        .sender_tap_rtt = sctpa_tap_rtt(sctpa, assoc, end),
        .ending = ending,
        .is_heard = is_heard,
        .is_asked = is_asked,
        .leaves_ack_out = leaves_ack_out,
        .tap_rtt_of = tap_rtt_of,
        .tap_rtt_to = tap_rtt_to,
        .is_out = is_out,
        .is_unchecked = must_drop_zero(sctpa, of, end) ? is_unchecked : NULL,
        .may_pass_on = may_pass_on,
        .heard_before = heard_before,
        .sent_all = sent_all,
        .rto_initial_most_ns = MAX(parameter(sctpa, assoc, end, SCTPA_PARAMETER_RTO_INITIAL, SCTPA_RTO_INITIAL_4960_NS),
                                   parameter(sctpa, assoc, end, SCTPA_PARAMETER_RTO_MIN, SCTPA_RTO_MIN_NS)),
        .rto_max_ns = parameter(sctpa, assoc, end, SCTPA_PARAMETER_RTO_MAX, SCTPA_RTO_MAX_NS),
        .shutdown_packet = shutdown_of(of, !end, &records),
        .set_up_ns = setup->steps[SCTPA_STEP_COOKIE_ACK].first_ns,
        .set_up_packet = cookie_ack_frame > 0 ? sctpa_frame_packet(&records, cookie_ack_frame) : SCTPA_NO_PACKET_INDEX,
        .set_up_repeats = (uint8_t)MIN(
            repeats_of(setup, SCTPA_STEP_INIT, end) + repeats_of(setup, SCTPA_STEP_COOKIE_ECHO, end), UINT8_MAX),
        .stamp_unit_ns = sctpa->tracker->stamp_unit_ns,
        .last_ns = tap ? tap->last_ns : INT64_MAX,
        .clock_steps = &sctpa->tracker->clock_steps,
        .data_only = sctpa_tap_lacks_acks(sctpa->tracker, of, end)
    };
}
