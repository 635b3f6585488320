/* Judges when SACKs come, and what is told of duplicates. A wait counts only where a single packet with DATA came since
 * the last SACK, and the SACK that took it was sent for nothing else: then its lateness is the receiver's own. Leaves
 * what SACKs say to check_receiver_blocks.c. */
#include "check_receiver.h"

enum { PAIR_SHARE = 20 };
static const int64_t timer_least_ns = 40 * SCTPA_NS_PER_MS, late_ns = SCTPA_SACK_LATE_MS * SCTPA_NS_PER_MS,
                     pair_least_ns = SCTPA_PACKETS_APART_MS * SCTPA_NS_PER_MS;

static bool is_alike(int64_t a_ns, int64_t b_ns)
{
    return ABS(a_ns - b_ns) <= MAX(a_ns, b_ns) / SCTPA_WAITS_ALIKE_SHARE;
}

/* Since the first packet that the receiver has not acknowledged passed. */
static int64_t waited_ns(const sctpa_context_t *c, const sctpa_receiver_t *receiver)
{
    return c->packet->time_ns - sctpa_context_time_ns(c, receiver->wait.first_packet);
}

static sctpa_words_t milliseconds(const char *what, int64_t ns)
{
    return sctpa_words("%s %.1f ms", what, (double)ns / 1e6);
}

/* RFC 9260 5.1: "After the reception of the first DATA chunk in an association, the endpoint MUST immediately respond
 * with a SACK chunk" */
static void check_first(sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    if (!receiver->odd->has_first_wait || receiver->timer_cases < SCTPA_TIMER_KNOWN ||
        !sctpa_may_judge(c, SCTPA_RULE_RX_033, c->from))
        return;
    sctpa_receiver_odd(c, receiver)->has_first_wait = false;
    if (is_alike(receiver->odd->first_wait_ns, receiver->timer_ns))
        sctpa_accuse(c, SCTPA_RULE_RX_033, c->from, SCTPA_NO_PATH, receiver->odd->first_wait_packet,
                     "the SACK for the first DATA at once",
                     SCTPA_WORDS("it came after %.1f ms, as long as later ones were delayed: %.1f ms",
                                 (double)receiver->odd->first_wait_ns / 1e6, (double)receiver->timer_ns / 1e6));
}

/* RFC 9260 6.2: "SHOULD be generated within 200 ms of the arrival of any unacknowledged DATA chunk" */
static void learn_timer(sctpa_context_t *c, sctpa_receiver_t *receiver, int64_t wait_ns)
{
    if (wait_ns < sctpa_receiver_patience_ns(c, c->from, timer_least_ns))
        return;
    if (!is_alike(wait_ns, receiver->timer_ns)) {
        receiver->timer_ns = wait_ns;
        receiver->timer_cases = 0;
    }
    receiver->timer_cases += receiver->timer_cases < UINT16_MAX;
    if (receiver->timer_cases < SCTPA_TIMER_REPORTED || !sctpa_may_judge(c, SCTPA_RULE_RX_011, c->from))
        return;
    if (receiver->timer_ns - MAX(sctpa_context_tap_rtt_ns(c, c->from), 0) > SCTPA_SACK_USUAL_MS * SCTPA_NS_PER_MS &&
        !receiver->timer_told) {
        receiver->timer_told = true;
        sctpa_accuse(c, SCTPA_RULE_RX_011, c->from, SCTPA_NO_PATH, receiver->wait.first_packet,
                     "SACKs within 200 ms of the DATA",
                     milliseconds("several in a row after", receiver->timer_ns).text);
    }
}

/* RFC 9260 6.2: "MUST NOT allow the maximum delay (protocol parameter 'SACK.Delay') to be configured to be more than
 * 500 ms" */
static void check_longest(sctpa_context_t *c, sctpa_receiver_t *receiver, int64_t wait_ns)
{
    if (!sctpa_may_judge(c, SCTPA_RULE_RX_010, c->from))
        return;
    if (wait_ns - MAX(sctpa_context_tap_rtt_ns(c, c->from), 0) > SCTPA_SACK_LONGEST_MS * SCTPA_NS_PER_MS &&
        ++sctpa_receiver_odd(c, receiver)->long_waits >= SCTPA_LATE_SACKS_REPORTED)
        sctpa_accuse(c, SCTPA_RULE_RX_010, c->from, SCTPA_NO_PATH, receiver->wait.first_packet,
                     "a SACK within 500 ms of the DATA", milliseconds("it came after", wait_ns).text);
}

