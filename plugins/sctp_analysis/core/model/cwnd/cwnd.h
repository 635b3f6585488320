/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the reference sender tells of the congestion control of a path: results, read only. */
#ifndef SCTPA_CWND_CWND_H
#define SCTPA_CWND_CWND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/numbers.h"

/* SENDERS_MAX: members of the family are fewer. */
enum { SCTPA_SENDERS_MAX = 16 };
enum { SCTPA_SSTHRESH_HIGH = 0xFFFFFFFFu, SCTPA_CWND_UNKNOWN = 0xFFFFFFFFu };

/* The congestion control of one path as it may be, in bytes as its best-fitting sender counts them. */
typedef struct {
    uint32_t cwnd; /* of the best-fitting sender */
    /* of all senders that fit; cwnd_max SCTPA_CWND_UNKNOWN: the capture does not hold how it began */
    uint32_t cwnd_min, cwnd_max;
    uint32_t ssthresh;   /* of the best-fitting sender, SCTPA_SSTHRESH_HIGH: arbitrarily high (RFC 9260 7.2.1) */
    uint32_t unit_bytes; /* by which the best-fitting sender grows: its PMTU or PMDCS, as far as it showed */
    const char *sender;  /* the one that fits best at the end, in words */
} sctpa_congestion_t;

/* Which sender of the family fits what an endpoint sent (docs/model.md), by the whole capture. Occasions are packets
 * with new data, which leave or would have waited by a sender's cwnd, and times that the endpoint stopped though it had
 * more to send. */
typedef struct {
    uint8_t best;     /* the member that explains them best */
    uint32_t fitting; /* it and all that explain them as well, 1 << member: half of the family at most */
    uint32_t occasions;
    uint32_t explained[SCTPA_SENDERS_MAX]; /* of them, by member */
    uint32_t packet;                       /* of the last one that best explains, and others do not */
    /* Are headers and padding of chunks outstanding data for the endpoint (Rüngeler, dissertation, 8.3)? Known where
     * all that fit count the same bytes, and three occasions or more speak against others by that alone: with so many
     * headers outstanding that they fill a packet. header_packet: of the last of these, header_occasions in all. */
    sctpa_known_t counts_headers;
    uint32_t header_occasions, header_packet;
} sctpa_sender_fit_t;

/* A member of the family: its number is a bit of fitting. What it does, in words. */
const char *sctpa_sender_words(unsigned member);

#endif
