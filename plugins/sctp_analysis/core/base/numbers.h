/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as packets and records have them: big-endian bytes, serial numbers (RFC 1982) and their lifting to 64 bits,
 * times in nanoseconds, and facts that are yes, no or unknown. The only place where serial numbers are compared or
 * unwrapped. */
#ifndef SCTPA_BASE_NUMBERS_H
#define SCTPA_BASE_NUMBERS_H

#include <stdbool.h>
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

typedef enum { SCTPA_NO, SCTPA_YES, SCTPA_UNKNOWN } sctpa_known_t;

static inline uint16_t sctpa_be16(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

static inline uint32_t sctpa_be32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Signed distance from a to b on the 32-bit circle, -2^31 .. 2^31-1. */
static inline int32_t sctpa_serial_distance(uint32_t a, uint32_t b)
{
    return (int32_t)(b - a);
}

/* Lifts serial to the 64-bit number nearest to reference (RFC 9260 1.6: TSNs wrap from 2^32 - 1 to 0). */
static inline int64_t sctpa_serial_unwrap(int64_t reference, uint32_t serial)
{
    return reference + sctpa_serial_distance((uint32_t)reference, serial);
}

#endif
