/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How associations end: SHUTDOWN (RFC 9260 9.2) with its repeats (T2-shutdown), ABORT (9.1) and whether it was taken,
 * ERROR chunks on the way and what their causes name, and what only the end of the capture shows. Leaves ABORTs whose
 * tag nobody announced to strays.c. */
#include <glib.h>

#include "base/numbers.h"
#include "feed_parts.h"
#include "track/endpoints.h"
#include "track/events.h"
#include "track/flow.h"
#include "track/lookup.h"
#include "track/near_tap.h"
#include "track/tracker.h"
#include "wire/address.h"
#include "wire/chunk.h"
#include "wire/types.h"

enum { ID_STEPS = 64 }; /* identifications of IPv4 between two packets of a host, for other packets of it */

static const sctpa_after_abort_t nothing;

const sctpa_after_abort_t *sctpa_after_abort_of(const sctpa_tracked_t *tracked)
{
    return tracked->rare->after_abort ? tracked->rare->after_abort : &nothing;
}

/* Was the ABORT that ended the association neither of the one endpoint nor of the other: does the one go on with the
 * association that the sender of the ABORT does not know (T bit)? O(1). */
static bool after_abort_is_of_nobody(const sctpa_tracked_t *tracked)
{
    return tracked->is_aborted && tracked->assoc.end_reflected &&
           sctpa_after_abort_of(tracked)->going_on[tracked->assoc.known.end_by].packets > 0;
}

static bool owns(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t end, uint32_t tag)
{
    const sctpa_candidates_t owners = sctpa_owner_find(tracker, tag);
    if (tracked->assoc.ends[end].has_vtag && tracked->assoc.ends[end].vtag == tag)
        return true;
    for (unsigned i = 0; i < owners.n; i++) {
        const sctpa_sender_t owner = sctpa_candidate(tracker, &owners, i);
        if (owner.tracked == tracked && owner.from == end)
            return true;
    }
    return false;
}

/* May the receiver of an ABORT take it, by its tag (RFC 9260 8.5.1): its own, or with T bit its peer's? Also yes where
 * the capture does not show that tag. *is_known: the tag is one that the association has, or had in its set-up. O(1).
 */
static bool abort_may_be_taken(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t from,
                               const sctpa_input_t *input, bool *is_known)
{
    const uint8_t owner = input->reflected ? from : !from;
    const bool is_right = !tracked->assoc.ends[owner].has_vtag || owns(tracker, tracked, owner, input->vtag);
    *is_known = is_right || owns(tracker, tracked, !owner, input->vtag);
    return is_right;
}

void sctpa_abort_of_nobody(sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input)
{
    const sctpa_side_t *side = &tracked->sides[from];
    const bool is_of_other = input->packet->ttl != 0 && side->ttl != 0 && input->packet->ttl != side->ttl;
    const bool is_own = tracked->assoc.ends[from].has_vtag && tracked->assoc.ends[from].vtag == input->vtag;
    GString *why = g_string_new(is_own ? "the tag of its own sender without T bit" : NULL);
    if (!is_own)
        g_string_append_printf(why, "tag 0x%08x, which nobody announced in this set-up", input->vtag);
    g_string_append(why, is_of_other ? "; most likely of another host, by its TTL" : "");
    sctpa_event_add(tracked, input->packet, SCTPA_EVENT_ABORT_NOT_TAKEN, is_of_other ? SCTPA_NO_END : from,
                    SCTPA_NO_PATH, g_string_free(why, FALSE));
}

