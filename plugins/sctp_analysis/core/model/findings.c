/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps findings: merges repeats, bounds floods, joins those of two halves of an association, takes out what missing
 * packets or another order may explain, says how sure each is, answers what was found and what could be judged. */
#include "base/records.h"
#include "engine.h"
#include "rule.h"

uint32_t sctpa_certainty_since(const sctpa_violation_t *violation)
{
    if (!(sctpa_rule_info(violation->rule)->needs & SCTPA_NEED_COMPLETE) || violation->is_certain)
        return SCTPA_NO_PACKET_INDEX;
    if (violation->since != SCTPA_NO_PACKET_INDEX)
        return violation->since;
    bool is_narrow = sctpa_rule_info(violation->rule)->span == SCTPA_SPAN_EVIDENCE;
    return is_narrow && violation->related != SCTPA_NO_PACKET_INDEX ? violation->related : 0;
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

/* How sure a violation is (findings.c); first: the packet that completed its first occurrence, SCTPA_NO_PACKET_INDEX
 * there is none before. O(1). */
static sctpa_certainty_t certainty_of(const sctpa_violation_t *violation, uint32_t first)
{
    const sctpa_rule_info_t *info = sctpa_rule_info(violation->rule);
    bool is_open = may_lack(violation, first) && passed_all_since(violation, 0) != SCTPA_YES;
    sctpa_certainty_t at_best = MAX(info->certainty, violation->at_best);
    return is_open ? MAX(at_best, SCTPA_CERTAINTY_PROBABLE) : at_best;
}

/* What that a violation is as sure as that rests on, of what the user asserts; first: as below; is_early: reported
 * before its row says. O(1). */
static uint32_t certainty_rests_on(const sctpa_violation_t *violation, uint32_t first, bool is_early)
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

void sctpa_certainty_refute(sctpa_judging_t *j, uint32_t bits, sctpa_hole_t hole)
{
    for (sctpa_finding_t *finding = j->judged->findings; finding; finding = finding->next) {
        const sctpa_rule_info_t *info = sctpa_rule_info(finding->rule);
        if (hole.before > 0 && finding->completed <= hole.after)
            continue;
        if (finding->rests_on & bits & SCTPA_ASSERTED_COMPLETE &&
            (info->needs & SCTPA_NEED_COMPLETE || !(info->report.at_once_if & SCTPA_ASSERTED_COMPLETE)))
            finding->certainty = MAX(finding->certainty, SCTPA_CERTAINTY_PROBABLE);
        finding->rests_on &= ~bits;
    }
}

/* Keeps in mind that a violation, now of finding, is only probable because the capture may lack packets. O(open ones).
 */
static void certainty_open(const sctpa_violation_t *violation, sctpa_finding_t *finding)
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

/* A finding goes, or all that are open (NULL). O(open ones). */
static void certainty_drop(sctpa_model_t *model, sctpa_judged_t *judged, const sctpa_finding_t *finding)
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
        certainty_drop(j->model, j->judged, finding);
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
            certainty_drop(j->model, j->judged, finding);
    for (sctpa_unreported_t *waiting = j->judged->pending->unreported; waiting; waiting = waiting->next)
        if (waiting->rule == SCTPA_RULE_TM_006 && waiting->accused == c->from && let_go_repaired(c, &waiting->held))
            waiting->count = waiting->held.n;
}

const char *sctpa_verdict_word(sctpa_verdict_t verdict)
{
    static const char *const words[SCTPA_VERDICTS] = { "not_judged", "deviates", "unusual", "suspicious", "clean" };
    return words[verdict];
}

/* RFC 9260 is from 2022: endpoints follow RFC 4960 where it differs, and nothing in a packet tells which. */
static sctpa_level_t level_of(const sctpa_model_t *model, const sctpa_rule_info_t *info)
{
    if (info->since != 9260 || model->profile != SCTPA_PROFILE_BOTH)
        return info->level;
    return info->is_unheard_of ? MAX(info->level, SCTPA_LEVEL_SHOULD) : SCTPA_LEVEL_HEURISTIC;
}

static bool is_off(const sctpa_model_t *model, const sctpa_rule_info_t *info)
{
    return !(model->choice.levels & 1u << level_of(model, info)) ||
           (info->since == 9260 && model->profile == SCTPA_PROFILE_4960);
}

