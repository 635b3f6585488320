# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes pcapng with several interfaces and nanosecond stamps, block by block as sctpa/pcapng.py."""

from sctpa import pcapng

ETHERNET, RAW_IP, COOKED, COOKED_2 = 1, 101, 113, 276
NANOSECONDS = 9


class Pcapng:
    """A capture file being written; use as context manager.

    interfaces: link types, one per interface; snap: bytes kept per packet, 0 all."""

    def __init__(self, path, interfaces=(ETHERNET,), snap=0):
        self.file = open(path, "wb", buffering=1 << 20)
        self.snap = snap
        self.frames = 0
        self.file.write(pcapng.section())
        for number, link in enumerate(interfaces):
            self.file.write(pcapng.interface_block(pcapng.Interface(link, snap, b"if%d" % number, NANOSECONDS)))

    def write(self, time_ns, frame, interface=0, wire_bytes=None):
        """Adds a packet; returns its frame number."""
        length = len(frame) if wire_bytes is None else wire_bytes
        if self.snap and len(frame) > self.snap:
            frame = frame[:self.snap]
        self.file.write(pcapng.packet(interface, time_ns, frame, length))
        self.frames += 1
        return self.frames

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
