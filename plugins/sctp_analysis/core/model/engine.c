/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the context of each packet and shows it to the groups concerned; knows which needs of rules are met. Leaves out
 * the rules. */
#include "engine.h"

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "model/shared/obligations.h"
#include "model/shared/receiver.h"
#include "model/shared/retransmissions.h"
#include "model/shared/t3_bounds.h"
#include "wire/address.h"

sctpa_words_t sctpa_words(const char *format, ...)
{
    sctpa_words_t words;
    va_list args;
    va_start(args, format);
    g_vsnprintf(words.text, sizeof words.text, format, args);
    va_end(args);
    return words;
}

sctpa_words_t sctpa_addr_words(const sctpa_addr_t *addr)
{
    char *text = sctpa_addr_text(addr);
    sctpa_words_t words = sctpa_words("%s", text);
    g_free(text);
    return words;
}

sctpa_model_t *sctpa_model_new(const sctpa_rule_choice_t *choice, sctpa_profile_t profile)
{
    sctpa_model_t *model = g_new0(sctpa_model_t, 1);
    sctpa_reference_init(&model->store);
    sctpa_rule_sets_init(&model->rule_sets);
    sctpa_occasion_kinds_init(&model->occasion_kinds);
    model->choice = *choice;
    model->profile = profile;
    sctpa_model_ask(model);
    model->marks = g_array_new(FALSE, FALSE, sizeof(sctpa_mark_t));
    model->violations = g_array_new(FALSE, FALSE, sizeof(sctpa_counted_t));
    model->at_end = g_array_new(FALSE, FALSE, sizeof(sctpa_at_end_t));
    return model;
}

void sctpa_model_assert(sctpa_model_t *model, const sctpa_assertions_t *assertions)
{
    sctpa_asserted_begin(&model->store.asserted, assertions);
}

void sctpa_model_free(sctpa_model_t *model)
{
    sctpa_reference_clear(&model->store);
    sctpa_rule_sets_clear(&model->rule_sets);
    sctpa_occasion_kinds_clear(&model->occasion_kinds);
    g_array_unref(model->marks);
    g_array_unref(model->violations);
    g_array_unref(model->at_end);
    g_clear_pointer(&model->store.owed, g_array_unref);
    g_clear_pointer(&model->owed_by_assoc, g_array_unref);
    g_free(model);
}

const sctpa_reference_store_t *sctpa_model_reference(const sctpa_model_t *model)
{
    return &model->store;
}

const sctpa_pending_t sctpa_nothing_pending;

sctpa_pending_t *sctpa_judged_pending(sctpa_model_t *model, sctpa_judged_t *judged)
{
    sctpa_pending_t *pending =
        sctpa_rare_own(judged->pending, &sctpa_nothing_pending, sizeof sctpa_nothing_pending, &model->store.arena);
    judged->pending = pending;
    return pending;
}

void sctpa_judged_free_pending(sctpa_model_t *model, sctpa_judged_t *judged)
{
    sctpa_rare_free(judged->pending, &sctpa_nothing_pending, sizeof sctpa_nothing_pending, &model->store.arena);
    judged->pending = &sctpa_nothing_pending;
}

static sctpa_judged_t *judged_of(sctpa_model_t *model, uint32_t number)
{
    sctpa_judged_t *judged = (sctpa_judged_t *)sctpa_reference_at(&model->store, number);
    if (judged)
        return judged;
    judged = sctpa_arena_alloc(&model->store.arena, sizeof *judged);
    sctpa_reference_begin(&model->store, &judged->reference, number);
    judged->pending = &sctpa_nothing_pending;
    for (unsigned end = 0; end < 2; end++)
        judged->judged[end] = judged->refused[end] = model->rule_sets.none;
    return judged;
}