/* RFC 9260 6.7: "it SHOULD send a SACK chunk with Gap Ack Blocks immediately" */
static void check_gap(sctpa_context_t *c, sctpa_receiver_t *receiver, int64_t wait_ns)
{
    if (!sctpa_may_judge(c, SCTPA_RULE_RX_018, c->from))
        return;
    if (wait_ns > sctpa_receiver_patience_ns(c, c->from, late_ns) &&
        ++sctpa_receiver_odd(c, receiver)->gap_waits >= SCTPA_LATE_SACKS_REPORTED)
        sctpa_accuse(c, SCTPA_RULE_RX_018, c->from, SCTPA_NO_PATH, receiver->wait.first_packet,
                     SCTPA_WORDS("a SACK at once: TSN %u left a gap", receiver->wait.first_tsn),
                     milliseconds("it came after", wait_ns).text);
}

/* RFC 9260 6.2: "the receiver SHOULD NOT delay the sending of the corresponding SACK chunk" */
static void check_immediate(sctpa_context_t *c, sctpa_receiver_t *receiver, int64_t wait_ns)
{
    if (!sctpa_may_judge(c, SCTPA_RULE_RX_020, c->from))
        return;
    if (wait_ns > sctpa_receiver_patience_ns(c, c->from, late_ns) &&
        ++sctpa_receiver_odd(c, receiver)->immediate_waits >= SCTPA_LATE_SACKS_REPORTED)
        sctpa_accuse(c, SCTPA_RULE_RX_020, c->from, SCTPA_NO_PATH, receiver->wait.first_packet,
                     "a SACK at once: the I bit is set", milliseconds("it came after", wait_ns).text);
}

static void note_first(const sctpa_context_t *c, sctpa_receiver_t *receiver, int64_t wait_ns)
{
    if (wait_ns <= sctpa_receiver_patience_ns(c, c->from, timer_least_ns))
        return;
    sctpa_receiver_odd_t *odd = sctpa_receiver_odd(c, receiver);
    odd->has_first_wait = true;
    odd->first_wait_ns = wait_ns;
    odd->first_wait_packet = c->index;
}

/* A single packet with DATA, sent once, was taken by this SACK. opens: it also raises a_rwnd, and that may be why it
 * came: as long as others waited is told by the timer alone. */
static void check_wait(sctpa_context_t *c, sctpa_receiver_t *receiver, bool opens)
{
    uint8_t is = receiver->wait.first_is;
    int64_t wait_ns = waited_ns(c, receiver);
    if (!opens)
        check_longest(c, receiver, wait_ns);
    if (is & SCTPA_ARRIVED_FIRST)
        note_first(c, receiver, wait_ns);
    else if (!(is & (SCTPA_ARRIVED_GAP | SCTPA_ARRIVED_IMMEDIATE)))
        learn_timer(c, receiver, wait_ns);
    else if (!opens && is & SCTPA_ARRIVED_GAP)
        check_gap(c, receiver, wait_ns);
    else if (!opens)
        check_immediate(c, receiver, wait_ns);
    check_first(c, receiver);
}

/* Two packets came one well after the other, and the SACK for both right behind the second: the first alone was no
 * cause for one. */
static void check_pair(sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    const sctpa_wait_t *wait = &receiver->wait;
    const uint8_t asks = SCTPA_ARRIVED_GAP | SCTPA_ARRIVED_IMMEDIATE | SCTPA_ARRIVED_MIXED | SCTPA_ARRIVED_DUPLICATES;
    int64_t last_ns = sctpa_context_time_ns(c, wait->last_packet),
            between_ns = last_ns - sctpa_context_time_ns(c, wait->first_packet);
    int64_t after_ns = c->packet->time_ns - last_ns;
    bool is_pair = between_ns > sctpa_receiver_patience_ns(c, c->from, pair_least_ns) &&
                   after_ns <= between_ns / PAIR_SHARE && !((wait->first_is | wait->last_is) & asks) &&
                   wait->first_is & wait->last_is & SCTPA_ARRIVED_NEW &&
                   sctpa_receiver_covers_once(c, c->from, wait->first_tsn) &&
                   sctpa_receiver_covers_once(c, c->from, wait->last_tsn);
    if (!is_pair || !(wait->first_is & SCTPA_ARRIVED_FIRST || receiver->has_first_pair))
        return;
    if (wait->first_is & SCTPA_ARRIVED_FIRST) {
        receiver->has_first_pair = true;
        receiver->first_pair_packet = c->index;
    } else if (sctpa_may_judge(c, SCTPA_RULE_RX_033, c->from)) {
        receiver->has_first_pair = false;
        sctpa_accuse(c, SCTPA_RULE_RX_033, c->from, SCTPA_NO_PATH, receiver->first_pair_packet,
                     "a SACK for the first DATA at once",
                     "it came behind the second packet with DATA, as later ones behind every second");
    }
}

