/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pauses, by walking packets that sent, packets that acked, retransmissions, SACKs and closed windows side by side. */
#include "pauses_parts.h"

#include "base/records.h"
#include "base/time.h"

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
    }
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
    if (wait->first < no_rtx && sctpa_wait_ends_acked(wait) && waited_for_ack(sweep, wait))
        wait->first = wait->last = no_rtx;
    sctpa_pause_cause_t cause = sweep->source->set_up_ns - wait->since_ns >= wait->pause.paused_ns / 2
                                    ? SCTPA_PAUSE_SET_UP
                                : sctpa_pause_is_hold(sweep, wait)             ? SCTPA_PAUSE_SHUTDOWN_AS_CLOSED
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
    const bool is_measured = sctpa_wait_measure_recent(sweep, &wait, newest);
    sctpa_wait_take_samples(sweep, until, &wait);
    sctpa_sweep_take_round_trips(sweep, until);
    if (!is_measured)
        sctpa_wait_measure_first(sweep, &wait, newest);
    sctpa_wait_take_packets(sweep, until, &wait);
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
        is_closed |=
            sctpa_pause_take_held(sweep, packet, outstanding == 0 && !is_closed && sent < sent_end ? sent : NULL);
    }
    if (outstanding > 0)
        end_wait(sweep, since, SCTPA_NO_PACKET_INDEX, outstanding, outstanding, sent);
    if (begin != SCTPA_NO_PACKET_INDEX)
        sweep->found->span_ns = MAX(ended_ns(sweep, last) - sctpa_sweep_ns(sweep, begin), 0);
}

/* The timers of the set-up back the RTO off as T3-rtx does (RFC 9260 6.3.3 E2), until a round trip is measured. */
static int64_t initial_rto_ns(const sctpa_series_source_t *source)
{
    return sctpa_pause_backed_off_ns(SCTPA_RTO_INITIAL_4960_NS, source->set_up_repeats, SCTPA_RTO_MAX_NS);
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
    sweep.full_bytes = sctpa_pause_fullest_bytes(sweep.sent);
    g_array_sort(sweep.acked, sctpa_records_order);
    g_array_sort(sweep.unseen, sctpa_records_order);
    sweep.habit = sctpa_sweep_sack_habit(&sweep);
    sctpa_sweep_take_silent(&sweep);
    sweep.regular_ns = sctpa_sweep_regular_ns(&sweep);
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
