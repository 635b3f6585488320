/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of timers, by the intervals that they show: of a TSN that T3-rtx retransmits without an answer, of an INIT that
 * is retransmitted, of retransmissions that were not needed. Leaves out which TSNs are retransmitted (data_sender,
 * congestion). */
#include "reference/requests/failure_detection.h"
#include "reference/sender/t3_expiries.h"
#include "reference/sender/t3_expiries_limits.h"
#include "reference/stream_counts.h"
#include "rules/rule_functions.h"
#include "wire/protocol_parameters.h"
#include "timers_limits.h"

/* An INIT is repeated by its timer, not by the network, after same_init_ns; a lone TSN by T3, not by a path that is
 * short, after short_ns. */
static const int64_t same_init_ns = 10 * SCTPA_NS_PER_MS, short_ns = 10 * SCTPA_NS_PER_MS;

enum {
    ROUND_TRIP_TENTHS = 9, /* of the RTT from the tap, which an RTO is no shorter than */
    /* Twice, give or take a tenth; an expiry that is missing makes a doubling interval six times as long. */
    DOUBLED_FIFTHS_LEAST = 9,
    DOUBLED_FIFTHS_MOST = 11
};

/* The least time of a timer that needs no remark: below it where what the user asserts explains that. Timers fire late,
 * never early, give or take a tick of the clock. */
static int64_t remarked_ns(const sctpa_context_t *c, sctpa_parameter_t parameter, int64_t usual_ns)
{
    const int64_t asserted_ns = sctpa_tap_parameter(&c->reference->tap, c->accused, parameter, INT64_MAX / 2);
    return MIN(usual_ns, asserted_ns - sctpa_tick_ns(asserted_ns));
}

static double seconds(int64_t ns)
{
    return (double)ns / (double)SCTPA_NS_PER_S;
}

/* The expiries of the accused of which the packet is the last, if there are n of them or more. */
static const sctpa_t3_expiries_t *expired(const sctpa_context_t *c, unsigned n)
{
    const sctpa_t3_expiries_t *expiries = sctpa_t3_expiries(c, c->accused);
    return expiries && expiries->n >= n && sctpa_t3_has_expired(c, expiries) ? expiries : NULL;
}

/* Between expiry number n (1 is the first) and the one before. */
static int64_t interval_ns(const sctpa_t3_expiries_t *expiries, unsigned n)
{
    return expiries->at_ns[n - 1] - expiries->at_ns[n - 2];
}

/* Is it twice as long? */
static bool is_doubled(int64_t interval_ns, int64_t before_ns)
{
    return interval_ns >= before_ns * DOUBLED_FIFTHS_LEAST / 5 && interval_ns <= before_ns * DOUBLED_FIFTHS_MOST / 5;
}

/* Is interval number n (3 or more) twice the one before? Then no expiry between them is missing. */
static bool doubles(const sctpa_t3_expiries_t *expiries, unsigned n)
{
    return is_doubled(interval_ns(expiries, n), interval_ns(expiries, n - 1));
}

/* A TSN was sent three times, and no SACK can have caused it: the first retransmission may be a loss probe, but not the
 * second, too. */
static bool is_sent_thrice(const sctpa_t3_expiries_t *expiries)
{
    return expiries->n == 2 && expiries->is_of_first && expiries->first_ns > expiries->heard_ns;
}

bool sctpa_TM_001_applies(const sctpa_context_t *c)
{
    const sctpa_t3_expiries_t *expiries = expired(c, 2);
    return expiries && (is_sent_thrice(expiries) || (expiries->n == 3 && doubles(expiries, 3)));
}