/* RFC 9260 6.2: "if such a DATA chunk is dropped, the receiver MUST immediately send back a SACK chunk with the current
 * receive window" */
static void check_closed(sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_sack_t *sack)
{
    const sctpa_wait_t *wait = &receiver->wait;
    bool is_dropped = wait->first_is & SCTPA_ARRIVED_CLOSED && sctpa_window_is_closed(sack->a_rwnd) &&
                      sack->n_duplicates == 0 && sack->cum_tsn == receiver->cum_tsn &&
                      !sctpa_receiver_covers(c, c->from, wait->first_tsn);
    if (!is_dropped || receiver->timer_cases < SCTPA_TIMER_KNOWN || !sctpa_may_judge(c, SCTPA_RULE_RX_026, c->from))
        return;
    int64_t wait_ns = c->packet->time_ns - sctpa_context_time_ns(c, wait->first_packet);
    if (wait_ns > sctpa_receiver_patience_ns(c, c->from, late_ns) && is_alike(wait_ns, receiver->timer_ns))
        sctpa_accuse(c, SCTPA_RULE_RX_026, c->from, SCTPA_NO_PATH, wait->first_packet,
                     SCTPA_WORDS("a SACK at once: TSN %u was dropped at a_rwnd %u", wait->first_tsn, sack->a_rwnd),
                     SCTPA_WORDS("it came after %.1f ms, by the timer of delayed SACKs (%.1f ms)",
                                 (double)wait_ns / 1e6, (double)receiver->timer_ns / 1e6));
}

/* RFC 9260 6.2: "When a packet arrives with duplicate DATA chunk(s) and with no new DATA chunk(s), the endpoint MUST
 * immediately send a SACK chunk with no delay." */
static void check_ignored(sctpa_context_t *c, sctpa_receiver_t *receiver, uint8_t end)
{
    if (!sctpa_may_judge(c, SCTPA_RULE_RX_014, end))
        return;
    sctpa_receiver_odd(c, receiver)->duplicates_ignored++;
    if (receiver->odd->duplicates_ignored >= SCTPA_DUPLICATES_UNANSWERED &&
        receiver->odd->duplicates_ignored > receiver->odd->duplicates_answered && sctpa_receiver_is_reached(receiver))
        sctpa_accuse(c, SCTPA_RULE_RX_014, end, SCTPA_NO_PATH, receiver->wait.first_packet,
                     SCTPA_WORDS("a SACK at once: TSN %u had been acknowledged", receiver->wait.first_tsn),
                     SCTPA_WORDS("none within %.1f ms; %u packets of duplicates were passed over, %u answered",
                                 (double)waited_ns(c, receiver) / 1e6, receiver->odd->duplicates_ignored,
                                 receiver->odd->duplicates_answered));
}

void sctpa_check_unanswered(sctpa_context_t *c, sctpa_receiver_t *receiver, uint8_t end)
{
    int64_t wait_ns = waited_ns(c, receiver);
    if (receiver->wait.first_is == SCTPA_ARRIVED_DUPLICATES &&
        wait_ns > sctpa_receiver_patience_ns(c, end, pair_least_ns))
        check_ignored(c, receiver, end);
}

/* What waited for the timer of delayed SACKs reached the receiver. */
static void check_delayed(sctpa_context_t *c, sctpa_receiver_t *receiver, int64_t wait_ns)
{
    if (!sctpa_may_judge(c, SCTPA_RULE_RX_014, c->from) ||
        ++sctpa_receiver_odd(c, receiver)->duplicates_delayed < SCTPA_LATE_SACKS_REPORTED)
        return;
    sctpa_accuse(c, SCTPA_RULE_RX_014, c->from, SCTPA_NO_PATH, receiver->wait.first_packet,
                 SCTPA_WORDS("a SACK at once: TSN %u had been acknowledged", receiver->wait.first_tsn),
                 SCTPA_WORDS("it came after %.1f ms, by the timer of delayed SACKs (%.1f ms)", (double)wait_ns / 1e6,
                             (double)receiver->timer_ns / 1e6));
}

