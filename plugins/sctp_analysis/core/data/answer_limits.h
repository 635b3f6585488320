/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How soon a packet is answered at the earliest, and answers that say nothing, as rules also have them. */
#ifndef SCTPA_DATA_ANSWER_LIMITS_H
#define SCTPA_DATA_ANSWER_LIMITS_H

/* Quarters of the shortest answer seen, which may not be the shortest there is. */
#define SCTPA_ANSWER_QUARTERS 3
/* SACKs in a row that say the same without a gap block, from which on the network cannot have doubled a few of them, or
 * of the packets that they answer. */
#define SCTPA_SACKS_SILENT 5

#endif
