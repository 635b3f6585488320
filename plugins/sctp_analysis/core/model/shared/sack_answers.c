/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what the SACK of a packet answers, and keeps what it shows of the receiver. */
#include "sack_answers.h"

enum { BEHIND_SHARE = 20, HOLES_LOOKED_AT = 4, LISTS_READ = 16 };
static const int64_t timer_least_ns = 40 * SCTPA_NS_PER_MS, late_ns = SCTPA_SACK_LATE_MS * SCTPA_NS_PER_MS,
                     apart_ns = SCTPA_PACKETS_APART_MS * SCTPA_NS_PER_MS,
                     earlier_ns = SCTPA_LEFT_OUT_EARLIER_MS * SCTPA_NS_PER_MS;

static const sctpa_receiver_t *own(const sctpa_context_t *c)
{
    return c->receivers[c->from];
}

static bool is_longer(const sctpa_context_t *c, int64_t elapsed_ns, int64_t least_ns)
{
    return elapsed_ns > sctpa_receiver_patience_ns(c, c->from, least_ns);
}

/* What came last passed so long ago. */
static int64_t behind_ns(const sctpa_context_t *c)
{
    return c->packet->time_ns - sctpa_context_time_ns(c, own(c)->wait.last_packet);
}

bool sctpa_sack_is_lone(const sctpa_context_t *c)
{
    return sctpa_sack_is(c, SCTPA_SACK_SINGLE | SCTPA_SACK_ALONE) && c->answer.owed.packets == 1 &&
           !(own(c)->wait.first_is & SCTPA_ARRIVED_MIXED);
}

bool sctpa_sack_is_delayed(const sctpa_context_t *c)
{
    const uint8_t at_once = SCTPA_ARRIVED_FIRST | SCTPA_ARRIVED_GAP | SCTPA_ARRIVED_IMMEDIATE;
    return sctpa_sack_is_measured(c) && !(c->answer.owed.at_once & at_once) &&
           c->answer.owed.waited_ns >= sctpa_receiver_patience_ns(c, c->from, timer_least_ns);
}

sctpa_sack_timer_t sctpa_sack_timer(const sctpa_context_t *c)
{
    sctpa_sack_timer_t timer = { own(c)->timer_ns, own(c)->timer_waits };
    int64_t waited_ns = c->answer.owed.waited_ns;
    if (!sctpa_sack_is_delayed(c))
        return timer;
    if (!sctpa_waits_are_alike(waited_ns, timer.delay_ns))
        timer = (sctpa_sack_timer_t){ .delay_ns = waited_ns };
    timer.waits += timer.waits < UINT16_MAX;
    return timer;
}

bool sctpa_sack_compares_first(const sctpa_context_t *c)
{
    const sctpa_first_sack_t *first = own(c)->first;
    return first && first->has_wait && sctpa_sack_is_measured(c) && sctpa_sack_timer(c).waits >= SCTPA_TIMER_KNOWN;
}

bool sctpa_sack_is_for_pair(const sctpa_context_t *c)
{
    const uint8_t asks = SCTPA_ARRIVED_GAP | SCTPA_ARRIVED_IMMEDIATE | SCTPA_ARRIVED_MIXED | SCTPA_ARRIVED_DUPLICATES;
    const sctpa_owed_sack_t *wait = &own(c)->wait;
    if (!sctpa_sack_is(c, SCTPA_SACK_SINGLE | SCTPA_SACK_ALONE | SCTPA_SACK_BOTH_ONCE) || wait->packets != 2 ||
        (wait->first_is | wait->last_is) & asks || !(wait->first_is & wait->last_is & SCTPA_ARRIVED_NEW))
        return false;
    int64_t between_ns = c->answer.owed.waited_ns - behind_ns(c);
    return is_longer(c, between_ns, apart_ns) && behind_ns(c) <= between_ns / BEHIND_SHARE;
}

bool sctpa_sack_is_above_hole(const sctpa_context_t *c)
{
    const sctpa_sack_record_t *before = c->answer.before;
    return sctpa_sack_is(c, SCTPA_SACK_SINGLE | SCTPA_SACK_FIRST_ONCE) && c->sack.n_gaps > 0 && before &&
           before->cum_tsn == c->sack.cum_tsn && sctpa_sack_first_gap(c->acked, before) > 0;
}

