/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files that find pauses share: the walk, and a time without ack progress. */
#ifndef SCTPA_MEASURE_PAUSES_PARTS_H
#define SCTPA_MEASURE_PAUSES_PARTS_H

#include "pauses.h"
#include "window_use.h"
#include "data/shared_limits.h"
#include "measure/series/series.h"

typedef struct {
    uint64_t again;  /* times that the sender retransmitted the first TSN so acknowledged after it had the SACK; 0: it
                      * does not discard them, as far as the capture shows */
    uint32_t packet; /* the first of these SACKs */
    GArray *right;   /* uint32_t: indices in sacks of the direction of those with another checksum; NULL: again is 0 */
} sctpa_discarded_acks_t;

/* An endpoint that announced no Zero Checksum Acceptable drops packets with checksum zero (RFC 9653 5.3, RFC 9260 6.8).
 * Where hardware computes the checksum behind the tap it does not: then its timer no longer sends the lowest TSN that
 * such a SACK acknowledged. To be cleared. O(TSNs + SACKs + samples). */
sctpa_discarded_acks_t sctpa_discarded_acks(const sctpa_series_source_t *source);

void sctpa_discarded_acks_clear(sctpa_discarded_acks_t *discarded);

/* The first SACK from packet on whose checksum is not zero and whose cum_tsn reaches TSN number, SCTPA_NO_PACKET_INDEX
 * none. O(log SACKs). */
uint32_t sctpa_discarded_acks_next(const sctpa_discarded_acks_t *discarded, const sctpa_direction_t *direction,
                                   int64_t number, uint32_t packet);

/* So many answers were due, a SACK for every second packet outstanding (RFC 9260 6.2) and one for each timeout, and
 * none came. Where half of all packets are lost, that happens by chance once in 256 times. */
enum { SCTPA_UNANSWERED_DEAD = 8 };

/* The least and the largest round trip of a path in a span of SCTPA_PAUSE_ROUND_TRIPS_S that is not over, and in the
 * one before with any; 0 none. usual_ns: the least, or, where none is sure, the first: by which waits are measured. */
typedef struct {
    int64_t since_ns, least_ns[2], usual_ns[2], most_ns[2]; /* of now, of before; since when */
} sctpa_recent_rtt_t;

/* The first transmission of a TSN. */
typedef struct {
    uint32_t packet, bytes;
    int64_t number; /* relative */
    uint8_t flags;  /* SCTPA_TSN_BEGIN, ... */
} sctpa_sent_tsn_t;

/* A TSN of which the first transmission never passed the tap. */
typedef struct {
    uint32_t packet; /* the first that did, a retransmission */
    int64_t number;
} sctpa_unseen_t;

/* A sender that had more to send, nothing outstanding, and room in the window. */
typedef struct {
    int64_t ns;      /* how long it sent nothing, 0: it did not hold back */
    uint32_t packet; /* that it sent then */
    uint32_t window_bytes;
    unsigned n; /* times in a row, each twice as long as the one before */
} sctpa_held_t;

/* How a receiver acknowledges. */
typedef struct {
    unsigned every;   /* packets that a SACK comes for at once: 2 (RFC 9260 6.2), unless its SACKs show more, or 1, or
                         timers that retransmit what it had do */
    int64_t delay_ns; /* how long it holds back a SACK for fewer, from the newest on: 200 ms, or what these show */
    bool shows_delay; /* the latter */
    bool hides_gaps;  /* most likely it gets packets and reports no gaps */
} sctpa_sack_habit_t;

typedef struct {
    const sctpa_series_source_t *source;
    sctpa_pauses_t *found;
    sctpa_sack_habit_t habit;
    sctpa_discarded_acks_t discarded; /* of the sender */
    sctpa_windows_t *windows;         /* NULL: none was closed */
    sctpa_ending_t ending;
    GArray *sent, *acked;   /* sctpa_sent_tsn_t; uint32_t: packet of each TSN's first ack */
    GArray *unseen;         /* sctpa_unseen_t */
    int64_t *tsns;          /* relative, by retransmission */
    int64_t oldest_unacked; /* TSN that nothing acks, INT64_MAX none */
    int64_t end_ns;
    uint32_t sample, ack, rtx, sack; /* the next in the direction's samples, acks, retransmissions, SACKs */
    unsigned next_unseen;            /* of unseen, behind those up to the last pause */
    unsigned window;                 /* the first closed one that may reach into the next pause */
    sctpa_recent_rtt_t *recent;      /* by path, those of any path behind them */
    int64_t rtt_most_ns;             /* no round trip took longer, that of a delayed SACK included; INT64_MAX / 2: none
                                      * is known */
    int64_t rto_ns;                  /* after the last sample */
    unsigned expiries;               /* of T3-rtx up to there, and retransmissions that may be of one */
    int64_t regular_ns;              /* from one turn of new data to the next, whatever is acked; 0 not regular */
    uint32_t full_bytes;             /* user bytes of the fullest packet, SCTPA_FULL_LEAST_BYTES at least */
    sctpa_held_t held;               /* before the data that is outstanding now, and ... */
    int64_t held_before_ns;          /* ... the last time before */
} sctpa_sweep_t;

