/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shutdown and abort (RFC 9260 8.5, 9): what each endpoint has sent to shut an association down or abort it, what it
 * was asked and has not answered, and what it sends afterwards. Begins with the first SHUTDOWN, SHUTDOWN ACK,
 * SHUTDOWN COMPLETE or ABORT. Silence alone says nothing, since a dead peer is silent as well: what counts is that
 * the endpoint goes on with something else after it was asked so often that not all of it is lost near it. Leaves
 * out how the association ended (teardown.c of track). */
#include "data/shared_limits.h"
#include "model/chapter.h"
#include "model/shared/endpoint_states.h"
#include "model/shared/initialization.h"
#include "model/shared/obligations.h"
#include "model/shared/retransmissions.h"
#include "wire/types.h"

/* What separates a SHUTDOWN that is never repeated from repeats that were lost before the capture point: so long, and
 * so many expiries of T2-shutdown, each in another silence of the peer. */
#define SHUTDOWN_UNREPEATED_S 180
#define SHUTDOWN_UNREPEATED_EXPIRIES 3

/* Requests nearer to each other than this may be lost together: they count as one. */
#define SHUTDOWN_ASKED_APART_S 1

/* What separates a SHUTDOWN that does not come from one after a SACK. */
#define SHUTDOWN_ANSWER_MS 200

#define NOT_BEGUN \
    { \
        .stops = { SCTPA_NO_PACKET_INDEX, SCTPA_NO_PACKET_INDEX, SCTPA_NO_PACKET_INDEX, SCTPA_NO_PACKET_INDEX }, \
        .open_stops = { SCTPA_NO_PACKET_INDEX, SCTPA_NO_PACKET_INDEX }, .last_abort = SCTPA_NO_PACKET_INDEX \
    }

/* Data that the capture missed, or a filter left out, lies nearer to the peer's TSNs. */
#define SHUTDOWN_APART_TSNS 1048576

/* So many requests are not all lost near the endpoint, which then goes on with something else: so much later that the
 * last of them has reached it. */
#define SHUTDOWN_ASKED 3
#define SHUTDOWN_OVERDUE_S 1

/* One SHUTDOWN may be missing in the capture. */
#define SHUTDOWN_UNANSWERED 2

/* Twice the 10 of Association.Max.Retrans. */
#define SHUTDOWN_REPEATS 20

/* What separates an endpoint that goes on after the end from packets that it sent before on the same path: those nearer
 * to each other may have been captured in another order than they were sent, by several processors or interfaces. */
#define GOING_ON_MS 10

/* What may hold up a packet between its sender and a tap near it. */
#define HELD_UP_DOUBT \
    "Sooner than " SAY(SCTPA_UNDER_WAY_MS) " ms and " SAY( \
        SCTPA_UNDER_WAY_ROUND_TRIPS) " round trips the packet may " \
                                     "have been held up on its way: probable at best, unless the capture is asserted " \
                                     "to be taken at the endpoint."

/* A packet that the capture missed may have caused one of the ABORTs, but not so many in a row. */
#define ABORT_REPLIES 2

/* One loss in ten near an endpoint takes this many in a row once in 10,000 times. */
#define SHUTDOWN_ACKS_IGNORED 4

/* The chunks after which their sender may send no data: in SHUTDOWN-SENT, SHUTDOWN-ACK-SENT and CLOSED (RFC 9260 6).
 * ABORT and SHUTDOWN COMPLETE count without T bit, ABORT without M bit: whoever has no association reflects the tag. */
typedef enum { STOP_SHUTDOWN, STOP_SHUTDOWN_ACK, STOP_SHUTDOWN_COMPLETE, STOP_ABORT, STOPS } stop_t;

/* SHUTDOWN or SHUTDOWN ACK of an endpoint that its peer has not answered yet. */
typedef struct {
    uint32_t times;       /* SHUTDOWN_ASKED_APART_S or more after the one before; 0: none waits */
    uint32_t last_packet; /* of the last one that counts */
    uint32_t due_packet;  /* since when the answer is due: the first request, or all data was acknowledged only then */
    bool is_held;         /* data was outstanding when the last packet passed */
} shutdown_request_t;

/* DATA that passed towards an endpoint in SHUTDOWN-SENT, until it is answered or that is overdue. */
typedef struct {
    uint32_t packet, tsn;
    bool is_waiting;
    bool is_sacked; /* it has arrived */
    bool is_told;   /* a SACK passed since */
} shutdown_data_t;

typedef struct {
    uint32_t stops[STOPS]; /* packet of the first one sent, SCTPA_NO_PACKET_INDEX none */
    uint32_t tag;          /* that the last of these carried */
    uint32_t last_abort;   /* packet of the last ABORT without M bit, SCTPA_NO_PACKET_INDEX none */
    int64_t highest_tsns[STOP_SHUTDOWN_ACK + 1]; /* highest TSN sent by then (relative), -1 none */
    /* those of them with which data was outstanding that it may have given up, SCTPA_NO_PACKET_INDEX none */
    uint32_t open_stops[STOP_SHUTDOWN_ACK + 1];
    shutdown_request_t shutdowns, acks;
    shutdown_data_t data;
    uint32_t untold;        /* 1 + index of a packet with DATA above a gap that a SHUTDOWN answered
                               without a SACK so far; 0 none */
    uint32_t repeats;       /* SHUTDOWN and SHUTDOWN ACK sent since the peer's last packet, that answer no DATA */
    uint32_t unanswered;    /* packets with DATA that passed towards it in SHUTDOWN-SENT, each to be answered */
    uint32_t abort_replies; /* ABORTs in a row that nothing but ABORT can have caused */
    uint8_t abort_ttl;      /* of the packet with its first ABORT */
    bool heard_abort, heard_other; /* since last_abort a packet with, without ABORT passed towards it */
    uint64_t heard;                /* rows of chunks that passed towards it since its last packet */
    uint32_t heard_packet;         /* the last that passed then */
} endpoint_teardown_t;

/* How a packet follows a chunk that stopped the data of its sender. */
typedef struct {
    uint32_t stop_packet; /* with that chunk */
    int64_t since_ns;     /* the packet passed so much later */
    bool is_same_way;     /* both went between the same addresses */
    int64_t new_tsn;      /* the highest TSN in the packet, if above stopped_at, else -1 (both relative) */
    int64_t stopped_at;   /* the highest TSN sent until that chunk, -1 none */
} after_stop_t;

typedef struct {
    endpoint_teardown_t endpoints[2];
} teardown_t;

enum { OWN_TSNS = 1 << 12, OLD_TSNS = 1 << 16 };

/* The TSNs of an endpoint: the first, and how many were seen. */
typedef struct {
    uint32_t first;
    int64_t n;
} numbers_t;

static const teardown_t not_begun = { { NOT_BEGUN, NOT_BEGUN } };

/* What an endpoint has sent and was asked before the packet, until it is taken. O(1). */
static const endpoint_teardown_t *teardown(const sctpa_context_t *c, uint8_t endpoint)
{
    const teardown_t *kept = sctpa_context_find_part(c, SCTPA_PART_TEARDOWN);
    return &(kept ? kept : &not_begun)->endpoints[endpoint];
}

/* The first SHUTDOWN ACK of an endpoint of another association, which waits for the answer: it is in SHUTDOWN-ACK-SENT
 * until it gives up. SCTPA_NO_PACKET_INDEX: it sent none, or nothing more is kept of it. O(1). */
uint32_t sctpa_teardown_ack_sent(const sctpa_context_t *c, const sctpa_assoc_t *other, uint8_t endpoint)
{
    const sctpa_tracked_t *tracked = sctpa_tracked_find(c->tracker, other->number);
    const teardown_t *kept = sctpa_reference_find(c->store, tracked, SCTPA_PART_TEARDOWN);
    bool is_waiting = kept && kept->endpoints[endpoint].acks.times > 0;
    return is_waiting ? kept->endpoints[endpoint].stops[STOP_SHUTDOWN_ACK] : SCTPA_NO_PACKET_INDEX;
}

static const uint64_t teardown_rows =
    SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(ABORT);

/* Has a teardown begun, or does it with the packet? O(1). */
static bool teardown_concerns(const sctpa_context_t *c)
{
    return c->rows & teardown_rows || sctpa_context_find_part(c, SCTPA_PART_TEARDOWN);
}

/* Did the endpoint send that chunk in an earlier packet? The same whether or not the packet was taken. O(1). */
static bool teardown_has_sent(const sctpa_context_t *c, uint8_t endpoint, stop_t stop)
{
    return teardown(c, endpoint)->stops[stop] < c->index;
}

/* Does the packet carry the tag of what its sender stopped with? One of another tag belongs to another association,
 * whose set-up the capture lacks. O(1). */
static bool teardown_is_same(const sctpa_context_t *c)
{
    return sctpa_context_vtag(c) == teardown(c, c->from)->tag;
}

/* Did the packet leave since_ns after another of its sender passed the tap? Near its sender packets between the same
 * addresses pass in the order of sending, but for what a capture mixes, at the sender all do; another way may hold up
 * what left before, no longer than the round trips there show, and where none shows how near the tap is by it, nothing
 * is known. */
static bool left_after(const sctpa_context_t *c, int64_t since_ns, bool is_same_way)
{
    const int64_t least_ns = sctpa_context_least_ns(c, since_ns);
    if (is_same_way || sctpa_context_is_asserted(c, SCTPA_ASSERTED_TAKEN_AT))
        return least_ns >= GOING_ON_MS * SCTPA_NS_PER_MS;
    const uint16_t back = sctpa_context_back_path(c);
    const sctpa_end_t *ends = c->assoc->ends;
    return back != SCTPA_NO_PATH && ends[!c->from].paths[back].tap_rtt_ns > 0 &&
           ends[c->from].paths[c->path].tap_rtt_ns > 0 && least_ns >= sctpa_context_under_way_ns(c);
}

/* How sure it is that the packet left after another of its sender that passed since_ns before. A network in front of a
 * near tap may hold up one packet for longer than it takes others: as long as data is under way at the most, that is
 * likely at best. */
static sctpa_certainty_t certainty_of_order(const sctpa_context_t *c, int64_t since_ns)
{
    bool is_sure = sctpa_context_is_asserted(c, SCTPA_ASSERTED_TAKEN_AT) ||
                   sctpa_context_least_ns(c, since_ns) >= sctpa_context_under_way_ns(c);
    return is_sure ? SCTPA_CERTAINTY_PROVEN : SCTPA_CERTAINTY_PROBABLE;
}

