/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of packets: what is added up for an endpoint, an address pair, or the packets that a filter selects. */
#ifndef SCTPA_TRACK_COUNTS_H
#define SCTPA_TRACK_COUNTS_H

#include "base/arena.h"
#include "wire/chunk.h"
#include "packet.h"

enum { SCTPA_FEW_ROWS = 6 };

/* Chunks by sctpa_chunk_row: read with sctpa_counts_chunks. Most endpoints send few types. */
typedef struct {
    uint8_t n, rows[SCTPA_FEW_ROWS]; /* the first that were counted */
    uint32_t few[SCTPA_FEW_ROWS];    /* of rows */
    uint32_t *others;                /* by row, those not among rows; NULL none */
} sctpa_chunk_counts_t;

typedef struct {
    uint32_t packets;
    uint32_t first_frame, last_frame; /* 0 when packets is 0 */
    int64_t first_ns, last_ns;
    uint64_t wire_bytes; /* IP packet lengths; SCTP length where IP's is unknown */
    uint64_t data_bytes; /* payload of DATA and I_DATA, every transmission */
    sctpa_chunk_counts_t chunks;
} sctpa_counts_t;

/* Counters with room for every row, so that adding to them asks no arena. counts leads into the struct: it is not to be
 * copied. */
typedef struct {
    sctpa_counts_t counts;
    uint32_t others[SCTPA_CHUNK_ROWS];
} sctpa_counts_copy_t;

/* Makes copy hold what counts holds. O(rows). */
void sctpa_counts_copy(sctpa_counts_copy_t *copy, const sctpa_counts_t *counts);

/* No packets: never written to. */
extern const sctpa_counts_t sctpa_counts_none;

/* Adds one packet: its frame, time and length. O(1). */
void sctpa_counts_add_packet(sctpa_counts_t *counts, const sctpa_packet_t *packet);
/* Adds a chunk of a packet; n chunks of a row. The arena has what is counted of rows that are not among the first.
 * O(1). */
void sctpa_counts_add_chunk(sctpa_counts_t *counts, sctpa_arena_t *arena, const sctpa_tlv_t *chunk);
void sctpa_counts_add_chunks(sctpa_counts_t *counts, sctpa_arena_t *arena, unsigned row, uint32_t n);

/* Adds all of other to counts; no arena is needed (NULL) for those of a sctpa_counts_copy_t. O(rows). */
void sctpa_counts_merge(sctpa_counts_t *counts, sctpa_arena_t *arena, const sctpa_counts_t *other);

/* Gives back what the arena has of them. O(1). */
static inline void sctpa_counts_free(const sctpa_counts_t *counts, sctpa_arena_t *arena)
{
    sctpa_arena_free(arena, counts->chunks.others, SCTPA_CHUNK_ROWS * sizeof *counts->chunks.others);
}

/* Chunks of a row. O(1). */
uint32_t sctpa_counts_chunks(const sctpa_counts_t *counts, unsigned row);

/* DATA and I_DATA chunks. */
static inline uint32_t sctpa_counts_data_chunks(const sctpa_counts_t *counts)
{
    return sctpa_counts_chunks(counts, SCTPA_CHUNK_ROW_DATA) + sctpa_counts_chunks(counts, SCTPA_CHUNK_ROW_I_DATA);
}

#endif
