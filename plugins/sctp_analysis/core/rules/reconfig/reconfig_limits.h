/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the rules of stream reconfiguration say and check. Leaves out those of the RFCs and those that the
 * reference endpoint checks (reconfig_requests_limits.h). */
#ifndef SCTPA_RULES_RECONFIG_LIMITS_H
#define SCTPA_RULES_RECONFIG_LIMITS_H

/* One in a hundred less than the 30 s of RFC 6525 5.1.4. */
#define SCTPA_TSN_RESETS_APART_MS 29700

/* Numbers of the requests in 20 packets that a capture may lack: each packet waits for the answer to the one before it,
 * and holds two; twice that. */
#define SCTPA_REQUESTS_HIDDEN 40

/* What separates TSNs that follow a reset from those before it, which a retransmission or a late packet has. */
#define SCTPA_RESET_AHEAD_TSNS 1024

/* So long after all data before a reset was acknowledged, nothing is left to wait for: three times RTO.Initial of RFC
 * 9260 16, by which a responder has seen the request again. */
#define SCTPA_RESET_PENDING_MS 3000

#endif
