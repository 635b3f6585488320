/* Judges shutdown and abort: what SHUTDOWN says, and who goes on after the end; keeps what was said. Leaves data around
 * a shutdown and requests without answer to check_shutdown_*.c. */
#include "check_shutdown.h"

enum { OWN_TSNS = 1 << 12, OLD_TSNS = 1 << 16 };

static const uint64_t closing =
    SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(ABORT);

static sctpa_closing_state_t *begin(const sctpa_context_t *c)
{
    sctpa_closing_state_t *state = sctpa_context_find_part(c, SCTPA_PART_SHUTDOWN);
    if (state)
        return state;
    state = sctpa_context_part(c, SCTPA_PART_SHUTDOWN, sizeof *state);
    for (unsigned end = 0; end < 2; end++) {
        sctpa_closing_end_t *e = &state->ends[end];
        e->shutdown_packet = e->ack_packet = e->complete_packet = e->abort_packet = e->last_abort_packet =
            SCTPA_NO_PACKET_INDEX;
    }
    return state;
}

/* The TSNs of an end that announced where they begin: the first, and how many were seen. */
typedef struct {
    uint32_t first;
    int64_t n;
} numbers_t;

/* False: they are not known, or were reset. */
static bool find_numbers(const sctpa_side_t *side, bool has_to_be_announced, numbers_t *numbers)
{
    const sctpa_direction_t *sent = side->sent;
    *numbers = sent ? (numbers_t){ sent->initial_tsn, sent->highest + 1 } : (numbers_t){ side->initial_tsn, 0 };
    return sent ? !sent->restarted && (has_to_be_announced ? sent->announced : sent->has_initial) : side->has_initial;
}

/* RFC 9260 3.3.8: "The largest TSN, such that all TSNs smaller than or equal to it have been received and the next one
 * has not been received." */
static void check_space(sctpa_context_t *c, const numbers_t *peer, uint32_t cum_tsn)
{
    numbers_t own;
    uint32_t expected = peer->first + (uint32_t)peer->n - 1;
    int32_t beyond = sctpa_serial_distance(expected, cum_tsn);
    bool is_apart = beyond >= SCTPA_SHUTDOWN_APART_TSNS || beyond <= 1 - SCTPA_SHUTDOWN_APART_TSNS - peer->n;
    if (!find_numbers(&c->tracked->sides[c->from], true, &own) || !sctpa_may_judge(c, SCTPA_RULE_SD_002, c->from) ||
        !is_apart)
        return;
    int32_t into_own = sctpa_serial_distance(own.first, cum_tsn);
    if (into_own < -1 || into_own >= own.n + OWN_TSNS)
        return;
    sctpa_accuse(c, SCTPA_RULE_SD_002, c->from, c->path, SCTPA_NO_PACKET_INDEX,
                 SCTPA_WORDS("a TSN of the peer, up to %u", expected),
                 SCTPA_WORDS("%u; its own TSNs are %u to %u", cum_tsn, own.first, own.first + (uint32_t)own.n - 1));
}

/* How long ago the highest cum_tsn was reported, -1 not known. */
static int64_t since_reported_ns(const sctpa_context_t *c)
{
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(c->acked, c->acked->cum_tsn);
    if (!tsn || tsn->ack_packet == SCTPA_NO_PACKET_INDEX)
        return -1;
    return c->packet->time_ns - sctpa_context_time_ns(c, tsn->ack_packet);
}

/* RFC 9260 9.2: "the endpoint MUST resend the SHUTDOWN chunk with the updated last sequential TSN received from its
 * peer" */
static void check_updated(sctpa_context_t *c, uint32_t cum_tsn)
{
    uint32_t reported = c->acked->initial_tsn + (uint32_t)c->acked->cum_tsn;
    int32_t behind = sctpa_serial_distance(cum_tsn, reported);
    if (!c->acked->has_cum || behind > OLD_TSNS || !sctpa_may_judge(c, SCTPA_RULE_SD_011, c->from) || behind <= 0 ||
        since_reported_ns(c) < SCTPA_SHUTDOWN_REORDERED_MS * SCTPA_NS_PER_MS)
        return;
    sctpa_accuse(c, SCTPA_RULE_SD_011, c->from, c->path, SCTPA_NO_PACKET_INDEX,
                 SCTPA_WORDS("TSN %u, which it acknowledged before, or a later one", reported),
                 SCTPA_WORDS("%u", cum_tsn));
}

