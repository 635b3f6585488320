/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets (RFC 9260 3.1, 6.10): ports and tag, what is bundled with what and in which order, and how the packet
 * ends. Leaves out each chunk by itself (format.c). */
#include "model/chapter.h"

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

/* Asked about packets without a chunk, and no others. */
RULE(FMT, 005,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PACKET, .on = ANY,
    .accused = "sender of the packet",
    .clause = "RFC 9260 3",
    .title = "Packet without a chunk",
    .quote = "An SCTP packet is composed of a common header and chunks.",
    .why = "The packet says nothing; receivers discard it.",
    .evidence = "The packet ends with its common header, whose checksum is right; its Verification Tag or addresses "
        "and ports name the association.",
    .doubt = "The rule is checked for packets without a chunk only, and not for packets that are cut or that came "
        "in IP fragments.");

static bool FMT_005_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_verified(c) && !c->packet->fragmented;
}

/* "An SCTP packet is composed of a common header and chunks." */
static bool FMT_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    violation->path = c->path;
    sctpa_violation_say(violation, "a chunk", SCTPA_WORDS("a packet of %u bytes", c->packet->wire_bytes));
    return true;
}

RULE(FMT, 001,
    .level = MUST, .since = 4960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = ANY,
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.1",
    .title = "Source port is 0",
    .quote = "The Source Port Number 0 MUST NOT be used.",
    .why = "No receiver can find the association, and firewalls drop the packet.",
    .evidence = "The source port of the common header is 0.",
    .doubt = "A damaged packet has a wrong checksum and is not checked.");

static bool FMT_001_applies(const sctpa_context_t *c)
{
    return has_header(c);
}

/* "The Source Port Number 0 MUST NOT be used" */
static bool FMT_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_be16(c->packet->bytes) != 0)
        return false;
    sctpa_violation_say(violation, "a source port that is not 0", "source port 0");
    return true;
}

RULE(FMT, 002,
    .level = MUST, .since = 4960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = ANY,
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.1",
    .title = "Destination port is 0",
    .quote = "The Destination Port Number 0 MUST NOT be used.",
    .why = "No receiver can find the association, and firewalls drop the packet.",
    .evidence = "The destination port of the common header is 0.",
    .doubt = "Packets quoted in ICMP errors are not checked.");

static bool FMT_002_applies(const sctpa_context_t *c)
{
    return has_header(c);
}

/* "The Destination Port Number 0 MUST NOT be used" */
static bool FMT_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_be16(c->packet->bytes + 2) != 0)
        return false;
    sctpa_violation_say(violation, "a destination port that is not 0", "destination port 0");
    return true;
}

RULE(FMT, 040,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = ANY,
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.1",
    .title = "Verification tag 0 without INIT",
    .quote = "On transmit, the value of the Verification Tag MUST be set to the value of the Initiate Tag received "
        "from the peer endpoint",
    .why = "The receiver discards the packet.",
    .evidence = "The tag is 0 and the tag that the peer asked for is known and not 0.",
    .doubt = "ABORT and SHUTDOWN COMPLETE may reflect a tag and are not checked.");

static bool FMT_040_applies(const sctpa_context_t *c)
{
    static const uint64_t exempt = SCTPA_ROW(INIT) | SCTPA_ROW(ABORT) | SCTPA_ROW(SHUTDOWN_COMPLETE);
    const sctpa_end_t *peer = &c->assoc->ends[!c->from];
    return has_header(c) && !(c->rows & exempt) && peer->has_vtag && peer->vtag != 0;
}

/* "the value of the Verification Tag MUST be set to the value of the Initiate Tag received from the peer endpoint" */
static bool FMT_040_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_context_vtag(c) != 0)
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("tag 0x%08x", c->assoc->ends[!c->from].vtag), "tag 0");
    return true;
}

RULE(FMT, 018,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = ROW(INIT) | ROW(INIT_ACK) | ROW(SHUTDOWN_COMPLETE),
    .accused = "sender of the packet",
    .clause = "RFC 9260 6.10",
    .title = "INIT, INIT ACK or SHUTDOWN COMPLETE bundled with another chunk",
    .quote = "An endpoint MUST NOT bundle INIT, INIT ACK, or SHUTDOWN COMPLETE chunks with any other chunks.",
    .why = "A receiver discards such a packet or only its first chunk, so that set-up or shutdown hangs, depending on "
        "the receiver.",
    .evidence = "The packet holds one of the three and at least one more chunk.",
    .doubt = "Bytes after the last chunk may be padding or damage: only chunks with a whole header count.");

