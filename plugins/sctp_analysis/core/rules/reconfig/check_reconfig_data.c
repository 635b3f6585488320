/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules of data sent after its stream was added, or it or all TSNs were reset (RFC 6525 5.1.5, 5.2.7). */
#include "reference/requests/reconfig_requests.h"
#include "reference/sender/message_order.h"
#include "reference/stream_counts.h"
#include "rules/rule_functions.h"
#include "reconfig_limits.h"

enum { LOOK_BACK_TSNS = 64 };

/* Does c->chunk, new data, begin one of the first messages after the request, an Outgoing SSN Reset, was performed? */
static bool follows_reset(const sctpa_context_t *c, const sctpa_reconfig_request_t *request)
{
    return request->type == SCTPA_PARAM_OUTGOING_RESET && request->answer != SCTPA_RECONFIG_UNANSWERED &&
           request->result == SCTPA_RECONFIG_PERFORMED && request->packet != c->index &&
           sctpa_reconfig_distance(request, c->chunk) <= LOOK_BACK_TSNS &&
           sctpa_reconfig_begins_after(request, c->chunk);
}

bool sctpa_RC_010_applies(const sctpa_context_t *c)
{
    const sctpa_reconfig_requester_t *requester = sctpa_reconfig_requester(c, c->from);
    if (requester->n_requests == 0 || !sctpa_reconfig_is_new_data(c->chunk) || c->sent->restarted)
        return false;
    for (unsigned i = 0; i < sctpa_reconfig_kept(requester); i++)
        if (follows_reset(c, &requester->requests[i]))
            return true;
    return false;
}

/* "the affected streams MUST now be reset" */
bool sctpa_RC_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_reconfig_requester_t *requester = sctpa_reconfig_requester(c, c->from);
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    int64_t number;
    const sctpa_tsn_t *before = sctpa_stream_before(c->sent, c->chunk->sent.number, tsn->stream, true, &number);
    for (unsigned i = 0; before && i < sctpa_reconfig_kept(requester); i++) {
        const sctpa_reconfig_request_t *request = &requester->requests[i];
        if (!follows_reset(c, request))
            continue;
        int64_t last = c->chunk->sent.number - sctpa_reconfig_distance(request, c->chunk);
        if (number > last || tsn->ssn == 0 || tsn->ssn != before->ssn + 1)
            continue;
        violation->path = c->path;
        violation->since = violation->related = request->packet;
        sctpa_violation_say(violation, SCTPA_WORDS("SSN 0 on stream %u", tsn->stream),
                            SCTPA_WORDS("SSN %u, after %u before the reset", tsn->ssn, before->ssn));
        return true;
    }
    return false;
}

/* How far c->chunk, new data, lies above the Receiver's Next TSN that its sender was told; -1: it is not known, or not
 * so near. */
static int64_t above_next_tsn(const sctpa_context_t *c)
{
    const sctpa_reconfig_requester_t *requester = sctpa_reconfig_requester(c, c->from);
    const sctpa_reconfig_request_t *newest = requester->n_requests > 0 ? sctpa_reconfig_newest(requester) : NULL;
    if (!newest || newest->type != SCTPA_PARAM_TSN_RESET || newest->answer != SCTPA_RECONFIG_ANSWERED ||
        newest->result != SCTPA_RECONFIG_PERFORMED || !c->sent->restarted || !sctpa_reconfig_is_new_data(c->chunk))
        return -1;
    int64_t above = c->chunk->sent.number - sctpa_context_unwrap(c->sent, c->sent->rare->restart_tsn);
    return above >= 0 && above <= SCTPA_RESET_AHEAD_TSNS ? above : -1;
}

bool sctpa_RC_018_applies(const sctpa_context_t *c)
{
    return c->sent && c->sent->restarted && above_next_tsn(c) >= 0 && sctpa_assoc_is_single_homed(c->assoc) &&
           sctpa_tap_passed_all(&c->reference->tap, c->tracked) == SCTPA_YES;
}

/* "new data MUST be sent from the Receiver's Next TSN" */
bool sctpa_RC_018_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t next = c->sent->rare->restart_tsn;
    const sctpa_tsn_t *tsn = sctpa_context_tsn(c->sent, sctpa_context_unwrap(c->sent, next));
    if (tsn && tsn->transmissions > 0)
        return false;
    violation->path = c->path;
    violation->related = sctpa_reconfig_newest(sctpa_reconfig_requester(c, c->from))->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("TSN %u, the Receiver's Next TSN, before higher ones", next),
                        SCTPA_WORDS("TSN %u", sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_DATA_TSN)));
    return true;
}

/* The request by which the sender of c->chunk added streams first; NULL: requests may be forgotten, or there is none.
 */
static const sctpa_reconfig_request_t *first_addition(const sctpa_context_t *c)
{
    const sctpa_reconfig_requester_t *requester = sctpa_reconfig_requester(c, c->from);
    if (requester->n_requests > SCTPA_RECONFIG_REQUESTS || requester->has_unseen)
        return NULL;
    for (unsigned i = 0; i < requester->n_requests; i++)
        if (requester->requests[i].type == SCTPA_PARAM_ADD_OUTGOING)
            return &requester->requests[i];
    return NULL;
}

/* Is c->chunk, new data, the first ordered message of a stream that was added, and did all TSNs since the request pass?
 * O(LOOK_BACK_TSNS). */
static bool begins_added_stream(const sctpa_context_t *c)
{
    const sctpa_reconfig_request_t *request = first_addition(c);
    const sctpa_stream_counts_t counts = sctpa_stream_counts(c);
    const sctpa_tsn_t *own = c->chunk->sent.tsn, *tsn;
    const unsigned agreed = sctpa_stream_counts_agreed(&counts, c->from);
    if (!request || agreed == 0 || own->stream < agreed || (own->flags & SCTPA_TSN_UNORDERED) ||
        !(own->flags & SCTPA_TSN_BEGIN))
        return false;
    int64_t number = c->chunk->sent.number;
    do {
        tsn = --number >= 0 ? sctpa_context_tsn(c->sent, number) : NULL;
        if (!tsn || tsn->transmissions == 0 || (tsn->stream == own->stream && !(tsn->flags & SCTPA_TSN_UNORDERED)))
            return false;
    } while (tsn->first_packet > request->packet && number > c->chunk->sent.number - LOOK_BACK_TSNS);
    return tsn->first_packet < request->packet;
}

bool sctpa_RC_017_applies(const sctpa_context_t *c)
{
    return sctpa_reconfig_requester(c, c->from)->n_requests > 0 && sctpa_reconfig_is_new_data(c->chunk) &&
           !c->sent->restarted && !sctpa_context_may_abandon(c) && begins_added_stream(c);
}

/* "A new stream MUST use SSN 0 for its first ordered message." */
bool sctpa_RC_017_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    if (tsn->ssn == 0)
        return false;
    violation->path = c->path;
    violation->related = first_addition(c)->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("SSN 0 on stream %u, which was added", tsn->stream),
                        SCTPA_WORDS("SSN %u in its first ordered message", tsn->ssn));
    return true;
}
