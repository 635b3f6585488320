/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the newest FORWARD-TSN of endpoints, and compares what one lists with the TSNs that it skips. */
#include "forward_tsns.h"

#include <stdlib.h>

enum { SKIPPED_TSNS = 256, LOOKED_AT_TSNS = 1024 };

typedef struct {
    sctpa_forward_tsn_t newest[2]; /* by endpoint */
} forward_tsns_t;

/* A stream, of which a TSN is skipped, and the highest SSN or MID that the chunk lists for it. */
typedef struct {
    uint32_t stream, highest;
    bool is_listed;
} stream_t;
/* TSNs that are skipped, in ascending order, and the stream of each. */
typedef struct {
    int64_t tsns[SKIPPED_TSNS];
    stream_t streams[SKIPPED_TSNS];
    unsigned n;
} skipped_t;

static bool is_forward_tsn(const sctpa_tlv_t *chunk)
{
    return chunk->type == SCTPA_CHUNK_FORWARD_TSN || chunk->type == SCTPA_CHUNK_I_FORWARD_TSN;
}

static bool is_interleaved(const sctpa_tlv_t *chunk)
{
    return chunk->type == SCTPA_CHUNK_I_FORWARD_TSN;
}

/* Is sequence (SSN or MID) one after other? */
static bool is_after(const sctpa_tlv_t *chunk, uint32_t sequence, uint32_t other)
{
    unsigned unused_bits = is_interleaved(chunk) ? 0 : 16;
    return sctpa_serial_distance(other << unused_bits, sequence << unused_bits) > 0;
}

/* Who sends a New Cumulative TSN has no cumulative ack of it: where it is the first TSN that no SACK acked, it is given
 * up, whatever SACKs the capture missed. */
static bool is_surely_missing(const sctpa_context_t *c, const sctpa_tsn_t *tsn, int64_t number, int64_t new_cum)
{
    return !(tsn->state & (SCTPA_TSN_ACKED | SCTPA_TSN_GAP_ACKED | SCTPA_TSN_RENEGED)) && number == new_cum &&
           number == c->sent->cum_tsn + 1 && (c->sent->has_cum || c->sent->announced);
}

/* A SACK that was made long after the TSN was last sent says that it is missing, or no SACK acked the first or last TSN
 * that is skipped. */
static bool is_missing(const sctpa_context_t *c, const sctpa_tsn_t *tsn, int64_t number, int64_t new_cum)
{
    const sctpa_direction_t *sent = c->sent;
    if (tsn->state & (SCTPA_TSN_ACKED | SCTPA_TSN_GAP_ACKED | SCTPA_TSN_RENEGED))
        return false;
    if ((number == sent->cum_tsn + 1 || number == new_cum) && (sent->has_cum || sent->announced))
        return true;
    if (sent->sacks.len == 0 || sctpa_context_tap_rtt_most_ns(c, !c->from) < 0 || sent->highest_gap_end <= number)
        return false;
    uint32_t newest = SCTPA_RECORD(&sent->sacks, sctpa_sack_record_t, sent->sacks.len - 1).packet;
    return sctpa_context_time_ns(c, newest) - sctpa_context_time_ns(c, tsn->last_packet) >
           2 * sctpa_context_tap_rtt_most_ns(c, !c->from);
}

/* SID of a TSN, and for unordered ones the U bit above it. */
static uint32_t stream_of(const sctpa_tsn_t *tsn)
{
    return tsn->stream | (tsn->flags & SCTPA_TSN_UNORDERED ? 1u << 16 : 0);
}

static int by_stream(const void *a, const void *b)
{
    const stream_t *x = a, *y = b;
    return x->stream < y->stream ? -1 : x->stream > y->stream;
}

