/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of an association, in words, and how bad that is: for sorting, grouping and explaining in every report.
 */
#ifndef SCTPA_REPORT_OUTCOME_TEXT_H
#define SCTPA_REPORT_OUTCOME_TEXT_H

#include "../report.h"

enum { SCTPA_SEVERITIES = 8 };

/* 0 is the worst: aborted, then failed to be set up, refused, no answer, restarted, then those with a notable event,
 * those that never closed, those that shut down. */
unsigned sctpa_outcome_severity(const sctpa_view_t *view, const sctpa_assoc_t *assoc);
/* Did it end in another way than by a shutdown or the end of the capture? */
bool sctpa_outcome_has_failed(const sctpa_view_t *view, const sctpa_assoc_t *assoc);

/* "no answer", "shutdown": the JSON's words for people. */
void sctpa_outcome_append_end(GString *out, const sctpa_view_t *view, const sctpa_assoc_t *assoc);
/* Why it ended so: error cause and text of the ABORT, the cause of an ERROR during set-up, the ICMP error; nothing when
 * the capture does not say. Safe text, at most max_columns. */
void sctpa_outcome_append_why(GString *out, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned max_columns);

/* Has it an event of those below? O(events). */
bool sctpa_outcome_has_events(const sctpa_assoc_t *assoc);
/* Events that an engineer wants to hear of: all but set-up, shutdown and what the end of the association says already.
 */
bool sctpa_event_is_notable(const sctpa_event_t *event);
/* A word of the public interface with spaces for underscores. */
void sctpa_outcome_append_word(GString *out, const char *word);

#endif