bool sctpa_sack_pairs_above_hole(const sctpa_context_t *c)
{
    const sctpa_owed_sack_t *wait = &own(c)->wait;
    return wait->packets == 2 && sctpa_sack_is(c, SCTPA_SACK_BOTH_ONCE) && sctpa_sack_is_above_hole(c) &&
           is_longer(c, wait->least_gap_ns, apart_ns) && behind_ns(c) <= wait->least_gap_ns / BEHIND_SHARE;
}

bool sctpa_sack_is_without_hole(const sctpa_context_t *c)
{
    const sctpa_sack_record_t *before = c->answer.before;
    return sctpa_sack_is(c, SCTPA_SACK_SINGLE | SCTPA_SACK_LAST) && c->sack.n_gaps + c->sack.n_nr_gaps == 0 &&
           !(before && sctpa_sack_first_gap(c->acked, before) > 0);
}

bool sctpa_sack_is_sparse(const sctpa_context_t *c)
{
    const sctpa_owed_sack_t *wait = &own(c)->wait;
    return wait->packets > 2 && sctpa_sack_is_without_hole(c) && is_longer(c, wait->least_gap_ns, apart_ns);
}

/* The packet's only SACK has no other cause than the packets with DATA that came since the one before: its sender had
 * taken all others by then, and the SACK neither opens the window nor accompanies DATA. It was sent for the first of
 * them, at the earliest. O(1). */
static bool has_one_cause(const sctpa_context_t *c)
{
    return c->n_sacks == 1 && c->tracked->rare->twice_at_once == 0 && !own(c)->is_behind &&
           own(c)->packets_fresh == own(c)->wait.packets && !sctpa_sack_is(c, SCTPA_SACK_OPENS) &&
           !(c->rows & SCTPA_DATA_ROWS);
}

/* The SACK was due at once, and comes alone, long after all that came: only a timer makes it. */
static bool is_by_timer(const sctpa_context_t *c, sctpa_asks_t why)
{
    return own(c)->asking[why] > 0 && own(c)->wait.packets > 0 &&
           sctpa_sack_is(c, SCTPA_SACK_SINGLE | SCTPA_SACK_ALONE) && !sctpa_sack_is(c, SCTPA_SACK_OPENS) &&
           sctpa_context_is_of_one_tap(c, own(c)->wait.first_packet) &&
           is_longer(c, sctpa_context_least_since_ns(c, own(c)->last_packet), apart_ns);
}

/* How long SACKs that were due at once waited by a timer, with this one. */
static sctpa_sack_timer_t timer_of_asked(const sctpa_context_t *c, sctpa_asks_t why)
{
    sctpa_sack_timer_t timer = own(c)->asked[why];
    const int64_t waited_ns = c->answer.owed.waited_ns;
    if (!is_by_timer(c, why))
        return own(c)->asking[why] > 0 ? (sctpa_sack_timer_t){ .waits = 0 } : timer;
    if (!sctpa_waits_are_alike(waited_ns, timer.delay_ns))
        timer = (sctpa_sack_timer_t){ .delay_ns = waited_ns };
    timer.waits += timer.waits < UINT16_MAX;
    return timer;
}

uint32_t sctpa_sack_overdue(const sctpa_context_t *c, sctpa_asks_t why)
{
    const uint32_t packet = own(c)->asking[why];
    if (packet == 0 || c->accused != c->from || !sctpa_sack_is(c, SCTPA_SACK_SINGLE) ||
        !sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED) || !sctpa_context_is_of_one_tap(c, packet - 1))
        return SCTPA_NO_PACKET_INDEX;
    const bool is_overdue = is_longer(c, sctpa_context_least_since_ns(c, packet - 1), late_ns) ||
                            timer_of_asked(c, why).waits >= SCTPA_TIMER_SURE;
    return is_overdue ? packet - 1 : SCTPA_NO_PACKET_INDEX;
}

