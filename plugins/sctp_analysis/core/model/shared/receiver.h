/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reference endpoint as the receiver of data: what must and what may have arrived, which SACK it owes since when,
 * and how it answered so far. Leaves out its window (chapters/window.c) and what its SACKs said, which the direction
 * of the data keeps (sctpa_sack_record_t). */
#ifndef SCTPA_SHARED_RECEIVER_H
#define SCTPA_SHARED_RECEIVER_H

#include "model/context.h"

/* The clause about bursts of window updates gives no number: within so long they are one. */
#define SCTPA_UPDATES_BURST_MS 10

/* The higher TSN passed so long after the lower one that a receiver which took it had taken the lower one before. */
#define SCTPA_LEFT_OUT_EARLIER_MS 100

/* Waits in a row that are alike, from which on others are compared with them. */
#define SCTPA_TIMER_KNOWN 2

/* Waits in a row that are alike, from which on they are surely by a timer. */
#define SCTPA_TIMER_SURE 5

/* Waits that differ by less than this share of the longer one are by one timer. */
#define SCTPA_WAITS_ALIKE_SHARE 10

/* The delay of 500 ms that RFC 9260 6.2 allows (SCTPA_SACK_DELAY_MOST_NS), and the tick of a timer: with 500 ms
 * configured 528 were measured. */
#define SCTPA_SACK_LONGEST_MS 550

/* A SACK that is due at once comes sooner: hosts under load were seen to answer after 22 ms. */
#define SCTPA_SACK_LATE_MS 100

/* Packets that were queued together before the host ran are not so far apart. */
#define SCTPA_PACKETS_APART_MS 5

/* Below this window a receiver may be out of buffer, drop what is new, and revoke what it acknowledged (RFC 9260 6.2).
 */
#define SCTPA_WINDOW_SCARCE_BYTES 4096

/* What a packet with DATA was to its receiver, as far as the receiver's own SACKs showed. */
enum {
    SCTPA_ARRIVED_NEW = 0x01,        /* it holds a TSN that was not acknowledged */
    SCTPA_ARRIVED_DUPLICATES = 0x02, /* all its TSNs were acknowledged, and it was surely valid */
    SCTPA_ARRIVED_FIRST = 0x04,      /* the initial TSN, for the first time */
    SCTPA_ARRIVED_GAP = 0x08,        /* the TSN before it never passed */
    SCTPA_ARRIVED_IMMEDIATE = 0x10,  /* I bit */
    SCTPA_ARRIVED_CLOSED = 0x20,     /* beyond what was acknowledged, while the window was 0 */
    SCTPA_ARRIVED_MIXED = 0x40,      /* with other chunks than DATA and SACK, or not wholly captured */
    SCTPA_ARRIVED_VALID = 0x80,      /* new, and nothing but a full window is a reason to pass over it (RFC 9260 6.2) */
    /* RFC 9260 5.1, 6.2, 6.7, RFC 7053 5.2 */
    SCTPA_ARRIVED_AT_ONCE = SCTPA_ARRIVED_DUPLICATES | SCTPA_ARRIVED_FIRST | SCTPA_ARRIVED_GAP |
                            SCTPA_ARRIVED_IMMEDIATE | SCTPA_ARRIVED_CLOSED
};

/* What the SACK of a packet is (sctpa_sack_answer_t). Newly acknowledged: by this packet. */
enum {
    SCTPA_SACK_FOLLOWED = 0x01,   /* a SACK; the TSNs were not reset, and the association does not end */
    SCTPA_SACK_SINGLE = 0x02,     /* and the tap is on all ways of its sender (sctpa_tap_is_on_all_ways) */
    SCTPA_SACK_ALONE = 0x04,      /* the packet holds nothing else: nothing but acknowledging sent it */
    SCTPA_SACK_OPENS = 0x08,      /* its a_rwnd is higher than the one before */
    SCTPA_SACK_FIRST = 0x10,      /* the TSN of the first packet that it answers is newly acknowledged */
    SCTPA_SACK_FIRST_ONCE = 0x20, /* and was sent once */
    SCTPA_SACK_LAST = 0x40,       /* the same of the last packet */
    SCTPA_SACK_LAST_ONCE = 0x80
};

