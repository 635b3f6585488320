/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of an association, why it was aborted, and INITs that ICMP errors quote, in words. */
#include "outcome_text.h"

#include "../view.h"
#include "text.h"

typedef struct {
    const sctpa_view_t *view;
    const sctpa_assoc_t *assoc;
    const sctpa_abort_t *abort;
    GString *out;
} saying_t;

static const char *surely(const saying_t *saying)
{
    static const char *const words[] = {
        [SCTPA_ABORT_PROVEN] = "", [SCTPA_ABORT_LIKELY] = "most likely ", [SCTPA_ABORT_POSSIBLE] = "possibly "
    };
    return words[saying->abort->doubt];
}

static void append_frame(const saying_t *saying, const char *before, uint32_t packet)
{
    if (packet != SCTPA_NO_PACKET_INDEX)
        g_string_append_printf(saying->out, "%s frame %u", before, sctpa_packet_frame(saying->view->sctpa, packet));
}

static void append_since(const saying_t *saying, uint32_t packet)
{
    const sctpa_t *sctpa = saying->view->sctpa;
    sctpa_text_duration(saying->out,
                        sctpa_packet_time_ns(sctpa, saying->abort->packet) - sctpa_packet_time_ns(sctpa, packet));
}

static void say_no_listener(const saying_t *saying)
{
    g_string_append_printf(saying->out, "a host on which nothing listens at port %u answers so",
                           saying->assoc->ends[saying->assoc->known.end_by].port);
}

static void say_no_association(const saying_t *saying)
{
    g_string_append(saying->out, "T bit: who sent it has no such association (RFC 9260 8.5.1)");
    append_frame(saying, "; answers", saying->abort->answered_packet);
}

/* "5 timeouts", "1 timeout, 4 HEARTBEATs without answer". */
static void append_errors(const saying_t *saying)
{
    const sctpa_last_errors_t *errors = &saying->abort->errors;
    if (errors->timeouts > 0)
        sctpa_text_quantity(saying->out, errors->timeouts, "timeout", NULL);
    if (errors->heartbeats > 0) {
        g_string_append(saying->out, errors->timeouts > 0 ? ", " : "");
        sctpa_text_quantity(saying->out, errors->heartbeats, "HEARTBEAT", NULL);
        g_string_append(saying->out, " without answer");
    }
}

static void say_gave_up(const saying_t *saying)
{
    const sctpa_abort_t *abort = saying->abort;

    g_string_append_printf(saying->out, "%sit gave up its peer (RFC 9260 8.1): ", surely(saying));
    append_errors(saying);
    append_frame(saying, " since", abort->errors.lost_packet);
    g_string_append(saying->out, abort->answers_heartbeats ? ", no data acknowledged for " : ", no answer for ");
    append_since(saying, abort->errors.lost_packet);
    if (abort->expiries.most > 1)
        g_string_append_printf(saying->out, ", time for %u more, not captured", abort->expiries.least - 1);
    if (abort->answers_heartbeats)
        g_string_append(saying->out, ", though HEARTBEATs were answered");
    else if (saying->assoc->end_cause == SCTPA_CAUSE_USER_ABORT)
        g_string_append(saying->out, "; or its application did");
}

static void say_answer(const saying_t *saying)
{
    const uint32_t answered = saying->abort->answered_packet;
    if (answered == SCTPA_NO_PACKET_INDEX)
        return;
    g_string_append(saying->out, surely(saying));
    append_frame(saying, "it answers", answered);
    g_string_append_printf(saying->out, " of endpoint %u, ", !saying->assoc->known.end_by);
    append_since(saying, answered);
    g_string_append(saying->out, " before");
    const sctpa_finding_t *finding = sctpa_packet_finding(saying->view->sctpa, answered, 0);
    if (finding && finding->accused != saying->assoc->known.end_by)
        g_string_append_printf(saying->out, ", which violates %s", sctpa_rule_info(finding->rule)->id);
}

