/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences about paths that stopped answering: how many errors showed, what the endpoint took the path for, and what
 * that shows of its Path.Max.Retrans. Leaves out other troubles of paths (triage_paths.c). */
#include "outages_text.h"

#include "../text/text.h"
#include "triage_moves.h"

enum { OUTAGES_SAID = 3 };

/* "; inactive between 60.838 and 61.838 s" */
static void append_change(const sctpa_view_t *view, const char *word, const sctpa_path_state_change_t *change,
                          GString *text)
{
    g_string_append_printf(text, "; %s between %.3f and %.3f s", word,
                           (double)sctpa_view_since_start(view, change->earliest_ns) / 1e9,
                           (double)sctpa_view_since_start(view, change->latest_ns) / 1e9);
}

/* "2 HEARTBEATs unanswered, 1 timeout" */
static void append_errors(const sctpa_outage_t *outage, GString *text)
{
    if (outage->heartbeats > 0 || outage->timeouts == 0) {
        sctpa_text_quantity(text, outage->heartbeats, "HEARTBEAT", NULL);
        g_string_append(text, " unanswered");
    }
    if (outage->timeouts > 0) {
        g_string_append(text, outage->heartbeats > 0 ? ", " : "");
        sctpa_text_quantity(text, outage->timeouts, "timeout", NULL);
    }
}

/* "Path.Max.Retrans of endpoint 0 is most likely 2 (RFC 9260 8.2); ..." where new data left it after timeouts: fewer
 * than three are what a path that is potentially failed has, too. Where acks cleared errors that some endpoints keep,
 * or HEARTBEATs may have been errors, it may be more. */
static void append_retrans_of_left(const sctpa_outage_t *outage, unsigned end, GString *text)
{
    enum { TIMEOUTS_LEAST = 3 };
    const uint32_t least = outage->left_timeouts - 1, most = outage->left.errors - 1;
    if (outage->probed_errors >= outage->left.errors) {
        g_string_append(text, "potentially failed (RFC 7829)");
        return;
    }
    if (outage->left.errors == 1) {
        g_string_append_printf(
            text, "most likely potentially failed (RFC 7829), or Path.Max.Retrans of endpoint %u is 0", end);
        return;
    }
    g_string_append_printf(text, "Path.Max.Retrans of endpoint %u is most likely ", end);
    if (outage->left_timeouts < TIMEOUTS_LEAST) {
        g_string_append_printf(text, "at least %u (RFC 9260 8.2)", least);
        return;
    }
    g_string_append_printf(text, "%u", least);
    if (most > least)
        g_string_append_printf(text, most == least + 1 ? " or %u" : " to %u", most);
    g_string_append_printf(
        text,
        " (RFC 9260 8.2); it may be higher if endpoint %u leaves a path as soon as it is potentially failed "
        "(RFC 7829)",
        end);
}

/* "; from 4.785 s on (frame 31) new data no longer went there, after 3 timeouts in a row: ..." */
static void append_left(const sctpa_view_t *view, const sctpa_outage_t *outage, unsigned end, GString *text)
{
    g_string_append_printf(text, "; from %.3f s on (frame %u) new data no longer went there",
                           (double)sctpa_view_since_start(view, outage->left.latest_ns) / 1e9, outage->left.frame);
    if (outage->left_timeouts == 0) {
        g_string_append_printf(text, ": potentially failed (RFC 7829), or Path.Max.Retrans of endpoint %u is below %u",
                               end, outage->left.errors);
        return;
    }
    g_string_append(text, ", after ");
    sctpa_text_quantity(text, outage->left_timeouts, "timeout", NULL);
    g_string_append(text, outage->left_timeouts > 1 ? " in a row: " : ": ");
    append_retrans_of_left(outage, end, text);
}

static void append_probed(const sctpa_outage_t *outage, unsigned end, GString *text)
{
    if (outage->probed_errors > 0)
        g_string_append_printf(text,
                               "; still probed once per RTO after %u errors: Path.Max.Retrans of endpoint %u is most "
                               "likely %u or more (RFC 7829 5)",
                               outage->probed_errors, end, outage->probed_errors);
}