/* TSNs that were sent and not received, up to the New Cumulative TSN and SKIPPED_TSNS below it, and their streams. */
static void collect_skipped(const sctpa_context_t *c, const sctpa_tlv_t *chunk, skipped_t *skipped)
{
    int64_t to = sctpa_direction_unwrap(c->sent, sctpa_forward_tsn_new_cum(chunk)),
            from = MAX(c->sent->cum_tsn + 1, to - SKIPPED_TSNS + 1);
    skipped->n = 0;
    for (int64_t number = MAX(from, 0); number <= to; number++) {
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(c->sent, number);
        bool is_unordered = tsn && tsn->flags & SCTPA_TSN_UNORDERED;
        if (!tsn || tsn->transmissions == 0 || tsn->last_packet >= c->index || !is_missing(c, tsn, number, to) ||
            (is_unordered && !is_interleaved(chunk)))
            continue;
        skipped->streams[skipped->n] = (stream_t){ .stream = stream_of(tsn) };
        skipped->tsns[skipped->n++] = number;
    }
    qsort(skipped->streams, skipped->n, sizeof *skipped->streams, by_stream);
}

/* The entry of a stream; of several the same one. NULL: none of its TSNs is skipped. */
static stream_t *find_stream(skipped_t *skipped, uint32_t stream)
{
    stream_t wanted = { .stream = stream };
    return bsearch(&wanted, skipped->streams, skipped->n, sizeof wanted, by_stream);
}

/* The SSN or MID that is listed at a byte of the chunk. */
static uint32_t listed_at(const sctpa_tlv_t *chunk, uint32_t at)
{
    return is_interleaved(chunk) ? sctpa_be32(chunk->bytes + at + 4) : sctpa_be16(chunk->bytes + at + 2);
}

/* Reads what the chunk lists, once whatever is skipped. */
static void read_listed(const sctpa_tlv_t *chunk, skipped_t *skipped)
{
    uint32_t unit = chunk->row->unit_bytes;
    for (uint32_t at = chunk->row->fixed_bytes; at + unit <= chunk->captured_bytes; at += unit) {
        uint32_t sequence = listed_at(chunk, at);
        stream_t *stream = find_stream(skipped, sctpa_forward_tsn_stream(chunk, at));
        if (!stream)
            continue;
        if (!stream->is_listed || is_after(chunk, sequence, stream->highest))
            stream->highest = sequence;
        stream->is_listed = true;
    }
}

/* The last message of a stream, as stream_of, up to a TSN; *is_known: every TSN from its one to there passed, or where
 * there is none (NULL), from the initial TSN on. *looked: how many TSNs may still be looked at. O(of them). */
static const sctpa_tsn_t *last_message(const sctpa_context_t *c, const sctpa_tlv_t *chunk, int64_t to, uint32_t stream,
                                       unsigned *looked, bool *is_known)
{
    *is_known = false;
    for (int64_t number = to; number >= 0; number--) {
        const sctpa_tsn_t *tsn = *looked > 0 ? sctpa_direction_tsn(c->sent, number) : NULL;
        if (!tsn || tsn->transmissions == 0 || !(tsn->flags & SCTPA_TSN_I_DATA) == is_interleaved(chunk))
            return NULL;
        *looked -= 1;
        *is_known = stream_of(tsn) == stream;
        if (*is_known)
            return tsn;
    }
    *is_known = c->sent->announced;
    return NULL;
}

/* Does an entry of the list name a number that no message up to the New Cumulative TSN has? The first that does counts;
 * a stream of FORWARD-TSN without any ordered message is another matter. O(streams listed + LOOKED_AT_TSNS). */
static void compare_with_sent(sctpa_context_t *c, const sctpa_tlv_t *chunk, int64_t new_cum)
{
    unsigned looked = LOOKED_AT_TSNS;
    uint32_t unit = chunk->row->unit_bytes;
    for (uint32_t at = chunk->row->fixed_bytes; at + unit <= chunk->captured_bytes && looked > 0; at += unit) {
        uint32_t stream = sctpa_forward_tsn_stream(chunk, at), listed = listed_at(chunk, at);
        bool is_known;
        const sctpa_tsn_t *last = last_message(c, chunk, new_cum, stream, &looked, &is_known);
        if (!is_known || (last ? !is_after(chunk, listed, last->ssn) : !is_interleaved(chunk)))
            continue;
        c->skipped.is_above_sent = true;
        c->skipped.above = listed;
        c->skipped.above_stream = stream;
        c->skipped.last = last;
        return;
    }
}

