/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pauses, by walking packets that sent, packets that acked, retransmissions, SACKs and closed windows side by side:
 * by which round trips a pause is measured, what passed in it, and what shows that the sender held back, that its
 * timer came late, or that it keeps times of its own. */
#include "pauses.h"

#include "base/numbers.h"
#include "base/records.h"
#include "pauses_parts.h"

enum { REGULAR_LEAST = 3 /* two intervals may be equal by chance */ };

/* New data behind a silence of half a pause begins a turn: what is sent in the second half was not kept. */
#define TURN_NS (SCTPA_PAUSE_LEAST_MS * SCTPA_NS_PER_MS / 2)

/* So exactly does an application keep its times, as its packets pass. */
#define REGULAR_NS (2 * SCTPA_NS_PER_MS)

typedef void (*interval_fn)(void *user, int64_t ns);

static const sctpa_sent_tsn_t *sent_at(const sctpa_sweep_t *sweep, guint at)
{
    return &g_array_index(sweep->sent, sctpa_sent_tsn_t, at);
}

static bool begins_turn(const sctpa_sweep_t *sweep, guint at)
{
    return at > 0 &&
           sctpa_sweep_ns(sweep, sent_at(sweep, at)->packet) - sctpa_sweep_ns(sweep, sent_at(sweep, at - 1)->packet) >=
               TURN_NS;
}

/* May an ack have released the packet: the last one before it, or the next one behind it? O(log acks). */
static bool is_beside_ack(const sctpa_sweep_t *sweep, uint32_t packet)
{
    const GArray *acked = sweep->acked;
    const int64_t ns = sctpa_sweep_ns(sweep, packet);
    const uint32_t behind = sctpa_array_from(acked, packet);
    return (behind > 0 && sctpa_sweep_may_follow(
                              sweep, packet, ns - sctpa_sweep_ns(sweep, g_array_index(acked, uint32_t, behind - 1)))) ||
           (behind < acked->len &&
            sctpa_sweep_may_follow(sweep, packet, ns - sctpa_sweep_ns(sweep, g_array_index(acked, uint32_t, behind))));
}

/* Calls visit with the time from each turn to the next one, where no ack may have released it. */
static void each_interval(const sctpa_sweep_t *sweep, interval_fn visit, void *user)
{
    guint turn = 0;
    for (guint at = 0; at < sweep->sent->len; at++) {
        if (!begins_turn(sweep, at))
            continue;
        const uint32_t packet = sent_at(sweep, at)->packet;
        if (!is_beside_ack(sweep, packet))
            visit(user, sctpa_sweep_ns(sweep, packet) - sctpa_sweep_ns(sweep, sent_at(sweep, turn)->packet));
        turn = at;
    }
}

/* The interval that more than half of all are, if any is; then how many are. */
typedef struct {
    int64_t ns;
    unsigned more, all, equal;
} regular_t;

static bool is_equal(int64_t one_ns, int64_t other_ns)
{
    return ABS(one_ns - other_ns) <= REGULAR_NS;
}

static void elect(void *user, int64_t ns)
{
    regular_t *regular = user;
    if (regular->more == 0)
        regular->ns = ns;
    if (is_equal(ns, regular->ns))
        regular->more++;
    else
        regular->more--;
}

static void count(void *user, int64_t ns)
{
    regular_t *regular = user;
    regular->all++;
    regular->equal += is_equal(ns, regular->ns);
}

/* The time from one turn of new data to the next that is the usual one, as those turns show that no ack may have
 * released; 0: there is none. O(TSNs * log acks). */
static int64_t sweep_regular_ns(const sctpa_sweep_t *sweep)
{
    regular_t regular = { 0 };
    each_interval(sweep, elect, &regular);
    each_interval(sweep, count, &regular);
    return regular.equal >= REGULAR_LEAST && 2 * regular.equal > regular.all ? regular.ns : 0;
}

bool sctpa_sweep_is_regular(const sctpa_sweep_t *sweep, const sctpa_sent_tsn_t *next)
{
    guint at = (guint)(next - sent_at(sweep, 0));
    if (sweep->regular_ns == 0 || !begins_turn(sweep, at))
        return false;
    guint turn = at - 1;
    while (turn > 0 && !begins_turn(sweep, turn))
        turn--;
    return is_equal(sctpa_sweep_ns(sweep, next->packet) - sctpa_sweep_ns(sweep, sent_at(sweep, turn)->packet),
                    sweep->regular_ns);
}

/* An RTO that so many expiries have doubled, up to RTO.Max (RFC 9260 6.3.3 E2). O(log most_ns). */
static int64_t pause_backed_off_ns(int64_t rto_ns, unsigned expiries, int64_t most_ns)
{
    for (; expiries > 0 && rto_ns < most_ns; expiries--)
        rto_ns = sctpa_ns_times(rto_ns, 2);
    return MIN(rto_ns, most_ns);
}

/* The RTO before an expiry, at most: RTO.Initial or what the round trips give, doubled by each expiry that the sender
 * had, since some stacks never compute it anew, up to RTO.Max. An eighth for its arithmetic. */
static int64_t rto_most_ns(const sctpa_sweep_t *sweep, const sctpa_sample_t *expiry, unsigned expiries)
{
    const sctpa_series_source_t *source = sweep->source;
    const int64_t unbounded_ns = sctpa_sample_unbounded_ns(expiry);
    return pause_backed_off_ns(MAX(source->rto_initial_most_ns, unbounded_ns + unbounded_ns / 8),
                               expiries + source->set_up_repeats, source->rto_max_ns);
}

bool sctpa_pause_is_late_timer(const sctpa_sweep_t *sweep, sctpa_wait_t *wait)
{
    const sctpa_series_source_t *source = sweep->source;
    if (wait->expiry == 0 || source->set_up_packet == SCTPA_NO_PACKET_INDEX)
        return false;
    const sctpa_sample_t *expiry = &SCTPA_RECORD(&source->direction->samples, sctpa_sample_t, wait->expiry - 1);
    if (expiry->started == expiry->packet || expiry->may_start_late ||
        source->sent_all(source, expiry->started, expiry->packet) == SCTPA_NO)
        return false;
    const int64_t most_ns = rto_most_ns(sweep, expiry, wait->expiries);
    if (sctpa_direction_elapsed_ns(source->direction, expiry) <=
        most_ns + sctpa_tick_ns(most_ns) + MAX(source->tap_rtt_of(source, expiry->packet).most_ns, 0))
        return false;
    const int64_t sent_ns = sctpa_sweep_ns(sweep, expiry->packet);
    wait->pause.rto_most_ns = most_ns;
    wait->pause.heard =
        source->heard_before(source, expiry->packet, sent_ns - sctpa_sweep_at_once_ns(sweep, expiry->packet));
    return true;
}

