/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chunks, parameters and error causes by themselves (RFC 9260 3.2, 3.3): their frames, lengths and flags, how often
 * and where they stand. A right checksum covers the packet to its end, so that its sender made the chunk as it is.
 * Leaves out what is bundled with them (bundling.c), and what they mean. */
#include "model/chapter.h"
#include "model/shared/obligations.h"

#include <string.h>

#include "base/hash.h"
#include "model/shared/initialization.h"

enum { DATA_RESERVED = 0xF0, RESERVED_TYPE = 63 };

enum { REPORT_CHUNK = 0x40, REPORT_PARAM = 0x4000 }; /* the upper bits of a type that ask for a report */

/* What an endpoint sent that its peer may report as unknown, beside the parameters of INIT and INIT ACK: two of 64 bits
 * by the hash of each, so that what has a bit that is not set was not sent. */
typedef struct {
    uint64_t chunks; /* of types without a row: of each type, and of each chunk */
    uint64_t params; /* of other chunks: those that ask for a report */
} reportable_t;

typedef struct {
    reportable_t of[2]; /* by endpoint */
} reportables_t;

static uint64_t bits_of(const uint8_t *bytes, uint32_t n)
{
    uint64_t hash = sctpa_hash_bytes(0, bytes, n);
    return UINT64_C(1) << (hash >> 58) | UINT64_C(1) << (hash >> 52 & 63);
}

static reportable_t reportable(const sctpa_context_t *c, uint8_t endpoint)
{
    const reportables_t *kept = sctpa_context_find_part(c, SCTPA_PART_REPORTABLE);
    return kept ? kept->of[endpoint] : (reportable_t){ 0 };
}

static reportable_t *own_reportable(const sctpa_context_t *c)
{
    return &((reportables_t *)sctpa_context_part(c, SCTPA_PART_REPORTABLE, sizeof(reportables_t)))->of[c->from];
}

/* Takes a chunk without a row. */
static void take_unknown_chunk(const sctpa_context_t *c)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    reportable_t *own = own_reportable(c);
    own->chunks |= bits_of(chunk->bytes, 1);
    if (sctpa_tlv_is_framed(chunk) && chunk->captured_bytes >= chunk->length)
        own->chunks |= bits_of(chunk->bytes, chunk->length);
    else
        own->chunks = UINT64_MAX;
}

/* Takes the parameters of a chunk other than INIT and INIT ACK. */
static void take_params(const sctpa_context_t *c)
{
    const sctpa_param_list_t *list = sctpa_context_params(c);
    if (!list->sound)
        own_reportable(c)->params = UINT64_MAX;
    for (uint32_t n = 0; n < list->n; n++)
        if (sctpa_param_asks_for_report(&list->params[n]))
            own_reportable(c)->params |= bits_of(list->params[n].bytes, list->params[n].length);
}

/* Takes c->chunk, after the rules. O(bytes) of what may be reported. */
static void reportable_take(const sctpa_context_t *c)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    if (c->chunk->row == SCTPA_CHUNK_ROW_OTHER)
        take_unknown_chunk(c);
    else if (chunk->row->body == SCTPA_BODY_PARAMS && chunk->type != SCTPA_CHUNK_INIT &&
             chunk->type != SCTPA_CHUNK_INIT_ACK)
        take_params(c);
}

/* Is the chunk's frame sound, and as its sender made it? */
static bool is_framed(const sctpa_context_t *c)
{
    return sctpa_context_is_verified(c) && sctpa_tlv_is_framed(&c->chunk->tlv);
}

RULE(FMT, 006,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ANY,
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.2",
    .title = "Chunk Length below 4",
    .quote = "if the Chunk Value field is zero-length, the Length field will be set to 4",
    .why = "A receiver cannot find the next chunk and drops the rest of the packet.",
    .evidence = "A chunk header inside the packet with a length field under 4.",
    .doubt = "The CRC32c covers the whole packet and is right: the sender built the packet this way. Packets with a "
        "zero checksum are not checked.");

static bool FMT_006_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_verified(c);
}

/* "if the Chunk Value field is zero-length, the Length field will be set to 4" */
static bool FMT_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->chunk->tlv.fault != SCTPA_FAULT_LENGTH_BELOW_HEADER)
        return false;
    sctpa_violation_say(violation, "a Chunk Length of 4 or more", SCTPA_WORDS("%u", c->chunk->tlv.length));
    return true;
}

RULE(FMT, 046,
    .level = HEURISTIC, .since = 4960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .on = ANY,
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.2",
    .title = "Reserved chunk type",
    .quote = "Reserved for IETF-defined Chunk Extensions",
    .why = "A later extension may give the type a meaning.",
    .evidence = "Chunk type 63, 127, 191 or 255.",
    .doubt = "Chunk types of drafts and private ones are not checked.");

static bool FMT_046_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_verified(c);
}

/* "Reserved for IETF-defined Chunk Extensions" */
static bool FMT_046_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if ((c->chunk->tlv.type & RESERVED_TYPE) != RESERVED_TYPE)
        return false;
    sctpa_violation_say(violation, "a chunk type that is not reserved", SCTPA_WORDS("type %u", c->chunk->tlv.type));
    return true;
}

RULE(FMT, 007,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ANY,
    .accused = "sender of the packet",
    .clause = "RFC 9260 6.10",
    .title = "Chunk runs past the end of its packet",
    .quote = "Partial chunks MUST NOT be placed in an SCTP packet.",
    .why = "The receiver must drop the chunk, and so what it carried is lost at each retransmission.",
    .evidence = "The length field of a chunk is larger than what is left of the packet.",
    .doubt = "The CRC32c covers the whole packet and is right: the sender built the packet this way. Packets with a "
        "zero checksum are not checked.");

static bool FMT_007_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_verified(c);
}

/* "Partial chunks MUST NOT be placed in an SCTP packet" */
static bool FMT_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    if (chunk->fault != SCTPA_FAULT_LENGTH_BEYOND_END)
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("at most %u bytes, all that is left", chunk->wire_bytes),
                        SCTPA_WORDS("%s of length %u", sctpa_chunk_word(chunk), chunk->length));
    return true;
}

RULE(FMT, 008,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ANY,
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.2",
    .title = "Chunk padding is not zero",
    .quote = "the sender MUST pad the chunk with all zero bytes",
    .why = "Padding that is not zero can leak memory of the sender.",
    .evidence = "One of the 1 to 3 bytes between the end of a chunk and the next multiple of 4 is not zero.",
    .doubt = "The CRC32c covers the whole packet and is right: the sender built the packet this way. Packets with a "
        "zero checksum are not checked.");

static bool FMT_008_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_verified(c) && c->chunk->tlv.padding_bytes > 0;
}

/* "the sender MUST pad the chunk with all zero bytes" */
static bool FMT_008_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->chunk->tlv.fault != SCTPA_FAULT_PADDING_NOT_ZERO)
        return false;
    sctpa_violation_say(violation, "zero bytes as padding",
                        SCTPA_WORDS("other bytes after %s", sctpa_chunk_word(&c->chunk->tlv)));
    return true;
}

static bool is_wrong_length(const sctpa_context_t *c, const char *expected, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    if (sctpa_tlv_is_well_formed(chunk))
        return false;
    sctpa_violation_say(violation, expected, SCTPA_WORDS("%s of length %u", sctpa_chunk_word(chunk), chunk->length));
    return true;
}

