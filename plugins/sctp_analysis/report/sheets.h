/* The sheets of pages; sheets.c has them in order. Each is defined beside the report that prints the same. */
#ifndef SCTPA_REPORT_SHEETS_H
#define SCTPA_REPORT_SHEETS_H

#include "sheet.h"

extern const sctpa_sheet_t sctpa_sheet_association, sctpa_sheet_endpoints;
extern const sctpa_sheet_t sctpa_sheet_paths, sctpa_sheet_pairs, sctpa_sheet_path_data, sctpa_sheet_failovers,
    sctpa_sheet_transits, sctpa_sheet_theory;
extern const sctpa_sheet_t sctpa_sheet_streams, sctpa_sheet_waits;
extern const sctpa_sheet_t sctpa_sheet_chunks;
extern const sctpa_sheet_t sctpa_sheet_rtx_sums, sctpa_sheet_rtx_kinds, sctpa_sheet_rtx_paths, sctpa_sheet_resent;
extern const sctpa_sheet_t sctpa_sheet_learned;
extern const sctpa_sheet_t sctpa_sheet_events;
extern const sctpa_sheet_t sctpa_sheet_findings, sctpa_sheet_verdicts;

/* The columns of sctpa_sheet_findings. FRAMES holds those of the evidence, as "4, 7, 9". */
typedef enum {
    SCTPA_FINDING_LEVEL,
    SCTPA_FINDING_RULE,
    SCTPA_FINDING_ASSOC,
    SCTPA_FINDING_END,
    SCTPA_FINDING_TIMES,
    SCTPA_FINDING_FRAME,
    SCTPA_FINDING_WHAT,
    SCTPA_FINDING_EXPECTED,
    SCTPA_FINDING_SEEN,
    SCTPA_FINDING_CLAUSE,
    SCTPA_FINDING_QUOTE,
    SCTPA_FINDING_WHY,
    SCTPA_FINDING_EVIDENCE,
    SCTPA_FINDING_DOUBT,
    SCTPA_FINDING_FRAMES,
    SCTPA_FINDING_COLUMNS
} sctpa_finding_column_t;
/* The row of one finding of the association; sctpa_table_free. Cost as its texts. */
sctpa_table_t *sctpa_sheet_make_finding(sctpa_sheet_source_t *source, const sctpa_assoc_t *assoc,
                                        const sctpa_finding_t *finding);

#endif
