# SPDX-License-Identifier: GPL-2.0-or-later
"""CRC32c, the checksum of SCTP (RFC 9260 Appendix A)."""

import struct

# The generator polynomial 0x1EDC6F41 of RFC 9260 Appendix A, reflected.
POLYNOMIAL = 0x82F63B78
BEGIN = END = 0xFFFFFFFF


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


def after(crc, data):
    """The state after these bytes, of the state crc before them; it is BEGIN at first, and the checksum is the last one ^ END. About 0.1 us a byte: eight bytes a step."""
    t0, t1, t2, t3, t4, t5, t6, t7 = T
    whole = len(data) & ~7
    for low, high in struct.iter_unpack("<II", data[:whole]):
        crc ^= low
        crc = (
            t7[crc & 0xFF]
            ^ t6[crc >> 8 & 0xFF]
            ^ t5[crc >> 16 & 0xFF]
            ^ t4[crc >> 24]
            ^ t3[high & 0xFF]
            ^ t2[high >> 8 & 0xFF]
            ^ t1[high >> 16 & 0xFF]
            ^ t0[high >> 24]
        )
    for byte in data[whole:]:
        crc = t0[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc


def crc32c(data):
    """Of bytes."""
    return after(BEGIN, data) ^ END
