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


def _last_run(ordered, places):
    """Of files in the order of their times those of the last run of the capturing program, which counts from 1."""
    begin = 0
    for at in range(1, len(ordered)):
        if places[ordered[at]].number <= places[ordered[at - 1]].number:
            begin = at
    return ordered[begin:]


def _is_newer(path, before):
    with contextlib.suppress(OSError):
        return os.stat(path).st_mtime >= os.stat(before).st_mtime
    return False


def of_words(words, idle_s):
    """The Following of files as they were named. Raises NotNumbered."""
    paths = {os.path.abspath(word): word for word in words}
    return Following(list(paths), paths, float(idle_s))


class Following:
    """The parts of the ring of these files, from the oldest of the last run of the capturing program on, and of those that come after it, also of a later run.
    names: what they are called in messages, by path; idle_s: how long nothing may come. Raises NotNumbered."""

    def __init__(self, paths, names, idle_s):
        places = {path: rings.place(path) for path in paths}
        if (
            not all(places.values())
            or len({each.ring for each in places.values()}) != 1
            or any(each.number is None for each in places.values())
        ):
            raise NotNumbered("--follow needs numbered files of one ring, as dumpcap -b names them")
        run = _last_run(sorted(paths, key=lambda path: places[path].order), places)
        first = run[0]
        self._folder, self._ring = os.path.dirname(first), places[first].ring
        self._names, self._idle_s = names, idle_s
        # The place behind which the next file stands, and what is there but was read, or is of earlier runs.
        self._place = places[first]._replace(number=places[first].number - 1)
        self._seen = {os.path.basename(path) for path in paths} - {os.path.basename(path) for path in run}
        self._path, self._is_stopped, self._is_last_look = None, False, False
        self._bytes, self._since = 0, 0.0
        self.name = names[first]

    def stop(self):
        """Ends it: what is there is read no further than to where it was."""
        self._is_stopped = True

    def _next(self):
        """(place, path) of the file behind the one at hand; None: there is none yet. Cost: lists the folder."""
        try:
            listed = os.listdir(self._folder)
        except FileNotFoundError:
            return None
        self._seen.intersection_update(listed)
        placed = (
            (rings.place(path), path)
            for path in (os.path.join(self._folder, name) for name in listed if name not in self._seen)
        )
        behind = (
            (where, path)
            for where, path in placed
            if where and where.ring == self._ring and self._is_behind(where, path)
        )
        return min(behind, key=lambda each: (each[0].number <= self._place.number, each[0].number), default=None)

    def _is_behind(self, where, path):
        """Was this file begun after the one at hand? Names of a run count on, those of a later run have later times."""
        at = self._place
        if where.number > at.number:
            # Local times go back when summer ends.
            return (
                not (where.stamp and at.stamp)
                or where.stamp >= at.stamp
                or bool(self._path)
                and _is_newer(path, self._path)
            )
        return bool(where.stamp and at.stamp) and where.stamp > at.stamp

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
            size = os.stat(self._path).st_size
        except FileNotFoundError:
            size = self._bytes
        if size != self._bytes:
            self._bytes, self._since = size, time.monotonic()
        self._is_stopped |= time.monotonic() - self._since > self._idle_s
        return not self._is_stopped

    def parts(self):
        """Each part, when the one before has been read with wait."""
        while not self._is_stopped and (found := self._next()):
            gap = rings.missing(self._place.number, found[0].number) if self._path else None
            (self._place, self._path), self._is_last_look, self._bytes, self._since = found, False, 0, time.monotonic()
            self._seen.add(os.path.basename(self._path))
            yield Part(self._path, self._names.get(self._path, os.path.basename(self._path)), gap)

    def mended(self, read):
        """A stream.Read of a part: the last one is not to blame for a packet that is half written, or none that is."""
        if not self._is_stopped or read.message not in (blocks.CUT, blocks.EMPTY):
            return read
        return read._replace(whole=True, message="is still being written; read up to its last complete packet")
