/* Judges partial reliability (RFC 3758): FORWARD-TSN, what it must list and what it ends. Leaves whether I-FORWARD-TSN may be used to
 * INTERLEAVING. */
#include "case.h"

#define REORDERED_NS (20 * INT64_C(1000000))

enum { SKIPPED_TSNS = 256, STREAMS_COMPARED = 64, FAR_AHEAD_TSNS = 1024, SUPPORTED_BYTES = 4 };

/* The newest FORWARD-TSN of an end. */
typedef struct {
    uint32_t new_cum_tsn, packet;
    int64_t time_ns;
    uint16_t path;
    bool is_known;
    bool is_inside;             /* its TSN was given up and does not end its message */
    sctpa_tsn_t last;           /* that TSN */
} forward_t;
typedef struct { forward_t ends[2]; } partial_t;

static void accuse(sctpa_case_t *c, sctpa_rule_t rule, uint32_t related, const char *expected, sctpa_words_t seen)
{
    sctpa_accuse(c, rule, c->from, SCTPA_NO_PATH, related, expected, seen.text);
}

static void judge_parameter(sctpa_case_t *c, const sctpa_tlv_t *chunk)
{
    sctpa_tlv_t param;
    if (!chunk || !sctpa_param_find(chunk, SCTPA_PARAM_FORWARD_TSN_SUPPORTED, &param) || !sctpa_may_judge(c, SCTPA_RULE_PR_003, c->from))
        return;
    /* "Indicates the size of the parameter, i.e., 4." */
    if (param.length != SUPPORTED_BYTES)
        accuse(c, SCTPA_RULE_PR_003, SCTPA_NO_PACKET_INDEX, "length 4", sctpa_words("length %u", param.length));
}

static void judge_supported(sctpa_case_t *c)
{
    const sctpa_init_t *peer = &c->assoc->ends[!c->from].init;
    bool is_supported = peer->params >> SCTPA_PARAM_ROW_FORWARD_TSN_SUPPORTED & 1 ||
                        peer->supported_chunks >> SCTPA_CHUNK_ROW_FORWARD_TSN & 1;
    if (!peer->whole || !sctpa_may_judge(c, SCTPA_RULE_PR_001, c->from))
        return;
    /* "MUST NOT send a FORWARD TSN chunk at any time during the associations life" */
    if (!is_supported)
        accuse(c, SCTPA_RULE_PR_001, SCTPA_NO_PACKET_INDEX, "no FORWARD-TSN: the peer did not announce it", sctpa_words("FORWARD-TSN"));
}

static bool is_interleaved(const sctpa_tlv_t *chunk)
{
    return chunk->type == SCTPA_CHUNK_I_FORWARD_TSN;
}

/* SID, and for I-FORWARD-TSN the U bit above it, of the stream listed at. */
static uint32_t listed(const sctpa_tlv_t *chunk, uint32_t at)
{
    return sctpa_be16(chunk->bytes + at) | (is_interleaved(chunk) ? (uint32_t)(chunk->bytes[at + 3] & 1) << 16 : 0);
}

/* Is sequence (SSN or MID) one after other? */
static bool is_after(const sctpa_tlv_t *chunk, uint32_t sequence, uint32_t other)
{
    unsigned unused_bits = is_interleaved(chunk) ? 0 : 16;
    return sctpa_serial_distance(other << unused_bits, sequence << unused_bits) > 0;
}

/* Is stream listed? *highest: the highest SSN or MID that is listed for it. */
static bool lists(const sctpa_tlv_t *chunk, uint32_t stream, uint32_t *highest)
{
    uint32_t unit = chunk->row->unit_bytes;
    bool is_listed = false;
    for (uint32_t at = chunk->row->fixed_bytes; at + unit <= chunk->captured_bytes; at += unit) {
        if (listed(chunk, at) != stream)
            continue;
        uint32_t sequence = is_interleaved(chunk) ? sctpa_be32(chunk->bytes + at + 4) : sctpa_be16(chunk->bytes + at + 2);
        if (!is_listed || is_after(chunk, sequence, *highest))
            *highest = sequence;
        is_listed = true;
    }
    return is_listed;
}

static void judge_once(sctpa_case_t *c, const sctpa_tlv_t *chunk)
{
    uint32_t unit = chunk->row->unit_bytes, first = chunk->row->fixed_bytes;
    uint32_t end = MIN(chunk->captured_bytes, first + STREAMS_COMPARED * unit);
    if (!sctpa_may_judge(c, SCTPA_RULE_PR_008, c->from))
        return;
    for (uint32_t at = first; at + unit <= end; at += unit)
        for (uint32_t other = first; other < at; other += unit)
            /* "Each stream SHOULD only be reported once" */
            if (listed(chunk, at) == listed(chunk, other)) {
                accuse(c, SCTPA_RULE_PR_008, SCTPA_NO_PACKET_INDEX, "each stream once",
                       sctpa_words("stream %u twice", listed(chunk, at) & 0xFFFF));
                return;
            }
}

