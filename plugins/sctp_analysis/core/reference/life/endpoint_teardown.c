/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moves on what endpoints have sent and were asked to take an association down. */
#include "endpoint_teardown.h"

#include "endpoint_states.h"
#include "teardown_limits.h"

typedef struct {
    sctpa_endpoint_teardown_t endpoints[2];
} teardown_t;

#define NOT_BEGUN \
    { \
        .stops = { SCTPA_NO_PACKET_INDEX, SCTPA_NO_PACKET_INDEX, SCTPA_NO_PACKET_INDEX, SCTPA_NO_PACKET_INDEX }, \
        .last_abort = SCTPA_NO_PACKET_INDEX \
    }
static const teardown_t not_begun = { { NOT_BEGUN, NOT_BEGUN } };

static const uint64_t teardown_rows =
    SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(ABORT);

const sctpa_endpoint_teardown_t *sctpa_teardown(const sctpa_context_t *c, uint8_t endpoint)
{
    const teardown_t *kept = sctpa_context_find_part(c, SCTPA_PART_TEARDOWN);
    return &(kept ? kept : &not_begun)->endpoints[endpoint];
}

uint32_t sctpa_teardown_ack_sent(const sctpa_context_t *c, const sctpa_assoc_t *other, uint8_t endpoint)
{
    const sctpa_tracked_t *tracked = sctpa_tracked_find(c->tracker, other->number);
    const teardown_t *kept = sctpa_reference_find(c->store, tracked, SCTPA_PART_TEARDOWN);
    bool is_waiting = kept && kept->endpoints[endpoint].acks.times > 0;
    return is_waiting ? kept->endpoints[endpoint].stops[SCTPA_STOP_SHUTDOWN_ACK] : SCTPA_NO_PACKET_INDEX;
}

bool sctpa_teardown_concerns(const sctpa_context_t *c)
{
    return c->rows & teardown_rows || sctpa_context_find_part(c, SCTPA_PART_TEARDOWN);
}

bool sctpa_teardown_has_sent(const sctpa_context_t *c, uint8_t endpoint, sctpa_stop_t stop)
{
    return sctpa_teardown(c, endpoint)->stops[stop] < c->index;
}

bool sctpa_teardown_is_same(const sctpa_context_t *c)
{
    return sctpa_context_vtag(c) == sctpa_teardown(c, c->from)->tag;
}

bool sctpa_teardown_is_after(const sctpa_context_t *c, sctpa_stop_t stop, sctpa_after_stop_t *after)
{
    const sctpa_endpoint_teardown_t *own = sctpa_teardown(c, c->from);
    uint32_t packet = own->stops[stop];
    if (!sctpa_teardown_has_sent(c, c->from, stop) || !sctpa_teardown_is_same(c))
        return false;
    *after = (sctpa_after_stop_t){
        .stop_packet = packet,
        .since_ns = c->packet->time_ns - sctpa_context_time_ns(c, packet),
        .is_same_path = g_array_index(c->tracker->records, sctpa_record_t, packet).path == c->path,
        .new_tsn = -1,
        .stopped_at = stop <= SCTPA_STOP_SHUTDOWN_ACK ? own->highest_tsns[stop] : -1,
    };
    for (unsigned i = 0; stop <= SCTPA_STOP_SHUTDOWN_ACK && c->rows & SCTPA_DATA_ROWS && i < c->n_chunks; i++)
        if (c->chunks[i].sent.tsn && c->chunks[i].sent.number > after->stopped_at)
            after->new_tsn = MAX(after->new_tsn, c->chunks[i].sent.number);
    return true;
}

bool sctpa_teardown_is_abort_of_other_host(const sctpa_context_t *c)
{
    const sctpa_after_abort_t *after = c->tracked->rare->after_abort;
    return after && (after->has_other_ids || after->has_other_ttl);
}

bool sctpa_teardown_is_abort_reply(const sctpa_context_t *c)
{
    const sctpa_endpoint_teardown_t *own = sctpa_teardown(c, c->from);
    return own->last_abort != SCTPA_NO_PACKET_INDEX && own->heard_abort && !own->heard_other;
}

bool sctpa_teardown_is_data_overdue(const sctpa_context_t *c, const sctpa_shutdown_data_t *data)
{
    return data->is_waiting && data->is_sacked &&
           c->packet->time_ns - sctpa_context_time_ns(c, data->packet) > SCTPA_SHUTDOWN_ANSWER_MS * SCTPA_NS_PER_MS;
}

uint32_t sctpa_teardown_untold(const sctpa_context_t *c)
{
    uint32_t untold = sctpa_teardown(c, c->from)->untold;
    bool is_overdue = untold > 0 && c->packet->time_ns - sctpa_context_time_ns(c, untold - 1) >
                                        SCTPA_SHUTDOWN_ANSWER_MS * SCTPA_NS_PER_MS;
    return is_overdue ? untold - 1 : SCTPA_NO_PACKET_INDEX;
}

unsigned sctpa_teardown_outstanding(const sctpa_direction_t *sent, int64_t *first, int64_t *last)
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

