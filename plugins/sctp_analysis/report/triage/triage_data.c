/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The troubles of associations: asks each topic about each direction of data, ranks the association. Rules that were
 * violated stand here, the worst first; notes and what is only possible are left to -z sctp,findings. A kind of
 * trouble that a page tells in another topic is not "not found": a loss, or what is said of it by "or", counts as a
 * trouble of paths, and what an endpoint has to do otherwise as a violation, whether a rule found it or not. */
#include "../findings_filter.h"
#include "../text/finding_words.h"
#include "../text/outcome_text.h"
#include "../text/page.h"
#include "../text/text.h"
#include "triage.h"

enum {
    RULES = 1 << SCTPA_TRIAGE_RULES,
    PATHS = 1 << SCTPA_TRIAGE_PATHS,
    CLOSED = 1 << SCTPA_TRIAGE_CLOSED,
    APPLICATION = 1 << SCTPA_TRIAGE_APPLICATION
};

static void tell_if(sctpa_triage_trouble_t *trouble, bool condition, uint32_t kinds)
{
    trouble->told |= condition ? kinds : 0;
}

void sctpa_told_add_pauses(sctpa_triage_trouble_t *trouble, const sctpa_pauses_t *pauses)
{
    static const uint32_t by_cause[SCTPA_PAUSE_CAUSES] = {
        [SCTPA_PAUSE_PATH_DEAD] = PATHS,      [SCTPA_PAUSE_TAIL_LOSS] = PATHS,
        [SCTPA_PAUSE_REPEATED_LOSS] = PATHS,  [SCTPA_PAUSE_LEFT_TO_TIMER] = PATHS | RULES,
        [SCTPA_PAUSE_UNREPORTED] = RULES,     [SCTPA_PAUSE_LATE_TIMER] = PATHS | RULES,
        [SCTPA_PAUSE_ACKS_LOST] = PATHS,      [SCTPA_PAUSE_ACKS_DISCARDED] = RULES,
        [SCTPA_PAUSE_CLOSED_WINDOW] = CLOSED, [SCTPA_PAUSE_SHUTDOWN_AS_CLOSED] = RULES,
    };
    for (unsigned cause = 0; cause < SCTPA_PAUSE_CAUSES; cause++)
        tell_if(trouble, pauses->lost_ns[cause] > 0, by_cause[cause]);
    for (unsigned i = 0; i < pauses->pauses->len; i++) {
        const sctpa_pause_t *pause = &g_array_index(pauses->pauses, sctpa_pause_t, i);
        const bool is_resent = pause->repeated != SCTPA_NO_PACKET_INDEX;
        tell_if(trouble, is_resent || pause->timeouts > 0, 1 << SCTPA_TRIAGE_RESENT);
        tell_if(trouble, pause->silent > 0, RULES | PATHS);
        tell_if(trouble, is_resent && pause->lost == SCTPA_NO_PACKET_INDEX, PATHS);
    }
}

/* Losses, reordering and doubled packets of a direction, and rules that its endpoints break. O(1). */
static void told_add_sent(sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender,
                          const sctpa_waited_t *longest)
{
    const sctpa_measure_t *measure = sender->measure;
    const sctpa_sent_t *sent = &measure->all;
    const bool is_early = longest->early.chunks * 2 >= sent->spurious;
    tell_if(trouble, measure->zero_windows > 0, CLOSED);
    tell_if(trouble, sent->lost + sent->resent_unseen + sent->reordered + sent->doubled + sent->spurious_fast > 0,
            PATHS);
    tell_if(trouble, sent->spurious > 0 && !is_early, PATHS); /* their acks came late, or were lost */
    tell_if(trouble, sent->spurious > 0 && longest->discarded != SCTPA_NO_PACKET_INDEX, RULES);
    tell_if(trouble, measure->given_up_missing_tsns + measure->given_up_unseen_tsns > 0, PATHS);
    tell_if(trouble, measure->given_up_control_packet != SCTPA_NO_PACKET_INDEX, RULES | APPLICATION);
}

