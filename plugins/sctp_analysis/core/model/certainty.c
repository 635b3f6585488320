/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How sure a violation is. A rule that needs a complete capture cannot know that it has one: a packet that the capture
 * lacks may explain what it sees. Its violation is proven where the capture shows that it lacks none around it, or
 * where it happened at two places, since what is missing at one explains only one of them; else it is probable. */
#include "engine.h"

uint32_t sctpa_certainty_since(const sctpa_violation_t *violation)
{
    if (!(sctpa_rule_info(violation->rule)->needs & SCTPA_NEED_COMPLETE) || violation->is_certain)
        return SCTPA_NO_PACKET_INDEX;
    if (violation->since != SCTPA_NO_PACKET_INDEX)
        return violation->since;
    bool is_narrow = sctpa_rule_info(violation->rule)->span == SCTPA_SPAN_EVIDENCE;
    return is_narrow && violation->related != SCTPA_NO_PACKET_INDEX ? violation->related : 0;
}

uint8_t sctpa_certainty_by(const sctpa_violation_t *violation)
{
    return violation->is_by_peer ? SCTPA_BY(!violation->c->accused) : SCTPA_BY_EITHER;
}

/* Do the packets of both endpoints show that none of them is missing since one, up to the last? */
static bool lacks_none(const sctpa_tap_t *tap, uint32_t since)
{
    for (unsigned endpoint = 0; endpoint < 2; endpoint++) {
        uint32_t from = sctpa_ip_ids_since(&tap->ip_ids[endpoint]);
        if (from == 0 || from - 1 > since)
            return false;
    }
    return true;
}

static sctpa_known_t passed_all_since(const sctpa_violation_t *violation, uint32_t since)
{
    const sctpa_context_t *c = violation->c;
    return sctpa_tap_passed_all_since(&c->reference->tap, c->tracked, sctpa_certainty_by(violation), since);
}

bool sctpa_certainty_is_excused(const sctpa_violation_t *violation)
{
    return sctpa_rule_info(violation->rule)->needs & SCTPA_NEED_COMPLETE &&
           passed_all_since(violation, sctpa_certainty_since(violation)) == SCTPA_NO;
}

/* May a packet that the capture lacks explain it, as far as the capture shows? One hole explains only one of two that
 * happened at different places; where one is known, there may be more. */
static bool may_lack(const sctpa_violation_t *violation, uint32_t first)
{
    const uint32_t since = sctpa_certainty_since(violation);
    if (since == SCTPA_NO_PACKET_INDEX)
        return false;
    bool is_second = first != SCTPA_NO_PACKET_INDEX && first < since && passed_all_since(violation, 0) != SCTPA_NO;
    return !is_second;
}

sctpa_certainty_t sctpa_certainty_of(const sctpa_violation_t *violation, uint32_t first)
{
    const sctpa_rule_info_t *info = sctpa_rule_info(violation->rule);
    bool is_open = may_lack(violation, first) && passed_all_since(violation, 0) != SCTPA_YES;
    sctpa_certainty_t at_best = MAX(info->certainty, violation->at_best);
    return is_open ? MAX(at_best, SCTPA_CERTAINTY_PROBABLE) : at_best;
}

uint32_t sctpa_certainty_rests_on(const sctpa_violation_t *violation, uint32_t first, bool is_early)
{
    const sctpa_rule_info_t *info = sctpa_rule_info(violation->rule);
    const sctpa_context_t *c = violation->c;
    uint32_t asserted = sctpa_tap_asserted(&c->reference->tap, c->accused),
             rests_on = is_early ? info->report.at_once_if : 0,
             needs = info->needs | (is_early ? info->report.at_once_needs : 0);
    if (may_lack(violation, first) && info->certainty == SCTPA_CERTAINTY_PROVEN)
        rests_on |= asserted & SCTPA_ASSERTED_COMPLETE;
    if (asserted & SCTPA_ASSERTED_TAKEN_AT && needs & SCTPA_NEED_NEAR &&
        !sctpa_tap_shows_near(&c->reference->tap, c->tracked, c->accused))
        rests_on |= SCTPA_ASSERTED_TAKEN_AT;
    return rests_on | violation->rests_on;
}

void sctpa_certainty_refute(sctpa_model_t *model, uint32_t bits)
{
    for (unsigned i = 0; i < model->store.associations->len; i++) {
        sctpa_judged_t *judged = (sctpa_judged_t *)sctpa_reference_at(&model->store, i);
        for (sctpa_finding_t *finding = judged ? judged->findings : NULL; finding; finding = finding->next) {
            const sctpa_rule_info_t *info = sctpa_rule_info(finding->rule);
            if (finding->rests_on & bits & SCTPA_ASSERTED_COMPLETE &&
                (info->needs & SCTPA_NEED_COMPLETE || !(info->report.at_once_if & SCTPA_ASSERTED_COMPLETE)))
                finding->certainty = MAX(finding->certainty, SCTPA_CERTAINTY_PROBABLE);
            finding->rests_on &= ~bits;
        }
    }
}

void sctpa_certainty_open(const sctpa_violation_t *violation, sctpa_finding_t *finding)
{
    const sctpa_judging_t *j = sctpa_judging_of(violation->c);
    uint32_t since = sctpa_certainty_since(violation);
    unsigned n = 0;
    if (MAX(sctpa_rule_info(violation->rule)->certainty, violation->at_best) != SCTPA_CERTAINTY_PROVEN ||
        !lacks_none(&j->context.reference->tap, since))
        return;
    sctpa_open_t **at = &sctpa_judged_pending(j->model, j->judged)->open;
    for (; *at; at = &(*at)->next, n++)
        if ((*at)->finding == finding)
            return;
    if (n == SCTPA_OPEN_MAX)
        return;
    *at = sctpa_arena_alloc(&j->model->store.arena, sizeof **at);
    **at = (sctpa_open_t){ .finding = finding, .since = since, .completed = j->context.index };
}

static void close_at(sctpa_model_t *model, sctpa_open_t **at)
{
    sctpa_open_t *open = *at;
    *at = open->next;
    sctpa_arena_free(&model->store.arena, open, sizeof *open);
}

/* A packet that either endpoint sent just before the violation would be missed by the next one of it, or by the packet
 * that shows the violation itself. */
void sctpa_certainty_settle(sctpa_judging_t *j)
{
    const sctpa_tap_t *tap = &j->context.reference->tap;
    sctpa_open_t **at = &sctpa_judged_pending(j->model, j->judged)->open;
    while (*at) {
        sctpa_open_t *open = *at;
        bool is_lacking = !lacks_none(tap, open->since);
        bool is_proven = !is_lacking && tap->ip_ids[0].last_packet >= open->completed &&
                         tap->ip_ids[1].last_packet >= open->completed;
        if (is_proven) {
            open->finding->certainty = SCTPA_CERTAINTY_PROVEN;
            open->finding->is_shown = true;
            if (!open->finding->is_early)
                open->finding->rests_on &= ~SCTPA_ASSERTED_COMPLETE;
        }
        if (is_lacking || is_proven)
            close_at(j->model, at);
        else
            at = &open->next;
    }
}

void sctpa_certainty_drop(sctpa_model_t *model, sctpa_judged_t *judged, const sctpa_finding_t *finding)
{
    if (!judged->pending->open)
        return;
    sctpa_open_t **at = &sctpa_judged_pending(model, judged)->open;
    while (*at) {
        if (!finding || (*at)->finding == finding)
            close_at(model, at);
        else
            at = &(*at)->next;
    }
}
