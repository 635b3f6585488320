/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of an association. */
#include "outcome_text.h"

#include "text.h"
#include "../view.h"

bool sctpa_outcome_has_events(const sctpa_assoc_t *assoc)
{
    for (unsigned i = 0; i < assoc->n_events; i++)
        if (sctpa_event_is_notable(&assoc->events[i]))
            return true;
    return false;
}

static bool is_aborted_by_application(const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    return assoc->end_cause == SCTPA_CAUSE_USER_ABORT && sctpa_abort_reason(view->sctpa, assoc->number).by_application;
}

sctpa_severity_t sctpa_outcome_severity(const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    sctpa_assoc_end_t end = sctpa_view_outcome(view, assoc).end;
    switch (end) {
    case SCTPA_ASSOC_ABORT:
        return is_aborted_by_application(view, assoc) ? SCTPA_SEVERITY_BY_APPLICATION : SCTPA_SEVERITY_ABORT;
    case SCTPA_ASSOC_FAILED: return SCTPA_SEVERITY_FAILED;
    case SCTPA_ASSOC_REFUSED: return SCTPA_SEVERITY_REFUSED;
    case SCTPA_ASSOC_NO_ANSWER: return SCTPA_SEVERITY_NO_ANSWER;
    case SCTPA_ASSOC_RESTARTED: return SCTPA_SEVERITY_RESTARTED;
    case SCTPA_ASSOC_NOT_CLOSED: return SCTPA_SEVERITY_NOT_CLOSED;
    case SCTPA_ASSOC_ENDS:
    case SCTPA_ASSOC_OPEN:
    case SCTPA_ASSOC_SHUTDOWN: break;
    }
    if (sctpa_outcome_has_events(assoc))
        return SCTPA_SEVERITY_EVENTS;
    return end == SCTPA_ASSOC_OPEN ? SCTPA_SEVERITY_OPEN : SCTPA_SEVERITY_SHUTDOWN;
}

bool sctpa_outcome_has_failed(const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    sctpa_assoc_end_t end = sctpa_view_outcome(view, assoc).end;
    return end != SCTPA_ASSOC_OPEN && end != SCTPA_ASSOC_SHUTDOWN;
}

void sctpa_outcome_append_word(GString *out, const char *word)
{
    for (; *word; word++)
        g_string_append_c(out, *word == '_' ? ' ' : *word);
}

void sctpa_outcome_append_end(GString *out, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    sctpa_outcome_append_word(out, sctpa_assoc_end_word(sctpa_view_outcome(view, assoc).end));
}

/* The detail of the last event of a kind, otherwise where it has none, NULL without such an event. */
static const char *last_detail(const sctpa_assoc_t *assoc, sctpa_event_kind_t kind, const char *otherwise)
{
    for (unsigned i = assoc->n_events; i > 0; i--) {
        const sctpa_event_t *event = &assoc->events[i - 1];
        if (event->kind == kind)
            return event->detail ? event->detail : otherwise;
    }
    return NULL;
}

static void append_cause(GString *why, const sctpa_assoc_t *assoc, unsigned max_columns)
{
    const sctpa_tlv_type_t *cause = sctpa_tlv_type(SCTPA_TLV_CAUSE, assoc->end_cause);
    if (assoc->end_cause && cause)
        g_string_append(why, cause->title);
    else if (assoc->end_cause)
        g_string_append_printf(why, "cause %u", assoc->end_cause);
    if (assoc->end_text && *assoc->end_text) {
        g_string_append(why, why->len ? ", \"" : "\"");
        sctpa_text_escape(why, assoc->end_text, max_columns);
        g_string_append_c(why, '"');
    }
    if (assoc->end_contents) {
        g_string_append(why, ": ");
        sctpa_text_escape(why, assoc->end_contents, max_columns);
    }
}

void sctpa_outcome_append_why(GString *out, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned max_columns)
{
    sctpa_assoc_end_t end = sctpa_view_outcome(view, assoc).end;
    const char *icmp = last_detail(assoc, SCTPA_EVENT_ICMP_UNREACHABLE, "unreachable");
    const char *error = last_detail(assoc, SCTPA_EVENT_ERROR, "ERROR without a cause");
    GString *why = g_string_new(NULL);

    append_cause(why, assoc, max_columns);
    if (why->len == 0 && error && end == SCTPA_ASSOC_FAILED)
        g_string_append(why, error);
    if (why->len == 0 && icmp && end != SCTPA_ASSOC_SHUTDOWN)
        g_string_append_printf(why, "ICMP: %s", icmp);
    sctpa_text_escape(out, why->str, max_columns);
    g_string_free(why, TRUE);
}

void sctpa_outcome_append_not_closed(GString *text, const sctpa_assoc_t *assoc, const sctpa_outcome_t *outcome)
{
    const unsigned asking = outcome->asking, other = !asking;
    g_string_append_printf(text, ": endpoint %u sent SHUTDOWN%s %u times up to frame %u, ", asking,
                           outcome->asks_ack ? " ACK" : "", outcome->shutdowns,
                           sctpa_closing(assoc, (uint8_t)asking)->last_frame);
    if (outcome->answers == 0)
        g_string_append_printf(text,
                               "and nothing of endpoint %u passed after the first of them: endpoint %u is gone, or "
                               "packets between them are lost",
                               other, other);
    else if (outcome->asks_ack)
        g_string_append_printf(
            text,
            "but no SHUTDOWN COMPLETE of endpoint %u passed: the SHUTDOWN ACKs do not reach it, or it ignores them",
            other);
    else {
        g_string_append(text, "though ");
        sctpa_text_quantity(text, outcome->answers, "SHUTDOWN ACK", NULL);
        g_string_append_printf(text,
                               " of endpoint %u passed: these do not reach endpoint %u (lost behind the capture "
                               "point), or it ignores them",
                               other, asking);
    }
    g_string_append(text, outcome->asks_over ? "; then it sent no more: it gave up, most likely"
                                             : "; not completed when the capture ends");
}

bool sctpa_event_is_notable(const sctpa_event_t *event)
{
    return event->kind != SCTPA_EVENT_SETUP && event->kind != SCTPA_EVENT_SHUTDOWN && event->kind != SCTPA_EVENT_ABORT;
}