static void check_cum_tsn(sctpa_context_t *c, const sctpa_tlv_t *shutdown)
{
    uint32_t cum_tsn = sctpa_tlv_u32(shutdown, SCTPA_F_SHUTDOWN_CUM_TSN);
    numbers_t peer;
    if (!sctpa_tlv_has(shutdown, SCTPA_F_SHUTDOWN_CUM_TSN) || !find_numbers(&c->tracked->sides[!c->from], false, &peer))
        return;
    check_space(c, &peer, cum_tsn);
    if (c->acked)
        check_updated(c, cum_tsn);
    else /* it received nothing, and says so */
        sctpa_may_judge(c, SCTPA_RULE_SD_011, c->from);
}

/* RFC 9260 9.2: "SHOULD limit the number of retransmissions of the SHUTDOWN chunk to the protocol parameter
 * 'Association.Max.Retrans'" */
static void check_repeats(sctpa_context_t *c, sctpa_closing_end_t *end)
{
    if (end->repeats++ > 0 && sctpa_may_judge(c, SCTPA_RULE_SD_012, c->from) && end->repeats > SCTPA_SHUTDOWN_REPEATS)
        sctpa_accuse(c, SCTPA_RULE_SD_012, c->from, c->path, SCTPA_NO_PACKET_INDEX,
                     "at most 10 retransmissions, as recommended",
                     SCTPA_WORDS("%u without an answer", end->repeats - 1));
}

/* RFC 9260 9.2: "send a SHUTDOWN COMPLETE chunk to its peer, and remove all record of the association" */
static void check_after_complete(sctpa_context_t *c, const sctpa_closing_end_t *end)
{
    const uint64_t living = SCTPA_DATA_ROWS | SCTPA_SACK_ROWS | SCTPA_ROW(HEARTBEAT);
    if (!sctpa_closing_has(end->complete_packet) || (c->rows & (closing | SCTPA_ROW(INIT) | SCTPA_ROW(COOKIE_ECHO))) ||
        !(c->rows & living) || !sctpa_may_judge(c, SCTPA_RULE_SD_016, c->from) ||
        c->packet->time_ns - end->complete_ns < SCTPA_GOING_ON_MS * SCTPA_NS_PER_MS)
        return;
    sctpa_accuse(c, SCTPA_RULE_SD_016, c->from, c->path, end->complete_packet,
                 "nothing of this association after SHUTDOWN COMPLETE",
                 SCTPA_WORDS("%s %.0f ms later", sctpa_chunk_row_word(sctpa_chunk_row((uint8_t)c->chunks[0].tlv.type)),
                             (double)(c->packet->time_ns - end->complete_ns) / 1e6));
}

static void note(sctpa_context_t *c, sctpa_closing_state_t *state)
{
    sctpa_closing_end_t *end = &state->ends[c->from];
    const sctpa_tlv_t *complete = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_SHUTDOWN_COMPLETE);
    const sctpa_tlv_t *abort = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT);
    bool has_judged_abort = abort && !sctpa_tlv_u32(abort, SCTPA_F_ABORT_T) && !sctpa_tlv_u32(abort, SCTPA_F_ABORT_M);
    if (complete && !sctpa_tlv_u32(complete, SCTPA_F_SHUTDOWN_COMPLETE_T) && !sctpa_closing_has(end->complete_packet)) {
        end->complete_packet = c->index;
        end->complete_ns = c->packet->time_ns;
    }
    if (has_judged_abort && !sctpa_closing_has(end->abort_packet)) {
        end->abort_packet = c->index;
        end->abort_ns = c->packet->time_ns;
        end->abort_ttl = c->packet->ttl;
    }
}

void sctpa_check_shutdown(sctpa_context_t *c)
{
    sctpa_closing_state_t *state = sctpa_context_find_part(c, SCTPA_PART_SHUTDOWN);
    const sctpa_tlv_t *shutdown = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_SHUTDOWN);
    if (!state && !(c->rows & closing))
        return;
    state = begin(c);
    check_after_complete(c, &state->ends[c->from]);
    sctpa_closing_check_abort(c, state);
    state->ends[!c->from].repeats = 0;
    if (shutdown)
        check_cum_tsn(c, shutdown);
    if (c->rows & (SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK)))
        check_repeats(c, &state->ends[c->from]);
    sctpa_closing_check_data(c, state);
    sctpa_closing_check_answers(c, state);
    note(c, state);
}
