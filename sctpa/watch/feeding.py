# SPDX-License-Identifier: GPL-2.0-or-later
"""Copies what a source gives into tshark, in a thread of its own, and notes where files begin and where ticks are."""

import contextlib
import json
import threading

from sctpa import tshark
from sctpa.arguments import say
from sctpa.sequence.stream import Stream

from . import sources


class Noted(Stream):
    """A stream whose files and ticks places knows, and a log where files have names; counters has the gaps between them."""

    def __init__(self, write, places, log, counters):
        super().__init__(write, tshark.as_user())
        self._places, self._log, self._counters = places, log, counters

    def _note(self, **line):
        if self._log:
            self._log.add(json.dumps(line, separators=(",", ":")).encode() + b"\n")

    def _add(self, part, found):
        self._places.begin(part.name, self.frames)
        # Long before it has been read to its end.
        if part.gap:
            self._counters.add_gap()
            say(part.remark())
        self._note(record="file", file=part.name, first_frame=self.frames + 1)
        return super()._add(part, found)

    def tick(self, silence_ns):
        if not super().tick(silence_ns):
            return False
        self._places.tick(self.frames)
        self._note(record="tick", frame=self.frames)
        return True


class Feeding(threading.Thread):
    """Copies source into pipe, until either ends. log: a told.Log, or None; counters: a metrics.Metrics. is_whole: all that it gave was read and copied."""

    def __init__(self, source, pipe, places, log, counters):
        super().__init__(daemon=True)
        self._source, self._pipe, self._counters = source, pipe, counters
        self._stream = Noted(pipe.write, places, log if source.has_files else None, counters)
        self.is_whole = True

    def run(self):
        try:
            with contextlib.closing(self._pipe):
                for read in self._source.reads(self._stream, sources.Ticks(self._stream, self._pipe.flush)):
                    self._counters.take_read(read)
                    self.is_whole &= read.whole
                    for message in read._replace(missing=None).remarks():
                        say(message)
        except BrokenPipeError:
            # tshark has ended, which is said where its lines are read.
            self.is_whole = False
