/* Judges the data sender chunk by chunk: streams, what is sent again. Leaves the order of TSNs to
 * check_sender_order.c, the peer's window to check_sender_window.c,
 * PPIDs to check_sender_ppid.c. */
#include "check_sender.h"

static int64_t srtt_ns(const sctpa_context_t *c)
{
    return c->path < c->sent->paths.len ? SCTPA_RECORD(&c->sent->paths, sctpa_data_path_t, c->path).srtt_ns : 0;
}

/* Longer than any packet is under way from the sender to a tap near it. */
static int64_t margin_ns(const sctpa_context_t *c)
{
    return MAX(SCTPA_UNDER_WAY_MS * SCTPA_NS_PER_MS, SCTPA_UNDER_WAY_ROUND_TRIPS * srtt_ns(c));
}

static bool is_good(const sctpa_context_t *c, uint32_t packet)
{
    return g_array_index(c->tracker->records, sctpa_record_t, packet).checksum == SCTPA_CHECKSUM_CRC32C;
}

static bool has_other_message(const sctpa_tsn_t *tsn, const sctpa_tlv_t *chunk)
{
    const uint8_t kept = SCTPA_TSN_BEGIN | SCTPA_TSN_END | SCTPA_TSN_UNORDERED;
    bool i_data = chunk->type == SCTPA_CHUNK_I_DATA;
    if (((tsn->flags ^ chunk->flags) & kept) ||
        tsn->stream != sctpa_tlv_u32(chunk, i_data ? SCTPA_F_I_DATA_SID : SCTPA_F_DATA_SID))
        return true;
    bool is_counted = i_data || !(tsn->flags & SCTPA_TSN_UNORDERED);
    return (is_counted && tsn->ssn != sctpa_tlv_u32(chunk, i_data ? SCTPA_F_I_DATA_MID : SCTPA_F_DATA_SSN)) ||
           tsn->ppid != sctpa_tlv_u32(chunk, i_data ? SCTPA_F_I_DATA_PPID : SCTPA_F_DATA_PPID) ||
           tsn->bytes != sctpa_chunk_payload_bytes(chunk);
}

/* RFC 9260 6.9: "assign, in sequence, a separate TSN to each of the DATA chunks in the series" */
static void check_content(sctpa_context_t *c, const sctpa_tsn_t *tsn, const sctpa_tlv_t *chunk)
{
    bool i_data = chunk->type == SCTPA_CHUNK_I_DATA;
    if (tsn->first_packet == c->index || tsn->transmissions < 2 || !is_good(c, tsn->first_packet) ||
        i_data != !!(tsn->flags & SCTPA_TSN_I_DATA) || !sctpa_may_judge(c, SCTPA_RULE_TX_002, c->from))
        return;
    if (has_other_message(tsn, chunk))
        sctpa_accuse(c, SCTPA_RULE_TX_002, c->from, c->path, tsn->first_packet,
                     SCTPA_WORDS("stream %u, number %u, flags 0x%02x, PPID or FSN %u, %u bytes", tsn->stream, tsn->ssn,
                                 tsn->flags & 7, tsn->ppid, tsn->bytes),
                     SCTPA_WORDS("stream %u, flags 0x%02x, %u bytes in TSN %u sent again",
                                 sctpa_tlv_u32(chunk, i_data ? SCTPA_F_I_DATA_SID : SCTPA_F_DATA_SID),
                                 chunk->flags & 7u, sctpa_chunk_payload_bytes(chunk),
                                 sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN)));
}

