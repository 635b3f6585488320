/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Framing the parameters of a chunk. */
#include "param_list.h"

#include <stddef.h>

uint32_t sctpa_param_list_most(const sctpa_tlv_t *chunk)
{
    return chunk->captured_bytes / SCTPA_TLV_HEADER_BYTES;
}

sctpa_param_list_t sctpa_param_list_read(const sctpa_tlv_t *chunk, sctpa_tlv_t *memory)
{
    sctpa_param_list_t list = { .params = memory,
                                .sound =
                                    chunk->captured_bytes == chunk->wire_bytes && chunk->fault == SCTPA_FAULT_NONE };
    sctpa_tlv_iter_t iter;
    sctpa_params_begin(&iter, chunk);
    for (; sctpa_tlv_next(&iter, &memory[list.n]); list.n++) {
        unsigned row = sctpa_param_row(memory[list.n].type);
        if (row == SCTPA_PARAM_ROW_OTHER)
            continue;
        list.repeated |= list.rows & UINT64_C(1) << row;
        list.rows |= UINT64_C(1) << row;
        list.sound = list.sound && sctpa_tlv_is_framed(&memory[list.n]);
    }
    list.has_trailing_bytes = iter.fault == SCTPA_FAULT_TRAILING_BYTES;
    return list;
}

const sctpa_tlv_t *sctpa_param_list_find(const sctpa_param_list_t *list, unsigned row)
{
    if (!(list->rows >> row & 1))
        return NULL;
    const sctpa_tlv_t *param = list->params;
    while (sctpa_param_row(param->type) != row)
        param++;
    return param;
}
