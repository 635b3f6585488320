/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Framing: splits an SCTP packet into chunks, and chunks into parameters and causes, and reads fields by their table
 * row. Says what is malformed and what the snap length cut; judges nothing else. Values point into the packet: no
 * copies. */
#ifndef SCTPA_WIRE_CHUNK_H
#define SCTPA_WIRE_CHUNK_H

#include "base/numbers.h"
#include "types.h"

enum { SCTPA_HEADER_BYTES = 12, SCTPA_TLV_HEADER_BYTES = 4 };

/* What is wrong with a chunk, parameter or cause. Cut short by the snap length is not wrong. */
typedef enum {
    SCTPA_FAULT_NONE,
    SCTPA_FAULT_LENGTH_BELOW_HEADER,  /* length field under 4 (RFC 9260 3.2) */
    SCTPA_FAULT_LENGTH_BEYOND_END,    /* length field reaches past the enclosing packet, chunk or parameter */
    SCTPA_FAULT_LENGTH_BELOW_MINIMUM, /* shorter than the fixed part of its type */
    SCTPA_FAULT_LENGTH_BODY,          /* the body is no whole number of entries, or disagrees with its counts */
    SCTPA_FAULT_TRAILING_BYTES,       /* 1 to 3 bytes after the last TLV, too few for another */
    SCTPA_FAULT_PADDING_NOT_ZERO,     /* padding bytes that are not zero (RFC 9260 3.2) */
    SCTPA_FAULT_NESTED_TOO_DEEP,      /* more levels of TLVs or packets than the decoder follows */
    SCTPA_FAULTS
} sctpa_fault_t;

/* A chunk, parameter or cause in a packet: 40 bytes. */
typedef struct {
    const uint8_t *bytes;        /* its first byte */
    const sctpa_tlv_type_t *row; /* NULL: unknown type */
    uint32_t type;
    uint32_t wire_bytes;      /* what really belongs to it: length, cut at the end of what encloses it */
    uint32_t captured_bytes;  /* of wire_bytes, how many are in the capture */
    uint16_t length;          /* as the length field says */
    uint8_t flags;            /* chunks only */
    uint8_t padding_bytes;    /* after it, on the wire; 0 to 3 */
    uint8_t captured_padding; /* of padding_bytes, how many are in the capture */
    sctpa_tlv_kind_t kind : 8;
    sctpa_fault_t fault : 8; /* framing and length equation */
} sctpa_tlv_t;

typedef struct {
    sctpa_tlv_kind_t kind;
    const uint8_t *at;      /* next TLV */
    uint32_t wire_left;     /* bytes on the wire from at on */
    uint32_t captured_left; /* bytes in the capture from at on, <= wire_left */
    sctpa_fault_t fault;    /* trailing bytes; set when sctpa_tlv_next returns false */
} sctpa_tlv_iter_t;

/* Starts over the chunks of a packet.
 * packet, captured_bytes, wire_bytes: SCTP bytes from the common header on; captured_bytes <= wire_bytes. */
void sctpa_chunks_begin(sctpa_tlv_iter_t *iter, const uint8_t *packet, uint32_t captured_bytes, uint32_t wire_bytes);

/* Starts over the parameters (or causes) in the body of a TLV whose row has SCTPA_BODY_PARAMS or _CAUSES; none in one
 * of unknown type. */
void sctpa_params_begin(sctpa_tlv_iter_t *iter, const sctpa_tlv_t *owner);

/* Takes the next TLV. False at the end of what was captured or on the wire; a TLV whose first 4 bytes are not all
 * captured is not returned. A TLV with fault LENGTH_BELOW_HEADER or BEYOND_END ends the iteration after it. O(1). */
bool sctpa_tlv_next(sctpa_tlv_iter_t *iter, sctpa_tlv_t *tlv);

/* Has the chunk, an ABORT or ERROR, a cause of that code? O(causes). */
bool sctpa_tlv_has_cause(const sctpa_tlv_t *chunk, uint32_t code);

/* Is a fixed field wholly captured (and inside the TLV's length)? O(1). */
static inline bool sctpa_tlv_has(const sctpa_tlv_t *tlv, sctpa_field_id_t field)
{
    const sctpa_place_t *place = &sctpa_places[field];
    return place->at >= 0 && (uint32_t)place->at + place->size <= tlv->captured_bytes;
}

/* Reads a fixed integer field (masked and shifted); 0 when sctpa_tlv_has is false. O(1). */
static inline uint32_t sctpa_tlv_u32(const sctpa_tlv_t *tlv, sctpa_field_id_t field)
{
    const sctpa_place_t *place = &sctpa_places[field];
    if (!sctpa_tlv_has(tlv, field))
        return 0;
    const uint8_t *at = tlv->bytes + place->at;
    uint32_t value = place->size == 4 ? sctpa_be32(at) : place->size == 2 ? sctpa_be16(at) : at[0];
    return place->mask ? (value & place->mask) / (place->mask & -place->mask) : value;
}

