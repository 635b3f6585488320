/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of responses to requests to reset and add streams, and of what the requester may not do before the response
 * (RFC 6525 5.1, 5.2). */
#include "reference/requests/reconfig_requests.h"
#include "rules/rule_functions.h"
#include "reconfig_limits.h"

enum { FULL_RESPONSE_BYTES = 20 };

static uint32_t result_of(const sctpa_context_t *c)
{
    return sctpa_tlv_u32(c->param, SCTPA_F_RECONFIG_RESPONSE_RESULT);
}

bool sctpa_RC_007_applies(const sctpa_context_t *c)
{
    return sctpa_reconfig_is_response(c) && result_of(c) != SCTPA_RECONFIG_BAD_NUMBER;
}

/* "MUST be copied to the Re-configuration Response Sequence Number field" */
bool sctpa_RC_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t seq = sctpa_tlv_u32(c->param, SCTPA_F_RECONFIG_RESPONSE_SEQ);
    const sctpa_reconfig_requester_t *peer = sctpa_reconfig_requester(c, !c->from);
    if (sctpa_reconfig_may_be_asked(c, seq))
        return false;
    if (peer->n_requests > 0)
        violation->since = sctpa_reconfig_newest(peer)->packet;
    sctpa_violation_say(violation, "the number of a request",
                        SCTPA_WORDS("%u, which no request can have carried", seq));
    return true;
}

bool sctpa_RC_009_applies(const sctpa_context_t *c)
{
    const sctpa_reconfig_request_t *request = sctpa_reconfig_answered(c);
    return request && request->type != SCTPA_PARAM_TSN_RESET;
}

/* "For other requests, the Sender's Next TSN field, which is optional, MUST NOT be used" */
bool sctpa_RC_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_reconfig_request_t *request = sctpa_reconfig_answered(c);
    if (c->param->length != FULL_RESPONSE_BYTES)
        return false;
    violation->related = request->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("a response without TSNs to a request of type %u", request->type),
                        SCTPA_WORDS("one of length %u", c->param->length));
    return true;
}

/* The request of a type that c->param reports as performed, NULL none. */
static const sctpa_reconfig_request_t *performed(const sctpa_context_t *c, uint32_t type)
{
    const sctpa_reconfig_request_t *request = sctpa_reconfig_answered(c);
    return request && request->type == type && result_of(c) == SCTPA_RECONFIG_PERFORMED ? request : NULL;
}

bool sctpa_RC_013_applies(const sctpa_context_t *c)
{
    const sctpa_reconfig_request_t *request = performed(c, SCTPA_PARAM_OUTGOING_RESET);
    return request && request->answer != SCTPA_RECONFIG_ANSWERED && c->acked && !c->acked->restarted &&
           !c->acked->truncated;
}

/* "If the Sender's Last Assigned TSN is greater than the cumulative acknowledgment point, then the endpoint MUST enter
 * "deferred reset processing"": a TSN up to the Last Assigned one never passed towards the responder, and is not acked
 * by it. */
bool sctpa_RC_013_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_reconfig_request_t *request = sctpa_reconfig_answered(c);
    const sctpa_direction_t *data = c->acked;
    int64_t next = MAX(data->cum_tsn, data->rare->abandoned_to) + 1,
            last = sctpa_context_unwrap(data, request->last_tsn);
    const sctpa_tsn_t *tsn = next <= last && next <= data->highest ? sctpa_context_tsn(data, next) : NULL;
    const sctpa_tsn_t *before = sctpa_context_tsn(data, next - 1);
    if (next >= last || next >= data->highest || (tsn && tsn->transmissions > 0))
        return false;
    if (before && before->transmissions > 0)
        violation->since = before->first_packet;
    violation->related = request->packet;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("In progress: TSN %u has not arrived", sctpa_direction_serial(data, next)),
                        "the reset performed");
    return true;
}

bool sctpa_RC_024_applies(const sctpa_context_t *c)
{
    const sctpa_reconfig_request_t *request = sctpa_reconfig_answered(c);
    return request && request->answer == SCTPA_RECONFIG_ANSWERED && request->result != SCTPA_RECONFIG_IMPLIED;
}

/* "the same RE-CONFIG chunk MUST to be sent back in response, as it was earlier" */
bool sctpa_RC_024_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_reconfig_request_t *request = sctpa_reconfig_answered(c);
    if (request->result == result_of(c) || result_of(c) == SCTPA_RECONFIG_IN_PROGRESS)
        return false;
    violation->related = request->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("result %u, as before", request->result),
                        SCTPA_WORDS("result %u", result_of(c)));
    return true;
}

bool sctpa_RC_028_applies(const sctpa_context_t *c)
{
    return performed(c, SCTPA_PARAM_TSN_RESET) != NULL;
}

/* "the Sender's Next TSN field MUST be filled with the next TSN the sender of this Re-configuration Response Parameter
 * will assign" */
bool sctpa_RC_028_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->param->length >= FULL_RESPONSE_BYTES)
        return false;
    violation->related = sctpa_reconfig_answered(c)->packet;
    sctpa_violation_say(violation, "both next TSNs", SCTPA_WORDS("a response of length %u", c->param->length));
    return true;
}

/* Did the requester send something that had to wait for this answer? The answer passes only now: the requester did not
 * have it before. One to a request that was retransmitted may be a repetition. */
static bool is_early(const sctpa_reconfig_request_t *request)
{
    return request->answer == SCTPA_RECONFIG_UNANSWERED && !request->is_retransmitted &&
           request->early_packet != SCTPA_NO_PACKET_INDEX;
}

