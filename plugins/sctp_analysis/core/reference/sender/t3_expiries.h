/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expiries of T3-rtx in a row, as a sender shows them: its lowest TSN outstanding is retransmitted again and again, and
 * nothing but HEARTBEATs passes towards it meanwhile. Only of senders with one path: the timers of several cannot be
 * distinguished. Leaves out what starts T3 and when it can expire (t3.h of data), and which retransmission is a timeout
 * (rtx_cause.c).
 */
#ifndef SCTPA_REFERENCE_T3_EXPIRIES_H
#define SCTPA_REFERENCE_T3_EXPIRIES_H

#include "data/t3.h"
#include "reference/context.h"

enum { SCTPA_EXPIRIES_KEPT = 4, SCTPA_REMEASURED_MANY = 3 };

typedef struct {
    int64_t tsn;                        /* that is retransmitted, relative */
    int64_t at_ns[SCTPA_EXPIRIES_KEPT]; /* when the first ones were */
    int64_t last_ns, interval_ns;       /* the last one; since the one before, 0 none */
    int64_t before_ns;                  /* the interval before that, 0 none */
    int64_t held_ns;                    /* the last interval that was as long as the one before, 0 none */
    /* before the first: since T3 was started, since the last packet with data or to the sender, which may have started
     * it, since the TSN was sent */
    int64_t waited_ns, quiet_ns, since_sent_ns;
    int64_t heard_ns, first_ns; /* when anything passed to the sender last before, when the TSN was sent first */
    uint32_t n;                 /* how many */
    uint32_t alike;             /* intervals in a row that were as long as the one before */
    uint32_t held_n;            /* the expiry, from 1, at which held_ns ended */
    uint32_t started;           /* packet that started T3 before the first */
    uint32_t sent_packet;       /* the transmission before the first */
    uint32_t first_packet, last_packet;
    /* Round trips that may have been measured while the timer before the first ran, which its expiry doubles the RTO
     * of: each may make that 3/4 of what it was (6.3.1 C3). SCTPA_REMEASURED_MANY: or more, or it was backed off. */
    uint8_t remeasured;
    bool is_of_first;     /* the TSN was sent once before, and no SACK reported it missing */
    bool is_of_timer;     /* nothing but the timer sends what the first one sent */
    bool is_no_probe;     /* the first is no loss probe, and no answer to a SACK */
    bool may_be_too_soon; /* the first is one after less than an RTO, unless the TSN was missing in a SACK */
} sctpa_t3_expiries_t;

/* Those of an endpoint, the packet's own included; NULL none. O(1). */
const sctpa_t3_expiries_t *sctpa_t3_expiries(const sctpa_context_t *c, uint8_t endpoint);

/* Is the packet the last of them? O(1). */
static inline bool sctpa_t3_has_expired(const sctpa_context_t *c, const sctpa_t3_expiries_t *expiries)
{
    return expiries->last_packet == c->index;
}

/* Counts the expiry that the packet is, before the rules. O(chunks). */
void sctpa_t3_expiries_observe(const sctpa_context_t *c);
/* Takes the packet: expiries end, or the next one may come. After the rules. O(1). */
void sctpa_t3_expiries_take(const sctpa_context_t *c);

#endif
