/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the receiver of a direction acknowledges, as its SACKs show, and which retransmissions a timer sent before the
 * SACK for them was due. */
#include "base/numbers.h"
#include "pauses_parts.h"
#include "wire/types.h"

enum {
    EVERY_MOST = 32,   /* packets that a SACK may be due for, as far as they are counted */
    SHOWN_LEAST = 2,   /* one SACK for more than two packets may follow a lost one */
    AT_ONCE_LEAST = 3, /* the SACK for the first DATA comes at once anyway (RFC 9260 5.1) */
    SILENT_LEAST = 4, /* where half of all SACKs are lost, so often each first one is and each second one is not once in
                         256 times */
};

/* Of SACKs without gap blocks and DATA, for packets that were sent once. */
typedef struct {
    int64_t least_ns, longest_ns; /* from the newest packet that one acks to the SACK */
    unsigned at_once, pairs,
        more;            /* prompt ones: for one packet, for two, for more; none of the former two was asked for */
    unsigned least_more; /* packets of the latter that were not asked for, 0 none */
    unsigned held;       /* ones for one packet that were held back */
} shown_t;

/* Timers that retransmitted what the receiver had, and had not acknowledged in longer than an answer takes, though it
 * answered the retransmission at once. */
typedef struct {
    unsigned of[EVERY_MOST + 1]; /* by how many packets it had not acknowledged */
    unsigned n;                  /* together */
    int64_t longest_ns;          /* since the newest of these packets */
} silent_t;

/* Packets with data from first to last, up to EVERY_MOST + 1. O(chunks in so many). */
static unsigned packets_between(const sctpa_sweep_t *sweep, uint32_t first, uint32_t last)
{
    unsigned n = 0;
    uint32_t before = SCTPA_NO_PACKET_INDEX;
    for (uint32_t at = sctpa_array_from(sweep->sent, first); at < sweep->sent->len && n <= EVERY_MOST; at++) {
        const uint32_t packet = g_array_index(sweep->sent, sctpa_sent_tsn_t, at).packet;
        if (packet > last)
            break;
        n += packet != before;
        before = packet;
    }
    return n;
}

/* Does its sender ask for a SACK at once (RFC 7053)? */
static bool asks_for_sack(const sctpa_direction_t *direction, const sctpa_acked_t *acked)
{
    int64_t number;
    const sctpa_tsn_t *tsn = sctpa_direction_tsn_near(direction, acked->highest, acked->packet, &number);
    return tsn && tsn->flags & SCTPA_TSN_IMMEDIATE;
}

/* Does nothing but number and time explain the SACK? *at: the SACK from which on it stands, which goes on to it. */
static bool is_plain(const sctpa_sweep_t *sweep, const sctpa_acked_t *acked, uint32_t *at)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    const sctpa_records_t *sacks = &direction->sacks;
    while (*at < sacks->len && SCTPA_RECORD(sacks, sctpa_sack_record_t, *at).packet < acked->packet)
        ++*at;
    return acked->order > 0 && *at < sacks->len &&
           SCTPA_RECORD(sacks, sctpa_sack_record_t, *at).packet == acked->packet &&
           SCTPA_RECORD(sacks, sctpa_sack_record_t, *at).gaps == 0 &&
           !(sctpa_direction_stamp(direction, acked->packet)->holds & SCTPA_STAMP_DATA) &&
           !sctpa_direction_resends(direction, acked->first_packet, acked->first_packet) &&
           !sctpa_direction_resends(direction, acked->last_packet, acked->last_packet);
}

static int64_t late_ns(const sctpa_sweep_t *sweep, const sctpa_acked_t *acked)
{
    return MAX(sctpa_sweep_ns(sweep, acked->packet) - sctpa_sweep_ns(sweep, acked->last_packet), 0);
}

/* Did its receiver hold it back? Not where it sent data without it, when it should have been there (RFC 9260 6.1): then
 * it was on the way. */
