/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows what endpoints ask for by RE-CONFIG. */
#include "reconfig_requests.h"

#include "base/hash.h"
#include "reference/stream_counts.h"

typedef struct {
    sctpa_reconfig_requester_t requesters[2];
    /* what the parameter asked about is to them: */
    sctpa_reconfig_request_t *retransmitted, *answered;
    bool is_new_request;
} requesters_t;

const sctpa_reconfig_requester_t *sctpa_reconfig_requester(const sctpa_context_t *c, uint8_t endpoint)
{
    static const sctpa_reconfig_requester_t none;
    return sctpa_context_part_of(c, SCTPA_PART_STREAMS, endpoint, sizeof none, &none);
}

uint32_t sctpa_reconfig_outbound(const sctpa_context_t *c, uint8_t endpoint)
{
    sctpa_stream_counts_t counts = sctpa_stream_counts(c);
    return sctpa_stream_counts_agreed(&counts, endpoint) + sctpa_reconfig_requester(c, endpoint)->added_streams;
}

static bool is_request(const sctpa_context_t *c)
{
    return sctpa_reconfig_bit(c->param->type) & ~SCTPA_RECONFIG_BIT(RECONFIG_RESPONSE) &&
           c->param->captured_bytes >= c->param->row->fixed_bytes;
}

bool sctpa_reconfig_is_response(const sctpa_context_t *c)
{
    return c->param->type == SCTPA_PARAM_RECONFIG_RESPONSE && c->param->captured_bytes >= c->param->row->fixed_bytes;
}

static sctpa_reconfig_request_t *find(sctpa_reconfig_requester_t *requester, uint32_t seq)
{
    for (unsigned i = 0; i < sctpa_reconfig_kept(requester); i++)
        if (requester->requests[i].seq == seq)
            return &requester->requests[i];
    return NULL;
}

static bool is_above(const sctpa_reconfig_requester_t *requester, uint32_t seq)
{
    return requester->n_requests == 0 || sctpa_serial_distance(requester->newest_seq, seq) > 0;
}

static uint32_t response_seq(const sctpa_context_t *c)
{
    return sctpa_tlv_u32(c->param, SCTPA_F_RECONFIG_RESPONSE_SEQ);
}

static void free_requests(sctpa_arena_t *arena, void *part)
{
    requesters_t *kept = part;
    for (unsigned endpoint = 0; endpoint < 2; endpoint++)
        for (unsigned i = 0; i < SCTPA_RECONFIG_REQUESTS; i++)
            sctpa_stream_set_free(&kept->requesters[endpoint].requests[i].streams, arena);
}

void sctpa_reconfig_observe_param(const sctpa_context_t *c)
{
    requesters_t *kept = sctpa_context_owning_part(c, SCTPA_PART_STREAMS, sizeof *kept, free_requests);
    sctpa_reconfig_requester_t *own = &kept->requesters[c->from], *peer = &kept->requesters[!c->from];
    kept->answered = sctpa_reconfig_is_response(c) ? find(peer, response_seq(c)) : NULL;
    kept->retransmitted = is_request(c) ? find(own, sctpa_reconfig_request_seq(c)) : NULL;
    kept->is_new_request = is_request(c) && !kept->retransmitted && is_above(own, sctpa_reconfig_request_seq(c));
}

const sctpa_reconfig_request_t *sctpa_reconfig_retransmitted(const sctpa_context_t *c)
{
    const requesters_t *kept = sctpa_context_find_part(c, SCTPA_PART_STREAMS);
    return kept->retransmitted;
}

const sctpa_reconfig_request_t *sctpa_reconfig_answered(const sctpa_context_t *c)
{
    const requesters_t *kept = sctpa_context_find_part(c, SCTPA_PART_STREAMS);
    return kept->answered;
}

bool sctpa_reconfig_is_new_request(const sctpa_context_t *c)
{
    const requesters_t *kept = sctpa_context_find_part(c, SCTPA_PART_STREAMS);
    return kept->is_new_request;
}

uint32_t sctpa_reconfig_hash(const sctpa_context_t *c)
{
    /* behind the number of the request, and in an Outgoing SSN Reset that of the response in it */
    uint32_t numbers = c->param->type == SCTPA_PARAM_OUTGOING_RESET ? 2 : 1,
             skip = MIN(SCTPA_TLV_HEADER_BYTES + numbers * 4, c->param->captured_bytes);
    return (uint32_t)sctpa_hash_bytes(sctpa_hash_mix(c->tracker->store.seed, c->param->type), c->param->bytes + skip,
                                      c->param->captured_bytes - skip);
}

