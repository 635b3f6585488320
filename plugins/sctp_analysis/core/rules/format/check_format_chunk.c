/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of each chunk by itself: its frame, its length and its flags. Leaves out what is bundled with it, and its
 * parameters. A right checksum covers the packet to its end, so that its sender made the chunk as it is. */
#include "rules/rule_functions.h"

enum { DATA_RESERVED = 0xF0, RESERVED_TYPE = 63 };

/* Is the chunk's frame sound, and as its sender made it? */
static bool is_framed(const sctpa_context_t *c)
{
    return sctpa_context_is_verified(c) && sctpa_tlv_is_framed(&c->chunk->tlv);
}

bool sctpa_FMT_006_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_verified(c);
}

/* "if the Chunk Value field is zero-length, the Length field will be set to 4" */
bool sctpa_FMT_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->chunk->tlv.fault != SCTPA_FAULT_LENGTH_BELOW_HEADER)
        return false;
    sctpa_violation_say(violation, "a Chunk Length of 4 or more", SCTPA_WORDS("%u", c->chunk->tlv.length));
    return true;
}

bool sctpa_FMT_046_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_verified(c);
}

/* "Reserved for IETF-defined Chunk Extensions" */
bool sctpa_FMT_046_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if ((c->chunk->tlv.type & RESERVED_TYPE) != RESERVED_TYPE)
        return false;
    sctpa_violation_say(violation, "a chunk type that is not reserved", SCTPA_WORDS("type %u", c->chunk->tlv.type));
    return true;
}

bool sctpa_FMT_007_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_verified(c);
}

/* "Partial chunks MUST NOT be placed in an SCTP packet" */
bool sctpa_FMT_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    if (chunk->fault != SCTPA_FAULT_LENGTH_BEYOND_END)
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("at most %u bytes, all that is left", chunk->wire_bytes),
                        SCTPA_WORDS("%s of length %u", sctpa_chunk_word(chunk), chunk->length));
    return true;
}

bool sctpa_FMT_008_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_verified(c) && c->chunk->tlv.padding_bytes > 0;
}

/* "the sender MUST pad the chunk with all zero bytes" */
bool sctpa_FMT_008_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

bool sctpa_FMT_014_applies(const sctpa_context_t *c)
{
    return is_framed(c);
}

/* "Set to 8" */
bool sctpa_FMT_014_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_wrong_length(c, c->chunk->tlv.type == SCTPA_CHUNK_SHUTDOWN ? "length 8" : "length 4", violation);
}

bool sctpa_FMT_015_applies(const sctpa_context_t *c)
{
    return is_framed(c);
}

/* "Any Type-Length-Value fields MUST be placed after the fixed-length fields" */
bool sctpa_FMT_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_wrong_length(c, "at least 20 bytes", violation);
}

bool sctpa_FMT_016_applies(const sctpa_context_t *c)
{
    return is_framed(c);
}

/* "MUST contain the Cumulative TSN Ack, Advertised Receiver Window Credit (a_rwnd), Number of Gap Ack Blocks, ..." */
bool sctpa_FMT_016_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_wrong_length(c, "16 bytes, and 4 for each gap block and duplicate counted", violation);
}

bool sctpa_FMT_017_applies(const sctpa_context_t *c)
{
    return is_framed(c);
}

/* "The following format MUST be used for the DATA chunk" */
bool sctpa_FMT_017_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    if (chunk->length >= chunk->row->fixed_bytes)
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("a length above %u", chunk->row->fixed_bytes),
                        SCTPA_WORDS("%u", chunk->length));
    return true;
}

bool sctpa_FMT_013_applies(const sctpa_context_t *c)
{
    return is_framed(c);
}

/* "where L MUST be greater than 0" */
bool sctpa_FMT_013_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    if (chunk->length != chunk->row->fixed_bytes)
        return false;
    sctpa_violation_say(violation, "at least one byte of user data",
                        SCTPA_WORDS("none: TSN %u, length %u", sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN), chunk->length));
    return true;
}

bool sctpa_FMT_012_applies(const sctpa_context_t *c)
{
    return is_framed(c);
}

/* "All set to 0 on transmit" */
bool sctpa_FMT_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

bool sctpa_FMT_011_applies(const sctpa_context_t *c)
{
    return is_framed(c);
}

/* "all bits in it SHOULD be set to 0 by the sender" */
bool sctpa_FMT_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return has_flags(c, violation);
}

bool sctpa_FMT_049_applies(const sctpa_context_t *c)
{
    return is_framed(c);
}

/* "Set to 0 on transmit" */
bool sctpa_FMT_049_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return has_flags(c, violation);
}

bool sctpa_FMT_041_applies(const sctpa_context_t *c)
{
    return is_framed(c);
}

/* "It contains one or more error causes" */
bool sctpa_FMT_041_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->chunk->tlv.length != SCTPA_TLV_HEADER_BYTES)
        return false;
    sctpa_violation_say(violation, "one cause or more", "ERROR of length 4");
    return true;
}
