# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes the files of a sequence as one pcapng, and counts which frames are of which file.

A file that cannot be read to its end leaves a gap, and the next one goes on. Leaves the order of the files to rings.py.
"""

import contextlib
import struct
from typing import NamedTuple

from sctpa import pcapng
from sctpa.pcapng import NS_PER_S

from . import blocks
from .numbering import Numbering

# Packets of one capture are this much out of order where several processors or queues took them.
OVERLAP_NS = NS_PER_S
# Of frames without bytes: a link type for private use, in nanoseconds.
TICKS = pcapng.Interface(147, 0, b"ticks", 9)


class Part(NamedTuple):
    """A file of a sequence. name: as messages have it; gap: why packets are missing before it, as far as names tell; None: none."""

    path: str
    name: str
    gap: str | None = None

    def remark(self):
        """A line about the gap; None: there is none."""
        return f"{self.name}: {self.gap}{' before it' * self.gap.endswith('missing')}" if self.gap else None


class Read(NamedTuple):
    """What was read of a part. frames: how many; message: why it was not read to its end, or what is odd about it;
    whole: it was read to its end; gap: why packets are missing before it; dropped: packets that its interfaces dropped meanwhile, None:
    it does not say; missing: Part.remark(); is_passing: the cause is none of its contents, and may be gone the next time.
    """

    name: str
    frames: int
    message: str | None
    whole: bool
    gap: str | None
    dropped: int | None
    missing: str | None = None
    is_passing: bool = False

    def remarks(self):
        """What is odd about it, a line each: what its name shows to be missing before it, why it was not read to its end, an overlap."""
        return [self.missing] * bool(self.missing) + [f"{self.name}: {self.message}"] * bool(self.message)


class Stream:
    """One pcapng to write, a callable that takes bytes. as_user: words that start editcap as another user. frames: how many it has so far."""

    def __init__(self, write, as_user=()):
        self._write, self._as_user = write, as_user
        self._numbering = Numbering()
        self.frames, self._counted = 0, None
        self._dropped, self._before = {}, 0
        self._end_ns, self._end_name, self._gap = None, None, None
        write(pcapng.section())

    def _put(self, kind, body):
        self._write(pcapng.block(kind, body))

    def _take(self, block):
        """Writes a block with the number that its interface has among all."""
        if block.type == pcapng.SHB:
            self._numbering.begin_file()
        elif block.described:
            if self._numbering.add(block.described):
                self._write(pcapng.interface_block(block.described))
        elif block.interface is None:
            self._put(block.type, block.body)
        elif block.interface < len(self._numbering.of_file):
            number = self._numbering.of_file[block.interface]
            if number == block.interface and block.raw:
                self._write(block.raw)
                return
            self._put(
                block.type, struct.pack("<I", number) + block.body[4:] if number != block.interface else block.body
            )
            if block.dropped is not None:
                self._dropped[number] = block.dropped

    def _newly_dropped(self, statistics):
        """What the counters of the interfaces grew by. They count from when the capturing program began."""
        if not statistics:
            return None
        now = sum(self._dropped.values())
        new, self._before = now - self._before if now >= self._before else now, now
        return new

    def _copy(self, found, counted):
        """Writes the blocks found; counts in counted, as far as they can be read."""
        for block in found:
            self._take(block)
            if block.type in blocks.FRAMES:
                self.frames += 1
                if block.ticks is not None:
                    counted.last = block
                    counted.start_ns = counted.start_ns or self._time_ns(block)
            elif block.dropped is not None:
                counted.dropped = True

    def tick(self, silence_ns):
        """Writes a frame without bytes, of an interface of its own, so long after the last packet; counts it as one of the part at hand. Without a
        packet before it there is nothing to write: False. Only between blocks, as where add() waits."""
        counted = self._counted
        last_ns = self._time_ns(counted.last) if counted and counted.last else self._end_ns
        if last_ns is None:
            return False
        number, is_new = self._numbering.number(TICKS)
        if is_new:
            self._write(pcapng.interface_block(TICKS))
        time_ns = last_ns + silence_ns
        self._write(pcapng.packet(number, time_ns, b""))
        self.frames += 1
        return True

    def _time_ns(self, block):
        return self._numbering.known[self._numbering.of_file[block.interface]].time_ns(block.ticks)

    def _overlap(self, counted):
        """What to say of a part that begins before the one that ends last; None: it does not."""
        if None in (self._end_ns, counted.start_ns) or counted.start_ns > self._end_ns - OVERLAP_NS:
            return None
        return f"begins {(self._end_ns - counted.start_ns) / NS_PER_S:.3f} s before {self._end_name} ends: the files overlap, or are not in order"

    def add(self, part, wait=None):
        """Reads a part to its end, or as far as it can be read. wait: see blocks.Waiting. Returns its Read. Raises BrokenPipeError.
        Memory: a block."""
        return self._add(part, blocks.read(part.path, self._as_user, wait))

    def add_passing(self, name, readinto):
        """The same of what comes through a pipe and is called name. readinto: see blocks.Passing."""
        return self._add(Part("", name), blocks.read_passing(readinto))

    def _add(self, part, found):
        self._numbering.begin_file()
        before = self.frames
        counted, cause, is_passing = _Counted(), None, False
        self._counted = counted
        try:
            with contextlib.closing(found):
                self._copy(found, counted)
        except pcapng.Fault as fault:
            cause, is_passing = str(fault), isinstance(fault, blocks.OfTheMoment)
        read = Read(
            part.name,
            self.frames - before,
            cause or self._overlap(counted),
            cause is None,
            part.gap or self._gap,
            self._newly_dropped(counted.dropped),
            part.remark(),
            is_passing,
        )
        self._gap = f"{part.name} {cause}" if cause else None
        end_ns = self._time_ns(counted.last) if counted.last else None
        if end_ns is not None and (self._end_ns is None or end_ns >= self._end_ns):
            self._end_ns, self._end_name = end_ns, part.name
        self._counted = None
        return read


class _Counted:
    """Frames of a part: when the first, which one is the last that has a time; dropped: are there counters of dropped packets?"""

    def __init__(self):
        self.start_ns, self.last, self.dropped = None, None, False