/* Did the packet go between the same addresses as another of its sender? */
static bool is_same_way(const sctpa_context_t *c, uint32_t packet)
{
    return sctpa_context_record(c, packet)->pair == c->record->pair;
}

/* Did the sender of the packet, which is of the same association, send that chunk in an earlier one? Fills after.
 * new_tsn and stopped_at are known of SHUTDOWN and SHUTDOWN ACK. O(chunks with DATA). */
static bool teardown_is_after(const sctpa_context_t *c, stop_t stop, after_stop_t *after)
{
    const endpoint_teardown_t *own = teardown(c, c->from);
    uint32_t packet = own->stops[stop];
    if (!teardown_has_sent(c, c->from, stop) || !teardown_is_same(c))
        return false;
    *after = (after_stop_t){
        .stop_packet = packet,
        .since_ns = c->packet->time_ns - sctpa_context_time_ns(c, packet),
        .is_same_way = is_same_way(c, packet),
        .new_tsn = -1,
        .stopped_at = stop <= STOP_SHUTDOWN_ACK ? own->highest_tsns[stop] : -1,
    };
    for (unsigned i = 0; stop <= STOP_SHUTDOWN_ACK && c->rows & SCTPA_DATA_ROWS && i < c->n_chunks; i++)
        if (c->chunks[i].sent.tsn && c->chunks[i].sent.number > after->stopped_at)
            after->new_tsn = MAX(after->new_tsn, c->chunks[i].sent.number);
    return true;
}

/* Does the IPv4 header of what the endpoint that aborted sent next show that another host sent the ABORT? O(1). */
static bool teardown_is_abort_of_other_host(const sctpa_context_t *c)
{
    const sctpa_after_abort_t *after = c->tracked->rare->after_abort;
    return after && (after->has_other_ids || after->has_other_ttl);
}

/* Does the ABORT of the packet answer nothing but ABORT? O(1). */
static bool teardown_is_abort_reply(const sctpa_context_t *c)
{
    const endpoint_teardown_t *own = teardown(c, c->from);
    return own->last_abort != SCTPA_NO_PACKET_INDEX && own->heard_abort && !own->heard_other;
}

/* Is DATA that waits for a SHUTDOWN known to have arrived, and so long ago that the answer is not under way any more?
 * O(1). */
static bool teardown_is_data_overdue(const sctpa_context_t *c, const shutdown_data_t *data)
{
    return data->is_waiting && data->is_sacked &&
           c->packet->time_ns - sctpa_context_time_ns(c, data->packet) > SHUTDOWN_ANSWER_MS * SCTPA_NS_PER_MS;
}

/* The packet with DATA that the sender of the packet answered with a SHUTDOWN that cannot acknowledge all of it, so
 * long ago that a SACK is not under way any more; SCTPA_NO_PACKET_INDEX none. O(1). */
static uint32_t teardown_untold(const sctpa_context_t *c)
{
    uint32_t untold = teardown(c, c->from)->untold;
    bool is_overdue =
        untold > 0 && c->packet->time_ns - sctpa_context_time_ns(c, untold - 1) > SHUTDOWN_ANSWER_MS * SCTPA_NS_PER_MS;
    return is_overdue ? untold - 1 : SCTPA_NO_PACKET_INDEX;
}

/* TSNs of a sender that are not acknowledged, *first and *last of them. At most the 64 above the cum_tsn are looked at.
 */
static unsigned teardown_outstanding(const sctpa_direction_t *sent, int64_t *first, int64_t *last)
{
    enum { LOOK_AT = 64 };
    unsigned n = 0;
    for (int64_t number = sent->cum_tsn + 1; number <= sent->highest && number <= sent->cum_tsn + LOOK_AT; number++) {
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(sent, number);
        bool is_open =
            tsn && tsn->transmissions > 0 &&
            !(tsn->state & (SCTPA_TSN_ACKED | SCTPA_TSN_GAP_ACKED | SCTPA_TSN_ABANDONED | SCTPA_TSN_RENEGED));
        if (!is_open)
            continue;
        if (n++ == 0)
            *first = number;
        *last = number;
    }
    return n;
}

static void take_abort(const sctpa_context_t *c, endpoint_teardown_t *own, endpoint_teardown_t *peer)
{
    const sctpa_tlv_t *abort = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT);
    if (abort && !sctpa_tlv_u32(abort, SCTPA_F_ABORT_M)) {
        own->abort_replies = teardown_is_abort_reply(c) ? own->abort_replies + 1 : 0;
        own->heard_abort = own->heard_other = false;
        own->last_abort = c->index;
    }
    if (abort)
        peer->heard_abort = true;
    else
        peer->heard_other = true;
}

static bool has_sacked(const sctpa_context_t *c, uint32_t tsn)
{
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (sctpa_tlv_is_sack(&c->chunks[i].tlv) && sctpa_tlv_has(&c->chunks[i].tlv, SCTPA_F_SACK_CUM_TSN) &&
            sctpa_serial_distance(tsn, sctpa_tlv_u32(&c->chunks[i].tlv, SCTPA_F_SACK_CUM_TSN)) >= 0)
            return true;
    return false;
}

/* Has the TSN after cum_tsn not passed towards the receiver, which reported that? Else there is no gap: the SHUTDOWN is
 * the answer to an earlier packet. */
static bool is_above_gap(const sctpa_context_t *c, uint32_t cum_tsn)
{
    const sctpa_tsn_t *next = sctpa_context_tsn(c->acked, sctpa_context_unwrap(c->acked, cum_tsn) + 1);
    return !next || next->transmissions == 0;
}

/* The SHUTDOWN that answers data says nothing of it: it lies above a gap. A receiver without room may have dropped it.
 */
static bool leaves_gap(const sctpa_context_t *c, const shutdown_data_t *own)
{
    const sctpa_tlv_t *shutdown = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_SHUTDOWN);
    return shutdown && own->is_waiting && !own->is_told && !(c->rows & SCTPA_SACK_ROWS) &&
           sctpa_tlv_has(shutdown, SCTPA_F_SHUTDOWN_CUM_TSN) &&
           sctpa_serial_distance(sctpa_tlv_u32(shutdown, SCTPA_F_SHUTDOWN_CUM_TSN), own->tsn) > 1 && c->acked &&
           is_above_gap(c, sctpa_tlv_u32(shutdown, SCTPA_F_SHUTDOWN_CUM_TSN)) &&
           !sctpa_window_is_closed(c->acked->a_rwnd_bytes);
}

/* Data towards the peer while that is in SHUTDOWN-SENT, and the answers of the sender to such data. */
static void take_data(const sctpa_context_t *c, shutdown_data_t *own, endpoint_teardown_t *peer)
{
    const sctpa_tlv_t *data = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_DATA);
    if (c->rows & teardown_rows || teardown_is_data_overdue(c, own))
        own->is_waiting = false;
    own->is_sacked |= own->is_waiting && has_sacked(c, own->tsn);
    own->is_told |= (c->rows & SCTPA_SACK_ROWS) != 0;
    if (data && !peer->data.is_waiting && teardown_has_sent(c, !c->from, STOP_SHUTDOWN) &&
        !teardown_has_sent(c, !c->from, STOP_SHUTDOWN_ACK) && !teardown_has_sent(c, !c->from, STOP_SHUTDOWN_COMPLETE) &&
        !teardown_has_sent(c, !c->from, STOP_ABORT))
        peer->data = (shutdown_data_t){ c->index, sctpa_tlv_u32(data, SCTPA_F_DATA_TSN), true, false, false };
}

static void ask(const sctpa_context_t *c, shutdown_request_t *request)
{
    if (request->times > 0 &&
        c->packet->time_ns - sctpa_context_time_ns(c, request->last_packet) < SHUTDOWN_ASKED_APART_S * SCTPA_NS_PER_S)
        return;
    if (request->times == 0)
        request->due_packet = c->index;
    request->times++;
    request->last_packet = c->index;
}

/* RFC 9260 9.2: "If a SHUTDOWN chunk is received in the COOKIE-WAIT or COOKIE ECHOED state, the SHUTDOWN chunk SHOULD
 * be silently discarded." */
static bool may_discard_shutdown(const sctpa_context_t *c, uint8_t endpoint)
{
    return sctpa_states_before(c, endpoint) & (1 << SCTPA_STATE_COOKIE_WAIT | 1 << SCTPA_STATE_COOKIE_ECHOED);
}

/* Is all that an endpoint sent acknowledged, with room for more, and nothing (ASCONF, RE_CONFIG) that may hold back
 * data? */
static bool has_nothing_to_send(const sctpa_context_t *c, uint8_t endpoint)
{
    const sctpa_direction_t *sent = c->tracked->sides[endpoint].sent;
    if (c->tracked->sides[0].rare->requests || c->tracked->sides[1].rare->requests)
        return false;
    return !sent || sent->highest < 0 ||
           (sent->cum_tsn >= sent->highest && !sctpa_window_is_closed(sent->a_rwnd_bytes));
}

static const uint64_t ends = SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(ABORT);

static void take_requests(const sctpa_context_t *c, endpoint_teardown_t *own, endpoint_teardown_t *peer)
{
    const uint64_t ends = SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(ABORT);
    if (c->rows & (SCTPA_ROW(SHUTDOWN_ACK) | ends | SCTPA_DATA_ROWS))
        peer->shutdowns.times = 0;
    if (c->rows & ends)
        peer->acks.times = 0;
    if (c->rows & SCTPA_ROW(SHUTDOWN) && !may_discard_shutdown(c, !c->from))
        ask(c, &own->shutdowns);
    if (c->rows & SCTPA_ROW(SHUTDOWN_ACK))
        ask(c, &own->acks);
}

static void note_stop(const sctpa_context_t *c, endpoint_teardown_t *own, stop_t stop)
{
    if (own->stops[stop] != SCTPA_NO_PACKET_INDEX)
        return;
    own->stops[stop] = c->index;
    own->tag = sctpa_context_vtag(c);
    if (stop > STOP_SHUTDOWN_ACK)
        return;
    int64_t first, last;
    const bool is_open = c->sent && c->sent->highest >= 0 && !c->sent->restarted && c->sent->announced &&
                         sctpa_context_may_abandon(c) && teardown_outstanding(c->sent, &first, &last) > 0;
    own->highest_tsns[stop] = c->sent ? c->sent->highest : -1;
    own->open_stops[stop] = is_open ? c->index : SCTPA_NO_PACKET_INDEX;
}