sctpa_duplicate_answer_t sctpa_sack_on_duplicate(const sctpa_context_t *c)
{
    const sctpa_owed_sack_t *wait = &own(c)->wait;
    if (wait->first_is != SCTPA_ARRIVED_DUPLICATES || wait->packets != 1 || !sctpa_sack_is(c, SCTPA_SACK_SINGLE))
        return SCTPA_NO_LONE_DUPLICATE;
    if (!is_longer(c, c->answer.owed.waited_ns, late_ns))
        return SCTPA_DUPLICATE_ANSWERED;
    bool is_alone = sctpa_sack_is(c, SCTPA_SACK_ALONE) && !sctpa_sack_is(c, SCTPA_SACK_OPENS);
    return is_alone && own(c)->timer_waits > 0 && sctpa_waits_are_alike(c->answer.owed.waited_ns, own(c)->timer_ns)
               ? SCTPA_DUPLICATE_DELAYED
               : SCTPA_DUPLICATE_IGNORED;
}

bool sctpa_receiver_ignores_duplicate(const sctpa_context_t *c, uint8_t endpoint)
{
    const sctpa_owed_sack_t *wait = &c->receivers[endpoint]->wait;
    return wait->first_is == SCTPA_ARRIVED_DUPLICATES && wait->packets == 1 && endpoint != c->from &&
           c->rows & SCTPA_DATA_ROWS && c->sent && sctpa_tap_is_on_all_ways(&c->reference->tap, c->tracked, endpoint) &&
           !sctpa_tracked_is_ending(c->tracked) && !c->sent->restarted &&
           sctpa_receiver_owes(c, c->receivers[endpoint]).waited_ns > sctpa_receiver_patience_ns(c, endpoint, apart_ns);
}

bool sctpa_sack_settles_duplicate(const sctpa_context_t *c)
{
    const sctpa_duplicates_t *duplicates = own(c)->duplicates;
    const sctpa_owed_sack_t *wait = &own(c)->wait;
    if (!duplicates || !duplicates->is_owed || !sctpa_sack_is(c, SCTPA_SACK_SINGLE))
        return false;
    const bool is_for_it = wait->packets == 1 && wait->first_packet >= duplicates->owed_packet && has_one_cause(c);
    const bool is_long_after = is_longer(c, sctpa_context_least_since_ns(c, duplicates->owed_packet), late_ns);
    /* packets are taken in their order: all that came was taken before this SACK was made */
    return c->facts & SCTPA_FACT_DUPLICATE_TSNS ||
           ((is_for_it || is_long_after) && sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED)) ||
           (wait->last_packet > duplicates->owed_packet && sctpa_sack_is(c, SCTPA_SACK_LAST_ONCE));
}

/* The record of the TSN left out, as long as it may show that the receiver had it; NULL: it does not any more. */
static const sctpa_tsn_t *left_out(const sctpa_context_t *c)
{
    const sctpa_left_out_t *left = own(c)->left_out;
    const sctpa_tsn_t *tsn = left && left->is_waiting ? sctpa_receiver_tsn(c, c->from, left->tsn) : NULL;
    return tsn && tsn->transmissions == 1 && !(tsn->state & SCTPA_TSN_ABANDONED) ? tsn : NULL;
}

/* The offset behind the blocks that cover one from it on, looked at in their order. */
static uint32_t behind_blocks(const sctpa_sack_t *sack, uint32_t offset)
{
    for (uint32_t i = 0; i < sack->n_gaps + sack->n_nr_gaps; i++) {
        const sctpa_gap_block_t block = sctpa_sack_any_block(sack, i);
        if (offset >= block.start && offset <= block.end)
            offset = block.end + 1u;
    }
    return offset;
}

uint32_t sctpa_sack_next_unreported(const sctpa_sack_t *sack, uint32_t tsn)
{
    uint32_t offset = (uint32_t)MAX(sctpa_serial_distance(sack->cum_tsn, tsn), 1), before = 0;
    for (unsigned pass = 0; pass < LISTS_READ && offset != before; pass++) {
        before = offset;
        offset = behind_blocks(sack, offset);
    }
    return sack->cum_tsn + (offset == before ? offset : UINT16_MAX + 1u);
}

/* Does a SACK say that tsn was received, in any of its blocks? O(gap blocks). */
static bool reports(const sctpa_sack_t *sack, uint32_t tsn)
{
    return sctpa_sack_next_unreported(sack, tsn) != tsn;
}

