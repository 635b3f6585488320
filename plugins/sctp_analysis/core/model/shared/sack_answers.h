/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the SACK of a packet is an answer to, and what it shows of the receiver that sent it: how late it comes, how
 * many packets it answers, what it makes of duplicates, whether it says nothing new, which TSNs that it surely had it
 * passes over. All of it is asked about the state before the packet. Leaves out the window (chapters/window.c). */
#ifndef SCTPA_SHARED_SACK_ANSWERS_H
#define SCTPA_SHARED_SACK_ANSWERS_H

#include "receiver.h"

/* The first and the last packet that it answers were sent once. */
enum { SCTPA_SACK_BOTH_ONCE = SCTPA_SACK_FIRST_ONCE | SCTPA_SACK_LAST_ONCE };

/* Is the answer all of bits (SCTPA_SACK_)? */
static inline bool sctpa_sack_is(const sctpa_context_t *c, unsigned bits)
{
    return (c->answer.is & bits) == bits;
}
/* Do two packets wait that long by one timer? */
static inline bool sctpa_waits_are_alike(int64_t a_ns, int64_t b_ns)
{
    return ABS(a_ns - b_ns) <= MAX(a_ns, b_ns) / SCTPA_WAITS_ALIKE_SHARE;
}
/* The first gap block of a SACK, start << 16 | end; 0: it has none, or none was captured. O(1). */
static inline uint32_t sctpa_sack_first_gap(const sctpa_direction_t *acked, const sctpa_sack_record_t *sack)
{
    uint32_t n;
    const uint32_t *blocks = sctpa_direction_gaps(acked, sack->gaps, &n);
    return blocks ? blocks[0] : 0;
}

/* The SACK, alone in its packet, answers one packet, which held only DATA and SACK and was wholly captured. O(1). */
bool sctpa_sack_is_lone(const sctpa_context_t *c);
/* The SACK, alone in its packet, answers one packet, as sctpa_sack_is_lone says, and takes its data, which was sent
 * once: how late it comes is the receiver's own doing. O(1). */
static inline bool sctpa_sack_is_measured(const sctpa_context_t *c)
{
    return sctpa_sack_is(c, SCTPA_SACK_FIRST_ONCE) && sctpa_sack_is_lone(c);
}

/* The SACK is measured so, nothing asked for it at once, and it came so late that it was delayed. O(1). */
bool sctpa_sack_is_delayed(const sctpa_context_t *c);
/* How long packets wait for a SACK that came alone, with what this SACK shows of it. O(1). */
sctpa_sack_timer_t sctpa_sack_timer(const sctpa_context_t *c);
/* The SACK for the first DATA of the association came late, and it is known how long others wait. O(1). */
bool sctpa_sack_compares_first(const sctpa_context_t *c);
/* Two packets came one well after the other, and the SACK, alone in its packet, for both right after the second: the
 * first alone was no cause for one. O(1). */
bool sctpa_sack_is_for_pair(const sctpa_context_t *c);
/* The SACK takes what came above a hole that stays open. O(1). */
bool sctpa_sack_is_above_hole(const sctpa_context_t *c);
/* It takes two such packets, one well after the other, right after the second. O(1). */
bool sctpa_sack_pairs_above_hole(const sctpa_context_t *c);
/* The SACK takes all that came, and there is no hole. O(1). */
bool sctpa_sack_is_without_hole(const sctpa_context_t *c);
/* It takes three packets or more, each well after the one before. O(1). */
bool sctpa_sack_is_sparse(const sctpa_context_t *c);

/* The SACK, alone in its packet, takes what came, in first transmissions, and lists no duplicate. What came, and the
 * peer's other packets, may be from several sources (one_source_sacks of sctpa_receiver_t). O(1). */
static inline bool sctpa_sack_is_of_new_data(const sctpa_context_t *c)
{
    return sctpa_sack_is(c, SCTPA_SACK_FOLLOWED | SCTPA_SACK_ALONE | SCTPA_SACK_BOTH_ONCE) && c->sack.n_duplicates == 0;
}