void sctpa_model_ask(sctpa_model_t *model)
{
    const sctpa_rule_choice_t *choice = &model->choice;
    for (unsigned rule = 0; rule < SCTPA_RULES; rule++) {
        bool is_named = sctpa_rule_bits_has(&choice->named, (sctpa_rule_t)rule);
        if ((is_off(model, sctpa_rule_info((sctpa_rule_t)rule)) && !is_named) ||
            sctpa_rule_bits_has(&choice->excluded, (sctpa_rule_t)rule))
            sctpa_rule_bits_put(&model->off, (sctpa_rule_t)rule);
        else
            model->asks = true;
    }
}

static sctpa_finding_t *find(const sctpa_judged_t *judged, sctpa_rule_t rule, uint8_t accused)
{
    sctpa_finding_t *finding = judged->findings;
    while (finding && (finding->rule != rule || finding->accused != accused))
        finding = finding->next;
    return finding;
}

bool sctpa_finding_is_new(const sctpa_violation_t *violation)
{
    return !find(sctpa_judging_of(violation->c)->judged, violation->rule, violation->c->accused);
}

void sctpa_findings_prove(const sctpa_context_t *c, sctpa_rule_t rule, uint8_t accused, uint32_t rests_on)
{
    sctpa_finding_t *finding = find(sctpa_judging_of(c)->judged, rule, accused);
    if (!finding || finding->certainty == SCTPA_CERTAINTY_PROVEN)
        return;
    finding->certainty = SCTPA_CERTAINTY_PROVEN;
    finding->rests_on = rests_on;
}

void sctpa_findings_withdraw(const sctpa_context_t *c, sctpa_rule_t rule, uint8_t accused)
{
    sctpa_finding_t *finding = find(sctpa_judging_of(c)->judged, rule, accused);
    if (finding)
        finding->held.n = 0;
}

/* Puts a finding where it was completed. */
static void insert(sctpa_judged_t *judged, sctpa_finding_t *finding)
{
    sctpa_finding_t **at = &judged->findings;
    while (*at && (*at)->completed <= finding->completed)
        at = &(*at)->next;
    finding->next = *at;
    *at = finding;
}

/* The level of a rule that the packet violates. */
static sctpa_level_t level_now(const sctpa_judging_t *j, sctpa_rule_t rule)
{
    const sctpa_rule_info_t *info = sctpa_rule_info(rule);
    return sctpa_revision_is_newer(info, j->context.packet->time_ns) ? SCTPA_LEVEL_HEURISTIC : level_of(j->model, info);
}

static sctpa_finding_t *add(const sctpa_judging_t *j, const sctpa_violation_t *violation)
{
    sctpa_arena_t *arena = &j->model->store.arena;
    sctpa_finding_t *finding = sctpa_arena_alloc(arena, sizeof *finding);
    finding->rule = violation->rule;
    finding->level = level_now(j, violation->rule);
    finding->certainty = SCTPA_CERTAINTIES;
    finding->is_early = true;
    finding->accused = violation->c->accused;
    finding->path = violation->path;
    finding->expected = sctpa_arena_text(arena, violation->expected.text);
    finding->seen = sctpa_arena_text(arena, violation->seen.text);
    finding->completed = j->context.index;
    finding->newest = SCTPA_NO_PACKET_INDEX;
    finding->time_ns = j->context.packet->time_ns;
    insert(j->judged, finding);
    return finding;
}

static void add_packet(sctpa_finding_t *finding, uint32_t packet)
{
    bool is_last = finding->n_packets > 0 && finding->packets[finding->n_packets - 1] == packet;
    if (packet != SCTPA_NO_PACKET_INDEX && !is_last && finding->n_packets < SCTPA_FINDING_PACKETS)
        finding->packets[finding->n_packets++] = packet;
}

/* What the finding rests on, with one more occurrence: the surest counts, and of these the one that rests on least. */
static void rest_on(sctpa_finding_t *finding, sctpa_certainty_t certainty, uint32_t rests_on, bool is_early)
{
    if (certainty < finding->certainty || (certainty == finding->certainty && !(rests_on & ~finding->rests_on)))
        finding->rests_on = rests_on;
    finding->is_early &= is_early;
    finding->certainty = MIN(finding->certainty, certainty);
}

/* Where the entry of a rule at an endpoint stands in the list, or would. */
static sctpa_unlisted_t **unlisted_at(sctpa_unlisted_t **at, unsigned rule, uint8_t accused)
{
    while (*at && ((*at)->rule < rule || ((*at)->rule == rule && (*at)->accused < accused)))
        at = &(*at)->next;
    return at;
}