RULE(FMT, 014,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .on = ROW(SHUTDOWN) | ROW(SHUTDOWN_ACK) | ROW(COOKIE_ACK) | ROW(SHUTDOWN_COMPLETE),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.8, 3.3.9, 3.3.12, 3.3.13",
    .title = "Chunk of fixed length has another length",
    .quote = "Indicates the length of the parameter. Set to 8.",
    .why = "Receivers drop the chunk, so that shutdown or set-up hangs.",
    .evidence = "SHUTDOWN is not 8 bytes long; SHUTDOWN ACK, COOKIE ACK or SHUTDOWN COMPLETE not 4.",
    .doubt = "ECNE and CWR, which no RFC in force defines, are not checked. The CRC32c covers the whole packet and is "
        "right: the sender built the packet this way. Packets with a zero checksum are not checked.");

static bool FMT_014_applies(const sctpa_context_t *c)
{
    return is_framed(c);
}

/* "Set to 8" */
static bool FMT_014_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_wrong_length(c, c->chunk->tlv.type == SCTPA_CHUNK_SHUTDOWN ? "length 8" : "length 4", violation);
}

RULE(FMT, 015,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.2, 3.3.3",
    .title = "INIT or INIT ACK shorter than its fixed fields",
    .quote = "Any Type-Length-Value fields MUST be placed after the fixed-length fields.",
    .why = "The association cannot be set up.",
    .evidence = "Length below 20.",
    .doubt = "The CRC32c covers the whole packet and is right: the sender built the packet this way. Packets with a "
        "zero checksum are not checked.");

static bool FMT_015_applies(const sctpa_context_t *c)
{
    return is_framed(c);
}

/* "Any Type-Length-Value fields MUST be placed after the fixed-length fields" */
static bool FMT_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_wrong_length(c, "at least 20 bytes", violation);
}

RULE(FMT, 016,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .on = ROW(SACK),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.4",
    .title = "SACK length and its counts disagree",
    .quote = "The SACK chunk MUST contain the Cumulative TSN Ack, Advertised Receiver Window Credit (a_rwnd), Number "
        "of Gap Ack Blocks, and Number of Duplicate TSNs fields.",
    .why = "The data sender drops the SACK and retransmits what has arrived.",
    .evidence = "The length is not 16 and 4 for each gap block and duplicate TSN that are counted.",
    .doubt = "The CRC32c covers the whole packet and is right: the sender built the packet this way. Packets with a "
        "zero checksum are not checked.");

static bool FMT_016_applies(const sctpa_context_t *c)
{
    return is_framed(c);
}

/* "MUST contain the Cumulative TSN Ack, Advertised Receiver Window Credit (a_rwnd), Number of Gap Ack Blocks, ..." */
static bool FMT_016_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_wrong_length(c, "16 bytes, and 4 for each gap block and duplicate counted", violation);
}

RULE(FMT, 017,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .on = DATA_ROWS,
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.1; RFC 8260 2.1",
    .title = "DATA shorter than its header",
    .quote = "The following format MUST be used for the DATA chunk",
    .why = "The receiver cannot read TSN and stream.",
    .evidence = "DATA shorter than 16 bytes or I-DATA shorter than 20.",
    .doubt = "The CRC32c covers the whole packet and is right: the sender built the packet this way. Packets with a "
        "zero checksum are not checked.");

static bool FMT_017_applies(const sctpa_context_t *c)
{
    return is_framed(c);
}

/* "The following format MUST be used for the DATA chunk" */
static bool FMT_017_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    if (chunk->length >= chunk->row->fixed_bytes)
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("a length above %u", chunk->row->fixed_bytes),
                        SCTPA_WORDS("%u", chunk->length));
    return true;
}

RULE(FMT, 013,
    .level = MUST, .since = 4960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .on = DATA_ROWS,
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.1",
    .title = "DATA without user data",
    .quote = "where L MUST be greater than 0",
    .why = "The receiver must abort the association (No User Data).",
    .evidence = "DATA of length 16 or I-DATA of length 20.",
    .doubt = "The CRC32c covers the whole packet and is right: the sender built the packet this way. Packets with a "
        "zero checksum are not checked.");

static bool FMT_013_applies(const sctpa_context_t *c)
{
    return is_framed(c);
}

/* "where L MUST be greater than 0" */
static bool FMT_013_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    if (chunk->length != chunk->row->fixed_bytes)
        return false;
    sctpa_violation_say(violation, "at least one byte of user data",
                        SCTPA_WORDS("none: TSN %u, length %u", sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN), chunk->length));
    return true;
}

RULE(FMT, 012,
    .level = SHOULD, .since = 4960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .on = ROW(DATA),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.1",
    .title = "Reserved flags set in DATA",
    .quote = "All set to 0 on transmit and ignored on receipt.",
    .why = "A later extension may give the bits a meaning.",
    .evidence = "One of the four reserved flags is set.",
    .doubt = "The I bit of RFC 7053 is not reserved. The CRC32c covers the whole packet and is right: the sender built "
        "the packet this way. Packets with a zero checksum are not checked.");

static bool FMT_012_applies(const sctpa_context_t *c)
{
    return is_framed(c);
}

/* "All set to 0 on transmit" */
static bool FMT_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!(c->chunk->tlv.flags & DATA_RESERVED))
        return false;
    sctpa_violation_say(violation, "reserved bits 0", SCTPA_WORDS("flags 0x%02x", c->chunk->tlv.flags));
    return true;
}

static bool has_flags(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    if (!chunk->flags)
        return false;
    sctpa_violation_say(violation, "flags 0",
                        SCTPA_WORDS("%s with flags 0x%02x", sctpa_chunk_word(chunk), chunk->flags));
    return true;
}

RULE(FMT, 011,
    .level = SHOULD, .since = 4960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.2, 3.3.3",
    .title = "Flags set in INIT or INIT ACK",
    .quote = "all bits in it SHOULD be set to 0 by the sender",
    .why = "A later extension may give the bits a meaning.",
    .evidence = "The flags of INIT or INIT ACK are not 0.",
    .doubt = "The CRC32c covers the whole packet and is right: the sender built the packet this way. Packets with a "
        "zero checksum are not checked.");

static bool FMT_011_applies(const sctpa_context_t *c)
{
    return is_framed(c);
}

/* "all bits in it SHOULD be set to 0 by the sender" */
static bool FMT_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return has_flags(c, violation);
}

RULE(FMT, 049,
    .level = SHOULD, .since = 4960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .on = ROW(SACK) | ROW(HEARTBEAT) | ROW(HEARTBEAT_ACK) | ROW(SHUTDOWN) | ROW(SHUTDOWN_ACK) |
        ROW(COOKIE_ECHO) | ROW(COOKIE_ACK),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.4 to 3.3.6, 3.3.8, 3.3.9, 3.3.11, 3.3.12",
    .title = "Flags set in a chunk that has none",
    .quote = "Set to 0 on transmit and ignored on receipt.",
    .why = "A later extension may give the bits a meaning.",
    .evidence = "The flags of SACK, HEARTBEAT, HEARTBEAT ACK, SHUTDOWN, SHUTDOWN ACK, COOKIE ECHO or COOKIE ACK are "
        "not 0.",
    .doubt = "ABORT, ERROR and SHUTDOWN COMPLETE, which have the T bit, or flags of drafts, are FMT-059, as are "
        "chunks of extensions. The CRC32c covers the whole packet and is right: the sender built the packet this way. "
        "Packets with a zero checksum are not checked.");

static bool FMT_049_applies(const sctpa_context_t *c)
{
    return is_framed(c);
}

