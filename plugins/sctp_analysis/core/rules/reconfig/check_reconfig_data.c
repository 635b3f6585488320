/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rule of data sent after its stream was reset (RFC 6525 5.2.7). */
#include "reference/requests/reconfig_requests.h"
#include "reference/sender/message_order.h"
#include "rules/rule_functions.h"

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