static void take_stops(const sctpa_context_t *c, endpoint_teardown_t *own)
{
    const sctpa_tlv_t *complete = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_SHUTDOWN_COMPLETE);
    const sctpa_tlv_t *abort = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT);
    if (c->rows & SCTPA_ROW(SHUTDOWN))
        note_stop(c, own, STOP_SHUTDOWN);
    if (c->rows & SCTPA_ROW(SHUTDOWN_ACK))
        note_stop(c, own, STOP_SHUTDOWN_ACK);
    if (complete && !sctpa_tlv_u32(complete, SCTPA_F_SHUTDOWN_COMPLETE_T))
        note_stop(c, own, STOP_SHUTDOWN_COMPLETE);
    if (abort && !sctpa_tlv_u32(abort, SCTPA_F_ABORT_T) && !sctpa_tlv_u32(abort, SCTPA_F_ABORT_M)) {
        own->abort_ttl = own->stops[STOP_ABORT] == SCTPA_NO_PACKET_INDEX ? c->packet->ttl : own->abort_ttl;
        note_stop(c, own, STOP_ABORT);
    }
}

/* Does a SACK or a SHUTDOWN of the packet newly acknowledge data? */
static bool acknowledges_anew(const sctpa_context_t *c)
{
    const uint32_t n = c->acked ? c->acked->acked.len : 0;
    return n > 0 && SCTPA_RECORD(&c->acked->acked, sctpa_acked_t, n - 1).packet == c->index;
}

/* In SHUTDOWN-SENT each packet with DATA is answered by a SHUTDOWN (RFC 9260 9.2), which is no retransmission by T2,
 * and which may leave when the next packets have passed already; what passed a tap near the sender of the data before
 * the first SHUTDOWN did is newly acknowledged with it. */
static void take_repeats(const sctpa_context_t *c, endpoint_teardown_t *own, endpoint_teardown_t *peer)
{
    peer->repeats = 0;
    if (c->rows & SCTPA_DATA_ROWS && peer->stops[STOP_SHUTDOWN] != SCTPA_NO_PACKET_INDEX)
        peer->unanswered++;
    if (c->rows & SCTPA_ROW(SHUTDOWN) && own->unanswered > 0)
        own->unanswered--;
    else if (!acknowledges_anew(c))
        own->repeats += (c->rows & (SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK))) != 0;
}

static void take_due(const sctpa_context_t *c, shutdown_request_t *request, uint8_t asked)
{
    const bool is_held = request->times > 0 && !has_nothing_to_send(c, asked);
    if (is_held || request->is_held)
        request->due_packet = c->index;
    request->is_held = is_held;
}

/* Moves on by a packet that concerns the teardown. O(chunks). */
static void teardown_take(const sctpa_context_t *c)
{
    teardown_t *kept = sctpa_context_find_part(c, SCTPA_PART_TEARDOWN);
    if (!kept) {
        kept = sctpa_context_part(c, SCTPA_PART_TEARDOWN, sizeof *kept);
        *kept = not_begun;
    }
    endpoint_teardown_t *own = &kept->endpoints[c->from], *peer = &kept->endpoints[!c->from];
    own->heard = 0;
    peer->heard |= c->rows;
    peer->heard_packet = c->index;
    take_repeats(c, own, peer);
    take_abort(c, own, peer);
    if (c->rows & SCTPA_SACK_ROWS || teardown_untold(c) != SCTPA_NO_PACKET_INDEX)
        own->untold = 0;
    if (leaves_gap(c, &own->data))
        own->untold = own->data.packet + 1;
    take_data(c, &own->data, peer);
    take_requests(c, own, peer);
    for (uint8_t e = 0; e < 2; e++)
        take_due(c, &kept->endpoints[e].shutdowns, !e);
    take_stops(c, own);
}

/* Is it known which TSNs the sender of the packet has outstanding? Where partial reliability may be in use, it may have
 * given up some. */
static bool knows_outstanding(const sctpa_context_t *c)
{
    return c->sent && c->sent->highest >= 0 && !c->sent->restarted && c->sent->announced &&
           !sctpa_context_may_abandon(c);
}

/* What would acknowledge all of it passed after the last of it was sent. */
static bool has_outstanding(const sctpa_context_t *c, sctpa_violation_t *violation, const char *expected)
{
    int64_t first = 0, last = 0;
    unsigned n = teardown_outstanding(c->sent, &first, &last);
    if (n == 0)
        return false;
    violation->path = c->path;
    violation->since = sctpa_context_tsn(c->sent, last)->first_packet;
    violation->related = sctpa_context_tsn(c->sent, first)->last_packet;
    sctpa_violation_say(violation, expected,
                        SCTPA_WORDS("%u TSNs outstanding, from %u on", n, sctpa_direction_serial(c->sent, first)));
    return true;
}

/* What shows that the data which was outstanding with a SHUTDOWN or SHUTDOWN ACK of the accused was not given up: its
 * peer goes on with the shutdown, and it has sent no FORWARD-TSN, as the user asserts that the capture shows. */
static bool has_kept_its_data(const sctpa_context_t *c, stop_t stop)
{
    return c->accused != c->from && sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED) &&
           teardown(c, c->accused)->open_stops[stop] != SCTPA_NO_PACKET_INDEX &&
           sctpa_context_chunks(c, c->accused, SCTPA_CHUNK_ROW_FORWARD_TSN) == 0 &&
           sctpa_context_chunks(c, c->accused, SCTPA_CHUNK_ROW_I_FORWARD_TSN) == 0;
}

static bool had_outstanding(const sctpa_context_t *c, stop_t stop, sctpa_violation_t *violation, const char *expected)
{
    violation->related = violation->since = teardown(c, c->accused)->open_stops[stop];
    violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(violation, expected, "TSNs outstanding, and no FORWARD-TSN since");
    return true;
}

RULE(SD, 001,
    .level = SHOULD, .since = 2960, .seeing = COULD, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_EACH, .on = ROW(SHUTDOWN) | ROW(SHUTDOWN_ACK),
    .report = { .one_defect = true },
    .accused = "sender of the SHUTDOWN",
    .clause = "RFC 9260 9.2",
    .title = "SHUTDOWN sent with data still outstanding",
    .quote = "An endpoint SHOULD ensure that all its outstanding DATA chunks have been acknowledged before initiating "
        "the shutdown procedure.",
    .why = "Data may be lost although the application sees an orderly close.",
    .evidence = "Near the endpoint: its first SHUTDOWN left while some TSNs that it had sent were acknowledged by no "
        "SACK that had passed.",
    .doubt = "Where partial reliability may have been agreed on, data may have been given up: reported, as probable, "
        "when the SHUTDOWN ACK comes and there was no FORWARD-TSN, in a capture that is asserted to be complete and "
        "taken at the endpoint. Not checked when the peer sent SHUTDOWN first.");

static bool SD_001_applies(const sctpa_context_t *c)
{
    if (c->accused != c->from || !(c->rows & SCTPA_ROW(SHUTDOWN)))
        return c->rows & SCTPA_ROW(SHUTDOWN_ACK) && has_kept_its_data(c, STOP_SHUTDOWN) &&
               !teardown_has_sent(c, c->from, STOP_SHUTDOWN);
    return !teardown_has_sent(c, c->from, STOP_SHUTDOWN) && !teardown_has_sent(c, !c->from, STOP_SHUTDOWN) &&
           knows_outstanding(c);
}

/* RFC 9260 9.2: "An endpoint SHOULD ensure that all its outstanding DATA chunks have been acknowledged before
 * initiating the shutdown procedure." */
static bool SD_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    static const char expected[] = "all DATA acknowledged before SHUTDOWN";
    return c->accused == c->from ? has_outstanding(c, violation, expected)
                                 : had_outstanding(c, STOP_SHUTDOWN, violation, expected);
}

RULE(SD, 006,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_EACH, .on = ROW(SHUTDOWN_ACK) | ROW(SHUTDOWN_COMPLETE),
    .report = { .one_defect = true },
    .accused = "sender of the SHUTDOWN ACK",
    .clause = "RFC 9260 9.2",
    .title = "SHUTDOWN ACK sent with data still outstanding",
    .quote = "the SHUTDOWN chunk receiver MUST continue to follow normal data transmission procedures defined in "
        "Section 6, until all outstanding DATA chunks are acknowledged",
    .why = "Data is lost with the end of the association.",
    .evidence = "Near the endpoint: its first SHUTDOWN ACK left while some TSNs that it had sent were acknowledged by "
        "no SACK or SHUTDOWN that had passed.",
    .doubt = "Where partial reliability may have been agreed on, data may have been given up: reported, as probable, "
        "when the SHUTDOWN COMPLETE comes and there was no FORWARD-TSN, in a capture that is asserted to be complete "
        "and taken at the endpoint.");

static bool SD_006_applies(const sctpa_context_t *c)
{
    if (c->accused != c->from || !(c->rows & SCTPA_ROW(SHUTDOWN_ACK)))
        return c->rows & SCTPA_ROW(SHUTDOWN_COMPLETE) && has_kept_its_data(c, STOP_SHUTDOWN_ACK);
    return !teardown_has_sent(c, c->from, STOP_SHUTDOWN_ACK) && knows_outstanding(c);
}

/* RFC 9260 9.2: "MUST continue to follow normal data transmission procedures defined in Section 6, until all
 * outstanding DATA chunks are acknowledged" */
static bool SD_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    static const char expected[] = "all DATA acknowledged before SHUTDOWN ACK";
    return c->accused == c->from ? has_outstanding(c, violation, expected)
                                 : had_outstanding(c, STOP_SHUTDOWN_ACK, violation, expected);
}

/* False: they are not known, or were reset. */
static bool find_numbers(const sctpa_side_t *side, bool has_to_be_announced, numbers_t *numbers)
{
    const sctpa_direction_t *sent = side->sent;
    *numbers = sent ? (numbers_t){ sent->initial_tsn, sent->highest + 1 } : (numbers_t){ side->initial_tsn, 0 };
    return sent ? !sent->restarted && (has_to_be_announced ? sent->announced : sent->has_initial) : side->has_initial;
}

/* The Cumulative TSN Ack of the packet's SHUTDOWN, and the TSNs of the peer, which it is about. False: not known. */
static bool read_cum_tsn(const sctpa_context_t *c, uint32_t *cum_tsn, numbers_t *peer)
{
    const sctpa_tlv_t *shutdown = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_SHUTDOWN);
    *cum_tsn = sctpa_tlv_u32(shutdown, SCTPA_F_SHUTDOWN_CUM_TSN);
    return sctpa_tlv_has(shutdown, SCTPA_F_SHUTDOWN_CUM_TSN) && find_numbers(&c->tracked->sides[!c->from], false, peer);
}