const uint8_t *sctpa_reconfig_listed(const sctpa_context_t *c, uint32_t *n)
{
    const sctpa_tlv_t *param = c->param;
    bool has_list = param->type == SCTPA_PARAM_OUTGOING_RESET || param->type == SCTPA_PARAM_INCOMING_RESET;
    *n = has_list ? (param->captured_bytes - param->row->fixed_bytes) / 2 : 0;
    return param->bytes + param->row->fixed_bytes;
}

bool sctpa_reconfig_may_be_asked(const sctpa_context_t *c, uint32_t seq)
{
    const sctpa_reconfig_requester_t *peer = sctpa_reconfig_requester(c, !c->from);
    uint32_t first = c->assoc->ends[!c->from].init.initial_tsn,
             newest = peer->n_requests > 0 ? peer->newest_seq : first;
    if (peer->n_requests > 0 && sctpa_serial_distance(first, peer->first_seq) < 0)
        first = peer->first_seq; /* a wrong number, but that of a request */
    return sctpa_serial_distance(first, seq) >= 0 && sctpa_serial_distance(seq, newest) >= -SCTPA_UNSEEN_REQUESTS;
}

bool sctpa_reconfig_begins_after(const sctpa_reconfig_request_t *request, const sctpa_observed_t *data)
{
    const sctpa_tsn_t *tsn = data->sent.tsn;
    return tsn->flags & SCTPA_TSN_BEGIN && !(tsn->flags & SCTPA_TSN_UNORDERED) &&
           sctpa_reconfig_distance(request, data) > 0 &&
           (!request->has_list || (request->is_list_kept && sctpa_stream_set_has(&request->streams, tsn->stream)));
}

/* A request of the peer that c->param, a request itself, answers. */
static sctpa_reconfig_request_t *implied(const sctpa_context_t *c, sctpa_reconfig_requester_t *peer)
{
    uint32_t answers = sctpa_tlv_u32(c->param, SCTPA_F_OUTGOING_RESET_RESPONSE_SEQ);
    for (unsigned i = 0; i < sctpa_reconfig_kept(peer); i++) {
        sctpa_reconfig_request_t *request = &peer->requests[i];
        if ((c->param->type == SCTPA_PARAM_OUTGOING_RESET && request->type == SCTPA_PARAM_INCOMING_RESET &&
             request->seq == answers) ||
            (c->param->type == SCTPA_PARAM_ADD_OUTGOING && request->type == SCTPA_PARAM_ADD_INCOMING &&
             request->answer == SCTPA_RECONFIG_UNANSWERED))
            return request;
    }
    return NULL;
}

/* Something was sent that must wait for the answer, unless the answer already passed. */
static void note_early(const sctpa_context_t *c, sctpa_reconfig_request_t *request, uint32_t number,
                       bool is_early_request)
{
    if (request->answer != SCTPA_RECONFIG_UNANSWERED || request->packet == c->index ||
        request->early_packet != SCTPA_NO_PACKET_INDEX)
        return;
    request->early_packet = c->index;
    request->early_number = number;
    request->is_early_request = is_early_request;
}

/* Keeps the request in place of the oldest one. */
static void keep(const sctpa_context_t *c, sctpa_reconfig_requester_t *requester)
{
    uint32_t n;
    const uint8_t *listed = sctpa_reconfig_listed(c, &n);
    sctpa_reconfig_request_t *request = &requester->requests[requester->n_requests % SCTPA_RECONFIG_REQUESTS];
    *request = (sctpa_reconfig_request_t){ .seq = sctpa_reconfig_request_seq(c),
                                           .last_tsn = sctpa_tlv_u32(c->param, SCTPA_F_OUTGOING_RESET_LAST_TSN),
                                           .packet = c->index,
                                           .hash = sctpa_reconfig_hash(c),
                                           .type = (uint16_t)c->param->type,
                                           .early_packet = SCTPA_NO_PACKET_INDEX,
                                           .has_list = n > 0,
                                           .is_list_kept = true,
                                           .streams = request->streams };
    request->new_streams = (uint16_t)sctpa_tlv_u32(c->param, SCTPA_F_ADD_OUTGOING_NEW_STREAMS);
    sctpa_stream_set_clear(&request->streams);
    for (uint32_t i = 0; i < n && request->is_list_kept; i++)
        request->is_list_kept = sctpa_stream_set_add(&request->streams, &c->store->arena, sctpa_be16(listed + 2 * i));
    if (requester->n_requests++ == 0)
        requester->first_seq = request->seq;
    requester->newest_seq = request->seq;
}

