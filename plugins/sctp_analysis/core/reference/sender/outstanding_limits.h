/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers by which it is decided what a sender may go by, that rules also say. */
#ifndef SCTPA_REFERENCE_OUTSTANDING_LIMITS_H
#define SCTPA_REFERENCE_OUTSTANDING_LIMITS_H

/* SACKs that are so old have reached the sender; the last so many of them count, too. */
#define SCTPA_SACK_OLD_MS 50
#define SCTPA_SACKS_OLD 2
/* An overshoot by a packet, and a probe of a closed window, stay below the margin: bytes, and packets as this one. */
#define SCTPA_BEYOND_BYTES 3000
#define SCTPA_BEYOND_PACKETS 2

#endif
