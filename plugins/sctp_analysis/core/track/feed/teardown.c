/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How associations end: SHUTDOWN (RFC 9260 9.2), ABORT (9.1), ERROR chunks on the way, and what only the end of the
 * capture shows. */
#include "teardown.h"

#include "track/events.h"
#include "track/flow.h"
#include "track/near_tap.h"
#include "after_abort.h"
#include "cause_contents.h"
#include "closing.h"

enum {
    TEXT_MAX = 256, /* bytes of an ABORT's text that are kept */
    T_BIT = 1       /* of ABORT (RFC 9260 3.3.7) */
};

static bool first_cause(const sctpa_tlv_t *chunk, sctpa_tlv_t *cause)
{
    sctpa_tlv_iter_t iter;
    sctpa_params_begin(&iter, chunk);
    return sctpa_tlv_next(&iter, cause);
}

static char *cause_name(const sctpa_tlv_t *cause)
{
    const sctpa_tlv_type_t *row = sctpa_tlv_type(SCTPA_TLV_CAUSE, cause->type);
    return row ? g_strdup(row->title) : g_strdup_printf("cause %u", cause->type);
}

static char *cause_text(const sctpa_tlv_t *cause)
{
    uint32_t bytes = cause->captured_bytes;
    if (cause->type != SCTPA_CAUSE_USER_ABORT && cause->type != SCTPA_CAUSE_PROTOCOL_VIOLATION)
        return NULL;
    if (bytes <= SCTPA_TLV_HEADER_BYTES)
        return NULL;
    bytes = MIN(bytes - SCTPA_TLV_HEADER_BYTES, TEXT_MAX);
    const char *text = (const char *)cause->bytes + SCTPA_TLV_HEADER_BYTES;
    while (bytes > 0 && text[bytes - 1] == '\0')
        bytes--;
    return bytes > 0 ? g_strndup(text, bytes) : NULL;
}

/* "Stale Cookie: by 1500 us", "Protocol Violation: text". said: NULL nothing. */
static char *event_detail(const sctpa_tlv_t *cause, const char *said)
{
    char *name = cause_name(cause), *detail = said ? g_strdup_printf("%s: %s", name, said) : g_strdup(name);
    g_free(name);
    return detail;
}

static void close_as(sctpa_tracked_t *tracked, sctpa_assoc_end_t end, uint8_t by, const sctpa_packet_t *packet)
{
    if (tracked->assoc.known.end != SCTPA_ASSOC_OPEN)
        return;
    tracked->assoc.known.end = end;
    tracked->assoc.known.end_by = by;
    tracked->assoc.end_frame = packet->frame;
    tracked->assoc.end_ns = packet->time_ns;
}

/* Before the set-up was complete, an ABORT by the end that was asked is a refusal. */
static bool is_refusal(const sctpa_tracked_t *tracked, uint8_t from)
{
    const sctpa_setup_t *setup = &tracked->assoc.setup;
    return !tracked->established && setup->steps[SCTPA_STEP_INIT].count > 0 && setup->steps[SCTPA_STEP_INIT].by != from;
}

static void on_abort(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input,
                     const sctpa_tlv_t *chunk)
{
    const sctpa_packet_t *packet = input->packet;
    sctpa_tlv_t cause;
    bool has_cause = first_cause(chunk, &cause), is_known = false;
    bool first = tracked->assoc.known.end == SCTPA_ASSOC_OPEN;
    const bool may_be_taken = first && sctpa_abort_may_be_taken(tracker, tracked, from, input, &is_known);
    if (first && !is_known) {
        sctpa_abort_of_nobody(tracked, from, input);
        return;
    }

    char *text = has_cause ? cause_text(&cause) : NULL, *contents = has_cause ? sctpa_cause_contents(&cause) : NULL;
    close_as(tracked, is_refusal(tracked, from) ? SCTPA_ASSOC_REFUSED : SCTPA_ASSOC_ABORT, from, packet);
    if (first) {
        tracked->is_aborted = true;
        tracked->may_be_taken = may_be_taken;
        tracked->assoc.end_reflected = (chunk->flags & T_BIT) != 0;
    }
    if (first && has_cause) {
        tracked->assoc.end_cause = cause.type;
        tracked->assoc.end_text = sctpa_arena_text(tracked->arena, text);
        tracked->assoc.end_contents = sctpa_arena_text(tracked->arena, contents);
    }
    sctpa_event_add(tracked, packet, SCTPA_EVENT_ABORT, from, SCTPA_NO_PATH,
                    has_cause ? event_detail(&cause, text ? text : contents) : NULL);
    g_free(text);
    g_free(contents);
}

static void on_error(sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet, const sctpa_tlv_t *chunk)
{
    sctpa_tlv_t cause;
    if (!first_cause(chunk, &cause)) {
        sctpa_event_add(tracked, packet, SCTPA_EVENT_ERROR, from, SCTPA_NO_PATH, NULL);
        return;
    }
    if (cause.type == SCTPA_CAUSE_STALE_COOKIE)
        tracked->stale_cookie = true;
    char *contents = sctpa_cause_contents(&cause);
    sctpa_event_add(tracked, packet, SCTPA_EVENT_ERROR, from, SCTPA_NO_PATH, event_detail(&cause, contents));
    g_free(contents);
}

