/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules about what senders make of a closed window: whether they probe it, and bear with it. */
#include "reference/receiver/advertised_window.h"
#include "rules/rule_functions.h"
#include "wire/protocol_parameters.h"
#include "receiver_limits.h"

bool sctpa_FL_009_applies(const sctpa_context_t *c)
{
    const sctpa_window_trouble_t *trouble = sctpa_window_trouble_of(c, !c->from);
    if (!sctpa_window_is_first_probe(c) || !trouble->is_closed_at_once)
        return false;
    int64_t elapsed_ns = c->packet->time_ns - sctpa_context_time_ns(c, trouble->closed_packet);
    return sctpa_context_least_ns(c, elapsed_ns) > sctpa_context_under_way_ns(c) ||
           sctpa_context_is_asserted(c, SCTPA_ASSERTED_TAKEN_AT);
}

/* RFC 9260 6.1 A: "The sender SHOULD send the first zero window probe after 1 RTO". An RTO is no shorter than a round
 * trip (6.3.1 C3). */
bool sctpa_FL_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t closed = sctpa_window_trouble_of(c, !c->from)->closed_packet;
    int64_t elapsed_ns = c->packet->time_ns - sctpa_context_time_ns(c, closed);
    if (sctpa_context_most_ns(c, elapsed_ns) >= sctpa_context_least_answer_ns(c, !c->from))
        return false;
    violation->path = c->path;
    violation->related = violation->since = closed;
    violation->rests_on =
        sctpa_context_least_ns(c, elapsed_ns) > sctpa_context_under_way_ns(c) ? 0 : SCTPA_ASSERTED_TAKEN_AT;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("no probe sooner than a round trip, %.1f ms, after the SACK that closed the window",
                    (double)sctpa_context_tap_rtt_ns(c, !c->from) / 1e6),
        SCTPA_WORDS("a probe of %u bytes after %.1f ms", c->first_data->sent.tsn->bytes, (double)elapsed_ns / 1e6));
    return true;
}

/* Intervals between probes that were not backed off, in a row. */
enum { STEADY_PROBES = 2 };

bool sctpa_FL_010_applies(const sctpa_context_t *c)
{
    int64_t interval_ns = 0;
    sctpa_window_steady_probes(c, &interval_ns);
    return interval_ns > 0 && sctpa_window_trouble_of(c, !c->from)->probe_interval_ns > 0;
}

/* RFC 9260 6.1 A: "SHOULD increase the probe interval exponentially afterwards" */
bool sctpa_FL_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const uint32_t max_asserted = SCTPA_ASSERTED(RTO_MAX);
    const sctpa_window_trouble_t *trouble = sctpa_window_trouble_of(c, !c->from);
    int64_t interval_ns, rto_max_ns = sctpa_tap_parameter(&c->reference->tap, c->from, SCTPA_PARAMETER_RTO_MAX, 0);
    if (sctpa_window_steady_probes(c, &interval_ns) < STEADY_PROBES ||
        (sctpa_context_is_asserted(c, max_asserted) && interval_ns > rto_max_ns / 2))
        return false;
    violation->path = c->path;
    violation->related = violation->since = trouble->closed_packet;
    violation->rests_on = max_asserted & sctpa_tap_asserted(&c->reference->tap, c->from);
    if (violation->rests_on == 0)
        violation->at_best = SCTPA_CERTAINTY_POSSIBLE;
    sctpa_violation_say(
        violation, "probes of a closed window at intervals that double",
        SCTPA_WORDS("TSN %u again after %.3f s, as long as before", trouble->probe_tsn, (double)interval_ns / 1e9));
    return true;
}

bool sctpa_FL_011_applies(const sctpa_context_t *c)
{
    return sctpa_window_awaits_probe(c, !c->accused) && !sctpa_window_trouble_of(c, !c->accused)->is_unprobed;
}

/* RFC 9260 6.1 A: "Senders MUST support zero window probing." */
bool sctpa_FL_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    int64_t unprobed_ns = sctpa_window_unprobed_ns(c, !c->accused);
    if (sctpa_context_least_ns(c, unprobed_ns) <= SCTPA_UNPROBED_S * SCTPA_NS_PER_S)
        return false;
    violation->related = sctpa_window_trouble_of(c, !c->accused)->closed_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("a probe of the closed window within %d s", SCTPA_RFC_RTO_MAX / 1000),
                        SCTPA_WORDS("none for %.1f s, in the middle of a message", (double)unprobed_ns / 1e9));
    return true;
}

bool sctpa_FL_014_applies(const sctpa_context_t *c)
{
    const sctpa_window_trouble_t *trouble = sctpa_window_trouble_of(c, !c->from);
    return trouble->is_closed && trouble->probes >= SCTPA_PROBES_BORNE && !(c->rows & SCTPA_SACK_ROWS);
}

/* RFC 9260 6.1 A: "the unacknowledged window probes SHOULD NOT increment the error counter for the association" */
bool sctpa_FL_014_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_window_trouble_t *trouble = sctpa_window_trouble_of(c, !c->from);
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t cause;
    sctpa_params_begin(&iter, sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT));
    while (sctpa_tlv_next(&iter, &cause))
        if (cause.type == SCTPA_CAUSE_USER_ABORT)
            return false;
    violation->related = trouble->closed_packet;
    sctpa_violation_say(violation, "probes that go on as long as they are answered",
                        SCTPA_WORDS("ABORT after %u probes, all answered by SACKs", trouble->probes));
    return true;
}