/* "RTO.Min: 1 second" */
bool sctpa_TM_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_t3_expiries_t *expiries = sctpa_t3_expiries(c, c->accused);
    int64_t least_ns = remarked_ns(c, SCTPA_PARAMETER_RTO_MAX,
                                   remarked_ns(c, SCTPA_PARAMETER_RTO_MIN, SCTPA_RTO_MIN_SHORT_MS * SCTPA_NS_PER_MS)),
            second_ns = interval_ns(expiries, 2);
    bool is_thrice =
        is_sent_thrice(expiries) && sctpa_context_most_ns(c, expiries->since_sent_ns + second_ns) < least_ns;
    if (!is_thrice && (expiries->n < 3 || sctpa_context_most_ns(c, second_ns) >= least_ns))
        return false;
    violation->path = c->path;
    violation->related = violation->since = expiries->sent_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("RTO.Min %d s", SCTPA_RFC_RTO_MIN / 1000),
                        SCTPA_WORDS("timeouts %.3f and %.3f s after the transmission before",
                                    seconds(expiries->since_sent_ns), seconds(second_ns)));
    return true;
}

/* Since the first INIT, nothing from the peer yet. */
static int64_t since_init_ns(const sctpa_context_t *c)
{
    return c->packet->time_ns - c->assoc->setup.steps[SCTPA_STEP_INIT].first_ns;
}

bool sctpa_TM_002_applies(const sctpa_context_t *c)
{
    const sctpa_setup_t *setup = &c->assoc->setup;
    return setup->steps[SCTPA_STEP_INIT].count == 2 && setup->steps[SCTPA_STEP_INIT].by == c->from &&
           c->assoc->ends[!c->from].n_pairs == 0 && c->assoc->ends[c->from].n_paths == 1 &&
           !c->tracked->rare->icmp_seen && since_init_ns(c) >= same_init_ns;
}

/* "set RTO to the protocol parameter 'RTO.Initial'" */
bool sctpa_TM_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const int64_t least_ns = SCTPA_RTO_INITIAL_SHORT_MS * SCTPA_NS_PER_MS;
    if (sctpa_context_most_ns(c, since_init_ns(c)) >=
        remarked_ns(c, SCTPA_PARAMETER_RTO_MAX, remarked_ns(c, SCTPA_PARAMETER_RTO_INITIAL, least_ns)))
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("INIT retransmitted after %d s or more (RFC 4960: %d s)",
                                    SCTPA_RFC_RTO_INITIAL / 1000, (int)(SCTPA_RTO_INITIAL_4960_NS / SCTPA_NS_PER_S)),
                        SCTPA_WORDS("after %.3f s", seconds(since_init_ns(c))));
    return true;
}

/* Where these are asserted, no expiry is missing between two, and the timer is known to be below its maximum. */
static const uint32_t all_expiries = SCTPA_ASSERTED_COMPLETE | SCTPA_ASSERTED(RTO_MAX);

/* Is the packet the third expiry, and was the interval before it so short that the next had to be longer? */
static bool must_back_off(const sctpa_context_t *c)
{
    const sctpa_t3_expiries_t *expiries = expired(c, 3);
    int64_t rto_max_ns = sctpa_tap_parameter(&c->reference->tap, c->accused, SCTPA_PARAMETER_RTO_MAX, 0);
    return expiries && expiries->n == 3 && sctpa_context_is_asserted(c, all_expiries) && !c->tracked->rare->icmp_seen &&
           interval_ns(expiries, 2) <= rto_max_ns / 2;
}

static bool is_third_too_soon(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_t3_expiries_t *expiries = sctpa_t3_expiries(c, c->accused);
    if (sctpa_context_most_ns(c, interval_ns(expiries, 3)) >=
        sctpa_context_least_ns(c, interval_ns(expiries, 2)) * SCTPA_BACKED_OFF_HALVES / 2)
        return false;
    violation->path = c->path;
    violation->related = expiries->started;
    violation->rests_on = all_expiries;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("third timeout %.3f s after the second", seconds(2 * interval_ns(expiries, 2))),
                        SCTPA_WORDS("%.3f s after it, the second %.3f s after the first",
                                    seconds(interval_ns(expiries, 3)), seconds(interval_ns(expiries, 2))));
    return true;
}

