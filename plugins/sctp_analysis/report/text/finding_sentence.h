/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A finding in a sentence. */
#ifndef SCTPA_REPORT_FINDING_SENTENCE_H
#define SCTPA_REPORT_FINDING_SENTENCE_H

#include "../view.h"

/* Appends "RX-011 MUST by endpoint 1 at frame 7 (2 times): title; expected ..., saw ... (clause)", with what makes it
 * doubtful. count: how often. Not escaped: expected and seen may hold text of the capture. */
void sctpa_finding_append(GString *out, const sctpa_view_t *view, const sctpa_finding_t *finding, uint32_t count);

#endif