/* Once met, these needs are met by all that follows. */
static uint8_t meet_for_good(const sctpa_judging_t *j, uint8_t endpoint)
{
    enum { FOR_GOOD = SCTPA_NEED_SETUP_SEEN | SCTPA_NEED_RTT };
    const sctpa_tracked_t *tracked = j->context.tracked;
    const sctpa_end_t *ends = tracked->assoc.ends;
    const sctpa_direction_t *sent = tracked->sides[endpoint].sent;
    uint8_t *met = &j->judged->met[endpoint];
    if (*met != FOR_GOOD)
        *met |= (uint8_t)((ends[0].init.seen && ends[1].init.seen ? SCTPA_NEED_SETUP_SEEN : 0) |
                          (sent && sent->samples.len > 0 ? SCTPA_NEED_RTT : 0));
    return *met;
}

/* Where packets are missing from the capture, what they may explain is told apart later (findings.c). A packet that
 * stands behind later ones passed before what they show. */
static bool may_be_complete(const sctpa_context_t *c)
{
    return !(c->record->remarks & SCTPA_CAPTURE_REORDERED) &&
           sctpa_tap_passed_all_since(&c->reference->tap, c->tracked, SCTPA_BY_EITHER, c->index) != SCTPA_NO;
}

/* Whether addresses are translated shows later: what was found until then is withheld (findings.c). */
static void meet(sctpa_judging_t *j)
{
    const sctpa_context_t *c = &j->context;
    bool is_whole = c->packet->captured_bytes == c->packet->wire_bytes;
    unsigned of_both = (is_whole ? SCTPA_NEED_WHOLE_PACKET : 0) |
                       (sctpa_context_is_intact(c) ? SCTPA_NEED_CHECKSUM_GOOD : 0) |
                       (sctpa_tap_has_both(c->tracked) ? SCTPA_NEED_BOTH_DIRECTIONS : 0) |
                       (may_be_complete(c) ? SCTPA_NEED_COMPLETE : 0) | SCTPA_NEED_UNTRANSLATED;
    for (uint8_t end = 0; end < 2; end++)
        j->lacks[end] = (uint16_t) ~(
            of_both | meet_for_good(j, end) | (sctpa_context_is_near(c, end) == SCTPA_YES ? SCTPA_NEED_NEAR : 0) |
            (c->rows & SCTPA_ROW(AUTH) && c->assoc->ends[end].rare->auth_good > 0 ? SCTPA_NEED_AUTH_KEY : 0));
}

/* Nobody took a packet whose checksum is wrong, when its sender makes right ones. */
static bool is_damaged(const sctpa_context_t *c)
{
    return c->record->checksum == SCTPA_CHECKSUM_BAD && c->tracked->sides[c->from].good_checksums;
}

static void forget(sctpa_model_t *model, uint32_t number)
{
    sctpa_judged_t *judged = (sctpa_judged_t *)sctpa_reference_at(&model->store, number);
    if (!judged)
        return;
    sctpa_reference_forget(&model->store, &judged->reference, number);
    for (unsigned end = 0; end < 2; end++) {
        sctpa_rule_sets_remove(&model->rule_sets, judged->judged[end]);
        sctpa_rule_sets_remove(&model->rule_sets, judged->refused[end]);
    }
    sctpa_occasions_free(&model->store.arena, &judged->occasions);
    sctpa_findings_free(model, judged);
    sctpa_arena_free(&model->store.arena, judged, sizeof *judged);
}

void sctpa_model_count_occasions(sctpa_model_t *model)
{
    model->counts_occasions = true;
}

void sctpa_model_keep_owed(sctpa_model_t *model)
{
    if (model->store.owed)
        return;
    model->store.owed = g_array_new(FALSE, FALSE, sizeof(sctpa_owed_result_t));
    model->owed_by_assoc = g_array_new(FALSE, FALSE, sizeof(sctpa_owed_result_t));
}

const GArray *sctpa_model_owed(const sctpa_model_t *model)
{
    return model->store.owed;
}

const GArray *sctpa_model_owed_by_assoc(const sctpa_model_t *model)
{
    return model->owed_by_assoc;
}

