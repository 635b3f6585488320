/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Within a stream ordered messages follow each other in the order of their TSNs, with I_DATA too (RFC 8260 2.2.3: only
 * different streams, or unordered ones, interleave). An abandoned TSN holds others back until the FORWARD_TSN that the
 * receiver's next cum_tsn answers; what passed unseen holds nothing back in
 * head-of-line delays, and bounds deliveries by the cum_tsn that went past it. What arrived all the same
 * (sctpa_direction_is_given_up) counts as any other. */
#include "user_messages.h"

#include "base/numbers.h"
#include "data/past.h"

enum { UNORDERED_STREAMS = 1 << 16 }; /* keys of unordered messages, after those of ordered ones */

/* Between which times something came, INT64_MIN: nothing was to come. Of one tap: times at which what came with it
 * passed there, however long the way from there. */
typedef struct {
    int64_t least_ns, most_ns;
} span_t;

static const span_t at_once = { INT64_MIN, INT64_MIN };

/* When all ordered TSNs of a stream had come, and which one last: the acknowledgement that tells, its number. */
typedef struct {
    span_t span;
    uint32_t ack;
    int64_t number;
} ready_t;

typedef enum { ARRIVED, OUTSTANDING, GIVEN_UP, UNKNOWN } fate_t;

/* A TSN: what became of it, and between which times it surely arrived, at the capture point. */
typedef struct {
    fate_t fate;
    span_t came;              /* as what follows of its stream sees it, where ARRIVED or GIVEN_UP */
    int64_t complete_most_ns; /* as it itself is complete, where ARRIVED */
    uint32_t told_by;
    int64_t number;
    int64_t least_ns, most_ns; /* where ARRIVED or GIVEN_UP */
    uint32_t sent, ack;        /* as near the sender; ack of it or of a later cum_tsn */
    uint32_t cum_ack;          /* SCTPA_NO_PACKET_INDEX none */
} arrival_t;

/* A stream while its TSNs are walked, ordered messages and unordered ones apart. */
typedef struct {
    bool is_whole, is_known; /* the message now being read: no fragment missing; its arrival known */
    bool is_seen;            /* the first transmission of each fragment passed */
    bool is_given_up, is_outstanding;
    int64_t last;              /* its last TSN so far */
    uint32_t number, next_fsn; /* its SSN or MID */
    uint32_t ppid, sent, ack;
    int64_t sent_ns, ack_ns;
    int64_t least_ns, most_ns; /* all of it so far had arrived */
    span_t complete;           /* when all of it so far had arrived */
    ready_t ready;             /* when all ordered TSNs of the stream so far had arrived */
    ready_t before;            /* when those before the message had */
    int64_t ready_least_ns, ready_most_ns;
    bool is_blocked; /* a TSN never arrived */
} following_t;

typedef struct {
    const sctpa_direction_t *at_sender, *at_receiver;
    int64_t ahead_ns;    /* of the clock near the receiver */
    GHashTable *streams; /* key -> following_t, owned */
    int64_t next;        /* TSN after the last one that passed, INT64_MIN: the first is to come */
    /* all that did not pass so far had arrived or was given up by then, INT64_MAX: nothing shows */
    int64_t hole_most_ns;
    sctpa_user_message_fn each;
    void *user;
} walk_t;

static following_t *following_at(const walk_t *walk, const sctpa_tsn_t *tsn)
{
    uint32_t key = tsn->stream + (tsn->flags & SCTPA_TSN_UNORDERED ? UNORDERED_STREAMS : 0);
    following_t *following = g_hash_table_lookup(walk->streams, GUINT_TO_POINTER(key));
    if (!following) {
        following = g_new0(following_t, 1);
        following->complete = following->ready.span = following->before.span = at_once;
        following->ready_least_ns = following->ready_most_ns = INT64_MIN;
        g_hash_table_insert(walk->streams, GUINT_TO_POINTER(key), following);
    }
    return following;
}

static int64_t time_of(const walk_t *walk, uint32_t packet)
{
    return sctpa_direction_time_ns(walk->at_sender, packet);
}

/* Of a packet that passed near the receiver, by the clock near the sender. */
static int64_t time_there(const walk_t *walk, uint32_t packet)
{
    return time_of(walk, packet) - walk->ahead_ns;
}

