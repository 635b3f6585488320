# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes packets of a log as pcapng: bare SCTP (link type 248), with their directions, an interface for each socket."""

import struct

from sctpa.sequence import blocks, interfaces
from sctpa.sequence.interfaces import Interface, option

LINKTYPE_SCTP = 248
OPTION_FLAGS, INBOUND, OUTBOUND = 2, 1, 2
NANOSECONDS = 9


class Capture:
    """A pcapng in a binary file. midnight_ns: of the day of the first packet, since 1970."""

    def __init__(self, file, midnight_ns):
        self._file, self._midnight_ns, self._interfaces = file, midnight_ns, {}
        file.write(blocks.whole(blocks.SHB, blocks.SECTION))

    def _interface(self, socket):
        if socket not in self._interfaces:
            described = interfaces.description(Interface(LINKTYPE_SCTP, 0, socket, NANOSECONDS))
            self._file.write(blocks.whole(interfaces.IDB, described))
            self._interfaces[socket] = len(self._interfaces)
        return self._interfaces[socket]

    def add(self, packet):
        """A log.Packet."""
        time_ns, size = self._midnight_ns + packet.time_ns, len(packet.data)
        head = struct.pack("<IIIII", self._interface(packet.socket), time_ns >> 32, time_ns & 0xFFFFFFFF, size, size)
        flags = option(OPTION_FLAGS, struct.pack("<I", OUTBOUND if packet.is_sent else INBOUND)) + bytes(4)
        self._file.write(blocks.whole(blocks.EPB, head + packet.data + bytes(-size % 4) + flags))