/* Does the SACK say that the receiver has the TSN left out, tsn? */
static bool is_reported(const sctpa_context_t *c, const sctpa_tsn_t *tsn)
{
    const sctpa_left_out_t *left = own(c)->left_out;
    return tsn && (left->is_revoked ? reports(&c->sack, left->tsn) : sctpa_receiver_has(tsn) == SCTPA_YES);
}

bool sctpa_sack_shows_left_out(const sctpa_context_t *c)
{
    return sctpa_sack_is(c, SCTPA_SACK_SINGLE) && is_reported(c, left_out(c));
}

static sctpa_first_sack_t *change_first(const sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    if (!receiver->first)
        receiver->first = sctpa_arena_alloc(&c->store->arena, sizeof *receiver->first);
    return (sctpa_first_sack_t *)receiver->first;
}

static sctpa_duplicates_t *change_duplicates(const sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    if (!receiver->duplicates)
        receiver->duplicates = sctpa_arena_alloc(&c->store->arena, sizeof *receiver->duplicates);
    return (sctpa_duplicates_t *)receiver->duplicates;
}

static sctpa_left_out_t *change_left_out(const sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    if (!receiver->left_out)
        receiver->left_out = sctpa_arena_alloc(&c->store->arena, sizeof *receiver->left_out);
    return (sctpa_left_out_t *)receiver->left_out;
}

static void take_first(const sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    const sctpa_sack_owed_t *owed = &c->answer.owed;
    bool is_first = owed->at_once & SCTPA_ARRIVED_FIRST;
    if (is_first && sctpa_sack_is_measured(c) && is_longer(c, owed->waited_ns, timer_least_ns)) {
        sctpa_first_sack_t *first = change_first(c, receiver);
        first->has_wait = true;
        first->wait_ns = owed->waited_ns;
        first->packet = c->index;
    } else if (is_first && sctpa_sack_is_for_pair(c)) {
        sctpa_first_sack_t *first = change_first(c, receiver);
        first->has_pair = true;
        first->packet = c->index;
    } else if (receiver->first && sctpa_receiver_is_observed(c, c->from)) {
        bool is_compared = sctpa_sack_compares_first(c), is_pair = sctpa_sack_is_for_pair(c);
        change_first(c, receiver)->has_wait &= !is_compared;
        change_first(c, receiver)->has_pair &= !is_pair;
    }
}

static void take_duplicates(const sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    sctpa_duplicate_answer_t answer = sctpa_sack_on_duplicate(c);
    bool is_settled = sctpa_sack_settles_duplicate(c), is_listed = c->facts & SCTPA_FACT_DUPLICATE_TSNS;
    if ((answer == SCTPA_NO_LONE_DUPLICATE && !is_settled) || !sctpa_receiver_is_observed(c, c->from))
        return;
    sctpa_duplicates_t *duplicates = change_duplicates(c, receiver);
    duplicates->answered += answer == SCTPA_DUPLICATE_ANSWERED &&
                            !(c->answer.before && sctpa_sack_first_gap(c->acked, c->answer.before) > 0);
    duplicates->ignored += answer == SCTPA_DUPLICATE_IGNORED;
    duplicates->delayed += answer == SCTPA_DUPLICATE_DELAYED;
    duplicates->delayed_unlisted += answer == SCTPA_DUPLICATE_DELAYED && !is_listed;
    if (is_settled) {
        duplicates->is_owed = false;
        duplicates->listed += is_listed;
        duplicates->unlisted += !is_listed;
    }
}

/* Does the last SACK leave out a TSN that one before it acknowledged in a gap block? The receiver may have dropped it
 * since (RFC 9260 6.2), or the SACKs changed places. O(log gap blocks). */
