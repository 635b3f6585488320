/* Judges authentication: what INIT and INIT ACK announce of it. What authenticates packets stands in
 * check_auth_chunks.c. */
#include "auth_state.h"
#include "rules/param_counts.h"

enum { RANDOM_BYTES = 32, HMAC_SHA1 = 1, LIST_AT = SCTPA_TLV_HEADER_BYTES };

static const uint64_t auth_params = SCTPA_PARAM_BIT(RANDOM) | SCTPA_PARAM_BIT(CHUNKS) | SCTPA_PARAM_BIT(HMAC_ALGO);

/* RFC 4895 6.1: "MUST send one RANDOM parameter in its INIT or INIT-ACK chunk"; "MUST include in the INIT and INIT-ACK
 * a HMAC-ALGO parameter" */
static void check_announced(sctpa_context_t *c, const sctpa_param_set_t *set)
{
    const uint64_t both = SCTPA_PARAM_BIT(RANDOM) | SCTPA_PARAM_BIT(HMAC_ALGO);
    bool is_willing = set->rows & (SCTPA_PARAM_BIT(RANDOM) | SCTPA_PARAM_BIT(CHUNKS));
    if (is_willing && sctpa_may_judge(c, SCTPA_RULE_AU_001, c->from) && (set->rows & both) != both)
        sctpa_accuse(c, SCTPA_RULE_AU_001, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "RANDOM and HMAC-ALGO",
                     SCTPA_WORDS("RANDOM %s, CHUNKS %s, HMAC-ALGO %s",
                                 set->rows & SCTPA_PARAM_BIT(RANDOM) ? "there" : "missing",
                                 set->rows & SCTPA_PARAM_BIT(CHUNKS) ? "there" : "missing",
                                 set->rows & SCTPA_PARAM_BIT(HMAC_ALGO) ? "there" : "missing"));
}

/* RFC 4895 3.1 to 3.3: "MUST be included once in the INIT or INIT-ACK chunk" */
static void check_repeated(sctpa_context_t *c, const sctpa_param_set_t *set)
{
    if (set->rows & auth_params && sctpa_may_judge(c, SCTPA_RULE_AU_017, c->from) && set->repeated & auth_params)
        sctpa_accuse(c, SCTPA_RULE_AU_017, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "each parameter once",
                     SCTPA_WORDS("more than one %s", set->repeated & SCTPA_PARAM_BIT(RANDOM)   ? "RANDOM"
                                                     : set->repeated & SCTPA_PARAM_BIT(CHUNKS) ? "CHUNKS"
                                                                                               : "HMAC-ALGO"));
}

/* RFC 4895 6.1: "The RANDOM parameter MUST contain a 32-byte Random Number." */
static void check_random(sctpa_context_t *c, const sctpa_tlv_t *init, bool is_sound)
{
    sctpa_auth_state_t *state = sctpa_auth_state(c);
    sctpa_tlv_t random;
    bool has_random = sctpa_param_find(init, SCTPA_PARAM_RANDOM, &random);
    bool is_bad = has_random && is_sound && random.length != LIST_AT + RANDOM_BYTES;
    if (is_bad)
        state->random_packet[c->from] = c->index;
    state->other_random[c->from] = state->other_random[c->from] || !is_bad;
    state->bad_random[c->from] = state->bad_random[c->from] || is_bad;
    if (has_random && sctpa_may_judge(c, SCTPA_RULE_AU_002, c->from) && is_bad)
        sctpa_accuse(c, SCTPA_RULE_AU_002, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "32 bytes",
                     SCTPA_WORDS("%d bytes", (int)random.length - LIST_AT));
}

/* RFC 4895 3.2: "The chunk types for INIT, INIT-ACK, SHUTDOWN-COMPLETE, and AUTH chunks MUST NOT be listed in the
 * CHUNKS parameter." */
