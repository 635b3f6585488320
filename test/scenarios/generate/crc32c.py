# SPDX-License-Identifier: GPL-2.0-or-later
"""CRC32c as sctpa/crc32c.py, quick where the same payload comes again and again."""

import functools

from sctpa.crc32c import BEGIN, END, after

LONG_BYTES = 48


@functools.lru_cache(maxsize=4096)
def _of_part(part):
    return after(0, part)


@functools.lru_cache(maxsize=4096)
def _advance_tables(length):
    """What `length` zero bytes do to a state, byte by byte of the state: the CRC is linear."""
    zeros = bytes(length)
    return tuple(tuple(after(value << shift, zeros) for value in range(256)) for shift in (0, 8, 16, 24)) if length <= 64 \
        else _squared_tables(length)


def _squared_tables(length):
    half = _advance_tables(length // 2)
    rest = _advance_tables(length - length // 2)
    return tuple(tuple(_apply(rest, word) for word in table) for table in half)


def _apply(tables, state):
    return tables[0][state & 255] ^ tables[1][state >> 8 & 255] ^ tables[2][state >> 16 & 255] ^ tables[3][state >> 24]


def crc32c(*parts):
    """CRC32c of the parts put together. O(bytes), but O(1) for a part of 48 bytes or more that was seen before."""
    state = BEGIN
    for part in parts:
        if len(part) < LONG_BYTES:
            state = after(state, part)
        else:
            state = _apply(_advance_tables(len(part)), state) ^ _of_part(part)
    return state ^ END