/* Does its length cover its header and end inside what encloses it? What follows one that is not framed is none. */
static inline bool sctpa_tlv_is_framed(const sctpa_tlv_t *tlv)
{
    return tlv->fault != SCTPA_FAULT_LENGTH_BELOW_HEADER && tlv->fault != SCTPA_FAULT_LENGTH_BEYOND_END;
}

/* Is its length one that its type may have? Asked of one that is framed. */
static inline bool sctpa_tlv_is_well_formed(const sctpa_tlv_t *tlv)
{
    return tlv->fault != SCTPA_FAULT_LENGTH_BELOW_MINIMUM && tlv->fault != SCTPA_FAULT_LENGTH_BODY;
}

/* DATA or I_DATA; SACK or NR_SACK. */
static inline bool sctpa_tlv_is_data(const sctpa_tlv_t *chunk)
{
    return chunk->type == SCTPA_CHUNK_DATA || chunk->type == SCTPA_CHUNK_I_DATA;
}
static inline bool sctpa_tlv_is_sack(const sctpa_tlv_t *chunk)
{
    return chunk->type == SCTPA_CHUNK_SACK || chunk->type == SCTPA_CHUNK_NR_SACK;
}

/* The public word of a chunk's type ("INIT_ACK"); "OTHER" for a type without a row. O(1). */
static inline const char *sctpa_chunk_word(const sctpa_tlv_t *chunk)
{
    return sctpa_chunk_row_word(sctpa_chunk_row((uint8_t)chunk->type));
}

/* Payload of a DATA or I_DATA chunk as its length says, 0 for others. */
uint32_t sctpa_chunk_payload_bytes(const sctpa_tlv_t *chunk);

/* Gap blocks and duplicates of a SACK or NR_SACK. Arrays are big-endian in the packet: read with sctpa_be16 /
 * sctpa_be32. Counts are cut to what is captured and inside the chunk's length. */
typedef struct {
    uint32_t cum_tsn, a_rwnd;
    const uint8_t *gaps;
    uint32_t n_gaps; /* pairs of 16-bit start and end offsets */
    const uint8_t *nr_gaps;
    uint32_t n_nr_gaps;
    const uint8_t *duplicates;
    uint32_t n_duplicates;
    bool complete; /* everything the counts announce is there */
} sctpa_sack_t;

/* The type of the chunk that a cause reports as unknown (Unrecognized Chunk Type), -1: another cause, or cut before it.
 * O(1). */
int sctpa_cause_unknown_chunk(const sctpa_tlv_t *cause);

/* Reads a SACK or NR_SACK; false when its fixed part is not captured. */
bool sctpa_sack_parse(const sctpa_tlv_t *chunk, sctpa_sack_t *sack);
/* A gap block: TSNs from cum_tsn + start to cum_tsn + end. */
typedef struct {
    uint16_t start, end;
} sctpa_gap_block_t;
/* Gap block number i < n_gaps. O(1). */
static inline sctpa_gap_block_t sctpa_sack_block(const sctpa_sack_t *sack, uint32_t i)
{
    return (sctpa_gap_block_t){ sctpa_be16(sack->gaps + i * 4), sctpa_be16(sack->gaps + i * 4 + 2) };
}

/* The same of those of both lists, i < n_gaps + n_nr_gaps. O(1). */
static inline sctpa_gap_block_t sctpa_sack_any_block(const sctpa_sack_t *sack, uint32_t i)
{
    const uint8_t *block = i < sack->n_gaps ? sack->gaps + i * 4 : sack->nr_gaps + (i - sack->n_gaps) * 4;
    return (sctpa_gap_block_t){ sctpa_be16(block), sctpa_be16(block + 2) };
}

#define SCTPA_PARAM_BIT(id) (UINT64_C(1) << SCTPA_PARAM_ROW_##id)

typedef struct {
    const sctpa_tlv_t *params;
    uint32_t n;
    bool sound;              /* captured to its end, and nothing malformed hides a rest */
    bool has_trailing_bytes; /* 1 to 3 bytes after the last one */
    uint64_t rows, repeated; /* of parameters, SCTPA_PARAM_BIT: there; there more than once. Not of types without row */
} sctpa_param_list_t;

/* Parameters or causes that a chunk can hold at most: room for sctpa_param_list_read. O(1). */
static inline uint32_t sctpa_param_list_most(const sctpa_tlv_t *chunk)
{
    return chunk->captured_bytes / SCTPA_TLV_HEADER_BYTES;
}

/* Frames what a chunk holds, whose body is parameters or causes, into memory with room for it. O(parameters). */
sctpa_param_list_t sctpa_param_list_read(const sctpa_tlv_t *chunk, sctpa_tlv_t *memory);

/* The first parameter with a row (SCTPA_PARAM_ROW_), NULL: none captured. O(1) where there is none, else
 * O(parameters). */
const sctpa_tlv_t *sctpa_param_list_find(const sctpa_param_list_t *list, unsigned row);

#endif
