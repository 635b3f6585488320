# SPDX-License-Identifier: GPL-2.0-or-later
"""Cuts a capture into files as dumpcap -b writes them: each with the head and the interfaces of the whole, and the packets from one place to
the next.

Reads pcap and pcapng itself, so that a defect of sctpa/pcapng.py and sctpa/sequence is not in both. Leaves reading the pieces to the tests.
"""

import gzip
import random
import struct

PCAPNG, IDB, PACKETS, STATISTICS = 0x0A0D0D0A, 1, (3, 6), 5


def unpacked(path):
    """The bytes of a capture, without gzip."""
    data = path.read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def units(data):
    """(head, packets): the bytes that each piece begins with, and those of each packet, with the blocks in front of it that are none."""
    if struct.unpack_from("<I", data)[0] != PCAPNG:
        order = "<" if data[0] in (0xD4, 0x4D) else ">"
        head, at, packets = data[:24], 24, []
        while at < len(data):
            end = at + 16 + struct.unpack_from(order + "8xI", data, at)[0]
            packets.append(data[at:end])
            at = end
        return head, packets
    head, packets, at, pending = b"", [], 0, b""
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        block = data[at:at + length]
        if kind in PACKETS:
            packets.append(pending + block)
            pending = b""
        elif packets or kind not in (PCAPNG, IDB):
            pending += block
        else:
            head += block
        at += length
    if pending and packets:
        packets[-1] += pending
    return head, packets


def places(packets, pieces, seed):
    """Where to cut so many packets into that many pieces, at any place but the same ones for a seed; fewer pieces of fewer packets."""
    return sorted(random.Random(seed).sample(range(1, packets), min(pieces, packets) - 1)) if packets > 1 else []


def cut(path, folder, pieces, seed=0, stem="ring"):
    """Writes the pieces of a capture into folder, /stem_00001_20240101000000.pcapng and so on; returns their paths in order, and how many packets
    each has."""
    head, packets = units(unpacked(path))
    bounds = [0, *places(len(packets), pieces, seed), len(packets)]
    written = []
    for number, (begin, end) in enumerate(zip(bounds, bounds[1:]), 1):
        piece = folder / f"{stem}_{number:05}_{20240101000000 + number}{'.pcapng' if head[:4] == bytes.fromhex('0a0d0d0a') else '.pcap'}"
        piece.write_bytes(head + b"".join(packets[begin:end]))
        piece.chmod(0o644)
        written.append(piece)
    return written, [end - begin for begin, end in zip(bounds, bounds[1:])]