/* "Set to 0 on transmit" */
static bool FMT_049_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return has_flags(c, violation);
}

/* Flags that a chunk may have: the T bit (RFC 9260 3.3.7, 3.3.13), and in ABORT and ERROR what
 * draft-ietf-tsvwg-natsupp defines. */
static uint8_t known_flags(const sctpa_tlv_t *chunk)
{
    enum { T_BIT = 0x01, M_BIT = 0x02 };
    switch (chunk->type) {
    case SCTPA_CHUNK_ABORT:
    case SCTPA_CHUNK_ERROR: return T_BIT | M_BIT;
    case SCTPA_CHUNK_SHUTDOWN_COMPLETE: return T_BIT;
    default: return 0;
    }
}

RULE(FMT, 059,
    .level = SHOULD, .since = 4960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .on = ROW(ABORT) | ROW(ERROR) | ROW(SHUTDOWN_COMPLETE) | ROW(FORWARD_TSN) | ROW(RE_CONFIG) |
        ROW(ASCONF) | ROW(ASCONF_ACK),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.2, 3.3.7, 3.3.10, 3.3.13; RFC 3758 3.2; RFC 6525 3.1",
    .title = "Flags set that the chunk does not have",
    .quote = "Unless otherwise specified, they are set to 0 on transmit and are ignored on receipt.",
    .why = "A later extension may give the bits a meaning.",
    .evidence = "The flags of FORWARD-TSN, RE-CONFIG, ASCONF or ASCONF-ACK are not 0; SHUTDOWN COMPLETE has another "
        "than the T bit, ABORT or ERROR another than this and the M bit of a draft (0x02).",
    .doubt = "The CRC32c covers the whole packet and is right: the sender built the packet this way. Packets with a "
        "zero checksum are not checked.");

static bool FMT_059_applies(const sctpa_context_t *c)
{
    return is_framed(c);
}

/* "Unless otherwise specified, they are set to 0 on transmit" */
static bool FMT_059_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    const uint8_t known = known_flags(chunk);
    if (!(chunk->flags & ~known))
        return false;
    sctpa_violation_say(violation, known ? SCTPA_WORDS("no flags but 0x%02x", known) : "flags 0",
                        SCTPA_WORDS("%s with flags 0x%02x", sctpa_chunk_word(chunk), chunk->flags));
    return true;
}

RULE(FMT, 041,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .on = ROW(ERROR),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.10",
    .title = "ERROR without a cause",
    .quote = "It contains one or more error causes.",
    .why = "The receiver learns nothing from it.",
    .evidence = "ERROR of length 4.",
    .doubt = "ABORT may come without causes.");

static bool FMT_041_applies(const sctpa_context_t *c)
{
    return is_framed(c);
}

/* "It contains one or more error causes" */
static bool FMT_041_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->chunk->tlv.length != SCTPA_TLV_HEADER_BYTES)
        return false;
    sctpa_violation_say(violation, "one cause or more", "ERROR of length 4");
    return true;
}

/* Does the chunk hold a list of parameters or causes that was captured whole, as its sender made it? */
static bool has_list(const sctpa_context_t *c, sctpa_body_t body)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    return chunk->row && chunk->row->body == body && sctpa_context_is_verified(c) && sctpa_tlv_is_framed(chunk) &&
           chunk->fault != SCTPA_FAULT_LENGTH_BELOW_MINIMUM && chunk->captured_bytes == chunk->wire_bytes;
}

/* Do known parameters fill the chunk when none is padded? */
static bool fits_unpadded(const sctpa_tlv_t *chunk)
{
    uint32_t at = chunk->row->fixed_bytes;
    while (at + SCTPA_TLV_HEADER_BYTES <= chunk->captured_bytes) {
        uint16_t length = sctpa_be16(chunk->bytes + at + 2);
        if (length < SCTPA_TLV_HEADER_BYTES || !sctpa_tlv_type(SCTPA_TLV_PARAM, sctpa_be16(chunk->bytes + at)))
            return false;
        at += length;
    }
    return at == chunk->captured_bytes;
}

/* Parameters that fit their chunk only when they are not padded cannot be read. */
static bool lists_params(const sctpa_context_t *c)
{
    const sctpa_param_list_t *list = sctpa_context_params(c);
    if (!has_list(c, SCTPA_BODY_PARAMS))
        return false;
    bool fits = !list->has_trailing_bytes && (list->n == 0 || sctpa_tlv_is_framed(&list->params[list->n - 1]));
    return fits || !fits_unpadded(&c->chunk->tlv);
}

static bool lists_causes(const sctpa_context_t *c)
{
    return has_list(c, SCTPA_BODY_CAUSES);
}

RULE(FMT, 030,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ANY, .if_facts = CONTROL,
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.2.1",
    .title = "Parameters are not padded",
    .quote = "The total length of a parameter (including Parameter Type, Parameter Length, and Parameter Value fields) "
        "MUST be a multiple of 4 bytes.",
    .why = "The receiver reads the following parameters from the wrong place.",
    .evidence = "The parameters of a chunk do not fit it when each is padded, and are known ones that fill it when "
        "none is.",
    .doubt = "The padding of the last parameter may be left to the chunk. The CRC32c covers the whole packet and is "
        "right: the sender built the packet this way. Packets with a zero checksum are not checked.");

static bool FMT_030_applies(const sctpa_context_t *c)
{
    return has_list(c, SCTPA_BODY_PARAMS);
}

/* "The total length of a parameter (including Parameter Type, Parameter Length, and Parameter Value fields) MUST be a
 * multiple of 4 bytes" */
static bool FMT_030_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (lists_params(c))
        return false;
    sctpa_violation_say(
        violation, "parameters padded to multiples of 4 bytes",
        SCTPA_WORDS("%s with parameters that fit only without padding", sctpa_chunk_word(&c->chunk->tlv)));
    return true;
}

RULE(FMT, 028,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PARAM, .on = ~(ROW(ERROR) | ROW(ABORT)),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.2.1",
    .title = "Parameter Length below 4",
    .quote = "a parameter with a zero-length Parameter Value field would have a Parameter Length field of 4",
    .why = "The receiver cannot find the next parameter and ignores the rest or aborts.",
    .evidence = "A parameter header inside its chunk with a length field under 4.",
    .doubt = "1 to 3 bytes at the end of a chunk are no parameter. The CRC32c covers the whole packet and is right: "
        "the sender built the packet this way. Packets with a zero checksum are not checked.");

static bool FMT_028_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "a parameter with a zero-length Parameter Value field would have a Parameter Length field of 4" */
static bool FMT_028_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->param->fault != SCTPA_FAULT_LENGTH_BELOW_HEADER)
        return false;
    sctpa_violation_say(violation, "a Parameter Length of 4 or more",
                        SCTPA_WORDS("parameter 0x%04x of length %u in %s", c->param->type, c->param->length,
                                    sctpa_chunk_word(&c->chunk->tlv)));
    return true;
}

RULE(FMT, 029,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PARAM, .on = ~(ROW(ERROR) | ROW(ABORT)),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.2.1",
    .title = "Parameter runs past its chunk",
    .quote = "The Parameter Length field contains the size of the parameter in bytes, including the Parameter Type, "
        "Parameter Length, and Parameter Value fields.",
    .why = "The receiver aborts or ignores the parameter.",
    .evidence = "The length field of a parameter is larger than what is left of its chunk.",
    .doubt = "Padding of the last parameter need not be counted in the chunk. The CRC32c covers the whole packet and "
        "is right: the sender built the packet this way. Packets with a zero checksum are not checked.");

