# SPDX-License-Identifier: GPL-2.0-or-later
"""Interfaces of a pcapng: what their descriptions say, and which one of a later file is which one of an earlier file."""

import collections
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
    Memory: that of the interfaces that differ, and a number for each of the file at hand."""

    def __init__(self):
        self.known = []
        # By description as bytes, whose hashes nobody can foresee, unlike those of numbers.
        self._alike = {}
        self.begin_file()

    def begin_file(self):
        """A file, or a section of one, begins: its interfaces are counted from 0 again."""
        self.of_file = []
        self._named, self._passed = set(), collections.Counter()

    def number(self, interface):
        """The number of an interface that is in no file, and whether it is new. O(1)."""
        alike = self._alike.setdefault(description(interface), [])
        return (alike[0], False) if alike else (self._new(interface, alike), True)

    def _new(self, interface, alike):
        alike.append(len(self.known))
        self.known.append(interface)
        return alike[-1]

    def _first_not_named(self, key):
        """Of those described alike that this file has not named yet; None. Each is passed once a file."""
        alike = self._alike[key]
        while self._passed[key] < len(alike) and alike[self._passed[key]] in self._named:
            self._passed[key] += 1
        return alike[self._passed[key]] if self._passed[key] < len(alike) else None

    def add(self, interface):
        """Takes the next interface of the file into of_file. Is it new? Else it is the one of the same number where that is described alike, or the
        first one described alike that this file has not named yet. O(1), amortised over the interfaces of the file."""
        own, key = len(self.of_file), description(interface)
        alike = self._alike.setdefault(key, [])
        is_own = own < len(self.known) and own not in self._named and description(self.known[own]) == key
        number = own if is_own else self._first_not_named(key)
        is_new = number is None
        if is_new:
            number = self._new(interface, alike)
        self._named.add(number)
        self.of_file.append(number)
        return is_new
