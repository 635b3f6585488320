/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Timers (RFC 9260 6.3, 8.1, 15), by the intervals that they show: of a TSN that T3-rtx retransmits without an
 * answer, of an INIT that is retransmitted, of retransmissions that were not needed. Expiries of T3-rtx in a row
 * show where the lowest TSN outstanding is retransmitted again and again, and nothing but HEARTBEATs passes towards
 * its sender meanwhile; only senders with one path are followed, since the timers of several cannot be
 * distinguished. Leaves out what starts T3 and when it can expire (t3.h of data), which retransmission is a timeout
 * (rtx_cause.c), and which TSNs are retransmitted. */
#include "data/t3.h"
#include "model/chapter.h"
#include "model/shared/failure_detection.h"
#include "model/shared/obligations.h"
#include "model/shared/retransmissions.h"
#include "model/shared/t3_bounds.h"
#include "wire/types.h"

/* An interval is as long as the one before when it differs by less than this share of it: a timer's granularity. */
#define INTERVALS_EQUAL_SHARE 10

/* What separates a setting below the 1 s of RTO.Min from a timer of 1 s that is seen with some error. */
#define RTO_MIN_SHORT_MS 900

/* The same for RTO.Initial: what passes before an INIT and its repetition is the timer alone. */
#define RTO_INITIAL_SHORT_MS 950

/* What separates a TSN that is never retransmitted from a long timeout: so long, and packets of its sender since. */
#define UNREPAIRED_S 20
#define UNREPAIRED_REPORTED 2

/* Lone TSNs that were retransmitted in vain: what separates a timeout that is too short from one delay by chance. */
#define SPURIOUS_REPORTED 3

/* What separates a timer that went on from one that was restarted, when half the next interval is its RTO. */
#define RESTARTED_TENTHS 8

/* Twice the 10 of Association.Max.Retrans. */
#define TIMEOUTS_ALLOWED 20

/* The time until a sender gives up differs by less than this share from a sum of RTOs, when it is that sum. */
#define SUM_FIT_SHARE 20

/* Intervals in a row that do not grow. */
#define INTERVALS_EQUAL 4

/* What separates a cap below the 60 s of RTO.Max from one of 60 s that is seen with some error. */
#define RTO_MAX_SHORT_S 54

enum { EXPIRIES_KEPT = 4, REMEASURED_MANY = 3 };

/* What one timeout sends takes less than same_expiry_ns. Nothing that passed towards the sender more than answered_ns
 * and ANSWERED_TAP_RTTS before is answered by it. */
static const int64_t same_expiry_ns = 5 * SCTPA_NS_PER_MS, answered_ns = 20 * SCTPA_NS_PER_MS;

typedef struct {
    int64_t tsn;                  /* that is retransmitted, relative */
    int64_t at_ns[EXPIRIES_KEPT]; /* when the first ones were */
    int64_t last_ns, interval_ns; /* the last one; since the one before, 0 none */
    int64_t before_ns;            /* the interval before that, 0 none */
    int64_t held_ns;              /* the last interval that was as long as the one before, 0 none */
    /* before the first: since T3 was started, since the last packet with data or to the sender, which may have started
     * it, since the TSN was sent */
    int64_t waited_ns, quiet_ns, since_sent_ns;
    int64_t heard_ns, first_ns; /* when anything passed to the sender last before, when the TSN was sent first */
    uint32_t n;                 /* how many */
    uint32_t alike;             /* intervals in a row that were as long as the one before */
    uint32_t held_n;            /* the expiry, from 1, at which held_ns ended */
    uint32_t started;           /* packet that started T3 before the first */
    uint32_t sent_packet;       /* the transmission before the first */
    uint32_t first_packet, last_packet;
    /* Round trips that may have been measured while the timer before the first ran, which its expiry doubles the RTO
     * of: each may make that 3/4 of what it was (6.3.1 C3). REMEASURED_MANY: or more, or it was backed off. */
    uint8_t remeasured;
    bool is_of_first;     /* the TSN was sent once before, and no SACK reported it missing */
    bool is_of_timer;     /* nothing but the timer sends what the first one sent */
    bool is_no_probe;     /* the first is no loss probe, and no answer to a SACK */
    bool may_be_too_soon; /* the first is one after less than an RTO, unless the TSN was missing in a SACK */
} t3_expiries_t;

enum {
    ANSWERED_TAP_RTTS = 4,
    PROBED_ROUND_TRIPS = 3 /* RACK waits two at most for what SACKs showed missing */
};

/* The timer of a sender. */
typedef struct {
    t3_expiries_t *expiries;            /* NULL before the first */
    uint32_t data, heard;               /* 1 + packet with which it last sent data, was last sent anything; 0 none */
    uint32_t measured[REMEASURED_MANY]; /* the last ones that may give it a round trip, newest first */
} sender_t;

typedef struct {
    sender_t senders[2];
    bool is_disturbed[2]; /* it has sent something else than data since, so that a retransmission may not be of T3 */
} state_t;

enum {
    ROUND_TRIP_TENTHS = 9, /* of the RTT from the tap, which an RTO is no shorter than */
    /* Twice, give or take a tenth; an expiry that is missing makes a doubling interval six times as long. */
    DOUBLED_FIFTHS_LEAST = 9,
    DOUBLED_FIFTHS_MOST = 11
};

/* Is the packet the last of them? O(1). */
static bool t3_has_expired(const sctpa_context_t *c, const t3_expiries_t *expiries)
{
    return expiries->last_packet == c->index;
}

/* Those of an endpoint, the packet's own included; NULL none. O(1). */
static const t3_expiries_t *t3_expiries(const sctpa_context_t *c, uint8_t endpoint)
{
    const state_t *state = sctpa_context_find_part(c, SCTPA_PART_T3_EXPIRIES);
    const t3_expiries_t *expiries = state ? state->senders[endpoint].expiries : NULL;
    return expiries && expiries->n > 0 ? expiries : NULL;
}

/* Time of packet - 1, 0 for 0. */
static int64_t when_ns(const sctpa_context_t *c, uint32_t packet)
{
    return packet > 0 ? sctpa_context_time_ns(c, packet - 1) : 0;
}

static bool is_lowest(const sctpa_direction_t *sent, int64_t number)
{
    const int64_t from = sent->has_cum ? sent->cum_tsn + 1 : 0;
    sctpa_range_t range;
    return (sent->has_cum || sent->announced) && sctpa_tsn_set_next(&sent->seen, from, number, &range) &&
           range.first == number;
}

static bool may_be_timeout(const sctpa_rtx_t *rtx)
{
    return rtx->kind == SCTPA_RTX_TIMEOUT || rtx->kind == SCTPA_RTX_UNKNOWN;
}

/* Nothing was lost as far as the sender knows, and nothing but the timer retransmits the lowest TSN: a loss probe sends
 * the highest, and a lone one after two round trips and an ack delay of 200 ms. */
