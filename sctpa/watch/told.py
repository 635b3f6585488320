# SPDX-License-Identifier: GPL-2.0-or-later
"""What people and files get of an event: a line each on the standard output, as many a minute as somebody can read, and all in a log."""

import contextlib
import datetime
import json
import os
import threading
import time

from sctpa import whole_files
from sctpa.names import cause, safe_text

MINUTE_S = 60
FINDINGS = ("finding", "finding_withdrawn")
# Kinds whose sentence may name frames, and holds nothing that a packet says.
OF_FRAMES = (*FINDINGS, "pause", "pause_ended")


def sentence(event, places, has_files):
    """An event as a line: when, between whom, what, where."""
    when = _when(event)
    place = places.find(event["frame"]) if has_files and event["frame"] else None
    text = places.in_words(event["text"], has_files) if event["kind"] in OF_FRAMES else event["text"]
    where = f" (frame {place[1]} of {place[0]})" if place and event["kind"] not in FINDINGS else ""
    who = "no association" if event["association"] is None else f"association {event['association']}"
    return safe_text(f"{when} {who}, {' and '.join(event['endpoints'])}: {text}{where}")


def sentence_of_folded(folded):
    """What was left out of lines, as a line."""
    return safe_text(f"{_when(folded)} {folded['text']}")


def _when(line):
    return datetime.datetime.fromtimestamp(line["epoch_s"]).isoformat(" ", "milliseconds")


class Limited:
    """Prints lines, at most so many of a kind in a minute. write: takes a text."""

    def __init__(self, most, write):
        self._most, self._write = most, write
        self._printed, self._left, self._until_s = {}, {}, 0.0

    def tell(self, kind, text):
        self.pass_time()
        if self._printed.get(kind, 0) < self._most:
            self._printed[kind] = self._printed.get(kind, 0) + 1
            self._write(text + "\n")
        else:
            self.leave_out(kind, 1)

    def leave_out(self, kind, count):
        """So many more of a kind have no lines."""
        if self._most:
            self._left[kind] = self._left.get(kind, 0) + count

    def pass_time(self, is_end=False):
        """Called at least every few seconds: says at the end of a minute what was left out of it."""
        now_s = time.monotonic()
        if now_s < self._until_s and not is_end:
            return
        for kind, count in sorted(self._left.items()):
            self._write(f"and {count:,} more event{'s' * (count > 1)} of this kind within a minute: {kind}\n")
        self._printed, self._left, self._until_s = {}, {}, now_s + MINUTE_S


class Log:
    """A file to which lines are added, each at once. Of what cannot be written it says so once, and goes on when it can be again. Raises OSError that
    names it when it cannot be opened."""

    def __init__(self, path, say):
        self._path, self._say = path, say
        self._handle = whole_files.appended(path)
        self._is_torn, self._lost, self.has_lost = False, 0, False
        self._lock = threading.Lock()

    def add(self, line):
        """line: bytes with their newline. Threads may call it at once."""
        with self._lock:
            self._add(line)

    def _add(self, line):
        data = b"\n" * self._is_torn + line
        written = 0
        try:
            while written < len(data):
                written += os.write(self._handle, data[written:])
        except OSError as error:
            self._is_torn |= written > 0
            self._fail(error)
            return
        self._is_torn = False
        if self._lost:
            self._say(
                f"{self._path}: is written again; {self._lost:,} line{'s are' if self._lost > 1 else ' is'} missing"
            )
            self._lost = 0

    def _fail(self, error):
        if not self._lost:
            self._say(f"{self._path}: {cause(error)}; the watch goes on")
        self._lost += 1
        self.has_lost = True

    def close(self):
        with contextlib.suppress(OSError):
            os.close(self._handle)


def located(line, event, places):
    """The line of an event with the file and the frame in it as further members."""
    place = places.find(event["frame"]) if event["frame"] else None
    if not place:
        return line
    added = json.dumps({"file": place[0], "file_frame": place[1]}, separators=(",", ":"))[1:]
    return line.rstrip()[:-1] + b"," + added.encode() + b"\n"
