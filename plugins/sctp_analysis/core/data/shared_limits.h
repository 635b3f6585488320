/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the records and rules both go by: how soon a packet is answered at the earliest, how long it is under
 * way at most, how large it may be on any path, how soon a message is given up, and by which requests for data channels
 * are read. Leaves out those that only the code has. */
#ifndef SCTPA_DATA_SHARED_LIMITS_H
#define SCTPA_DATA_SHARED_LIMITS_H

/* Both, the longer counts: longer than any packet is under way from the sender to a tap near it. */
#define SCTPA_UNDER_WAY_MS 200

#define SCTPA_UNDER_WAY_ROUND_TRIPS 2

/* A host, however busy, has taken what reached it within that, and what it sends then has passed a tap near it, unless
 * either waits in a queue of the host. */
#define SCTPA_HOST_TAKES_MS 20

/* What separates a request, to open a channel or to close it, that is never answered from one whose answer is
 * retransmitted: three timeouts of a second, each twice as long as the one before, are 7 s. */
#define SCTPA_CHANNEL_UNANSWERED_S 10

/* Quarters of the shortest answer seen, which may not be the shortest there is. */
#define SCTPA_ANSWER_QUARTERS 3
/* SACKs in a row that say the same without a gap block, from which on the network cannot have doubled a few of them, or
 * of the packets that they answer. */
#define SCTPA_SACKS_SILENT 5

/* Packets of IP that every host takes (RFC 791 3.1): a sender that fragments to less does so for its user, whatever its
 * PMTU is. */
#define SCTPA_PMTU_LEAST_BYTES 576

/* The shortest life of a message that is given up: lives are told in milliseconds (RFC 8831 6.6, RFC 8832 5.1). */
#define SCTPA_LIFE_LEAST_MS 1

#endif