/* What the receiver's window had room for after a packet, with nothing outstanding. */
static uint32_t window_at(const sctpa_sweep_t *sweep, uint32_t packet)
{
    const sctpa_records_t *sacks = &sweep->source->direction->sacks;
    const uint32_t at = sctpa_records_from(sacks->data, sacks->len, sizeof(sctpa_sack_record_t), packet + 1);
    return at > 0 ? SCTPA_RECORD(sacks, sctpa_sack_record_t, at - 1).a_rwnd_bytes : sweep->source->window_bytes;
}

/* RFC 9260 9.2: who received SHUTDOWN takes no more from its user, so that what it sends later was there. It has the
 * SHUTDOWN that acked all when it does not retransmit for as long as its timer runs; one that it backs off is longer
 * each time. What its timer sends again after losses before the capture looks the same. */
static sctpa_held_t held(const sctpa_sweep_t *sweep, uint32_t packet, const sctpa_sent_tsn_t *next)
{
    const uint32_t shutdown = sweep->source->shutdown_packet;
    const sctpa_stamp_t *stamp = sctpa_direction_stamp(sweep->source->direction, packet);
    if (!next || shutdown == SCTPA_NO_PACKET_INDEX || packet < shutdown || stamp->holds & SCTPA_STAMP_SACK)
        return (sctpa_held_t){ 0 };
    const int64_t ns = sctpa_sweep_ns(sweep, next->packet) - sctpa_sweep_ns(sweep, packet);
    const uint32_t window_bytes = window_at(sweep, packet);
    const int64_t timer_ns = sweep->held_before_ns > 0 ? 2 * sweep->held_before_ns : sweep->rto_ns;
    const bool is_timer = ns >= timer_ns - sctpa_tick_ns(timer_ns) || ns >= sweep->rto_ns;
    if (!is_timer || ns <= sctpa_sweep_at_once_ns(sweep, next->packet) || window_bytes < next->bytes ||
        sctpa_window_is_closed(window_bytes))
        return (sctpa_held_t){ 0 };
    return (sctpa_held_t){ .ns = ns, .packet = next->packet, .window_bytes = window_bytes };
}

/* Notes how long the sender held data back after packet acked all that was outstanding, and how often in a row: it has
 * the receiver's SHUTDOWN, and took no new data from its user since. Did it? next: its next new data, NULL none. O(log
 * SACKs).
 */
static bool pause_take_held(sctpa_sweep_t *sweep, uint32_t packet, const sctpa_sent_tsn_t *next)
{
    const unsigned before = sweep->held.n;
    sweep->held_before_ns = sweep->held.ns;
    sweep->held = held(sweep, packet, next);
    const int64_t differs_ns = ABS(sweep->held.ns - 2 * sweep->held_before_ns);
    const bool is_backed_off = sweep->held_before_ns > 0 && differs_ns <= sctpa_tick_ns(sweep->held.ns);
    sweep->held.n = sweep->held.ns == 0 ? 0 : is_backed_off ? before + 1 : 1;
    return sweep->held.ns > 0;
}

/* Was the pause mostly such a hold, after which one packet came? Notes in it what shows that. O(1). */
static bool pause_is_hold(const sctpa_sweep_t *sweep, sctpa_wait_t *wait)
{
    sctpa_pause_t *pause = &wait->pause;
    if (wait->held.ns == 0 || wait->held.ns < pause->paused_ns / 2 || wait->packets != 1)
        return false;
    pause->shutdown = sweep->source->shutdown_packet;
    pause->sent = wait->held.packet;
    pause->waited_ns = wait->held.ns;
    pause->window_bytes = wait->held.window_bytes;
    pause->held = (uint8_t)MIN(wait->held.n, UINT8_MAX);
    return true;
}

/* Was nothing retransmitted up to the end of the wait, nor what was lost before the capture? */
static bool is_first_cwnd(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait)
{
    const bool has_unseen =
        sweep->unseen->len > 0 && g_array_index(sweep->unseen, sctpa_unseen_t, 0).packet <= wait->pause.until;
    return !has_unseen &&
           (sweep->source->direction->rare->rtx.len == 0 || sctpa_sweep_rtx(sweep, 0)->packet > wait->pause.until);
}

bool sctpa_pause_is_cwnd_open(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait, const sctpa_sent_tsn_t *newest)
{
    const uint32_t full_bytes = sweep->full_bytes;
    return is_first_cwnd(sweep, wait) && sctpa_direction_stamp(sweep->source->direction, newest->packet)->flight_bytes <
                                             MIN(4 * full_bytes, MAX(2 * full_bytes, SCTPA_CWND_INITIAL_BYTES));
}

/* RFC 9260 7.2.1: the first cwnd is two packets at the least, and only a retransmission makes it smaller. What comes in
 * IP fragments is one: "if the PMTU has been reduced, then IP fragmentation MUST be used" (6.9). */
bool sctpa_pause_is_held_back(const sctpa_sweep_t *sweep, sctpa_wait_t *wait, const sctpa_sent_tsn_t *newest)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    const sctpa_sent_tsn_t *next = newest + 1;
    const sctpa_stamp_t *stamp = sctpa_direction_stamp(direction, newest->packet);
    const uint32_t left = stamp->peer_window_bytes;
    if (!is_first_cwnd(sweep, wait) || wait->packets != 1 || stamp->holds & SCTPA_STAMP_FRAGMENTED ||
        newest->flags & SCTPA_TSN_END || next->flags & SCTPA_TSN_END || left == SCTPA_NO_PACKET_INDEX)
        return false;
    wait->pause.sent = newest->packet;
    wait->pause.window_bytes = left;
    return true;
}

bool sctpa_pause_is_nagle(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait, const sctpa_sent_tsn_t *newest)
{
    const uint8_t whole = SCTPA_TSN_BEGIN | SCTPA_TSN_END;
    const sctpa_sent_tsn_t *const end = (const sctpa_sent_tsn_t *)(const void *)sweep->sent->data + sweep->sent->len;
    uint32_t bytes = 0;
    if (wait->left > 0)
        return false;
    for (const sctpa_sent_tsn_t *at = newest + 1; at < end && at->packet == newest[1].packet; at++) {
        if ((at->flags & whole) != whole)
            return false;
        bytes += at->bytes;
    }
    return bytes < sweep->full_bytes;
}