static bool may_be_dropped(const sctpa_direction_t *sent, const sctpa_tsn_t *tsn, uint32_t number)
{
    if (tsn->ack_packet != SCTPA_NO_PACKET_INDEX || tsn->gap_packet == SCTPA_NO_PACKET_INDEX)
        return false;
    const sctpa_sack_record_t *last = &SCTPA_RECORD(&sent->sacks, sctpa_sack_record_t, sent->sacks.len - 1);
    const int32_t offset = sctpa_serial_distance(last->cum_tsn, number);
    uint32_t n, from = 0;
    const uint32_t *blocks = sctpa_direction_gaps(sent, last->gaps, &n);
    for (uint32_t to = n; from < to;) {
        const uint32_t middle = from + (to - from) / 2;
        if ((int32_t)(blocks[middle] & UINT16_MAX) < offset)
            from = middle + 1;
        else
            to = middle;
    }
    return offset > 0 && (from == n || (int32_t)(blocks[from] >> 16) > offset);
}

void sctpa_duplicate_arrives(const sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_tsn_t *tsn,
                             uint32_t number)
{
    if (!sctpa_context_is_verified(c) || (receiver->duplicates && receiver->duplicates->is_owed) ||
        tsn->duplicates + 1 >= tsn->transmissions || may_be_dropped(c->sent, tsn, number))
        return;
    sctpa_duplicates_t *duplicates = change_duplicates(c, receiver);
    duplicates->is_owed = true;
    duplicates->owed_packet = c->index;
}

void sctpa_duplicate_is_ignored(const sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    change_duplicates(c, receiver)->ignored++;
}

/* A hole whose TSN passed once and long before a TSN above it, which is reported: the receiver took the later one. */
static bool is_left_out(const sctpa_context_t *c, uint32_t missing, uint32_t above)
{
    const sctpa_tsn_t *hole = sctpa_receiver_tsn(c, c->from, missing), *later = sctpa_receiver_tsn(c, c->from, above);
    if (sctpa_receiver_has(hole) != SCTPA_UNKNOWN || !later || hole->transmissions != 1 || later->transmissions != 1 ||
        hole->state & (SCTPA_TSN_ABANDONED | SCTPA_TSN_LATE | SCTPA_TSN_RENEGED))
        return false;
    return is_longer(c, sctpa_context_time_ns(c, later->first_packet) - sctpa_context_time_ns(c, hole->first_packet),
                     earlier_ns);
}

static void look_for_left_out(const sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_tlv_t *chunk)
{
    sctpa_sack_t sack;
    if (!sctpa_tlv_is_sack(chunk) || !sctpa_sack_parse(chunk, &sack) || !sack.complete)
        return;
    uint32_t below = sack.cum_tsn;
    for (uint32_t i = 0; i < MIN(sack.n_gaps, HOLES_LOOKED_AT); i++) {
        sctpa_gap_block_t block = sctpa_sack_block(&sack, i);
        uint32_t start = sack.cum_tsn + block.start, end = sack.cum_tsn + block.end;
        if (sctpa_serial_distance(below + 1, start) > 0 &&
            (is_left_out(c, below + 1, start) || is_left_out(c, below + 1, end))) {
            *change_left_out(c, receiver) = (sctpa_left_out_t){ below + 1, c->index, true, i == 0, false };
            return;
        }
        below = end;
    }
}

/* The first TSN that the SACK before reported in a gap block, and this one, which reports a higher one than that,
 * leaves out. Had the receiver discarded it, it could acknowledge it only after a retransmission, which a capture that
 * lacks no packet holds. */
static void look_for_revoked(const sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    uint32_t n;
    const sctpa_sack_record_t *before = c->answer.before;
    const uint32_t *blocks = before && !receiver->sends_nr_sacks && !(c->rows & SCTPA_ROW(NR_SACK))
                                 ? sctpa_direction_gaps(c->acked, before->gaps, &n)
                                 : NULL;
    if (!blocks || !c->sack.complete || c->sack.n_gaps == 0 || !sctpa_receiver_is_observed(c, c->from) ||
        sctpa_tap_passed_all(&c->reference->tap, c->tracked) != SCTPA_YES)
        return;
    uint32_t tsn = before->cum_tsn + (blocks[0] >> 16), highest_before = before->cum_tsn + (blocks[n - 1] & 0xFFFF),
             highest = c->sack.cum_tsn + sctpa_sack_block(&c->sack, c->sack.n_gaps - 1).end;
    const sctpa_tsn_t *found = sctpa_receiver_tsn(c, c->from, tsn);
    if (found && found->transmissions == 1 && !reports(&c->sack, tsn) &&
        sctpa_serial_distance(highest_before, highest) > 0)
        *change_left_out(c, receiver) = (sctpa_left_out_t){ tsn, c->index, true, tsn == c->sack.cum_tsn + 1, true };
}

