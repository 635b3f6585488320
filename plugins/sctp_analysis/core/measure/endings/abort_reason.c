/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reasons of an ABORT, the surest first, from the errors that RFC 9260 8.1 counts. */
#include "abort_reason.h"

#include "track/tracked.h"
#include "wire/types.h"

enum { EXPIRIES_MAX = 256 /* more than any Association.Max.Retrans in use; bounds the search */ };

static int64_t error_time_of(const sctpa_source_t *source, uint32_t packet)
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
        const int64_t wait_ns = error_time_of(source, sample->packet) - error_time_of(source, lost);
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

enum {
    ERRORS_LEAST = 2, /* with the one at the ABORT three: fewer than any default by far, more than one loss */
    SACKS_LEAST = 3   /* a window that narrowed twice in a row, at the least */
};

typedef struct {
    const sctpa_source_t *source, *peer; /* data of the endpoint that aborted, of its peer */
    const sctpa_assoc_t *assoc;
    uint8_t end;
    sctpa_abort_t *abort;
} finding_t;

static int64_t time_of(const finding_t *finding, uint32_t packet)
{
    return sctpa_source_stamp(finding->source, packet)->time_ns;
}

/* The peer's packet that reached the endpoint just before: one way and back lie between it and the ABORT at the tap. */
static uint32_t answered(const finding_t *finding)
{
    const uint32_t packet = finding->abort->packet;
    const int64_t abort_ns = time_of(finding, packet),
                  way_ns = sctpa_tap_rtt_measured_ns(finding->source->sender_tap_rtt);
    for (uint32_t i = packet; way_ns >= 0 && i > 0 && packet - i < SCTPA_ABORT_SEARCHED; i--) {
        const sctpa_record_t *record = sctpa_source_record(finding->source, i - 1);
        const int64_t since_ns = abort_ns - time_of(finding, i - 1);
        if (since_ns > way_ns + SCTPA_TICK_NS)
            break;
        if (record->assoc == finding->assoc->number && record->from != finding->end &&
            !(record->remarks & SCTPA_CAPTURE_UNCOUNTED) && since_ns >= way_ns - way_ns / 8)
            return i - 1;
    }
    return SCTPA_NO_PACKET_INDEX;
}

static void conclude(finding_t *finding, sctpa_abort_reason_t reason, sctpa_abort_doubt_t doubt, uint32_t by_packet)
{
    finding->abort->reason = reason;
    finding->abort->doubt = doubt;
    finding->abort->by_packet = by_packet;
}

static bool names_no_reason(const finding_t *finding)
{
    return finding->assoc->end_cause == 0 || finding->assoc->end_cause == SCTPA_CAUSE_USER_ABORT;
}

static bool is_no_listener(finding_t *finding)
{
    const sctpa_assoc_t *assoc = finding->assoc;
    if (assoc->known.end != SCTPA_ASSOC_REFUSED || assoc->end_cause != 0 ||
        assoc->setup.steps[SCTPA_STEP_INIT].by == finding->end || assoc->setup.steps[SCTPA_STEP_INIT_ACK].count > 0)
        return false;
    conclude(finding, SCTPA_ABORT_NO_LISTENER, SCTPA_ABORT_LIKELY, finding->abort->answered_packet);
    return true;
}

static bool is_no_association(finding_t *finding)
{
    if (!finding->assoc->end_reflected || finding->assoc->known.end == SCTPA_ASSOC_REFUSED)
        return false;
    conclude(finding, SCTPA_ABORT_NO_ASSOCIATION, SCTPA_ABORT_PROVEN, finding->abort->answered_packet);
    return true;
}

/* An ABORT as T3-rtx expires once more is hard to explain otherwise; one at another time may be the application's. */
static bool is_given_up(finding_t *finding)
{
    sctpa_abort_t *abort = finding->abort;
    const sctpa_last_errors_t *errors = &abort->errors;
    if (finding->source->data_only || errors->timeouts + errors->heartbeats < ERRORS_LEAST)
        return false;
    if (errors->timeouts > 0)
        abort->expiries = sctpa_expiries_of(
            errors, time_of(finding, abort->packet) - time_of(finding, errors->timeout_packet), SCTPA_RTO_MAX_NS);
    bool fits = abort->expiries.most > 0 || errors->timeouts == 0;
    bool by_user = finding->assoc->end_cause == SCTPA_CAUSE_USER_ABORT;
    conclude(finding, SCTPA_ABORT_GAVE_UP, fits && !by_user ? SCTPA_ABORT_LIKELY : SCTPA_ABORT_POSSIBLE,
             errors->lost_packet);
    return true;
}

/* The same where HEARTBEATs were answered: a cause that answers nothing is left. */
static bool is_given_up_all_the_same(finding_t *finding)
{
    const sctpa_last_errors_t errors = sctpa_last_errors(finding->source, true);
    if (names_no_reason(finding) || finding->abort->answered_packet != SCTPA_NO_PACKET_INDEX ||
        !finding->source->sender_tap_rtt.is_measured || errors.timeouts < ERRORS_LEAST)
        return false;
    finding->abort->errors = errors;
    finding->abort->answers_heartbeats = true;
    conclude(finding, SCTPA_ABORT_GAVE_UP, SCTPA_ABORT_POSSIBLE, errors.lost_packet);
    return true;
}

static bool is_answer(finding_t *finding)
{
    if (names_no_reason(finding))
        return false;
    conclude(finding, SCTPA_ABORT_ANSWER, SCTPA_ABORT_LIKELY, finding->abort->answered_packet);
    return true;
}

