/* Judges requests to reset and add streams, and the responses to them (RFC 6525 5.1, 5.2). */
#include "check_streams.h"

#include "base/hash.h"
#include "reconfig_limits.h"

enum { FULL_RESPONSE_BYTES = 20 };

/* expected, seen: sctpa_words_t. */
#define accuse(c, rule, related, expected, seen) \
    sctpa_accuse(c, rule, (c)->from, SCTPA_NO_PATH, related, (expected).text, (seen).text)

static bool is_open(const sctpa_stream_request_t *request)
{
    return request->answer == SCTPA_ANSWER_NONE;
}

/* Type, Last Assigned TSN and streams: what the sender does not change when it sends the request again. */
static uint32_t hash_of(const sctpa_context_t *c, const sctpa_tlv_t *param)
{
    uint32_t skip = MIN(param->type == SCTPA_PARAM_OUTGOING_RESET ? 12 : 8, param->captured_bytes);
    return (uint32_t)sctpa_hash_bytes(sctpa_hash_mix(c->tracker->store.seed, param->type), param->bytes + skip,
                                      param->captured_bytes - skip);
}

static void check_number(sctpa_context_t *c, const sctpa_stream_asker_t *asker, uint32_t seq)
{
    if (asker->has_unseen)
        return;
    if (asker->n_requests == 0) {
        uint32_t initial_tsn = c->assoc->ends[c->from].init.initial_tsn;
        /* "initialized to the same value as the initial TSN" */
        if (sctpa_may_judge(c, SCTPA_RULE_RC_002, c->from) && seq != initial_tsn)
            accuse(c, SCTPA_RULE_RC_002, SCTPA_NO_PACKET_INDEX, sctpa_words("number %u, its initial TSN", initial_tsn),
                   sctpa_words("%u", seq));
        return;
    }
    /* "The next re-configuration request sequence number MUST then be incremented by 1" */
    if (sctpa_may_judge(c, SCTPA_RULE_RC_003, c->from) && seq != asker->newest_seq + 1)
        accuse(c, SCTPA_RULE_RC_003, SCTPA_NO_PACKET_INDEX, sctpa_words("number %u", asker->newest_seq + 1),
               sctpa_words("%u", seq));
}

/* A request of the peer that waits for an answer which is a request itself. */
static sctpa_stream_request_t *implied(sctpa_stream_asker_t *peer, const sctpa_tlv_t *param)
{
    bool is_reset = param->type == SCTPA_PARAM_OUTGOING_RESET;
    uint32_t response_seq = sctpa_tlv_u32(param, SCTPA_F_OUTGOING_RESET_RESPONSE_SEQ);
    for (unsigned i = 0; i < MIN(peer->n_requests, SCTPA_STREAMS_REQUESTS); i++) {
        sctpa_stream_request_t *request = &peer->requests[i];
        if ((is_reset && request->type == SCTPA_PARAM_INCOMING_RESET && request->seq == response_seq) ||
            (param->type == SCTPA_PARAM_ADD_OUTGOING && request->type == SCTPA_PARAM_ADD_INCOMING && is_open(request)))
            return request;
    }
    return NULL;
}

/* Whether those before were still in flight shows when they are answered. */
static void note_in_flight(const sctpa_context_t *c, sctpa_stream_asker_t *asker, uint32_t seq)
{
    for (unsigned i = 0; i < MIN(asker->n_requests, SCTPA_STREAMS_REQUESTS); i++) {
        sctpa_stream_request_t *request = &asker->requests[i];
        if (is_open(request) && request->packet != c->index && request->breach_packet == SCTPA_NO_PACKET_INDEX) {
            request->breach_packet = c->index;
            request->breach_tsn = seq;
            request->is_breach_request = true;
        }
    }
}

static void check_last_tsn(sctpa_context_t *c, const sctpa_tlv_t *param)
{
    uint32_t last_tsn = sctpa_tlv_u32(param, SCTPA_F_OUTGOING_RESET_LAST_TSN);
    if (!c->sent || c->sent->restarted || c->sent->highest < 0 || c->rows & SCTPA_DATA_ROWS ||
        !sctpa_may_judge(c, SCTPA_RULE_RC_012, c->from))
        return;
    uint32_t highest = c->sent->initial_tsn + (uint32_t)c->sent->highest;
    /* "The Sender's Last Assigned TSN MUST be set to the next TSN the sender assigns minus 1" */
    if (sctpa_serial_distance(highest, last_tsn) < 0)
        accuse(c, SCTPA_RULE_RC_012, SCTPA_NO_PACKET_INDEX, sctpa_words("at least TSN %u, which was sent", highest),
               sctpa_words("%u", last_tsn));
}