/* RFC 9260 6.2: "The duplicate TSN number(s) SHOULD be reported in the SACK chunk as duplicate." This SACK has no other
 * cause than the duplicates, which the timer shows to have arrived. */
static void check_unlisted(sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_sack_t *sack)
{
    if (!sctpa_may_judge(c, SCTPA_RULE_RX_015, c->from) || sack->n_duplicates > 0 ||
        ++sctpa_receiver_odd(c, receiver)->duplicates_unlisted < SCTPA_LATE_SACKS_REPORTED)
        return;
    sctpa_accuse(c, SCTPA_RULE_RX_015, c->from, SCTPA_NO_PATH, receiver->wait.first_packet,
                 "the duplicate in the list of duplicate TSNs",
                 SCTPA_WORDS("none listed by a SACK that TSN %u, acknowledged before, caused; %u times",
                             receiver->wait.first_tsn, receiver->odd->duplicates_unlisted));
}

static void check_lone_duplicate(sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_sack_t *sack)
{
    int64_t wait_ns = waited_ns(c, receiver);
    if (wait_ns > sctpa_receiver_patience_ns(c, c->from, late_ns) && receiver->timer_cases > 0 &&
        is_alike(wait_ns, receiver->timer_ns) && sctpa_receiver_is_pure(c) && sack->a_rwnd <= receiver->a_rwnd_bytes) {
        check_delayed(c, receiver, wait_ns);
        check_unlisted(c, receiver, sack);
    } else if (wait_ns <= sctpa_receiver_patience_ns(c, c->from, late_ns)) {
        sctpa_receiver_odd(c, receiver)->duplicates_answered += !receiver->has_block;
        sctpa_may_judge(c, SCTPA_RULE_RX_014, c->from);
    } else
        check_ignored(c, receiver, c->from);
}

void sctpa_check_delay(sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_sack_t *sack)
{
    const sctpa_wait_t *wait = &receiver->wait;
    if (wait->packets == 1 && wait->first_is == SCTPA_ARRIVED_DUPLICATES)
        check_lone_duplicate(c, receiver, sack);
    if (!sctpa_receiver_is_pure(c) || wait->packets == 0 || wait->first_is & SCTPA_ARRIVED_MIXED)
        return;
    if (wait->packets == 2)
        check_pair(c, receiver);
    else if (wait->packets == 1 && sctpa_receiver_covers_once(c, c->from, wait->first_tsn))
        check_wait(c, receiver, sack->a_rwnd > receiver->a_rwnd_bytes);
    else if (wait->packets == 1)
        check_closed(c, receiver, sack);
}

/* Everything that arrived was taken before this SACK was made: packets are taken in their order. */
static bool is_all_taken(const sctpa_context_t *c, const sctpa_receiver_t *receiver)
{
    const sctpa_wait_t *wait = &receiver->wait;
    return wait->packets > 0 && wait->last_packet > receiver->odd->duplicate_packet &&
           sctpa_receiver_covers(c, c->from, wait->last_tsn);
}

/* RFC 9260 6.2: "The duplicate TSN number(s) SHOULD be reported in the SACK chunk as duplicate." */
void sctpa_check_duplicates(sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_sack_t *sack)
{
    if (!receiver->odd->has_duplicate || !(sack->n_duplicates > 0 || is_all_taken(c, receiver)) ||
        !sctpa_may_judge(c, SCTPA_RULE_RX_015, c->from))
        return;
    sctpa_receiver_odd(c, receiver)->has_duplicate = false;
    if (sack->n_duplicates > 0) {
        sctpa_receiver_odd(c, receiver)->duplicates_told++;
        return;
    }
    sctpa_receiver_odd(c, receiver)->duplicates_untold++;
    if (receiver->odd->duplicates_untold >= SCTPA_DUPLICATES_UNANSWERED &&
        receiver->odd->duplicates_untold > SCTPA_UNLISTED_PER_LISTED * receiver->odd->duplicates_told &&
        sctpa_receiver_is_reached(receiver))
        sctpa_accuse(c, SCTPA_RULE_RX_015, c->from, SCTPA_NO_PATH, receiver->odd->duplicate_packet,
                     "the duplicate in the list of duplicate TSNs",
                     SCTPA_WORDS("none listed, though what came after it is acknowledged; %u times, %u times it was",
                                 receiver->odd->duplicates_untold, receiver->odd->duplicates_told));
}
