/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the rules of stream reconfiguration say, and that the reference endpoint checks. Leaves out those of the
 * RFCs and those that only the code has. */
#ifndef SCTPA_REFERENCE_RECONFIG_REQUESTS_LIMITS_H
#define SCTPA_REFERENCE_RECONFIG_REQUESTS_LIMITS_H

/* Requests that the capture may have missed: what lies further ahead was not asked. */
#define SCTPA_UNSEEN_REQUESTS 16

#endif
