# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes packets of a log as pcapng: bare SCTP (link type 248), with their directions, an interface for each socket."""

import struct

LINKTYPE_SCTP = 248
SECTION, INTERFACE, PACKET = 0x0A0D0D0A, 1, 6
OPTION_NAME, OPTION_RESOLUTION, OPTION_FLAGS = 2, 9, 2
NANOSECONDS, INBOUND, OUTBOUND = 9, 1, 2


def _padded(data):
    return data + bytes(-len(data) % 4)


def _option(code, value):
    return struct.pack("<HH", code, len(value)) + _padded(value)


def _block(kind, body):
    length = struct.pack("<I", len(body) + 12)
    return struct.pack("<I", kind) + length + body + length


class Capture:
    """A pcapng in a binary file. midnight_ns: of the day of the first packet, since 1970."""

    def __init__(self, file, midnight_ns):
        self._file, self._midnight_ns, self._interfaces = file, midnight_ns, {}
        file.write(_block(SECTION, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)))

    def _interface(self, socket):
        if socket not in self._interfaces:
            options = (_option(OPTION_NAME, socket) if socket else b"") + _option(OPTION_RESOLUTION, bytes([NANOSECONDS])) + bytes(4)
            self._file.write(_block(INTERFACE, struct.pack("<HHI", LINKTYPE_SCTP, 0, 0) + options))
            self._interfaces[socket] = len(self._interfaces)
        return self._interfaces[socket]

    def add(self, packet):
        """A log.Packet."""
        time_ns, size = self._midnight_ns + packet.time_ns, len(packet.data)
        head = struct.pack("<IIIII", self._interface(packet.socket), time_ns >> 32, time_ns & 0xFFFFFFFF, size, size)
        flags = _option(OPTION_FLAGS, struct.pack("<I", OUTBOUND if packet.is_sent else INBOUND)) + bytes(4)
        self._file.write(_block(PACKET, head + _padded(packet.data) + flags))