/* Why a packet asks for a SACK at once, where all that passes the tap reaches its receiver, as the user asserts. */
typedef enum {
    SCTPA_ASKS_FIRST,      /* it is the first DATA of the association (RFC 9260 5.1) */
    SCTPA_ASKS_SECOND,     /* it is the second one since the last SACK (6.2) */
    SCTPA_ASKS_GAP,        /* a TSN below one of its own never passed (6.7) */
    SCTPA_ASKS_IMMEDIATE,  /* I bit (RFC 7053 5.2) */
    SCTPA_ASKS_DUPLICATES, /* it holds nothing but TSNs that were acknowledged (6.2) */
    SCTPA_ASKS
} sctpa_asks_t;

/* Packets with DATA since the receiver's last SACK. */
typedef struct {
    int64_t least_gap_ns; /* between one and the next */
    uint32_t packets;
    uint32_t first_packet, last_packet;
    uint32_t first_tsn, last_tsn; /* the first new TSN of the packet, or its first */
    uint16_t first_bytes;         /* of user data, in first_tsn */
    uint16_t first_path; /* of the receiver to the source of the first, SCTPA_NO_PATH: it has only one, or none there */
    uint8_t first_is, last_is; /* SCTPA_ARRIVED_ bits */
} sctpa_owed_sack_t;

/* How long packets with DATA waited for their SACK that came alone. */
typedef struct {
    int64_t delay_ns;
    uint16_t waits; /* in a row, alike */
} sctpa_sack_timer_t;

/* The SACK for the first DATA of the association, where it did not come at once. */
typedef struct {
    int64_t wait_ns; /* until it came */
    uint32_t packet; /* of it */
    bool has_wait;   /* it came late, and was not compared with others yet */
    bool has_pair;   /* it came right after a second packet */
} sctpa_first_sack_t;

/* What SACKs made of TSNs that came again after they had been acknowledged. */
typedef struct {
    bool is_owed;
    uint32_t owed_packet;      /* with such a TSN, which no SACK has listed yet */
    uint32_t listed, unlisted; /* SACKs that list it; that do not, though they acknowledge what came later */
    /* Packets of nothing else: answered at once while no gap was open; answered by the timer of delayed SACKs, and not
     * listed then; not answered. */
    uint32_t answered, delayed, delayed_unlisted, ignored;
} sctpa_duplicates_t;

/* A TSN that a SACK leaves out though it passed long before a TSN that the SACK reports, or the SACK before reported
 * it.
 */
typedef struct {
    uint32_t tsn, packet; /* packet: of the SACK */
    bool is_waiting;      /* it is not known yet whether the receiver had it */
    bool is_next;         /* it follows the Cumulative TSN Ack */
    bool is_revoked;      /* a SACK before reported it */
} sctpa_left_out_t;

