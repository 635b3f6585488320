/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the columns of tables mean, in words: for hints in windows and for legends of reports. */
#ifndef SCTPA_REPORT_COLUMN_WORDS_H
#define SCTPA_REPORT_COLUMN_WORDS_H

/* The meaning of a column, by the name of its window table and its head; NULL: none was written. Valid for ever.
 * O(columns of all tables). */
const char *sctpa_column_word(const char *table, const char *head);

#endif
