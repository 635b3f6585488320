/* Numbers that the rules for stream reconfiguration say and check. Leaves out those of the RFCs and those that only the
 * code has. */
#ifndef SCTPA_RULES_RECONFIG_LIMITS_H
#define SCTPA_RULES_RECONFIG_LIMITS_H

/* One in a hundred less than the 30 s of RFC 6525 5.1.4. */
#define SCTPA_TSN_RESETS_APART_MS 29700
/* Requests that the capture may have missed: what lies further ahead was not asked. */
#define SCTPA_UNSEEN_REQUESTS 16

#endif