/* The last transmission that passed before its ack. */
static uint32_t likely_arrival(const sctpa_direction_t *direction, const sctpa_tsn_t *tsn, uint32_t ack)
{
    for (uint32_t at = tsn->more; at != 0; at = sctpa_direction_rtx(direction, at)->link.before)
        if (sctpa_direction_rtx(direction, at)->packet < ack)
            return sctpa_direction_rtx(direction, at)->packet;
    return tsn->first_packet;
}

/* The last record of what a SACK newly acked before packet, NULL none. */
static const sctpa_acked_t *acked_before(const sctpa_direction_t *direction, uint32_t packet)
{
    const sctpa_records_t *acked = &direction->acked;
    uint32_t at = sctpa_records_from(acked->data, acked->len, sizeof(sctpa_acked_t), packet);
    return at > 0 ? &SCTPA_RECORD(acked, sctpa_acked_t, at - 1) : NULL;
}

/* The SACK before a TSN's ack, where that reports the TSN missing: it lists TSNs above, in order, so that one which had
 * arrived would be listed. NULL: it does not. */
static const sctpa_acked_t *reported_missing(const walk_t *walk, int64_t number, const sctpa_tsn_t *tsn, uint32_t ack)
{
    const sctpa_acked_t *before = acked_before(walk->at_receiver, ack);
    const uint32_t serial = sctpa_direction_serial(walk->at_receiver, number);
    return before && before->packet >= tsn->first_packet && before->oldest_packet != SCTPA_NO_PACKET_INDEX &&
                   sctpa_serial_distance(serial, before->reported_to) > 0
               ? before
               : NULL;
}

/* Not before: its first transmission; where a SACK reports it missing, what this newly acks, and the last TSN that it
 * lists. */
static int64_t least_arrival(const walk_t *walk, const sctpa_tsn_t *tsn, const sctpa_acked_t *missing)
{
    int64_t least_ns = time_of(walk, tsn->first_packet);
    if (!missing)
        return least_ns;
    const sctpa_tsn_t *last =
        sctpa_direction_tsn(walk->at_receiver, sctpa_direction_unwrap(walk->at_receiver, missing->reported_to));
    least_ns = MAX(least_ns, time_of(walk, missing->oldest_packet));
    return last && last->transmissions > 0 ? MAX(least_ns, time_of(walk, last->first_packet)) : least_ns;
}

/* A TSN that was passed over: by a FORWARD_TSN after its last transmission, before the ack. */
static void pass_over(const walk_t *walk, const sctpa_tsn_t *tsn, arrival_t *arrival)
{
    const int64_t answer_ns = MAX(sctpa_tap_rtt_measured_ns(*walk->at_receiver->receiver_tap_rtt), 0),
                  sent_ns = time_there(walk, likely_arrival(walk->at_receiver, tsn, arrival->ack)),
                  most_ns = MAX(sent_ns, time_there(walk, arrival->ack) - answer_ns);
    arrival->fate = GIVEN_UP;
    arrival->came = (span_t){ sent_ns, most_ns };
    arrival->least_ns = INT64_MIN;
    arrival->most_ns = time_there(walk, arrival->ack);
}

/* Of one tap: it had arrived the shortest answer time before its ack. What passed once, and no SACK reported missing,
 * is before what follows it. */
static void come_unseen(const walk_t *walk, int64_t number, const sctpa_tsn_t *tsn, arrival_t *arrival)
{
    const sctpa_acked_t *missing = reported_missing(walk, number, tsn, arrival->ack);
    const int64_t answer_ns = MAX(sctpa_tap_rtt_measured_ns(*walk->at_receiver->receiver_tap_rtt), 0);
    arrival->least_ns = least_arrival(walk, tsn, tsn->more != 0 ? missing : NULL);
    arrival->most_ns = time_of(walk, arrival->ack);
    arrival->came.least_ns = least_arrival(walk, tsn, missing);
    arrival->complete_most_ns = MAX(arrival->came.least_ns, arrival->most_ns - answer_ns);
    arrival->came.most_ns = missing || tsn->more != 0 ? arrival->complete_most_ns : arrival->came.least_ns;
}