static bool is_of_timer(const sctpa_context_t *c, const sctpa_rtx_t *rtx, int64_t number, int64_t since_sent_ns)
{
    const sctpa_direction_t *sent = c->sent;
    return may_be_timeout(rtx) && rtx->misses == 0 && !sctpa_direction_has_gaps(sent) && sent->rare->abandoned_to < 0 &&
           !c->packet->fragmented && !c->tracked->rare->icmp_seen &&
           (sent->highest > number || since_sent_ns < SCTPA_SACK_DELAY_NS);
}

/* A loss probe sends the highest TSN: a lone one after two round trips and an ack delay, give or take half of that. */
static bool is_no_probe(const sctpa_context_t *c, const sctpa_rtx_t *rtx, int64_t number, int64_t srtt_ns,
                        int64_t quiet_ns)
{
    int64_t ack_delay_ns = c->sent->highest > number ? 0 : SCTPA_SACK_DELAY_NS * 3 / 2;
    return may_be_timeout(rtx) && rtx->misses < SCTPA_MISSES_FAST && srtt_ns > 0 &&
           quiet_ns > PROBED_ROUND_TRIPS * srtt_ns + ack_delay_ns && !c->packet->fragmented &&
           !c->tracked->rare->icmp_seen;
}

/* Did a retransmission on the path after packet mark the TSN that was sent by then? Then it is retransmitted whenever
 * cwnd allows. */
static bool is_marked(const sctpa_context_t *c, const sctpa_data_path_t *path, uint32_t packet)
{
    const uint32_t marking[] = { path->timeout_packet, path->unknown_packet };
    for (unsigned i = 0; i < G_N_ELEMENTS(marking); i++)
        if (marking[i] != c->index && marking[i] != SCTPA_NO_PACKET_INDEX && marking[i] > packet)
            return true;
    return false;
}

/* Was the timer that packet started not backed off: is the path's last sample up to there a round trip, or none? */
static bool was_measured(const sctpa_direction_t *sent, const sctpa_data_path_t *path, uint32_t packet)
{
    unsigned searched = 0;
    uint32_t at = path->last_sample;
    for (; at > 0 && searched <= REMEASURED_MANY; searched++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(&sent->samples, sctpa_sample_t, at - 1);
        if (sample->packet <= packet)
            return sample->kind != SCTPA_SAMPLE_BACKOFF;
        at = sample->link.before;
    }
    return at == 0;
}

/* How many round trips may the sender have measured while the timer ran that packet started? That timer runs on as long
 * as before (6.3.1 C3, 8.3); the RTO that its expiry doubles is the new one (6.3.3 E2), far below one backed off. */
static uint8_t remeasured(const sctpa_context_t *c, const sender_t *sender, const sctpa_data_path_t *path,
                          uint32_t packet)
{
    uint8_t n = 0;
    const int64_t least_ns = sctpa_context_time_ns(c, packet) - sctpa_context_tap_rtt_ns(c, c->from);
    while (n < REMEASURED_MANY && sender->measured[n] > 0 && sender->measured[n] != packet + 1 &&
           when_ns(c, sender->measured[n]) > least_ns)
        n++;
    return n > 0 && !was_measured(c->sent, path, packet) ? REMEASURED_MANY : n;
}

static void note_measured(sender_t *sender, uint32_t packet)
{
    memmove(sender->measured + 1, sender->measured, sizeof sender->measured - sizeof sender->measured[0]);
    sender->measured[0] = packet + 1;
}

static void begin(const sctpa_context_t *c, sender_t *sender)
{
    const sctpa_transmission_t *data = &c->first_data->sent;
    const sctpa_rtx_t *rtx = sctpa_observed_rtx(c->first_data, c->sent);
    if (!is_lowest(c->sent, data->number) || rtx->kind == SCTPA_RTX_PROBE || rtx->is_other_message)
        return;
    if (!sender->expiries)
        sender->expiries = sctpa_arena_alloc(&c->store->arena, sizeof *sender->expiries);
    t3_expiries_t *expiries = sender->expiries;
    const sctpa_data_path_t *path = &SCTPA_RECORD(&c->sent->paths, sctpa_data_path_t, data->tsn->path);
    int64_t now_ns = c->packet->time_ns, tap_rtt_ns = sctpa_context_tap_rtt_most_ns(c, c->from),
            round_trip_ns = sctpa_context_tap_rtt_ns(c, !c->from);
    int64_t sent_ns = sctpa_context_time_ns(c, rtx->previous), heard_ns = when_ns(c, sender->heard);
    int64_t started_ns = data->t3_packet == SCTPA_NO_PACKET_INDEX ? 0 : sctpa_context_time_ns(c, data->t3_packet);
    *expiries = (t3_expiries_t){ .tsn = data->number,
                                 .n = 1,
                                 .at_ns = { now_ns },
                                 .last_ns = now_ns,
                                 .waited_ns = now_ns - MAX(sent_ns, started_ns),
                                 .quiet_ns = now_ns - MAX(when_ns(c, sender->data), heard_ns),
                                 .since_sent_ns = now_ns - sent_ns,
                                 .heard_ns = heard_ns,
                                 .first_ns = sent_ns,
                                 .sent_packet = rtx->previous,
                                 .started = sent_ns > started_ns ? rtx->previous : data->t3_packet,
                                 .first_packet = c->index,
                                 .last_packet = c->index };
    expiries->remeasured = remeasured(c, sender, path, expiries->started);
    expiries->is_of_first = data->tsn->transmissions == 2 && may_be_timeout(rtx) && rtx->misses == 0 &&
                            !c->packet->fragmented && !c->tracked->rare->icmp_seen;
    expiries->is_no_probe = is_no_probe(c, rtx, data->number, path->srtt_ns, expiries->quiet_ns);
    expiries->is_of_timer = data->tsn->transmissions == 2 &&
                            is_of_timer(c, rtx, data->number, expiries->since_sent_ns) &&
                            now_ns - heard_ns >= MAX(answered_ns, ANSWERED_TAP_RTTS * tap_rtt_ns);
    expiries->may_be_too_soon = expiries->is_of_timer && round_trip_ns > 0 &&
                                expiries->since_sent_ns > expiries->waited_ns &&
                                expiries->since_sent_ns >= round_trip_ns && !is_marked(c, path, rtx->previous);
}

/* Between expiry number n (1 is the first) and the one before. */
static int64_t interval_ns(const t3_expiries_t *expiries, unsigned n)
{
    return expiries->at_ns[n - 1] - expiries->at_ns[n - 2];
}

