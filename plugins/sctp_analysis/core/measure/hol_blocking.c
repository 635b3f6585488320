/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A TSN arrives with the last transmission that passed before its first acknowledgement. Within a stream ordered
 * messages follow each other in the order of their TSNs, with I_DATA too (RFC 8260 2.2.3: only different streams, or
 * unordered ones, interleave). An abandoned TSN holds others back until the FORWARD_TSN that the receiver's next
 * cum_tsn answers; what passed unseen holds nothing back. */
#include "hol_blocking.h"

/* When a TSN arrived, or was passed over, and the acknowledgement that tells. */
typedef struct {
    int64_t ns;
    uint32_t ack;
    int64_t number;
} moment_t;

typedef enum { ARRIVED, OUTSTANDING, GIVEN_UP, UNKNOWN } fate_t;

/* A stream while its TSNs are walked. */
typedef struct {
    bool is_whole, is_known;   /* the message now being read: no fragment missing; its arrival known */
    int64_t last;              /* its last TSN so far */
    uint32_t number, next_fsn; /* its SSN or MID */
    moment_t complete;         /* when all of it so far had arrived */
    moment_t ready;            /* when all ordered TSNs of the stream so far had arrived */
    bool is_blocked;           /* a TSN never arrived */
} following_t;

typedef struct {
    const sctpa_direction_t *direction;
    GHashTable *streams; /* id -> following_t, owned */
    sctpa_hol_fn each;
    void *user;
} walk_t;

static following_t *following_at(const walk_t *walk, uint16_t id)
{
    following_t *following = g_hash_table_lookup(walk->streams, GUINT_TO_POINTER(id));
    if (!following) {
        following = g_new0(following_t, 1);
        following->complete.ns = following->ready.ns = INT64_MIN;
        g_hash_table_insert(walk->streams, GUINT_TO_POINTER(id), following);
    }
    return following;
}

static int64_t time_of(const walk_t *walk, uint32_t packet)
{
    return sctpa_direction_time_ns(walk->direction, packet);
}

static const sctpa_rtx_t *rtx_at(const walk_t *walk, uint32_t at)
{
    return &SCTPA_RECORD(&walk->direction->rare->rtx, sctpa_rtx_t, at - 1);
}

/* What became of a TSN; its arrival, or when it was passed over: the shortest answer time before the ack that shows it.
 * What the receiver took back had to arrive again. */
static fate_t fate_of(const walk_t *walk, int64_t number, const sctpa_tsn_t *tsn, moment_t *moment)
{
    uint32_t ack = tsn->state & SCTPA_TSN_RENEGED ? tsn->ack_packet : MIN(tsn->gap_packet, tsn->ack_packet);
    uint32_t packet = tsn->first_packet;
    if (tsn->state & SCTPA_TSN_LATE)
        return UNKNOWN;
    if (ack == SCTPA_NO_PACKET_INDEX)
        return OUTSTANDING;
    for (uint32_t at = tsn->more; at != 0; at = rtx_at(walk, at)->link.before)
        if (rtx_at(walk, at)->packet < ack) {
            packet = rtx_at(walk, at)->packet;
            break;
        }
    *moment = (moment_t){ time_of(walk, packet), ack, number };
    if (!(tsn->state & SCTPA_TSN_ABANDONED))
        return ARRIVED;
    moment->ns = MAX(moment->ns, time_of(walk, ack) - MAX(*walk->direction->receiver_tap_rtt_ns, 0));
    return GIVEN_UP;
}

/* Does the TSN belong to the message now being read? */
static bool continues(const following_t *following, int64_t number, const sctpa_tsn_t *tsn)
{
    if (!following->is_whole || tsn->ssn != following->number)
        return false;
    return tsn->flags & SCTPA_TSN_I_DATA ? tsn->ppid == following->next_fsn : number == following->last + 1;
}

static void take_fate(following_t *following, fate_t fate, moment_t moment)
{
    following->is_known &= fate == ARRIVED;
    if (fate == OUTSTANDING)
        following->is_blocked = true;
    if (fate == ARRIVED && moment.ns > following->complete.ns)
        following->complete = moment;
    if ((fate == ARRIVED || fate == GIVEN_UP) && moment.ns > following->ready.ns)
        following->ready = moment;
}

/* The message ends: how long it waited. */
static void end_message(const walk_t *walk, following_t *following, uint16_t stream)
{
    bool arrived = following->is_whole && following->is_known && !following->is_blocked;
    following->is_whole = false;
    if (arrived)
        walk->each(walk->user, &(sctpa_wait_t){ .delay_ns = following->ready.ns - following->complete.ns,
                                                .ack = following->ready.ack,
                                                .stream = stream,
                                                .number = following->last,
                                                .behind = following->ready.number });
}

static void follow(const walk_t *walk, following_t *following, int64_t number, const sctpa_tsn_t *tsn)
{
    moment_t moment = { 0 };
    if (tsn->flags & SCTPA_TSN_BEGIN) {
        following->is_whole = following->is_known = true;
        following->number = tsn->ssn;
        following->next_fsn = 0;
        following->complete.ns = INT64_MIN;
    } else if (!continues(following, number, tsn)) {
        following->is_whole = false;
    }
    following->last = number;
    following->next_fsn++;
    fate_t fate = fate_of(walk, number, tsn, &moment);
    take_fate(following, fate, moment);
    if (tsn->flags & SCTPA_TSN_END)
        end_message(walk, following, tsn->stream);
}

static void visit(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    const walk_t *walk = user;
    if (!(tsn->flags & SCTPA_TSN_UNORDERED))
        follow(walk, following_at(walk, tsn->stream), number, tsn);
}

void sctpa_hol_each(const sctpa_direction_t *direction, sctpa_hol_fn each, void *user)
{
    walk_t walk = { direction, g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free), each, user };
    sctpa_direction_each(direction, visit, &walk);
    g_hash_table_unref(walk.streams);
}