/* User bytes of the fullest packet, SCTPA_FULL_LEAST_BYTES at least. sent: sctpa_sent_tsn_t in order. O(TSNs). */
static uint32_t pause_fullest_bytes(const GArray *sent)
{
    uint32_t most = SCTPA_FULL_LEAST_BYTES, bytes = 0;
    for (guint i = 0; i < sent->len; i++) {
        const sctpa_sent_tsn_t *tsn = &g_array_index(sent, sctpa_sent_tsn_t, i);
        const bool goes_on = i > 0 && g_array_index(sent, sctpa_sent_tsn_t, i - 1).packet == tsn->packet;
        bytes = (goes_on ? bytes : 0) + tsn->bytes;
        most = MAX(most, bytes);
    }
    return most;
}

/* An INIT after an INIT ACK begins another set-up: after an ERROR "Stale Cookie", or since the answer was lost behind
 * the capture point. Of which of them a repeated step is part is not kept then. */
static bool is_one_attempt(const sctpa_setup_t *setup)
{
    return setup->steps[SCTPA_STEP_INIT_ACK].count == 0 ||
           setup->last_init_ns <= setup->steps[SCTPA_STEP_INIT_ACK].first_ns;
}

unsigned sctpa_setup_waits(const sctpa_assoc_t *assoc, const sctpa_setup_t *setup, int64_t end_ns,
                           sctpa_setup_wait_t waits[SCTPA_SETUP_WAITS_MAX])
{
    static const sctpa_step_t asking[] = { SCTPA_STEP_INIT, SCTPA_STEP_COOKIE_ECHO };
    unsigned n = 0;
    for (unsigned i = 0; i < SCTPA_SETUP_WAITS_MAX && !assoc->collision && is_one_attempt(setup); i++) {
        sctpa_step_t step = asking[i];
        bool is_answered = setup->steps[step + 1].count > 0;
        if (setup->steps[step].count < 2)
            continue;
        int64_t until_ns = is_answered               ? setup->steps[step + 1].first_ns
                           : step == SCTPA_STEP_INIT ? setup->last_init_ns
                                                     : end_ns;
        waits[n] = (sctpa_setup_wait_t){ .step = step,
                                         .sent = setup->steps[step].count,
                                         .since_frame = setup->steps[step].first_frame,
                                         .until_frame = is_answered ? setup->steps[step + 1].first_frame : 0,
                                         .since_ns = setup->steps[step].first_ns,
                                         .waited_ns = until_ns - setup->steps[step].first_ns,
                                         .by = setup->steps[step].by };
        n += waits[n].waited_ns >= SCTPA_PAUSE_LEAST_MS * SCTPA_NS_PER_MS;
    }
    return n;
}

/* What was before stays until there is something newer. */
static void pass_recent(sctpa_recent_rtt_t *recent, int64_t time_ns)
{
    if (time_ns - recent->since_ns < SCTPA_PAUSE_ROUND_TRIPS_S * SCTPA_NS_PER_S || recent->most_ns[0] == 0)
        return;
    recent->least_ns[1] = recent->least_ns[0];
    recent->usual_ns[1] = recent->usual_ns[0];
    recent->most_ns[1] = recent->most_ns[0];
    recent->least_ns[0] = recent->usual_ns[0] = recent->most_ns[0] = 0;
}

/* is_sure: not of a retransmission, the ack of which may be one of an earlier transmission (Karn's algorithm, RFC 9260
 * 6.3.1 C5). */
static void note_recent(sctpa_recent_rtt_t *recent, int64_t time_ns, int64_t rtt_ns, bool is_sure)
{
    pass_recent(recent, time_ns);
    if (recent->most_ns[0] == 0)
        recent->since_ns = time_ns;
    if (is_sure && (recent->least_ns[0] == 0 || rtt_ns < recent->least_ns[0]))
        recent->least_ns[0] = rtt_ns;
    if (recent->usual_ns[0] == 0 || (is_sure && rtt_ns < recent->usual_ns[0]))
        recent->usual_ns[0] = rtt_ns;
    recent->most_ns[0] = MAX(recent->most_ns[0], rtt_ns);
}

static unsigned paths_of(const sctpa_sweep_t *sweep)
{
    return sweep->source->direction->paths.len;
}

/* A round trip of a HEARTBEAT, which no SACK delay lengthens. O(1). */
static void sweep_take_heartbeat(sctpa_sweep_t *sweep, const sctpa_sample_t *sample)
{
    const int64_t rtt_ns = MAX(sctpa_direction_elapsed_ns(sweep->source->direction, sample), 1);
    if (paths_of(sweep) > 1 && sample->path < paths_of(sweep))
        note_recent(&sweep->recent[sample->path], sctpa_sweep_ns(sweep, sample->packet), rtt_ns, true);
}

/* Expiries of the timer up to a packet; called with ascending packets. O(samples among them). */
static void wait_take_samples(sctpa_sweep_t *sweep, uint32_t until, sctpa_wait_t *wait)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    for (; sweep->sample < direction->samples.len; sweep->sample++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(&direction->samples, sctpa_sample_t, sweep->sample);
        if (sample->packet > until)
            break;
        if (sample->packet > wait->pause.since && sample->kind == SCTPA_SAMPLE_BACKOFF) {
            wait->pause.timeouts++;
            wait->expiry = sweep->sample + 1;
            wait->expiries = sweep->expiries;
        }
        sweep->expiries += sample->kind == SCTPA_SAMPLE_BACKOFF;
        if (sample->kind == SCTPA_SAMPLE_HEARTBEAT)
            sweep_take_heartbeat(sweep, sample);
        sweep->rto_ns = sctpa_direction_rto_ns(direction, sample);
        if (sample->packet <= wait->pause.since)
            wait->rto_ns = sweep->rto_ns;
    }
}

/* Was it sent again for lack of an ack: by a timer, or after a wait longer than a round trip? */
static bool is_late(const sctpa_wait_t *wait, const sctpa_rtx_t *rtx, int64_t waited_ns)
{
    if (rtx->kind == SCTPA_RTX_UNKNOWN)
        return waited_ns > wait->limit_ns;
    return rtx->kind == SCTPA_RTX_TIMEOUT || rtx->kind == SCTPA_RTX_PROBE;
}

