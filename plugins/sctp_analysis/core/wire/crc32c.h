/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CRC32c as a running state, for packets whose checksum field counts as zero. Private to the checksum.
 * States are not inverted: start with SCTPA_CRC32C_START, invert at the end. */
#ifndef SCTPA_WIRE_CRC32C_H
#define SCTPA_WIRE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

#define SCTPA_CRC32C_START UINT32_C(0xFFFFFFFF)
#define SCTPA_CRC32C_POLYNOMIAL UINT32_C(0x82F63B78) /* bit-reflected */

/* The state after length more bytes, by the instruction of the CPU when it has one. O(length). */
uint32_t sctpa_crc32c_update(uint32_t state, const uint8_t *bytes, size_t length);

#endif