/* What became of a TSN; its arrival, or when it was passed over. */
static arrival_t arrival_of(const walk_t *walk, int64_t number, const sctpa_tsn_t *tsn)
{
    uint32_t ack = sctpa_tsn_arrival_ack(tsn);
    arrival_t arrival = { .fate = OUTSTANDING,
                          .told_by = ack,
                          .number = number,
                          .sent = tsn->first_packet,
                          .ack = ack,
                          .cum_ack = tsn->ack_packet };
    if (tsn->state & SCTPA_TSN_LATE)
        arrival.fate = UNKNOWN;
    if (tsn->state & SCTPA_TSN_LATE || ack == SCTPA_NO_PACKET_INDEX)
        return arrival;
    arrival.fate = ARRIVED;
    if (sctpa_direction_is_given_up(walk->at_receiver, number, tsn)) {
        pass_over(walk, tsn, &arrival);
    } else if (walk->at_sender == walk->at_receiver) {
        come_unseen(walk, number, tsn, &arrival);
    } else {
        arrival.least_ns = arrival.most_ns = arrival.complete_most_ns = time_there(walk, tsn->first_packet);
        arrival.came = (span_t){ arrival.least_ns, arrival.most_ns };
    }
    return arrival;
}

/* Of two taps: when it was sent and acked, as near its sender. False: its first transmission did not pass there. */
static bool see_at_sender(const walk_t *walk, int64_t number, const sctpa_tsn_t *tsn, arrival_t *arrival)
{
    const sctpa_tsn_t *sent = tsn;
    if (walk->at_sender != walk->at_receiver) {
        uint32_t serial = sctpa_direction_serial(walk->at_receiver, number);
        sent = sctpa_direction_tsn(walk->at_sender, sctpa_direction_unwrap(walk->at_sender, serial));
    }
    if (sent == NULL || sent->transmissions == 0 || sent->state & (SCTPA_TSN_EARLIER_UNSEEN | SCTPA_TSN_LATE))
        return false;
    arrival->sent = sent->first_packet;
    arrival->ack = sctpa_tsn_arrival_ack(sent);
    return true;
}

/* Does the TSN belong to the message now being read? */
static bool continues(const following_t *following, int64_t number, const sctpa_tsn_t *tsn)
{
    if (!following->is_whole || tsn->ssn != following->number)
        return false;
    return tsn->flags & SCTPA_TSN_I_DATA ? tsn->ppid == following->next_fsn : number == following->last + 1;
}

static void begin(following_t *following, const sctpa_tsn_t *tsn)
{
    following->is_whole = following->is_known = following->is_seen = true;
    following->is_given_up = following->is_outstanding = false;
    following->number = tsn->ssn;
    following->ppid = tsn->ppid;
    following->next_fsn = 0;
    following->complete = at_once;
    following->before = following->ready;
    following->least_ns = following->most_ns = following->sent_ns = following->ack_ns = INT64_MIN;
    following->sent = following->ack = SCTPA_NO_PACKET_INDEX;
}

static void take_seen(const walk_t *walk, following_t *following, const arrival_t *arrival, bool is_first)
{
    if (is_first) {
        following->sent = arrival->sent;
        following->sent_ns = time_of(walk, arrival->sent);
    }
    if (arrival->ack == SCTPA_NO_PACKET_INDEX) {
        following->is_outstanding = true;
    } else if (time_of(walk, arrival->ack) > following->ack_ns) {
        following->ack = arrival->ack;
        following->ack_ns = time_of(walk, arrival->ack);
    }
}

static void take_ready(ready_t *ready, const arrival_t *arrival)
{
    if (arrival->came.most_ns > ready->span.most_ns) {
        ready->ack = arrival->told_by;
        ready->number = arrival->number;
    }
    ready->span.least_ns = MAX(ready->span.least_ns, arrival->came.least_ns);
    ready->span.most_ns = MAX(ready->span.most_ns, arrival->came.most_ns);
}

static void take_fate(following_t *following, const arrival_t *arrival)
{
    fate_t fate = arrival->fate;
    following->is_known &= fate == ARRIVED;
    following->is_given_up |= fate == GIVEN_UP;
    following->is_outstanding |= fate == OUTSTANDING;
    if (fate == OUTSTANDING)
        following->is_blocked = true;
    if (fate != ARRIVED && fate != GIVEN_UP)
        return;
    if (fate == ARRIVED) {
        following->complete.least_ns = MAX(following->complete.least_ns, arrival->came.least_ns);
        following->complete.most_ns = MAX(following->complete.most_ns, arrival->complete_most_ns);
    }
    take_ready(&following->ready, arrival);
    following->least_ns = MAX(following->least_ns, arrival->least_ns);
    following->most_ns = MAX(following->most_ns, arrival->most_ns);
    following->ready_least_ns = MAX(following->ready_least_ns, arrival->least_ns);
    following->ready_most_ns = MAX(following->ready_most_ns, arrival->most_ns);
}