/* Retransmissions in the same packets. */
static void take_rtx(sctpa_sweep_t *sweep, uint32_t until, sctpa_wait_t *wait)
{
    const uint32_t n = sweep->source->direction->rare->rtx.len;
    wait->first = wait->last = n;
    wait->all_unknown = true;
    for (; sweep->rtx < n && sctpa_sweep_rtx(sweep, sweep->rtx)->packet <= until; sweep->rtx++) {
        const sctpa_rtx_t *rtx = sctpa_sweep_rtx(sweep, sweep->rtx);
        const int64_t waited_ns = sctpa_sweep_ns(sweep, rtx->packet) - sctpa_sweep_ns(sweep, rtx->previous);
        if (sctpa_rtx_is_doubled(sweep->source->direction, sweep->tsns[sweep->rtx], rtx))
            continue;
        sweep->expiries += rtx->kind == SCTPA_RTX_UNKNOWN;
        if (rtx->packet <= wait->pause.since)
            continue;
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(sweep->source->direction, sweep->tsns[sweep->rtx]);
        wait->has_rtx |= !tsn || !sctpa_direction_is_spurious(sweep->source->direction, tsn, rtx);
        if (!is_late(wait, rtx, waited_ns))
            continue;
        wait->first = wait->first == n ? sweep->rtx : wait->first;
        wait->last = sweep->rtx;
        wait->all_unknown &= rtx->kind == SCTPA_RTX_UNKNOWN;
        wait->longest_wait_ns = MAX(wait->longest_wait_ns, waited_ns);
    }
}

/* SACKs in the same packets; that which ends the pause is none of them. */
static void take_sacks(sctpa_sweep_t *sweep, uint32_t until, sctpa_wait_t *wait)
{
    const sctpa_records_t *sacks = &sweep->source->direction->sacks;
    for (; sweep->sack < sacks->len; sweep->sack++) {
        const uint32_t packet = SCTPA_RECORD(sacks, sctpa_sack_record_t, sweep->sack).packet;
        if (packet >= until)
            break;
        wait->sacks += packet > wait->pause.since;
    }
}

/* Retransmissions in the same packets that are all that passed of their TSNs: the last one, which ended at least half
 * of the pause. */
static void take_unseen(sctpa_sweep_t *sweep, uint32_t until, sctpa_wait_t *wait)
{
    for (; sweep->next_unseen < sweep->unseen->len; sweep->next_unseen++) {
        const sctpa_unseen_t *unseen = &g_array_index(sweep->unseen, sctpa_unseen_t, sweep->next_unseen);
        if (unseen->packet > until)
            break;
        if (unseen->packet > wait->pause.since &&
            sctpa_sweep_ns(sweep, unseen->packet) - wait->since_ns >= wait->pause.paused_ns / 2)
            wait->unseen = unseen;
    }
}

/* How long the window was closed in the pause. */
static void take_windows(sctpa_sweep_t *sweep, sctpa_wait_t *wait)
{
    const unsigned n = sweep->windows ? sweep->windows->closed->len : 0;
    const int64_t until_ns = wait->since_ns + wait->pause.paused_ns;
    while (sweep->window < n &&
           g_array_index(sweep->windows->closed, sctpa_closed_t, sweep->window).until <= wait->pause.since)
        sweep->window++;
    for (unsigned i = sweep->window; i < n; i++) {
        const sctpa_closed_t *closed = &g_array_index(sweep->windows->closed, sctpa_closed_t, i);
        const int64_t from_ns = sctpa_sweep_ns(sweep, closed->packet);
        if (closed->packet >= wait->pause.until)
            break;
        wait->closed_ns += MAX(MIN(from_ns + closed->closed_ns, until_ns) - MAX(from_ns, wait->since_ns), 0);
    }
}

/* Retransmissions and SACKs up to the same packet, and how long the window was closed; the limit of the wait is known.
 * O(these). */
static void wait_take_packets(sctpa_sweep_t *sweep, uint32_t until, sctpa_wait_t *wait)
{
    take_rtx(sweep, until, wait);
    take_sacks(sweep, until, wait);
    take_unseen(sweep, until, wait);
    take_windows(sweep, wait);
}

/* The least of now and of before; 0 none. */
static int64_t least_of(const int64_t round_trips_ns[2])
{
    return round_trips_ns[0] == 0   ? round_trips_ns[1]
           : round_trips_ns[1] == 0 ? round_trips_ns[0]
                                    : MIN(round_trips_ns[0], round_trips_ns[1]);
}

/* What is known of the path that a packet took, or else of any. */
static sctpa_recent_rtt_t *recent_of(const sctpa_sweep_t *sweep, uint32_t packet)
{
    const unsigned n = paths_of(sweep);
    return &sweep->recent[n > 1 ? MIN(sweep->source->path(sweep->source, packet), n) : n];
}

/* No round trip takes longer but for a delayed SACK: one of more than twice the usual one may be one. */
static int64_t most_of(const sctpa_recent_rtt_t *recent)
{
    return MIN(MAX(recent->most_ns[0], recent->most_ns[1]), 2 * least_of(recent->usual_ns));
}

int64_t sctpa_sweep_rtt_ns(const sctpa_sweep_t *sweep, uint32_t packet)
{
    const sctpa_recent_rtt_t *recent = recent_of(sweep, packet);
    return least_of(recent->usual_ns) > 0 ? most_of(recent) + SCTPA_TICK_NS : INT64_MAX / 2;
}

/* Longer than a round trip, however late the stamps of its beginning and early those of its end are. */
static int64_t limit_of(const sctpa_sweep_t *sweep, int64_t rtt_ns)
{
    return MAX(rtt_ns + SCTPA_TICK_NS, SCTPA_PAUSE_LEAST_MS * SCTPA_NS_PER_MS) + sweep->source->stamp_unit_ns;
}

/* Limit and least round trip of a wait, of which newest is the last packet with new data; false: no round trip of its
 * path is known yet, and those of another path, which may be shorter, stand for it. O(1). */
static bool wait_measure_recent(const sctpa_sweep_t *sweep, sctpa_wait_t *wait, uint32_t newest)
{
    sctpa_recent_rtt_t *recent = recent_of(sweep, newest), *any = &sweep->recent[paths_of(sweep)];
    pass_recent(recent, wait->since_ns);
    pass_recent(any, wait->since_ns);
    const bool is_measured = least_of(recent->usual_ns) > 0;
    recent = is_measured ? recent : any;
    wait->least_rtt_ns = least_of(recent->least_ns);
    wait->limit_ns = limit_of(sweep, most_of(recent));
    return is_measured;
}