RULE(SD, 002,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = CHECKSUM | SETUP | BOTH,
    .when = PACKET, .of = OF_SENDER, .on = ROW(SHUTDOWN),
    .accused = "sender of the SHUTDOWN",
    .clause = "RFC 9260 3.3.8",
    .title = "SHUTDOWN acknowledges the endpoint's own TSNs",
    .quote = "The largest TSN, such that all TSNs smaller than or equal to it have been received and the next one has "
        "not been received.",
    .why = "The peer takes data for acknowledged that is not, or ignores the SHUTDOWN: data is lost or the shutdown "
        "hangs.",
    .evidence = "The Cumulative TSN Ack is more than " SAY(SHUTDOWN_APART_TSNS) " TSNs away from all that the "
        "peer announced and sent, but is one of those that the endpoint itself announced and sent.",
    .doubt = "Data that the capture missed, or a filter left out, lies near the peer's TSNs. Endpoints whose TSNs are "
        "near each other and those that reset them are not checked.");

static bool SD_002_applies(const sctpa_context_t *c)
{
    uint32_t cum_tsn;
    numbers_t peer, own;
    return read_cum_tsn(c, &cum_tsn, &peer) && find_numbers(&c->tracked->sides[c->from], true, &own);
}

/* RFC 9260 3.3.8: "The largest TSN, such that all TSNs smaller than or equal to it have been received and the next one
 * has not been received." */
static bool SD_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t cum_tsn;
    numbers_t peer, own;
    read_cum_tsn(c, &cum_tsn, &peer);
    find_numbers(&c->tracked->sides[c->from], true, &own);
    uint32_t expected = peer.first + (uint32_t)peer.n - 1;
    int32_t beyond = sctpa_serial_distance(expected, cum_tsn), into_own = sctpa_serial_distance(own.first, cum_tsn);
    bool is_apart = beyond >= SHUTDOWN_APART_TSNS || beyond <= 1 - SHUTDOWN_APART_TSNS - peer.n;
    if (!is_apart || into_own < -1 || into_own >= own.n + OWN_TSNS)
        return false;
    violation->path = c->path;
    sctpa_violation_say(
        violation, SCTPA_WORDS("a TSN of the peer, up to %u", expected),
        SCTPA_WORDS("%u; its own TSNs are %u to %u", cum_tsn, own.first, own.first + (uint32_t)own.n - 1));
    return true;
}

/* How far below what the endpoint acknowledged before the Cumulative TSN Ack is, and *reported, that TSN. */
static int32_t behind(const sctpa_context_t *c, uint32_t cum_tsn, uint32_t *reported)
{
    *reported = sctpa_direction_serial(c->acked, c->acked->cum_tsn);
    return sctpa_serial_distance(cum_tsn, *reported);
}

/* Did the packet leave after the highest cum_tsn was reported, *since_ns before? */
static bool is_reported_before(const sctpa_context_t *c, int64_t *since_ns)
{
    const sctpa_tsn_t *tsn = sctpa_context_tsn(c->acked, c->acked->cum_tsn);
    if (!tsn || tsn->ack_packet == SCTPA_NO_PACKET_INDEX)
        return false;
    *since_ns = c->packet->time_ns - sctpa_context_time_ns(c, tsn->ack_packet);
    return left_after(c, *since_ns, is_same_way(c, tsn->ack_packet));
}

RULE(SD, 011,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM | SETUP | BOTH | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = ROW(SHUTDOWN),
    .accused = "sender of the SHUTDOWN",
    .clause = "RFC 9260 9.2",
    .title = "Cumulative TSN Ack of SHUTDOWN goes back",
    .quote = "the endpoint MUST resend the SHUTDOWN chunk with the updated last sequential TSN received from its peer",
    .why = "The peer retransmits data that had arrived.",
    .evidence = "Near the endpoint: the Cumulative TSN Ack is below that of a SACK or SHUTDOWN that the same endpoint "
        "sent " SAY(GOING_ON_MS) " ms or more before; by another way " SAY(SCTPA_UNDER_WAY_MS) " ms and "
        SAY(SCTPA_UNDER_WAY_ROUND_TRIPS) " round trips or more.",
    .doubt = "Only the endpoint's own packets are compared. Far from it they may have overtaken each other: checked "
        "only near it. " HELD_UP_DOUBT);

static bool SD_011_applies(const sctpa_context_t *c)
{
    uint32_t cum_tsn, reported;
    numbers_t peer;
    if (!read_cum_tsn(c, &cum_tsn, &peer))
        return false;
    if (!c->acked) /* it received nothing, and says so */
        return true;
    return c->acked->has_cum && behind(c, cum_tsn, &reported) <= OLD_TSNS;
}

/* RFC 9260 9.2: "the endpoint MUST resend the SHUTDOWN chunk with the updated last sequential TSN received from its
 * peer" */
static bool SD_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t cum_tsn, reported;
    numbers_t peer;
    int64_t since_ns;
    if (!c->acked || !read_cum_tsn(c, &cum_tsn, &peer) || behind(c, cum_tsn, &reported) <= 0 ||
        !is_reported_before(c, &since_ns))
        return false;
    violation->path = c->path;
    violation->at_best = certainty_of_order(c, since_ns);
    sctpa_violation_say(violation, SCTPA_WORDS("TSN %u, which it acknowledged before, or a later one", reported),
                        SCTPA_WORDS("%u", cum_tsn));
    return true;
}

RULE(SD, 012,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM | BOTH,
    .when = PACKET, .of = OF_SENDER, .on = ROW(SHUTDOWN) | ROW(SHUTDOWN_ACK),
    .report = { .one_defect = true },
    .accused = "sender of SHUTDOWN or SHUTDOWN ACK",
    .clause = "RFC 9260 9.2",
    .title = "SHUTDOWN retransmitted very often",
    .quote = "SHOULD limit the number of retransmissions of the SHUTDOWN chunk to the protocol parameter "
        "'Association.Max.Retrans'",
    .why = "An endpoint that does not give up keeps the association, and its memory.",
    .evidence = "SHUTDOWN or SHUTDOWN ACK was sent more than " SAY(SHUTDOWN_REPEATS) " times with no packet of "
        "the peer in between, SHUTDOWNs that answer DATA not counted.",
    .doubt = "The limit is a parameter, 10 is recommended: a note.");

static bool SD_012_applies(const sctpa_context_t *c)
{
    return teardown(c, c->from)->repeats > 0;
}

/* RFC 9260 9.2: "SHOULD limit the number of retransmissions of the SHUTDOWN chunk to the protocol parameter
 * 'Association.Max.Retrans'" */
static bool SD_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t repeats = teardown(c, c->from)->repeats;
    bool is_asserted = sctpa_context_is_asserted(c, SCTPA_ASSERTED(ASSOCIATION_MAX_RETRANS));
    int64_t most = sctpa_tap_parameter(&c->reference->tap, c->accused, SCTPA_PARAMETER_ASSOCIATION_MAX_RETRANS,
                                       SCTPA_RFC_ASSOCIATION_MAX_RETRANS);
    if (is_asserted ? repeats <= most : repeats < SHUTDOWN_REPEATS)
        return false;
    violation->path = c->path;
    violation->rests_on = is_asserted ? SCTPA_ASSERTED(ASSOCIATION_MAX_RETRANS) : 0;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("at most %d retransmissions%s", (int)most, is_asserted ? "" : ", as recommended"),
                        SCTPA_WORDS("%u without an answer", repeats));
    return true;
}

/* The packet's ABORT; NULL: a middlebox sent it. */
static const sctpa_tlv_t *find_abort(const sctpa_context_t *c)
{
    const sctpa_tlv_t *abort = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT);
    return sctpa_tlv_u32(abort, SCTPA_F_ABORT_M) ? NULL : abort;
}

RULE(HS, 033,
    .level = HEURISTIC, .since = 2960, .seeing = COULD, .needs = CHECKSUM | BOTH,
    .when = PACKET, .of = OF_SENDER, .on = ROW(ABORT),
    .accused = "sender of the ABORT",
    .clause = "RFC 9260 8.4",
    .title = "INIT refused by an ABORT with the wrong tag",
    .quote = "the Verification Tag of the packet containing the ABORT chunk MUST be the Initiate Tag of the received "
        "INIT chunk",
    .why = "The initiator discards the ABORT and goes on sending INIT until it gives up.",
    .evidence = "Nothing but INITs went to the endpoint; its ABORT has the T bit set, or Verification Tag 0.",
    .doubt = "A firewall may have sent it in the endpoint's name, or it may answer a packet of an older association "
        "that was not captured: a note.");

/* Had an INIT of the peer a Verification Tag? It is none of those that are refused by their Initiate Tag: an ABORT may
 * answer it as any packet out of the blue (RFC 9260 8.4 rule 8). */
static bool has_tagged_init(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    for (const sctpa_announcement_t *a = i ? i->last : NULL; a; a = a->before)
        if (a->from != c->from && !a->is_ack && a->vtag != 0)
            return true;
    return i && i->is_overfull;
}

static bool HS_033_applies(const sctpa_context_t *c)
{
    const sctpa_setup_t *setup = &c->assoc->setup;
    return find_abort(c) && setup->steps[SCTPA_STEP_INIT].count > 0 && setup->steps[SCTPA_STEP_INIT].by != c->from &&
           !c->assoc->collision && setup->steps[SCTPA_STEP_INIT_ACK].count == 0 &&
           setup->steps[SCTPA_STEP_COOKIE_ECHO].count == 0 && !c->tracked->established && !has_tagged_init(c);
}

/* RFC 9260 8.4: "the Verification Tag of the packet containing the ABORT chunk MUST be the Initiate Tag of the received
 * INIT chunk" */
static bool HS_033_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    bool has_t = sctpa_tlv_u32(find_abort(c), SCTPA_F_ABORT_T);
    uint32_t vtag = sctpa_context_vtag(c);
    if (!has_t && vtag != 0)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, SCTPA_WORDS("T bit 0, Verification Tag 0x%08x", c->assoc->ends[!c->from].vtag),
                        SCTPA_WORDS("T bit %d, Verification Tag 0x%08x", has_t, vtag));
    return true;
}

