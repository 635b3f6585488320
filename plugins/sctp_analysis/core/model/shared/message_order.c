/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the TSNs of endpoints in their order. */
#include "message_order.h"

enum { STREAMS_MAX = 1024, HOLE_LOOK_AHEAD_TSNS = 8, STREAM_LOOK_BACK_TSNS = 64 };
enum { MESSAGE_BITS = SCTPA_TSN_UNORDERED | SCTPA_TSN_I_DATA };

/* What the next ordered message of a stream must carry. */
typedef struct {
    uint32_t known_since;
    uint16_t ssn;
    bool is_used;
    bool has_unordered; /* I-DATA; these are numbered by themselves */
} next_ssn_t;

/* What a sender does not have that keeps the order. */
typedef struct {
    int64_t left_out;            /* the first TSN left out between fragments that was found last, 0 none */
    sctpa_fragment_t broken_off; /* of the last message that did not go on when another began */
    sctpa_wrong_ssn_t wrong;
} disorder_t;

typedef struct {
    int64_t next;            /* TSN to read next */
    sctpa_fragment_t before; /* TSN next - 1 */
    disorder_t *disorder;    /* NULL none yet */
    next_ssn_t *streams;
    uint32_t n_streams;
    uint32_t known_since;      /* SSNs that were known before are not known any more */
    bool has_begun, is_behind; /* is_behind: a TSN passed after a higher one */
} order_t;

typedef struct {
    order_t *of[2]; /* by endpoint, NULL before its first DATA */
} orders_t;

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
    return fragment->is_known && fragment->stream == tsn->stream && !((fragment->flags ^ tsn->flags) & MESSAGE_BITS) &&
           ((tsn->flags & SCTPA_TSN_UNORDERED) || fragment->ssn == tsn->ssn);
}

static bool is_open(const sctpa_fragment_t *fragment)
{
    return fragment->is_known && !(fragment->flags & SCTPA_TSN_END);
}

static void note_misplaced(sctpa_reached_t *reached, sctpa_misplaced_kind_t kind, int64_t tsn,
                           const sctpa_fragment_t *before)
{
    if (!(reached->follows >> kind & 1))
        reached->misplaced[kind] = (sctpa_misplaced_t){ tsn, *before };
    reached->follows |= 1u << kind;
}

static disorder_t *disorder_of(const sctpa_context_t *c, order_t *order)
{
    if (!order->disorder)
        order->disorder = sctpa_arena_alloc(&c->store->arena, sizeof *order->disorder);
    return order->disorder;
}

/* RFC 9260 3.3.1, 6.9: the fragments of a message are consecutive TSNs, the first with B, the last with E. */
static void read_fragment(const sctpa_context_t *c, sctpa_reached_t *reached, order_t *order, int64_t number,
                          const sctpa_tsn_t *tsn)
{
    const sctpa_fragment_t *before = &order->before;
    bool begins = tsn->flags & SCTPA_TSN_BEGIN, open = is_open(before);
    if (!before->is_known || (tsn->flags | before->flags) & SCTPA_TSN_I_DATA)
        return;
    if (begins && !open) {
        reached->follows |= SCTPA_FOLLOWS_MESSAGE;
    } else if (begins) {
        note_misplaced(reached, SCTPA_MISPLACED_NO_END, number, before);
        disorder_of(c, order)->broken_off = *before;
    } else if (open && is_of_message(before, tsn)) {
        reached->follows |= SCTPA_FOLLOWS_FRAGMENT;
        if (before->ppid != tsn->ppid)
            note_misplaced(reached, SCTPA_MISPLACED_PPID, number, before);
    } else if (order->disorder && is_of_message(&order->disorder->broken_off, tsn)) {
        note_misplaced(reached, SCTPA_MISPLACED_APART, number, &order->disorder->broken_off);
    } else {
        note_misplaced(reached, open ? SCTPA_MISPLACED_MESSAGE : SCTPA_MISPLACED_NO_BEGIN, number, before);
    }
}

/* NULL: not among the first STREAMS_MAX. */
static next_ssn_t *stream_of(const sctpa_context_t *c, order_t *order, uint16_t stream)
{
    if (stream >= STREAMS_MAX)
        return NULL;
    if (stream >= order->n_streams) {
        uint32_t room = MAX(order->n_streams, 1);
        while (room <= stream)
            room *= 2;
        next_ssn_t *streams = sctpa_arena_alloc(&c->store->arena, room * sizeof *streams);
        if (order->n_streams > 0)
            memcpy(streams, order->streams, order->n_streams * sizeof *streams);
        sctpa_arena_free(&c->store->arena, order->streams, order->n_streams * sizeof *streams);
        order->streams = streams;
        order->n_streams = room;
    }
    return &order->streams[stream];
}

