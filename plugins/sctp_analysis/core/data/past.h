/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a direction was like after an earlier packet, found in its records without a walk of all: what had been
 * acknowledged, what was outstanding, since when the retransmission timer ran. Leaves what it is like now to
 * direction.h. */
#ifndef SCTPA_DATA_PAST_H
#define SCTPA_DATA_PAST_H

#include "packet_results.h"
#include "t3.h"

/* So many TSNs are looked at for one question; where more lie in question, it has no answer. */
enum { SCTPA_PAST_TSNS = 1 << 16 };

/* The ack that counts as the TSN's arrival: the first that acks or gap-acks it; what the receiver took back had to
 * arrive again. SCTPA_NO_PACKET_INDEX none. O(1). */
static inline uint32_t sctpa_tsn_arrival_ack(const sctpa_tsn_t *tsn)
{
    return tsn->state & SCTPA_TSN_RENEGED ? tsn->ack_packet : MIN(tsn->gap_packet, tsn->ack_packet);
}

/* The highest relative TSN that was cum-acked after packet. False: no ack had passed. O(log SACKs), and the TSNs that a
 * SHUTDOWN acked, or that were acked by SACKs in front of an old one. */
bool sctpa_past_cum_tsn(const sctpa_direction_t *direction, uint32_t packet, int64_t *cum_tsn);

/* Calls visit with the TSNs above the cum_tsn after packet that had passed by then, in ascending order, until it
 * returns false. False: more than SCTPA_PAST_TSNS had to be looked at. O(these). */
typedef bool (*sctpa_past_visit_fn)(void *user, int64_t number, const sctpa_tsn_t *tsn);
bool sctpa_past_each_sent(const sctpa_direction_t *direction, uint32_t packet, sctpa_past_visit_fn visit, void *user);

/* The lowest TSN of the data in packet, *count TSNs in all. False: none of the direction was found in it. O(TSNs
 * outstanding then), at most SCTPA_PAST_TSNS, for each O(log transmissions). */
bool sctpa_past_tsns_of(const sctpa_direction_t *direction, uint32_t packet, int64_t *first, uint32_t *count);

/* Adds what the SACKs of packet say to sack, all zero at first. False: it holds none that is followed. O(log SACKs). */
bool sctpa_past_add_sack(const sctpa_direction_t *direction, uint32_t packet, sctpa_packet_sack_t *sack);

/* One change of what is outstanding on a path, by a packet that means event for its retransmission timer. counts: false
 * of what was acked before it was sent again, which changes no bytes. */
typedef void (*sctpa_past_change_fn)(void *user, uint32_t packet, sctpa_t3_event_t event, uint16_t path, int32_t bytes,
                                     bool counts);
/* Calls change with all that a TSN changed: it is outstanding on the path of its newest transmission until it is acked;
 * for good when it was given up. first_path: of its first transmission. O(transmissions). */
void sctpa_past_each_change(const sctpa_direction_t *direction, const sctpa_tsn_t *tsn, uint16_t first_path,
                            sctpa_past_change_fn change, void *user);

/* A path after packet: what is outstanding there, and its retransmission timer. */
typedef struct {
    uint64_t flight_bytes;
    bool t3_is_running;
    uint32_t t3_packet;         /* that surely started it last */
    bool t3_may_have_restarted; /* since then, by a retransmission */
} sctpa_past_path_t;

/* What follows for a path from all since the last cum_tsn that acked data of it; the timer by sctpa_t3_take. path_of:
 * the path of the sender that a packet took. False: too many TSNs lie in question, or some were given up or taken back,
 * and when is not known. O(n log n) for the n TSNs and transmissions since that ack, at most SCTPA_PAST_TSNS. */
bool sctpa_past_path(const sctpa_direction_t *direction, uint16_t path, uint32_t packet,
                     uint16_t (*path_of)(const void *user, uint32_t packet), const void *user, sctpa_past_path_t *past);

#endif