/* One for each endpoint, made when it is first sent data or sends a SACK. */
typedef struct sctpa_receiver {
    sctpa_owed_sack_t wait; /* for a SACK */
    uint32_t
        asking[SCTPA_ASKS]; /* by why: 1 + the first packet since its last SACK that asks for one at once; 0 none */
    sctpa_sack_timer_t asked[SCTPA_ASKS]; /* by why: how long SACKs waited that were due at once, and came by nothing */
    int64_t next;                         /* no TSN below it but passed, where asking is kept */
    int64_t timer_ns;                     /* delay of its timer of SACKs, sctpa_sack_timer */
    /* These three are NULL until there is something to say. */
    const sctpa_first_sack_t *first;
    const sctpa_duplicates_t *duplicates;
    const sctpa_left_out_t *left_out;
    uint32_t passed;                       /* TSNs, towards it */
    uint32_t again;                        /* TSNs that came again, long after, while they were not acknowledged */
    uint32_t sacks_dense, sacks_sparse;    /* that answered one or two packets; more than two, all well apart */
    uint32_t holes_answered, holes_paired; /* packets with DATA above a hole that had a SACK of their own; SACKs that
                                              waited for the second of two such packets */
    /* packets that reached it and asked for no SACK yet: since the last SACK that covered all, before */
    uint16_t packets_fresh, packets_left;
    uint16_t source_pair; /* of the peer's last packet to it, as in sctpa_record_t */
    /* its last SACKs, in a row, that answered new data while all packets of the peer came from one source: up to 2 */
    uint8_t one_source_sacks;
    bool sends_nr_sacks;
    bool is_behind;       /* when its last SACK left, there may have been packets that it had not taken yet */
    uint32_t last_packet; /* the last of the peer to it, ... */
    uint32_t
        last_causing; /* ... and the last that can be the cause of a SACK: by DATA, FORWARD-TSN or an unknown chunk */
    uint16_t timer_waits;
    uint32_t strange_packet; /* 1 + the last with DATA and an unknown chunk to it, 0 none */
    uint32_t silent_packet;  /* the first SACK of silent_sacks */
    uint16_t silent_sacks;   /* in a row, sctpa_sack_silent; saturates */
} sctpa_receiver_t;

/* Fills receivers and answer of c, and what they add to its facts. Before rules. O(1). */
void sctpa_receiver_observe(sctpa_context_t *c);
/* Moves the receivers on by the packet. After the rules for receivers. O(chunks). */
void sctpa_receiver_take(sctpa_context_t *c);

/* When is a SACK owed? Since the first packet with DATA that no SACK answered: at once where at_once says why, else
 * with the second packet, or within SACK.Delay (RFC 9260 6.2). O(1). */
sctpa_sack_owed_t sctpa_receiver_owes(const sctpa_context_t *c, const sctpa_receiver_t *receiver);
/* Has a receiver got a TSN? Yes: its SACKs say so. Unknown: it passed towards the receiver, and no SACK says so. No: it
 * never passed, tsn is NULL; what the capture lacks may have. O(1). */
static inline sctpa_known_t sctpa_receiver_has(const sctpa_tsn_t *tsn)
{
    if (!tsn)
        return SCTPA_NO;
    return tsn->state & (SCTPA_TSN_ACKED | SCTPA_TSN_GAP_ACKED) ? SCTPA_YES : SCTPA_UNKNOWN;
}
/* Does the capture show what endpoint gets and sends, and when: is it whole as far as anything shows, and the tap near
 * it? O(1). */
static inline bool sctpa_receiver_is_observed(const sctpa_context_t *c, uint8_t endpoint)
{
    return sctpa_tap_is_near(&c->reference->tap, c->tracked, endpoint) == SCTPA_YES && sctpa_tap_has_both(c->tracked) &&
           sctpa_tap_passed_all(&c->reference->tap, c->tracked) != SCTPA_NO;
}

/* Nearly all that passed the tap reached the receiver. O(1). */
bool sctpa_receiver_is_reached(const sctpa_receiver_t *receiver);
/* The longer of least_ns and three times the RTT from the tap to endpoint: what takes longer has another reason than
 * the way. O(1). */
static inline int64_t sctpa_receiver_patience_ns(const sctpa_context_t *c, uint8_t endpoint, int64_t least_ns)
{
    return MAX(least_ns, 3 * sctpa_context_tap_rtt_most_ns(c, endpoint));
}

/* The record of tsn that endpoint received, NULL never seen. O(1). */
const sctpa_tsn_t *sctpa_receiver_tsn(const sctpa_context_t *c, uint8_t endpoint, uint32_t tsn);

#endif
