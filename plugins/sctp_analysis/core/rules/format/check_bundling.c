/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of packets: ports and tag, what is bundled with what and in which order, and how the packet ends. Leaves each
 * chunk to check_format_chunk.c. */
#include "rules/rule_functions.h"

enum { CHUNK_ALIGNMENT_BYTES = 4 };

/* How many chunks are framed, from the first on. O(chunks). */
static unsigned framed_chunks(const sctpa_context_t *c)
{
    unsigned n = 0;
    while (n < c->n_chunks && sctpa_tlv_is_framed(&c->chunks[n].tlv))
        n++;
    return n;
}

static bool is_control(const sctpa_tlv_t *chunk)
{
    return chunk->row && !sctpa_tlv_is_data(chunk) && chunk->type != SCTPA_CHUNK_PAD;
}

static bool has_header(const sctpa_context_t *c)
{
    return c->packet->captured_bytes >= SCTPA_HEADER_BYTES;
}

bool sctpa_FMT_005_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_verified(c) && !c->packet->fragmented;
}

/* "An SCTP packet is composed of a common header and chunks." */
bool sctpa_FMT_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    violation->path = c->path;
    sctpa_violation_say(violation, "a chunk", SCTPA_WORDS("a packet of %u bytes", c->packet->wire_bytes));
    return true;
}

bool sctpa_FMT_001_applies(const sctpa_context_t *c)
{
    return has_header(c);
}

/* "The Source Port Number 0 MUST NOT be used" */
bool sctpa_FMT_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_be16(c->packet->bytes) != 0)
        return false;
    sctpa_violation_say(violation, "a source port that is not 0", "source port 0");
    return true;
}

bool sctpa_FMT_002_applies(const sctpa_context_t *c)
{
    return has_header(c);
}

/* "The Destination Port Number 0 MUST NOT be used" */
bool sctpa_FMT_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_be16(c->packet->bytes + 2) != 0)
        return false;
    sctpa_violation_say(violation, "a destination port that is not 0", "destination port 0");
    return true;
}

bool sctpa_FMT_040_applies(const sctpa_context_t *c)
{
    static const uint64_t exempt = SCTPA_ROW(INIT) | SCTPA_ROW(ABORT) | SCTPA_ROW(SHUTDOWN_COMPLETE);
    const sctpa_end_t *peer = &c->assoc->ends[!c->from];
    return has_header(c) && !(c->rows & exempt) && peer->has_vtag && peer->vtag != 0;
}

/* "the value of the Verification Tag MUST be set to the value of the Initiate Tag received from the peer endpoint" */
bool sctpa_FMT_040_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_context_vtag(c) != 0)
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("tag 0x%08x", c->assoc->ends[!c->from].vtag), "tag 0");
    return true;
}

bool sctpa_FMT_018_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "MUST NOT bundle INIT, INIT ACK, or SHUTDOWN COMPLETE chunks with any other chunks" */
bool sctpa_FMT_018_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    unsigned n = framed_chunks(c);
    if (n <= 1)
        return false;
    sctpa_violation_say(violation, "one chunk", SCTPA_WORDS("%u chunks", n));
    return true;
}

bool sctpa_FMT_019_applies(const sctpa_context_t *c)
{
    return c->n_chunks > 1 && framed_chunks(c) > 1;
}

/* "MUST place control chunks first in the outbound SCTP packet" */
bool sctpa_FMT_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    bool has_data = false;
    if (!(c->rows & SCTPA_DATA_ROWS))
        return false;
    for (unsigned i = 0, n = framed_chunks(c); i < n; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i].tlv;
        if (has_data && is_control(chunk) && chunk->type != SCTPA_CHUNK_ABORT) {
            sctpa_violation_say(violation, "control chunks before the first DATA",
                                SCTPA_WORDS("%s as chunk %u, after DATA", sctpa_chunk_word(chunk), i + 1));
            return true;
        }
        has_data |= sctpa_tlv_is_data(chunk);
    }
    return false;
}

/* The first DATA chunk after the one at place at, n none. O(chunks). */
static unsigned next_data(const sctpa_context_t *c, unsigned at, unsigned n)
{
    do
        at++;
    while (at < n && !(sctpa_tlv_is_data(&c->chunks[at].tlv) && sctpa_tlv_has(&c->chunks[at].tlv, SCTPA_F_DATA_TSN)));
    return MIN(at, n);
}

bool sctpa_FMT_020_applies(const sctpa_context_t *c)
{
    unsigned n = c->n_chunks > 1 ? framed_chunks(c) : 0;
    return n > 1 && c->first_data && next_data(c, (unsigned)(c->first_data - c->chunks), n) < n;
}

/* "MUST transmit DATA chunks within an SCTP packet in increasing order of TSN" */
bool sctpa_FMT_020_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    unsigned n = framed_chunks(c), at = (unsigned)(c->first_data - c->chunks);
    for (unsigned next = next_data(c, at, n); next < n; next = next_data(c, at, n)) {
        uint32_t low = sctpa_tlv_u32(&c->chunks[at].tlv, SCTPA_F_DATA_TSN),
                 high = sctpa_tlv_u32(&c->chunks[next].tlv, SCTPA_F_DATA_TSN);
        if (sctpa_serial_distance(low, high) <= 0) {
            sctpa_violation_say(violation, SCTPA_WORDS("a TSN after %u", low), SCTPA_WORDS("TSN %u", high));
            return true;
        }
        at = next;
    }
    return false;
}

