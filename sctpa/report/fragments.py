# SPDX-License-Identifier: GPL-2.0-or-later
"""Packets that IP carries in fragments (RFC 791 3.2, RFC 8200 4.5): put together, and where each fragment stands in a file, so that what becomes of
the whole can be written there.

Fragments that overlap are not put together. Leaves what becomes of a packet to packet_rewriter.py.
"""

import collections

# What an IPv4 packet may hold.
PACKET_BYTES_MAX = 0xFFFF
# At a time; memory is at most the bytes of as many packets, before and after.
PACKETS_MAX = 64
# Copies of fragments, as in a capture of several interfaces, that wait for those that are missing.
PLACES_MAX = 1024


class Fragmented:
    """A packet in fragments."""

    def __init__(self):
        self._parts, self._places, self._bytes, self._length = {}, [], 0, None
        self.made = None

    def takes(self, offset, content, is_last):
        """Can this be a fragment of it?"""
        fits = self._parts.get(offset, content) == content and (
            not is_last or self._length in (None, offset + len(content))
        )
        return fits and self._bytes <= PACKET_BYTES_MAX and len(self._places) < PLACES_MAX

    def add(self, offset, content, is_last, position):
        if offset not in self._parts:
            self._bytes += len(content)
        self._parts[offset] = content
        self._places.append((offset, position))
        if is_last:
            self._length = offset + len(content)

    def whole(self):
        """Its bytes; None: some are missing, or two fragments overlap. Cost: constant while bytes are missing."""
        if self._bytes != self._length:
            return None
        at = 0
        for offset in sorted(self._parts):
            if offset != at:
                return None
            at += len(self._parts[offset])
        return b"".join(self._parts[offset] for offset in sorted(self._parts))

    def patches(self):
        """(Position, bytes) of each fragment that was added since the last call, once self.made has what became of the whole."""
        if self.made is None:
            return []
        places, self._places = self._places, []
        return [(position, self.made[offset : offset + len(self._parts[offset])]) for offset, position in places]


class Fragments:
    """Of many packets: those begun last."""

    def __init__(self):
        self._packets = collections.OrderedDict()

    def add(self, key, offset, content, is_last, position):
        """The Fragmented that a fragment belongs to. key: addresses, identification and protocol; offset: in bytes; position: where its content
        stands in the file."""
        packet = self._packets.get(key)
        if packet is None or not packet.takes(offset, content, is_last):
            packet = self._packets[key] = Fragmented()
            self._packets.move_to_end(key)
            if len(self._packets) > PACKETS_MAX:
                self._packets.popitem(last=False)
        packet.add(offset, content, is_last, position)
        return packet
