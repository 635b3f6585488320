/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules about when SACKs come. A wait counts only where a single packet with DATA came since the last SACK, and the
 * SACK that took it was sent for nothing else: then the receiver alone made it late. Leaves out packets of duplicates
 * (check_sack_duplicates.c). */
#include "reference/receiver/sack_answers.h"
#include "rules/rule_functions.h"
#include "wire/protocol_parameters.h"
#include "receiver_limits.h"

static const int64_t late_ns = SCTPA_SACK_LATE_MS * SCTPA_NS_PER_MS;

/* What the receiver itself took at the least, of what passed the tap so long ago. */
static int64_t own_part_ns(const sctpa_context_t *c, int64_t elapsed_ns)
{
    return sctpa_context_least_ns(c, elapsed_ns) - MAX(sctpa_context_tap_rtt_most_ns(c, c->from), 0) -
           sctpa_clocks_error_ns(c->reference->tap.clocks);
}

static bool is_late(const sctpa_context_t *c)
{
    return sctpa_context_least_ns(c, c->answer.owed.waited_ns) > sctpa_receiver_patience_ns(c, c->from, late_ns);
}

static sctpa_words_t came_after(const sctpa_context_t *c)
{
    return sctpa_words("it came after %.1f ms", (double)c->answer.owed.waited_ns / 1e6);
}

/* One that also opens the window may have come for that. */
static bool is_measured_alone(const sctpa_context_t *c)
{
    return sctpa_sack_is_measured(c) && !sctpa_sack_is(c, SCTPA_SACK_OPENS);
}

bool sctpa_RX_010_applies(const sctpa_context_t *c)
{
    return is_measured_alone(c);
}

/* RFC 9260 6.2: "MUST NOT allow the maximum delay (protocol parameter 'SACK.Delay') to be configured to be more than
 * 500 ms" */
bool sctpa_RX_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (own_part_ns(c, c->answer.owed.waited_ns) <= SCTPA_SACK_LONGEST_MS * SCTPA_NS_PER_MS)
        return false;
    violation->related = c->answer.owed.since_packet;
    sctpa_violation_say(violation, "a SACK within 500 ms of the DATA", came_after(c).text);
    return true;
}

bool sctpa_RX_011_applies(const sctpa_context_t *c)
{
    return sctpa_sack_is_delayed(c) && sctpa_sack_timer(c).waits >= SCTPA_TIMER_REPORTED;
}

/* RFC 9260 6.2: "SHOULD be generated within 200 ms of the arrival of any unacknowledged DATA chunk" */
bool sctpa_RX_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    int64_t delay_ns = sctpa_sack_timer(c).delay_ns;
    if (own_part_ns(c, delay_ns) <= SCTPA_SACK_USUAL_MS * SCTPA_NS_PER_MS)
        return false;
    violation->related = c->answer.owed.since_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("SACKs within %d ms of the DATA", SCTPA_RFC_SACK_DELAY),
                        SCTPA_WORDS("several in a row after %.1f ms", (double)delay_ns / 1e6));
    return true;
}

bool sctpa_RX_018_applies(const sctpa_context_t *c)
{
    const uint8_t why = SCTPA_ARRIVED_GAP | SCTPA_ARRIVED_FIRST;
    return is_measured_alone(c) && (c->answer.owed.at_once & why) == SCTPA_ARRIVED_GAP;
}

/* RFC 9260 6.7: "it SHOULD send a SACK chunk with Gap Ack Blocks immediately" */
bool sctpa_RX_018_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!is_late(c))
        return false;
    violation->related = c->answer.owed.since_packet;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("a SACK at once: TSN %u left a gap", c->receivers[c->from]->wait.first_tsn),
                        came_after(c).text);
    return true;
}

bool sctpa_RX_020_applies(const sctpa_context_t *c)
{
    const uint8_t why = SCTPA_ARRIVED_IMMEDIATE | SCTPA_ARRIVED_GAP | SCTPA_ARRIVED_FIRST;
    return is_measured_alone(c) && (c->answer.owed.at_once & why) == SCTPA_ARRIVED_IMMEDIATE;
}

/* RFC 9260 6.2: "the receiver SHOULD NOT delay the sending of the corresponding SACK chunk" */
bool sctpa_RX_020_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!is_late(c))
        return false;
    violation->related = c->answer.owed.since_packet;
    sctpa_violation_say(violation, "a SACK at once: the I bit is set", came_after(c).text);
    return true;
}

