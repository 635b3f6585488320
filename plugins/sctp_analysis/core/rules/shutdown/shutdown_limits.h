/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the rules for shutdown and abort say and check. Leaves out those of the RFCs and those that only the
 * code has. */
#ifndef SCTPA_RULES_SHUTDOWN_LIMITS_H
#define SCTPA_RULES_SHUTDOWN_LIMITS_H

/* Data that the capture missed, or a filter left out, lies nearer to the peer's TSNs. */
#define SCTPA_SHUTDOWN_APART_TSNS 1048576
/* So many requests are not all lost near the endpoint, which then goes on with something else: so much later that the
 * last of them has reached it. */
#define SCTPA_SHUTDOWN_ASKED 3
#define SCTPA_SHUTDOWN_OVERDUE_S 1
/* An answer that is due at once and surely asked for comes sooner: as long as a SACK may be delayed at most. */
#define SCTPA_SHUTDOWN_AT_ONCE_MS 500
/* One SHUTDOWN may be missing in the capture. */
#define SCTPA_SHUTDOWN_UNANSWERED 2
/* Packets nearer to each other than this may have been captured in another order than they were sent. */
#define SCTPA_SHUTDOWN_REORDERED_MS 1
/* Twice the 10 of Association.Max.Retrans. */
#define SCTPA_SHUTDOWN_REPEATS 20
/* What separates an endpoint that goes on after the end from packets that it sent before on the same path: those nearer
 * to each other may have been captured in another order than they were sent, by several processors or interfaces. */
#define SCTPA_GOING_ON_MS 10
/* A packet that the capture missed may have caused one of the ABORTs, but not so many in a row. */
#define SCTPA_ABORT_REPLIES 2

/* One loss in ten near an endpoint takes this many in a row once in 10,000 times. */
#define SCTPA_SHUTDOWN_ACKS_IGNORED 4

#endif
