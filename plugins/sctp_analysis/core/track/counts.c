/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of packets. */
#include "counts.h"

#include <string.h>

const sctpa_counts_t sctpa_counts_none = { 0 };

/* The count of a row, NULL: none was counted, and others have no room for it. */
static uint32_t *find(const sctpa_chunk_counts_t *chunks, unsigned row)
{
    for (unsigned i = 0; i < chunks->n; i++)
        if (chunks->rows[i] == row)
            return (uint32_t *)&chunks->few[i];
    return chunks->others ? &chunks->others[row] : NULL;
}

void sctpa_counts_add_chunks(sctpa_counts_t *counts, sctpa_arena_t *arena, unsigned row, uint32_t n)
{
    sctpa_chunk_counts_t *chunks = &counts->chunks;
    uint32_t *count = find(chunks, row);
    if (n == 0)
        return;
    if (!count && chunks->n < SCTPA_FEW_ROWS) {
        chunks->rows[chunks->n] = (uint8_t)row;
        count = &chunks->few[chunks->n++];
    } else if (!count) {
        chunks->others = sctpa_arena_alloc(arena, SCTPA_CHUNK_ROWS * sizeof *chunks->others);
        count = &chunks->others[row];
    }
    *count += n;
}

void sctpa_counts_add_chunk(sctpa_counts_t *counts, sctpa_arena_t *arena, const sctpa_tlv_t *chunk)
{
    sctpa_counts_add_chunks(counts, arena, sctpa_chunk_row((uint8_t)chunk->type), 1);
    counts->data_bytes += sctpa_chunk_payload_bytes(chunk);
}

uint32_t sctpa_counts_chunks(const sctpa_counts_t *counts, unsigned row)
{
    const uint32_t *count = find(&counts->chunks, row);
    return count ? *count : 0;
}

void sctpa_counts_add_packet(sctpa_counts_t *counts, const sctpa_packet_t *packet)
{
    if (counts->packets++ == 0) {
        counts->first_frame = packet->frame;
        counts->first_ns = packet->time_ns;
    }
    counts->last_frame = packet->frame;
    counts->last_ns = packet->time_ns;
    counts->wire_bytes += packet->ip_bytes ? packet->ip_bytes : packet->wire_bytes;
}

void sctpa_counts_merge(sctpa_counts_t *counts, sctpa_arena_t *arena, const sctpa_counts_t *other)
{
    if (other->packets == 0)
        return;
    if (counts->packets == 0 || other->first_frame < counts->first_frame) {
        counts->first_frame = other->first_frame;
        counts->first_ns = other->first_ns;
    }
    if (counts->packets == 0 || other->last_frame > counts->last_frame) {
        counts->last_frame = other->last_frame;
        counts->last_ns = other->last_ns;
    }
    counts->packets += other->packets;
    counts->wire_bytes += other->wire_bytes;
    counts->data_bytes += other->data_bytes;
    for (unsigned i = 0; i < other->chunks.n; i++)
        sctpa_counts_add_chunks(counts, arena, other->chunks.rows[i], other->chunks.few[i]);
    for (unsigned row = 0; other->chunks.others && row < SCTPA_CHUNK_ROWS; row++)
        sctpa_counts_add_chunks(counts, arena, row, other->chunks.others[row]);
}

void sctpa_counts_copy(sctpa_counts_copy_t *copy, const sctpa_counts_t *counts)
{
    *copy = (sctpa_counts_copy_t){ .counts = *counts };
    if (counts->chunks.others)
        memcpy(copy->others, counts->chunks.others, sizeof copy->others);
    copy->counts.chunks.others = copy->others;
}
