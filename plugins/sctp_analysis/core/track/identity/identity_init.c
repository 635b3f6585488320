/* SPDX-License-Identifier: GPL-2.0-or-later */
/* INIT carries no tag to go by: is it a new attempt, one more copy, the other half of a collision (RFC 9260 5.2.1), or
 * the restart of a live association (5.2.2)? Answered by its Initiate Tag and by who lives between its addresses. */
#include "identity_init.h"

#include "track/endpoints.h"
#include "track/kept_packets.h"
#include "track/lookup.h"
#include "track/tracker.h"
#include "duplicate_packets.h"
#include "identity.h"

enum {
    T1_PATIENCE_S = 7, /* twice the RTO.Initial of RFC 4960, and some: an INIT sent once is still waiting */
    LATE_COPY_S = 1    /* an INIT with the tag of an attempt that ended less than this ago is a copy */
};

static bool is_closed_for(const sctpa_tracked_t *tracked, const sctpa_input_t *input)
{
    return tracked->assoc.known.end != SCTPA_ASSOC_OPEN &&
           input->packet->time_ns - tracked->assoc.known.last_ns > LATE_COPY_S * SCTPA_NS_PER_S;
}

/* Who echoes the cookie sends INIT no more (RFC 9260 5.1 C): until then, or the last INIT, an INIT may have been sent.
 */
static int64_t asked_until_ns(const sctpa_setup_t *setup)
{
    return setup->steps[SCTPA_STEP_COOKIE_ECHO].count > 0 ? setup->steps[SCTPA_STEP_COOKIE_ECHO].first_ns
                                                          : setup->last_init_ns;
}

/* Another interface showed INITs of the association first, with the tag and the Initial TSN of this one, which two
 * attempts share once in 2^64: its clock differs, so that the end may have passed there long before. O(log packets). */
static bool is_by_other_clock(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t from,
                              const sctpa_input_t *input)
{
    const sctpa_init_t *init = &tracked->assoc.ends[from].init;
    const sctpa_setup_t *setup = &tracked->assoc.setup;
    const int64_t later_ns = input->packet->time_ns - asked_until_ns(setup);
    if (!init->seen || init->initial_tsn != sctpa_tlv_u32(sctpa_input_first(input), SCTPA_F_INIT_TSN) ||
        setup->steps[SCTPA_STEP_INIT].count == 0 || setup->steps[SCTPA_STEP_INIT].by != from ||
        later_ns > SCTPA_CLOCKS_MS * SCTPA_NS_PER_MS)
        return false;
    const uint32_t first = sctpa_record_from(tracker->records, setup->steps[SCTPA_STEP_INIT].first_frame);
    return first < tracker->records->len && sctpa_stamp_interface(&g_array_index(tracker->store.stamps, sctpa_stamp_t,
                                                                                 first)) != input->packet->interface;
}

/* A closed association whose set-up had been completed does not get copies of its INIT: the tag is used anew. */
static bool is_reused(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t from,
                      const sctpa_input_t *input)
{
    const sctpa_init_t *init = &tracked->assoc.ends[from].init;
    if (is_by_other_clock(tracker, tracked, from, input))
        return false;
    if (is_closed_for(tracked, input))
        return true;
    if (init->seen && init->initial_tsn != sctpa_tlv_u32(sctpa_input_first(input), SCTPA_F_INIT_TSN))
        return true;
    return tracked->assoc.known.end != SCTPA_ASSOC_OPEN && tracked->established;
}

bool sctpa_answers_missed_init(const sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input)
{
    const sctpa_end_t *sender = &tracked->assoc.ends[from];
    const sctpa_tlv_t *first = sctpa_input_first(input);
    return first && first->type == SCTPA_CHUNK_INIT_ACK && sctpa_tlv_has(first, SCTPA_F_INIT_TAG) &&
           tracked->established && is_closed_for(tracked, input) && sender->has_vtag &&
           sender->vtag != sctpa_tlv_u32(first, SCTPA_F_INIT_TAG);
}

