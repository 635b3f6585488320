/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a packet's ports, tag and chunks, and hashes its addresses. */
#include "input.h"

#include "base/numbers.h"
#include "tracker.h"
#include "wire/address.h"

enum { PORTS_AND_TAG_BYTES = 8 };

void sctpa_input_hash(const sctpa_tracker_t *tracker, sctpa_input_t *input)
{
    input->source_hash = sctpa_addr_hash(tracker->store.seed, &input->packet->source);
    input->destination_hash = sctpa_addr_hash(tracker->store.seed, &input->packet->destination);
    input->way_hash = (uint32_t)sctpa_hash_mix(input->source_hash + 3 * input->destination_hash,
                                               (uint64_t)input->vtag << 32 | (uint32_t)input->source_port << 16 |
                                                   input->destination_port);
}

static bool has_t_bit(const sctpa_tlv_t *chunk)
{
    return (chunk->type == SCTPA_CHUNK_ABORT && sctpa_tlv_u32(chunk, SCTPA_F_ABORT_T)) ||
           (chunk->type == SCTPA_CHUNK_SHUTDOWN_COMPLETE && sctpa_tlv_u32(chunk, SCTPA_F_SHUTDOWN_COMPLETE_T));
}

bool sctpa_input_read(sctpa_tracker_t *tracker, sctpa_input_t *input, const sctpa_packet_t *packet, uint32_t index)
{
    if (packet->captured_bytes < PORTS_AND_TAG_BYTES)
        return false;
    input->packet = packet;
    input->index = index;
    tracker->shown.is_read = false;
    input->shown = &tracker->shown;
    input->source_port = sctpa_be16(packet->bytes);
    input->destination_port = sctpa_be16(packet->bytes + 2);
    input->vtag = sctpa_be32(packet->bytes + 4);
    input->observation = &tracker->observation;
    sctpa_observation_read(&tracker->observation, packet->bytes, packet->captured_bytes, packet->wire_bytes);
    const sctpa_tlv_t *first = sctpa_input_first(input);
    input->reflected = first && has_t_bit(first);
    sctpa_input_hash(tracker, input);
    return true;
}
