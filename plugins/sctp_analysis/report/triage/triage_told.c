/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a page tells of a kind of trouble elsewhere than in its topic: such a kind is not "not found". A loss, or what
 * is said of it by "or", counts as a trouble of paths, and what an endpoint has to do otherwise as a violation, whether
 * a rule found it or not. */
#include "triage.h"

#include "../text/abort_text.h"
#include "../text/outcome_text.h"

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

void sctpa_told_add_sent(sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender,
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

void sctpa_told_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc)
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