RULE(SM, 011,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = CHECKSUM | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = ROW(ABORT),
    .report = { .one_defect = true },
    .accused = "sender of the ABORT",
    .clause = "RFC 9260 9.1, 8.4",
    .title = "ABORT answered with ABORT",
    .quote = "An endpoint MUST NOT respond to any received packet that contains an ABORT chunk",
    .why = "Two such endpoints answer each other for ever.",
    .evidence = "Near the endpoint: between ABORTs that it sent, nothing but ABORT came from the peer, "
        SAY(ABORT_REPLIES) " times in a row; or once, where the user asserts a complete capture that was taken there.",
    .doubt = "A packet before the ABORT may have caused the first answer; a packet that the capture missed may have "
        "caused another one, but not " SAY(ABORT_REPLIES) " in a row. Without T bit, both users may have aborted: "
        "probable.");

/* The ABORT that the packet answers, where the user asserts that all that reached its sender was captured. */
static uint32_t answered_abort(const sctpa_context_t *c)
{
    return sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED) ? sctpa_obligations_aborted(c) : SCTPA_NO_PACKET_INDEX;
}

static bool SM_011_applies(const sctpa_context_t *c)
{
    return find_abort(c) && (teardown_is_abort_reply(c) || answered_abort(c) != SCTPA_NO_PACKET_INDEX);
}

/* RFC 9260 9.1: "An endpoint MUST NOT respond to any received packet that contains an ABORT chunk" */
static bool SM_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const endpoint_teardown_t *own = teardown(c, c->from);
    const uint32_t answered = answered_abort(c);
    const bool is_answer = answered != SCTPA_NO_PACKET_INDEX;
    if (!is_answer && (!teardown_is_abort_reply(c) || own->abort_replies + 1 < ABORT_REPLIES))
        return false;
    violation->path = c->path;
    violation->related = is_answer ? answered : own->last_abort;
    violation->rests_on = is_answer ? SCTPA_ASSERTED_ARRIVED : 0;
    if (is_answer && !sctpa_tlv_u32(find_abort(c), SCTPA_F_ABORT_T))
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(violation, "no answer to ABORT",
                        is_answer ? "ABORT, although nothing came after an ABORT"
                                  : "ABORT, although only ABORT came since its last one");
    return true;
}

RULE(SM, 010,
    .level = SHOULD, .since = 2960, .seeing = COULD, .needs = CHECKSUM | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = ROW(ABORT),
    .report = { .from = 2, .at_once_if = IF_COMPLETE },
    .accused = "sender of the ABORT",
    .clause = "RFC 9260 8.4",
    .title = "SHUTDOWN COMPLETE or COOKIE ACK answered with ABORT",
    .quote = "If the packet contains a SHUTDOWN COMPLETE chunk, the receiver SHOULD silently discard the packet",
    .why = "Two endpoints without association must not answer each other.",
    .evidence = "Near the endpoint: an ABORT reflects the tag of what it answers, and since the endpoint's last packet "
        "nothing but SHUTDOWN COMPLETE or COOKIE ACK came.",
    .doubt = "Another packet that the capture missed may have caused the ABORT: reported from the second "
        "occurrence, or where the capture is asserted to be complete. One that was held up on its way may have: "
        "probable, unless the capture is asserted to be taken at the endpoint.");

/* It has no association: it reflects the tag of what it answers, its own. */
static bool SM_010_applies(const sctpa_context_t *c)
{
    const sctpa_tlv_t *abort = find_abort(c);
    return abort && sctpa_tlv_u32(abort, SCTPA_F_ABORT_T) && teardown(c, c->from)->heard &&
           sctpa_context_vtag(c) == c->assoc->ends[c->from].vtag;
}

/* May the packet answer what went another, slower way and passed the tap before the last packet that did? */
static bool may_answer_slower(const sctpa_context_t *c, uint32_t last)
{
    return c->assoc->ends[!c->from].n_pairs > 1 && !sctpa_context_is_asserted(c, SCTPA_ASSERTED_TAKEN_AT) &&
           sctpa_context_least_since_ns(c, last) < sctpa_context_under_way_ns(c);
}

/* "If the packet contains a SHUTDOWN COMPLETE chunk, the receiver SHOULD silently discard the packet" */
static bool SM_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const endpoint_teardown_t *own = teardown(c, c->from);
    if (own->heard & ~(SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(COOKIE_ACK)) || may_answer_slower(c, own->heard_packet))
        return false;
    violation->path = c->path;
    violation->related = own->heard_packet;
    violation->at_best =
        sctpa_context_is_asserted(c, SCTPA_ASSERTED_TAKEN_AT) ? SCTPA_CERTAINTY_PROVEN : SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(violation, "no answer", "ABORT with T bit 1");
    return true;
}

/* The data of a packet after SHUTDOWN ACK, or else after SHUTDOWN. */
static bool is_after_shutdown(const sctpa_context_t *c, after_stop_t *after)
{
    return teardown_is_after(c, STOP_SHUTDOWN_ACK, after) || teardown_is_after(c, STOP_SHUTDOWN, after);
}

bool sctpa_teardown_was_begun(const sctpa_context_t *c, sctpa_certainty_t *certainty)
{
    after_stop_t after;
    if (!is_after_shutdown(c, &after))
        return false;
    const bool is_sure = left_after(c, after.since_ns, after.is_same_way);
    *certainty = is_sure ? SCTPA_CERTAINTY_PROVEN : SCTPA_CERTAINTY_PROBABLE;
    return is_sure || (after.is_same_way && sctpa_context_is_asserted(c, SCTPA_ASSERTED_TAKEN_AT));
}

RULE(SD, 003,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM | SETUP | BOTH | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS,
    .report = { .covers = { COVERS(TX, 020), COVERS(SM, 026) } },
    .accused = "sender of SHUTDOWN or SHUTDOWN ACK",
    .clause = "RFC 9260 6",
    .title = "New data after SHUTDOWN or SHUTDOWN ACK",
    .quote = "Data transmission MUST only happen in the ESTABLISHED, SHUTDOWN-PENDING, and SHUTDOWN-RECEIVED states.",
    .why = "The peer may have closed already: the data is lost.",
    .evidence = "Near the endpoint: after its SHUTDOWN or SHUTDOWN ACK it sent a TSN above all that it had sent "
        "before.",
    .doubt = "Both chunks are sent only once all data is acknowledged: a new TSN left after them, however soon it "
        "passes on their path. Retransmissions of earlier data do not count; one of data that the capture missed is "
        "no less forbidden. Packets that are stamped earlier stand in the wrong place of the file: not reported.");

static bool SD_003_applies(const sctpa_context_t *c)
{
    after_stop_t after;
    return is_after_shutdown(c, &after) && c->sent && c->sent->highest >= 0 && !c->sent->restarted &&
           c->sent->announced;
}

/* RFC 9260 6: "Data transmission MUST only happen in the ESTABLISHED, SHUTDOWN-PENDING, and SHUTDOWN-RECEIVED states."
 * Both chunks are sent once all data is acknowledged (9.2): a TSN that passes only then left after them, however soon
 * it passes on their path. */
static bool SD_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    after_stop_t after;
    if (!is_after_shutdown(c, &after) || after.new_tsn < 0 || after.since_ns < 0 ||
        !(after.is_same_way || left_after(c, after.since_ns, after.is_same_way)))
        return false;
    violation->path = c->path;
    violation->related = after.stop_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("no TSN above %u", sctpa_direction_serial(c->sent, after.stopped_at)),
                        SCTPA_WORDS("TSN %u after %s", sctpa_direction_serial(c->sent, after.new_tsn),
                                    teardown_has_sent(c, c->from, STOP_SHUTDOWN_ACK) ? "SHUTDOWN ACK" : "SHUTDOWN"));
    return true;
}

RULE(TX, 020,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = BOTH | NEAR | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS | ROW(SHUTDOWN_ACK),
    .report = { .covers = { COVERS(SM, 026) } },
    .accused = "sender of the data",
    .clause = "RFC 9260 6",
    .title = "DATA sent after SHUTDOWN ACK",
    .quote = "Data transmission MUST only happen in the ESTABLISHED, SHUTDOWN-PENDING, and SHUTDOWN-RECEIVED states.",
    .why = "The peer accepts no more data: it is lost without notice to the application.",
    .evidence = "Near the endpoint: DATA left it " SAY(GOING_ON_MS) " ms or more after its SHUTDOWN ACK in the "
        "same association; by another way than the SHUTDOWN ACK, " SAY(SCTPA_UNDER_WAY_MS) " ms and "
        SAY(SCTPA_UNDER_WAY_ROUND_TRIPS) " round trips or more.",
    .doubt = "Old data may be retransmitted before the SHUTDOWN ACK and pass after it: the times exclude that. A new "
        "association has other tags. No packet that the capture missed leads back from this state. " HELD_UP_DOUBT);

/* Its first SHUTDOWN ACK as well: from then on the endpoint can violate the rule. */
static bool TX_020_applies(const sctpa_context_t *c)
{
    bool has_sent = teardown_has_sent(c, c->from, STOP_SHUTDOWN_ACK);
    return has_sent ? c->rows & SCTPA_DATA_ROWS && c->sent : c->rows & SCTPA_ROW(SHUTDOWN_ACK);
}

/* RFC 9260 6: "Data transmission MUST only happen in the ESTABLISHED, SHUTDOWN-PENDING, and SHUTDOWN-RECEIVED states."
 */
static bool TX_020_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    after_stop_t after;
    if (!teardown_is_after(c, STOP_SHUTDOWN_ACK, &after) || !left_after(c, after.since_ns, after.is_same_way))
        return false;
    violation->path = c->path;
    violation->related = after.stop_packet;
    violation->at_best = certainty_of_order(c, after.since_ns);
    sctpa_violation_say(violation, "no DATA after its SHUTDOWN ACK",
                        SCTPA_WORDS("DATA %.3f s after it", (double)after.since_ns / 1e9));
    return true;
}

