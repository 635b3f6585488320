/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frame of a text report: title, filter, sections, wrapped sentences, what was left out; and sections of sentences
 * about associations, a line of thought each. */
#ifndef SCTPA_REPORT_PAGE_H
#define SCTPA_REPORT_PAGE_H

#include "../report.h"

/* Appends the title between rules, with the capture's name and the filter. */
void sctpa_page_begin(const sctpa_view_t *view, const char *title, GString *out);

/* Appends an empty line and a heading. */
static inline void sctpa_page_section(GString *out, const char *heading)
{
    g_string_append_printf(out, "\n%s\n", heading);
}

/* Appends label, padded to label_columns, and safe text after it, broken at spaces so that no line is longer than 80
 * columns; later lines start under the text. Nothing when text is empty. */
void sctpa_page_sentence(GString *out, const char *label, unsigned label_columns, const char *text);

/* The same about a direction of data: "#0 1→0   text". */
void sctpa_page_direction(GString *out, uint32_t assoc, unsigned sender, const char *text);

/* Appends a labelled sentence of a report's head. end: where the statement before ended in out, 0 none; statements
 * stand together, an empty line parts them from other things. Nothing when text is empty. */
void sctpa_page_statement(GString *out, size_t *end, const char *label, const char *text);

/* Appends "... and 12 more (all of them in -z sctp,json)", nothing for 0. */
void sctpa_page_more(GString *out, uint64_t count, const char *what);

/* Sentences about associations, the worst first and only so many: what went wrong. */
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
