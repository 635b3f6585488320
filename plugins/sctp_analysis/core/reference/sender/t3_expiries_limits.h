/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers by which expiries of T3-rtx are read, that rules also say. Leaves out those of the RFCs, and those that only
 * the code has. */
#ifndef SCTPA_REFERENCE_T3_EXPIRIES_LIMITS_H
#define SCTPA_REFERENCE_T3_EXPIRIES_LIMITS_H

/* An interval is as long as the one before when it differs by less than this share of it: a timer's granularity. */
#define SCTPA_INTERVALS_EQUAL_SHARE 10
/* Half intervals: one that was backed off is twice as long as the one before, one that was not is as long. */
#define SCTPA_BACKED_OFF_HALVES 3

#endif
