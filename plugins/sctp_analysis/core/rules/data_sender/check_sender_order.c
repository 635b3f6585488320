/* Judges the data of an end in the order of its TSNs, whatever order it passed in: fragments of messages, SSNs of
 * streams. A TSN that was never seen breaks the order off: what follows it is judged anew. */
#include "check_sender.h"

#include "reference/stream_counts.h"

enum { STREAMS_JUDGED = 1024, SSNS = 1 << 16, GAP_LOOKED_AT = 8 };
enum { FRAGMENT_BITS = SCTPA_TSN_UNORDERED | SCTPA_TSN_I_DATA };

static uint32_t serial_of(const sctpa_context_t *c, int64_t number)
{
    return c->sent->initial_tsn + (uint32_t)number;
}

static sctpa_fragment_t fragment_of(int64_t number, const sctpa_tsn_t *tsn)
{
    return (sctpa_fragment_t){ .tsn = number,
                               .packet = tsn->first_packet,
                               .ssn = tsn->ssn,
                               .ppid = tsn->ppid,
                               .stream = tsn->stream,
                               .flags = tsn->flags,
                               .is_known = true };
}

static bool is_of_message(const sctpa_fragment_t *fragment, const sctpa_tsn_t *tsn)
{
    return fragment->is_known && fragment->stream == tsn->stream && !((fragment->flags ^ tsn->flags) & FRAGMENT_BITS) &&
           ((tsn->flags & SCTPA_TSN_UNORDERED) || fragment->ssn == tsn->ssn);
}

static bool is_open(const sctpa_fragment_t *fragment)
{
    return fragment->is_known && !(fragment->flags & SCTPA_TSN_END);
}

static sctpa_words_t describe(const sctpa_context_t *c, int64_t number, const sctpa_fragment_t *fragment)
{
    return sctpa_words("TSN %u: stream %u, SSN %u, %s%s%s%s", serial_of(c, number), fragment->stream, fragment->ssn,
                       fragment->flags & SCTPA_TSN_UNORDERED ? "U" : "", fragment->flags & SCTPA_TSN_BEGIN ? "B" : "",
                       fragment->flags & SCTPA_TSN_END ? "E" : "", fragment->flags & 3 ? "" : "middle");
}

/* RFC 9260 3.3.1: "the TSNs for each fragment of a fragmented user message MUST be strictly sequential" */
static void accuse_apart(sctpa_context_t *c, const sctpa_fragment_t *earlier, int64_t number, const sctpa_tsn_t *tsn)
{
    sctpa_fragment_t fragment = fragment_of(number, tsn);
    sctpa_accuse(c, SCTPA_RULE_TX_009, c->from, tsn->path, tsn->first_packet,
                 SCTPA_WORDS("the message goes on in TSN %u", serial_of(c, earlier->tsn + 1)),
                 describe(c, number, &fragment).text);
}

/* RFC 9260 3.3.1: "the same Stream Sequence Number MUST be carried in each of the fragments of the message" */
static void check_same_message(sctpa_context_t *c, const sctpa_order_t *order, int64_t number, const sctpa_tsn_t *tsn)
{
    sctpa_fragment_t fragment = fragment_of(number, tsn);
    bool may_judge = sctpa_may_judge(c, SCTPA_RULE_TX_007, c->from);
    if (!is_of_message(&order->before, tsn)) {
        if (may_judge)
            sctpa_accuse(c, SCTPA_RULE_TX_007, c->from, tsn->path, tsn->first_packet,
                         describe(c, number - 1, &order->before).text, describe(c, number, &fragment).text);
    } else if (sctpa_may_judge(c, SCTPA_RULE_TX_008, c->from) && order->before.ppid != tsn->ppid)
        sctpa_accuse(c, SCTPA_RULE_TX_008, c->from, tsn->path, tsn->first_packet,
                     SCTPA_WORDS("PPID %u", order->before.ppid), SCTPA_WORDS("PPID %u", tsn->ppid));
}

/* RFC 9260 6.9: "set the B/E bits of the first DATA chunk in the series to 10" */
static void accuse_unbegun(sctpa_context_t *c, const sctpa_order_t *order, int64_t number, const sctpa_tsn_t *tsn)
{
    sctpa_fragment_t fragment = fragment_of(number, tsn);
    sctpa_accuse(c, SCTPA_RULE_TX_010, c->from, tsn->path, tsn->first_packet,
                 SCTPA_WORDS("B set: TSN %u ended a message", serial_of(c, order->before.tsn)),
                 describe(c, number, &fragment).text);
}

/* RFC 9260 6.9: "the B/E bits of the last DATA chunk in the series to 01" */
static void check_ended(sctpa_context_t *c, const sctpa_order_t *order, int64_t number, const sctpa_tsn_t *tsn)
{
    sctpa_fragment_t fragment = fragment_of(number, tsn);
    if (!sctpa_context_may_abandon(c) && sctpa_may_judge(c, SCTPA_RULE_TX_010, c->from))
        sctpa_accuse(c, SCTPA_RULE_TX_010, c->from, tsn->path, tsn->first_packet,
                     SCTPA_WORDS("the message of TSN %u goes on, or ended with E", serial_of(c, order->before.tsn)),
                     describe(c, number, &fragment).text);
}

