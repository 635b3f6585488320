/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules about what senders make of a closed window: whether they probe it, and bear with it. */
#include "reference/receiver/advertised_window.h"
#include "rules/rule_functions.h"
#include "wire/protocol_parameters.h"
#include "receiver_limits.h"

bool sctpa_FL_011_applies(const sctpa_context_t *c)
{
    return sctpa_window_awaits_probe(c, !c->accused) && !sctpa_window_of(c, !c->accused)->is_unprobed;
}

/* RFC 9260 6.1 A: "Senders MUST support zero window probing." */
bool sctpa_FL_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    int64_t unprobed_ns = sctpa_window_unprobed_ns(c, !c->accused);
    if (unprobed_ns <= SCTPA_UNPROBED_S * SCTPA_NS_PER_S)
        return false;
    violation->related = sctpa_window_of(c, !c->accused)->closed_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("a probe of the closed window within %d s", SCTPA_RFC_RTO_MAX / 1000),
                        SCTPA_WORDS("none for %.1f s, in the middle of a message", (double)unprobed_ns / 1e9));
    return true;
}

bool sctpa_FL_014_applies(const sctpa_context_t *c)
{
    const sctpa_window_t *window = sctpa_window_of(c, !c->from);
    return window->is_closed && window->probes >= SCTPA_PROBES_BORNE && !(c->rows & SCTPA_SACK_ROWS);
}

/* RFC 9260 6.1 A: "the unacknowledged window probes SHOULD NOT increment the error counter for the association" */
bool sctpa_FL_014_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_window_t *window = sctpa_window_of(c, !c->from);
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t cause;
    sctpa_params_begin(&iter, sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT));
    while (sctpa_tlv_next(&iter, &cause))
        if (cause.type == SCTPA_CAUSE_USER_ABORT)
            return false;
    violation->related = window->closed_packet;
    sctpa_violation_say(violation, "probes that go on as long as they are answered",
                        SCTPA_WORDS("ABORT after %u probes, all answered by SACKs", window->probes));
    return true;
}