/* A number that the peer has asked with, or may have in a request that was not captured. */
static bool may_be_asked(const sctpa_context_t *c, const sctpa_stream_asker_t *peer, uint32_t seq)
{
    uint32_t first = c->assoc->ends[!c->from].init.initial_tsn,
             newest = peer->n_requests > 0 ? peer->newest_seq : first;
    return sctpa_serial_distance(first, seq) >= 0 && sctpa_serial_distance(seq, newest) >= -SCTPA_UNSEEN_REQUESTS;
}

static void check_response_seq(sctpa_context_t *c, const sctpa_stream_asker_t *peer, const sctpa_tlv_t *param)
{
    uint32_t seq = sctpa_tlv_u32(param, SCTPA_F_OUTGOING_RESET_RESPONSE_SEQ);
    uint32_t before_first = c->assoc->ends[!c->from].init.initial_tsn - 1;
    if (!sctpa_may_judge(c, SCTPA_RULE_RC_026, c->from))
        return;
    /* "it holds the next expected Re-configuration Request Sequence Number minus 1" */
    if (seq != before_first && !may_be_asked(c, peer, seq))
        accuse(c, SCTPA_RULE_RC_026, SCTPA_NO_PACKET_INDEX,
               sctpa_words("%u, the last request of the peer", peer->n_requests > 0 ? peer->newest_seq : before_first),
               sctpa_words("%u", seq));
}

/* Streams that a request lists: *n of them, big-endian, one after the other. */
static const uint8_t *listed_streams(const sctpa_tlv_t *param, uint32_t *n)
{
    bool has_list = param->type == SCTPA_PARAM_OUTGOING_RESET || param->type == SCTPA_PARAM_INCOMING_RESET;
    *n = has_list ? (param->captured_bytes - param->row->fixed_bytes) / 2 : 0;
    return param->bytes + param->row->fixed_bytes;
}

static void check_range(sctpa_context_t *c, const sctpa_streams_t *state, const sctpa_tlv_t *param)
{
    uint32_t n;
    const uint8_t *streams = listed_streams(param, &n);
    if (n == 0 || !sctpa_may_judge(c, SCTPA_RULE_RC_019, c->from))
        return;
    uint32_t count = sctpa_streams_outbound(c, state, param->type == SCTPA_PARAM_OUTGOING_RESET ? c->from : !c->from);
    for (uint32_t i = 0; i < n; i++)
        /* "Error - Wrong SSN" */
        if (sctpa_be16(streams + 2 * i) >= count)
            accuse(c, SCTPA_RULE_RC_019, SCTPA_NO_PACKET_INDEX, sctpa_words("streams below %u", count),
                   sctpa_words("stream %u", sctpa_be16(streams + 2 * i)));
}

static void check_tsn_reset(sctpa_context_t *c, sctpa_stream_asker_t *asker)
{
    int64_t before_ns = asker->tsn_reset_ns, now_ns = c->packet->time_ns;
    asker->tsn_reset_ns = now_ns;
    /* "Only one SSN/TSN Reset Request SHOULD be sent within 30 seconds" */
    if (before_ns != 0 && sctpa_may_judge(c, SCTPA_RULE_RC_015, c->from) &&
        now_ns - before_ns < SCTPA_TSN_RESETS_APART_MS * SCTPA_NS_PER_MS)
        accuse(c, SCTPA_RULE_RC_015, SCTPA_NO_PACKET_INDEX, sctpa_words("at most one in 30 s"),
               sctpa_words("another after %" G_GINT64_FORMAT " ms", (now_ns - before_ns) / SCTPA_NS_PER_MS));
}

static void store_list(sctpa_context_t *c, sctpa_stream_request_t *request, const sctpa_tlv_t *param)
{
    uint32_t n;
    const uint8_t *streams = listed_streams(param, &n);
    request->has_list = n > 0;
    request->is_list_kept = true;
    sctpa_stream_set_clear(&request->streams);
    for (uint32_t i = 0; i < n && request->is_list_kept; i++)
        request->is_list_kept = sctpa_stream_set_add(&request->streams, &c->store->arena, sctpa_be16(streams + 2 * i));
}

/* The oldest request kept makes room for it. */
static void store(sctpa_context_t *c, sctpa_stream_asker_t *asker, const sctpa_tlv_t *param, uint32_t seq)
{
    sctpa_stream_request_t *request = &asker->requests[asker->n_requests % SCTPA_STREAMS_REQUESTS];
    *request = (sctpa_stream_request_t){ .seq = seq,
                                         .packet = c->index,
                                         .hash = hash_of(c, param),
                                         .type = (uint16_t)param->type,
                                         .breach_packet = SCTPA_NO_PACKET_INDEX,
                                         .streams = request->streams };
    request->response_seq = sctpa_tlv_u32(param, SCTPA_F_OUTGOING_RESET_RESPONSE_SEQ);
    request->last_tsn = sctpa_tlv_u32(param, SCTPA_F_OUTGOING_RESET_LAST_TSN);
    request->new_streams = (uint16_t)sctpa_tlv_u32(param, SCTPA_F_ADD_OUTGOING_NEW_STREAMS);
    store_list(c, request, param);
    if (asker->n_requests++ == 0)
        asker->first_seq = seq;
    asker->newest_seq = seq;
}

