/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reasons of an ABORT, the surest first. */
#include "abort_reason.h"

#include "wire/protocol_parameters.h"
#include "wire/types.h"

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