/* Did it end without the answer that was due? Nobody knows whether its peer got what it asks. */
static void tell_end(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc)
{
    const sctpa_outcome_t outcome = sctpa_view_outcome(trouble->view, assoc);
    tell_if(trouble,
            outcome.end == SCTPA_ASSOC_NO_ANSWER || outcome.end == SCTPA_ASSOC_FAILED ||
                outcome.end == SCTPA_ASSOC_NOT_CLOSED,
            PATHS);
    tell_if(trouble, outcome.end == SCTPA_ASSOC_NOT_CLOSED && (outcome.answers > 0 || outcome.asks_ack), RULES);
    if (outcome.end != SCTPA_ASSOC_ABORT)
        return;
    tell_if(trouble, sctpa_abort_goes_on_ns(assoc) > 0, RULES | PATHS);
    if (sctpa_abort_reason(trouble->view->sctpa, assoc->number).reason == SCTPA_ABORT_GAVE_UP)
        tell_if(trouble, true, assoc->end_cause == SCTPA_CAUSE_USER_ABORT ? PATHS | APPLICATION : PATHS);
}

/* How an association ended, who goes on after its ABORT, ICMP errors about it: O(events), of one that aborted that of
 * sctpa_abort_reason. */
static void told_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc)
{
    tell_end(trouble, assoc);
    tell_if(trouble, sctpa_closing(assoc, 0)->unheard > 1 || sctpa_closing(assoc, 1)->unheard > 1, RULES);
    for (unsigned i = 0; i < assoc->n_events; i++)
        tell_if(trouble,
                assoc->events[i].kind == SCTPA_EVENT_ICMP_UNREACHABLE ||
                    assoc->events[i].kind == SCTPA_EVENT_PACKET_TOO_BIG,
                PATHS);
}

void sctpa_told_add_capture(sctpa_triage_trouble_t *trouble, const sctpa_doubts_t *doubts)
{
    const sctpa_quality_t *quality = sctpa_summary(trouble->view->sctpa)->quality;
    tell_if(trouble, trouble->refused > 0 || trouble->has_failed_between || doubts->bad_checksums > 0, PATHS);
    tell_if(trouble, sctpa_paragraphs_count(trouble->topics[SCTPA_TRIAGE_BETWEEN]) > 0, PATHS);
    tell_if(trouble, quality[SCTPA_QUALITY_ZERO_CHECKSUM].count > doubts->zero_agreeable, RULES);
    tell_if(trouble, quality[SCTPA_QUALITY_OTHER_MESSAGE].count > 0, RULES);
}

/* Adds the rules that the association's ends broke. O(findings). */
static void findings_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc)
{
    const sctpa_findings_filter_t *findings_filter = sctpa_selection_findings(trouble->selection);
    for (const sctpa_finding_t *f = sctpa_findings_filter_first(findings_filter, assoc); f;
         f = sctpa_findings_filter_next(findings_filter, assoc, f)) {
        if (!sctpa_finding_affects_verdict(f))
            continue;
        trouble->rules += !trouble->violated[f->rule];
        trouble->violated[f->rule] = true;
        bool is_proven_must = f->level == SCTPA_LEVEL_MUST && f->certainty == SCTPA_CERTAINTY_PROVEN;
        uint32_t count = sctpa_findings_filter_count(findings_filter, f);
        uint64_t weight =
            ((uint64_t)is_proven_must << 33) + ((uint64_t)(f->certainty == SCTPA_CERTAINTY_PROVEN) << 32) + count;
        sctpa_paragraphs_row_t *row =
            sctpa_paragraphs_add(trouble->topics[SCTPA_TRIAGE_RULES], assoc, SCTPA_NO_END, weight);
        if (row) {
            sctpa_finding_append(row->sentence, trouble->view, f, count);
            row->frames[0] = sctpa_findings_filter_frame(trouble->view, f);
        }
    }
}

/* NULL: where there is nothing to say, nobody misses it. */
static const char *const topic_names[SCTPA_TRIAGE_TOPICS] = {
    [SCTPA_TRIAGE_RULES] = "violations",
    [SCTPA_TRIAGE_PAUSES] = "pauses",
    [SCTPA_TRIAGE_CLOSED] = "closed windows",
    [SCTPA_TRIAGE_RESENT] = "retransmissions",
    [SCTPA_TRIAGE_PATHS] = "path troubles",
    [SCTPA_TRIAGE_SETUPS] = "set-up repeats",
    [SCTPA_TRIAGE_QUEUES] = "growing queues",
    [SCTPA_TRIAGE_BETWEEN] = "loss between interfaces",
    [SCTPA_TRIAGE_APPLICATION] = "troubles of the application",
};

