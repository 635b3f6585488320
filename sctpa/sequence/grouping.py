# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures of several files, of the many that a command was given: which files are one (--sequence), and feeding them to tshark. Leaves names and
order to rings.py, the files' contents to stream.py."""

import bisect
import contextlib
import os

from sctpa.arguments import say
from sctpa.captures import Capture

from . import rings, stream, table


def grouped(found, as_user, together=None):
    """The captures found with each ring of files as one Capture, which has them as its parts, in order. Says how they were grouped. together: what
    captures.listed says of paths, of which those of other numbers are never one; None: nothing. Cost: reads the begin of each file whose name is that of one of many.
    """
    apart = {}
    for capture in found:
        apart.setdefault((together or {}).get(capture.path), []).append(capture)
    return [capture for captures in apart.values() for capture in _grouped(captures, as_user)]


def _grouped(found, as_user):
    by_path = {capture.path: capture for capture in found}
    for paths, why in rings.group([capture.path for capture in found], as_user):
        if why is None:
            yield from (by_path[path] for path in paths)
            continue
        one = rings.of_one(paths, {path: by_path[path].name for path in paths}, as_user)
        say(f"{one.name}: read as one capture, {why}, {one.how}")
        yield _of_parts([by_path[part.path]._replace(gap=part.gap) for part in one.parts])


def _of_parts(parts):
    path, name = (rings.name_of(names) for names in ([part.path for part in parts], [part.name for part in parts]))
    return Capture(
        path, name, sum(part.size for part in parts), max(part.mtime_ns for part in parts), None, tuple(parts)
    )


def place(files, frame):
    """(Name of the file of capture.files that holds a frame of the capture, which of its frames it is); None: none does."""
    held = [file for file in files or () if file["first_frame"] is not None]
    at = bisect.bisect_right(held, frame, key=lambda file: file["first_frame"]) - 1
    if at < 0 or frame > held[at]["last_frame"]:
        return None
    return held[at]["file"], frame - held[at]["first_frame"] + 1


def located(files, frame):
    """ "NAME:FRAME" of a frame of a capture, the name without its folder; None: no file of capture.files holds it."""
    found = place(files, frame)
    return f"{os.path.basename(found[0])}:{found[1]}" if found else None


def feed_of(capture, shown_name, as_user):
    """The Feed of a capture; None: one file holds it."""
    return Feed(capture, shown_name, as_user) if capture.parts else None


class Feed:
    """Writes the files of a capture into the standard input of a tshark. shown_name(part): what results call a file. reads: what was read of each,
    complete once copy() has returned."""

    def __init__(self, capture, shown_name, as_user):
        self._parts = [stream.Part(part.path, shown_name(part), part.gap) for part in capture.parts]
        self._as_user = as_user
        self.reads = []

    def lacks_files(self):
        """Do the names show that files are missing?"""
        return any(part.gap for part in self._parts)

    def copy(self, pipe, kept):
        """Writes all into pipe, a binary file that it closes, and the table of the files into the binary file kept. Ends early where nobody reads."""
        with contextlib.suppress(BrokenPipeError), pipe:
            one = stream.Stream(pipe.write, self._as_user)
            for read in table.kept(map(one.add, self._parts), kept):
                self.reads.append(read)

    def message(self):
        """Why some files were not read to their end; None: all were."""
        return "; ".join(f"{read.name}: {read.message}" for read in self.reads if not read.whole) or None

    def may_fare_better(self):
        """Was a file not read for a cause that may have gone by the next time?"""
        return any(read.is_passing for read in self.reads)

    def notes(self, is_asserted_complete):
        """What else is odd about the files: gaps in their numbers, overlaps, that they refute what is asserted of the capture; a line each."""
        remarks = [
            remark
            for read in self.reads
            for remark in read._replace(message=read.message if read.whole else None).remarks()
        ]
        # tshark was told before the files were read.
        refuting = (
            [read.name for read in self.reads[:-1] if not read.whole]
            if is_asserted_complete and not self.lacks_files()
            else []
        )
        return (
            *remarks,
            *(
                f"{name}: was not read to its end: findings that rest on --complete may be wrong"
                for name in refuting[:1]
            ),
        )
