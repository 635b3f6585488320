/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes big-endian numbers into the packets of tests and benchmarks. */
#ifndef PUT_BYTES_H
#define PUT_BYTES_H

#include <stdint.h>

static inline void put16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static inline void put32(uint8_t *at, uint32_t value)
{
    put16(at, value >> 16);
    put16(at + 2, value & 0xFFFF);
}

#endif
