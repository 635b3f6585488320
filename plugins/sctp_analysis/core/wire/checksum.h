/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checksum of an SCTP packet: CRC32c (RFC 9260 6.8, appendix A), the Adler-32 of RFC 2960, zero (RFC 9653).
 * Says which one a packet carries; whether it may is not decided here. */
#ifndef SCTPA_WIRE_CHECKSUM_H
#define SCTPA_WIRE_CHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    SCTPA_CHECKSUM_CRC32C,
    SCTPA_CHECKSUM_ADLER32,
    SCTPA_CHECKSUM_ZERO,
    SCTPA_CHECKSUM_BAD,
    SCTPA_CHECKSUM_UNVERIFIED, /* the packet is not wholly captured */
    SCTPA_CHECKSUMS
} sctpa_checksum_t;

/* CRC32c of bytes, the instruction of the CPU when it has one, else tables; both give the same. O(length). */
uint32_t sctpa_crc32c(const uint8_t *bytes, size_t length);
/* The table variant, for tests and for CPUs without the instruction. */
uint32_t sctpa_crc32c_table(const uint8_t *bytes, size_t length);

/* CRC32c of a packet with its checksum field taken as zero, in the byte order in which the field holds it.
 * length >= 12. */
uint32_t sctpa_packet_crc32c(const uint8_t *packet, size_t length);

/* Which checksum the whole packet carries.
 * crc      sctpa_packet_crc32c of it
 * A zero field that equals no checksum is _ZERO. length >= 12, else _UNVERIFIED. O(1), O(length) when CRC32c and zero
 * do not fit. */
sctpa_checksum_t sctpa_checksum_kind(const uint8_t *packet, size_t length, uint32_t crc);

/* Is the wrong CRC32c that a packet carries right for another source or destination port, *port? By chance it is once
 * in 65,536 packets. length >= 12. O(length). */
bool sctpa_checksum_port(const uint8_t *packet, size_t length, bool is_destination, uint16_t *port);

#endif
