/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making associations and what belongs to their endpoints: addresses, paths, address pairs. */
#ifndef SCTPA_TRACK_ENDPOINTS_H
#define SCTPA_TRACK_ENDPOINTS_H

#include "assoc.h"
#include "input.h"
#include "packet.h"

/* Gives back an association with its endpoints, to which nothing leads any more, and what this file made of them; what
 * others made is forget.c's. */
void sctpa_tracked_free(sctpa_tracked_t *tracked);
/* A new association, ends[0] at source, ends[1] at destination of the packet. */
sctpa_tracked_t *sctpa_tracked_new(sctpa_tracker_t *tracker, const sctpa_input_t *input);
/* What few associations, ends and sides have, to be changed; made when new. O(1). */
sctpa_tracked_rare_t *sctpa_tracked_rare(sctpa_tracked_t *tracked);
sctpa_end_rare_t *sctpa_end_rare(sctpa_tracked_t *tracked, uint8_t end);
sctpa_side_rare_t *sctpa_side_rare(sctpa_tracked_t *tracked, uint8_t end);
/* What is known of heartbeats on a path, to be changed; made when new. O(1). */
sctpa_probing_t *sctpa_path_probing(sctpa_tracked_t *tracked, sctpa_path_t *path);
/* A packet to the path was answered from its address after elapsed_ns, as was due at once. O(1). */
void sctpa_path_note_rtt(sctpa_path_t *path, int64_t elapsed_ns);
/* Brings the memory of an association nearer. */
void sctpa_tracked_prefetch(const sctpa_tracked_t *tracked);
/* Notes that end is at addr; origin is an SCTPA_ADDR_ bit. The address as it is known, which stays where it is until
 * the end has another; NULL: it has too many, and this one is forgotten. Amortised O(1). */
const sctpa_addr_t *sctpa_end_add_addr(sctpa_tracked_t *tracked, uint8_t end, const sctpa_addr_t *addr,
                                       uint32_t origin);
/* Notes that an address of end was deleted; all_but: every other one (RFC 5061 4.2.2, wildcard). O(1), all_but
 * O(addresses), bounded. */
void sctpa_end_delete_addrs(sctpa_end_t *end, const sctpa_addr_t *addr, bool all_but);
/* The origin bits by which end is known at addr, 0: not at all. O(1). */
uint32_t sctpa_end_addr_origin(const sctpa_end_t *end, const sctpa_addr_t *addr);
/* Is either from a log of a socket? Such a log holds all of its association's packets and no other's: tags and TSNs
 * that another socket, or a capture of the network, shows as well are those of the same packets elsewhere. O(1). */
static inline bool sctpa_end_is_socket(const sctpa_end_t *end, const sctpa_packet_t *packet)
{
    return sctpa_addr_is_socket(&packet->source) || (end->n_addrs > 0 && sctpa_addr_is_socket(&end->addrs[0].addr));
}

/* The pair of the sending end for this packet's addresses, made when new; its index in *index. O(pairs), bounded. */
sctpa_pair_t *sctpa_end_pair(sctpa_tracked_t *tracked, uint8_t from, const sctpa_addr_t *source,
                             const sctpa_addr_t *destination, uint32_t *index);
/* The pairs and paths of an end, which came from another association, lead to the addresses as this one knows them.
 * O(pairs * paths), bounded. */
void sctpa_end_own_addrs(sctpa_tracked_t *tracked, uint8_t end);
/* What INIT or INIT ACK of an endpoint said with a tag; where that is not kept, what counts of it. O(announcements),
 * bounded. */
const sctpa_init_t *sctpa_end_announced(const sctpa_tracked_t *tracked, uint8_t e, uint32_t tag);
/* The path of an end to destination, SCTPA_NO_PATH none. O(paths), bounded. */
uint16_t sctpa_end_find_path(const sctpa_end_t *end, const sctpa_addr_t *destination);
/* Keeps length bytes, perhaps none, in place of what was kept. O(length). */
void sctpa_bytes_set(sctpa_bytes_t *bytes, sctpa_arena_t *arena, const uint8_t *data, uint32_t length);

#endif