static void go_on(const sctpa_context_t *c, t3_expiries_t *expiries)
{
    int64_t now_ns = c->packet->time_ns, interval_ns = now_ns - expiries->last_ns, before_ns = expiries->interval_ns;
    bool is_alike = interval_ns > before_ns * (INTERVALS_EQUAL_SHARE - 1) / INTERVALS_EQUAL_SHARE &&
                    interval_ns < before_ns * (INTERVALS_EQUAL_SHARE + 1) / INTERVALS_EQUAL_SHARE;
    if (expiries->n < EXPIRIES_KEPT)
        expiries->at_ns[expiries->n] = now_ns;
    expiries->n++;
    expiries->alike = is_alike ? expiries->alike + 1 : 0;
    if (is_alike) {
        expiries->held_ns = interval_ns;
        expiries->held_n = expiries->n;
    }
    expiries->last_ns = now_ns;
    expiries->before_ns = before_ns;
    expiries->interval_ns = interval_ns;
    expiries->last_packet = c->index;
    expiries->may_be_too_soon = false;
}

/* What leaves T3-rtx alone: answers to a HEARTBEAT and to a COOKIE ECHO, too. */
static const uint64_t undisturbing =
    SCTPA_DATA_ROWS | SCTPA_SACK_ROWS | SCTPA_ROW(HEARTBEAT_ACK) | SCTPA_ROW(COOKIE_ACK);

/* Counts the expiry that the packet is, before the rules. O(chunks). */
static void t3_expiries_observe(const sctpa_context_t *c)
{
    state_t *state = sctpa_context_find_part(c, SCTPA_PART_T3_EXPIRIES);
    bool is_data_alone = !(c->rows & ~undisturbing);
    if (!state || !(c->facts & SCTPA_FACT_RTX) || !is_data_alone || c->first_data->sent.rtx == 0 ||
        c->assoc->ends[c->from].n_paths != 1)
        return;
    sender_t *sender = &state->senders[c->from];
    const bool has_expired = sender->expiries && sender->expiries->n > 0;
    if (!has_expired && !state->is_disturbed[c->from])
        begin(c, sender);
    else if (has_expired && sender->expiries->tsn == c->first_data->sent.number)
        go_on(c, sender->expiries);
}

static void end_expiries(sender_t *sender)
{
    if (sender->expiries)
        sender->expiries->n = 0;
}

static void free_expiries(sctpa_arena_t *arena, void *part)
{
    const state_t *state = part;
    for (unsigned endpoint = 0; endpoint < 2; endpoint++)
        sctpa_arena_free(arena, state->senders[endpoint].expiries, sizeof *state->senders[endpoint].expiries);
}

/* A first INIT, perhaps one of a flood, needs no state. */
static state_t *state_of(const sctpa_context_t *c)
{
    state_t *state = sctpa_context_find_part(c, SCTPA_PART_T3_EXPIRIES);
    return state || sctpa_context_is_first_init(c)
               ? state
               : sctpa_context_owning_part(c, SCTPA_PART_T3_EXPIRIES, sizeof *state, free_expiries);
}

/* What passes towards the sender and neither acknowledges data nor gives a round trip: T3-rtx and the RTO stay. */
static const uint64_t ignored_by_timer = SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(PAD);

/* Nor does the peer's data. */
static const uint64_t measures_nothing = SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(PAD) | SCTPA_DATA_ROWS;

/* Takes the packet: expiries end, or the next one may come. After the rules. O(1). */
static void t3_expiries_take(const sctpa_context_t *c)
{
    state_t *state = state_of(c);
    if (!state)
        return;
    sender_t *own = &state->senders[c->from], *peer = &state->senders[!c->from];
    if (c->rows & ~ignored_by_timer)
        end_expiries(peer);
    peer->heard = c->index + 1;
    if (c->rows & ~measures_nothing)
        note_measured(peer, c->index);
    state->is_disturbed[!c->from] = false;
    if (c->rows & ~undisturbing) {
        end_expiries(own);
        state->is_disturbed[c->from] = true;
    }
    if (!(c->rows & SCTPA_DATA_ROWS) || !c->sent)
        return;
    if (own->expiries && own->expiries->n > 0 && !t3_has_expired(c, own->expiries) &&
        c->packet->time_ns - when_ns(c, own->data) > same_expiry_ns) {
        end_expiries(own);
        state->is_disturbed[c->from] = true;
    }
    own->data = c->index + 1;
}

/* What the user asserts of a timer of the accused, else otherwise. */
static int64_t asserted_ns(const sctpa_context_t *c, sctpa_parameter_t parameter, int64_t otherwise)
{
    return sctpa_tap_parameter(&c->reference->tap, c->accused, parameter, otherwise);
}

static bool is_asserted(const sctpa_context_t *c, sctpa_parameter_t parameter)
{
    return asserted_ns(c, parameter, -1) >= 0;
}

/* The least time of a timer that needs no remark: what the user asserts of its parameter, else usual_ns. Timers fire
 * late, never early, give or take a tick of the clock. */
static int64_t due_ns(const sctpa_context_t *c, sctpa_parameter_t parameter, int64_t usual_ns)
{
    const int64_t ns = asserted_ns(c, parameter, 0);
    return is_asserted(c, parameter) ? ns - sctpa_tick_ns(ns) : usual_ns;
}

/* The same, no more than usual_ns: another parameter that is asserted may explain a shorter time. */
static int64_t explained_ns(const sctpa_context_t *c, sctpa_parameter_t parameter, int64_t usual_ns)
{
    return MIN(usual_ns, due_ns(c, parameter, usual_ns));
}

/* ", as asserted" behind a value that is. */
static const char *as_asserted(const sctpa_context_t *c, sctpa_parameter_t parameter)
{
    return is_asserted(c, parameter) ? ", as asserted" : "";
}

static double seconds(int64_t ns)
{
    return (double)ns / (double)SCTPA_NS_PER_S;
}

/* The expiries of the accused of which the packet is the last, if there are n of them or more. */
static const t3_expiries_t *expired(const sctpa_context_t *c, unsigned n)
{
    const t3_expiries_t *expiries = t3_expiries(c, c->accused);
    return expiries && expiries->n >= n && t3_has_expired(c, expiries) ? expiries : NULL;
}

/* Is it twice as long? */
static bool is_doubled(int64_t interval_ns, int64_t before_ns)
{
    return interval_ns >= before_ns * DOUBLED_FIFTHS_LEAST / 5 && interval_ns <= before_ns * DOUBLED_FIFTHS_MOST / 5;
}

/* Is interval number n (3 or more) twice the one before? Then no expiry between them is missing. */
static bool doubles(const t3_expiries_t *expiries, unsigned n)
{
    return is_doubled(interval_ns(expiries, n), interval_ns(expiries, n - 1));
}

/* A TSN was sent three times, and no SACK can have caused it: the first retransmission may be a loss probe, but not the
 * second, too. */
static bool is_sent_thrice(const t3_expiries_t *expiries)
{
    return expiries->n == 2 && expiries->is_of_first && expiries->first_ns > expiries->heard_ns;
}

