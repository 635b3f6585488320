/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of the public face that tells what the model found. */
#include "analysis.h"
#include "model/shared/endpoint_states.h"
#include "track/tracker.h"

static const sctpa_tracked_t *tracked_at(const sctpa_t *sctpa, uint32_t assoc)
{
    return sctpa_tracked_find(sctpa->tracker, assoc);
}

void sctpa_judge(sctpa_t *sctpa, const sctpa_rule_choice_t *choice, sctpa_profile_t profile)
{
    sctpa_model_free(sctpa->model);
    sctpa->model = sctpa_model_new(choice, profile);
    sctpa_model_assert(sctpa->model, sctpa->assertions);
}

void sctpa_count_occasions(sctpa_t *sctpa)
{
    sctpa_model_count_occasions(sctpa->model);
}

void sctpa_keep_owed(sctpa_t *sctpa)
{
    sctpa_model_keep_owed(sctpa->model);
}

bool sctpa_owed_is_kept(const sctpa_t *sctpa)
{
    return sctpa_model_owed(sctpa->model) != NULL;
}

/* Those of results with that key, which is the first member of each. */
static const sctpa_owed_result_t *results_of(const GArray *results, uint32_t key, uint32_t *n)
{
    *n = 0;
    if (!results)
        return NULL;
    const uint32_t low = sctpa_array_from(results, key);
    while (low + *n < results->len && g_array_index(results, sctpa_owed_result_t, low + *n).key == key)
        ++*n;
    return *n > 0 ? &g_array_index(results, sctpa_owed_result_t, low) : NULL;
}

const sctpa_owed_result_t *sctpa_owed(const sctpa_t *sctpa, uint32_t assoc, uint32_t *n)
{
    return results_of(sctpa_model_owed_by_assoc(sctpa->model), assoc, n);
}

uint8_t sctpa_owed_by(const sctpa_t *sctpa, const sctpa_owed_result_t *owed)
{
    sctpa_packet_result_t request;
    const bool is_known = sctpa_packet_result(sctpa, owed->since, &request) && request.assoc != SCTPA_NO_ASSOC;
    return is_known ? !request.from : owed->debtor;
}

const sctpa_owed_result_t *sctpa_packet_owed(const sctpa_t *sctpa, uint32_t index, uint32_t *n)
{
    return results_of(sctpa_model_owed(sctpa->model), index, n);
}

/* A sctpa_asserted_fn. user: sctpa_assertions_t. */
static bool find_asserted(const void *user, const sctpa_addr_t *addr, sctpa_parameter_t parameter, int64_t *value)
{
    const sctpa_assertions_t *assertions = user;
    const sctpa_asserted_values_t *values = &assertions->values[sctpa_assertions_endpoint(assertions, addr)];
    const bool is_given = values->given & 1u << parameter;
    if (is_given)
        *value = values->values[parameter];
    return is_given;
}

/* A sctpa_asserted_here_fn. user: sctpa_assertions_t. */
static bool is_asserted_here(const void *user, const sctpa_addr_t *addr)
{
    const sctpa_assertions_t *assertions = user;
    return assertions->complete && sctpa_assertions_taken_at(assertions, addr);
}

void sctpa_assert(sctpa_t *sctpa, sctpa_assertions_t *assertions)
{
    g_free(sctpa->assertions);
    sctpa->assertions = assertions;
    sctpa->tracker->asserted = assertions ? find_asserted : NULL;
    sctpa->tracker->asserted_here = is_asserted_here;
    sctpa->tracker->asserted_user = assertions;
    sctpa_model_assert(sctpa->model, assertions);
}

const sctpa_asserted_t *sctpa_asserted(const sctpa_t *sctpa)
{
    return &sctpa_model_reference(sctpa->model)->asserted;
}

const sctpa_finding_t *sctpa_finding_first(const sctpa_t *sctpa, uint32_t assoc)
{
    return sctpa_model_first(sctpa->model, tracked_at(sctpa, assoc));
}

const sctpa_finding_t *sctpa_finding_next(const sctpa_t *sctpa, uint32_t assoc, const sctpa_finding_t *finding)
{
    return sctpa_model_next(sctpa->model, tracked_at(sctpa, assoc), finding);
}

const sctpa_finding_t *sctpa_packet_finding(const sctpa_t *sctpa, uint32_t index, unsigned nth)
{
    unsigned n;
    const sctpa_mark_t *marks = sctpa_model_marks(sctpa->model, index, &n);
    uint32_t assoc = g_array_index(sctpa->tracker->records, sctpa_record_t, index).assoc;
    for (unsigned i = 0; i < n; i++)
        if (sctpa_model_upholds(sctpa->model, sctpa_tracked_at(sctpa->tracker, assoc), marks[i].finding) && nth-- == 0)
            return marks[i].finding;
    return NULL;
}

