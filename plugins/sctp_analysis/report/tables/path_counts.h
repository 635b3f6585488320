/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of paths, added up from those of their address pairs. */
#ifndef SCTPA_REPORT_PATH_COUNTS_H
#define SCTPA_REPORT_PATH_COUNTS_H

#include "../view.h"

/* Counters of each path of an end, *n of them; g_free the result. O(pairs of the end). */
sctpa_counts_t *sctpa_paths_counts(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end,
                                   unsigned *n);

#endif