void sctpa_model_forget(sctpa_model_t *model, const sctpa_tracker_t *tracker, uint32_t number)
{
    const sctpa_tracked_t *tracked = sctpa_tracked_at(tracker, number);
    sctpa_findings_take_back_end(model);
    for (uint32_t next = tracked->rare->last_half; next > 0;) {
        forget(model, next - 1);
        next = sctpa_tracked_find(tracker, next - 1)->rare->half_before;
    }
    forget(model, tracked->assoc.number);
}

size_t sctpa_model_held_bytes(const sctpa_model_t *model)
{
    return sctpa_reference_held_bytes(&model->store) + sctpa_rule_sets_own_bytes(&model->rule_sets) +
           (model->marks->len - model->dead_marks) * sizeof(sctpa_mark_t);
}

void sctpa_refuse(sctpa_judging_t *j, sctpa_rule_t rule, uint8_t accused)
{
    if (sctpa_rule_bits_has(&j->model->off, rule))
        return;
    j->now.lacked[accused] |= sctpa_rule_info(rule)->needs & j->lacks[accused];
    sctpa_rule_bits_put(&j->now.refused[accused], rule);
    j->has_refused = true;
}

/* Nearly every packet of an association that is up brings only occasions that it had before. */
static void note_occasions(sctpa_judging_t *j)
{
    sctpa_rule_sets_t *sets = &j->model->rule_sets;
    sctpa_judged_t *judged = j->judged;
    sctpa_model_count(j->model, judged, &j->now, 1);
    for (unsigned end = 0; end < 2; end++) {
        judged->missing[end] |= (uint16_t)j->now.lacked[end];
        if (!sctpa_rule_set_holds(judged->judged[end], &j->now.judged[end])) {
            sctpa_rule_bits_take_out(&j->now.judged[end], &j->model->off);
            judged->judged[end] = sctpa_rule_sets_add(sets, judged->judged[end], &j->now.judged[end]);
        }
        if (j->has_refused && !sctpa_rule_set_holds(judged->refused[end], &j->now.refused[end]))
            judged->refused[end] = sctpa_rule_sets_add(sets, judged->refused[end], &j->now.refused[end]);
    }
}

/* What the packet shows of the capture may refute what was asserted of it, and explain what was found. */
static void take_tap(sctpa_judging_t *j)
{
    const sctpa_context_t *c = &j->context;
    const bool was_complete = sctpa_tap_asserted(&c->reference->tap, 0) & SCTPA_ASSERTED_COMPLETE;
    if (c->is_stray) {
        sctpa_tap_take_stray(&c->reference->tap, c->tracker, c->tracked, c->from, c->packet, c->index);
        return;
    }
    const sctpa_hole_t hole =
        sctpa_tap_take(&c->reference->tap, &c->store->arena, c->tracker, c->tracked, c->packet, c->rows, c->index);
    if (hole.before > 0 || hole.mixed > 0)
        sctpa_findings_excuse(j, hole);
    if (was_complete && !(sctpa_tap_asserted(&c->reference->tap, 0) & SCTPA_ASSERTED_COMPLETE))
        sctpa_certainty_refute(j, SCTPA_ASSERTED_COMPLETE, hole);
}

static void ask_owed(sctpa_context_t *c)
{
    switch ((sctpa_obligation_t)c->due->owed.what) {
#define SCTPA_OBLIGATION(id, chapter, ...) \
    case SCTPA_OWED_##id: \
        sctpa_check_##chapter(c); \
        return;
#include "model/shared/obligations.def"
    case SCTPA_OBLIGATIONS: return;
    }
}

