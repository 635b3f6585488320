/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The packet being taken, with what identity needs of it read once. */
#ifndef SCTPA_TRACK_INPUT_H
#define SCTPA_TRACK_INPUT_H

#include "data/observation.h"
#include "packet.h"
#include "tracked.h"

/* What a packet shows of the data that its ends exchange: the last of each kind in it. */
typedef struct {
    bool is_read;
    bool has_tsn, has_cum_tsn;
    uint32_t tsn, cum_tsn;
    uint64_t heartbeat, heartbeat_ack; /* sctpa_heartbeat_hash, 0 none */
} sctpa_shown_t;

/* A packet with what identity needs read once. */
typedef struct {
    const sctpa_packet_t *packet;
    uint16_t source_port, destination_port;
    uint32_t vtag;
    sctpa_observation_t *observation;       /* the tracker's, of its chunks */
    bool reflected;                         /* ABORT or SHUTDOWN_COMPLETE with T bit first */
    uint32_t index;                         /* packet index */
    uint8_t checksum;                       /* sctpa_checksum_t, as far as it says anything */
    uint64_t source_hash, destination_hash; /* of the addresses */
    uint32_t way_hash;                      /* of addresses, ports and tag */
    sctpa_shown_t *shown;                   /* the tracker's, for sctpa_input_read's packet */
} sctpa_input_t;

/* The first chunk, NULL none. */
static inline const sctpa_tlv_t *sctpa_input_first(const sctpa_input_t *input)
{
    return input->observation->n > 0 ? &input->observation->chunks[0].tlv : NULL;
}

/* Reads ports, tag and first chunk; false when ports and tag are not captured. */
bool sctpa_input_read(sctpa_tracker_t *tracker, sctpa_input_t *input, const sctpa_packet_t *packet, uint32_t index);
/* Hashes the addresses, ports and tag of input, by which it is looked up. O(1). */
void sctpa_input_hash(const sctpa_tracker_t *tracker, sctpa_input_t *input);

#endif
