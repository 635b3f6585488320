# SPDX-License-Identifier: GPL-2.0-or-later
"""The checksums that packets carry besides CRC32c (sctpa/crc32c.py): Adler-32 (RFC 2960), and that of the Internet (RFC 1071)."""

import zlib


def adler32(data):
    return zlib.adler32(data)


def internet(data, start=0):
    """The sum of RFC 1071, complemented."""
    if len(data) & 1:
        data = bytes(data) + b"\0"
    total = start + sum(int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF
