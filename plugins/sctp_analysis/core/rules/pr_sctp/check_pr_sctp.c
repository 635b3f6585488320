/* Judges partial reliability (RFC 3758): FORWARD-TSN, what it must list and what it ends. Leaves whether I-FORWARD-TSN
 * may be used to INTERLEAVING. */
#include "reference/stream_counts.h"
#include "rules/engine.h"
#include "pr_sctp_limits.h"

#include <stdlib.h>

enum { SKIPPED_TSNS = 256, STREAMS_COMPARED = 64, SUPPORTED_BYTES = 4 };

/* The newest FORWARD-TSN of an end. */
typedef struct {
    uint32_t new_cum_tsn, packet;
    int64_t time_ns;
    uint16_t path;
    bool is_known;
    bool is_inside;   /* its TSN was given up and does not end its message */
    sctpa_tsn_t last; /* that TSN */
} forward_t;
typedef struct {
    forward_t ends[2];
} partial_t;

/* A stream, of which a TSN is skipped, and the highest SSN or MID that a FORWARD-TSN lists for it. */
typedef struct {
    uint32_t stream, highest;
    bool is_listed;
} stream_t;
/* What a FORWARD-TSN skips: TSNs in ascending order, and the stream of each. */
typedef struct {
    int64_t tsns[SKIPPED_TSNS];
    stream_t streams[SKIPPED_TSNS];
    unsigned n;
} skipped_t;

/* seen: sctpa_words_t. */
#define accuse(c, rule, related, expected, seen) \
    sctpa_accuse(c, rule, (c)->from, SCTPA_NO_PATH, related, expected, (seen).text)

static void check_parameter(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    sctpa_tlv_t param;
    if (!chunk || !sctpa_param_find(chunk, SCTPA_PARAM_FORWARD_TSN_SUPPORTED, &param) ||
        !sctpa_may_judge(c, SCTPA_RULE_PR_003, c->from))
        return;
    /* "Indicates the size of the parameter, i.e., 4." */
    if (param.length != SUPPORTED_BYTES)
        accuse(c, SCTPA_RULE_PR_003, SCTPA_NO_PACKET_INDEX, "length 4", sctpa_words("length %u", param.length));
}

