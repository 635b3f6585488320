/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why an association was aborted, in a sentence with its doubt. Leaves out the error cause (outcome_text.h). */
#ifndef SCTPA_REPORT_ABORT_TEXT_H
#define SCTPA_REPORT_ABORT_TEXT_H

#include "../view.h"

/* Appends what the capture shows of the reason: "most likely its association failed: ...". Nothing where it shows
 * nothing. Safe text. Cost as sctpa_abort_reason. */
void sctpa_abort_append_reason(GString *out, const sctpa_view_t *view, const sctpa_assoc_t *assoc);

/* How long the receiver of the ABORT goes on after it, ns; 0: it does not, or for less than RTO.Min (RFC 9260 16), for
 * which what it sent before may be under way, or its sender goes on as well. O(1). */
int64_t sctpa_abort_goes_on_ns(const sctpa_assoc_t *assoc);

#endif