static void take_request(const sctpa_context_t *c, requesters_t *kept)
{
    sctpa_reconfig_requester_t *requester = &kept->requesters[c->from];
    sctpa_reconfig_request_t *answered = implied(c, &kept->requesters[!c->from]);
    if (kept->retransmitted)
        kept->retransmitted->is_retransmitted = true;
    if (kept->is_new_request) {
        for (unsigned i = 0; !answered && i < sctpa_reconfig_kept(requester); i++)
            note_early(c, &requester->requests[i], sctpa_reconfig_request_seq(c), true);
        if (c->param->type == SCTPA_PARAM_TSN_RESET)
            requester->tsn_reset_ns = c->packet->time_ns;
        keep(c, requester);
    }
    if (answered && answered->answer != SCTPA_RECONFIG_ANSWERED) {
        answered->answer = SCTPA_RECONFIG_ANSWERED;
        answered->result = SCTPA_RECONFIG_IMPLIED;
    }
}

static void take_response(const sctpa_context_t *c, sctpa_reconfig_requester_t *requester,
                          sctpa_reconfig_request_t *request)
{
    uint32_t result = sctpa_tlv_u32(c->param, SCTPA_F_RECONFIG_RESPONSE_RESULT);
    if (is_above(requester, response_seq(c)))
        requester->has_unseen = true;
    if (!request)
        return;
    bool is_final = request->answer == SCTPA_RECONFIG_ANSWERED, is_pending = result == SCTPA_RECONFIG_IN_PROGRESS;
    if (!is_final && result == SCTPA_RECONFIG_PERFORMED && request->type == SCTPA_PARAM_ADD_OUTGOING)
        requester->added_streams += request->new_streams;
    if (!is_final || !is_pending) {
        request->answer = is_pending ? SCTPA_RECONFIG_PENDING : SCTPA_RECONFIG_ANSWERED;
        request->result = result;
    }
}

void sctpa_reconfig_take_param(const sctpa_context_t *c)
{
    requesters_t *kept = sctpa_context_find_part(c, SCTPA_PART_STREAMS);
    if (sctpa_reconfig_is_response(c))
        take_response(c, &kept->requesters[!c->from], kept->answered);
    else if (is_request(c))
        take_request(c, kept);
}

/* New data that must wait for the answer. */
static bool must_wait(const sctpa_context_t *c, const sctpa_reconfig_request_t *request, const sctpa_observed_t *data)
{
    uint32_t count;
    switch (request->type) {
    case SCTPA_PARAM_OUTGOING_RESET: return sctpa_reconfig_begins_after(request, data);
    case SCTPA_PARAM_TSN_RESET: return true;
    case SCTPA_PARAM_ADD_OUTGOING:
        count = sctpa_reconfig_outbound(c, c->from);
        return data->sent.tsn->stream >= count && data->sent.tsn->stream < count + request->new_streams;
    default: return false;
    }
}

void sctpa_reconfig_take_data(const sctpa_context_t *c)
{
    requesters_t *kept = sctpa_context_find_part(c, SCTPA_PART_STREAMS);
    sctpa_reconfig_requester_t *requester = kept ? &kept->requesters[c->from] : NULL;
    if (!requester || requester->n_requests == 0)
        return;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_observed_t *data = &c->chunks[i];
        if (!sctpa_tlv_is_data(&data->tlv) || !sctpa_reconfig_is_new_data(data))
            continue;
        for (unsigned k = 0; k < sctpa_reconfig_kept(requester); k++) {
            sctpa_reconfig_request_t *request = &requester->requests[k];
            if (request->answer == SCTPA_RECONFIG_UNANSWERED && request->early_packet == SCTPA_NO_PACKET_INDEX &&
                must_wait(c, request, data))
                note_early(c, request, sctpa_tlv_u32(&data->tlv, SCTPA_F_DATA_TSN), false);
        }
    }
}
