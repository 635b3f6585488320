/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A section of sentences about associations, the worst first and only so many: what went wrong, one line of thought
 * each. */
#ifndef SCTPA_REPORT_PARAGRAPHS_H
#define SCTPA_REPORT_PARAGRAPHS_H

#include "../report.h"

enum { SCTPA_TRIAGE_ROWS = 8 };

typedef struct {
    uint64_t weight; /* how bad, 0 least */
    const sctpa_assoc_t *assoc;
    unsigned end;        /* who sent the data, SCTPA_NO_END: it is about the whole association */
    GString *sentence;   /* safe text, to be filled */
    uint32_t frames[2];  /* from and to where it happened, to be filled; 0: no packet, or one alone */
    sctpa_pause_t pause; /* of a topic about pauses */
} sctpa_paragraphs_row_t;

typedef struct sctpa_paragraphs sctpa_paragraphs_t;

sctpa_paragraphs_t *sctpa_paragraphs_new(void);
void sctpa_paragraphs_free(sctpa_paragraphs_t *topic);

/* Counts one more of what the topic is about; add in ascending order of associations. The row is to be filled; NULL: it
 * is not among the worst so far. Valid until the next is added. O(SCTPA_TRIAGE_ROWS). */
sctpa_paragraphs_row_t *sctpa_paragraphs_add(sctpa_paragraphs_t *topic, const sctpa_assoc_t *assoc, unsigned end,
                                             uint64_t weight);
/* The rows, the worst first. */
sctpa_paragraphs_row_t *sctpa_paragraphs_rows(sctpa_paragraphs_t *topic, unsigned *n);

/* How many were added, in how many associations. */
uint32_t sctpa_paragraphs_count(const sctpa_paragraphs_t *topic);
uint32_t sctpa_paragraphs_assocs(const sctpa_paragraphs_t *topic);

/* Appends the sentences below a heading and says how many are left out; nothing for an empty topic. */
void sctpa_paragraphs_write(const sctpa_paragraphs_t *topic, const char *heading, GString *out);

#endif