static void take_left_out(const sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    const sctpa_tsn_t *left = left_out(c);
    bool is_waiting = left && !is_reported(c, left);
    if (receiver->left_out)
        change_left_out(c, receiver)->is_waiting = is_waiting;
    if (is_waiting || !(c->facts & SCTPA_FACT_GAP_BLOCKS))
        return;
    for (unsigned i = 0; i < c->n_chunks && !(receiver->left_out && receiver->left_out->is_waiting); i++)
        look_for_left_out(c, receiver, &c->chunks[i].tlv);
    if (!(receiver->left_out && receiver->left_out->is_waiting))
        look_for_revoked(c, receiver);
}

/* Who has several addresses may have got packets at one that the capture does not show. A request to reset streams asks
 * for a SACK as well (RFC 6525 5.2.1). */
static bool is_silent(const sctpa_context_t *c)
{
    const sctpa_sack_record_t *before = c->answer.before;
    return sctpa_sack_is(c, SCTPA_SACK_FOLLOWED | SCTPA_SACK_ALONE) && before && before->gaps == 0 &&
           c->assoc->ends[c->from].n_addrs == 1 && c->sack.cum_tsn == before->cum_tsn &&
           c->sack.n_gaps + c->sack.n_nr_gaps == 0 && c->sack.complete &&
           !(c->facts & (SCTPA_FACT_NEWLY_ACKED | SCTPA_FACT_DUPLICATE_TSNS)) && !sctpa_sack_is(c, SCTPA_SACK_OPENS) &&
           c->acked->rare->abandoned_to < 0 && c->acked->flight_bytes <= c->sack.a_rwnd && !sctpa_has_reconfigured(c);
}

unsigned sctpa_sack_silent(const sctpa_context_t *c, uint32_t *first)
{
    if (!is_silent(c))
        return 0;
    *first = own(c)->silent_sacks > 0 ? own(c)->silent_packet : c->index;
    return own(c)->silent_sacks + 1u;
}

static void take_silent(const sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    receiver->silent_sacks = (uint16_t)MIN(sctpa_sack_silent(c, &receiver->silent_packet), UINT16_MAX);
}

/* Did the last packet to the receiver that can cause a SACK bring a TSN that was sent once, and that the SACK takes, or
 * is it the cause of the SACK? Then it has taken all that came. */
static bool has_taken_all(const sctpa_context_t *c, const sctpa_receiver_t *receiver)
{
    if (receiver->wait.packets == 0)
        return !receiver->is_behind && receiver->packets_fresh == 0;
    return (sctpa_sack_is(c, SCTPA_SACK_LAST_ONCE) && receiver->last_causing == receiver->wait.last_packet) ||
           (receiver->wait.packets == 1 && has_one_cause(c));
}

/* Each SACK chunk answers a packet of any kind; those before the last SACK that took all are answered but once more. */
static void take_packets(const sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    unsigned fresh = MIN(c->n_sacks, receiver->packets_fresh);
    receiver->packets_fresh = (uint16_t)(receiver->packets_fresh - fresh);
    receiver->packets_left -= (uint16_t)MIN(c->n_sacks - fresh, receiver->packets_left);
    if (sctpa_sack_is(c, SCTPA_SACK_LAST)) {
        receiver->packets_left = receiver->packets_fresh;
        receiver->packets_fresh = 0;
    }
}

