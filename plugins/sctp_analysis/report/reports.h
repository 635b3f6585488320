/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reports, one function each; reports.c has them in a table by name. */
#ifndef SCTPA_REPORT_REPORTS_H
#define SCTPA_REPORT_REPORTS_H

#include "report.h"

/* Each makes one whole report. O(associations, paths and pairs), those about data O(n log n) in TSNs and SACKs too.
 * What the text tables hold is bounded; JSON is as long as there are associations, and is handed over as it is made. */
void sctpa_report_triage(const sctpa_view_t *view, GString *out);
void sctpa_report_setup(const sctpa_view_t *view, GString *out);
void sctpa_report_assocs(const sctpa_view_t *view, GString *out);
void sctpa_report_chunks(const sctpa_view_t *view, GString *out);
void sctpa_report_paths(const sctpa_view_t *view, GString *out);
void sctpa_report_pauses(const sctpa_view_t *view, GString *out);
void sctpa_report_owed(const sctpa_view_t *view, GString *out);
void sctpa_report_windows(const sctpa_view_t *view, GString *out);
void sctpa_report_findings(const sctpa_view_t *view, GString *out);
void sctpa_report_rtx(const sctpa_view_t *view, GString *out);
void sctpa_report_learned(const sctpa_view_t *view, GString *out);
void sctpa_report_delays(const sctpa_view_t *view, GString *out);
void sctpa_report_streams(const sctpa_view_t *view, GString *out);
void sctpa_report_messages(const sctpa_view_t *view, GString *out);
void sctpa_report_json(const sctpa_view_t *view, sctpa_take_fn take, void *user);
void sctpa_report_ndjson(const sctpa_view_t *view, sctpa_take_fn take, void *user);

#endif