/* What the endpoint took the path for, as far as its errors and its data show. */
static void append_states(const sctpa_view_t *view, const sctpa_outage_t *outage, unsigned end, GString *text)
{
    if (outage->potentially_failed.frame > 0) {
        append_change(view, "potentially failed", &outage->potentially_failed, text);
        g_string_append(text, " (RFC 7829)");
    }
    if (outage->left.frame > 0)
        append_left(view, outage, end, text);
    append_probed(outage, end, text);
    if (outage->inactive.frame > 0 &&
        (outage->is_asserted || outage->max_retrans >= sctpa_outage_least_retrans(outage))) {
        append_change(view, "inactive", &outage->inactive, text);
        g_string_append_printf(text, " if Path.Max.Retrans is %u%s (RFC 9260 8.2)", outage->max_retrans,
                               outage->is_asserted ? ", as asserted" : "");
    } else if (outage->left.frame == 0) {
        g_string_append_printf(text, "; inactive only if Path.Max.Retrans is below %u",
                               outage->heartbeats + outage->timeouts);
    }
}

/* "10.1.1.1 stopped answering at 4.080 s: 3 timeouts, answered again at 11.721 s in frame 112; ..." */
static void append_outage(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                          const sctpa_outage_t *outage, GString *text)
{
    const sctpa_view_t *view = trouble->view;
    sctpa_text_separate(text);
    sctpa_triage_append_path(trouble, &assoc->ends[end], outage->path, text);
    g_string_append_printf(
        text, " stopped answering at %.3f s: ", (double)sctpa_view_since_start(view, outage->since_ns) / 1e9);
    append_errors(outage, text);
    if (outage->answered_frame > 0)
        g_string_append_printf(text, ", answered again at %.3f s in frame %u",
                               (double)sctpa_view_since_start(view, outage->answered_ns) / 1e9, outage->answered_frame);
    else
        g_string_append(text, ", no answer since");
    append_states(view, outage, end, text);
}

/* An outage with its times by one clock. */
static sctpa_outage_t by_one_clock(const sctpa_view_t *view, const sctpa_assoc_t *assoc, const sctpa_outage_t *outage)
{
    const int64_t shift_ns = sctpa_time_by_one_clock(view->sctpa, assoc, outage->frame, 0);
    sctpa_outage_t shifted = *outage;
    sctpa_path_state_change_t *changes[] = { &shifted.potentially_failed, &shifted.inactive, &shifted.left };
    shifted.since_ns += shift_ns;
    shifted.answered_ns += shift_ns;
    for (unsigned i = 0; i < G_N_ELEMENTS(changes); i++) {
        changes[i]->earliest_ns += shift_ns;
        changes[i]->latest_ns += shift_ns;
    }
    return shifted;
}

/* Has every one of several paths an outage that does not end? *timeouts: of all. */
static bool are_all_out(const sctpa_end_t *end, uint64_t *timeouts)
{
    unsigned open = 0;
    *timeouts = 0;
    for (unsigned i = 0; i < sctpa_outages_count(end); i++) {
        const sctpa_outage_t *outage = &end->rare->switching->outages[i];
        open += outage->answered_frame == 0 && outage->timeouts >= SCTPA_OUTAGE_ERRORS;
        *timeouts += outage->answered_frame == 0 ? outage->timeouts : 0;
    }
    return end->n_paths > 1 && open == end->n_paths;
}

/* "both addresses of endpoint 0 stopped answering, 6 timeouts until the capture ends" */
static void append_all_out(const sctpa_assoc_t *assoc, unsigned end, GString *text)
{
    uint64_t timeouts;
    if (!are_all_out(&assoc->ends[end], &timeouts))
        return;
    sctpa_text_separate(text);
    g_string_append_printf(text, "%s addresses of endpoint %u stopped answering, ",
                           assoc->ends[end].n_paths == 2 ? "both" : "all", !end);
    sctpa_text_quantity(text, timeouts, "timeout", NULL);
    g_string_append(text, " until the capture ends");
}

unsigned sctpa_outages_count(const sctpa_end_t *end)
{
    return end->rare->switching ? MIN(end->rare->switching->n_outages, SCTPA_OUTAGES_MAX) : 0;
}

void sctpa_outages_append(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                          GString *text)
{
    const sctpa_end_t *endpoint = &assoc->ends[end];
    const unsigned n = sctpa_outages_count(endpoint);
    append_all_out(assoc, end, text);
    for (unsigned i = 0; i < MIN(n, OUTAGES_SAID); i++) {
        const sctpa_outage_t outage = by_one_clock(trouble->view, assoc, &endpoint->rare->switching->outages[i]);
        append_outage(trouble, assoc, end, &outage, text);
    }
    if (n > OUTAGES_SAID) {
        g_string_append(text, "; ");
        sctpa_text_quantity(text, n - OUTAGES_SAID, "more such time", NULL);
    }
}