static void check_fragment(sctpa_context_t *c, sctpa_order_t *order, int64_t number, const sctpa_tsn_t *tsn)
{
    bool begins = tsn->flags & SCTPA_TSN_BEGIN, open = is_open(&order->before);
    if (!order->before.is_known || (tsn->flags | order->before.flags) & SCTPA_TSN_I_DATA)
        return;
    if (begins && open) {
        check_ended(c, order, number, tsn);
        if (!order->broken_off)
            order->broken_off = sctpa_arena_alloc(&c->store->arena, sizeof *order->broken_off);
        *order->broken_off = order->before;
    } else if (!begins) {
        bool may_judge_apart = sctpa_may_judge(c, SCTPA_RULE_TX_009, c->from),
             goes_on = open && is_of_message(&order->before, tsn);
        if (!goes_on && order->broken_off && is_of_message(order->broken_off, tsn)) {
            if (may_judge_apart)
                accuse_apart(c, order->broken_off, number, tsn);
        } else if (open)
            check_same_message(c, order, number, tsn);
        else if (sctpa_may_judge(c, SCTPA_RULE_TX_010, c->from))
            accuse_unbegun(c, order, number, tsn);
    } else
        sctpa_may_judge(c, SCTPA_RULE_TX_010, c->from);
}

static sctpa_next_ssn_t *stream_of(sctpa_context_t *c, sctpa_order_t *order, uint16_t stream)
{
    if (stream >= STREAMS_JUDGED)
        return NULL;
    if (stream >= order->n_streams) {
        uint32_t room = MAX(order->n_streams, 1);
        while (room <= stream)
            room *= 2;
        sctpa_next_ssn_t *streams = sctpa_arena_alloc(&c->store->arena, room * sizeof *streams);
        if (order->n_streams > 0)
            memcpy(streams, order->streams, order->n_streams * sizeof *streams);
        order->streams = streams;
        order->n_streams = room;
    }
    return &order->streams[stream];
}

static void note_wrong(sctpa_context_t *c, sctpa_order_t *order, sctpa_wrong_ssn_t wrong)
{
    if (!order->wrong)
        order->wrong = sctpa_arena_alloc(&c->store->arena, sizeof *order->wrong);
    if (!order->wrong->is_waiting)
        *order->wrong = wrong;
}

/* RFC 9260 6.5: "MUST be incremented by 1 for each ordered user message sent on that outgoing stream" */
static void note_ssn(sctpa_context_t *c, sctpa_order_t *order, int64_t number, const sctpa_tsn_t *tsn)
{
    if ((tsn->flags & (SCTPA_TSN_BEGIN | SCTPA_TSN_UNORDERED | SCTPA_TSN_I_DATA)) != SCTPA_TSN_BEGIN)
        return;
    sctpa_next_ssn_t *stream = stream_of(c, order, tsn->stream);
    if (!stream)
        return;
    bool is_first = !stream->is_used && order->known_since == 0 && c->sent->announced;
    bool is_known = is_first || (stream->is_used && stream->known_since == order->known_since);
    uint16_t expected = is_first ? 0 : stream->ssn;
    if (is_known && sctpa_may_judge(c, is_first ? SCTPA_RULE_TX_003 : SCTPA_RULE_TX_004, c->from) &&
        tsn->ssn != expected)
        note_wrong(c, order,
                   (sctpa_wrong_ssn_t){ .tsn = number,
                                        .packet = tsn->first_packet,
                                        .stream = tsn->stream,
                                        .expected = expected,
                                        .seen = (uint16_t)tsn->ssn,
                                        .is_first = is_first,
                                        .is_waiting = true });
    *stream = (sctpa_next_ssn_t){ .known_since = order->known_since, .ssn = (uint16_t)(tsn->ssn + 1), .is_used = true };
}

/* Has the receiver none of the TSNs before number? */
static bool is_missing_to(const sctpa_direction_t *sent, int64_t from, int64_t number)
{
    sctpa_range_t held;
    return !sctpa_tsn_set_next(&sent->seldom->gap_acked, from, number - 1, &held);
}

/* One packet holds both fragments; the TSNs between them are the first ever that did not pass: they were left out, not
 * lost. */
