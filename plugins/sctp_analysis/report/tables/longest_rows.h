/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The longest of many, kept in order while they are found. */
#ifndef SCTPA_REPORT_LONGEST_ROWS_H
#define SCTPA_REPORT_LONGEST_ROWS_H

#include <glib.h>

/* Puts found, an element of rows, behind those that are as long or longer, so that of those as long the earliest found
 * stays first; keeps the first most. ns_of: how long one is. O(most). */
void sctpa_longest_keep(GArray *rows, gconstpointer found, unsigned most, gint64 (*ns_of)(gconstpointer row));

#endif
