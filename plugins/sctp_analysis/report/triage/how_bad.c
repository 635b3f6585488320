/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How bad an association is. Leaves the order itself to severities.def. */
#include "how_bad.h"

#include <string.h>

#include "../findings_filter.h"

/* Time that losses, dead paths and the like cost: without those waits for an ack that came, and closed windows. */
static int64_t paused_ns(const sctpa_pauses_t *pauses)
{
    return pauses->paused_ns - pauses->lost_ns[SCTPA_PAUSE_DELAYED_SACK] - pauses->lost_ns[SCTPA_PAUSE_CWND] -
           pauses->lost_ns[SCTPA_PAUSE_CLOSED_WINDOW];
}

void sctpa_harm_add_data(sctpa_harm_t *harm, const sctpa_pauses_t *pauses, int64_t closed_ns, const sctpa_sent_t *sent)
{
    if (pauses)
        harm->paused_ns = sctpa_ns_sum(harm->paused_ns, paused_ns(pauses));
    harm->closed_ns = sctpa_ns_sum(harm->closed_ns, closed_ns);
    harm->resent += sctpa_sent_rtx(sent) + sent->resent_unseen;
}

static uint64_t notable_events(const sctpa_assoc_t *assoc)
{
    uint64_t notable = 0;
    for (unsigned i = 0; i < assoc->n_events; i++)
        notable += sctpa_event_is_notable(&assoc->events[i]);
    return notable;
}

sctpa_rank_t sctpa_rank_of(const sctpa_view_t *view, const sctpa_assoc_t *assoc, const sctpa_harm_t *harm)
{
    const sctpa_severity_t outcome = sctpa_outcome_severity(view, assoc);
    const sctpa_rank_t kinds[] = {
        { SCTPA_SEVERITY_MUST, harm->findings.levels[SCTPA_LEVEL_MUST] },
        { SCTPA_SEVERITY_PAUSED, (uint64_t)MAX(harm->paused_ns, 0) },
        { SCTPA_SEVERITY_CLOSED, (uint64_t)MAX(harm->closed_ns, 0) },
        { SCTPA_SEVERITY_PATHS, harm->paths },
        { SCTPA_SEVERITY_EVENTS, notable_events(assoc) },
        { SCTPA_SEVERITY_RESENT, harm->resent },
        { SCTPA_SEVERITY_SHOULD, harm->findings.levels[SCTPA_LEVEL_SHOULD] },
        { SCTPA_SEVERITY_PROBABLE, harm->findings.unsure[SCTPA_CERTAINTY_PROBABLE] },
    };
    if (sctpa_severity_is_failure(outcome))
        return (sctpa_rank_t){ outcome, kinds[0].weight };
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++)
        if (kinds[i].weight > 0)
            return kinds[i];
    return (sctpa_rank_t){ outcome, 0 };
}

static int by_text(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void sctpa_alike_append(GString *out, const sctpa_view_t *view, const sctpa_selection_t *selection,
                        const sctpa_assoc_t *assoc, sctpa_severity_t severity)
{
    const sctpa_findings_filter_t *filter = sctpa_selection_findings(selection);
    GPtrArray *rules = g_ptr_array_new_with_free_func(g_free);
    g_string_append(out, sctpa_severity_word(severity));
    g_string_append_printf(out, "; %s", sctpa_assoc_end_word(sctpa_view_outcome(view, assoc).end));
    for (const sctpa_finding_t *f = sctpa_findings_filter_first(filter, assoc); f;
         f = sctpa_findings_filter_next(filter, assoc, f)) {
        if (!sctpa_finding_affects_verdict(f))
            continue;
        const char *stack = f->accused < SCTPA_NO_END ? sctpa_stack(view->sctpa, assoc->number, f->accused).name : NULL;
        g_ptr_array_add(
            rules, g_strdup_printf("%s%s%s", sctpa_rule_info(f->rule)->id, stack ? " of " : "", stack ? stack : ""));
    }
    g_ptr_array_sort(rules, by_text);
    for (guint i = 0; i < rules->len; i++) {
        const char *rule = g_ptr_array_index(rules, i);
        if (i == 0 || strcmp(rule, g_ptr_array_index(rules, i - 1)) != 0)
            g_string_append_printf(out, "; %s", rule);
    }
    g_ptr_array_unref(rules);
}
