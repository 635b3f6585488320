/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The window that a receiver of data advertises (RFC 9260 6.1, 6.2): whether it is true, reopens, moves in useful
 * steps and opens, and what senders make of a closed one: whether they probe it, and bear with it. Of SACKs only
 * those alone in a packet are looked at, and but for bursts of updates only those between endpoints of one address
 * each; FL-017 takes all. A window counts as closed here where it has no room for the largest first chunk of a
 * packet. Leaves out a_rwnd of other SACKs, which the direction of the data keeps. */
#include "base/arena.h"
#include "data/shared_limits.h"
#include "model/chapter.h"
#include "model/shared/request_timers.h"
#include "model/shared/retransmissions.h"
#include "model/shared/sack_answers.h"
#include "wire/types.h"

/* A SACK that comes sooner is the reaction to the packet that passed before it. */
#define REACTION_MS 50

/* An update is small below this share of the largest window. */
#define UPDATE_SMALL_SHARE 4

/* What separates a window that stays closed from one whose application reads slowly. */
#define DORMANT_S 30
#define PROBES_DORMANT 3

/* Twice the 60 s of RTO.Max, within which a probe is expected. */
#define UNPROBED_S 120

/* New data that leaves so soon after the SACK which opens the window was waiting for it. */
#define OPENED_MS 1

/* So many small updates are a habit. */
#define SMALL_UPDATES 5

/* The window had opened, when it is at least this share of the largest; an application may read just when a probe
 * arrives. */
#define REOPENED_SHARE 2
#define REOPENED_REPORTED 2

/* What separates a window that was closed from one that was on its way to open. */
#define WINDOW_CLOSED_MS 200

/* The clause about bursts of window updates gives no number: so many within SCTPA_UPDATES_BURST_MS are one. */
#define BURST_UPDATES 8

/* What separates probes that were borne from an ABORT for another reason. */
#define PROBES_BORNE 5
#define DROPS_REPORTED 3

/* A buffer that others share may shrink now and then, but not each time that a message is given up. */
#define LEAKS_REPORTED 5

/* Made once a window closed, its receiver dropped something, or a SACK updated it alone: else no_trouble. */
typedef struct {
    uint32_t dropped_tsn;             /* that it dropped last though the window had room for it */
    uint32_t burst_packet;            /* the first update of a burst */
    uint32_t closed_packet;           /* SACK since which there is no room for a chunk */
    uint32_t probe_packet, probe_tsn; /* since then: the last packet with data, and its first TSN; 0 none */
    int64_t probe_interval_ns;        /* since the packet with that TSN before it; 0 there is none */
    uint16_t drops;                   /* of dropped_tsn, in a row */
    uint16_t updates;                 /* in the burst */
    uint16_t probes;                  /* packets with DATA that were answered since it closed, and not taken */
    uint16_t steady_probes;           /* intervals in a row that were not backed off */
    bool is_closed;
    bool is_closed_at_once; /* before that SACK, its sender knew of room for one more chunk */
    bool is_dormant;        /* closed for long, though it was probed */
    bool is_unprobed;       /* closed for long, and not probed in the middle of a message */
} window_trouble_t;

/* The window of a receiver, made when it sends its first SACK alone in a packet. */
typedef struct {
    uint32_t largest_bytes;           /* a_rwnd advertised */
    uint32_t chunk_bytes;             /* largest user data of a packet's first chunk */
    uint32_t held_chunks, held_bytes; /* acknowledged since a_rwnd was the largest */
    const window_trouble_t *trouble;  /* NULL: nothing was advertised yet */
} window_t;

typedef struct {
    window_t of[2]; /* by endpoint */
} windows_t;

/* Intervals between probes that were not backed off, in a row. */
enum { STEADY_PROBES = 2 };

static const window_trouble_t no_trouble;

static const window_t none = { .trouble = &no_trouble };

/* The window that endpoint advertises. O(1). */
static const window_t *window_of(const sctpa_context_t *c, uint8_t endpoint)
{
    const windows_t *windows = sctpa_context_find_part(c, SCTPA_PART_WINDOWS);
    return windows && windows->of[endpoint].trouble ? &windows->of[endpoint] : &none;
}

static const window_trouble_t *window_trouble_of(const sctpa_context_t *c, uint8_t endpoint)
{
    return window_of(c, endpoint)->trouble;
}

/* Is the packet a SACK that is looked at for the window of its sender? */
static bool window_is_advertised(const sctpa_context_t *c)
{
    return sctpa_sack_is(c, SCTPA_SACK_SINGLE | SCTPA_SACK_ALONE);
}

static const window_t *own(const sctpa_context_t *c)
{
    return window_of(c, c->from);
}

static int64_t since_ns(const sctpa_context_t *c, uint32_t packet)
{
    return c->packet->time_ns - sctpa_context_time_ns(c, packet);
}

static int64_t between_ns(const sctpa_context_t *c, uint32_t from, uint32_t to)
{
    return sctpa_context_time_ns(c, to) - sctpa_context_time_ns(c, from);
}

/* The largest a_rwnd that the packet's sender advertised before. O(1). */
static uint32_t window_largest_bytes(const sctpa_context_t *c)
{
    return own(c) == &none ? c->assoc->ends[c->from].init.a_rwnd_bytes : own(c)->largest_bytes;
}

/* The largest user data of a packet's first chunk that it was sent: with less room the window is closed. O(1). */
static uint32_t window_chunk_bytes(const sctpa_context_t *c)
{
    return MAX(own(c)->chunk_bytes, c->receivers[c->from]->wait.first_bytes);
}

