/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Framing of chunks, parameters and causes, the length equation of each type, and the arrays of SACKs. Leaves fields
 * to walk.c. */
#include "chunk.h"

#include <stddef.h>

#include <glib.h>

enum { ENTRY_BYTES = 4 };

/* Takes up to announced entries off the bytes left; *complete is cleared when there are fewer. */
static const uint8_t *take_entries(const uint8_t **at, uint32_t *left, uint32_t announced, uint32_t *n, bool *complete)
{
    const uint8_t *first = *at;
    *n = MIN(announced, *left / ENTRY_BYTES);
    if (*n < announced) {
        *complete = false;
        *left = 0;
        return first;
    }
    *at += *n * ENTRY_BYTES;
    *left -= *n * ENTRY_BYTES;
    return first;
}

bool sctpa_sack_parse(const sctpa_tlv_t *chunk, sctpa_sack_t *sack)
{
    const sctpa_tlv_type_t *row = chunk->row;
    bool nr = row && row->body == SCTPA_BODY_NR_SACK;
    if (!row || (!nr && row->body != SCTPA_BODY_SACK) || chunk->captured_bytes < row->fixed_bytes)
        return false;
    const uint8_t *at = chunk->bytes + row->fixed_bytes;
    uint32_t left = chunk->captured_bytes - row->fixed_bytes;
    uint32_t n_nr_gaps = nr ? sctpa_tlv_u32(chunk, SCTPA_F_NR_SACK_N_NR_GAPS) : 0;
    uint32_t n_duplicates = sctpa_tlv_u32(chunk, nr ? SCTPA_F_NR_SACK_N_DUPLICATES : SCTPA_F_SACK_N_DUPLICATES);
    sack->complete = true;
    sack->cum_tsn = sctpa_tlv_u32(chunk, SCTPA_F_SACK_CUM_TSN);
    sack->a_rwnd = sctpa_tlv_u32(chunk, SCTPA_F_SACK_A_RWND);
    sack->gaps = take_entries(&at, &left, sctpa_tlv_u32(chunk, SCTPA_F_SACK_N_GAPS), &sack->n_gaps, &sack->complete);
    sack->nr_gaps = take_entries(&at, &left, n_nr_gaps, &sack->n_nr_gaps, &sack->complete);
    sack->duplicates = take_entries(&at, &left, n_duplicates, &sack->n_duplicates, &sack->complete);
    return true;
}

void sctpa_chunks_begin(sctpa_tlv_iter_t *iter, const uint8_t *packet, uint32_t captured_bytes, uint32_t wire_bytes)
{
    uint32_t skipped = MIN(captured_bytes, SCTPA_HEADER_BYTES);
    iter->kind = SCTPA_TLV_CHUNK;
    iter->at = packet + skipped;
    iter->wire_left = wire_bytes > SCTPA_HEADER_BYTES ? wire_bytes - SCTPA_HEADER_BYTES : 0;
    iter->captured_left = MIN(captured_bytes - skipped, iter->wire_left);
    iter->fault = SCTPA_FAULT_NONE;
}

void sctpa_params_begin(sctpa_tlv_iter_t *iter, const sctpa_tlv_t *owner)
{
    if (!owner->row) {
        *iter = (sctpa_tlv_iter_t){ .kind = SCTPA_TLV_PARAM, .at = owner->bytes };
        return;
    }
    uint32_t skipped = MIN(owner->captured_bytes, owner->row->fixed_bytes);
    iter->kind = owner->row->body == SCTPA_BODY_CAUSES ? SCTPA_TLV_CAUSE : SCTPA_TLV_PARAM;
    iter->at = owner->bytes + skipped;
    iter->wire_left = owner->wire_bytes > owner->row->fixed_bytes ? owner->wire_bytes - owner->row->fixed_bytes : 0;
    iter->captured_left = MIN(owner->captured_bytes - skipped, iter->wire_left);
    iter->fault = SCTPA_FAULT_NONE;
}

/* What the counts in the fixed part say of the bytes after it; true when they are not captured or fit. */
static bool counts_fit(const sctpa_tlv_t *tlv, uint32_t rest)
{
    switch (tlv->row->body) {
    case SCTPA_BODY_SACK:
        return !sctpa_tlv_has(tlv, SCTPA_F_SACK_N_DUPLICATES) ||
               rest == 4 * (sctpa_tlv_u32(tlv, SCTPA_F_SACK_N_GAPS) + sctpa_tlv_u32(tlv, SCTPA_F_SACK_N_DUPLICATES));
    case SCTPA_BODY_NR_SACK:
        return !sctpa_tlv_has(tlv, SCTPA_F_NR_SACK_N_DUPLICATES) ||
               rest == 4 * (sctpa_tlv_u32(tlv, SCTPA_F_NR_SACK_N_GAPS) + sctpa_tlv_u32(tlv, SCTPA_F_NR_SACK_N_NR_GAPS) +
                            sctpa_tlv_u32(tlv, SCTPA_F_NR_SACK_N_DUPLICATES));
    default: break;
    }
    if (tlv->kind == SCTPA_TLV_CAUSE && tlv->type == SCTPA_CAUSE_MISSING_PARAMS)
        return !sctpa_tlv_has(tlv, SCTPA_F_MISSING_PARAMS_COUNT) ||
               rest == 2 * (uint64_t)sctpa_tlv_u32(tlv, SCTPA_F_MISSING_PARAMS_COUNT);
    return true;
}