RULE(SM, 023,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM | SETUP | BOTH | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS,
    .report = { .covers = { COVERS(SD, 003), COVERS(TX, 020) } },
    .accused = "sender of the ABORT",
    .clause = "RFC 9260 6",
    .title = "DATA sent after ABORT",
    .quote = "Data transmission MUST only happen in the ESTABLISHED, SHUTDOWN-PENDING, and SHUTDOWN-RECEIVED states.",
    .why = "The peer has removed the association: the data is lost.",
    .evidence = "Near the endpoint: DATA with the same tag left it " SAY(GOING_ON_MS) " ms or more after its "
        "ABORT without T bit, with the same TTL; by another way than the ABORT, " SAY(SCTPA_UNDER_WAY_MS) " ms and "
        SAY(SCTPA_UNDER_WAY_ROUND_TRIPS) " round trips or more.",
    .doubt = "Data that left before the ABORT may pass after it: the times exclude that. A middlebox that injected the "
        "ABORT sets another TTL or the M bit, another host has IPv4 identifications of another sequence. A new "
        "association has a new tag; no packet that the capture missed leads back. " HELD_UP_DOUBT);

static bool SM_023_applies(const sctpa_context_t *c)
{
    after_stop_t after;
    return teardown_is_after(c, STOP_ABORT, &after) && left_after(c, after.since_ns, after.is_same_way) &&
           !sctpa_context_may_be_made_anew(c, c->from, after.stop_packet);
}

/* RFC 9260 6: "Data transmission MUST only happen in the ESTABLISHED, SHUTDOWN-PENDING, and SHUTDOWN-RECEIVED states."
 */
static bool SM_023_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    after_stop_t after;
    if (!teardown_is_after(c, STOP_ABORT, &after) || c->packet->ttl != teardown(c, c->from)->abort_ttl ||
        teardown_is_abort_of_other_host(c))
        return false;
    violation->path = c->path;
    violation->related = after.stop_packet;
    violation->at_best = certainty_of_order(c, after.since_ns);
    sctpa_violation_say(violation, "no DATA after its ABORT",
                        SCTPA_WORDS("DATA %.0f ms later", (double)after.since_ns / 1e6));
    return true;
}

RULE(SD, 016,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM | BOTH | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS | SACK_ROWS | ROW(HEARTBEAT),
    .report = { .covers = { COVERS(SD, 003), COVERS(TX, 020) } },
    .accused = "sender of the SHUTDOWN COMPLETE",
    .clause = "RFC 9260 9.2",
    .title = "Association used after SHUTDOWN COMPLETE",
    .quote = "send a SHUTDOWN COMPLETE chunk to its peer, and remove all record of the association",
    .why = "The peer has no association any more and answers with ABORT.",
    .evidence = "Near the endpoint: DATA, SACK or HEARTBEAT with the old tags left it " SAY(GOING_ON_MS) " ms or "
        "more after its SHUTDOWN COMPLETE without T bit; by another way than the SHUTDOWN COMPLETE, "
        SAY(SCTPA_UNDER_WAY_MS) " ms and " SAY(SCTPA_UNDER_WAY_ROUND_TRIPS) " round trips or more.",
    .doubt = "SHUTDOWN COMPLETE and ABORT that are sent without an association do not count; a new association has new "
        "tags. No packet that the capture missed leads back. " HELD_UP_DOUBT);

static bool SD_016_applies(const sctpa_context_t *c)
{
    const uint64_t others = SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(SHUTDOWN_COMPLETE) |
                            SCTPA_ROW(ABORT) | SCTPA_ROW(INIT) | SCTPA_ROW(COOKIE_ECHO);
    return !(c->rows & others) && teardown_has_sent(c, c->from, STOP_SHUTDOWN_COMPLETE);
}

/* RFC 9260 9.2: "send a SHUTDOWN COMPLETE chunk to its peer, and remove all record of the association" */
static bool SD_016_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    after_stop_t after;
    if (!teardown_is_after(c, STOP_SHUTDOWN_COMPLETE, &after) || !left_after(c, after.since_ns, after.is_same_way))
        return false;
    violation->path = c->path;
    violation->related = after.stop_packet;
    violation->at_best = certainty_of_order(c, after.since_ns);
    sctpa_violation_say(
        violation, "nothing of this association after SHUTDOWN COMPLETE",
        SCTPA_WORDS("%s %.0f ms later", sctpa_chunk_word(&c->chunks[0].tlv), (double)after.since_ns / 1e6));
    return true;
}

/* Was the sender of the packet asked often, and so long ago that the last time reached it, and does it send
 * something else? */
static bool is_unanswered(const sctpa_context_t *c, const shutdown_request_t *asked, uint64_t answers,
                          const char *expected, const char *request, sctpa_violation_t *violation)
{
    int64_t since_ns = c->packet->time_ns -
                       MAX(sctpa_context_time_ns(c, asked->last_packet), sctpa_context_time_ns(c, asked->due_packet));
    if (c->rows & answers || asked->times < SHUTDOWN_ASKED ||
        sctpa_context_least_ns(c, since_ns) <= SHUTDOWN_OVERDUE_S * SCTPA_NS_PER_S)
        return false;
    violation->path = c->path;
    violation->related = asked->last_packet;
    sctpa_violation_say(violation, expected,
                        SCTPA_WORDS("%s, %.1f s after %s was retransmitted", sctpa_chunk_word(&c->chunks[0].tlv),
                                    (double)since_ns / 1e9, request));
    return true;
}

static bool is_asked_by_shutdown(const sctpa_context_t *c)
{
    return teardown(c, !c->from)->shutdowns.times > 0 && has_nothing_to_send(c, c->from);
}

static bool ignores_shutdown(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_unanswered(c, &teardown(c, !c->from)->shutdowns, SCTPA_ROW(SHUTDOWN_ACK) | ends | SCTPA_DATA_ROWS,
                         "SHUTDOWN ACK", "SHUTDOWN", violation);
}

RULE(SD, 005,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = ANY,
    .report = { .one_defect = true },
    .accused = "receiver of the SHUTDOWN",
    .clause = "RFC 9260 9.2",
    .title = "SHUTDOWN not answered with SHUTDOWN ACK",
    .quote = "the SHUTDOWN chunk receiver MUST send a SHUTDOWN ACK chunk",
    .why = "The shutdown hangs until the peer gives up.",
    .evidence = "Near the endpoint: SHUTDOWN passed at least " SAY(SHUTDOWN_ASKED) " times, "
        SAY(SHUTDOWN_ASKED_APART_S) " s or more apart, all data of the endpoint was acknowledged, and over "
        SAY(SHUTDOWN_OVERDUE_S) " s later it sent something that is neither DATA, SHUTDOWN ACK nor ABORT. "
        SCTPA_COUNTED_EVIDENCE,
    .doubt = "One that may wait for a window, or for the answer to ASCONF or RE-CONFIG, is not reported. "
        SCTPA_OWED_DOUBT);

static bool SD_005_applies(const sctpa_context_t *c)
{
    return is_asked_by_shutdown(c) && !teardown_has_sent(c, c->from, STOP_SHUTDOWN);
}

/* RFC 9260 9.2: "the SHUTDOWN chunk receiver MUST send a SHUTDOWN ACK chunk" */
static bool SD_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return ignores_shutdown(c, violation);
}

RULE(SD, 014,
    .level = SHOULD, .since = 2960, .seeing = MUST_HAVE, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = ANY,
    .report = { .one_defect = true },
    .accused = "receiver of the SHUTDOWN",
    .clause = "RFC 9260 9.2",
    .title = "SHUTDOWN in SHUTDOWN-SENT not answered with SHUTDOWN ACK",
    .quote = "the endpoint SHOULD respond immediately with a SHUTDOWN ACK chunk to its peer",
    .why = "Both endpoints repeat SHUTDOWN until they give up.",
    .evidence = "As for SD-005, and the endpoint had sent SHUTDOWN itself.",
    .doubt = "A single SHUTDOWN may be lost on the way: " SAY(SHUTDOWN_ASKED) " of the peer's, "
        SAY(SHUTDOWN_ASKED_APART_S) " s or more apart, must have passed near the endpoint before it goes on. "
        SCTPA_OWED_DOUBT);

static bool SD_014_applies(const sctpa_context_t *c)
{
    return is_asked_by_shutdown(c) && teardown_has_sent(c, c->from, STOP_SHUTDOWN);
}

/* RFC 9260 9.2, in SHUTDOWN-SENT: "the endpoint SHOULD respond immediately with a SHUTDOWN ACK chunk to its peer" */
static bool SD_014_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return ignores_shutdown(c, violation);
}

static bool ignores_ack(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_unanswered(c, &teardown(c, !c->from)->acks, ends, "SHUTDOWN COMPLETE", "SHUTDOWN ACK", violation);
}

RULE(SD, 009,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = ANY,
    .report = { .one_defect = true },
    .accused = "receiver of the SHUTDOWN ACK",
    .clause = "RFC 9260 9.2",
    .title = "SHUTDOWN ACK not answered with SHUTDOWN COMPLETE",
    .quote = "the sender of the SHUTDOWN chunk MUST stop the T2-shutdown timer, send a SHUTDOWN COMPLETE chunk to its "
        "peer",
    .why = "The shutdown hangs until the peer gives up.",
    .evidence = "Near the endpoint: SHUTDOWN ACK passed at least " SAY(SHUTDOWN_ASKED) " times, "
        SAY(SHUTDOWN_ASKED_APART_S) " s or more apart, and over " SAY(SHUTDOWN_OVERDUE_S) " s later it "
        "sent something that is neither SHUTDOWN COMPLETE nor ABORT. " SCTPA_COUNTED_EVIDENCE,
    .doubt = SCTPA_OWED_DOUBT);

static bool SD_009_applies(const sctpa_context_t *c)
{
    return teardown(c, !c->from)->acks.times > 0 && teardown_has_sent(c, c->from, STOP_SHUTDOWN) &&
           !teardown_has_sent(c, c->from, STOP_SHUTDOWN_ACK);
}

/* RFC 9260 9.2: "the sender of the SHUTDOWN chunk MUST stop the T2-shutdown timer, send a SHUTDOWN COMPLETE chunk to
 * its peer" */
static bool SD_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return ignores_ack(c, violation);
}

RULE(SD, 015,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = ANY,
    .report = { .one_defect = true },
    .accused = "receiver of the SHUTDOWN ACK",
    .clause = "RFC 9260 9.2",
    .title = "SHUTDOWN ACK in SHUTDOWN-ACK-SENT not answered with SHUTDOWN COMPLETE",
    .quote = "it MUST stop the T2-shutdown timer, send a SHUTDOWN COMPLETE chunk to its peer",
    .why = "Both endpoints repeat SHUTDOWN ACK until they give up.",
    .evidence = "As for SD-009, and the endpoint had sent SHUTDOWN ACK itself.",
    .doubt = SCTPA_OWED_DOUBT);