/* RFC 9260 5.1.1: "MUST be 0 to min(local OS, remote MIS) - 1" */
static void check_stream(sctpa_context_t *c, const sctpa_sender_state_t *state, const sctpa_tlv_t *chunk)
{
    unsigned streams = MIN(state->outbound[c->from], state->inbound[!c->from]);
    unsigned stream = sctpa_tlv_u32(chunk, chunk->type == SCTPA_CHUNK_I_DATA ? SCTPA_F_I_DATA_SID : SCTPA_F_DATA_SID);
    if (streams == 0 || state->reconfigured || !sctpa_may_judge(c, SCTPA_RULE_TX_011, c->from))
        return;
    if (stream >= streams)
        sctpa_accuse(c, SCTPA_RULE_TX_011, c->from, c->path, SCTPA_NO_PACKET_INDEX,
                     SCTPA_WORDS("streams 0 to %u", streams - 1), SCTPA_WORDS("stream %u", stream));
}

/* RFC 9260 6.7: "MUST remove all DATA chunks that have been acknowledged by the SACK chunk's Cumulative TSN Ack from
 * its transmit queue" */
static void check_acked(sctpa_context_t *c, const sctpa_receipt_t *receipt, int64_t number, const sctpa_tsn_t *tsn)
{
    if (!receipt || !receipt->is_proven || !sctpa_may_judge(c, SCTPA_RULE_TX_018, c->from))
        return;
    int64_t since_ns = c->packet->time_ns - receipt->proven_ns;
    if (number <= receipt->proven && tsn->ack_packet < c->index && since_ns >= margin_ns(c))
        sctpa_accuse(c, SCTPA_RULE_TX_018, c->from, c->path, tsn->ack_packet,
                     SCTPA_WORDS("no TSN up to %u", c->sent->initial_tsn + (uint32_t)receipt->proven),
                     SCTPA_WORDS("TSN %u again, %.3f s after its acknowledgement had arrived",
                                 c->sent->initial_tsn + (uint32_t)number, (double)since_ns / 1e9));
}

/* RFC 9260 6.2.1: "SCTP considers the information carried in the Gap Ack Blocks in the SACK chunk as advisory" */
static void check_gap_acked(sctpa_context_t *c, int64_t number, const sctpa_tsn_t *tsn)
{
    if (tsn->state & (SCTPA_TSN_RENEGED | SCTPA_TSN_ACKED | SCTPA_TSN_LATE) ||
        !sctpa_direction_tells_reneging(c->sent) || !sctpa_may_judge(c, SCTPA_RULE_TX_019, c->from) ||
        !(tsn->state & SCTPA_TSN_GAP_ACKED) || tsn->gap_packet >= c->index)
        return;
    const sctpa_records_t *sacks = &c->sent->sacks;
    uint32_t since =
        sacks->len - sctpa_records_from(sacks->data, sacks->len, sizeof(sctpa_sack_record_t), tsn->gap_packet);
    int64_t since_ns = c->packet->time_ns - sctpa_context_time_ns(c, tsn->gap_packet);
    if (since >= SCTPA_GAP_SACKS && since_ns >= margin_ns(c))
        sctpa_accuse(c, SCTPA_RULE_TX_019, c->from, c->path, tsn->gap_packet, "the TSNs that the gap blocks leave out",
                     SCTPA_WORDS("TSN %u again, %.3f s after a gap block held it",
                                 c->sent->initial_tsn + (uint32_t)number, (double)since_ns / 1e9));
}

/* In how many of the pauses between the last transmissions of a TSN was other data newly acknowledged? */
static unsigned answered_between(const sctpa_context_t *c, const sctpa_tsn_t *tsn)
{
    const sctpa_direction_t *sent = c->sent;
    const sctpa_records_t *acked = &sent->acked;
    int64_t round_trip_ns = srtt_ns(c) * SCTPA_PAUSE_HALF_ROUND_TRIPS / 2;
    unsigned n = 0, left = SCTPA_TIMES_AGAIN;
    const sctpa_rtx_t *rtx;
    for (uint32_t at = tsn->more; at > 0 && left > 0; at = rtx->link.before, left--) {
        rtx = &SCTPA_RECORD(&sent->seldom->rtx, sctpa_rtx_t, at - 1);
        uint32_t first = sctpa_records_from(acked->data, acked->len, sizeof(sctpa_acked_t), rtx->previous);
        n += rtx->kind != SCTPA_RTX_PROBE &&
             sctpa_context_time_ns(c, rtx->packet) - sctpa_context_time_ns(c, rtx->previous) > round_trip_ns &&
             first < acked->len && SCTPA_RECORD(acked, sctpa_acked_t, first).packet < rtx->packet;
    }
    return n;
}