static sctpa_fate_t message_fate(const following_t *following)
{
    if (!following->is_whole || !following->is_seen)
        return SCTPA_FATE_PARTLY_SEEN;
    if (following->is_given_up)
        return SCTPA_FATE_GIVEN_UP;
    return following->is_outstanding                 ? SCTPA_FATE_OUTSTANDING
           : following->ack == SCTPA_NO_PACKET_INDEX ? SCTPA_FATE_PARTLY_SEEN
                                                     : SCTPA_FATE_ACKED;
}

/* Between which times an acked message was delivered. All TSNs up to a cum_tsn had arrived, or were given up. */
static void bound_delivery(const walk_t *walk, const following_t *following, const arrival_t *last,
                           sctpa_user_message_t *message)
{
    int64_t cum_ns = last->cum_ack == SCTPA_NO_PACKET_INDEX ? INT64_MAX : time_there(walk, last->cum_ack);
    int64_t least_ns = message->is_ordered ? following->ready_least_ns : following->least_ns;
    int64_t most_ns = message->is_ordered ? following->ready_most_ns : following->most_ns;
    if (message->is_ordered)
        most_ns = MAX(most_ns, following->is_blocked ? INT64_MAX : walk->hole_most_ns);
    most_ns = MIN(most_ns, cum_ns);
    message->delivered_least_ns = MAX(least_ns, following->sent_ns) - following->sent_ns;
    message->delivered_most_ns = most_ns == INT64_MAX ? -1 : MAX(most_ns, following->sent_ns) - following->sent_ns;
}

static void end_message(const walk_t *walk, following_t *following, const sctpa_tsn_t *tsn, const arrival_t *last)
{
    sctpa_user_message_t message = { .stream = tsn->stream,
                                     .is_ordered = !(tsn->flags & SCTPA_TSN_UNORDERED),
                                     .fate = message_fate(following),
                                     .ppid = following->is_whole ? following->ppid : 0,
                                     .number = following->last,
                                     .sent = following->sent,
                                     .ack = following->ack };
    if (message.fate == SCTPA_FATE_ACKED) {
        message.ack_ns = MAX(following->ack_ns - following->sent_ns, 0);
        bound_delivery(walk, following, last, &message);
    }
    message.has_wait = message.is_ordered && following->is_whole && following->is_known && !following->is_blocked;
    if (message.has_wait) {
        const span_t *before = &following->before.span, *complete = &following->complete;
        message.delay_least_ns = before->least_ns > complete->most_ns ? before->least_ns - complete->most_ns : 0;
        message.delay_most_ns = before->most_ns > complete->least_ns ? before->most_ns - complete->least_ns : 0;
        message.wait_ack = following->ready.ack;
        message.behind = following->before.number;
    }
    following->is_whole = false;
    walk->each(walk->user, &message);
}

/* TSNs before this one did not pass: each may have been of any stream, and held it back until a cum_tsn went past it.
 */
static void take_hole(walk_t *walk, int64_t number, const sctpa_tsn_t *tsn)
{
    const bool is_initial = walk->next == INT64_MIN && walk->at_receiver->announced && number == 0;
    if (!is_initial && number != walk->next)
        walk->hole_most_ns = tsn->ack_packet == SCTPA_NO_PACKET_INDEX
                                 ? INT64_MAX
                                 : MAX(walk->hole_most_ns, time_there(walk, tsn->ack_packet));
    walk->next = number + 1;
}

static void visit(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    walk_t *walk = user;
    following_t *following = following_at(walk, tsn);
    take_hole(walk, number, tsn);
    bool is_first = (tsn->flags & SCTPA_TSN_BEGIN) != 0;
    if (is_first)
        begin(following, tsn);
    else if (!continues(following, number, tsn))
        following->is_whole = false;
    following->last = number;
    following->next_fsn++;
    arrival_t arrival = arrival_of(walk, number, tsn);
    take_fate(following, &arrival);
    if (see_at_sender(walk, number, tsn, &arrival))
        take_seen(walk, following, &arrival, is_first);
    else
        following->is_seen = false;
    if (tsn->flags & SCTPA_TSN_END)
        end_message(walk, following, tsn, &arrival);
}

/* A walk at its beginning, but for its streams. */
static walk_t walk_of(const sctpa_direction_t *at_sender, const sctpa_direction_t *at_receiver, int64_t ahead_ns,
                      sctpa_user_message_fn each, void *user)
{
    return (walk_t){ .at_sender = at_sender,
                     .at_receiver = at_receiver,
                     .ahead_ns = ahead_ns,
                     .next = INT64_MIN,
                     .hole_most_ns = INT64_MIN,
                     .each = each,
                     .user = user };
}