/* Chunks that an endpoint without an association sends, too: what answers them is no proof that there is one. */
static bool shows_association(const sctpa_input_t *input)
{
    const uint64_t without = SCTPA_ROW(ABORT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(ERROR) | SCTPA_ROW(SHUTDOWN_COMPLETE);
    return input->observation->rows & ~without && !(input->observation->rows & SCTPA_ROW(ABORT));
}

typedef enum { UNDER_WAY, EARLY, LEFT_AFTER } leaving_t;

/* Did the packet leave after the ABORT had reached its sender, or its sender had sent it? Longer than any packet is
 * under way, by the RTT from the tap to its sender, and where two taps saw packets by what lies between these: surely.
 * EARLY: longer than that RTT as measured, where both ways took as long as ever. */
static leaving_t left_after(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t from,
                            const sctpa_packet_t *packet)
{
    const sctpa_two_taps_data_t *taps = tracked->rare->two_taps_data;
    const sctpa_tap_rtt_t rtt = tracked->sides[!from].peer_tap_rtt;
    const int64_t since_ns =
        packet->time_ns - tracked->assoc.end_ns - (taps ? taps->longest_ns : 0) - tracker->stamp_unit_ns;
    if (since_ns > sctpa_tap_under_way_ns(rtt))
        return LEFT_AFTER;
    return rtt.is_measured && since_ns > rtt.most_ns ? EARLY : UNDER_WAY;
}

static sctpa_after_abort_t *after_of(sctpa_tracked_t *tracked)
{
    sctpa_tracked_rare_t *rare = sctpa_tracked_rare(tracked);
    if (!rare->after_abort)
        rare->after_abort = sctpa_arena_alloc(tracked->arena, sizeof *rare->after_abort);
    return rare->after_abort;
}

static bool is_between(uint16_t before, uint16_t id, uint16_t after)
{
    return (uint16_t)(id - before) <= (uint16_t)(after - before);
}

/* The first packet of the endpoint that aborted after its ABORT: does it carry on what came before, and not the ABORT?
 */
static void compare_hosts(const sctpa_tracked_t *tracked, const sctpa_packet_t *packet, sctpa_after_abort_t *after)
{
    const uint16_t before = tracked->ip_id_before_abort, of_abort = tracked->ip_id_of_abort;
    const bool has_ids = packet->encapsulation == SCTPA_OVER_IP && before != 0 && of_abort != 0 && packet->ip_id != 0 &&
                         (uint16_t)(packet->ip_id - before - 1) < ID_STEPS;
    after->has_other_ids = has_ids && !is_between(before, of_abort, packet->ip_id);
    after->has_other_ttl =
        packet->ttl != 0 && packet->ttl == tracked->ttl_before_abort && tracked->ttl_of_abort != packet->ttl;
}

static void note_early(sctpa_after_abort_t *after, uint8_t from, const sctpa_packet_t *packet)
{
    if (after->early[from].packets++ == 0)
        after->early[from].first_frame = packet->frame;
}

static void note_going_on(sctpa_after_abort_t *after, uint8_t from, const sctpa_packet_t *packet)
{
    if (after->going_on[from].packets == 0) {
        after->going_on[from].packets = after->early[from].packets;
        after->going_on[from].first_frame =
            after->early[from].packets > 0 ? after->early[from].first_frame : packet->frame;
    }
    after->going_on[from].packets++;
    after->going_on[from].last_frame = packet->frame;
    after->going_on[from].last_ns = packet->time_ns;
}

static void note_abort(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t from,
                       const sctpa_input_t *input, sctpa_after_abort_t *after)
{
    bool is_known;
    if (from == tracked->assoc.known.end_by)
        after->answers++;
    else if (input->reflected && abort_may_be_taken(tracker, tracked, from, input, &is_known))
        after->is_receiver_gone = true;
}

/* Who goes on, and whose the ABORT is: "its receiver goes on in frame 6, and so does its sender in frame 5". */
static char *why_not_taken(const sctpa_tracked_t *tracked, const sctpa_after_abort_t *after)
{
    const uint8_t by = tracked->assoc.known.end_by;
    GString *why = g_string_new(tracked->may_be_taken ? NULL : "a tag that its receiver does not take; ");
    g_string_append_printf(why, "its receiver goes on in frame %u", after->going_on[!by].first_frame);
    if (after->going_on[by].packets > 0)
        g_string_append_printf(why, ", and so does its sender in frame %u", after->going_on[by].first_frame);
    if (after->has_other_ids || after->has_other_ttl)
        g_string_append_printf(why, "; most likely of another host, by its %s",
                               after->has_other_ids ? "IPv4 identification" : "TTL");
    return g_string_free(why, FALSE);
}

/* Its event is of neither endpoint where another host sent it. O(events after it). */
static void disown(sctpa_tracked_t *tracked)
{
    sctpa_assoc_t *assoc = &tracked->assoc;
    for (uint32_t i = assoc->n_events; i > 0 && assoc->events[i - 1].frame >= assoc->end_frame; i--)
        if (assoc->events[i - 1].kind == SCTPA_EVENT_ABORT && assoc->events[i - 1].frame == assoc->end_frame)
            assoc->events[i - 1].end = SCTPA_NO_END;
}

/* The ABORT ended nothing. */
static void reopen(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_packet_t *packet,
                   const sctpa_after_abort_t *after)
{
    sctpa_assoc_t *assoc = &tracked->assoc;
    const bool is_of_other = after->has_other_ids || after->has_other_ttl;
    sctpa_event_put(tracker, tracked, packet, assoc->end_frame, assoc->end_ns, SCTPA_EVENT_ABORT_NOT_TAKEN,
                    is_of_other ? SCTPA_NO_END : (uint8_t)assoc->known.end_by, SCTPA_NO_PATH,
                    why_not_taken(tracked, after));
    sctpa_arena_free_text(tracked->arena, assoc->end_text);
    sctpa_arena_free_text(tracked->arena, assoc->end_contents);
    assoc->end_text = assoc->end_contents = NULL;
    assoc->known.end = SCTPA_ASSOC_OPEN;
    assoc->known.end_by = SCTPA_NO_END;
    assoc->end_frame = assoc->end_cause = 0;
    assoc->end_ns = 0;
    assoc->end_reflected = tracked->is_aborted = false;
    for (unsigned tap = 0; tracked->rare->two_taps_data && tap < 2; tap++)
        tracked->rare->two_taps_data->taps[tap].end_frame = 0;
    *sctpa_tracked_rare(tracked)->after_abort =
        (sctpa_after_abort_t){ .has_other_ids = after->has_other_ids, .has_other_ttl = after->has_other_ttl };
}

static void take_following(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input)
{
    const uint8_t by = (uint8_t)tracked->assoc.known.end_by;
    if (input->observation->rows & SCTPA_ROW(ABORT)) {
        note_abort(tracker, tracked, from, input, after_of(tracked));
        return;
    }
    const leaving_t leaving = left_after(tracker, tracked, from, input->packet);
    if (!shows_association(input) || leaving == UNDER_WAY)
        return;
    sctpa_after_abort_t *after = after_of(tracked);
    if (leaving == EARLY) {
        note_early(after, from, input->packet);
        return;
    }
    if (from == by && after->going_on[by].packets == 0 && after->answers == 0) {
        compare_hosts(tracked, input->packet, after);
        if (after->has_other_ids || after->has_other_ttl)
            disown(tracked);
    }
    if (from != by)
        after->is_receiver_gone = false;
    note_going_on(after, from, input->packet);
    if (!after->is_receiver_gone && after->going_on[!by].packets > 0 &&
        (after->going_on[by].packets > 0 || !tracked->may_be_taken))
        reopen(tracker, tracked, input->packet, after);
}

void sctpa_after_abort_packet(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from,
                              const sctpa_input_t *input)
{
    if (tracked->is_aborted) {
        take_following(tracker, tracked, from, input);
        return;
    }
    tracked->ip_id_before_abort = tracked->sides[from].ip_id;
    tracked->ttl_before_abort = tracked->sides[from].ttl;
    tracked->ip_id_of_abort = input->packet->ip_id;
    tracked->ttl_of_abort = input->packet->ttl;
}

enum {
    /* The first and three repetitions. One packet that was lost in each direction explains two of them; the third shows
     * that packets are lost one after another in one direction, or that nobody answers. */
    ASKS_LEAST = 4,
    ASKS_REPEATED = 2
};

static void count(uint8_t *counter)
{
    *counter = (uint8_t)MIN(*counter + 1u, UINT8_MAX);
}

static uint32_t ms_of(const sctpa_tracked_t *tracked, const sctpa_packet_t *packet)
{
    return (uint32_t)(MAX(packet->time_ns - tracked->assoc.first_ns, 0) / SCTPA_NS_PER_MS);
}

static uint32_t way_ms(const sctpa_tracked_t *tracked, uint8_t end)
{
    return (uint32_t)(sctpa_tap_under_way_ns(tracked->sides[end].peer_tap_rtt) / SCTPA_NS_PER_MS);
}

void sctpa_closing_packet(sctpa_tracked_t *tracked, uint8_t from, uint64_t rows)
{
    const uint64_t closing = SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(SHUTDOWN_COMPLETE);
    if (tracked->closing[!from].asks > 0 && (rows & ~closing || rows == 0))
        tracked->closing[!from] = (sctpa_closing_t){ .asks = 0 };
}

/* Was it the timer? Its RTO is longer than any packet is under way; what follows sooner answers DATA or a SHUTDOWN that
 * was under way. */
static void on_ask(sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet, bool is_ack)
{
    sctpa_closing_t *closing = &tracked->closing[from], *peer = &tracked->closing[!from];
    const uint32_t now_ms = ms_of(tracked, packet);

    if (peer->asks > 0)
        count(&peer->answers);
    if (closing->asks > 0 && closing->is_ack != is_ack)
        *closing = (sctpa_closing_t){ .asks = 0 };
    if (closing->asks > 0 && now_ms - closing->last_ms < way_ms(tracked, from))
        return;
    if (closing->asks == 0)
        closing->first_frame = packet->frame;
    if (peer->has_completed && now_ms - peer->last_ms >= way_ms(tracked, from))
        count(&closing->unheard);
    peer->has_completed = false;
    count(&closing->asks);
    closing->is_ack = is_ack;
    closing->last_frame = packet->frame;
    closing->last_ms = now_ms;
}

/* A SHUTDOWN, SHUTDOWN ACK or SHUTDOWN COMPLETE of endpoint from. O(1). */
static void closing_chunk(sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet, uint32_t type)
{
    if (type != SCTPA_CHUNK_SHUTDOWN_COMPLETE) {
        on_ask(tracked, from, packet, type == SCTPA_CHUNK_SHUTDOWN_ACK);
        return;
    }
    tracked->closing[from].has_completed = true;
    tracked->closing[from].last_ms = ms_of(tracked, packet);
}

/* An endpoint whose SHUTDOWN is answered gets a SHUTDOWN ACK and sends SHUTDOWN COMPLETE. Where neither passed, and
 * longer than its timer may wait, it has given up. */
static bool has_given_up(const sctpa_tracked_t *tracked, uint8_t end, int64_t silence_ns)
{
    const sctpa_closing_t *closing = &tracked->closing[end];
    return closing->asks >= ASKS_REPEATED && !closing->is_ack && !tracked->shutdown_ack_seen &&
           silence_ns > SCTPA_RTO_MAX_NS;
}

static bool fails(const sctpa_tracked_t *tracked, uint8_t end, int64_t silence_ns)
{
    return tracked->assoc.ends[!end].settled->packets > 0 &&
           (tracked->closing[end].asks >= ASKS_LEAST || has_given_up(tracked, end, silence_ns));
}

/* Its SHUTDOWN is repeated though SHUTDOWN ACKs passed: what does not arrive are these. */
static bool is_asking_in_vain(const sctpa_tracked_t *tracked, uint8_t end)
{
    const sctpa_closing_t *closing = &tracked->closing[end];
    return closing->asks >= ASKS_REPEATED && !closing->is_ack && closing->answers > 0 && tracked->closing[!end].is_ack;
}

/* Was the association not closed? Then outcome gets who repeats what. silence_ns: from its last packet to the
 * capture's. No SHUTDOWN COMPLETE and no ABORT ended it. O(1). */
static bool closing_fails(const sctpa_tracked_t *tracked, int64_t silence_ns, sctpa_outcome_t *outcome)
{
    const bool fail[2] = { fails(tracked, 0, silence_ns), fails(tracked, 1, silence_ns) };
    uint8_t asking = fail[1];
    if (!fail[0] && !fail[1])
        return false;
    if (is_asking_in_vain(tracked, !asking))
        asking = !asking;
    const sctpa_closing_t *closing = &tracked->closing[asking];
    outcome->shutdowns = closing->asks;
    outcome->answers = closing->answers;
    outcome->asking = asking & 1;
    outcome->asks_ack = closing->is_ack;
    outcome->asks_over = silence_ns > SCTPA_RTO_MAX_NS;
    return true;
}

enum { LISTED_MAX = 8, TYPE_BYTES = 2, MISSING_LIST_AT = 8, NAME_MAX_BYTES = 256 };

static void append_separator(GString *text)
{
    if (text->len > 0)
        g_string_append(text, ", ");
}

static void append_param_type(GString *text, uint32_t type)
{
    const sctpa_tlv_type_t *row = sctpa_tlv_type(SCTPA_TLV_PARAM, type);
    append_separator(text);
    if (row)
        g_string_append(text, row->title);
    else
        g_string_append_printf(text, "parameter 0x%04x", type);
}

/* Number and types of parameters (3.3.10.2). */
static void append_missing(GString *text, const sctpa_tlv_t *cause)
{
    for (uint32_t at = MISSING_LIST_AT, n = 0; at + TYPE_BYTES <= cause->captured_bytes && n < LISTED_MAX;
         at += TYPE_BYTES, n++)
        append_param_type(text, sctpa_be16(cause->bytes + at));
}

static void append_param(GString *text, const sctpa_tlv_t *param)
{
    sctpa_addr_t addr;
    if (sctpa_param_addr(param, &addr)) {
        append_separator(text);
        char *addr_text = sctpa_addr_text(&addr);
        g_string_append(text, addr_text);
        g_free(addr_text);
        return;
    }
    append_param_type(text, param->type);
    if (param->type == SCTPA_PARAM_HOST_NAME && param->captured_bytes > SCTPA_TLV_HEADER_BYTES) {
        const char *name = (const char *)param->bytes + SCTPA_TLV_HEADER_BYTES;
        uint32_t bytes = MIN(param->captured_bytes - SCTPA_TLV_HEADER_BYTES, NAME_MAX_BYTES);
        g_string_append_c(text, ' ');
        g_string_append_len(text, name, (gssize)strnlen(name, bytes));
    }
}

static void append_params(GString *text, const sctpa_tlv_t *cause)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    unsigned n = 0;
    for (sctpa_params_begin(&iter, cause); n < LISTED_MAX && sctpa_tlv_next(&iter, &param); n++)
        append_param(text, &param);
}