/* The attempt or association in which the sender already owns this Initiate Tag. */
static sctpa_sender_t find_same_tag(const sctpa_tracker_t *tracker, const sctpa_input_t *input, uint32_t tag)
{
    sctpa_sender_t near = sctpa_find_neighbour(tracker, input, tag, true);
    if (near.tracked && !is_reused(tracker, near.tracked, near.from, input))
        return near;
    const sctpa_candidates_t owners = sctpa_owner_find(tracker, tag);
    for (unsigned i = 0; i < owners.n; i++) {
        sctpa_sender_t owner = sctpa_candidate(tracker, &owners, i);
        const sctpa_end_t *sender = &owner.tracked->assoc.ends[owner.from],
                          *peer = &owner.tracked->assoc.ends[!owner.from];
        bool here = sctpa_end_addr_origin(sender, &input->packet->source) != 0;
        bool there = sctpa_end_addr_origin(peer, &input->packet->destination) != 0;
        if (sender->port == input->source_port && peer->port == input->destination_port &&
            (here || (there && tag >= SCTPA_SMALL_TAG)) && !is_reused(tracker, owner.tracked, owner.from, input))
            return owner;
    }
    return (sctpa_sender_t){ NULL, 0 };
}

/* Is the other end's own attempt still waiting for an answer, so that this INIT collides with it? */
static bool is_collision(const sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input)
{
    const sctpa_setup_t *setup = &tracked->assoc.setup;
    int64_t silence_ns = input->packet->time_ns - setup->last_init_ns;
    int64_t tried_ns = setup->last_init_ns - setup->steps[SCTPA_STEP_INIT].first_ns;

    return tracked->assoc.known.end == SCTPA_ASSOC_OPEN && setup->steps[SCTPA_STEP_INIT].count > 0 &&
           setup->steps[SCTPA_STEP_INIT].by != from && !tracked->assoc.collision && !tracked->established &&
           silence_ns < T1_PATIENCE_S * SCTPA_NS_PER_S + 2 * tried_ns;
}

/* *replaces: a live association that the INIT restarts when it is acknowledged, and the end of it that sent the INIT;
 * tracked NULL: none. */
static sctpa_sender_t find_collision(const sctpa_tracker_t *tracker, const sctpa_input_t *input,
                                     sctpa_sender_t *replaces)
{
    const sctpa_candidates_t list = sctpa_neighbour_find(tracker, input);
    *replaces = (sctpa_sender_t){ NULL, 0 };
    for (unsigned i = 0; i < list.n; i++) {
        sctpa_sender_t sender = sctpa_candidate(tracker, &list, i);
        const sctpa_tracked_t *tracked = sender.tracked;
        if (is_collision(tracked, sender.from, input))
            return sender;
        bool lives = tracked->assoc.known.end == SCTPA_ASSOC_OPEN &&
                     (tracked->established || tracked->assoc.setup.steps[SCTPA_STEP_INIT].count == 0);
        if (lives && !replaces->tracked)
            *replaces = sender;
    }
    return (sctpa_sender_t){ NULL, 0 };
}

sctpa_sender_t sctpa_identify_init(sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    const uint32_t tag = sctpa_tlv_u32(sctpa_input_first(input), SCTPA_F_INIT_TAG);
    sctpa_sender_t replaces;
    sctpa_sender_t sender = find_same_tag(tracker, input, tag);
    if (sender.tracked)
        return sender;
    sender = find_collision(tracker, input, &replaces);
    if (sender.tracked)
        return sender;
    sender = (sctpa_sender_t){ sctpa_tracked_new(tracker, input), 0 };
    if (replaces.tracked) {
        sctpa_tracked_rare_t *rare = sctpa_tracked_rare(sender.tracked);
        rare->replaces = replaces.tracked->assoc.number;
        rare->replaces_end = replaces.from;
    }
    return sender;
}
