/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PAD chunks and padding parameters (RFC 4820). Keeps the PAD parameters with which endpoints padded their INITs, by
 * their beginnings; leaves out shorter ones. */
#include "model/chapter.h"

#include <string.h>

/* The beginning of a PAD parameter that is looked for: fewer bytes may be in a cookie by chance. */
#define PAD_COMPARED_BYTES 16

/* Of the last INIT of an endpoint that had one. */
typedef struct {
    uint8_t beginning[PAD_COMPARED_BYTES]; /* of the parameter, with its header */
    uint32_t packet;
    bool is_kept;
} init_padding_t;

typedef struct {
    init_padding_t endpoints[2];
} init_paddings_t;

/* That of an endpoint before the packet, NULL none. O(1). */
static const init_padding_t *init_padding(const sctpa_context_t *c, uint8_t endpoint)
{
    const init_paddings_t *kept = sctpa_context_find_part(c, SCTPA_PART_INIT_PADDING);
    return kept && kept->endpoints[endpoint].is_kept ? &kept->endpoints[endpoint] : NULL;
}

/* Takes the INIT of the packet, after the rules. O(parameters). */
static void init_padding_take(const sctpa_context_t *c)
{
    const sctpa_observed_t *init = sctpa_context_observed(c, SCTPA_CHUNK_ROW_INIT);
    const sctpa_tlv_t *pad =
        init ? sctpa_param_list_find(sctpa_context_params_of(c, init), SCTPA_PARAM_ROW_PADDING) : NULL;
    if (!pad || pad->captured_bytes < PAD_COMPARED_BYTES)
        return;
    init_paddings_t *kept = sctpa_context_part(c, SCTPA_PART_INIT_PADDING, sizeof *kept);
    init_padding_t *own = &kept->endpoints[c->from];
    memcpy(own->beginning, pad->bytes, PAD_COMPARED_BYTES);
    own->packet = c->index;
    own->is_kept = true;
}

RULE(PD, 001,
    .level = MUST, .since = 4820, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER,
    .on = ROW(INIT) | ROW(INIT_ACK) | ROW(ASCONF) | ROW(ASCONF_ACK) | ROW(RE_CONFIG) | ROW(HEARTBEAT),
    .accused = "sender of the chunk",
    .clause = "RFC 4820 4",
    .title = "PAD parameter outside INIT",
    .quote = "The PAD parameter MAY be included only in the INIT chunk.  It MUST NOT be included in any other chunk.",
    .why = "A receiver may refuse the chunk, or answer that it does not know the parameter.",
    .evidence = "Parameter 0x8005 directly in INIT ACK, ASCONF, ASCONF-ACK, RE-CONFIG or HEARTBEAT.",
    .doubt = "A parameter quoted in Unrecognized Parameter or an error cause does not count, nor does one in HEARTBEAT "
        "ACK, which echoes what the HEARTBEAT held.");

static bool PD_001_applies(const sctpa_context_t *c)
{
    return sctpa_context_params(c)->sound;
}

/* RFC 4820 4: "The PAD parameter MAY be included only in the INIT chunk. It MUST NOT be included in any other chunk."
 */
static bool PD_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    if (chunk->type == SCTPA_CHUNK_INIT || !(sctpa_context_params(c)->rows & SCTPA_PARAM_BIT(PADDING)))
        return false;
    sctpa_violation_say(violation, "PAD parameters in INIT only",
                        SCTPA_WORDS("PAD parameter in %s", chunk->row->title));
    return true;
}

static bool holds(const sctpa_tlv_t *tlv, const uint8_t *part)
{
    for (uint32_t at = SCTPA_TLV_HEADER_BYTES; at + PAD_COMPARED_BYTES <= tlv->captured_bytes; at++)
        if (tlv->bytes[at] == part[0] && memcmp(tlv->bytes + at, part, PAD_COMPARED_BYTES) == 0)
            return true;
    return false;
}

