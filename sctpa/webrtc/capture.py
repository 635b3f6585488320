# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes packets of a log as pcapng: bare SCTP (link type 248), with their directions, an interface for each socket."""

import struct

from sctpa import pcapng

LINKTYPE_SCTP = 248
NANOSECONDS = 9


class Capture:
    """A pcapng in a binary file. midnight_ns: of the day of the first packet, since 1970."""

    def __init__(self, file, midnight_ns):
        self._file, self._midnight_ns, self._interfaces = file, midnight_ns, {}
        file.write(pcapng.section())

    def _interface(self, socket):
        if socket not in self._interfaces:
            self._file.write(pcapng.interface_block(pcapng.Interface(LINKTYPE_SCTP, 0, socket, NANOSECONDS)))
            self._interfaces[socket] = len(self._interfaces)
        return self._interfaces[socket]

    def add(self, packet):
        """A log.Packet."""
        direction = struct.pack("<I", pcapng.OUTBOUND if packet.is_sent else pcapng.INBOUND)
        self._file.write(
            pcapng.packet(
                self._interface(packet.socket),
                self._midnight_ns + packet.time_ns,
                packet.data,
                more=pcapng.options_of([(pcapng.FLAGS, direction)]),
            )
        )
