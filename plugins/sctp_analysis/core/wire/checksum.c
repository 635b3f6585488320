/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checksum field of an SCTP packet: what CRC32c and Adler-32 give for the packet, and which of them the field
 * holds. Leaves computing CRC32c to crc32c.c. */
#include "base/numbers.h"
#include "checksum.h"
#include "chunk.h"
#include "crc32c.h"

enum { FIELD_AT = 8, FIELD_BYTES = SCTPA_HEADER_BYTES - FIELD_AT };

static const uint8_t zero_field[FIELD_BYTES];

static uint32_t swap(uint32_t state)
{
    return state << 24 | (state << 8 & 0xFF0000) | (state >> 8 & 0xFF00) | state >> 24;
}

uint32_t sctpa_packet_crc32c(const uint8_t *packet, size_t length)
{
    uint32_t state = sctpa_crc32c_update(SCTPA_CRC32C_START, packet, FIELD_AT);
    state = sctpa_crc32c_update(state, zero_field, FIELD_BYTES);
    state = ~sctpa_crc32c_update(state, packet + SCTPA_HEADER_BYTES, length - SCTPA_HEADER_BYTES);
    return swap(state);
}

/* Two states differ by difference after so many same bytes. By what did they before? */
static uint32_t difference_before(uint32_t difference, size_t length)
{
    for (size_t bit = 0; bit < 8 * length; bit++)
        difference = difference >> 31 ? (difference ^ SCTPA_CRC32C_POLYNOMIAL) << 1 | 1 : difference << 1;
    return difference;
}

/* What two bytes differ by is what the states differ by right before them. */
bool sctpa_checksum_port(const uint8_t *packet, size_t length, bool is_destination, uint16_t *port)
{
    const size_t at = is_destination ? 2 : 0;
    const uint32_t wrong = sctpa_be32(packet + FIELD_AT) ^ sctpa_packet_crc32c(packet, length);
    const uint32_t difference = difference_before(swap(wrong), length - at);
    *port = sctpa_be16(packet + at) ^ (uint16_t)(difference << 8 | difference >> 8);
    return difference != 0 && difference <= UINT16_MAX;
}

typedef struct {
    uint32_t s1, s2;
} adler32_t;

static void adler32_add(adler32_t *sums, const uint8_t *bytes, size_t length)
{
    enum { MODULUS = 65521, RUN_BYTES = 5552 }; /* bytes whose sums stay below 2^32 (RFC 1950 9) */
    while (length) {
        size_t run = length < RUN_BYTES ? length : RUN_BYTES;
        for (size_t i = 0; i < run; i++) {
            sums->s1 += bytes[i];
            sums->s2 += sums->s1;
        }
        sums->s1 %= MODULUS;
        sums->s2 %= MODULUS;
        bytes += run;
        length -= run;
    }
}

/* Adler-32 of a packet with its field taken as zero (RFC 2960 6.8, appendix B). */
static uint32_t packet_adler32(const uint8_t *packet, size_t length)
{
    adler32_t sums = { .s1 = 1 };
    adler32_add(&sums, packet, FIELD_AT);
    adler32_add(&sums, zero_field, FIELD_BYTES);
    adler32_add(&sums, packet + SCTPA_HEADER_BYTES, length - SCTPA_HEADER_BYTES);
    return sums.s2 << 16 | sums.s1;
}

sctpa_checksum_t sctpa_checksum_kind(const uint8_t *packet, size_t length, uint32_t crc)
{
    if (length < SCTPA_HEADER_BYTES)
        return SCTPA_CHECKSUM_UNVERIFIED;
    uint32_t field = sctpa_be32(packet + FIELD_AT);
    if (field == crc)
        return SCTPA_CHECKSUM_CRC32C;
    if (field == 0)
        return SCTPA_CHECKSUM_ZERO;
    return field == packet_adler32(packet, length) ? SCTPA_CHECKSUM_ADLER32 : SCTPA_CHECKSUM_BAD;
}