static void check_list_of_chunks(sctpa_context_t *c, const sctpa_tlv_t *init)
{
    sctpa_tlv_t list;
    if (!sctpa_param_find(init, SCTPA_PARAM_CHUNKS, &list) || !sctpa_may_judge(c, SCTPA_RULE_AU_004, c->from))
        return;
    for (uint32_t at = LIST_AT; at < list.captured_bytes; at++) {
        uint8_t type = list.bytes[at];
        if (type == SCTPA_CHUNK_INIT || type == SCTPA_CHUNK_INIT_ACK || type == SCTPA_CHUNK_SHUTDOWN_COMPLETE ||
            type == SCTPA_CHUNK_AUTH) {
            sctpa_accuse(c, SCTPA_RULE_AU_004, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                         "neither INIT, INIT ACK, SHUTDOWN COMPLETE nor AUTH",
                         SCTPA_WORDS("chunk type %u is listed", type));
            return;
        }
    }
}

/* RFC 4895 6.1: "The HMAC algorithm based on SHA-1 MUST be supported and included in the HMAC-ALGO parameter." */
static void check_list_of_hmacs(sctpa_context_t *c, const sctpa_tlv_t *init)
{
    sctpa_tlv_t list;
    bool has_sha1 = false;
    if (!sctpa_param_find(init, SCTPA_PARAM_HMAC_ALGO, &list) || !sctpa_may_judge(c, SCTPA_RULE_AU_005, c->from))
        return;
    for (uint32_t at = LIST_AT; at + 2 <= list.captured_bytes; at += 2)
        has_sha1 = has_sha1 || sctpa_be16(list.bytes + at) == HMAC_SHA1;
    if (!has_sha1)
        sctpa_accuse(c, SCTPA_RULE_AU_005, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     "HMAC identifier 1 (SHA-1) in the list",
                     SCTPA_WORDS("%u identifiers, 1 is not among them", (list.captured_bytes - LIST_AT) / 2));
}

static void check_init(sctpa_context_t *c, const sctpa_tlv_t *init)
{
    sctpa_param_set_t set = sctpa_param_set(init);
    sctpa_auth_state_t *state = sctpa_auth_state(c);
    state->sound[c->from] = state->sound[c->from] || set.sound;
    state->announced[c->from] |=
        (uint8_t)(((set.rows & SCTPA_PARAM_BIT(RANDOM)) != 0) | ((set.rows & SCTPA_PARAM_BIT(HMAC_ALGO)) != 0) << 1);
    check_random(c, init, set.sound);
    if (!set.sound)
        return;
    check_announced(c, &set);
    check_repeated(c, &set);
    check_list_of_chunks(c, init);
    check_list_of_hmacs(c, init);
}

/* RFC 4895 6.1: "If the Random Number is not 32 bytes, the association MUST be aborted." */
static void check_abort_due(sctpa_context_t *c)
{
    const sctpa_auth_state_t *state = sctpa_auth_state(c);
    uint8_t peer = !c->from;
    bool is_judge = state->announced[c->from] & 1;
    if (!is_judge || !state->announced[peer] || !sctpa_may_judge(c, SCTPA_RULE_AU_003, c->from))
        return;
    if (state->bad_random[peer] && !state->other_random[peer] && !sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT))
        sctpa_accuse(c, SCTPA_RULE_AU_003, c->from, SCTPA_NO_PATH, state->random_packet[peer],
                     "ABORT, since RANDOM is not of 32 bytes",
                     c->rows & SCTPA_ROW(COOKIE_ECHO) ? "COOKIE ECHO" : "COOKIE ACK");
}

void sctpa_check_auth(sctpa_context_t *c)
{
    const sctpa_tlv_t *init = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_INIT);
    if (!init)
        init = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_INIT_ACK);
    if (init)
        check_init(c, init);
    if (c->rows & (SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(COOKIE_ACK)))
        check_abort_due(c);
    sctpa_check_auth_chunks(c);
}
