# SPDX-License-Identifier: GPL-2.0-or-later
"""A ring of files that is still being written, as its parts come: each is read to its end so far, and the next one from when it is there.

Ends when nothing has come for some time, or when stop() is called. Leaves names to rings.py, reading to stream.py.
"""

import contextlib
import os
import time

from . import blocks, rings
from .stream import Part

POLL_S = 0.1


class NotNumbered(Exception):
    """The files are not those of one ring whose names have numbers: nobody can tell the next one."""


class Following:
    """The parts of the ring of these files, from the oldest of them on, and of those that come after it. names: what they are called in messages, by
    path; idle_s: how long nothing may come. Raises NotNumbered."""

    def __init__(self, paths, names, idle_s):
        places = {path: rings.place(path) for path in paths}
        if not all(places.values()) or len({each.ring for each in places.values()}) != 1 or any(each.number is None for each in places.values()):
            raise NotNumbered("--follow needs numbered files of one ring, as dumpcap -b names them")
        self._folder, self._ring = os.path.dirname(paths[0]), places[paths[0]].ring
        self._names, self._idle_s = names, idle_s
        self._first = min(each.number for each in places.values())
        self._at, self._is_stopped, self._is_last_look = None, False, False
        self._bytes, self._since = 0, 0.0
        self.name = names[min(paths, key=lambda path: places[path].number)]

    def stop(self):
        """Ends it: what is there is read no further than to where it was."""
        self._is_stopped = True

    def _next(self):
        """(number, path) of the file behind the one at hand; None: there is none yet."""
        least = self._at[0] + 1 if self._at else self._first
        with contextlib.suppress(FileNotFoundError):
            places = ((rings.place(path), path) for path in (os.path.join(self._folder, name) for name in os.listdir(self._folder)))
            return min(((where.number, path) for where, path in places if where and where.ring == self._ring and where.number >= least), default=None)
        return None

    def wait(self):
        """Called at the end of the file at hand so far: True when it is to be looked at again; False: it has ended, or the following has."""
        if self._is_stopped or self._is_last_look:
            return False
        # What was written before the next file began is there by now.
        if self._next():
            self._is_last_look = True
            return True
        time.sleep(POLL_S)
        try:
            size = os.stat(self._at[1]).st_size
        except FileNotFoundError:
            size = self._bytes
        if size != self._bytes:
            self._bytes, self._since = size, time.monotonic()
        self._is_stopped |= time.monotonic() - self._since > self._idle_s
        return not self._is_stopped

    def parts(self):
        """Each part, when the one before has been read with wait."""
        while not self._is_stopped and (found := self._next()):
            gap = rings.missing(self._at[0], found[0]) if self._at else None
            self._at, self._is_last_look, self._bytes, self._since = found, False, 0, time.monotonic()
            yield Part(found[1], self._names.get(found[1], os.path.basename(found[1])), gap)

    def mended(self, read):
        """A stream.Read of a part: the last one is not to blame for a packet that is half written, or none that is."""
        if not self._is_stopped or read.message not in (blocks.CUT, blocks.EMPTY):
            return read
        return read._replace(whole=True, message="is still being written; read up to its last complete packet")