static void check_again_and_again(sctpa_context_t *c, int64_t number, const sctpa_tsn_t *tsn)
{
    if (tsn->state & (SCTPA_TSN_ACKED | SCTPA_TSN_GAP_ACKED | SCTPA_TSN_ABANDONED) ||
        !sctpa_may_judge(c, SCTPA_RULE_TX_027, c->from) || tsn->transmissions < SCTPA_TIMES_AGAIN ||
        answered_between(c, tsn) < SCTPA_PAUSES_ANSWERED)
        return;
    sctpa_accuse(c, SCTPA_RULE_TX_027, c->from, c->path, tsn->first_packet,
                 "an early transmission arrives, as those of other TSNs",
                 SCTPA_WORDS("TSN %u sent %u times, %u bytes", c->sent->initial_tsn + (uint32_t)number,
                             tsn->transmissions, tsn->bytes));
}

/* RFC 9260 6.1: "the sender MAY set the I bit in the DATA chunk header" */
static void check_immediate(sctpa_context_t *c, sctpa_sender_state_t *state, const sctpa_tlv_t *chunk)
{
    uint8_t from = c->from;
    state->first_sent[from]++;
    state->first_immediate[from] += (chunk->flags & SCTPA_TSN_IMMEDIATE) != 0;
    if (state->first_sent[from] != SCTPA_CHUNKS_JUDGED || !sctpa_may_judge(c, SCTPA_RULE_TX_024, from))
        return;
    if (state->first_immediate[from] > SCTPA_CHUNKS_IMMEDIATE)
        sctpa_accuse(
            c, SCTPA_RULE_TX_024, from, c->path, SCTPA_NO_PACKET_INDEX,
            "the I bit where a delay of the SACK would hurt",
            SCTPA_WORDS("on %u of the first %u DATA chunks", state->first_immediate[from], SCTPA_CHUNKS_JUDGED));
}

static void check_data(sctpa_context_t *c, sctpa_sender_state_t *state, const sctpa_observed_t *observed)
{
    const sctpa_tlv_t *chunk = &observed->tlv;
    const sctpa_tsn_t *tsn = observed->sent.tsn;
    int64_t number = observed->sent.number;
    if (!tsn)
        return;
    check_stream(c, state, chunk);
    if (tsn->first_packet == c->index) {
        check_immediate(c, state, chunk);
        sctpa_sender_check_ppid(c, state, tsn);
        return;
    }
    check_content(c, tsn, chunk);
    check_acked(c, state->receipts[c->from], number, tsn);
    check_gap_acked(c, number, tsn);
    check_again_and_again(c, number, tsn);
}

static void note_streams(sctpa_sender_state_t *state, uint8_t from, const sctpa_tlv_t *chunk)
{
    bool is_init = chunk->type == SCTPA_CHUNK_INIT;
    uint32_t outbound =
        sctpa_tlv_u32(chunk, is_init ? SCTPA_F_INIT_OUTBOUND_STREAMS : SCTPA_F_INIT_ACK_OUTBOUND_STREAMS);
    uint32_t inbound = sctpa_tlv_u32(chunk, is_init ? SCTPA_F_INIT_INBOUND_STREAMS : SCTPA_F_INIT_ACK_INBOUND_STREAMS);
    state->outbound[from] = (uint16_t)MAX(state->outbound[from], outbound);
    state->inbound[from] = (uint16_t)MAX(state->inbound[from], inbound);
}

