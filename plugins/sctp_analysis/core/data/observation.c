/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Framing the chunks of the packet being fed. */
#include "observation.h"

enum { ROOM_AT_FIRST = 16, PARAMS_AT_FIRST = 64 };

/* Chunks that hold parameters or causes. */
static const uint64_t listing_rows =
#define LISTS(body) (SCTPA_BODY_##body == SCTPA_BODY_PARAMS || SCTPA_BODY_##body == SCTPA_BODY_CAUSES)
#define SCTPA_CHUNK(id, value, word, title, fixed_bytes, unit_bytes, body, ...) (LISTS(body) ? SCTPA_ROW(id) : 0) |
#include "wire/chunks.def"
    0;

static void make_room(sctpa_observation_t *observation, uint32_t chunks)
{
    g_array_set_size(observation->memory, chunks);
    observation->chunks = (sctpa_observed_t *)(void *)observation->memory->data;
}

static void make_room_for_lists(sctpa_observation_t *observation, uint32_t lists, uint32_t params)
{
    if (observation->list_memory->len < lists)
        g_array_set_size(observation->list_memory, lists);
    if (observation->params_room < params) {
        g_free(observation->params);
        observation->params = g_new(sctpa_tlv_t, params);
        observation->params_room = params;
    }
    observation->lists = (sctpa_param_list_t *)(void *)observation->list_memory->data;
}

void sctpa_observation_init(sctpa_observation_t *observation)
{
    *observation = (sctpa_observation_t){ .memory = g_array_new(FALSE, FALSE, sizeof(sctpa_observed_t)),
                                          .list_memory = g_array_new(FALSE, FALSE, sizeof(sctpa_param_list_t)) };
    make_room(observation, ROOM_AT_FIRST);
    make_room_for_lists(observation, ROOM_AT_FIRST, PARAMS_AT_FIRST);
    observation->lists[0] = (sctpa_param_list_t){ .n = 0 };
}

void sctpa_observation_clear(sctpa_observation_t *observation)
{
    g_array_unref(observation->memory);
    g_array_unref(observation->list_memory);
    g_free(observation->params);
    *observation = (sctpa_observation_t){ .chunks = NULL };
}

/* Room is made first: the lists lead to what they list. */
static void read_lists(sctpa_observation_t *observation)
{
    uint32_t lists = 1, params = 0; /* the first list is empty */
    for (uint32_t i = 0; i < observation->n; i++)
        if (listing_rows >> observation->chunks[i].row & 1) {
            observation->chunks[i].list = lists++;
            params += sctpa_param_list_most(&observation->chunks[i].tlv);
        }
    make_room_for_lists(observation, lists, params);
    sctpa_tlv_t *room = observation->params;
    for (uint32_t i = 0; i < observation->n; i++)
        if (observation->chunks[i].list > 0) {
            sctpa_param_list_t *list = &observation->lists[observation->chunks[i].list];
            *list = sctpa_param_list_read(&observation->chunks[i].tlv, room);
            room += list->n;
        }
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
        observed->acked = observed->sack = observed->list = 0;
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
    if (observation->rows & listing_rows)
        read_lists(observation);
}
