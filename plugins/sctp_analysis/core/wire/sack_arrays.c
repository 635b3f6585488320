/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arrays of SACK and NR-SACK chunks: gap blocks and duplicate TSNs, as far as they are there.
 * Leaves their order and meaning to whoever reads them. */
#include "chunk.h"
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