/* A SACK that was made long after the TSN was last sent says that it is missing: none that the capture missed can have acked it. */
static bool is_missing(const sctpa_case_t *c, const sctpa_tsn_t *tsn, int64_t number)
{
    const sctpa_direction_t *sent = c->sent;
    if (tsn->state & (SCTPA_TSN_ACKED | SCTPA_TSN_GAP_ACKED | SCTPA_TSN_RENEGED) || sent->sacks.len == 0 || *sent->answer_min_ns < 0 ||
        sent->highest_gap_end <= number)
        return false;
    uint32_t newest = SCTPA_RECORD(&sent->sacks, sctpa_sack_record_t, sent->sacks.len - 1).packet;
    return sctpa_case_time_ns(c, newest) - sctpa_case_time_ns(c, tsn->last_packet) > 2 * *sent->answer_min_ns;
}

/* A TSN that was sent and not received, and is skipped now: false when its stream is not listed as it must be. */
static bool judge_skipped(sctpa_case_t *c, const sctpa_tlv_t *chunk, const sctpa_tsn_t *tsn, uint32_t serial)
{
    uint32_t stream = tsn->stream | (tsn->flags & SCTPA_TSN_UNORDERED ? 1u << 16 : 0), highest = 0;
    /* "If the chunk has a valid stream and sequence number, the sender MUST include the stream and sequence number" */
    if (!lists(chunk, stream, &highest)) {
        accuse(c, SCTPA_RULE_PR_007, tsn->last_packet, sctpa_words("stream %u listed", tsn->stream).text,
               sctpa_words("it is not, though TSN %u is skipped", serial));
        return false;
    }
    if (sctpa_case_find_state(c, SCTPA_TOPIC_STREAMS) || !sctpa_may_judge(c, SCTPA_RULE_PR_009, c->from))
        return true;
    /* "The stream sequence field holds the largest stream sequence number in this stream being skipped" */
    if (is_after(chunk, tsn->ssn, highest)) {
        accuse(c, SCTPA_RULE_PR_009, tsn->last_packet, sctpa_words("stream %u up to %u, of TSN %u", tsn->stream, tsn->ssn, serial).text,
               sctpa_words("up to %u", highest));
        return false;
    }
    return true;
}

/* Messages that were sent and not received, and are skipped now. */
static void judge_listed(sctpa_case_t *c, const sctpa_tlv_t *chunk, uint32_t new_cum_tsn)
{
    int64_t to = sctpa_direction_unwrap(c->sent, new_cum_tsn), from = MAX(c->sent->cum_tsn + 1, to - SKIPPED_TSNS);
    if (chunk->captured_bytes < chunk->wire_bytes || c->sent->restarted || !sctpa_may_judge(c, SCTPA_RULE_PR_007, c->from))
        return;
    for (int64_t number = MAX(from, 0); number <= to; number++) {
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(c->sent, number);
        bool is_unordered = tsn && tsn->flags & SCTPA_TSN_UNORDERED;
        if (!tsn || tsn->transmissions == 0 || tsn->last_packet >= c->index || !is_missing(c, tsn, number) ||
            (is_unordered && !is_interleaved(chunk)))
            continue;
        if (!judge_skipped(c, chunk, tsn, c->sent->initial_tsn + (uint32_t)number))
            return;
    }
}

static void judge_ahead(sctpa_case_t *c, uint32_t new_cum_tsn)
{
    if (c->sent->restarted || c->sent->highest < 0 || !sctpa_may_judge(c, SCTPA_RULE_PR_004, c->from))
        return;
    uint32_t highest = c->sent->initial_tsn + (uint32_t)c->sent->highest;
    /* "a particular data chunk that has already been assigned a TSN" */
    if (sctpa_serial_distance(highest, new_cum_tsn) > FAR_AHEAD_TSNS)
        accuse(c, SCTPA_RULE_PR_004, SCTPA_NO_PACKET_INDEX, sctpa_words("at most little above TSN %u", highest).text,
               sctpa_words("%u", new_cum_tsn));
}