/* An interval was as long as the one before it; two longer ones followed, the second twice the first. That excludes a
 * cap at RTO.Max, as expiries that passed unseen do not explain both. */
static bool has_held(const sctpa_context_t *c)
{
    const sctpa_t3_expiries_t *expiries = expired(c, 5);
    return expiries && expiries->held_ns > 0 && expiries->n == expiries->held_n + 2 && expiries->is_no_probe &&
           !c->tracked->rare->icmp_seen && expiries->before_ns >= expiries->held_ns * DOUBLED_FIFTHS_LEAST / 5 &&
           is_doubled(expiries->interval_ns, expiries->before_ns);
}

static void say_held(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_t3_expiries_t *expiries = sctpa_t3_expiries(c, c->accused);
    violation->since = expiries->sent_packet;
    violation->path = c->path;
    violation->related = expiries->started;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("%.3f s after %.3f s", seconds(2 * expiries->held_ns), seconds(expiries->held_ns)),
                        SCTPA_WORDS("%.3f s again; then %.3f and %.3f s", seconds(expiries->held_ns),
                                    seconds(expiries->before_ns), seconds(expiries->interval_ns)));
}

/* The first timeouts, of which the later ones double. */
static bool has_begun_doubling(const sctpa_context_t *c)
{
    const sctpa_t3_expiries_t *expiries = expired(c, 4);
    return expiries && expiries->n == 4 && expiries->is_no_probe && expiries->remeasured < SCTPA_REMEASURED_MANY &&
           doubles(expiries, 3) && doubles(expiries, 4);
}

bool sctpa_TM_004_applies(const sctpa_context_t *c)
{
    return must_back_off(c) || has_begun_doubling(c) || has_held(c);
}

/* What separates a second timeout that was backed off from one that was not: twice the first less what round trips may
 * have made of the RTO meanwhile, RTTVAR <- (1 - RTO.Beta) * RTTVAR at the most, and 3/2 of the first where that is
 * less. */
static int64_t least_second_ns(const sctpa_context_t *c, const sctpa_t3_expiries_t *expiries)
{
    const int64_t first_ns = sctpa_context_least_ns(c, expiries->quiet_ns);
    int64_t doubled_ns = 2 * first_ns;
    for (unsigned i = 0; i < expiries->remeasured; i++)
        doubled_ns = doubled_ns / 4 * 3;
    return MIN(doubled_ns, first_ns * SCTPA_BACKED_OFF_HALVES / 2);
}

/* "the timer value SHOULD be adjusted according to the timer rules defined in Sections 6.3.2 and 6.3.3": "set RTO = RTO
 * * 2 ("back off the timer")". Had timeouts before the first one seen been lost before the tap, the interval would be
 * longer than the pause before by the RTO at least, which is no shorter than a round trip. */
bool sctpa_TM_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_t3_expiries_t *expiries = sctpa_t3_expiries(c, c->accused);
    if (expiries->n == 3)
        return is_third_too_soon(c, violation);
    if (has_held(c)) {
        say_held(c, violation);
        return true;
    }
    int64_t second_ns = interval_ns(expiries, 2);
    if (sctpa_context_most_ns(c, second_ns) >= least_second_ns(c, expiries) ||
        second_ns - expiries->quiet_ns >= sctpa_context_tap_rtt_ns(c, !c->from) / 2)
        return false;
    violation->since = expiries->sent_packet;
    violation->path = c->path;
    violation->related = expiries->started;
    sctpa_violation_say(
        violation, SCTPA_WORDS("second timeout %.3f s or more after the first", seconds(2 * expiries->quiet_ns)),
        SCTPA_WORDS("%.3f s, after a first of %.3f s or more; then %.3f and %.3f s", seconds(second_ns),
                    seconds(expiries->quiet_ns), seconds(interval_ns(expiries, 3)), seconds(interval_ns(expiries, 4))));
    return true;
}

