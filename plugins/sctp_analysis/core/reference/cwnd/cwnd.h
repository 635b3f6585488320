/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the reference sender tells of the congestion control of a path: results, read only. */
#ifndef SCTPA_REFERENCE_CWND_H
#define SCTPA_REFERENCE_CWND_H

#include <stdint.h>

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

#endif
