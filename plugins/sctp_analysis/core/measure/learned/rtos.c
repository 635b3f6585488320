/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The RTO of each path of an endpoint over time, with the parameters that it showed (RFC 9260 6.3.1). */
#include "data/rto.h"
#include "learned_parts.h"

/* A parameter as an interval in ns. */
typedef struct {
    int64_t value_ns, least_ns, most_ns;
} bounds_t;

/* What is not learned is the RFC's. */
static bounds_t bounds_of(const sctpa_learned_value_t *learned, int64_t rfc_ns)
{
    if (learned->samples == 0)
        return (bounds_t){ rfc_ns, rfc_ns, rfc_ns };
    return (bounds_t){ learned->value, learned->low, learned->has_high ? learned->high : MAX(learned->value, rfc_ns) };
}

typedef struct {
    bounds_t initial, min, max;
    bool is_learned;
} rto_parameters_t;

/* Timeouts that came sooner than the RFC's RTO.Min show that the endpoint has another, if not which. */
static rto_parameters_t parameters_of(const sctpa_direction_t *direction, const sctpa_learned_t *learned)
{
    const sctpa_learned_value_t *values = learned->values;
    const bool is_sooner =
        values[SCTPA_PARAMETER_RTO_MIN].samples == 0 && direction->rare->rto_min_ns < SCTPA_RTO_MIN_NS;
    rto_parameters_t rto = { bounds_of(&values[SCTPA_PARAMETER_RTO_INITIAL], SCTPA_RTO_INITIAL_NS),
                             bounds_of(&values[SCTPA_PARAMETER_RTO_MIN], SCTPA_RTO_MIN_NS),
                             bounds_of(&values[SCTPA_PARAMETER_RTO_MAX], SCTPA_RTO_MAX_NS),
                             is_sooner || values[SCTPA_PARAMETER_RTO_INITIAL].samples > 0 ||
                                 values[SCTPA_PARAMETER_RTO_MIN].samples > 0 ||
                                 values[SCTPA_PARAMETER_RTO_MAX].samples > 0 };
    if (values[SCTPA_PARAMETER_RTO_INITIAL].samples == 0)
        rto.initial.most_ns = SCTPA_RTO_INITIAL_4960_NS;
    if (is_sooner)
        rto.min.least_ns = 0;
    return rto;
}

static sctpa_rtos_t measured(const rto_parameters_t *rto, const sctpa_replayed_t *path)
{
    const int64_t srtt_ns = path->srtt_ns, rttvar_ns = path->rttvar_ns;
    return (sctpa_rtos_t){ sctpa_rto_bounded_ns(srtt_ns, rttvar_ns, rto->min.value_ns, rto->max.value_ns),
                           sctpa_rto_bounded_ns(srtt_ns, rttvar_ns, rto->min.least_ns, rto->max.least_ns),
                           sctpa_rto_bounded_ns(srtt_ns, rttvar_ns, rto->min.most_ns, rto->max.most_ns),
                           rto->is_learned };
}

/* "RTO <- RTO * 2" (6.3.3 E2), "RTO.Max" bounds it. */
static sctpa_rtos_t doubled(const rto_parameters_t *rto, const sctpa_rtos_t *before)
{
    return (sctpa_rtos_t){ MIN(sctpa_ns_times(before->value_ns, 2), rto->max.value_ns),
                           MIN(sctpa_ns_times(before->least_ns, 2), rto->max.least_ns),
                           MIN(sctpa_ns_times(before->most_ns, 2), rto->max.most_ns), rto->is_learned };
}

void sctpa_rto_each(const sctpa_source_t *source, const sctpa_learned_t *learned, sctpa_rto_visit_fn visit, void *user)
{
    const sctpa_records_t *samples = &source->direction->samples;
    const rto_parameters_t rto = parameters_of(source->direction, learned);
    const sctpa_rtos_t initial = { rto.initial.value_ns, rto.initial.least_ns, rto.initial.most_ns, rto.is_learned };
    GArray *paths = g_array_new(FALSE, TRUE, sizeof(sctpa_rtos_t));
    sctpa_replay_t replay;
    sctpa_replay_begin(&replay, source);
    for (unsigned i = 0; i < samples->len; i++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(samples, sctpa_sample_t, i);
        if (sample->path >= paths->len)
            g_array_set_size(paths, sample->path + 1u);
        sctpa_rtos_t *now = &g_array_index(paths, sctpa_rtos_t, sample->path);
        sctpa_replay_take(&replay, sample);
        *now = sample->kind == SCTPA_SAMPLE_BACKOFF ? doubled(&rto, now->value_ns > 0 ? now : &initial)
                                                    : measured(&rto, sctpa_replay_path(&replay, sample->path));
        visit(user, sample->path, sample->packet, now);
    }
    sctpa_replay_end(&replay);
    g_array_unref(paths);
}
