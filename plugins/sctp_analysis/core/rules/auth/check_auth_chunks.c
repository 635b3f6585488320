/* Judges AUTH chunks, and chunks that should have come after one. What is announced stands in check_auth.c. */
#include "auth_state.h"

enum {
    AUTH_HEADER_BYTES = 8,
    HMAC_SHA1 = 1,
    HMAC_SHA256 = 3,
    SHA1_BYTES = 20,
    SHA256_BYTES = 32,
    HMAC_CAUSE_BYTES = 6
};

bool sctpa_is_authenticated(const sctpa_context_t *c, unsigned at)
{
    return c->auth_at < at;
}

/* RFC 4895 5.1: "The control chunk AUTH MUST NOT appear more than once in an SCTP packet." */
static void check_count(sctpa_context_t *c)
{
    unsigned n = 0;
    if (c->record->remarks & SCTPA_CAPTURE_OFFLOAD || !sctpa_may_judge(c, SCTPA_RULE_AU_006, c->from))
        return;
    for (unsigned i = c->auth_at; i < c->n_chunks; i++)
        n += c->chunks[i].tlv.type == SCTPA_CHUNK_AUTH;
    if (n > 1)
        sctpa_accuse(c, SCTPA_RULE_AU_006, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "one AUTH chunk",
                     SCTPA_WORDS("%u", n));
}

/* Is id in the HMAC-ALGO parameter, the last of a key vector? false and *known false: there is no list. */
static bool is_listed(const sctpa_bytes_t *vector, uint32_t id, bool *known)
{
    uint32_t at = 0, length = 0, type = 0;
    for (*known = false; vector && at + SCTPA_TLV_HEADER_BYTES <= vector->length; at += length) {
        type = sctpa_be16(vector->data + at);
        length = sctpa_be16(vector->data + at + 2);
        if (length < SCTPA_TLV_HEADER_BYTES || at + length > vector->length)
            return false;
        if (type != SCTPA_PARAM_HMAC_ALGO)
            continue;
        *known = true;
        for (uint32_t i = at + SCTPA_TLV_HEADER_BYTES; i + 2 <= at + length; i += 2)
            if (sctpa_be16(vector->data + i) == id)
                return true;
    }
    return false;
}

/* RFC 4895 3.3: "This parameter is used to list the HMAC Identifiers the peer MUST use." */
static void check_identifier(sctpa_context_t *c, const sctpa_tlv_t *auth)
{
    uint32_t id = sctpa_tlv_u32(auth, SCTPA_F_AUTH_HMAC_ID);
    bool known, listed = is_listed(c->assoc->ends[!c->from].key_vector, id, &known);
    if (known && sctpa_may_judge(c, SCTPA_RULE_AU_008, c->from) && !listed)
        sctpa_accuse(c, SCTPA_RULE_AU_008, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     "an HMAC identifier that the peer listed", SCTPA_WORDS("%u", id));
}

/* RFC 4895 5.1: "This value holds the length of the HMAC in bytes plus 8." */
static void check_length(sctpa_context_t *c, const sctpa_tlv_t *auth)
{
    uint32_t id = sctpa_tlv_u32(auth, SCTPA_F_AUTH_HMAC_ID);
    unsigned hmac_bytes = id == HMAC_SHA1 ? SHA1_BYTES : id == HMAC_SHA256 ? SHA256_BYTES : 0;
    if (hmac_bytes > 0 && sctpa_may_judge(c, SCTPA_RULE_AU_009, c->from) &&
        auth->length != AUTH_HEADER_BYTES + hmac_bytes)
        sctpa_accuse(c, SCTPA_RULE_AU_009, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     SCTPA_WORDS("length %u for HMAC identifier %u", AUTH_HEADER_BYTES + hmac_bytes, id),
                     SCTPA_WORDS("%u", auth->length));
}

/* RFC 4895 5.1: "SHOULD be set to zero on transmit and MUST be ignored on receipt." */
static void check_flags(sctpa_context_t *c, const sctpa_tlv_t *auth)
{
    if (sctpa_may_judge(c, SCTPA_RULE_AU_013, c->from) && auth->flags != 0)
        sctpa_accuse(c, SCTPA_RULE_AU_013, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "flags 0",
                     SCTPA_WORDS("flags 0x%02x", auth->flags));
}

/* RFC 4895 6.1: "each endpoint knows its own Random Number and the peer's Random Number after the association has been
 * established" */
static void check_voluntary(sctpa_context_t *c)
{
    const sctpa_auth_state_t *state = sctpa_auth_state(c);
    if (!state->sound[!c->from] || !sctpa_may_judge(c, SCTPA_RULE_AU_015, c->from))
        return;
    if (state->announced[!c->from] != 3)
        sctpa_accuse(c, SCTPA_RULE_AU_015, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     "no AUTH: the peer announced none", "AUTH chunk");
}

