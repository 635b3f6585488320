/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the rules for partial reliability say and check. Leaves out those of the RFCs and those that only the
 * code has. */
#ifndef SCTPA_RULES_PR_SCTP_LIMITS_H
#define SCTPA_RULES_PR_SCTP_LIMITS_H

/* What separates TSNs that were never assigned from some that the capture missed. */
#define SCTPA_FORWARD_AHEAD_TSNS 1024
/* What separates data that was sent later from data that was overtaken on its way. */
#define SCTPA_FORWARD_OVERTAKEN_MS 20

#endif