static bool is_unlisted(const sctpa_unlisted_t *at, unsigned rule, uint8_t accused)
{
    return at && at->rule == rule && at->accused == accused;
}

/* One more packet, unless it is among those kept: what the end of a capture shows is asked about again and again. */
static void unlist_packet(sctpa_unlisted_t *unlisted, uint32_t packet)
{
    for (unsigned i = 0; i < unlisted->n_packets; i++)
        if (unlisted->packets[i] == packet)
            return;
    unlisted->count += unlisted->count < UINT32_MAX;
    if (unlisted->n_packets < SCTPA_UNLISTED_PACKETS)
        unlisted->packets[unlisted->n_packets++] = packet;
}

/* A packet completed a violation that may stand in no finding. covered_by: 1 + the rule that is reported in its place,
 * 0 none. O(entries of the association), at most one for each rule and endpoint. */
static void unlist(const sctpa_judging_t *j, unsigned rule, uint8_t accused, uint32_t packet, uint16_t covered_by)
{
    sctpa_pending_t *pending = sctpa_judged_pending(j->model, j->judged);
    sctpa_unlisted_t **at = unlisted_at(&pending->unlisted, rule, accused), *unlisted = *at;
    const bool is_new = !is_unlisted(unlisted, rule, accused);
    if (is_new) {
        unlisted = sctpa_arena_alloc(&j->model->store.arena, sizeof *unlisted);
        *unlisted = (sctpa_unlisted_t){
            .next = *at, .rule = (uint16_t)rule, .accused = accused, .level = (uint8_t)level_now(j, (sctpa_rule_t)rule)
        };
        *at = unlisted;
    }
    unlisted->covered_by = is_new || unlisted->covered_by > 0 ? covered_by : 0;
    unlist_packet(unlisted, packet);
}

/* Gives the entries of a half to the association that it is part of. O(entries of both, squared at worst). */
static void unlisted_take(sctpa_model_t *model, sctpa_judged_t *into, sctpa_judged_t *from, bool swapped)
{
    if (!from->pending->unlisted)
        return;
    sctpa_unlisted_t *rest = sctpa_judged_pending(model, from)->unlisted;
    sctpa_judged_pending(model, from)->unlisted = NULL;
    for (sctpa_unlisted_t *unlisted = rest; unlisted; unlisted = rest) {
        rest = unlisted->next;
        unlisted->accused ^= swapped;
        sctpa_unlisted_t **at =
            unlisted_at(&sctpa_judged_pending(model, into)->unlisted, unlisted->rule, unlisted->accused);
        if (!is_unlisted(*at, unlisted->rule, unlisted->accused)) {
            unlisted->next = *at;
            *at = unlisted;
            continue;
        }
        (*at)->count += unlisted->count - unlisted->n_packets;
        (*at)->covered_by = (*at)->covered_by > 0 ? unlisted->covered_by : 0;
        for (unsigned i = 0; i < unlisted->n_packets; i++)
            unlist_packet(*at, unlisted->packets[i]);
        sctpa_arena_free(&model->store.arena, unlisted, sizeof *unlisted);
    }
}

void sctpa_findings_take(sctpa_model_t *model, sctpa_judged_t *into, sctpa_judged_t *from, bool swapped)
{
    sctpa_finding_t *rest = from->findings;
    from->findings = NULL;
    certainty_drop(model, from, NULL);
    unlisted_take(model, into, from, swapped);
    while (rest) {
        sctpa_finding_t *finding = rest;
        rest = rest->next;
        finding->accused ^= swapped;
        sctpa_finding_t *same = find(into, finding->rule, finding->accused);
        if (!same) {
            insert(into, finding);
            continue;
        }
        same->count += finding->count;
        same->violating_packets += finding->violating_packets;
        rest_on(same, finding->certainty, finding->rests_on, finding->is_early);
        for (uint32_t i = 0; i < finding->n_packets; i++)
            add_packet(same, finding->packets[i]);
        sctpa_pending_t *pending = sctpa_judged_pending(model, from);
        finding->next = pending->joined;
        pending->joined = finding;
    }
}