/* RFC 9260 6.5: SSNs start from 0, and go up by 1 with each ordered message of a stream. Who gives up messages, or
 * resets streams, may leave some out. */
static void read_ssn(const sctpa_context_t *c, sctpa_reached_t *reached, order_t *order, int64_t number,
                     const sctpa_tsn_t *tsn)
{
    if ((tsn->flags & (SCTPA_TSN_BEGIN | SCTPA_TSN_UNORDERED | SCTPA_TSN_I_DATA)) != SCTPA_TSN_BEGIN)
        return;
    next_ssn_t *stream = stream_of(c, order, tsn->stream);
    if (!stream)
        return;
    bool is_first = !stream->is_used && order->known_since == 0 && c->sent->announced;
    bool is_known = is_first || (stream->is_used && stream->known_since == order->known_since);
    uint16_t expected = is_first ? 0 : stream->ssn;
    if (is_known)
        reached->follows |= is_first ? SCTPA_FOLLOWS_NO_SSN : SCTPA_FOLLOWS_SSN;
    if (is_known && tsn->ssn != expected && sctpa_context_is_intact(c)) {
        sctpa_wrong_ssn_t *wrong = &disorder_of(c, order)->wrong;
        if (!wrong->is_waiting)
            *wrong = (sctpa_wrong_ssn_t){ .tsn = number,
                                          .packet = tsn->first_packet,
                                          .stream = tsn->stream,
                                          .expected = expected,
                                          .seen = (uint16_t)tsn->ssn,
                                          .is_first = is_first,
                                          .is_waiting = true };
    }
    *stream = (next_ssn_t){ .known_since = order->known_since, .ssn = (uint16_t)(tsn->ssn + 1), .is_used = true };
}

/* RFC 8260 2.1: MIDs of ordered messages, and those of unordered ones, start from 0 on each stream. Every TSN before
 * passed: a message that was given up before it had a TSN has no MID, either, since no I-FORWARD-TSN could list it and
 * its receiver would wait for it for ever. */
static void read_first_mid(const sctpa_context_t *c, sctpa_reached_t *reached, order_t *order, int64_t number,
                           const sctpa_tsn_t *tsn)
{
    const uint8_t begin_bits = SCTPA_TSN_BEGIN | SCTPA_TSN_I_DATA;
    next_ssn_t *stream = (tsn->flags & begin_bits) == begin_bits ? stream_of(c, order, tsn->stream) : NULL;
    bool *is_used = !stream ? NULL : tsn->flags & SCTPA_TSN_UNORDERED ? &stream->has_unordered : &stream->is_used;
    if (!is_used || *is_used)
        return;
    *is_used = true;
    if (order->known_since > 0 || !c->sent->announced)
        return;
    reached->follows |= SCTPA_FOLLOWS_I_DATA;
    if (tsn->ssn != 0)
        note_misplaced(reached, SCTPA_MISPLACED_MID, number, &(sctpa_fragment_t){ .is_known = false });
}

/* Did the sender leave out the TSNs from order->next to number? The tap is near it, one packet holds the fragments
 * before and after them, the receiver has the latter and none of those between, and they are the first ever that did
 * not pass: they were not lost. */
static bool is_left_out(const sctpa_context_t *c, const order_t *order, int64_t number, const sctpa_tsn_t *tsn)
{
    const sctpa_tsn_t *first = sctpa_direction_tsn(c->sent, order->before.tsn);
    const sctpa_rtx_t *rtx;
    sctpa_range_t held;
    int64_t since_ns = c->packet->time_ns - sctpa_context_time_ns(c, tsn->first_packet);
    bool is_first_hole =
        c->sent->announced && order->known_since == 0 && !order->is_behind && !(tsn->state & SCTPA_TSN_BEHIND);
    return first && is_first_hole && tsn->state & SCTPA_TSN_GAP_ACKED && !(tsn->flags & SCTPA_TSN_BEGIN) &&
           is_of_message(&order->before, tsn) && since_ns >= SCTPA_FRAGMENTS_APART_MS * SCTPA_NS_PER_MS &&
           !sctpa_tsn_set_next(&c->sent->rare->gap_acked, order->next, number - 1, &held) &&
           sctpa_direction_transmission(c->sent, first, tsn->first_packet, &rtx) > 0;
}

/* A message goes on with a TSN that did not pass. */
static void read_hole(const sctpa_context_t *c, sctpa_reached_t *reached, order_t *order)
{
    if (!is_open(&order->before) || order->before.flags & SCTPA_TSN_I_DATA ||
        (order->disorder && order->disorder->left_out == order->next) || c->sent->highest < order->next)
        return;
    reached->follows |= SCTPA_FOLLOWS_HOLE;
    if (!sctpa_context_is_intact(c) || sctpa_tap_is_near(&c->reference->tap, c->tracked, c->from) != SCTPA_YES)
        return;
    for (int64_t number = order->next + 1; number <= order->next + HOLE_LOOK_AHEAD_TSNS; number++) {
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(c->sent, number);
        if (!tsn || tsn->transmissions == 0)
            continue;
        if (is_left_out(c, order, number, tsn)) {
            note_misplaced(reached, SCTPA_MISPLACED_APART, number, &order->before);
            disorder_of(c, order)->left_out = order->next;
        }
        return;
    }
}

