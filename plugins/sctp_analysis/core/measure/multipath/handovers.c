/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moves, by walking the TSNs; handovers, from moves that stayed, and ASCONFs. */
#include "handovers.h"

#include "track/tracked.h"

typedef struct {
    const sctpa_series_source_t *source;
    sctpa_moves_t moves;
    uint32_t packet; /* of the new data before, and ... */
    uint16_t path;   /* ... its path, SCTPA_SERIES_ANY_PATH none */
} moving_t;

/* What passes first behind a higher TSN may be a retransmission of what was lost before the capture: no new data. */
static void move_follow_tsn(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    moving_t *moving = user;
    uint16_t path = sctpa_series_first_path(moving->source, tsn);
    (void)number;
    if (tsn->state & SCTPA_TSN_BEHIND)
        return;
    if (moving->path != SCTPA_SERIES_ANY_PATH && path != moving->path) {
        if (moving->moves.n < SCTPA_MOVES_KEPT)
            moving->moves.first[moving->moves.n] =
                (sctpa_move_t){ tsn->first_packet, moving->packet, moving->path, path };
        moving->moves.n++;
    }
    moving->packet = tsn->first_packet;
    moving->path = path;
}

sctpa_moves_t sctpa_moves_measure(const sctpa_series_source_t *source)
{
    moving_t moving = { .source = source, .path = SCTPA_SERIES_ANY_PATH };
    if (source->direction)
        sctpa_direction_each(source->direction, move_follow_tsn, &moving);
    return moving.moves;
}

typedef struct {
    const sctpa_source_t *source;
    const sctpa_assoc_t *assoc;
    uint8_t end;
    GArray *found;              /* sctpa_handover_t */
    const sctpa_addr_t *before; /* the source of the new data before, NULL none */
    uint32_t *oldest; /* by ack: first transmission of the oldest TSN that it acks, SCTPA_NO_PACKET_INDEX none */
} walk_t;

static sctpa_handover_t *handover_at(const walk_t *walk, guint at)
{
    return &g_array_index(walk->found, sctpa_handover_t, at);
}

static const sctpa_addr_t *source_of(const walk_t *walk, uint32_t packet)
{
    const sctpa_record_t *record = sctpa_source_record(walk->source, packet);
    const sctpa_end_t *end = &walk->assoc->ends[walk->end];
    return record->pair < end->n_pairs && record->from == walk->end ? end->pairs[record->pair]->source : NULL;
}

static int64_t time_ns(const walk_t *walk, uint32_t packet)
{
    return sctpa_source_stamp(walk->source, packet)->time_ns;
}

/* --- which there are --- */

static void add(walk_t *walk, uint32_t packet, uint16_t from, uint16_t to)
{
    const sctpa_handover_t handover = { .packet = packet,
                                        .frame = sctpa_source_record(walk->source, packet)->frame,
                                        .from = from,
                                        .to = to,
                                        .acked_packet = SCTPA_NO_PACKET_INDEX,
                                        .gap_ns = -1,
                                        .gap_since = SCTPA_NO_PACKET_INDEX,
                                        .gap_until = SCTPA_NO_PACKET_INDEX,
                                        .old_answered_packet = SCTPA_NO_PACKET_INDEX };
    g_array_append_val(walk->found, handover);
}

static void add_moves(walk_t *walk)
{
    const sctpa_switching_t *switching = walk->assoc->ends[walk->end].rare->switching;
    for (uint32_t i = 0; switching && i < MIN(switching->primary_changes, SCTPA_MOVES_MAX); i++) {
        const sctpa_stayed_move_t *move = &switching->moves[i];
        add(walk, move->packet, move->from, move->to);
        for (uint32_t j = 0; j < MIN(switching->n_failovers, SCTPA_FAILOVERS_MAX); j++)
            if (switching->failovers[j].frame == move->frame)
                handover_at(walk, walk->found->len - 1)->failover = &switching->failovers[j];
    }
}

/* Does a request take the old address away, or offer the new one? */
static bool concerns(const sctpa_address_request_t *request, const sctpa_addr_t *from, const sctpa_addr_t *to)
{
    if (request->kind == SCTPA_ADDRESS_DELETE)
        return from && sctpa_addr_equal(&request->addr, from) != request->is_all_but;
    return to && sctpa_addr_equal(&request->addr, to);
}

/* The last of an endpoint after one frame, up to another. Set Primary asks the peer where to send (RFC 5061 4.2.4), not
 * the endpoint itself. */
static const sctpa_address_request_t *request_of(const walk_t *walk, uint8_t asker, uint32_t after, uint32_t until,
                                                 const sctpa_addr_t *from, const sctpa_addr_t *to)
{
    const sctpa_end_rare_t *rare = walk->assoc->ends[asker].rare;
    for (uint32_t i = rare->n_address_requests; i > 0; i--) {
        const sctpa_address_request_t *request = &rare->address_requests[i - 1];
        const bool asks_peer = asker == walk->end && request->kind == SCTPA_ADDRESS_PRIMARY;
        if (request->asked_frame > after && request->asked_frame <= until && !asks_peer && concerns(request, from, to))
            return request;
    }
    return NULL;
}

