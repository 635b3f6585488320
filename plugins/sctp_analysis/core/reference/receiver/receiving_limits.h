/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers by which the reference endpoint reads what a receiver does, and which texts of rules say. Leaves out those of
 * the RFCs, from which occurrence on rules report (receiver_limits.h), and those that only the code has. */
#ifndef SCTPA_REFERENCE_RECEIVING_LIMITS_H
#define SCTPA_REFERENCE_RECEIVING_LIMITS_H

/* Packets that were queued together before the host ran are not so far apart. */
#define SCTPA_PACKETS_APART_MS 5
/* A SACK that is due at once comes sooner: hosts under load were seen to answer after 22 ms. */
#define SCTPA_SACK_LATE_MS 100
/* Waits that differ by less than this share of the longer one are by one timer. */
#define SCTPA_WAITS_ALIKE_SHARE 10
/* Waits in a row that are alike, from which on others are compared with them. */
#define SCTPA_TIMER_KNOWN 2
/* The higher TSN passed so long after the lower one that a receiver which took it had taken the lower one before. */
#define SCTPA_LEFT_OUT_EARLIER_MS 100
/* What separates an ERROR that is late from one that does not come. */
#define SCTPA_COMPLAINT_S 1

/* An update is small below this share of the largest window. */
#define SCTPA_UPDATE_SMALL_SHARE 4
/* The clause about bursts of window updates gives no number: within so long they are one. */
#define SCTPA_UPDATES_BURST_MS 10
/* A SACK that comes sooner is the reaction to the packet that passed before it. */
#define SCTPA_REACTION_MS 50
/* What separates a window that stays closed from one whose application reads slowly. */
#define SCTPA_DORMANT_S 30
#define SCTPA_PROBES_DORMANT 3
/* Twice the 60 s of RTO.Max, within which a probe is expected. */
#define SCTPA_UNPROBED_S 120

#endif
