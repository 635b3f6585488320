/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pauses, by walking packets that sent, packets that acked, retransmissions, SACKs and closed windows side by side. */
#include "pauses.h"

#include "base/records.h"
#include "base/time.h"
#include "window_use.h"

/* What a sender does at once, when an ack arrives, passes a tap beside it so soon: hosts are busy, timers tick. */
#define AT_ONCE_NS SCTPA_TICK_NS
/* So many answers were due, a SACK for every second packet outstanding (RFC 9260 6.2) and one for each timeout, and
 * none came. Where half of all packets are lost, that happens by chance once in 256 times. */
enum { UNANSWERED_DEAD = 8 };

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

/* The least and the largest round trip of the last SCTPA_PAUSE_ROUND_TRIPS_S, and of up to twice that; 0 none. */
typedef struct {
    int64_t since_ns, least_ns[2], most_ns[2]; /* of now, of before */
} recent_t;

static void pass_recent(recent_t *recent, int64_t time_ns)
{
    const int64_t span_ns = SCTPA_PAUSE_ROUND_TRIPS_S * SCTPA_NS_PER_S;
    const bool is_next = time_ns - recent->since_ns < 2 * span_ns;
    if (time_ns - recent->since_ns < span_ns || recent->least_ns[0] == 0)
        return;
    recent->least_ns[1] = is_next ? recent->least_ns[0] : 0;
    recent->most_ns[1] = is_next ? recent->most_ns[0] : 0;
    recent->least_ns[0] = recent->most_ns[0] = 0;
    recent->since_ns = time_ns;
}

static void note_recent(recent_t *recent, int64_t time_ns, int64_t rtt_ns)
{
    pass_recent(recent, time_ns);
    recent->least_ns[0] = recent->least_ns[0] > 0 ? MIN(recent->least_ns[0], rtt_ns) : rtt_ns;
    recent->most_ns[0] = MAX(recent->most_ns[0], rtt_ns);
}

static int64_t least_of(const recent_t *recent)
{
    return recent->least_ns[0] == 0   ? recent->least_ns[1]
           : recent->least_ns[1] == 0 ? recent->least_ns[0]
                                      : MIN(recent->least_ns[0], recent->least_ns[1]);
}

/* A pause is longer than the largest round trip, but one of more than twice the least may be the receiver's delay. */
static int64_t limit_of(const recent_t *recent)
{
    return MAX(MIN(MAX(recent->most_ns[0], recent->most_ns[1]), 2 * least_of(recent)) + SCTPA_TICK_NS,
               SCTPA_PAUSE_LEAST_MS * SCTPA_NS_PER_MS);
}

/* The first transmission of a TSN. */
typedef struct {
    uint32_t packet, bytes;
} sent_t;

typedef struct {
    const sctpa_series_source_t *source;
    sctpa_pauses_t *found;
    sctpa_windows_t *windows; /* NULL: none was closed */
    GArray *sent, *acked;     /* sent_t; uint32_t: packet of each TSN's first ack */
    int64_t *tsns;            /* relative, by retransmission */
    int64_t end_ns;
    uint32_t sample, ack, rtx, sack; /* the next in the direction's samples, acks, retransmissions, SACKs */
    unsigned window;                 /* the first closed one that may reach into the next pause */
    recent_t recent;
    int64_t rto_ns; /* after the last sample */
} sweep_t;

/* A time without ack progress, and what passed meanwhile. */
typedef struct {
    sctpa_pause_t pause;
    int64_t since_ns;
    int64_t least_rtt_ns; /* of late, 0 none */
    int64_t limit_ns;     /* that a pause is longer than */
    uint32_t first;       /* retransmission (index) that a timer may have sent, the first and the last; rtx.len none */
    uint32_t last;
    uint32_t repeats;        /* of them, in packets of their own */
    uint32_t sacks;          /* that the receiver sent in between */
    uint32_t packets;        /* with what was outstanding at its end, up to 2 * UNANSWERED_DEAD */
    uint32_t left;           /* TSNs outstanding after it */
    bool all_unknown;        /* the cause of all that a timer may have sent */
    bool has_rtx;            /* something was sent again, whatever made it */
    int64_t longest_wait_ns; /* of them, since the transmission before */
    int64_t rto_ns;          /* at the beginning */
    int64_t closed_ns;       /* of the window in it */
} wait_t;

static int64_t time_of(const sweep_t *sweep, uint32_t packet)
{
    return sctpa_direction_time_ns(sweep->source->direction, packet);
}

static const sctpa_rtx_t *rtx_at(const sweep_t *sweep, uint32_t at)
{
    return &SCTPA_RECORD(&sweep->source->direction->rare->rtx, sctpa_rtx_t, at);
}

/* Retransmissions are ascribed to their TSN whatever became of it. */
static void take_tsn(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    sweep_t *sweep = user;
    uint32_t acked = MIN(tsn->gap_packet, tsn->ack_packet);
    for (uint32_t at = tsn->more; at > 0; at = rtx_at(sweep, at - 1)->link.before)
        sweep->tsns[at - 1] = number;
    const bool is_given_up = (tsn->state & SCTPA_TSN_ABANDONED) && acked == SCTPA_NO_PACKET_INDEX;
    if (is_given_up || (tsn->state & SCTPA_TSN_LATE) || acked <= tsn->first_packet)
        return;
    sent_t sent = { tsn->first_packet, tsn->bytes };
    g_array_append_val(sweep->sent, sent);
    if (acked != SCTPA_NO_PACKET_INDEX)
        g_array_append_val(sweep->acked, acked);
}

/* Round trips up to a packet: from the newest packet that a SACK is the first to ack to the SACK. Called with ascending
 * packets. */
static void take_round_trips(sweep_t *sweep, uint32_t until)
{
    const sctpa_records_t *all = &sweep->source->direction->acked;
    for (; sweep->ack < all->len; sweep->ack++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(all, sctpa_acked_t, sweep->ack);
        const int64_t now_ns = time_of(sweep, acked->packet);
        if (acked->packet > until)
            break;
        note_recent(&sweep->recent, now_ns, MAX(now_ns - time_of(sweep, acked->last_packet), 1));
    }
}

/* Expiries of the timer up to a packet; called with ascending packets. */
static void take_samples(sweep_t *sweep, uint32_t until, wait_t *wait)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    for (; sweep->sample < direction->samples.len; sweep->sample++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(&direction->samples, sctpa_sample_t, sweep->sample);
        if (sample->packet > until)
            break;
        wait->pause.timeouts += sample->packet > wait->pause.since && sample->kind == SCTPA_SAMPLE_BACKOFF;
        sweep->rto_ns = sctpa_direction_rto_ns(direction, sample);
        if (sample->packet <= wait->pause.since)
            wait->rto_ns = sweep->rto_ns;
    }
}

/* Was it sent again for lack of an ack: by a timer, or after a wait longer than a round trip? */
static bool is_late(const wait_t *wait, const sctpa_rtx_t *rtx, int64_t waited_ns)
{
    if (rtx->kind == SCTPA_RTX_UNKNOWN)
        return waited_ns > wait->limit_ns;
    return rtx->kind == SCTPA_RTX_TIMEOUT || rtx->kind == SCTPA_RTX_PROBE;
}

/* Retransmissions in the same packets. */
static void take_rtx(sweep_t *sweep, uint32_t until, wait_t *wait)
{
    const uint32_t n = sweep->source->direction->rare->rtx.len;
    uint32_t last_packet = SCTPA_NO_PACKET_INDEX;
    wait->first = wait->last = n;
    wait->all_unknown = true;
    for (; sweep->rtx < n && rtx_at(sweep, sweep->rtx)->packet <= until; sweep->rtx++) {
        const sctpa_rtx_t *rtx = rtx_at(sweep, sweep->rtx);
        const int64_t waited_ns = time_of(sweep, rtx->packet) - time_of(sweep, rtx->previous);
        if (rtx->packet <= wait->pause.since)
            continue;
        wait->has_rtx = true;
        if (!is_late(wait, rtx, waited_ns))
            continue;
        wait->first = wait->first == n ? sweep->rtx : wait->first;
        wait->last = sweep->rtx;
        wait->repeats += rtx->packet != last_packet;
        wait->all_unknown &= rtx->kind == SCTPA_RTX_UNKNOWN;
        wait->longest_wait_ns = MAX(wait->longest_wait_ns, waited_ns);
        last_packet = rtx->packet;
    }
}

/* SACKs in the same packets; that which ends the pause is none of them. */
static void take_sacks(sweep_t *sweep, uint32_t until, wait_t *wait)
{
    const sctpa_records_t *sacks = &sweep->source->direction->sacks;
    for (; sweep->sack < sacks->len; sweep->sack++) {
        const uint32_t packet = SCTPA_RECORD(sacks, sctpa_sack_record_t, sweep->sack).packet;
        if (packet >= until)
            break;
        wait->sacks += packet > wait->pause.since;
    }
}

/* How long the window was closed in the pause. */
static void take_windows(sweep_t *sweep, wait_t *wait)
{
    const unsigned n = sweep->windows ? sweep->windows->closed->len : 0;
    const int64_t until_ns = wait->since_ns + wait->pause.paused_ns;
    while (sweep->window < n &&
           g_array_index(sweep->windows->closed, sctpa_closed_t, sweep->window).until <= wait->pause.since)
        sweep->window++;
    for (unsigned i = sweep->window; i < n; i++) {
        const sctpa_closed_t *closed = &g_array_index(sweep->windows->closed, sctpa_closed_t, i);
        const int64_t from_ns = time_of(sweep, closed->packet);
        if (closed->packet >= wait->pause.until)
            break;
        wait->closed_ns += MAX(MIN(from_ns + closed->closed_ns, until_ns) - MAX(from_ns, wait->since_ns), 0);
    }
}

/* A sender that lacks an ack sends again when its timer runs out, and then after twice that time at most (RFC
 * 9260 6.3.3 E2). What went on for longer after its last retransmission ended unseen: nothing was acked up to there, as
 * far as the capture proves. */
static void cut_unproven(const sweep_t *sweep, wait_t *wait)
{
    const uint32_t last = rtx_at(sweep, wait->last)->packet;
    const int64_t last_ns = time_of(sweep, last), patience_ns = 2 * MAX(wait->longest_wait_ns, wait->rto_ns);
    if (wait->since_ns + wait->pause.paused_ns - last_ns <= patience_ns + sctpa_tick_ns(patience_ns))
        return;
    wait->pause.until = last;
    wait->pause.ends_acked = false;
    wait->pause.paused_ns = MAX(last_ns - wait->since_ns, 0);
}

/* The retransmission of the same TSN before this one, NULL: it repeats the first transmission. */
static const sctpa_rtx_t *before(const sweep_t *sweep, const sctpa_rtx_t *rtx)
{
    return rtx->link.before > 0 ? rtx_at(sweep, rtx->link.before - 1) : NULL;
}

/* Had the receiver got what a retransmission repeats: do duplicate reports say so, or came the ack sooner than an
 * answer can? */
static bool is_spurious(const sweep_t *sweep, uint32_t at)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(direction, sweep->tsns[at]);
    return tsn && sctpa_direction_is_spurious(direction, tsn, rtx_at(sweep, at));
}

/* Was the path given up, and did it not answer a HEARTBEAT then? */
static bool is_left_dead(const sweep_t *sweep, const wait_t *wait)
{
    const sctpa_records_t *all = &sweep->source->direction->rare->heartbeats;
    const uint16_t path = sweep->source->path(sweep->source, rtx_at(sweep, wait->first)->previous);
    if (rtx_at(sweep, wait->last)->path == path)
        return false;
    for (uint32_t i = sctpa_records_from(all->data, all->len, sizeof(sctpa_heartbeat_t), wait->pause.since);
         i < all->len; i++) {
        const sctpa_heartbeat_t *heartbeat = &SCTPA_RECORD(all, sctpa_heartbeat_t, i);
        if (heartbeat->path == path)
            return heartbeat->answer_packet == SCTPA_NO_PACKET_INDEX;
    }
    return false;
}

/* Why a timer had to end it. Losses of the last TSNs sent bring too few miss indications for a fast retransmission. */
static sctpa_pause_cause_t cause_of_timeout(const sweep_t *sweep, const wait_t *wait)
{
    const sctpa_rtx_t *first = rtx_at(sweep, wait->first), *earlier = before(sweep, first);
    if (wait->all_unknown)
        return SCTPA_PAUSE_UNDECIDED;
    if (((wait->packets + 1) / 2 + wait->pause.timeouts >= UNANSWERED_DEAD && wait->sacks == 0) ||
        is_left_dead(sweep, wait))
        return SCTPA_PAUSE_PATH_DEAD;
    if (!wait->pause.ends_acked)
        return SCTPA_PAUSE_UNDECIDED;
    if (is_spurious(sweep, wait->first) && is_spurious(sweep, wait->last))
        return SCTPA_PAUSE_ACKS_LOST;
    if (!earlier && first->misses >= SCTPA_MISSES_FAST)
        return SCTPA_PAUSE_LEFT_TO_TIMER;
    return earlier || wait->repeats >= 2 ? SCTPA_PAUSE_REPEATED_LOSS : SCTPA_PAUSE_TAIL_LOSS;
}

/* Did the receiver hold its ack back for half of the pause or more: from the oldest packet that it is the first to ack
 * to the newest, or longer than the shortest round trip since that? */
static bool is_delayed_sack(const sweep_t *sweep, const wait_t *wait)
{
    const sctpa_direction_t *direction = sweep->source->direction;
    for (uint16_t order = 0; order < 2; order++) {
        const sctpa_acked_t *acked = sctpa_direction_acked(direction, wait->pause.until, order);
        if (!acked)
            continue;
        const int64_t newest_ns = time_of(sweep, acked->last_packet),
                      spread_ns = newest_ns - MAX(time_of(sweep, acked->first_packet), wait->since_ns),
                      late_ns = time_of(sweep, wait->pause.until) - newest_ns - wait->least_rtt_ns;
        return MAX(spread_ns, late_ns) >= wait->pause.paused_ns / 2;
    }
    return false;
}

/* How soon after an ack at the tap what the sender does at once passes it. */
static int64_t at_once_ns(const sweep_t *sweep)
{
    const int64_t reach_ns = MAX(sweep->source->sender_tap_rtt_ns, 0);
    return AT_ONCE_NS + reach_ns + reach_ns / 4;
}

/* Did the sender send new data as soon as the ack reached it? next: first transmission after it. */
static bool is_followed(const sweep_t *sweep, const wait_t *wait, const sent_t *next)
{
    return wait->pause.ends_acked &&
           time_of(sweep, next->packet) - time_of(sweep, wait->pause.until) <= at_once_ns(sweep);
}

/* Had the peer's window too little room for the chunk that was sent next? before: the last packet with new data. */
static bool lacks_window(const sweep_t *sweep, const sent_t *before, const sent_t *next)
{
    const uint32_t left = sctpa_direction_stamp(sweep->source->direction, before->packet)->peer_window_bytes;
    return left != SCTPA_NO_PACKET_INDEX && left < next->bytes;
}

static void keep(sweep_t *sweep, const wait_t *wait, sctpa_pause_cause_t cause)
{
    sctpa_pauses_t *found = sweep->found;
    sctpa_pause_t pause = wait->pause;
    const bool has_timeout = wait->first < sweep->source->direction->rare->rtx.len;
    pause.cause = (uint8_t)cause;
    pause.lost = pause.repeated = SCTPA_NO_PACKET_INDEX;
    pause.path = pause.to = SCTPA_SERIES_ANY_PATH;
    if (has_timeout) {
        const sctpa_rtx_t *first = rtx_at(sweep, wait->first), *last = rtx_at(sweep, wait->last);
        pause.lost = first->previous;
        pause.path = sweep->source->path(sweep->source, first->previous);
        pause.repeated = last->packet;
        pause.to = last->path;
        pause.waited_ns = time_of(sweep, last->packet) - time_of(sweep, last->previous);
    }
    found->lost_ns[cause] = sctpa_ns_sum(found->lost_ns[cause], pause.paused_ns);
    found->paused_ns = sctpa_ns_sum(found->paused_ns, pause.paused_ns);
    found->most_timeouts = MAX(found->most_timeouts, pause.timeouts);
    g_array_append_val(found->pauses, pause);
}

