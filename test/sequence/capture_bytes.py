# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes captures of one SCTP packet per time, as bytes of each format. Leaves what is done with them to the tests."""

import pathlib
import struct
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent.parent))

from sctpa.pcapng import ISB, Interface, block, interface_block, options_of, packet, section  # noqa: E402

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


def interface(order="<", name=b"", resolution=6, offset_s=0):
    """The description of an interface."""
    return interface_block(Interface(RAW, 65535, name, resolution, offset_s), order)


def enhanced(number, ticks=START_S * 1_000_000, order="<", options=()):
    """A packet of the interface of this number."""
    return packet(number, ticks, PACKET, more=options_of(options, order), order=order)


def pcapng(times_s, order="<"):
    """A pcapng of one interface; times_s as pcap()."""
    return section(order) + interface(order) + b"".join(enhanced(0, round((START_S + time) * 1_000_000), order) for time in times_s)


def statistics(number, by_interface, by_host):
    """Counters of what an interface and the host dropped."""
    return block(ISB, struct.pack("<III", number, 0, 0) + options_of([(5, struct.pack("<Q", by_interface)), (7, struct.pack("<Q", by_host))]))