static void note_forward(const sctpa_case_t *c, forward_t *newest, uint32_t new_cum_tsn)
{
    *newest = (forward_t){ .new_cum_tsn = new_cum_tsn, .packet = c->index, .time_ns = c->packet->time_ns, .path = c->path, .is_known = true };
    if (!c->sent || c->sent->restarted)
        return;
    int64_t number = sctpa_direction_unwrap(c->sent, new_cum_tsn);
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(c->sent, number);
    if (tsn && tsn->transmissions > 0 && tsn->last_packet < c->index && !(tsn->flags & SCTPA_TSN_END) && is_missing(c, tsn, number)) {
        newest->is_inside = true;
        newest->last = *tsn;
    }
}

static void take_forward(sctpa_case_t *c, const sctpa_tlv_t *chunk)
{
    partial_t *state = sctpa_case_state(c, SCTPA_TOPIC_PARTIAL, sizeof *state);
    forward_t *newest = &state->ends[c->from];
    uint32_t new_cum_tsn = sctpa_tlv_u32(chunk, SCTPA_F_FORWARD_TSN_NEW_CUM);
    bool is_wrong = chunk->fault == SCTPA_FAULT_LENGTH_BELOW_MINIMUM || chunk->fault == SCTPA_FAULT_LENGTH_BODY;
    if (!is_interleaved(chunk)) {
        judge_supported(c);
        /* "Length = Variable" */
        if (sctpa_may_judge(c, SCTPA_RULE_PR_002, c->from) && is_wrong)
            accuse(c, SCTPA_RULE_PR_002, SCTPA_NO_PACKET_INDEX, "8 bytes, and 4 for each stream", sctpa_words("length %u", chunk->length));
    }
    if (is_wrong || chunk->captured_bytes < chunk->row->fixed_bytes)
        return;
    judge_once(c, chunk);
    if (c->sent) {
        judge_listed(c, chunk, new_cum_tsn);
        judge_ahead(c, new_cum_tsn);
    }
    if (!newest->is_known || sctpa_serial_distance(newest->new_cum_tsn, new_cum_tsn) > 0)
        note_forward(c, newest, new_cum_tsn);
}

static void judge_data(sctpa_case_t *c, const sctpa_tlv_t *chunk, const forward_t *newest)
{
    uint32_t tsn = sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN);
    int64_t to_sender_ns = MAX(sctpa_case_answer_ns(c, !c->from), 0);
    if (newest->path != c->path || c->packet->time_ns - newest->time_ns < MAX(REORDERED_NS, to_sender_ns) || !c->sent || c->sent->restarted ||
        !sctpa_may_judge(c, SCTPA_RULE_PR_011, c->from))
        return;
    int64_t number;
    const sctpa_tsn_t *sent = sctpa_direction_tsn_in(c->sent, tsn, c->index, &number);
    if (newest->is_inside && tsn == newest->new_cum_tsn + 1 && sent && sctpa_may_judge(c, SCTPA_RULE_PR_010, c->from) &&
        /* "all other TSN's within that fragmented message MUST be abandoned at the same time" */
        !(sent->flags & SCTPA_TSN_BEGIN) && sent->stream == newest->last.stream && sent->ssn == newest->last.ssn &&
        !((sent->flags ^ newest->last.flags) & SCTPA_TSN_UNORDERED))
        accuse(c, SCTPA_RULE_PR_010, newest->packet, "the rest of the message given up, too", sctpa_words("TSN %u of it", tsn));
    /* "the sender MUST treat the data chunk as being finally acked and no longer outstanding" */
    if (sctpa_serial_distance(tsn, newest->new_cum_tsn) >= 0)
        accuse(c, SCTPA_RULE_PR_011, newest->packet, sctpa_words("TSNs above %u", newest->new_cum_tsn).text, sctpa_words("TSN %u", tsn));
}

void sctpa_judge_partial(sctpa_case_t *c)
{
    judge_parameter(c, sctpa_case_chunk(c, SCTPA_CHUNK_ROW_INIT));
    judge_parameter(c, sctpa_case_chunk(c, SCTPA_CHUNK_ROW_INIT_ACK));
    const partial_t *state = sctpa_case_find_state(c, SCTPA_TOPIC_PARTIAL);
    bool has_data = c->rows & SCTPA_DATA_ROWS, has_forward = c->rows & (SCTPA_ROW(FORWARD_TSN) | SCTPA_ROW(I_FORWARD_TSN));
    bool was_forwarded = state && state->ends[c->from].is_known;
    for (unsigned i = 0; (has_forward || (has_data && was_forwarded)) && i < c->n_chunks; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i];
        if (chunk->type == SCTPA_CHUNK_FORWARD_TSN || chunk->type == SCTPA_CHUNK_I_FORWARD_TSN)
            take_forward(c, chunk);
        else if (was_forwarded && sctpa_tlv_is_data(chunk) && sctpa_tlv_has(chunk, SCTPA_F_DATA_TSN))
            judge_data(c, chunk, &state->ends[c->from]);
    }
}
