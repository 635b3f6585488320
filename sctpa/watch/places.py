# SPDX-License-Identifier: GPL-2.0-or-later
"""Which frame of which file a frame is, of those that tshark counts: files one after the other, ticks among them."""

import bisect
import re
import threading

# A watch goes on for ever: of what lies so many files and ticks back nobody knows any more where it was.
KEPT = 200_000
FRAMES = re.compile(r"\b(frames? )(\d+)\b")


class Places:
    """Filled by who writes the frames, asked by who reads what is said of them. Memory: 16 bytes for each of KEPT."""

    def __init__(self):
        self._lock = threading.Lock()
        self._begins, self._names, self._ticks = [], [], []

    def begin(self, name, before):
        """A file begins, before which there were so many frames."""
        with self._lock:
            self._begins.append(before + 1)
            self._names.append(name)
            if len(self._begins) > KEPT:
                del self._begins[: KEPT // 2], self._names[: KEPT // 2]

    def tick(self, frame):
        """This frame is in no file."""
        with self._lock:
            self._ticks.append(frame)
            if len(self._ticks) > KEPT:
                before = self._ticks[KEPT // 2]
                del self._ticks[: KEPT // 2]
                # Frames before that cannot be counted any more.
                kept = bisect.bisect_right(self._begins, before)
                del self._begins[:kept], self._names[:kept]

    def find(self, frame):
        """(name of the file, number of the frame in it), or None. Cost: logarithmic."""
        with self._lock:
            at = bisect.bisect_right(self._begins, frame) - 1
            if at < 0:
                return None
            ticks = bisect.bisect_right(self._ticks, frame) - bisect.bisect_left(self._ticks, self._begins[at])
            return self._names[at], frame - self._begins[at] + 1 - ticks

    def in_words(self, text, has_files):
        """A sentence of tshark's, with the frames that it names as they are in the files."""

        def named(found):
            place = self.find(int(found[2]))
            if place is None:
                return found[0]
            return f"{found[1]}{place[1]}" + f" of {place[0]}" * has_files

        return FRAMES.sub(named, text)