static bool FMT_018_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "MUST NOT bundle INIT, INIT ACK, or SHUTDOWN COMPLETE chunks with any other chunks" */
static bool FMT_018_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    unsigned n = framed_chunks(c);
    if (n <= 1)
        return false;
    sctpa_violation_say(violation, "one chunk", SCTPA_WORDS("%u chunks", n));
    return true;
}

RULE(FMT, 019,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = ANY,
    .accused = "sender of the packet",
    .clause = "RFC 9260 6.10",
    .title = "Control chunk after DATA",
    .quote = "When bundling control chunks with DATA chunks, an endpoint MUST place control chunks first in the "
        "outbound SCTP packet.",
    .why = "A receiver that takes chunks in order acts on the data before what governs it.",
    .evidence = "A chunk of a known type other than DATA, I-DATA and PAD comes after a DATA chunk.",
    .doubt = "PAD and unknown chunk types are not checked; ABORT has rules of its own.");

static bool FMT_019_applies(const sctpa_context_t *c)
{
    return c->n_chunks > 1 && framed_chunks(c) > 1;
}

/* "MUST place control chunks first in the outbound SCTP packet" */
static bool FMT_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

RULE(FMT, 020,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = DATA_ROWS,
    .accused = "sender of the packet",
    .clause = "RFC 9260 6.10",
    .title = "DATA chunks not in the order of their TSNs",
    .quote = "The transmitter MUST transmit DATA chunks within an SCTP packet in increasing order of TSN.",
    .why = "The receiver sees gaps where nothing is missing.",
    .evidence = "The TSN of a DATA chunk is not after that of the DATA chunk before it in the packet, by serial number "
        "arithmetic.",
    .doubt = "Retransmissions bundled with new data ascend too, and TSNs that wrap still ascend.");

static bool FMT_020_applies(const sctpa_context_t *c)
{
    unsigned n = c->n_chunks > 1 ? framed_chunks(c) : 0;
    return n > 1 && c->first_data && next_data(c, (unsigned)(c->first_data - c->chunks), n) < n;
}

/* "MUST transmit DATA chunks within an SCTP packet in increasing order of TSN" */
static bool FMT_020_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

RULE(FMT, 021,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = ROW(ABORT),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.7",
    .title = "ABORT bundled with DATA",
    .quote = "DATA chunks MUST NOT be bundled with ABORT chunks.",
    .why = "The data is lost: the receiver aborts.",
    .evidence = "ABORT and DATA in one packet.",
    .doubt = "Other chunks may be bundled with ABORT.");

static bool FMT_021_applies(const sctpa_context_t *c)
{
    return framed_chunks(c) > 1;
}

/* "DATA chunks MUST NOT be bundled with ABORT chunks" */
static bool FMT_021_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!(c->rows & SCTPA_DATA_ROWS))
        return false;
    sctpa_violation_say(violation, "ABORT without DATA", "ABORT and DATA in one packet");
    return true;
}

RULE(FMT, 022,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = ROW(ABORT),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.7",
    .title = "Chunk after ABORT",
    .quote = "they MUST be placed before the ABORT chunk in the SCTP packet",
    .why = "The receiver ignores what follows ABORT.",
    .evidence = "A chunk of a known type other than DATA and PAD right after ABORT.",
    .doubt = "DATA after ABORT is FMT-021; PAD is ignored.");

static bool FMT_022_applies(const sctpa_context_t *c)
{
    return framed_chunks(c) > 1;
}

/* "they MUST be placed before the ABORT chunk in the SCTP packet" */
static bool FMT_022_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

RULE(FMT, 023,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = ROW(COOKIE_ECHO),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.2.2",
    .title = "COOKIE ECHO is not the first chunk",
    .quote = "Any time a COOKIE ECHO chunk is sent in a packet, it MUST be the first chunk.",
    .why = "The receiver has no association yet for the chunks before it and drops the packet.",
    .evidence = "COOKIE ECHO comes after another chunk.",
    .doubt = "Right after AUTH is what RFC 4895 6.3 requires.");

static bool FMT_023_applies(const sctpa_context_t *c)
{
    return place_of(c, SCTPA_CHUNK_COOKIE_ECHO) >= 0;
}

/* "Any time a COOKIE ECHO chunk is sent in a packet, it MUST be the first chunk" */
static bool FMT_023_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_not_first(c, SCTPA_CHUNK_COOKIE_ECHO, violation);
}