void sctpa_trouble_begin(sctpa_triage_trouble_t *trouble, const sctpa_view_t *view, const sctpa_selection_t *selection,
                         sctpa_labels_t *labels)
{
    *trouble = (sctpa_triage_trouble_t){ .view = view, .selection = selection, .labels = labels };
    trouble->application = sctpa_application_named(view);
    trouble->refused = sctpa_refused_inits_count(view, &(unsigned){ 0 });
    for (unsigned i = 0; i < SCTPA_TRIAGE_TOPICS; i++)
        trouble->topics[i] = sctpa_paragraphs_new();
}

void sctpa_trouble_end(sctpa_triage_trouble_t *trouble)
{
    for (unsigned i = 0; i < SCTPA_TRIAGE_TOPICS; i++)
        sctpa_paragraphs_free(trouble->topics[i]);
    sctpa_application_free(trouble->application);
}

static sctpa_measure_t *add_direction(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                                      sctpa_harm_t *harm)
{
    const sctpa_view_t *view = trouble->view;
    const sctpa_direction_t *direction = sctpa_direction(view->sctpa, assoc->number, (uint8_t)end);
    sctpa_waited_t longest;

    trouble->data_chunks += sctpa_counts_data_chunks(sctpa_selection_end(trouble->selection, assoc, end));
    if (!direction || direction->tsns == 0)
        return NULL;
    sctpa_measure_t *measure = sctpa_selection_measure(trouble->selection, assoc, end);
    sctpa_triage_sender_t sender = { assoc, end, measure,
                                     sctpa_series_source(view->sctpa, assoc->number, (uint8_t)end, view->start_ns) };
    sctpa_pauses_t *pauses = sctpa_pauses_add(trouble, &sender, &longest);
    sctpa_harm_add_data(harm, pauses, sctpa_windows_add(trouble, &sender), &measure->all);
    sctpa_pauses_free(pauses);
    sctpa_resent_add(trouble, &sender, &longest);
    told_add_sent(trouble, &sender, &longest);
    sctpa_given_up_add(trouble, &sender);
    sctpa_updates_add(trouble, &sender);
    sctpa_queues_add(trouble, &sender);
    sctpa_answer_add(trouble, &sender);
    return measure;
}

sctpa_rank_t sctpa_trouble_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc)
{
    const sctpa_severity_t outcome = sctpa_outcome_severity(trouble->view, assoc);
    sctpa_harm_t harm = { 0 };
    sctpa_measure_t *measures[2];

    trouble->assocs++;
    trouble->by_application += outcome == SCTPA_SEVERITY_BY_APPLICATION;
    if (outcome == SCTPA_SEVERITY_BY_APPLICATION)
        sctpa_trouble_tell(trouble, SCTPA_TRIAGE_APPLICATION);
    for (unsigned e = 0; e < 2; e++)
        measures[e] = add_direction(trouble, assoc, e, &harm);
    sctpa_path_trouble_add(trouble, assoc, measures, &harm);
    told_add(trouble, assoc);
    sctpa_setup_trouble_add(trouble, assoc);
    sctpa_between_taps_add(trouble, assoc);
    sctpa_answer_add_heartbeats(trouble, assoc);
    sctpa_channels_add(trouble, assoc);
    sctpa_streams_add(trouble, assoc);
    if (trouble->application != NULL)
        sctpa_application_trouble_add(trouble, assoc);
    findings_add(trouble, assoc);
    harm.findings = sctpa_findings_filter_of(sctpa_selection_findings(trouble->selection), assoc);
    for (unsigned e = 0; e < 2; e++)
        sctpa_measure_free(measures[e]);
    return sctpa_rank_of(trouble->view, assoc, &harm);
}

void sctpa_trouble_append_failures(const sctpa_triage_trouble_t *trouble, uint32_t failed, GString *heading)
{
    g_string_append(heading, "Failures: ");
    sctpa_text_count(heading, failed, 20);
    g_string_append(heading, " of ");
    sctpa_text_quantity(heading, trouble->assocs + trouble->refused, "association", NULL);
}

/* "17 of 5,130 transmissions, "; nothing where the topic tells of none but what was seen once. */
static void append_resent(const sctpa_triage_trouble_t *trouble, GString *heading)
{
    if (trouble->resent == 0)
        return;
    sctpa_text_count(heading, trouble->resent, 20);
    g_string_append(heading, " of ");
    sctpa_text_quantity(heading, trouble->data_chunks, "transmission", NULL);
    g_string_append(heading, ", ");
}

