/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows DATA that a receiver must complain of. */
#include "wrong_data.h"

#include "reference/stream_counts.h"

const sctpa_wrong_chunk_t *sctpa_wrong_data_empty(const sctpa_context_t *c, uint8_t endpoint)
{
    const sctpa_wrong_data_t *wrong = c->receivers[endpoint]->wrong;
    return wrong && wrong->empty.is_waiting ? &wrong->empty : NULL;
}

const sctpa_wrong_chunk_t *sctpa_wrong_data_kind(const sctpa_context_t *c, uint8_t endpoint)
{
    const sctpa_wrong_data_t *wrong = c->receivers[endpoint]->wrong;
    return wrong && wrong->kind.is_waiting ? &wrong->kind : NULL;
}

const sctpa_wrong_chunk_t *sctpa_wrong_data_stream(const sctpa_context_t *c, uint8_t endpoint)
{
    const sctpa_wrong_data_t *wrong = c->receivers[endpoint]->wrong;
    return wrong && wrong->stream.is_waiting && !sctpa_has_reconfigured(c) ? &wrong->stream : NULL;
}

int64_t sctpa_wrong_data_overdue_ns(const sctpa_context_t *c, const sctpa_wrong_chunk_t *stream)
{
    int64_t since_ns = c->packet->time_ns - stream->acked_ns;
    return stream->is_acked && sctpa_context_least_ns(c, since_ns) >
                                   sctpa_receiver_patience_ns(c, c->from, SCTPA_COMPLAINT_S * SCTPA_NS_PER_S)
               ? since_ns
               : -1;
}

static sctpa_wrong_data_t *change(const sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    if (!receiver->wrong)
        receiver->wrong = sctpa_arena_alloc(&c->store->arena, sizeof *receiver->wrong);
    return (sctpa_wrong_data_t *)receiver->wrong;
}

/* Is the stream beyond what either endpoint announced? */
static bool is_beyond_streams(const sctpa_context_t *c, uint16_t stream)
{
    if (stream < c->assoc->ends[c->from].init.outbound_streams)
        return false;
    const sctpa_stream_counts_t counts = sctpa_stream_counts(c);
    return sctpa_stream_counts_agreed(&counts, c->from) > 0 && !counts.reconfigured &&
           stream >= MAX(counts.outbound[c->from], counts.inbound[!c->from]);
}

/* DATA though both endpoints listed I-DATA, or I-DATA though one did not? */
static bool is_of_wrong_kind(const sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    sctpa_known_t negotiated = sctpa_negotiated(c->assoc, SCTPA_EXTENSION_I_DATA);
    return negotiated == (chunk->type == SCTPA_CHUNK_I_DATA ? SCTPA_NO : SCTPA_YES);
}

void sctpa_wrong_data_arrives(const sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_observed_t *observed)
{
    uint16_t stream = observed->sent.tsn->stream;
    bool is_empty = observed->tlv.type == SCTPA_CHUNK_DATA && observed->tlv.length == observed->tlv.row->fixed_bytes,
         is_beyond = is_beyond_streams(c, stream), is_wrong_kind = is_of_wrong_kind(c, &observed->tlv);
    if (!is_empty && !is_beyond && !is_wrong_kind)
        return;
    sctpa_wrong_data_t *wrong = change(c, receiver);
    sctpa_wrong_chunk_t chunk = {
        .tsn = sctpa_tlv_u32(&observed->tlv, SCTPA_F_DATA_TSN), .packet = c->index, .stream = stream, .is_waiting = true
    };
    if (is_empty && !wrong->empty.is_waiting)
        wrong->empty = chunk;
    if (is_beyond && !wrong->stream.is_waiting)
        wrong->stream = chunk;
    if (is_wrong_kind && !wrong->kind.is_waiting)
        wrong->kind = chunk;
}

static void take_ack(const sctpa_context_t *c, sctpa_wrong_chunk_t *chunk)
{
    if (chunk->is_acked || sctpa_receiver_has(sctpa_receiver_tsn(c, c->from, chunk->tsn)) != SCTPA_YES)
        return;
    chunk->is_acked = true;
    chunk->acked_ns = c->packet->time_ns;
}

void sctpa_wrong_data_take(const sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    bool is_sound = c->packet->captured_bytes == c->packet->wire_bytes && sctpa_context_is_intact(c);
    sctpa_wrong_data_t *wrong = change(c, receiver);
    if (c->rows & SCTPA_ROW(ABORT) || (wrong->empty.is_acked && is_sound))
        wrong->empty.is_waiting = false;
    if (c->rows & SCTPA_ROW(ABORT) || (wrong->kind.is_acked && is_sound))
        wrong->kind.is_waiting = false;
    if (c->rows & (SCTPA_ROW(ERROR) | SCTPA_ROW(ABORT)) || sctpa_wrong_data_overdue_ns(c, &wrong->stream) >= 0)
        wrong->stream.is_waiting = false;
    if (wrong->empty.is_waiting)
        take_ack(c, &wrong->empty);
    if (wrong->kind.is_waiting)
        take_ack(c, &wrong->kind);
    if (wrong->stream.is_waiting)
        take_ack(c, &wrong->stream);
}