static bool SD_015_applies(const sctpa_context_t *c)
{
    return teardown(c, !c->from)->acks.times > 0 && teardown_has_sent(c, c->from, STOP_SHUTDOWN_ACK);
}

/* RFC 9260 9.2, in SHUTDOWN-ACK-SENT: "it MUST stop the T2-shutdown timer, send a SHUTDOWN COMPLETE chunk to its peer"
 */
static bool SD_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return ignores_ack(c, violation);
}

RULE(SD, 008,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = ANY,
    .accused = "sender of the SHUTDOWN",
    .clause = "RFC 9260 9.2",
    .title = "DATA above a gap, or again, in SHUTDOWN-SENT answered without SACK",
    .quote = "then a SACK chunk MUST also be sent.",
    .why = "The peer retransmits what has arrived.",
    .evidence = "The capture is asserted to be complete and taken at the endpoint. DATA came in SHUTDOWN-SENT, a "
        "SHUTDOWN followed whose Cumulative TSN Ack lies more than one below its TSN, and no SACK within "
        SAY(SHUTDOWN_ANSWER_MS) " ms of the DATA; or a TSN came again that the endpoint had acknowledged. "
        SCTPA_OWED_EVIDENCE,
    .doubt = "Without both assertions the DATA may be lost between capture point and receiver: not checked. What an "
        "endpoint without a window drops need not be reported.");

static bool SD_008_applies(const sctpa_context_t *c)
{
    return teardown_untold(c) != SCTPA_NO_PACKET_INDEX && sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
}

/* RFC 9260 9.2: "there are TSNs that can be acknowledged that are larger than the cumulative TSN and thus gaps exist in
 * the TSN sequence) or if duplicate TSNs have been received, then a SACK chunk MUST also be sent" */
static bool SD_008_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    violation->path = c->path;
    violation->related = teardown_untold(c);
    violation->rests_on = SCTPA_ASSERTED_ARRIVED;
    sctpa_violation_say(violation, "SHUTDOWN and a SACK, which reports what came above the gap", "SHUTDOWN alone");
    return true;
}

static const uint64_t data_answers = SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK) | ends;

RULE(SD, 007,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .span = SCTPA_SPAN_EVIDENCE,
    .when = PACKET, .of = OF_SENDER, .on = ANY,
    .report = { .from = SHUTDOWN_UNANSWERED, .at_once_if = IF_COMPLETE, .in_a_row = true },
    .accused = "sender of the SHUTDOWN",
    .clause = "RFC 9260 9.2",
    .title = "DATA in SHUTDOWN-SENT not answered with SHUTDOWN",
    .quote = "the SHUTDOWN chunk sender MUST immediately respond to each received packet containing one or more DATA "
        "chunks with a SHUTDOWN chunk",
    .why = "The peer does not learn that it should finish.",
    .evidence = "Near the endpoint: " SAY(SHUTDOWN_UNANSWERED) " times in a row its SACK shows that DATA "
        "arrived, and it sends something else over " SAY(SHUTDOWN_ANSWER_MS) " ms later, without a SHUTDOWN in "
        "between. " SCTPA_COUNTED_EVIDENCE,
    .doubt = "Without the SACK the DATA may have been lost between capture point and endpoint; one SHUTDOWN may be "
        "missing from the capture. " SCTPA_OWED_DOUBT);

static bool SD_007_applies(const sctpa_context_t *c)
{
    const shutdown_data_t *data = &teardown(c, c->from)->data;
    return data->is_waiting && teardown_is_same(c) && (c->rows & data_answers || teardown_is_data_overdue(c, data));
}

/* RFC 9260 9.2: "the SHUTDOWN chunk sender MUST immediately respond to each received packet containing one or more DATA
 * chunks with a SHUTDOWN chunk" */
static bool SD_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const shutdown_data_t *data = &teardown(c, c->from)->data;
    if (c->rows & data_answers)
        return false;
    violation->path = c->path;
    violation->related = data->packet;
    sctpa_violation_say(violation, "SHUTDOWN at once",
                        SCTPA_WORDS("SACK alone, no SHUTDOWN for %.0f ms",
                                    (double)(c->packet->time_ns - sctpa_context_time_ns(c, data->packet)) / 1e6));
    return true;
}

RULE(SD, 026,
    .level = HEURISTIC, .since = 2960, .seeing = MUST_HAVE, .needs = CHECKSUM | BOTH | NEAR,
    .when = PACKET, .of = OF_PEER, .on = ROW(SHUTDOWN_ACK), .certainty = SCTPA_CERTAINTY_POSSIBLE,
    .report = { .once = true },
    .accused = "sender of the SHUTDOWN",
    .clause = "RFC 9260 9.2",
    .title = "SHUTDOWN ACK never answered",
    .quote = "the sender of the SHUTDOWN chunk MUST stop the T2-shutdown timer, send a SHUTDOWN COMPLETE chunk to its "
        "peer",
    .why = "The peer keeps the association and its port until it has retransmitted SHUTDOWN ACK as often as it may.",
    .evidence = "Near the endpoint: it sent SHUTDOWN, and nothing since then, while SHUTDOWN ACK passed towards it "
        "more than " SAY(SHUTDOWN_ACKS_IGNORED) " times, each " SAY(SHUTDOWN_ASKED_APART_S) " s or more "
        "after the one before.",
    .doubt = "A host that was switched off, or cut off from the network, is silent too.");

static bool SD_026_applies(const sctpa_context_t *c)
{
    return teardown(c, c->from)->acks.times > 0 && teardown_has_sent(c, !c->from, STOP_SHUTDOWN) &&
           !teardown_has_sent(c, !c->from, STOP_SHUTDOWN_ACK) &&
           !teardown_has_sent(c, !c->from, STOP_SHUTDOWN_COMPLETE) && !teardown_has_sent(c, !c->from, STOP_ABORT);
}

/* RFC 9260 9.2: "the sender of the SHUTDOWN chunk MUST stop the T2-shutdown timer, send a SHUTDOWN COMPLETE chunk to
 * its peer" */
static bool SD_026_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const endpoint_teardown_t *asking = teardown(c, c->from);
    if (asking->acks.times < SHUTDOWN_ACKS_IGNORED || asking->repeats < SHUTDOWN_ACKS_IGNORED)
        return false;
    violation->related = asking->stops[STOP_SHUTDOWN_ACK];
    sctpa_violation_say(violation, "SHUTDOWN COMPLETE",
                        SCTPA_WORDS("nothing, while SHUTDOWN ACK was sent %u times", asking->acks.times + 1));
    return true;
}

RULE(SM, 027,
    .level = SHOULD, .since = 2960, .seeing = MUST_HAVE, .needs = COMPLETE | NEAR,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(SHUTDOWN_ACK),
    .accused = "receiver of the SHUTDOWN ACK",
    .clause = "RFC 9260 8.4, 8.5.1 E, 9.2",
    .title = "SHUTDOWN ACK of no association not answered with SHUTDOWN COMPLETE",
    .quote = "If the packet contains a SHUTDOWN ACK chunk, the receiver SHOULD respond to the sender of the OOTB "
        "packet with a SHUTDOWN COMPLETE chunk.",
    .why = "Whoever lost the SHUTDOWN COMPLETE repeats its SHUTDOWN ACK until it gives up.",
    .evidence = SCTPA_OWED_EVIDENCE " It had no association, or was setting one up. Probable as well: it answered by "
        "an ABORT with the T bit, where nothing but SHUTDOWN ACK had reached it.",
    .doubt = SCTPA_OWED_DOUBT " Probable where nothing passed before: the endpoint may have another association.");

RULE(SM, 028,
    .level = SHOULD, .since = 2960, .seeing = MUST_HAVE, .needs = COMPLETE | NEAR,
    .when = DUE, .of = OF_DEBTOR, .on = ANY,
    .accused = "receiver of the packet",
    .clause = "RFC 9260 8.4",
    .title = "Packet of no association not answered with ABORT",
    .quote = "The receiver SHOULD respond to the sender of the OOTB packet with an ABORT chunk.",
    .why = "The sender takes the association for alive until it gives up.",
    .evidence = SCTPA_OWED_EVIDENCE " It had ended the association; the packet holds none of the chunks that are "
        "discarded or answered otherwise.",
    .doubt = SCTPA_OWED_DOUBT " Probable where nothing passed before: the endpoint may have another association.");

RULE(SM, 012,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS | SACK_ROWS | ROW(HEARTBEAT) | ROW(HEARTBEAT_ACK) |
        ROW(SHUTDOWN) | ROW(SHUTDOWN_ACK) | ROW(FORWARD_TSN) | ROW(I_FORWARD_TSN) | ROW(RE_CONFIG) | ROW(ASCONF) |
        ROW(ASCONF_ACK),
    .accused = "endpoint that goes on",
    .clause = "RFC 9260 9.1, 9.2, 8.5.1",
    .title = "Association used after the peer ended it",
    .quote = "The receiver of an ABORT chunk MUST accept the packet if the Verification Tag field of the packet "
        "matches its own tag and the T bit is not set",
    .why = "The peer has no association any more: all that is sent is lost, and answered by ABORT at best.",
    .evidence = SCTPA_ARRIVED_EVIDENCE "an ABORT of the peer reached it with its tag, or a SHUTDOWN COMPLETE after its "
        "SHUTDOWN ACK, and more than " SAY(SCTPA_SACK_LONGEST_MS) " ms later it sends a packet of the same "
        "association. Probable from " SAY(SCTPA_UNDER_WAY_MS) " ms on: its host would have to be busy for so long. "
        "Elsewhere, near the endpoint: probable where it was told so " SAY(SCTPA_UNANSWERED) " times in a row, each "
        "well after the one before, and went on.",
    .doubt = "A new INIT, INIT ACK or COOKIE ECHO begins another association. An ABORT from an address that the peer "
        "did not list, with AUTH, or without AUTH where the endpoint asks for it, or while an ASCONF of the endpoint "
        "is not answered (RFC 5061 5.3 F4), may be discarded: not checked.");

static bool SM_012_applies(const sctpa_context_t *c)
{
    return sctpa_obligations_ended_by_peer(c) != SCTPA_NO_PACKET_INDEX &&
           (sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED) || sctpa_obligations_told(c) >= SCTPA_UNANSWERED);
}