static bool is_left_out(const sctpa_context_t *c, const sctpa_order_t *order, int64_t number, const sctpa_tsn_t *tsn)
{
    const sctpa_tsn_t *first = sctpa_direction_tsn(c->sent, order->before.tsn);
    const sctpa_rtx_t *rtx;
    int64_t since_ns = c->packet->time_ns - sctpa_context_time_ns(c, tsn->first_packet);
    bool is_first_hole =
        c->sent->announced && order->known_since == 0 && !order->is_behind && !(tsn->state & SCTPA_TSN_BEHIND);
    return first && is_first_hole && tsn->state & SCTPA_TSN_GAP_ACKED && !(tsn->flags & SCTPA_TSN_BEGIN) &&
           is_of_message(&order->before, tsn) && since_ns >= SCTPA_FRAGMENTS_APART_MS * SCTPA_NS_PER_MS &&
           is_missing_to(c->sent, order->next, number) &&
           sctpa_direction_transmission(c->sent, first, tsn->first_packet, &rtx) > 0;
}

static void check_left_out(sctpa_context_t *c, sctpa_order_t *order)
{
    if (!is_open(&order->before) || order->before.flags & SCTPA_TSN_I_DATA || order->left_out == order->next ||
        c->sent->highest < order->next || !sctpa_may_judge(c, SCTPA_RULE_TX_009, c->from) ||
        !(sctpa_judging_of(c)->met[c->from] & SCTPA_NEED_NEAR))
        return;
    for (int64_t number = order->next + 1; number <= order->next + GAP_LOOKED_AT; number++) {
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(c->sent, number);
        if (!tsn || tsn->transmissions == 0)
            continue;
        if (is_left_out(c, order, number, tsn)) {
            accuse_apart(c, &order->before, number, tsn);
            order->left_out = order->next;
        }
        return;
    }
}

/* What the order does not hold any more: a TSN was left out, messages may have been given up. */
static void forget(sctpa_order_t *order)
{
    order->before.is_known = false;
    if (order->broken_off)
        order->broken_off->is_known = false;
    order->known_since++;
}

/* The next TSN was never seen, but is acknowledged or given up. */
static bool pass_over(sctpa_context_t *c, sctpa_order_t *order)
{
    const sctpa_direction_t *sent = c->sent;
    int64_t passed = MAX(sent->has_cum ? sent->cum_tsn : order->next - 1, sent->seldom->abandoned_to);
    if (passed < order->next)
        return false;
    forget(order);
    order->next = passed + 1;
    return true;
}

static void begin(sctpa_context_t *c, sctpa_order_t *order)
{
    int64_t first = INT64_MAX;
    if (c->sent->announced)
        first = 0;
    for (unsigned i = 0; i < c->n_chunks && first != 0; i++)
        if (c->chunks[i].sent.tsn)
            first = MIN(first, c->chunks[i].sent.number);
    order->has_begun = first != INT64_MAX;
    order->next = first;
}

void sctpa_sender_check_order(sctpa_context_t *c, sctpa_sender_state_t *state)
{
    if (!state->order[c->from])
        state->order[c->from] = sctpa_arena_alloc(&c->store->arena, sizeof *state->order[0]);
    sctpa_order_t *order = state->order[c->from];
    if (!order->has_begun)
        begin(c, order);
    if (!order->has_begun)
        return;
    do {
        const sctpa_tsn_t *tsn;
        while ((tsn = sctpa_direction_tsn(c->sent, order->next)) != NULL && tsn->transmissions > 0) {
            order->is_behind |= (tsn->state & SCTPA_TSN_BEHIND) != 0;
            check_fragment(c, order, order->next, tsn);
            if (!sctpa_has_reconfigured(c))
                note_ssn(c, order, order->next, tsn);
            order->before = fragment_of(order->next, tsn);
            order->next++;
        }
        check_left_out(c, order);
    } while (pass_over(c, order));
}

/* A message that is given up is told of before TSNs beyond it are acknowledged (RFC 3758 3.5). */
void sctpa_sender_check_ssn(sctpa_context_t *c, sctpa_sender_state_t *state)
{
    uint8_t accused = !c->from;
    sctpa_wrong_ssn_t *wrong = state->order[accused] ? state->order[accused]->wrong : NULL;
    if (!wrong || !wrong->is_waiting || !c->acked || c->acked->cum_tsn < wrong->tsn)
        return;
    wrong->is_waiting = false;
    sctpa_rule_t rule = wrong->is_first ? SCTPA_RULE_TX_003 : SCTPA_RULE_TX_004;
    if (sctpa_has_reconfigured(c) || c->acked->seldom->abandoned_to >= 0 || !sctpa_may_judge(c, rule, accused))
        return;
    uint16_t step = (uint16_t)(wrong->seen - wrong->expected);
    sctpa_accuse(c, rule, accused, SCTPA_NO_PATH, wrong->packet,
                 SCTPA_WORDS("SSN %u on stream %u", wrong->expected, wrong->stream),
                 SCTPA_WORDS("SSN %u in TSN %u, %u %s", wrong->seen, c->acked->initial_tsn + (uint32_t)wrong->tsn,
                             step < SSNS / 2 ? step : SSNS - step, step < SSNS / 2 ? "too high" : "too low"));
}