static bool FMT_029_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "The Parameter Length field contains the size of the parameter in bytes" */
static bool FMT_029_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->param->fault != SCTPA_FAULT_LENGTH_BEYOND_END)
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("at most %u bytes, all that is left", c->param->wire_bytes),
                        SCTPA_WORDS("parameter 0x%04x of length %u in %s", c->param->type, c->param->length,
                                    sctpa_chunk_word(&c->chunk->tlv)));
    return true;
}

static bool is_address(const sctpa_context_t *c)
{
    return sctpa_tlv_is_framed(c->param) && (c->param->type == SCTPA_PARAM_IPV4 || c->param->type == SCTPA_PARAM_IPV6);
}

RULE(FMT, 037,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.2.1.1, 3.3.2.1.2",
    .title = "Address parameter of a wrong length",
    .quote = "Contains an IPv4 address of the sending endpoint.",
    .why = "The receiver ignores the address or aborts.",
    .evidence = "An IPv4 Address parameter that is not 8 bytes long, or an IPv6 Address parameter that is not 20.",
    .doubt = "The CRC32c covers the whole packet and is right: the sender built the packet this way. Packets with a "
        "zero checksum are not checked.");

static bool FMT_037_applies(const sctpa_context_t *c)
{
    return is_address(c);
}

/* "Contains an IPv4 address of the sending endpoint" */
static bool FMT_037_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->param->length == c->param->row->fixed_bytes)
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("length %u", c->param->row->fixed_bytes),
                        SCTPA_WORDS("length %u", c->param->length));
    return true;
}

RULE(FMT, 033,
    .level = MUST, .since = 4960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.2.1.2",
    .title = "IPv4-mapped IPv6 address listed",
    .quote = "A sender MUST NOT use an IPv4-mapped IPv6 address",
    .why = "The peer cannot send to it, or takes it for a different address than the IPv4 address.",
    .evidence = "An IPv6 Address parameter in INIT or INIT ACK within ::ffff:0:0/96.",
    .doubt = "A dual-stack endpoint lists its IPv4 addresses in IPv4 Address parameters.");

static bool FMT_033_applies(const sctpa_context_t *c)
{
    return sctpa_tlv_is_framed(c->param) && c->param->type == SCTPA_PARAM_IPV6 &&
           c->param->captured_bytes >= c->param->row->fixed_bytes;
}

/* "MUST NOT use an IPv4-mapped IPv6 address" */
static bool FMT_033_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    static const uint8_t prefix[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF };
    if (memcmp(c->param->bytes + SCTPA_TLV_HEADER_BYTES, prefix, sizeof prefix) != 0)
        return false;
    sctpa_violation_say(violation, "an IPv4 Address parameter", "an IPv4-mapped IPv6 address");
    return true;
}

/* Multicast, limited broadcast, unspecified; loopback to a peer elsewhere. */
static bool is_unusable(const sctpa_context_t *c, const sctpa_tlv_t *param)
{
    const uint8_t *addr = param->bytes + SCTPA_TLV_HEADER_BYTES;
    if (param->type == SCTPA_PARAM_IPV4) {
        bool is_peer_loopback = c->packet->destination.bytes != 4 || c->packet->destination.data[0] == 127;
        return addr[0] >= 224 || sctpa_be32(addr) == 0 || (addr[0] == 127 && !is_peer_loopback);
    }
    return addr[0] == 0xFF;
}

RULE(FMT, 036,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.2.1.1",
    .title = "Listed address cannot be a destination",
    .quote = "indicates a transport address the sender of the INIT chunk will support for the association being "
        "initiated",
    .why = "The peer tries a path that cannot work.",
    .evidence = "A multicast, broadcast or unspecified address in INIT or INIT ACK, or 127/8 towards a peer on another "
        "host.",
    .doubt = "Private and link-local addresses are not checked.");

static bool FMT_036_applies(const sctpa_context_t *c)
{
    return is_address(c) && c->param->captured_bytes >= c->param->row->fixed_bytes;
}

/* "indicates a transport address the sender of the INIT chunk will support for the association being initiated" */
static bool FMT_036_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!is_unusable(c, c->param))
        return false;
    sctpa_violation_say(violation, "a unicast address that the peer can reach",
                        "multicast, broadcast, unspecified or loopback");
    return true;
}

RULE(FMT, 034,
    .level = MUST, .since = 9260, .is_unheard_of = true, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.2.1.4",
    .title = "Host Name Address parameter sent",
    .quote = "The sender of an INIT chunk or INIT ACK chunk MUST NOT include this parameter.",
    .why = "The receiver must abort.",
    .evidence = "The parameter stands in INIT or INIT ACK.",
    .doubt = "RFC 4960 allowed it, though no endpoint is known to have sent it: a SHOULD, unless the profile is RFC "
        "9260.");

static bool FMT_034_applies(const sctpa_context_t *c)
{
    return sctpa_tlv_is_framed(c->param);
}

/* "MUST NOT include this parameter" */
static bool FMT_034_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->param->type != SCTPA_PARAM_HOST_NAME)
        return false;
    sctpa_violation_say(violation, "no Host Name Address parameter", SCTPA_WORDS("one of length %u", c->param->length));
    return true;
}

RULE(FMT, 035,
    .level = MUST, .since = 9260, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.2.1.5",
    .title = "Host names among the Supported Address Types",
    .quote = "The value indicating the Host Name Address parameter MUST NOT be used when sending this parameter",
    .why = "It offers an address type that may not be used.",
    .evidence = "Type 11 in Supported Address Types.",
    .doubt = "RFC 4960 allowed it: a note, unless the profile is RFC 9260.");

static bool FMT_035_applies(const sctpa_context_t *c)
{
    return sctpa_tlv_is_framed(c->param) && c->param->type == SCTPA_PARAM_SUPPORTED_ADDRESS_TYPES;
}

/* "The value indicating the Host Name Address parameter MUST NOT be used when sending this parameter" */
static bool FMT_035_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    for (uint32_t at = SCTPA_TLV_HEADER_BYTES; at + 2 <= c->param->captured_bytes; at += 2)
        if (sctpa_be16(c->param->bytes + at) == SCTPA_PARAM_HOST_NAME) {
            sctpa_violation_say(violation, "no type 11", "type 11 among the Supported Address Types");
            return true;
        }
    return false;
}

static bool may_repeat(const sctpa_tlv_t *param)
{
    return !param->row || param->type == SCTPA_PARAM_IPV4 || param->type == SCTPA_PARAM_IPV6 ||
           param->type == SCTPA_PARAM_PADDING;
}

/* How many parameters of an INIT may not be repeated; *repeated: the type of the first that is, 0 none. O(parameters).
 */
static unsigned count_unique(const sctpa_param_list_t *list, uint32_t *repeated)
{
    unsigned n = 0;
    uint64_t seen = 0;
    *repeated = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        const sctpa_tlv_t *param = &list->params[i];
        uint64_t bit = UINT64_C(1) << sctpa_param_row(param->type);
        if (!sctpa_tlv_is_framed(param) || may_repeat(param))
            continue;
        if (*repeated == 0 && seen & bit)
            *repeated = param->type;
        seen |= bit;
        n++;
    }
    return n;
}

RULE(FMT, 031,
    .level = MUST, .since = 4960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(INIT),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.2",
    .title = "Parameter repeated in INIT",
    .quote = "Unless otherwise noted, each parameter MUST only be included once in the INIT chunk.",
    .why = "Receivers differ in which one they use.",
    .evidence = "A known parameter type stands twice in one INIT.",
    .doubt = "Addresses and padding may repeat; unknown types and INIT ACK are not checked.");