/* The length equation of the TLV's row: length = fixed_bytes + whole entries. */
static sctpa_fault_t length_fault(const sctpa_tlv_t *tlv)
{
    const sctpa_tlv_type_t *row = tlv->row;
    if (!row)
        return SCTPA_FAULT_NONE;
    if (tlv->length < row->fixed_bytes)
        return SCTPA_FAULT_LENGTH_BELOW_MINIMUM;
    uint32_t rest = tlv->length - row->fixed_bytes;
    if (rest == 0 && row->body == SCTPA_BODY_NONE)
        return SCTPA_FAULT_NONE;
    if (row->body == SCTPA_BODY_NONE && rest != row->unit_bytes)
        return SCTPA_FAULT_LENGTH_BODY;
    if (row->unit_bytes && rest % row->unit_bytes)
        return SCTPA_FAULT_LENGTH_BODY;
    return counts_fit(tlv, rest) ? SCTPA_FAULT_NONE : SCTPA_FAULT_LENGTH_BODY;
}

static bool padding_is_zero(const sctpa_tlv_t *tlv)
{
    for (uint32_t i = 0; i < tlv->captured_padding; i++) {
        if (tlv->bytes[tlv->wire_bytes + i])
            return false;
    }
    return true;
}

/* Takes its length for what belongs to it; what is wrong with that. */
static sctpa_fault_t measure(const sctpa_tlv_iter_t *iter, sctpa_tlv_t *tlv)
{
    sctpa_fault_t fault = SCTPA_FAULT_NONE;
    tlv->wire_bytes = tlv->length;
    if (tlv->length < SCTPA_TLV_HEADER_BYTES) {
        fault = SCTPA_FAULT_LENGTH_BELOW_HEADER;
        tlv->wire_bytes = SCTPA_TLV_HEADER_BYTES;
    } else if (tlv->length > iter->wire_left) {
        fault = SCTPA_FAULT_LENGTH_BEYOND_END;
        tlv->wire_bytes = iter->wire_left;
    }
    tlv->captured_bytes = MIN(tlv->wire_bytes, iter->captured_left);
    tlv->padding_bytes = (uint8_t)MIN(-tlv->wire_bytes & 3u, iter->wire_left - tlv->wire_bytes);
    tlv->captured_padding = (uint8_t)MIN(tlv->padding_bytes, iter->captured_left - tlv->captured_bytes);
    return fault;
}

static bool end(sctpa_tlv_iter_t *iter)
{
    iter->fault =
        iter->wire_left > 0 && iter->wire_left < SCTPA_TLV_HEADER_BYTES ? SCTPA_FAULT_TRAILING_BYTES : SCTPA_FAULT_NONE;
    return false;
}

bool sctpa_tlv_next(sctpa_tlv_iter_t *iter, sctpa_tlv_t *tlv)
{
    const uint8_t *at = iter->at;
    if (iter->captured_left < SCTPA_TLV_HEADER_BYTES)
        return end(iter);
    bool is_chunk = iter->kind == SCTPA_TLV_CHUNK;
    tlv->kind = iter->kind;
    tlv->type = is_chunk ? at[0] : sctpa_be16(at);
    tlv->flags = is_chunk ? at[1] : 0;
    tlv->length = sctpa_be16(at + 2);
    tlv->bytes = at;
    tlv->row = sctpa_tlv_type(iter->kind, tlv->type);
    sctpa_fault_t fault = measure(iter, tlv);
    iter->at = at + tlv->captured_bytes + tlv->captured_padding;
    iter->wire_left -= tlv->wire_bytes + tlv->padding_bytes;
    iter->captured_left -= tlv->captured_bytes + tlv->captured_padding;
    if (fault == SCTPA_FAULT_LENGTH_BELOW_HEADER)
        iter->wire_left = iter->captured_left = 0;
    if (fault == SCTPA_FAULT_NONE)
        fault = length_fault(tlv);
    if (fault == SCTPA_FAULT_NONE && !padding_is_zero(tlv))
        fault = SCTPA_FAULT_PADDING_NOT_ZERO;
    tlv->fault = fault;
    return true;
}

bool sctpa_tlv_has_cause(const sctpa_tlv_t *chunk, uint32_t code)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t cause;
    sctpa_params_begin(&iter, chunk);
    while (sctpa_tlv_next(&iter, &cause))
        if (cause.type == code)
            return true;
    return false;
}

uint32_t sctpa_chunk_payload_bytes(const sctpa_tlv_t *chunk)
{
    if (!sctpa_tlv_is_data(chunk))
        return 0;
    uint32_t header = chunk->row->fixed_bytes;
    return chunk->wire_bytes > header ? chunk->wire_bytes - header : 0;
}

int sctpa_cause_unknown_chunk(const sctpa_tlv_t *cause)
{
    bool holds_type = cause->type == SCTPA_CAUSE_UNRECOGNIZED_CHUNK && cause->captured_bytes > SCTPA_TLV_HEADER_BYTES;
    return holds_type ? cause->bytes[SCTPA_TLV_HEADER_BYTES] : -1;
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
