/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules that were violated, the worst first; notes and what is only possible are left to -z sctp,findings. */
#include "triage.h"

#include "../findings_filter.h"
#include "../text/finding_sentence.h"

unsigned sctpa_findings_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc)
{
    const sctpa_findings_filter_t *findings_filter = sctpa_selection_findings(trouble->selection);
    unsigned musts = 0;
    for (const sctpa_finding_t *f = sctpa_findings_filter_first(findings_filter, assoc); f;
         f = sctpa_findings_filter_next(findings_filter, assoc, f)) {
        if (f->level == SCTPA_LEVEL_HEURISTIC || f->certainty == SCTPA_CERTAINTY_POSSIBLE)
            continue;
        trouble->rules += !trouble->violated[f->rule];
        trouble->violated[f->rule] = true;
        bool is_proven_must = f->level == SCTPA_LEVEL_MUST && f->certainty == SCTPA_CERTAINTY_PROVEN;
        uint32_t count = sctpa_findings_filter_count(findings_filter, f);
        uint64_t weight =
            ((uint64_t)is_proven_must << 33) + ((uint64_t)(f->certainty == SCTPA_CERTAINTY_PROVEN) << 32) + count;
        sctpa_paragraphs_row_t *row =
            sctpa_paragraphs_add(trouble->topics[SCTPA_TRIAGE_RULES], assoc, SCTPA_NO_END, weight);
        if (row) {
            sctpa_finding_append(row->sentence, trouble->view, f, count);
            row->frames[0] = sctpa_findings_filter_frame(trouble->view, f);
        }
        musts += is_proven_must;
    }
    return musts;
}
