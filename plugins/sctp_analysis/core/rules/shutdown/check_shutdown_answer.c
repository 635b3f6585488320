/* Judges requests of a shutdown that are not answered. Silence alone says nothing, a dead peer is silent, too: what
 * counts is that the accused goes on with something else after it was asked so often that not all of it is lost near
 * it. */
#include "check_shutdown.h"

static void ask(sctpa_context_t *c, sctpa_closing_request_t *request)
{
    if (request->times == 0 || c->packet->time_ns - request->last_ns >= SCTPA_SHUTDOWN_ASKED_APART_S * SCTPA_NS_PER_S) {
        request->times++;
        request->last_ns = c->packet->time_ns;
        request->last_packet = c->index;
    }
}

/* Late: asked often enough and long ago. */
static bool is_overdue(const sctpa_context_t *c, const sctpa_closing_request_t *request)
{
    return request->times >= SCTPA_SHUTDOWN_ASKED &&
           c->packet->time_ns - request->last_ns > SCTPA_SHUTDOWN_OVERDUE_S * SCTPA_NS_PER_S;
}

/* Is all that the accused sent acknowledged, with room for more, and nothing (ASCONF, RE_CONFIG) that may hold back
 * data? */
static bool has_nothing_to_send(const sctpa_context_t *c, uint8_t accused)
{
    const sctpa_direction_t *sent = c->tracked->sides[accused].sent;
    if (c->tracked->sides[0].rare->requests || c->tracked->sides[1].rare->requests)
        return false;
    return !sent || sent->highest < 0 ||
           (sent->cum_tsn >= sent->highest && !sctpa_window_is_closed(sent->a_rwnd_bytes));
}

/* RFC 9260 9.2: "the SHUTDOWN chunk receiver MUST send a SHUTDOWN ACK chunk"; and in SHUTDOWN-SENT: "the endpoint
 * SHOULD respond immediately with a SHUTDOWN ACK chunk to its peer" */
static void check_shutdown(sctpa_context_t *c, const sctpa_closing_state_t *state, bool is_answer)
{
    const sctpa_closing_request_t *asked = &state->ends[!c->from].shutdowns;
    sctpa_rule_t rule = sctpa_closing_has(state->ends[c->from].shutdown_packet) ? SCTPA_RULE_SD_014 : SCTPA_RULE_SD_005;
    if (asked->times == 0 || !has_nothing_to_send(c, c->from) || !sctpa_may_judge(c, rule, c->from) || is_answer ||
        !is_overdue(c, asked))
        return;
    sctpa_accuse(c, rule, c->from, c->path, asked->last_packet, "SHUTDOWN ACK",
                 SCTPA_WORDS("%s, %.1f s after SHUTDOWN was sent again",
                             sctpa_chunk_row_word(sctpa_chunk_row((uint8_t)c->chunks[0].tlv.type)),
                             (double)(c->packet->time_ns - asked->last_ns) / 1e9));
}

/* RFC 9260 9.2: "MUST stop the T2-shutdown timer, send a SHUTDOWN COMPLETE chunk to its peer" */
static void check_ack(sctpa_context_t *c, const sctpa_closing_state_t *state, bool is_answer)
{
    const sctpa_closing_request_t *asked = &state->ends[!c->from].acks;
    const sctpa_closing_end_t *own = &state->ends[c->from];
    sctpa_rule_t rule = sctpa_closing_has(own->ack_packet) ? SCTPA_RULE_SD_015 : SCTPA_RULE_SD_009;
    if (asked->times == 0 || (!sctpa_closing_has(own->ack_packet) && !sctpa_closing_has(own->shutdown_packet)) ||
        !sctpa_may_judge(c, rule, c->from) || is_answer || !is_overdue(c, asked))
        return;
    sctpa_accuse(c, rule, c->from, c->path, asked->last_packet, "SHUTDOWN COMPLETE",
                 SCTPA_WORDS("%s, %.1f s after SHUTDOWN ACK was sent again",
                             sctpa_chunk_row_word(sctpa_chunk_row((uint8_t)c->chunks[0].tlv.type)),
                             (double)(c->packet->time_ns - asked->last_ns) / 1e9));
}

void sctpa_closing_check_answers(sctpa_context_t *c, sctpa_closing_state_t *state)
{
    const uint64_t ends = SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(ABORT);
    sctpa_closing_end_t *own = &state->ends[c->from], *peer = &state->ends[!c->from];
    if (c->n_chunks == 0)
        return;
    check_shutdown(c, state, c->rows & (SCTPA_ROW(SHUTDOWN_ACK) | ends | SCTPA_DATA_ROWS));
    check_ack(c, state, c->rows & ends);
    if (c->rows & (SCTPA_ROW(SHUTDOWN_ACK) | ends | SCTPA_DATA_ROWS))
        peer->shutdowns = (sctpa_closing_request_t){ 0 };
    if (c->rows & ends)
        peer->acks = (sctpa_closing_request_t){ 0 };
    if (c->rows & SCTPA_ROW(SHUTDOWN))
        ask(c, &own->shutdowns);
    if (c->rows & SCTPA_ROW(SHUTDOWN_ACK))
        ask(c, &own->acks);
}
