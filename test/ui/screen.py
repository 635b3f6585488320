# SPDX-License-Identifier: GPL-2.0-or-later
"""What an X server shows, read from the memory it paints into: when it changed after something was done, and where.

Leaves out windows and keys (desktop.py); the server is not asked and not slowed down.
"""

import collections
import mmap
import pathlib
import time

from rest import cpu_seconds

STEP = 4
PAUSE_S = 0.01
REST_S = 1.5

Change = collections.namedtuple("Change", "seconds picture")


class Picture:
    """Every fourth pixel of every fourth row."""

    def __init__(self, rows):
        self.rows = rows

    def __eq__(self, other):
        return self.rows == other.rows

    def colored(self, rectangle):
        """{(x, y): color} of the samples in (x, y, width, height) that are not grey."""
        x, y, width, height = (number // STEP for number in rectangle)
        return {
            (column, row): color
            for row in range(y, y + height)
            for column, color in enumerate(zip(*(channel[x:x + width] for channel in self.rows[row])))
            if max(color) - min(color) > 40
        }


class Screen:
    """`folder` is where Xvfb was told to keep its memory (-fbdir)."""

    def __init__(self, folder):
        with open(next(pathlib.Path(folder).glob("Xvfb_screen*")), "rb") as file:
            self.memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        header = [int.from_bytes(self.memory[at:at + 4], "big") for at in range(0, 100, 4)]
        self.width, self.height, self.line = header[4], header[5], header[12]
        self.start = header[0] + 12 * header[19]

    def picture(self):
        end = 4 * self.width
        return Picture([tuple(self.memory[at + channel:at + end:4 * STEP] for channel in range(3))
                        for at in range(self.start, self.start + self.height * self.line, STEP * self.line)])

    def changes(self, act, pid, patience_s=900):
        """Does act(); returns a list of Change, in seconds since then, until neither the screen nor process pid has moved for a while."""
        started = moved = time.monotonic()
        changes = [Change(0.0, self.picture())]
        used = cpu_seconds(pid)
        act()
        while time.monotonic() - moved < REST_S:
            time.sleep(PAUSE_S)
            now = time.monotonic()
            picture = self.picture()
            if picture != changes[-1].picture:
                changes.append(Change(now - started, picture))
                moved = now
            if cpu_seconds(pid) - used > 0.1:
                used, moved = cpu_seconds(pid), now
            if now - started > patience_s:
                raise AssertionError(f"no rest within {patience_s} s")
        return changes


def painted_s(changes, rectangle):
    """When the first twentieth of the colours that a rectangle shows in the end was there: a plot has its first points."""
    end = changes[-1].picture.colored(rectangle)
    assert end, "nothing coloured was painted"
    for change in changes:
        now = change.picture.colored(rectangle)
        if sum(now.get(place) == color for place, color in end.items()) * 20 >= len(end):
            return change.seconds
    raise AssertionError("not reached")
