# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes captures of one SCTP packet per time, as bytes of each format. Leaves what is done with them to the tests."""

import struct

START_S = 1_700_000_000
_INIT = struct.pack(">HHII", 5000, 5001, 0, 0) + struct.pack(">BBHIIHHI", 1, 0, 20, 0x01020304, 65536, 10, 10, 77)
PACKET = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(_INIT), 7, 0, 64, 132, 0) + bytes([192, 0, 2, 1, 192, 0, 2, 2]) + _INIT
ETHERNET = bytes(12) + b"\x08\x00" + PACKET
RAW = 101


def pcap(times_s, order="<", digits=6, link_type=RAW, packet=PACKET):
    """A pcap; times_s: of its packets, after START_S."""
    magic = 0xA1B2C3D4 if digits == 6 else 0xA1B23C4D
    records = [struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 65535, link_type)]
    for time in times_s:
        seconds, fraction = divmod(round(time * 10 ** digits), 10 ** digits)
        records.append(struct.pack(order + "IIII", START_S + seconds, fraction, len(packet), len(packet)) + packet)
    return b"".join(records)


def block(kind, body, order="<"):
    """A block of a pcapng."""
    return struct.pack(order + "II", kind, len(body) + 12) + body + struct.pack(order + "I", len(body) + 12)


def section(order="<"):
    """The block that begins a pcapng."""
    return block(0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1), order)


def _options(said, order):
    return b"".join(struct.pack(order + "HH", code, len(value)) + value + bytes(-len(value) % 4) for code, value in said) + bytes(4)


def interface(order="<", name=b"", resolution=6, offset_s=0):
    """The description of an interface."""
    said = [(2, name)] * bool(name) + [(9, bytes([resolution]))] + [(14, struct.pack(order + "q", offset_s))] * bool(offset_s)
    return block(1, struct.pack(order + "HHI", RAW, 0, 65535) + _options(said, order), order)


def enhanced(number, ticks=START_S * 1_000_000, order="<", options=()):
    """A packet of the interface of this number."""
    high, low = divmod(ticks, 1 << 32)
    return block(6, struct.pack(order + "IIIII", number, high, low, len(PACKET), len(PACKET)) + PACKET + bytes(-len(PACKET) % 4)
                 + (_options(options, order) if options else b""), order)


def pcapng(times_s, order="<"):
    """A pcapng of one interface; times_s as pcap()."""
    return section(order) + interface(order) + b"".join(enhanced(0, round((START_S + time) * 1_000_000), order) for time in times_s)


def statistics(number, by_interface, by_host):
    """Counters of what an interface and the host dropped."""
    return block(5, struct.pack("<III", number, 0, 0) + _options([(5, struct.pack("<Q", by_interface)), (7, struct.pack("<Q", by_host))], "<"))