/* The lowest TSN outstanding, which was sent once, long before; NULL none. */
static const sctpa_tsn_t *unrepaired(const sctpa_context_t *c)
{
    if (!c->sent || c->sent->flight_bytes == 0 || c->sent->restarted || sctpa_tracked_is_ending(c->tracked) ||
        sctpa_has_reconfigured(c))
        return NULL;
    const sctpa_tsn_t *tsn = sctpa_context_tsn(c->sent, c->sent->cum_tsn + 1);
    bool is_once = tsn && tsn->transmissions == 1 && tsn->state == 0 &&
                   sctpa_context_least_since_ns(c, tsn->first_packet) > SCTPA_UNREPAIRED_S * SCTPA_NS_PER_S;
    return is_once && sctpa_given_up(c->assoc, c->sent, c->sent->cum_tsn + 1) == SCTPA_NO ? tsn : NULL;
}

bool sctpa_TM_006_applies(const sctpa_context_t *c)
{
    return unrepaired(c) != NULL;
}

/* Must T3-rtx have expired since the TSN, the lowest outstanding, was sent? New data does not restart it, only an
 * acknowledgement of the TSN before (6.3.2 R1, R3). */
static bool is_overdue(const sctpa_context_t *c, const sctpa_tsn_t *tsn)
{
    const sctpa_data_path_t *path = sctpa_direction_known_path(c->sent, tsn->path);
    if (!path)
        return false;
    sctpa_t3_t t3 = sctpa_t3_of(path, c->packet->time_ns, sctpa_tap_rtt_of(c->tracked, c->from), 0);
    const sctpa_tsn_t *before = c->sent->cum_tsn >= 0 ? sctpa_context_tsn(c->sent, c->sent->cum_tsn) : NULL;
    int64_t started_ns = sctpa_context_time_ns(c, tsn->first_packet);
    if (before && before->ack_packet != SCTPA_NO_PACKET_INDEX)
        started_ns = MAX(started_ns, sctpa_context_time_ns(c, before->ack_packet));
    bool is_known = c->sent->cum_tsn < 0 || (before && before->ack_packet != SCTPA_NO_PACKET_INDEX);
    const int64_t running_ns = sctpa_context_least_ns(c, c->packet->time_ns - started_ns);
    /* backed off as at its last expiry, whatever RTO.Max is: who measured nothing since keeps that (6.3.1 C5, E2) */
    if (running_ns <= sctpa_ns_times(path->expired_ns, 2) + sctpa_tick_ns(sctpa_ns_times(path->expired_ns, 2)))
        return false;
    return sctpa_context_least_ns(c, c->packet->time_ns - t3.latest_ns) > 0 ||
           (is_known && running_ns > SCTPA_UNREPAIRED_S * SCTPA_NS_PER_S && running_ns > 2 * t3.rto_most_ns);
}

/* "if the T3-rtx timer of that address is not currently running, the sender MUST start that timer" */
bool sctpa_TM_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = unrepaired(c);
    if (!is_overdue(c, tsn))
        return false;
    violation->path = tsn->path;
    violation->related = violation->since = tsn->first_packet;
    sctpa_violation_say(
        violation, "a retransmission of the lowest TSN outstanding when T3-rtx expires",
        SCTPA_WORDS("TSN %u sent once and not acknowledged for %.1f s, while its sender sends other packets",
                    sctpa_direction_serial(c->sent, c->sent->cum_tsn + 1),
                    seconds(c->packet->time_ns - sctpa_context_time_ns(c, tsn->first_packet))));
    return true;
}

/* A TSN that was sent twice, with nothing after it, and that the SACK reports as a duplicate; NULL none. */
static const sctpa_tsn_t *lone_duplicate(const sctpa_context_t *c)
{
    if (!c->acked || !c->first_sack || c->sack.n_duplicates != 1)
        return NULL;
    int64_t number = sctpa_context_unwrap(c->acked, sctpa_be32(c->sack.duplicates));
    const sctpa_tsn_t *tsn = sctpa_context_tsn(c->acked, number);
    bool is_lone = tsn && tsn->transmissions == 2 && tsn->duplicates == 1 && tsn->ack_packet == c->index &&
                   number == c->acked->highest && tsn->more > 0;
    return is_lone ? tsn : NULL;
}