static void say_after_shutdown(const saying_t *saying)
{
    const sctpa_abort_t *abort = saying->abort;
    const bool is_own = abort->shutdown_by == saying->assoc->known.end_by;
    append_since(saying, abort->by_packet);
    g_string_append(saying->out, is_own ? " after its own SHUTDOWN" : " after its peer's SHUTDOWN");
    append_frame(saying, ",", abort->by_packet);
    g_string_append_printf(saying->out, ", which was not completed: %s%s", surely(saying),
                           is_own ? "it did not wait for its peer any longer"
                                  : "its application did not want to finish the shutdown");
}

static void say_unread(const saying_t *saying)
{
    g_string_append_printf(saying->out,
                           "%sits application closed the association with data that it had not read: at "
                           "least ",
                           surely(saying));
    sctpa_text_quantity(saying->out, saying->abort->unread_bytes, "byte", NULL);
    append_frame(saying, " by the a_rwnd of", saying->abort->by_packet);
    g_string_append(saying->out, ", all of it acknowledged");
}

static void say_application(const saying_t *saying)
{
    g_string_append_printf(saying->out, "%sits application asked for it", surely(saying));
}

static void append_separator(const saying_t *saying)
{
    sctpa_text_separate(saying->out);
}

/* The endpoint that should have aborted goes on: "endpoint 0 itself goes on (frame 27): another host ...". */
static void say_sender_goes_on(const saying_t *saying, const sctpa_after_abort_t *after)
{
    const uint8_t by = (uint8_t)saying->assoc->known.end_by;
    append_separator(saying);
    g_string_append_printf(saying->out, "endpoint %u itself goes on with the association (frame %u)", by,
                           after->going_on[by].first_frame);
    if (saying->assoc->end_reflected)
        g_string_append(saying->out, ": another host sent the ABORT from an address of it");
    if (after->has_other_ids)
        g_string_append(saying->out, ", whose IPv4 identifications are of another sequence");
    else if (after->has_other_ttl)
        g_string_append(saying->out, ", with another TTL");
    if (after->is_receiver_gone)
        g_string_append_printf(saying->out, "; endpoint %u took it and has no association any more", !by);
}

int64_t sctpa_abort_goes_on_ns(const sctpa_assoc_t *assoc)
{
    const sctpa_after_abort_t *after = sctpa_after_abort(assoc);
    const uint8_t by = (uint8_t)assoc->known.end_by;
    if (by >= SCTPA_NO_END || after->going_on[by].packets > 0 || after->going_on[!by].packets == 0)
        return 0;
    const int64_t goes_on_ns = after->going_on[!by].last_ns - assoc->end_ns;
    return goes_on_ns < SCTPA_RTO_MIN_NS ? 0 : goes_on_ns;
}

/* The receiver goes on: "endpoint 0 goes on for 12.20 s, ...". */
static void say_receiver_goes_on(const saying_t *saying, const sctpa_after_abort_t *after)
{
    const uint8_t by = (uint8_t)saying->assoc->known.end_by;
    const int64_t goes_on_ns = sctpa_abort_goes_on_ns(saying->assoc);
    if (goes_on_ns == 0)
        return;
    append_separator(saying);
    g_string_append_printf(saying->out, "endpoint %u goes on for ", !by);
    sctpa_text_duration(saying->out, goes_on_ns);
    g_string_append(saying->out, " (");
    sctpa_text_quantity(saying->out, after->going_on[!by].packets, "packet", NULL);
    g_string_append_printf(saying->out, ", the last in frame %u)", after->going_on[!by].last_frame);
    if (after->answers == 0) {
        g_string_append(saying->out, ": it does not receive the ABORT or ignores it");
        return;
    }
    g_string_append(saying->out, ", answered by ");
    sctpa_text_quantity(saying->out, after->answers, "more ABORT", NULL);
    g_string_append_printf(saying->out, ": %s; endpoint %u has no association any more",
                           sctpa_view_is_beside(saying->view, saying->assoc, !by)
                               ? "most likely it ignores ABORTs"
                               : "it ignores ABORTs, or they are lost between capture point and it",
                           by);
}

