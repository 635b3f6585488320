/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user messages of a direction: what became of each, how long it took to be acknowledged and delivered, and how
 * long it waited for earlier ones of its stream (head-of-line delay). Leaves sums to stream_totals.c and
 * message_delays.c, points over time to series/. */
#ifndef SCTPA_MEASURE_USER_MESSAGES_H
#define SCTPA_MEASURE_USER_MESSAGES_H

#include "data/direction.h"

typedef enum {
    SCTPA_FATE_ACKED,
    SCTPA_FATE_OUTSTANDING,
    SCTPA_FATE_GIVEN_UP,   /* in part at least: FORWARD_TSN */
    SCTPA_FATE_PARTLY_SEEN /* a fragment, or the first transmission of one, did not pass */
} sctpa_fate_t;

/* A message, by its last fragment. Times run from the first transmission of its first fragment as it passed the capture
 * point; of two taps, the one near its sender.
 *
 * The ack is exact: the SACK that acked or gap-acked the last missing fragment, as it passed. Delivery is known between
 * two times. Not sooner: a fragment passed the capture point before it arrived, and a SACK that reports it missing was
 * sent after whatever it newly acks had passed; an ordered message waits for earlier ones of its stream. Not later: a
 * fragment had arrived when its ack passed, and all before a cum_tsn had. Both hold wherever the capture point lies.
 * Where two taps saw the data, a fragment arrived when it first passed the one near the receiver; that the clocks
 * differ is taken out, as exactly as the shortest times both ways between the taps are equal: both times are the same
 * then, unless a TSN before it did not pass there: that may be of its stream, and hold it back until a cum_tsn goes
 * past. */
typedef struct {
    uint16_t stream;
    bool is_ordered;
    uint8_t fate;       /* sctpa_fate_t */
    uint32_t ppid;      /* of its first fragment; 0 where PARTLY_SEEN */
    int64_t number;     /* relative TSN of its last fragment */
    uint32_t sent, ack; /* packets of the first transmission and the ack; ack only where ACKED */
    int64_t ack_ns;     /* from sent to ack */
    int64_t delivered_least_ns, delivered_most_ns; /* most -1: nothing shows that it was delivered; only where ACKED */
    bool has_wait; /* of the next: ordered, and when it and all before it arrived is known, but for what follows */
    /* From when all of it had arrived to when all that held it back had: the wait lies between these, 0: nothing held
     * it back. Of one tap: what no SACK reported missing, and what passed once, arrived in the order in which it
     * passed. */
    int64_t delay_least_ns, delay_most_ns;
    uint32_t wait_ack; /* packet of the ack that tells */
    int64_t behind;    /* relative TSN that it waited for, when delay_most_ns is not 0 */
} sctpa_user_message_t;
typedef void (*sctpa_user_message_fn)(void *user, const sctpa_user_message_t *message);

/* Calls each with every message of a direction whose last fragment passed, in order of its last TSN. at_sender and
 * at_receiver: the data as the tap near its sender, near its receiver shows it; the same with one tap. ahead_ns: by how
 * much the clock near the receiver is ahead of the other, 0 with one tap. O(n log n) for n TSNs and transmissions;
 * memory: O(streams) while it runs. */
void sctpa_user_messages_each(const sctpa_direction_t *at_sender, const sctpa_direction_t *at_receiver,
                              int64_t ahead_ns, sctpa_user_message_fn each, void *user);

/* The message that a TSN, as the tap near its sender numbers it, is a fragment of: the same as
 * sctpa_user_messages_each has of it, but for has_wait, which may be false where a TSN too far away decides. False: a
 * fragment did not pass, or more than SCTPA_NEAR_TSNS lie between it and what may have held it back. O(TSNs outstanding
 * when it was sent, and its fragments). */
enum { SCTPA_NEAR_TSNS = 1 << 14 };
bool sctpa_user_message_with(const sctpa_direction_t *at_sender, const sctpa_direction_t *at_receiver, int64_t ahead_ns,
                             int64_t number, sctpa_user_message_t *message);

#endif
