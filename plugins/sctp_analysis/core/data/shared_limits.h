/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the records and rules both go by: how soon a packet is answered at the earliest, how long it is under
 * way at most, and by which requests for data channels are read. Leaves out those that only the code has. */
#ifndef SCTPA_DATA_SHARED_LIMITS_H
#define SCTPA_DATA_SHARED_LIMITS_H

/* Both, the longer counts: longer than any packet is under way from the sender to a tap near it. */
#define SCTPA_UNDER_WAY_MS 200

#define SCTPA_UNDER_WAY_ROUND_TRIPS 2

/* What separates a request, to open a channel or to close it, that is never answered from one whose answer is
 * retransmitted: three timeouts of a second, each twice as long as the one before, are 7 s. */
#define SCTPA_CHANNEL_UNANSWERED_S 10

/* Quarters of the shortest answer seen, which may not be the shortest there is. */
#define SCTPA_ANSWER_QUARTERS 3
/* SACKs in a row that say the same without a gap block, from which on the network cannot have doubled a few of them, or
 * of the packets that they answer. */
#define SCTPA_SACKS_SILENT 5

#endif
