/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads big-endian integers from packet bytes.
 * Leaves bounds to the caller: wire/ checks a length once, then reads. */
#ifndef SCTPA_BASE_BYTES_H
#define SCTPA_BASE_BYTES_H

#include <stdint.h>

static inline uint16_t sctpa_be16(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

static inline uint32_t sctpa_be32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

#endif
