/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The most that cwnd of a path can be, whatever RFC 4960 and RFC 9260 leave free, of a sender that also reduces it as
 * they ask: after a loss (a MUST), and while it is idle (a SHOULD). Follows two such senders by one set of formulas.
 * Leaves out what is outstanding, and what was lost (cwnd_data.c). */
#ifndef SCTPA_CWND_CWND_LIMIT_H
#define SCTPA_CWND_CWND_LIMIT_H

#include <stdint.h>

/* No frame of an Ethernet is longer: the largest PMTU of a sender that is not known to cut messages to packets. */
#define SCTPA_JUMBO_BYTES 9216

/* In answer to so many SACKs two packets left, one behind the other, that would fit into one of a PMTU above
 * Ethernet's: the data of both waited, and all implementations known bundle what fits. Once may be an application's
 * doing. */
#define SCTPA_UNBUNDLED_LEAST 8

typedef enum {
    SCTPA_LIMIT_KEPT_IDLE,    /* cwnd is kept while no data leaves */
    SCTPA_LIMIT_REDUCED_IDLE, /* it is halved once per RTO */
    SCTPA_LIMITS
} sctpa_limit_kind_t;

/* By which PMTU. */
typedef enum { SCTPA_LIMIT_AS_SEEN, SCTPA_LIMIT_JUMBO, SCTPA_LIMIT_UNITS } sctpa_limit_unit_t;

typedef struct {
    uint64_t cwnd, ssthresh; /* 0: nothing changed them yet */
} sctpa_limit_t;

/* With all headers, in bytes; unit: of its PMTU, at the most. O(1). */
uint64_t sctpa_limit_bytes(const sctpa_limit_t *limit, uint32_t unit);
/* A SACK acknowledges acked bytes of at most flight. */
void sctpa_limit_acked(sctpa_limit_t *limit, uint32_t unit, uint64_t flight, uint64_t acked);
/* RFC 9260 7.2.3: what SACKs, or T3-rtx, show to be lost. */
void sctpa_limit_lost(sctpa_limit_t *limit, uint32_t unit);
/* RFC 9260 7.2.1: no data left for so many RTOs at least. */
void sctpa_limit_idle(sctpa_limit_t *limit, uint32_t unit, sctpa_limit_kind_t kind, unsigned rtos);

#endif
