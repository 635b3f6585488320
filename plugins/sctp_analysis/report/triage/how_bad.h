/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How bad an association is: the one order of the page of triage, of JSON, and of the reports on many captures. */
#ifndef SCTPA_REPORT_HOW_BAD_H
#define SCTPA_REPORT_HOW_BAD_H

#include "../text/outcome_text.h"
#include "../view.h"

/* What an association suffered beside how it ended. */
typedef struct {
    int64_t paused_ns; /* waits for nothing that was due, closed windows left out */
    int64_t closed_ns; /* closed windows */
    uint64_t paths;    /* weight of what is wrong with its paths */
    uint64_t resent;   /* retransmissions, here or before the capture */
    sctpa_finding_counts_t findings;
} sctpa_harm_t;

/* Severity first, then weight, the most first; weights of one severity compare. */
typedef struct {
    sctpa_severity_t severity;
    uint64_t weight;
} sctpa_rank_t;

/* Adds a direction with data: its pauses, NULL unknown; how long its peer's window was closed; what was sent. O(1). */
void sctpa_harm_add_data(sctpa_harm_t *harm, const sctpa_pauses_t *pauses, int64_t closed_ns, const sctpa_sent_t *sent);

/* How bad it is. O(events), and as sctpa_outcome_severity. */
sctpa_rank_t sctpa_rank_of(const sctpa_view_t *view, const sctpa_assoc_t *assoc, const sctpa_harm_t *harm);
static inline bool sctpa_rank_is_worse(sctpa_rank_t a, sctpa_rank_t b)
{
    return a.severity != b.severity ? a.severity < b.severity : a.weight > b.weight;
}

/* Appends what the same trouble over again has in common, in any capture: how it ended, what is worst, which rules were
 * violated by which implementations. O(findings log findings). */
void sctpa_alike_append(GString *out, const sctpa_view_t *view, const sctpa_selection_t *selection,
                        const sctpa_assoc_t *assoc, sctpa_severity_t severity);

#endif