/* A time without ack progress, and what passed meanwhile. */
typedef struct {
    sctpa_pause_t pause;
    int64_t since_ns;
    int64_t least_rtt_ns; /* of late, 0 none */
    int64_t limit_ns;     /* that a pause is longer than */
    uint32_t first;       /* retransmission (index) that a timer may have sent, the first and the last; rtx.len none */
    uint32_t last;
    uint32_t expiry;              /* 1 + index in samples of the last timeout in it, 0 none */
    unsigned expiries;            /* before that, as in the sweep */
    const sctpa_unseen_t *unseen; /* retransmitted in it, the last; NULL none */
    uint32_t sacks;               /* that the receiver sent in between */
    uint32_t packets;             /* with what was outstanding at its end, up to 2 * SCTPA_UNANSWERED_DEAD */
    uint32_t left;                /* TSNs outstanding after it */
    bool is_last;                 /* nothing acks what is outstanding, as far as the capture goes */
    bool all_unknown;             /* the cause of all that a timer may have sent */
    bool has_rtx;                 /* something was sent again that the receiver may not have had */
    int64_t longest_wait_ns;      /* of them, since the transmission before */
    int64_t rto_ns;               /* at the beginning */
    int64_t closed_ns;            /* of the window in it */
    sctpa_held_t held;
} sctpa_wait_t;

static inline int64_t sctpa_sweep_ns(const sctpa_sweep_t *sweep, uint32_t packet)
{
    return sctpa_direction_time_ns(sweep->source->direction, packet);
}

static inline const sctpa_rtx_t *sctpa_sweep_rtx(const sctpa_sweep_t *sweep, uint32_t at)
{
    return &SCTPA_RECORD(&sweep->source->direction->rare->rtx, sctpa_rtx_t, at);
}

/* Had the receiver got what retransmission at (index) repeats: do duplicate reports say so, or came the ack sooner than
 * an answer can? */
static inline bool sctpa_sweep_is_spurious(const sctpa_sweep_t *sweep, uint32_t at)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(direction, sweep->tsns[at]);
    return tsn && sctpa_direction_is_spurious(direction, tsn, sctpa_sweep_rtx(sweep, at));
}

/* --- pauses.c --- */

/* No round trip on the path of a packet took longer of late, but for delayed SACKs; INT64_MAX / 2: none is known. */
int64_t sctpa_sweep_rtt_ns(const sctpa_sweep_t *sweep, uint32_t packet);

static inline bool sctpa_wait_ends_acked(const sctpa_wait_t *wait)
{
    return wait->pause.ended == SCTPA_PAUSE_ENDS_ACK;
}

/* Whatever the path, so much user data fits a packet: less the headers of IPv4, of the packet and of DATA. */
enum { SCTPA_FULL_LEAST_BYTES = SCTPA_PMTU_LEAST_BYTES - 20 - 12 - 16 };
/* Did the sender hold the rest of a message back, of which it sent one packet, until that was acked? Where its first
 * cwnd and the window have room for more. newest: the last transmission before the end. O(1). */
bool sctpa_pause_is_held_back(const sctpa_sweep_t *sweep, sctpa_wait_t *wait, const sctpa_sent_tsn_t *newest);
/* Had cwnd room, however the sender reckons it: less is outstanding than the least first cwnd (RFC 4960 7.2.1), and
 * nothing was retransmitted before? newest: the last transmission before the end. O(1). */
bool sctpa_pause_is_cwnd_open(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait, const sctpa_sent_tsn_t *newest);
/* Is what follows an ack of the kind that Nagle's algorithm keeps (RFC 1122 4.2.3.4): a packet that is not full, of
 * whole messages, with an older one outstanding? O(chunks of a packet). */
bool sctpa_pause_is_nagle(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait, const sctpa_sent_tsn_t *newest);

/* Came next, new data, by that time after the turn before, so that it waited for no ack? O(TSNs of that turn). */
bool sctpa_sweep_is_regular(const sctpa_sweep_t *sweep, const sctpa_sent_tsn_t *next);

