/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parameters, or error causes, that stand directly in a chunk, framed once for all who look for some of them: in
 * their order, which types, how often, and whether the list was seen whole. Leaves out what they mean. */
#ifndef SCTPA_WIRE_PARAM_LIST_H
#define SCTPA_WIRE_PARAM_LIST_H

#include "chunk.h"

#define SCTPA_PARAM_BIT(id) (UINT64_C(1) << SCTPA_PARAM_ROW_##id)

typedef struct {
    const sctpa_tlv_t *params;
    uint32_t n;
    bool sound;              /* captured to its end, and nothing malformed hides a rest */
    bool has_trailing_bytes; /* 1 to 3 bytes after the last one */
    uint64_t rows, repeated; /* of parameters, SCTPA_PARAM_BIT: there; there more than once. Not of types without row */
} sctpa_param_list_t;

/* Parameters or causes that a chunk can hold at most: room for sctpa_param_list_read. O(1). */
uint32_t sctpa_param_list_most(const sctpa_tlv_t *chunk);

/* Frames what a chunk holds, whose body is parameters or causes, into memory with room for it. O(parameters). */
sctpa_param_list_t sctpa_param_list_read(const sctpa_tlv_t *chunk, sctpa_tlv_t *memory);

/* The first parameter with a row (SCTPA_PARAM_ROW_), NULL: none captured. O(1) where there is none, else
 * O(parameters). */
const sctpa_tlv_t *sctpa_param_list_find(const sctpa_param_list_t *list, unsigned row);

#endif