void sctpa_trouble_append_heading(const sctpa_triage_trouble_t *trouble, sctpa_paragraphs_kind_t kind, GString *heading)
{
    const sctpa_paragraphs_t *topic = trouble->topics[kind];

    switch (kind) {
    case SCTPA_TRIAGE_RULES:
        g_string_append(heading, "Violations: ");
        sctpa_text_quantity(heading, trouble->rules, "rule", NULL);
        g_string_append(heading, " violated ");
        break;
    case SCTPA_TRIAGE_PAUSES: g_string_append(heading, "Pauses: "); break;
    case SCTPA_TRIAGE_CLOSED: g_string_append(heading, "Receiver windows: "); break;
    case SCTPA_TRIAGE_RESENT:
        g_string_append(heading, trouble->resent_unproven ? "Retransmissions: at most " : "Retransmissions: ");
        append_resent(trouble, heading);
        break;
    case SCTPA_TRIAGE_BETWEEN: g_string_append(heading, "Lost between interfaces: "); break;
    case SCTPA_TRIAGE_GIVEN_UP: g_string_append(heading, "Given up: "); break;
    case SCTPA_TRIAGE_SACKS: g_string_append(heading, "Needless SACKs: "); break;
    case SCTPA_TRIAGE_PATHS: g_string_append(heading, "Path troubles: "); break;
    case SCTPA_TRIAGE_MOVES: g_string_append(heading, "Path changes: "); break;
    case SCTPA_TRIAGE_SETUPS: g_string_append(heading, "Set-up repeats: "); break;
    case SCTPA_TRIAGE_QUEUES: g_string_append(heading, "Growing queues: "); break;
    case SCTPA_TRIAGE_APPLICATION: g_string_append(heading, "Application: "); break;
    case SCTPA_TRIAGE_TOPICS: break;
    }
    g_string_append(heading, "in ");
    sctpa_text_count(heading, sctpa_paragraphs_assocs(topic), 20);
    g_string_append(heading, " of ");
    sctpa_text_quantity(heading, trouble->assocs, "association", NULL);
}

/* Would it have been seen? Without any acks there are no pauses, closed windows or queues to be seen; whose packets are
 * discarded waits to the end. */
static bool is_known(const sctpa_triage_trouble_t *trouble, sctpa_paragraphs_kind_t kind)
{
    bool lacks_acks = trouble->acks_seen.has_half && trouble->acks_seen.tsns == 0;
    if (kind == SCTPA_TRIAGE_APPLICATION)
        return trouble->application != NULL;
    if (kind == SCTPA_TRIAGE_BETWEEN && (!trouble->has_two_taps || trouble->has_failed_between))
        return false;
    if (topic_names[kind] == NULL || (kind == SCTPA_TRIAGE_PAUSES && trouble->acks_seen.has_discarded))
        return false;
    return !lacks_acks || !(kind == SCTPA_TRIAGE_PAUSES || kind == SCTPA_TRIAGE_CLOSED || kind == SCTPA_TRIAGE_QUEUES);
}

void sctpa_trouble_append_none(const sctpa_triage_trouble_t *trouble, uint32_t failed, GString *none)
{
    g_string_append(none, failed == 0 && !trouble->acks_seen.has_discarded ? "failures" : "");
    for (unsigned kind = 0; kind < SCTPA_TRIAGE_TOPICS; kind++) {
        if (is_known(trouble, (sctpa_paragraphs_kind_t)kind) &&
            !sctpa_trouble_is_told(trouble, (sctpa_paragraphs_kind_t)kind))
            g_string_append_printf(none, "%s%s", none->len ? ", " : "", topic_names[kind]);
    }
}

void sctpa_trouble_write(sctpa_triage_trouble_t *trouble, uint32_t failed, GString *out)
{
    GString *none = g_string_new(NULL);

    sctpa_pauses_explain(trouble);
    for (unsigned kind = 0; kind < SCTPA_TRIAGE_TOPICS; kind++) {
        GString *heading = g_string_new(NULL);
        sctpa_trouble_append_heading(trouble, (sctpa_paragraphs_kind_t)kind, heading);
        sctpa_paragraphs_write(trouble->topics[kind], heading->str, out);
        g_string_free(heading, TRUE);
    }
    sctpa_trouble_append_none(trouble, failed, none);
    if (trouble->assocs > 0 && none->len > 0)
        sctpa_page_statement(out, &trouble->statement_end, "Not found:", none->str);
    g_string_free(none, TRUE);
}
