/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many streams the endpoints of an association may use, as their INITs and INIT ACKs announced it, and whether a
 * RE-CONFIG may have changed that. Leaves out which streams RE-CONFIG adds or resets. */
#ifndef SCTPA_MODEL_STREAM_COUNTS_H
#define SCTPA_MODEL_STREAM_COUNTS_H

#include "context.h"

typedef struct {
    uint16_t outbound[2], inbound[2]; /* the most that an INIT or INIT ACK of the endpoint announced, 0 none was seen */
    bool reconfigured;                /* a RE-CONFIG passed */
} sctpa_stream_counts_t;

/* Takes the INIT, INIT ACK or RE-CONFIG of a packet, before rules are asked about it. O(chunks). */
void sctpa_stream_counts_take(const sctpa_context_t *c);

/* What is known with the packet. O(1). */
static inline sctpa_stream_counts_t sctpa_stream_counts(const sctpa_context_t *c)
{
    const sctpa_stream_counts_t *counts = sctpa_context_find_part(c, SCTPA_PART_STREAM_COUNTS);
    const sctpa_init_t *first = &c->assoc->ends[0].init, *second = &c->assoc->ends[1].init;
    if (counts)
        return *counts;
    return (sctpa_stream_counts_t){ .outbound = { first->outbound_streams, second->outbound_streams },
                                    .inbound = { first->inbound_streams, second->inbound_streams } };
}

/* Streams that the endpoint may send on by set-up alone: min(local OS, remote MIS) (RFC 9260 5.1.1). 0: unknown. */
static inline unsigned sctpa_stream_counts_agreed(const sctpa_stream_counts_t *counts, uint8_t endpoint)
{
    return MIN(counts->outbound[endpoint], counts->inbound[!endpoint]);
}

/* Did a RE-CONFIG pass, in this packet or before? Streams and TSNs may have been reset since, streams may have been
 * added. O(1). */
static inline bool sctpa_has_reconfigured(const sctpa_context_t *c)
{
    const sctpa_stream_counts_t *counts = sctpa_context_find_part(c, SCTPA_PART_STREAM_COUNTS);
    return counts && counts->reconfigured;
}

#endif
