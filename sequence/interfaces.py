# SPDX-License-Identifier: GPL-2.0-or-later
"""Interfaces of a pcapng: what their descriptions say, and which one of a later file is which one of an earlier file."""

import struct
from typing import NamedTuple

NS_PER_S = 1_000_000_000
IDB = 1
NAME, RESOLUTION, FCS_BYTES, OFFSET = 2, 9, 13, 14


class Interface(NamedTuple):
    """What a capture says of an interface. resolution: if_tsresol, offset_s: if_tsoffset, fcs_bytes: None where it says nothing of one."""

    link_type: int
    snap_bytes: int
    name: bytes = b""
    resolution: int = 6
    offset_s: int = 0
    fcs_bytes: int | None = None

    def time_ns(self, ticks):
        """A timestamp of this interface since the epoch."""
        exponent = self.resolution & 0x7F
        per_s = 1 << exponent if self.resolution & 0x80 else 10 ** exponent
        return self.offset_s * NS_PER_S + ticks * NS_PER_S // per_s


def options(data, order):
    """(code, value) of each option of a block; stops at what is none."""
    at = 0
    while at + 4 <= len(data):
        code, length = struct.unpack_from(order + "HH", data, at)
        if code == 0 or at + 4 + length > len(data):
            return
        yield code, data[at + 4:at + 4 + length]
        at += 4 + length + -length % 4


def option(code, value):
    """An option in little endian."""
    return struct.pack("<HH", code, len(value)) + value + bytes(-len(value) % 4)


def described(body, order):
    """The Interface of the body of an Interface Description Block. Raises struct.error when it is too short."""
    link_type, _, snap_bytes = struct.unpack_from(order + "HHI", body)
    said = dict(options(body[8:], order))
    resolution, fcs, offset = (said.get(code, b"") for code in (RESOLUTION, FCS_BYTES, OFFSET))
    return Interface(link_type, snap_bytes, said.get(NAME, b""), resolution[0] if resolution else 6,
                     struct.unpack(order + "q", offset)[0] if len(offset) == 8 else 0, fcs[0] if fcs else None)


def description(interface):
    """The body of a block that describes it, in little endian."""
    said = [(NAME, interface.name)] * bool(interface.name) + [(RESOLUTION, bytes([interface.resolution]))]
    if interface.fcs_bytes is not None:
        said.append((FCS_BYTES, bytes([interface.fcs_bytes])))
    if interface.offset_s:
        said.append((OFFSET, struct.pack("<q", interface.offset_s)))
    return (struct.pack("<HHI", interface.link_type, 0, interface.snap_bytes) + b"".join(option(code, value) for code, value in said)
            + struct.pack("<HH", 0, 0))


class Numbering:
    """One numbering for the interfaces of all files. known: these, by their numbers; of_file: the number of each interface of the file, in its order.
    Memory: that of the interfaces that differ."""

    def __init__(self):
        self.known = []
        self.of_file = []

    def begin_file(self):
        """A file, or a section of one, begins: its interfaces are counted from 0 again."""
        self.of_file = []

    def add(self, interface):
        """Takes the next interface of the file into of_file. Is it new? Else it is the one of the same number where that is described alike, or the
        first one described alike that this file has not named yet."""
        own = len(self.of_file)
        alike = [number for number, known in enumerate(self.known) if known == interface and number not in self.of_file]
        number = own if own in alike else alike[0] if alike else len(self.known)
        if number == len(self.known):
            self.known.append(interface)
        self.of_file.append(number)
        return not alike
