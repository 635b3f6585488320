/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Serial number arithmetic (RFC 1982) for TSNs and lifting 32-bit serial numbers to 64 bits.
 * The only place where serial numbers are compared or unwrapped. */
#ifndef SCTPA_BASE_SERIAL_H
#define SCTPA_BASE_SERIAL_H

#include <stdbool.h>
#include <stdint.h>

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