/* What a stray says, its receiver discards: it moves no endpoint on. */
static void ask_groups(sctpa_judging_t *j)
{
    sctpa_context_t *c = &j->context;
    sctpa_obligations_judge(c, ask_owed);
    if (c->is_stray) {
        sctpa_check_tags(c);
        return;
    }
    sctpa_receiver_observe(c);
    sctpa_retransmissions_take(c);
    if (j->judged->pending->open)
        sctpa_certainty_settle(j);
#define SCTPA_GROUP(id, word, group_rows) \
    if (c->rows & (group_rows)) \
        sctpa_check_##word(c);
#include "groups.def"
    if (c->n_chunks == 0)
        sctpa_check_empty(c);
    if (sctpa_obligations_are_kept(c->store))
        sctpa_t3_bounds_take(c);
    sctpa_obligations_take(c);
}

/* Begins to ask rules at a packet, or a moment, of which the context is begun. */
static void judging_begin(sctpa_judging_t *j, sctpa_model_t *model)
{
    sctpa_context_t *c = &j->context;
    j->model = model;
    j->judged = judged_of(model, c->tracked->assoc.number);
    c->store = &model->store;
    c->reference = &j->judged->reference;
    memset(&j->now, 0, sizeof j->now);
    j->has_refused = false;
    sctpa_violation_begin(j);
}

/* A packet that nobody took: only its sender is asked about it, who may have damaged it itself. */
static void judge_damaged(sctpa_judging_t *j)
{
    meet(j);
    sctpa_check_damaged(&j->context);
    note_occasions(j);
    if (j->model->violations->len > 0)
        sctpa_findings_settle(j);
}

void sctpa_model_take(sctpa_model_t *model, sctpa_tracker_t *tracker, const sctpa_packet_t *packet, uint32_t index)
{
    const sctpa_record_t *record = &g_array_index(tracker->records, sctpa_record_t, index);
    sctpa_judging_t j;
    sctpa_context_t *c = &j.context;
    if (model->at_end->len > 0)
        sctpa_findings_take_back_end(model);
    if (!model->asks || record->assoc == SCTPA_NO_ASSOC || record->remarks & SCTPA_CAPTURE_DUPLICATE)
        return;
    sctpa_context_begin(c, tracker, packet, index);
    const bool is_ignored = is_damaged(c);
    if (is_ignored && !sctpa_obligations_are_kept(&model->store))
        return;
    judging_begin(&j, model);
    if (j.judged->reshaped != c->tracked->reshaped)
        sctpa_judged_reshape(&j);
    if (is_ignored) {
        judge_damaged(&j);
        return;
    }
    if (c->rows & (SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK)))
        sctpa_implementation_take(c);
    if (c->rows & (SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(RE_CONFIG)) && !c->is_stray)
        sctpa_stream_counts_take(c);
    take_tap(&j);
    if (c->facts & SCTPA_FACT_RTX && !c->is_stray)
        sctpa_findings_repair(&j);
    meet(&j);
    ask_groups(&j);
    note_occasions(&j);
    if (model->violations->len > 0)
        sctpa_findings_settle(&j);
}

/* What packets settled, under the numbers that their associations have by now. */
static void copy_settled(sctpa_model_t *model, sctpa_tracker_t *tracker)
{
    g_array_set_size(model->owed_by_assoc, 0);
    g_array_append_vals(model->owed_by_assoc, model->store.owed->data, model->store.owed->len);
    for (unsigned i = 0; i < model->owed_by_assoc->len; i++) {
        sctpa_owed_result_t *result = &g_array_index(model->owed_by_assoc, sctpa_owed_result_t, i);
        const sctpa_record_t *record = &g_array_index(tracker->records, sctpa_record_t, result->since);
        result->key = sctpa_tracked_at(tracker, record->assoc)->assoc.number;
    }
}

static gint by_association(gconstpointer a, gconstpointer b)
{
    const sctpa_owed_result_t *x = a, *y = b;
    const uint32_t of_x[] = { x->key, x->settled_by, x->since }, of_y[] = { y->key, y->settled_by, y->since };
    unsigned i = 0;
    while (i + 1 < G_N_ELEMENTS(of_x) && of_x[i] == of_y[i])
        i++;
    return (of_x[i] > of_y[i]) - (of_x[i] < of_y[i]);
}