void sctpa_sack_answer_take(const sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    take_silent(c, receiver);
    receiver->one_source_sacks = sctpa_sack_is_of_new_data(c) ? (uint8_t)MIN(receiver->one_source_sacks + 1, 2) : 0;
    if (!sctpa_sack_is(c, SCTPA_SACK_SINGLE))
        return;
    receiver->is_behind = !has_taken_all(c, receiver);
    for (unsigned why = 0; why < SCTPA_ASKS; why++)
        receiver->asked[why] = timer_of_asked(c, (sctpa_asks_t)why);
    take_packets(c, receiver);
    take_first(c, receiver);
    take_duplicates(c, receiver);
    take_left_out(c, receiver);
    const sctpa_sack_timer_t timer = sctpa_sack_timer(c);
    receiver->timer_ns = timer.delay_ns;
    receiver->timer_waits = timer.waits;
    receiver->holes_answered += receiver->wait.packets == 1 && sctpa_sack_is_above_hole(c);
    receiver->holes_paired += sctpa_sack_pairs_above_hole(c) && sctpa_receiver_is_observed(c, c->from);
    receiver->sacks_dense += receiver->wait.packets <= 2 && sctpa_sack_is_without_hole(c);
    receiver->sacks_sparse += sctpa_sack_is_sparse(c) && sctpa_receiver_is_observed(c, c->from);
}

/* --- what the SACK passes over --- */

enum { TSNS_LOOKED_AT = 128 /* of a packet: more do not fit in 1,500 bytes with user data */ };

bool sctpa_sack_is_comparable(const sctpa_context_t *c)
{
    if (!sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED))
        return false;
    const bool is_sack = c->n_sacks == 1 && c->sack.complete && sctpa_sack_is(c, SCTPA_SACK_SINGLE);
    const bool is_shutdown = c->n_sacks == 0 && c->rows & SCTPA_ROW(SHUTDOWN) && c->acked && !c->acked->restarted &&
                             sctpa_tap_is_on_all_ways(&c->reference->tap, c->tracked, c->from);
    return is_sack || is_shutdown;
}

/* What the packet says as its sender's last SACK or SHUTDOWN. */
static sctpa_sack_t said(const sctpa_context_t *c)
{
    const sctpa_tlv_t *shutdown = c->n_sacks == 0 ? sctpa_context_chunk(c, SCTPA_CHUNK_ROW_SHUTDOWN) : NULL;
    return shutdown ? (sctpa_sack_t){ .cum_tsn = sctpa_tlv_u32(shutdown, SCTPA_F_SHUTDOWN_CUM_TSN) } : c->sack;
}

/* Has the receiver announced that it has room for all that is outstanding, now and before? */
static bool has_room(const sctpa_context_t *c)
{
    const sctpa_sack_record_t *before = c->answer.before;
    uint64_t least = before ? before->a_rwnd_bytes : c->assoc->ends[c->from].init.a_rwnd_bytes;
    if (c->n_sacks > 0)
        least = MIN(least, c->sack.a_rwnd);
    else if (c->acked->has_a_rwnd)
        least = c->acked->a_rwnd_bytes;
    return least >= c->acked->flight_bytes + SCTPA_WINDOW_SCARCE_BYTES;
}

/* Does the sack leave out a TSN that it had to name? The gap blocks of a long list may not all have fitted, and what is
 * far above the rest may have been dropped; a SHUTDOWN has none. */
static bool leaves_out(const sctpa_context_t *c, const sctpa_sack_t *sack, uint32_t tsn)
{
    const int64_t offset = sctpa_serial_distance(sack->cum_tsn, tsn);
    const bool is_listed = c->n_sacks > 0 && sack->n_gaps + sack->n_nr_gaps < SCTPA_BLOCKS_LISTED;
    return !reports(sack, tsn) && (offset == 1 || (is_listed && offset <= SCTPA_TSNS_KEPT));
}

/* The first TSN of a packet with DATA, from first_tsn on, that the sack leaves out; false: none. */
static bool leaves_out_of(const sctpa_context_t *c, const sctpa_sack_t *sack, uint32_t packet, uint32_t first_tsn,
                          sctpa_omission_t *omission)
{
    for (uint32_t tsn = first_tsn; tsn - first_tsn < TSNS_LOOKED_AT; tsn++) {
        const sctpa_tsn_t *found = sctpa_receiver_tsn(c, c->from, tsn);
        if (!found || (found->first_packet != packet && found->last_packet != packet))
            return false;
        if (!leaves_out(c, sack, tsn))
            continue;
        *omission = (sctpa_omission_t){ tsn, packet, tsn == sack->cum_tsn + 1, false };
        return true;
    }
    return false;
}

