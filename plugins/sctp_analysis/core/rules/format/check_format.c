/* Judges packets and chunks by themselves: what is bundled with what, in which order, and the frame of each chunk.
 * Leaves parameters and causes to check_format_params.c. */
#include "check_format.h"

enum { BUNDLED_ALONE = 1, ONE_CHUNK_BYTES = 4, RESERVED_TYPE = 63 };

const char *sctpa_format_word(const sctpa_tlv_t *chunk)
{
    return sctpa_chunk_row_word(sctpa_chunk_row((uint8_t)chunk->type));
}

static bool is_framed(const sctpa_tlv_t *chunk)
{
    return chunk->fault != SCTPA_FAULT_LENGTH_BELOW_HEADER && chunk->fault != SCTPA_FAULT_LENGTH_BEYOND_END;
}

static bool has_any(const sctpa_context_t *c, uint64_t rows)
{
    return (c->rows & rows) != 0;
}

/* Chunks with a whole frame; what follows a broken one is none. */
static unsigned framed_chunks(const sctpa_context_t *c)
{
    unsigned n = 0;
    while (n < c->n_chunks && is_framed(&c->chunks[n].tlv))
        n++;
    return n;
}

static void check_alone(sctpa_context_t *c, unsigned n)
{
    static const uint64_t alone = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(SHUTDOWN_COMPLETE);
    if (!has_any(c, alone) || !sctpa_may_judge(c, SCTPA_RULE_FMT_018, c->from))
        return;
    /* "MUST NOT bundle INIT, INIT ACK, or SHUTDOWN COMPLETE chunks with any other chunks" */
    if (n > BUNDLED_ALONE)
        sctpa_format_accuse(c, SCTPA_RULE_FMT_018, "one chunk", sctpa_words("%u chunks", n));
}

static bool is_control(const sctpa_tlv_t *chunk)
{
    return chunk->row && !sctpa_tlv_is_data(chunk) && chunk->type != SCTPA_CHUNK_PAD;
}

static void check_control_first(sctpa_context_t *c, unsigned n)
{
    const sctpa_tlv_t *data = NULL;
    if (n < 2 || !sctpa_may_judge(c, SCTPA_RULE_FMT_019, c->from))
        return;
    for (unsigned i = 0; i < n; i++) {
        if (sctpa_tlv_is_data(&c->chunks[i].tlv))
            data = &c->chunks[i].tlv;
        /* "MUST place control chunks first in the outbound SCTP packet" */
        else if (data && is_control(&c->chunks[i].tlv) && c->chunks[i].tlv.type != SCTPA_CHUNK_ABORT) {
            sctpa_format_accuse(c, SCTPA_RULE_FMT_019, "control chunks before the first DATA",
                                sctpa_words("%s as chunk %u, after DATA", sctpa_format_word(&c->chunks[i].tlv), i + 1));
            return;
        }
    }
}

static void check_tsn_order(sctpa_context_t *c, unsigned n)
{
    const sctpa_tlv_t *before = NULL;
    for (unsigned i = 0; i < n; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i].tlv;
        if (!sctpa_tlv_is_data(chunk) || !sctpa_tlv_has(chunk, SCTPA_F_DATA_TSN))
            continue;
        if (before && sctpa_may_judge(c, SCTPA_RULE_FMT_020, c->from)) {
            uint32_t low = sctpa_tlv_u32(before, SCTPA_F_DATA_TSN), high = sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN);
            /* "MUST transmit DATA chunks within an SCTP packet in increasing order of TSN" */
            if (sctpa_serial_distance(low, high) <= 0)
                sctpa_format_accuse(c, SCTPA_RULE_FMT_020, SCTPA_WORDS("a TSN after %u", low),
                                    sctpa_words("TSN %u", high));
        }
        before = chunk;
    }
}

