# SPDX-License-Identifier: GPL-2.0-or-later
"""A pcapng with packets rewritten, and nothing in it but these, their interfaces, times, lengths and directions, and how many packets were dropped.

Comments, names of interfaces and of hosts, hardware, software and secrets stay behind. Leaves packets to packet_rewriter.py. Memory: one block.
"""

import struct

from sctpa.arguments import STATUS_NOT_READ
from sctpa.tshark import Failed

SECTION, INTERFACE, SIMPLE, STATISTICS, PACKET = 0x0A0D0D0A, 1, 3, 5, 6
# Options kept of each block: resolution and offset of times; flags (direction); packets received and dropped.
KEPT = {INTERFACE: {9, 14}, PACKET: {2}, STATISTICS: {4, 5, 6, 7, 8}}
BLOCK_MAX = 64 << 20


def _bytes(stream, length):
    data = stream.read(length)
    if len(data) < length:
        raise Failed(STATUS_NOT_READ, "ends in the middle of a block")
    return data


def _blocks(stream):
    """(byte order, type, body) of each block. Raises Failed."""
    order = "<"
    while begin := stream.read(1):
        head = begin + _bytes(stream, 7)
        is_section = head[:4] == b"\x0a\x0d\x0d\x0a"
        magic = _bytes(stream, 4) if is_section else b""
        if is_section:
            order = "<" if magic == b"\x4d\x3c\x2b\x1a" else ">"
        kind, length = struct.unpack(order + "II", head)
        if not 12 + len(magic) <= length <= BLOCK_MAX:
            raise Failed(STATUS_NOT_READ, f"has a block of {length} bytes")
        yield order, kind, (magic + _bytes(stream, length - 8 - len(magic)))[:-4]


def _options(order, data, kept):
    """The options that stay, and their end, as bytes."""
    at, parts = 0, []
    while len(data) - at >= 4:
        code, length = struct.unpack_from(order + "HH", data, at)
        size = 4 + (length + 3 & ~3)
        if code == 0:
            break
        if code in kept:
            parts.append(data[at:at + size])
        at += size
    return b"".join((*parts, bytes(4))) if parts else b""


def _block(order, kind, body):
    length = struct.pack(order + "I", len(body) + 12)
    return struct.pack(order + "I", kind) + length + body + length


def _overwrite(target, patches):
    for position, data in patches:
        target.seek(position)
        target.write(data)
    if patches:
        target.seek(0, 2)


def rewrite(stream, target, rewriter):
    """Copies the pcapng of one binary file to another that can seek, each packet by rewriter.packet(link type, bytes, bytes on the wire, position),
    with what rewriter.take_patches() then overwrites. Raises Failed."""
    links = []
    for order, kind, body in _blocks(stream):
        if kind == SECTION:
            links = []
            target.write(_block(order, kind, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1)))
        elif kind == INTERFACE:
            links.append(struct.unpack_from(order + "H", body)[0])
            target.write(_block(order, kind, body[:8] + _options(order, body[8:], KEPT[kind])))
        elif kind == PACKET:
            interface, _, _, captured, original = struct.unpack_from(order + "IIIII", body)
            # A block has 8 bytes in front of its body, of which a packet has 20 in front of its bytes.
            data = rewriter.packet(links[interface], body[20:20 + captured], original, target.tell() + 28)
            padded = captured + 3 & ~3
            target.write(_block(order, kind, body[:20] + data + bytes(padded - captured) + _options(order, body[20 + padded:], KEPT[kind])))
            _overwrite(target, rewriter.take_patches())
        elif kind == SIMPLE:
            raise Failed(STATUS_NOT_READ, "has packets without times, which --anonymise does not read")
        elif kind == STATISTICS:
            target.write(_block(order, kind, body[:12] + _options(order, body[12:], KEPT[kind])))