/* The end of the last gap block of a SACK, as an offset from its cum_tsn; 0: it has none. */
static uint16_t reported_to(const sctpa_context_t *c, const sctpa_sack_record_t *sack)
{
    uint32_t n;
    const uint32_t *blocks = sctpa_direction_gaps(c->acked, sack->gaps, &n);
    return blocks ? (uint16_t)blocks[n - 1] : 0;
}

/* Does the SACK say the same as the one before it, but for a_rwnd? */
static bool says_the_same(const sctpa_context_t *c)
{
    const sctpa_sack_record_t *before = c->answer.before,
                              *now = &SCTPA_RECORD(&c->acked->sacks, sctpa_sack_record_t, c->first_sack->sack - 1);
    return now->cum_tsn == before->cum_tsn && reported_to(c, now) == reported_to(c, before) &&
           c->sack.n_duplicates == 0;
}

/* The SACK answers one packet whose TSN is the next one due and fits in the window. O(1). */
static bool window_has_room(const sctpa_context_t *c)
{
    const sctpa_owed_sack_t *wait = &c->receivers[c->from]->wait;
    const sctpa_sack_record_t *before = c->answer.before;
    return window_is_advertised(c) && before && wait->packets == 1 && wait->first_is & SCTPA_ARRIVED_NEW &&
           !(wait->first_is & SCTPA_ARRIVED_MIXED) && wait->first_tsn == before->cum_tsn + 1 &&
           wait->first_bytes <= MIN(before->a_rwnd_bytes, c->sack.a_rwnd);
}

/* How often in a row the receiver dropped that TSN, with this SACK, 0: it did not now. O(1). */
static unsigned window_drops(const sctpa_context_t *c)
{
    const int64_t reaction_ns = REACTION_MS * SCTPA_NS_PER_MS;
    if (!window_has_room(c) || !says_the_same(c) || sctpa_sack_is(c, SCTPA_SACK_OPENS) ||
        c->answer.owed.waited_ns > sctpa_receiver_patience_ns(c, c->from, reaction_ns))
        return 0;
    return c->receivers[c->from]->wait.first_tsn == own(c)->trouble->dropped_tsn ? own(c)->trouble->drops + 1u : 1;
}

/* The SACK says the same as the one before it, but for a higher a_rwnd, and nothing arrived in between. O(1). */
static bool window_is_update(const sctpa_context_t *c)
{
    return sctpa_sack_is(c, SCTPA_SACK_FOLLOWED | SCTPA_SACK_ALONE | SCTPA_SACK_OPENS) && c->answer.owed.packets == 0 &&
           c->answer.before && says_the_same(c);
}

/* By how much an update opens the window. */
static uint32_t step_bytes(const sctpa_context_t *c)
{
    return c->sack.a_rwnd - c->answer.before->a_rwnd_bytes;
}

/* How many updates, each small, came within a short time with this one, 0: it is not small; *first: the first of them.
 * O(1). */
static unsigned window_updates(const sctpa_context_t *c, uint32_t *first)
{
    bool is_small = step_bytes(c) < window_largest_bytes(c) / UPDATE_SMALL_SHARE;
    bool goes_on = own(c)->trouble->updates > 0 && is_small &&
                   since_ns(c, own(c)->trouble->burst_packet) <= SCTPA_UPDATES_BURST_MS * SCTPA_NS_PER_MS;
    *first = goes_on ? own(c)->trouble->burst_packet : c->index;
    return goes_on ? own(c)->trouble->updates + 1u : is_small;
}

/* The window was closed, and the SACK takes nothing and leaves it closed: answers to packets with DATA since then, with
 * this one. 0: not so. O(1). */
static unsigned window_probes(const sctpa_context_t *c)
{
    bool stays_closed = window_is_advertised(c) && own(c)->trouble->is_closed && c->answer.before &&
                        c->sack.cum_tsn == c->answer.before->cum_tsn && c->sack.a_rwnd < window_chunk_bytes(c);
    return stays_closed ? own(c)->trouble->probes + (c->answer.owed.packets > 0) : 0;
}

/* With this SACK it is closed for long, though it was probed. O(1). */
static bool window_is_dormant(const sctpa_context_t *c)
{
    return window_probes(c) >= PROBES_DORMANT &&
           since_ns(c, own(c)->trouble->closed_packet) >= DORMANT_S * SCTPA_NS_PER_S;
}

/* The last fragment that was sent, when it does not end its message: the sender has more to send. NULL: it does. */
static const sctpa_tsn_t *last_fragment(const sctpa_direction_t *sent)
{
    const sctpa_tsn_t *last = sent && sent->highest >= 0 ? sctpa_direction_tsn(sent, sent->highest) : NULL;
    return last && !(last->flags & SCTPA_TSN_END) ? last : NULL;
}

/* The packet, a SACK, HEARTBEAT or SHUTDOWN, shows that the window of endpoint is still closed, in the middle of a
 * message. O(1). */
static bool window_awaits_probe(const sctpa_context_t *c, uint8_t endpoint)
{
    const uint64_t others = SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(SHUTDOWN);
    if (!window_trouble_of(c, endpoint)->is_closed || !last_fragment(c->tracked->sides[!endpoint].sent))
        return false;
    if (c->rows & SCTPA_SACK_ROWS)
        return endpoint == c->from && window_is_advertised(c);
    return c->rows & others && sctpa_assoc_is_single_homed(c->assoc) && !sctpa_tracked_is_ending(c->tracked);
}

/* How long it has been closed then without a probe, nothing being outstanding; 0: it was probed. O(1). */
static int64_t window_unprobed_ns(const sctpa_context_t *c, uint8_t endpoint)
{
    const window_trouble_t *trouble = window_trouble_of(c, endpoint);
    const sctpa_owed_sack_t *wait = &c->receivers[endpoint]->wait;
    if (trouble->probes > 0 || !window_awaits_probe(c, endpoint) ||
        !(last_fragment(c->tracked->sides[!endpoint].sent)->state & SCTPA_TSN_ACKED))
        return 0;
    return wait->packets > 0
               ? sctpa_context_time_ns(c, wait->first_packet) - sctpa_context_time_ns(c, trouble->closed_packet)
               : since_ns(c, trouble->closed_packet);
}

static bool is_long_unprobed(const sctpa_context_t *c, uint8_t endpoint)
{
    return sctpa_context_least_ns(c, window_unprobed_ns(c, endpoint)) > UNPROBED_S * SCTPA_NS_PER_S;
}

/* The packet begins with new DATA that the window of its peer has no room for: the first since that is so, and nothing
 * else is outstanding. O(1). */
static bool window_is_first_probe(const sctpa_context_t *c)
{
    const window_trouble_t *trouble = window_trouble_of(c, !c->from);
    if (!trouble->is_closed || trouble->probe_packet > 0 || !c->sent || !c->first_data ||
        !sctpa_observed_is_new(c->first_data))
        return false;
    const sctpa_tsn_t *tsn = c->first_data->sent.tsn;
    return tsn->bytes > c->sent->a_rwnd_bytes && c->sent->flight_bytes == tsn->bytes;
}

/* The packet's DATA probes the window of its peer with the TSN that the probes before it had. How often in a row was
 * the interval not backed off, with this one, 0: it was, or is not such a probe; *interval_ns: the last. O(1). */
static unsigned window_steady_probes(const sctpa_context_t *c, int64_t *interval_ns)
{
    const window_trouble_t *trouble = window_trouble_of(c, !c->from);
    if (!trouble->is_closed || trouble->probe_packet == 0 || !c->first_data || c->first_data->sent.rtx == 0 ||
        sctpa_direction_serial(c->sent, c->first_data->sent.number) != trouble->probe_tsn)
        return 0;
    *interval_ns = since_ns(c, trouble->probe_packet);
    return trouble->probe_interval_ns > 0 && *interval_ns < trouble->probe_interval_ns * SCTPA_BACKED_OFF_HALVES / 2
               ? trouble->steady_probes + 1u
               : 0;
}

static window_trouble_t *change(const sctpa_context_t *c, window_t *window)
{
    window_trouble_t *trouble = sctpa_rare_own(window->trouble, &no_trouble, sizeof no_trouble, &c->store->arena);
    window->trouble = trouble;
    return trouble;
}

static void free_windows(sctpa_arena_t *arena, void *part)
{
    const windows_t *windows = part;
    for (unsigned endpoint = 0; endpoint < 2; endpoint++)
        if (windows->of[endpoint].trouble)
            sctpa_rare_free(windows->of[endpoint].trouble, &no_trouble, sizeof no_trouble, arena);
}

/* What follows an answered HEARTBEAT goes by another RTO. */
static void take_probe(const sctpa_context_t *c, window_trouble_t *trouble, uint8_t endpoint)
{
    if (c->from == endpoint && c->rows & SCTPA_ROW(HEARTBEAT_ACK))
        trouble->probe_packet = 0;
    if (c->from == endpoint || !c->first_data)
        return;
    int64_t interval_ns = 0;
    trouble->steady_probes = (uint16_t)MIN(window_steady_probes(c, &interval_ns), UINT16_MAX);
    trouble->probe_interval_ns = interval_ns;
    trouble->probe_tsn = sctpa_direction_serial(c->sent, c->first_data->sent.number);
    trouble->probe_packet = c->index;
}

/* Had the last SACK before this one left room for a chunk, with all outstanding then that this one acknowledges? */
static bool has_room_before(const sctpa_context_t *c, const window_t *window)
{
    uint32_t acked_bytes =
        c->first_sack->acked == 0 ? 0 : SCTPA_RECORD(&c->acked->acked, sctpa_acked_t, c->first_sack->acked - 1).bytes;
    return c->answer.before && c->acked->flight_bytes == 0 &&
           c->answer.before->a_rwnd_bytes >= (uint64_t)acked_bytes + window->chunk_bytes;
}

static void take_closing(const sctpa_context_t *c, window_t *window)
{
    bool is_dormant = window_is_dormant(c), was_closed = window->trouble->is_closed;
    bool is_closed = window->chunk_bytes > 0 && c->sack.a_rwnd < window->chunk_bytes;
    if (!was_closed && !is_closed)
        return;
    window_trouble_t *trouble = change(c, window);
    trouble->is_closed = is_closed;
    if (!is_closed)
        return;
    if (!was_closed || !c->answer.before || c->sack.cum_tsn != c->answer.before->cum_tsn) {
        trouble->is_dormant = trouble->is_unprobed = false;
        trouble->probes = 0;
        trouble->closed_packet = c->index;
        trouble->probe_packet = 0;
        trouble->is_closed_at_once = has_room_before(c, window);
    } else {
        trouble->probes += c->answer.owed.packets > 0 && trouble->probes < UINT16_MAX;
        trouble->is_dormant |= is_dormant;
    }
}

/* What is held since the window was the largest: what its overhead is reckoned from. */
static void take_held(const sctpa_context_t *c, window_t *window)
{
    if (c->sack.a_rwnd >= window->largest_bytes) {
        window->largest_bytes = c->sack.a_rwnd;
        window->held_chunks = window->held_bytes = 0;
    } else if (c->first_sack->acked > 0) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(&c->acked->acked, sctpa_acked_t, c->first_sack->acked - 1);
        window->held_chunks += acked->chunks;
        window->held_bytes += acked->bytes;
    }
}

static void take_update(const sctpa_context_t *c, window_t *window)
{
    window_trouble_t *trouble = change(c, window);
    unsigned updates = window_updates(c, &trouble->burst_packet);
    trouble->updates = (uint16_t)MIN(updates, UINT16_MAX);
}

/* Of endpoint, be it the sender of the packet or its peer. */
static void take_closed(const sctpa_context_t *c, window_t *window, uint8_t endpoint)
{
    if (!window->trouble || !window->trouble->is_closed)
        return;
    window_trouble_t *trouble = change(c, window);
    take_probe(c, trouble, endpoint);
    trouble->is_unprobed |= is_long_unprobed(c, endpoint);
}

static void take_advertised(const sctpa_context_t *c, window_t *window)
{
    unsigned drops = window_drops(c);
    if (drops > 0 && sctpa_receiver_is_observed(c, c->from)) {
        window_trouble_t *trouble = change(c, window);
        trouble->drops = (uint16_t)MIN(drops, UINT16_MAX);
        trouble->dropped_tsn = c->receivers[c->from]->wait.first_tsn;
    }
    window->chunk_bytes = window_chunk_bytes(c);
    take_closing(c, window);
    take_held(c, window);
}

/* Takes what the packet shows of the windows of both endpoints, before sctpa_receiver_take (sacks.c) resets what waits
 * for a SACK. */
static void take(const sctpa_context_t *c)
{
    const bool is_advertised = window_is_advertised(c),
               is_update = window_is_update(c) && sctpa_receiver_is_observed(c, c->from);
    windows_t *windows = sctpa_context_find_part(c, SCTPA_PART_WINDOWS);
    if (!windows && (is_advertised || is_update))
        windows = sctpa_context_owning_part(c, SCTPA_PART_WINDOWS, sizeof *windows, free_windows);
    if (!windows)
        return;
    window_t *own = &windows->of[c->from];
    if (!own->trouble && (is_advertised || is_update))
        *own = (window_t){ .largest_bytes = window_largest_bytes(c), .trouble = &no_trouble };
    take_closed(c, own, c->from);
    take_closed(c, &windows->of[!c->from], !c->from);
    if (is_update)
        take_update(c, own);
    if (is_advertised)
        take_advertised(c, own);
}

/* A step below 1/UPDATE_SMALL_SHARE of the buffer, and below a chunk where the window has no room for one, is silly. */
static uint32_t useful_bytes(const sctpa_context_t *c)
{
    return MIN(window_chunk_bytes(c), window_largest_bytes(c) / UPDATE_SMALL_SHARE);
}

RULE(FL, 005,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS,
    .report = { .from = SMALL_UPDATES, .once = true },
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2",
    .title = "Window opened in small steps",
    .quote = "The receiver MUST also have an algorithm for advertising its receive window to avoid receiver silly "
        "window syndrome (SWS)",
    .why = "The sender fills the small windows with small chunks, and throughput falls to headers.",
    .evidence = "Window updates (a SACK alone, nothing arrived, only a_rwnd rises) opened a window too small for a "
        "chunk by less than a chunk and 1/" SAY(UPDATE_SMALL_SHARE) " of the largest a_rwnd, "
        SAY(SMALL_UPDATES) " times. Reported once.",
    .doubt = "The algorithm is free, so that no single value violates the clause: a note.");

static bool FL_005_applies(const sctpa_context_t *c)
{
    return window_is_advertised(c) && window_is_update(c);
}

/* RFC 9260 6.2: "an algorithm for advertising its receive window to avoid receiver silly window syndrome (SWS)" */
static bool FL_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->answer.before->a_rwnd_bytes >= window_chunk_bytes(c) || step_bytes(c) >= useful_bytes(c))
        return false;
    violation->related = c->answer.before->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("a closed window opened by at least %u bytes", useful_bytes(c)),
                        SCTPA_WORDS("opened by %u bytes, %u times like this", step_bytes(c), SMALL_UPDATES));
    return true;
}

RULE(FL, 007,
    .level = HEURISTIC, .since = 9260, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS,
    .report = { .from = REOPENED_REPORTED, .at_once_if = IF_COMPLETE | IF_TAKEN_AT },
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2",
    .title = "Window opened without a window update",
    .quote = "When the window opens up, an SCTP receiver SHOULD send additional SACK chunks to update the window even "
        "if no new data is received.",
    .why = "The sender stands still until its probe timer runs out, although there is room.",
    .evidence = "For " SAY(WINDOW_CLOSED_MS) " ms or more the last SACK had left no room for a chunk; the answer "
        "to the next single packet acknowledges it and advertises 1/" SAY(REOPENED_SHARE) " of the largest "
        "a_rwnd or more, and more by 1/" SAY(UPDATE_SMALL_SHARE) " of it. Reported when it happened at least "
        SAY(REOPENED_REPORTED) " times, or once where the capture is asserted to be complete and taken at the "
        "receiver.",
    .doubt = "An application may read just when the probe arrives: therefore a note. An update that got lost "
        "is seen near the receiver.");

static bool FL_007_applies(const sctpa_context_t *c)
{
    const sctpa_sack_record_t *before = c->answer.before;
    return window_is_advertised(c) && c->answer.owed.packets == 1 && before &&
           before->a_rwnd_bytes < window_chunk_bytes(c);
}

/* RFC 9260 6.2: "When the window opens up, an SCTP receiver SHOULD send additional SACK chunks to update the window" */
static bool FL_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_sack_record_t *before = c->answer.before;
    int64_t closed_ns = between_ns(c, before->packet, c->answer.owed.since_packet);
    /* a probe that came again, too, where none can have been lost behind the tap, and been there before */
    const unsigned takes =
        sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED) ? SCTPA_SACK_FIRST : SCTPA_SACK_FIRST_ONCE;
    if (c->sack.a_rwnd < window_largest_bytes(c) / REOPENED_SHARE ||
        c->sack.a_rwnd < before->a_rwnd_bytes + window_largest_bytes(c) / UPDATE_SMALL_SHARE ||
        sctpa_context_least_ns(c, closed_ns) <=
            sctpa_receiver_patience_ns(c, c->from, WINDOW_CLOSED_MS * SCTPA_NS_PER_MS) ||
        !sctpa_sack_is(c, takes))
        return false;
    violation->related = before->packet;
    sctpa_violation_say(violation, "a SACK that announces that the window opened",
                        SCTPA_WORDS("a_rwnd %u until a probe was sent after %.1f s, %u in its answer",
                                    before->a_rwnd_bytes, (double)closed_ns / 1e9, c->sack.a_rwnd));
    return true;
}

RULE(FL, 012,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS,
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2",
    .title = "Burst of window updates",
    .quote = "The receiver MUST avoid sending a large number of window updates -- in particular, large bursts of them.",
    .why = "Each update costs a packet and wakes the sender for a few bytes.",
    .evidence = SAY(BURST_UPDATES) " window updates (a SACK alone, nothing arrived, only a_rwnd rises) within "
        SAY(SCTPA_UPDATES_BURST_MS) " ms, each by less than 1/" SAY(UPDATE_SMALL_SHARE) " of the largest a_rwnd.",
    .doubt = "The clause gives no number: a note.");

static bool FL_012_applies(const sctpa_context_t *c)
{
    return window_is_update(c);
}

/* RFC 9260 6.2: "The receiver MUST avoid sending a large number of window updates -- in particular, large bursts of
 * them." */
static bool FL_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t first;
    if (window_updates(c, &first) != BURST_UPDATES)
        return false;
    violation->related = first;
    sctpa_violation_say(violation, "few window updates, of 1/" SAY(UPDATE_SMALL_SHARE) " of the buffer",
                        SCTPA_WORDS("%u within %.1f ms, each by less than %u bytes", BURST_UPDATES,
                                    (double)between_ns(c, first, c->index) / 1e6,
                                    window_largest_bytes(c) / UPDATE_SMALL_SHARE));
    return true;
}

static sctpa_words_t overhead(const sctpa_context_t *c)
{
    const window_t *window = window_of(c, c->from);
    uint32_t largest_bytes = window_largest_bytes(c),
             free_bytes = largest_bytes > window->held_bytes ? largest_bytes - window->held_bytes : 0;
    if (window->held_chunks == 0)
        return sctpa_words("nothing held");
    return sctpa_words("%u chunks, %u bytes held: %u bytes of overhead each fill %u", window->held_chunks,
                       window->held_bytes, free_bytes / window->held_chunks, largest_bytes);
}

RULE(FL, 015,
    .level = HEURISTIC, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS,
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2",
    .title = "Data dropped inside the advertised window",
    .quote = "The SCTP endpoint MUST always acknowledge the reception of each valid DATA chunk when the DATA chunk "
        "received is inside its receive window.",
    .why = "The sender is invited to send what is then dropped, and retransmits again and again; each drop is taken "
        "for congestion.",
    .evidence = "One packet came whose TSN was the next one due and which was not larger than a_rwnd. Within "
        SAY(REACTION_MS) " ms a SACK alone says the same as the one before, still with room for the packet. "
        SAY(DROPS_REPORTED) " times in a row for the same TSN. The finding says what each held chunk would cost "
        "beyond its payload to fill the largest a_rwnd.",
    .doubt = "The SACK shows that the packet came. A chunk that was refused for another reason (AUTH, memory of the "
        "whole host) looks the same: a note. A SACK that raises a_rwnd is an update.");

static bool FL_015_applies(const sctpa_context_t *c)
{
    return window_has_room(c);
}

/* RFC 9260 6.2: "MUST always acknowledge the reception of each valid DATA chunk when the DATA chunk received is inside
 * its receive window" */
static bool FL_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_owed_sack_t *wait = &c->receivers[c->from]->wait;
    if (window_drops(c) < DROPS_REPORTED)
        return false;
    violation->related = wait->first_packet;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("TSN %u accepted: %u bytes at a_rwnd %u", wait->first_tsn, wait->first_bytes,
                                    c->answer.before->a_rwnd_bytes),
                        SCTPA_WORDS("dropped, a_rwnd %u; %s", c->sack.a_rwnd, overhead(c).text));
    return true;
}