static void check_supported(sctpa_context_t *c)
{
    const sctpa_init_t *peer = &c->assoc->ends[!c->from].init;
    if (!peer->whole || !sctpa_may_judge(c, SCTPA_RULE_PR_001, c->from))
        return;
    /* "MUST NOT send a FORWARD TSN chunk at any time during the associations life" */
    if (sctpa_offers(peer, SCTPA_EXTENSION_PARTIAL_RELIABILITY) == SCTPA_NO)
        accuse(c, SCTPA_RULE_PR_001, SCTPA_NO_PACKET_INDEX, "no FORWARD-TSN: the peer did not announce it",
               sctpa_words("FORWARD-TSN"));
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

static void check_once(sctpa_context_t *c, const sctpa_tlv_t *chunk)
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

/* A SACK that was made long after the TSN was last sent says that it is missing: none that the capture missed can have
 * acked it. */
static bool is_missing(const sctpa_context_t *c, const sctpa_tsn_t *tsn, int64_t number)
{
    const sctpa_direction_t *sent = c->sent;
    if (tsn->state & (SCTPA_TSN_ACKED | SCTPA_TSN_GAP_ACKED | SCTPA_TSN_RENEGED) || sent->sacks.len == 0 ||
        sctpa_context_tap_rtt_ns(c, !c->from) < 0 || sent->highest_gap_end <= number)
        return false;
    uint32_t newest = SCTPA_RECORD(&sent->sacks, sctpa_sack_record_t, sent->sacks.len - 1).packet;
    return sctpa_context_time_ns(c, newest) - sctpa_context_time_ns(c, tsn->last_packet) >
           2 * sctpa_context_tap_rtt_ns(c, !c->from);
}

/* SID of a TSN, and for unordered ones the U bit above it. */
static uint32_t stream_of(const sctpa_tsn_t *tsn)
{
    return tsn->stream | (tsn->flags & SCTPA_TSN_UNORDERED ? 1u << 16 : 0);
}

/* TSNs that were sent and not received, up to new_cum_tsn and SKIPPED_TSNS below it, and their streams. */
static void collect_skipped(const sctpa_context_t *c, const sctpa_tlv_t *chunk, uint32_t new_cum_tsn,
                            skipped_t *skipped)
{
    int64_t to = sctpa_direction_unwrap(c->sent, new_cum_tsn), from = MAX(c->sent->cum_tsn + 1, to - SKIPPED_TSNS + 1);
    skipped->n = 0;
    for (int64_t number = MAX(from, 0); number <= to; number++) {
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(c->sent, number);
        bool is_unordered = tsn && tsn->flags & SCTPA_TSN_UNORDERED;
        if (!tsn || tsn->transmissions == 0 || tsn->last_packet >= c->index || !is_missing(c, tsn, number) ||
            (is_unordered && !is_interleaved(chunk)))
            continue;
        skipped->streams[skipped->n] = (stream_t){ .stream = stream_of(tsn) };
        skipped->tsns[skipped->n++] = number;
    }
}

static int by_stream(const void *a, const void *b)
{
    const stream_t *x = a, *y = b;
    return x->stream < y->stream ? -1 : x->stream > y->stream;
}

/* The entry of a stream; of several the same one. NULL: none of its TSNs is skipped. */
static stream_t *find_stream(skipped_t *skipped, uint32_t stream)
{
    stream_t wanted = { .stream = stream };
    return bsearch(&wanted, skipped->streams, skipped->n, sizeof wanted, by_stream);
}

/* Reads what the chunk lists, once whatever is skipped. */
static void read_listed(const sctpa_tlv_t *chunk, skipped_t *skipped)
{
    uint32_t unit = chunk->row->unit_bytes;
    qsort(skipped->streams, skipped->n, sizeof *skipped->streams, by_stream);
    for (uint32_t at = chunk->row->fixed_bytes; at + unit <= chunk->captured_bytes; at += unit) {
        uint32_t sequence =
            is_interleaved(chunk) ? sctpa_be32(chunk->bytes + at + 4) : sctpa_be16(chunk->bytes + at + 2);
        stream_t *stream = find_stream(skipped, listed(chunk, at));
        if (!stream)
            continue;
        if (!stream->is_listed || is_after(chunk, sequence, stream->highest))
            stream->highest = sequence;
        stream->is_listed = true;
    }
}

/* A TSN that is skipped: false when its stream is not listed as it must be. */
static bool check_skipped(sctpa_context_t *c, const sctpa_tlv_t *chunk, skipped_t *skipped, int64_t number)
{
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(c->sent, number);
    const stream_t *stream = find_stream(skipped, stream_of(tsn));
    uint32_t serial = c->sent->initial_tsn + (uint32_t)number;
    /* "If the chunk has a valid stream and sequence number, the sender MUST include the stream and sequence number" */
    if (!stream->is_listed) {
        accuse(c, SCTPA_RULE_PR_007, tsn->last_packet, SCTPA_WORDS("stream %u listed", tsn->stream),
               sctpa_words("it is not, though TSN %u is skipped", serial));
        return false;
    }
    if (sctpa_has_reconfigured(c) || !sctpa_may_judge(c, SCTPA_RULE_PR_009, c->from))
        return true;
    /* "The stream sequence field holds the largest stream sequence number in this stream being skipped" */
    if (is_after(chunk, tsn->ssn, stream->highest)) {
        accuse(c, SCTPA_RULE_PR_009, tsn->last_packet,
               SCTPA_WORDS("stream %u up to %u, of TSN %u", tsn->stream, tsn->ssn, serial),
               sctpa_words("up to %u", stream->highest));
        return false;
    }
    return true;
}

/* Messages that were sent and not received, and are skipped now. */
static void check_listed(sctpa_context_t *c, const sctpa_tlv_t *chunk, uint32_t new_cum_tsn)
{
    skipped_t skipped;
    if (chunk->captured_bytes < chunk->wire_bytes || c->sent->restarted ||
        !sctpa_may_judge(c, SCTPA_RULE_PR_007, c->from))
        return;
    collect_skipped(c, chunk, new_cum_tsn, &skipped);
    if (skipped.n > 0)
        read_listed(chunk, &skipped);
    for (unsigned i = 0; i < skipped.n && check_skipped(c, chunk, &skipped, skipped.tsns[i]);)
        i++;
}

static void check_ahead(sctpa_context_t *c, uint32_t new_cum_tsn)
{
    if (c->sent->restarted || c->sent->highest < 0 || !sctpa_may_judge(c, SCTPA_RULE_PR_004, c->from))
        return;
    uint32_t highest = c->sent->initial_tsn + (uint32_t)c->sent->highest;
    /* "a particular data chunk that has already been assigned a TSN" */
    if (sctpa_serial_distance(highest, new_cum_tsn) > SCTPA_FORWARD_AHEAD_TSNS)
        accuse(c, SCTPA_RULE_PR_004, SCTPA_NO_PACKET_INDEX, SCTPA_WORDS("at most little above TSN %u", highest),
               sctpa_words("%u", new_cum_tsn));
}

static void note_forward(const sctpa_context_t *c, forward_t *newest, uint32_t new_cum_tsn)
{
    *newest = (forward_t){
        .new_cum_tsn = new_cum_tsn, .packet = c->index, .time_ns = c->packet->time_ns, .path = c->path, .is_known = true
    };
    if (!c->sent || c->sent->restarted)
        return;
    int64_t number = sctpa_direction_unwrap(c->sent, new_cum_tsn);
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(c->sent, number);
    if (tsn && tsn->transmissions > 0 && tsn->last_packet < c->index && !(tsn->flags & SCTPA_TSN_END) &&
        is_missing(c, tsn, number)) {
        newest->is_inside = true;
        newest->last = *tsn;
    }
}

/* is_first: in its packet. Only that one is compared with the TSNs it skips: a packet may hold thousands. */
static void take_forward(sctpa_context_t *c, const sctpa_tlv_t *chunk, bool is_first)
{
    partial_t *state = sctpa_context_part(c, SCTPA_PART_PARTIAL, sizeof *state);
    forward_t *newest = &state->ends[c->from];
    uint32_t new_cum_tsn = sctpa_tlv_u32(chunk, SCTPA_F_FORWARD_TSN_NEW_CUM);
    bool is_wrong = chunk->fault == SCTPA_FAULT_LENGTH_BELOW_MINIMUM || chunk->fault == SCTPA_FAULT_LENGTH_BODY;
    if (!is_interleaved(chunk)) {
        check_supported(c);
        /* "Length = Variable" */
        if (sctpa_may_judge(c, SCTPA_RULE_PR_002, c->from) && is_wrong)
            accuse(c, SCTPA_RULE_PR_002, SCTPA_NO_PACKET_INDEX, "8 bytes, and 4 for each stream",
                   sctpa_words("length %u", chunk->length));
    }
    if (is_wrong || chunk->captured_bytes < chunk->row->fixed_bytes)
        return;
    check_once(c, chunk);
    if (c->sent && is_first)
        check_listed(c, chunk, new_cum_tsn);
    if (c->sent)
        check_ahead(c, new_cum_tsn);
    if (!newest->is_known || sctpa_serial_distance(newest->new_cum_tsn, new_cum_tsn) > 0)
        note_forward(c, newest, new_cum_tsn);
}

static void check_data(sctpa_context_t *c, const sctpa_observed_t *observed, const forward_t *newest)
{
    uint32_t tsn = sctpa_tlv_u32(&observed->tlv, SCTPA_F_DATA_TSN);
    int64_t to_sender_ns = MAX(sctpa_context_tap_rtt_ns(c, c->from), 0);
    if (newest->path != c->path ||
        c->packet->time_ns - newest->time_ns < MAX(SCTPA_FORWARD_OVERTAKEN_MS * SCTPA_NS_PER_MS, to_sender_ns) ||
        !c->sent || c->sent->restarted || !sctpa_may_judge(c, SCTPA_RULE_PR_011, c->from))
        return;
    const sctpa_tsn_t *sent = observed->sent.tsn;
    if (newest->is_inside && tsn == newest->new_cum_tsn + 1 && sent && sctpa_may_judge(c, SCTPA_RULE_PR_010, c->from) &&
        /* "all other TSN's within that fragmented message MUST be abandoned at the same time" */
        !(sent->flags & SCTPA_TSN_BEGIN) && sent->stream == newest->last.stream && sent->ssn == newest->last.ssn &&
        !((sent->flags ^ newest->last.flags) & SCTPA_TSN_UNORDERED))
        accuse(c, SCTPA_RULE_PR_010, newest->packet, "the rest of the message given up, too",
               sctpa_words("TSN %u of it", tsn));
    /* "the sender MUST treat the data chunk as being finally acked and no longer outstanding" */
    if (sctpa_serial_distance(tsn, newest->new_cum_tsn) >= 0)
        accuse(c, SCTPA_RULE_PR_011, newest->packet, SCTPA_WORDS("TSNs above %u", newest->new_cum_tsn),
               sctpa_words("TSN %u", tsn));
}

void sctpa_check_partial(sctpa_context_t *c)
{
    check_parameter(c, sctpa_context_chunk(c, SCTPA_CHUNK_ROW_INIT));
    check_parameter(c, sctpa_context_chunk(c, SCTPA_CHUNK_ROW_INIT_ACK));
    const partial_t *state = sctpa_context_find_part(c, SCTPA_PART_PARTIAL);
    bool has_data = c->rows & SCTPA_DATA_ROWS,
         has_forward = c->rows & (SCTPA_ROW(FORWARD_TSN) | SCTPA_ROW(I_FORWARD_TSN));
    bool was_forwarded = state && state->ends[c->from].is_known;
    unsigned n_forwards = 0;
    for (unsigned i = 0; (has_forward || (has_data && was_forwarded)) && i < c->n_chunks; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i].tlv;
        if (chunk->type == SCTPA_CHUNK_FORWARD_TSN || chunk->type == SCTPA_CHUNK_I_FORWARD_TSN)
            take_forward(c, chunk, n_forwards++ == 0);
        else if (was_forwarded && sctpa_tlv_is_data(chunk) && sctpa_tlv_has(chunk, SCTPA_F_DATA_TSN))
            check_data(c, &c->chunks[i], &state->ends[c->from]);
    }
}