static uint64_t never_judged(void)
{
    return SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(AUTH) | SCTPA_ROW(ABORT) |
           SCTPA_ROW(ERROR) | SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(OTHER);
}

/* RFC 4895 6.2: "Endpoints MUST send all requested chunks that have been authenticated where this has been requested by
 * the peer." */
static void check_requested(sctpa_context_t *c)
{
    const sctpa_init_t *own = &c->assoc->ends[c->from].init;
    uint64_t requested = c->assoc->ends[!c->from].init.auth_chunks & ~never_judged();
    if (!(requested & c->rows) || !(own->params & UINT64_C(1) << SCTPA_PARAM_ROW_RANDOM) ||
        !(own->params & UINT64_C(1) << SCTPA_PARAM_ROW_HMAC_ALGO) || !sctpa_may_judge(c, SCTPA_RULE_AU_007, c->from))
        return;
    for (unsigned i = 0; i < c->auth_at; i++) {
        unsigned row = sctpa_chunk_row((uint8_t)c->chunks[i].tlv.type);
        if (requested >> row & 1) {
            sctpa_accuse(c, SCTPA_RULE_AU_007, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                         SCTPA_WORDS("AUTH before %s, which the peer wants authenticated", sctpa_chunk_row_word(row)),
                         SCTPA_WORDS("%s without AUTH", sctpa_chunk_row_word(row)));
            return;
        }
    }
}

static void note_asconf(sctpa_context_t *c)
{
    sctpa_auth_state_t *state = sctpa_auth_state(c);
    for (unsigned i = 0; i < c->n_chunks; i++) {
        if (c->chunks[i].tlv.type != SCTPA_CHUNK_ASCONF)
            continue;
        if (sctpa_is_authenticated(c, i)) {
            state->authentic_asconf[c->from] = true;
        } else {
            state->bare_asconf[c->from] = true;
            state->asconf_serial[c->from] = sctpa_tlv_u32(&c->chunks[i].tlv, SCTPA_F_ASCONF_SERIAL);
            state->asconf_packet[c->from] = c->index;
        }
    }
}

/* RFC 5061 4.1.1: "If this chunk is received unauthenticated it MUST be silently discarded" */
static void check_accepted(sctpa_context_t *c)
{
    const sctpa_auth_state_t *state = sctpa_auth_state(c);
    const sctpa_tlv_t *answer = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ASCONF_ACK);
    uint8_t asker = !c->from;
    uint32_t serial = sctpa_tlv_u32(answer, SCTPA_F_ASCONF_ACK_SERIAL);
    if (!(state->bare_asconf[asker] || state->authentic_asconf[asker]) ||
        !sctpa_may_judge(c, SCTPA_RULE_AU_011, c->from))
        return;
    if (state->bare_asconf[asker] && !state->authentic_asconf[asker] && state->asconf_serial[asker] == serial)
        sctpa_accuse(c, SCTPA_RULE_AU_011, c->from, SCTPA_NO_PATH, state->asconf_packet[asker],
                     "an ASCONF without AUTH discarded in silence",
                     SCTPA_WORDS("ASCONF-ACK %u (on Linux: net.sctp.addip_noauth_enable)", serial));
}

/* RFC 4895 4.1: "Cause Length: [...] This value MUST be set to 6." */
static void check_cause(sctpa_context_t *c, const sctpa_tlv_t *error)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t cause;
    sctpa_params_begin(&iter, error);
    while (sctpa_tlv_next(&iter, &cause))
        if (cause.type == SCTPA_CAUSE_UNSUPPORTED_HMAC && sctpa_may_judge(c, SCTPA_RULE_AU_016, c->from) &&
            cause.length != HMAC_CAUSE_BYTES)
            sctpa_accuse(c, SCTPA_RULE_AU_016, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "cause length 6",
                         SCTPA_WORDS("cause length %u", cause.length));
}

void sctpa_check_auth_chunks(sctpa_context_t *c)
{
    const sctpa_tlv_t *auth = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_AUTH),
                      *error = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ERROR);
    if (auth) {
        check_count(c);
        check_identifier(c, auth);
        check_length(c, auth);
        check_flags(c, auth);
        check_voluntary(c);
    }
    if (error)
        check_cause(c, error);
    check_requested(c);
    if (c->rows & SCTPA_ROW(ASCONF))
        note_asconf(c);
    if (c->rows & SCTPA_ROW(ASCONF_ACK))
        check_accepted(c);
}
