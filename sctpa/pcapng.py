# SPDX-License-Identifier: GPL-2.0-or-later
"""The format pcapng: blocks, options, and descriptions of interfaces, read and written in either byte order (draft-ietf-opsawg-pcapng).

Leaves other formats, and what a block of a type means for its reader, to sequence/blocks.py, packets to those who write or read them.
"""

import struct
from typing import NamedTuple

SHB, IDB, PB, SPB, NRB, ISB, EPB, JOURNAL, DSB = 0x0A0D0D0A, 1, 2, 3, 4, 5, 6, 9, 10
# How a file begins, and each section of one.
BEGIN = bytes.fromhex("0a0d0d0a")
ORDERS = {bytes.fromhex("4d3c2b1a"): "<", bytes.fromhex("1a2b3c4d"): ">"}
BLOCK_BYTES_MAX = 16 << 20
NS_PER_S = 1_000_000_000
# Options of an interface; of a packet: its direction.
NAME, RESOLUTION, FCS_BYTES, OFFSET = 2, 9, 13, 14
FLAGS, INBOUND, OUTBOUND = 2, 1, 2
END_OF_OPTIONS = bytes(4)
CUT = "cut short in the middle of a packet"
_PADDING = (b"", bytes(3), bytes(2), bytes(1))
_PACKET = {order: struct.Struct(order + "7I") for order in "<>"}
_LENGTH = {order: struct.Struct(order + "I") for order in "<>"}


class Fault(Exception):
    """Why a file is read no further: its text is the cause."""


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
        per_s = 1 << exponent if self.resolution & 0x80 else 10**exponent
        return self.offset_s * NS_PER_S + ticks * NS_PER_S // per_s


# --- reading ---------------------------------------------------------------------------------------------------------


def begin(file, count, begun=b""):
    """count bytes that begin with those read already; none at the end of the file. Raises Fault when there are some, but too few."""
    data = begun + file.read(count - len(begun))
    if data and len(data) < count:
        raise Fault(CUT)
    return data


def take(file, count):
    """count bytes. Raises Fault when there are fewer."""
    data = file.read(count)
    if len(data) < count:
        raise Fault(CUT)
    return data


def blocks(file, begun=b""):
    """(type, body, byte order, whole) of each block of a binary file of which some bytes may be read already. Raises Fault at the place where it can be
    read no further. Memory: one block."""
    order = "<"
    while head := begin(file, 8, begun):
        begun, magic = b"", b""
        if head[:4] == BEGIN:
            magic = take(file, 4)
            if magic not in ORDERS:
                raise Fault("is damaged: section header without byte order")
            order = ORDERS[magic]
        kind, length = struct.unpack(order + "II", head)
        if length < 12 + len(magic) or length % 4 or length > BLOCK_BYTES_MAX:
            raise Fault(f"is damaged: block of {length} bytes")
        rest = magic + take(file, length - 8 - len(magic))
        if struct.unpack_from(order + "I", rest, length - 12)[0] != length:
            raise Fault("is damaged: the two lengths of a block differ")
        yield kind, rest[:-4], order, head + rest


def options(data, order):
    """(code, value) of each option of a block; stops at what is none."""
    at = 0
    while at + 4 <= len(data):
        code, length = struct.unpack_from(order + "HH", data, at)
        if code == 0 or at + 4 + length > len(data):
            return
        yield code, data[at + 4 : at + 4 + length]
        at += 4 + length + -length % 4


def described(body, order):
    """The Interface of the body of an Interface Description Block. Raises struct.error when it is too short."""
    link_type, _, snap_bytes = struct.unpack_from(order + "HHI", body)
    said = dict(options(body[8:], order))
    resolution, fcs, offset = (said.get(code, b"") for code in (RESOLUTION, FCS_BYTES, OFFSET))
    return Interface(
        link_type,
        snap_bytes,
        said.get(NAME, b""),
        resolution[0] if resolution else 6,
        struct.unpack(order + "q", offset)[0] if len(offset) == 8 else 0,
        fcs[0] if fcs else None,
    )


# --- writing ---------------------------------------------------------------------------------------------------------


def block(kind, body, order="<"):
    """The bytes of a block. body: padded to four bytes here."""
    body += _PADDING[len(body) & 3]
    length = _LENGTH[order].pack(len(body) + 12)
    return _LENGTH[order].pack(kind) + length + body + length


def section(order="<"):
    """The block that begins a file, of a section whose length is not known."""
    return block(SHB, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1), order)


def option(code, value, order="<"):
    """The bytes of an option."""
    return struct.pack(order + "HH", code, len(value)) + value + _PADDING[len(value) & 3]


def options_of(said, order="<"):
    """Those of options, (code, value), with their end; nothing where there are none."""
    made = b"".join(option(code, value, order) for code, value in said)
    return made + END_OF_OPTIONS if made else b""


def description(interface, order="<"):
    """The body of a block that describes an Interface."""
    said = [(NAME, interface.name)] * bool(interface.name) + [(RESOLUTION, bytes([interface.resolution]))]
    if interface.fcs_bytes is not None:
        said.append((FCS_BYTES, bytes([interface.fcs_bytes])))
    if interface.offset_s:
        said.append((OFFSET, struct.pack(order + "q", interface.offset_s)))
    return struct.pack(order + "HHI", interface.link_type, 0, interface.snap_bytes) + options_of(said, order)


def interface_block(interface, order="<"):
    """The block that describes an Interface."""
    return block(IDB, description(interface, order), order)


def packet(number, ticks, data, length=None, more=b"", order="<"):
    """The block of a packet of the interface with this number. ticks: its timestamp, as the interface counts; length: on the wire, None: that of data; more: options
    as bytes, with their end."""
    padding = _PADDING[len(data) & 3]
    size = 32 + len(data) + len(padding) + len(more)
    head = _PACKET[order].pack(
        EPB, size, number, ticks >> 32, ticks & 0xFFFFFFFF, len(data), len(data) if length is None else length
    )
    return b"".join((head, data, padding, more, _LENGTH[order].pack(size)))
