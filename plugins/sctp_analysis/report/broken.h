/* Findings as a filter selects them: one counts when a packet that completes an occurrence of it was selected. */
#ifndef SCTPA_REPORT_BROKEN_H
#define SCTPA_REPORT_BROKEN_H

#include "table.h"
#include "view.h"

/* Prepares reading the findings of the selected packets, NULL: all. O(1) without a filter, O(occurrences) with one. */
sctpa_broken_t *sctpa_broken_new(const sctpa_view_t *view, const sctpa_packets_t *selected);
void sctpa_broken_free(sctpa_broken_t *broken);

/* The findings of an association that are reported, first and next; NULL: no more. */
const sctpa_finding_t *sctpa_broken_first(const sctpa_broken_t *broken, const sctpa_assoc_t *assoc);
const sctpa_finding_t *sctpa_broken_next(const sctpa_broken_t *broken, const sctpa_assoc_t *assoc, const sctpa_finding_t *finding);
/* How often, of the selected packets. */
uint32_t sctpa_broken_count(const sctpa_broken_t *broken, const sctpa_finding_t *finding);

/* Adds the frames of a finding's evidence, as "4, 7, 9"; at most max of them, "..." for the rest. */
void sctpa_broken_frames(const sctpa_view_t *view, const sctpa_finding_t *finding, unsigned max, GString *out);
/* Adds the words of needs, as "setup-seen, near". */
void sctpa_broken_needs(uint32_t needs, GString *out);
/* Adds what speaks for a stack and the frame that shows it: "order of parameters, default a_rwnd (frame 1)". */
void sctpa_broken_marks(const sctpa_view_t *view, const sctpa_stack_t *stack, GString *out);
/* Frame of the packet that completed the first occurrence. */
uint32_t sctpa_broken_frame(const sctpa_view_t *view, const sctpa_finding_t *finding);

#endif
