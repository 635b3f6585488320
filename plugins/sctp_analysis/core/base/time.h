/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times in nanoseconds of 64 bits, whatever a capture is stamped with: what goes beyond them stays at their end. */
#ifndef SCTPA_BASE_TIME_H
#define SCTPA_BASE_TIME_H

#include <stdint.h>

#define SCTPA_NS_PER_S INT64_C(1000000000)
#define SCTPA_NS_PER_MS INT64_C(1000000)

/* Packets count as no farther than this from the first one: nine years. A difference of two of them fits in 64 bits
 * fifteen times over, an RTO of round trips up to this six times. */
#define SCTPA_TIME_SPAN_NS ((INT64_C(1) << 58) - 1)
/* The first one, and times of a capture without any, count as no farther than this from the epoch: the year 2116. */
#define SCTPA_TIME_FAR_NS ((INT64_C(1) << 62) - 1)

/* a + b; for sums of as many differences as a capture likes. */
static inline int64_t sctpa_ns_sum(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? INT64_MIN : INT64_MAX) : sum;
}

/* a * n. */
static inline int64_t sctpa_ns_times(int64_t a, int64_t n)
{
    int64_t product;
    return __builtin_mul_overflow(a, n, &product) ? ((a < 0) != (n < 0) ? INT64_MIN : INT64_MAX) : product;
}

/* A time of seconds and nanoseconds. */
static inline int64_t sctpa_ns_of(int64_t seconds, int64_t nanoseconds)
{
    return sctpa_ns_sum(sctpa_ns_times(seconds, SCTPA_NS_PER_S), nanoseconds);
}

#endif