static bool FMT_031_applies(const sctpa_context_t *c)
{
    uint32_t repeated;
    return has_list(c, SCTPA_BODY_PARAMS) && count_unique(sctpa_context_params(c), &repeated) > 0;
}

/* "each parameter MUST only be included once in the INIT chunk" */
static bool FMT_031_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t repeated;
    count_unique(sctpa_context_params(c), &repeated);
    if (repeated == 0)
        return false;
    sctpa_violation_say(violation, "each parameter once", SCTPA_WORDS("parameter 0x%04x again", repeated));
    return true;
}

/* Is it of the set-up alone? */
static bool is_of_set_up(uint32_t type)
{
    switch (type) {
    case SCTPA_PARAM_STATE_COOKIE:
    case SCTPA_PARAM_COOKIE_PRESERVATIVE:
    case SCTPA_PARAM_SUPPORTED_ADDRESS_TYPES:
    case SCTPA_PARAM_ECN:
    case SCTPA_PARAM_ZERO_CHECKSUM:
    case SCTPA_PARAM_RANDOM:
    case SCTPA_PARAM_CHUNKS:
    case SCTPA_PARAM_HMAC_ALGO:
    case SCTPA_PARAM_FORWARD_TSN_SUPPORTED: return true;
    default: return false;
    }
}

static bool is_misplaced(const sctpa_tlv_t *chunk, uint32_t type)
{
    if (chunk->type != SCTPA_CHUNK_INIT && chunk->type != SCTPA_CHUNK_INIT_ACK)
        return is_of_set_up(type);
    switch (type) {
    case SCTPA_PARAM_ADD_IP:
    case SCTPA_PARAM_DELETE_IP:
    case SCTPA_PARAM_ERROR_CAUSE_INDICATION:
    case SCTPA_PARAM_SUCCESS_INDICATION:
    case SCTPA_PARAM_HEARTBEAT_INFO: return true;
    case SCTPA_PARAM_STATE_COOKIE:
    case SCTPA_PARAM_UNRECOGNIZED_PARAM: return chunk->type == SCTPA_CHUNK_INIT;
    case SCTPA_PARAM_COOKIE_PRESERVATIVE:
    case SCTPA_PARAM_SUPPORTED_ADDRESS_TYPES: return chunk->type == SCTPA_CHUNK_INIT_ACK;
    default: return false;
    }
}

RULE(FMT, 032,
    .level = HEURISTIC, .since = 5061, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(INIT) | ROW(INIT_ACK) | ROW(ASCONF) | ROW(ASCONF_ACK) | ROW(RE_CONFIG) | ROW(HEARTBEAT),
    .accused = "sender of the packet",
    .clause = "RFC 5061 4.2",
    .title = "Parameter where it does not belong",
    .quote = "Any parameter that appears where it is not allowed (for example, a 0xC002 parameter appearing within an "
        "INIT or INIT-ACK) MAY be responded to with an ABORT",
    .why = "The peer may abort.",
    .evidence = "A parameter of ASCONF, or of the other of the two, in INIT or INIT ACK; one of the set-up alone in "
        "ASCONF, ASCONF-ACK, RE-CONFIG or HEARTBEAT.",
    .doubt = "Set Primary, Adaptation and padding may stand in INIT and INIT ACK.");

static bool FMT_032_applies(const sctpa_context_t *c)
{
    return sctpa_tlv_is_framed(c->param);
}

/* "any parameter that appears where it is not allowed" */
static bool FMT_032_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!is_misplaced(&c->chunk->tlv, c->param->type))
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("parameters of %s", sctpa_chunk_word(&c->chunk->tlv)),
                        SCTPA_WORDS("parameter 0x%04x", c->param->type));
    return true;
}

RULE(FMT, 038,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(ERROR) | ROW(ABORT),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.10",
    .title = "Cause Length does not fit",
    .quote = "Set to the size of the parameter in bytes, including the Cause Code, Cause Length, and Cause-Specific "
        "Information fields.",
    .why = "The receiver cannot read why the association was aborted.",
    .evidence = "A cause length under 4, or larger than what is left of its chunk.",
    .doubt = "The last cause need not be padded within the chunk. The CRC32c covers the whole packet and is right: the "
        "sender built the packet this way. Packets with a zero checksum are not checked.");

static bool FMT_038_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "Set to the size of the parameter in bytes, including the Cause Code, Cause Length, and Cause-Specific Information
 * fields" */
static bool FMT_038_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_tlv_is_framed(c->param))
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("a length from 4 to %u", c->param->wire_bytes),
                        SCTPA_WORDS("cause %u of length %u", c->param->type, c->param->length));
    return true;
}

RULE(FMT, 039,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(ERROR) | ROW(ABORT),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.10.1 to 3.3.10.10",
    .title = "Error cause of a wrong length",
    .quote = "Cause Length=8",
    .why = "The receiver cannot read what the cause is about.",
    .evidence = "Invalid Stream Identifier, Stale Cookie or No User Data that is not 8 bytes long, Cookie Received "
        "While Shutting Down not 4, Missing Mandatory Parameter not 8 and 2 for each that it counts.",
    .doubt = "Text after causes that have no fields is harmless and not checked.");

static bool FMT_039_applies(const sctpa_context_t *c)
{
    static const uint32_t fixed = 1u << SCTPA_CAUSE_INVALID_SID | 1u << SCTPA_CAUSE_MISSING_PARAMS |
                                  1u << SCTPA_CAUSE_STALE_COOKIE | 1u << SCTPA_CAUSE_NO_USER_DATA |
                                  1u << SCTPA_CAUSE_COOKIE_WHILE_SHUTDOWN;
    return c->param->type < 32 && fixed >> c->param->type & 1;
}

/* Does Missing Mandatory Parameter count others than it holds? */
static bool counts_wrong(const sctpa_tlv_t *cause)
{
    const uint32_t fixed_bytes = cause->row->fixed_bytes;
    return cause->type == SCTPA_CAUSE_MISSING_PARAMS && MIN(cause->length, cause->captured_bytes) >= fixed_bytes &&
           sctpa_be32(cause->bytes + SCTPA_TLV_HEADER_BYTES) != (cause->length - fixed_bytes) / 2;
}

/* "Cause Length = 8" */
static bool FMT_039_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_tlv_is_well_formed(c->param) && !counts_wrong(c->param))
        return false;
    sctpa_violation_say(violation, "the length that the cause has by definition",
                        SCTPA_WORDS("cause %u of length %u", c->param->type, c->param->length));
    return true;
}

RULE(FMT, 053,
    .level = SHOULD, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(ERROR) | ROW(ABORT),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.10.1",
    .title = "Reserved field of Invalid Stream Identifier is not 0",
    .quote = "It is set to all 0's on transmit and ignored on receipt.",
    .why = "A later extension may give it a meaning.",
    .evidence = "Cause Invalid Stream Identifier of 8 bytes of which the last two are not 0.",
    .doubt = "The CRC32c covers the whole packet and is right: the sender built the packet this way. Packets with a "
        "zero checksum are not checked.");

static bool FMT_053_applies(const sctpa_context_t *c)
{
    return c->param->type == SCTPA_CAUSE_INVALID_SID && c->param->length == c->param->row->fixed_bytes &&
           c->param->captured_bytes >= c->param->length;
}