RULE(PD, 002,
    .level = MUST, .since = 4820, .seeing = COULD, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(INIT_ACK),
    .accused = "sender of the INIT ACK",
    .clause = "RFC 4820 4",
    .title = "PAD parameter of the INIT inside the State Cookie",
    .quote = "A receiver of a PAD parameter MUST NOT include the PAD parameter within any State Cookie parameter it "
        "generates.",
    .why = "An INIT that was padded to probe the path makes the COOKIE ECHO too large for it.",
    .evidence = "The first " SAY(PAD_COMPARED_BYTES) " bytes of the parameter (type, length, data) stand in the "
        "State Cookie.",
    .doubt = "Shorter PAD parameters are not checked: their bytes may be there by chance.");

static bool PD_002_applies(const sctpa_context_t *c)
{
    return init_padding(c, !c->from) && sctpa_context_params(c)->rows & SCTPA_PARAM_BIT(STATE_COOKIE);
}

/* RFC 4820 4: "A receiver of a PAD parameter MUST NOT include the PAD parameter within any State Cookie parameter it
 * generates." */
static bool PD_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const init_padding_t *padding = init_padding(c, !c->from);
    const sctpa_tlv_t *cookie = sctpa_context_param(c, SCTPA_PARAM_ROW_STATE_COOKIE);
    if (!holds(cookie, padding->beginning))
        return false;
    violation->related = padding->packet;
    sctpa_violation_say(
        violation, "a State Cookie without the PAD parameter",
        SCTPA_WORDS("the PAD parameter of the INIT inside a State Cookie of %u bytes", cookie->wire_bytes));
    return true;
}

/* The chunk that an ERROR reports as unrecognized, of the type asked for; any: of whatever type. */
static bool reports_chunk(const sctpa_tlv_t *error, bool any, uint8_t type)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t cause;
    sctpa_params_begin(&iter, error);
    while (sctpa_tlv_next(&iter, &cause)) {
        int reported = sctpa_cause_unknown_chunk(&cause);
        if (reported >= 0 && (any || reported == type))
            return true;
    }
    return false;
}

RULE(PD, 003,
    .level = SHOULD, .since = 4820, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(ERROR),
    .accused = "sender of the ERROR",
    .clause = "RFC 4820 3; RFC 9260 3.2",
    .title = "PAD chunk reported as unknown",
    .quote = "The receiver of the PAD chunk MUST discard this chunk and continue processing the rest of the chunks in "
        "the packet.",
    .why = "The chunk type asks for no report: each report costs a packet per probe, and shows that the receiver "
        "ignores the type bits.",
    .evidence = "ERROR with cause Unrecognized Chunk Type that quotes chunk type 0x84.",
    .doubt = "The clause requires the receiver to discard the chunk but does not mention reports: therefore a SHOULD.");

static bool PD_003_applies(const sctpa_context_t *c)
{
    return reports_chunk(&c->chunk->tlv, true, 0);
}

/* RFC 4820 3: "The receiver of the PAD chunk MUST discard this chunk and continue processing the rest of the chunks in
 * the packet." */
static bool PD_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!reports_chunk(&c->chunk->tlv, false, SCTPA_CHUNK_PAD))
        return false;
    sctpa_violation_say(violation, "PAD discarded silently", "ERROR, cause Unrecognized Chunk Type: PAD");
    return true;
}

RULE(PD, 004,
    .level = SHOULD, .since = 4820, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(PAD),
    .accused = "sender of the PAD chunk",
    .clause = "RFC 4820 3",
    .title = "PAD flags are not zero",
    .quote = "This value SHOULD be set to zero on transmit and MUST be ignored on receipt.",
    .why = "Flags may get a meaning later; no receiver looks at them now.",
    .evidence = "A flag of the chunk is set.",
    .doubt = "Padding data may hold anything.");

static bool PD_004_applies(const sctpa_context_t *c)
{
    return c->chunk->tlv.type == SCTPA_CHUNK_PAD;
}

/* RFC 4820 3: "This value SHOULD be set to zero on transmit and MUST be ignored on receipt." */
static bool PD_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->chunk->tlv.flags == 0)
        return false;
    sctpa_violation_say(violation, "flags 0", SCTPA_WORDS("flags 0x%02x", c->chunk->tlv.flags));
    return true;
}

void sctpa_check_padding(sctpa_context_t *c)
{
    ASK(PD, 001);
    ASK(PD, 002);
    ASK(PD, 003);
    ASK(PD, 004);
    init_padding_take(c);
}