static GHashTable *new_streams(void)
{
    return g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
}

/* --- one message --- */

/* Are both of one message, as far as their heads say? */
static bool is_same_message(const sctpa_tsn_t *a, const sctpa_tsn_t *b)
{
    const uint8_t kind = SCTPA_TSN_I_DATA | SCTPA_TSN_UNORDERED;
    return a->stream == b->stream && a->ssn == b->ssn && (a->flags & kind) == (b->flags & kind);
}

/* From a TSN in steps of 1 or -1, the one of its message with a flag: its first or last fragment. False: it did not
 * pass, or lies too far away. TSNs of other messages lie in between with I_DATA alone. */
static bool seek_fragment(const sctpa_direction_t *direction, int64_t *number, int step, uint8_t flag)
{
    const sctpa_tsn_t *of = sctpa_direction_tsn(direction, *number);
    for (int64_t at = *number; ABS(at - *number) <= SCTPA_NEAR_TSNS; at += step) {
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(direction, at);
        const bool is_of_it = tsn && is_same_message(tsn, of);
        if (is_of_it && tsn->flags & flag) {
            *number = at;
            return true;
        }
        if (!is_of_it && !(of->flags & SCTPA_TSN_I_DATA))
            return false;
    }
    return false;
}

/* From where on TSNs may have held back what was sent at sent_ns: all before were cum-acked by then. INT64_MIN: that is
 * too long before first. */
static int64_t held_from(const walk_t *walk, int64_t first, int64_t sent_ns)
{
    const int64_t least = walk->at_receiver->announced ? 0 : INT64_MIN;
    for (int64_t number = first; number > first - SCTPA_NEAR_TSNS; number--) {
        const sctpa_tsn_t *before = sctpa_direction_tsn(walk->at_receiver, number - 1);
        if (number <= least || (before == NULL && number <= 0))
            return number;
        if (before && before->ack_packet != SCTPA_NO_PACKET_INDEX && time_there(walk, before->ack_packet) <= sent_ns)
            return number;
    }
    return INT64_MIN;
}

typedef struct {
    int64_t number;
    sctpa_user_message_t *message;
    bool is_found;
} wanted_t;

static void keep_wanted(void *user, const sctpa_user_message_t *message)
{
    wanted_t *wanted = user;
    if (message->number != wanted->number)
        return;
    *wanted->message = *message;
    wanted->is_found = true;
}

bool sctpa_user_message_with(const sctpa_direction_t *at_sender, const sctpa_direction_t *at_receiver, int64_t ahead_ns,
                             int64_t number, sctpa_user_message_t *message)
{
    wanted_t wanted = { .message = message };
    walk_t walk = walk_of(at_sender, at_receiver, ahead_ns, keep_wanted, &wanted);
    int64_t first = sctpa_direction_unwrap(at_receiver, sctpa_direction_serial(at_sender, number)), last = first;
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(at_receiver, first);
    if (tsn == NULL || tsn->transmissions == 0 || !seek_fragment(at_receiver, &first, -1, SCTPA_TSN_BEGIN) ||
        !seek_fragment(at_receiver, &last, 1, SCTPA_TSN_END))
        return false;
    const sctpa_tsn_t *begin = sctpa_direction_tsn(at_receiver, first);
    arrival_t sent;
    const int64_t from =
        see_at_sender(&walk, first, begin, &sent) ? held_from(&walk, first, time_of(&walk, sent.sent)) : INT64_MIN;
    if (from == INT64_MIN)
        return false;
    wanted.number = last;
    walk.next = from > 0 ? from : INT64_MIN;
    walk.streams = new_streams();
    for (int64_t at = from; at <= last; at++)
        if ((tsn = sctpa_direction_tsn(at_receiver, at)) != NULL)
            visit(&walk, at, tsn);
    g_hash_table_unref(walk.streams);
    return wanted.is_found;
}

/* --- all of them --- */

void sctpa_user_messages_each(const sctpa_direction_t *at_sender, const sctpa_direction_t *at_receiver,
                              int64_t ahead_ns, sctpa_user_message_fn each, void *user)
{
    walk_t walk = walk_of(at_sender, at_receiver, ahead_ns, each, user);
    walk.streams = new_streams();
    sctpa_direction_each(at_receiver, visit, &walk);
    g_hash_table_unref(walk.streams);
}