/* "It is set to all 0's on transmit" */
static bool FMT_053_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const uint16_t reserved = sctpa_be16(c->param->bytes + SCTPA_TLV_HEADER_BYTES + 2);
    if (reserved == 0)
        return false;
    sctpa_violation_say(violation, "0", SCTPA_WORDS("0x%04x", reserved));
    return true;
}

RULE(FMT, 054,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.2.1.3, 3.3.2.1.5; RFC 5061 4.2.6; RFC 4895 3.3",
    .title = "Parameter of the set-up of a wrong length",
    .quote = "Length = 8",
    .why = "The receiver ignores the parameter or aborts.",
    .evidence = "Cookie Preservative or Adaptation Layer Indication that is not 8 bytes long, ECN Capable not 4, "
        "Supported Address Types or HMAC-ALGO not 4 and 2 for each.",
    .doubt = "Addresses are FMT-037, and other parameters have rules of their own.");

static bool FMT_054_applies(const sctpa_context_t *c)
{
    const uint32_t type = c->param->type;
    return sctpa_tlv_is_framed(c->param) &&
           (type == SCTPA_PARAM_COOKIE_PRESERVATIVE || type == SCTPA_PARAM_ADAPTATION || type == SCTPA_PARAM_ECN ||
            type == SCTPA_PARAM_SUPPORTED_ADDRESS_TYPES || type == SCTPA_PARAM_HMAC_ALGO);
}

/* "Length = 8" */
static bool FMT_054_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_tlv_is_well_formed(c->param))
        return false;
    sctpa_violation_say(violation, "the length that the parameter has by definition",
                        SCTPA_WORDS("%s of length %u", c->param->row->title, c->param->length));
    return true;
}

RULE(FMT, 055,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(ERROR) | ROW(ABORT),
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.10.5, 3.3.10.6, 3.3.10.8",
    .title = "Error cause without what it is about",
    .quote = "The Unrecognized Chunk field contains the unrecognized chunk from the SCTP packet complete with Chunk "
        "Type, Chunk Flags, and Chunk Length.",
    .why = "The peer cannot know which chunk, parameter or address is meant.",
    .evidence = "Cause Unrecognized Chunk Type, Unrecognized Parameters or Unresolvable Address of less than 8 bytes: "
        "the header of a chunk or parameter does not fit.",
    .doubt = "What a cause holds is said without a MUST, and FreeBSD answers some chunks so: a note. A cause may hold "
        "less than the whole chunk, which is not checked.");

static bool FMT_055_applies(const sctpa_context_t *c)
{
    return sctpa_tlv_is_framed(c->param) &&
           (c->param->type == SCTPA_CAUSE_UNRECOGNIZED_CHUNK || c->param->type == SCTPA_CAUSE_UNRECOGNIZED_PARAMS ||
            c->param->type == SCTPA_CAUSE_UNRESOLVABLE_ADDRESS);
}

/* "contains the unrecognized chunk from the SCTP packet complete with Chunk Type, Chunk Flags, and Chunk Length" */
static bool FMT_055_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->param->length >= 2 * SCTPA_TLV_HEADER_BYTES)
        return false;
    sctpa_violation_say(violation, "what the cause is about, with its header",
                        SCTPA_WORDS("%s of length %u", c->param->row->title, c->param->length));
    return true;
}

/* How long the address parameter is that begins there, 0: it is none, or of a wrong length. */
static uint32_t address_bytes(const uint8_t *bytes, uint32_t room)
{
    enum { IPV4_BYTES = 8, IPV6_BYTES = 20 };
    const uint16_t type = room >= SCTPA_TLV_HEADER_BYTES ? sctpa_be16(bytes) : 0,
                   length = room >= SCTPA_TLV_HEADER_BYTES ? sctpa_be16(bytes + 2) : 0;
    const bool is_address =
        (type == SCTPA_PARAM_IPV4 && length == IPV4_BYTES) || (type == SCTPA_PARAM_IPV6 && length == IPV6_BYTES);
    return is_address && length <= room ? length : 0;
}

RULE(FMT, 056,
    .level = SHOULD, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(ERROR) | ROW(ABORT),
    .accused = "sender of the packet",
    .clause = "RFC 9260 5.2.1, 5.2.2, 3.3.10.11",
    .title = "Restart refused for new addresses, and none is named",
    .quote = "The error SHOULD list the addresses that were added to the restarting association.",
    .why = "The peer cannot know which addresses it may not use.",
    .evidence = "Cause Restart of an Association with New Addresses that does not begin with an IPv4 Address or IPv6 "
        "Address parameter of their length.",
    .doubt = "Which addresses are new is not compared.");

static bool FMT_056_applies(const sctpa_context_t *c)
{
    return sctpa_tlv_is_framed(c->param) && c->param->type == SCTPA_CAUSE_RESTART_NEW_ADDRESSES;
}

/* "The error SHOULD list the addresses that were added" */
static bool FMT_056_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const uint32_t room = c->param->length - SCTPA_TLV_HEADER_BYTES;
    if (address_bytes(c->param->bytes + SCTPA_TLV_HEADER_BYTES, room) > 0)
        return false;
    sctpa_violation_say(violation, "an IPv4 Address or IPv6 Address parameter",
                        room == 0 ? "an empty cause" : SCTPA_WORDS("%u bytes that begin with something else", room));
    return true;
}

RULE(FMT, 057,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(INIT_ACK),
    .accused = "sender of the INIT ACK",
    .clause = "RFC 9260 3.3.3.1.1, 3.3.3.1.2",
    .title = "State Cookie or Unrecognized Parameter is empty",
    .quote = "This parameter value MUST contain all the necessary state and parameter information required for the "
        "sender of this INIT ACK chunk to create the association, along with a Message Authentication Code (MAC).",
    .why = "Anybody may set up associations with such a cookie; such a report says nothing.",
    .evidence = "A State Cookie of length 4 in INIT ACK, or an Unrecognized Parameter shorter than 8.",
    .doubt = "What a cookie contains is private and not checked.");

static bool FMT_057_applies(const sctpa_context_t *c)
{
    return sctpa_tlv_is_framed(c->param) &&
           (c->param->type == SCTPA_PARAM_STATE_COOKIE || c->param->type == SCTPA_PARAM_UNRECOGNIZED_PARAM);
}

/* "MUST contain all the necessary state and parameter information"; "complete with Parameter Type, Length, and Value
 * fields" */
static bool FMT_057_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const bool is_cookie = c->param->type == SCTPA_PARAM_STATE_COOKIE;
    if (c->param->length >= (is_cookie ? SCTPA_TLV_HEADER_BYTES + 1 : 2 * SCTPA_TLV_HEADER_BYTES))
        return false;
    sctpa_violation_say(violation, is_cookie ? "a cookie" : "the parameter that was not recognized",
                        SCTPA_WORDS("%s of length %u", c->param->row->title, c->param->length));
    return true;
}

RULE(FMT, 058,
    .level = MUST, .since = 5061, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(ASCONF) | ROW(ASCONF_ACK),
    .accused = "sender of the chunk",
    .clause = "RFC 5061 4.2.1, 4.2.2, 4.2.4, 4.2.5",
    .title = "Parameter of ASCONF or ASCONF-ACK malformed",
    .quote = "This field contains an IPv4 or IPv6 address parameter as described in Section 3.3.2.1 of [RFC4960].",
    .why = "The receiver cannot process the request, or not tell which request succeeded.",
    .evidence = "Add IP Address, Delete IP Address or Set Primary Address that holds anything else than one IPv4 "
        "Address of length 8 or IPv6 Address of length 20; Success Indication that is not 8 bytes long.",
    .doubt = "The CRC32c covers the whole packet and is right: the sender built the packet this way.");

