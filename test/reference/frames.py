# SPDX-License-Identifier: GPL-2.0-or-later
"""Frames of a capture with everything that a copy of the capture needs: pcap and pcapng, gzipped or not, with times in whole
nanoseconds (the lab's reader, test/lab/read_capture.py, has them as float). What is inside the frames is left to that reader. Reads them itself on
purpose: a second reading beside sctpa/pcapng.py and Wireshark."""

import dataclasses
import fractions
import struct

from lab import read_capture

NANO_MAGIC, MICRO_MAGIC = 0xA1B23C4D, 0xA1B2C3D4
SECTION, INTERFACE, SIMPLE, ENHANCED = 0x0A0D0D0A, 1, 3, 6
OPTION_END, OPTION_RESOLUTION, OPTION_OFFSET = 0, 9, 14


@dataclasses.dataclass(frozen=True)
class Frame:
    number: int         # from 1, as Wireshark counts
    time_ns: int        # since the epoch
    interface: int
    link: int           # link type
    data: bytes
    wire_bytes: int     # length before a snap length cut it


def frames(path):
    """Every frame of a capture, in its order."""
    with read_capture.open_capture(str(path)) as file:
        data = file.read()
    return list(_pcapng(data) if data[:4] == b"\x0a\x0d\x0d\x0a" else _pcap(data))


def _pcap(data):
    order = "<" if struct.unpack("<I", data[:4])[0] in (NANO_MAGIC, MICRO_MAGIC) else ">"
    magic, = struct.unpack(order + "I", data[:4])
    unit_ns = {NANO_MAGIC: 1, MICRO_MAGIC: 1000}[magic]
    link = struct.unpack(order + "I", data[20:24])[0] & 0xFFFF
    position, number = 24, 0
    while position + 16 <= len(data):
        seconds, fraction, captured, length = struct.unpack_from(order + "4I", data, position)
        position, number = position + 16, number + 1
        yield Frame(number, seconds * 10**9 + fraction * unit_ns, 0, link, data[position:position + captured], length)
        position += captured


def _options(order, data):
    """code -> value bytes"""
    result = {}
    while len(data) >= 4:
        code, length = struct.unpack(order + "HH", data[:4])
        if code == OPTION_END:
            break
        result[code] = data[4:4 + length]
        data = data[4 + (length + 3) // 4 * 4:]
    return result


def _clock(order, options):
    """(nanoseconds per tick, nanoseconds to add)"""
    resolution = options.get(OPTION_RESOLUTION, b"\x06")[0]
    ticks = 2 ** (resolution & 127) if resolution & 128 else 10**resolution
    offset, = struct.unpack(order + "q", options.get(OPTION_OFFSET, bytes(8)))
    return fractions.Fraction(10**9, ticks), offset * 10**9


def _pcapng(data):
    position, order, interfaces, number = 0, "<", [], 0
    while position + 12 <= len(data):
        if data[position:position + 4] == b"\x0a\x0d\x0d\x0a":
            order = "<" if data[position + 8:position + 12] == b"\x4d\x3c\x2b\x1a" else ">"
            interfaces = []
        kind, size = struct.unpack_from(order + "II", data, position)
        body = data[position + 8:position + size - 4]
        position += size
        if kind == INTERFACE:
            interfaces.append((struct.unpack(order + "H", body[:2])[0], *_clock(order, _options(order, body[8:]))))
        elif kind in (SIMPLE, ENHANCED):
            number += 1
            yield (_simple if kind == SIMPLE else _enhanced)(number, order, interfaces, body)


def _simple(number, order, interfaces, body):
    length, = struct.unpack(order + "I", body[:4])
    return Frame(number, 0, 0, interfaces[0][0], body[4:4 + length], length)


def _enhanced(number, order, interfaces, body):
    index, high, low, captured, length = struct.unpack(order + "5I", body[:20])
    link, tick_ns, offset_ns = interfaces[index]
    return Frame(number, int((high << 32 | low) * tick_ns) + offset_ns, index, link, body[20:20 + captured], length)


def sctp_packets(some_frames):
    """The SCTP packets in frames, as read_capture.Packet whose `time` is in nanoseconds."""
    fragments = read_capture.Fragments()
    packets = (read_capture.sctp_packet(frame.number, frame.time_ns, frame.link, frame.data, fragments) for frame in some_frames)
    return [packet for packet in packets if packet]
