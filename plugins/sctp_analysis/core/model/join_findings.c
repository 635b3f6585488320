/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What becomes of findings when two half-associations turn out to be one association, or one of them to belong to
 * another. The findings and the occasions of both stand. What the reference endpoints kept of the half-association
 * does not, since they saw one endpoint of it: to the association it is as if the capture had missed what passed there
 * before, and rules that need a complete capture are not checked. */
#include "engine.h"

static void take_half(sctpa_model_t *model, sctpa_judged_t *into, sctpa_judged_t *half, bool swapped)
{
    sctpa_rule_sets_t *sets = &model->rule_sets;
    for (uint8_t end = 0; end < 2; end++) {
        into->judged[end ^ swapped] = sctpa_rule_sets_add(sets, into->judged[end ^ swapped], &half->judged[end]->rules);
        into->refused[end ^ swapped] =
            sctpa_rule_sets_add(sets, into->refused[end ^ swapped], &half->refused[end]->rules);
        into->missing[end ^ swapped] |= half->missing[end];
    }
    sctpa_occasions_join(&model->occasion_kinds, &model->store.arena, &into->occasions, &half->occasions, swapped);
    sctpa_tap_join(&into->reference.tap, &model->store.arena, &half->reference.tap, swapped);
    sctpa_findings_take(model, into, half, swapped);
}

/* A half-association left: what was kept of both endpoints together is of no association. */
static bool has_parted(const sctpa_tracked_t *tracked)
{
    return tracked->rare->moved_to[0] != SCTPA_NO_ASSOC || tracked->rare->moved_to[1] != SCTPA_NO_ASSOC;
}

void sctpa_judged_reshape(const sctpa_judging_t *j)
{
    const sctpa_context_t *c = &j->context;
    for (uint32_t next = c->tracked->rare->last_half; next > 0;) {
        const sctpa_tracked_t *half = g_ptr_array_index(c->tracker->assocs, next - 1);
        sctpa_judged_t *judged = sctpa_judged_find(j->model, half);
        if (judged)
            take_half(j->model, j->judged, judged, half->assoc.merged_swapped);
        next = half->rare->half_before;
    }
    if (has_parted(c->tracked))
        sctpa_reference_free_parts(c->store, c->reference);
    sctpa_tap_reshape(&c->reference->tap, c->index);
    j->judged->met[0] = j->judged->met[1] = 0;
    j->judged->reshaped = c->tracked->reshaped;
}