/* The first round trip is its own measure, or the shortest answer at any time is. O(1). */
static void wait_measure_first(const sctpa_sweep_t *sweep, sctpa_wait_t *wait, uint32_t newest)
{
    const int64_t answer_ns = sweep->source->tap_rtt_to(sweep->source, newest).most_ns;
    if ((wait_measure_recent(sweep, wait, newest) && wait->least_rtt_ns <= answer_ns) || answer_ns <= 0)
        return;
    wait->least_rtt_ns = answer_ns;
    wait->limit_ns = limit_of(sweep, answer_ns);
}

/* Round trips up to a packet: from the newest packet that a SACK is the first to ack to the SACK. Called with ascending
 * packets. O(SACKs among them). */
static void sweep_take_round_trips(sctpa_sweep_t *sweep, uint32_t until)
{
    const sctpa_records_t *all = &sweep->source->direction->acked;
    for (; sweep->ack < all->len; sweep->ack++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(all, sctpa_acked_t, sweep->ack);
        const int64_t now_ns = sctpa_sweep_ns(sweep, acked->packet);
        if (acked->packet > until)
            break;
        const int64_t rtt_ns = MAX(now_ns - sctpa_sweep_ns(sweep, acked->last_packet), 1);
        const bool is_sure = !sctpa_direction_resends(sweep->source->direction, acked->last_packet, acked->last_packet);
        note_recent(&sweep->recent[paths_of(sweep)], now_ns, rtt_ns, is_sure);
        if (paths_of(sweep) > 1)
            note_recent(recent_of(sweep, acked->last_packet), now_ns, rtt_ns, is_sure);
    }
}

const char *sctpa_pause_word(sctpa_pause_cause_t cause)
{
    static const char *const words[SCTPA_PAUSE_CAUSES] = {
#define SCTPA_PAUSE_ROW(name, word, text) word,
#include "pauses.def"
#undef SCTPA_PAUSE_ROW
    };
    return words[cause];
}

const char *sctpa_pause_text(sctpa_pause_cause_t cause)
{
    static const char *const texts[SCTPA_PAUSE_CAUSES] = {
#define SCTPA_PAUSE_ROW(name, word, text) text,
#include "pauses.def"
#undef SCTPA_PAUSE_ROW
    };
    return texts[cause];
}

const char *sctpa_pause_end_word(sctpa_pause_end_t ended)
{
    static const char *const words[SCTPA_PAUSE_ENDS] = {
#define SCTPA_PAUSE_END_ROW(name, word) word,
#include "pause_ends.def"
#undef SCTPA_PAUSE_END_ROW
    };
    return words[ended];
}

/* The packet by which a TSN had been sent: its first one, or that of the next higher TSN where an earlier transmission
 * never passed the tap. */
static uint32_t sent_by(const sctpa_sweep_t *sweep, int64_t number, const sctpa_tsn_t *tsn)
{
    enum { ABOVE_LOOKED_AT = 16 };
    for (int64_t at = number + 1; tsn->state & SCTPA_TSN_EARLIER_UNSEEN && at <= number + ABOVE_LOOKED_AT; at++) {
        const sctpa_tsn_t *above = sctpa_direction_tsn(sweep->source->direction, at);
        if (above && above->transmissions > 0 && above->first_packet < tsn->first_packet)
            return above->first_packet;
    }
    return tsn->first_packet;
}

/* The first ack of a TSN that its sender takes. */
static uint32_t taken_ack(const sctpa_sweep_t *sweep, int64_t number, const sctpa_tsn_t *tsn)
{
    const uint32_t acked = MIN(tsn->gap_packet, tsn->ack_packet);
    if (sweep->discarded.again == 0 || acked == SCTPA_NO_PACKET_INDEX ||
        !sweep->source->is_unchecked(sweep->source, acked))
        return acked;
    return sctpa_discarded_acks_next(&sweep->discarded, sweep->source->direction, number, acked);
}

/* Retransmissions are ascribed to their TSN whatever became of it. */
static void take_tsn(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    sctpa_sweep_t *sweep = user;
    const uint32_t acked = taken_ack(sweep, number, tsn);
    for (uint32_t at = tsn->more; at > 0; at = sctpa_sweep_rtx(sweep, at - 1)->link.before)
        sweep->tsns[at - 1] = number;
    const bool is_given_up = (tsn->state & SCTPA_TSN_ABANDONED) && acked == SCTPA_NO_PACKET_INDEX;
    if (is_given_up || (tsn->state & SCTPA_TSN_LATE) || acked <= tsn->first_packet)
        return;
    sctpa_sent_tsn_t sent = {
        .packet = sent_by(sweep, number, tsn), .bytes = tsn->bytes, .number = number, .flags = tsn->flags
    };
    g_array_append_val(sweep->sent, sent);
    const sctpa_unseen_t unseen = { tsn->first_packet, number };
    if (tsn->state & SCTPA_TSN_EARLIER_UNSEEN)
        g_array_append_val(sweep->unseen, unseen);
    if (acked != SCTPA_NO_PACKET_INDEX)
        g_array_append_val(sweep->acked, acked);
    else
        sweep->oldest_unacked = MIN(sweep->oldest_unacked, number);
}

/* A sender that lacks an ack sends again when its timer runs out, and then after twice that time at most (RFC
 * 9260 6.3.3 E2). What went on for longer after its last retransmission ended unseen: nothing was acked up to there, as
 * far as the capture proves. One that gave up had no ack until then, though the capture lacks what it sent. */
static void cut_unproven(const sctpa_sweep_t *sweep, sctpa_wait_t *wait)
{
    const uint32_t last = sctpa_sweep_rtx(sweep, wait->last)->packet;
    const int64_t last_ns = sctpa_sweep_ns(sweep, last), patience_ns = 2 * MAX(wait->longest_wait_ns, wait->rto_ns);
    if (wait->pause.ended == SCTPA_PAUSE_ENDS_GAVE_UP ||
        wait->since_ns + wait->pause.paused_ns - last_ns <= patience_ns + sctpa_tick_ns(patience_ns))
        return;
    wait->pause.until = last;
    wait->pause.ended = SCTPA_PAUSE_ENDS_UNSEEN;
    wait->pause.paused_ns = MAX(last_ns - wait->since_ns, 0);
}

/* The last retransmission in the wait of the TSN that it retransmits first. */
static const sctpa_rtx_t *last_of_first(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait)
{
    uint32_t at = wait->last;
    while (at > wait->first && sweep->tsns[at] != sweep->tsns[wait->first])
        at--;
    return sctpa_sweep_rtx(sweep, at);
}

