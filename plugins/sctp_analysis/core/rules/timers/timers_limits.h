/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the rules for timers say and check. Leaves out those of the RFCs and those that only the code has. */
#ifndef SCTPA_RULES_TIMERS_LIMITS_H
#define SCTPA_RULES_TIMERS_LIMITS_H

/* What separates a setting below the 1 s of RTO.Min from a timer of 1 s that is seen with some error. */
#define SCTPA_RTO_MIN_SHORT_MS 900
/* The same for RTO.Initial: what passes before an INIT and its repetition is the timer alone. */
#define SCTPA_RTO_INITIAL_SHORT_MS 950
/* Lone TSNs that were retransmitted in vain: what separates a timeout that is too short from one delay by chance. */
#define SCTPA_SPURIOUS_REPORTED 3
/* What separates a timer that went on from one that was restarted, when half the next interval is its RTO. */
#define SCTPA_RESTARTED_TENTHS 8
/* Twice the 10 of Association.Max.Retrans. */
#define SCTPA_TIMEOUTS_ALLOWED 20
/* The time until a sender gives up differs by less than this share from a sum of RTOs, when it is that sum. */
#define SCTPA_SUM_FIT_SHARE 20
/* Intervals in a row that do not grow. */
#define SCTPA_INTERVALS_EQUAL 4
/* What separates a cap below the 60 s of RTO.Max from one of 60 s that is seen with some error. */
#define SCTPA_RTO_MAX_SHORT_S 54
/* What separates a TSN that is never retransmitted from a long timeout: so long, and packets of its sender since. */
#define SCTPA_UNREPAIRED_S 20
#define SCTPA_UNREPAIRED_REPORTED 2

#endif