/* Did the timer that ended the pause expire later than any RTO is: backed off by all expiries that the sender had, and
 * never computed anew? Notes the RTO in the pause, and what the sender received right before. O(1), and at most
 * SCTPA_HEARD_SEARCHED packets. */
bool sctpa_pause_is_late_timer(const sctpa_sweep_t *sweep, sctpa_wait_t *wait);

/* --- sack_habit.c --- */

/* O(SACKs * (log SACKs + SCTPA_HEARD_SEARCHED)). */
sctpa_sack_habit_t sctpa_sweep_sack_habit(const sctpa_sweep_t *sweep);
/* May the receiver hold a SACK back for so long, the way there and back included? O(1). */
bool sctpa_sweep_may_be_held(const sctpa_sweep_t *sweep, uint32_t packet, int64_t waited_ns);
/* Did a timer send retransmission at (index) of what the receiver had, before its SACK was due? O(chunks in so many
 * packets as a SACK is due for). */
bool sctpa_sweep_is_before_sack(const sctpa_sweep_t *sweep, uint32_t at);
/* All of them. O(retransmissions * the same). */
sctpa_early_timeouts_t sctpa_sweep_early_timeouts(const sctpa_sweep_t *sweep);

/* --- pause_losses.c --- */

/* A TSN is not acked before packet. Did a SACK leave it out that would have acked the transmission in sent, had that
 * arrived: which passed before packet, and after the transmission by more than any round trip? O(log SACKs). */
bool sctpa_pause_is_left_out(const sctpa_sweep_t *sweep, uint32_t sent, uint32_t packet);
/* Why nothing acked the oldest TSN outstanding in the last wait; notes in the pause which transmissions of it are
 * meant. O(log SACKs), and at most SCTPA_HEARD_SEARCHED packets. */
sctpa_pause_cause_t sctpa_pause_of_no_ack(const sctpa_sweep_t *sweep, sctpa_wait_t *wait);
/* The SACKs around the wait report the same TSN missing: why, SCTPA_PAUSE_CAUSES: they do not. O(log SACKs). */
sctpa_pause_cause_t sctpa_pause_of_gap(const sctpa_sweep_t *sweep, sctpa_wait_t *wait);

/* Why a TSN had to be retransmitted of which an earlier transmission was lost before the tap. O(SACKs). */
sctpa_pause_cause_t sctpa_pause_of_unseen(const sctpa_sweep_t *sweep, sctpa_wait_t *wait);

/* Fills rtt_most_ns, and whether the receiver most likely reports no gaps: it never did, and more often than a network
 * doubles packets it answered by SACKs that say nothing new while data was outstanding, and never without. O(SACKs *
 * (log duplicates + log retransmissions) + TSNs). */
void sctpa_sweep_take_silent(sctpa_sweep_t *sweep);
/* Did SACKs pass that say the same without a gap, so that what a timer repeats need not be a loss that nobody could
 * report? UNREPORTED: most likely the receiver does not report what it gets; UNDECIDED: that, or packets were doubled,
 * or it sends more SACKs than packets come; SCTPA_PAUSE_CAUSES: no. Notes in the pause how many. O(log SACKs + SACKs
 * between * (log duplicates + log retransmissions)). */
sctpa_pause_cause_t sctpa_pause_of_silent(const sctpa_sweep_t *sweep, sctpa_wait_t *wait);

/* --- pause_causes.c --- */

/* Why a timer had to end it; first and last are retransmissions. newest as below; SCTPA_PAUSE_CAUSES: nothing waited.
 * O(log SACKs + HEARTBEATs kept). */
sctpa_pause_cause_t sctpa_pause_of_timeout(const sctpa_sweep_t *sweep, sctpa_wait_t *wait,
                                           const sctpa_sent_tsn_t *newest);
/* Why nothing was acked for so long that no timer ended; SCTPA_PAUSE_CAUSES: nothing waited for it. newest: the last
 * transmission before its end. O(log SACKs). */
sctpa_pause_cause_t sctpa_pause_of_late_ack(const sctpa_sweep_t *sweep, sctpa_wait_t *wait,
                                            const sctpa_sent_tsn_t *newest);
/* How soon after an ack at the tap what the sender does at once passes it, in a packet: by the path of that. O(paths).
 */
int64_t sctpa_sweep_at_once_ns(const sctpa_sweep_t *sweep, uint32_t packet);
/* May a packet that passes so long after an ack be what that released? Not what left before the ack can have reached
 * the sender. Beside the sender either may be stamped first. O(paths). */
bool sctpa_sweep_may_follow(const sctpa_sweep_t *sweep, uint32_t packet, int64_t after_ns);

#endif
