/* Judges the fixed part of each chunk: its length and its flags. Leaves out what is bundled with it. */
#include "check_format.h"

enum { DATA_BYTES = 16, I_DATA_BYTES = 20, DATA_RESERVED = 0xF0 };

static bool is_wrong_length(const sctpa_tlv_t *chunk)
{
    return chunk->fault == SCTPA_FAULT_LENGTH_BELOW_MINIMUM || chunk->fault == SCTPA_FAULT_LENGTH_BODY;
}

static void check_length(sctpa_context_t *c, const sctpa_tlv_t *chunk, sctpa_rule_t rule, const char *expected)
{
    /* "Set to 8"; "MUST be placed after the fixed-length fields"; "MUST contain the Cumulative TSN Ack, ..." */
    if (sctpa_may_judge(c, rule, c->from) && is_wrong_length(chunk))
        sctpa_format_accuse(c, rule, expected, sctpa_words("%s of length %u", sctpa_format_word(chunk), chunk->length));
}

static void check_data(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    uint16_t least = chunk->type == SCTPA_CHUNK_DATA ? DATA_BYTES : I_DATA_BYTES;
    /* "The following format MUST be used for the DATA chunk" */
    if (sctpa_may_judge(c, SCTPA_RULE_FMT_017, c->from) && chunk->length < least)
        sctpa_format_accuse(c, SCTPA_RULE_FMT_017, SCTPA_WORDS("a length above %u", least),
                            sctpa_words("%u", chunk->length));
    /* "where L MUST be greater than 0" */
    if (sctpa_may_judge(c, SCTPA_RULE_FMT_013, c->from) && chunk->length == least)
        sctpa_format_accuse(
            c, SCTPA_RULE_FMT_013, "at least one byte of user data",
            sctpa_words("none: TSN %u, length %u", sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN), chunk->length));
    /* "All set to 0 on transmit" */
    if (chunk->type == SCTPA_CHUNK_DATA && sctpa_may_judge(c, SCTPA_RULE_FMT_012, c->from) &&
        chunk->flags & DATA_RESERVED)
        sctpa_format_accuse(c, SCTPA_RULE_FMT_012, "reserved bits 0", sctpa_words("flags 0x%02x", chunk->flags));
}

static void check_init(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    check_length(c, chunk, SCTPA_RULE_FMT_015, "at least 20 bytes");
    /* "all bits in it SHOULD be set to 0 by the sender" */
    if (sctpa_may_judge(c, SCTPA_RULE_FMT_011, c->from) && chunk->flags)
        sctpa_format_accuse(c, SCTPA_RULE_FMT_011, "flags 0",
                            sctpa_words("%s with flags 0x%02x", sctpa_format_word(chunk), chunk->flags));
}

static void check_error(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    /* "It contains one or more error causes" */
    if (sctpa_may_judge(c, SCTPA_RULE_FMT_041, c->from) && chunk->length == SCTPA_TLV_HEADER_BYTES)
        sctpa_format_accuse(c, SCTPA_RULE_FMT_041, "one cause or more", sctpa_words("ERROR of length 4"));
}

void sctpa_format_chunk(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    if (chunk->fault == SCTPA_FAULT_LENGTH_BELOW_HEADER || chunk->fault == SCTPA_FAULT_LENGTH_BEYOND_END)
        return;
    switch (chunk->type) {
    case SCTPA_CHUNK_DATA:
    case SCTPA_CHUNK_I_DATA: check_data(c, chunk); return;
    case SCTPA_CHUNK_SACK:
        check_length(c, chunk, SCTPA_RULE_FMT_016, "16 bytes, and 4 for each gap block and duplicate counted");
        return;
    case SCTPA_CHUNK_SHUTDOWN: check_length(c, chunk, SCTPA_RULE_FMT_014, "length 8"); return;
    case SCTPA_CHUNK_SHUTDOWN_ACK:
    case SCTPA_CHUNK_COOKIE_ACK:
    case SCTPA_CHUNK_SHUTDOWN_COMPLETE: check_length(c, chunk, SCTPA_RULE_FMT_014, "length 4"); return;
    case SCTPA_CHUNK_INIT:
    case SCTPA_CHUNK_INIT_ACK: check_init(c, chunk); break;
    case SCTPA_CHUNK_ERROR: check_error(c, chunk); break;
    default: break;
    }
    if (!chunk->row || chunk->fault == SCTPA_FAULT_LENGTH_BELOW_MINIMUM || chunk->captured_bytes < chunk->wire_bytes)
        return;
    if (chunk->row->body == SCTPA_BODY_PARAMS)
        sctpa_format_params(c, chunk);
    else if (chunk->row->body == SCTPA_BODY_CAUSES)
        sctpa_format_causes(c, chunk);
}