/* What the last timeout sent first, and how long its timer ran (RFC 9260 6.3.2). */
static void take_expiry(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait, sctpa_pause_t *pause)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    if (wait->expiry == 0 || pause->repeated == SCTPA_NO_PACKET_INDEX)
        return;
    const sctpa_sample_t *sample = &SCTPA_RECORD(&direction->samples, sctpa_sample_t, wait->expiry - 1);
    pause->repeated = sample->packet;
    pause->started = sample->started != sample->packet ? sample->started : SCTPA_NO_PACKET_INDEX;
    pause->waited_ns = sctpa_direction_elapsed_ns(direction, sample);
    pause->may_start_late = sample->may_start_late;
}

/* Did a SACK before each retransmission of the first TSN retransmitted leave out what that repeats; of one that nothing
 * acks, behind the last one as well? */
static bool is_left_out(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait)
{
    const uint32_t none = sweep->source->direction->rare->rtx.len;
    if (wait->first == none)
        return false;
    for (uint32_t at = wait->first; at <= wait->last; at++) {
        const sctpa_rtx_t *rtx = sctpa_sweep_rtx(sweep, at);
        if (sweep->tsns[at] == sweep->tsns[wait->first] && !sctpa_pause_is_left_out(sweep, rtx->previous, rtx->packet))
            return false;
    }
    return sctpa_wait_ends_acked(wait) ||
           sctpa_pause_is_left_out(sweep, sctpa_sweep_rtx(sweep, wait->last)->packet, SCTPA_NO_PACKET_INDEX);
}

/* May the transmission that the last one repeats have arrived, and its SACK not have been due, or be on a way that
 * nothing shows to be shorter? */
static bool may_be_held(const sctpa_sweep_t *sweep, const sctpa_rtx_t *last)
{
    const int64_t waited_ns = sctpa_sweep_ns(sweep, last->packet) - sctpa_sweep_ns(sweep, last->previous),
                  unknown_ns = sweep->habit.shows_delay ? 0 : SCTPA_SACK_DELAY_MOST_NS - sweep->habit.delay_ns;
    const bool is_way_known = sweep->source->tap_rtt_to(sweep->source, last->previous).most_ns >= 0;
    return last->misses == 0 &&
           (!is_way_known || sctpa_sweep_may_be_held(sweep, last->previous, waited_ns - unknown_ns));
}

static void keep(sctpa_sweep_t *sweep, const sctpa_wait_t *wait, sctpa_pause_cause_t cause)
{
    sctpa_pauses_t *found = sweep->found;
    sctpa_pause_t pause = wait->pause;
    pause.cause = (uint8_t)cause;
    pause.is_left_out = is_left_out(sweep, wait);
    if (pause.lost == SCTPA_NO_PACKET_INDEX && cause != SCTPA_PAUSE_SHUTDOWN_AS_CLOSED &&
        wait->first < sweep->source->direction->rare->rtx.len) {
        const sctpa_rtx_t *first = sctpa_sweep_rtx(sweep, wait->first), *last = last_of_first(sweep, wait);
        pause.lost = first->previous;
        pause.repeated = last->packet;
        pause.is_reported = first->misses >= SCTPA_MISSES_FAST;
        pause.waited_ns = sctpa_sweep_ns(sweep, last->packet) - sctpa_sweep_ns(sweep, last->previous);
        pause.may_be_held = !pause.is_left_out && may_be_held(sweep, last);
    }
    pause.may_be_refused = sweep->source->shutdown_packet < pause.until;
    if (cause != SCTPA_PAUSE_SHUTDOWN_AS_CLOSED)
        take_expiry(sweep, wait, &pause);
    if (pause.lost != SCTPA_NO_PACKET_INDEX)
        pause.path = sweep->source->path(sweep->source, pause.lost);
    if (pause.repeated != SCTPA_NO_PACKET_INDEX)
        pause.to = sweep->source->path(sweep->source, pause.repeated);
    found->lost_ns[cause] = sctpa_ns_sum(found->lost_ns[cause], pause.paused_ns);
    found->paused_ns = sctpa_ns_sum(found->paused_ns, pause.paused_ns);
    g_array_append_val(found->pauses, pause);
}

/* Did it wait for the ack alone, behind all that was retransmitted in it? What is retransmitted early in it was marked
 * by a timeout before it; and what the timer of this pause sent had an ack that a receiver may delay so long. */
static bool waited_for_ack(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait)
{
    const uint32_t last = sctpa_sweep_rtx(sweep, wait->last)->packet;
    const int64_t before_ns = sctpa_sweep_ns(sweep, last) - wait->since_ns;
    return before_ns < wait->pause.paused_ns / 2 &&
           (wait->pause.timeouts == 0 ||
            wait->pause.paused_ns - before_ns <= sctpa_sweep_rtt_ns(sweep, last) + SCTPA_SACK_DELAY_MOST_NS);
}

/* Was nothing retransmitted for longer than the RTO? Then the sender had an ack that the capture lacks (RFC 9260 6.3.3
 * E3), unless the SACK at its end shows that it had none. */
static bool is_without_timer(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait)
{
    return wait->first == sweep->source->direction->rare->rtx.len && !wait->unseen && wait->closed_ns == 0 &&
           wait->pause.paused_ns - wait->held.ns > wait->rto_ns + sctpa_tick_ns(wait->rto_ns);
}

/* Had all that was retransmitted in the wait been acknowledged before it? Its acks were lost behind the capture point,
 * or late, and the wait is for something else. O(retransmissions in the wait). */
static bool is_acked_before(const sctpa_sweep_t *sweep, const sctpa_wait_t *wait)
{
    for (uint32_t at = wait->first; at <= wait->last; at++) {
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(sweep->source->direction, sweep->tsns[at]);
        if (!tsn || MIN(tsn->gap_packet, tsn->ack_packet) > wait->pause.since)
            return false;
    }
    return true;
}

