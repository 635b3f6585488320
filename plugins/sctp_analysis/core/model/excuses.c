/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What packets that turn out to be missing from the capture, or in another order than they stand, may explain of what
 * was found before: it is taken out.
 * Leaves out what happens after them, which asks the tap itself (certainty.c). */
#include "engine.h"

static bool may_explain(sctpa_hole_t hole, uint32_t needs, sctpa_occurrence_t occurrence)
{
    bool is_within = occurrence.since != SCTPA_NO_PACKET_INDEX && hole.by & occurrence.by &&
                     hole.before > occurrence.since && hole.after < occurrence.completed;
    bool is_mixed =
        hole.mixed > 0 && occurrence.completed >= hole.mixed && needs & (SCTPA_NEED_COMPLETE | SCTPA_NEED_NEAR);
    return is_within || is_mixed;
}

/* Takes out what the hole may explain; is there such? */
static bool let_go(sctpa_occurrences_t *held, sctpa_rule_t rule, sctpa_hole_t hole)
{
    const uint32_t needs = sctpa_rule_info(rule)->needs;
    uint8_t kept = 0, n = held->n;
    for (unsigned i = 0; i < n; i++)
        if (!may_explain(hole, needs, held->of[i]))
            held->of[kept++] = held->of[i];
    held->n = kept;
    return kept < n;
}

/* Is there one that stands whatever is missing? */
static bool is_sure(const sctpa_occurrences_t *held)
{
    unsigned i = 0;
    while (i < held->n && held->of[i].since != SCTPA_NO_PACKET_INDEX)
        i++;
    return i < held->n;
}

/* Where one packet is known to be missing there may be more: that it happened twice proves nothing any more. */
static void excuse(const sctpa_judging_t *j, sctpa_finding_t *finding, sctpa_hole_t hole)
{
    if (let_go(&finding->held, finding->rule, hole)) {
        sctpa_certainty_drop(j->model, j->judged, finding);
        finding->is_shown = false;
        j->judged->missing[finding->accused] |= SCTPA_NEED_COMPLETE;
    }
    if (!is_sure(&finding->held) && !finding->is_shown)
        finding->certainty = MAX(finding->certainty, SCTPA_CERTAINTY_PROBABLE);
}

void sctpa_findings_excuse(sctpa_judging_t *j, sctpa_hole_t hole)
{
    for (sctpa_finding_t *finding = j->judged->findings; finding; finding = finding->next)
        excuse(j, finding, hole);
    for (sctpa_unreported_t *waiting = j->judged->pending->unreported; waiting; waiting = waiting->next) {
        if (!let_go(&waiting->held, (sctpa_rule_t)waiting->rule, hole))
            continue;
        waiting->count = waiting->held.n;
        waiting->is_excused = true;
        j->judged->missing[waiting->accused] |= SCTPA_NEED_COMPLETE;
    }
}

/* Does the packet retransmit the TSN that was sent once, in packet since, no later than a timer that is backed off? */
static bool retransmits(const sctpa_context_t *c, uint32_t since)
{
    for (uint32_t i = 0; i < c->n_chunks; i++) {
        const sctpa_rtx_t *rtx = c->sent ? sctpa_observed_rtx(&c->chunks[i], c->sent) : NULL;
        if (rtx && rtx->previous == since && rtx->link.before == 0)
            return c->packet->time_ns - sctpa_context_time_ns(c, since) <= SCTPA_RTO_MAX_NS;
    }
    return false;
}

static bool let_go_repaired(const sctpa_context_t *c, sctpa_occurrences_t *held)
{
    uint8_t kept = 0, n = held->n;
    for (unsigned i = 0; i < n; i++)
        if (!retransmits(c, held->of[i].since))
            held->of[kept++] = held->of[i];
    held->n = kept;
    return kept < n;
}

void sctpa_findings_repair(sctpa_judging_t *j)
{
    const sctpa_context_t *c = &j->context;
    for (sctpa_finding_t *finding = j->judged->findings; finding; finding = finding->next)
        if (finding->rule == SCTPA_RULE_TM_006 && finding->accused == c->from && let_go_repaired(c, &finding->held))
            sctpa_certainty_drop(j->model, j->judged, finding);
    for (sctpa_unreported_t *waiting = j->judged->pending->unreported; waiting; waiting = waiting->next)
        if (waiting->rule == SCTPA_RULE_TM_006 && waiting->accused == c->from && let_go_repaired(c, &waiting->held))
            waiting->count = waiting->held.n;
}