bool sctpa_FMT_021_applies(const sctpa_context_t *c)
{
    return framed_chunks(c) > 1;
}

/* "DATA chunks MUST NOT be bundled with ABORT chunks" */
bool sctpa_FMT_021_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!(c->rows & SCTPA_DATA_ROWS))
        return false;
    sctpa_violation_say(violation, "ABORT without DATA", "ABORT and DATA in one packet");
    return true;
}

bool sctpa_FMT_022_applies(const sctpa_context_t *c)
{
    return framed_chunks(c) > 1;
}

/* "they MUST be placed before the ABORT chunk in the SCTP packet" */
bool sctpa_FMT_022_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    for (unsigned i = 1, n = framed_chunks(c); i < n; i++)
        if (c->chunks[i - 1].tlv.type == SCTPA_CHUNK_ABORT && is_control(&c->chunks[i].tlv)) {
            sctpa_violation_say(violation, "ABORT as the last chunk",
                                SCTPA_WORDS("%s after ABORT", sctpa_chunk_word(&c->chunks[i].tlv)));
            return true;
        }
    return false;
}

/* Place of the first chunk of a type among those that are framed, -1 none. O(chunks). */
static int place_of(const sctpa_context_t *c, uint32_t type)
{
    for (unsigned i = 0, n = framed_chunks(c); i < n; i++)
        if (c->chunks[i].tlv.type == type)
            return (int)i;
    return -1;
}

/* The chunk comes first, or after the AUTH that authenticates it (RFC 4895 6.3). */
static bool is_not_first(const sctpa_context_t *c, uint32_t type, sctpa_violation_t *violation)
{
    int at = place_of(c, type);
    if (at <= 0 || (at == 1 && c->chunks[0].tlv.type == SCTPA_CHUNK_AUTH))
        return false;
    sctpa_violation_say(violation, "first in the packet, or right after AUTH",
                        SCTPA_WORDS("chunk %d, after %s", at + 1, sctpa_chunk_word(&c->chunks[at - 1].tlv)));
    return true;
}

bool sctpa_FMT_023_applies(const sctpa_context_t *c)
{
    return place_of(c, SCTPA_CHUNK_COOKIE_ECHO) >= 0;
}

/* "Any time a COOKIE ECHO chunk is sent in a packet, it MUST be the first chunk" */
bool sctpa_FMT_023_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_not_first(c, SCTPA_CHUNK_COOKIE_ECHO, violation);
}

bool sctpa_FMT_024_applies(const sctpa_context_t *c)
{
    return place_of(c, SCTPA_CHUNK_COOKIE_ACK) >= 0;
}

/* "the COOKIE ACK chunk MUST be the first chunk in the packet" */
bool sctpa_FMT_024_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_not_first(c, SCTPA_CHUNK_COOKIE_ACK, violation);
}

bool sctpa_FMT_048_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "DATA chunks cannot be bundled with SHUTDOWN or SHUTDOWN ACK chunks" */
bool sctpa_FMT_048_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!(c->rows & SCTPA_DATA_ROWS))
        return false;
    sctpa_violation_say(violation, "no DATA with SHUTDOWN or SHUTDOWN ACK", "both in one packet");
    return true;
}

/* The last chunk, when a right checksum shows that the packet is as its sender made it; NULL otherwise. */
static const sctpa_tlv_t *last_chunk(const sctpa_context_t *c)
{
    const sctpa_tlv_t *last = c->n_chunks > 0 ? &c->chunks[c->n_chunks - 1].tlv : NULL;
    return last && sctpa_context_is_verified(c) && sctpa_tlv_is_framed(last) ? last : NULL;
}

bool sctpa_FMT_009_applies(const sctpa_context_t *c)
{
    return last_chunk(c) != NULL;
}

/* "The sender MUST NOT pad with more than 3 bytes" */
bool sctpa_FMT_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *last = last_chunk(c);
    uint32_t to = (uint32_t)(last->bytes - c->packet->bytes) + last->wire_bytes + last->padding_bytes;
    if (to >= c->packet->wire_bytes)
        return false;
    sctpa_violation_say(violation, "the packet ends with its last chunk",
                        SCTPA_WORDS("%u bytes after it", c->packet->wire_bytes - to));
    return true;
}

bool sctpa_FMT_010_applies(const sctpa_context_t *c)
{
    return last_chunk(c) != NULL;
}

/* "The total length of a chunk (including Type, Length, and Value fields) MUST be a multiple of 4 bytes" */
bool sctpa_FMT_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *last = last_chunk(c);
    if ((last->wire_bytes + last->padding_bytes) % CHUNK_ALIGNMENT_BYTES == 0)
        return false;
    sctpa_violation_say(violation, "padding to a multiple of 4 bytes",
                        SCTPA_WORDS("%s of %u bytes with %u of padding", sctpa_chunk_word(last), last->wire_bytes,
                                    last->padding_bytes));
    return true;
}