/* newest: the last transmission before its end. */
static void judge(sctpa_sweep_t *sweep, sctpa_wait_t *wait, const sctpa_sent_tsn_t *newest)
{
    const uint32_t no_rtx = sweep->source->direction->rare->rtx.len;
    sctpa_pauses_t *found = sweep->found;
    const bool has_no_timer = is_without_timer(sweep, wait);
    const sctpa_pause_cause_t missing = has_no_timer ? sctpa_pause_of_gap(sweep, wait) : SCTPA_PAUSE_CAUSES;
    if (has_no_timer && missing == SCTPA_PAUSE_CAUSES)
        return;
    if (wait->first < no_rtx)
        cut_unproven(sweep, wait);
    if (wait->pause.paused_ns > found->longest_ns) {
        found->longest_ns = wait->pause.paused_ns;
        found->longest_since = wait->pause.since;
    }
    if (wait->pause.paused_ns <= wait->limit_ns)
        return;
    if (wait->first < no_rtx &&
        (is_acked_before(sweep, wait) || (sctpa_wait_ends_acked(wait) && waited_for_ack(sweep, wait))))
        wait->first = wait->last = no_rtx;
    sctpa_pause_cause_t cause = sweep->source->set_up_ns - wait->since_ns >= wait->pause.paused_ns / 2
                                    ? SCTPA_PAUSE_SET_UP
                                : pause_is_hold(sweep, wait)                   ? SCTPA_PAUSE_SHUTDOWN_AS_CLOSED
                                : wait->closed_ns >= wait->pause.paused_ns / 2 ? SCTPA_PAUSE_CLOSED_WINDOW
                                : wait->first < no_rtx ? sctpa_pause_of_timeout(sweep, wait, newest)
                                : wait->unseen         ? sctpa_pause_of_unseen(sweep, wait)
                                : has_no_timer         ? missing
                                                       : sctpa_pause_of_late_ack(sweep, wait, newest);
    if (cause != SCTPA_PAUSE_CAUSES)
        keep(sweep, wait, cause);
    else
        found->acking_ns = sctpa_ns_sum(found->acking_ns, wait->pause.paused_ns);
}

/* How many packets hold the last n TSNs before end, up to 2 * SCTPA_UNANSWERED_DEAD. O(chunks in so many packets). */
static uint32_t packets_of(const sctpa_sent_tsn_t *begin, const sctpa_sent_tsn_t *end, uint32_t n)
{
    uint32_t packets = 0, last = SCTPA_NO_PACKET_INDEX;
    for (const sctpa_sent_tsn_t *at = end; at > begin && n > 0 && packets < 2 * SCTPA_UNANSWERED_DEAD; n--) {
        at--;
        packets += at->packet != last;
        last = at->packet;
    }
    return packets;
}

/* When and with what it ended: the association's ABORT, where no SACK acked anything. */
static void end_pause(const sctpa_sweep_t *sweep, sctpa_wait_t *wait)
{
    const uint32_t abort_packet = sweep->ending.abort_packet;
    int64_t end_ns = sweep->end_ns;
    if (wait->pause.until != SCTPA_NO_PACKET_INDEX) {
        end_ns = sctpa_sweep_ns(sweep, wait->pause.until);
    } else if (abort_packet != SCTPA_NO_PACKET_INDEX && abort_packet > wait->pause.since &&
               sctpa_sweep_ns(sweep, abort_packet) <= end_ns) {
        end_ns = sctpa_sweep_ns(sweep, abort_packet);
        wait->pause.until = abort_packet;
        wait->pause.ended = sweep->ending.expiries > 0 ? SCTPA_PAUSE_ENDS_GAVE_UP : SCTPA_PAUSE_ENDS_ABORT;
    } else {
        wait->pause.ended = SCTPA_PAUSE_ENDS_OPEN;
    }
    wait->pause.paused_ns = MAX(end_ns - wait->since_ns, 0);
    wait->pause.most_ns = wait->pause.paused_ns;
}

/* Who sends on after the ABORT waits for nobody. */
static bool is_after_abort(const sctpa_sweep_t *sweep, uint32_t since)
{
    return sweep->ending.abort_packet != SCTPA_NO_PACKET_INDEX && since > sweep->ending.abort_packet;
}

/* Data that travelled with a COOKIE ECHO waits for the set-up first. */
static void begin_after_set_up(const sctpa_sweep_t *sweep, sctpa_wait_t *wait)
{
    const int64_t setting_up_ns = sweep->source->set_up_ns - wait->since_ns;
    const uint32_t packet = sweep->source->set_up_packet;
    if (packet == SCTPA_NO_PACKET_INDEX || packet <= wait->pause.since || packet >= wait->pause.until ||
        setting_up_ns <= 0 || setting_up_ns >= wait->pause.paused_ns / 2)
        return;
    wait->pause.since = packet;
    wait->since_ns += setting_up_ns;
    wait->pause.paused_ns -= setting_up_ns;
    wait->pause.most_ns -= setting_up_ns;
}

/* end: behind the last transmission before its end. */
static void end_wait(sctpa_sweep_t *sweep, uint32_t since, uint32_t until, uint32_t chunks, uint32_t left,
                     const sctpa_sent_tsn_t *end)
{
    const sctpa_sent_tsn_t *sent = (const sctpa_sent_tsn_t *)(const void *)sweep->sent->data;
    const uint32_t newest = end[-1].packet;
    sctpa_wait_t wait = { .pause = { .since = since,
                                     .until = until,
                                     .chunks = chunks,
                                     .lost = SCTPA_NO_PACKET_INDEX,
                                     .repeated = SCTPA_NO_PACKET_INDEX,
                                     .started = SCTPA_NO_PACKET_INDEX,
                                     .sent = SCTPA_NO_PACKET_INDEX,
                                     .heard = SCTPA_NO_PACKET_INDEX,
                                     .shutdown = SCTPA_NO_PACKET_INDEX,
                                     .path = SCTPA_SERIES_ANY_PATH,
                                     .to = SCTPA_SERIES_ANY_PATH,
                                     .ended = SCTPA_PAUSE_ENDS_ACK },
                          .since_ns = sctpa_sweep_ns(sweep, since),
                          .rto_ns = sweep->rto_ns,
                          .left = left,
                          .held = sweep->held,
                          .is_last = until == SCTPA_NO_PACKET_INDEX };
    if (is_after_abort(sweep, since) || sctpa_clock_steps_between(sweep->source->clock_steps, since, until))
        return;
    end_pause(sweep, &wait);
    until = wait.pause.until;
    begin_after_set_up(sweep, &wait);
    const bool is_measured = wait_measure_recent(sweep, &wait, newest);
    wait_take_samples(sweep, until, &wait);
    sweep_take_round_trips(sweep, until);
    if (!is_measured)
        wait_measure_first(sweep, &wait, newest);
    wait_take_packets(sweep, until, &wait);
    if (wait.pause.paused_ns > wait.limit_ns)
        wait.packets = packets_of(sent, end, chunks);
    judge(sweep, &wait, end - 1);
}