static bool is_held(const sctpa_sweep_t *sweep, const sctpa_acked_t *acked, int64_t least_ns)
{
    return !sweep->source->leaves_ack_out(sweep->source, acked->packet,
                                          sctpa_sweep_ns(sweep, acked->last_packet) + least_ns);
}

static void take(const sctpa_sweep_t *sweep, const sctpa_acked_t *acked, shown_t *shown)
{
    const bool is_prompt = late_ns(sweep, acked) <= 2 * shown->least_ns + SCTPA_TICK_NS;
    const unsigned n = packets_between(sweep, acked->first_packet, acked->last_packet);
    if (n > 2 && is_prompt) {
        shown->more++;
        if (!asks_for_sack(sweep->source->direction, acked))
            shown->least_more = shown->least_more > 0 ? MIN(shown->least_more, n) : n;
    } else if (!is_prompt && is_held(sweep, acked, shown->least_ns)) {
        shown->held += n == 1;
        shown->longest_ns = MAX(shown->longest_ns, late_ns(sweep, acked) - shown->least_ns);
    } else if (is_prompt && !asks_for_sack(sweep->source->direction, acked)) {
        shown->at_once += n == 1;
        shown->pairs += n == 2;
    }
}

/* How many packets were outstanding before packet, from the TSN on, up to most. *newest: the last of them. */
static unsigned packets_from(const sctpa_sweep_t *sweep, int64_t number, uint32_t packet, unsigned most,
                             uint32_t *newest)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(direction, number);
    unsigned n = 0;
    *newest = SCTPA_NO_PACKET_INDEX;
    for (; tsn && tsn->first_packet < packet && n < most; tsn = sctpa_direction_tsn(direction, ++number)) {
        n += tsn->first_packet != *newest;
        *newest = tsn->first_packet;
    }
    return n;
}

/* From the tap to the address that a packet of the sender went to and back, and likewise to where it came from, as far
 * as each was measured. */
static int64_t round_trip_ns(const sctpa_sweep_t *sweep, uint32_t packet)
{
    const sctpa_series_source_t *source = sweep->source;
    return sctpa_tap_round_trip_ns(source->tap_rtt_to(source, packet), source->tap_rtt_of(source, packet));
}

/* at: index of a retransmission, the first of its packet. */
static void take_silence(const sctpa_sweep_t *sweep, uint32_t at, silent_t *silent)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    const sctpa_rtx_t *rtx = sctpa_sweep_rtx(sweep, at);
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(direction, sweep->tsns[at]);
    const uint32_t answer = tsn ? MIN(tsn->gap_packet, tsn->ack_packet) : SCTPA_NO_PACKET_INDEX;
    const int64_t answer_ns = 2 * round_trip_ns(sweep, rtx->packet) + SCTPA_TICK_NS;
    uint32_t newest;
    if (rtx->link.before > 0 || answer == SCTPA_NO_PACKET_INDEX || answer <= rtx->packet ||
        sctpa_rtx_is_doubled(direction, sweep->tsns[at], rtx) || !sctpa_sweep_is_spurious(sweep, at))
        return;
    const unsigned n = packets_from(sweep, sweep->tsns[at], rtx->packet, EVERY_MOST, &newest);
    const int64_t waited_ns = sctpa_sweep_ns(sweep, rtx->packet) - sctpa_sweep_ns(sweep, newest);
    if (n == 0 || waited_ns <= answer_ns || waited_ns > SCTPA_SACK_DELAY_MOST_NS ||
        sctpa_sweep_ns(sweep, answer) - sctpa_sweep_ns(sweep, rtx->packet) > answer_ns)
        return;
    silent->of[n]++;
    silent->n++;
    silent->longest_ns = MAX(silent->longest_ns, waited_ns);
}

static silent_t silences(const sctpa_sweep_t *sweep)
{
    silent_t silent = { .n = 0 };
    uint32_t before = SCTPA_NO_PACKET_INDEX;
    for (uint32_t at = 0; at < sweep->source->direction->rare->rtx.len; at++) {
        const uint32_t packet = sctpa_sweep_rtx(sweep, at)->packet;
        if (packet != before)
            take_silence(sweep, at, &silent);
        before = packet;
    }
    return silent;
}