static void check_again(sctpa_context_t *c, const sctpa_stream_request_t *known, const sctpa_tlv_t *param)
{
    /* "the sender MUST retransmit the RE-CONFIG chunk" */
    if (sctpa_may_judge(c, SCTPA_RULE_RC_014, c->from) && known->hash != hash_of(c, param))
        accuse(c, SCTPA_RULE_RC_014, known->packet, sctpa_words("request %u as it was", known->seq),
               sctpa_words("another request with its number"));
}

void sctpa_streams_request(sctpa_context_t *c, sctpa_streams_t *state, const sctpa_tlv_t *param)
{
    sctpa_stream_asker_t *asker = &state->askers[c->from], *peer = &state->askers[!c->from];
    uint32_t seq = sctpa_tlv_u32(param, SCTPA_F_OUTGOING_RESET_REQUEST_SEQ);
    sctpa_stream_request_t *known = sctpa_streams_find(asker, seq);
    sctpa_stream_request_t *asked = implied(peer, param);
    if (known) {
        check_again(c, known, param);
        known->again = true;
    }
    if (!known && (asker->n_requests == 0 || sctpa_serial_distance(asker->newest_seq, seq) > 0)) {
        check_number(c, asker, seq);
        if (!asked)
            note_in_flight(c, asker, seq);
        if (param->type == SCTPA_PARAM_OUTGOING_RESET) {
            check_last_tsn(c, param);
            check_response_seq(c, peer, param);
        }
        if (param->type == SCTPA_PARAM_TSN_RESET)
            check_tsn_reset(c, asker);
        store(c, asker, param, seq);
        check_range(c, state, param);
    }
    if (asked && asked->answer != SCTPA_ANSWER_FINAL) {
        asked->answer = SCTPA_ANSWER_FINAL;
        asked->result = SCTPA_RESULT_IMPLIED;
    }
}

static void check_fields(sctpa_context_t *c, const sctpa_stream_request_t *request, const sctpa_tlv_t *param,
                         uint32_t result)
{
    bool is_tsn_reset = request->type == SCTPA_PARAM_TSN_RESET;
    /* "For other requests, the Sender's Next TSN field, which is optional, MUST NOT be used" */
    if (!is_tsn_reset && sctpa_may_judge(c, SCTPA_RULE_RC_009, c->from) && param->length == FULL_RESPONSE_BYTES)
        accuse(c, SCTPA_RULE_RC_009, request->packet,
               sctpa_words("a response without TSNs to a request of type %u", request->type),
               sctpa_words("one of length %u", param->length));
    /* "the Sender's Next TSN field MUST be filled with the next TSN the sender of this Re-configuration Response
     * Parameter will assign" */
    if (is_tsn_reset && result == SCTPA_RESET_PERFORMED && sctpa_may_judge(c, SCTPA_RULE_RC_028, c->from) &&
        param->length < FULL_RESPONSE_BYTES)
        accuse(c, SCTPA_RULE_RC_028, request->packet, sctpa_words("both next TSNs"),
               sctpa_words("a response of length %u", param->length));
}

static void check_result(sctpa_context_t *c, const sctpa_stream_request_t *request, uint32_t result)
{
    if (request->answer != SCTPA_ANSWER_FINAL || request->result == SCTPA_RESULT_IMPLIED ||
        !sctpa_may_judge(c, SCTPA_RULE_RC_024, c->from))
        return;
    /* "the same RE-CONFIG chunk MUST to be sent back in response, as it was earlier" */
    if (request->result != result && result != SCTPA_RESET_IN_PROGRESS)
        accuse(c, SCTPA_RULE_RC_024, request->packet, sctpa_words("result %u, as before", request->result),
               sctpa_words("result %u", result));
}