/* The chunk begins with its type (3.3.10.6). */
static void append_chunk(GString *text, const sctpa_tlv_t *cause)
{
    if (cause->captured_bytes <= SCTPA_TLV_HEADER_BYTES)
        return;
    const sctpa_tlv_type_t *row = sctpa_tlv_type(SCTPA_TLV_CHUNK, cause->bytes[SCTPA_TLV_HEADER_BYTES]);
    if (row)
        g_string_append(text, row->title);
    else
        g_string_append_printf(text, "chunk type 0x%02X", cause->bytes[SCTPA_TLV_HEADER_BYTES]);
}

static void append_field(GString *text, const sctpa_tlv_t *cause, sctpa_field_id_t field, const char *format)
{
    if (sctpa_tlv_has(cause, field))
        g_string_append_printf(text, format, sctpa_tlv_u32(cause, field));
}

/* "State Cookie", "10.1.1.1", "stream 7", "TSN 12", "by 1500 us": the contents of the cause (RFC 9260 3.3.10), to be
 * freed; NULL: it has none, or they were not captured. Host names are bytes of the peer's choice: escape them. Of a
 * list the first eight. O(bytes of the cause). */
static char *cause_contents(const sctpa_tlv_t *cause)
{
    GString *text = g_string_new(NULL);
    switch (cause->type) {
    case SCTPA_CAUSE_INVALID_SID: append_field(text, cause, SCTPA_F_INVALID_SID_SID, "stream %u"); break;
    case SCTPA_CAUSE_NO_USER_DATA: append_field(text, cause, SCTPA_F_NO_USER_DATA_TSN, "TSN %u"); break;
    case SCTPA_CAUSE_STALE_COOKIE: append_field(text, cause, SCTPA_F_STALE_COOKIE_STALENESS, "by %u us"); break;
    case SCTPA_CAUSE_MISSING_PARAMS: append_missing(text, cause); break;
    case SCTPA_CAUSE_UNRECOGNIZED_CHUNK:
    case SCTPA_CAUSE_NAT_COLLISION:
    case SCTPA_CAUSE_NAT_PORT_COLLISION: append_chunk(text, cause); break;
    case SCTPA_CAUSE_UNRESOLVABLE_ADDRESS:
    case SCTPA_CAUSE_UNRECOGNIZED_PARAMS:
    case SCTPA_CAUSE_RESTART_NEW_ADDRESSES:
    case SCTPA_CAUSE_DELETE_LAST_IP:
    case SCTPA_CAUSE_RESOURCE_SHORTAGE:
    case SCTPA_CAUSE_DELETE_SOURCE_IP:
    case SCTPA_CAUSE_NO_AUTHORIZATION: append_params(text, cause); break;
    default: break;
    }
    return g_string_free(text, text->len == 0);
}

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
    const bool may_be_taken = first && abort_may_be_taken(tracker, tracked, from, input, &is_known);
    if (first && !is_known) {
        sctpa_abort_of_nobody(tracked, from, input);
        return;
    }

    char *text = has_cause ? cause_text(&cause) : NULL, *contents = has_cause ? cause_contents(&cause) : NULL;
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
    char *contents = cause_contents(&cause);
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
        closing_chunk(tracked, from, packet, chunk->type);
        if (tracked->shutdown_by == SCTPA_NO_END) {
            tracked->shutdown_by = from;
            sctpa_event_add(tracked, packet, SCTPA_EVENT_SHUTDOWN, from, SCTPA_NO_PATH, NULL);
        }
        break;
    case SCTPA_CHUNK_SHUTDOWN_ACK:
        closing_chunk(tracked, from, packet, chunk->type);
        tracked->shutdown_ack_ns = tracked->shutdown_ack_seen || from == tracked->shutdown_by ? 0 : packet->time_ns;
        tracked->shutdown_ack_seen = true;
        if (tracked->shutdown_by == SCTPA_NO_END)
            tracked->shutdown_by = !from;
        break;
    case SCTPA_CHUNK_SHUTDOWN_COMPLETE:
        closing_chunk(tracked, from, packet, chunk->type);
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
    if (after_abort_is_of_nobody(tracked))
        outcome.end_by = SCTPA_NO_END;
    if (assoc->end_frame != 0 || assoc->merged_into != SCTPA_NO_ASSOC)
        return outcome;
    const int64_t silence_ns = end_ns - outcome.last_ns;
    outcome.end =
        closing_fails(tracked, silence_ns, &outcome) ? SCTPA_ASSOC_NOT_CLOSED : end_without_close(tracked, silence_ns);
    outcome.end_by = outcome.end == SCTPA_ASSOC_SHUTDOWN ? tracked->shutdown_by : SCTPA_NO_END;
    return outcome;
}
