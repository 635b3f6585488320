/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which SACKs surely reached the sender of data: a SACK that came together with data that this sender acknowledged.
 * Leaves out those that only passed towards it. */
#ifndef SCTPA_REFERENCE_SACK_RECEIPTS_H
#define SCTPA_REFERENCE_SACK_RECEIPTS_H

#include "reference/context.h"

typedef struct {
    int64_t cum_tsn, since_ns; /* of the SACK, and when its receipt was shown */
} sctpa_sack_receipt_t;

/* Takes the SACK of a packet, after rules were asked about it. O(chunks). */
void sctpa_sack_receipts_take(const sctpa_context_t *c);

/* The highest cum_tsn that an endpoint surely received for its data, and did not see taken back since. False: none.
 * O(1).
 */
bool sctpa_sack_receipt(const sctpa_context_t *c, uint8_t endpoint, sctpa_sack_receipt_t *receipt);

#endif