/* One more occurrence that nothing missing explains. */
static void hold(sctpa_occurrences_t *held, sctpa_occurrence_t occurrence)
{
    sctpa_occurrence_t *at = &held->of[MIN(held->n, SCTPA_OCCURRENCES_HELD - 1)];
    if (held->n < SCTPA_OCCURRENCES_HELD || at->since != SCTPA_NO_PACKET_INDEX)
        *at = occurrence;
    held->n += held->n < SCTPA_OCCURRENCES_HELD;
}

static sctpa_unreported_t *find_unreported(const sctpa_judged_t *judged, sctpa_rule_t rule, uint8_t accused)
{
    sctpa_unreported_t *at = judged->pending->unreported;
    while (at && (at->rule != rule || at->accused != accused))
        at = at->next;
    return at;
}

void sctpa_violation_report(const sctpa_violation_t *violation, bool is_early)
{
    const sctpa_judging_t *j = sctpa_judging_of(violation->c);
    sctpa_finding_t *finding = find(j->judged, violation->rule, violation->c->accused);
    const sctpa_unreported_t *unreported = sctpa_rule_info(violation->rule)->report.from > 1
                                               ? find_unreported(j->judged, violation->rule, violation->c->accused)
                                               : NULL;
    const sctpa_occurrences_t *before = unreported ? &unreported->held : finding ? &finding->held : NULL;
    uint32_t first = before && before->n > 0 ? before->of[0].completed : SCTPA_NO_PACKET_INDEX;
    sctpa_certainty_t certainty = certainty_of(violation, first);
    uint32_t rests_on = certainty_rests_on(violation, first, is_early);
    if (!finding)
        finding = add(j, violation);
    sctpa_counted_t counted = { .finding = finding,
                                .packets_before = finding->n_packets,
                                .rests_on_before = finding->rests_on,
                                .was_early = finding->is_early,
                                .held_before = finding->held.n,
                                .held_last = finding->held.of[MIN(finding->held.n, SCTPA_OCCURRENCES_HELD - 1)],
                                .certainty = (uint8_t)certainty,
                                .certainty_before = (uint8_t)finding->certainty,
                                .may_mark = finding->count < SCTPA_MARKS_MAX };
    rest_on(finding, certainty, rests_on, is_early);
    if (finding->certainty == SCTPA_CERTAINTY_PROBABLE || finding->rests_on & SCTPA_ASSERTED_COMPLETE)
        certainty_open(violation, finding);
    if (unreported)
        finding->held = unreported->held;
    else
        hold(&finding->held, sctpa_certainty_occurrence(violation));
    add_packet(finding, violation->related);
    add_packet(finding, j->context.index);
    finding->count++;
    g_array_append_val(j->model->violations, counted);
}

static sctpa_unreported_t *unreported_of(const sctpa_judging_t *j, sctpa_rule_t rule, uint8_t accused)
{
    sctpa_unreported_t *unreported = find_unreported(j->judged, rule, accused);
    if (unreported)
        return unreported;
    sctpa_pending_t *pending = sctpa_judged_pending(j->model, j->judged);
    unreported = sctpa_arena_alloc(&j->model->store.arena, sizeof *unreported);
    *unreported = (sctpa_unreported_t){ .next = pending->unreported, .rule = (uint16_t)rule, .accused = accused };
    return pending->unreported = unreported;
}

uint32_t sctpa_unreported_count(sctpa_judging_t *j, sctpa_rule_t rule, uint8_t accused, sctpa_occurrence_t occurrence)
{
    unlist(j, rule, accused, occurrence.completed, 0);
    sctpa_unreported_t *unreported = unreported_of(j, rule, accused);
    hold(&unreported->held, occurrence);
    unreported->count += unreported->count < UINT32_MAX;
    return unreported->count;
}

void sctpa_findings_excuse_violation(const sctpa_violation_t *violation)
{
    const sctpa_judging_t *j = sctpa_judging_of(violation->c);
    const uint8_t accused = violation->c->accused;
    unreported_of(j, violation->rule, accused)->is_excused = true;
    unlist(j, violation->rule, accused, j->context.index, 0);
    j->judged->missing[accused] |= SCTPA_NEED_COMPLETE;
}

void sctpa_unreported_forget(sctpa_judging_t *j, sctpa_rule_t rule, uint8_t accused)
{
    sctpa_unreported_t *found = find_unreported(j->judged, rule, accused);
    if (found)
        found->count = found->held.n = 0;
}

/* Rules that others cover, by endpoint, and by how sure these are. */
typedef sctpa_rule_bits_t covered_t[SCTPA_CERTAINTIES][2];