/* A TSN up to the Last Assigned one that never passed towards the responder, and is not acked by it. */
static void check_deferred(sctpa_context_t *c, const sctpa_stream_request_t *request)
{
    const sctpa_direction_t *data = c->acked;
    if (!data || data->restarted || data->truncated || !sctpa_may_judge(c, SCTPA_RULE_RC_013, c->from))
        return;
    int64_t next = MAX(data->cum_tsn, data->rare->abandoned_to) + 1,
            last = sctpa_direction_unwrap(data, request->last_tsn);
    const sctpa_tsn_t *tsn = next <= last && next <= data->highest ? sctpa_direction_tsn(data, next) : NULL;
    /* "If the Sender's Last Assigned TSN is greater than the cumulative acknowledgment point, then the endpoint MUST
     * enter "deferred reset processing"" */
    if (next < last && next < data->highest && (!tsn || tsn->transmissions == 0))
        accuse(c, SCTPA_RULE_RC_013, request->packet,
               sctpa_words("In progress: TSN %u has not come", data->initial_tsn + (uint32_t)next),
               sctpa_words("the reset performed"));
}

static void check_known(sctpa_context_t *c, sctpa_stream_asker_t *asker, uint32_t seq, uint32_t result)
{
    if (asker->n_requests == 0 || sctpa_serial_distance(asker->newest_seq, seq) > 0)
        asker->has_unseen = true;
    if (result == SCTPA_RESET_BAD_NUMBER || !sctpa_may_judge(c, SCTPA_RULE_RC_007, c->from))
        return;
    /* "MUST be copied to the Re-configuration Response Sequence Number field" */
    if (!may_be_asked(c, asker, seq))
        accuse(c, SCTPA_RULE_RC_007, SCTPA_NO_PACKET_INDEX, sctpa_words("the number of a request"),
               sctpa_words("%u, which no request can have carried", seq));
}

static void take_result(sctpa_stream_asker_t *asker, sctpa_stream_request_t *request, uint32_t result)
{
    bool is_performed = result == SCTPA_RESET_PERFORMED;
    if (is_performed && request->type == SCTPA_PARAM_ADD_OUTGOING && request->answer != SCTPA_ANSWER_FINAL)
        asker->added_streams += request->new_streams;
    if (request->answer != SCTPA_ANSWER_FINAL || result != SCTPA_RESET_IN_PROGRESS) {
        request->answer = result == SCTPA_RESET_IN_PROGRESS ? SCTPA_ANSWER_PENDING : SCTPA_ANSWER_FINAL;
        request->result = result;
    }
}

/* What the requester may not do before the answer. */
static sctpa_rule_t waiting_rule(const sctpa_stream_request_t *request)
{
    if (request->is_breach_request)
        return SCTPA_RULE_RC_004;
    return request->type == SCTPA_PARAM_TSN_RESET      ? SCTPA_RULE_RC_029
           : request->type == SCTPA_PARAM_ADD_OUTGOING ? SCTPA_RULE_RC_016
                                                       : SCTPA_RULE_RC_011;
}

/* The answer passes only now: the requester did not have it before. One to a request that was sent again may be a
 * repetition. */
static void check_waiting(sctpa_context_t *c, const sctpa_stream_request_t *request)
{
    sctpa_rule_t rule = waiting_rule(request);
    bool may_judge = sctpa_may_judge(c, rule, !c->from);
    if (rule != SCTPA_RULE_RC_004)
        may_judge = sctpa_may_judge(c, SCTPA_RULE_RC_004, !c->from) && may_judge;
    if (!may_judge || request->answer != SCTPA_ANSWER_NONE || request->again ||
        request->breach_packet == SCTPA_NO_PACKET_INDEX)
        return;
    /* "At any given time, there MUST NOT be more than one request in flight"; "The sender MUST stop assigning new
     * SSNs"; "suspending any new transmissions and TSN assignment"; "MUST NOT use the streams until the peer has
     * responded" */
    sctpa_accuse(
        c, rule, !c->from, SCTPA_NO_PATH, request->breach_packet,
        SCTPA_WORDS("the answer to request %u first", request->seq),
        SCTPA_WORDS(request->is_breach_request ? "request %u before it" : "TSN %u before it", request->breach_tsn));
}

void sctpa_streams_response(sctpa_context_t *c, sctpa_streams_t *state, const sctpa_tlv_t *param)
{
    sctpa_stream_asker_t *asker = &state->askers[!c->from];
    uint32_t seq = sctpa_tlv_u32(param, SCTPA_F_RECONFIG_RESPONSE_SEQ),
             result = sctpa_tlv_u32(param, SCTPA_F_RECONFIG_RESPONSE_RESULT);
    sctpa_stream_request_t *request = sctpa_streams_find(asker, seq);
    check_known(c, asker, seq, result);
    if (!request)
        return;
    check_waiting(c, request);
    check_fields(c, request, param, result);
    check_result(c, request, result);
    if (result == SCTPA_RESET_PERFORMED && request->type == SCTPA_PARAM_OUTGOING_RESET &&
        request->answer != SCTPA_ANSWER_FINAL)
        check_deferred(c, request);
    take_result(asker, request, result);
}