/* The next TSN never passed, but is acknowledged or given up: what was known before it does not tell what comes. */
static bool pass_over(const sctpa_context_t *c, order_t *order)
{
    const sctpa_direction_t *sent = c->sent;
    int64_t passed = MAX(sent->has_cum ? sent->cum_tsn : order->next - 1, sent->rare->abandoned_to);
    if (passed < order->next)
        return false;
    order->before.is_known = false;
    if (order->disorder)
        order->disorder->broken_off.is_known = false;
    order->known_since++;
    order->next = passed + 1;
    return true;
}

const sctpa_tsn_t *sctpa_stream_before(const sctpa_direction_t *sent, int64_t number, uint16_t stream, bool ordered,
                                       int64_t *before)
{
    for (*before = number - 1; *before >= 0 && *before >= number - STREAM_LOOK_BACK_TSNS; --*before) {
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(sent, *before);
        if (!tsn || tsn->transmissions == 0)
            return NULL;
        if (tsn->stream == stream && !(ordered && tsn->flags & SCTPA_TSN_UNORDERED))
            return tsn;
    }
    return NULL;
}

/* Does the message that begins have a MID that does not follow the one before? Every TSN between passed, so that none
 * was given up there. 0 follows a reset of the stream, where these were negotiated. */
static bool is_mid_wrong(const sctpa_context_t *c, const sctpa_tsn_t *before, const sctpa_tsn_t *tsn)
{
    bool may_be_reset = tsn->ssn == 0 && sctpa_negotiated(c->assoc, SCTPA_EXTENSION_RE_CONFIG) != SCTPA_NO;
    return sctpa_serial_distance(before->ssn, tsn->ssn) != 1 && !may_be_reset;
}

/* The last TSN before one on its stream that is ordered, or unordered, as it is; before, at *number: the last there of
 * either kind. NULL: it is not known, or too far away. O(1). */
static const sctpa_tsn_t *numbered_before(const sctpa_context_t *c, const sctpa_transmission_t *sent,
                                          const sctpa_tsn_t *before, int64_t *number)
{
    while (before && (before->flags ^ sent->tsn->flags) & MESSAGE_BITS)
        before = *number > sent->number - STREAM_LOOK_BACK_TSNS
                     ? sctpa_stream_before(c->sent, *number, sent->tsn->stream, false, number)
                     : NULL;
    return before;
}

/* RFC 8260 2.1, 2.2.2: one message of a stream after the other, each with a MID of its own. */
static void read_i_data(const sctpa_context_t *c, sctpa_reached_t *reached, const sctpa_transmission_t *sent)
{
    const sctpa_tsn_t *tsn = sent->tsn;
    int64_t number;
    const sctpa_tsn_t *before = sctpa_stream_before(c->sent, sent->number, tsn->stream, false, &number);
    if (!before || !(before->flags & SCTPA_TSN_I_DATA))
        return;
    bool begins = tsn->flags & SCTPA_TSN_BEGIN, ended = before->flags & SCTPA_TSN_END;
    bool is_same = before->ssn == tsn->ssn && !((before->flags ^ tsn->flags) & SCTPA_TSN_UNORDERED);
    sctpa_fragment_t fragment = fragment_of(number, before);
    reached->follows |= SCTPA_FOLLOWS_I_DATA;
    if (!is_same && !begins)
        note_misplaced(reached, SCTPA_MISPLACED_INTERLEAVED, sent->number, &fragment);
    else if (is_same && begins != ended)
        note_misplaced(reached, SCTPA_MISPLACED_BITS, sent->number, &fragment);
    else if (begins && (before = numbered_before(c, sent, before, &number)) && is_mid_wrong(c, before, tsn)) {
        fragment = fragment_of(number, before);
        note_misplaced(reached, SCTPA_MISPLACED_MID, sent->number, &fragment);
    }
}

static void begin(const sctpa_context_t *c, order_t *order)
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

static void free_orders(sctpa_arena_t *arena, void *part)
{
    const orders_t *orders = part;
    for (unsigned endpoint = 0; endpoint < 2; endpoint++) {
        order_t *order = orders->of[endpoint];
        if (!order)
            continue;
        sctpa_arena_free(arena, order->disorder, sizeof *order->disorder);
        sctpa_arena_free(arena, order->streams, order->n_streams * sizeof *order->streams);
        sctpa_arena_free(arena, order, sizeof *order);
    }
}

