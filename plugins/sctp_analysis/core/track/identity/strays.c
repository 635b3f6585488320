/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognises strays. A tag that nobody announced may as well be that of an association whose set-up the capture missed,
 * also of one that replaces another there: so a stray must carry on what its sender sent before, and its peer must keep
 * to the old tag. */
#include "half_matching.h"
#include "identity_parts.h"
#include "track/endpoints.h"
#include "track/lookup.h"
#include "track/tracker.h"

enum {
    IN_A_ROW = 32, /* more strays than this, without a packet between them whose tag is right, are an association */
    ID_STEPS = 16  /* identifications of IPv4 that belong to other packets of the sender's host, at most, and one */
};

/* Steps of a set-up whose tag nobody announced belong to the attempt that waits for them (identity.c), and so does an
 * answer that reflects the tag of what it answers, but for SHUTDOWN COMPLETE, which would end the association. Without
 * a tag nothing but INIT is sent: that needs no association to be wrong. */
static bool may_stray(const sctpa_input_t *input)
{
    const uint64_t rows = input->observation->rows,
                   set_up = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ECHO);
    return input->observation->n > 0 && !(rows & set_up) && input->vtag != 0 &&
           (!input->reflected || rows & SCTPA_ROW(SHUTDOWN_COMPLETE));
}

static bool is_alive(const sctpa_tracked_t *tracked)
{
    return tracked->assoc.known.end == SCTPA_ASSOC_OPEN && !sctpa_tracked_is_none(tracked);
}

/* The living association between the packet's addresses and ports that began last, and the end at its source. */
static sctpa_sender_t find_newest(const sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    const sctpa_candidates_t list = sctpa_neighbour_find(tracker, input);
    for (unsigned i = 0; i < list.n; i++) {
        const sctpa_sender_t sender = sctpa_candidate(tracker, &list, i);
        if (is_alive(sender.tracked))
            return sender;
    }
    return (sctpa_sender_t){ NULL, 0 };
}

/* Are both tags known? That of who announced 0 is. */
static bool has_tags(const sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input)
{
    const sctpa_end_t *ends = tracked->assoc.ends;
    return (ends[0].has_vtag || ends[0].init.seen) && (ends[1].has_vtag || ends[1].init.seen) &&
           ends[0].vtag != ends[1].vtag && sctpa_end_addr_origin(&ends[!from], &input->packet->source) == 0;
}

/* Is the tag of its peer the only one that the endpoint may use? Who sent INIT has no other association of these ports.
 * Who was asked may have an older one until it has taken the COOKIE ECHO, which COOKIE ACK, ERROR or ABORT answers. */
static bool is_settled(const sctpa_tracked_t *tracked, uint8_t from, uint64_t rows)
{
    const uint64_t answers = SCTPA_ROW(COOKIE_ACK) | SCTPA_ROW(ERROR) | SCTPA_ROW(ABORT);
    const sctpa_setup_t *setup = &tracked->assoc.setup;
    const bool may_be_any = tracked->assoc.collision,
               is_echoed = setup->steps[SCTPA_STEP_COOKIE_ECHO].count > 0 &&
                           (may_be_any || setup->steps[SCTPA_STEP_COOKIE_ECHO].by != from),
               has_asked = setup->steps[SCTPA_STEP_INIT].count > 0 && setup->steps[SCTPA_STEP_INIT].by == from &&
                           setup->steps[SCTPA_STEP_INIT_ACK].count > 0 && !may_be_any;
    if (tracked->unproven)
        return false;
    return rows & SCTPA_ROW(COOKIE_ACK) ? is_echoed
                                        : tracked->established || has_asked || (is_echoed && rows & answers);
}

/* Does the packet come from the same host as the last one of the endpoint, right after it? */
static bool follows(const sctpa_side_t *side, const sctpa_packet_t *packet)
{
    uint16_t step = (uint16_t)(packet->ip_id - side->ip_id);
    return packet->encapsulation == SCTPA_OVER_IP && packet->ip_id != 0 && side->ip_id != 0 && step >= 1 &&
           step <= ID_STEPS;
}

