/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows associations that an ABORT seems to have ended. */
#include "after_abort.h"

#include "track/endpoints.h"
#include "track/events.h"
#include "track/lookup.h"
#include "track/tracker.h"

enum { ID_STEPS = 64 }; /* identifications of IPv4 between two packets of a host, for other packets of it */

static const sctpa_after_abort_t nothing;

const sctpa_after_abort_t *sctpa_after_abort_of(const sctpa_tracked_t *tracked)
{
    return tracked->rare->after_abort ? tracked->rare->after_abort : &nothing;
}

bool sctpa_after_abort_is_of_nobody(const sctpa_tracked_t *tracked)
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

bool sctpa_abort_may_be_taken(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t from,
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
    else if (input->reflected && sctpa_abort_may_be_taken(tracker, tracked, from, input, &is_known))
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