static bool FMT_058_applies(const sctpa_context_t *c)
{
    const uint32_t type = c->param->type;
    return sctpa_tlv_is_framed(c->param) && (type == SCTPA_PARAM_ADD_IP || type == SCTPA_PARAM_DELETE_IP ||
                                             type == SCTPA_PARAM_SET_PRIMARY || type == SCTPA_PARAM_SUCCESS_INDICATION);
}

/* "This field contains an IPv4 or IPv6 address parameter" */
static bool FMT_058_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *param = c->param;
    const bool is_request = param->type != SCTPA_PARAM_SUCCESS_INDICATION;
    const uint32_t fixed_bytes = param->row->fixed_bytes;
    const uint32_t inner = is_request && param->length > fixed_bytes
                               ? address_bytes(param->bytes + fixed_bytes, param->length - fixed_bytes)
                               : 0;
    if (param->length == fixed_bytes + inner && (inner > 0 || !is_request))
        return false;
    sctpa_violation_say(violation, is_request ? "one IPv4 Address or IPv6 Address parameter in it" : "length 8",
                        SCTPA_WORDS("%s of length %u", param->row->title, param->length));
    return true;
}

RULE(FMT, 042,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = BOTH | WHOLE | CHECKSUM | COMPLETE,
    .when = PARAM, .on = ROW(ERROR) | ROW(ABORT),
    .report = { .one_defect = true },
    .accused = "sender of the packet",
    .clause = "RFC 9260 3.3.10.6, 3.2",
    .title = "Unknown chunk reported that asks for no report, or was not sent",
    .quote = "if the receiver does not understand the chunk and the upper bits of the 'Chunk Type' are set to 01 or 11",
    .why = "The type bits decide what a receiver without an extension does: who ignores them breaks later extensions.",
    .evidence = "Cause Unrecognized Chunk Type that quotes a chunk type with upper bits 00 or 10, a type of which the "
        "peer sent no chunk, or of an unknown type another chunk than it sent: \"complete with Chunk Type, Chunk "
        "Flags, and Chunk Length\".",
    .doubt = "A chunk that the capture lacks explains only a report of a type that asks for one. Where the cause holds "
        "less than the chunk, only its type is compared. Missing reports are not checked: what a receiver knows cannot "
        "be seen. PD-003 says what it means for PAD.");

static bool FMT_042_applies(const sctpa_context_t *c)
{
    return sctpa_cause_unknown_chunk(c->param) >= 0;
}

/* May the peer have sent the chunk that the cause quotes? *is_of_type: one of its type. */
static bool may_be_sent_chunk(const sctpa_context_t *c, bool *is_of_type)
{
    const uint8_t *quoted = c->param->bytes + SCTPA_TLV_HEADER_BYTES;
    const uint32_t room = c->param->captured_bytes - SCTPA_TLV_HEADER_BYTES;
    const unsigned row = sctpa_chunk_row(quoted[0]);
    const uint64_t sent = reportable(c, !c->from).chunks, type_bits = bits_of(quoted, 1);
    *is_of_type =
        c->tracked->sides[!c->from].truncated ||
        (row == SCTPA_CHUNK_ROW_OTHER ? (sent & type_bits) == type_bits : sctpa_context_chunks(c, !c->from, row) > 0);
    uint16_t length = room >= SCTPA_TLV_HEADER_BYTES ? sctpa_be16(quoted + 2) : 0;
    if (!*is_of_type || row != SCTPA_CHUNK_ROW_OTHER || length < SCTPA_TLV_HEADER_BYTES || length > room ||
        c->tracked->sides[!c->from].truncated)
        return *is_of_type;
    uint64_t bits = bits_of(quoted, length);
    return (sent & bits) == bits;
}

/* "if the receiver does not understand the chunk and the upper bits of the 'Chunk Type' are set to 01 or 11" */
static bool FMT_042_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint8_t type = (uint8_t)sctpa_cause_unknown_chunk(c->param);
    bool is_of_type = false;
    violation->is_certain = !(type & REPORT_CHUNK);
    if (!violation->is_certain && may_be_sent_chunk(c, &is_of_type))
        return false;
    sctpa_violation_say(violation,
                        violation->is_certain ? "no report of this chunk type"
                                              : "a report of a chunk that was sent, as it was sent",
                        is_of_type ? SCTPA_WORDS("a chunk of type 0x%02x reported that was not sent so", type)
                                   : SCTPA_WORDS("chunk type 0x%02x reported", type));
    return true;
}

RULE(FMT, 043,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = WHOLE | CHECKSUM | COMPLETE,
    .when = PARAM, .on = ROW(INIT_ACK),
    .report = { .one_defect = true },
    .accused = "sender of the INIT ACK",
    .clause = "RFC 9260 3.3.3.1.2, 3.2.1",
    .title = "Unknown parameter reported that asks for no report, or was not sent",
    .quote = "when the INIT chunk contains an unrecognized parameter that has a type that indicates it SHOULD be "
        "reported to the sender",
    .why = "The type bits decide what a receiver without an extension does: who ignores them breaks later extensions.",
    .evidence = "Unrecognized Parameter in INIT ACK that quotes a parameter type with upper bits 00 or 10, or a "
        "parameter that no INIT of the peer has.",
    .doubt = "An INIT that the capture lacks explains only a report of a type that asks for one. Missing reports are "
        "told by FMT-052.");

static bool FMT_043_applies(const sctpa_context_t *c)
{
    return sctpa_tlv_is_framed(c->param) && c->param->type == SCTPA_PARAM_UNRECOGNIZED_PARAM &&
           c->param->captured_bytes >= 2 * SCTPA_TLV_HEADER_BYTES;
}

/* The parameter that begins there, by its own length; false: it does not fit. O(1). */
static bool read_quoted(const uint8_t *bytes, uint32_t room, sctpa_tlv_t *quoted)
{
    uint16_t length = room >= SCTPA_TLV_HEADER_BYTES ? sctpa_be16(bytes + 2) : 0;
    *quoted = (sctpa_tlv_t){ .bytes = bytes,
                             .type = room >= 2 ? sctpa_be16(bytes) : 0,
                             .length = length,
                             .wire_bytes = length,
                             .captured_bytes = length };
    return length >= SCTPA_TLV_HEADER_BYTES && length <= room;
}

/* "when the INIT chunk contains an unrecognized parameter that has a type that indicates it SHOULD be reported to the
 * sender" */
static bool FMT_043_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_tlv_t quoted;
    const sctpa_initialization_t *setup = sctpa_initialization(c);
    bool is_whole = read_quoted(c->param->bytes + SCTPA_TLV_HEADER_BYTES,
                                c->param->captured_bytes - SCTPA_TLV_HEADER_BYTES, &quoted);
    violation->is_certain = !(quoted.type & REPORT_PARAM);
    if (!violation->is_certain && (!is_whole || !setup || setup->endpoints[!c->from].inits == 0 ||
                                   sctpa_initialization_may_have_param(c, !c->from, &quoted)))
        return false;
    sctpa_violation_say(violation,
                        violation->is_certain ? "no report of this parameter type" : "a parameter as the INIT has it",
                        SCTPA_WORDS("parameter 0x%04x reported", quoted.type));
    return true;
}