bool sctpa_RX_026_applies(const sctpa_context_t *c)
{
    return (c->receivers[c->from]->timer_waits >= SCTPA_TIMER_KNOWN ||
            sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED)) &&
           sctpa_sack_is_lone(c) && c->answer.owed.at_once & SCTPA_ARRIVED_CLOSED &&
           !sctpa_sack_is(c, SCTPA_SACK_FIRST) && c->answer.before && c->answer.before->cum_tsn == c->sack.cum_tsn &&
           c->sack.n_duplicates == 0 && sctpa_window_is_closed(c->sack.a_rwnd);
}

/* RFC 9260 6.2: "if such a DATA chunk is dropped, the receiver MUST immediately send back a SACK chunk with the current
 * receive window" */
bool sctpa_RX_026_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_receiver_t *own = c->receivers[c->from];
    bool is_by_timer =
        own->timer_waits >= SCTPA_TIMER_KNOWN && sctpa_waits_are_alike(c->answer.owed.waited_ns, own->timer_ns);
    if (!is_late(c) || (!is_by_timer && !sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED)))
        return false;
    violation->related = c->answer.owed.since_packet;
    violation->rests_on = is_by_timer ? 0 : SCTPA_ASSERTED_ARRIVED;
    sctpa_violation_say(
        violation, SCTPA_WORDS("a SACK at once: TSN %u was dropped at a_rwnd %u", own->wait.first_tsn, c->sack.a_rwnd),
        is_by_timer ? SCTPA_WORDS("it came after %.1f ms, by the timer of delayed SACKs (%.1f ms)",
                                  (double)c->answer.owed.waited_ns / 1e6, (double)own->timer_ns / 1e6)
                    : came_after(c).text);
    return true;
}

/* The first DATA was answered after the second packet, as two others are now. */
static bool is_paired_again(const sctpa_context_t *c)
{
    const sctpa_first_sack_t *first = c->receivers[c->from]->first;
    return first && first->has_pair && !(c->answer.owed.at_once & SCTPA_ARRIVED_FIRST) && sctpa_sack_is_for_pair(c);
}

bool sctpa_RX_033_applies(const sctpa_context_t *c)
{
    return sctpa_sack_compares_first(c) || is_paired_again(c);
}

/* RFC 9260 5.1: "After the reception of the first DATA chunk in an association, the endpoint MUST immediately respond
 * with a SACK chunk" */
bool sctpa_RX_033_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_first_sack_t *first = c->receivers[c->from]->first;
    int64_t delay_ns = sctpa_sack_timer(c).delay_ns;
    if (is_paired_again(c)) {
        violation->related = first->packet;
        sctpa_violation_say(violation, "a SACK for the first DATA at once",
                            "it came after the second packet with DATA, as later ones after every second");
        return true;
    }
    if (!sctpa_waits_are_alike(first->wait_ns, delay_ns))
        return false;
    violation->related = first->packet;
    sctpa_violation_say(violation, "the SACK for the first DATA at once",
                        SCTPA_WORDS("it came after %.1f ms, as long as later ones were delayed: %.1f ms",
                                    (double)first->wait_ns / 1e6, (double)delay_ns / 1e6));
    return true;
}

bool sctpa_PR_015_applies(const sctpa_context_t *c)
{
    return c->receivers[c->from]->out_of_date > 0 && sctpa_sack_is(c, SCTPA_SACK_SINGLE) &&
           sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
}

/* RFC 3758 3.6: "The receiver SHOULD send a SACK to its peer (the sender of the FORWARD TSN) since such a duplicate may
 * indicate the previous SACK was lost" */
bool sctpa_PR_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t packet = c->receivers[c->from]->out_of_date - 1;
    int64_t waited_ns = c->packet->time_ns - sctpa_context_time_ns(c, packet);
    if (sctpa_context_least_ns(c, waited_ns) <= SCTPA_SACK_LONGEST_MS * SCTPA_NS_PER_MS)
        return false;
    violation->related = packet;
    violation->rests_on = SCTPA_ASSERTED_ARRIVED;
    sctpa_violation_say(violation, "a SACK: the New Cumulative TSN had been acknowledged",
                        SCTPA_WORDS("none for %.1f ms", (double)waited_ns / 1e6));
    return true;
}
