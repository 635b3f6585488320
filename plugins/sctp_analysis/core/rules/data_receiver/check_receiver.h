/* What the model keeps of an endpoint as the receiver of data: what arrived since it acknowledged last, and what its
 * SACKs said. Kept by check_receiver.c, read by the rules about receivers and windows. Internal to rules/. */
#ifndef SCTPA_RULES_CHECK_RECEIVER_H
#define SCTPA_RULES_CHECK_RECEIVER_H

#include "receiver_limits.h"
#include "rules/engine.h"

/* What a packet with DATA was to its receiver, as far as the receiver's own SACKs showed. */
enum {
    SCTPA_ARRIVED_NEW = 0x01,        /* it holds a TSN that was not acknowledged */
    SCTPA_ARRIVED_DUPLICATES = 0x02, /* all its TSNs were acknowledged, and it was surely valid */
    SCTPA_ARRIVED_FIRST = 0x04,      /* the initial TSN, for the first time */
    SCTPA_ARRIVED_GAP = 0x08,        /* the TSN before it never passed */
    SCTPA_ARRIVED_IMMEDIATE = 0x10,  /* I bit */
    SCTPA_ARRIVED_CLOSED = 0x20,     /* beyond what was acknowledged, while the window was 0 */
    SCTPA_ARRIVED_MIXED = 0x40       /* with other chunks than DATA and SACK, or not wholly captured */
};

/* What most receivers never see, or do. */
typedef struct {
    int64_t first_wait_ns; /* of the first DATA, when that was long; 0 not */
    uint32_t first_wait_packet;
    uint16_t sack_crowds; /* packets with more SACK chunks than there was cause for */
    uint16_t long_waits, gap_waits, immediate_waits, left_out;
    uint16_t astray; /* SACKs to another address than that of the packet they answer */
    /* packets with DATA above a hole that had a SACK of their own, that had one by pairs */
    uint16_t holes_answered, holes_paired;
    uint16_t duplicates_ignored, duplicates_answered, duplicates_delayed, duplicates_told, duplicates_untold,
        duplicates_unseen, duplicates_unlisted;
    uint32_t duplicate_packet; /* a duplicate came that no SACK told of yet */
    uint32_t left_out_tsn, left_out_packet;
    uint32_t empty_tsn, empty_packet;
    uint32_t stranger_tsn, stranger_packet; /* stranger: a DATA chunk of a stream that does not exist */
    int64_t stranger_ns;
    uint16_t stranger_stream, strangers;
    bool has_first_wait, has_duplicate, has_left_out, left_out_first; /* left_out_first: in the first hole */
    bool has_empty, empty_acked, has_stranger, stranger_acked;
} sctpa_receiver_odd_t;

/* A receiver: one per end, made when it is first sent data or sends a SACK. */
typedef struct {
    sctpa_wait_t wait;                                           /* since the last SACK */
    const sctpa_receiver_odd_t *odd;                             /* never NULL; sctpa_receiver_odd changes it */
    int64_t timer_ns;                                            /* how long single packets waited for their SACK */
    uint32_t sack_packet;                                        /* the last SACK, SCTPA_NO_PACKET_INDEX none */
    uint32_t cum_tsn, a_rwnd_bytes;                              /* that it said */
    uint32_t before_packet, a_rwnd_before_bytes, cum_tsn_before; /* the one before it */
    uint32_t reported_to, reported_to_before;                    /* end of the last gap block, or the cum_tsn */
    uint32_t first_block_tsn;                                    /* first TSN of its first gap block */
    uint32_t arrived, sent_again; /* TSNs; those that came again, long after, while they were not acknowledged */
    uint32_t first_pair_packet;   /* SACK that answered the first DATA only together with a second packet */
    /* that reached it and asked for no SACK yet: since the last SACK that covered all, before */
    uint16_t packets_fresh, packets_left;
    uint16_t timer_cases;               /* in a row, alike */
    uint16_t sacks_dense, sacks_sparse; /* that answered one or two packets, more than two, all well apart */
    /* is_past: the TSNs were reset or the end began, nothing is judged any more */
    bool has_block, sends_nr_sacks, is_past;
    bool timer_told, has_first_pair, sparse_told, streams_changed;
} sctpa_receiver_t;

/* The receiver at end; made when make. NULL: not made. O(1). */
sctpa_receiver_t *sctpa_receiver(const sctpa_context_t *c, uint8_t end, bool make);
/* What is odd of it, to be changed; made when new. O(1). */
sctpa_receiver_odd_t *sctpa_receiver_odd(const sctpa_context_t *c, sctpa_receiver_t *receiver);
/* The longer of least_ns and three times the RTT from the tap to end. */
int64_t sctpa_receiver_patience_ns(const sctpa_context_t *c, uint8_t end, int64_t least_ns);
/* The record of tsn that end received, NULL never seen. O(1). */
const sctpa_tsn_t *sctpa_receiver_tsn(const sctpa_context_t *c, uint8_t end, uint32_t tsn);
/* Was tsn newly acknowledged by this packet? */
bool sctpa_receiver_covers(const sctpa_context_t *c, uint8_t end, uint32_t tsn);
/* The same, and it had been sent once. */
bool sctpa_receiver_covers_once(const sctpa_context_t *c, uint8_t end, uint32_t tsn);
/* Nearly all that passed the tap reached the receiver. */
bool sctpa_receiver_is_reached(const sctpa_receiver_t *receiver);
/* Neither endpoint has a second address, by which what a tap does not see could go. */
bool sctpa_receiver_is_single_homed(const sctpa_context_t *c);
/* Does a SACK cover the TSN now? tsn NULL: never seen. */
static inline bool sctpa_receiver_is_acked(const sctpa_tsn_t *tsn)
{
    return tsn && tsn->state & (SCTPA_TSN_ACKED | SCTPA_TSN_GAP_ACKED);
}
/* The packet has SACK chunks, one at most is a SACK, and no DATA: nothing but acknowledging sent it. */
bool sctpa_receiver_is_pure(const sctpa_context_t *c);

/* The gap blocks of each SACK by themselves. O(blocks). */
void sctpa_check_blocks(sctpa_context_t *c, const sctpa_tlv_t *chunk, const sctpa_sack_t *sack);
/* A SACK against those before it and what arrived. O(blocks). */
void sctpa_check_report(sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_sack_t *sack);
/* When a SACK came, by receiver->wait, which it ends. O(duplicates). */
void sctpa_check_delay(sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_sack_t *sack);
/* DATA arrives while the packet before, receiver->wait, was not acknowledged. */
void sctpa_check_unanswered(sctpa_context_t *c, sctpa_receiver_t *receiver, uint8_t end);
/* Where the SACK goes. O(1). */
void sctpa_check_destination(sctpa_context_t *c, sctpa_receiver_t *receiver);
/* How many packets with DATA the SACK answers. O(1). */
void sctpa_check_rate(sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_sack_t *sack);
/* Takes note of a DATA chunk to end that asks for an error report or ABORT. O(1). */
void sctpa_note_wrong_data(const sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_tlv_t *chunk,
                           const sctpa_tsn_t *tsn);
/* What the receiver made of such a chunk, at any of its packets. O(1). */
void sctpa_check_wrong_data(sctpa_context_t *c, sctpa_receiver_t *receiver);
/* What was told of duplicates. O(1). */
void sctpa_check_duplicates(sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_sack_t *sack);

#endif