RULE(FL, 016,
    .level = HEURISTIC, .since = 2960, .seeing = MUST_HAVE, .needs = BOTH,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS,
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.1",
    .title = "Window stays closed",
    .quote = "the receiver could keep its window closed for an indefinite time",
    .why = "The association is up and dormant: its application does not read, or the receiver lost count of its "
        "buffer.",
    .evidence = "For " SAY(DORMANT_S) " s or more every SACK left no room for a chunk and accepted nothing, "
        "while at least " SAY(PROBES_DORMANT) " packets with data were answered. Reported once for each time it "
        "closes.",
    .doubt = "It is allowed: a note that names who holds the transfer up.");

static bool FL_016_applies(const sctpa_context_t *c)
{
    return window_probes(c) >= PROBES_DORMANT;
}

/* RFC 9260 6.1 A: "the receiver could keep its window closed for an indefinite time" */
static bool FL_016_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const window_trouble_t *trouble = window_trouble_of(c, c->from);
    if (trouble->is_dormant || !window_is_dormant(c))
        return false;
    violation->related = trouble->closed_packet;
    sctpa_violation_say(violation, "a window that opens again",
                        SCTPA_WORDS("a_rwnd %u for %.1f s, %u probes answered, nothing accepted", c->sack.a_rwnd,
                                    (double)between_ns(c, trouble->closed_packet, c->index) / 1e9, window_probes(c)));
    return true;
}

RULE(FL, 017,
    .level = HEURISTIC, .since = 3758, .seeing = MUST_HAVE, .needs = SETUP | BOTH | NEAR,
    .certainty = SCTPA_CERTAINTY_POSSIBLE,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS,
    .report = { .from = LEAKS_REPORTED, .in_a_row = true },
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2",
    .title = "Window shrinks with each FORWARD-TSN",
    .quote = "As DATA chunks are delivered to the ULP and released from the receive buffers, increment a_rwnd",
    .why = "What was given up is still counted as held: in the end the window closes for ever.",
    .evidence = "No DATA passed since the SACK before, the Cumulative TSN Ack moves to the New Cumulative TSN of a "
        "FORWARD-TSN, and a_rwnd falls: " SAY(LEAKS_REPORTED) " times in a row.",
    .doubt = "A receiver may need room for other associations: a note.");

static bool FL_017_applies(const sctpa_context_t *c)
{
    const sctpa_sack_record_t *before = c->answer.before;
    return before && c->acked && c->answer.owed.packets == 0 && c->acked->rare->abandoned_to >= 0 &&
           c->acked->cum_tsn == c->acked->rare->abandoned_to &&
           sctpa_serial_distance(before->cum_tsn, c->sack.cum_tsn) > 0;
}

/* RFC 9260 6.2: "As DATA chunks are delivered to the ULP and released from the receive buffers, increment a_rwnd"
 */
static bool FL_017_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_sack_record_t *before = c->answer.before;
    if (c->sack.a_rwnd >= before->a_rwnd_bytes)
        return false;
    violation->related = before->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("a_rwnd %u or more", before->a_rwnd_bytes),
                        SCTPA_WORDS("a_rwnd %u, though only a FORWARD-TSN came", c->sack.a_rwnd));
    return true;
}

RULE(FL, 009,
    .level = SHOULD, .since = 4960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR | RTT | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS,
    .accused = "sender of the data",
    .clause = "RFC 9260 6.1 A",
    .title = "First zero window probe sooner than an RTO",
    .quote = "The sender SHOULD send the first zero window probe after 1 RTO when it detects that the receiver has "
        "closed its window",
    .why = "The probe is dropped and retransmitted: bandwidth is wasted, and the timer backs off before the window "
        "opens.",
    .evidence = "A SACK left nothing outstanding and no room for a chunk, though the SACK before it left some. New "
        "data larger than a_rwnd follows sooner than any answer of the receiver took, and an RTO is never shorter. It "
        "had reached the sender: the user asserts that the capture was taken there, or it passed "
        SAY(SCTPA_UNDER_WAY_MS) " ms and " SAY(SCTPA_UNDER_WAY_ROUND_TRIPS) " round trips before. Proven where it came "
        SAY(SCTPA_HOST_TAKES_MS) " ms before or more: a busy host may not have taken it sooner.",
    .doubt = "Linux and usrsctp probe at once. A SACK that opened the window may have been missed.");

static bool FL_009_applies(const sctpa_context_t *c)
{
    const window_trouble_t *trouble = window_trouble_of(c, !c->from);
    if (!window_is_first_probe(c) || !trouble->is_closed_at_once)
        return false;
    int64_t elapsed_ns = c->packet->time_ns - sctpa_context_time_ns(c, trouble->closed_packet);
    return sctpa_context_least_ns(c, elapsed_ns) > sctpa_context_under_way_ns(c) ||
           sctpa_context_is_asserted(c, SCTPA_ASSERTED_TAKEN_AT);
}

/* RFC 9260 6.1 A: "The sender SHOULD send the first zero window probe after 1 RTO". An RTO is no shorter than a round
 * trip (6.3.1 C3). */
static bool FL_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t closed = window_trouble_of(c, !c->from)->closed_packet;
    int64_t elapsed_ns = c->packet->time_ns - sctpa_context_time_ns(c, closed);
    if (sctpa_context_most_ns(c, elapsed_ns) >= sctpa_context_least_answer_ns(c, !c->from))
        return false;
    violation->path = c->path;
    violation->related = violation->since = closed;
    if (sctpa_context_least_ns(c, elapsed_ns) < SCTPA_HOST_TAKES_MS * SCTPA_NS_PER_MS)
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    violation->rests_on =
        sctpa_context_least_ns(c, elapsed_ns) > sctpa_context_under_way_ns(c) ? 0 : SCTPA_ASSERTED_TAKEN_AT;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("no probe sooner than a round trip, %.1f ms, after the SACK that closed the window",
                    (double)sctpa_context_tap_rtt_ns(c, !c->from) / 1e6),
        SCTPA_WORDS("a probe of %u bytes after %.1f ms", c->first_data->sent.tsn->bytes, (double)elapsed_ns / 1e6));
    return true;
}

