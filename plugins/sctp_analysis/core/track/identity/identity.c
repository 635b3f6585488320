/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which association does a packet belong to, and which end sent it? By verification tags (RFC 9260 8.5), addresses and
 * ports, and where the set-up was not captured, by what the packets say to each other. INIT is in identity_init.c. Each
 * step costs a bounded number of look-ups. */
#include "identity.h"

#include "track/endpoints.h"
#include "track/lookup.h"
#include "half_matching.h"
#include "identity_init.h"

enum { LONG_CLOSED_S = 60 };

/* How well a packet to the owner of its tag fits: 0 not at all. */
static unsigned owner_fit(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t from,
                          const sctpa_input_t *input, bool alone)
{
    const sctpa_end_t *sender = &tracked->assoc.ends[from], *owner = &tracked->assoc.ends[!from];
    bool source_known = sctpa_end_addr_origin(sender, &input->packet->source) != 0;
    bool destination_known = sctpa_end_addr_origin(owner, &input->packet->destination) != 0;

    if (sender->port != input->source_port || owner->port != input->destination_port)
        return 0;
    if (source_known && destination_known)
        return 4;
    if (sctpa_end_is_socket(owner, input->packet))
        return 0;
    if (sctpa_end_addr_origin(owner, &input->packet->source) != 0 &&
        sctpa_end_addr_origin(sender, &input->packet->destination) != 0)
        return 0;
    sctpa_half_match_t match = sctpa_half_match_of(tracker, tracked, from, input);
    if (match == SCTPA_HALF_MATCH_AGAINST)
        return 0;
    if (source_known || destination_known)
        return 3;
    if (match != SCTPA_HALF_MATCH_NONE)
        return 2;
    bool forgotten = tracked->assoc.known.end != SCTPA_ASSOC_OPEN &&
                     input->packet->time_ns - tracked->assoc.known.last_ns > LONG_CLOSED_S * SCTPA_NS_PER_S;
    return alone && input->vtag >= SCTPA_SMALL_TAG && !forgotten;
}

sctpa_sender_t sctpa_find_neighbour(const sctpa_tracker_t *tracker, const sctpa_input_t *input, uint32_t tag,
                                    bool senders)
{
    const sctpa_candidates_t list = sctpa_neighbour_find(tracker, input);
    for (unsigned i = 0; i < list.n; i++) {
        sctpa_sender_t sender = sctpa_candidate(tracker, &list, i);
        const sctpa_end_t *owner = &sender.tracked->assoc.ends[senders ? sender.from : !sender.from];
        if (owner->has_vtag && owner->vtag == tag)
            return sender;
    }
    return (sctpa_sender_t){ NULL, 0 };
}

/* The association in which the packet's tag is owned by its receiver (its sender, when reflected). */
static sctpa_sender_t find_by_tag(const sctpa_tracker_t *tracker, const sctpa_input_t *input, bool reflected)
{
    sctpa_sender_t best = sctpa_find_neighbour(tracker, input, input->vtag, reflected);
    unsigned best_fit = 0;

    if (best.tracked)
        return best;
    const sctpa_candidates_t owners = sctpa_owner_find(tracker, input->vtag);
    for (unsigned i = 0; i < owners.n; i++) {
        sctpa_sender_t owner = sctpa_candidate(tracker, &owners, i);
        uint8_t from = reflected ? owner.from : !owner.from;
        unsigned fit = owner_fit(tracker, owner.tracked, from, input, owners.n == 1);
        if (fit > best_fit) {
            best_fit = fit;
            best = (sctpa_sender_t){ owner.tracked, from };
        }
    }
    return best;
}

/* The latest association between the packet's addresses and ports, whatever its tags. */
static sctpa_sender_t find_latest(const sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    const sctpa_candidates_t list = sctpa_neighbour_find(tracker, input);
    return list.n > 0 ? sctpa_candidate(tracker, &list, 0) : (sctpa_sender_t){ NULL, 0 };
}

/* A half between the same addresses whose silent end may be the sender; *proven when TSNs agree. */
static sctpa_sender_t find_half(const sctpa_tracker_t *tracker, const sctpa_input_t *input, bool *proven)
{
    const sctpa_candidates_t list = sctpa_neighbour_find(tracker, input);
    sctpa_sender_t possible = { NULL, 0 };
    unsigned n_possible = 0;

    for (unsigned i = 0; i < list.n; i++) {
        sctpa_sender_t sender = sctpa_candidate(tracker, &list, i);
        const sctpa_assoc_t *assoc = &sender.tracked->assoc;
        if (assoc->ends[!sender.from].has_vtag || assoc->known.end != SCTPA_ASSOC_OPEN ||
            sender.tracked == possible.tracked)
            continue;
        sctpa_half_match_t match = sctpa_half_match_of(tracker, sender.tracked, sender.from, input);
        *proven = match == SCTPA_HALF_MATCH_FOR;
        if (*proven)
            return sender;
        if (match != SCTPA_HALF_MATCH_AGAINST && !sender.tracked->disproved) {
            possible = sender;
            n_possible++;
        }
    }
    *proven = false;
    return n_possible == 1 ? possible : (sctpa_sender_t){ NULL, 0 };
}

static void own_tag(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t end, uint32_t tag)
{
    if (tag == 0)
        return;
    sctpa_end_set_tag(tracked, end, tag);
    sctpa_owner_add(tracker, tag, tracked, end);
}

/* A tag that nobody is known to own: the other direction of a half, or a new association. */
static sctpa_sender_t pair_up(sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    bool proven;
    sctpa_sender_t sender = find_half(tracker, input, &proven);
    if (!sender.tracked) {
        sender = sctpa_half_match_find(tracker, input);
        proven = true;
    }
    if (sender.tracked && !proven && sctpa_tracked_is_half(sender.tracked)) {
        sender.tracked->unproven = true;
        sender.tracked->unproven_end = sender.from;
    }
    if (!sender.tracked)
        sender = (sctpa_sender_t){ sctpa_tracked_new(tracker, input), 0 };
    own_tag(tracker, sender.tracked, !sender.from, input->vtag);
    return sender;
}

static sctpa_sender_t new_reflected(sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    sctpa_sender_t sender = { sctpa_tracked_new(tracker, input), 0 };
    own_tag(tracker, sender.tracked, 0, input->vtag);
    return sender;
}

/* Its tag was also that of an earlier association. */
static sctpa_sender_t new_answer(sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    sctpa_sender_t sender = { sctpa_tracked_new(tracker, input), 0 };
    own_tag(tracker, sender.tracked, 1, input->vtag);
    return sender;
}

sctpa_sender_t sctpa_find_known(const sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    return input->vtag != 0 ? find_by_tag(tracker, input, input->reflected) : find_latest(tracker, input);
}

sctpa_sender_t sctpa_identify(sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    sctpa_sender_t sender;

    if (input->vtag == 0) {
        sender = find_latest(tracker, input);
        return sender.tracked ? sender : (sctpa_sender_t){ sctpa_tracked_new(tracker, input), 0 };
    }
    sender = find_by_tag(tracker, input, input->reflected);
    if (!sender.tracked)
        sender = find_by_tag(tracker, input, !input->reflected);
    if (sender.tracked && sctpa_answers_missed_init(sender.tracked, sender.from, input))
        return new_answer(tracker, input);
    if (sender.tracked)
        return sender;
    if (!input->reflected)
        return pair_up(tracker, input);
    sender = find_latest(tracker, input);
    return sender.tracked ? sender : new_reflected(tracker, input);
}