RULE(TM, 001,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = RTX,
    .report = { .one_defect = true },
    .accused = "sender of the data",
    .clause = "RFC 9260 6.3.1 C6, 16",
    .title = "Retransmission timeout shorter than 1 s",
    .quote = "RTO.Min: 1 second",
    .why = "A short timeout repairs the loss of a last packet sooner, but retransmits in vain where the peer delays "
        "its SACK or a path queues.",
    .evidence = "A TSN was retransmitted three times with nothing from the peer in between, and the intervals double; "
        "the first of them is shorter than " SAY(RTO_MIN_SHORT_MS) " ms. Or, with nothing from the peer since "
        "before its first transmission, it was retransmitted twice within that time: the first may be a loss probe, "
        "not the second too.",
    .doubt = "RTO.Min is a parameter: telephone networks use 100 to 500 ms, dcSCTP 400 ms. This is reported as a "
        "setting, not as a fault. What the user asserts of RTO.Min or RTO.Max, or of RTO.Initial where no round trip "
        "was measured, may explain it: then nothing is reported.");

static bool TM_001_applies(const sctpa_context_t *c)
{
    const t3_expiries_t *expiries = expired(c, 2);
    return expiries && (is_sent_thrice(expiries) || (expiries->n == 3 && doubles(expiries, 3)));
}

/* RTO.Min as asserted, RTO.Max below it, and where no round trip of the path was measured RTO.Initial: what the user
 * asserts of these may explain a timeout that is shorter than usual. */
static int64_t least_timeout_ns(const sctpa_context_t *c)
{
    const sctpa_data_path_t *path = sctpa_direction_known_path(c->sent, c->path);
    int64_t least_ns = explained_ns(c, SCTPA_PARAMETER_RTO_MIN, RTO_MIN_SHORT_MS * SCTPA_NS_PER_MS);
    if (!path || path->srtt_ns <= 0)
        least_ns = explained_ns(c, SCTPA_PARAMETER_RTO_INITIAL, least_ns);
    return explained_ns(c, SCTPA_PARAMETER_RTO_MAX, least_ns);
}

/* "RTO.Min: 1 second" */
static bool TM_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const t3_expiries_t *expiries = t3_expiries(c, c->accused);
    const int64_t least_ns = least_timeout_ns(c), second_ns = interval_ns(expiries, 2);
    bool is_thrice =
        is_sent_thrice(expiries) && sctpa_context_most_ns(c, expiries->since_sent_ns + second_ns) < least_ns;
    if (!is_thrice && (expiries->n < 3 || sctpa_context_most_ns(c, second_ns) >= least_ns))
        return false;
    violation->path = c->path;
    violation->related = violation->since = expiries->sent_packet;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("RTO.Min %g s%s",
                    seconds(asserted_ns(c, SCTPA_PARAMETER_RTO_MIN, SCTPA_RFC_RTO_MIN * SCTPA_NS_PER_MS)),
                    as_asserted(c, SCTPA_PARAMETER_RTO_MIN)),
        SCTPA_WORDS("timeouts %.3f and %.3f s after the transmission before", seconds(expiries->since_sent_ns),
                    seconds(second_ns)));
    return true;
}

/* Since the first INIT, nothing from the peer yet. */
static int64_t since_init_ns(const sctpa_context_t *c)
{
    return c->packet->time_ns - c->assoc->setup.steps[SCTPA_STEP_INIT].first_ns;
}

/* An INIT is repeated by its timer, not by the network, after same_init_ns; a lone TSN by T3, not by a path that is
 * short, after short_ns. */
static const int64_t same_init_ns = 10 * SCTPA_NS_PER_MS, short_ns = 10 * SCTPA_NS_PER_MS;

RULE(TM, 002,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = 0,
    .when = PACKET, .of = OF_SENDER, .on = ROW(INIT),
    .report = { .one_defect = true },
    .accused = "sender of the INIT",
    .clause = "RFC 9260 6.3.1 C1, 16",
    .title = "First timeout shorter than RTO.Initial",
    .quote = "set RTO to the protocol parameter 'RTO.Initial'",
    .why = "A short first timeout retransmits INITs in vain on long paths, and fills the peer's log with them.",
    .evidence = "The second INIT with the same tag came less than " SAY(RTO_INITIAL_SHORT_MS) " ms after the "
        "first, with nothing from the peer in between.",
    .doubt = "RTO.Initial is a parameter: 1 s in RFC 9260, 3 s in RFC 4960, 500 ms in dcSCTP. INITs to several "
        "addresses, and those after an answer or an ICMP error, are not checked. An INIT lost before the capture point "
        "makes the interval longer, not shorter. Where the user asserts RTO.Initial, it takes the place of the limit; "
        "an asserted RTO.Max bounds it.");

static bool TM_002_applies(const sctpa_context_t *c)
{
    const sctpa_setup_t *setup = &c->assoc->setup;
    return setup->steps[SCTPA_STEP_INIT].count == 2 && setup->steps[SCTPA_STEP_INIT].by == c->from &&
           c->assoc->ends[!c->from].n_pairs == 0 && c->assoc->ends[c->from].n_paths == 1 &&
           !c->tracked->rare->icmp_seen && since_init_ns(c) >= same_init_ns;
}

static void say_init(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (is_asserted(c, SCTPA_PARAMETER_RTO_INITIAL))
        sctpa_violation_say(violation,
                            SCTPA_WORDS("INIT retransmitted after %g s or more, as asserted",
                                        seconds(asserted_ns(c, SCTPA_PARAMETER_RTO_INITIAL, 0))),
                            SCTPA_WORDS("after %.3f s", seconds(since_init_ns(c))));
    else
        sctpa_violation_say(violation,
                            SCTPA_WORDS("INIT retransmitted after %d s or more (RFC 4960: %d s)",
                                        SCTPA_RFC_RTO_INITIAL / 1000,
                                        (int)(SCTPA_RTO_INITIAL_4960_NS / SCTPA_NS_PER_S)),
                            SCTPA_WORDS("after %.3f s", seconds(since_init_ns(c))));
}

/* "set RTO to the protocol parameter 'RTO.Initial'" */
static bool TM_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const int64_t usual_ns = RTO_INITIAL_SHORT_MS * SCTPA_NS_PER_MS,
                  most_ns = sctpa_context_most_ns(c, since_init_ns(c)),
                  least_ns = due_ns(c, SCTPA_PARAMETER_RTO_INITIAL, usual_ns);
    if (most_ns >= explained_ns(c, SCTPA_PARAMETER_RTO_MAX, least_ns))
        return false;
    violation->path = c->path;
    violation->rests_on = most_ns >= usual_ns ? SCTPA_ASSERTED(RTO_INITIAL) : 0;
    say_init(c, violation);
    return true;
}

