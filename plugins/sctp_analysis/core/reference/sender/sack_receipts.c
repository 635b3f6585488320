/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows SACKs that came together with data, until the data is acknowledged. */
#include "sack_receipts.h"

typedef struct {
    int64_t cum_tsn, tsn; /* of the SACK that waits, and of the data beside it */
    sctpa_sack_receipt_t shown;
    bool is_waiting, is_shown;
} receipt_t;

typedef struct {
    receipt_t *of[2]; /* by endpoint that the SACKs go to, NULL before one came together with data */
} receipts_t;

/* Data that was sent once and is acknowledged has arrived, and so has the SACK in its packet. */
static void show(const sctpa_context_t *c, receipt_t *receipt)
{
    if (!receipt->is_waiting || c->acked->cum_tsn < receipt->tsn)
        return;
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(c->acked, receipt->tsn);
    receipt->is_waiting = false;
    if (!tsn || tsn->transmissions != 1)
        return;
    receipt->shown.cum_tsn = receipt->is_shown ? MAX(receipt->shown.cum_tsn, receipt->cum_tsn) : receipt->cum_tsn;
    receipt->shown.since_ns = c->packet->time_ns;
    receipt->is_shown = true;
}

static void free_receipts(sctpa_arena_t *arena, void *part)
{
    const receipts_t *receipts = part;
    for (unsigned endpoint = 0; endpoint < 2; endpoint++)
        sctpa_arena_free(arena, receipts->of[endpoint], sizeof *receipts->of[endpoint]);
}

void sctpa_sack_receipts_take(const sctpa_context_t *c)
{
    if (!(c->rows & SCTPA_ROW(SACK)) || !c->acked)
        return;
    receipts_t *receipts = sctpa_context_find_part(c, SCTPA_PART_SACK_RECEIPTS);
    bool may_wait = c->rows & SCTPA_ROW(DATA) && c->sent;
    if (!receipts && !may_wait)
        return;
    if (!receipts)
        receipts = sctpa_context_owning_part(c, SCTPA_PART_SACK_RECEIPTS, sizeof *receipts, free_receipts);
    if (receipts->of[c->from])
        show(c, receipts->of[c->from]);
    const sctpa_tlv_t *sack = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_SACK);
    if (!sctpa_tlv_has(sack, SCTPA_F_SACK_CUM_TSN))
        return;
    receipt_t *receipt = receipts->of[!c->from];
    int64_t cum_tsn = sctpa_direction_unwrap(c->acked, sctpa_tlv_u32(sack, SCTPA_F_SACK_CUM_TSN));
    if (receipt && cum_tsn < receipt->shown.cum_tsn) /* taken back, or delayed by the network */
        receipt->is_shown = false;
    if (!may_wait || (receipt && receipt->is_waiting))
        return;
    if (!receipt)
        receipt = receipts->of[!c->from] = sctpa_arena_alloc(&c->store->arena, sizeof *receipt);
    const sctpa_observed_t *data = sctpa_context_observed(c, SCTPA_CHUNK_ROW_DATA);
    receipt->tsn = data->sent.number;
    receipt->cum_tsn = cum_tsn;
    receipt->is_waiting = sctpa_observed_is_new(data) && cum_tsn <= c->acked->highest;
}

bool sctpa_sack_receipt(const sctpa_context_t *c, uint8_t endpoint, sctpa_sack_receipt_t *receipt)
{
    const receipts_t *receipts = sctpa_context_find_part(c, SCTPA_PART_SACK_RECEIPTS);
    const receipt_t *of = receipts ? receipts->of[endpoint] : NULL;
    if (!of || !of->is_shown)
        return false;
    *receipt = of->shown;
    return true;
}
