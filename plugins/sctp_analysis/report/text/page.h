/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frame of a text report: title, filter, sections, wrapped sentences, what was left out. */
#ifndef SCTPA_REPORT_PAGE_H
#define SCTPA_REPORT_PAGE_H

#include "../report.h"

/* Appends the title between rules, with the capture's name and the filter. */
void sctpa_page_begin(const sctpa_view_t *view, const char *title, GString *out);

/* Appends an empty line and a heading. */
void sctpa_page_section(GString *out, const char *heading);

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

#endif
