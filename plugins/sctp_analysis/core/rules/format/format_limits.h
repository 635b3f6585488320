/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the rules for checksums say and check. Leaves out those of the RFCs and those that only the code has. */
#ifndef SCTPA_RULES_FORMAT_LIMITS_H
#define SCTPA_RULES_FORMAT_LIMITS_H

/* A single match may be chance. */
#define SCTPA_CHECKSUMS_WRONG 3

/* An endpoint all of whose packets are wrong: so many of them, and so many retransmissions while its peer acknowledged
 * nothing. Damage hits single packets, and who leaves checksums to the hardware is answered. */
#define SCTPA_PACKETS_ALL_WRONG 10
#define SCTPA_RETRANSMISSIONS_IN_VAIN 3

#endif