void sctpa_forward_tsns_compare(sctpa_context_t *c)
{
    skipped_t skipped;
    const sctpa_tlv_t *chunk = NULL;
    if (c->rows & SCTPA_DATA_ROWS && sctpa_newest_forward_tsn(c, c->from))
        c->facts |= SCTPA_FACT_FORWARDED;
    if (!(c->rows & SCTPA_FORWARD_TSN_ROWS))
        return;
    for (unsigned i = 0; i < c->n_chunks && !chunk; i++)
        if (is_forward_tsn(&c->chunks[i].tlv))
            chunk = &c->chunks[i].tlv;
    if (!chunk || !sctpa_forward_tsn_is_readable(chunk) || chunk->captured_bytes < chunk->wire_bytes || !c->sent ||
        c->sent->restarted)
        return;
    c->skipped = (sctpa_skipped_t){ .is_compared = true };
    const int64_t new_cum = sctpa_direction_unwrap(c->sent, sctpa_forward_tsn_new_cum(chunk));
    collect_skipped(c, chunk, &skipped);
    if (skipped.n > 0)
        read_listed(chunk, &skipped);
    if (!sctpa_has_reconfigured(c) && new_cum >= 0)
        compare_with_sent(c, chunk, new_cum);
    for (unsigned i = 0; i < skipped.n && !c->skipped.lacks_stream && !c->skipped.lacks_sequence; i++) {
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(c->sent, skipped.tsns[i]);
        const stream_t *stream = find_stream(&skipped, stream_of(tsn));
        c->skipped.tsn = skipped.tsns[i];
        c->skipped.is_surely_missing = is_surely_missing(c, tsn, skipped.tsns[i], new_cum);
        c->skipped.listed = stream->highest;
        c->skipped.lacks_stream = !stream->is_listed;
        if (stream->is_listed && !sctpa_has_reconfigured(c)) {
            c->skipped.has_listed = true;
            c->skipped.lacks_sequence = is_after(chunk, tsn->ssn, stream->highest);
        }
    }
}

static void keep(const sctpa_context_t *c, sctpa_forward_tsn_t *newest, const sctpa_tlv_t *chunk)
{
    const uint32_t new_cum_tsn = sctpa_forward_tsn_new_cum(chunk);
    *newest = (sctpa_forward_tsn_t){ .new_cum_tsn = new_cum_tsn,
                                     .packet = c->index,
                                     .time_ns = c->packet->time_ns,
                                     .path = c->path,
                                     .is_i = chunk->type == SCTPA_CHUNK_I_FORWARD_TSN,
                                     .is_known = true };
    if (!c->sent || c->sent->restarted)
        return;
    int64_t number = sctpa_direction_unwrap(c->sent, new_cum_tsn);
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(c->sent, number);
    if (tsn && tsn->transmissions > 0 && tsn->last_packet < c->index && !(tsn->flags & SCTPA_TSN_END) &&
        is_missing(c, tsn, number, number)) {
        newest->is_inside = true;
        newest->is_surely_missing = is_surely_missing(c, tsn, number, number);
        newest->stream = tsn->stream;
        newest->ssn = tsn->ssn;
        newest->flags = tsn->flags;
    }
}

void sctpa_forward_tsns_take(const sctpa_context_t *c)
{
    if (!(c->rows & SCTPA_FORWARD_TSN_ROWS))
        return;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i].tlv;
        if (!is_forward_tsn(chunk) || !sctpa_forward_tsn_is_readable(chunk))
            continue;
        forward_tsns_t *kept = sctpa_context_part(c, SCTPA_PART_FORWARD_TSNS, sizeof *kept);
        sctpa_forward_tsn_t *newest = &kept->newest[c->from];
        uint32_t new_cum_tsn = sctpa_forward_tsn_new_cum(chunk);
        if (!newest->is_known || sctpa_serial_distance(newest->new_cum_tsn, new_cum_tsn) > 0)
            keep(c, newest, chunk);
    }
}

const sctpa_forward_tsn_t *sctpa_newest_forward_tsn(const sctpa_context_t *c, uint8_t endpoint)
{
    const forward_tsns_t *kept = sctpa_context_find_part(c, SCTPA_PART_FORWARD_TSNS);
    return kept && kept->newest[endpoint].is_known ? &kept->newest[endpoint] : NULL;
}