/* An entry that is overdue when the capture ends, at the packet that created it: nothing came that discharged it. */
static void judge_entry(sctpa_model_t *model, sctpa_tracker_t *tracker, const sctpa_owed_t *owed, int64_t end_ns,
                        int64_t quiet_ns)
{
    const sctpa_stamp_t *stamp = &g_array_index(tracker->store.stamps, sctpa_stamp_t, owed->packet);
    sctpa_packet_t moment = { .time_ns = end_ns, .interface = sctpa_stamp_interface(stamp) };
    sctpa_judging_t j;
    sctpa_due_t due;
    sctpa_context_begin(&j.context, tracker, &moment, owed->packet);
    judging_begin(&j, model);
    bool is_overdue = sctpa_obligations_is_overdue(&j.context, owed, &due);
    if (!is_overdue) {
        moment.time_ns += quiet_ns;
        is_overdue = due.is_by_quiet = sctpa_obligations_is_overdue(&j.context, owed, &due);
    }
    sctpa_obligations_note(model->owed_by_assoc, &due, is_overdue ? SCTPA_OWED_FATE_MISSING : SCTPA_OWED_FATE_OPEN,
                           j.context.tracked->assoc.number, SCTPA_NO_PACKET_INDEX);
    if (!is_overdue)
        return;
    meet(&j);
    j.context.due = &due;
    j.context.accused = owed->debtor;
    ask_owed(&j.context);
    if (model->violations->len > 0) {
        note_occasions(&j);
        sctpa_findings_settle_at_end(&j);
    }
}

void sctpa_model_judge_end(sctpa_model_t *model, sctpa_tracker_t *tracker, int64_t end_ns)
{
    const int64_t quiet_ns = model->store.asserted.assertions->quiet_ns;
    sctpa_findings_take_back_end(model);
    if (!sctpa_obligations_are_kept(&model->store))
        return;
    if (model->owed_by_assoc)
        copy_settled(model, tracker);
    tracker->observation.n = tracker->observation.auth_at = 0;
    tracker->observation.rows = 0;
    for (unsigned number = 0; number < model->store.associations->len; number++) {
        const sctpa_reference_t *reference = sctpa_reference_at(&model->store, number);
        const sctpa_owed_t *owed = reference ? sctpa_obligations_first(reference) : NULL;
        for (; owed && sctpa_tracked_find(tracker, number)->assoc.merged_into == SCTPA_NO_ASSOC; owed = owed->next)
            if (!owed->is_counted)
                judge_entry(model, tracker, owed, end_ns, quiet_ns);
    }
    if (model->owed_by_assoc)
        g_array_sort(model->owed_by_assoc, by_association);
}

/* A rule of the table was found violated: reported at once, the first time alone, or from a later occurrence on. */
void sctpa_take_violation(sctpa_judging_t *j)
{
    const sctpa_violation_t *violation = &j->violation;
    const sctpa_rule_info_t *row = sctpa_rule_info(violation->rule);
    bool is_repeated = row->report.once && !sctpa_finding_is_new(violation);
    if (sctpa_certainty_is_excused(violation)) {
        sctpa_findings_excuse_violation(violation);
    } else if (!sctpa_rule_bits_has(&j->model->off, violation->rule) && !is_repeated) {
        bool is_early =
            row->report.from > 1 && sctpa_unreported_count(j, violation->rule, j->context.accused,
                                                           sctpa_certainty_occurrence(violation)) < row->report.from;
        bool is_at_once = is_early && !(row->report.at_once_needs & j->lacks[j->context.accused]) &&
                          sctpa_reports_at_once(&j->context.reference->tap, row, j->context.accused);
        if (is_early && !is_at_once && row->report.possible_before)
            j->violation.at_best = SCTPA_CERTAINTY_POSSIBLE;
        if (!is_early || is_at_once || row->report.possible_before)
            sctpa_violation_report(violation, is_early);
    }
    sctpa_violation_begin(j);
}