/* Of how many packets it held the SACK back so often; 0: that is not shown, or its other SACKs speak against it. */
static unsigned held_packets(const silent_t *silent, const shown_t *shown)
{
    unsigned n = EVERY_MOST, times = silent->of[n];
    while (n > 0 && times < SILENT_LEAST)
        times += silent->of[--n];
    const bool is_sooner = shown->at_once >= AT_ONCE_LEAST || (n > 1 && shown->pairs > 0) ||
                           (shown->least_more > 0 && shown->least_more <= n) ||
                           (shown->held > 0 && shown->longest_ns < silent->longest_ns);
    return is_sooner ? 0 : n;
}

sctpa_sack_habit_t sctpa_sweep_sack_habit(const sctpa_sweep_t *sweep)
{
    const sctpa_records_t *all = &sweep->source->direction->acked;
    shown_t shown = { .least_ns = INT64_MAX / 4 };
    for (uint32_t i = 0, at = 0; i < all->len; i++)
        if (is_plain(sweep, &SCTPA_RECORD(all, sctpa_acked_t, i), &at))
            shown.least_ns = MIN(shown.least_ns, late_ns(sweep, &SCTPA_RECORD(all, sctpa_acked_t, i)));
    for (uint32_t i = 0, at = 0; i < all->len; i++)
        if (is_plain(sweep, &SCTPA_RECORD(all, sctpa_acked_t, i), &at))
            take(sweep, &SCTPA_RECORD(all, sctpa_acked_t, i), &shown);
    const int64_t most_ns = SCTPA_SACK_DELAY_MOST_NS + sctpa_tick_ns(SCTPA_SACK_DELAY_MOST_NS),
                  shown_ns = MIN(shown.longest_ns, most_ns);
    const bool skips =
        shown.pairs == 0 && shown.at_once < AT_ONCE_LEAST && shown.more >= SHOWN_LEAST && shown.least_more > 0;
    const bool is_at_once = shown.held == 0 && shown.pairs == 0 && shown.at_once >= AT_ONCE_LEAST;
    const unsigned every = skips ? MIN(shown.least_more, EVERY_MOST) : is_at_once ? 1 : 2;
    const silent_t silent = silences(sweep);
    const unsigned held = held_packets(&silent, &shown);
    return (sctpa_sack_habit_t){ .every = MAX(every, held > 0 ? held + 1 : 0),
                                 .delay_ns = MAX(MAX(shown_ns, held > 0 ? silent.longest_ns : 0), SCTPA_SACK_DELAY_NS),
                                 .shows_delay = shown_ns > SCTPA_SACK_DELAY_NS };
}

/* How many packets were outstanding, from the TSN on, if fewer than a SACK is due for; else 0. *newest: the last of
 * them. */
static unsigned too_few(const sctpa_sweep_t *sweep, int64_t number, uint32_t packet, uint32_t *newest)
{
    const unsigned n = packets_from(sweep, number, packet, sweep->habit.every, newest);
    return n < sweep->habit.every ? n : 0;
}

static int64_t waited_ns(const sctpa_sweep_t *sweep, const sctpa_rtx_t *rtx)
{
    return sctpa_sweep_ns(sweep, rtx->packet) - sctpa_sweep_ns(sweep, rtx->previous);
}

/* Did a timer send it? A loss probe repeats the newest packet; it waits for two round trips and, behind one packet, for
 * the SACK delay as well (RFC 8985 7.2): what comes sooner is none. outstanding: packets, from its TSN on. */
static bool is_of_timer(const sctpa_sweep_t *sweep, const sctpa_rtx_t *rtx, unsigned outstanding)
{
    return rtx->kind == SCTPA_RTX_TIMEOUT ||
           (rtx->kind == SCTPA_RTX_UNKNOWN && (outstanding > 1 || waited_ns(sweep, rtx) < SCTPA_SACK_DELAY_NS));
}