bool sctpa_TM_008_applies(const sctpa_context_t *c)
{
    return lone_duplicate(c) != NULL;
}

/* "SHOULD be generated within 200 ms of the arrival of any unacknowledged DATA chunk" */
bool sctpa_TM_008_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = lone_duplicate(c);
    const sctpa_rtx_t *rtx = sctpa_direction_rtx(c->acked, tsn->more);
    int64_t waited_ns = sctpa_context_time_ns(c, tsn->last_packet) - sctpa_context_time_ns(c, tsn->first_packet);
    /* the timer that expired is that of the path of the first transmission (6.3.3 E1) */
    const uint16_t path = sctpa_context_record(c, tsn->first_packet)->path;
    int64_t srtt_ns = sctpa_direction_srtt_ns(c->acked, path);
    if (rtx->misses > 0 || srtt_ns <= 0 || waited_ns < MAX(srtt_ns, short_ns) ||
        sctpa_context_most_ns(c, waited_ns) >= SCTPA_SACK_DELAY_NS + srtt_ns)
        return false;
    violation->path = path;
    violation->related = tsn->last_packet;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("no timeout before %.3f s: round trip and %d ms",
                                    seconds(SCTPA_SACK_DELAY_NS + srtt_ns), SCTPA_RFC_SACK_DELAY),
                        SCTPA_WORDS("%u lone TSNs retransmitted in vain, the last after %.3f s",
                                    SCTPA_SPURIOUS_REPORTED, seconds(waited_ns)));
    return true;
}

/* Of the peer: did it have the TSN that the accused retransmitted? Its answer comes sooner after that than any does. */
bool sctpa_TM_009_applies(const sctpa_context_t *c)
{
    const sctpa_t3_expiries_t *expiries = sctpa_t3_expiries(c, c->accused);
    if (!expiries)
        return false;
    if (c->accused != c->from)
        return expiries->n == 1 && expiries->may_be_too_soon && c->acked && c->acked->cum_tsn >= expiries->tsn &&
               sctpa_context_most_ns(c, c->packet->time_ns - expiries->last_ns) <
                   sctpa_context_least_answer_ns(c, c->from);
    return expiries->n == 3 && sctpa_t3_has_expired(c, expiries) && expiries->is_of_timer &&
           expiries->remeasured == 0 && doubles(expiries, 3);
}

/* An RTO is no shorter than a round trip (6.3.1 C3). */
static bool is_within_round_trip(const sctpa_context_t *c, const sctpa_t3_expiries_t *expiries,
                                 sctpa_violation_t *violation)
{
    int64_t tap_rtt_ns = sctpa_context_tap_rtt_ns(c, c->from);
    if (sctpa_context_most_ns(c, expiries->waited_ns) >= tap_rtt_ns * ROUND_TRIP_TENTHS / 10)
        return false;
    violation->since = expiries->sent_packet;
    violation->related = expiries->first_packet;
    sctpa_violation_say(
        violation, SCTPA_WORDS("timeout no sooner than a round trip, %.3f s, after the restart", seconds(tap_rtt_ns)),
        SCTPA_WORDS("%.3f s after it, %.3f s after the TSN was sent", seconds(expiries->waited_ns),
                    seconds(expiries->since_sent_ns)));
    return true;
}

/* "Whenever a SACK chunk is received that acknowledges the DATA chunk with the earliest outstanding TSN for that
 * address, restart the T3-rtx timer for that address with its current RTO" */