/* Has the receiver surely taken a packet that passed at that time? */
static bool is_long_ago(const sctpa_context_t *c, uint32_t packet)
{
    return sctpa_context_least_since_ns(c, packet) >
           sctpa_receiver_patience_ns(c, c->from, SCTPA_SACK_LATE_MS * SCTPA_NS_PER_MS);
}

/* Had the SACK before announced room for all that was outstanding then, with what the packet's SACK takes? Else a part
 * of a packet may have been dropped, and what had filled the window was read since. */
static bool had_room_for_all(const sctpa_context_t *c)
{
    const sctpa_sack_record_t *before = c->answer.before;
    const uint64_t acked_bytes =
        c->first_sack->acked == 0 ? 0 : SCTPA_RECORD(&c->acked->acked, sctpa_acked_t, c->first_sack->acked - 1).bytes;
    return (before ? before->a_rwnd_bytes : c->assoc->ends[c->from].init.a_rwnd_bytes) >=
           acked_bytes + c->acked->flight_bytes + SCTPA_WINDOW_SCARCE_BYTES;
}

/* Does the SACK newly take a TSN, and leave out the next one, which came in the same packet, each for the first time?
 * No receiver answers a part of a packet, unless an unknown chunk between them says to stop (RFC 9260 3.2). O(gap
 * blocks). */
static bool tears_packet(const sctpa_context_t *c, const sctpa_sack_t *sack, sctpa_omission_t *omission)
{
    const uint32_t missing = sack->cum_tsn + 1;
    const sctpa_tsn_t *taken = sctpa_receiver_tsn(c, c->from, sack->cum_tsn),
                      *next = sctpa_receiver_tsn(c, c->from, missing);
    const sctpa_stream_counts_t counts = sctpa_stream_counts(c);
    if (!c->first_sack || !had_room_for_all(c) || !taken || taken->gap_packet != SCTPA_NO_PACKET_INDEX ||
        taken->ack_packet != c->index || !next || taken->first_packet != next->first_packet ||
        taken->transmissions != 1 || next->transmissions != 1 || next->state & SCTPA_TSN_ABANDONED ||
        next->bytes == 0 || next->stream >= sctpa_stream_counts_agreed(&counts, !c->from) ||
        own(c)->strange_packet > next->first_packet ||
        sctpa_context_record(c, next->first_packet)->checksum != SCTPA_CHECKSUM_CRC32C || !leaves_out(c, sack, missing))
        return false;
    *omission = (sctpa_omission_t){ missing, next->first_packet, true, false };
    return true;
}

/* Does a RE-CONFIG request wait for its answer? TSNs may begin anew before that passes (RFC 6525 5.2.4). */
static bool may_begin_anew(const sctpa_context_t *c)
{
    bool is_asked = false;
    for (unsigned endpoint = 0; endpoint < 2; endpoint++) {
        const sctpa_requests_t *requests = c->tracked->sides[endpoint].rare->requests;
        is_asked |= requests && requests->reconfig.params.length > 0;
    }
    return is_asked;
}

bool sctpa_sack_omits(const sctpa_context_t *c, sctpa_omission_t *omission)
{
    const uint8_t sure = SCTPA_ARRIVED_NEW | SCTPA_ARRIVED_VALID;
    const sctpa_owed_sack_t *wait = &own(c)->wait;
    const sctpa_sack_record_t *before = c->answer.before;
    const sctpa_sack_t sack = said(c);
    if (before && sctpa_serial_distance(before->cum_tsn, sack.cum_tsn) < 0) {
        if (may_begin_anew(c))
            return false;
        *omission = (sctpa_omission_t){ before->cum_tsn, before->packet, true, true };
        return true;
    }
    if (!has_room(c))
        return false;
    if (tears_packet(c, &sack, omission))
        return true;
    if (wait->packets == 0)
        return false;
    if ((wait->first_is & sure) == sure && (has_one_cause(c) || is_long_ago(c, wait->first_packet)) &&
        leaves_out_of(c, &sack, wait->first_packet, wait->first_tsn, omission))
        return true;
    return (wait->last_is & sure) == sure && is_long_ago(c, wait->last_packet) &&
           leaves_out_of(c, &sack, wait->last_packet, wait->last_tsn, omission);
}
