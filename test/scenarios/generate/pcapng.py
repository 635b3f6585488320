# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes pcapng with several interfaces and nanosecond stamps."""

import struct

ETHERNET, RAW_IP, COOKED, COOKED_2 = 1, 101, 113, 276
_padding = (b"", bytes(3), bytes(2), bytes(1))
_epb = struct.Struct("<7I")
_u32 = struct.Struct("<I")


def _block(kind, body):
    body += _padding[len(body) & 3]
    size = len(body) + 12
    return struct.pack("<II", kind, size) + body + _u32.pack(size)


class Pcapng:
    """A capture file being written; use as context manager.

    interfaces: link types, one per interface; snap: bytes kept per packet, 0 all."""

    def __init__(self, path, interfaces=(ETHERNET,), snap=0):
        self.file = open(path, "wb", buffering=1 << 20)
        self.snap = snap
        self.frames = 0
        self.file.write(_block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)))
        for number, link in enumerate(interfaces):
            name = b"if%d" % number
            options = struct.pack("<HH", 2, len(name)) + name + _padding[len(name) & 3] \
                + struct.pack("<HHB3x", 9, 1, 9) + struct.pack("<HH", 0, 0)
            self.file.write(_block(1, struct.pack("<HHI", link, 0, snap) + options))

    def write(self, time_ns, frame, interface=0, wire_bytes=None):
        """Adds a packet; returns its frame number."""
        length = len(frame) if wire_bytes is None else wire_bytes
        if self.snap and len(frame) > self.snap:
            frame = frame[:self.snap]
        padding = _padding[len(frame) & 3]
        size = 32 + len(frame) + len(padding)
        self.file.write(_epb.pack(6, size, interface, time_ns >> 32, time_ns & 0xFFFFFFFF, len(frame), length)
                        + frame + padding + _u32.pack(size))
        self.frames += 1
        return self.frames

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
