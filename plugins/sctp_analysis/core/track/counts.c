/* Counters of packets. */
#include "counts.h"

const sctpa_counts_t sctpa_counts_none = { 0 };

void sctpa_counts_add_chunk(sctpa_counts_t *counts, const sctpa_tlv_t *chunk)
{
    counts->chunks[sctpa_chunk_row((uint8_t)chunk->type)]++;
    counts->data_bytes += sctpa_chunk_payload_bytes(chunk);
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

void sctpa_counts_add(sctpa_counts_t *counts, const sctpa_packet_t *packet)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk;

    sctpa_counts_add_packet(counts, packet);
    sctpa_chunks_begin(&iter, packet->bytes, packet->captured_bytes, packet->wire_bytes);
    while (sctpa_tlv_next(&iter, &chunk))
        sctpa_counts_add_chunk(counts, &chunk);
}

void sctpa_counts_merge(sctpa_counts_t *counts, const sctpa_counts_t *other)
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
    for (unsigned row = 0; row < SCTPA_CHUNK_ROWS; row++)
        counts->chunks[row] += other->chunks[row];
}

uint32_t sctpa_counts_data_chunks(const sctpa_counts_t *counts)
{
    return counts->chunks[SCTPA_CHUNK_ROW_DATA] + counts->chunks[SCTPA_CHUNK_ROW_I_DATA];
}
