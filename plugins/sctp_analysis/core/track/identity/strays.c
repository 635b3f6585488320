/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognises strays. A tag that nobody announced may as well be that of an association whose set-up the capture missed,
 * also of one that replaces another there: so a stray must carry on what its sender sent before, and its peer must keep
 * to the old tag. */
#include "half_matching.h"
#include "identity_parts.h"
#include "track/endpoints.h"
#include "track/lookup.h"

enum {
    IN_A_ROW = 32, /* more strays than this, without a packet between them whose tag is right, are an association */
    ID_STEPS = 16  /* identifications of IPv4 that belong to other packets of the sender's host, at most, and one */
};

/* Packets of a set-up have tags of their own, and so has an answer that reflects the tag of what it answers. Without a
 * tag nothing but INIT is sent: that needs no association to be wrong. */
static bool may_stray(const sctpa_input_t *input)
{
    const uint64_t set_up = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(COOKIE_ACK);
    return input->observation->n > 0 && !(input->observation->rows & set_up) && !input->reflected && input->vtag != 0;
}

static bool is_alive(const sctpa_tracked_t *tracked)
{
    return tracked->assoc.known.end == SCTPA_ASSOC_OPEN && !sctpa_tracked_is_none(tracked);
}

/* The only living association between the packet's addresses and ports, and the end at its source. */
static sctpa_sender_t find_only(const sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    const sctpa_candidates_t list = sctpa_neighbour_find(tracker, input);
    sctpa_sender_t only = { NULL, 0 };
    for (unsigned i = 0; i < list.n; i++) {
        sctpa_sender_t sender = sctpa_candidate(tracker, &list, i);
        if (!is_alive(sender.tracked) || sender.tracked == only.tracked)
            continue;
        if (only.tracked)
            return (sctpa_sender_t){ NULL, 0 };
        only = sender;
    }
    return only;
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

/* Are both tags known by INIT and INIT ACK? */
static bool has_tags(const sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input)
{
    const sctpa_end_t *ends = tracked->assoc.ends;
    return ends[0].init.seen && ends[1].init.seen && ends[0].has_vtag && ends[1].has_vtag &&
           ends[0].vtag != ends[1].vtag && sctpa_end_addr_origin(&ends[!from], &input->packet->source) == 0;
}

/* And is it up? Its peer's tag is then the only one that an endpoint may use until it begins to end. */
static bool is_settled(const sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input)
{
    return has_tags(tracked, from, input) && tracked->established && !tracked->unproven && !tracked->assoc.collision &&
           !sctpa_tracked_is_ending(tracked);
}

/* Does the packet come from the same host as the last one of the endpoint, right after it? */
static bool follows(const sctpa_side_t *side, const sctpa_packet_t *packet)
{
    uint16_t step = (uint16_t)(packet->ip_id - side->ip_id);
    return packet->encapsulation == SCTPA_OVER_IP && packet->ip_id != 0 && side->ip_id != 0 && step >= 1 &&
           step <= ID_STEPS;
}

/* Does what the packet carries show that this end sent it? Its own tag, which only its peer and whoever sees packets
 * can know, or TSNs that carry on those before, or the identification of its IPv4 header. */
static bool is_sender(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t from,
                      const sctpa_input_t *input)
{
    const sctpa_side_t *side = &tracked->sides[from];
    const sctpa_candidates_t owners = sctpa_owner_find(tracker, input->vtag);
    const sctpa_half_match_t match = sctpa_half_match_of(tracker, tracked, from, input);
    if (side->ttl != input->packet->ttl || match == SCTPA_HALF_MATCH_AGAINST)
        return false;
    if (owners.n > 0)
        return owners.n == 1 && input->vtag == tracked->assoc.ends[from].vtag && input->vtag >= SCTPA_SMALL_TAG;
    return match != SCTPA_HALF_MATCH_NONE || follows(side, input->packet);
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
    return sender.tracked && has_tags(sender.tracked, sender.from, input) &&
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
    if (!sender.tracked || !is_settled(sender.tracked, sender.from, input))
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