bool sctpa_sweep_may_be_held(const sctpa_sweep_t *sweep, uint32_t packet, int64_t waited_ns)
{
    const sctpa_series_source_t *source = sweep->source;
    const int64_t held_ns = sweep->habit.delay_ns + sctpa_tick_ns(sweep->habit.delay_ns);
    return waited_ns <= held_ns + MAX(source->tap_rtt_to(source, packet).most_ns, 0) +
                            MAX(source->tap_rtt_of(source, packet).most_ns, 0);
}

bool sctpa_sweep_is_before_sack(const sctpa_sweep_t *sweep, uint32_t at)
{
    const sctpa_rtx_t *rtx = sctpa_sweep_rtx(sweep, at);
    uint32_t newest;
    if (!sctpa_sweep_is_spurious(sweep, at))
        return false;
    const unsigned outstanding = too_few(sweep, sweep->tsns[at], rtx->packet, &newest);
    if (outstanding == 0 || !is_of_timer(sweep, rtx, outstanding))
        return false;
    return sctpa_sweep_may_be_held(sweep, newest, sctpa_sweep_ns(sweep, rtx->packet) - sctpa_sweep_ns(sweep, newest));
}

/* How long the timer ran that sent a retransmission, 0 not known; one that is of no known cause, since its previous
 * transmission. O(log samples). */
static int64_t ran_ns(const sctpa_sweep_t *sweep, const sctpa_rtx_t *rtx)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    uint32_t n, first = sctpa_direction_samples(direction, rtx->packet, &n);
    for (uint32_t i = 0; i < n; i++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(&direction->samples, sctpa_sample_t, first + i);
        if (sample->kind == SCTPA_SAMPLE_BACKOFF && !sample->may_start_late)
            return sctpa_direction_elapsed_ns(direction, sample);
    }
    return rtx->kind == SCTPA_RTX_UNKNOWN ? waited_ns(sweep, rtx) : 0;
}

/* Is it as long as a round trip, so that a timer may have sent it? An RTO is no shorter (RFC 9260 6.3.1 C3). */
static bool may_be_rto(const sctpa_sweep_t *sweep, uint32_t packet, int64_t rto_ns)
{
    return rto_ns > 0 && rto_ns >= round_trip_ns(sweep, packet);
}

/* How long the timer ran that sent a packet before a SACK was due, 0: none did. at: index of the first retransmission
 * in it, which is the oldest that was outstanding. */
static int64_t early_rto_ns(const sctpa_sweep_t *sweep, uint32_t at)
{
    const sctpa_rtx_t *rtx = sctpa_sweep_rtx(sweep, at);
    const int64_t rto_ns =
        sctpa_rtx_is_doubled(sweep->source->direction, sweep->tsns[at], rtx) ? 0 : ran_ns(sweep, rtx);
    return may_be_rto(sweep, rtx->previous, rto_ns) && sctpa_sweep_may_be_held(sweep, rtx->previous, rto_ns) &&
                   sctpa_sweep_is_before_sack(sweep, at)
               ? rto_ns
               : 0;
}

sctpa_early_timeouts_t sctpa_sweep_early_timeouts(const sctpa_sweep_t *sweep)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    sctpa_early_timeouts_t early = { .sack_delay_ns = sweep->habit.delay_ns,
                                     .held_packets = MAX(sweep->habit.every, SCTPA_RFC_SACK_EVERY) - 1,
                                     .is_shown = sweep->habit.shows_delay };
    uint32_t before = SCTPA_NO_PACKET_INDEX;
    int64_t rto_ns = 0;
    for (uint32_t at = 0; at < direction->rare->rtx.len; at++) {
        const uint32_t packet = sctpa_sweep_rtx(sweep, at)->packet;
        rto_ns = packet != before ? early_rto_ns(sweep, at) : rto_ns;
        before = packet;
        if (rto_ns == 0 || !sctpa_sweep_is_spurious(sweep, at))
            continue;
        early.rto_least_ns = early.chunks > 0 ? MIN(early.rto_least_ns, rto_ns) : rto_ns;
        early.rto_most_ns = MAX(early.rto_most_ns, rto_ns);
        early.chunks++;
    }
    return early;
}