/* Was the window closed after a packet that acked all, so that the sender had to wait with what it had? next: its next
 * new data, NULL none. */
static bool waits_for_window(sctpa_sweep_t *sweep, uint32_t packet, const sctpa_sent_tsn_t *next)
{
    const unsigned n = sweep->windows ? sweep->windows->closed->len : 0;
    for (unsigned i = sweep->window; next && i < n; i++) {
        const sctpa_closed_t *closed = &g_array_index(sweep->windows->closed, sctpa_closed_t, i);
        if (closed->packet > packet)
            return false;
        if (closed->until > packet)
            return next->packet < closed->until ||
                   sctpa_sweep_ns(sweep, next->packet) - sctpa_sweep_ns(sweep, closed->until) <=
                       sctpa_sweep_at_once_ns(sweep, next->packet);
    }
    return false;
}

static void take_idle(sctpa_sweep_t *sweep, uint32_t since, uint32_t until)
{
    if (since != SCTPA_NO_PACKET_INDEX)
        sweep->found->idle_ns =
            sctpa_ns_sum(sweep->found->idle_ns, MAX(sctpa_sweep_ns(sweep, until) - sctpa_sweep_ns(sweep, since), 0));
}

/* When the direction ended: with the packet, or with a pause after it. */
static int64_t ended_ns(const sctpa_sweep_t *sweep, uint32_t packet)
{
    const GArray *pauses = sweep->found->pauses;
    const sctpa_pause_t *last = pauses->len > 0 ? &g_array_index(pauses, sctpa_pause_t, pauses->len - 1) : NULL;
    const int64_t packet_ns = sctpa_sweep_ns(sweep, packet);
    return last ? MAX(packet_ns, sctpa_sweep_ns(sweep, last->since) + last->paused_ns) : packet_ns;
}

static void walk(sctpa_sweep_t *sweep)
{
    const sctpa_sent_tsn_t *sent = (const sctpa_sent_tsn_t *)(const void *)sweep->sent->data,
                           *sent_end = sent + sweep->sent->len;
    const uint32_t *acked = (const uint32_t *)(const void *)sweep->acked->data, *acked_end = acked + sweep->acked->len;
    const uint32_t begin = sent < sent_end ? sent->packet : SCTPA_NO_PACKET_INDEX;
    uint32_t since = SCTPA_NO_PACKET_INDEX, outstanding = 0, last = begin;
    bool is_closed = false;
    while (sent < sent_end || acked < acked_end) {
        if (acked == acked_end || (sent < sent_end && sent->packet < *acked)) {
            if (outstanding++ == 0 && !is_closed) {
                take_idle(sweep, since, sent->packet);
                since = sent->packet;
            }
            last = sent++->packet;
            continue;
        }
        const uint32_t packet = *acked;
        const uint32_t before = outstanding;
        for (; acked < acked_end && *acked == packet; acked++)
            outstanding--;
        end_wait(sweep, since, packet, before, outstanding, sent);
        last = since = packet;
        is_closed = outstanding == 0 && waits_for_window(sweep, packet, sent < sent_end ? sent : NULL);
        is_closed |= pause_take_held(sweep, packet, outstanding == 0 && !is_closed && sent < sent_end ? sent : NULL);
    }
    if (outstanding > 0)
        end_wait(sweep, since, SCTPA_NO_PACKET_INDEX, outstanding, outstanding, sent);
    if (begin != SCTPA_NO_PACKET_INDEX)
        sweep->found->span_ns = MAX(ended_ns(sweep, last) - sctpa_sweep_ns(sweep, begin), 0);
}

/* The timers of the set-up back the RTO off as T3-rtx does (RFC 9260 6.3.3 E2), until a round trip is measured. */
static int64_t initial_rto_ns(const sctpa_series_source_t *source)
{
    return pause_backed_off_ns(SCTPA_RTO_INITIAL_4960_NS, source->set_up_repeats, SCTPA_RTO_MAX_NS);
}

sctpa_pauses_t *sctpa_pauses_measure(const sctpa_series_source_t *source, int64_t end_ns)
{
    sctpa_pauses_t *found = g_new0(sctpa_pauses_t, 1);
    found->pauses = g_array_new(FALSE, FALSE, sizeof(sctpa_pause_t));
    found->longest_since = found->discarded = SCTPA_NO_PACKET_INDEX;
    if (!source->direction || source->data_only)
        return found;
    sctpa_sweep_t sweep = { .source = source,
                            .found = found,
                            .windows =
                                sctpa_windows_were_closed(source->direction) ? sctpa_windows_measure(source) : NULL,
                            .sent = g_array_new(FALSE, FALSE, sizeof(sctpa_sent_tsn_t)),
                            .acked = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                            .unseen = g_array_new(FALSE, FALSE, sizeof(sctpa_unseen_t)),
                            .tsns = g_new(int64_t, source->direction->rare->rtx.len),
                            .ending = source->ending(source),
                            .recent = g_new0(sctpa_recent_rtt_t, source->direction->paths.len + 1),
                            .oldest_unacked = INT64_MAX,
                            .end_ns = MIN(end_ns, source->last_ns),
                            .rto_ns = initial_rto_ns(source) };
    sweep.discarded = sctpa_discarded_acks(source);
    if (sweep.discarded.again > 0)
        found->discarded = sweep.discarded.packet;
    sctpa_direction_each(source->direction, take_tsn, &sweep);
    g_array_sort(sweep.sent, sctpa_records_order);
    sweep.full_bytes = pause_fullest_bytes(sweep.sent);
    g_array_sort(sweep.acked, sctpa_records_order);
    g_array_sort(sweep.unseen, sctpa_records_order);
    sweep.habit = sctpa_sweep_sack_habit(&sweep);
    sctpa_sweep_take_silent(&sweep);
    sweep.regular_ns = sweep_regular_ns(&sweep);
    walk(&sweep);
    found->early = sctpa_sweep_early_timeouts(&sweep);
    sctpa_discarded_acks_clear(&sweep.discarded);
    g_array_unref(sweep.sent);
    g_array_unref(sweep.acked);
    g_array_unref(sweep.unseen);
    g_free(sweep.tsns);
    g_free(sweep.recent);
    sctpa_windows_free(sweep.windows);
    return found;
}

void sctpa_pauses_free(sctpa_pauses_t *pauses)
{
    if (!pauses)
        return;
    g_array_unref(pauses->pauses);
    g_free(pauses);
}
