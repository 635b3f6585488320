/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the rules for senders of data say and check. Leaves out those of the RFCs and those that only the code
 * has. */
#ifndef SCTPA_RULES_SENDER_LIMITS_H
#define SCTPA_RULES_SENDER_LIMITS_H

/* What separates a sender that does not use gap blocks from SACKs that were lost between tap and sender. */
#define SCTPA_GAP_SACKS 3

/* A SACK that the capture missed explains one occurrence. */
#define SCTPA_BEYOND_REPORTED 3

/* Of SCTPA_FIRST_CHUNKS: nearly all. */
#define SCTPA_CHUNKS_IMMEDIATE 95
/* What separates a packet that never arrives from one that was lost by chance: transmissions, pauses between the last
 * of them in which other data was acknowledged, and how many half round trips such a pause is longer than. */
#define SCTPA_TIMES_AGAIN 6
#define SCTPA_PAUSES_ANSWERED 4
#define SCTPA_PAUSE_HALF_ROUND_TRIPS 3

#endif