static void append_following(const saying_t *saying)
{
    const sctpa_after_abort_t *after = sctpa_after_abort(saying->assoc);
    const uint8_t by = (uint8_t)saying->assoc->known.end_by;
    if (by < SCTPA_NO_END && after->going_on[by].packets > 0)
        say_sender_goes_on(saying, after);
    else
        say_receiver_goes_on(saying, after);
}

/* What is lost with the association: "12,345 bytes of endpoint 0 never acknowledged". */
static void append_unacked(const saying_t *saying)
{
    for (unsigned e = 0; e < 2; e++) {
        if (saying->abort->unacked_bytes[e] == 0)
            continue;
        append_separator(saying);
        sctpa_text_quantity(saying->out, saying->abort->unacked_bytes[e], "byte", NULL);
        g_string_append_printf(saying->out, " of endpoint %u never acknowledged", e);
    }
}

void sctpa_abort_append_reason(GString *out, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    static void (*const says[SCTPA_ABORT_REASONS])(const saying_t *) = {
        [SCTPA_ABORT_NO_LISTENER] = say_no_listener,
        [SCTPA_ABORT_NO_ASSOCIATION] = say_no_association,
        [SCTPA_ABORT_GAVE_UP] = say_gave_up,
        [SCTPA_ABORT_ANSWER] = say_answer,
        [SCTPA_ABORT_AFTER_SHUTDOWN] = say_after_shutdown,
        [SCTPA_ABORT_UNREAD_DATA] = say_unread,
        [SCTPA_ABORT_APPLICATION] = say_application,
    };
    const sctpa_abort_t abort = sctpa_abort_reason(view->sctpa, assoc->number);
    const saying_t saying = { view, assoc, &abort, g_string_new(NULL) };
    if (says[abort.reason])
        says[abort.reason](&saying);
    append_following(&saying);
    append_unacked(&saying);
    g_string_append(out, saying.out->str);
    g_string_free(saying.out, TRUE);
}

uint32_t sctpa_refused_inits_count(const sctpa_view_t *view, unsigned *kept)
{
    const uint32_t n = view->filter ? 0 : sctpa_summary(view->sctpa)->n_refused;
    *kept = MIN(n, SCTPA_REFUSED_INITS_MAX);
    return n;
}

void sctpa_refused_init_append_why(GString *out, sctpa_labels_t *labels, const sctpa_refused_init_t *refused)
{
    g_string_append_printf(out, "INIT refused by ICMP (%s) from ", refused->reason);
    sctpa_labels_addr(labels, &refused->reporter, out);
    g_string_append(out, ", ");
    sctpa_text_quantity(out, refused->errors, "error", NULL);
    g_string_append_printf(out, ", the first in frame %u; the capture lacks the INIT itself", refused->first_frame);
}

void sctpa_refused_init_append(GString *out, sctpa_labels_t *labels, const sctpa_refused_init_t *refused)
{
    sctpa_labels_addr(labels, &refused->source, out);
    g_string_append_printf(out, ", port %u, to ", refused->source_port);
    sctpa_labels_addr(labels, &refused->destination, out);
    g_string_append_printf(out, ", port %u: ", refused->destination_port);
    sctpa_refused_init_append_why(out, labels, refused);
}

const char *sctpa_severity_word(sctpa_severity_t severity)
{
    static const char *const words[SCTPA_SEVERITIES] = {
#define SCTPA_SEVERITY_ROW(name, word, failed) word,
#include "severities.def"
#undef SCTPA_SEVERITY_ROW
    };
    return words[severity];
}

bool sctpa_severity_is_failure(sctpa_severity_t severity)
{
    static const bool failures[SCTPA_SEVERITIES] = {
#define SCTPA_SEVERITY_ROW(name, word, failed) failed,
#include "severities.def"
#undef SCTPA_SEVERITY_ROW
    };
    return failures[severity];
}

/* Has it an event of those below? O(events). */
static bool outcome_has_events(const sctpa_assoc_t *assoc)
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
    if (outcome_has_events(assoc))
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