static void note_source(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    walk_t *walk = user;
    (void)number;
    if (tsn->state & (SCTPA_TSN_LATE | SCTPA_TSN_EARLIER_UNSEEN))
        return;
    const sctpa_addr_t *source = source_of(walk, tsn->first_packet), *before = walk->before;
    walk->before = source ? source : before;
    if (!source || !before || source == before || walk->found->len >= SCTPA_MOVES_MAX + SCTPA_ADDRESS_REQUESTS_MAX)
        return;
    const sctpa_record_t *record = sctpa_source_record(walk->source, tsn->first_packet);
    if (request_of(walk, walk->end, 0, record->frame, before, source)) {
        add(walk, tsn->first_packet, record->path, record->path);
        handover_at(walk, walk->found->len - 1)->source_from = before;
    }
}

static int packet_order(gconstpointer a, gconstpointer b)
{
    const sctpa_handover_t *x = a, *y = b;
    if (x->packet != y->packet)
        return x->packet < y->packet ? -1 : 1;
    return (x->from == x->to) - (y->from == y->to);
}

/* One where path and source changed together is one handover. */
static void join_same(GArray *found)
{
    for (guint i = 1; i < found->len;) {
        sctpa_handover_t *before = &g_array_index(found, sctpa_handover_t, i - 1),
                         *at = &g_array_index(found, sctpa_handover_t, i);
        if (at->packet != before->packet) {
            i++;
            continue;
        }
        before->source_from = at->source_from;
        g_array_remove_index(found, i);
    }
}

static const sctpa_addr_t *destination_of(const walk_t *walk, uint16_t path)
{
    const sctpa_end_t *end = &walk->assoc->ends[walk->end];
    return path < end->n_paths ? end->paths[path].destination : NULL;
}

/* The later of two requests, NULL none. */
static const sctpa_address_request_t *later(const sctpa_address_request_t *one, const sctpa_address_request_t *other)
{
    return !one || (other && other->asked_frame > one->asked_frame) ? other : one;
}

static void find_request(walk_t *walk, guint at)
{
    sctpa_handover_t *handover = handover_at(walk, at);
    const uint32_t after = at > 0 ? handover_at(walk, at - 1)->frame : 0;
    handover->source_to = source_of(walk, handover->packet);
    if (handover->from != handover->to)
        handover->request = request_of(walk, !walk->end, after, handover->frame, destination_of(walk, handover->from),
                                       destination_of(walk, handover->to));
    if (handover->source_from)
        handover->request = later(handover->request, request_of(walk, walk->end, after, handover->frame,
                                                                handover->source_from, handover->source_to));
    else
        handover->source_from = handover->source_to;
}

/* --- what they did --- */

/* When the old way may have stopped delivering. */
static int64_t began_ns(const walk_t *walk, const sctpa_handover_t *handover)
{
    if (handover->failover)
        return handover->failover->trouble.unanswered_ns;
    if (handover->request && handover->request->kind != SCTPA_ADDRESS_ADD)
        return handover->request->asked_ns;
    return time_ns(walk, handover->packet);
}

/* How many of the handovers have begun by a packet. O(log handovers). */
static guint begun_by(const walk_t *walk, uint32_t packet)
{
    return sctpa_array_from(walk->found, packet + 1);
}

static bool is_old_way(const walk_t *walk, const sctpa_handover_t *handover, uint32_t packet)
{
    if (handover->from != handover->to)
        return sctpa_source_record(walk->source, packet)->path == handover->from;
    return source_of(walk, packet) == handover->source_from;
}

static bool is_new_way(const walk_t *walk, const sctpa_handover_t *handover, uint32_t packet)
{
    return sctpa_source_record(walk->source, packet)->path == handover->to &&
           source_of(walk, packet) == handover->source_to;
}

static void note_answer(const walk_t *walk, uint32_t sent, uint32_t answered)
{
    const guint begun = begun_by(walk, answered);
    sctpa_handover_t *handover = begun > 0 ? handover_at(walk, begun - 1) : NULL;
    if (handover && answered > handover->packet && is_old_way(walk, handover, sent))
        handover->old_answered_packet = MIN(handover->old_answered_packet, answered);
}

static void note_ack(const walk_t *walk, const sctpa_tsn_t *tsn, uint32_t acked)
{
    const guint begun = begun_by(walk, tsn->first_packet);
    sctpa_handover_t *handover = begun > 0 ? handover_at(walk, begun - 1) : NULL;
    if (handover && is_new_way(walk, handover, tsn->first_packet))
        handover->acked_packet = MIN(handover->acked_packet, acked);
    note_answer(walk, tsn->first_packet, acked);
}

