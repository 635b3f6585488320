/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The messages of an endpoint in the order of their TSNs, whatever order these passed in: how fragments follow each
 * other, and which SSN comes next on each stream. A TSN that never passed ends what is known, and what follows it is
 * read anew. I-DATA is compared with the TSN before it on its stream, when it is new. */
#ifndef SCTPA_SHARED_MESSAGE_ORDER_H
#define SCTPA_SHARED_MESSAGE_ORDER_H

#include "model/context.h"

/* What separates TSNs that were left out between fragments from some that pass late. */
#define SCTPA_FRAGMENTS_APART_MS 500

/* Takes the DATA and the SACK of a packet, before rules are asked about it, and fills reached of c. O(TSNs that it
 * makes known). */
void sctpa_message_order_take(sctpa_context_t *c);

static inline bool sctpa_is_misplaced(const sctpa_context_t *c, sctpa_misplaced_kind_t kind)
{
    return c->reached.follows >> kind & 1;
}

/* Did the packet's sender send no ordered message on the stream up to TSN number to? Yes only where every TSN from the
 * initial one to there passed, and no stream was reset. O(1). */
bool sctpa_has_no_ordered(const sctpa_context_t *c, uint16_t stream, int64_t to);

/* The TSN before number that is on the same stream; ordered: and not unordered. *before: its number. NULL: a TSN
 * between them did not pass, or they are too far apart. O(1). */
const sctpa_tsn_t *sctpa_stream_before(const sctpa_direction_t *sent, int64_t number, uint16_t stream, bool ordered,
                                       int64_t *before);

#endif