static order_t *order_of(const sctpa_context_t *c)
{
    orders_t *orders = sctpa_context_find_part(c, SCTPA_PART_MESSAGE_ORDER);
    if (!orders)
        orders = sctpa_context_owning_part(c, SCTPA_PART_MESSAGE_ORDER, sizeof *orders, free_orders);
    if (!orders->of[c->from])
        orders->of[c->from] = sctpa_arena_alloc(&c->store->arena, sizeof *orders->of[0]);
    return orders->of[c->from];
}

/* The packet's own TSN as a rule, which data has found. */
static const sctpa_tsn_t *tsn_at(const sctpa_context_t *c, int64_t number)
{
    const sctpa_transmission_t *first = c->first_data ? &c->first_data->sent : NULL;
    return first && first->tsn && first->number == number ? first->tsn : sctpa_direction_tsn(c->sent, number);
}

static void take_data(sctpa_context_t *c)
{
    const uint32_t plain = SCTPA_FOLLOWS_MESSAGE | SCTPA_FOLLOWS_NO_SSN | SCTPA_FOLLOWS_SSN;
    order_t *order = order_of(c);
    bool reconfigured = sctpa_has_reconfigured(c);
    if (!order->has_begun)
        begin(c, order);
    if (!order->has_begun)
        return;
    do {
        const sctpa_tsn_t *tsn;
        while (order->next <= c->sent->highest && (tsn = tsn_at(c, order->next)) != NULL && tsn->transmissions > 0) {
            order->is_behind |= (tsn->state & SCTPA_TSN_BEHIND) != 0;
            read_fragment(c, &c->reached, order, order->next, tsn);
            if (!reconfigured)
                read_ssn(c, &c->reached, order, order->next, tsn);
            read_first_mid(c, &c->reached, order, order->next, tsn);
            order->before = fragment_of(order->next, tsn);
            order->next++;
        }
        read_hole(c, &c->reached, order);
    } while (pass_over(c, order));
    c->facts |= (c->reached.follows & ~plain ? SCTPA_FACT_FRAGMENTS : 0u) |
                (c->reached.follows & SCTPA_FOLLOWS_NO_SSN ? SCTPA_FACT_FIRST_SSN : 0u) |
                (c->reached.follows & SCTPA_FOLLOWS_SSN ? SCTPA_FACT_NEXT_SSN : 0u);
}

static void take_i_data(sctpa_context_t *c)
{
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (c->chunks[i].tlv.type == SCTPA_CHUNK_I_DATA && sctpa_observed_is_new(&c->chunks[i]) &&
            sctpa_tlv_has(&c->chunks[i].tlv, SCTPA_F_I_DATA_FSN))
            read_i_data(c, &c->reached, &c->chunks[i].sent);
    c->facts |= c->reached.follows & SCTPA_FOLLOWS_I_DATA ? SCTPA_FACT_I_MESSAGES : 0u;
}

/* A message that is given up is announced before TSNs beyond it are acknowledged (RFC 3758 3.5). */
static void take_sack(sctpa_context_t *c)
{
    const orders_t *orders = sctpa_context_find_part(c, SCTPA_PART_MESSAGE_ORDER);
    const order_t *order = orders ? orders->of[!c->from] : NULL;
    sctpa_wrong_ssn_t *wrong = order && order->disorder ? &order->disorder->wrong : NULL;
    if (!wrong || !wrong->is_waiting || c->acked->cum_tsn < wrong->tsn)
        return;
    wrong->is_waiting = false;
    if (c->acked->rare->abandoned_to >= 0 || sctpa_has_reconfigured(c))
        return;
    c->reached.wrong_ssn = wrong;
    c->facts |= wrong->is_first ? SCTPA_FACT_FIRST_SSN : SCTPA_FACT_NEXT_SSN;
}

bool sctpa_has_no_ordered(const sctpa_context_t *c, uint16_t stream, int64_t to)
{
    const orders_t *orders = sctpa_context_find_part(c, SCTPA_PART_MESSAGE_ORDER);
    const order_t *order = orders ? orders->of[c->from] : NULL;
    return order && order->has_begun && c->sent && c->sent->announced && !c->sent->restarted &&
           order->known_since == 0 && order->next > to && stream < STREAMS_MAX && !sctpa_has_reconfigured(c) &&
           (stream >= order->n_streams || !order->streams[stream].is_used);
}

void sctpa_message_order_take(sctpa_context_t *c)
{
    if (c->rows & SCTPA_DATA_ROWS && c->sent)
        take_data(c);
    if (c->rows & SCTPA_ROW(I_DATA) && c->sent && !c->sent->restarted)
        take_i_data(c);
    if (c->rows & SCTPA_SACK_ROWS && c->acked)
        take_sack(c);
}
