/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the rules for explicit congestion notification say and check. Leaves out those that only the code has.
 */
#ifndef SCTPA_RULES_ECN_LIMITS_H
#define SCTPA_RULES_ECN_LIMITS_H

/* What separates a mark that is not echoed from an echo that is still due: SACKs since the mark, and its age. */
#define SCTPA_SACKS_WITHOUT_ECHO 3
#define SCTPA_ECHO_DUE_MS 100

#endif