/* A rule of a lower level covers none of a higher one. */
static void put_covered(const sctpa_model_t *model, covered_t covered, const sctpa_counted_t *counted)
{
    const sctpa_finding_t *by = counted->finding;
    const sctpa_rule_info_t *info = sctpa_rule_info(by->rule);
    for (unsigned i = 0; i < SCTPA_COVERS_MAX && info->report.covers[i] > 0; i++)
        if (by->level <= level_of(model, sctpa_rule_info((sctpa_rule_t)(info->report.covers[i] - 1))))
            sctpa_rule_bits_put(&covered[counted->certainty][by->accused], (sctpa_rule_t)(info->report.covers[i] - 1));
}

/* 1 + the rule of a violation of the packet that covers one that is covered; 0 none. */
static uint16_t covering(const GArray *violations, const sctpa_counted_t *covered)
{
    for (unsigned i = 0; i < violations->len; i++) {
        const sctpa_counted_t *by = &g_array_index(violations, sctpa_counted_t, i);
        const uint16_t *covers = sctpa_rule_info(by->finding->rule)->report.covers;
        for (unsigned n = 0; n < SCTPA_COVERS_MAX && by->finding->accused == covered->finding->accused; n++)
            if (covers[n] == covered->finding->rule + 1)
                return (uint16_t)(by->finding->rule + 1);
    }
    return 0;
}

/* What is less sure covers nothing surer. */
static bool is_covered(const covered_t covered, const sctpa_counted_t *counted)
{
    bool is = false;
    for (unsigned by = 0; by <= counted->certainty; by++)
        is |= sctpa_rule_bits_has(&covered[by][counted->finding->accused], counted->finding->rule);
    return is;
}

static void finding_free(sctpa_model_t *model, sctpa_finding_t *finding)
{
    sctpa_arena_free_text(&model->store.arena, finding->expected);
    sctpa_arena_free_text(&model->store.arena, finding->seen);
    sctpa_arena_free(&model->store.arena, finding, sizeof *finding);
}

static void take_back(sctpa_model_t *model, sctpa_judged_t *judged, const sctpa_counted_t *counted)
{
    sctpa_finding_t *finding = counted->finding, **at = &judged->findings;
    finding->n_packets = MIN(finding->n_packets, counted->packets_before);
    finding->certainty = counted->certainty_before;
    finding->rests_on = counted->rests_on_before;
    finding->is_early = counted->was_early;
    finding->held.n = counted->held_before;
    finding->held.of[MIN(finding->held.n, SCTPA_OCCURRENCES_HELD - 1)] = counted->held_last;
    certainty_drop(model, judged, finding);
    if (--finding->count > 0)
        return;
    while (*at != finding)
        at = &(*at)->next;
    *at = finding->next;
    finding_free(model, finding);
}

/* Once, however often the packet completes the finding. */
static void mark(const sctpa_judging_t *j, sctpa_finding_t *finding)
{
    GArray *marks = j->model->marks;
    sctpa_mark_t made = { j->context.index, finding->last_mark, finding };
    if (made.before > 0 && g_array_index(marks, sctpa_mark_t, made.before - 1).packet == made.packet)
        return;
    g_array_append_val(marks, made);
    finding->last_mark = marks->len;
}

void sctpa_findings_settle(sctpa_judging_t *j)
{
    GArray *violations = j->model->violations;
    covered_t covered = { { { { 0 } } } };
    for (unsigned i = 0; violations->len > 1 && i < violations->len; i++)
        put_covered(j->model, covered, &g_array_index(violations, sctpa_counted_t, i));
    for (unsigned i = 0; i < violations->len; i++) {
        const sctpa_counted_t *counted = &g_array_index(violations, sctpa_counted_t, i);
        if (is_covered(covered, counted))
            unlist(j, counted->finding->rule, counted->finding->accused, j->context.index,
                   covering(violations, counted));
    }
    for (unsigned i = 0; i < violations->len; i++) {
        const sctpa_counted_t *counted = &g_array_index(violations, sctpa_counted_t, i);
        if (is_covered(covered, counted)) {
            take_back(j->model, j->judged, counted);
            continue;
        }
        counted->finding->violating_packets += counted->finding->newest != j->context.index;
        counted->finding->newest = j->context.index;
        if (counted->may_mark)
            mark(j, counted->finding);
    }
    g_array_set_size(violations, 0);
}

