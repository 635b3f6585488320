/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the chunks of the packet being fed mean: framed once, and what the directions of data made of each. Made by
 * whoever feeds the packet, handed down to everything that looks at it; nobody walks the bytes or looks a TSN up again.
 * Scratch memory, overwritten by the next packet. Leaves out what stays of a packet (direction.h). */
#ifndef SCTPA_DATA_OBSERVATION_H
#define SCTPA_DATA_OBSERVATION_H

#include "wire/chunk.h"
#include "direction.h"

#define SCTPA_ROW(id) (UINT64_C(1) << SCTPA_CHUNK_ROW_##id)
#define SCTPA_ANY_CHUNK UINT64_MAX
#define SCTPA_DATA_ROWS (SCTPA_ROW(DATA) | SCTPA_ROW(I_DATA))
#define SCTPA_SACK_ROWS (SCTPA_ROW(SACK) | SCTPA_ROW(NR_SACK))

/* A chunk of the packet being fed. */
typedef struct {
    sctpa_tlv_t tlv;
    uint32_t row;              /* SCTPA_CHUNK_ROW_ of its type */
    uint32_t list;             /* of those that hold parameters or causes: index in lists, 0 no such chunk */
    sctpa_transmission_t sent; /* of DATA and I_DATA; tsn NULL: not followed, or no such chunk */
    uint32_t acked;            /* of SACK and NR_SACK: 1 + index in acked of what it newly acked, 0 nothing */
    uint32_t sack;             /* of these, too: 1 + index in sacks of its record, 0 it has none */
} sctpa_observed_t;

typedef struct {
    sctpa_observed_t *chunks;
    uint32_t n;
    uint64_t rows;                /* SCTPA_CHUNK_ROW_ bits of them */
    uint32_t auth_at;             /* the first AUTH among them, n none */
    uint32_t wire_left;           /* bytes on the wire behind the last chunk that was captured */
    sctpa_param_list_t *lists;    /* the first is empty */
    GArray *memory, *list_memory; /* of chunks, of lists */
    sctpa_tlv_t *params;          /* that lists lead to */
    uint32_t params_room;
} sctpa_observation_t;

void sctpa_observation_init(sctpa_observation_t *observation);
void sctpa_observation_clear(sctpa_observation_t *observation);
/* Frames the chunks of a packet, as in sctpa_chunks_begin, and the parameters and causes that stand directly in them.
 * O(chunks + parameters). Keeps room for the packet that needed most, rounded up to a power of two of bytes: 80 for a
 * chunk, 32 for one with parameters or causes (16,384 chunks fit, in 2 MiB and 512 KiB); not rounded: 40 for each 4
 * bytes that such chunks have (640 KiB in 64 KiB). */
void sctpa_observation_read(sctpa_observation_t *observation, const uint8_t *packet, uint32_t captured_bytes,
                            uint32_t wire_bytes);

/* What a chunk holds of parameters or causes. O(1). */
static inline const sctpa_param_list_t *sctpa_observed_params(const sctpa_observation_t *observation,
                                                              const sctpa_observed_t *observed)
{
    return &observation->lists[observed->list];
}

/* Is it a DATA chunk that is followed, in its first transmission? */
static inline bool sctpa_observed_is_new(const sctpa_observed_t *observed)
{
    return observed->sent.tsn && observed->sent.rtx == 0;
}

/* The SACK that the same endpoint sent before a SACK chunk that acknowledges data of direction; NULL: none passed. It
 * may be another chunk of the same packet. O(1). */
static inline const sctpa_sack_record_t *sctpa_observed_sack_before(const sctpa_observed_t *observed,
                                                                    const sctpa_direction_t *direction)
{
    uint32_t number = observed->sack;
    return number > 1 ? &SCTPA_RECORD(&direction->sacks, sctpa_sack_record_t, number - 2) : NULL;
}

/* The retransmission that a DATA chunk is; NULL: the first transmission, or not followed. O(1). */
static inline const sctpa_rtx_t *sctpa_observed_rtx(const sctpa_observed_t *observed, const sctpa_direction_t *sent)
{
    uint32_t rtx = observed->sent.rtx;
    return rtx > 0 ? sctpa_direction_rtx(sent, rtx) : NULL;
}

#endif
