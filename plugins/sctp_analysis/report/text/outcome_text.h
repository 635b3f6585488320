/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of an association, in words, why it was aborted, and how bad that is: for sorting, grouping and
 * explaining in every report. */
#ifndef SCTPA_REPORT_OUTCOME_TEXT_H
#define SCTPA_REPORT_OUTCOME_TEXT_H

#include "../report.h"
#include "address_labels.h"
#include "../view.h"

/* Appends what the capture shows of the reason: "most likely its association failed: ...". Nothing where it shows
 * nothing. Safe text. Cost as sctpa_abort_reason. */
void sctpa_abort_append_reason(GString *out, const sctpa_view_t *view, const sctpa_assoc_t *assoc);

/* How long the receiver of the ABORT goes on after it, ns; 0: it does not, or for less than RTO.Min (RFC 9260 16), for
 * which what it sent before may be under way, or its sender goes on as well. O(1). */
int64_t sctpa_abort_goes_on_ns(const sctpa_assoc_t *assoc);

/* How many of them a report counts as failures: none with a filter, which says of no ICMP error whether it matches.
 * *kept: how many of these sctpa_summary has. O(1). */
uint32_t sctpa_refused_inits_count(const sctpa_view_t *view, unsigned *kept);

/* Appends what refused it: "INIT refused by ICMP (port unreachable) from 10.1.1.1, 3 errors, the first in frame 7; the
 * capture lacks the INIT itself". O(1). */
void sctpa_refused_init_append_why(GString *out, sctpa_labels_t *labels, const sctpa_refused_init_t *refused);

/* Appends the same behind whose INIT it was: "10.1.0.1, port 5000, to 10.1.1.1, port 36412: ...". O(1). */
void sctpa_refused_init_append(GString *out, sctpa_labels_t *labels, const sctpa_refused_init_t *refused);

/* How bad an association is, the worst first. */
typedef enum {
#define SCTPA_SEVERITY_ROW(name, word, failed) SCTPA_SEVERITY_##name,
#include "severities.def"
#undef SCTPA_SEVERITY_ROW
    SCTPA_SEVERITIES
} sctpa_severity_t;

/* The word of the JSON. */
const char *sctpa_severity_word(sctpa_severity_t severity);
/* Did it fail, and its application did not wish it? */
bool sctpa_severity_is_failure(sctpa_severity_t severity);

/* How bad an outcome is, whatever else went wrong. Cost: of one that aborted with cause 12, that of sctpa_abort_reason;
 * of others O(events). */
sctpa_severity_t sctpa_outcome_severity(const sctpa_view_t *view, const sctpa_assoc_t *assoc);
/* Did it end in another way than by a shutdown or the end of the capture? */
bool sctpa_outcome_has_failed(const sctpa_view_t *view, const sctpa_assoc_t *assoc);

/* "no answer", "shutdown": the JSON's words for people. */
void sctpa_outcome_append_end(GString *out, const sctpa_view_t *view, const sctpa_assoc_t *assoc);
/* Why it ended so: error cause and text of the ABORT, the cause of an ERROR during set-up, the ICMP error; nothing when
 * the capture does not say. Safe text, at most max_columns. */
void sctpa_outcome_append_why(GString *out, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned max_columns);

/* Of one that was not closed: ": endpoint 1 sent SHUTDOWN ACK 7 times up to frame 495, and nothing of endpoint 0 passed
 * after the first of them: ...". O(1). */
void sctpa_outcome_append_not_closed(GString *text, const sctpa_assoc_t *assoc, const sctpa_outcome_t *outcome);
/* Events that an engineer wants to hear of: all but set-up, shutdown and what the end of the association says already.
 */
static inline bool sctpa_event_is_notable(const sctpa_event_t *event)
{
    return event->kind != SCTPA_EVENT_SETUP && event->kind != SCTPA_EVENT_SHUTDOWN && event->kind != SCTPA_EVENT_ABORT;
}

/* A word of the public interface with spaces for underscores. */
void sctpa_outcome_append_word(GString *out, const char *word);

#endif