static void check_abort(sctpa_context_t *c, unsigned n)
{
    if (!has_any(c, SCTPA_ROW(ABORT)) || n < 2)
        return;
    /* "DATA chunks MUST NOT be bundled with ABORT chunks" */
    if (sctpa_may_judge(c, SCTPA_RULE_FMT_021, c->from) && has_any(c, SCTPA_DATA_ROWS))
        sctpa_format_accuse(c, SCTPA_RULE_FMT_021, "ABORT without DATA", sctpa_words("ABORT and DATA in one packet"));
    if (!sctpa_may_judge(c, SCTPA_RULE_FMT_022, c->from))
        return;
    for (unsigned i = 1; i < n; i++)
        /* "they MUST be placed before the ABORT chunk in the SCTP packet" */
        if (c->chunks[i - 1].tlv.type == SCTPA_CHUNK_ABORT && is_control(&c->chunks[i].tlv))
            sctpa_format_accuse(c, SCTPA_RULE_FMT_022, "ABORT as the last chunk",
                                sctpa_words("%s after ABORT", sctpa_format_word(&c->chunks[i].tlv)));
}

/* Chunk type comes first, or after the AUTH that authenticates it. */
static void check_first(sctpa_context_t *c, unsigned n, sctpa_rule_t rule, uint32_t type)
{
    unsigned at = 0;
    while (at < n && c->chunks[at].tlv.type != type)
        at++;
    if (at == n || !sctpa_may_judge(c, rule, c->from))
        return;
    /* "it MUST be the first chunk"; "the COOKIE ACK chunk MUST be the first chunk in the packet" */
    if (at > 1 || (at == 1 && c->chunks[0].tlv.type != SCTPA_CHUNK_AUTH))
        sctpa_format_accuse(c, rule, "first in the packet, or right after AUTH",
                            sctpa_words("chunk %u, after %s", at + 1, sctpa_format_word(&c->chunks[at - 1].tlv)));
}

static void check_shutdown(sctpa_context_t *c)
{
    static const uint64_t shutdown = SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK);
    if (!has_any(c, shutdown) || !sctpa_may_judge(c, SCTPA_RULE_FMT_048, c->from))
        return;
    /* "DATA chunks cannot be bundled with SHUTDOWN or SHUTDOWN ACK chunks" */
    if (has_any(c, SCTPA_DATA_ROWS))
        sctpa_format_accuse(c, SCTPA_RULE_FMT_048, "no DATA with SHUTDOWN or SHUTDOWN ACK",
                            sctpa_words("both in one packet"));
}

static void check_bundling(sctpa_context_t *c)
{
    unsigned n = framed_chunks(c);
    check_alone(c, n);
    check_control_first(c, n);
    check_tsn_order(c, n);
    check_abort(c, n);
    if (has_any(c, SCTPA_ROW(COOKIE_ECHO)))
        check_first(c, n, SCTPA_RULE_FMT_023, SCTPA_CHUNK_COOKIE_ECHO);
    if (has_any(c, SCTPA_ROW(COOKIE_ACK)))
        check_first(c, n, SCTPA_RULE_FMT_024, SCTPA_CHUNK_COOKIE_ACK);
    check_shutdown(c);
}

static void check_ports(sctpa_context_t *c)
{
    if (c->packet->captured_bytes < SCTPA_HEADER_BYTES)
        return;
    /* "The Source Port Number 0 MUST NOT be used" */
    if (sctpa_may_judge(c, SCTPA_RULE_FMT_001, c->from) && sctpa_be16(c->packet->bytes) == 0)
        sctpa_format_accuse(c, SCTPA_RULE_FMT_001, "a source port that is not 0", sctpa_words("source port 0"));
    /* "The Destination Port Number 0 MUST NOT be used" */
    if (sctpa_may_judge(c, SCTPA_RULE_FMT_002, c->from) && sctpa_be16(c->packet->bytes + 2) == 0)
        sctpa_format_accuse(c, SCTPA_RULE_FMT_002, "a destination port that is not 0",
                            sctpa_words("destination port 0"));
}

