/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How soon a packet is answered at the earliest, that rules also say. */
#ifndef SCTPA_DATA_ANSWER_LIMITS_H
#define SCTPA_DATA_ANSWER_LIMITS_H

/* Quarters of the shortest answer seen, which may not be the shortest there is. */
#define SCTPA_ANSWER_QUARTERS 3

#endif