RULE(FMT, 050,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = BOTH | WHOLE | CHECKSUM | COMPLETE,
    .when = PARAM, .on = ROW(ERROR),
    .report = { .one_defect = true },
    .accused = "sender of the ERROR",
    .clause = "RFC 9260 3.3.10.8, 3.2.1",
    .title = "Unknown parameter reported in ERROR that asks for no report, or was not sent",
    .quote = "The Unrecognized Parameters field contains the unrecognized parameters copied from the INIT ACK chunk "
        "complete with TLV.",
    .why = "The sender of the parameter cannot know which one is meant, and goes on without an extension that works.",
    .evidence = "Cause Unrecognized Parameters that quotes a parameter type with upper bits 00 or 10, or a parameter "
        "that the peer sent in no chunk.",
    .doubt = "A chunk that the capture lacks explains only a report of a type that asks for one. Parameters that the "
        "cause holds in part are not checked. Missing reports are not checked either: what a receiver knows cannot be "
        "seen.");

static bool FMT_050_applies(const sctpa_context_t *c)
{
    return sctpa_tlv_is_framed(c->param) && c->param->type == SCTPA_CAUSE_UNRECOGNIZED_PARAMS &&
           c->param->captured_bytes >= 2 * SCTPA_TLV_HEADER_BYTES;
}

static bool may_have_sent_param(const sctpa_context_t *c, const sctpa_tlv_t *param)
{
    const uint64_t bits = bits_of(param->bytes, param->length);
    return c->tracked->sides[!c->from].truncated || sctpa_initialization_may_have_param(c, !c->from, param) ||
           (reportable(c, !c->from).params & bits) == bits;
}

/* "contains the unrecognized parameters copied from the INIT ACK chunk complete with TLV" */
static bool FMT_050_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_tlv_t quoted;
    const uint32_t end = MIN(c->param->captured_bytes, c->param->length);
    for (uint32_t at = SCTPA_TLV_HEADER_BYTES; at < end && read_quoted(c->param->bytes + at, end - at, &quoted);
         at += (quoted.length + 3u) & ~3u) {
        violation->is_certain = !(quoted.type & REPORT_PARAM);
        if (!violation->is_certain && may_have_sent_param(c, &quoted))
            continue;
        sctpa_violation_say(violation,
                            violation->is_certain ? "no report of this parameter type" : "a parameter as it was sent",
                            SCTPA_WORDS("parameter 0x%04x of length %u reported", quoted.type, quoted.length));
        return true;
    }
    violation->is_certain = false;
    return false;
}

/* "report the unrecognized chunk in an ERROR chunk using the 'Unrecognized Chunk Type' error cause" */
RULE(FMT, 051,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = COMPLETE | NEAR,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(OTHER), .certainty = SCTPA_CERTAINTY_PROBABLE,
    .accused = "receiver of the chunk",
    .clause = "RFC 9260 3.2, 3.3.10.6",
    .title = "Unknown chunk not reported",
    .quote = "report the unrecognized chunk in an ERROR chunk",
    .why = "The peer goes on with an extension that is not understood.",
    .evidence = SCTPA_OWED_EVIDENCE " The type is none of a published document, and its second highest bit is 1.",
    .doubt = SCTPA_OWED_DOUBT " An endpoint with an extension of its own knows the chunk.");

RULE(FMT, 052,
    .level = SHOULD, .since = 2960, .seeing = MUST_HAVE, .needs = WHOLE | CHECKSUM | COMPLETE | NEAR,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(INIT_ACK), .certainty = SCTPA_CERTAINTY_PROBABLE,
    .accused = "sender of the INIT ACK",
    .clause = "RFC 9260 3.2.1, 3.3.3.1.2",
    .title = "Unknown parameter of INIT not reported",
    .quote = "when the INIT chunk contains an unrecognized parameter that has a type that indicates it SHOULD be "
        "reported to the sender",
    .why = "The peer goes on with an extension that is not understood.",
    .evidence = SCTPA_ARRIVED_EVIDENCE "the last INIT that reached it has a parameter of a type that no published "
        "document has, whose second highest bit is 1, and its INIT ACK reports none.",
    .doubt = "An endpoint with an extension of its own knows the parameter. What stands behind a parameter of an "
        "unknown type that says to stop is not looked at.");

static bool FMT_052_applies(const sctpa_context_t *c)
{
    uint16_t type;
    uint32_t packet;
    return sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED) && sctpa_obligations_unknown_param(c, &type, &packet) &&
           sctpa_context_params(c)->sound;
}

/* "when the INIT chunk contains an unrecognized parameter that has a type that indicates it SHOULD be reported to the
 * sender" */
static bool FMT_052_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint16_t type = 0;
    if (sctpa_context_params(c)->rows & SCTPA_PARAM_BIT(UNRECOGNIZED_PARAM) ||
        !sctpa_obligations_unknown_param(c, &type, &violation->related))
        return false;
    violation->rests_on = SCTPA_ASSERTED_ARRIVED;
    sctpa_violation_say(violation, SCTPA_WORDS("a report of parameter 0x%04x", type), "INIT ACK without a report");
    return true;
}

void sctpa_check_format(sctpa_context_t *c)
{
    if (c->due) {
        ASK_DUE(FMT, 051, UNKNOWN_CHUNK);
        return;
    }
    for (unsigned i = 0; i < c->n_chunks; i++) {
        c->chunk = &c->chunks[i];
        ASK_OF_CHUNK(FMT, 006);
        ASK_OF_CHUNK(FMT, 007);
        ASK_OF_CHUNK(FMT, 008);
        ASK_OF_CHUNK(FMT, 011);
        ASK_OF_CHUNK(FMT, 012);
        ASK_OF_CHUNK(FMT, 013);
        ASK_OF_CHUNK(FMT, 014);
        ASK_OF_CHUNK(FMT, 015);
        ASK_OF_CHUNK(FMT, 016);
        ASK_OF_CHUNK(FMT, 017);
        ASK_OF_CHUNK(FMT, 030);
        ASK_OF_CHUNK(FMT, 031);
        ASK_OF_CHUNK(FMT, 041);
        ASK_OF_CHUNK(FMT, 046);
        ASK_OF_CHUNK(FMT, 049);
        ASK_OF_CHUNK(FMT, 052);
        ASK_OF_CHUNK(FMT, 059);
        const sctpa_param_list_t *list = sctpa_context_params(c);
        bool is_listed = list->n > 0 && (lists_params(c) || lists_causes(c));
        for (uint32_t n = 0; is_listed && n < list->n; n++) {
            c->param = &list->params[n];
            ASK_OF_PARAM(FMT, 028);
            ASK_OF_PARAM(FMT, 029);
            ASK_OF_PARAM(FMT, 032);
            ASK_OF_PARAM(FMT, 033);
            ASK_OF_PARAM(FMT, 034);
            ASK_OF_PARAM(FMT, 035);
            ASK_OF_PARAM(FMT, 036);
            ASK_OF_PARAM(FMT, 037);
            ASK_OF_PARAM(FMT, 038);
            ASK_OF_PARAM(FMT, 039);
            ASK_OF_PARAM(FMT, 042);
            ASK_OF_PARAM(FMT, 043);
            ASK_OF_PARAM(FMT, 050);
            ASK_OF_PARAM(FMT, 053);
            ASK_OF_PARAM(FMT, 054);
            ASK_OF_PARAM(FMT, 055);
            ASK_OF_PARAM(FMT, 056);
            ASK_OF_PARAM(FMT, 057);
            ASK_OF_PARAM(FMT, 058);
        }
        reportable_take(c);
    }
}
