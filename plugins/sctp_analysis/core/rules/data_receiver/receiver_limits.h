/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the rules for receivers and windows say and check. Leaves out those of the RFCs, those by which the
 * reference endpoint reads what a receiver does (receiving_limits.h), and those that only the code has. */
#ifndef SCTPA_RULES_RECEIVER_LIMITS_H
#define SCTPA_RULES_RECEIVER_LIMITS_H

/* The delay of 200 ms that RFC 9260 6.2 recommends, and the tick of a timer. */
#define SCTPA_SACK_USUAL_MS 250
/* The delay of 500 ms that RFC 9260 6.2 allows (SCTPA_SACK_DELAY_MOST_NS), and the tick of a timer: with 500 ms
 * configured 528 were measured. */
#define SCTPA_SACK_LONGEST_MS 550
/* Waits in a row that are alike, from which on the delay of a receiver is reported. */
#define SCTPA_TIMER_REPORTED 5
/* What separates a habit of the receiver from one SACK that was late by chance. */
#define SCTPA_LATE_SACKS_REPORTED 2
/* What separates a receiver that ignores duplicates from packets that were lost between tap and receiver. */
#define SCTPA_DUPLICATES_UNANSWERED 3
#define SCTPA_UNLISTED_PER_LISTED 2
/* What separates a habit from one packet that the network duplicated between tap and receiver. */
#define SCTPA_DUPLICATES_UNSEEN 2
#define SCTPA_LEFT_OUT_REPORTED 2
/* Packets near the receiver overtake each other by less. */
#define SCTPA_ACKED_AHEAD_MS 100
/* Below this window a receiver may be out of buffer, and then revoke what it acknowledged (RFC 9260 6.2). */
#define SCTPA_WINDOW_SCARCE_BYTES 4096
/* One packet that the capture missed explains one packet of too many SACKs. */
#define SCTPA_SACK_CROWDS_REPORTED 2
/* What separates a receiver that waits for a second packet from SACKs that the capture missed. */
#define SCTPA_HOLES_PAIRED 3
/* What separates a receiver that acknowledges seldom from one that did so at times. */
#define SCTPA_SACKS_SPARSE 20
#define SCTPA_SPARSE_PER_DENSE 4
/* What separates a receiver that answers elsewhere from one that left an address once. */
#define SCTPA_SACKS_ASTRAY 3
/* What separates a receiver whose SACKs vary from one that left an address, and came back. */
#define SCTPA_SACKS_VARIED 3
#define SCTPA_STRANGERS_REPORTED 2

/* So many small updates are a habit. */
#define SCTPA_SMALL_UPDATES 5
/* The clause about bursts of window updates gives no number: so many within SCTPA_UPDATES_BURST_MS are one. */
#define SCTPA_BURST_UPDATES 8
/* What separates a window that was closed from one that was on its way to open. */
#define SCTPA_WINDOW_CLOSED_MS 200
/* The window had opened, when it is at least this share of the largest; an application may read just when a probe
 * arrives. */
#define SCTPA_REOPENED_SHARE 2
#define SCTPA_REOPENED_REPORTED 2
/* What separates probes that were borne from an ABORT for another reason. */
#define SCTPA_PROBES_BORNE 5
#define SCTPA_DROPS_REPORTED 3

/* A buffer that others share may shrink now and then, but not each time that a message is given up. */
#define SCTPA_LEAKS_REPORTED 5

#endif
