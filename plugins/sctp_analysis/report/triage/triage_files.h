/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What triage says of the files of a capture that several hold: which frames are of which, and what is missing. */
#ifndef SCTPA_REPORT_TRIAGE_FILES_H
#define SCTPA_REPORT_TRIAGE_FILES_H

#include "../view.h"

/* How many gaps there are between the files, and the first of them. O(files). */
typedef struct {
    uint32_t count;
    const sctpa_capture_file_t *first; /* the file behind it */
} sctpa_file_gaps_t;

sctpa_file_gaps_t sctpa_file_gaps(const sctpa_view_t *view);

/* Appends a sentence about the gaps, one about packets that the capturing program dropped; nothing where there are
 * none. O(files). */
void sctpa_files_describe_gaps(const sctpa_view_t *view, GString *text);
void sctpa_files_describe_dropped(const sctpa_view_t *view, GString *text);

/* Appends which frames are of which file; nothing where there is one file. Of many files only so many: the first, the
 * last, and those that hold one of the frames that the page has named (uint32_t), are cut short or lie behind a gap.
 * O(files * named). */
void sctpa_files_write(const sctpa_view_t *view, const GArray *named, unsigned label_columns, GString *out);

#endif
