/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of requests to reset and add streams: their numbers, what they hold, retransmissions (RFC 6525 5.1). */
#include "reference/requests/reconfig_requests.h"
#include "rules/backoff.h"
#include "rules/rule_functions.h"
#include "reconfig_limits.h"

static const sctpa_reconfig_requester_t *requester_of(const sctpa_context_t *c)
{
    return sctpa_reconfig_requester(c, c->from);
}

static bool is_new(const sctpa_context_t *c, uint32_t type)
{
    return c->param->type == type && sctpa_reconfig_is_new_request(c);
}

/* May the capture lack requests with all numbers from one up to seq? */
static bool may_hide_requests(uint32_t from, uint32_t seq)
{
    int32_t hidden = sctpa_serial_distance(from, seq);
    return hidden >= 0 && hidden <= SCTPA_REQUESTS_HIDDEN;
}

bool sctpa_RC_002_applies(const sctpa_context_t *c)
{
    return !requester_of(c)->has_unseen && requester_of(c)->n_requests == 0 && sctpa_reconfig_is_new_request(c);
}

/* "initialized to the same value as the initial TSN" */
bool sctpa_RC_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t initial_tsn = c->assoc->ends[c->from].init.initial_tsn;
    if (sctpa_reconfig_request_seq(c) == initial_tsn)
        return false;
    violation->is_certain = !may_hide_requests(initial_tsn, sctpa_reconfig_request_seq(c));
    sctpa_violation_say(violation, SCTPA_WORDS("number %u, its initial TSN", initial_tsn),
                        SCTPA_WORDS("%u", sctpa_reconfig_request_seq(c)));
    return true;
}

bool sctpa_RC_003_applies(const sctpa_context_t *c)
{
    return !requester_of(c)->has_unseen && requester_of(c)->n_requests > 0 && sctpa_reconfig_is_new_request(c);
}

/* "The next re-configuration request sequence number MUST then be incremented by 1" */
bool sctpa_RC_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t expected = requester_of(c)->newest_seq + 1;
    if (sctpa_reconfig_request_seq(c) == expected)
        return false;
    violation->since = sctpa_reconfig_newest(requester_of(c))->packet;
    violation->is_certain = !may_hide_requests(expected, sctpa_reconfig_request_seq(c));
    sctpa_violation_say(violation, SCTPA_WORDS("number %u", expected),
                        SCTPA_WORDS("%u", sctpa_reconfig_request_seq(c)));
    return true;
}

bool sctpa_RC_012_applies(const sctpa_context_t *c)
{
    return is_new(c, SCTPA_PARAM_OUTGOING_RESET) && c->sent && !c->sent->restarted && c->sent->highest >= 0 &&
           !(c->rows & SCTPA_DATA_ROWS);
}

/* "The Sender's Last Assigned TSN MUST be set to the next TSN the sender assigns minus 1" */
bool sctpa_RC_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t last_tsn = sctpa_tlv_u32(c->param, SCTPA_F_OUTGOING_RESET_LAST_TSN),
             highest = sctpa_direction_serial(c->sent, c->sent->highest);
    if (sctpa_serial_distance(highest, last_tsn) >= 0)
        return false;
    const sctpa_tsn_t *last = sctpa_context_tsn(c->sent, sctpa_context_unwrap(c->sent, last_tsn));
    if (last && last->transmissions > 0)
        violation->since = last->first_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("at least TSN %u, which was sent", highest),
                        SCTPA_WORDS("%u", last_tsn));
    return true;
}

bool sctpa_RC_014_applies(const sctpa_context_t *c)
{
    return sctpa_reconfig_retransmitted(c) != NULL;
}

/* "MUST use exponential backoff, doubling the value at every expiration": "the sender MUST retransmit the RE-CONFIG
 * chunk" */
bool sctpa_RC_014_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_reconfig_request_t *known = sctpa_reconfig_retransmitted(c);
    if (known->hash == sctpa_reconfig_hash(c))
        return sctpa_is_not_backed_off(c, SCTPA_RETRANSMITTED_RE_CONFIG, violation);
    violation->related = known->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("request %u unchanged", known->seq), "another request with its number");
    return true;
}

bool sctpa_RC_015_applies(const sctpa_context_t *c)
{
    return requester_of(c)->tsn_reset_ns != 0 && is_new(c, SCTPA_PARAM_TSN_RESET);
}

/* "Only one SSN/TSN Reset Request SHOULD be sent within 30 seconds" */
bool sctpa_RC_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    int64_t since_ns = c->packet->time_ns - requester_of(c)->tsn_reset_ns;
    if (sctpa_context_most_ns(c, since_ns) >= SCTPA_TSN_RESETS_APART_MS * SCTPA_NS_PER_MS)
        return false;
    sctpa_violation_say(violation, "at most one in 30 s",
                        SCTPA_WORDS("another after %" G_GINT64_FORMAT " ms", since_ns / SCTPA_NS_PER_MS));
    return true;
}

bool sctpa_RC_019_applies(const sctpa_context_t *c)
{
    uint32_t n;
    if (!sctpa_reconfig_is_new_request(c))
        return false;
    sctpa_reconfig_listed(c, &n);
    return n > 0;
}

/* "Error - Wrong SSN" */
bool sctpa_RC_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t n;
    const uint8_t *streams = sctpa_reconfig_listed(c, &n);
    uint32_t count = sctpa_reconfig_outbound(c, c->param->type == SCTPA_PARAM_OUTGOING_RESET ? c->from : !c->from);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t stream = sctpa_be16(streams + 2 * i);
        if (stream < count)
            continue;
        sctpa_violation_say(violation, SCTPA_WORDS("streams below %u", count), SCTPA_WORDS("stream %u", stream));
        return true;
    }
    return false;
}

bool sctpa_RC_026_applies(const sctpa_context_t *c)
{
    return is_new(c, SCTPA_PARAM_OUTGOING_RESET);
}

/* "it holds the next expected Re-configuration Request Sequence Number minus 1" */
bool sctpa_RC_026_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_reconfig_requester_t *peer = sctpa_reconfig_requester(c, !c->from);
    uint32_t seq = sctpa_tlv_u32(c->param, SCTPA_F_OUTGOING_RESET_RESPONSE_SEQ),
             before_first = c->assoc->ends[!c->from].init.initial_tsn - 1;
    if (seq == before_first || sctpa_reconfig_may_be_asked(c, seq))
        return false;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("%u, the last request of the peer", peer->n_requests > 0 ? peer->newest_seq : before_first),
        SCTPA_WORDS("%u", seq));
    return true;
}