/* Why nothing was acked for so long that no timer ended; SCTPA_PAUSE_CAUSES: nothing waited for it. A sender that sends
 * new data in its second half was not kept from doing so. newest: the last transmission before its end. */
static sctpa_pause_cause_t cause_of_late_ack(const sweep_t *sweep, const wait_t *wait, const sent_t *newest)
{
    const sent_t *sent = (const sent_t *)(const void *)sweep->sent->data, *next = newest + 1;
    const bool has_next = next < sent + sweep->sent->len && is_followed(sweep, wait, next);
    if (newest->packet > wait->pause.since &&
        time_of(sweep, newest->packet) - wait->since_ns >= wait->pause.paused_ns / 2)
        return SCTPA_PAUSE_CAUSES;
    if (!has_next && wait->left == 0 && !wait->has_rtx)
        return SCTPA_PAUSE_CAUSES;
    if (!wait->pause.ends_acked)
        return SCTPA_PAUSE_UNDECIDED;
    if (has_next && lacks_window(sweep, newest, next))
        return SCTPA_PAUSE_CLOSED_WINDOW;
    if (is_delayed_sack(sweep, wait))
        return SCTPA_PAUSE_DELAYED_SACK;
    return has_next ? SCTPA_PAUSE_CWND : SCTPA_PAUSE_UNDECIDED;
}

/* newest: the last transmission before its end. */
static void judge(sweep_t *sweep, wait_t *wait, const sent_t *newest)
{
    const uint32_t no_rtx = sweep->source->direction->rare->rtx.len;
    sctpa_pauses_t *found = sweep->found;
    if (wait->first < no_rtx)
        cut_unproven(sweep, wait);
    else if (wait->closed_ns == 0 && wait->pause.paused_ns > wait->rto_ns + sctpa_tick_ns(wait->rto_ns))
        return;
    if (wait->pause.paused_ns > found->longest_ns) {
        found->longest_ns = wait->pause.paused_ns;
        found->longest_since = wait->pause.since;
    }
    if (wait->pause.paused_ns <= wait->limit_ns)
        return;
    /* what is retransmitted early in it was marked by a timeout before it, and is not what it waited for */
    if (wait->first < no_rtx && wait->pause.ends_acked &&
        time_of(sweep, rtx_at(sweep, wait->last)->packet) - wait->since_ns < wait->pause.paused_ns / 2)
        wait->first = wait->last = no_rtx;
    sctpa_pause_cause_t cause = sweep->source->set_up_ns - wait->since_ns >= wait->pause.paused_ns / 2
                                    ? SCTPA_PAUSE_SET_UP
                                : wait->closed_ns >= wait->pause.paused_ns / 2 ? SCTPA_PAUSE_CLOSED_WINDOW
                                : wait->first < no_rtx                         ? cause_of_timeout(sweep, wait)
                                                                               : cause_of_late_ack(sweep, wait, newest);
    if (cause != SCTPA_PAUSE_CAUSES)
        keep(sweep, wait, cause);
    else
        found->acking_ns = sctpa_ns_sum(found->acking_ns, wait->pause.paused_ns);
}

/* How many packets hold the last n TSNs before end, up to 2 * UNANSWERED_DEAD. O(chunks in so many packets). */
static uint32_t packets_of(const sent_t *begin, const sent_t *end, uint32_t n)
{
    uint32_t packets = 0, last = SCTPA_NO_PACKET_INDEX;
    for (const sent_t *at = end; at > begin && n > 0 && packets < 2 * UNANSWERED_DEAD; n--) {
        at--;
        packets += at->packet != last;
        last = at->packet;
    }
    return packets;
}

/* end: behind the last transmission before its end. */
static void end_wait(sweep_t *sweep, uint32_t since, uint32_t until, uint32_t chunks, uint32_t left, const sent_t *end)
{
    const sent_t *sent = (const sent_t *)(const void *)sweep->sent->data;
    const bool ends_acked = until != SCTPA_NO_PACKET_INDEX;
    wait_t wait = { .pause = { .since = since, .until = until, .chunks = chunks, .ends_acked = ends_acked },
                    .since_ns = time_of(sweep, since),
                    .rto_ns = sweep->rto_ns,
                    .left = left };
    pass_recent(&sweep->recent, wait.since_ns);
    wait.limit_ns = limit_of(&sweep->recent);
    wait.least_rtt_ns = least_of(&sweep->recent);
    wait.pause.paused_ns = MAX((ends_acked ? time_of(sweep, until) : sweep->end_ns) - wait.since_ns, 0);
    take_samples(sweep, until, &wait);
    take_round_trips(sweep, until);
    if (wait.least_rtt_ns == 0) { /* the first: it is its own measure */
        wait.limit_ns = limit_of(&sweep->recent);
        wait.least_rtt_ns = least_of(&sweep->recent);
    }
    take_rtx(sweep, until, &wait);
    take_sacks(sweep, until, &wait);
    take_windows(sweep, &wait);
    if (wait.pause.paused_ns > wait.limit_ns)
        wait.packets = packets_of(sent, end, chunks);
    judge(sweep, &wait, end - 1);
}

/* Was the window closed after a packet that acked all, so that the sender had to wait with what it had? next: its next
 * new data, NULL none. */
static bool waits_for_window(sweep_t *sweep, uint32_t packet, const sent_t *next)
{
    const unsigned n = sweep->windows ? sweep->windows->closed->len : 0;
    for (unsigned i = sweep->window; next && i < n; i++) {
        const sctpa_closed_t *closed = &g_array_index(sweep->windows->closed, sctpa_closed_t, i);
        if (closed->packet > packet)
            return false;
        if (closed->until > packet)
            return next->packet < closed->until ||
                   time_of(sweep, next->packet) - time_of(sweep, closed->until) <= at_once_ns(sweep);
    }
    return false;
}

static void take_idle(sweep_t *sweep, uint32_t since, uint32_t until)
{
    if (since != SCTPA_NO_PACKET_INDEX)
        sweep->found->idle_ns =
            sctpa_ns_sum(sweep->found->idle_ns, MAX(time_of(sweep, until) - time_of(sweep, since), 0));
}

static void walk(sweep_t *sweep)
{
    const sent_t *sent = (const sent_t *)(const void *)sweep->sent->data, *sent_end = sent + sweep->sent->len;
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
    }
    if (outstanding > 0)
        end_wait(sweep, since, SCTPA_NO_PACKET_INDEX, outstanding, outstanding, sent);
    if (begin != SCTPA_NO_PACKET_INDEX)
        sweep->found->span_ns = MAX(time_of(sweep, last) - time_of(sweep, begin), 0);
}

static bool was_closed(const sctpa_direction_t *direction)
{
    for (uint32_t i = 0; i < direction->sacks.len; i++)
        if (sctpa_window_is_closed(SCTPA_RECORD(&direction->sacks, sctpa_sack_record_t, i).a_rwnd_bytes))
            return true;
    return false;
}

sctpa_pauses_t *sctpa_pauses_measure(const sctpa_series_source_t *source, int64_t end_ns)
{
    sctpa_pauses_t *found = g_new0(sctpa_pauses_t, 1);
    found->pauses = g_array_new(FALSE, FALSE, sizeof(sctpa_pause_t));
    found->longest_since = SCTPA_NO_PACKET_INDEX;
    if (!source->direction || source->data_only)
        return found;
    sweep_t sweep = { .source = source,
                      .found = found,
                      .windows = was_closed(source->direction) ? sctpa_windows_measure(source) : NULL,
                      .sent = g_array_new(FALSE, FALSE, sizeof(sent_t)),
                      .acked = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                      .tsns = g_new(int64_t, source->direction->rare->rtx.len),
                      .end_ns = MIN(end_ns, source->last_ns),
                      .rto_ns = SCTPA_RTO_INITIAL_4960_NS };
    sctpa_direction_each(source->direction, take_tsn, &sweep);
    g_array_sort(sweep.sent, sctpa_records_order);
    g_array_sort(sweep.acked, sctpa_records_order);
    walk(&sweep);
    g_array_unref(sweep.sent);
    g_array_unref(sweep.acked);
    g_free(sweep.tsns);
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