static void check_tag(sctpa_context_t *c)
{
    static const uint64_t exempt = SCTPA_ROW(INIT) | SCTPA_ROW(ABORT) | SCTPA_ROW(SHUTDOWN_COMPLETE);
    const sctpa_end_t *peer = &c->assoc->ends[!c->from];
    if (c->packet->captured_bytes < SCTPA_HEADER_BYTES || has_any(c, exempt) || !peer->has_vtag || peer->vtag == 0 ||
        !sctpa_may_judge(c, SCTPA_RULE_FMT_040, c->from))
        return;
    /* "the value of the Verification Tag MUST be set to the value of the Initiate Tag received from the peer endpoint"
     */
    if (sctpa_be32(c->packet->bytes + 4) == 0)
        sctpa_format_accuse(c, SCTPA_RULE_FMT_040, SCTPA_WORDS("tag 0x%08x", peer->vtag), sctpa_words("tag 0"));
}

/* What is left of the packet after its last chunk. */
static void check_end(sctpa_context_t *c)
{
    const sctpa_tlv_t *last = &c->chunks[c->n_chunks - 1].tlv;
    if (!is_framed(last))
        return;
    uint32_t end = (uint32_t)(last->bytes - c->packet->bytes) + last->wire_bytes + last->padding_bytes;
    /* "The sender MUST NOT pad with more than 3 bytes" */
    if (sctpa_may_judge(c, SCTPA_RULE_FMT_009, c->from) && end < c->packet->wire_bytes)
        sctpa_format_accuse(c, SCTPA_RULE_FMT_009, "the packet ends with its last chunk",
                            sctpa_words("%u bytes after it", c->packet->wire_bytes - end));
    /* "The total length of a chunk (including Type, Length, and Value fields) MUST be a multiple of 4 bytes" */
    if (sctpa_may_judge(c, SCTPA_RULE_FMT_010, c->from) && (last->wire_bytes + last->padding_bytes) % ONE_CHUNK_BYTES)
        sctpa_format_accuse(c, SCTPA_RULE_FMT_010, "padding to a multiple of 4 bytes",
                            sctpa_words("%s of %u bytes with %u of padding", sctpa_format_word(last), last->wire_bytes,
                                        last->padding_bytes));
}

static void check_framing(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    /* "if the Chunk Value field is zero-length, the Length field will be set to 4" */
    if (sctpa_may_judge(c, SCTPA_RULE_FMT_006, c->from) && chunk->fault == SCTPA_FAULT_LENGTH_BELOW_HEADER)
        sctpa_format_accuse(c, SCTPA_RULE_FMT_006, "a Chunk Length of 4 or more", sctpa_words("%u", chunk->length));
    /* "Reserved for IETF-defined Chunk Extensions" */
    if (sctpa_may_judge(c, SCTPA_RULE_FMT_046, c->from) && (chunk->type & RESERVED_TYPE) == RESERVED_TYPE)
        sctpa_format_accuse(c, SCTPA_RULE_FMT_046, "a chunk type that is not reserved",
                            sctpa_words("type %u", chunk->type));
    /* "Partial chunks MUST NOT be placed in an SCTP packet" */
    if (sctpa_may_judge(c, SCTPA_RULE_FMT_007, c->from) && chunk->fault == SCTPA_FAULT_LENGTH_BEYOND_END)
        sctpa_format_accuse(c, SCTPA_RULE_FMT_007, SCTPA_WORDS("at most %u bytes, all that is left", chunk->wire_bytes),
                            sctpa_words("%s of length %u", sctpa_format_word(chunk), chunk->length));
    /* "the sender MUST pad the chunk with all zero bytes" */
    if (chunk->padding_bytes > 0 && sctpa_may_judge(c, SCTPA_RULE_FMT_008, c->from) &&
        chunk->fault == SCTPA_FAULT_PADDING_NOT_ZERO)
        sctpa_format_accuse(c, SCTPA_RULE_FMT_008, "zero bytes as padding",
                            sctpa_words("other bytes after %s", sctpa_format_word(chunk)));
}

/* The checksum covers the packet to its end: its sender made it as it is. */
void sctpa_check_format(sctpa_context_t *c)
{
    check_ports(c);
    check_tag(c);
    check_bundling(c);
    for (unsigned i = 0; i < c->n_chunks && sctpa_context_is_verified(c); i++) {
        check_framing(c, &c->chunks[i].tlv);
        sctpa_format_chunk(c, &c->chunks[i].tlv);
    }
    if (sctpa_context_is_verified(c) && c->n_chunks > 0)
        check_end(c);
}