/* Does the packet carry on the TSNs of its sender, or acknowledge those that its peer has outstanding? */
static bool carries_on(const sctpa_tracked_t *tracked, uint8_t from, const sctpa_shown_t *shown)
{
    const sctpa_direction_t *sent = tracked->sides[from].sent, *acked = tracked->sides[!from].sent;
    if (shown->has_tsn) {
        const int64_t tsn = sent ? sctpa_direction_unwrap(sent, shown->tsn) : -1;
        return sent && sent->highest >= 0 && tsn > sent->cum_tsn && tsn <= sent->highest + 1;
    }
    const int64_t cum_tsn = shown->has_cum_tsn && acked ? sctpa_direction_unwrap(acked, shown->cum_tsn) : -1;
    return shown->has_cum_tsn && acked && acked->highest >= 0 && cum_tsn >= acked->cum_tsn && cum_tsn <= acked->highest;
}

/* Is it the answer to what its peer sent last of its closing, or of the set-up? */
static bool is_due(const sctpa_tracked_t *tracked, uint8_t from, uint64_t rows)
{
    const uint8_t closer = tracked->shutdown_by;
    if (rows & SCTPA_ROW(SHUTDOWN_ACK))
        return closer == !from;
    return rows & (SCTPA_ROW(COOKIE_ACK) | SCTPA_ROW(SHUTDOWN_COMPLETE)) &&
           (rows & SCTPA_ROW(COOKIE_ACK) || tracked->shutdown_ack_seen);
}

/* An attempt that did not come up: nothing but its set-up is of it. */
static bool is_attempt(const sctpa_tracked_t *tracked)
{
    return !tracked->established && tracked->assoc.setup.steps[SCTPA_STEP_INIT].count > 0;
}

/* The only living association between the packet's addresses and ports, attempts left out where another is up or newer,
 * and the end that sent the packet: if the tag of the packet's receiver is the only one that it may use. */
static sctpa_sender_t find_only(const sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    const sctpa_candidates_t list = sctpa_neighbour_find(tracker, input);
    const sctpa_sender_t none = { NULL, 0 };
    sctpa_sender_t only = none;
    for (unsigned i = 0; i < list.n; i++) {
        sctpa_sender_t sender = sctpa_candidate(tracker, &list, i);
        if (!is_alive(sender.tracked) || sender.tracked == only.tracked || (only.tracked && is_attempt(sender.tracked)))
            continue;
        if (only.tracked && !is_attempt(only.tracked))
            return none;
        only = sender;
    }
    return only.tracked && has_tags(only.tracked, only.from, input) &&
                   is_settled(only.tracked, only.from, input->observation->rows)
               ? only
               : none;
}

/* The last association between the packet's addresses and ports, whose set-up was captured, and which has ended, where
 * the packet is an ABORT alone of the host that sent for an endpoint of it: it has no other. */
static sctpa_sender_t find_ended(const sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    const sctpa_candidates_t list = sctpa_neighbour_find(tracker, input);
    const sctpa_sender_t none = { NULL, 0 }, last = list.n > 0 ? sctpa_candidate(tracker, &list, 0) : none;
    if (input->observation->rows != SCTPA_ROW(ABORT) || !last.tracked || is_alive(last.tracked) ||
        sctpa_tracked_is_none(last.tracked) || !has_tags(last.tracked, last.from, input))
        return none;
    return follows(&last.tracked->sides[last.from], input->packet) ? last : none;
}

/* Neither the packet nor the last one of the endpoint has an identification by which hosts tell apart. */
static bool lacks_ids(const sctpa_side_t *side, const sctpa_packet_t *packet)
{
    return packet->encapsulation != SCTPA_OVER_IP || (packet->ip_id == 0 && side->ip_id == 0);
}

/* Is its own tag, which only its peer and whoever sees packets can know, the tag of the packet? *is_other: it is that
 * of another endpoint with these ports. */
