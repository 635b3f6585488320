/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The indices by which a packet on a new way finds its association: who owns a verification tag, and who lives between
 * two addresses. */
#ifndef SCTPA_TRACK_LOOKUP_H
#define SCTPA_TRACK_LOOKUP_H

#include "input.h"

enum {
    SCTPA_CANDIDATES_MAX = 8, /* associations looked at when tag, ports or addresses alone must decide */
    SCTPA_SMALL_TAG = 1 << 16 /* tags below were not drawn at random (RFC 9260 5.3.1): equality says little */
};

void sctpa_lookup_init(sctpa_tracker_t *tracker);
void sctpa_lookup_free(sctpa_tracker_t *tracker);
/* Brings the memory by which a packet on a new way is explained nearer. tag: its own, or the one that its INIT
 * announces. */
void sctpa_lookup_prefetch(const sctpa_tracker_t *tracker, const sctpa_input_t *input, uint32_t tag);
/* Packets to end carry tag from now on, 0 none that is known. */
void sctpa_end_set_tag(sctpa_tracked_t *tracked, uint8_t end, uint32_t tag);
/* Remembers that packets to end carry tag, or may: sctpa_end_set_tag comes first. */
void sctpa_owner_add(sctpa_tracker_t *tracker, uint32_t tag, sctpa_tracked_t *tracked, uint8_t end);
/* Remembers that a new pair of the association lies between the packet's addresses and ports. */
void sctpa_neighbour_add(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, sctpa_pair_t *pair,
                         const sctpa_input_t *input);
/* Remembers that end from of the association sends between the packet's addresses and ports, too. */
void sctpa_neighbour_add_other(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from,
                               const sctpa_input_t *input);
/* What a pair lies between leads to the association, though the pair leaves it. */
void sctpa_neighbour_stay(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_pair_t *pair);
/* Nothing leads any more to the association by tags, addresses and ports of member: itself, or a half merged into it.
 * O(what does). */
void sctpa_lookup_forget(sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, const sctpa_tracked_t *member);
typedef struct {
    uint32_t assocs[SCTPA_CANDIDATES_MAX];
    uint8_t ends[SCTPA_CANDIDATES_MAX], n;
    bool is_left[SCTPA_CANDIDATES_MAX]; /* of owners of a tag: no flow of packets that carry it leads there */
} sctpa_candidates_t;
/* Stands for a list of candidates; one candidate alone, as nearly always, needs no memory beyond it. 0: empty. */
typedef uint32_t sctpa_candidates_ref_t;
sctpa_candidates_t sctpa_candidates(const sctpa_tracker_t *tracker, sctpa_candidates_ref_t ref);
/* Puts a candidate last, unless the list is full. */
sctpa_candidates_ref_t sctpa_candidates_append(sctpa_tracker_t *tracker, sctpa_candidates_ref_t ref, uint32_t assoc,
                                               uint8_t end);
/* Takes an association and the halves merged into it out of a list. Returns what stands for the others. O(1). */
sctpa_candidates_ref_t sctpa_candidates_remove(sctpa_tracker_t *tracker, sctpa_candidates_ref_t ref,
                                               const sctpa_tracked_t *tracked);
/* Associations where an endpoint owns tag (ends: which), newest first. */
sctpa_candidates_t sctpa_owner_find(const sctpa_tracker_t *tracker, uint32_t tag);
/* Flows of packets that carry tag do not lead to end, an owner of it, any more; they do again. O(1). */
void sctpa_owner_leave(sctpa_tracker_t *tracker, uint32_t tag, uint32_t assoc, uint8_t end);
void sctpa_owner_reach(sctpa_tracker_t *tracker, uint32_t tag, uint32_t assoc, uint8_t end);
/* Associations between the packet's addresses and ports, newest first, with the end that is at the packet's source. */
sctpa_candidates_t sctpa_neighbour_find(const sctpa_tracker_t *tracker, const sctpa_input_t *input);
/* Entry i of a list: the association, after merging, and its end. */
sctpa_sender_t sctpa_candidate(const sctpa_tracker_t *tracker, const sctpa_candidates_t *list, unsigned i);

#endif