void sctpa_findings_settle_at_end(sctpa_judging_t *j)
{
    GArray *violations = j->model->violations;
    for (unsigned i = 0; i < violations->len; i++) {
        sctpa_at_end_t at_end = { j->judged, g_array_index(violations, sctpa_counted_t, i), j->now };
        at_end.counted.finding->violating_packets++;
        if (at_end.counted.finding->count == 1)
            at_end.counted.finding->time_ns = sctpa_context_time_ns(&j->context, j->context.index);
        g_array_append_val(j->model->at_end, at_end);
    }
    g_array_set_size(violations, 0);
}

void sctpa_findings_take_back_end(sctpa_model_t *model)
{
    for (unsigned i = model->at_end->len; i-- > 0;) {
        const sctpa_at_end_t *at_end = &g_array_index(model->at_end, sctpa_at_end_t, i);
        sctpa_finding_t *finding = at_end->counted.finding;
        sctpa_unreported_t *unreported = find_unreported(at_end->judged, finding->rule, finding->accused);
        finding->violating_packets--;
        if (unreported && unreported->count > 0) {
            unreported->count--;
            unreported->held.n -= unreported->held.n > 0;
        }
        take_back(model, at_end->judged, &at_end->counted);
        sctpa_model_count(model, at_end->judged, &at_end->now, UINT32_MAX);
    }
    g_array_set_size(model->at_end, 0);
}

/* Takes out the dead marks, once they are most: others move to their places. */
static void drop_dead_marks(sctpa_model_t *model)
{
    GArray *marks = model->marks;
    uint32_t kept = 0;
    if (model->dead_marks <= marks->len / 2)
        return;
    for (uint32_t i = 0; i < marks->len; i++) {
        sctpa_mark_t mark = g_array_index(marks, sctpa_mark_t, i);
        sctpa_finding_t *finding = (sctpa_finding_t *)mark.finding;
        if (!finding)
            continue;
        if (mark.before > 0)
            mark.before = finding->last_mark;
        g_array_index(marks, sctpa_mark_t, kept++) = mark;
        finding->last_mark = kept;
    }
    g_array_set_size(marks, kept);
    model->dead_marks = 0;
}

static void findings_free(sctpa_model_t *model, sctpa_finding_t *findings)
{
    for (sctpa_finding_t *finding = findings, *next; finding; finding = next) {
        next = finding->next;
        for (uint32_t at = finding->last_mark; at > 0; model->dead_marks++) {
            sctpa_mark_t *mark = &g_array_index(model->marks, sctpa_mark_t, at - 1);
            mark->finding = NULL;
            at = mark->before;
        }
        finding_free(model, finding);
    }
}

void sctpa_findings_free(sctpa_model_t *model, sctpa_judged_t *judged)
{
    certainty_drop(model, judged, NULL);
    findings_free(model, judged->findings);
    findings_free(model, judged->pending->joined);
    for (sctpa_unreported_t *unreported = judged->pending->unreported, *next; unreported; unreported = next) {
        next = unreported->next;
        sctpa_arena_free(&model->store.arena, unreported, sizeof *unreported);
    }
    for (sctpa_unlisted_t *unlisted = judged->pending->unlisted, *next; unlisted; unlisted = next) {
        next = unlisted->next;
        sctpa_arena_free(&model->store.arena, unlisted, sizeof *unlisted);
    }
    sctpa_judged_free_pending(model, judged);
    drop_dead_marks(model);
}

/* Needs that seemed met at an endpoint and turned out not to be: the capture lacks packets, or SACKs passed in another
 * order than the endpoint sent. */
static uint32_t disproved(const sctpa_judged_t *judged, uint8_t end)
{
    return (judged->reference.tap.is_unplaced ? SCTPA_NEED_COMPLETE : 0) |
           (judged->reference.tap.overtaken[end] ? SCTPA_NEED_NEAR : 0);
}

static bool may_be_translated(const sctpa_tracked_t *tracked)
{
    return sctpa_tap_is_translated(tracked, 0) != SCTPA_NO || sctpa_tap_is_translated(tracked, 1) != SCTPA_NO;
}

/* What was judged by a need that is disproved does not stand, but for the rule on the order of SACKs; and nothing
 * stands between two directions that may not belong together. */
