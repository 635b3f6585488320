/* Counters of packets: what is added up for an endpoint, an address pair, or the packets that a filter selects. */
#ifndef SCTPA_TRACK_COUNTS_H
#define SCTPA_TRACK_COUNTS_H

#include "packet.h"
#include "../wire/chunk.h"

typedef struct {
    uint32_t packets;
    uint32_t first_frame, last_frame;   /* 0 when packets is 0 */
    int64_t first_ns, last_ns;
    uint64_t wire_bytes;                /* IP packet lengths; SCTP length where IP's is unknown */
    uint64_t data_bytes;                /* payload of DATA and I_DATA, every transmission */
    uint32_t chunks[SCTPA_CHUNK_ROWS];  /* by sctpa_chunk_row */
} sctpa_counts_t;

/* No packets: never written to. */
extern const sctpa_counts_t sctpa_counts_none;

/* Adds one packet: its frame, time, length and chunks. O(chunks). */
void sctpa_counts_add(sctpa_counts_t *counts, const sctpa_packet_t *packet);

/* The two halves of sctpa_counts_add, for who walks over the chunks anyway. O(1). */
void sctpa_counts_add_packet(sctpa_counts_t *counts, const sctpa_packet_t *packet);
void sctpa_counts_add_chunk(sctpa_counts_t *counts, const sctpa_tlv_t *chunk);

/* Adds all of other to counts. */
void sctpa_counts_merge(sctpa_counts_t *counts, const sctpa_counts_t *other);

/* DATA and I_DATA chunks. */
uint32_t sctpa_counts_data_chunks(const sctpa_counts_t *counts);

#endif