static void note_rtx(const walk_t *walk, const sctpa_tsn_t *tsn, const sctpa_rtx_t *rtx)
{
    const guint at = begun_by(walk, rtx->previous);
    if (at == walk->found->len || begun_by(walk, rtx->packet) > at + 1)
        return;
    sctpa_handover_t *handover = handover_at(walk, at);
    if (!is_old_way(walk, handover, rtx->previous) || time_ns(walk, rtx->packet) < began_ns(walk, handover))
        return;
    handover->retransmitted++;
    handover->spurious += sctpa_direction_is_spurious(walk->source->direction, tsn, rtx);
}

static void note_oldest(const walk_t *walk, uint32_t sent, uint32_t acked)
{
    const sctpa_records_t *records = &walk->source->direction->acked;
    const uint32_t at = sctpa_records_from(records->data, records->len, sizeof(sctpa_acked_t), acked);
    if (at < records->len)
        walk->oldest[at] = MIN(walk->oldest[at], sent);
}

static void follow_tsn(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    const walk_t *walk = user;
    const uint32_t acked = MIN(tsn->gap_packet, tsn->ack_packet);
    (void)number;
    const bool is_acked = acked != SCTPA_NO_PACKET_INDEX && !(tsn->state & (SCTPA_TSN_LATE | SCTPA_TSN_ABANDONED));
    if (is_acked)
        note_oldest(walk, tsn->first_packet, acked);
    if (is_acked && tsn->transmissions == 1)
        note_ack(walk, tsn, acked);
    for (uint32_t at = tsn->more; at != 0; at = sctpa_source_rtx(walk->source, at)->link.before)
        note_rtx(walk, tsn, sctpa_source_rtx(walk->source, at));
}

/* The wait for ack number i, since the ack before, or since the oldest of what it acks was sent. */
static void take_gap(const walk_t *walk, sctpa_handover_t *handover, int64_t since_ns, uint32_t before, uint32_t i)
{
    const uint32_t until = SCTPA_RECORD(&walk->source->direction->acked, sctpa_acked_t, i).packet;
    if (before == SCTPA_NO_PACKET_INDEX || walk->oldest[i] == SCTPA_NO_PACKET_INDEX)
        return;
    const uint32_t since = time_ns(walk, before) > time_ns(walk, walk->oldest[i]) ? before : walk->oldest[i];
    const int64_t gap_ns = time_ns(walk, until) - time_ns(walk, since);
    if (gap_ns <= handover->gap_ns || time_ns(walk, until) <= since_ns)
        return;
    handover->gap_ns = gap_ns;
    handover->gap_since = since;
    handover->gap_until = until;
}

static void find_gap(const walk_t *walk, sctpa_handover_t *handover)
{
    const sctpa_records_t *records = &walk->source->direction->acked;
    const int64_t since_ns = began_ns(walk, handover);
    uint32_t before = SCTPA_NO_PACKET_INDEX;
    handover->acked_ns = time_ns(walk, handover->acked_packet) - time_ns(walk, handover->packet);
    for (uint32_t i = 0; i < records->len; i++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(records, sctpa_acked_t, i);
        if (acked->chunks == 0)
            continue;
        take_gap(walk, handover, since_ns, before, i);
        before = acked->packet;
        if (acked->packet >= handover->acked_packet)
            return;
    }
}

static void follow_heartbeats(const walk_t *walk)
{
    const sctpa_records_t *samples = &walk->source->direction->samples;
    for (uint32_t i = 0; i < samples->len; i++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(samples, sctpa_sample_t, i);
        if (sample->kind == SCTPA_SAMPLE_HEARTBEAT)
            note_answer(walk, sample->started, sample->packet);
    }
}

static bool may_have_any(const sctpa_assoc_t *assoc, uint8_t end)
{
    const sctpa_end_rare_t *rare = assoc->ends[end].rare;
    return (rare->switching && rare->switching->primary_changes > 0) || rare->n_address_requests > 0;
}

GArray *sctpa_handovers_measure(const sctpa_source_t *source, const sctpa_assoc_t *assoc, uint8_t end)
{
    walk_t walk = { source, assoc, end, g_array_new(FALSE, FALSE, sizeof(sctpa_handover_t)), NULL, NULL };
    if (!source->direction || !may_have_any(assoc, end))
        return walk.found;
    add_moves(&walk);
    if (assoc->ends[end].rare->n_address_requests > 0)
        sctpa_direction_each(source->direction, note_source, &walk);
    g_array_sort(walk.found, packet_order);
    join_same(walk.found);
    for (guint at = 0; at < walk.found->len; at++)
        find_request(&walk, at);
    if (walk.found->len == 0 || source->data_only)
        return walk.found;
    walk.oldest = g_new(uint32_t, source->direction->acked.len);
    for (uint32_t i = 0; i < source->direction->acked.len; i++)
        walk.oldest[i] = SCTPA_NO_PACKET_INDEX;
    sctpa_direction_each(source->direction, follow_tsn, &walk);
    follow_heartbeats(&walk);
    for (guint at = 0; at < walk.found->len; at++)
        if (handover_at(&walk, at)->acked_packet != SCTPA_NO_PACKET_INDEX)
            find_gap(&walk, handover_at(&walk, at));
    g_free(walk.oldest);
    return walk.found;
}
