/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Framing the chunks of the packet being fed. */
#include "observation.h"

enum { ROOM_AT_FIRST = 16 };

static void make_room(sctpa_observation_t *observation, uint32_t chunks)
{
    g_array_set_size(observation->memory, chunks);
    observation->chunks = (sctpa_observed_t *)(void *)observation->memory->data;
}

void sctpa_observation_init(sctpa_observation_t *observation)
{
    *observation = (sctpa_observation_t){ .memory = g_array_new(FALSE, FALSE, sizeof(sctpa_observed_t)) };
    make_room(observation, ROOM_AT_FIRST);
}

void sctpa_observation_clear(sctpa_observation_t *observation)
{
    g_array_unref(observation->memory);
    *observation = (sctpa_observation_t){ .chunks = NULL };
}

void sctpa_observation_read(sctpa_observation_t *observation, const uint8_t *packet, uint32_t captured_bytes,
                            uint32_t wire_bytes)
{
    sctpa_tlv_iter_t iter;
    uint32_t n = 0;
    observation->rows = 0;
    observation->auth_at = UINT32_MAX;
    sctpa_chunks_begin(&iter, packet, captured_bytes, wire_bytes);
    while (sctpa_tlv_next(&iter, &observation->chunks[n].tlv)) {
        sctpa_observed_t *observed = &observation->chunks[n];
        observed->sent = (sctpa_transmission_t){ .tsn = NULL };
        observed->acked = observed->sack = 0;
        observed->row = sctpa_chunk_row((uint8_t)observed->tlv.type);
        observation->rows |= UINT64_C(1) << observed->row;
        if (observed->tlv.type == SCTPA_CHUNK_AUTH)
            observation->auth_at = MIN(observation->auth_at, n);
        if (++n == observation->memory->len)
            make_room(observation, 2 * n);
    }
    observation->n = n;
    observation->auth_at = MIN(observation->auth_at, n);
    observation->wire_left = iter.wire_left;
}
