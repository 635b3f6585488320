/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which association does a packet belong to, and which endpoint sent it? By verification tags (RFC 9260 8.5),
 * addresses and ports, and where the set-up was not captured, by what the packets say to each other. INIT carries no
 * tag to go by: is it a new attempt, one more copy, the other half of a collision (5.2.1), or the restart of a live
 * association (5.2.2)? Its Initiate Tag answers that, and who lives between its addresses. Each step costs a bounded
 * number of look-ups. */
#include "identity_parts.h"

#include "half_matching.h"
#include "track/endpoints.h"
#include "track/kept_packets.h"
#include "track/lookup.h"
#include "track/tracker.h"
#include "wire/address.h"

enum {
    LISTED_LOOKED_AT = 8, /* parameters of an INIT: few hosts have more addresses */
    T1_PATIENCE_S = 7,    /* twice the RTO.Initial of RFC 4960, and some: an INIT sent once is still waiting */
    LATE_COPY_S = 1       /* an INIT with the tag of an attempt that ended less than this ago is a copy */
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
    const sctpa_init_t *init =
        sctpa_end_announced(tracked, from, sctpa_tlv_u32(sctpa_input_first(input), SCTPA_F_INIT_TAG));
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
    const sctpa_init_t *init =
        sctpa_end_announced(tracked, from, sctpa_tlv_u32(sctpa_input_first(input), SCTPA_F_INIT_TAG));
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

/* The association between the packet's addresses and ports whose receiving end (senders: sending end) owns tag. */
static sctpa_sender_t find_neighbour(const sctpa_tracker_t *tracker, const sctpa_input_t *input, uint32_t tag,
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

/* The attempt or association in which the sender already owns this Initiate Tag. */
static sctpa_sender_t find_same_tag(const sctpa_tracker_t *tracker, const sctpa_input_t *input, uint32_t tag)
{
    sctpa_sender_t near = find_neighbour(tracker, input, tag, true);
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

/* An INIT as its sender might have sent it from another address of its own. */
typedef struct {
    sctpa_packet_t packet;
    sctpa_input_t input;
} moved_t;

/* Moves an INIT to the address that one of its parameters lists; false: it lists none, or that from which it came. */
static bool move_to_listed(const sctpa_tracker_t *tracker, const sctpa_input_t *input, const sctpa_tlv_t *param,
                           moved_t *moved)
{
    sctpa_addr_t listed;
    if (!sctpa_param_addr(param, &listed) || sctpa_addr_equal(&listed, &input->packet->source))
        return false;
    moved->packet = *input->packet;
    moved->packet.source = listed;
    moved->input = *input;
    moved->input.packet = &moved->packet;
    sctpa_input_hash(tracker, &moved->input);
    return true;
}

void sctpa_identify_listed(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input,
                           const sctpa_param_list_t *list)
{
    moved_t moved;
    for (uint32_t i = 0; i < MIN(list->n, LISTED_LOOKED_AT); i++)
        if (move_to_listed(tracker, input, &list->params[i], &moved))
            sctpa_neighbour_add_other(tracker, tracked, from, &moved.input);
}

/* The attempt of the other end with which an INIT collides, by an address that the INIT lists, where that one was sent
 * to. */
static sctpa_sender_t find_collision_of_listed(const sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    const sctpa_param_list_t *params = sctpa_observed_params(input->observation, &input->observation->chunks[0]);
    moved_t moved;
    for (uint32_t n = 0; n < MIN(params->n, LISTED_LOOKED_AT); n++) {
        const bool is_moved = move_to_listed(tracker, input, &params->params[n], &moved);
        const sctpa_candidates_t list =
            is_moved ? sctpa_neighbour_find(tracker, &moved.input) : (sctpa_candidates_t){ .n = 0 };
        for (unsigned i = 0; i < list.n; i++) {
            const sctpa_sender_t sender = sctpa_candidate(tracker, &list, i);
            if (is_collision(sender.tracked, sender.from, input))
                return sender;
        }
    }
    return (sctpa_sender_t){ NULL, 0 };
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
    return find_collision_of_listed(tracker, input);
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

/* The association in which the packet's tag is owned by its receiver (its sender, when reflected). */
static sctpa_sender_t find_by_tag(const sctpa_tracker_t *tracker, const sctpa_input_t *input, bool reflected)
{
    sctpa_sender_t best = find_neighbour(tracker, input, input->vtag, reflected);
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

/* Does the set-up wait for a packet of end from with these chunks: INIT ACK or ABORT for the INIT of its peer, COOKIE
 * ECHO for its INIT ACK? Its peer has announced a tag. O(1). */
static bool awaits(const sctpa_tracked_t *tracked, uint8_t from, uint64_t rows)
{
    const sctpa_setup_t *setup = &tracked->assoc.setup;
    const bool may_be_any = tracked->assoc.collision, has_ack = setup->steps[SCTPA_STEP_INIT_ACK].count > 0,
               is_asked =
                   setup->steps[SCTPA_STEP_INIT].count > 0 && (may_be_any || setup->steps[SCTPA_STEP_INIT].by != from),
               is_answered = has_ack && (may_be_any || setup->steps[SCTPA_STEP_INIT_ACK].by != from);
    if (rows & SCTPA_ROW(INIT_ACK) || rows == SCTPA_ROW(ABORT))
        return is_asked && (!has_ack || (may_be_any && setup->steps[SCTPA_STEP_INIT_ACK].by != from));
    return rows & SCTPA_ROW(COOKIE_ECHO) && is_answered;
}

/* The attempt between the packet's addresses and ports whose next step it is, but for its tag, which nobody announced:
 * an INIT that the capture missed announced it, or the sender is wrong. Either way it belongs there. */
static sctpa_sender_t find_attempt(const sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    const sctpa_candidates_t list = sctpa_neighbour_find(tracker, input);
    for (unsigned i = 0; i < list.n && !input->reflected; i++) {
        const sctpa_sender_t sender = sctpa_candidate(tracker, &list, i);
        const sctpa_tracked_t *tracked = sender.tracked;
        const sctpa_end_t *peer = &tracked->assoc.ends[!sender.from];
        const int64_t silence_ns = input->packet->time_ns - tracked->assoc.known.last_ns;
        if (tracked->assoc.known.end == SCTPA_ASSOC_OPEN && !tracked->established && peer->init.seen &&
            peer->has_vtag && silence_ns < T1_PATIENCE_S * SCTPA_NS_PER_S &&
            awaits(tracked, sender.from, input->observation->rows))
            return sender;
    }
    return (sctpa_sender_t){ NULL, 0 };
}

/* The association whose set-up is under way, of which an end repeats a tag that nobody announced (a stray had it): its
 * peer announced it in what the capture missed. */
static sctpa_sender_t find_insisting(const sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    const sctpa_candidates_t list = sctpa_neighbour_find(tracker, input);
    for (unsigned i = 0; i < list.n && !input->reflected; i++) {
        const sctpa_sender_t sender = sctpa_candidate(tracker, &list, i);
        if (sender.tracked->assoc.known.end == SCTPA_ASSOC_OPEN && !sender.tracked->established &&
            sender.tracked->rare->stray_tags[sender.from] == input->vtag)
            return sender;
    }
    return (sctpa_sender_t){ NULL, 0 };
}

/* A tag that nobody is known to own: a wrong one in a set-up, the other direction of a half, or a new association. */
static sctpa_sender_t pair_up(sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    bool proven;
    sctpa_sender_t sender = find_attempt(tracker, input);
    if (sender.tracked) {
        if (!(input->observation->rows & SCTPA_ROW(ABORT)))
            sctpa_owner_add(tracker, input->vtag, sender.tracked, !sender.from);
        return sender;
    }
    sender = find_insisting(tracker, input);
    if (sender.tracked) {
        own_tag(tracker, sender.tracked, !sender.from, input->vtag);
        return sender;
    }
    sender = find_half(tracker, input, &proven);
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
