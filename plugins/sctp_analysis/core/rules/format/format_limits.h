/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the rules for checksums say and check. Leaves out those of the RFCs and those that only the code has. */
#ifndef SCTPA_RULES_FORMAT_LIMITS_H
#define SCTPA_RULES_FORMAT_LIMITS_H

/* A single match may be chance. */
#define SCTPA_CHECKSUMS_WRONG 3

#endif
