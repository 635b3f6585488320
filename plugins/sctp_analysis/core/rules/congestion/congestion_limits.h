/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the rules for congestion control say and check. Leaves out those of the RFCs and those that only the
 * code has. */
#ifndef SCTPA_RULES_CONGESTION_LIMITS_H
#define SCTPA_RULES_CONGESTION_LIMITS_H

/* A second packet comes so soon after a timeout, in time and as a share of the RTO, that no other timeout and no
 * adjustment of cwnd after an RTO without DATA explains it. */
#define SCTPA_EXPIRED_SOON_MS 100
#define SCTPA_EXPIRED_SOON_SHARE 4
/* Packets that stand elsewhere in the capture than they passed, and clocks of two directions, differ by less than this:
 * with no SACK so long before and after it, what a timer sent was not sent for one. */
#define SCTPA_EXPIRED_SILENCE_MS 20
/* One coincidence is no proof. */
#define SCTPA_EARLY_REPORTED 2
#define SCTPA_REPEATED_REPORTED 2
/* What separates a sender that retransmits early from one that was seen to do so when SACKs were missing: of so many
 * that waited for three miss indications, one that did not. */
#define SCTPA_EARLY_SHARE 8

#endif