/* Where these are asserted, no expiry is missing between two, and the timer is known to be below its maximum. */
static const uint32_t all_expiries = SCTPA_ASSERTED_COMPLETE | SCTPA_ASSERTED(RTO_MAX);

/* Is the packet the third expiry, and was the interval before it so short that the next had to be longer? */
static bool must_back_off(const sctpa_context_t *c)
{
    const t3_expiries_t *expiries = expired(c, 3);
    int64_t rto_max_ns = sctpa_tap_parameter(&c->reference->tap, c->accused, SCTPA_PARAMETER_RTO_MAX, 0);
    return expiries && expiries->n == 3 && sctpa_context_is_asserted(c, all_expiries) && !c->tracked->rare->icmp_seen &&
           interval_ns(expiries, 2) <= rto_max_ns / 2;
}

static bool is_third_too_soon(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const t3_expiries_t *expiries = t3_expiries(c, c->accused);
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
    const t3_expiries_t *expiries = expired(c, 5);
    return expiries && expiries->held_ns > 0 && expiries->n == expiries->held_n + 2 && expiries->is_no_probe &&
           !c->tracked->rare->icmp_seen && expiries->before_ns >= expiries->held_ns * DOUBLED_FIFTHS_LEAST / 5 &&
           is_doubled(expiries->interval_ns, expiries->before_ns);
}

static void say_held(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const t3_expiries_t *expiries = t3_expiries(c, c->accused);
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
    const t3_expiries_t *expiries = expired(c, 4);
    return expiries && expiries->n == 4 && expiries->is_no_probe && expiries->remeasured < REMEASURED_MANY &&
           doubles(expiries, 3) && doubles(expiries, 4);
}

/* What separates a second timeout that was backed off from one that was not: twice the first less what round trips may
 * have made of the RTO meanwhile, RTTVAR <- (1 - RTO.Beta) * RTTVAR at the most, and 3/2 of the first where that is
 * less. */
static int64_t least_second_ns(const sctpa_context_t *c, const t3_expiries_t *expiries)
{
    const int64_t first_ns = sctpa_context_least_ns(c, expiries->quiet_ns);
    int64_t doubled_ns = 2 * first_ns;
    for (unsigned i = 0; i < expiries->remeasured; i++)
        doubled_ns = doubled_ns / 4 * 3;
    return MIN(doubled_ns, first_ns * SCTPA_BACKED_OFF_HALVES / 2);
}

RULE(TM, 004,
    .level = SHOULD, .since = 4960, .seeing = MUST_HAVE, .needs = BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = RTX,
    .report = { .one_defect = true },
    .accused = "sender of the data",
    .clause = "RFC 9260 6.1, 6.3.3 E2",
    .title = "Timeout not backed off",
    .quote = "When starting or restarting the T3-rtx timer, the timer value SHOULD be adjusted according to the timer "
        "rules defined in Sections 6.3.2 and 6.3.3.",
    .why = "A sender that does not double its timeout keeps filling a congested path.",
    .evidence = "With nothing but HEARTBEATs from the peer in between, the lowest outstanding TSN was retransmitted "
        "four times. The second interval is less than " SAY(SCTPA_BACKED_OFF_HALVES) "/2 of the pause before the "
        "first; the third and fourth double. Or an interval is as long as the one before (1/"
        SAY(INTERVALS_EQUAL_SHARE) " more or less), and two longer ones follow, each twice the one before or "
        "more. Or, where the user asserts RTO.Max and a complete capture, the third interval is less than "
        SAY(SCTPA_BACKED_OFF_HALVES) "/2 of the second, which is RTO.Max / 2 at most.",
    .doubt = "The pause is counted from the last packet in either direction, so the timer ran at least as long. That "
        "later intervals double excludes a cap at RTO.Max; timeouts lost before the capture point would make the "
        "second interval longer than the pause by an RTO. Loss probes send another TSN, or a lone one sooner after its "
        "first transmission than is checked. An answer to a HEARTBEAT, or a SACK that did "
        "not restart the timer, may give a new RTO while the timer runs: up to two are allowed for, and nothing is "
        "compared where there were more, or where the first timer may have been backed off.");

static bool TM_004_applies(const sctpa_context_t *c)
{
    return must_back_off(c) || has_begun_doubling(c) || has_held(c);
}

/* "the timer value SHOULD be adjusted according to the timer rules defined in Sections 6.3.2 and 6.3.3": "set RTO = RTO
 * * 2 ("back off the timer")". Had timeouts before the first one seen been lost before the tap, the interval would be
 * longer than the pause before by the RTO at least, which is no shorter than a round trip. */
static bool TM_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const t3_expiries_t *expiries = t3_expiries(c, c->accused);
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
                   sctpa_context_least_since_ns(c, tsn->first_packet) > UNREPAIRED_S * SCTPA_NS_PER_S;
    return is_once && sctpa_given_up(c->assoc, c->sent, c->sent->cum_tsn + 1) == SCTPA_NO ? tsn : NULL;
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
           (is_known && running_ns > UNREPAIRED_S * SCTPA_NS_PER_S && running_ns > 2 * t3.rto_most_ns);
}

RULE(TM, 006,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR | CHECKSUM,
    .certainty = SCTPA_CERTAINTY_PROBABLE,
    .when = PACKET, .of = OF_SENDER, .on = ANY,
    .report = { .from = UNREPAIRED_REPORTED },
    .accused = "sender of the data",
    .clause = "RFC 9260 6.3.2 R1, 6.3.3 E3",
    .title = "Outstanding TSN not retransmitted when T3-rtx expires",
    .quote = "if the T3-rtx timer of that address is not currently running, the sender MUST start that timer.",
    .why = "The message never arrives, and its stream delivers nothing more.",
    .evidence = "The lowest TSN outstanding was sent once, more than " SAY(UNREPAIRED_S) " s before, and T3-rtx "
        "must have expired since, with RTO.Min of 1 s: new data does not restart it. "
        SAY(UNREPAIRED_REPORTED) " packets of its sender or more pass meanwhile, none of which retransmits it.",
    .doubt = "Retransmissions may be lost below SCTP, or by the capture, and RTO.Min is a parameter: probable at best. "
        "Senders that may give messages up (partial reliability) are not checked.");

static bool TM_006_applies(const sctpa_context_t *c)
{
    return unrepaired(c) != NULL;
}

/* "if the T3-rtx timer of that address is not currently running, the sender MUST start that timer" */
static bool TM_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

