/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which parameters stand directly in a chunk, how often, and whether the list was seen whole. */
#ifndef SCTPA_WIRE_PARAM_SET_H
#define SCTPA_WIRE_PARAM_SET_H

#include "chunk.h"

typedef struct {
    uint64_t rows, repeated; /* SCTPA_PARAM_ROW_ bits: there; there more than once. Not SCTPA_PARAM_ROW_OTHER */
    bool sound;              /* captured to its end, and nothing malformed hides a rest */
} sctpa_param_set_t;

/* The parameters of a chunk whose body is parameters. O(parameters). */
static inline sctpa_param_set_t sctpa_param_set(const sctpa_tlv_t *chunk)
{
    sctpa_param_set_t set = { .sound = chunk->captured_bytes == chunk->wire_bytes && chunk->fault == SCTPA_FAULT_NONE };
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    sctpa_params_begin(&iter, chunk);
    while (sctpa_tlv_next(&iter, &param)) {
        unsigned row = sctpa_param_row(param.type);
        if (row == SCTPA_PARAM_ROW_OTHER)
            continue;
        set.repeated |= set.rows & UINT64_C(1) << row;
        set.rows |= UINT64_C(1) << row;
        set.sound = set.sound && sctpa_tlv_is_framed(&param);
    }
    return set;
}

#endif