static bool is_rule_upheld(const sctpa_judged_t *judged, const sctpa_tracked_t *tracked, sctpa_rule_t rule, uint8_t end)
{
    uint32_t needs = sctpa_rule_info(rule)->needs;
    uint32_t excused = rule == SCTPA_RULE_RX_001 ? SCTPA_NEED_NEAR : 0;
    return !(needs & disproved(judged, end) & ~excused) &&
           (!(needs & SCTPA_NEED_BOTH_DIRECTIONS) || !tracked->unproven) &&
           !(needs & SCTPA_NEED_UNTRANSLATED && may_be_translated(tracked));
}

/* Does it stand on as many occurrences as its rule asks for, of those that nothing missing explains? */
static bool is_held(const sctpa_finding_t *finding)
{
    uint32_t least = finding->is_early ? 1 : sctpa_rule_info(finding->rule)->report.from;
    return finding->held.n >= CLAMP(least, 1, SCTPA_OCCURRENCES_HELD);
}

/* Nor does what was found of an endpoint whose packets turned out to belong to another association. */
static bool is_upheld(const sctpa_judged_t *judged, const sctpa_tracked_t *tracked, const sctpa_finding_t *finding)
{
    uint8_t end = finding->accused;
    bool has_left =
        tracked->rare->moved_to[end] != SCTPA_NO_ASSOC && finding->completed < tracked->rare->moved_before[end];
    const sctpa_rule_info_t *info = sctpa_rule_info(finding->rule);
    const bool is_kept = !(info->report.at_once_if & ~finding->rests_on) && !judged->reference.tap.overtaken[end];
    bool is_too_early = finding->is_early && !info->report.possible_before && !is_kept &&
                        !sctpa_reports_at_once(&judged->reference.tap, info, end);
    return !has_left && !is_too_early && is_held(finding) && is_rule_upheld(judged, tracked, finding->rule, end);
}

bool sctpa_model_upholds(const sctpa_model_t *model, const sctpa_tracked_t *tracked, const sctpa_finding_t *finding)
{
    const sctpa_judged_t *judged = sctpa_judged_find(model, tracked);
    return judged && is_upheld(judged, tracked, finding);
}

static const sctpa_finding_t *skip_withheld(const sctpa_judged_t *judged, const sctpa_tracked_t *tracked,
                                            const sctpa_finding_t *finding)
{
    while (finding && !is_upheld(judged, tracked, finding))
        finding = finding->next;
    return finding;
}

const sctpa_finding_t *sctpa_model_first(const sctpa_model_t *model, const sctpa_tracked_t *tracked)
{
    const sctpa_judged_t *judged = sctpa_judged_find(model, tracked);
    return judged ? skip_withheld(judged, tracked, judged->findings) : NULL;
}

const sctpa_finding_t *sctpa_model_next(const sctpa_model_t *model, const sctpa_tracked_t *tracked,
                                        const sctpa_finding_t *finding)
{
    return skip_withheld(sctpa_judged_find(model, tracked), tracked, finding->next);
}

const sctpa_mark_t *sctpa_model_marks(const sctpa_model_t *model, uint32_t packet, unsigned *n)
{
    const GArray *marks = model->marks;
    uint32_t low = sctpa_array_from(marks, packet);
    for (*n = 0; low + *n < marks->len && g_array_index(marks, sctpa_mark_t, low + *n).packet == packet;)
        ++*n;
    return *n > 0 ? &g_array_index(marks, sctpa_mark_t, low) : NULL;
}

const GArray *sctpa_model_all_marks(const sctpa_model_t *model)
{
    return model->marks;
}

/* Did it happen, but so seldom that it may have another cause? */
static bool is_too_seldom(const sctpa_judged_t *judged, uint8_t end, sctpa_rule_t rule)
{
    const sctpa_unreported_t *unreported = find_unreported((sctpa_judged_t *)judged, rule, end);
    return unreported && unreported->count > 0 && unreported->count < sctpa_rule_info(rule)->report.from &&
           !(find(judged, rule, end) && sctpa_reports_at_once(&judged->reference.tap, sctpa_rule_info(rule), end));
}

/* Did it happen, but only where packets that are missing may explain it? */
static bool is_excused(const sctpa_judged_t *judged, uint8_t end, sctpa_rule_t rule)
{
    const sctpa_unreported_t *unreported = find_unreported((sctpa_judged_t *)judged, rule, end);
    const sctpa_finding_t *finding = find(judged, rule, end);
    return finding ? !is_held(finding) : unreported && unreported->is_excused;
}