void sctpa_teardown_chunk(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input,
                          const sctpa_tlv_t *chunk)
{
    const sctpa_packet_t *packet = input->packet;
    switch (chunk->type) {
    case SCTPA_CHUNK_ABORT: on_abort(tracker, tracked, from, input, chunk); break;
    case SCTPA_CHUNK_ERROR: on_error(tracked, from, packet, chunk); break;
    case SCTPA_CHUNK_SHUTDOWN:
        sctpa_closing_chunk(tracked, from, packet, chunk->type);
        if (tracked->shutdown_by == SCTPA_NO_END) {
            tracked->shutdown_by = from;
            sctpa_event_add(tracked, packet, SCTPA_EVENT_SHUTDOWN, from, SCTPA_NO_PATH, NULL);
        }
        break;
    case SCTPA_CHUNK_SHUTDOWN_ACK:
        sctpa_closing_chunk(tracked, from, packet, chunk->type);
        tracked->shutdown_ack_ns = tracked->shutdown_ack_seen || from == tracked->shutdown_by ? 0 : packet->time_ns;
        tracked->shutdown_ack_seen = true;
        if (tracked->shutdown_by == SCTPA_NO_END)
            tracked->shutdown_by = !from;
        break;
    case SCTPA_CHUNK_SHUTDOWN_COMPLETE:
        sctpa_closing_chunk(tracked, from, packet, chunk->type);
        if (tracked->shutdown_ack_ns > 0 && from == tracked->shutdown_by)
            sctpa_tap_rtt_note(&tracked->sides[!from].peer_tap_rtt, packet->time_ns - tracked->shutdown_ack_ns, true);
        close_as(tracked, SCTPA_ASSOC_SHUTDOWN, tracked->shutdown_by != SCTPA_NO_END ? tracked->shutdown_by : from,
                 packet);
        break;
    default: break;
    }
}

/* Was a step of the set-up sent again though its peer had answered: COOKIE ECHO, or INIT so long after the INIT ACK
 * that this had reached its receiver, by the RTT from the tap? */
static bool is_repeated(const sctpa_tracked_t *tracked)
{
    const sctpa_setup_t *setup = &tracked->assoc.setup;
    if (setup->steps[SCTPA_STEP_COOKIE_ECHO].count > 0)
        return setup->steps[SCTPA_STEP_COOKIE_ECHO].count > 1u + tracked->assoc.collision;
    return setup->steps[SCTPA_STEP_INIT_ACK].count > 0 && !tracked->assoc.collision &&
           setup->last_init_ns - setup->steps[SCTPA_STEP_INIT_ACK].first_ns >
               sctpa_tap_under_way_ns(tracked->sides[!setup->steps[SCTPA_STEP_INIT].by].peer_tap_rtt);
}

/* An association that was set up is one whose both ends sent user data or whose COOKIE ACK passed. */
static sctpa_assoc_end_t end_without_close(const sctpa_tracked_t *tracked, int64_t silence_ns)
{
    const sctpa_setup_t *setup = &tracked->assoc.setup;
    uint8_t initiator = setup->steps[SCTPA_STEP_INIT].by;
    bool answered = tracked->assoc.ends[!initiator].settled->packets > 0;

    if (tracked->shutdown_ack_seen)
        return SCTPA_ASSOC_SHUTDOWN;
    if (setup->steps[SCTPA_STEP_INIT].count > 0 && sctpa_near_tap_without_cookie_ack(tracked))
        return SCTPA_ASSOC_FAILED;
    if (setup->steps[SCTPA_STEP_INIT].count == 0 || tracked->established)
        return SCTPA_ASSOC_OPEN;
    if (tracked->stale_cookie)
        return SCTPA_ASSOC_FAILED;
    if ((!answered && tracked->sent_data_alone) || tracked->assoc.went_on_frame > 0)
        return SCTPA_ASSOC_OPEN;
    if (!answered && (setup->steps[SCTPA_STEP_INIT].count > 1 || tracked->refused_by_icmp ||
                      silence_ns >= SCTPA_NO_ANSWER_S * SCTPA_NS_PER_S))
        return SCTPA_ASSOC_NO_ANSWER;
    return answered && (is_repeated(tracked) || silence_ns >= SCTPA_NO_ANSWER_S * SCTPA_NS_PER_S) ? SCTPA_ASSOC_FAILED
                                                                                                  : SCTPA_ASSOC_OPEN;
}

sctpa_outcome_t sctpa_teardown_outcome(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, int64_t end_ns)
{
    const sctpa_assoc_t *assoc = &tracked->assoc;
    sctpa_outcome_t outcome = assoc->known;
    for (unsigned e = 0; e < 2; e++)
        for (unsigned i = 0; i < assoc->ends[e].n_pairs; i++)
            sctpa_flows_last(tracker, assoc->ends[e].pairs[i], &outcome);
    if (sctpa_after_abort_is_of_nobody(tracked))
        outcome.end_by = SCTPA_NO_END;
    if (assoc->end_frame != 0 || assoc->merged_into != SCTPA_NO_ASSOC)
        return outcome;
    const int64_t silence_ns = end_ns - outcome.last_ns;
    outcome.end = sctpa_closing_fails(tracked, silence_ns, &outcome) ? SCTPA_ASSOC_NOT_CLOSED
                                                                     : end_without_close(tracked, silence_ns);
    outcome.end_by = outcome.end == SCTPA_ASSOC_SHUTDOWN ? tracked->shutdown_by : SCTPA_NO_END;
    return outcome;
}