static bool has_own_tag(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t from,
                        const sctpa_input_t *input, bool *is_other)
{
    const sctpa_candidates_t owners = sctpa_owner_find(tracker, input->vtag);
    bool is_own = false;
    *is_other = false;
    for (unsigned i = 0; i < owners.n; i++) {
        const sctpa_sender_t owner = sctpa_candidate(tracker, &owners, i);
        const bool is_here = owner.tracked == tracked && owner.from == from;
        const uint16_t port = owner.tracked->assoc.ends[owner.from].port;
        is_own |= is_here;
        *is_other |= is_here ? input->reflected : port == input->source_port || port == input->destination_port;
    }
    return is_own && input->vtag >= SCTPA_SMALL_TAG;
}

/* Does the user assert that the capture holds all that left the host of the packet's source: that host sent it, and no
 * association of it between these addresses and ports is missing? */
static bool is_asserted_here(const sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    return tracker->asserted && tracker->asserted_here(tracker->asserted_user, &input->packet->source);
}

/* Does what the packet carries show that this end sent it? Its own tag, or TSNs that carry on those before, or the
 * identification of its IPv4 header; where there is none, that it answers what is due. Or the user asserts it. */
static bool is_sender(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t from,
                      const sctpa_input_t *input)
{
    const sctpa_side_t *side = &tracked->sides[from];
    const sctpa_half_match_t match = sctpa_half_match_of(tracker, tracked, from, input);
    bool is_other, is_own = has_own_tag(tracker, tracked, from, input, &is_other);
    if (side->ttl != input->packet->ttl || match == SCTPA_HALF_MATCH_AGAINST || is_other)
        return false;
    if (!tracked->assoc.ends[0].init.seen || !tracked->assoc.ends[1].init.seen)
        return carries_on(tracked, from, input->shown) &&
               (lacks_ids(side, input->packet) || follows(side, input->packet));
    return is_own || match != SCTPA_HALF_MATCH_NONE || follows(side, input->packet) ||
           is_asserted_here(tracker, input) ||
           (lacks_ids(side, input->packet) && is_due(tracked, from, input->observation->rows));
}

static bool find_pair(const sctpa_end_t *end, const sctpa_packet_t *packet, uint32_t *pair)
{
    for (*pair = 0; *pair < end->n_pairs; ++*pair)
        if (sctpa_addr_equal(end->pairs[*pair]->destination, &packet->destination) &&
            sctpa_addr_equal(end->pairs[*pair]->source, &packet->source))
            return true;
    return false;
}

sctpa_sender_t sctpa_stray_find_abort(const sctpa_tracker_t *tracker, const sctpa_input_t *input, uint32_t *pair)
{
    const sctpa_sender_t none = { NULL, 0 };
    if (input->observation->rows != SCTPA_ROW(ABORT) || input->vtag == 0 ||
        sctpa_owner_find(tracker, input->vtag).n > 0)
        return none;
    const sctpa_sender_t sender = find_newest(tracker, input);
    const sctpa_end_t *ends = sender.tracked ? sender.tracked->assoc.ends : NULL;
    return ends && ends[0].init.seen && ends[1].init.seen && has_tags(sender.tracked, sender.from, input) &&
                   find_pair(&sender.tracked->assoc.ends[sender.from], input->packet, pair)
               ? sender
               : none;
}

sctpa_sender_t sctpa_stray_find(const sctpa_tracker_t *tracker, const sctpa_input_t *input, uint32_t *pair)
{
    const sctpa_sender_t none = { NULL, 0 };
    if (!may_stray(input))
        return none;
    sctpa_sender_t sender = find_only(tracker, input);
    if (!sender.tracked)
        sender = find_ended(tracker, input);
    if (!sender.tracked)
        return none;
    const sctpa_side_t *sides = sender.tracked->sides;
    bool is_row = sides[sender.from].strays < IN_A_ROW && sides[!sender.from].strays == 0;
    return is_row && is_sender(tracker, sender.tracked, sender.from, input) &&
                   find_pair(&sender.tracked->assoc.ends[sender.from], input->packet, pair)
               ? sender
               : none;
}

void sctpa_stray_note(sctpa_side_t *side, const sctpa_packet_t *packet, bool is_stray)
{
    side->ip_id = packet->ip_id;
    side->ttl = packet->ttl;
    side->strays = is_stray ? (uint8_t)(side->strays + 1) : 0;
}
