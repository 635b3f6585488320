/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings as a filter selects them: one counts when a packet that completes an occurrence of it was selected. */
#ifndef SCTPA_REPORT_FINDINGS_FILTER_H
#define SCTPA_REPORT_FINDINGS_FILTER_H

#include "text/table.h"
#include "view.h"

/* Prepares reading the findings of the selected packets, NULL: all. O(1) without a filter, O(occurrences) with one. */
sctpa_findings_filter_t *sctpa_findings_filter_new(const sctpa_view_t *view, const sctpa_packets_t *selected);
void sctpa_findings_filter_free(sctpa_findings_filter_t *findings_filter);

/* The findings of an association that are reported, first and next; NULL: no more. */
const sctpa_finding_t *sctpa_findings_filter_first(const sctpa_findings_filter_t *findings_filter,
                                                   const sctpa_assoc_t *assoc);
const sctpa_finding_t *sctpa_findings_filter_next(const sctpa_findings_filter_t *findings_filter,
                                                  const sctpa_assoc_t *assoc, const sctpa_finding_t *finding);
/* How often, of the selected packets. */
uint32_t sctpa_findings_filter_count(const sctpa_findings_filter_t *findings_filter, const sctpa_finding_t *finding);

/* Does a finding affect the verdict on whom it accuses? */
static inline bool sctpa_finding_affects_verdict(const sctpa_finding_t *finding)
{
    return finding->level != SCTPA_LEVEL_HEURISTIC && finding->certainty != SCTPA_CERTAINTY_POSSIBLE;
}
/* The findings of an association that are reported, counted. O(findings). */
sctpa_finding_counts_t sctpa_findings_filter_of(const sctpa_findings_filter_t *findings_filter,
                                                const sctpa_assoc_t *assoc);
/* MUSTs and SHOULDs of an association that are reported, each rule of an end once: a text such as "1 MUST, 2 SHOULD, 1
 * probable", empty when there are none; and how bad that is, a MUST more than any SHOULDs, these more than what is only
 * probable. O(findings). */
void sctpa_findings_filter_sum(const sctpa_findings_filter_t *findings_filter, const sctpa_assoc_t *assoc,
                               GString *out);
double sctpa_findings_filter_weight(const sctpa_findings_filter_t *findings_filter, const sctpa_assoc_t *assoc);
/* Adds numbers of findings as "1 MUST, 2 SHOULD, 1 probable"; those that affect no verdict (possible ones and notes)
 * only when asked for, nothing when all are 0. */
void sctpa_findings_filter_counts(const sctpa_finding_counts_t *counts, bool notes, GString *out);

/* How much could be judged of the associations that the view reports. */
typedef struct {
    uint32_t ends, ends_judged; /* endpoints, and those where a rule was judged */
    uint32_t most;              /* rules judged at one endpoint */
    uint32_t missing;           /* SCTPA_NEED_ bits that were missing somewhere */
} sctpa_findings_filter_judged_t;
/* O(associations * rules). */
sctpa_findings_filter_judged_t sctpa_findings_filter_judged(const sctpa_view_t *view,
                                                            const sctpa_selection_t *selection);

/* Every occurrence of a finding of the association that is upheld, sctpa_mark_t ascending by packet; g_array_unref.
 * O(occurrences of the capture). */
GArray *sctpa_findings_filter_occurrences(const sctpa_view_t *view, uint32_t assoc);

/* Adds the frames of a finding's evidence, as "4, 7, 9"; at most max of them, "..." for the rest. */
void sctpa_findings_filter_frames(const sctpa_view_t *view, const sctpa_finding_t *finding, unsigned max, GString *out);
/* Adds the words of needs, as "setup-seen, near". */
void sctpa_findings_filter_needs(uint32_t needs, GString *out);
/* Adds the words of what the user asserted, SCTPA_ASSERTED_ bits, as "complete, RTO.Max". */
void sctpa_findings_filter_asserted(uint32_t asserted, GString *out);
/* Appends "the capture is older than RFC 9260 (June 2022)", the RFC in which the rule's clause first stood; nothing
 * where it is not. O(RFCs). */
void sctpa_findings_filter_age(const sctpa_view_t *view, sctpa_rule_t rule, GString *out);
/* Adds what speaks for a stack and the frame that shows it: "order of parameters, default a_rwnd (frame 1)". */
void sctpa_findings_filter_marks(const sctpa_view_t *view, const sctpa_stack_t *stack, GString *out);
/* Frame of the packet that completed the first occurrence. */
static inline uint32_t sctpa_findings_filter_frame(const sctpa_view_t *view, const sctpa_finding_t *finding)
{
    return sctpa_packet_frame(view->sctpa, finding->completed);
}

#endif
