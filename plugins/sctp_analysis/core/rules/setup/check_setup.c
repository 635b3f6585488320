/* Judges set-up: the fields of INIT and INIT ACK, and keeps what was said. Leaves the cookie, what is sent too early
 * and answers to check_setup_*.c. */
#include "check_setup.h"

#include "base/hash.h"
#include "rules/limits.h"

enum { A_RWND_LEAST_BYTES = 1500 };

uint64_t sctpa_setup_hash(const sctpa_context_t *c, const sctpa_tlv_t *tlv)
{
    return sctpa_hash_bytes(sctpa_hash_mix(c->tracker->store.seed, tlv->length), tlv->bytes + SCTPA_TLV_HEADER_BYTES,
                            tlv->captured_bytes - SCTPA_TLV_HEADER_BYTES);
}

/* RFC 9260 3.1: "A packet containing an INIT chunk MUST have a zero Verification Tag." */
static void check_vtag(sctpa_context_t *c)
{
    if (!sctpa_may_judge(c, SCTPA_RULE_HS_001, c->from) || sctpa_context_vtag(c) == 0)
        return;
    sctpa_accuse(c, SCTPA_RULE_HS_001, c->from, c->path, SCTPA_NO_PACKET_INDEX, "Verification Tag 0",
                 SCTPA_WORDS("0x%08x", sctpa_context_vtag(c)));
}

/* RFC 9260 3.3.2: "The Initiate Tag is allowed to have any value except 0."
 * 3.3.3: "The Initiate Tag MUST NOT take the value 0." */
static void check_tag(sctpa_context_t *c, const sctpa_said_t *said)
{
    sctpa_rule_t rule = said->is_ack ? SCTPA_RULE_HS_003 : SCTPA_RULE_HS_002;
    if (sctpa_may_judge(c, rule, c->from) && said->tag == 0)
        sctpa_accuse(c, rule, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "any Initiate Tag but 0", "0");
}

/* RFC 9260 3.3.2: "The Advertised Receiver Window Credit MUST NOT be smaller than 1500." */
static void check_window(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    uint32_t a_rwnd_bytes = sctpa_tlv_u32(chunk, SCTPA_F_INIT_A_RWND);
    if (sctpa_may_judge(c, SCTPA_RULE_HS_004, c->from) && a_rwnd_bytes < A_RWND_LEAST_BYTES)
        sctpa_accuse(c, SCTPA_RULE_HS_004, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "1500 bytes or more",
                     SCTPA_WORDS("%u bytes", a_rwnd_bytes));
}

/* RFC 9260 3.3.2: "The value of 0 MUST NOT be used" (OS), "The value 0 MUST NOT be used." (MIS) */
static void check_streams(sctpa_context_t *c, const sctpa_said_t *said)
{
    if (sctpa_may_judge(c, SCTPA_RULE_HS_005, c->from) && said->outbound == 0)
        sctpa_accuse(c, SCTPA_RULE_HS_005, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "1 stream or more", "0");
    if (sctpa_may_judge(c, SCTPA_RULE_HS_006, c->from) && said->inbound == 0)
        sctpa_accuse(c, SCTPA_RULE_HS_006, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "1 stream or more", "0");
}

/* RFC 9260 5.1: "MUST generate and send along with the INIT ACK chunk a State Cookie" */
static void check_cookie(sctpa_context_t *c, const sctpa_said_t *said)
{
    if (sctpa_may_judge(c, SCTPA_RULE_HS_008, c->from) && !said->has_cookie)
        sctpa_accuse(c, SCTPA_RULE_HS_008, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "parameter 7, State Cookie",
                     "none");
}

/* RFC 9260 3.3.11: "An implementation SHOULD make the cookie as small as possible to ensure interoperability." */
static void check_size(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    if (sctpa_may_judge(c, SCTPA_RULE_HS_046, c->from) &&
        (c->packet->fragmented || chunk->length > SCTPA_INIT_ACK_LARGE_BYTES))
        sctpa_accuse(c, SCTPA_RULE_HS_046, c->from, c->path, SCTPA_NO_PACKET_INDEX,
                     "one IP packet of at most " SCTPA_LIMIT_TEXT(SCTPA_INIT_ACK_LARGE_BYTES) " bytes",
                     SCTPA_WORDS("%u bytes%s", chunk->length, c->packet->fragmented ? " in IP fragments" : ""));
}