static void take_abort(const sctpa_context_t *c, sctpa_endpoint_teardown_t *own, sctpa_endpoint_teardown_t *peer)
{
    const sctpa_tlv_t *abort = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT);
    if (abort && !sctpa_tlv_u32(abort, SCTPA_F_ABORT_M)) {
        own->abort_replies = sctpa_teardown_is_abort_reply(c) ? own->abort_replies + 1 : 0;
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

/* The SHUTDOWN that answers data says nothing of it: it lies above a gap. A receiver without room may have dropped it.
 */
static bool leaves_gap(const sctpa_context_t *c, const sctpa_shutdown_data_t *own)
{
    const sctpa_tlv_t *shutdown = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_SHUTDOWN);
    return shutdown && own->is_waiting && !own->is_told && !(c->rows & SCTPA_SACK_ROWS) &&
           sctpa_tlv_has(shutdown, SCTPA_F_SHUTDOWN_CUM_TSN) &&
           sctpa_serial_distance(sctpa_tlv_u32(shutdown, SCTPA_F_SHUTDOWN_CUM_TSN), own->tsn) > 1 && c->acked &&
           !sctpa_window_is_closed(c->acked->a_rwnd_bytes);
}

/* Data towards the peer while that is in SHUTDOWN-SENT, and the answers of the sender to such data. */
static void take_data(const sctpa_context_t *c, sctpa_shutdown_data_t *own, sctpa_endpoint_teardown_t *peer)
{
    const sctpa_tlv_t *data = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_DATA);
    if (c->rows & teardown_rows || sctpa_teardown_is_data_overdue(c, own))
        own->is_waiting = false;
    own->is_sacked |= own->is_waiting && has_sacked(c, own->tsn);
    own->is_told |= (c->rows & SCTPA_SACK_ROWS) != 0;
    if (data && !peer->data.is_waiting && sctpa_teardown_has_sent(c, !c->from, SCTPA_STOP_SHUTDOWN) &&
        !sctpa_teardown_has_sent(c, !c->from, SCTPA_STOP_SHUTDOWN_ACK) &&
        !sctpa_teardown_has_sent(c, !c->from, SCTPA_STOP_SHUTDOWN_COMPLETE) &&
        !sctpa_teardown_has_sent(c, !c->from, SCTPA_STOP_ABORT))
        peer->data = (sctpa_shutdown_data_t){ c->index, sctpa_tlv_u32(data, SCTPA_F_DATA_TSN), true, false, false };
}

static void ask(const sctpa_context_t *c, sctpa_shutdown_request_t *request)
{
    if (request->times > 0 && c->packet->time_ns - sctpa_context_time_ns(c, request->last_packet) <
                                  SCTPA_SHUTDOWN_ASKED_APART_S * SCTPA_NS_PER_S)
        return;
    request->times++;
    request->last_packet = c->index;
}

/* RFC 9260 9.2: "If a SHUTDOWN chunk is received in the COOKIE-WAIT or COOKIE ECHOED state, the SHUTDOWN chunk SHOULD
 * be silently discarded." */
static bool may_discard_shutdown(const sctpa_context_t *c, uint8_t endpoint)
{
    return sctpa_states_before(c, endpoint) & (1 << SCTPA_STATE_COOKIE_WAIT | 1 << SCTPA_STATE_COOKIE_ECHOED);
}

static void take_requests(const sctpa_context_t *c, sctpa_endpoint_teardown_t *own, sctpa_endpoint_teardown_t *peer)
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

static void note_stop(const sctpa_context_t *c, sctpa_endpoint_teardown_t *own, sctpa_stop_t stop)
{
    if (own->stops[stop] != SCTPA_NO_PACKET_INDEX)
        return;
    own->stops[stop] = c->index;
    own->tag = sctpa_context_vtag(c);
    if (stop <= SCTPA_STOP_SHUTDOWN_ACK)
        own->highest_tsns[stop] = c->sent ? c->sent->highest : -1;
}

static void take_stops(const sctpa_context_t *c, sctpa_endpoint_teardown_t *own)
{
    const sctpa_tlv_t *complete = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_SHUTDOWN_COMPLETE);
    const sctpa_tlv_t *abort = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT);
    if (c->rows & SCTPA_ROW(SHUTDOWN))
        note_stop(c, own, SCTPA_STOP_SHUTDOWN);
    if (c->rows & SCTPA_ROW(SHUTDOWN_ACK))
        note_stop(c, own, SCTPA_STOP_SHUTDOWN_ACK);
    if (complete && !sctpa_tlv_u32(complete, SCTPA_F_SHUTDOWN_COMPLETE_T))
        note_stop(c, own, SCTPA_STOP_SHUTDOWN_COMPLETE);
    if (abort && !sctpa_tlv_u32(abort, SCTPA_F_ABORT_T) && !sctpa_tlv_u32(abort, SCTPA_F_ABORT_M)) {
        own->abort_ttl = own->stops[SCTPA_STOP_ABORT] == SCTPA_NO_PACKET_INDEX ? c->packet->ttl : own->abort_ttl;
        note_stop(c, own, SCTPA_STOP_ABORT);
    }
}

void sctpa_teardown_take(const sctpa_context_t *c)
{
    teardown_t *kept = sctpa_context_find_part(c, SCTPA_PART_TEARDOWN);
    if (!kept) {
        kept = sctpa_context_part(c, SCTPA_PART_TEARDOWN, sizeof *kept);
        *kept = not_begun;
    }
    sctpa_endpoint_teardown_t *own = &kept->endpoints[c->from], *peer = &kept->endpoints[!c->from];
    own->heard = 0;
    peer->heard |= c->rows;
    peer->heard_packet = c->index;
    peer->repeats = 0;
    own->repeats += (c->rows & (SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK))) != 0;
    take_abort(c, own, peer);
    if (c->rows & SCTPA_SACK_ROWS || sctpa_teardown_untold(c) != SCTPA_NO_PACKET_INDEX)
        own->untold = 0;
    if (leaves_gap(c, &own->data))
        own->untold = own->data.packet + 1;
    take_data(c, &own->data, peer);
    take_requests(c, own, peer);
    take_stops(c, own);
}
