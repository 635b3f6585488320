/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What -z sctp,triage says, sentence by sentence, each with what it is about: for a window whose sentences are links.
 * Leaves figures and tables to the window of associations. */
#ifndef SCTPA_REPORT_SUMMARY_H
#define SCTPA_REPORT_SUMMARY_H

#include "../view.h"

typedef enum {
    SCTPA_SUMMARY_STATEMENT, /* of the whole capture, behind a label */
    SCTPA_SUMMARY_HEADING,
    SCTPA_SUMMARY_REMARK,   /* below the heading before it: about the capture, of no association */
    SCTPA_SUMMARY_SENTENCE, /* below it */
    SCTPA_SUMMARY_MORE      /* what is left out below it */
} sctpa_summary_kind_t;

typedef struct {
    sctpa_summary_kind_t kind;
    const char *label;  /* of a statement */
    const char *text;   /* safe */
    uint32_t assoc;     /* of a sentence; SCTPA_NO_ASSOC else */
    unsigned end;       /* who sent the data that a sentence is about; SCTPA_NO_END: it is about both */
    uint32_t frames[2]; /* from and to where it happened; 0: no packet, or one alone */
} sctpa_summary_line_t;

/* Calls visit with each line, in order. Texts are valid during the call. Cost as the report's. */
typedef void (*sctpa_summary_visit_fn)(void *user, const sctpa_summary_line_t *line);
void sctpa_summary_each(const sctpa_view_t *view, sctpa_summary_visit_fn visit, void *user);

#endif
