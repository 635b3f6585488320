# SPDX-License-Identifier: GPL-2.0-or-later
"""Says on stderr how far a run is: a bar on a terminal, else a line now and then. Leaves messages about captures to arguments.say."""

import sys
import time

from sctpa.arguments import say

LINE_EVERY_S = 10


def _size(count):
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1000 or unit == "TB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000


def _duration(seconds):
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


class _Work:
    """How much is done and left. A file costs a start of tshark besides its bytes."""

    START_BYTES = 1_000_000

    def __init__(self, files, size):
        self.files, self.size, self.done, self.read = files, size, 0, 0
        self.left = files * self.START_BYTES + size

    def take(self, size):
        self.done += 1
        self.read += size
        self.left -= self.START_BYTES + size
        return self.START_BYTES + size

    def __str__(self):
        return f"{self.done} of {self.files} captures, {_size(self.read)} of {_size(self.size)}"


class Lines:
    """Progress for logs."""

    def __init__(self, files, size):
        self._work, self._worked = _Work(files, size), 0
        self._begin = self._last = time.monotonic()

    def skip(self, size):
        self._work.take(size)

    def add(self, size):
        self._worked += self._work.take(size)
        now = time.monotonic()
        if now - self._last >= LINE_EVERY_S and self._work.done < self._work.files:
            self._last = now
            say(f"{self._work}, about {_duration((now - self._begin) * self._work.left / self._worked)} left")

    def say(self, text):
        say(text)

    def close(self):
        pass


class Bar:
    """Progress for a terminal: files, bytes, time left."""

    def __init__(self, files, size):
        from tqdm import tqdm

        self._work, self._tqdm = _Work(files, size), tqdm
        self._bar = tqdm(
            total=self._work.left,
            file=sys.stderr,
            dynamic_ncols=True,
            leave=False,
            desc=str(self._work),
            bar_format="{desc} |{bar}| {remaining} left",
        )

    def skip(self, size):
        self._bar.total -= self._work.take(size)
        self._bar.set_description_str(str(self._work), refresh=False)

    def add(self, size):
        worked = self._work.take(size)
        self._bar.set_description_str(str(self._work), refresh=False)
        self._bar.update(worked)

    def say(self, text):
        with self._tqdm.external_write_mode(file=sys.stderr):
            say(text)

    def close(self):
        self._bar.close()


def begin(files, size):
    """A progress over files of so many bytes in all: add(bytes) per file that was read, skip(bytes)
    per file that had been, say(text), close()."""
    return (Bar if sys.stderr.isatty() else Lines)(files, size)