RULE(FL, 010,
    .level = SHOULD, .since = 4960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = RTX,
    .accused = "sender of the data",
    .clause = "RFC 9260 6.1 A",
    .title = "Zero window probes not backed off",
    .quote = "SHOULD increase the probe interval exponentially afterwards",
    .why = "A receiver that does not read is sent the same packet again and again.",
    .evidence = "The window stays without room for a chunk, and one TSN is retransmitted several times: two intervals "
        "in a row are less than " SAY(SCTPA_BACKED_OFF_HALVES) "/2 of the one before.",
    .doubt = "RTO.Max bounds the intervals: possible, unless the user asserts RTO.Max and the last interval is half "
        "of it at most; probable where it is half of the 1 s at most that RTO.Min is by the RFCs, for the third time "
        "in a row. Probes that were missed cannot look so: of intervals that double, one of two in a row is twice as "
        "long as the one before. An answered HEARTBEAT in between resets the RTO: counted anew after it.");

static bool FL_010_applies(const sctpa_context_t *c)
{
    int64_t interval_ns = 0;
    window_steady_probes(c, &interval_ns);
    return interval_ns > 0 && window_trouble_of(c, !c->from)->probe_interval_ns > 0;
}

/* RFC 9260 6.1 A: "SHOULD increase the probe interval exponentially afterwards" */
static bool FL_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const uint32_t max_asserted = SCTPA_ASSERTED(RTO_MAX);
    const window_trouble_t *trouble = window_trouble_of(c, !c->from);
    int64_t interval_ns, rto_max_ns = sctpa_tap_parameter(&c->reference->tap, c->from, SCTPA_PARAMETER_RTO_MAX, 0);
    const unsigned steady = window_steady_probes(c, &interval_ns);
    if (steady < STEADY_PROBES || (sctpa_context_is_asserted(c, max_asserted) && interval_ns > rto_max_ns / 2))
        return false;
    violation->path = c->path;
    violation->related = violation->since = trouble->closed_packet;
    violation->rests_on = max_asserted & sctpa_tap_asserted(&c->reference->tap, c->from);
    if (violation->rests_on == 0)
        violation->at_best = steady >= SCTPA_INTERVALS_ALIKE && interval_ns <= SCTPA_RTO_MIN_NS / 2
                                 ? SCTPA_CERTAINTY_PROBABLE /* no RTO.Max is below RTO.Min */
                                 : SCTPA_CERTAINTY_POSSIBLE;
    sctpa_violation_say(
        violation, "probes of a closed window at intervals that double",
        SCTPA_WORDS("TSN %u again after %.3f s, as long as before", trouble->probe_tsn, (double)interval_ns / 1e9));
    return true;
}

/* SACKs that are looked at for one that closed the window: probes would have been answered. */
enum { SACKS_CLOSED = 16 };

/* The RTO of the path that the packet takes at the most, by what is asserted, late by a tick and a host; INT64_MAX: not
 * known. Each sender measures other round trips than the tap: it may be twice what those show. */
static int64_t rto_most_ns(const sctpa_context_t *c)
{
    const sctpa_tap_t *tap = &c->reference->tap;
    const int64_t min_ns = sctpa_tap_parameter(tap, c->from, SCTPA_PARAMETER_RTO_MIN, 0),
                  max_ns = sctpa_tap_parameter(tap, c->from, SCTPA_PARAMETER_RTO_MAX, 0),
                  measured_ns = sctpa_context_rto_ns(c->sent, c->path, c->index);
    if (min_ns <= 0 || max_ns <= 0)
        return INT64_MAX;
    const bool may_be_doubled = c->sent->rare->rtx.len > 0 || measured_ns == 0;
    const int64_t rto_ns = may_be_doubled ? max_ns : MIN(2 * MAX(measured_ns, min_ns), max_ns);
    return sctpa_timer_late_ns(rto_ns);
}

/* New data leaves right after a SACK that opened the window for it: how long had it been closed, with nothing
 * outstanding and nothing sent? 0: not so. *last: the packet with the last data before. O(SACKS_CLOSED). */
static int64_t waited_unprobed_ns(const sctpa_context_t *c, uint32_t *last)
{
    const sctpa_records_t *sacks = &c->sent->sacks;
    const int64_t before = c->first_data->sent.number - 1;
    const sctpa_tsn_t *tsn = sctpa_context_tsn(c->sent, before);
    const uint32_t end = sacks->len;
    if (!tsn || c->sent->cum_tsn != before || end < 2)
        return 0;
    const sctpa_sack_record_t *opened = &SCTPA_RECORD(sacks, sctpa_sack_record_t, end - 1), *closed = NULL;
    for (uint32_t i = end - 1; i > 0 && end - i < SACKS_CLOSED; i--) {
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(sacks, sctpa_sack_record_t, i - 1);
        if (sack->cum_tsn != opened->cum_tsn || sack->a_rwnd_bytes >= c->first_data->sent.tsn->bytes)
            break;
        closed = sack;
    }
    if (!closed || opened->a_rwnd_bytes < c->first_data->sent.tsn->bytes || closed->packet < tsn->last_packet ||
        since_ns(c, opened->packet) > OPENED_MS * SCTPA_NS_PER_MS)
        return 0;
    *last = tsn->last_packet;
    return sctpa_context_least_ns(c, between_ns(c, closed->packet, opened->packet));
}

