# SPDX-License-Identifier: GPL-2.0-or-later
"""The checksums that packets carry: CRC32c (RFC 9260 Appendix A), Adler-32 (RFC 2960), and that of the Internet (RFC 1071)."""

import struct
import zlib

# The generator polynomial 0x1EDC6F41 of RFC 9260 Appendix A, reflected.
POLYNOMIAL = 0x82F63B78


def _table():
    rows = [[]]
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = value >> 1 ^ (POLYNOMIAL if value & 1 else 0)
        rows[0].append(value)
    for row in range(1, 8):
        rows.append([rows[0][value & 0xFF] ^ value >> 8 for value in rows[row - 1]])
    return rows


T = _table()


def crc32c(data):
    """Of bytes. About 0.1 us a byte: eight bytes a step."""
    crc, (t0, t1, t2, t3, t4, t5, t6, t7) = 0xFFFFFFFF, T
    whole = len(data) & ~7
    for low, high in struct.iter_unpack("<II", data[:whole]):
        crc ^= low
        crc = (t7[crc & 0xFF] ^ t6[crc >> 8 & 0xFF] ^ t5[crc >> 16 & 0xFF] ^ t4[crc >> 24]
               ^ t3[high & 0xFF] ^ t2[high >> 8 & 0xFF] ^ t1[high >> 16 & 0xFF] ^ t0[high >> 24])
    for byte in data[whole:]:
        crc = t0[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def adler32(data):
    return zlib.adler32(data)


def internet(data, start=0):
    """The sum of RFC 1071, complemented."""
    if len(data) & 1:
        data = bytes(data) + b"\0"
    total = start + sum(int.from_bytes(data[at:at + 2], "big") for at in range(0, len(data), 2))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF
