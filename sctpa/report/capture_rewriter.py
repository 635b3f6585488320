# SPDX-License-Identifier: GPL-2.0-or-later
"""A pcapng with packets rewritten, and nothing in it but these, their interfaces, times, lengths and directions, and how many packets were dropped.

Comments, names of interfaces and of hosts, hardware, software and secrets stay behind. Leaves packets to packet_rewriter.py. Memory: one block.
"""

import struct

from sctpa import pcapng
from sctpa.arguments import STATUS_NOT_READ
from sctpa.pcapng import EPB, IDB, ISB, SHB, SPB
from sctpa.tshark import Failed

# Options kept of each block: resolution and offset of times; flags (direction); packets received and dropped.
KEPT = {IDB: {pcapng.RESOLUTION, pcapng.OFFSET}, EPB: {pcapng.FLAGS}, ISB: {4, 5, 6, 7, 8}}


def _blocks(stream):
    """(type, body, byte order, whole) of each block. Raises Failed."""
    try:
        yield from pcapng.blocks(stream)
    except pcapng.Fault as fault:
        raise Failed(STATUS_NOT_READ, str(fault)) from fault


def _options(kind, data, order):
    """The options of a block that stay, and their end, as bytes."""
    return pcapng.options_of(
        ((code, value) for code, value in pcapng.options(data, order) if code in KEPT[kind]), order
    )


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
    for kind, body, order, _ in _blocks(stream):
        if kind == SHB:
            links = []
            target.write(pcapng.section(order))
        elif kind == IDB:
            links.append(struct.unpack_from(order + "H", body)[0])
            target.write(pcapng.block(kind, body[:8] + _options(kind, body[8:], order), order))
        elif kind == EPB:
            interface, _, _, captured, original = struct.unpack_from(order + "IIIII", body)
            # A block has 8 bytes in front of its body, of which a packet has 20 in front of its bytes.
            data = rewriter.packet(links[interface], body[20 : 20 + captured], original, target.tell() + 28)
            padded = captured + 3 & ~3
            target.write(
                pcapng.block(
                    kind,
                    body[:20] + data + bytes(padded - captured) + _options(kind, body[20 + padded :], order),
                    order,
                )
            )
            _overwrite(target, rewriter.take_patches())
        elif kind == SPB:
            raise Failed(STATUS_NOT_READ, "has packets without times, which --anonymise does not read")
        elif kind == ISB:
            target.write(pcapng.block(kind, body[:12] + _options(kind, body[12:], order), order))