RULE(TM, 008,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = BOTH | COMPLETE | RTT,
    .when = PACKET, .of = OF_PEER, .on = ROW(SACK), .if_facts = DUPLICATE_TSNS,
    .report = { .from = SPURIOUS_REPORTED },
    .accused = "sender of the data",
    .clause = "RFC 9260 6.2, 6.3.1",
    .title = "Retransmission timeout below the peer's SACK delay",
    .quote = "SHOULD be generated within 200 ms of the arrival of any unacknowledged DATA chunk",
    .why = "Every lone message is retransmitted, cwnd falls to one packet each time, and the error counter rises for "
        "nothing.",
    .evidence = SAY(SPURIOUS_REPORTED) " times a TSN with nothing after it was retransmitted less than a round "
        "trip and 200 ms after its first transmission, and the SACK reported it as a duplicate.",
    .doubt = "A receiver may delay its SACK by 200 ms: an RTO below that and a round trip is too short whether the "
        "SACK was delayed or lost.");

static bool TM_008_applies(const sctpa_context_t *c)
{
    return lone_duplicate(c) != NULL;
}

/* "SHOULD be generated within 200 ms of the arrival of any unacknowledged DATA chunk" */
static bool TM_008_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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
                        SCTPA_WORDS("%u lone TSNs retransmitted in vain, the last after %.3f s", SPURIOUS_REPORTED,
                                    seconds(waited_ns)));
    return true;
}

/* An RTO is no shorter than a round trip (6.3.1 C3). */
static bool is_within_round_trip(const sctpa_context_t *c, const t3_expiries_t *expiries, sctpa_violation_t *violation)
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

RULE(TM, 009,
    .level = SHOULD, .since = 4960, .seeing = MUST_HAVE, .needs = BOTH | COMPLETE | NEAR | RTT,
    .when = PACKET, .of = OF_EACH, .on = ANY, .if_facts = RTX | NEWLY_ACKED | CONTROL,
    .report = { .one_defect = true },
    .accused = "sender of the data",
    .clause = "RFC 9260 6.1, 6.3.2 R3",
    .title = "Retransmission timer not restarted by an acknowledgement",
    .quote = "Whenever a SACK chunk is received that acknowledges the DATA chunk with the earliest outstanding TSN for "
        "that address, restart the T3-rtx timer for that address with its current RTO",
    .why = "The timer expires though data was acknowledged moments ago: cwnd falls to one packet, and data that is "
        "still outstanding is retransmitted.",
    .evidence = "The lowest outstanding TSN was retransmitted three times with nothing from the peer in between, each "
        "interval twice the one before. Half of the second interval is the RTO of the first timeout, which came less "
        "than " SAY(RESTARTED_TENTHS) "/10 of it after the timer had to be started. Or the first timeout came "
        "sooner after a SACK that restarted the timer than any round trip took, though an RTO is never shorter, and "
        "the answer to it shows that the TSN had arrived.",
    .doubt = "No timeout between them is missing, since the intervals double. Loss probes (they send the highest TSN, "
        "or a lone one after 200 ms), ICMP reports of packets that are too big, heartbeats in between, a new RTO while "
        "the first timer ran, and senders with several paths are not checked.");

/* Of the peer: did it have the TSN that the accused retransmitted? Its answer comes sooner after that than any does. */
static bool TM_009_applies(const sctpa_context_t *c)
{
    const t3_expiries_t *expiries = t3_expiries(c, c->accused);
    if (!expiries)
        return false;
    if (c->accused != c->from)
        return expiries->n == 1 && expiries->may_be_too_soon && c->acked && c->acked->cum_tsn >= expiries->tsn &&
               sctpa_context_most_ns(c, c->packet->time_ns - expiries->last_ns) <
                   sctpa_context_least_answer_ns(c, c->from);
    return expiries->n == 3 && t3_has_expired(c, expiries) && expiries->is_of_timer && expiries->remeasured == 0 &&
           doubles(expiries, 3);
}

/* "Whenever a SACK chunk is received that acknowledges the DATA chunk with the earliest outstanding TSN for that
 * address, restart the T3-rtx timer for that address with its current RTO" */
static bool TM_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const t3_expiries_t *expiries = t3_expiries(c, c->accused);
    if (c->accused != c->from)
        return is_within_round_trip(c, expiries, violation);
    int64_t second_ns = interval_ns(expiries, 2);
    if (sctpa_context_most_ns(c, expiries->waited_ns) >=
        sctpa_context_least_ns(c, second_ns) / 2 * RESTARTED_TENTHS / 10)
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

RULE(TM, 012,
    .level = HEURISTIC, .since = 2960, .seeing = MUST_HAVE, .needs = BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = RTX,
    .accused = "sender of the data",
    .clause = "RFC 9260 8.1",
    .title = "Peer not given up after " SAY(TIMEOUTS_ALLOWED) " timeouts",
    .quote = "If the value of this counter exceeds the limit indicated in the protocol parameter "
        "'Association.Max.Retrans', the endpoint SHOULD consider the peer endpoint unreachable",
    .why = "Applications learn late that the peer is gone.",
    .evidence = "One TSN was retransmitted more than " SAY(TIMEOUTS_ALLOWED) " times with nothing from the peer "
        "in between.",
    .doubt = "Association.Max.Retrans is a parameter, 10 is recommended; any packet of the peer resets the count.");

static bool TM_012_applies(const sctpa_context_t *c)
{
    return expired(c, 2) != NULL;
}

/* "If the value of this counter exceeds the limit indicated in the protocol parameter 'Association.Max.Retrans', the
 * endpoint SHOULD consider the peer endpoint unreachable" */
static bool TM_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const t3_expiries_t *expiries = t3_expiries(c, c->accused);
    if (expiries->n != TIMEOUTS_ALLOWED + 1)
        return false;
    violation->path = c->path;
    violation->related = expiries->started;
    sctpa_violation_say(violation, SCTPA_WORDS("the peer is given up after %d timeouts", SCTPA_ERRORS_PEER_UNREACHABLE),
                        SCTPA_WORDS("%u timeouts in a row", expiries->n));
    return true;
}

RULE(TM, 013,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = ROW(ABORT),
    .report = { .one_defect = true },
    .accused = "sender of the data",
    .clause = "RFC 9260 8.1, 16",
    .title = "Association given up sooner or later than recommended",
    .quote = "Association.Max.Retrans: 10 attempts",
    .why = "Too soon, and a short outage ends the association; too late, and its user waits for minutes.",
    .evidence = "One TSN was retransmitted three times or more with nothing from the peer in between, the intervals "
        "double, and an ABORT follows when the timer would expire again. To 1/" SAY(SUM_FIT_SHARE) ", the time "
        "since the timer was started is a sum of RTOs that double up to the longest seen, or to 60 s; but not the sum "
        "of eleven. Probable: where Association.Max.Retrans and the parameters of the timer are asserted, and where "
        "the capture was taken, an ABORT leaves within a tick of the moment at which the timer of outstanding data "
        "expires, after fewer errors than that.",
    .doubt = "Association.Max.Retrans is a parameter: a note. An ABORT that the user requests at another moment fits "
        "no sum and is not reported. RTOs are counted by time, since retransmissions may not have reached the wire. "
        "Endpoints with several paths are not checked: their timers cannot be distinguished.");

/* Does the ABORT leave when a timer of outstanding data, whose RTO is known, expires, and not say that its user asked
 * for it (RFC 9260 3.3.10.12)? */
static bool is_as_timer_expires(const sctpa_context_t *c)
{
    bool is = false;
    if (!sctpa_context_is_asserted(c, SCTPA_T3_BOUNDS_REST_ON | SCTPA_ASSERTED(ASSOCIATION_MAX_RETRANS)))
        return false;
    for (uint16_t path = 0; path < c->assoc->ends[c->from].n_paths; path++) {
        const sctpa_t3_bounds_t *t3 = sctpa_t3_bounds(c, c->from, path);
        is |= t3 && sctpa_t3_bounds_fits(c, t3);
    }
    return is && !sctpa_tlv_has_cause(sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT), SCTPA_CAUSE_USER_ABORT);
}

static bool TM_013_applies(const sctpa_context_t *c)
{
    const t3_expiries_t *expiries = t3_expiries(c, c->accused);
    return (expiries && expiries->n >= 3 && doubles(expiries, 3)) || is_as_timer_expires(c);
}

/* After fewer errors than asserted: its user may have asked for it at that moment. */
static bool is_given_up_early(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const unsigned limit = (unsigned)asserted_ns(c, SCTPA_PARAMETER_ASSOCIATION_MAX_RETRANS, 0),
                   errors = sctpa_obligations_errors(c, c->from);
    if (!is_as_timer_expires(c) || errors > limit)
        return false;
    violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    violation->path = c->path;
    violation->rests_on = SCTPA_T3_BOUNDS_REST_ON | SCTPA_ASSERTED(ASSOCIATION_MAX_RETRANS);
    sctpa_violation_say(violation,
                        SCTPA_WORDS("the association given up after more than %u errors, as asserted", limit),
                        SCTPA_WORDS("ABORT as T3-rtx expires, after %u at most", errors));
    return true;
}

/* "Association.Max.Retrans: 10 attempts"; unreachable when the counter exceeds it. The ABORT that follows leaves when
 * the timer expires once more. */
static bool TM_013_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const t3_expiries_t *expiries = t3_expiries(c, c->accused);
    if (!expiries || expiries->n < 3 || !doubles(expiries, 3))
        return is_given_up_early(c, violation);
    int64_t rto_ns = interval_ns(expiries, 2) / 2, took_ns = c->packet->time_ns - expiries->at_ns[0] + rto_ns;
    int64_t rto_max_ns = expiries->alike > 0 ? expiries->interval_ns : SCTPA_RTO_MAX_NS;
    unsigned errors = sctpa_detection_errors(took_ns, rto_ns, rto_max_ns, expiries->n + 1, SUM_FIT_SHARE);
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

RULE(TM, 019,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = RTX,
    .report = { .one_defect = true },
    .accused = "sender of the data",
    .clause = "RFC 9260 6.3.1 C7, 16",
    .title = "Timeouts do not grow to RTO.Max",
    .quote = "A maximum value MAY be placed on RTO, provided it is at least 'RTO.Max' seconds.",
    .why = "A sender that does not back off loads a congested path, or gives the peer up within seconds.",
    .evidence = "One TSN was retransmitted with nothing from the peer in between, " SAY(INTERVALS_EQUAL) " times "
        "in a row after the same time (1/" SAY(INTERVALS_EQUAL_SHARE) " more or less), which is shorter than "
        SAY(RTO_MAX_SHORT_S) " s.",
    .doubt = "RTO.Max is a parameter, 60 s is recommended: telephone networks use less. Whether the timeout is capped "
        "or not backed off cannot be seen. Where the user asserts RTO.Max, it takes the place of the limit.");

static bool TM_019_applies(const sctpa_context_t *c)
{
    return expired(c, INTERVALS_EQUAL + 1) != NULL;
}

/* "A maximum value MAY be placed on RTO, provided it is at least 'RTO.Max' seconds." */
static bool TM_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const t3_expiries_t *expiries = t3_expiries(c, c->accused);
    const int64_t usual_ns = RTO_MAX_SHORT_S * SCTPA_NS_PER_S,
                  most_ns = sctpa_context_most_ns(c, expiries->interval_ns);
    if (expiries->alike != INTERVALS_EQUAL - 1 || most_ns >= due_ns(c, SCTPA_PARAMETER_RTO_MAX, usual_ns))
        return false;
    violation->path = c->path;
    violation->related = expiries->started;
    violation->rests_on = most_ns >= usual_ns ? SCTPA_ASSERTED(RTO_MAX) : 0;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("timeouts that double, up to %g s%s",
                    seconds(asserted_ns(c, SCTPA_PARAMETER_RTO_MAX, SCTPA_RFC_RTO_MAX * SCTPA_NS_PER_MS)),
                    as_asserted(c, SCTPA_PARAMETER_RTO_MAX)),
        SCTPA_WORDS("%u in a row, each after %.3f s", INTERVALS_EQUAL, seconds(expiries->interval_ns)));
    return true;
}

RULE(TM, 021,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = RTX,
    .report = { .one_defect = true },
    .accused = "sender of the data",
    .clause = "RFC 9260 8.1",
    .title = "Peer not given up after as many timeouts as asserted",
    .quote = "the endpoint SHOULD consider the peer endpoint unreachable and SHALL stop transmitting any more data to "
        "it",
    .why = "Applications learn late that the peer is gone.",
    .evidence = "The user asserts Association.Max.Retrans. One TSN was retransmitted more often than that with nothing "
        "from the peer in between, so that the timer expired once more than the peer has to answer; the first may be "
        "a loss probe, and is not counted unless nothing but the timer sends it. Where RTO.Initial, RTO.Min, RTO.Max "
        "and where the capture was taken are asserted as well: the timers of all paths expired more often together.",
    .doubt = "Any packet of the peer ends the count. Not checked while the peer's window is closed.");

/* The most retransmissions by T3-rtx that the asserted limit allows, 0: nothing is asserted. */
static unsigned retransmissions_allowed(const sctpa_context_t *c, const t3_expiries_t *expiries)
{
    const int64_t limit = asserted_ns(c, SCTPA_PARAMETER_ASSOCIATION_MAX_RETRANS, -1);
    const bool is_first_counted = expiries->is_of_timer && expiries->is_no_probe;
    return limit < 0 ? 0 : (unsigned)limit + !is_first_counted;
}

/* Expiries in a row, of which the packet is the last, where the parameters of the timer are asserted, too; 0: not all
 * are known. */
static unsigned known_expiries(const sctpa_context_t *c)
{
    uint16_t path;
    return sctpa_t3_bounds_expiry(c, &path) == SCTPA_YES ? sctpa_t3_bounds_expiries(c, c->from) + 1 : 0;
}

static bool TM_021_applies(const sctpa_context_t *c)
{
    return is_asserted(c, SCTPA_PARAMETER_ASSOCIATION_MAX_RETRANS) && c->sent->a_rwnd_bytes > 0 &&
           (expired(c, 1) || known_expiries(c) > 0);
}

/* Did the timer expire more often than the limit allows, whatever else went unanswered? */
static bool is_given_up_late(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const unsigned limit = (unsigned)asserted_ns(c, SCTPA_PARAMETER_ASSOCIATION_MAX_RETRANS, 0), n = known_expiries(c);
    if (n != limit + 1)
        return false;
    violation->path = c->path;
    violation->related = violation->since = sctpa_observed_rtx(c->first_data, c->sent)->previous;
    violation->rests_on = SCTPA_ASSERTED(ASSOCIATION_MAX_RETRANS) | SCTPA_T3_BOUNDS_REST_ON;
    sctpa_violation_say(violation, SCTPA_WORDS("at most %u timeouts in a row, as asserted", limit),
                        SCTPA_WORDS("%u in a row", n));
    return true;
}

/* "SHALL stop transmitting any more data to it" */
static bool TM_021_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const t3_expiries_t *expiries = expired(c, 1);
    const unsigned allowed = expiries ? retransmissions_allowed(c, expiries) : 0;
    if (!expiries || expiries->n != allowed + 1)
        return is_given_up_late(c, violation);
    violation->path = c->path;
    violation->since = expiries->sent_packet;
    violation->related = expiries->started;
    violation->rests_on = SCTPA_ASSERTED(ASSOCIATION_MAX_RETRANS);
    sctpa_violation_say(violation, SCTPA_WORDS("at most %u retransmissions of a TSN, as asserted", allowed),
                        SCTPA_WORDS("%u in a row", expiries->n));
    return true;
}

RULE(TM, 023,
    .level = SHOULD, .since = 4960, .seeing = MUST_HAVE, .needs = BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = RTX, .certainty = SCTPA_CERTAINTY_PROBABLE,
    .report = { .one_defect = true, .covers = { COVERS(TM, 004), COVERS(TM, 009) } },
    .accused = "sender of the data",
    .clause = "RFC 9260 6.1, 6.3.1 C6, 6.3.2 R3, 6.3.3 E2",
    .title = "T3-rtx expired before its RTO had passed",
    .quote = "When starting or restarting the T3-rtx timer, the timer value SHOULD be adjusted according to the timer "
        "rules defined in Sections 6.3.2 and 6.3.3.",
    .why = "Data that is only delayed is retransmitted, cwnd falls to one packet, and errors are counted for nothing.",
    .evidence = "Where the user asserts RTO.Initial, RTO.Min and RTO.Max, and a complete capture that was taken at the "
        "endpoint: the lowest TSN outstanding was retransmitted sooner than the least RTO after the last start of its "
        "path's timer, by more than a tenth of that RTO. The least RTO is RTO.Min, or the shortest round trip, doubled "
        "by each expiry since a round trip may have been measured; RTO.Initial where none was. Nothing but the timer "
        "can have sent it. Or it was acknowledged before, and the timer that ran until then had not had its RTO.",
    .doubt = "What may have started the timer, or given it another RTO, is allowed for. Not checked: TSNs that SACKs "
        "reported missing or that an expiry before may have marked, loss probes (the highest TSN, two round trips and "
        "200 ms after its transmission), probes of a closed window, ICMP errors, addresses that are changed or do not "
        "answer HEARTBEATs, and what a COOKIE ECHO held. Probable at best: an ICMP message that the capture lacks, "
        "such as Packet Too Big, may have asked for it.");

/* The timer that the packet's retransmission shows to have expired, NULL none. */
static const sctpa_t3_bounds_t *expired_timer(const sctpa_context_t *c, uint16_t *path)
{
    const sctpa_t3_bounds_t *t3 =
        sctpa_t3_bounds_expiry(c, path) == SCTPA_YES ? sctpa_t3_bounds(c, c->from, *path) : NULL;
    return t3 && t3->started_rto_ns > 0 ? t3 : NULL;
}

static bool TM_023_applies(const sctpa_context_t *c)
{
    uint16_t path;
    return expired_timer(c, &path) != NULL;
}

/* "When starting or restarting the T3-rtx timer, the timer value SHOULD be adjusted according to the timer rules
 * defined in Sections 6.3.2 and 6.3.3" */
static bool TM_023_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint16_t path;
    const sctpa_t3_bounds_t *t3 = expired_timer(c, &path);
    const int64_t rto_ns = t3->started_rto_ns, waited_ns = c->packet->time_ns - (t3->earliest_ns - t3->started_rto_ns);
    if (sctpa_context_most_ns(c, waited_ns) >= rto_ns - MAX(rto_ns / SCTPA_T3_EARLY_SHARE, SCTPA_TICK_NS))
        return false;
    violation->path = path;
    violation->related = t3->started;
    violation->since = sctpa_observed_rtx(c->first_data, c->sent)->previous;
    violation->rests_on = SCTPA_T3_BOUNDS_REST_ON;
    sctpa_violation_say(violation, SCTPA_WORDS("no timeout before %.3f s", seconds(rto_ns)),
                        SCTPA_WORDS("after %.3f s", seconds(waited_ns)));
    return true;
}

RULE(TM, 022,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = COMPLETE | NEAR,
    .when = DUE, .of = OF_DEBTOR, .on = DATA_ROWS,
    .report = { .covers = { COVERS(TM, 006) } },
    .accused = "sender of the data",
    .clause = "RFC 9260 6.3.2 R1, 6.3.3 E3",
    .title = "No retransmission though data is outstanding longer than any RTO",
    .quote = "Bundle and retransmit those K DATA chunks in a single packet to the destination endpoint.",
    .why = "The message never arrives, and its stream delivers nothing more.",
    .evidence = SCTPA_TIMER_EVIDENCE " Acks of something new restart the timer, which counts as RTO.Max; or, where "
        "RTO.Initial, RTO.Min and RTO.Max are all asserted, as the longest RTO that follows from the round trips which "
        "the sender may have measured, doubled by whatever may have timed out since the last that it surely measured.",
    .doubt = SCTPA_TIMER_DOUBT " A sender that may give messages up (partial reliability) sends FORWARD-TSN instead: "
        "probable, and not checked once it did.");

void sctpa_check_timers(sctpa_context_t *c)
{
    if (c->due) {
        ASK_DUE(TM, 022, T3_DATA);
        return;
    }
    t3_expiries_observe(c);
    ASK(TM, 001);
    ASK(TM, 002);
    ASK(TM, 004);
    ASK(TM, 006);
    ASK(TM, 008);
    ASK(TM, 009);
    ASK(TM, 012);
    ASK(TM, 013);
    ASK(TM, 019);
    ASK(TM, 021);
    ASK(TM, 023);
    t3_expiries_take(c);
}