/* Some stacks name the application's wish also when they give up. */
static bool is_wish(const finding_t *finding)
{
    const sctpa_abort_reason_t reason = finding->abort->reason;
    return finding->assoc->end_cause == SCTPA_CAUSE_USER_ABORT && finding->assoc->known.end == SCTPA_ASSOC_ABORT &&
           (reason == SCTPA_ABORT_APPLICATION || reason == SCTPA_ABORT_UNREAD_DATA ||
            reason == SCTPA_ABORT_AFTER_SHUTDOWN);
}

static const sctpa_event_t *shutdown_of(const sctpa_assoc_t *assoc)
{
    for (unsigned i = 0; i < assoc->n_events; i++)
        if (assoc->events[i].kind == SCTPA_EVENT_SHUTDOWN && assoc->events[i].frame <= assoc->end_frame)
            return &assoc->events[i];
    return NULL;
}

static bool is_after_shutdown(finding_t *finding)
{
    const sctpa_event_t *shutdown = shutdown_of(finding->assoc);
    if (!shutdown)
        return false;
    finding->abort->shutdown_by = shutdown->end;
    conclude(finding, SCTPA_ABORT_AFTER_SHUTDOWN, SCTPA_ABORT_LIKELY,
             sctpa_frame_packet(finding->source, shutdown->frame));
    return true;
}

/* What the endpoint's SACKs announced. */
typedef struct {
    uint32_t widest_bytes, last_bytes, last_packet, n;
    bool has_opened; /* a window was wider than the one before: something was read */
} windows_t;

static windows_t windows_until(const sctpa_direction_t *received, uint32_t packet)
{
    windows_t windows = { 0 };
    for (uint32_t i = 0; i < received->sacks.len; i++) {
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(&received->sacks, sctpa_sack_record_t, i);
        if (sack->packet >= packet)
            break;
        windows.has_opened |= windows.n > 0 && sack->a_rwnd_bytes > windows.last_bytes;
        windows.widest_bytes = MAX(windows.widest_bytes, sack->a_rwnd_bytes);
        windows.last_bytes = sack->a_rwnd_bytes;
        windows.last_packet = sack->packet;
        windows.n++;
    }
    return windows;
}

/* A window that its SACKs only ever narrowed is one that nobody read from. An endpoint that read may not have told. */
static bool is_unread(finding_t *finding)
{
    const sctpa_direction_t *received = finding->peer->direction;
    if (!received || received->flight_bytes > 0)
        return false;
    const windows_t windows = windows_until(received, finding->abort->packet);
    if (windows.n < SACKS_LEAST || windows.last_bytes >= windows.widest_bytes)
        return false;
    finding->abort->unread_bytes = windows.widest_bytes - windows.last_bytes;
    conclude(finding, SCTPA_ABORT_UNREAD_DATA, windows.has_opened ? SCTPA_ABORT_POSSIBLE : SCTPA_ABORT_LIKELY,
             windows.last_packet);
    return true;
}

static bool is_application(finding_t *finding)
{
    if (finding->assoc->end_cause != SCTPA_CAUSE_USER_ABORT)
        return false;
    conclude(finding, SCTPA_ABORT_APPLICATION, SCTPA_ABORT_LIKELY, SCTPA_NO_PACKET_INDEX);
    return true;
}

sctpa_abort_t sctpa_abort_reason_of(const sctpa_source_t sources[2], const sctpa_assoc_t *assoc)
{
    static bool (*const tried[])(finding_t *) = { is_no_listener,           is_no_association, is_given_up,
                                                  is_given_up_all_the_same, is_answer,         is_unread,
                                                  is_after_shutdown,        is_application };
    const uint8_t end = assoc->known.end_by;
    sctpa_abort_t abort = { .packet = SCTPA_NO_PACKET_INDEX,
                            .by_packet = SCTPA_NO_PACKET_INDEX,
                            .answered_packet = SCTPA_NO_PACKET_INDEX,
                            .shutdown_by = SCTPA_NO_END };
    if ((assoc->known.end != SCTPA_ASSOC_ABORT && assoc->known.end != SCTPA_ASSOC_REFUSED) || end >= SCTPA_NO_END)
        return abort;
    abort.packet = sctpa_abort_packet(&sources[end], assoc);
    if (abort.packet == SCTPA_NO_PACKET_INDEX)
        return abort;
    finding_t finding = { &sources[end], &sources[!end], assoc, end, &abort };
    abort.answered_packet = answered(&finding);
    abort.errors = sctpa_last_errors(&sources[end], false);
    for (unsigned e = 0; e < 2; e++)
        abort.unacked_bytes[e] = sources[e].direction ? sources[e].direction->flight_bytes : 0;
    for (unsigned i = 0; i < G_N_ELEMENTS(tried) && !tried[i](&finding); i++)
        continue;
    abort.by_application = is_wish(&finding);
    return abort;
}

const char *sctpa_abort_reason_word(sctpa_abort_reason_t reason)
{
    static const char *const words[SCTPA_ABORT_REASONS] = {
        [SCTPA_ABORT_NO_LISTENER] = "no_listener",
        [SCTPA_ABORT_NO_ASSOCIATION] = "no_association",
        [SCTPA_ABORT_GAVE_UP] = "gave_up",
        [SCTPA_ABORT_ANSWER] = "answer",
        [SCTPA_ABORT_AFTER_SHUTDOWN] = "after_shutdown",
        [SCTPA_ABORT_UNREAD_DATA] = "unread_data",
        [SCTPA_ABORT_APPLICATION] = "application",
    };
    return words[reason];
}

const char *sctpa_abort_doubt_word(sctpa_abort_doubt_t doubt)
{
    static const char *const words[] = {
        [SCTPA_ABORT_PROVEN] = "proven", [SCTPA_ABORT_LIKELY] = "likely", [SCTPA_ABORT_POSSIBLE] = "possible"
    };
    return words[doubt];
}
