/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a sender discard SACKs that pass the tap: those with checksum zero, which it never announced to take? */
#ifndef SCTPA_MEASURE_DISCARDED_ACKS_H
#define SCTPA_MEASURE_DISCARDED_ACKS_H

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

#endif
