/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The RTO of each path of an endpoint after each of its samples, with the parameters that the endpoint showed (RFC
 * 9260 6.3.1). Whatever shows an RTO reads it here. Leaves out how the parameters are learned (learned_rto.c). */
#include "learned_parts.h"

/* A parameter as an interval in ns. */
typedef struct {
    int64_t value_ns, least_ns, most_ns;
} interval_t;

/* What is not learned is the RFC's. */
static interval_t interval_of(const sctpa_learned_value_t *learned, int64_t rfc_ns)
{
    if (learned->samples == 0)
        return (interval_t){ rfc_ns, rfc_ns, rfc_ns };
    return (interval_t){ learned->value, learned->low,
                         learned->has_high ? learned->high : MAX(learned->value, rfc_ns) };
}

/* Timeouts that came sooner than the RFC's RTO.Min show that the endpoint has another, which is no longer than the
 * shortest of them; unless the timer ran already when the tap saw it start, so that the RFC's stays the most. */
static interval_t rto_min_of(const sctpa_learned_value_t *learned, int64_t shortest_ns)
{
    if (learned->samples == 0 && shortest_ns < SCTPA_RTO_MIN_NS)
        return (interval_t){ shortest_ns, 0, SCTPA_RTO_MIN_NS };
    return interval_of(learned, SCTPA_RTO_MIN_NS);
}

static sctpa_rto_parameters_t parameters_of(const sctpa_direction_t *direction, const sctpa_learned_t *learned)
{
    const sctpa_learned_value_t *values = learned->values;
    const int64_t shortest_ns = direction->rare->rto_min_ns;
    interval_t initial = interval_of(&values[SCTPA_PARAMETER_RTO_INITIAL], SCTPA_RTO_INITIAL_NS),
               min = rto_min_of(&values[SCTPA_PARAMETER_RTO_MIN], shortest_ns),
               max = interval_of(&values[SCTPA_PARAMETER_RTO_MAX], SCTPA_RTO_MAX_NS);
    if (values[SCTPA_PARAMETER_RTO_INITIAL].samples == 0)
        initial.most_ns = SCTPA_RTO_INITIAL_4960_NS;
    return (sctpa_rto_parameters_t){ { initial.value_ns, min.value_ns, max.value_ns },
                                     { initial.least_ns, min.least_ns, max.least_ns },
                                     { initial.most_ns, min.most_ns, max.most_ns },
                                     shortest_ns < SCTPA_RTO_MIN_NS ||
                                         values[SCTPA_PARAMETER_RTO_INITIAL].samples > 0 ||
                                         values[SCTPA_PARAMETER_RTO_MIN].samples > 0 ||
                                         values[SCTPA_PARAMETER_RTO_MAX].samples > 0 };
}

sctpa_rto_parameters_t sctpa_rto_parameters(const sctpa_source_t *source, const sctpa_assoc_t *assoc, uint8_t end)
{
    sctpa_learned_t learned = { 0 };
    sctpa_learn_rtos(source, assoc, end, &learned);
    return parameters_of(source->direction, &learned);
}

sctpa_rto_parameters_t sctpa_rto_parameters_so_far(const sctpa_source_t *source, const sctpa_assoc_t *assoc,
                                                   uint8_t end)
{
    sctpa_learned_t learned = { 0 };
    sctpa_learning_t learning = { .source = source, .assoc = assoc, .end = end, .learned = &learned };
    sctpa_learn_rto_initial(&learning);
    return parameters_of(source->direction, &learned);
}

sctpa_rtos_t sctpa_rtos_after(const sctpa_rto_parameters_t *parameters, const sctpa_sample_t *sample)
{
    const int64_t unbounded_ns = sample ? sctpa_sample_unbounded_ns(sample) : 0;
    const unsigned backoffs = sample ? sample->backoffs : 0;
    return (sctpa_rtos_t){ sctpa_rto_backed_off_ns(unbounded_ns, backoffs, &parameters->values),
                           sctpa_rto_backed_off_ns(unbounded_ns, backoffs, &parameters->least),
                           sctpa_rto_backed_off_ns(unbounded_ns, backoffs, &parameters->most), parameters->is_learned };
}