static bool is_judged(const sctpa_judged_t *judged, const sctpa_tracked_t *tracked, uint8_t end, sctpa_rule_t rule)
{
    return sctpa_rule_set_has(judged->judged[end], rule) && !is_excused(judged, end, rule) &&
           is_rule_upheld(judged, tracked, rule, end) && !is_too_seldom(judged, end, rule);
}

uint32_t sctpa_judged_withheld_by(const sctpa_judged_t *judged, const sctpa_tracked_t *tracked, uint8_t end,
                                  sctpa_rule_t rule)
{
    uint32_t needs = disproved(judged, end) | (tracked->unproven ? SCTPA_NEED_BOTH_DIRECTIONS : 0) |
                     (may_be_translated(tracked) ? SCTPA_NEED_UNTRANSLATED : 0);
    return (needs & sctpa_rule_info(rule)->needs) | (is_excused(judged, end, rule) ? SCTPA_NEED_COMPLETE : 0);
}

static bool had_occasion(const sctpa_judged_t *judged, uint8_t end, sctpa_rule_t rule)
{
    return sctpa_rule_set_has(judged->refused[end], rule) || sctpa_rule_set_has(judged->judged[end], rule);
}

bool sctpa_model_has_judged(const sctpa_model_t *model, const sctpa_tracked_t *tracked, uint8_t end, sctpa_rule_t rule)
{
    const sctpa_judged_t *judged = sctpa_judged_find(model, tracked);
    return judged && is_judged(judged, tracked, end, rule);
}

bool sctpa_model_has_refused(const sctpa_model_t *model, const sctpa_tracked_t *tracked, uint8_t end, sctpa_rule_t rule)
{
    const sctpa_judged_t *judged = sctpa_judged_find(model, tracked);
    return judged && had_occasion(judged, end, rule) && !is_judged(judged, tracked, end, rule);
}

const sctpa_unlisted_t *sctpa_model_unlisted(const sctpa_model_t *model, const sctpa_tracked_t *tracked, uint8_t end,
                                             const sctpa_unlisted_t *before)
{
    const sctpa_judged_t *judged = sctpa_judged_find(model, tracked);
    const sctpa_unlisted_t *at = before ? before->next : judged ? judged->pending->unlisted : NULL;
    for (; at; at = at->next) {
        const sctpa_finding_t *finding = find(judged, (sctpa_rule_t)at->rule, end);
        if (at->accused == end && !sctpa_rule_bits_has(&model->off, (sctpa_rule_t)at->rule) &&
            !(finding && is_upheld(judged, tracked, finding)))
            return at;
    }
    return NULL;
}

sctpa_judgement_t sctpa_model_judgement(const sctpa_model_t *model, const sctpa_tracked_t *tracked, uint8_t end)
{
    const sctpa_judged_t *judged = sctpa_judged_find(model, tracked);
    sctpa_judgement_t result = { .verdict = SCTPA_VERDICT_NOT_JUDGED };
    if (!judged)
        return result;
    uint32_t missing =
        judged->missing[end] | disproved(judged, end) | (may_be_translated(tracked) ? SCTPA_NEED_UNTRANSLATED : 0);
    for (const sctpa_finding_t *f = sctpa_model_first(model, tracked); f; f = sctpa_model_next(model, tracked, f))
        if (f->accused == end)
            sctpa_finding_counts_add(&result.findings, f);
    for (unsigned rule = 0; rule < SCTPA_RULES; rule++) {
        if (is_judged(judged, tracked, end, (sctpa_rule_t)rule)) {
            result.judged++;
        } else if (had_occasion(judged, end, (sctpa_rule_t)rule)) {
            result.refused++;
            result.missing |= sctpa_rule_info((sctpa_rule_t)rule)->needs & missing;
            result.too_few += is_too_seldom(judged, end, (sctpa_rule_t)rule);
        }
    }
    if (result.findings.levels[SCTPA_LEVEL_MUST] > 0)
        result.verdict = SCTPA_VERDICT_DEVIATES;
    else if (result.findings.levels[SCTPA_LEVEL_SHOULD] > 0)
        result.verdict = SCTPA_VERDICT_UNUSUAL;
    else if (result.findings.unsure[SCTPA_CERTAINTY_PROBABLE] > 0)
        result.verdict = SCTPA_VERDICT_SUSPICIOUS;
    else if (result.judged > 0)
        result.verdict = SCTPA_VERDICT_CLEAN;
    return result;
}

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