/* The packet for which the SACK was due at once, where the user asserts that it reached the receiver, and which waited
 * for longer than any host takes; SCTPA_NO_PACKET_INDEX: none did. O(1). */
uint32_t sctpa_sack_overdue(const sctpa_context_t *c, sctpa_asks_t why);

/* How the SACK answers a packet of nothing but TSNs that had been acknowledged. */
typedef enum {
    SCTPA_NO_LONE_DUPLICATE,
    SCTPA_DUPLICATE_ANSWERED, /* at once */
    SCTPA_DUPLICATE_DELAYED,  /* as late as other packets that come alone, and for no other cause */
    SCTPA_DUPLICATE_IGNORED   /* later, by another cause */
} sctpa_duplicate_answer_t;
/* O(1). */
sctpa_duplicate_answer_t sctpa_sack_on_duplicate(const sctpa_context_t *c);
/* The packet brings DATA to endpoint, which has not answered such a packet before it. O(1). */
bool sctpa_receiver_ignores_duplicate(const sctpa_context_t *c, uint8_t endpoint);
/* The SACK lists a duplicate, or takes what came after the one that is to be listed. O(1). */
bool sctpa_sack_settles_duplicate(const sctpa_context_t *c);
/* The first TSN from one on that it does not report; where the order of its blocks hides that, one above all. O(gap
 * blocks). */
uint32_t sctpa_sack_next_unreported(const sctpa_sack_t *sack, uint32_t tsn);
/* The TSN that the receiver left out (sctpa_left_out_t) is acknowledged now, and was not retransmitted: the receiver
 * had it when it left it out. O(gap blocks). */
bool sctpa_sack_shows_left_out(const sctpa_context_t *c);

/* The SACK, alone in its packet, says what the one before said: nothing new, no gap block, no higher a_rwnd. All that
 * is outstanding fits in a_rwnd, and nothing was given up: no packet that was not acknowledged before asks for it. How
 * many like it came in a row with this one, 0: it is none; *first: the first of them. O(1). */
unsigned sctpa_sack_silent(const sctpa_context_t *c, uint32_t *first);

/* Takes what the packet's SACKs show of receiver, which sent them. O(chunks + gap blocks). */
void sctpa_sack_answer_take(const sctpa_context_t *c, sctpa_receiver_t *receiver);
/* A chunk with a TSN, number, that the receiver had acknowledged, or surely had, arrives. O(log gap blocks). */
void sctpa_duplicate_arrives(const sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_tsn_t *tsn,
                             uint32_t number);
/* The receiver did not answer a packet of nothing but duplicates. O(1). */
void sctpa_duplicate_is_ignored(const sctpa_context_t *c, sctpa_receiver_t *receiver);

/* --- what a SACK, NR-SACK or SHUTDOWN passes over though its sender surely had it, where the user asserts that the
 * capture is complete and was taken there --- */

/* A list of fewer gap blocks is whole: every stack that is known lists so many, and they fit in any PMTU. */
#define SCTPA_BLOCKS_LISTED 16

/* Above the Cumulative TSN Ack receivers keep at least so many TSNs: Linux, as the least, 4096. */
#define SCTPA_TSNS_KEPT 4096

/* What the packet's SACK or SHUTDOWN leaves out. */
typedef struct {
    uint32_t tsn, packet; /* packet: the one that brought the TSN, or the SACK before that had acknowledged more */
    bool is_next;         /* it follows the Cumulative TSN Ack */
    bool goes_back;       /* packet is a SACK whose Cumulative TSN Ack was higher */
} sctpa_omission_t;

/* May the packet's SACK, or SHUTDOWN, be compared with what came? O(1). */
bool sctpa_sack_is_comparable(const sctpa_context_t *c);
/* Does it leave out something that its sender had, and had room for? O(gap blocks * chunks of a packet). */
bool sctpa_sack_omits(const sctpa_context_t *c, sctpa_omission_t *omission);

#endif