/* Is the packet new data of an endpoint that has all its SACKs, and that gives nothing up? */
static bool may_have_waited(const sctpa_context_t *c)
{
    return c->accused == c->from && c->first_data && sctpa_observed_is_new(c->first_data) &&
           c->first_data->sent.number > 0 && !c->sent->restarted && sctpa_context_has_all_of(c) &&
           c->sent->rare->abandoned_to < 0;
}

RULE(FL, 011,
    .level = HEURISTIC, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE,
    .when = PACKET, .of = OF_EACH, .on = SACK_ROWS | ROW(HEARTBEAT) | ROW(SHUTDOWN) | DATA_ROWS,
    .accused = "sender of the data",
    .clause = "RFC 9260 6.1",
    .title = "Closed window not probed",
    .quote = "Senders MUST support zero window probing.",
    .why = "When the SACK that reopens the window is lost, both endpoints wait for ever.",
    .evidence = "A SACK left no room for a chunk and nothing outstanding, the last fragment sent does not end its "
        "message, and for " SAY(UNPROBED_S) " s no DATA came though the association lived on. Or, where the capture is "
        "asserted to be complete and taken at the sender, and its RTO.Min and RTO.Max: within " SAY(OPENED_MS) " ms of "
        "the SACK that opens the window new data leaves which had no room before, and none had left for longer than "
        "the RTO, with nothing outstanding.",
    .doubt = "An application may hand over a message in parts and keep the rest, or hand it over just when the window "
        "opens: a note. The RTO may be twice what round trips show.");

static bool FL_011_applies(const sctpa_context_t *c)
{
    uint32_t last;
    return (window_awaits_probe(c, !c->accused) && !window_trouble_of(c, !c->accused)->is_unprobed) ||
           (may_have_waited(c) && waited_unprobed_ns(c, &last) > 0);
}

/* RFC 9260 6.1 A: "Senders MUST support zero window probing." */
static bool FL_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t last;
    const int64_t waited_ns = may_have_waited(c) ? waited_unprobed_ns(c, &last) : 0,
                  rto_ns = waited_ns > 0 ? rto_most_ns(c) : INT64_MAX;
    if (waited_ns > rto_ns) {
        violation->related = violation->since = last;
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
        violation->rests_on = SCTPA_ASSERTED_ARRIVED | SCTPA_ASSERTED(RTO_MIN) | SCTPA_ASSERTED(RTO_MAX);
        sctpa_violation_say(violation, SCTPA_WORDS("a probe of the closed window within %.1f s", (double)rto_ns / 1e9),
                            SCTPA_WORDS("none for %.1f s, and new data once it opened", (double)waited_ns / 1e9));
        return true;
    }
    if (!is_long_unprobed(c, !c->accused))
        return false;
    violation->related = window_trouble_of(c, !c->accused)->closed_packet;
    sctpa_violation_say(
        violation, SCTPA_WORDS("a probe of the closed window within %d s", SCTPA_RFC_RTO_MAX / 1000),
        SCTPA_WORDS("none for %.1f s, in the middle of a message", (double)window_unprobed_ns(c, !c->accused) / 1e9));
    return true;
}

RULE(FL, 014,
    .level = HEURISTIC, .since = 4960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE,
    .when = PACKET, .of = OF_SENDER, .on = ROW(ABORT),
    .accused = "sender of the data",
    .clause = "RFC 9260 6.1",
    .title = "Association given up while its window probes were answered",
    .quote = "the unacknowledged window probes SHOULD NOT increment the error counter for the association or any "
        "destination transport address",
    .why = "A receiver that reads slowly loses the association.",
    .evidence = "The sender sends ABORT, not for User-Initiated Abort, while the window has left no room for a chunk "
        "and at least " SAY(PROBES_BORNE) " probes were answered without being accepted.",
    .doubt = "Why a sender aborts is not visible; an application may have lost patience: a note.");

static bool FL_014_applies(const sctpa_context_t *c)
{
    const window_trouble_t *trouble = window_trouble_of(c, !c->from);
    return trouble->is_closed && trouble->probes >= PROBES_BORNE && !(c->rows & SCTPA_SACK_ROWS);
}

/* RFC 9260 6.1 A: "the unacknowledged window probes SHOULD NOT increment the error counter for the association" */
static bool FL_014_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const window_trouble_t *trouble = window_trouble_of(c, !c->from);
    if (sctpa_tlv_has_cause(sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT), SCTPA_CAUSE_USER_ABORT))
        return false;
    violation->related = trouble->closed_packet;
    sctpa_violation_say(violation, "probes that go on as long as they are answered",
                        SCTPA_WORDS("ABORT after %u probes, all answered by SACKs", trouble->probes));
    return true;
}

void sctpa_check_window(sctpa_context_t *c)
{
    ASK(FL, 005);
    ASK(FL, 007);
    ASK(FL, 009);
    ASK(FL, 010);
    ASK(FL, 011);
    ASK(FL, 012);
    ASK(FL, 014);
    ASK(FL, 015);
    ASK(FL, 016);
    ASK(FL, 017);
    take(c);
}
