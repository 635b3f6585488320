/* Judges PAD chunks and padding parameters (RFC 4820). */
#include <string.h>

#include "rules/context.h"
#include "rules/param_counts.h"

enum { PAD_KEPT_BYTES = 16, CAUSE_CHUNK_AT = SCTPA_TLV_HEADER_BYTES };

/* The beginning of the last padding parameter of an INIT, by end. */
typedef struct {
    uint8_t pad[2][PAD_KEPT_BYTES];
    uint32_t packet[2];
    bool has_pad[2];
} padding_state_t;

/* RFC 4820 4: "The PAD parameter MAY be included only in the INIT chunk. It MUST NOT be included in any other chunk."
 */
static void check_place(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    sctpa_param_set_t set = sctpa_param_set(chunk);
    if (set.sound && sctpa_may_judge(c, SCTPA_RULE_PD_001, c->from) && set.rows & SCTPA_PARAM_BIT(PADDING) &&
        chunk->type != SCTPA_CHUNK_INIT)
        sctpa_accuse(c, SCTPA_RULE_PD_001, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "PAD parameters in INIT only",
                     SCTPA_WORDS("PAD parameter in %s", chunk->row->title));
}

static void note_pad(sctpa_context_t *c, const sctpa_tlv_t *init)
{
    sctpa_tlv_t pad;
    if (!sctpa_param_find(init, SCTPA_PARAM_PADDING, &pad) || pad.captured_bytes < PAD_KEPT_BYTES)
        return;
    padding_state_t *state = sctpa_context_state(c, SCTPA_GROUP_PADDING, sizeof *state);
    memcpy(state->pad[c->from], pad.bytes, PAD_KEPT_BYTES);
    state->packet[c->from] = c->index;
    state->has_pad[c->from] = true;
}

static bool holds(const sctpa_tlv_t *tlv, const uint8_t *part)
{
    for (uint32_t at = SCTPA_TLV_HEADER_BYTES; at + PAD_KEPT_BYTES <= tlv->captured_bytes; at++)
        if (tlv->bytes[at] == part[0] && memcmp(tlv->bytes + at, part, PAD_KEPT_BYTES) == 0)
            return true;
    return false;
}

/* RFC 4820 4: "A receiver of a PAD parameter MUST NOT include the PAD parameter within any State Cookie parameter it
 * generates." */
static void check_cookie(sctpa_context_t *c, const sctpa_tlv_t *init_ack)
{
    const padding_state_t *state = sctpa_context_find_state(c, SCTPA_GROUP_PADDING);
    sctpa_tlv_t cookie;
    if (!state || !state->has_pad[!c->from] || !sctpa_param_find(init_ack, SCTPA_PARAM_STATE_COOKIE, &cookie) ||
        !sctpa_may_judge(c, SCTPA_RULE_PD_002, c->from))
        return;
    if (holds(&cookie, state->pad[!c->from]))
        sctpa_accuse(c, SCTPA_RULE_PD_002, c->from, SCTPA_NO_PATH, state->packet[!c->from],
                     "a State Cookie without the PAD parameter",
                     SCTPA_WORDS("the PAD parameter of the INIT inside a State Cookie of %u bytes", cookie.wire_bytes));
}

/* RFC 4820 3: "The receiver of the PAD chunk MUST discard this chunk and continue processing the rest of the chunks in
 * the packet." */
static void check_report(sctpa_context_t *c, const sctpa_tlv_t *error)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t cause;
    sctpa_params_begin(&iter, error);
    while (sctpa_tlv_next(&iter, &cause)) {
        if (cause.type != SCTPA_CAUSE_UNRECOGNIZED_CHUNK || cause.captured_bytes <= CAUSE_CHUNK_AT ||
            !sctpa_may_judge(c, SCTPA_RULE_PD_003, c->from))
            continue;
        if (cause.bytes[CAUSE_CHUNK_AT] == SCTPA_CHUNK_PAD)
            sctpa_accuse(c, SCTPA_RULE_PD_003, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                         "PAD discarded in silence", "ERROR, cause Unrecognized Chunk Type: PAD");
    }
}

/* RFC 4820 3: "This value SHOULD be set to zero on transmit and MUST be ignored on receipt." */
static void check_flags(sctpa_context_t *c, const sctpa_tlv_t *pad)
{
    if (sctpa_may_judge(c, SCTPA_RULE_PD_004, c->from) && pad->flags != 0)
        sctpa_accuse(c, SCTPA_RULE_PD_004, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "flags 0",
                     SCTPA_WORDS("flags 0x%02x", pad->flags));
}

void sctpa_check_padding(sctpa_context_t *c)
{
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i].tlv;
        switch (chunk->type) {
        case SCTPA_CHUNK_PAD: check_flags(c, chunk); break;
        case SCTPA_CHUNK_ERROR: check_report(c, chunk); break;
        case SCTPA_CHUNK_INIT:
            note_pad(c, chunk);
            check_place(c, chunk);
            break;
        case SCTPA_CHUNK_INIT_ACK:
            check_cookie(c, chunk);
            check_place(c, chunk);
            break;
        case SCTPA_CHUNK_ASCONF:
        case SCTPA_CHUNK_ASCONF_ACK:
        case SCTPA_CHUNK_RE_CONFIG:
        case SCTPA_CHUNK_HEARTBEAT: check_place(c, chunk); break;
        default: break;
        }
    }
}
