/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps what INITs and INIT ACKs announced of streams. */
#include "stream_counts.h"

void sctpa_stream_counts_take(const sctpa_context_t *c)
{
    sctpa_stream_counts_t *counts = sctpa_context_find_part(c, SCTPA_PART_STREAM_COUNTS);
    if (!counts) {
        /* The first INIT, perhaps one of a flood, needs no part: the association remembers what it announced. */
        if (sctpa_context_is_first_init(c) && !c->tracked->established)
            return;
        sctpa_stream_counts_t announced = sctpa_stream_counts(c);
        counts = sctpa_context_part(c, SCTPA_PART_STREAM_COUNTS, sizeof *counts);
        *counts = announced;
    }
    counts->reconfigured |= (c->rows & SCTPA_ROW(RE_CONFIG)) != 0;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i].tlv;
        if (chunk->type != SCTPA_CHUNK_INIT && chunk->type != SCTPA_CHUNK_INIT_ACK)
            continue;
        /* INIT and INIT ACK have the same fixed fields (RFC 9260 3.3.2, 3.3.3). */
        uint32_t outbound = sctpa_tlv_u32(chunk, SCTPA_F_INIT_OUTBOUND_STREAMS),
                 inbound = sctpa_tlv_u32(chunk, SCTPA_F_INIT_INBOUND_STREAMS);
        counts->outbound[c->from] = (uint16_t)MAX(counts->outbound[c->from], outbound);
        counts->inbound[c->from] = (uint16_t)MAX(counts->inbound[c->from], inbound);
    }
}
