/* The sheets of pages; sheets.c has them in order. Each is defined beside the report that prints the same. */
#ifndef SCTPA_REPORT_SHEETS_H
#define SCTPA_REPORT_SHEETS_H

#include "sheet.h"

extern const sctpa_sheet_t sctpa_sheet_association, sctpa_sheet_endpoints;
extern const sctpa_sheet_t sctpa_sheet_paths, sctpa_sheet_pairs, sctpa_sheet_path_data, sctpa_sheet_failovers, sctpa_sheet_transits,
    sctpa_sheet_theory;
extern const sctpa_sheet_t sctpa_sheet_streams, sctpa_sheet_waits;
extern const sctpa_sheet_t sctpa_sheet_chunks;
extern const sctpa_sheet_t sctpa_sheet_rtx_sums, sctpa_sheet_rtx_kinds, sctpa_sheet_rtx_paths, sctpa_sheet_resent;
extern const sctpa_sheet_t sctpa_sheet_learned;
extern const sctpa_sheet_t sctpa_sheet_events;
extern const sctpa_sheet_t sctpa_sheet_findings, sctpa_sheet_verdicts;

#endif