bool sctpa_TM_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_t3_expiries_t *expiries = sctpa_t3_expiries(c, c->accused);
    if (c->accused != c->from)
        return is_within_round_trip(c, expiries, violation);
    int64_t second_ns = interval_ns(expiries, 2);
    if (sctpa_context_most_ns(c, expiries->waited_ns) >=
        sctpa_context_least_ns(c, second_ns) / 2 * SCTPA_RESTARTED_TENTHS / 10)
        return false;
    violation->since = expiries->sent_packet;
    violation->path = c->path;
    violation->related = expiries->started;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("timeout %.3f s after the restart, half of the next", seconds(second_ns / 2)),
                        SCTPA_WORDS("%.3f s after it, then %.3f and %.3f s", seconds(expiries->waited_ns),
                                    seconds(second_ns), seconds(interval_ns(expiries, 3))));
    return true;
}

bool sctpa_TM_012_applies(const sctpa_context_t *c)
{
    return expired(c, 2) != NULL;
}

/* "If the value of this counter exceeds the limit indicated in the protocol parameter 'Association.Max.Retrans', the
 * endpoint SHOULD consider the peer endpoint unreachable" */
bool sctpa_TM_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_t3_expiries_t *expiries = sctpa_t3_expiries(c, c->accused);
    if (expiries->n != SCTPA_TIMEOUTS_ALLOWED + 1)
        return false;
    violation->path = c->path;
    violation->related = expiries->started;
    sctpa_violation_say(violation, SCTPA_WORDS("the peer is given up after %d timeouts", SCTPA_ERRORS_PEER_UNREACHABLE),
                        SCTPA_WORDS("%u timeouts in a row", expiries->n));
    return true;
}

bool sctpa_TM_013_applies(const sctpa_context_t *c)
{
    const sctpa_t3_expiries_t *expiries = sctpa_t3_expiries(c, c->accused);
    return expiries && expiries->n >= 3 && doubles(expiries, 3);
}

/* "Association.Max.Retrans: 10 attempts"; unreachable when the counter exceeds it. The ABORT that follows leaves when
 * the timer expires once more. */
bool sctpa_TM_013_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_t3_expiries_t *expiries = sctpa_t3_expiries(c, c->accused);
    int64_t rto_ns = interval_ns(expiries, 2) / 2, took_ns = c->packet->time_ns - expiries->at_ns[0] + rto_ns;
    int64_t rto_max_ns = expiries->alike > 0 ? expiries->interval_ns : SCTPA_RTO_MAX_NS;
    unsigned errors = sctpa_detection_errors(took_ns, rto_ns, rto_max_ns, expiries->n + 1, SCTPA_SUM_FIT_SHARE);
    if (errors == 0 || errors == SCTPA_ERRORS_PEER_UNREACHABLE)
        return false;
    violation->path = c->path;
    violation->related = expiries->started;
    sctpa_violation_say(
        violation, SCTPA_WORDS("the association given up after %d timeouts", SCTPA_ERRORS_PEER_UNREACHABLE),
        SCTPA_WORDS("ABORT after %.1f s, the RFC's sum of %u RTOs that double from %.3f s; %u retransmissions seen",
                    seconds(took_ns), errors, seconds(rto_ns), expiries->n));
    return true;
}

bool sctpa_TM_019_applies(const sctpa_context_t *c)
{
    return expired(c, SCTPA_INTERVALS_EQUAL + 1) != NULL;
}

/* "A maximum value MAY be placed on RTO, provided it is at least 'RTO.Max' seconds." */
bool sctpa_TM_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_t3_expiries_t *expiries = sctpa_t3_expiries(c, c->accused);
    if (expiries->alike != SCTPA_INTERVALS_EQUAL - 1 ||
        sctpa_context_most_ns(c, expiries->interval_ns) >=
            remarked_ns(c, SCTPA_PARAMETER_RTO_MAX, SCTPA_RTO_MAX_SHORT_S * SCTPA_NS_PER_S))
        return false;
    violation->path = c->path;
    violation->related = expiries->started;
    sctpa_violation_say(
        violation, SCTPA_WORDS("timeouts that double, up to %d s", SCTPA_RFC_RTO_MAX / 1000),
        SCTPA_WORDS("%u in a row, each after %.3f s", SCTPA_INTERVALS_EQUAL, seconds(expiries->interval_ns)));
    return true;
}