/* Data that was sent once and is acknowledged has arrived, and so has the SACK in its packet. */
static void prove(const sctpa_context_t *c, sctpa_receipt_t *receipt)
{
    if (!receipt || !receipt->is_waiting || !c->acked || c->acked->cum_tsn < receipt->tsn)
        return;
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(c->acked, receipt->tsn);
    receipt->is_waiting = false;
    if (!tsn || tsn->transmissions != 1)
        return;
    receipt->proven = receipt->is_proven ? MAX(receipt->proven, receipt->cum_tsn) : receipt->cum_tsn;
    receipt->proven_ns = c->packet->time_ns;
    receipt->is_proven = true;
}

static void note_receipts(sctpa_context_t *c, sctpa_sender_state_t *state)
{
    const sctpa_tlv_t *sack = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_SACK);
    const sctpa_observed_t *data = sctpa_context_observed(c, SCTPA_CHUNK_ROW_DATA);
    sctpa_receipt_t **receipt = &state->receipts[!c->from];
    if (!sack)
        return;
    prove(c, state->receipts[c->from]);
    if (!c->acked || !sctpa_tlv_has(sack, SCTPA_F_SACK_CUM_TSN))
        return;
    int64_t cum_tsn = sctpa_direction_unwrap(c->acked, sctpa_tlv_u32(sack, SCTPA_F_SACK_CUM_TSN));
    if (*receipt && cum_tsn < (*receipt)->proven) /* the peer takes back what it said, or the network delayed it */
        (*receipt)->is_proven = false;
    if (!data || !c->sent || (*receipt && (*receipt)->is_waiting))
        return;
    if (!*receipt)
        *receipt = sctpa_arena_alloc(&c->store->arena, sizeof **receipt);
    (*receipt)->tsn = data->sent.number;
    (*receipt)->cum_tsn = cum_tsn;
    (*receipt)->is_waiting = sctpa_observed_is_new(data) && cum_tsn <= c->acked->highest;
}

static void note_control(sctpa_context_t *c, sctpa_sender_state_t *state)
{
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i].tlv;
        if (chunk->type == SCTPA_CHUNK_INIT || chunk->type == SCTPA_CHUNK_INIT_ACK)
            note_streams(state, c->from, chunk);
        else if (chunk->type == SCTPA_CHUNK_RE_CONFIG)
            state->reconfigured = true;
    }
}

/* A first INIT, perhaps one of a flood, needs no state: the endpoint remembers what it announced. */
static sctpa_sender_state_t *begin(const sctpa_context_t *c)
{
    sctpa_sender_state_t *state = sctpa_context_find_part(c, SCTPA_PART_SENDER);
    if (state)
        return state;
    if (sctpa_context_is_first_init(c))
        return NULL;
    state = sctpa_context_part(c, SCTPA_PART_SENDER, sizeof *state);
    for (unsigned end = 0; end < 2; end++) {
        state->outbound[end] = c->assoc->ends[end].init.outbound_streams;
        state->inbound[end] = c->assoc->ends[end].init.inbound_streams;
    }
    return state;
}

void sctpa_check_sender(sctpa_context_t *c)
{
    const uint64_t control = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(RE_CONFIG);
    sctpa_sender_state_t *state = begin(c);
    if (!state)
        return;
    if (c->rows & control)
        note_control(c, state);
    if (c->rows & SCTPA_DATA_ROWS && c->sent) {
        for (unsigned i = 0; i < c->n_chunks; i++)
            if (sctpa_tlv_is_data(&c->chunks[i].tlv))
                check_data(c, state, &c->chunks[i]);
        sctpa_sender_check_window(c, state);
        sctpa_sender_check_order(c, state);
    }
    if (c->rows & SCTPA_SACK_ROWS) {
        note_receipts(c, state);
        sctpa_sender_check_ssn(c, state);
    }
}