const sctpa_mark_t *sctpa_marks(const sctpa_t *sctpa, uint32_t *n)
{
    const GArray *marks = sctpa_model_all_marks(sctpa->model);
    *n = marks->len;
    return (const sctpa_mark_t *)(const void *)marks->data;
}

sctpa_judgement_t sctpa_judgement(const sctpa_t *sctpa, uint32_t assoc, uint8_t end)
{
    return sctpa_model_judgement(sctpa->model, tracked_at(sctpa, assoc), end);
}

bool sctpa_predates_rfc(const sctpa_t *sctpa, sctpa_rule_t rule)
{
    const int64_t sctp_began_s = 883612800; /* 1998: the first drafts are later */
    const sctpa_summary_t *summary = sctpa_summary(sctpa);
    return summary->packets > 0 && summary->first_ns >= sctp_began_s * SCTPA_NS_PER_S &&
           summary->first_ns < sctpa_rfc_of(rule)->published_s * SCTPA_NS_PER_S;
}

bool sctpa_has_judged(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_rule_t rule)
{
    return sctpa_model_has_judged(sctpa->model, tracked_at(sctpa, assoc), end, rule);
}

bool sctpa_has_refused(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_rule_t rule)
{
    return sctpa_model_has_refused(sctpa->model, tracked_at(sctpa, assoc), end, rule);
}

const sctpa_unlisted_t *sctpa_unlisted(const sctpa_t *sctpa, uint32_t assoc, uint8_t end,
                                       const sctpa_unlisted_t *before)
{
    return sctpa_model_unlisted(sctpa->model, tracked_at(sctpa, assoc), end, before);
}

uint32_t sctpa_occasions(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_rule_occasions_t *of_rules)
{
    return sctpa_model_occasions(sctpa->model, tracked_at(sctpa, assoc), end, of_rules);
}

bool sctpa_clock_difference(const sctpa_t *sctpa, uint32_t assoc, sctpa_clock_difference_t *difference)
{
    const sctpa_tracked_t *tracked = tracked_at(sctpa, assoc);
    const sctpa_reference_t *reference = sctpa_reference_at(sctpa_model_reference(sctpa->model), tracked->assoc.number);
    const int64_t rtt_ns[2] = { sctpa_tap_rtt_of(tracked, 0).most_ns, sctpa_tap_rtt_of(tracked, 1).most_ns };
    return reference && sctpa_clocks_differ(reference->tap.clocks, rtt_ns, difference);
}

sctpa_stack_t sctpa_stack(const sctpa_t *sctpa, uint32_t assoc, uint8_t end)
{
    return sctpa_implementation(sctpa_model_reference(sctpa->model), tracked_at(sctpa, assoc), end);
}

uint16_t sctpa_states(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, uint32_t packet)
{
    return sctpa_states_at(sctpa_model_reference(sctpa->model), tracked_at(sctpa, assoc), end, packet);
}

/* Does the capture show what passed an end, in one order? */
static bool shows_sender(const sctpa_t *sctpa, const sctpa_tracked_t *tracked, uint32_t assoc)
{
    return !sctpa_assoc_is_data_only(&tracked->assoc) &&
           (!tracked->rare->two_taps_data || sctpa_taps(sctpa, assoc) == SCTPA_TAPS_ONE);
}

bool sctpa_sender_fit(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_sender_fit_t *fit)
{
    const sctpa_tracked_t *tracked = tracked_at(sctpa, assoc);
    return shows_sender(sctpa, tracked, assoc) &&
           sctpa_sender_fit_of(sctpa_model_reference(sctpa->model), tracked, end, fit);
}

const sctpa_states_change_t *sctpa_state_changes(const sctpa_t *sctpa, uint32_t assoc, uint32_t *n)
{
    return sctpa_states_changes(sctpa_model_reference(sctpa->model), tracked_at(sctpa, assoc), n);
}

bool sctpa_congestion(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, uint16_t path, uint32_t packet,
                      sctpa_congestion_t *congestion)
{
    const sctpa_tracked_t *tracked = tracked_at(sctpa, assoc);
    return shows_sender(sctpa, tracked, assoc) &&
           sctpa_congestion_at(sctpa_model_reference(sctpa->model), tracked, end, path, packet, congestion);
}