RULE(FMT, 024,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = ROW(COOKIE_ACK),
    .accused = "sender of the packet",
    .clause = "RFC 9260 5.1",
    .title = "COOKIE ACK is not the first chunk",
    .quote = "the COOKIE ACK chunk MUST be the first chunk in the packet",
    .why = "The initiator may drop what comes before the association is up for it.",
    .evidence = "COOKIE ACK comes after another chunk.",
    .doubt = "AUTH may come before it (RFC 4895).");

static bool FMT_024_applies(const sctpa_context_t *c)
{
    return place_of(c, SCTPA_CHUNK_COOKIE_ACK) >= 0;
}

/* "the COOKIE ACK chunk MUST be the first chunk in the packet" */
static bool FMT_024_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_not_first(c, SCTPA_CHUNK_COOKIE_ACK, violation);
}

RULE(FMT, 048,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = ROW(SHUTDOWN) | ROW(SHUTDOWN_ACK),
    .accused = "sender of the packet",
    .clause = "RFC 9260 6.10",
    .title = "SHUTDOWN or SHUTDOWN ACK bundled with DATA",
    .quote = "DATA chunks cannot be bundled with SHUTDOWN or SHUTDOWN ACK chunks.",
    .why = "An endpoint that has sent either sends no data any more; the receiver may drop it.",
    .evidence = "Both in one packet.",
    .doubt = "SACK and ERROR may be bundled with them.");

static bool FMT_048_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "DATA chunks cannot be bundled with SHUTDOWN or SHUTDOWN ACK chunks" */
static bool FMT_048_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

RULE(FMT, 009,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PACKET, .on = ANY,
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.2",
    .title = "Bytes after the last chunk",
    .quote = "The sender MUST NOT pad with more than 3 bytes.",
    .why = "Receivers may take the rest for a chunk and drop the packet.",
    .evidence = "1 to 3 bytes are left after the last chunk and its padding.",
    .doubt = "Trailers of the link lie outside the length of the IP packet and are not counted. The CRC32c covers the "
        "whole packet and is right: the sender built the packet this way. Packets with a zero checksum are not "
        "checked.");

static bool FMT_009_applies(const sctpa_context_t *c)
{
    return last_chunk(c) != NULL;
}

/* "The sender MUST NOT pad with more than 3 bytes" */
static bool FMT_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *last = last_chunk(c);
    uint32_t to = (uint32_t)(last->bytes - c->packet->bytes) + last->wire_bytes + last->padding_bytes;
    if (to >= c->packet->wire_bytes)
        return false;
    sctpa_violation_say(violation, "the packet ends with its last chunk",
                        SCTPA_WORDS("%u bytes after it", c->packet->wire_bytes - to));
    return true;
}

RULE(FMT, 010,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PACKET, .on = ANY,
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.2",
    .title = "Last chunk is not padded",
    .quote = "The total length of a chunk (including Type, Length, and Value fields) MUST be a multiple of 4 bytes.",
    .why = "Receivers that check the length of the packet drop it.",
    .evidence = "The packet ends before the padding of its last chunk.",
    .doubt = "The CRC32c covers the whole packet and is right: the sender built the packet this way. Packets with a "
        "zero checksum are not checked.");

static bool FMT_010_applies(const sctpa_context_t *c)
{
    return last_chunk(c) != NULL;
}

/* "The total length of a chunk (including Type, Length, and Value fields) MUST be a multiple of 4 bytes" */
static bool FMT_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *last = last_chunk(c);
    if ((last->wire_bytes + last->padding_bytes) % CHUNK_ALIGNMENT_BYTES == 0)
        return false;
    sctpa_violation_say(violation, "padding to a multiple of 4 bytes",
                        SCTPA_WORDS("%s of %u bytes with %u of padding", sctpa_chunk_word(last), last->wire_bytes,
                                    last->padding_bytes));
    return true;
}

void sctpa_check_bundling(sctpa_context_t *c)
{
    ASK(FMT, 001);
    ASK(FMT, 002);
    ASK(FMT, 009);
    ASK(FMT, 010);
    ASK(FMT, 018);
    ASK(FMT, 019);
    ASK(FMT, 020);
    ASK(FMT, 021);
    ASK(FMT, 022);
    ASK(FMT, 023);
    ASK(FMT, 024);
    ASK(FMT, 040);
    ASK(FMT, 048);
}

void sctpa_check_empty(sctpa_context_t *c)
{
    ASK_OF_EMPTY(FMT, 005);
}
