/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers by which it is decided when the echo of a congestion mark is overdue, that rules also say. */
#ifndef SCTPA_REFERENCE_CE_MARKS_LIMITS_H
#define SCTPA_REFERENCE_CE_MARKS_LIMITS_H

/* What separates a mark that is not echoed from an echo that is still due: SACKs since the mark, and its age. */
#define SCTPA_SACKS_WITHOUT_ECHO 3
#define SCTPA_ECHO_DUE_MS 100

#endif