/* RFC 9260 9.1: "it MUST remove the association from its record"; 8.5.1 B: "MUST accept the packet" */
static bool SM_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const uint32_t end = sctpa_obligations_ended_by_peer(c);
    const int64_t since_ns = sctpa_context_least_since_ns(c, end);
    if (since_ns <= sctpa_receiver_patience_ns(c, c->from, SCTPA_UNDER_WAY_MS * SCTPA_NS_PER_MS))
        return false;
    const bool is_asserted = sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
    if (!is_asserted || since_ns <= sctpa_receiver_patience_ns(c, c->from, SCTPA_OWED_MS * SCTPA_NS_PER_MS))
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    violation->path = c->path;
    violation->related = violation->since = end;
    violation->rests_on = is_asserted ? SCTPA_ASSERTED_ARRIVED : 0;
    sctpa_violation_say(
        violation, "nothing more of this association",
        SCTPA_WORDS("%s %.3f s after the peer ended it", sctpa_chunk_word(&c->chunks[0].tlv), (double)since_ns / 1e9));
    return true;
}

/* Did the association begin in the capture? */
static bool has_begun_here(const sctpa_context_t *c)
{
    return c->assoc->setup.steps[SCTPA_STEP_INIT].count > 0;
}

RULE(SD, 027,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = COMPLETE | NEAR | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ROW(SHUTDOWN_ACK),
    .accused = "sender of the SHUTDOWN ACK",
    .clause = "RFC 9260 9.2, 8.5.1",
    .title = "SHUTDOWN ACK that no SHUTDOWN asked for",
    .quote = "If the receiver of the SHUTDOWN chunk has no more outstanding DATA chunks, the SHUTDOWN chunk "
        "receiver MUST send a SHUTDOWN ACK chunk",
    .why = "The peer is told that it asked for the end of the association, or waits for the chunk that is due instead.",
    .evidence = SCTPA_ARRIVED_EVIDENCE "no SHUTDOWN reached it.",
    .doubt = "An association that began before the capture may have been told earlier: not checked.");

static bool SD_027_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED) && has_begun_here(c);
}

/* "the SHUTDOWN chunk receiver MUST send a SHUTDOWN ACK chunk" */
static bool SD_027_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return sctpa_is_unasked(c, SCTPA_CHUNK_ROW_SHUTDOWN_ACK, "no SHUTDOWN ACK without a SHUTDOWN", violation);
}

RULE(SD, 028,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = COMPLETE | NEAR | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ROW(SHUTDOWN_COMPLETE),
    .accused = "sender of the SHUTDOWN COMPLETE",
    .clause = "RFC 9260 9.2, 8.5.1, 4",
    .title = "SHUTDOWN COMPLETE that no SHUTDOWN ACK asked for",
    .quote = "Upon the receipt of the SHUTDOWN ACK chunk, the sender of the SHUTDOWN chunk MUST stop the "
        "T2-shutdown timer, send a SHUTDOWN COMPLETE chunk to its peer",
    .why = "The association is torn down though nobody agreed to end it.",
    .evidence = SCTPA_ARRIVED_EVIDENCE "more SHUTDOWN COMPLETEs "
        "than SHUTDOWN ACKs that reached it while it was not simply established.",
    .doubt = "An association that began before the capture may have been told earlier: not checked.");

static bool SD_028_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED) && has_begun_here(c);
}

/* "Upon the receipt of the SHUTDOWN ACK chunk, the sender of the SHUTDOWN chunk MUST ... send a SHUTDOWN COMPLETE
 * chunk"
 */
static bool SD_028_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return sctpa_is_unasked(c, SCTPA_CHUNK_ROW_SHUTDOWN_COMPLETE,
                            "silence, without a SHUTDOWN ACK that ends a shutdown", violation);
}

static bool is_backing_off(const sctpa_context_t *c, sctpa_retransmitted_t request)
{
    return sctpa_retransmissions_backing_off(c, request) != NULL;
}

RULE(SD, 010,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = BOTH | COMPLETE | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ROW(SHUTDOWN) | ROW(SHUTDOWN_ACK),
    .report = { .one_defect = true },
    .accused = "sender of the chunk",
    .clause = "RFC 9260 9.2, 6.3.3 E2",
    .title = "T2-shutdown not backed off",
    .quote = "The rules in Section 6.3 MUST be followed to determine the proper timer value for T2-shutdown.",
    .why = "An endpoint that does not double its timeout gives its peer less time than it allows, and fills the path.",
    .evidence = SCTPA_BACKING_OFF_EVIDENCE " A SHUTDOWN ACK is taken to answer a SHUTDOWN that waits for it, and to "
        "restart the timer; then the capture must be asserted to be taken at the endpoint.",
    .doubt = "Any packet of the peer may restart the timer of a SHUTDOWN. " SCTPA_BACKING_OFF_DOUBT);

static bool SD_010_applies(const sctpa_context_t *c)
{
    return is_backing_off(c, SCTPA_RETRANSMITTED_SHUTDOWN) || is_backing_off(c, SCTPA_RETRANSMITTED_SHUTDOWN_ACK);
}

/* "The rules in Section 6.3 MUST be followed to determine the proper timer value for T2-shutdown." */
static bool SD_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return sctpa_is_not_backed_off(c, SCTPA_RETRANSMITTED_SHUTDOWN, violation) ||
           sctpa_is_not_backed_off(c, SCTPA_RETRANSMITTED_SHUTDOWN_ACK, violation);
}

RULE(SD, 025,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = BOTH | COMPLETE | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ANY,
    .accused = "sender of SHUTDOWN or SHUTDOWN ACK",
    .clause = "RFC 9260 9.2",
    .title = "SHUTDOWN or SHUTDOWN ACK not repeated",
    .quote = "If the timer expires, the endpoint MUST resend the SHUTDOWN",
    .why = "Where the chunk was lost, neither endpoint ever leaves the association.",
    .evidence = "Where the user asserts RTO.Max and a complete capture: no answer to the chunk, and no repeat for "
        SAY(SHUTDOWN_UNREPEATED_S) " s and three times RTO.Max, while its sender sends other packets; in "
        SAY(SHUTDOWN_UNREPEATED_EXPIRIES) " silences of the peer or more T2-shutdown must have expired.",
    .doubt = "Any packet of the peer restarts the timer; a repeat that was lost before the capture point doubled it. "
        "Both are counted in the endpoint's favour.");

static bool SD_025_applies(const sctpa_context_t *c)
{
    const sctpa_requester_t *requester = sctpa_retransmissions(c, c->from);
    return requester && requester->shutdown.packet != SCTPA_NO_PACKET_INDEX && requester->shutdown.expiries > 0 &&
           sctpa_context_is_asserted(c, SCTPA_BACKING_OFF_RESTS_ON);
}

/* "If the timer expires, the endpoint MUST resend the SHUTDOWN chunk": "the endpoint MUST resend the SHUTDOWN ACK
 * chunk" */
static bool SD_025_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_shutdown_wait_t *wait = &sctpa_retransmissions(c, c->from)->shutdown;
    int64_t since_ns = c->packet->time_ns - sctpa_context_time_ns(c, wait->packet);
    int64_t rto_max_ns = sctpa_tap_parameter(&c->reference->tap, c->from, SCTPA_PARAMETER_RTO_MAX, 0);
    if (wait->expiries < SHUTDOWN_UNREPEATED_EXPIRIES ||
        sctpa_context_least_ns(c, since_ns) < MAX(SHUTDOWN_UNREPEATED_S * SCTPA_NS_PER_S, 3 * rto_max_ns))
        return false;
    violation->path = c->path;
    violation->related = violation->since = wait->packet;
    violation->rests_on = SCTPA_BACKING_OFF_RESTS_ON;
    sctpa_violation_say(violation, "the chunk again when T2-shutdown expires",
                        SCTPA_WORDS("no repeat for %.0f s, in which the timer expired %u times",
                                    1e-9 * (double)since_ns, wait->expiries));
    return true;
}

RULE(SD, 029,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = COMPLETE | NEAR,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(SHUTDOWN),
    .accused = "sender of the SHUTDOWN",
    .clause = "RFC 9260 9.2, 6.3",
    .title = "SHUTDOWN not repeated when T2-shutdown expires",
    .quote = "If the timer expires, the endpoint MUST resend the SHUTDOWN chunk",
    .why = "One lost packet and the association waits until somebody else acts.",
    .evidence = SCTPA_TIMER_EVIDENCE,
    .doubt = SCTPA_TIMER_DOUBT);

RULE(SD, 030,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = COMPLETE | NEAR,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(SHUTDOWN_ACK),
    .accused = "sender of the SHUTDOWN ACK",
    .clause = "RFC 9260 9.2, 6.3",
    .title = "SHUTDOWN ACK not repeated when T2-shutdown expires",
    .quote = "If the timer expires, the endpoint MUST resend the SHUTDOWN ACK chunk",
    .why = "One lost packet and the association waits until somebody else acts.",
    .evidence = SCTPA_TIMER_EVIDENCE,
    .doubt = SCTPA_TIMER_DOUBT);

void sctpa_check_shutdown(sctpa_context_t *c)
{
    if (c->due) {
        ASK_DUE(SD, 005, SHUTDOWN);
        ASK_DUE(SD, 007, SHUTDOWN_SENT_DATA);
        ASK_DUE(SD, 008, SHUTDOWN_SENT_DUPLICATE);
        ASK_DUE(SD, 014, CROSSED_SHUTDOWN);
        ASK_DUE(SD, 009, SHUTDOWN_ACK);
        ASK_DUE(SD, 015, CROSSED_SHUTDOWN_ACK);
        ASK_DUE(SD, 029, T2_SHUTDOWN);
        ASK_DUE(SD, 030, T2_SHUTDOWN_ACK);
        ASK_DUE(SM, 027, OOTB_SHUTDOWN_ACK);
        ASK_DUE(SM, 028, OOTB);
        return;
    }
    if (!teardown_concerns(c))
        return;
    ASK(SD, 001);
    ASK(SD, 002);
    ASK(SD, 003);
    ASK(TX, 020);
    ASK(SM, 023);
    ASK(SD, 005);
    ASK(SD, 006);
    ASK(SD, 007);
    ASK(SD, 008);
    ASK(SD, 009);
    ASK(SD, 011);
    ASK(SD, 012);
    ASK(SD, 014);
    ASK(SD, 015);
    ASK(SD, 016);
    ASK(SM, 011);
    ASK(SM, 010);
    ASK(SM, 012);
    ASK(HS, 033);
    ASK(SD, 010);
    ASK(SD, 025);
    ASK(SD, 026);
    ASK(SD, 027);
    ASK(SD, 028);
    teardown_take(c);
}