bool sctpa_RC_004_applies(const sctpa_context_t *c)
{
    return sctpa_reconfig_answered(c) != NULL;
}

/* "At any given time, there MUST NOT be more than one request in flight" */
bool sctpa_RC_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_reconfig_request_t *request = sctpa_reconfig_answered(c);
    if (!is_early(request) || !request->is_early_request)
        return false;
    violation->since = request->packet;
    violation->related = request->early_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("the answer to request %u first", request->seq),
                        SCTPA_WORDS("request %u before it", request->early_number));
    return true;
}

/* The request that c->param answers, if no other request was sent before its answer, NULL: it answers none, or a
 * request was. */
static const sctpa_reconfig_request_t *answered_alone(const sctpa_context_t *c)
{
    const sctpa_reconfig_request_t *request = sctpa_reconfig_answered(c);
    return request && !request->is_early_request ? request : NULL;
}

static bool is_data_early(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_reconfig_request_t *request = sctpa_reconfig_answered(c);
    if (!is_early(request))
        return false;
    violation->since = request->packet;
    violation->related = request->early_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("the answer to request %u first", request->seq),
                        SCTPA_WORDS("TSN %u before it", request->early_number));
    return true;
}

bool sctpa_RC_011_applies(const sctpa_context_t *c)
{
    const sctpa_reconfig_request_t *request = answered_alone(c);
    return request && request->type != SCTPA_PARAM_TSN_RESET && request->type != SCTPA_PARAM_ADD_OUTGOING;
}

/* "The sender MUST stop assigning new SSNs" */
bool sctpa_RC_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_data_early(c, violation);
}

bool sctpa_RC_016_applies(const sctpa_context_t *c)
{
    const sctpa_reconfig_request_t *request = answered_alone(c);
    return request && request->type == SCTPA_PARAM_ADD_OUTGOING;
}

/* "it MUST NOT use the streams until the peer has responded with a positive acknowledgment" */
bool sctpa_RC_016_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_data_early(c, violation);
}

bool sctpa_RC_029_applies(const sctpa_context_t *c)
{
    const sctpa_reconfig_request_t *request = answered_alone(c);
    return request && request->type == SCTPA_PARAM_TSN_RESET;
}

/* "suspending any new transmissions and TSN assignment until the reset procedure is finished" */
bool sctpa_RC_029_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_data_early(c, violation);
}

/* Does the request of c->param, the newest of the peer, have the number that the responder must expect? */
static bool has_expected_number(const sctpa_context_t *c, const sctpa_reconfig_request_t *request)
{
    const sctpa_reconfig_requester_t *peer = sctpa_reconfig_requester(c, !c->from);
    if (request != sctpa_reconfig_newest(peer))
        return false;
    if (request->seq == c->assoc->ends[!c->from].init.initial_tsn)
        return peer->n_requests == 1;
    if (peer->n_requests < 2)
        return false;
    const sctpa_reconfig_request_t *before = &peer->requests[(peer->n_requests - 2) % SCTPA_RECONFIG_REQUESTS];
    return before->seq + 1 == request->seq && before->answer == SCTPA_RECONFIG_ANSWERED &&
           before->result != SCTPA_RECONFIG_BAD_NUMBER;
}

bool sctpa_RC_030_applies(const sctpa_context_t *c)
{
    const sctpa_reconfig_request_t *request = sctpa_reconfig_answered(c);
    return request && has_expected_number(c, request);
}

/* "The result of the processing of the incoming request according to Table 3 MUST be placed in the Result field" */
bool sctpa_RC_030_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_reconfig_request_t *request = sctpa_reconfig_answered(c);
    if (result_of(c) != SCTPA_RECONFIG_BAD_NUMBER)
        return false;
    violation->related = request->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("request %u, whose number is the next one, accepted", request->seq),
                        SCTPA_WORDS("result %u (Bad Sequence Number)", SCTPA_RECONFIG_BAD_NUMBER));
    return true;
}

/* The SACK that acknowledged all up to the Last Assigned TSN of a request, SCTPA_NO_PACKET_INDEX none did. */
static uint32_t all_acked(const sctpa_context_t *c, const sctpa_reconfig_request_t *request)
{
    int64_t last = sctpa_context_unwrap(c->acked, request->last_tsn);
    const sctpa_tsn_t *tsn = sctpa_context_tsn(c->acked, last);
    return tsn && last <= c->acked->cum_tsn ? tsn->ack_packet : SCTPA_NO_PACKET_INDEX;
}

bool sctpa_RC_031_applies(const sctpa_context_t *c)
{
    const sctpa_reconfig_request_t *request = sctpa_reconfig_answered(c);
    return request && request->type == SCTPA_PARAM_OUTGOING_RESET && request->answer == SCTPA_RECONFIG_PENDING &&
           c->acked && !c->acked->restarted && all_acked(c, request) != SCTPA_NO_PACKET_INDEX;
}

/* "When the cumulative acknowledgment point reaches the last assigned TSN, then proceed to the next step" */
bool sctpa_RC_031_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_reconfig_request_t *request = sctpa_reconfig_answered(c);
    int64_t since_ns = c->packet->time_ns -
                       MAX(sctpa_context_time_ns(c, all_acked(c, request)), sctpa_context_time_ns(c, request->packet));
    if (result_of(c) != SCTPA_RECONFIG_IN_PROGRESS ||
        sctpa_context_least_ns(c, since_ns) < SCTPA_RESET_PENDING_MS * SCTPA_NS_PER_MS)
        return false;
    violation->related = request->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("TSN %u is acknowledged: the reset performed", request->last_tsn),
                        SCTPA_WORDS("In progress, %.1f s later", (double)since_ns / 1e9));
    return true;
}