/* RFC 9260 4: "This MUST be repeated up to 'Max.Init.Retransmits' times." */
static void check_repeats(sctpa_context_t *c, const sctpa_setup_state_t *state, const sctpa_said_t *said)
{
    uint32_t same = 1;
    for (const sctpa_said_t *s = state->last; s; s = s->before)
        same += s->from == c->from && !s->is_ack && s->tag == said->tag && s->pair == said->pair;
    if (state->ends[c->from].inits > 0 && sctpa_may_judge(c, SCTPA_RULE_HS_023, c->from) && same > SCTPA_SETUP_ATTEMPTS)
        sctpa_accuse(c, SCTPA_RULE_HS_023, c->from, c->path, SCTPA_NO_PACKET_INDEX,
                     "at most 8 retransmissions of an INIT", SCTPA_WORDS("%u to this address", same - 1));
}

static sctpa_said_t read(const sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    sctpa_tlv_t cookie, host;
    sctpa_said_t said = { .vtag = sctpa_context_vtag(c),
                          .tag = sctpa_tlv_u32(chunk, SCTPA_F_INIT_TAG),
                          .initial_tsn = sctpa_tlv_u32(chunk, SCTPA_F_INIT_TSN),
                          .packet = c->index,
                          .outbound = (uint16_t)sctpa_tlv_u32(chunk, SCTPA_F_INIT_OUTBOUND_STREAMS),
                          .inbound = (uint16_t)sctpa_tlv_u32(chunk, SCTPA_F_INIT_INBOUND_STREAMS),
                          .pair = c->record->pair,
                          .from = c->from,
                          .is_ack = chunk->type == SCTPA_CHUNK_INIT_ACK,
                          .is_whole = !sctpa_context_is_cut(c) };
    said.is_refused = sctpa_param_find(chunk, SCTPA_PARAM_HOST_NAME, &host);
    said.has_cookie = sctpa_param_find(chunk, SCTPA_PARAM_STATE_COOKIE, &cookie);
    said.cookie = said.has_cookie ? sctpa_setup_hash(c, &cookie) : 0;
    return said;
}

static void keep(sctpa_context_t *c, sctpa_setup_state_t *state, const sctpa_said_t *said)
{
    sctpa_setup_end_t *end = &state->ends[c->from];
    if (said->is_ack)
        end->acks += end->acks < UINT8_MAX;
    else
        end->inits += end->inits < UINT8_MAX;
    end->is_asked_anew |= !said->is_ack;
    if (state->n_said == SCTPA_SAID_MAX) {
        state->is_overfull = true;
        return;
    }
    sctpa_said_t *kept = sctpa_arena_alloc(&c->store->arena, sizeof *kept);
    *kept = *said;
    kept->before = state->last;
    state->last = kept;
    state->n_said++;
}

static sctpa_setup_state_t *begin(const sctpa_context_t *c)
{
    sctpa_setup_state_t *state = sctpa_setup_state(c);
    if (state)
        return state;
    state = sctpa_context_part(c, SCTPA_PART_SETUP, sizeof *state);
    for (unsigned end = 0; end < 2; end++)
        state->ends[end].echo_packet = state->ends[end].early_packet = state->ends[end].odd_ack_packet =
            SCTPA_NO_PACKET_INDEX;
    return state;
}

static void check_said(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    sctpa_setup_state_t *state;
    if (!sctpa_tlv_has(chunk, SCTPA_F_INIT_TSN))
        return;
    state = begin(c);
    sctpa_said_t said = read(c, chunk);
    check_tag(c, &said);
    check_window(c, chunk);
    check_streams(c, &said);
    if (said.is_ack) {
        check_cookie(c, &said);
        check_size(c, chunk);
    } else {
        check_vtag(c);
        check_repeats(c, state, &said);
    }
    sctpa_setup_check_answer(c, state, &said);
    keep(c, state, &said);
}

void sctpa_check_setup(sctpa_context_t *c)
{
    const uint64_t quiet = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(ABORT);
    const sctpa_tlv_t *echo = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_COOKIE_ECHO);
    sctpa_setup_state_t *state = sctpa_setup_state(c);
    if (state && state->is_settled &&
        !(c->rows & (SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(COOKIE_ACK))))
        return;
    if (c->n_chunks > 0 && (c->chunks[0].tlv.type == SCTPA_CHUNK_INIT || c->chunks[0].tlv.type == SCTPA_CHUNK_INIT_ACK))
        check_said(c, &c->chunks[0].tlv);
    state = sctpa_setup_state(c);
    if (!state)
        return;
    sctpa_setup_check_early(c, state);
    if (echo)
        sctpa_setup_check_echo(c, state, echo);
    if (c->rows & SCTPA_ROW(COOKIE_ACK))
        sctpa_setup_check_cookie_ack(c, state);
    if (c->rows & (SCTPA_ROW(ERROR) | SCTPA_ROW(ABORT)))
        state->ends[!c->from].is_asked_anew = true;
    state->ends[c->from].is_heard |= (c->rows & ~quiet) != 0;
    sctpa_setup_check_data(c, state);
}
