/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of an association, in words, and how bad that is: for sorting, grouping and explaining in every report.
 */
#ifndef SCTPA_REPORT_OUTCOME_TEXT_H
#define SCTPA_REPORT_OUTCOME_TEXT_H

#include "../report.h"

/* How bad an outcome is, the worst first. */
typedef enum {
    SCTPA_SEVERITY_ABORT, /* not as the application wished */
    SCTPA_SEVERITY_FAILED,
    SCTPA_SEVERITY_REFUSED,
    SCTPA_SEVERITY_NO_ANSWER,
    SCTPA_SEVERITY_NOT_CLOSED,
    SCTPA_SEVERITY_RESTARTED,
    SCTPA_SEVERITY_BY_APPLICATION, /* aborted as the application wished */
    SCTPA_SEVERITY_EVENTS,         /* has a notable event */
    SCTPA_SEVERITY_OPEN,
    SCTPA_SEVERITY_SHUTDOWN
} sctpa_severity_t;

/* Cost: of one that aborted with cause 12, that of sctpa_abort_reason; of others O(events). */
sctpa_severity_t sctpa_outcome_severity(const sctpa_view_t *view, const sctpa_assoc_t *assoc);
/* Did it end in another way than by a shutdown or the end of the capture? */
bool sctpa_outcome_has_failed(const sctpa_view_t *view, const sctpa_assoc_t *assoc);

/* "no answer", "shutdown": the JSON's words for people. */
void sctpa_outcome_append_end(GString *out, const sctpa_view_t *view, const sctpa_assoc_t *assoc);
/* Why it ended so: error cause and text of the ABORT, the cause of an ERROR during set-up, the ICMP error; nothing when
 * the capture does not say. Safe text, at most max_columns. */
void sctpa_outcome_append_why(GString *out, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned max_columns);

/* Has it an event of those below? O(events). */
bool sctpa_outcome_has_events(const sctpa_assoc_t *assoc);
/* Of one that was not closed: ": endpoint 1 sent SHUTDOWN ACK 7 times up to frame 495, and nothing of endpoint 0 passed
 * after the first of them: ...". O(1). */
void sctpa_outcome_append_not_closed(GString *text, const sctpa_assoc_t *assoc, const sctpa_outcome_t *outcome);
/* Events that an engineer wants to hear of: all but set-up, shutdown and what the end of the association says already.
 */
bool sctpa_event_is_notable(const sctpa_event_t *event);
/* A word of the public interface with spaces for underscores. */
void sctpa_outcome_append_word(GString *out, const char *word);

#endif
